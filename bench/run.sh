#!/bin/sh
# Runs the benchmarks and writes their page, the goals first: run.sh PAGE FOLDER LEFT_OUT
# PAGE: docs/performance.md; FOLDER: of the programs; LEFT_OUT: contestants that are not installed.
# BENCH=quick: fewer rounds, up to 10^5 parts, no counting; then the page stays in FOLDER.
set -eu
page=$1 programs=$2 left_out=$3
[ "${BENCH:-}" != quick ] || page=$programs/performance-quick.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache" BENCH_READINGS="$work/readings"
mkdir "$XDG_CACHE_HOME"
: >"$BENCH_READINGS"
begin=$(date +%s)

# instructions PROBLEM NAME: per midpoint step, as callgrind counts them between 1000 and 3000 steps. It does
# not know AVX512, so the step is compiled without; run before, so that no count contains the compiler.
instructions() (
    case $2 in PETSc*) counted=bench_contest ;; *) counted=bench_count ;; esac
    [ "$(uname -m)" != x86_64 ] || export CC="${CC:-cc} -mno-avx512f"
    "$programs/$counted" count "$1" "$2" 1 >/dev/null 2>&1 || true
    for n in 1000 3000; do
        valgrind --tool=callgrind --callgrind-out-file=/dev/null "$programs/$counted" count "$1" "$2" $n 2>&1 |
            sed -n 's/.*Collected : *//p'
    done | tr '\n' ' ' | awk '{ if (NF == 2 && $2 >= $1 + 2000) printf "%.0f", ($2 - $1)/2000 }'
)

count_table() {
    printf '\n## Instructions of a midpoint step\n\nCounted by callgrind, h = 0.01.\n\n| problem | by | instructions | ratio |\n|---|---|---|---|\n'
    for problem in "double well" "Kepler, e = 0.6" "coupled van der Pol"; do
        echo "bench: instructions, $problem" >&2
        hand=""
        for name in "by hand" "dalembert" "dalembert, vm" "KINSOL" "ARKODE midpoint" "GSL rk2imp" "PETSc theta"; do
            # one is enough
            if [ "$problem" != "double well" ] && [ "$name" = "PETSc theta" ]; then continue; fi
            n=$(instructions "$problem" "$name")
            hand=${hand:-$n}
            [ -z "$n" ] || printf '| %s | %s | %s | %s |\n' "$problem" "$name" "$n" "$(awk -v a="$n" -v b="$hand" 'BEGIN { printf "%.1f", a/b }')"
        done
    done
}

heading() {
    echo "# Performance"
    echo
    echo "Written by \`make bench\`: $(date -u '+%Y-%m-%d %H:%M') UTC, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)," \
        "$(nproc) processors, $(uname -sr), $(cc --version | head -n 1), load $load at the start; $(($(date +%s) - begin)) s."
    echo "Every table is one run with all contestants interleaved: medians of the rounds, and ratios of the rounds, their median and range. On a machine"
    echo "with other work trust the ratios, and those above 1.5 only. Loops by hand are compiled with \`-O3 -march=native -ffp-contract=fast\`."
    echo "Left out, since they are not installed: ${left_out}trep and REBOUND, which Debian does not have."
    echo "IAS15 is in the tables as it was published, written out by hand; the goal beside REBOUND, whose code does more, is left open."
}

load=$(cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo unknown)
for name in contest large stages networks rows ensemble callbacks stiff; do
    "$programs/bench_$name" >>"$work/tables" || printf '\n**bench_%s ended early.**\n' "$name" | tee -a "$work/tables" >&2
done
if [ "${BENCH:-}" != quick ] && command -v valgrind >/dev/null; then count_table >>"$work/tables"; fi
{
    heading
    "$programs/bench_goals" "$BENCH_READINGS"
    cat "$work/tables"
} >"$work/page"
cat "$work/page"
cp "$work/page" "$page.new" && mv "$page.new" "$page"
echo "bench: $page is written, after $(($(date +%s) - begin)) s" >&2
