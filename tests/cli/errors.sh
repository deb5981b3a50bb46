# What is wrong is said in one sentence, with the exit code that scripts rely on, and leaves no file
# behind.
. "$(dirname "$0")/expect.sh"
oscillator

exits 3 run missing.dal
says "missing.dal"
mkdir folder.dal
exits 3 run folder.dal
says "directory"
if [ "$(id -u)" != 0 ]; then
    cp oscillator.dal locked.dal && chmod 000 locked.dal
    exits 3 run locked.dal
fi
: >empty.dal
exits 1 run empty.dal
echo "system A { coordinate x lagrangian" >broken.dal
exits 1 run broken.dal
says "broken.dal:1:"
exits 1 methods --markdown --json
says "--markdown and --json exclude each other"
exits 1 run oscillator.dal Oscilator
absent oscillator.csv

for wrong in "--step 0" "--step -1" "--step abc" "--step nan" "--step 1e-300" "--steps 1.5" "--steps -1" "--record -1" \
    "--record x" "--monitor 0" "--scheme frob" "--scheme gauss(0)" "--force frob" "--retraction up" "--momentum x" \
    "--principle x" "--set q=1" "--set k" "--set k=zz" "--start y=1" "--columns nope" "--input u=f.csv" \
    "--steps 3 --until 4" "--h_max 5" "--on-breakdown fixed" "--scheme shooting(rk4)" "--summation x" "--backend x"; do
    exits 1 run oscillator.dal $wrong
    [ -s err ] || fail "$what: nothing is said"
    silent out
    absent oscillator.csv
done
exits 1 run oscillator.dal --step "2*pi/"
says "--step:1:5: error: an expression is missing after '/'"
exits 1 run oscillator.dal --until "10*t"
says "--until:1:4: error: time cannot be used"
exits 1 run oscillator.dal --steps "10/4"
says "a whole number is needed here, not 2.5"
exits 1 run oscillator.dal --principle energy --scheme "compose(midpoint, yoshida(4))"
says "gauss(s) of the same order"
exits 1 run oscillator.dal --scheme "shooting(rk4) with simpson" --momentum papers
says "leave it out"
exits 1 run oscillator.dal --retraction left --scheme "gauss(2)"
says "polynomial(1)"
exits 1 run oscillator.dal --json -o -
says "standard output"
exits 1 run oscillator.dal -o ./oscillator.dal
says "overwrite"
exits 1 run oscillator.dal -o a.csv -o a.csv
says "given twice"
exits 1 run oscillator.dal Oscillator --system Other
says "both name the system"
exits 1 run oscillator.dal --scheme ""
says "--scheme needs a value: --scheme S"


# what is none is told with what there is
exits 1 run oscillator.dal --set qq=1
says "Oscillator has parameters m, k"
exits 1 run oscillator.dal --start zz=1
says "Oscillator has coordinate x"
exits 1 run oscillator.dal --start x=zz
says "Oscillator has parameters m, k"
exits 1 run oscillator.dal --columns zz
says "Oscillator has coordinate x"
exits 1 run oscillator.dal Pendulum
says "it has Oscillator"
exits 1 run oscillator.dal -step 0.1
says "type --step instead of -step"
exits 1 run oscillator.dal --step 0,1
says "decimals are written with a point"

sed '/step/d' oscillator.dal >nostep.dal
exits 1 run nostep.dal
says "no step"
sed '/until/d' oscillator.dal >noend.dal
exits 1 run noend.dal
says "no end"
absent noend.csv

# writing fails
exits 3 run oscillator.dal -o no/such/folder.csv
says "no/such/folder.csv"
exits 3 run oscillator.dal -o folder.dal
if [ -e /dev/full ]; then
    exits 3 run oscillator.dal -o /dev/full
    says "No space left"
    "$DALEMBERT" run oscillator.dal -q -o - >/dev/full 2>err
    [ $? = 3 ] || fail "a full standard output"
    for command in --help --version methods "check oscillator.dal" "show oscillator.dal" "run oscillator.dal"; do
        "$DALEMBERT" $command >/dev/full 2>err
        [ $? = 3 ] || fail "dalembert $command to a full disk"
    done
fi

# whoever reads standard output has seen enough: it ends by the signal of that, without a word, and files are whole
unread() { # what is left behind
    [ "$(cat code)" = 141 ] || fail "$1 to a closed pipe: exit code $(cat code)"
    [ -s err ] && fail "$1 to a closed pipe: $(cat err)"
}
{ "$DALEMBERT" run oscillator.dal --until 10000 -q -o - 2>err; echo $? >code; } | head -n 1 >out
unread "a trajectory"
[ "$(cat out)" = "t,x,p(x),speed,energy" ] || fail "a closed pipe: its first line is $(cat out)"
{ "$DALEMBERT" run oscillator.dal --until 10000 -q -o - -o beside.csv 2>err; echo $? >code; } | head -n 1 >out
unread "a trajectory and a file"
[ "$(tail -n 1 beside.csv | tr -cd , | wc -c)" = 4 ] || fail "a closed pipe leaves half a row: $(tail -n 1 beside.csv)"
for command in --help "run --help" methods "methods --json" "check oscillator.dal" "show oscillator.dal" "run oscillator.dal -o whole.csv"; do
    { sleep 0.2; "$DALEMBERT" $command 2>err; echo $? >code; } | :
    unread "dalembert $command"
