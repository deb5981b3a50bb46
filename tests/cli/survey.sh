# The models of tests/survey against independent values, and runs that must not pass unnoticed.
. "$(dirname "$0")/expect.sh"
command -v python3 >/dev/null ||
    { echo "python3 is missing: 'make packages' installs it"; exit 77; }
exec python3 "$SOURCE/tests/survey/survey.py" "$DALEMBERT"
