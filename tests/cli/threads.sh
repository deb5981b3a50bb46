# Every test that uses threads has the label `threads`, by which the thread sanitizer finds it
# (tests/threads.cmake); and that is how it is run.
cd "$SOURCE" || exit 1
words='thread|(exits [0-9]+|DALEMBERT"|dalembert) sweep'
failures=0
labelled=$(ctest --test-dir "$BUILD" -N -L '^threads$' | sed -n 's/^ *Test *#[0-9]*: *//p')

# headers that mention them, and those that include such a one
headers=$(cd tests && grep -lE "$words" ./*.h) before=""
while [ "$headers" != "$before" ]; do
    before=$headers
    for header in $before; do
        headers="$headers
$(cd tests && grep -lF "#include \"${header#./}\"" ./*.h)"
    done
    headers=$(echo "$headers" | sort -u | sed '/^$/d')
done
for header in $headers; do words="$words|#include \"${header#./}\""; done

for file in $(grep -rlE "$words" tests --include='*.c' --include='*.sh' | sort); do
    name=${file##*/} name=${name%.*}
    case $file in
    tests/unit/*/test_*.c | tests/methods/test_*.c | tests/engines/test_*.c | tests/api/test_*.c) ;;
    tests/claims/test_*.c) name=claims_${name#test_} ;;
    tests/cli/*.sh) name=cli_$name ;;
    tests/faults/faults.sh) grep -E 'tries sweep' $file | grep -v -- '--threads 1 ' || continue ;;
    esac
    case "
$labelled
" in
    *"
$name
"*) ;;
    *) echo "$file uses threads, but the test $name has no label 'threads': configure again, or see tests/threads.cmake"; failures=1 ;;
    esac
done
for name in test_base_thread_pool test_api_chain_fails cli_sweep; do
    echo "$labelled" | grep -qx $name || { echo "$name has no label 'threads'"; failures=1; }
done
grep -q 'ctest --test-dir $(BUILD)-threads .*-L threads$' Makefile ||
    { echo "make check-sanitize does not run the tests with the label 'threads'"; failures=1; }
exit $failures
