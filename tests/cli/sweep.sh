# dalembert sweep: one row per member, whoever computes it; a member that fails is a row too; an
# interrupt keeps the rest.
. "$(dirname "$0")/expect.sh"
oscillator

exits 0 sweep oscillator.dal --grid "k=1..2/3" --grid "x'=0, 0.5" --threads 2
prints "members     6: 6 done"
prints "oscillator_sweep.csv: 6 rows of 10 columns"
silent err
lines oscillator_sweep.csv 7
first_line oscillator_sweep.csv "member,k,start(x'),t,x,p(x),speed,energy,energy_drift,status"
[ "$(cell oscillator_sweep.csv 5 1)" = 3 ] || fail "members are counted from 0"
[ "$(cell oscillator_sweep.csv 5 2)$(cell oscillator_sweep.csv 5 10)" = 1.5done ] ||
    fail "$what: the row of member 3"

# a member is its own run, and the table does not depend on the threads
"$DALEMBERT" run oscillator.dal --set k=1.5 --start "x'=0.5" -o own.csv -q || fail "its own run"
for c in 1 2 3 4 5; do near "$(cell oscillator_sweep.csv 5 $((c + 3)))" "$(last own.csv $c)" 1e-13; done
for threads in 1 2 3 7; do
    exits 0 sweep oscillator.dal --random "k=lognormal(0, 1)" --random "x=normal(0, 2)" --members 40 --seed 5 \
        --threads $threads -o t$threads.csv -q
    silent out
    cmp -s t1.csv t$threads.csv || fail "$threads threads give another table"
done
exits 0 sweep oscillator.dal --random "k=lognormal(0, 1)" --members 40 --seed 6 -o other.csv -q
cmp -s t1.csv other.csv && fail "another seed gives the same table"

# a table of members, standard output, JSON
printf 'k,"start(x)"\n1,2\n4,0.5\n' >members.csv
exits 0 sweep oscillator.dal --from-csv members.csv -o -
lines out 3
[ "$(cell out 3 3)" = 0.5 ] || fail "$what: the start of the second member"
says "standard output: 2 rows"
exits 0 sweep oscillator.dal --from-csv members.csv --json -o table.csv
prints '"members": 2'
prints '"0.95"'
prints '"status": "done"'
exits 1 sweep oscillator.dal --from-csv members.csv --json -o -
says "both write to standard output"

# HDF5, where the program has it
"$DALEMBERT" sweep oscillator.dal --from-csv members.csv -o table.csv -o table.h5 -q 2>err
case $? in
0) if command -v h5dump >/dev/null; then
       h5dump -d members table.h5 >out 2>&1
       prints "DATASPACE  SIMPLE { ( 2, 8 ) / ( 2, 8 ) }"
       prints "start(x)"
   else [ -s table.h5 ] || fail "no HDF5 file"; fi ;;
1) says "HDF5" ;;
*) fail "an HDF5 table" ;;
esac
exits 1 sweep oscillator.dal --from-csv members.csv -o table.npy
says "written as .csv or .h5"

# trajectories
exits 0 sweep oscillator.dal --grid "k=1..3" -o runs/ --record 50
prints "runs/members.csv: 3 rows"
lines runs/member-000002.csv 4
"$DALEMBERT" run oscillator.dal --set k=3 --record 50 -o own.csv -q
cmp -s own.csv runs/member-000002.csv || fail "the trajectory of a member is not that of its run"

