# The equations of every example in a browser: each fits its box, and no page is wider than a phone.
. "$(dirname "$0")/expect.sh"
skip() { echo "skipped: $1"; exit 77; }
chromium=$(command -v chromium) || skip "chromium is missing (Debian: chromium)"
command -v node >/dev/null || skip "node is missing (Debian: npm)"
[ -d "$BUILD/npm/node_modules/playwright-core" ] || skip "playwright-core is missing: the test 'browser' fetches it"
export DALEMBERT_PATH="$SOURCE/share"
for model in "$SOURCE"/examples/*.dal "$SOURCE"/examples/papers/*.dal; do
    exits 0 report "$model" --steps 2 -q -o "$(echo "${model#"$SOURCE"/}" | tr / _).html"
done
exits 0 reproduce dirac -q -o reproduce.html
CHROMIUM="$chromium" MODULES="$BUILD/npm/node_modules" node "$SOURCE/tests/cli/equations.mjs" "$here" >out 2>err ||
    fail "equations in a browser"
finish
