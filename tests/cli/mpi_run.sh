# The processes of mpirun share the explicit steps of one model: the same bits as of one. RANKS: on how many.
. "${0%/*}/expect.sh"
. "${0%/*}/ranks.sh"
[ -n "${RANKS:-}" ] || { echo "skipped: make check-mpi runs it, which takes minutes"; exit 77; }

cat >chain.dal <<'MODEL'
system Chain {
  parameter N = 12000
  coordinate x[N]
  lagrangian sum(i in 1..N: (1 + 0.1*sin(i))*x[i]'^2/2)
  lagrangian -sum(i in 1..N-1: (x[i+1] - x[i])^2/2 + (x[i+1] - x[i])^4/4)
  for i in 1..N { start x[i] = 0.3*sin(0.37*i) }
}
simulate {
  scheme = trapezoid
  step = 0.1
  until = 30
  record = every 150
  columns = x, p(x)
}
MODEL
sed 's/^}/}/; /^  for/a\
  for i in 1..N { force x[i]: -0.05*x[i]'"'"' + 0.1*sin(0.3*i)*cos(t) }' chain.dal >driven.dal
cat >lattice.dal <<'MODEL'
system Lattice {
  parameter N = 100
  coordinate u[N][N]
  lagrangian sum(i in 1..N, j in 1..N: u[i][j]'^2/2)
  lagrangian -sum(i in 1..N-1, j in 1..N: (u[i+1][j] - u[i][j])^2/2 + (u[i+1][j] - u[i][j])^4/8)
  lagrangian -sum(i in 1..N, j in 1..N-1: (u[i][j+1] - u[i][j])^2/2 + (u[i][j+1] - u[i][j])^4/8)
  for i in 1..N { for j in 1..N { start u[i][j] = 0.3*sin(0.37*i)*cos(0.21*j) } }
}
simulate {
  scheme = trapezoid
  step = 0.05
  until = 10
  record = every 100
  columns = u, p(u)
}
MODEL

# shared CODE MODEL ARGUMENT...: files and summary are those of one process with the same engine
shared() {
    code=$1
    shift
    exits "$code" run "$@" --backend native --json -o one.csv
    grep -v '_s": \|ns_per_step\|path' out >one.json
    cp err one.err
    for n in ${RANKS:-2}; do
        ranks "$n" "$code" run "$@" --backend native --json -o many.csv
        cmp -s one.csv many.csv || fail "$what: other rows than of one process"
        grep -v '_s": \|ns_per_step\|path' out | sed 's/many.csv/one.csv/' | cmp -s - one.json || fail "$what: another summary"
        [ "$code" = 0 ] || [ "$n" = 1 ] || grep -qF "$(head -n 1 one.err)" err || fail "$what: other words"
    done
}
shared 0 chain.dal
shared 0 chain.dal --summation plain
shared 0 driven.dal
shared 0 driven.dal --summation plain
shared 0 lattice.dal
shared 0 lattice.dal --scheme "compose(trapezoid, yoshida(4))"
shared 0 lattice.dal --record 1 --until 0.5 --columns "u[50][50], energy" --plot picture.svg
shared 0 chain.dal --until -10

# lanes are shorter on ranks in the middle: all make time tiles of as many steps
cat >ring.dal <<'MODEL'
system Ring {
  parameter N = 6000
  coordinate x[N], y[N]
  for i in 1..N { start x[i] = 0.3*sin(0.37*i) }
  lagrangian sum(i in 1..N: x[i]'^2/2 + y[i]'^2)
  lagrangian -sum(i in 1..N-1: (x[i+1] - x[i])^2/2 + (y[i+1] - x[i])^2/2 + (x[i+1] - x[i])^4/4)
  lagrangian -(x[1] - x[N])^2/2 - sum(i in 1..N: (y[i] - x[i])^4/4)
}
simulate {
  scheme = trapezoid
  step = 0.1
  until = 20
  record = every 100
  columns = x, y, p(x), p(y)
}
MODEL
given=${RANKS:-} RANKS=${RANKS:-3}
shared 0 ring.dal
RANKS=$given

# a step that fails does so for all
sed 's/^\(.*\) + (x\[i+1\] - x\[i\])^4\/4/\1 - 2*(x[i+1] - x[i])^4/; s/0.3\*sin/0.9*sin/' chain.dal >blow.dal
shared 2 blow.dal --record 1 --columns "x[1], x[7000]"

# a checkpoint belongs to no number of ranks
args="--record 20 --columns x[1],x[6000],p(x[12000])"
exits 0 run chain.dal $args --backend native -o one.csv -q
kept() { # RANKS RANKS: of the run, and of what goes on from its checkpoint
    rm -f many.csv kept
    ranks "$1" 0 run chain.dal $args --backend native -o many.csv --until 13 --checkpoint kept
    ranks "$2" 0 resume kept --until 30
    cmp -s one.csv many.csv || fail "$what: not the run as a whole, with $1 and $2 ranks"
}
kept 1 2
kept 2 1
for n in ${RANKS:-2}; do kept "$n" 3; done

# Ctrl-C keeps a checkpoint; of a rank that is killed, the last one is kept
seldom="--record 200 --columns x[1],x[6000],p(x[12000])" # a look takes what many steps take
stopped() { # WHAT SIGNAL
    what=$1
    rm -f many.csv kept out
    mpirun -n 2 sh -c 'echo $$ >pid$OMPI_COMM_WORLD_RANK; exec "$@"' sh \
        "$DALEMBERT" run chain.dal $seldom --backend native --steps 1000000 -o many.csv --checkpoint kept --checkpoint-every 100 >out 2>err &
    pid=$!
    await test -s kept || fail "$what: no checkpoint is written"
    case $2 in
    INT) kill -INT $pid ;;
    KILL) kill -KILL "$(cat pid1)" ;;
    esac
    wait $pid
    [ $? != 0 ] || fail "$what: exit code 0"
    ranks 3 0 resume kept --until 2000
    exits 0 run chain.dal $seldom --backend native --until 2000 -o long.csv -q
    cmp -s long.csv many.csv || fail "$what: not the run as a whole"
}
stopped "a run on ranks that gets SIGINT" INT
stopped "a run on ranks of which one is killed" KILL

# what is not shared is refused before the run
refused() { # WORDS ARGUMENT...
    words=$1
    shift
    ranks 2 1 run "$@" -o none.csv
    says "the steps of this run cannot be shared by 2 processes: $words"
    [ "$(grep -c 'error:' err)" = 1 ] || fail "$what: not one message"
    absent none.csv
}
refused "its steps are implicit" chain.dal --scheme midpoint
refused "its steps are implicit" chain.dal --scheme "gauss(2)"
refused "it has fewer than 300 coordinates" chain.dal --set N=200 --columns energy
refused "400 coordinates, each joined to others up to 1 away, are too few for 2 ranks" chain.dal --set N=400
refused "the energy principle chooses" chain.dal --principle energy
refused "its steps follow a pace" chain.dal --pace 1
refused "Lyapunov exponents need" chain.dal --lyapunov 1
refused "each of the processes has one thread" chain.dal --threads 2
refused "its steps are to be interpreted" chain.dal --backend vm
ranks 2 1 run chain.dal --report page.html
says "--report is not made by 2 processes"
finish
