# Exported steppers on a Cortex-M4: they compile without a warning, in single precision without a
# double in between, and where there is an emulator they end where the same C ends here.
command -v arm-none-eabi-gcc >/dev/null ||
    { echo "arm-none-eabi-gcc is not installed (cmake/install-packages.sh controller)"; exit 77; }
cd "$(mktemp -d)" || exit 1
XDG_CACHE_HOME=$PWD/cache; export XDG_CACHE_HOME
status=0
complain() { echo "$*"; status=1; }
cc=${CC:-cc}
strict="-std=c99 -O2 -ffp-contract=off -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
arm="arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 $strict"
board="$SOURCE/tests/cli/controller"
link="$arm --specs=rdimon.specs -T $board/board.ld board.o"
emulator="" # where newlib and qemu are, too
echo 'int main(void) { return 0; }' >empty.c
if command -v qemu-system-arm >/dev/null &&
    $arm -c "$board/board.c" -o board.o 2>/dev/null && $link empty.c -o empty.elf 2>/dev/null; then
    emulator="qemu-system-arm -M mps2-an386 -nographic -monitor none -serial none"
fi

# The stepper itself: no globals, and no function of double precision in the single one.
compiles() { # FILE FLAGS WHAT
    $arm $2 -c "$1.c" -o "$1.o" || { complain "$3 does not compile for a Cortex-M4"; return 1; }
    [ "$(arm-none-eabi-nm "$1.o" | grep -c ' [BbDdC] ')" = 0 ] || complain "$3 has globals"
    [ -z "$2" ] || ! arm-none-eabi-nm -u "$1.o" | grep -q '__aeabi_d\|__aeabi_f2d' ||
        complain "$3 computes with doubles"
}

# The same C on the controller and here: every number to a tolerance, relative to 1.
ends_alike() { # FILE TOLERANCE WHAT
    [ -n "$emulator" ] || return 0
    $link "$1.o" "$1_main.c" -lm -o "$1.elf" || { complain "$3 is not linked"; return; }
    timeout 60 $emulator \
        -semihosting-config "enable=on,target=native,arg=$1,arg=50" -kernel "$1.elf" >there.csv ||
            complain "$3 fails on a Cortex-M4"
    $cc $strict "$1.c" "$1_main.c" -lm -o here && ./here 50 >here.csv || complain "$3 fails here"
    [ "$(wc -l <there.csv)" = 52 ] || complain "$3 printed $(wc -l <there.csv) lines"
    paste -d, there.csv here.csv | awk -F, -v most="$2" 'NR > 1 { n = NF/2
        for (i = 1; i <= n; i++) { d = $i - $(n + i); s = $(n + i) < 0 ? -$(n + i) : $(n + i)
            if (d > most*(1 + s) || -d > most*(1 + s) || $i == "nan") wrong = 1 } }
        END { exit wrong }' ||
        complain "$3 ends elsewhere: on a Cortex-M4 $(tail -n 1 there.csv), here $(tail -n 1 here.csv)"
}

runs() { # MODEL SCHEME
    model=$1 scheme=$2
    set -- export "$SOURCE/$1" --main -q --scheme "$2" --step 0.01 --project-start
    "$DALEMBERT" "$@" -o wide.c 2>notes || complain "$model is not exported"
    "$DALEMBERT" "$@" -o narrow.c --float 2>notes || complain "$model is not exported as float"
    compiles wide "" "$model $scheme" && ends_alike wide 1e-11 "$model $scheme"
    compiles narrow -Wdouble-promotion "$model $scheme --float" &&
        ends_alike narrow 1e-4 "$model $scheme --float"
}
runs examples/double_pendulum.dal midpoint
runs examples/kepler.dal trapezoid
runs examples/chaplygin_sleigh.dal "lobatto(3)"
runs examples/slider_crank.dal midpoint
cd / && rm -rf "$OLDPWD"
exit $status
