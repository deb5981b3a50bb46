#!/bin/sh
# debian.sh BUILD SOURCE: the wheel of BUILD/wheel, installed and tested in fresh systems that have no network: Debian 12 (NumPy 1)
# and Debian 13 (NumPy 2). They are made by debootstrap in BUILD/debian-*, once; as root.
set -eu
build=$1 source=$2
[ "$(id -u)" = 0 ] || { echo "debootstrap needs root: sudo make check-wheel"; exit 1; }

for release in 12:bookworm 13:trixie; do
    number=${release%:*} name=${release#*:} root=$build/debian-${release%:*}
    if [ ! -e "$root/.whole" ]; then
        rm -rf "$root"
        debootstrap --variant=minbase --include=python3,python3-venv,python3-numpy "$name" "$root" \
            "${MIRROR:-http://deb.debian.org/debian}" >"$root.log" 2>&1 || { tail -5 "$root.log"; exit 1; }
        touch "$root/.whole"
    fi
    rm -rf "$root/check"
    mkdir "$root/check"
    cp "$build"/wheel/*.whl "$source"/tests/python/test_dalembert.py "$source"/tests/wheel/installed.sh "$root/check"
    # a network and mounts of its own; /proc is where the library finds its parts
    unshare --net --mount sh -c 'mount -t proc proc "$1/proc" && exec chroot "$1" sh /check/installed.sh' - "$root" ||
        { echo "FAILED: Debian $number"; exit 1; }
    echo "Debian $number: the wheel works"
done
