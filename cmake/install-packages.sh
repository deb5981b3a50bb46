#!/bin/sh
# install-packages.sh [demo] [build] [test] [bench] [analyse] [controller] [tables] [debian] [latex] [emulator] [aarch64] [mpi]:
# installs what the build needs and the machine lacks. Debian and Ubuntu: with apt-get, as root or through sudo. Elsewhere it says
# what is missing.
set -eu

demo="gcc make cmake pkg-config binutils libc6-dev libjansson-dev"
build="$demo libsuitesparse-dev libhdf5-dev libxml2-dev"
bench="libgsl-dev libsundials-dev libboost-dev libpetsc-real-dev libsimbody-dev ngspice python3-scipy valgrind g++"
test="libcmocka-dev g++ gnuplot-nox python3 python3-numpy python3-h5py chromium
python3-pip python3-venv python3-setuptools python3-wheel python3-nbclient python3-ipykernel"
# it may have come another way; it fetches what presses the buttons of pages in a browser
command -v npm >/dev/null || test="$test npm"
# 0.9 GB: not among the tests that every change has to pass
controller="gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm"
# 0.4 GB: to_pandas, to_xarray and plots by matplotlib are tested where these are installed
tables="python3-pandas python3-xarray python3-matplotlib"
debian="debootstrap"
latex="texlive-latex-base"
analyse="clang clang-tidy libclang-rt-dev cppcheck"
emulator="qemu-user"
mpi="libopenmpi-dev openmpi-bin"
aarch64="$emulator gcc-aarch64-linux-gnu libc6-dev-arm64-cross"

wanted=""
for group in "${@:-build}"; do
    case $group in
    demo) wanted="$wanted $demo" ;;
    build) wanted="$wanted $build" ;;
    test) wanted="$wanted $test" ;;
    bench) wanted="$wanted $bench" ;;
    analyse) wanted="$wanted $analyse" ;;
    controller) wanted="$wanted $controller" ;;
    tables) wanted="$wanted $tables" ;;
    debian) wanted="$wanted $debian" ;;
    latex) wanted="$wanted $latex" ;;
    emulator) wanted="$wanted $emulator" ;;
    aarch64) wanted="$wanted $aarch64" ;;
    mpi) wanted="$wanted $mpi" ;;
    *) echo "install-packages.sh: there is no group '$group'; there are demo, build, test, bench, analyse, controller, tables, debian, latex, emulator, aarch64, mpi" >&2; exit 1 ;;
    esac
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    for tool in cc cmake; do
        command -v $tool >/dev/null ||
            { echo "please install $tool (Debian packages:$wanted)" >&2; exit 1; }
    done
    exit 0
fi

missing=""
for package in $wanted; do
    case $(dpkg-query -W -f='${Status}' "$package" 2>/dev/null) in
    *"ok installed") ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

root=""
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "please install as root:$missing" >&2; exit 1; }
    root="sudo"
fi
echo "installing:$missing"
$root env DEBIAN_FRONTEND=noninteractive apt-get update -qq
$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
