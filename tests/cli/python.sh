# The Python module: from the build tree and as it is installed, with numpy and without; and its
# example.
. "$(dirname "$0")/expect.sh"
command -v python3 >/dev/null ||
    { echo "python3 is missing: 'make packages' installs it"; exit 77; }
python=python3
[ ! -x /usr/bin/python3 ] || python=/usr/bin/python3
[ -z "$SANITIZE" ] ||
    { echo "python3 cannot load a library built with the address sanitizer"; exit 77; }

export DALEMBERT_PROGRAM=$DALEMBERT DALEMBERT_STUB=$BUILD/_model.pyi
tests() { # WORDS: all of its tests, after these words of Python
    DALEMBERT_LIBRARY=$SHARED PYTHONPATH=$SOURCE/python $python -B -c "$1
import unittest
unittest.main(module=None, argv=['tests', 'discover', '-s', '$SOURCE/tests/python'])" >out 2>err || fail "its tests"
}
what="the module in the build tree"
tests ""
what="the module without numpy"
tests "import sys; sys.modules['numpy'] = None"

what="the installed module"
unset DALEMBERT_PROGRAM
cmake --install "$BUILD" --prefix "$here/usr" >out 2>err || fail "installing"
module=$(dirname "$(dirname "$(find "$here/usr" -path '*dalembert/__init__.py')")")
prints "export PYTHONPATH=$module"
[ -s "$module/dalembert/_model.pyi" ] || fail "no types for editors"
PYTHONPATH=$module $python -B -c "
import dalembert
assert dalembert.__version__ == '$VERSION'
assert dalembert.program() == '$here/usr/bin/dalembert'
q = dalembert.parse('system A {\n coordinate x\n lagrangian x\'^2/2 - x^2/2\n start x = 1\n}').run(step=0.1, steps=10)['x']
assert len(q) == 11
assert len(dalembert.example('pendulum').run()) == 401
" >out 2>err || fail "it does not find its library, its program or its examples"
if $python -c "import numpy" 2>/dev/null; then
    what="examples/python/pendulum.py"
    PYTHONPATH=$module $python -B "$SOURCE/examples/python/pendulum.py" >out 2>err ||
        fail "running it"
    prints "the energy of gauss(2) stays within"
else
    echo "python3-numpy is missing: the example was not run"
fi
finish
