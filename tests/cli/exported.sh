# exported.sh - for tests of exported C, which source it: an empty folder, and a comparison with the
# compiled run.
cd "$(mktemp -d)" || exit 1
XDG_CACHE_HOME=$PWD/cache; export XDG_CACHE_HOME
status=0
complain() { echo "$*"; status=1; }
cc=${CC:-cc}; cxx=${CXX:-c++}
strict="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
same="-O2 -ftree-vectorize -ffp-contract=off -fno-math-errno -fno-builtin-pow -march=native"

agrees() { agrees_here "$SOURCE/$1" "$2" "$3"; } # MODEL SCHEME

# the model's positions, bit for bit those of the compiled run, and its energy to roundoff
agrees_here() { # FILE SCHEME [DIRECTION]
    "$DALEMBERT" export "$1" -o stepper.c --main -q --scheme "$2" --step 0.01 --project-start ||
        { complain "$1 is not exported"; return; }
    $cc -std=c99 $strict $same stepper.c stepper_main.c -lm -o stepper || { complain "$1 $2 does not compile"; return; }
    if command -v clang >/dev/null; then # which warns of other things
        clang -std=c99 -fsyntax-only $strict stepper.c stepper_main.c ||
            complain "$1 $2: clang warns"
    fi
    ./stepper 40 >ours.csv || complain "$1 $2: the exported stepper fails"
    # components of rotations and directions are asked for together
    columns=$(head -n 1 ours.csv | cut -d, -f2- | sed "s/\([A-Za-z]*\)\.w,\1\.x,\1\.y,\1\.z/\1/g
        s/${3:-none}\[1\],${3:-none}\[2\],${3:-none}\[3\]/${3:-none}/")
    "$DALEMBERT" run "$1" --scheme "$2" --step 0.01 --steps 40 --record 1 --project-start --backend native -q \
        --columns "$columns" -o run.csv 2>notes || complain "$1 does not run"
    if grep -q 'not compiled' notes; then echo "$1 $2 was not compiled here, and is not compared"; return; fi
    paste -d, ours.csv run.csv | awk -F, -v what="$1 $2" 'NR > 1 { n = NF/2
        for (i = 1; i < n; i++)
            if ($i != $(n + i) && !wrong++) print what ": row " NR - 1 ", column " i ": " $i " is not " $(n + i)
        d = $n - $NF; s = 1e-11*(1 + ($NF < 0 ? -$NF : $NF))
        if (($n ~ /nan/ || d > s || -d > s) && !wrong++) print what ": energy " $n " is not " $NF }
        END { if (NR != 42) print what ": " NR - 1 " rows instead of 41"; exit wrong > 0 || NR != 42 }' || status=1
}

leave() { cd / && rm -rf "$OLDPWD"; exit $status; }
