# What resume does to files: it continues those that the run wrote, and no others. Whatever is
# refused stays as it was, byte for byte, also where another file of the run is at fault; -o takes
# the rows that follow.
. "$(dirname "$0")/expect.sh"
oscillator
formats="csv npy npz"
"$DALEMBERT" run /dev/null -o a.h5 2>&1 | grep -q "without HDF5" || formats="$formats h5"
outputs() { for f in $formats; do printf -- '-o %s ' "$1.$f"; done; }

# started STEM [OPTION]...: a run to step 50 in all formats, with a checkpoint; they are kept in
# kept/ too
started() {
    stem=$1
    shift
    exits 0 run oscillator.dal --steps 50 -q $(outputs $stem) --checkpoint $stem.ckpt "$@"
    rm -rf kept
    mkdir kept
    cp $stem.* kept/
}
restore() { cp kept/* .; }

# untouched FILE...: as they were before, in the folder now
before() { rm -rf then && mkdir then && cp "$@" then/; }
untouched() {
    for file in "$@"; do cmp -s "$file" "then/$(basename "$file")" || fail "$what: $file has changed"; done
    for file in *.part; do [ ! -e "$file" ] || fail "$what: $file is left"; done
}
refused() { # WORDS ARGUMENT...: exit code 3, what to do, and nothing has changed
    words=$1
    shift
    before a.*
    exits 3 resume "$@"
    says "$words"
    says "-o NEW continues the run in a new file"
    silent out
    untouched a.*
}
# rows FILE: those of any format, through the picture
rows() { "$DALEMBERT" plot "$1" x --gnuplot rows.gp 2>err && grep -E '^[-0-9]' rows.gp; }
same_rows() { # FILE FILE
    rows "$1" >rows.1
    rows "$2" >rows.2
    [ -s rows.1 ] && cmp -s rows.1 rows.2 || fail "$what: $1 has other rows than $2"
}

# whatever has taken the name of a result: a file of 113 lines is not three
started a
awk 'BEGIN { for (i = 1; i <= 113; i++) print "alias a" i "=ls" }' >bashrc
for f in $formats; do
    cp bashrc a.$f
    refused "a.$f cannot be continued" a.ckpt
    lines a.$f 113
    restore
done
"$NOTED" a.ckpt stranger.ckpt "output 0" "$PWD/bashrc" rows 2 || fail "no checkpoint of a stranger"
refused "$PWD/bashrc cannot be continued: its columns are not those of the run" stranger.ckpt
lines bashrc 113

# another run has written to it since, of other columns, or other rows: more of them, as many, fewer
for f in $formats; do
    for other in "--set k=5" "--set k=5 --steps 200" "--columns x" "--columns energy,x --steps 200"; do
        exits 0 run oscillator.dal --steps 50 $other -q -o a.$f
        case $other in
        *columns*) refused "a.$f cannot be continued: its columns are not those of the run" a.ckpt ;;
        *) refused "a.$f cannot be continued: its rows are not those that the run had written" a.ckpt ;;
        esac
    done
    exits 0 run oscillator.dal --steps 20 -q -o a.$f
    refused "a.$f cannot be continued: it has fewer than 51 rows" a.ckpt
    restore
done

# it is gone, or no file; a link is followed
for f in $formats; do
    rm a.$f
    refused "a.$f cannot be continued: No such file or directory" a.ckpt
    mkfifo a.fifo
    ln -s a.fifo a.$f
    exits 3 resume a.ckpt
    says "a.$f cannot be continued: it is not a regular file"
    rm a.$f a.fifo
    restore
done
exits 0 run oscillator.dal --steps 90 -q $(outputs whole)
mkdir far
for f in $formats; do
    mv a.$f far/
    ln -s far/a.$f a.$f
done
exits 0 resume a.ckpt --steps 90 -q
for f in $formats; do
    [ -L a.$f ] || fail "$what: the link a.$f is gone"
    same_rows a.$f whole.$f
    rm a.$f
done
restore

# one digit of one row
sed '30s/1/2/' kept/a.csv >a.csv
refused "a.csv cannot be continued: its rows are not those that the run had written" a.ckpt
restore

# more than the run had written at the checkpoint: the rest of a run that was killed, and half a row
exits 0 run oscillator.dal --steps 70 -q $(outputs a)
printf '0.71,0.' >>a.csv
head -c 1000 a.npy >half && tail -c +1001 a.npy | head -c -11 >>half && mv half a.npy
exits 0 resume a.ckpt --steps 90 -q
for f in $formats; do same_rows a.$f whole.$f; done
cmp -s a.csv whole.csv || fail "$what: a.csv is not what an uninterrupted run writes"
cmp -s a.npy whole.npy || fail "$what: a.npy is not what an uninterrupted run writes"

# resumed twice more, since then by the digest that was continued; also where the last row went
exits 0 run oscillator.dal --steps 120 --record 7 -q $(outputs whole)
started a --record 7
for end in 80 90 120 120; do exits 0 resume a.ckpt --steps $end -q; done
for f in $formats; do same_rows a.$f whole.$f; done
sed -i '5s/1/2/' a.csv
refused "its rows are not those that the run had written" a.ckpt

# new files: the rows that follow, of which later checkpoints know; the old files may be gone
exits 0 run oscillator.dal --steps 90 -q -o whole.csv
for old in there gone; do
    started a
    [ $old = there ] || for f in $formats; do rm a.$f; done
    before a.*
    exits 0 resume a.ckpt --steps 70 -q $(outputs new) --checkpoint new.ckpt
    untouched a.*
    { head -n 1 whole.csv; sed -n '53,72p' whole.csv; } >want.csv
    for f in $formats; do same_rows new.$f want.csv; done
    cmp -s new.csv want.csv || fail "$what: new.csv has other rows"
    exits 0 resume new.ckpt --steps 90 -q
    untouched a.*
    { head -n 1 whole.csv; tail -n +53 whole.csv; } >want.csv
    for f in $formats; do same_rows new.$f want.csv; done
    cmp -s new.csv want.csv || fail "$what: new.csv has other rows"
done

# one new file in the place of four, with nothing left to do, then with more; the checkpoint stays
# under its name
started a
exits 0 resume a.ckpt -q -o new.csv
lines new.csv 1
exits 0 resume a.ckpt --steps 90 -q
cmp -s new.csv want.csv || fail "$what: new.csv has other rows"
exits 0 resume a.ckpt -o -
lines out 1
cmp -s kept/a.csv a.csv || fail "$what: an old file has changed"

# of a checkpoint with no rows the digest is no secret: a file with rows is not emptied by it
for f in $formats; do
    restore
    exits 0 resume a.ckpt -q -o none.$f
    exits 0 resume a.ckpt --steps 90 -q --checkpoint b.ckpt
    same_rows none.$f want.csv
    cp kept/a.$f none.$f
    exits 3 resume a.ckpt --steps 90
    says "none.$f cannot be continued: it has rows, of which the run wrote none"
    cmp -s none.$f kept/a.$f || fail "$what: none.$f has changed"
done

# names that -o cannot have
started a
exits 1 resume a.ckpt -o a.ckpt
says "-o a.ckpt would overwrite the checkpoint"
exits 1 resume a.ckpt -o ./a.csv
says "-o ./a.csv is a file of the run"
exits 1 resume a.ckpt -o new.csv -o new.csv
says "given twice"
exits 1 resume a.ckpt -o new.json
says "results are written as .csv"
exits 1 resume a.ckpt -o new.csv --checkpoint new.csv
says "both name"
exits 1 resume a.ckpt --checkpoint ./a.csv
says "a.csv is a file of the run; --checkpoint needs another name"
exits 1 resume a.ckpt -o - --json
says "both write to standard output"
for file in a.*; do cmp -s $file kept/$file || fail "$what: $file has changed"; done

# checkpoints from before files had a digest, and of the library
exits 0 run oscillator.dal -q -o whole.csv
"$NOTED" oscillator.dal old.ckpt "output 0" a.csv rows 51 || fail "no old checkpoint"
refused "a.csv cannot be continued: the checkpoint does not tell what was written to it" old.ckpt
exits 0 resume old.ckpt -q -o new.csv
cmp -s new.csv whole.csv || fail "$what: another run"
"$NOTED" oscillator.dal bare.ckpt || fail "no checkpoint of the library"
exits 1 resume bare.ckpt
says "it names no files to continue; -o NEW continues the run in a new file"
exits 0 resume bare.ckpt -q -o new.csv
cmp -s new.csv whole.csv || fail "$what: another run"

# a checkpoint that says anything
for rows in 0 -1 52 1000000000000000000 9223372036854775807 99999999999999999999999 5x "" " "; do
    for i in 0 1 2 3; do
        "$NOTED" a.ckpt wrong.ckpt rows "$rows" "output 0" "a.$(echo $formats | cut -d' ' -f$((i + 1)))" "output 1" "" || continue
        before a.*
        what="$rows rows"
        "$DALEMBERT" resume wrong.ckpt >out 2>err
        got=$?
        [ $got = 1 ] || [ $got = 3 ] || fail "$what: exit code $got"
        untouched a.*
    done
done
"$NOTED" a.ckpt wrong.ckpt "output 0" a.csv "output 1" a.csv "output 2" "" || fail "no checkpoint"
before a.*
exits 3 resume wrong.ckpt
untouched a.*
digest=$(tr -c '0-9a-f' '\n' <a.ckpt | grep -E '^[0-9a-f]{32}$' | head -n 1)
"$NOTED" a.ckpt wrong.ckpt "output 0" a.csv "output 1" ./a.csv "written 1" "$digest" "output 2" ""
refused "the checkpoint names it twice" wrong.ckpt
"$NOTED" a.ckpt wrong.ckpt "output 1" "$(printf 'a\033[2Jb.csv')"
before a.*
exits 1 resume wrong.ckpt
says "a file with control characters"
grep -q "$(printf '\033')" err && fail "$what: the message has them"
untouched a.*
"$NOTED" a.ckpt wrong.ckpt "output 1" "$(awk 'BEGIN { for (i = 0; i < 5000; i++) printf "a/" }')b.csv"
refused "cannot be continued" wrong.ckpt
for path in / . /dev/null /dev/full /proc/self/mem nowhere/x.csv; do
    "$NOTED" a.ckpt wrong.ckpt "output 3" $path "output 1" "$path"
    refused "$path cannot be continued" wrong.ckpt
done
"$NOTED" a.ckpt wrong.ckpt "checkpoint every" "$(printf '\033[2J')"
before a.*
exits 1 resume wrong.ckpt
says "give --checkpoint-every"
untouched a.*
exits 0 resume wrong.ckpt -q --checkpoint-every 5
finish
