# Native code: the same run as the virtual machine's, and that machine whenever something is missing
# or broken.
. "$(dirname "$0")/expect.sh"
oscillator
unset CC
cache="$here/cache" tmp="$here/tmp"
export XDG_CACHE_HOME="$cache" TMPDIR="$tmp"
mkdir "$tmp"
command -v cc >/dev/null || exit 77

kept() { ls "$cache/dalembert" 2>/dev/null | grep -c '\.so$'; }

same_end() { # a compiled step may differ in the last place
    for k in 1 2 3; do near "$(last "$1" $k)" "$(last vm.csv $k)" 1e-14; done
}

# ran BACKEND [NAME=VALUE]...: asks for native code in that environment; which back end it was, and
# the same trajectory
ran() {
    backend=$1
    shift
    what="env $* dalembert run --backend native"
    env "$@" "$DALEMBERT" run oscillator.dal --steps 50 --json -o s.csv --backend native >out 2>err || fail "$what: exit code $?"
    prints "\"backend\": \"$backend\""
    same_end s.csv
}
native() { ran native "$@"; silent err; }
not_kept() { ran native "$@"; says "not kept"; }
machine() {
    ran vm "$@"
    says "the virtual machine runs instead"
    [ "$(grep -c warning err)" = 1 ] || fail "$what: not one warning"
}

exits 0 run oscillator.dal --steps 50 --backend vm -q -o vm.csv

# it is compiled once, then kept
native
[ "$(kept)" = 1 ] || fail "nothing was kept"
[ "$(stat -c %a "$cache/dalembert")" = 700 ] || fail "the cache is open to others"
[ -z "$(ls "$tmp")" ] || fail "something was left in TMPDIR"
native
[ "$(kept)" = 1 ] || fail "the same text was compiled twice"

# auto: not for a short run, but for a long one
exits 0 run "$SOURCE/examples/double_pendulum.dal" --steps 100 --json -o auto.csv
prints '"backend": "vm"'
exits 0 run "$SOURCE/examples/double_pendulum.dal" --steps 200000 --record 0 --json -o auto.csv
prints '"backend": "native"'
exits 1 run oscillator.dal --backend gpu
says "auto|vm|native"

# a compiler that is missing, fails, is none, or makes nothing
rm -rf "$cache"
for cc in false true no-such-compiler /etc/passwd "cc;true"; do machine CC="$cc"; done
mkdir empty
machine PATH="$here/empty"
says "no C compiler 'cc'"
# a sweep that takes a while says so without being asked; its summary always does
env PATH="$here/empty" "$DALEMBERT" sweep oscillator.dal --grid "k=1..2/9" --steps 1000000 --record 0 -o table.csv >out 2>err ||
    fail "a sweep without a compiler failed"
prints "; interpreted"
says "native code would be faster, but there is no C compiler 'cc'"
env PATH="$here/empty" "$DALEMBERT" sweep oscillator.dal --grid "k=1..2/9" --steps 50 -o table.csv --json >out 2>err
prints '"backend": "vm"'
silent err
# a sweep says so once, not for every member
env PATH="$here/empty" "$DALEMBERT" sweep oscillator.dal --grid "k=1..2/9" --steps 50 --backend native \
    -o sweep.csv >out 2>err || fail "a sweep without a compiler: exit code $?"
says "the virtual machine runs instead"
[ "$(grep -c warning err)" = 1 ] || fail "a sweep without a compiler: not one warning"
printf '#!/bin/sh\necho broken >&2\nexit 3\n' >broken && chmod +x broken
machine CC="$here/broken"
says "failed: broken"
machine CC=./broken
[ "$(kept)" = 0 ] || fail "a failed compilation was kept"
native CC="cc -g" # words after the first are arguments
native CC="cc -fvisibility=hidden"

# libraries that are none, or lack the functions; and what a compiler left beside its own is no concern
mocking() { printf '#!/bin/sh\nfor word; do [ "$before" = -o ] && out=$word; before=$word; done\n%s\n' "$1" >mocking && chmod +x mocking; }
mocking 'mkfifo "$out"'
machine CC="$here/mocking"
says "made no library"
mocking 'echo "int other;" | cc -x c -shared -o "$out" -'
machine CC="$here/mocking"
says "cannot be loaded"
mocking 'mkdir "$TMPDIR/other" && : >"$TMPDIR/other/file" && exec cc "$@"'
native CC="$here/mocking"
[ -z "$(ls "$tmp" "$cache/dalembert" | grep build-)" ] || fail "a directory was left: $(ls "$tmp" "$cache/dalembert")"

