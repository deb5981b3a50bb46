#!/bin/sh
# nehalem.sh BUILD SOURCE: a handful of tests and an example on an emulated x86-64 without AVX, by code that is compiled for it at
# run time, and without a compiler: then the interpreter runs, and one note says why. Whoever runs for seconds is told without
# asking.
set -eu
build=$1 source=$2
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
export XDG_CACHE_HOME="$here/cache" OTHER_CC="$(command -v cc) -march=nehalem"
PATH=$source/tests/machines/bin:$PATH
emulated() { qemu-x86_64 -cpu Nehalem "$@"; }

for name in test_expr_diff test_kernel_vm test_kernel_native test_linalg_dense test_linalg_partition test_api_examples; do
    emulated "$build/tests/$name" >"$here/$name" 2>&1 || { cat "$here/$name"; echo "FAILED: $name"; exit 1; }
    echo "$name: passed"
done
cd "$here"
for backend in native vm; do
    emulated "$build/dalembert" run "$source/examples/double_pendulum.dal" --backend $backend --json -o $backend.csv >$backend.json
    grep -q "\"backend\": \"$backend\"" $backend.json || { echo "FAILED: $backend code did not run"; exit 1; }
done
echo "an example: passed, natively and interpreted"
CC=no-such-compiler emulated "$build/dalembert" run "$source/examples/double_pendulum.dal" --backend native -o none.csv >out 2>err
[ "$(grep -c -E 'warning|note' err)" = 1 ] && grep -q "the virtual machine runs instead of native code: there is no C compiler" err ||
    { cat err; echo "FAILED: not one note without a compiler"; exit 1; }
echo "without a compiler: the interpreter, and one note"
