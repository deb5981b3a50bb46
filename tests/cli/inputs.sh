# An input follows a file: linear in between, held beyond its ends, and a mistake in it is shown at
# its line.
. "$(dirname "$0")/expect.sh"
cat >cart.dal <<'MODEL'
system Cart {
  coordinate x
  input u = 2
  lagrangian x'^2/2
  force x: u
  output push = u
}
simulate {
  scheme = gauss(3)
  step = 0.1
  until = 1
}
MODEL
exits 0 run cart.dal -q
near "$(last cart.csv 2)" 1 1e-14 # u = 2 held: x = t^2
near "$(last cart.csv 4)" 2 0

printf '0,0\n1,6\n' >ramp.csv # u = 6t: x = t^3
exits 0 run cart.dal --input u=ramp.csv -q
silent err
near "$(last cart.csv 2)" 1 1e-13
near "$(last cart.csv 3)" 3 1e-13
near "$(cell cart.csv 7 4)" 3 1e-13
# a corner of the table within a step leaves order 2 of 6, a jump order 1; between steps all of it
printf '0,0\n0.55,1\n2,0\n' >corner.csv
exits 0 check cart.dal --input u=corner.csv
prints "in time      input 'u' has a kink at t = 0.55: order 2 is left"
says "cart.dal:5:3: warning: input 'u' has a kink at t = 0.55: order 2 is left of 6"
exits 0 run cart.dal --input u=corner.csv
prints "order 6 (here 2: input 'u' has a kink at t = 0.55), dirac+"
exits 0 run cart.dal --input "u=held(corner.csv)" --json
prints '"by": "input '"'u'"' jumps at t = 0.55"'
printf '0,0\n0.5,1\n2,0\n' >between.csv
exits 0 run cart.dal --input u=between.csv
prints "order 6, dirac+"
exits 0 check cart.dal --input u=between.csv
silent err

# one value or one file
exits 1 run cart.dal --input u=ramp.csv --set u=3
says "the input 'u' follows a file, and --set gives it a value too"
exits 1 run cart.dal --input u=ramp.csv --input u=ramp.csv
says "the input 'u' follows a file already"
exits 1 sweep cart.dal --input u=ramp.csv --grid "u=1, 2"
says "and --grid gives it a value too"

printf 'other,u,t\n5,0,0\r\n5,6,1\n\n' >named.csv
exits 0 run cart.dal --input u=named.csv -q
near "$(last cart.csv 2)" 1 1e-13
printf 't,load\n0.5,2\n0.6,2\n' >held.csv
exits 0 run cart.dal --input u=held.csv -q
near "$(last cart.csv 2)" 1 1e-13
says "from t = 0.5 to 0.6, the run from 0 to 1: its first and last values are held"
[ "$(grep -c warning err)" = 1 ] || fail "$what: it is not warned of once"
exits 0 run cart.dal --input u=held.csv --from 0.55 -q
says "after it, its last value is held"
exits 0 run cart.dal --input u=held.csv --until 0.6 -q
says "before it, its first value is held"
exits 0 run cart.dal --input u=held.csv --from 0.6 --until 0.5 -q # backward
silent err
printf '0,2\n' >constant.csv
exits 0 run cart.dal --input u=constant.csv -q
silent err

# compiled steps look it up at their points too, and so do members of a sweep
exits 0 run cart.dal --input u=ramp.csv --backend native -q
near "$(last cart.csv 2)" 1 1e-13
near "$(last cart.csv 3)" 3 1e-13
for how in vm native; do
    exits 0 sweep cart.dal --grid "x=0..3" --input u=ramp.csv --scheme "gauss(2)" --step 0.001 --backend $how -o "$how.csv" -q
    near "$(last "$how.csv" 4)" 4 1e-12 # 3 + t^3
done

# it is recorded beside the response, at the end of a row; --columns names any of them
exits 0 run cart.dal --input u=ramp.csv
first_line cart.csv "t,x,p(x),push,energy,u"
near "$(cell cart.csv 7 6)" 3 1e-13
prints "  outputs     push = 6"
prints "  inputs      u = 6"
exits 0 run cart.dal --columns "u, x" --json
first_line cart.csv "t,u,x"
near "$(last cart.csv 2)" 2 0
"$JSON_KEYS" final.inputs.u final.outputs <out >keys || fail "keys are missing: $(cat keys)"
exits 0 run cart.dal --json
"$JSON_KEYS" final.inputs final.outputs.push <out >keys || fail "keys are missing: $(cat keys)"
if "$DALEMBERT" run cart.dal --input u=ramp.csv -q -o cart.h5 2>/dev/null; then
    exits 0 plot cart.h5 u x -o -
    prints " u"
fi

# two lines with the same time are a jump: x = 0 before it, then a = 8. The value behind the jump
# counts there, also where the time of the grid is off by roundoff (t = 0.3 is 0.1 + 0.1 + 0.1)
printf '0,0\n0.5,0\n0.5,8\n1,8\n' >jump.csv
for how in vm native; do
    exits 0 run cart.dal --input u=jump.csv --backend $how -q
    silent err
    near "$(cell cart.csv 7 2)" 0 1e-15
    near "$(last cart.csv 2)" 1 1e-13 # 8/2*0.5^2
    near "$(cell cart.csv 6 6)" 0 0
    near "$(cell cart.csv 7 6)" 8 0
