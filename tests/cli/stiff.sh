# The models of tests/stiff against steps and motions that other code has made; orders on systems at random.
. "$(dirname "$0")/expect.sh"
command -v python3 >/dev/null ||
    { echo "python3 is missing: 'make packages' installs it"; exit 77; }
python3 "$SOURCE/tests/stiff/stiff.py" "$DALEMBERT" || exit 1
exec python3 "$SOURCE/tests/stiff/random_systems.py" "$DALEMBERT"