# what cannot be
exits 1 sweep oscillator.dal
says "nothing is swept"
exits 1 sweep oscillator.dal --grid "kk=1..3"
says "unknown name 'kk'"
says "Oscillator has parameters m, k; Oscillator has coordinate x, for starts"
sed "s/k = 4/stiffness = 4/; s/k\/2/stiffness\/2/; s/x/angle/g" oscillator.dal >long.dal
exits 1 sweep long.dal --grid "stifness=1..3"
says "did you mean 'stiffness'"
exits 1 sweep long.dal --grid "angel=1..3"
says "did you mean 'angle'"
exits 1 sweep oscillator.dal --grid "k=1..3" --set k=1
says "gives it a value too"
exits 1 sweep oscillator.dal --grid "k=1..3" --step -1
exits 3 sweep oscillator.dal --from-csv nowhere.csv
printf 'k\n1,2\n' >members.csv
exits 1 sweep oscillator.dal --from-csv members.csv
says "this line has 2 columns"
printf 'k\nmany\n' >members.csv
exits 1 sweep oscillator.dal --from-csv members.csv
says "'many' is not a number"
printf '1,2\n3,4\n' >members.csv
exits 1 sweep oscillator.dal --from-csv members.csv
says "the first line of the table names parameters and starts"
printf 't,k\n0,1\n' >members.csv
exits 1 sweep oscillator.dal --from-csv members.csv
says "'t' is time; each line of the table is one run"
says "--input NAME=FILE"
printf 'k\n' >members.csv
exits 1 sweep oscillator.dal --from-csv members.csv
says "members.csv has no members"
printf 'member\n1\n' >members.csv
exits 1 sweep oscillator.dal --from-csv members.csv
says "members.csv names no parameter and no start"
exits 1 sweep oscillator.dal --from-csv members.csv --from-csv members.csv
exits 3 sweep oscillator.dal --grid "k=1..3" -o nowhere/table.csv
says "cannot write nowhere/table.csv"
exits 3 sweep oscillator.dal --grid "k=1..3" -o members.csv/runs/
exits 1 sweep oscillator.dal --grid "k=1..3" -o oscillator.dal
says "overwrite the model"

# the member whose step is too long for its frequency, and no other
exits 0 sweep oscillator.dal --grid "k=0.01,0.04,9" --scheme trapezoid --step 0.9 --steps 20
prints "member 2: step beyond the stability limit of trapezoid"
prints "of 1 member"

# failures are rows, and the exit code is 2
cat >fall.dal <<'MODEL'
system Fall {
  parameter k = 1
  coordinate x
  lagrangian x'^2/2 - k*log(x)
  start x = 1
}
simulate {
  scheme = midpoint
  step = 0.01
  until = 3
}
MODEL
exits 2 sweep fall.dal --grid "k=-1, 1" -o fall.csv
prints "2: 1 done, 1 failed"
prints "the first is member 1: step 1"
[ "$(cut -d, -f8 fall.csv | tr '\n' ' ')" = "status done failed " ] ||
    fail "$what: $(cut -d, -f8 fall.csv)"
exits 2 sweep "$SOURCE/examples/cartesian_pendulum.dal" --grid "x=0.5, 1" --steps 5 -o rod.csv
prints "1 could not begin"
exits 2 sweep fall.dal --grid "k=-1, 1" -q -o fall.csv
silent out
lines err 1
says "1 of 2 members failed, as fall.csv tells of each"
exits 2 sweep fall.dal --grid "k=-1, 1" --json -o fall.csv
prints '"status": "failed"'
prints '"member": 1'

# an interrupt keeps the members that are done
for threads in 1 2; do
    what="a sweep on $threads threads that gets SIGINT"
    rm -f long.csv
    "$DALEMBERT" sweep oscillator.dal --grid "k=1..1000000/1000000" --until 5 --threads $threads --json -o long.csv >out 2>err &
    pid=$!
    await [ -s long.csv ]
    kill -INT $pid
    wait $pid
    code=$?
    [ $code = 130 ] || fail "$what: exit code $code"
    prints '"status": "interrupted"'
    awk -F, 'NR == 1 { n = NF } NF != n || (NR > 1 && $1 != NR - 2) { exit 1 }' long.csv ||
        fail "$what: a broken line"
    [ "$(wc -l <long.csv)" -gt 1 ] || fail "$what: no member is kept"
done

# a member whose energy runs away is not simply done
printf 'system S {\n parameter k = 1\n coordinate x\n lagrangian x'"'"'^2/2 - k/2*x^2\n force x: sin(t)\n start x = 1\n}\nsimulate {\n scheme = trapezoid\n step = 1\n steps = 100\n}\n' >away.dal
exits 0 sweep away.dal --grid "k=3.9, 4.1" -o away.csv
prints "of 1 member; the first is member 1: step beyond the stability limit of trapezoid"
[ "$(cell away.csv 2 8)$(cell away.csv 3 8)" = donewarned ] || fail "$what: the status of members"
finish
