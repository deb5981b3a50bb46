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
cat >space.dal <<'MODEL'
system Space {
  coordinate R : rotation, n : direction, x[3]
  let W = bodyspin(R)
  lagrangian dot(W, diag([1, 2, 2.6])*W)/2 - (R*[0.3, 0.2, 1])[3] + dot(n', n')/2 + dot(x', x')/2
  draw cylinder([0, 0, 0], R*[0, 0, 1], 0.03)
  draw cylinder(R*[0, 0, 1], R, 0.4, 0.15) "orange"
  draw trail(R*[0, 0, 1]) "blue"
  draw arrow([1, 1, 0], [1, 1, 0] + n) "red"
  draw box([1, -1, 0.2], R, [0.2, 0.3, 0.4])
  draw sphere(x, R, 0.2) "green"
  draw sphere(x + [0, 0, 0.5], 0.1)
  draw spring([0, 0, 0], x)
  draw line([0, 0, 0], [1, 1, 0], x)
  draw point(x) "purple"
  draw point(sqrt(5 - t)*x) # nowhere later
  draw text([0, 0, -0.2]) "</script><img src=x onerror=alert(1)>"
  start R = rotation([1, 2, -1], 0.7), bodyspin(R) = [0.4, -0.3, 1.5], n = [0, 0.6, 0.8], n' = [1, 0, 0], x = [-1, -1, 0], x' = [0.1, 0, 0]
}
simulate {
  step = 0.05
  until = 10
}
MODEL
cat >far.dal <<'MODEL' # far from the origin, and at last beyond all bounds
system Far {
  coordinate x[3]
  lagrangian dot(x', x')/2
  draw sphere(x, 0.1)
  draw sphere(x + [1, 0, 0], 0.1) "red"
  draw point(x*exp(1000*t))
  start x = [1e12, 1e12, 1e12], x' = [1, 0, 1]
}
MODEL
exits 0 report far.dal --step 0.1 --until 2 -o far.html -q
exits 0 report space.dal -o space.html -q
exits 0 report space.dal space.dal -o spaces.html -q
"$STILL" report space.dal -o bare.html -q || fail "a page without three.js"
"$STILL" report "$SOURCE/examples/double_pendulum.dal" coarse.npz -o still.html -q || fail "a page without uPlot"
CHROMIUM="$chromium" MODULES="$BUILD/npm/node_modules" node "$SOURCE/tests/cli/browser.mjs" "$here" >out 2>err || fail "the pages in a browser"
finish
