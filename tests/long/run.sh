#!/bin/sh
# run.sh PROGRAM SOURCE FOLDER PICTURE: STEPS (10^9) compiled steps of the double well and of Kepler's ellipse, killed (-9) and
# resumed KILLS (100) times on the way; then PICTURE, the change of the energy over the number of steps. By schemes whose own
# error is below roundoff only its random walk is left: it grows as the square root of the number of steps. What is in FOLDER goes on.
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

# How far the energy moves in so many steps, the root mean square over all such stretches of the run: of a random walk it grows as
# the square root, by 8 while they grow by 64; of a drift by 64.
mean_errors() {
    paste -d, double_well.csv kepler.csv | awk -F, -v apart=$((steps / 10000)) '
        NR > 1 { a[NR - 2] = $2; b[NR - 2] = $4; n = NR - 2 }
        END {
            print "steps,double well,Kepler"
            for (k = 1; k <= n / 2; k *= 2) {
                p = q = 0
                for (i = 0; i + k <= n; i++) { p += (a[i + k] - a[i])^2; q += (b[i + k] - b[i])^2 }
                P[k] = sqrt(p / (n + 1 - k)); Q[k] = sqrt(q / (n + 1 - k))
                printf "%d,%.6g,%.6g\n", k * apart, P[k], Q[k]
            }
            printf "from %d to %d steps: %.1f (double well), %.1f (Kepler)\n", 16 * apart, 1024 * apart, P[1024] / P[16],
                Q[1024] / Q[16] >"/dev/stderr"
            exit !(n == 10000 && P[1024] < 24 * P[16] && Q[1024] < 24 * Q[16])
        }' >errors.csv
}

run_long double_well "gauss(4)" 0.05
run_long kepler "gauss(4)" 0.0125
mean_errors
"$program" plot errors.csv --log xy --slope 0.5 --xlabel "steps" --ylabel "change of the energy" -o "$picture"