# damage: cut off, changed, no file at all
for bytes in 0 100 5000; do
    rm -rf "$cache"
    native
    for file in "$cache"/dalembert/*.so; do head -c $bytes "$file" >cut && cat cut >"$file"; done
    native
done
for file in "$cache"/dalembert/*.so; do printf 'XXXXXXXX' | dd of="$file" bs=1 seek=4100 conv=notrunc 2>/dev/null; done
native
for file in "$cache"/dalembert/*.so; do rm "$file" && mkdir "$file"; done
ran native

# a cache that cannot be: it is compiled all the same, and said that it is not kept
rm -rf "$cache"
: >file
not_kept XDG_CACHE_HOME="$here/file"
not_kept XDG_CACHE_HOME=/dev/full
not_kept XDG_CACHE_HOME=/proc/nowhere
not_kept -u HOME -u XDG_CACHE_HOME
says "not kept: neither XDG_CACHE_HOME nor HOME names a directory"
native -u XDG_CACHE_HOME HOME="$here/home"
[ -d "$here/home/.cache/dalembert" ] || fail "no cache below HOME"
machine XDG_CACHE_HOME=/proc/nowhere TMPDIR=/proc/nowhere
says "cannot be written"

# a disk that is full, and one whose files cannot be executed, where a test may make such
mkdir disk
if mount -t tmpfs -o size=8k none disk 2>/dev/null; then
    machine XDG_CACHE_HOME="$here/disk" TMPDIR="$here/disk"
    not_kept XDG_CACHE_HOME="$here/disk"
    mount -o remount,size=8m disk
    mocking 'cc "$@" && truncate -s %4096 "$out"; head -c 9M /dev/zero >"$TMPDIR/filling"; true'
    not_kept XDG_CACHE_HOME="$here/disk" CC="$here/mocking"
    says "kernel.so cannot be written: No space left on device"
    mount -o remount,size=8m,noexec disk
    machine XDG_CACHE_HOME="$here/disk" TMPDIR="$here/disk"
    not_kept XDG_CACHE_HOME="$here/disk"
    mount -o remount,ro disk
    not_kept XDG_CACHE_HOME="$here/disk"
    umount disk
fi

# several at once
rm -rf "$cache"
for k in 1 2 3; do
    "$DALEMBERT" run oscillator.dal --steps 50 --backend native -q -o at_once$k.csv 2>>at_once &
done
wait
for k in 1 2 3; do same_end at_once$k.csv; done
[ ! -s at_once ] || fail "one of several at once complains: $(cat at_once)"
[ "$(kept)" = 1 ] || fail "several at once keep $(kept) files"
[ -z "$(ls "$tmp")" ] || fail "something was left in TMPDIR"

# what is singular stays so: a pivot that is roundoff, beside larger ones, makes no step
cat >singular.dal <<'MODEL'
system Singular {
    coordinate x, theta, phi
    lagrangian -21*phi^2/128 + 49*phi'^2/64 + phi'*theta'*(sin(theta)/8 + 11/64) + 61*theta'^2/128 - x^2/2
    force x: -11*x'/16
    force theta: 21/64 - 19*theta'*(theta^2 - 1)/64
    force phi: 15*(x' - phi')/64
    start x = -0.96875, theta = 0.875, phi = -0.140625, theta' = 0.890625, phi' = 0.671875
}
MODEL
for backend in vm native; do
    exits 2 run singular.dal --scheme "radau(2)" --step 0.02 --steps 9 --backend $backend --json -o singular.csv
    says "nothing determines x"
    prints '"steps": 0'
done
exits 1 export singular.dal --scheme "radau(2)" --step 0.02
says "; use gauss(s)"

# names of a model are not in the code
cat >hostile.dal <<'MODEL'
system system_rm {
    parameter asm = 2, main = 3, exit = 1
    coordinate printf, abort
    lagrangian (printf'^2 + abort'^2)/2 - asm*printf^2/2 - 0.9*main*exit*abort^4
    start printf = 1, abort = 0.5
}
simulate {
    step = 0.1
    until = 5
}
MODEL
exits 0 run hostile.dal --backend vm -q -o hv.csv
for words in "" -ffast-math -fsingle-precision-constant; do # nor do words after the compiler's name change numbers
    export CC="cc $words"
    exits 0 run hostile.dal --backend native -q -o h.csv
    near "$(last h.csv 3)" "$(last hv.csv 3)" 1e-13
done
finish
