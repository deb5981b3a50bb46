# Chains, rings and lattices made at random, on several ranks: the bits of one process, or refused
# before the run. RANKS: on how many, and then more of them.
. "${0%/*}/expect.sh"
. "${0%/*}/ranks.sh"

# model SEED: sites joined to others up to `reach` away, with several coordinates each, and the
# options of its run in the file options
model() {
    awk -v seed="$1" '
function any(n) { return int(n*rand()) }
function maybe() { return any(2) }
function bond(a, b) { return sprintf("(%s - %s)^2/2%s", a, b, quartic ? sprintf(" + (%s - %s)^4/8", a, b) : "") }
function at(c, i) { return sites ? "u[" i "][" c "]" : name[c] "[" i "]" }
function chain(    c, k, s) {
    N = 700 + any(any(3) ? 5000 : 20000)
    split("x y z", name, " ")
    print "  parameter N = " N
    if (sites) printf "  coordinate u[N][%d]\n", count
    for (c = 1; c <= count; c++) {
        if (!sites) printf "  coordinate %s[N]\n", name[c]
        printf "  for i in 1..N { start %s = 0.3*sin(0.%d*i) }\n", at(c, "i"), 11 + any(80)
        printf "  lagrangian sum(i in 1..N: %s%s'"'"'^2/2)\n", heavy ? "(1 + 0.3*sin(i))*" : "", at(c, "i")
        if (maybe()) printf "  lagrangian -sum(i in 1..N: %s^4/4)\n", at(c, "i")
    }
    for (k = 1; k <= reach; k++)
        printf "  lagrangian -sum(i in 1..N-%d: %s)\n", k, bond(at(1, "i+" k), at(1, "i"))
    for (c = 2; c <= count; c++) {
        printf "  lagrangian -sum(i in 1..N-1: %s)\n", bond(at(c, "i+1"), at(c - 1, "i"))
        printf "  lagrangian -sum(i in 1..N: %s)\n", bond(at(c, "i"), at(1, "i"))
    }
    if (ring) for (k = 1; k <= reach; k++) for (s = 1; s <= k; s++)
        printf "  lagrangian -(%s)\n", bond(at(1, s), at(1, "N-" (k - s)))
    if (!ring && maybe()) printf "  lagrangian -(%s^2 + %s^2)/2\n", at(1, 1), at(1, "N")
    if (!any(3)) printf "  lagrangian -sum(i in %d..%d: %s^2/3)\n", N/4, N/2, at(1, "i")
    if (damped) printf "  for i in 1..N { force %s: -0.0%d*%s'"'"' }\n", at(1, "i"), 1 + any(9), at(1, "i")
    if (driven) printf "  for i in 1..N { force %s: 0.1*%scos(t) }\n", at(1, "i"), maybe() ? "sin(0.3*i)*" : ""
    columns = sites ? "u, p(u)" : count > 1 ? "x, y, p(x), p(y)" : "x, p(x)"
}
function lattice(    a, b) {
    a = 60 + any(60); b = 40 + any(120)
    printf "  parameter N = %d, M = %d\n  coordinate u[N][M]\n", a, b
    print "  lagrangian sum(i in 1..N, j in 1..M: u[i][j]'"'"'^2/2)"
    printf "  lagrangian -sum(i in 1..N-1, j in 1..M: %s)\n", bond("u[i+1][j]", "u[i][j]")
    printf "  lagrangian -sum(i in 1..N, j in 1..M-1: %s)\n", bond("u[i][j+1]", "u[i][j]")
    if (ring) printf "  lagrangian -sum(i in 1..N: %s)\n", bond("u[i][1]", "u[i][M]")
    print "  for i in 1..N { for j in 1..M { start u[i][j] = 0.3*sin(0.37*i)*cos(0.21*j) } }"
    if (damped) print "  for i in 1..N { for j in 1..M { force u[i][j]: -0.05*u[i][j]'"'"' } }"
    if (driven) print "  for j in 1..M { force u[1][j]: 0.1*cos(t) }"
    columns = "u, p(u)"
}
BEGIN {
    srand(seed)
    for (k = 0; k < 20; k++) rand()
    reach = 1 + any(3); count = 1 + any(3)
    sites = maybe(); ring = reach == 1 || !any(8) ? maybe() : 0; quartic = any(4); heavy = !any(3); damped = !any(3); driven = !any(3)
    composed = !any(4)
    if (composed && any(8)) damped = driven = 0
    print "system Random {"
    if (any(5)) chain()
    else lattice()
    print "}"
    every = any(3) ? 20 + any(180) : 1 + any(40)
    printf "simulate {\n  scheme = trapezoid\n  step = 0.03\n  record = every %d\n  columns = %s\n}\n", every, columns
    printf "--steps %d --summation %s", every + any(2*every), maybe() ? "plain" : "compensated" >"options"
    if (composed) printf " --scheme compose(trapezoid,yoshida(4))" >"options"
}' >model.dal
}

none=0 shared=0
for seed in ${SEEDS:-$([ -z "${RANKS:-}" ] && seq 4 || seq 24)}; do
    model "$seed"
    options=$(cat options)
    rm -f one.csv
    exits 0 run model.dal $options --backend native -q -o one.csv
    for n in ${RANKS:-3}; do
        rm -f many.csv
        timeout 120 mpirun -n "$n" "$DALEMBERT" run model.dal $options --backend native -q -o many.csv >out 2>err </dev/null
        got=$?
        what="seed $seed, $n ranks, $options"
        if [ $got = 1 ]; then
            none=$((none + 1))
            says "the steps of this run cannot be shared by $n processes: "
            absent many.csv
        else
            shared=$((shared + 1))
            [ $got = 0 ] || fail "$what: exit code $got"
            cmp -s one.csv many.csv || fail "$what: other rows than of one process"
        fi
        [ -z "${SHOW:-}" ] || echo "$what: $got $(sed -n 's/.*processes: //p' err)"
    done
done
[ $shared -gt $none ] || fail "$none runs were refused, and $shared shared"
finish
