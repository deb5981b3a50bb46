# A signal ends a run between two steps: exit code 130, a valid file, the last state in it.
. "$(dirname "$0")/expect.sh"
oscillator
for signal in INT TERM; do
    what="a run that gets SIG$signal"
    rm -f long.csv
    "$DALEMBERT" run oscillator.dal --until 1e9 --record 100000 --json -o long.csv >out 2>err &
    pid=$!
    await [ -s long.csv ]
    kill -$signal $pid
    wait $pid
    code=$?
    [ $code = 130 ] || fail "$what: exit code $code"
    prints '"status": "interrupted"'
    [ -s long.csv ] || fail "$what: no file"
    awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' long.csv || fail "$what: a broken line"
    [ -z "$(tail -c 1 long.csv)" ] || fail "$what: the last line has no end"
done

# while a compiler works nothing has begun: that is said, and whatever there was is left as it was
# and the compiler ends too, with what it started
cat >slow <<'C' && chmod +x slow
#!/bin/sh
sleep 600 &
echo $! >"$0.child"
: >"$0.began"
wait
C
ended() { # PROCESS: is it gone, but for its parent to take note?
    [ ! -e "/proc/$1" ] || grep -q "^State:.Z" "/proc/$1/status" 2>/dev/null
}
interrupted() { # COMMAND...: it gets SIGINT once it compiles
    rm -f slow.began
    CC=$here/slow XDG_CACHE_HOME=$here/cache "$DALEMBERT" "$@" >out 2>err &
    pid=$!
    await [ -e slow.began ]
    kill -INT $pid
    wait $pid
    [ $? = 130 ] || fail "$1 while it compiles: the exit code is not 130"
    says "interrupted before the first step; nothing was written"
    tries=0
    until ended "$(cat slow.child)"; do
        [ $((tries += 1)) -lt 500 ] || { fail "$1 while it compiles: its compiler lives on"; break; }
        sleep 0.02
    done
}
what="a compilation that gets SIGINT"
interrupted run oscillator.dal --backend native -o none.csv --checkpoint none.checkpoint
[ ! -e none.csv ] && [ ! -e none.checkpoint ] || fail "$what: a file"
interrupted sweep oscillator.dal --grid "k=1..2/9" --backend native -o none.csv
[ ! -e none.csv ] || fail "$what: a file of a sweep"
exits 0 run oscillator.dal --backend native --steps 50 -o part.csv --checkpoint part.checkpoint
cp part.csv before.csv && cp part.checkpoint before.checkpoint
interrupted resume part.checkpoint --steps 100
cmp -s part.csv before.csv && cmp -s part.checkpoint before.checkpoint || fail "$what: a file of the run was changed"
exits 0 resume part.checkpoint --steps 100

# threads that share the rows of a chain end with the step, and the run goes on from there
what="threads that get SIGINT"
cat >chain.dal <<'M'
system Chain {
  parameter N = 40000
  coordinate x[N]
  lagrangian sum(i in 1..N: x[i]'^2/2) - sum(i in 1..N-1: (x[i+1] - x[i])^2/2 + (x[i+1] - x[i])^4/8)
  start x[1] = 1
}
simulate {
  step = 0.1
  steps = 1000000
  record = every 10
}
M
"$DALEMBERT" run chain.dal --columns "x[1]" --threads 2 -o chain.csv --checkpoint chain.checkpoint >out 2>err &
pid=$!
await [ -s chain.csv ]
kill -INT $pid
wait $pid
[ $? = 130 ] || fail "$what: the exit code is not 130"
says "'dalembert resume chain.checkpoint' continues"
prints "interrupted; what was computed is kept"
made=$(sed -n 's/^  steps  *\([0-9]*\) .*/\1/p' out)
exits 0 resume chain.checkpoint --steps $((made + 3)) --json
prints "\"steps\": $((made + 3))"
finish