done
lines whole.csv 102
{ sleep 0.2; "$DALEMBERT" run none.dal 2>err; echo $? >code; } | : # a mistake is told all the same
[ "$(cat code)" = 3 ] || fail "a file that is not there, to a closed pipe: exit code $(cat code)"
says "none.dal"
{ sleep 0.2; trap '' PIPE; "$DALEMBERT" methods 2>err; echo $? >code; } | : # where the signal is ignored
[ "$(cat code)" = 3 ] || fail "a closed pipe without a signal: exit code $(cat code)"
says "the reader has gone away"

# a step that fails: what was computed is kept, and the message says where
cat >wall.dal <<'MODEL'
system Wall {
  coordinate x
  lagrangian x'^2/2 - sqrt(1 - x)
  start x = 0, x' = 10
}
simulate {
  step = 0.3
  until = 100
}
MODEL
exits 2 run wall.dal
says "step"
[ -s wall.csv ] || fail "nothing was kept"
exits 2 run wall.dal --start x=2
says "the energy is not finite: sqrt(1 - x)"
says "start elsewhere"
exits 2 run wall.dal --scheme "compose(midpoint, yoshida(4))"
says "try a smaller step, or another scheme"
exits 2 run wall.dal --json
prints '"status": "failed"'
prints '"error"'
exits 3 run wall
says "did you mean 'wall.dal'?"
exits 1 run wall.dal --record "every 10"
says "type '10' alone"
exits 1 run wall.dal --solver lu
says "auto|diagonal|tridiagonal|band|sparse|dense|klu|cg"
exits 1 run wall.dal --threads 1000
says "threads (at most 256) must be a whole number"

# a missing step and a missing end, at the place where they would stand
printf "system S {\n  coordinate x\n  lagrangian x'^2/2\n}\n" >bare.dal
exits 1 run bare.dal
says "bare.dal:1:8: error: no step is given, and no end"
says "--step 0.01 --until 10"
exits 1 run bare.dal --step 0.1
says "bare.dal:1:8: error: no end is given"
exits 1 run bare.dal --until 1
says "bare.dal:1:8: error: no step is given"
grep -q "no end" err && fail "an end was given"
printf "simulate {\n  scheme = midpoint\n}\n" >>bare.dal
exits 1 run bare.dal
says "bare.dal:5:1: error: no step is given, and no end"
exits 0 check bare.dal
printf "system S {\n  coordinate x\n  lagrangian x'^2/2 - kk*x\n  start x = 1 m\n}\nsimulate { scheme = midpoint step = 0.1 }\n" >mended.dal
exits 1 run mended.dal
says "mended.dal:3:23: error: unknown name 'kk'"
says "mended.dal:4:15: error: expected ',' or 'free', found 'm'"
says "mended.dal:6:30: error: expected the end of the line, found 'step'"

# a kink in an imported part: the warning is at the line that uses the part
mkdir -p below
cat >below/spring.dal <<'MODEL'
system Spring {
  coordinate x
  lagrangian x'^2/2 - max(x, 0)^2/2
}
system Pair {
  part one : Spring
}
MODEL
cat >user.dal <<'MODEL'
import "below/spring.dal"
system User {
  coordinate y
  lagrangian y'^2/2 - abs(y)
  part pair : Pair
}
simulate {
  step = 0.1
  until = 1
}
MODEL
exits 0 run user.dal -q --switches free
says "user.dal:5:8: warning: 'max(pair.one.x, 0)' is not smooth in the state (below/spring.dal:3)"
says "user.dal:4:3: warning: 'abs(y)' is not smooth in the state"

# while a model is compiled: a line on a terminal, and a word after Ctrl-C
cat >slow.dal <<'MODEL'
system Slow {
  coordinate x
  lagrangian x'^2/2 - x^4
  start x = 1
}
simulate {
  step = 0.1
  until = 1
}
MODEL
cat >slowly <<'COMPILER'
#!/bin/sh
sleep 2
exec ${REAL_CC:-cc} "$@"
COMPILER
chmod +x slowly
REAL_CC=${CC:-cc}; export REAL_CC
if command -v script >/dev/null; then
    what="a run on a terminal that waits for the compiler"
    XDG_CACHE_HOME=$PWD/one CC="$PWD/slowly" script -qec "'$DALEMBERT' run slow.dal --backend native" /dev/null >out 2>err </dev/null
    prints "preparing the run"
    prints "final state"
fi
if command -v script >/dev/null; then
    what="a sweep on a terminal that waits for the compiler"
    XDG_CACHE_HOME=$PWD/three CC="$PWD/slowly" script -qec "'$DALEMBERT' sweep slow.dal --grid 'x=1, 2' --backend native" /dev/null >out 2>err </dev/null
    prints "preparing the run"
    prints "2 done"
