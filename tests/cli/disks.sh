# Every kind of file that the program writes, where it cannot be written: exit code 3, a message
# that names it, and nothing under its name that is not whole.
. "$(dirname "$0")/expect.sh"
oscillator
# every kind of file on a disk that is full after some kilobytes, in a directory that takes none,
# and as a device that is always full: exit code 3, the name of the file, and nothing that is not
# whole
exits 0 run oscillator.dal -o big.csv -q --until 100
model="oscillator.dal"
outputs="run $model --until 100 -o @.csv
run $model --until 100 -o @.npy
run $model --until 100 -o @.npz
run $model --until 100 -o @.h5
run $model --record 0 --columns x -o keep.csv --checkpoint @.ckpt
run $model --record 0 --columns x -o keep.csv --report @.html
report $model -o @.html
sweep $model --grid k=1..2/2000 -o @.csv
sweep $model --grid k=1..2/2000 -o @.h5
sweep $model --grid k=1,2 --until 100 -o @/
export $model --main -o @.c
show $model -o @.txt
check $model -o @.txt
methods --markdown -o @.md
methods --json -o @.json
converge $model --schemes midpoint,trapezoid --steps 8..1024 --until 1 --json -o @.json
cite -o @.bib
plot big.csv x --gnuplot @.gp
reproduce dirac -q -o @.html"
command -v gnuplot >/dev/null && outputs="$outputs
run $model --record 0 --columns x -o keep.csv --plot @.svg
converge $model -q --schemes midpoint --steps 8..64 --until 1 --plot @.svg
plot big.csv x -o @.svg
plot big.csv x -o @.png"
"$DALEMBERT" run oscillator.dal --steps 1 -q -o try.h5 2>/dev/null || outputs=$(echo "$outputs" | grep -v '\.h5')

named() { # FILE: the message names it
    grep -q "$1" err || fail "$what: standard error does not name $1"
}
echo "$outputs" | while read -r line; do
    file=$(echo "$line" | tr ' ' '\n' | grep '^@')
    name=full${file#@}

    # a directory that takes nothing, if there is one that even root cannot write to
    what="dalembert $line in a directory that takes nothing"
    "$DALEMBERT" $(echo "$line" | sed "s|@|/proc/full|") >out 2>err </dev/null
    got=$?
    [ $got = 3 ] || fail "$what: exit code $got, expected 3"
    named "/proc/full"

    # a device that is always full
    case $file in
    @/) ;;
    *)
        rm -f "$name"
        ln -s /dev/full "$name"
        what="dalembert $line on a full device"
        "$DALEMBERT" $(echo "$line" | sed "s|@|full|") >out 2>err </dev/null
        got=$?
        case $file in
        @.ckpt) [ $got = 0 ] || fail "$what: exit code $got: a checkpoint replaces what is there" ;;
        *)
            [ $got = 3 ] || fail "$what: exit code $got, expected 3"
            named "full"
            ;;
        esac
        rm -f "$name" full.part* full_main.c full.h
        ;;
    esac

    # a disk with room for half a kilobyte: rows that fit may stay, but nothing else that is not
    # whole
    what="dalembert $line on a disk that becomes full"
    (ulimit -f 1 && exec "$DALEMBERT" $(echo "$line" | sed "s|@|full|")) >out 2>err </dev/null
    got=$?
    [ $got = 3 ] || fail "$what: exit code $got, expected 3"
    named "full"
    case $line in
    run*.csv | run*.np? | run*.h5 | sweep*.csv | *@/) ;;
    *) for left in full*; do [ ! -e "$left" ] || fail "$what: $left is there"; done ;;
    esac
    rm -rf full*
    echo "$line"
    [ "$failures" = 0 ] || exit 1
done || failures=$((failures + 1))

# a disk that is really full, where one can be mounted: the message tells
mkdir full_disk
if mount -t tmpfs -o size=64k dalembert full_disk 2>/dev/null; then
    trap 'umount "$here/full_disk"; rm -rf "$here"' EXIT
    head -c 57344 /dev/zero >full_disk/fill
    for line in "run $model --until 100 -o @.csv" "run $model --until 100 -o @.h5" "run $model --until 100 -o @.npz" \
        "run $model --until 100 -o keep.csv --plot @.svg" "plot big.csv x -o @.svg" "export $model --main -o @.c"; do
        case $line in *.h5) [ -e try.h5 ] || continue ;; esac
        what="dalembert $line on a full disk"
        "$DALEMBERT" $(echo "$line" | sed "s|@|full_disk/it|") >out 2>err </dev/null
        got=$?
        [ $got = 3 ] || fail "$what: exit code $got, expected 3"
        grep -q "No space left on device\|the disk is full" err || fail "$what: the reason is not told"
        rm -f full_disk/it*
    done
fi
finish
