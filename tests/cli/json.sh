# --json prints one object that a parser reads, with the keys that are promised.
. "$(dirname "$0")/expect.sh"
oscillator
exits 0 run oscillator.dal --json
silent err
"$JSON_KEYS" model file principle scheme order step steps t final.q.x final.p.x final.multipliers \
    final.outputs.speed final.inputs energy.first energy.last \
    energy.min energy.max momenta constraints.max_residual dirac_residual momentum_defect work power_balance.max_error \
    status newton.iterations newton.max_iterations newton.failures solved_by fixed_point.sweeps fixed_point.max_sweeps \
    time.setup_s time.run_s time.ns_per_step backend solver \
    warnings <out >keys || fail "keys are missing: $(cat keys)"
grep -q '^steps 100$' keys || fail "steps: $(grep ^steps keys)"
grep -q '^status done$' keys || fail "status"
grep -q '^order 2$' keys || fail "order"
near "$(awk '$1 == "t" { print $2 }' keys)" 1 1e-14
near "$(awk '$1 == "final.q.x" { print $2 }' keys)" "$(last oscillator.csv 2)" 0

# a run whose numbers are doubtful says so
sed "s/- k\/2\*x^2/+ 1\/x/; s/start x = 1/start x = 1, x' = -3/; s/  parameter.*/  parameter m = 1/" oscillator.dal >fall.dal
exits 0 run fall.dal --json
"$JSON_KEYS" <out >keys
prints '"the energy changed by'
says "the energy changed by"

exits 0 check oscillator.dal --json
silent err
"$JSON_KEYS" model file made_of kind inertia start schemes <out >keys || fail "keys of check are missing: $(cat keys)"
grep -q '"linear"' out || fail "the kind is a list of words"
grep -q '"scheme": "compose(midpoint, suzuki(4))"' out || fail "the schemes are listed"
grep -q '"fits": true' out || fail "which fit"
sed -n 's/^\(NUMBER\|TRUTH\|NAMES\)(\([a-z_]*\),.*/\2/p' "$SOURCE/src/run/facts.def" >facts
for name in $(cat facts); do
    "$JSON_KEYS" "facts.$name" <out >keys || fail "check --json lacks facts.$name"
    grep -q "\`$name\`" "$SOURCE/docs/cli.md" || fail "docs/cli.md does not say what '$name' is"
done
[ "$(wc -l <facts)" -gt 30 ] || fail "facts.def is read as $(cat facts)"
exits 0 show oscillator.dal --equations --latex --json
"$JSON_KEYS" model file views.equations views.latex <out >keys || fail "keys of show are missing: $(cat keys)"
exits 0 check oscillator.dal --equivalence "k*x^2/2" --json
"$JSON_KEYS" model file scheme equivalence moved.q moved.p splits <out >keys ||
    fail "keys of an equivalence are missing: $(cat keys)"
prints '"strong"'
exits 0 methods --json
"$JSON_KEYS" <out || fail "methods --json is no JSON"
finish
