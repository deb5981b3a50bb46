# A run that is killed or interrupted goes on from its checkpoint and ends with the same files, byte
# for byte, and the same summary; what is no checkpoint, or only part of one, is refused.
. "$(dirname "$0")/expect.sh"
oscillator
cat >chain.dal <<'MODEL'
system Chain {
  parameter N = 40, g = 9.81, c = 0.05
  coordinate x[N], y[N]
  lagrangian sum(i in 1..N: x[i]'^2/2 + y[i]'^2/2 - y[i]*g) - 50*sum(i in 2..N: (x[i] - x[i-1])^2 + (y[i] - y[i-1])^4)
  force x[1]: -c*x[1]'
  holonomic hook: x[1]^2 + y[1]^2 = 1
  start x[1] = 1
  output height = y[N]
}
simulate {
  scheme = midpoint
  step = 0.002
  steps = 4000
}
MODEL

# same FILE: like FILE.whole, which was written without interruption
same() { cmp -s "$1" "$1.whole" || fail "$what: $1 is not what an uninterrupted run writes"; }

# summary FILE: without times, the name of the back end and warnings
summary() { sed 's/"time": {[^}]*}//; s/"backend": "[^"]*"//' "$1" | tr -d ' \n' | sed 's/"time":{[^}]*}//'; }

for model in oscillator chain; do
    steps=8000
    [ $model = oscillator ] && steps=600000
    exits 0 run $model.dal --steps $steps --record 7 --json -o $model.csv
    mv $model.csv $model.csv.whole
    summary out >summary.whole

    # killed at some moment, several times, then taken up until it ends
    "$DALEMBERT" run $model.dal --steps $steps --record 7 --json -o $model.csv --checkpoint run.ckpt \
        --checkpoint-every 300 >out 2>err &
    pid=$!
    kills=0
    while [ $kills -lt 5 ]; do
        sleep "0.$(awk -v k=$kills -v p=$pid 'BEGIN { srand(p + k); printf "%03d", 40 + 300*rand() }')"
        kill -9 $pid 2>/dev/null || break
        wait $pid 2>/dev/null
        [ -e run.ckpt ] || break
        kills=$((kills + 1))
        "$DALEMBERT" resume run.ckpt --json >out 2>err &
        pid=$!
    done
    wait $pid
    code=$?
    what="$model killed $kills times"
    if [ ! -e run.ckpt ]; then
        exits 0 run $model.dal --steps $steps --record 7 --json -o $model.csv --checkpoint run.ckpt --checkpoint-every 300
    elif [ $code != 0 ]; then
        exits 0 resume run.ckpt --json
    fi
    what="$model killed $kills times"
    echo "$what"
    same $model.csv
    summary out >summary.now
    cmp -s summary.now summary.whole || fail "$what: another summary"
    absent run.ckpt.part

    # once more from the end: nothing is left to do, and nothing changes
    exits 0 resume run.ckpt -q
    same $model.csv
    rm -f run.ckpt
done

# interrupted: a valid file with the last state, exit code 130, and a checkpoint of that moment
for signal in INT TERM; do
    rm -f long.csv
    "$DALEMBERT" run oscillator.dal --steps 3000000 --record 1000 -o long.csv --checkpoint run.ckpt >out 2>err &
    pid=$!
    await [ -s long.csv ]
    kill -$signal $pid
    wait $pid
    code=$?
    what="a run with checkpoints that gets SIG$signal"
    [ $code = 130 ] || fail "$what: exit code $code"
    says "'dalembert resume run.ckpt' continues"
    [ -e run.ckpt ] || fail "$what: no checkpoint"
done
exits 0 resume run.ckpt
prints "Oscillator"
cp long.csv long.csv.resumed
exits 0 run oscillator.dal --steps 3000000 --record 1000 -o long.csv -q
cmp -s long.csv long.csv.resumed || fail "$what: not what an uninterrupted run writes"

# other formats, and several files at once
exits 0 run oscillator.dal --steps 500 -o a.csv -o a.npy -q
mv a.csv a.csv.whole
mv a.npy a.npy.whole
exits 0 run oscillator.dal --steps 500 -o a.csv -o a.npy -q --checkpoint a.ckpt --checkpoint-every 170
cp a.ckpt b.ckpt
exits 0 resume a.ckpt -q
same a.csv
same a.npy

# inputs from files are in the checkpoint too, and so is the text of the model
cat >driven.dal <<'MODEL'
system Driven {
  coordinate x
  input u
  lagrangian x'^2/2 - x^2/2
  force x: u
}
simulate {
  step = 0.01
  steps = 300000
  record = every 1000
}
MODEL
printf 't,u\n0,0\n100,1\n300,-1\n9000,0\n' >load.csv
exits 0 run driven.dal --input u=load.csv -o d.csv -q
mv d.csv d.csv.whole
"$DALEMBERT" run driven.dal --input u=load.csv -o d.csv -q --checkpoint d.ckpt --checkpoint-every 2000 >out 2>err &
pid=$!
await [ -e d.ckpt ]
kill -9 $pid 2>/dev/null
wait $pid 2>/dev/null
rm load.csv
sed -i 's/x^2\/2$/x^2/' driven.dal
exits 0 resume d.ckpt -q
says "driven.dal has changed since the run began"
same d.csv

# what cannot be taken up
exits 3 resume missing.ckpt
says "cannot read 'missing.ckpt'"
exits 3 resume oscillator.dal
says "it is not a dalembert checkpoint"
head -c 1000 b.ckpt >short.ckpt
exits 3 resume short.ckpt
says "its end is missing"
: >empty.ckpt
exits 3 resume empty.ckpt
says "it is not a dalembert checkpoint"
{ cat b.ckpt; echo more; } >longer.ckpt
exits 3 resume longer.ckpt
says "something was added"
{ head -c 400 b.ckpt; printf 'X'; tail -c +402 b.ckpt; } >damaged.ckpt
exits 3 resume damaged.ckpt
says "its checksum is wrong"
{ head -c 16 b.ckpt; printf '\011'; tail -c +18 b.ckpt; } >newer.ckpt
exits 3 resume newer.ckpt
says "use a newer one"
rm a.csv
exits 3 resume b.ckpt
says "a.csv"
exits 1 run oscillator.dal --checkpoint-every 5
says "needs --checkpoint FILE"
for wrong in 0 -1 5x s 1.5 1e999s; do
    exits 1 run oscillator.dal --checkpoint c.ckpt --checkpoint-every $wrong
done
says "a time with its unit"
exits 1 run oscillator.dal --checkpoint c.csv -o c.csv
says "both name"
exits 3 run oscillator.dal --steps 10 --checkpoint nowhere/c.ckpt -o c.csv
says "cannot write the checkpoint nowhere/c.ckpt"

# another end is a number of steps or a time, and lies ahead
exits 0 run oscillator.dal --steps 10 --checkpoint c.ckpt -q -o c.csv
exits 1 resume c.ckpt --steps many
says "the number of steps from the beginning is needed here"
exits 1 resume c.ckpt --until soon
says "a time is needed here"
exits 1 resume c.ckpt --until=-1
says "the run goes in the other direction of time"
exits 1 resume c.ckpt --steps 9
says "the run is at step 10"
finish
