# replay.sh NAME COUNT: the fuzzer's seeds and its corpus as they are, then COUNT of them changed.
set -eu
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
sh "$SOURCE/tests/fuzz/seeds.sh" "$DALEMBERT" "$SOURCE" "$here"
set -- "$2" "$here/$1"/* "$SOURCE/tests/fuzz/corpus/$1"/*
"$FUZZER" "$@"
