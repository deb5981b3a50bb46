# A run: its file, its summary, and every way to say how long and what to record.
. "$(dirname "$0")/expect.sh"
oscillator

exits 0 run oscillator.dal
prints "Oscillator"
prints "order 2"
prints "oscillator.csv: 101 rows of 5 columns"
silent err
lines oscillator.csv 102
first_line oscillator.csv "t,x,p(x),speed,energy"
near "$(cell oscillator.csv 2 1)" 0 0
near "$(cell oscillator.csv 2 2)" 1 0
near "$(last oscillator.csv 1)" 1 1e-14
near "$(last oscillator.csv 2)" -0.41614683654714241 2e-4 # cos 2
near "$(last oscillator.csv 5)" 2 1e-13

# numbers read back to the same bits: the last state is the same whichever way it is written
exits 0 run oscillator.dal -o - -q
cmp -s out oscillator.csv || fail "-o - differs from the file"
silent err
exits 0 run oscillator.dal -o -
says "Oscillator"
cmp -s out oscillator.csv || fail "-o - mixes data and summary"
exits 0 run oscillator.dal -o a.csv -o b.csv -q
silent out
cmp -s a.csv b.csv || fail "two files differ"
exits 0 run oscillator.dal Oscillator -q -oc.csv
cmp -s a.csv c.csv || fail "naming the system changes the run"

# how long
exits 0 run oscillator.dal --steps 7 -q -o s.csv
lines s.csv 9
near "$(last s.csv 1)" 0.07 1e-15
exits 0 run oscillator.dal --until 0.305 -q -o s.csv # no multiple: the first grid time after it
near "$(last s.csv 1)" 0.31 1e-15
exits 0 run oscillator.dal --until 0.3000000000001 -q -o s.csv # a multiple within 1e-9
near "$(last s.csv 1)" 0.3 1e-15
# expressions
exits 0 run oscillator.dal --set k=9 --step "2*pi/sqrt(k)/100" --until=-2*pi/3 --record "20/2" -q -o s.csv
lines s.csv 12
case "$(tail -n 1 s.csv)" in -2.09439510*,1.0*|-2.09439510*,0.999*) ;; *) fail "$what: a period does not come back" ;; esac
exits 0 run oscillator.dal --from 2 --until=3 -q -o s.csv
near "$(cell s.csv 2 1)" 2 0
near "$(last s.csv 1)" 3 1e-14
near "$(last s.csv 2)" "$(last oscillator.csv 2)" 1e-14
exits 0 run oscillator.dal --until 0 -q -o s.csv
lines s.csv 2

# backward and forth
x=$(last oscillator.csv 2) p=$(last oscillator.csv 3)
exits 0 run oscillator.dal --from 1 --until 0 --start "x=$x" --start "p(x)=$p" -q -o back.csv
near "$(last back.csv 1)" 0 1e-15
near "$(last back.csv 2)" 1 1e-13
near "$(last back.csv 3)" 0 1e-13

# what to record
exits 0 run oscillator.dal --record 30 -q -o r.csv
lines r.csv 6 # 0 30 60 90 and the last
near "$(last r.csv 1)" 1 1e-14
exits 0 run oscillator.dal --record 0 -q -o r.csv
lines r.csv 3
exits 0 run oscillator.dal --columns "energy, p(x)" -q -o r.csv
first_line r.csv "t,energy,p(x)"
exits 0 run oscillator.dal --columns "x, p(x), energy, t, x, energy" -q -o r.csv # each once
first_line r.csv "t,x,p(x),energy"

# parameters and starts
exits 0 run oscillator.dal --set k=0 --start "x'=2" -q -o f.csv
near "$(last f.csv 2)" 3 1e-13
exits 0 run oscillator.dal --scheme "lobatto(3)" -q -o l.csv
near "$(last l.csv 2)" -0.41614683654714241 1e-8
exits 0 run oscillator.dal --monitor 1 --summation plain --principle dirac- -q -o m.csv
near "$(last m.csv 2)" "$x" 1e-12
exits 0 run -q -o d.csv -- oscillator.dal

# how q and p are advanced stands in the file, and the option comes before it
sed 's/^simulate {/simulate {\n  summation = plain/' oscillator.dal >plain.dal
exits 0 run oscillator.dal --summation plain -q -o asked.csv
exits 0 run plain.dal -q -o written.csv
cmp -s asked.csv written.csv || fail "the setting of the file is not that of the option"
exits 0 run plain.dal --summation compensated -q -o over.csv
cmp -s d.csv over.csv || fail "the option does not come before the file"
cmp -s asked.csv d.csv && fail "plain summation lost nothing"
sed 's/= plain/= plane/' plain.dal >plane.dal
exits 1 run plane.dal
says "summation is compensated or plain"

