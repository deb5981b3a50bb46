# The processes of mpirun share sweeps: the same table as of one. RANKS: on how many.
. "${0%/*}/expect.sh"
. "${0%/*}/ranks.sh"

cat >well.dal <<'MODEL'
system Well {
  parameter a = 1, c = 0.1
  coordinate x
  lagrangian 1/2*x'^2 - a*x^4/4
  force x: -c*x'
  start x = 1
}
simulate {
  scheme = midpoint
  step = 0.01
  until = 3
}
MODEL

# of members in blocks, by themselves, failing and refused
exits 2 sweep well.dal --grid "a=-3..1/150" --json -o one.csv
for n in ${RANKS:-2}; do
    ranks "$n" 2 sweep well.dal --grid "a=-3..1/150" --json -o many.csv
    cmp -s one.csv many.csv || fail "$what: another table than of one process"
    prints "\"ranks\": $n"
    prints '"refused": 0'
    ranks "$n" 2 sweep well.dal --grid "a=-3..1/150" --json -o many.csv --threads 2
    cmp -s one.csv many.csv || fail "$what: another table than of one process"
done
exits 0 sweep well.dal --random "x=normal(0, 1)" --members 40 --backend vm -o one.csv -o one/
for n in ${RANKS:-2}; do
    rm -rf many
    ranks "$n" 0 sweep well.dal --random "x=normal(0, 1)" --members 40 --backend vm -o many.csv -o many/
    cmp -s one.csv many.csv || fail "$what: another table than of one process"
    diff -r one many >out || fail "$what: other trajectories than of one process"
done
[ "$(ls many | wc -l)" = 40 ] || fail "$what: $(ls many | wc -l) trajectories instead of 40"

# fewer members than ranks
ranks 2 0 sweep well.dal --grid "a=1" -o many.csv
prints "2 ranks of 1 thread"
lines many.csv 2

# what is wrong is said once
ranks 2 1 sweep well.dal --grid "b=1..2/3"
[ "$(grep -c 'error:' err)" = 1 ] || fail "$what: not one message"
ranks 2 3 sweep none.dal --grid "a=1"
[ "$(grep -c 'cannot read' err)" = 1 ] || fail "$what: not one message"
ranks 2 1 check well.dal
says "'check' is not shared by 2 processes: start it without mpirun"
ranks 2 1 sweep - --grid "a=1"
says "standard input reaches one of 2 processes only"

# one rank alone has no model, or another one
cat >each.sh <<'SCRIPT'
mkdir -p of$OMPI_COMM_WORLD_RANK && cd of$OMPI_COMM_WORLD_RANK && exec "$DALEMBERT" sweep well.dal --grid "$GRID" -o ../many.csv
SCRIPT
mkdir of0 of1
cp well.dal of0
what="a rank without a model"
DALEMBERT=$DALEMBERT GRID="a=1..2/3" timeout 60 mpirun -n 2 sh each.sh >out 2>err
says "rank 1: cannot read 'well.dal'"
sed 's/start/output y = x\n  start/' well.dal >of1/well.dal
what="a rank with another model"
DALEMBERT=$DALEMBERT GRID="a=1..2/3" timeout 60 mpirun -n 2 sh each.sh >out 2>err
says "rank 1: it has 3 members of 7 columns"

# Ctrl-C, and a rank that is killed: what is done is kept, in one summary
ended() { # WHAT SIGNAL: sends it to mpirun, or to rank 1
    what=$1
    rm -f many.csv out
    mpirun -n 2 sh -c 'echo $$ >pid$OMPI_COMM_WORLD_RANK; exec "$@"' sh \
        "$DALEMBERT" sweep well.dal --grid "a=1..2/1000000" --until 30 -o many.csv >out 2>err &
    pid=$!
    await grep -qs '^2000,' many.csv || fail "$what: nothing is written"
    case $2 in
    INT) kill -INT $pid ;;
    KILL) kill -KILL "$(cat pid1)" ;;
    esac
    wait $pid
    [ $? != 0 ] || fail "$what: exit code 0"
    prints "interrupted; members up to the first that is not done are kept"
    [ "$(grep -c '  members ' out)" = 1 ] || fail "$what: not one summary"
    awk -F, 'NR > 1 && ($1 != NR - 2 || $NF != "done") { bad = 1 } END { exit bad || NR < 2000 }' many.csv ||
        fail "$what: not a whole table as far as it goes"
}
ended "a sweep on ranks that gets SIGINT" INT
ended "a sweep on ranks of which one is killed" KILL

# without the library, and of another MPI
what="a build without MPI"
cp "$DALEMBERT" ./alone
OMPI_COMM_WORLD_SIZE=2 ./alone sweep well.dal --grid "a=1" >out 2>err
[ $? = 1 ] || fail "$what: not refused"
says "this build has no MPI; for Debian and Ubuntu that is libopenmpi-dev and openmpi-bin"
what="an mpirun of another MPI"
PMI_SIZE=3 "$DALEMBERT" sweep well.dal --grid "a=1" >out 2>err
[ $? = 1 ] || fail "$what: not refused"
says "3 processes were started, and MPI knows of 1"
finish
