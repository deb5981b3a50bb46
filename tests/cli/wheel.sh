# The wheel: made of what the build has, installed without network in a fresh virtual environment, and
# run there. `make check-wheel` does it in fresh systems.
. "$(dirname "$0")/expect.sh"
[ -z "$SANITIZE" ] ||
    { echo "python3 cannot load a library built with the address sanitizer"; exit 77; }
python=/usr/bin/python3
for module in venv ensurepip pip setuptools wheel; do
    $python -c "import $module" 2>/dev/null ||
        { echo "the Python module $module is missing: 'make packages' installs it"; exit 77; }
done
[ -f "$BUILD/alone/libdalembert.so" ] ||
    { echo "KLU has no archive (libklu.a) that could be linked in: the wheel needs a build of its own"; exit 77; }
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INDEX=1
unset PIP_FIND_LINKS PYTHONPATH
alone() { # COMMAND...: without network, where the system lets a test have none
    if unshare --net true 2>/dev/null; then unshare --net "$@"; else "$@"; fi
}

what="making the wheel"
DALEMBERT_BUILD=$BUILD alone $python -m pip wheel -q --no-deps --no-build-isolation -w wheel "$SOURCE" >out 2>err || fail "failed"
wheel=$(ls wheel/*)
[ "$wheel" = "wheel/dalembert-$VERSION-py3-none-linux_$(uname -m).whl" ] || fail "its name is $wheel"
for library in libklu libjansson libhdf5; do
    ! objdump -p "$BUILD/alone/libdalembert.so" "$BUILD/alone/dalembert" | grep "NEEDED *$library" || fail "it needs $library"
done

what="the wheel in a fresh environment"
$python -m venv --without-pip fresh >out 2>err || fail "making the environment"
alone $python -m pip --python fresh/bin/python install -q "$wheel" >out 2>err || fail "installing"
alone fresh/bin/python -B -c "
import dalembert, sys
assert dalembert.__file__.startswith('$here/fresh/'), dalembert.__file__
assert 'numpy' not in sys.modules
motion = dalembert.example('double_pendulum').run()
assert len(motion) == 1001 and 'Certificate' in motion.report()
assert '</svg>' in str(motion.plot())
fall = 'import \"parts/mechanical.dal\"\nsystem Fall {\n part ball : Mass\n force ball.x: -2\n}'
assert dalembert.parse(fall).run(step=0.5, steps=2)['ball.x'][-1] == -1
" >out 2>err || fail "running"
alone fresh/bin/dalembert --version >out 2>err || fail "its program"
prints "dalembert $VERSION"
alone fresh/bin/dalembert run fresh/lib/python3*/site-packages/dalembert/examples/lattice.dal --scheme midpoint --solver klu --steps 2 -o a.csv >out 2>err ||
    fail "its sparse solver"
prints "klu solver"

# Five lines from a fresh environment to an animated double pendulum: two of a shell, the start of Jupyter, two of a cell.
what="a newcomer's notebook"
for module in nbclient ipykernel numpy; do
    $python -c "import $module" 2>/dev/null || { echo "the Python module $module is missing: a newcomer's notebook was not tried"; finish; }
done
$python -m venv --system-site-packages newcomer >out 2>err || fail "making the environment"
alone newcomer/bin/pip install -q "$wheel" >out 2>err || fail "installing"
cat >newcomer.ipynb <<'NOTEBOOK'
{"cells": [{"cell_type": "code", "id": "a", "metadata": {}, "execution_count": null, "outputs": [],
            "source": ["import dalembert\n", "dalembert.example(\"double_pendulum\").run()"]}],
 "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
NOTEBOOK
export HOME="$here"
newcomer/bin/python -m ipykernel install --sys-prefix --name this >out 2>err || fail "making its kernel"
newcomer/bin/python -B -Xfrozen_modules=off "$SOURCE/tests/notebooks/execute.py" "$here" newcomer.ipynb >out 2>err || fail "executing it"
grep -q '<iframe srcdoc=' newcomer-0.html || fail "it shows no page"
modules=$BUILD/npm/node_modules chromium=$(command -v chromium) || chromium=""
if [ -n "$chromium" ] && [ -d "$modules/playwright-core" ] && grep -q uPlot.iife "$BUILD/embedded.c"; then
    CHROMIUM="$chromium" MODULES="$modules" node "$SOURCE/tests/notebooks/look.mjs" "$here/newcomer-0.html" >out 2>err || fail "in a browser"
else
    echo "chromium or playwright-core is missing (cli_browser fetches it): the animation was not looked at"
fi
finish
