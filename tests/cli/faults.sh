# When the machine fails: full disks, closed pipes, files that cannot be read or written. Exit code
# 3 and a message that names the file, for every command; and never half a file under a final name.
. "$(dirname "$0")/expect.sh"
oscillator
"$DALEMBERT" run oscillator.dal -o result.csv -q --checkpoint run.ckpt --checkpoint-every 40 ||
    fail "no result to work with"

# standard output that takes nothing
full() {
    what="dalembert $* >/dev/full"
    "$DALEMBERT" "$@" >/dev/full 2>err </dev/null
    got=$?
    [ $got = 3 ] || fail "$what: exit code $got, expected 3"
    says "cannot write standard output"
}
full run oscillator.dal
full run oscillator.dal --json
full run oscillator.dal -o -
full resume run.ckpt
full check oscillator.dal
full show oscillator.dal
full show oscillator.dal --equations
full converge oscillator.dal --schemes midpoint --steps 8..16 --until 1
full converge oscillator.dal --schemes midpoint --steps 8..16 --until 1 --json
full sweep oscillator.dal --grid k=1,2 -o -
full methods
full methods --json
full plot result.csv x
full --help
full --version
full run --help

# a file that takes nothing
for command in "run oscillator.dal" "check oscillator.dal" "show oscillator.dal" "methods"; do
    exits 3 $command -o /dev/full
    says "cannot write /dev/full"
done

# a directory that takes none, and one that is not there
for place in /proc/x.csv nowhere/x.csv .; do
    exits 3 run oscillator.dal -o $place
    says "cannot write $place"
    exits 3 check oscillator.dal -o $place
    says "cannot write $place"
    exits 3 run oscillator.dal -o fine.csv --checkpoint $place
    says "$place"
done
if [ "$(id -u)" != 0 ]; then
    mkdir locked
    chmod 500 locked
    exits 3 run oscillator.dal -o locked/x.csv
    says "cannot write locked/x.csv"
    : >secret.dal
    chmod 000 secret.dal
    exits 3 run secret.dal
    says "cannot read 'secret.dal'"
fi

# what cannot be read
for command in run check show converge sweep; do
    exits 3 $command missing.dal
    says "cannot read 'missing.dal'"
    exits 3 $command .
    says "it is a directory"
done
exits 3 plot missing.csv x
says "cannot read missing.csv"
exits 3 resume missing.ckpt
says "cannot read 'missing.ckpt'"
exits 3 resume .
says "it is not a regular file"

# a disk that is full after some kilobytes: files may not grow beyond a size
limited() {
    what="dalembert $* with a full disk"
    (ulimit -f 8 && exec "$DALEMBERT" "$@") >out 2>err </dev/null
    got=$?
    [ $got = 3 ] || fail "$what: exit code $got, expected 3"
}
for suffix in csv npy npz h5; do
    "$DALEMBERT" run oscillator.dal --steps 1 -q -o try.$suffix 2>/dev/null || continue
    limited run oscillator.dal --until 100 -o big.$suffix
    says "big.$suffix"
done

# the last good checkpoint stays, and no part of the next one
{
    echo "system Large {"
    echo "  coordinate x[400]"
    echo "  lagrangian sum(i in 1..400: x[i]'^2/2 - x[i]^4)"
    echo "  start x[1] = 1"
    echo "}"
} >large.dal
exits 0 run large.dal --step 0.01 --steps 5 --record 0 -q -o large.csv --checkpoint large.ckpt
cp large.ckpt before.ckpt
limited run large.dal --step 0.01 --steps 50 --record 0 --columns energy -o large.csv --checkpoint large.ckpt --checkpoint-every 10
says "cannot write the checkpoint large.ckpt"
cmp -s large.ckpt before.ckpt || fail "$what: the old checkpoint is gone"
absent large.ckpt.part

# a model that is wrong leaves no file behind
echo "system A {" >wrong.dal
exits 1 run wrong.dal -o nothing.csv --checkpoint nothing.ckpt
absent nothing.csv
absent nothing.ckpt
finish
