# Results as CSV, .npy, .npz and HDF5: the same numbers, names, units and notes, also of runs that
# stop early.
. "$(dirname "$0")/expect.sh"
python=""
for one in python3 /usr/bin/python3; do
    $one -c 'import numpy' 2>/dev/null && python=$one && break
done
if [ -z "$python" ]; then
    echo "skipped: python3 with numpy is missing (Debian: python3-numpy, python3-h5py)"
    exit 77
fi
formats="csv npy npz"
"$DALEMBERT" run /dev/null -o a.h5 2>&1 | grep -q "without HDF5" || formats="$formats h5"
case $formats in *h5) $python -c 'import h5py' 2>/dev/null ||
    { echo "skipped: h5py is missing"; exit 77; } ;; esac
shown() { $python "$SOURCE/tests/cli/files.py" <"$1" >/dev/null 2>&1; }
check() { $python "$SOURCE/tests/cli/files.py" <"$1" >out || fail "$what"; }
look() { # later, all of them at once
    printf '%s' "$1" >>later
    shift
    printf '\t%s' "$@" >>later
    printf '\n' >>later
}
files() { for f in $formats; do printf '%s ' "$1.$f"; done; }
outputs() { for f in $formats; do printf -- '-o %s ' "$1.$f"; done; }
# CSV may end in half a line
running() { for f in $formats; do case $f in csv) ;; *) printf '%s ' "$1.$f" ;; esac done; }
annotated() { for f in $formats; do case $f in npz | h5) printf '%s ' "$1.$f" ;; esac; done; }

cat >wheel.dal <<'MODEL'
# α: a wheel's angle
system Wheel {
  parameter k = 4
  coordinate α "rad", x "m"
  lagrangian α'^2/2 - k/2*α^2 + x'^2/2
  constraint rolls "N": x' = α'
  output speed "m/s" = x'
  start α = 1
}
simulate {
  step = 0.01
  until = 20
}
MODEL
exits 0 run wheel.dal --set k=9 --set k=5 $(outputs a)
prints "2001 rows of 8 columns"
look same $(files a)
for f in $(annotated a); do
    look about $f wheel.dal model
    look about $f wheel.dal unit α rad
    look about $f wheel.dal unit speed m/s
    look about $f wheel.dal unit rolls N
    look about $f wheel.dal unit energy ""
    look about $f wheel.dal system Wheel
    look about $f wheel.dal version "$VERSION"
    look about $f wheel.dal summary status done
    look about $f wheel.dal summary steps 2000
    look about $f wheel.dal parameters k 5.0
    look about $f wheel.dal options set "['k=9', 'k=5']"
done

# chosen columns, a single row, many columns, an output that ceases to have a value
exits 0 run wheel.dal -q --columns "energy, x" $(outputs b)
look same $(files b)
exits 0 run wheel.dal -q --until 0 $(outputs c)
look same $(files c)
cat >gone.dal <<'MODEL'
system Gone {
  coordinate x[300]
  lagrangian sum(k in 1..300: x[k]'^2/2)
  output half = sqrt(1 - t)
  start x[7] = 1
}
simulate {
  step = 0.1
  steps = 30
}
MODEL
exits 2 run gone.dal -q --columns "half, x" $(outputs d)
look same d.csv $(annotated d)

# a step that fails leaves what was computed, and says so
failing
exits 2 run fails.dal -q $(outputs e)
look same $(files e)
for f in $(annotated e); do look about $f fails.dal summary status failed; done

# interrupted: whole files; and killed: what was there a second before
"$DALEMBERT" run wheel.dal --until 1e9 --record 10000 -q $(outputs f) >out 2>err &
pid=$!
for f in $(running f); do printf 'rows\t%s\t2\trunning\n' $f; done >now
what="a run that goes on"
await shown now || fail "$what"
kill -INT $pid
wait $pid
what="an interrupted run"
look same $(files f)
for f in $(annotated f); do look about $f wheel.dal summary status interrupted; done
"$DALEMBERT" run wheel.dal --until 1e9 --record 10000 -q $(outputs g) >out 2>err &
pid=$!
for f in $(running g); do printf 'rows\t%s\t2\trunning\n' $f; done >now
await shown now
kill -KILL $pid
wait $pid 2>/dev/null
what="a run that was killed"
for f in $(running g); do look rows $f 2 running; done

# a file goes on behind the rows that are kept, whatever stood behind them
for f in $formats; do
    what="a $f that goes on"
    "$CONTINUED" wheel.dal h.$f 700 600 || fail "$what"
    "$DALEMBERT" run wheel.dal -q -o i.$f || fail "$what: run"
    look same h.$f i.$f
done
"$CONTINUED" wheel.dal j.csv 100 600 2>err && fail "more rows than there are"
grep -q "fewer than 600 rows" err || fail "more rows than there are: no message"

# what cannot be written is said, before anything is run or after
exits 3 run wheel.dal -q -o nowhere/a.npz
says "cannot write nowhere/a.npz"
exits 3 run wheel.dal -q -o nowhere/a.npy
if [ -e /dev/full ]; then
    ln -s /dev/full full.npy
    exits 3 run wheel.dal -q -o full.npy
    says "cannot write full.npy"
fi
case $formats in
*h5)
    exits 3 run wheel.dal -q -o nowhere/a.h5
    says "cannot write nowhere/a.h5"
    # 2^62 rows of 4 columns are no bytes at all, to whom counts them in 64 bits
    printf 'system Four {\n coordinate x[4]\n lagrangian sum(i in 1..4: x[i]'"'"'^2)\n}\n' >four.dal
    exits 0 run four.dal -q --step 1 --steps 2 -o four.h5
    $python -c 'import h5py
with h5py.File("four.h5", "r+") as f:
    f["q"].resize(2**62, axis=0)' || fail "resizing four.h5"
    exits 1 plot four.h5 "x[1]:x[2]"
    says "four.h5 is damaged: HDF5 cannot read its q"
    ;;
*)
    exits 1 run wheel.dal -o a.h5
    says "built without HDF5"
    ;;
esac
what="the files"
check later
finish
