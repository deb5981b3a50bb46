# check says what a system is, show what was derived from it; neither runs anything nor leaves a
# file.
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
# how long a step may be for what is fast: frequency 2, and 2 is the limit of their product
exits 0 check oscillator.dal --scheme trapezoid --step 0.99
prints "the fastest oscillation at the start has the angular frequency 2"
prints "trapezoid is stable while h times the frequency is below 2: for h below 1"
silent err
exits 0 check oscillator.dal --scheme trapezoid --step 1.01
says "step beyond the stability limit of trapezoid"
exits 0 check oscillator.dal --scheme trapezoid --step 1.01 --json
prints '"stability"'
# states: held for the others, by themselves, and together: x'' = -1000 z, z' = 1000 x have 100, of
# which neither knows; 3 +- 4i and the start's x = 2 by hand
states() {
    cat >states.dal <<MODEL
system States {
  coordinate x
  $1
  start x = 2
}
simulate { scheme = gauss(2)
  step = 1 }
MODEL
    exits 0 check states.dal
}
states "state z' = 1000*x
  lagrangian x'^2/2
  force x: -1000*z"
prints "nothing oscillates about the start, with states held"
prints "states have rates up to 0 at the start; all together have 100"
states "state y' = -3*y + 4*z, z' = -4*y - 3*z + x'
  lagrangian x'^2/2 - x^4/8
  damping x: -7*x'
  force x: z"
prints "the angular frequency 2.449, the strongest damping the rate 7, with states held"
prints "states have rates up to 5 at the start"
prints "its damping is stiff, h times the rate 7 is 7: gauss(2) damps it"
prints "its states are stiff, h times the rate 5 is 5: gauss(2) damps them"
states "coordinate y
  lagrangian x'^2/2 - x^2/2 - y^2
  force y: -0.1*y' + x"
prints "what has no inertia has rates up to 20 at the start"
prints "gauss(2) does not damp that, but would if it were written as a 'state'"
states "coordinate y
  lagrangian x'^2/2 - x^2/2 - y^2"
