# Models and options that ask for too much: a message that says what is too much and what raises it,
# at once, and no file but those that are asked for.
. "$(dirname "$0")/expect.sh"
oscillator
model() { # NAME LINE...: a model of one system with these lines
    name=$1
    shift
    { echo "system A {"; printf '  %s\n' "$@"; echo "}"; printf 'simulate {\n  step = 0.1\n  steps = 2\n}\n'; } >"$name.dal"
}
# refused in a moment and within 2 GB, whatever the machine has
refused() { # CODE ARGUMENT...
    want=$1
    shift
    what="dalembert $*"
    (ulimit -v ${VIRTUAL:-2000000} && ulimit -t 20 && exec "$DALEMBERT" "$@") >out 2>err </dev/null
    got=$?
    [ "$got" = "$want" ] || fail "$what: exit code $got, expected $want"
}
# the sanitizers reserve more than any limit
[ -z "${SANITIZE:-}" ] || VIRTUAL=unlimited

# sizes
model wide 'coordinate x[2000000000]' "lagrangian x[1]'^2/2"
refused 1 check wide.dal
says "too large"
model huge 'coordinate x[1e300]' "lagrangian x[1]'^2/2"
refused 1 check huge.dal
says "too large"
model none 'coordinate x[-5]' "lagrangian 0"
refused 1 check none.dal
model cube 'parameter N = 30000' 'coordinate x[N][N][N]' "lagrangian x[1][1][1]'^2/2"
refused 1 check cube.dal
says "too large"
model sums 'coordinate x' "lagrangian x'^2/2 - sum(i in 1..1000: sum(j in 1..1000: sum(k in 1..1000: x^2*i*j*k)))"
refused 1 check sums.dal --limit 1000000
says "run through more than 1000000 values"
says "--limit N allows more"
model many 'parameter N = 40' 'coordinate x[N]' "lagrangian sum(i in 1..N: x[i]'^2/2 - x[i]^2)"
refused 1 run many.dal --limit 50
says "more than 50 values"
exits 0 run many.dal --limit 100000 -q
for wrong in 0 -1 x nan 1e400; do
    exits 1 run many.dal --limit $wrong
    exits 1 run many.dal --memory $wrong
done
says "a number of megabytes"

# memory: a simulation that is bound to be dense, a model of very many parts
model dense 'parameter N = 900' 'coordinate x[N]' \
    "lagrangian sum(i in 1..N: x[i]'^2/2) - sum(i in 1..N: sum(j in 1..N: (x[i] - x[j])^4))" 'start x[1] = 1'
refused 2 run dense.dal --memory 25
says "out of memory: this needs more than the 25 MB allowed"
says "allow more with --memory MB"
model wide 'parameter N = 200000' 'coordinate x[N]' "lagrangian sum(i in 1..N: x[i]'^2/2 - x[i]^2/2)" 'start x[1] = 1'
refused 2 run wide.dal --memory 50
says "a simulation of 200000 coordinates needs 77 MB at least, and 50 MB are allowed"
{
    printf 'system P {\n  coordinate x\n  lagrangian x%s^2/2\n}\n' "'"
    printf 'system A {\n  part p[20000000] : P\n}\n'
} >parts.dal
refused 2 check parts.dal --memory 300
says "300 MB"

# depth, length, exponents, loops
awk 'BEGIN { printf "system A {\n  coordinate x\n  lagrangian "; for (i = 0; i < 50000; i++) printf "("; printf "x"; for (i = 0; i < 50000; i++) printf ")"; print "\n}" }' >deep.dal
refused 1 check deep.dal
says "1000"
awk 'BEGIN { printf "system A {\n  coordinate x\n  lagrangian x\047^2/2"; for (i = 0; i < 40000; i++) printf " - x^2/%d", i + 1; print "\n  start x = 1\n}" }' >long.dal
refused 0 check long.dal
model powers 'coordinate x' "lagrangian x'^2/2 - x^1000000000" 'start x = 1'
refused 0 run powers.dal --steps 2 -q
model tower 'coordinate x' "lagrangian x'^2/2 - 2^(2^(2^(2^(2^x))))" 'start x = 3'
refused 2 run tower.dal -q
says "2^2^2^2^x is not finite (x = 3) at tower.dal:3"
echo 'import "b.dal"' >a.dal
printf 'import "a.dal"\nsystem B {\n  coordinate x\n  lagrangian x%s^2/2\n}\n' "'" >b.dal
refused 0 check b.dal
model itself 'part a : A'
refused 1 check itself.dal
says "itself"
ln -s . here
i=0
while [ $i -lt 40 ]; do
    printf 'import "i%d.dal"\n' $((i + 1)) >i$i.dal
    i=$((i + 1))
done
refused 3 check i0.dal
says "i40.dal"
head -c 70000000 /dev/zero | tr '\0' ' ' >blank.dal
refused 3 check blank.dal
says "it is larger than 64 MB"
rm -f blank.dal

# runs that never end, or have no steps
refused 1 run oscillator.dal --until 1e300
says "steps are too many"
refused 1 run oscillator.dal --steps 1e18
refused 1 run oscillator.dal --until nan
refused 1 run oscillator.dal --step 0
refused 1 run oscillator.dal --step 1e-320
refused 1 run oscillator.dal --record -1
refused 1 run oscillator.dal --checkpoint a.ckpt --checkpoint-every 0
refused 1 sweep oscillator.dal --grid "k=1..2/100000" --grid "m=1..2/100000"
says "members are too many"
refused 1 sweep oscillator.dal --grid "k=1..2/1e15"
refused 1 sweep oscillator.dal --random "k=normal(0,1)" --members 1e15
refused 1 converge oscillator.dal --steps 1e12
absent oscillator.csv
absent a.ckpt

# a model names no files: what it can reach is what it imports, and that is only read
for name in '/etc/passwd' '../../../../etc/passwd' '|id' '`id`' '$(id)'; do
    printf 'import "%s"\nsystem A {\n  coordinate x\n  lagrangian x%s^2/2\n}\n' "$name" "'" >escape.dal
    before=$(ls | sort)
    refused "$([ "${name#/}" = "$name" ] && [ "${name#..}" = "$name" ] && echo 3 || echo 1)" check escape.dal
    [ "$before" = "$(ls | sort)" ] || fail "$what: a file was made"
done
finish
