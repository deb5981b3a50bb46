# Exported C with constraints, rolling and connected parts has the bits of a compiled run.
. "$SOURCE/tests/cli/exported.sh"
agrees examples/slider_crank.dal midpoint
agrees examples/chaplygin_sleigh.dal "lobatto(3)"
agrees examples/chaplygin_sleigh.dal "gauss(3)"
agrees examples/motor.dal midpoint
agrees examples/pendulum_links.dal "gauss(2)"
agrees examples/cartesian_pendulum.dal "radau(2)"
agrees examples/cartesian_pendulum.dal "lobatto(3)"
agrees tests/dirac/disk_bowl_hamiltonian.dal "gauss(2)"
cat >no_coil.dal <<'END'
import "parts/electrical.dal"
system NoCoil {
  part source : VoltageSource(V = sin(t))
  part r[2] : Resistor
  part c[2] : Capacitor
  connect source.q' = r[1].q'
  connect r[1].q' = c[1].q' + r[2].q'
  connect r[2].q' = c[2].q'
}
END
agrees_here no_coil.dal "gauss(2)" # nothing has inertia
cat >one_flux.dal <<'END'
import "parts/electrical.dal"
system OneFlux {
  part source : VoltageSource(V = sin(t))
  part r[2] : Resistor
  part core : CoupledInductors(L1 = 0.1, L2 = 0.4, M = 0.2)
  connect source.q' = r[1].q'
  connect r[1].q' = core.q1'
  connect r[2].q' = core.q2'
}
END
agrees_here one_flux.dal "gauss(2)" # the currents are not determined, the energy is

# long terms leave tables unread, which are not written then
cat >lengthy.dal <<'END'
system Lengthy {
  coordinate x[4]
  lagrangian sum(j in 1..4: (1 + 0.01*sum(k in 1..48: cos(k*x[1] + j*x[j])))*x[j]'^2)/2
  for j in 1..4 { start x[j]' = j }
}
END
"$DALEMBERT" export lengthy.dal -o lengthy.c -q --scheme "gauss(2)" --step 0.01 || complain "long terms are not exported"
$cc -std=c99 $strict -c lengthy.c || complain "the C of long terms does not compile without a warning"
leave
