# Lets keep their names where a large system is printed by kind of term: of arrays, of parts in
# arrays, within each other, with velocities, in energies, forces, relations and outputs.
. "$(dirname "$0")/expect.sh"
python=""
command -v python3 >/dev/null && python=python3
agree() { # FILE MODEL COUNT: with formulas in which lets are written out
    [ -n "$python" ] || return 0
    said=$($python "$SOURCE/tests/cli/lets.py" "$1" "$2" 2>&1)
    [ "$said" = "$3 expressions agree" ] || fail "$what: $said"
}
same() { diff want out >diff || { fail "$what: other equations"; cat diff; }; }

cat >chain.dal <<'MODEL'
system Chain {
  parameter N = 200, k = 1, a = 0.25, c = 0.1
  coordinate x[N]
  let d[i in 1..N-1] = x[i+1] - x[i] - 0.1*i
  lagrangian sum(i in 1..N: x[i]'^2/2) - sum(i in 1..N-1: k*d[i]^2/2 + a*d[i]^4/4)
  for i in 1..N-1 { force d[i]: -c*d[i]' }
  output stretch[i in 1..N-2] = d[i]^2 + d[i+1]*d[i]'
}
MODEL
exits 0 show chain.dal --equations
cat >want <<'TEXT'
200 terms at chain.dal:5, the first:
  L: 0.5*x[1]'^2
  adds to dL/dx[1]': x[1]'
199 terms at chain.dal:5, the first:
  L: -d[1]^2*(0.5*k + 0.25*a*d[1]^2)
  adds to dL/dx[2]: -d[1]*(a*d[1]^2 + k)
  adds to dL/dx[1]: d[1]*(a*d[1]^2 + k)
  where
  d[1] = x[2] - 0.1 - x[1]
199 terms at chain.dal:6, the first:
  force on x[2]: -c*d[1]'
  force on x[1]: c*d[1]'
  where
  d[1] = x[2] - x[1] - 0.1
TEXT
same
cp out plain; agree plain row_of_masses 5
exits 0 show chain.dal --latex
prints '\noindent 199 terms% at chain.dal:5'
prints '\text{adds to dL/d}x_{2}\colon &\quad -d_{1}'
prints 'd_{1} &= x_{2}'
prints '-c \, \dot{d}_{1}'
exits 0 show chain.dal --mathml
prints '<msub><mi>d</mi>'
prints '<mtext>force on</mtext><mspace width="0.25em"/><mrow><msub><mi>x</mi>'
cp chain.dal '<i>&.dal'
exits 0 show '<i>&.dal' --mathml
prints '199 terms at &lt;i>&amp;.dal:5'
exits 0 show chain.dal --model
prints "lagrangian -(0.5*k*d[1]^2 + 0.25*a*d[1]^4)   (the first of 199)"
prints "force x[2]: -c*d[1]'   (the first of 199)"
prints "output stretch[1] = d[1]^2 + d[1]'*d[2]   (the first of 198)"
prints "  d[2] = x[3]"
cp out plain; agree plain row_of_masses 1

cat >cells.dal <<'MODEL'
system Cell {
  parameter m = 2, c = 0.3, rest = 1, l = 0.5, left = 0
  input u = 0
  coordinate x, th
  let X = x + l*sin(th), Y = -l*cos(th)
  let far = X - left
  let w = th' + x'/l
  let pull = u*cos(th) - w
  lagrangian m/2*(X'^2 + Y'^2) - m*9.81*Y - (far - rest)^4
  force far: -c*far'*w^2
  force x: 2*pull^3
  holonomic rail "N": X^2 + Y^2 - far = 0
  constraint slip: X'*cos(th) + w*Y = 0
  output power "W" = w*far' + rail*pull
}
system Row {
  parameter N = 200
  part cell[N] : Cell(left = 0.1)
  let gap[i in 1..N-1] = cell[i+1].X - cell[i].X - 0.25*i
  for i in 1..N-1 { force gap[i]: -5*gap[i]^3 - gap[i]' }
}
MODEL
exits 0 show cells.dal --equations
prints "    - (cell[1].far - cell[1].rest)^4"
prints "  force on cell[2].th: cell[2].Y*(5*gap[1]^3 + gap[1]')"
prints "  force on cell[1].x: 2*cell[1].pull^3"
prints "  holonomic row 201: cell[1].X^2 + cell[1].Y^2 - cell[1].far"
prints "  row 1: cell[1].X'*cos(cell[1].th) + cell[1].w*cell[1].Y"
prints "  gap[1] = cell[2].X - 0.25 - cell[1].X"
prints "  cell[1].far = cell[1].X - cell[1].left"
prints "  cell[1].pull = cell[1].u*cos(cell[1].th) - cell[1].w"
cp out plain; agree plain cells 15
exits 0 show cells.dal --model
prints "output cell[1].power = cell[1].X'*cell[1].w + lambda(cell[1].rail)*cell[1].pull"
[ "$(grep -c 'cell\[1\].X = ' out)" = 1 ] || fail "$what: a let is not defined once"
cp out plain; agree plain cells 1

cat >momenta.dal <<'MODEL'
system Momenta {
  parameter N = 200, m[N] = 2, k = 1
  coordinate x[N]
  let d[i in 1..N-1] = x[i+1] - x[i]
  let v[i in 1..N] = x[i]'
  hamiltonian sum(i in 1..N: p(x[i])^2/(2*m[i])*(1 + x[i]^2)) + sum(i in 1..N-1: k*d[i]^4/4)
  for i in 1..N-1 { force d[i]: -0.1*d[i]' }
  for i in 1..N { force x[i]: -v[i]^3 }
}
MODEL
exits 0 show momenta.dal --equations
prints "  adds to -dH/dp(x[1]): -p(x[1])*(x[1]^2 + 1)/m[1]"
prints "  force on x[1]: 0.1*d[1]'"
prints "  force on x[1]: -v[1]^3"
prints "  v[1] = x[1]'"
cp out plain; agree plain momenta 5

# a term that is far from the first of its array, and lets by the hundred thousand
cat >far.dal <<'MODEL'
system Far {
  parameter N = 100000
  coordinate x[N]
  let d[i in 1..N-1] = x[i+1] - x[i]
  lagrangian sum(i in 1..N: x[i]'^2/2) - sum(i in 1..N-1: d[i]^2/2) - d[N-1]^4
}
MODEL
exits 0 show far.dal --equations
prints "  L: -d[99999]^4"
prints "  d[99999] = x[100000] - x[99999]"
finish
