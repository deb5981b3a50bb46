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
printf '0,0\n1,1\n1,2\n' >bad.csv
exits 1 run cart.dal --input u=bad.csv
says "bad.csv:3:1"
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
