#!/bin/sh
# run.sh NAME FUZZER SEEDS KEPT SECONDS: libFuzzer goes on where it was left, for so many seconds. KEPT has what it has learnt
# (corpus/NAME), what it found (found/NAME-*) and the file `hours`, a line for each slice: when, the fuzzer, its seconds and
# inputs. What is killed loses no more than a slice.
set -eu
name=$1 fuzzer=$2 seeds=$3 kept=$4 left=$5 slice=600
source=$(dirname "$0")
mkdir -p "$kept/corpus/$name" "$kept/found"
said=$kept/$name.log

while [ "$left" -gt 0 ]; do
    now=$((left < slice ? left : slice))
    left=$((left - now))
    well=true
    since=$(date +%s)
    LSAN_OPTIONS=suppressions=$source/leaks.txt:print_suppressions=0 "$fuzzer" -max_total_time=$now -timeout=200 \
        -rss_limit_mb=2500 -close_fd_mask=3 -max_len=100000 -len_control=0 -print_final_stats=1 \
        -artifact_prefix="$kept/found/$name-" "$kept/corpus/$name" "$seeds/$name" "$source/corpus/$name" >"$said" 2>&1 || well=false
    tried=$(sed -n 's/^stat::number_of_executed_units: *//p' "$said")
    echo "$(date +%FT%T) $name $(($(date +%s) - since)) ${tried:-0}" >>"$kept/hours"
    $well || { grep -a -E "ERROR|SUMMARY|Test unit" "$said" || tail -5 "$said"; exit 1; }
done
awk -v name="$name" '$2 == name { seconds += $3; tried += $4 }
    END { printf "%s: %.2f hours, %.0f inputs in all\n", name, seconds / 3600, tried }' "$kept/hours"
