#!/bin/sh
# i386.sh TREES SOURCE: a build of 32 bits in a system of Debian 12 for i386, and the examples by it: the program runs each, and
# the library's runs are compared with independent values. The system is made by debootstrap in TREES, once; as root.
set -eu
root=$1/i386 source=$2
[ "$(id -u)" = 0 ] || { echo "debootstrap needs root: sudo make check-i386"; exit 1; }
if [ ! -e "$root/.whole" ]; then
    mkdir -p "$1"
    rm -rf "$root"
    debootstrap --arch=i386 --variant=minbase --include=gcc,make,cmake,libc6-dev,libjansson-dev,libcmocka-dev,libsuitesparse-dev \
        bookworm "$root" "${MIRROR:-http://deb.debian.org/debian}" >"$root.log" 2>&1 || { tail -5 "$root.log"; exit 1; }
    touch "$root/.whole"
fi
mkdir -p "$root/root/dalembert"
git -C "$source" ls-files -z | tar -C "$source" --null -T - -cf - | tar -C "$root/root/dalembert" -xf -
unshare --mount sh -c 'mount -t proc proc "$1/proc" && exec chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C \
    setarch i386 sh -c "$2"' - "$root" '
    set -eu
    cd /root/dalembert
    cmake -S . -B build >build.log
    cmake --build build --target dalembert_program test_api_examples >build.log 2>&1 || { tail -20 build.log; exit 1; }
    build/tests/test_api_examples
    for model in examples/*.dal; do build/dalembert run $model -q -o x.csv || exit 1; done
    echo "$(ls examples/*.dal | wc -l) examples run on $(uname -m)"'
