#!/bin/sh
# aarch64.sh ROOT: the libraries of Debian 12 that the tests need, for aarch64: unpacked, not installed. As root, for debootstrap.
set -eu
root=$1
[ ! -e "$root/.whole" ] || exit 0
[ "$(id -u)" = 0 ] || { echo "debootstrap needs root: sudo make check-aarch64"; exit 1; }
rm -rf "$root"
mkdir -p "$(dirname "$root")"
debootstrap --foreign --arch=arm64 --variant=minbase --include=libc6-dev,libjansson-dev,libcmocka-dev,libsuitesparse-dev \
    bookworm "$root" "${MIRROR:-http://deb.debian.org/debian}" >"$root.log" 2>&1 || { tail -5 "$root.log"; exit 1; }
for package in "$root"/var/cache/apt/archives/*.deb; do dpkg-deb -x "$package" "$root"; done
# links to /lib are meant to be followed in there
find "$root" -type l -lname '/*' | while read -r link; do ln -sfn "$root$(readlink "$link")" "$link"; done
touch "$root/.whole"
