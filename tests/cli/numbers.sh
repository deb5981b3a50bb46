# Numbers that are none: a run stops at the step where one comes up, and names the expression, its
# place in the file and what it was given; singular equations name the direction; Newton its
# history.
. "$(dirname "$0")/expect.sh"

# model NAME: a file of the statements on standard input, from line 2 on
model() {
    {
        echo "system A {"
        cat
        printf '}\nsimulate {\n  step = 0.1\n  until = 5\n}\n'
    } >"$1.dal"
}
no_nan() { ! grep -qi 'nan\|inf' "$1" || fail "$what: $1 holds numbers that are none"; }

model force <<'M'
  coordinate x
  lagrangian x'^2/2
  force x: -sqrt(1 - t)
  start x = 1
M
exits 2 run force.dal -o a.csv
says "step 11: t = 1: a value is not finite: sqrt(1 - t) is not finite (t = 1.05) at force.dal:4"
lines a.csv 12
no_nan a.csv

model potential <<'M'
  coordinate x
  let V = log(x)
  lagrangian x'^2/2 - V
  start x = -1
M
exits 2 run potential.dal -o a.csv
says "log(x) is not finite (x = -1) at potential.dal:4"

model parameter <<'M'
  parameter a = -1, b = sqrt(a)
  coordinate x
  lagrangian x'^2/2 - b*x^2
M
exits 1 run parameter.dal
says "parameter.dal:2:25: error: parameter 'b' is not finite"

model start <<'M'
  parameter a = 0
  coordinate x
  lagrangian x'^2/2
  start x = 1/a
M
exits 1 run start.dal
says "start.dal:5:13: error: the start of 'x' is not finite"

model holonomic <<'M'
  coordinate x, y
  lagrangian (x'^2 + y'^2)/2
  holonomic c: y = sqrt(x - t)
  start x = 1, y = 1, x' = 1
M
exits 2 run holonomic.dal --start "x'=0" --project-start -o a.csv
says "'c'"

model constraint <<'M'
  coordinate x, y
  lagrangian (x'^2 + y'^2)/2
  constraint c: y' = x'/(2 - t)
  start x' = 1, y' = 0.5
M
exits 2 run constraint.dal -o a.csv
says "x'/(2 - t) is not finite (x' = 0, t = 2) at constraint.dal:4"

model hamilton <<'M'
  coordinate x
  hamiltonian p(x)^2/2 + sqrt(1 - x)
  start x = 0, p(x) = 1
M
exits 2 run hamilton.dal -o a.csv
says "sqrt(1 - x) is not finite (x = 1.0"
says "at hamilton.dal:3"

model input <<'M'
  coordinate x
  input u
  lagrangian x'^2/2
  force x: 1/u
M
printf 't,u\n0,1\n1,0\n' >u.csv
exits 2 run input.dal --input u=u.csv -o a.csv
says "1/u is not finite (u = 0) at input.dal:5"
printf 't,u\n0,1\n1,nan\n' >u.csv
exits 1 run input.dal --input u=u.csv -o b.csv
says "u.csv:3:3: error: 'nan' is not a number"
absent b.csv

# derivatives have values where the energy has none: it ends there too, before that state is written
model left <<'M'
  coordinate x
  lagrangian x'^2/2 - log(x)/50
  start x = 1, x' = -1
M
exits 2 run left.dal --step 0.3 --json -o a.csv
says "step 4: t = 1.2: the energy is not finite: log(x) is not finite (x = -0.2126"
says "at left.dal:3"
prints '"status": "failed"'
lines a.csv 5
no_nan a.csv
exits 2 run left.dal --step 0.3 --steps 100 --record 0 --monitor 1 -o a.csv
says "step 4: t = 1.2"

# the motion is fine, but something that is written has no value
model output <<'M'
  coordinate x
  lagrangian x'^2/2
  output far = sqrt(1 - x)
  start x' = 1
M
exits 2 run output.dal --json -o a.csv
says "step 11: t = 1.1: output 'far' has no value: sqrt(1 - x) is not finite (x = 1.1) at output.dal:4"
prints '"status": "failed"'
lines a.csv 12
no_nan a.csv
exits 0 run output.dal --columns x -o a.csv
lines a.csv 52

model symmetry <<'M'
  coordinate x
  lagrangian x'^2/2
  symmetry s: x -> log(2 - x)
  start x' = 1
M
exits 2 run symmetry.dal -o a.csv
says "the momentum of 's' has no value: log(2 - x) is not finite (x = 2) at symmetry.dal:4"

# equations without a solution
model singular <<'M'
  coordinate x, y
  lagrangian (x' + y')^2/2 - (x + y)^2/2
  start x' = 1
M
exits 2 run singular.dal -o a.csv
says "they have rank 1 of 2, and nothing determines x - y"
says "another scheme does not help"

