#!/bin/sh
# fresh.sh TREES SOURCE: the README's two commands, `make demo` and `make check`, in systems that have nothing but make: those
# of RELEASES (12 bookworm, 13 trixie), each for every one of USERS: root, who installs what is missing, and an ordinary user,
# who finds it installed. In the C locale, in a folder whose name has spaces and letters beyond ASCII. The systems are made by
# debootstrap in TREES, once; as root.
set -eu
trees=$1 source=$2
[ "$(id -u)" = 0 ] || { echo "debootstrap needs root: sudo make check-fresh"; exit 1; }
mkdir -p "$trees"

# NAME ROOT: a minimal system, with an ordinary user
make_tree() {
    [ ! -e "$2/.whole" ] || return 0
    rm -rf "$2"
    debootstrap --variant=minbase --include=make,ca-certificates "$1" "$2" "${MIRROR:-http://deb.debian.org/debian}" \
        >"$2.log" 2>&1 || { tail -5 "$2.log"; exit 1; }
    chroot "$2" useradd --create-home user
    touch "$2/.whole"
}

# ROOT USER HOME: a clone of what is in the work tree, and both commands in it
try_commands() {
    folder="$3/années passées ∂L/dalembert"
    rm -rf "$1$3/années passées ∂L"
    mkdir -p "$1$folder"
    git -C "$source" ls-files -z | tar -C "$source" --null --ignore-failed-read -T - -cf - | tar -C "$1$folder" -xf -
    chroot "$1" chown -R "$2:" "$3"
    # mounts of its own; browsers and numbers of processors need them
    unshare --mount sh -c '
        mount -t proc proc "$1/proc" && mount -t tmpfs tmpfs "$1/dev/shm" && { mount -t devpts devpts "$1/dev/pts" || true; } &&
        exec chroot --userspec="$2:" "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME="$3" LC_ALL=C ${JOBS:+JOBS=$JOBS} \
            sh -c "cd \"\$1\" && make demo && make check" - "$4"' - "$1" "$2" "$3" "$folder"
}

for release in ${RELEASES:-12 13}; do
    case $release in
    12) name=bookworm ;;
    13) name=trixie ;;
    *) echo "no release $release: there are 12, 13"; exit 1 ;;
    esac
    make_tree $name "$trees/$name"
    for user in ${USERS:-root user}; do
        log=$trees/$name-$user.log
        echo "Debian $release as $user: $log"
        home=/home/user
        [ "$user" = user ] || home=/root
        try_commands "$trees/$name" "$user" $home >"$log" 2>&1 || { tail -20 "$log"; echo "FAILED: Debian $release as $user"; exit 1; }
        grep "tests passed" "$log"
    done
done
