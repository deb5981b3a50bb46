# check says what a system is, show what was derived from it; neither runs anything nor leaves a file.
. "$(dirname "$0")/expect.sh"
oscillator
cat >loop.dal <<'MODEL'
system Loop {
  parameter L = 0.75, C = 3, R = 0.1
  coordinate qL, qR, qC
  lagrangian L/2*qL'^2 - qC^2/(2*C)
  force qR: -R*qR'
  constraint qL' = qR'
  constraint branch: qR' = qC'
  start qL = 1, qR = 1, qC = 1
}
MODEL
exits 0 check oscillator.dal
for fact in "1 coordinate" linear conservative "consistent" "midpoint" "explicit"; do prints "$fact"; done
silent err
exits 0 check loop.dal # without a simulate block
for fact in "3 coordinates" "degenerate: rank 1 of 3" "2 velocity constraints" "forced"; do prints "$fact"; done
exits 0 check loop.dal -o facts.txt
silent out
[ -s facts.txt ] || fail "-o of check"
exits 1 check loop.dal --start "qL'=1" --start "qC'=0"
says "the start violates"
sed 's/constraint branch: .*/&\n  constraint again: qL'"'"' + qR'"'"' = 2*qC'"'"'/' loop.dal >dependent.dal
exits 1 check dependent.dal
says "follows from other relations"
exits 1 check loop.dal --scheme frob
absent loop.csv
absent oscillator.csv

exits 0 show oscillator.dal
for line in "d/dt" "Oscillator" "polynomial(1) with gauss(1)" "speed"; do prints "$line"; done
silent err
for view in model equations discrete latex program pattern; do
    exits 0 show oscillator.dal --$view
    [ -s out ] || fail "$what: nothing is shown"
done
exits 0 show oscillator.dal --discrete --scheme "lobatto(3)"
prints "lobatto(3)"
exits 1 show oscillator.dal --nothing
exits 3 show missing.dal
finish
