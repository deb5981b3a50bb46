#!/bin/sh
# analyse.sh BUILD JOBS: clang-tidy, cppcheck and gcc -fanalyzer over src/ and cli/. Silent if all
# is well.
set -u
build=$1 jobs=$2 failed=0
sources=$(find src cli -name '*.c' | sort)

echo "clang-tidy"
echo "$sources" | xargs -P "$jobs" -n 8 clang-tidy -p "$build" --quiet 2>/dev/null || failed=1

echo "cppcheck"
cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr --suppressions-list=cmake/cppcheck.txt -j "$jobs" -Isrc -Iinclude -Icli \
    --enable=warning,portability,performance --library=posix -DDAL_VERSION='"0"' -DDAL_SHARE='""' src cli || failed=1

echo "gcc -fanalyzer"
echo "$sources" | xargs -P "$jobs" -n 1 gcc -std=c11 -O1 -fanalyzer -Wno-analyzer-too-complex -Werror -D_POSIX_C_SOURCE=200809L \
    -DDAL_VERSION='"0"' -DDAL_SHARE='""' -DDAL_INCLUDE='""' -Isrc -Iinclude -Icli -I/usr/include/suitesparse -c -o /dev/null || failed=1
exit $failed