done
printf '0,0\n0.3,0\n0.3,1\n0.7,1\n0.7,2\n1,2\n' >stairs.csv
for scheme in midpoint "lobatto(2)" "radau(2)"; do
    exits 0 run cart.dal --input u=stairs.csv --scheme "$scheme" --step 0.05 -q
    cut -d, -f6 cart.csv | sort -n | uniq -c | awk '$2 != "u" { print $2, $1 }' >counted
    printf '0 6\n1 8\n2 7\n' | cmp -s - counted || fail "$scheme: jumps are misplaced: $(cat counted)"
done
# held from line to line: the same stairs without the lines before each jump
printf '0,0\n0.3,1\n0.7,2\n1,2\n' >steps.csv
exits 0 run cart.dal --input u=stairs.csv -q -o jumps.csv
exits 0 run cart.dal --input "u=held(steps.csv)" -q -o holds.csv
silent err
cmp -s jumps.csv holds.csv || fail "held values differ from the same with jumps"
near "$(last holds.csv 3)" 1 1e-13 # 0.4*1 + 0.3*2
exits 0 run cart.dal --input "u=held(steps.csv)" --checkpoint held.ckpt --until 0.5 -q
rm steps.csv # the checkpoint has it
exits 0 resume held.ckpt --until 1 -q
near "$(last cart.csv 3)" 1 1e-13
exits 3 run cart.dal --input "u=held(none.csv)"
says "none.csv"
printf '0,0\n1,1\n1,2\n1,3\n' >bad.csv
exits 1 run cart.dal --input u=bad.csv
says "bad.csv:4:1: error: this is the third line with the time 1"
printf '0,0\n1,1\n0.5,2\n' >bad.csv
exits 1 run cart.dal --input u=bad.csv
says "bad.csv:3:1: error: times must not decrease"

# a jump in a Lagrangian: the slope is that of both sides, and powers balance step by step
cat >magnet.dal <<'MODEL'
system Magnet {
  coordinate x
  input u
  lagrangian x'^2/2 - u*x^2/2
  start x = 1
}
simulate {
  scheme = gauss(2)
  step = 0.1
  until = 1
}
MODEL
exits 0 run magnet.dal --input u=stairs.csv --json
"$JSON_KEYS" power_balance.max_error <out >keys
near "$(awk '$1 == "power_balance.max_error" { print $2 }' keys)" 0 1e-14

# what an outer system gives is an expression of that system: neither read from a file nor recorded
cat >given.dal <<'MODEL'
system Motor {
  coordinate x
  input u
  lagrangian x'^2/2
  force x: u
}
system Given {
  part motor : Motor(u = sin(t))
  output drive = motor.u
}
simulate {
  step = 0.1
  until = 1
}
MODEL
exits 1 run given.dal --input motor.u=ramp.csv
says "--input:1:1: error: the input 'motor.u' is bound by an outer system"
exits 1 run given.dal --columns "motor.u"
says "the input 'u' is bound by an outer system, and is not a column"
says "output NAME = motor.u"
exits 0 run given.dal
prints "  outputs     drive = 0.8414709848"

# a step of its own has no file to follow: there the caller sets the input
exits 1 export cart.dal --input u=ramp.csv -o cart.c
says "an input follows a file; without --input it is a number that can be set before every step"
exits 0 export cart.dal -o cart.c

# what moves by such an input moves as by time: reactions, forces of connections and the ledger count
# its slope. x' = 6t: 12 N on 2 kg; p(y) = y' + 6t is constant, so that y moves against it
cat >pushed.dal <<'MODEL'
system Source {
  coordinate x
  input u
  constraint push: x' = u
}
system Load {
  coordinate x, y
  input u
  lagrangian x'^2 + y'^2/2 + u*y'
  force y: u
}
system Pushed {
  input u
  part source : Source(u = u)
  part load : Load(u = u)
  connect joint: source.x = load.x
  constraint held: load.y' = 0
}
simulate {
  scheme = gauss(2)
  step = 0.1
  until = 1
  columns = load.x, source.push, joint, held
}
MODEL
for how in eliminate multipliers forces; do
    exits 0 run pushed.dal --input u=ramp.csv --interconnection $how --ledger
    silent err
    near "$(last pushed.csv 2)" 3 1e-12
    near "$(last pushed.csv 3)" 12 1e-11
    near "$(last pushed.csv 4)" -12 1e-11
    near "$(last pushed.csv 5)" 0 1e-11 # u' - u: 6 - 6t
    near "$(cell pushed.csv 2 5)" 6 1e-11
    grep -q "^ *source  *0  *0  *36  *-36 " out || fail "$what: the ledger lacks the work of the source"
done
printf '0,0\n0.5,3\n1,0\n' >tent.csv # where the slope jumps, the mean
exits 0 run pushed.dal --input u=tent.csv -q
near "$(cell pushed.csv 6 3)" 12 1e-11
near "$(cell pushed.csv 7 3)" 0 1e-11
near "$(cell pushed.csv 8 3)" -12 1e-11
near "$(last pushed.csv 3)" -12 1e-11

exits 3 run cart.dal --input u=none.csv
says "none.csv"
exits 1 run cart.dal --input v=ramp.csv
says "no input 'v'"
says "it has u"
exits 1 run cart.dal --input u
printf '0,0\n1,x\n' >bad.csv
exits 1 run cart.dal --input u=bad.csv
says "bad.csv:2:3"
printf '0,0\n1\n' >bad.csv
exits 1 run cart.dal --input u=bad.csv
says "bad.csv:2"
printf '1,2,3\n' >bad.csv
exits 1 run cart.dal --input u=bad.csv
says "bad.csv:1"
printf '0,nan\n1,2\n' >bad.csv
exits 1 run cart.dal --input u=bad.csv
says "bad.csv:1:3"
: >bad.csv
exits 1 run cart.dal --input u=bad.csv
finish