prints "is not known: directions have no inertia"
exits 0 check loop.dal # without a simulate block
for fact in "3 coordinates" "degenerate: rank 1 of 3" "2 velocity constraints" "forced"; do prints "$fact"; done
cat >rays.dal <<'MODEL'
system Rays {
  coordinate x, y
  hamiltonian sqrt(p(x)^2 + p(y)^2)/(1 + 0.3*exp(-y^2))
  start y = 0.3, p(x) = 1, p(y) = 0.4
}
MODEL
exits 0 check rays.dal --step 0.1 # whose steps by trapezoid would fail: the reason comes first
prints "trapezoid                            no: the momentum p(x) + 0.4*p(y) does not determine a velocity"
exits 0 check loop.dal -o facts.txt
silent out
[ -s facts.txt ] || fail "-o of check"
# at the line of the relation
exits 1 check loop.dal --start "qL'=1" --start "qC'=0"
grep -qE "^loop.dal:[0-9]+:[0-9]+: error: the start violates" err || fail "$what: no place"
exits 1 run loop.dal --step 0.1 --steps 1 --start "qL'=1" --start "qC'=0"
grep -qE "^loop.dal:[0-9]+:[0-9]+: error: the start violates" err || fail "$what: no place"
cat >rope.dal <<'MODEL'
system Rope {
  coordinate x, y, z, a
  lagrangian (x'^2 + y'^2 + a'^2)/2 - y
  holonomic x^2 + y^2 = 1
  constraint z' = x - z
  start x = 1.1 free, p(a) = 2, z = 0.5
}
MODEL
exits 0 run rope.dal --step 0.1 --steps 1 # what follows from the rest was not moved
says "the start was moved to satisfy the relations: x = 1"
grep -q "a'\|z'" err && fail "$what: a' follows from p(a), and z' from the relation"
sed 's/constraint branch: .*/&\n  constraint again: qL'"'"' + qR'"'"' = 2*qC'"'"'/' loop.dal >dependent.dal
exits 0 check dependent.dal
says "follows from branch, again wherever these hold: of all reactions that make the motion, those of least norm"
sed 's/2\*qC.$/& + 1/' dependent.dal >contradicts.dal
exits 1 check contradicts.dal
says "follows from other relations"
says "it is a combination of branch, again: leave it out"
cat >cylinder.dal <<'MODEL'
system Cylinder {
  coordinate x, y
  let l = sqrt(x^2 + y^2)
  lagrangian (x'^2 + y'^2)/2
  force l: 1 - l'
  holonomic rail: y = 1
  start y free
}
MODEL
exits 0 check cylinder.dal # looked at where the start moves to: l' has no value where it is guessed
prints "inertia      constant, diagonal; regular"
prints "rank 1 of 1"
cat >brakes.dal <<'MODEL'
system Brake {
  input slip = 0
  coordinate x
  lagrangian x'^2/2
  force x: slip
}
system Brakes {
  coordinate y
  lagrangian y'^2/2
  part left : Brake(slip = 1 + max(y', 0))
  part right : Brake(slip = 2 - max(y', 0))
}
MODEL
exits 0 check brakes.dal # which share a kink
[ "$(grep -c "max(" out)" = 1 ] || fail "$what: a kink is told twice"
exits 1 check loop.dal --scheme frob
absent loop.csv
absent oscillator.csv

# each scheme once, that of the model first, in columns; a reason that many share is said once
exits 0 check oscillator.dal --scheme "gauss(1)"
schemes=$(sed '1,/schemes/d' out)
[ "$(echo "$schemes" | head -n 1 | awk '{ print $1 }')" = midpoint ] || fail "$what: its scheme is not first"
[ -z "$(echo "$schemes" | awk -F '  +' '{ print $2 }' | sort | uniq -d)" ] || fail "$what: a scheme is tried twice"
echo "$schemes" | awk '{ match($0, /[a-z0-9)]  +/); print RSTART + RLENGTH }' | sort -u >column
lines column 1
exits 0 check oscillator.dal --scheme "polynomial(2) with gauss(4)" # not in the table
prints "polynomial(2) with gauss(4)"

# a start that no scheme can begin with
cat >loose.dal <<'MODEL'
system Loose {
  coordinate x, y
  lagrangian x'^2/2 - (x - y)^2/2 - y^2/2
  start x = 1
}
MODEL
exits 1 check loose.dal
prints "not in balance"
[ "$(grep -c "do not balance" err)" = 1 ] || fail "$what: the start is not complained of once"
! grep -q schemes out || fail "$what: schemes are tried all the same"

# relations with an offset move in time only if it holds time; inputs that an outer system gives are
# none
cat >affine.dal <<'MODEL'
system Motor {
  coordinate phi
  input v
  lagrangian phi'^2/2
  force phi: v
}
system Affine {
  input u
  coordinate x, y
  lagrangian (x'^2 + y'^2)/2
  part a : Motor(v = u)
  part b : Motor(v = a.phi)
  constraint y' = 1 + x
  start y' = 1
}
MODEL
exits 0 check affine.dal
prints "1 input;"
prints "affine in the velocities"
! grep -q "moving" out || fail "$what: the relation does not move"
for moving in "constraint y' = 1 + x + t" "constraint y' = 1 + u" "holonomic y = t"; do
    sed "s/constraint .*/$moving/" affine.dal >moving.dal
    exits 0 check moving.dal
    prints "moving in time"
done
for linear in "constraint y' = x'/sqrt(1 + x^2)" "constraint y' = log(2 + x)*x'" "holonomic sqrt(1 + x^2) + y = 1"; do
    sed "s|constraint .*|$linear|; s/start .*//; /part/d; /input u/d" affine.dal >linear.dal
    exits 0 check linear.dal Affine
    prints "autonomous, conservative"
    ! grep -q "affine" out || fail "$what: the relation has no offset"
done

# what can no longer move is warned of, also by a run; what is driven moves
cat >pinned.dal <<'MODEL'
system Pinned {
  coordinate x, y
  lagrangian (x'^2 + y'^2)/2 - y
  holonomic x^2 + y^2 = 1
  holonomic (x - 1)^2 + y^2 = 1
  start x = 0.5, y = sqrt(3)/2, x' free, y' free
}
MODEL
exits 0 check pinned.dal
prints "rank 2 of 2, which leave no freedom"
says "nothing can move"
exits 0 run pinned.dal --step 0.1 --steps 1
says "nothing can move"
sed "s/(x - 1)^2/(x - 1 - sin(t))^2/" pinned.dal >driven.dal
exits 0 check driven.dal
prints "rank 2 of 2, which prescribe the motion"
! grep -q "nothing can move" err || fail "$what: it is driven"

# a parallelogram that lies flat: the closure along it has no effect there
cat >flat.dal <<'MODEL'
system Flat {
  coordinate a, b, c
  lagrangian (a'^2 + b'^2 + c'^2)/2
  holonomic along: cos(a) + 2*cos(b) - cos(c) = 2
  holonomic across: sin(a) + 2*sin(b) - sin(c) = 0
}
MODEL
exits 1 check flat.dal
says "'along' has no effect at the start"
says "at a dead point a mechanism may branch"

exits 0 show oscillator.dal
for line in "d/dt" "Oscillator" "polynomial(1) with gauss(1)" "speed"; do prints "$line"; done
silent err
for view in model equations discrete latex program pattern; do
    exits 0 show oscillator.dal --$view
    [ -s out ] || fail "$what: nothing is shown"
done
exits 0 show oscillator.dal --discrete --scheme "lobatto(3)"
prints "lobatto(3)"
cat >turning.dal <<'MODEL'
system Turning {
  coordinate R : rotation, n : direction
  lagrangian dot(spin(R), spin(R))/2 + dot(n', n')/2 - R[3][1]*n[1]
  constraint spin(R)[1] = n[2]'
}
MODEL
exits 0 show turning.dal --discrete
prints "(D(a)^T*m0 + D(-a)^T*m1 - S)/2 + G0 + h*w0*D(y0)^T*A(Q0)^T*lambda0 = 0"
prints "of a direction"
exits 0 show turning.dal --discrete --latex
prints "D_{-a}^T m_1"
cat >rubs.dal <<'MODEL'
system Rubs {
  coordinate x, y
  discrete n = 0
  lagrangian (x'^2 + y'^2)/2 - y
  contact floor: y >= 0 restitution 0.5 friction 0.3 along x
  when high: y > 2 { n = n + 1, y' = 0 }
}
MODEL
exits 0 show rubs.dal --model
for line in "contact floor: y >= 0" "restitution of floor = 0.5" "slip(floor) = x'" "high resets n = n + 1" \
    "high resets y' = 0" "force x: -0.3*reaction(floor)*direction(floor)"; do prints "$line"; done

# branches that are located cost no order
cat >branches.dal <<'MODEL'
system Branches {
  coordinate x
  lagrangian x'^2/2 - x^2/2
  force x: -0.1*sign(x') + if(t > 0.333, 1, 0)
  start x = 1
}
MODEL
exits 0 check branches.dal --step 0.1 --until 2
prints "located      1 term with branches"
silent err
exits 0 check branches.dal --step 0.1 --until 2 --switches free
says "'sign(x')' is not smooth in the state"
says "'if(0.333 < t, 1, 0)' jumps at t = 0.333: order 1 is left of 2"
exits 1 show oscillator.dal --nothing
exits 3 show missing.dal

# Hamiltonian coordinates and what is drawn; large systems term by term, in every notation
cat >drawn.dal <<'MODEL'
system Wheel {
  coordinate th
  hamiltonian p(th)^2/2 - cos(th)
  draw circle(0, 0, 1)
}
system Pair {
  part w[2] : Wheel
  coordinate x[2]
  lagrangian sum(k in 1..2: x[k]'^2/2 - x[k]^2/2)
  for k in 1..2 { draw point(x[k], 0) "red" }
}
MODEL
exits 0 show drawn.dal --model
prints "w[2].th  (Hamiltonian)"
prints "hamiltonian 0.5*p(w[1].th)^2 - cos(w[1].th)   (the first of 2)"
prints 'draw point(x[1], 0) "red"   (the first of 2)'
cat >chain.dal <<'MODEL'
system Chain {
  coordinate x[2000]
  lagrangian sum(k in 1..2000: x[k]'^2/2) - sum(k in 1..1999: (x[k+1] - x[k])^2/2)
}
MODEL
exits 0 show chain.dal --equations
prints "1999 terms at chain.dal:3, the first:"
prints "adds to dL/dx[2]: -(x[2] - x[1])"
exits 0 show chain.dal --latex
prints '-\frac{1}{2} \, \left(x_{2} - x_{1}\right)^{2}'
exits 0 show chain.dal --mathml
prints "<p>1999 terms at chain.dal:3, the first:</p>"
prints "<msub><mi>x</mi><mtext>2</mtext></msub>"
cat >gate.dal <<'MODEL'
system Gate {
  coordinate x
  lagrangian x'^2/2
  force x: -if(x > 0 and not x == 1 or x != 3, 1, 2)*x'
}
MODEL
exits 0 show gate.dal --latex
prints '0 < x \land \lnot \left(x = 1\right) \lor x \ne 3'
cat >arm.dal <<'MODEL'
system Arm {
  parameter m = 1, l = 2, g = 9.81
  coordinate θ
  let X = l*sin(θ), Y = -l*cos(θ)
  lagrangian m/2*(X'^2 + Y'^2) - m*g*Y
}
MODEL
exits 0 show arm.dal --equations
prints "d/dt (m*(Y'*X - X'*Y)) = m*(X'*Y' - X*(g + θ'*X'))"
prints "X = l*sin(θ)"
exits 0 show arm.dal --latex
prints 'X &= l \, \sin\left(\theta\right) \\'
grep -q θ out && fail "LaTeX has a letter that it does not know"
exits 0 show arm.dal --discrete --latex --scheme "lobatto(3)" --force "gauss(2)"
prints '\begin{align*}'
grep -qE '^(nodes|equations|  G0)' out && fail "--discrete --latex is not LaTeX throughout"
exits 0 show arm.dal --discrete --scheme "lobatto(4)"
grep -q 'e-1[5-9]' out && fail "zeros up to roundoff are printed"
exits 0 show gate.dal --discrete --scheme "compose(midpoint, yoshida(4))"
prints "one step is 3 of the following"
finish
