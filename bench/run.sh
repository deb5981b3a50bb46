#!/bin/sh
# Runs the benchmarks and writes docs/performance.md: run.sh PAGE PROGRAM... (the first one can count)
set -eu
page=$1
shift
contest=$1
new=$page.new
XDG_CACHE_HOME=$(mktemp -d)
export XDG_CACHE_HOME
trap 'rm -rf "$XDG_CACHE_HOME" "$new"' EXIT

# instructions PROBLEM NAME: per midpoint step, as callgrind counts them between 1000 and 3000 steps
instructions() {
    for n in 1000 3000; do
        valgrind --tool=callgrind --callgrind-out-file=/dev/null "$contest" count "$1" "$2" $n 2>&1 |
            sed -n 's/.*Collected : *//p'
    done | tr '\n' ' ' | awk '{ if (NF == 2 && $2 > $1) printf "%.0f", ($2 - $1)/2000 }'
}

count_table() {
    printf '\n## Instructions of a midpoint step\n\nCounted by callgrind, h = 0.01.\n\n| problem | by | instructions | ratio |\n|---|---|---|---|\n'
    for problem in "double well" "Kepler, e = 0.6" "coupled van der Pol"; do
        hand=$(instructions "$problem" "by hand")
        for name in "by hand" "dalembert" "dalembert, vm" "KINSOL" "ARKODE midpoint" "GSL rk2imp"; do
            n=$(instructions "$problem" "$name")
            [ -z "$n" ] || printf '| %s | %s | %s | %s |\n' "$problem" "$name" "$n" "$(awk -v a="$n" -v b="$hand" 'BEGIN { printf "%.1f", a/b }')"
        done
    done
}

{
    echo "# Performance"
    echo
    echo "Written by \`make bench\`: $(date -u '+%Y-%m-%d %H:%M') UTC, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)," \
        "$(nproc) processors, $(uname -sr), $(cc --version | head -n 1), load $(cut -d' ' -f1 /proc/loadavg 2>/dev/null) at the start."
    echo "Every table is one run with all contestants interleaved: medians of the rounds, and their spread (largest over smallest). On a machine"
    echo "with other work trust the ratios, and those above 1.5 only. Contestants that are not installed are left out."
    "$contest"
    if command -v valgrind >/dev/null; then count_table; fi
    shift
    for program in "$@"; do
        echo
        echo "## $(basename "$program" | sed 's/^bench_//')"
        echo
        "$program"
    done
} | tee "$new"
mv "$new" "$page"