fi
what="a sweep that is interrupted while it waits for the compiler"
XDG_CACHE_HOME=$PWD/four CC="$PWD/slowly" "$DALEMBERT" sweep slow.dal --grid "x=1, 2" --backend native -o never.csv >out 2>err &
pid=$!
sleep 1
kill -TERM $pid
wait $pid
code=$?
[ $code = 130 ] || fail "$what: exit code $code"
says "interrupted before the first step"
absent never.csv
what="a run that is interrupted while it waits for the compiler"
XDG_CACHE_HOME=$PWD/two CC="$PWD/slowly" "$DALEMBERT" run slow.dal --backend native -o never.csv >out 2>err &
pid=$!
sleep 1
kill -TERM $pid # a shell has its background ignore SIGINT
wait $pid
code=$?
[ $code = 130 ] || fail "$what: exit code $code"
says "interrupted before the first step"
absent never.csv

# angles at a pole: the message names coordinates that have none
cat >sphere.dal <<'MODEL'
system Sphere {
  coordinate theta, phi
  lagrangian theta'^2/2 + sin(theta)^2*phi'^2/2 + 9.81*cos(theta)
}
simulate {
  step = 0.01
  until = 20
}
MODEL
exits 2 run sphere.dal
says "nothing determines phi"
says "Cartesian coordinates with a holonomic constraint have no pole"
# events: each with its place and what would be right
falls() { # falls STATEMENTS [SETTINGS]: a model in the file falls.dal
    printf "system Falls {\n  coordinate x, y\n  parameter e = -0.5\n  input u = 1\n  discrete a = 0\n" >falls.dal
    printf "  lagrangian (x'^2 + y'^2)/2 - 9.81*y\n%b\n}\nsimulate {\n  step = 0.01\n  until = 2\n%b}\n" "$1" "${2:-}" >>falls.dal
}
wrong() { # wrong CODE PLACE WORDS
    exits "$1" run falls.dal -q
    says "falls.dal:$2: error: $3"
}
falls "  contact floor: y >= 0\n  start y = -1"
wrong 1 7:3 "floor is violated at the start, by 1"
says "start where the inequality holds"
falls "  contact c[i in 1..2]: x + i*y >= 0\n  start y = 0.5, x = -0.8"
wrong 1 7:3 "c[1] is violated at the start, by 0.3"
falls "  contact floor: y >= 0 restitution e"
wrong 1 7:3 "the restitution of floor is -0.5"
says "0 to 1 can be"
falls "  contact floor: y >= 0 restitution -0.1"
wrong 1 7:37 "the restitution is negative"
falls "  contact floor: y >= 0 friction e along x"
wrong 1 7:3 "the friction of floor is -0.5"
falls "  friction belt: x' = 0 limit e"
wrong 1 7:3 "the limit of belt is -0.5"
falls "  when y < 0.5 and a == 0 { a = 1 }\n  when a == 1 { a = 0 }\n  start y = 1"
wrong 2 7:3 "step 32: more than 100 times within one step"
falls "  when again: y < 0.5 { y = 0.5000000001 }\n  start y = 1"
wrong 2 7:3 "step 32: more than 100 times within one step"
says "again; what it changes must make it false, and for a while"
falls "  when y < 0.5 { a = 1 - a }\n  when a == 1 { a = 2 }\n  when a == 2 { a = 1 }\n  start y = 1"
wrong 2 9:3 "step 32: conditions make each other true for ever"
falls "  when y < 0.5 { y' = sqrt(-y) }\n  start y = 1"
wrong 2 7:18 "step 32: a reset is not finite: nan"
falls "  when sqrt(y - 0.5) < 0.1 { a = 1 }\n  start y = 1"
wrong 2 7:3 "step 32: the function of an event is not finite"
falls "  holonomic rod: x^2 + y^2 = 1\n  when y < 0.5 { x = 3 }\n  start x = 0.6, y = 0.8"
wrong 2 8:18 "step 36: a reset contradicts the relations, which make it"
says "change all that they bind, together"
falls "  constraint tie: x' = 2*y'\n  when y < 0.5 { x' = 3 }\n  start y = 1"
wrong 2 8:18 "step 72: a reset contradicts the relations, which make it"
falls "" "  pace = -1\n"
wrong 1 12:10 "at t = 0 the pace is -1, and it must be positive and finite"
falls "" "  pace = 1 + u^2\n"
wrong 1 12:14 "an input cannot be used in 'pace'"
falls "  start y' = 1" "  pace = 1 + y^2\n  principle = energy\n"
wrong 1 12:10 "principle = energy decides the length of its steps: there is no pace"
says "principle = dirac+"

# names of files may hold anything
falls "  when y < 0.5 { a = 1 }\n  start y = 1"
mv falls.dal 'fa"l,ls.dal'
exits 0 run 'fa"l,ls.dal' -q --events happened.csv
grep -q '^0.3192754.*,"when (fa""l,ls.dal:7)",fires,0,0$' happened.csv || fail "$what: $(cat happened.csv)"
finish
