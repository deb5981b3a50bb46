# The notebooks of examples/notebooks, executed as Jupyter does, and the cell magic with a mistake in
# its cell.
. "$(dirname "$0")/expect.sh"
[ -z "$SANITIZE" ] ||
    { echo "python3 cannot load a library built with the address sanitizer"; exit 77; }
python=/usr/bin/python3
for module in nbclient ipykernel numpy; do
    $python -c "import $module" 2>/dev/null ||
        { echo "the Python module $module is missing: 'make packages' installs it"; exit 77; }
done
mkdir -p jupyter/kernels/this
cat >jupyter/kernels/this/kernel.json <<KERNEL
{"argv": ["$python", "-B", "-Xfrozen_modules=off", "-m", "ipykernel_launcher", "-f", "{connection_file}"],
 "display_name": "this", "language": "python"}
KERNEL
export JUPYTER_PATH="$here/jupyter" HOME="$here" PYTHONPATH="$SOURCE/python" DALEMBERT_LIBRARY="$SHARED" DALEMBERT_PROGRAM="$DALEMBERT"
execute() { $python -B "$SOURCE/tests/notebooks/execute.py" "$here" "$@" >out 2>err; }

what="the notebooks"
execute "$SOURCE"/examples/notebooks/*.ipynb || fail "a cell"
for shown in "double_pendulum-3 <math" "double_pendulum-5 <iframe" "double_pendulum-15 <svg" "structure-9 gauss(2)"; do
    grep -qF "${shown#* }" "${shown%% *}.html" || fail "cell ${shown%% *} does not show ${shown#* }"
done
for notebook in "$SOURCE"/examples/notebooks/*.ipynb; do
    ! grep -q '"output_type"' "$notebook" || fail "$notebook has outputs in it"
done

what="a mistake in a cell"
cat >wrong.ipynb <<'NOTEBOOK'
{"cells": [{"cell_type": "code", "id": "a", "metadata": {}, "execution_count": null, "outputs": [], "source": ["%load_ext dalembert"]},
           {"cell_type": "code", "id": "b", "metadata": {}, "execution_count": null, "outputs": [],
            "source": ["%%dalembert spring\n", "system Spring {\n", "  coordinate x\n", "  lagrangian y'^2/2\n", "}"]}],
 "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
NOTEBOOK
! execute wrong.ipynb || fail "it is accepted"
says "spring:3:14: error: "
says "    3 |   lagrangian y'^2/2"
! grep -q "_handles.py" err || fail "it shows the code of the module"
finish
