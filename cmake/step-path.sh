#!/bin/sh
# step-path.sh BUILD [MODEL] - the functions that a recorded, interpreted step enters, indented by depth, and how many there
# are in how many files. BUILD is a tree compiled by -O0 -gdwarf-4 -finstrument-functions.
set -e
build=$1 model=${2:-examples/pendulum.dal}
layers=$(for l in api run codegen mech lang model linalg kernel expr step base; do echo "$build/libdal_$l.a"; done)
klu=$(grep -q "^KLU_LIBRARY:.*=/" "$build/CMakeCache.txt" && echo -lklu || true)
cc -g -no-pie -Iinclude tests/step_path.c -o "$build/step_path" $layers $klu -lm -ldl -lpthread

# from FILE, what step_path printed
names() {
    cut -d' ' -f1 "$1" | addr2line -f -e "$build/step_path" | paste -d' ' - - | paste -d' ' "$1" - |
        awk -v judged="$2" '{ file = $4; sub(/:.*/, "", file); sub(/.*\/src\//, "src/", file); files[file]
               printf "%*s%s  %s\n", 2 * $2, "", $3, file }
             END { for (f in files) n++; print NR " functions in " n " files, of a step that is recorded" judged }'
}
"$build/step_path" "$model" > "$build/step_path_judged.txt"
"$build/step_path" "$model" 1000 > "$build/step_path.txt"
names "$build/step_path_judged.txt" " and by which the run is judged"
names "$build/step_path.txt" "" | tail -1
