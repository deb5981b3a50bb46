#!/bin/sh
# coverage.sh BUILD: lines of src/ that the tests of that build have run, in all and file by file,
# the least first.
set -eu
cd "$1"
find . -path '*dal_*.dir/src/*' -name '*.gcda' -exec gcov -n {} + 2>/dev/null | awk '
    /^File/ { file = $0; sub(/.*\/src\//, "src/", file); gsub(/\x27/, "", file); of = $0 ~ /\/src\// && file ~ /\.c$/ }
    /^Lines executed/ && of {
        split($0, part, /[:% ]+/); all = part[5]; run = part[3] / 100 * all
        if (!(file in seen) || run > best[file]) { best[file] = run; size[file] = all; seen[file] = 1 }
        of = 0
    }
    END {
        for (f in seen) { printf "%6.1f %%  %5d lines  %s\n", 100 * best[f] / size[f], size[f], f | "sort -n"; r += best[f]; n += size[f] }
        close("sort -n")
        printf "src/: %.1f %% of %d lines\n", 100 * r / n, n
    }'