# p = v/sqrt(1 + v^2) stays below 1, so that under a force of 1 midpoint's step has a solution only
# for h < 2*(1 - p): of 3 half, of 100 a 64th; and none at all from 1.9 on
model bounded <<'M'
  coordinate x
  lagrangian sqrt(1 + x'^2)
  force x: 1
M
exits 2 run bounded.dal --step 3 -o a.csv
says "from here one of 1.5 can be solved"
exits 2 run bounded.dal --step 100 --until 1000 -o a.csv
says "from here one of 1.56 can be solved"
exits 2 run bounded.dal --step 1.9 -o a.csv
says "step 2: t = 1.9"
says "no shorter step can be solved either"
lines a.csv 3

# the mean of a potential whose slope alone counts: KdV on a ring; where it is fixed, it runs
for sites in 15 16; do
    model waves <<M
  coordinate phi[$sites periodic]
  let u[k in 1..$sites periodic] = phi[k+1] - phi[k-1], w[k in 1..$sites periodic] = 4*(phi[k+1] - 2*phi[k] + phi[k-1])
  lagrangian sum(k in 1..$sites: u[k]*phi[k]'/2 - u[k]^3 + w[k]^2/2)/2
  for k in 1..$sites { start phi[k] = 0.3*sin(2*pi*k/$sites) }
M
    exits 2 run waves.dal -o a.csv
    says "nothing determines phi[1] + phi[2] + ... + phi[$sites] ($sites in all); another scheme does not help: if nothing depends on it"
    sed "s/^  lagrangian/  constraint phi[1]' = 0\n  lagrangian/" waves.dal >fixed.dal
    exits 0 run fixed.dal -o a.csv
done

model vanishing <<'M'
  coordinate x
  lagrangian max(0.2 - t, 0)*x'^2/2
  start x = 1
M
exits 2 run vanishing.dal --scheme midpoint --step 0.01 --switches free -o a.csv
says "step 21: t = 0.2: the equations of the step are singular: they have rank 0 of 1, and nothing determines x"
says "earlier steps could be solved"

model newton <<'M'
  coordinate x
  lagrangian x'^2/2 + x^4
  start x = 1, x' = 3
M
exits 2 run newton.dal -o a.csv
says "Newton stopped after"
says "the worst equation is the equation of x; residuals "

# motions that leave every bound: at t = 1.8541 and 1
model escape <<'M'
  coordinate x
  lagrangian x'^2/2 + x^4/4
  start x = 1
M
model velocity <<'M'
  coordinate x
  lagrangian x'^2/2
  force x: x'^2
  start x' = 1
M
for backend in vm native; do
    exits 2 run escape.dal --step 0.01 --scheme midpoint --backend $backend -o a.csv
    says "x diverges: its last increments were 6.27, 10.3 and 20.7, and it is 63.7777 now"
    says "use a smaller step, which follows the motion further"
    exits 2 run escape.dal --step 0.01 --scheme "radau(2)" --backend $backend -o a.csv
    says "the equations of the step are singular; x diverges: its last increments were"
    exits 2 run escape.dal --start "x'=1" --step 0.1 --scheme trapezoid --backend $backend -o a.csv
    says "x^4 is not finite" # the force at the end of the step, and the momentum with it
    no_nan a.csv
    exits 2 run velocity.dal --step 0.01 --scheme "gauss(2)" --backend $backend -o a.csv
    says "x diverges: its last increments were"
done

# and one that does not: it stops at a wall
model wall <<'M'
  coordinate x
  lagrangian x'^2/2 - x
  force x: -sqrt(1 + x)/1000
  start x = 0
M
exits 2 run wall.dal --step 0.01 --scheme midpoint -o a.csv
says "sqrt(x + 1) is not finite"
grep -q "diverges" err && fail "a fall onto a wall is taken for a flight"

# inertia that vanishes on the way: det = sin(b)^2, and x; not where a direction never has any
model parallel <<'M'
  coordinate a, b
  lagrangian (a'^2 + 2*cos(b)*a'*b' + b'^2)/2
  start b = 0.5, b' = -1, a' = 0.3
M
model lever <<'M'
  coordinate x
  lagrangian x*x'^2/2 - x
  start x = 0.5, x' = -1
M
model massless <<'M'
  coordinate x, y
  lagrangian (2 + sin(x + y))*(x' + y')^2/2 + x^4 + (x - y)^2
  start x = 1, y = 1, x' = 3
M
model flight <<'M'
  coordinate x, y
  lagrangian (2 + sin(x + y))*(x' + y')^2/2 + (x + y)^4 + (x - y)^2
  start x = 1, y = 1, x' = 3
M
for backend in vm native; do
    # to infinity in finite time, whatever the roundoff
    exits 2 run flight.dal --step 0.01 --until 2 --project-start --backend $backend -o a.csv
    grep -q "the inertia" err && fail "a flight is taken for vanishing inertia"
    exits 2 run parallel.dal --step 0.01 --until 2 --backend $backend -o a.csv
    says "the inertia becomes singular near b = -0.00064"
    exits 2 run lever.dal --step 0.01 --until 2 --scheme "gauss(2)" --backend $backend -o a.csv
    says "the inertia becomes singular near x = -"
done
exits 2 run massless.dal --step 0.01 --until 10 --project-start -o a.csv
says "step "
grep -q "the inertia" err && fail "a direction that never has inertia is said to lose it"
finish
