# A report in a browser: it loads without an error or a request, shows the data, zooms, moves.
# Headless Chromium.
. "$(dirname "$0")/expect.sh"
skip() { echo "skipped: $1"; exit 77; }
chromium=$(command -v chromium) || skip "chromium is missing (Debian: chromium)"
command -v node >/dev/null && command -v npm >/dev/null || skip "node and npm are missing (Debian: npm)"
grep -q uPlot.iife "$BUILD/embedded.c" || skip "the program was built without uPlot"
if [ ! -d "$BUILD/npm/node_modules/playwright-core" ]; then
    npm install --prefix "$BUILD/npm" --no-audit --no-fund --no-save --ignore-scripts --fetch-retries=1 \
        playwright-core@1.56.1 >npm.log 2>&1 ||
        skip "playwright-core could not be fetched from npm"
fi
export DALEMBERT_PATH="$SOURCE/share"
exits 0 report "$SOURCE/examples/double_pendulum.dal" -o moving.html -q
exits 0 report "$SOURCE/examples/henon_heiles.dal" --until 30000 --step 0.5 -o long.html -q
exits 0 report "$SOURCE/examples/pendulum.dal" "$SOURCE/examples/rlc.dal" --verify -o two.html -q
exits 0 report "$SOURCE/examples/kepler.dal" -o orbit.html -q
exits 0 run "$SOURCE/examples/double_well.dal" --step 0.15 --steps 20 -q -o coarse.npz
exits 0 run "$SOURCE/examples/double_well.dal" --step 0.1 --steps 30 -q -o fine.npz
exits 0 report coarse.npz fine.npz -o steps.html -q
"$STILL" report "$SOURCE/examples/double_pendulum.dal" coarse.npz -o still.html -q || fail "a page without uPlot"
CHROMIUM="$chromium" MODULES="$BUILD/npm/node_modules" node "$SOURCE/tests/cli/browser.mjs" "$here" >out 2>err || fail "the pages in a browser"
finish
