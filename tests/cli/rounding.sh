# Every product is rounded before it is added to anything, whatever the processor: the programs and
# steps of every example, compiled for processors that can fuse the two, hold no such instruction.
# The texts are taken from a compiler that keeps them; none of them is executed here.
. "$(dirname "$0")/expect.sh"
case $(uname -m) in x86_64 | i?86) ;; *) echo "the processors are those of x86"; exit 77 ;; esac
compiler=$(command -v "${CC:-cc}") || exit 77
mkdir texts
export XDG_CACHE_HOME="$here/cache" COMPILER="$compiler" TEXTS="$here/texts"

# keeper -march=native ... -o kernel.so kernel.c -lm: keeps the text under its digest, with its options
cat >keeper <<'SCRIPT'
#!/bin/sh
options=
for word; do
    case $word in
    */kernel.c) text=$word ;;
    */kernel.so | -o | -march=* | -pipe | -shared | -lm) ;;
    *) options="$options $word" ;;
    esac
done
name=$TEXTS/$(sha256sum <"$text" | cut -c1-16)
cp "$text" "$name.c" && echo "$options" >"$name.options"
exec "$COMPILER" "$@"
SCRIPT
chmod +x keeper
export CC="$here/keeper"

count() { set -- "$here"/texts/*.c; [ -e "$1" ] && echo $# || echo 0; }
more_than() { [ "$(count)" -gt "$1" ] || fail "only $(count) texts after $2"; }

# programs, scalar and in lanes
"$BUILD/tests/test_lang_native" >out 2>&1 || fail "the bits of programs"
more_than 25 "the programs of the examples"

# steps, alone and in lanes of members; passes over chains
for model in "$SOURCE"/examples/*.dal; do
    for scheme in "" midpoint; do
        "$DALEMBERT" run "$model" ${scheme:+--scheme "$scheme"} --steps 2 --backend native -q -o run.csv >out 2>&1
    done
done
for start in pendulum:theta van_der_pol:q1; do
    "$DALEMBERT" sweep "$SOURCE/examples/${start%:*}.dal" --grid "${start#*:}=0.1..0.2/20" --steps 2 --backend native -q \
        -o sweep.csv >out 2>&1 || fail "a sweep of $start"
done
more_than 70 "the steps of the examples"

# what is exported, by the flags of docs/export.md
for model in double_pendulum kepler rlc robot; do
    for single in "" --float; do
        "$DALEMBERT" export "$SOURCE/examples/$model.dal" $single -o "texts/$model${single:+_single}.c" -q >out 2>&1 &&
            echo "-O2 -ffp-contract=off" >"texts/$model${single:+_single}.options"
    done
done

fused() { # PROCESSOR: the texts that hold a fused operation when compiled for it
    for text in texts/*.c; do
        "$compiler" $(cat "${text%.c}.options") -march="$1" -S -o code.s "$text" 2>err ||
            { fail "$text does not compile for $1"; continue; }
        if grep -qE '\bvfn?m(add|sub)' code.s; then fail "$text is fused for $1"; fi
    done
}
for processor in x86-64-v3 x86-64-v4 sapphirerapids bdver2; do
    if "$compiler" -march=$processor -x c -fsyntax-only /dev/null 2>/dev/null; then fused $processor
    else echo "$compiler does not know $processor"; fi
done

# the question is asked well: without the barrier and with the contraction they are there
echo "double f(double a, double b, double c) { return a * b + c; }" >plain.c
"$compiler" -O2 -ffp-contract=fast -march=x86-64-v3 -S -o code.s plain.c 2>/dev/null &&
    { grep -qE '\bvfn?m(add|sub)' code.s || fail "a fused operation is not recognised"; }
finish
