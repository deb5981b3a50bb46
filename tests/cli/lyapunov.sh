# Lyapunov exponents from the command line: known ones, pairs, and what cannot be had.
. "$(dirname "$0")/expect.sh"

cat >saddle.dal <<'END'
system Saddle {
  parameter c = 0
  coordinate q
  lagrangian q'^2/2 + 2*q^2
  force q: -c*q'
  start q = 0
}
simulate {
  scheme = gauss(3)
  step = 0.1
  until = 40
}
END

exits 0 run saddle.dal --lyapunov 2 --json
"$JSON_KEYS" lyapunov.0 lyapunov.1 <out >keys || fail "keys are missing: $(cat keys)"
near "$(awk '$1 == "lyapunov.0" { print $2 }' keys)" 2 1e-7
near "$(awk '$1 == "lyapunov.1" { print $2 }' keys)" -2 1e-7

# their sum is minus the damping
exits 0 run saddle.dal --lyapunov 2 --set c=0.5 --json
"$JSON_KEYS" lyapunov.0 lyapunov.1 <out >keys
near "$(awk '/^lyapunov/ { sum += $2 } END { print sum }' keys)" -0.5 1e-4

exits 0 run saddle.dal --lyapunov 1
prints "lyapunov    2.000000001 +- "
exits 1 run saddle.dal --lyapunov 3
says "there are 2"
exits 1 run saddle.dal --lyapunov some
says "whole number"
exits 0 run saddle.dal --lyapunov 1 --principle dirac- --momentum papers # nothing kicks
sed "s/^system .*/&\n  coordinate y\n  lagrangian y'^2\/2\n  constraint y' = q*q'/" saddle.dal >kicked.dal
exits 1 run kicked.dal --lyapunov 1 --principle dirac- --momentum papers --project-start
says "depends on the next step"
exits 0 run saddle.dal --lyapunov 1 --principle energy --on-breakdown fixed --json
"$JSON_KEYS" lyapunov.0 <out >keys || fail "keys are missing: $(cat keys)"
near "$(awk '$1 == "lyapunov.0" { print $2 }' keys)" 2 0.01
finish
