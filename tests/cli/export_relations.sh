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
leave
