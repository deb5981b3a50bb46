# A run in every format that is killed, resumed and made longer than was planned ends with the rows
# of one that was never interrupted and had that end from the beginning.
. "$(dirname "$0")/expect.sh"
oscillator
python=""
for one in python3 /usr/bin/python3; do
    $one -c 'import numpy' 2>/dev/null && python=$one && break
done
formats="csv npy npz"
"$DALEMBERT" run /dev/null -o a.h5 2>&1 | grep -q "without HDF5" || formats="$formats h5"
outputs() { for f in $formats; do printf -- '-o %s ' "$1.$f"; done; }
# the rows of two files, and what they say of their options
cat >compare.py <<'PY'
import sys, numpy
a, b = sys.argv[1:]
if a.endswith(".h5"):
    import h5py
    with h5py.File(a) as x, h5py.File(b) as y:
        same = set(x) == set(y) and all((x[k][...] == y[k][...]).all() for k in y) and x.attrs["options"] == y.attrs["options"]
else:
    x, y = numpy.load(a), numpy.load(b)
    same = (x["data"] == y["data"]).all() and str(x["options"]) == str(y["options"])
sys.exit(not same)
PY
same() { # STEM STEM: all files of the two
    for f in $formats; do
        case $f in
        csv | npy) cmp -s "$1.$f" "$2.$f" || fail "$what: $1.$f is not $2.$f" ;;
        *) [ -z "$python" ] || [ $f = h5 ] && ! $python -c 'import h5py' 2>/dev/null ||
            $python compare.py "$1.$f" "$2.$f" || fail "$what: $1.$f is not $2.$f" ;;
        esac
        "$DALEMBERT" plot "$1.$f" x --gnuplot "$1.gp" 2>err && "$DALEMBERT" plot "$2.$f" x --gnuplot "$2.gp" 2>err || fail "$what: it cannot be drawn"
        cmp -s "$1.gp" "$2.gp" || fail "$what: the picture of $1.$f is not that of $2.$f"
    done
}

# killed at some moments, each format by itself and all of them at once
exits 0 run oscillator.dal --steps 150000 --record 50 -q $(outputs whole)
"$DALEMBERT" run oscillator.dal --steps 150000 --record 50 -q $(outputs cut) --checkpoint cut.ckpt --checkpoint-every 2000 >out 2>err &
pid=$!
kills=0
while [ $kills -lt 4 ]; do
    await [ -e cut.ckpt ]
    sleep 0.0$((3 + 2 * kills))
    kill -9 $pid 2>/dev/null || break
    wait $pid 2>/dev/null
    kills=$((kills + 1))
    "$DALEMBERT" resume cut.ckpt -q >out 2>err &
    pid=$!
done
wait $pid
what="a run in all formats that was killed $kills times"
[ -e cut.ckpt ] || fail "$what: it has no checkpoint"
exits 0 resume cut.ckpt -q
what="a run in all formats that was killed $kills times"
same cut whole

# longer than planned, with the last row on the grid of rows and off it, and with first and last row
# only
for record in 1 7 0; do
    exits 0 run oscillator.dal --until 30 --record $record -q $(outputs whole)
    exits 0 run oscillator.dal --until 10 --record $record -q $(outputs cut) --checkpoint cut.ckpt
    exits 0 resume cut.ckpt --until 20 -q
    exits 0 resume cut.ckpt --until 30 -q
    same cut whole
    exits 0 resume cut.ckpt -q
    same cut whole
done
exits 0 run oscillator.dal --steps 70 --record 7 -q $(outputs whole)
exits 0 run oscillator.dal --steps 33 --record 7 -q $(outputs cut) --checkpoint cut.ckpt
exits 0 resume cut.ckpt --steps 70 -q
same cut whole

# steps that choose their length, and a run that was stopped before its end and ends sooner
exits 0 run oscillator.dal --principle energy --until 6 --record 5 -q $(outputs whole)
exits 0 run oscillator.dal --principle energy --until 3 --record 5 -q $(outputs cut) --checkpoint cut.ckpt
exits 0 resume cut.ckpt --until 6 -q
same cut whole
rm -f cut.ckpt
"$DALEMBERT" run oscillator.dal --until 1e9 --record 100 -q -o cut.csv --checkpoint cut.ckpt --checkpoint-every 50 >out 2>err &
pid=$!
await [ -e cut.ckpt ]
kill -9 $pid
wait $pid 2>/dev/null
exits 0 resume cut.ckpt --until 2e3 -q
exits 0 run oscillator.dal --until 2e3 --record 100 -q -o whole.csv
cmp -s cut.csv whole.csv || fail "a run that ends sooner is another"

# what is no end
for wrong in 1 x -1 nan 1e300; do exits 1 resume cut.ckpt --until $wrong; done
for wrong in 5 1.5 x; do exits 1 resume cut.ckpt --steps $wrong; done
says "number of steps from the beginning"
exits 1 resume cut.ckpt --until 1
says "a later end is needed"
exits 1 resume cut.ckpt --until 2e4 --steps 5
says "give only one of them"

# a file that was cut is not the one that was written
exits 0 run oscillator.dal --steps 50 -q $(outputs short) --checkpoint short.ckpt
for f in $formats; do
    [ $f != h5 ] || continue
    cp short.$f kept
    head -c 700 kept >short.$f
    exits 3 resume short.ckpt -q
    says "fewer than 51 rows"
    cp kept short.$f
done
finish
