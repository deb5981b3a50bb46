# One damaged byte in a result as HDF5: plot, report and resume answer at once, where HDF5 by itself
# would try again for half an hour, read beyond its memory or never end. A run that goes on is read.
. "$(dirname "$0")/expect.sh"
oscillator
echo leak:libhdf5 >suppressed # HDF5 keeps some memory of a file that it cannot open; so say sanitizers
export LSAN_OPTIONS="suppressions=$here/suppressed:print_suppressions=0"
"$DALEMBERT" run oscillator.dal -q -o whole.h5 2>err || { echo "skipped: $(cat err)"; exit 77; }

# answers CODE ARGUMENT...: as exits, before anybody loses patience
answers() {
    want=$1
    shift
    what="dalembert $* with byte $at damaged"
    timeout 20 "$DALEMBERT" "$@" >out 2>err </dev/null
    got=$?
    [ "$got" = "$want" ] || fail "$what: exit code $got, expected $want"
}
damage() { # FILE AT: changes all bits of that byte
    byte=$(od -An -tu1 -j"$2" -N1 "$1" | tr -d ' ')
    printf "\\$(printf %o $((255 - byte)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
# begins MARK: where the parts of the file with that mark begin
begins() { LC_ALL=C grep -abo "$1" whole.h5 | cut -d: -f1; }
damaged() { # AT WORDS: the result with a damaged byte there is refused with these words
    at=$1
    cp whole.h5 bad.h5
    damage bad.h5 "$at"
    answers 1 plot bad.h5 x energy
    says "$2"
    silent out
    answers 1 report bad.h5 -o bad.html
    says "$2"
    absent bad.html
}

damaged 12 "bad.h5 is no HDF5 file that can be read"
damaged 40 "bad.h5 is no HDF5 file that can be read"
for part in $(begins OHDR); do # what describes the root and every dataset
    damaged $((part + 8)) "bad.h5 is damaged: HDF5 cannot read its"
    damaged $((part + 40)) "bad.h5 is damaged: HDF5 cannot read its"
done
for part in $(begins FRHP) $(begins FHDB) $(begins BTHD); do # the attributes of the file
    damaged $((part + 9)) "bad.h5 is damaged: HDF5 cannot read its attributes"
done
for heap in $(begins GCOL); do # texts: the length of all, of the first and of the second
    first=$((heap + 16))
    length=$(od -An -tu2 -j$((first + 8)) -N2 whole.h5 | tr -d ' ')
    second=$((first + 16 + (length + 7) / 8 * 8))
    for at in $((heap + 8)) $((heap + 11)) $((first + 8)) $((first + 9)) $((first + 15)) \
        $((second + 8)) $((second + 9)); do
        damaged $at "bad.h5 is damaged: HDF5 cannot read its texts"
    done
done
[ "$(begins OHDR | wc -l)" -ge 5 ] && [ "$(begins GCOL | wc -l)" -ge 1 ] ||
    fail "the parts of the file were not found"
for part in $(begins EAHD); do # where the numbers are; a dataset that is not drawn may be damaged
    cp whole.h5 bad.h5
    damage bad.h5 $((part + 20))
    at=$((part + 20))
    timeout 20 "$DALEMBERT" plot bad.h5 x energy >out 2>err </dev/null
    [ $? -le 1 ] || fail "a file that is damaged at $at is not answered"
    [ -s out ] || says "bad.h5 is damaged"
done

# a run is continued into a file that is damaged
exits 0 run oscillator.dal -q --until 0.5 -o half.h5 --checkpoint half.ckpt
at=$(LC_ALL=C grep -abo OHDR half.h5 | sed -n '2s/:.*//p')
damage half.h5 $((at + 8))
timeout 20 "$DALEMBERT" resume half.ckpt --until 1 -q >out 2>err </dev/null
[ $? = 3 ] || fail "a run is continued in a damaged file"
says "half.h5"

# a result is read while the run goes on
"$DALEMBERT" run oscillator.dal -q --step 1e-5 --until 1e5 --record 5000 -o live.h5 >/dev/null 2>&1 &
pid=$!
live() { "$DALEMBERT" plot live.h5 x >/dev/null 2>&1; }
await live || fail "a run that goes on cannot be drawn"
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    live || fail "a run that goes on cannot be drawn, at try $try"
done
kill "$pid" 2>/dev/null
wait "$pid" 2>/dev/null
finish
