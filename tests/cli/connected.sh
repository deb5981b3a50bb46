# Connected systems from the command line: the ways to join them, the ledger as text and as JSON,
# and what cannot be.
. "$(dirname "$0")/expect.sh"
cp "$SOURCE/examples/motor.dal" .
for how in eliminate multipliers; do
    exits 0 run motor.dal --interconnection $how --until 1 -o $how.csv --ledger
    prints "ledger"
    prints "battery"
    prints "shaft:"
done
near "$(last eliminate.csv 3)" "$(last multipliers.csv 3)" 1e-12
near "$(last eliminate.csv 8)" "$(last multipliers.csv 8)" 1e-12
exits 1 run motor.dal --interconnection glue
says "eliminate|multipliers|forces"
exits 0 check motor.dal
prints "coordinates are left when its ties are taken out"

exits 0 run motor.dal --until 1 --json --ledger -o x.csv
cp out ledger.json
for key in ledger.whole.work ledger.parts.motor.first ledger.parts.arm.received ledger.connections.shaft.into.gear ledger.connections.axle.net; do
    "$JSON_KEYS" $key <ledger.json >/dev/null || fail "the JSON of --ledger lacks $key"
done
exits 0 run motor.dal --until 1 --json -o x.csv
grep -q '"ledger"' out && fail "a ledger that nobody asked for"

cat >loop.dal <<'MODEL'
system Mass {
  coordinate x
  lagrangian x'^2/2 - x^2/2
}
system Loop {
  parameter r = 1
  part a : Mass
  part b : Mass
  part c : Mass
  connect one: a.x' = b.x'
  connect two: b.x' = c.x'
  connect three: a.x' = r*c.x'
  start a.x = 1
}
simulate {
  step = 0.1
  until = 1
}
MODEL
exits 0 run loop.dal
says "note: 'three' repeats"
exits 1 run loop.dal --set r=2
says "'three' contradicts the other"
exits 1 run loop.dal --set r=0
exits 0 run loop.dal --interconnection forces -o loop_forces.csv --ledger
says "note: 'three' repeats"
exits 0 run loop.dal --interconnection multipliers -o loop_rows.csv
near "$(last loop_forces.csv 3)" "$(last loop_rows.csv 3)" 1e-13
exits 0 run motor.dal --interconnection forces --until 1 -o forces.csv --ledger
says "2 of 3 connections stay relations"
prints "shaft:"
near "$(last forces.csv 3)" "$(last eliminate.csv 3)" 1e-12
near "$(last forces.csv 8)" "$(last eliminate.csv 8)" 1e-12
exits 1 run "$SOURCE/tests/connected/pair.dal" --interconnection forces --scheme "shooting(rk4) with simpson"
says "connections that act as forces do not give"
# what is interrupted goes on with the same bits
exits 0 run "$SOURCE/tests/connected/bent.dal" --interconnection forces --ledger --lyapunov 2 -o whole.csv
exits 0 run "$SOURCE/tests/connected/bent.dal" --interconnection forces --ledger --lyapunov 2 -o part.csv --checkpoint half.dck --checkpoint-every 37
exits 0 resume half.dck
cmp whole.csv part.csv || fail "a run with connections as forces does not go on as it was"
finish
