# The energy principle from the command line: its columns, its summary, and how it ends.
. "$(dirname "$0")/expect.sh"
cp "$SOURCE/examples/papers/energy_well.dal" well.dal

exits 0 run well.dal --json
"$JSON_KEYS" steps step_range.min step_range.max discrete_energy.first discrete_energy.max_error condition.min condition.max \
    <out >keys || fail "keys are missing: $(cat keys)"
grep -q '^steps 247$' keys || fail "steps: $(grep ^steps keys)"
near "$(awk '$1 == "step_range.max" { print $2 }' keys)" 0.4289 1e-4
[ "$(head -1 well.csv)" = "t,q,p(q),energy,h,discrete_energy" ] ||
    fail "columns: $(head -1 well.csv)"
near "$(last well.csv 1)" 50.0767 1e-4
near "$(last well.csv 6)" "$(sed -n 3p well.csv | cut -d, -f6)" 1e-15

exits 0 run well.dal --until -5
near "$(last well.csv 1)" -5.26607 1e-5

exits 2 run well.dal --start q=1.05 --json
says "goes through 0"
"$JSON_KEYS" status error <out >keys || fail "keys are missing: $(cat keys)"
grep -q '^status breakdown$' keys || fail "status: $(grep ^status keys)"
near "$(last well.csv 5)" 0.206498 1e-6

exits 0 run well.dal --start q=1.05 --on-breakdown fixed
prints "fixed step"
says "going on with h = 0.1"
near "$(last well.csv 5)" 0.1 1e-15

exits 0 run well.dal --start q=1.05 --on-breakdown reset --json
says "going on with one more step of h = 0.20649"
"$JSON_KEYS" status resets.count resets.first <out >keys || fail "keys are missing: $(cat keys)"
near "$(awk '$1 == "resets.first" { print $2 }' keys)" 1.355129539 1e-6
exits 0 run well.dal --start q=1.05 --on-breakdown reset
prints "resets "
exits 1 run well.dal --on-breakdown maybe
says "stop|fixed|reset"

exits 0 check well.dal --start q=1.05
says "breaks down near t = 1."
exits 0 show well.dal --discrete
prints "e1 + 1/2*h*P1 = E"
exits 0 converge well.dal --start q=0.74 --until 10 --steps 100,200
prints "at the end of each run"
prints "4.0  1.99"
exits 1 run well.dal --h_max 0.01
says "must lie between"

# h is sure to a ten thousandth only, and the energy is kept to roundoff all the same
cat >swing.dal <<'MODEL'
system Swing {
  coordinate theta
  lagrangian theta'^2/2 + 9.81*cos(theta)
  start theta = pi/2
}
MODEL
exits 0 run swing.dal --principle energy --scheme "gauss(2)" --step 0.01 --until 1 --json
"$JSON_KEYS" condition.max discrete_energy.max_error <out >keys ||
    fail "keys are missing: $(cat keys)"
near "$(awk '$1 == "discrete_energy.max_error" { print $2 }' keys)" 0 1e-13
awk '$1 == "condition.max" { exit !($2 > 1e11) }' keys ||
    fail "$what: this was meant to be ill-conditioned"
finish

# how accurate h is does not depend on units: an orbit around the Earth, and the same one around 1
cat >orbit.dal <<'X'
system Orbit {
  parameter GM = 1, a = 1
  coordinate x, y
  lagrangian (x'^2 + y'^2)/2 + GM/sqrt(x^2 + y^2)
  start x = 0.8*a, y' = sqrt(1.5*GM/a)
}
simulate {
  principle = energy
  scheme = midpoint
  step = 0.05*sqrt(a^3/GM)
  steps = 300
}
X
exits 0 run orbit.dal --json
"$JSON_KEYS" step_range.noise <out >keys || fail "keys are missing: $(cat keys)"
exits 0 run orbit.dal --set GM=3.986e14 --set a=7e6 --json
"$JSON_KEYS" step_range.noise <out >others || fail "keys are missing: $(cat others)"
near "$(awk -v x="$(cut -d' ' -f2 keys)" '{ print $2/x }' others)" 1 1e-3
