# Exported C that settles along directions without inertia has the bits of a compiled run, in single
# precision to its own roundoff.
. "$SOURCE/tests/cli/exported.sh"
cat >varactor.dal <<'END'
system Varactor {
  parameter l = 0.75, C = 3, b = 0.3, R = 0.1
  coordinate i, q, r
  lagrangian l/2*i'^2 - q^2/(2*C) - r^2/4 - b*r^4/4
  constraint node: i' = q' + r'
  force i: -R*i' + cos(1.3*t)/5
  start q = 1.5, r = 0.9
}
END
cat >predators.dal <<'END'
system Predators {
  coordinate x, y
  lagrangian y*x' + sin(x)*y'/3 - exp(x) + x - exp(y)/2 + y - cos(t)*x/9
  start x = 0.5, y = 0.2
}
END
agrees examples/lc_network.dal "gauss(2)"
agrees_here varactor.dal "gauss(3)"
agrees_here varactor.dal "compose(gauss(2), yoshida(6))"
agrees_here predators.dal midpoint
agrees_here predators.dal "gauss(2)"

"$DALEMBERT" export varactor.dal --step 0.05 --scheme "gauss(2)" --project-start --float --main -o narrow.c -q 2>/dev/null || complain "--float fails"
$cc -std=c99 $strict -Wdouble-promotion -O2 narrow.c narrow_main.c -lm -o narrow && ./narrow 200 >narrow.csv || complain "single precision does not run"
awk -F, 'NR > 1 { d = $3/3 - $4/2 - 0.3*$4^3; if (d > 3e-7 || d < -3e-7) wrong = 1 } END { exit wrong || NR != 202 }' narrow.csv ||
    complain "in single precision voltages differ"

# a parameter with which the directions turn could be set in the exported state, and they could not
# follow
sed "s/b = 0.3/b = 0.3, g = 2/; s/q' + r'/q' + g*r'/" varactor.dal >turned.dal
"$DALEMBERT" export turned.dal --scheme "gauss(2)" --step 0.05 --project-start -o turned.c 2>said && complain "turning directions are exported"
grep -q "directions without inertia depend on parameter 'g'" said || { cat said; complain "the parameter is not named"; }
leave