# above 10000 columns the coordinates stay out, unless they are asked for
cat >many.dal <<'MODEL'
system Many {
  parameter N = 6000
  coordinate x[N]
  lagrangian sum(k in 1..N: x[k]'^2/2 - x[k]^2/2)
  output middle = x[3000]
  start x[3000] = 1
}
simulate {
  scheme = trapezoid
  step = 0.1
  steps = 2
}
MODEL
exits 0 run many.dal -o m.csv
says "'columns'"
first_line m.csv "t,middle,energy"
exits 0 run many.dal --columns "x[2], p(x[3000])" -o m.csv
silent err
first_line m.csv "t,x[2],p(x[3000])"
exits 0 run many.dal --columns x -q -o m.csv
[ "$(head -n 1 m.csv | tr ',' '\n' | wc -l)" = 6001 ] || fail "a whole array as columns"
# a model from standard input
printf 'system S {\n coordinate x\n lagrangian x'"'"'^2/2 - x^2/2\n start x = 1\n}\nsimulate {\n step = 0.1\n until = 1\n}\n' >s.dal
exits 0 run s.dal -q -o s.csv
what="a model from standard input"
"$DALEMBERT" run - -q -o - <s.dal >out 2>err || fail "to standard output"
cmp -s out s.csv || fail "it is not the run of the file"
"$DALEMBERT" run - --checkpoint s.checkpoint --steps 5 <s.dal >out 2>err || fail "to stdin.csv"
prints "stdin.csv"
exits 0 resume s.checkpoint --steps 10 -q
silent err
cmp -s stdin.csv s.csv || fail "its checkpoint goes on otherwise"
"$DALEMBERT" sweep - --grid "x=1..2" -q -o - <s.dal >out 2>err || fail "swept"
lines out 3
echo 'system S {' | "$DALEMBERT" check - >out 2>err
says "standard input:1:10: error"
printf 'system S {\0}' | "$DALEMBERT" check - >out 2>err
[ $? = 3 ] || fail "with a 0 in it"
says "not text"

# a suffix that says something else is not text in disguise
for suffix in json hdf5 mat parquet; do
    exits 1 run s.dal -o s.$suffix
    says ".csv, .npy, .npz"
    absent s.$suffix
done
exits 1 sweep s.dal --grid "x=1..2" -o s.json
says ".csv"

# a part as a column is all that is recorded of it and below it
cat >arm.dal <<'MODEL'
system Link {
  coordinate x, y
  lagrangian (x'^2 + y'^2)/2 - y
  holonomic rod: x^2 + y^2 = 1
  output height = y + 1
  start x = 1
}
system Arm {
  part a : Link
  part b[2] : Link
  coordinate s
  lagrangian s'^2/2
}
MODEL
all_of() { echo "$1.x,$1.y,p($1.x),p($1.y),$1.height,$1.rod"; }
for column in a "b[2]"; do
    exits 0 run arm.dal --step 0.01 --steps 2 --columns "$column" -q -o arm.csv
    first_line arm.csv "t,$(all_of "$column")"
done
exits 0 run arm.dal --step 0.01 --steps 2 --columns "s, b" -q -o arm.csv
first_line arm.csv "t,s,$(all_of "b[1]"),$(all_of "b[2]")"

# an option that changes nothing is noted; not its usual value, nor one that alters the cost alone
oscillator
for idle in "--force trapezoid" "--momentum papers" "--retraction left" "--interconnection multipliers" \
    "--interconnection forces"; do
    exits 0 run oscillator.dal $idle -q
    says "changes nothing here"
done
for usual in "--momentum projected" "--retraction midpoint" "--interconnection eliminate" "--ledger" "--threads 4" \
    "--solver dense" "--jacobian newton" "--on-breakdown stop"; do
    exits 0 run oscillator.dal $usual
    silent err
done
sed "s/start x/constraint y' = 0*x'\n  coordinate y\n  start x/; s/lagrangian/lagrangian y'^2\/2 +/" oscillator.dal >constant.dal
exits 0 run constant.dal --retraction left
says "no constraint on velocities depends on positions or time"
sed "s/y' = 0\*x'/y' = x*x'/" constant.dal >varying.dal
sed -i "s/  start x = 1/  force x: -0.1*x'\n&/" varying.dal
exits 0 run varying.dal --retraction left --momentum papers --force trapezoid
silent err

# whatever has a name of its own stands in the summary; of long arrays the first six elements do
cat >names.dal <<'MODEL'
system Named {
  parameter N = 30
  coordinate a, b, c, d, e, f, g, h, x[N]
  lagrangian (a'^2 + b'^2 + c'^2 + d'^2 + e'^2 + f'^2 + g'^2 + h'^2 + sum(i in 1..N: x[i]'^2 - x[i]^2))/2
  output o1 = a, o2 = b, o3 = c, o4 = d, o5 = e, o6 = f, o7 = g, o8 = 7*h
  start h = 1
}
simulate {
  step = 0.1
  until = 1
}
MODEL
exits 0 run names.dal
for name in a b c d e f g h o7; do
    grep -q "[ ]$name = " out || fail "the summary lacks $name"
done
prints "o8 = 7"
prints "h = 1"
prints "p(x[6]) = 0   and 24 more"
grep -q "^ *and" out && fail "a momentum with a name is left out"
exits 0 run names.dal --set N=8
prints "x[8] = 0"
exits 0 run names.dal -v
prints "x[30] = 0"
exits 0 sweep names.dal --grid h=1..3 -o names.csv
prints "o8 "
finish
