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
finish
