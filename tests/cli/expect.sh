# expect.sh - sourced by the tests of the program: runs it and looks at its exit code and what it
# printed. DALEMBERT the program, EXAMPLES the folder of models; every test works in an empty folder
# of its own.
set -u
here=$(mktemp -d) || exit 1
trap 'rm -rf "$here"' EXIT
cd "$here" || exit 1
failures=0

fail() {
    failures=$((failures + 1))
    echo "FAILED: $*"
    sed 's/^/    out: /' out 2>/dev/null | head -20
    sed 's/^/    err: /' err 2>/dev/null | head -20
}

# exits CODE ARGUMENT...: runs the program, its output in the files out and err
exits() {
    want=$1
    shift
    what="dalembert $*"
    "$DALEMBERT" "$@" >out 2>err </dev/null
    got=$?
    [ "$got" = "$want" ] || fail "$what: exit code $got, expected $want"
}

prints() { grep -qF -- "$1" out || fail "$what: standard output lacks '$1'"; }
says() { grep -qF -- "$1" err || fail "$what: standard error lacks '$1'"; }
silent() { [ ! -s "$1" ] || fail "$what: $1 is not empty"; }
lines() { [ "$(wc -l <"$1")" = "$2" ] || fail "$what: $1 has $(wc -l <"$1") lines, expected $2"; }
first_line() { [ "$(head -n 1 "$1")" = "$2" ] ||
    fail "$what: $1 begins with $(head -n 1 "$1"), expected $2"; }
absent() { [ ! -e "$1" ] || fail "$what: $1 should not exist"; }

# await CONDITION...: until it holds, or the program in the background, pid, has ended. Two minutes
# at most: the machine may be busy
await() {
    tries=0
    until "$@"; do
        kill -0 "$pid" 2>/dev/null && [ $tries -lt 6000 ] || return 1
        sleep 0.02
        tries=$((tries + 1))
    done
}

# near A B TOLERANCE
near() { awk -v a="$1" -v b="$2" -v tol="$3" 'BEGIN { d = a - b; exit !(d <= tol && -d <= tol) }' ||
    fail "$what: $1 is not $2 within $3"; }
# cell FILE ROW COLUMN, both from 1; row 1 is the header
cell() { sed -n "$2p" "$1" | cut -d, -f"$3"; }
last() { tail -n 1 "$1" | cut -d, -f"$2"; }

finish() {
    [ "$failures" = 0 ] || exit 1
}

oscillator() { # a model in the file oscillator.dal
    cat >oscillator.dal <<'MODEL'
system Oscillator {
  parameter m = 1, k = 4
  coordinate x
  lagrangian m/2*x'^2 - k/2*x^2
  output speed = x'
  start x = 1
}
simulate {
  step = 0.01
  until = 1
}
MODEL
}

failing() { # a model in the file fails.dal of which a step fails
    cat >fails.dal <<'MODEL'
system Fails {
  coordinate x
  lagrangian x'^2/2 - sqrt(1 - x)
  start x' = 0.5
}
simulate {
  step = 0.01
  until = 100
}
MODEL
}
