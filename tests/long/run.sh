#!/bin/sh
# run.sh PROGRAM SOURCE FOLDER PICTURE: STEPS (10^9) compiled steps of the double well and of Kepler's ellipse, killed (-9) and
# resumed KILLS (100) times on the way; then PICTURE, the error of the energy over the number of steps. By schemes whose own error
# is below roundoff only its random walk is left: it grows as the square root of the number of steps. What is in FOLDER goes on.
set -eu
program=$1 source=$2 folder=$3 picture=$4
steps=${STEPS:-1000000000} kills=${KILLS:-100}
apart=$((steps / kills / 4)) # steps between two checkpoints; a run is killed once it has made four
mkdir -p "$folder"
cd "$folder"

# NAME COMMAND...: until it is done, or has been killed behind four checkpoints; its exit code, 137 when killed
run_and_kill() {
    name=$1 made=0
    shift
    "$@" >"$name.out" 2>&1 &
    id=$! last=$(stat -c %i "$name.checkpoint" 2>/dev/null || true)
    while kill -0 $id 2>/dev/null; do
        now=$(stat -c %i "$name.checkpoint" 2>/dev/null || true)
        [ "$now" = "$last" ] || { made=$((made + 1)); last=$now; }
        [ $made -lt 4 ] || kill -9 $id 2>/dev/null || true
        sleep 0.05
    done
    code=0
    wait $id || code=$?
    return $code
}

# NAME SCHEME STEP: to its end, however often it is killed
run_long() {
    name=$1 killed=0
    if [ ! -e "$name.checkpoint" ]; then
        set -- "$program" run "$source/examples/$name.dal" --scheme "$2" --step "$3" --steps "$steps" --backend native \
            --record $((steps / 10000)) --columns energy -o "$name.csv" --checkpoint "$name.checkpoint" --checkpoint-every $apart
    else
        set -- "$program" resume "$name.checkpoint"
    fi
    [ ! -e "$name.done" ] || return 0
    while ! run_and_kill "$name" "$@"; do
        [ $code = 137 ] || { cat "$name.out"; exit 1; }
        echo killed >>"$name.kills"
        set -- "$program" resume "$name.checkpoint"
    done
    touch "$name.done"
    cat "$name.out"
    echo "$name: $steps steps, $(wc -l <"$name.kills") kills"
}

# The root mean square of the error so far, over the number of steps: of a random walk, proportional to their square root. From a
# hundredth of the way on it stays proportional: a drift would add a factor of ten.
mean_errors() {
    paste -d, double_well.csv kepler.csv | awk -F, -v apart=$((steps / 10000)) '
        NR == 1 { print "steps,double well,Kepler"; next }
        NR == 2 { first = $2; other = $4; next }
        { n = NR - 2; a += ($2 - first)^2; b += ($4 - other)^2; printf "%d,%.6g,%.6g\n", n * apart, sqrt(a / n), sqrt(b / n) }
        n == 100 { then_a = sqrt(a / n); then_b = sqrt(b / n) }
        END {
            a = sqrt(a / n); b = sqrt(b / n)
            printf "double well: %.2g, %.1f times that after a hundredth; Kepler: %.2g, %.1f times\n", a, a / then_a, b, b / then_b >"/dev/stderr"
            exit !(n == 10000 && a < 40 * then_a && b < 40 * then_b)
        }' >errors.csv
}

run_long double_well "gauss(4)" 0.05
run_long kepler "gauss(6)" 0.05
mean_errors
"$program" plot errors.csv --log xy --slope 0.5 --xlabel "steps" --ylabel "error of the energy, root mean square" -o "$picture"
