# Exported C along directions without inertia that bend has the bits of a compiled run: stiffness only
# on a ring, a spin, a ratio that turns, resistance that varies; its reactions and in single precision.
. "$SOURCE/tests/cli/exported.sh"
cat >bead.dal <<'END'
system Bead {
  parameter k = 5
  coordinate x, y, a, b
  lagrangian (x'^2 + y'^2)/2 - 2*y - k/2*((x - a)^2 + (y - b)^2) - b
  holonomic ring: a^2 + b^2 = 1
  start x = 1, x' = 0.2, y = -1.8, y' = 0.1, a = 0.4472135954999578, b = -0.894427190999916
}
END
cat >spin.dal <<'END'
system Spin {
  coordinate x, y, z
  lagrangian 1.3*z*(x*y' - y*x')/(x^2 + y^2) - z - x/5
  holonomic ball: x^2 + y^2 + z^2 = 1
  start x = 0.9164441178418063, y = 0.38746635837599264, z = 0.1
}
END
cat >tap.dal <<'END'
system Tap {
  coordinate q1, q2
  lagrangian -q1^2/2 - q2^2
  force q1: cos(2*t)
  constraint turns: (1 + sin(3*t)/2)*q1' + q2' = 0
  start q1 = 1.6, q2 = 0.3
}
END
cat >drag.dal <<'END'
system Drag {
  coordinate x, a, b, c
  lagrangian x'^2/2 - x^2/2 - (a - x)^2/2 - b^2/2 - b^4/6 - (c - x)^2 - c^4/5
  force a: -a' - a'^3/4
  force x: cos(t)/2
  constraint turns: (1 + sin(x)/2)*a' + b' + (1 + x*c/3 + sin(t)/4)*c' = 0
  start x = 0.5, a = 0.4, b = 0.3, c = 0.2
}
END
agrees_here bead.dal midpoint
agrees_here bead.dal "gauss(3)"
agrees_here spin.dal "gauss(2)"
agrees_here spin.dal "compose(midpoint, suzuki(4))"
agrees_here tap.dal "gauss(2)"
agrees_here drag.dal "gauss(2)"

"$DALEMBERT" export bead.dal --step 0.01 --scheme "gauss(2)" --float --main -o narrow.c -q || complain "--float fails"
$cc -std=c99 $strict -Wdouble-promotion -O2 narrow.c narrow_main.c -lm -o narrow && ./narrow 200 >narrow.csv || complain "single precision does not run"
awk -F, 'NR > 1 { d = $4^2 + $5^2 - 1; if (d > 1e-6 || d < -1e-6) wrong = 1 } END { exit wrong || NR != 202 }' narrow.csv ||
    complain "in single precision the bead leaves its ring"
leave
