# Exported C without relations has the bits of a compiled run, by every family of schemes.
. "$SOURCE/tests/cli/exported.sh"
agrees examples/kepler.dal midpoint
agrees examples/kepler.dal trapezoid
agrees examples/double_pendulum.dal "gauss(2)"
agrees examples/double_pendulum.dal "gauss(3)"
agrees examples/henon_heiles.dal "gauss(3)"
agrees examples/van_der_pol.dal "lobatto(4)"
agrees examples/double_well.dal "gauss(3)"
agrees examples/double_well.dal "compose(midpoint, yoshida(4))"
printf 'system Charging {\n parameter R = 2, C = 0.5\n coordinate q, x\n lagrangian x'"'"'^2/2 - q^2/(2*C) - (x - q)^2/2\n force q: 1 - R*q'"'"'\n start q = 1\n}\n' >charging.dal
# one coordinate has no inertia: its velocity is not known, the energy is
agrees_here charging.dal "gauss(2)"
printf 'system Fast {\n coordinate x\n lagrangian -sqrt(1 - x'"'"'^2) - 2*x^2\n start x'"'"' = 0.9\n}\n' >fast.dal
agrees_here fast.dal midpoint # the first correction of the velocity leads beyond that of light
leave
