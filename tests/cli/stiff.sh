# The models of tests/stiff against steps and motions that other code has made.
. "$(dirname "$0")/expect.sh"
command -v python3 >/dev/null ||
    { echo "python3 is missing: 'make packages' installs it"; exit 77; }
exec python3 "$SOURCE/tests/stiff/stiff.py" "$DALEMBERT"
