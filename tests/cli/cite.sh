# dalembert cite, the citation file and the archive of the sources.
. "$(dirname "$0")/expect.sh"
oscillator
exits 0 cite
for key in dalembert MW01 HLW06 PL19 PL17 LO11 SPW18 Y90; do prints "{$key,"; done
silent err
exits 0 cite oscillator.dal
prints "@software{dalembert,"
prints "version = {$VERSION}"
prints "{MW01,"
! grep -q "{PL19,\|{LO11,\|{Y90,\|{SPW18," out || fail "cites what the model does not use"
exits 0 cite oscillator.dal --scheme "compose(gauss(2), triple(6))"
prints "{Y90,"
prints "{HLW06,"
exits 0 cite oscillator.dal --principle energy
prints "{SPW18,"
exits 0 cite "$SOURCE/examples/motor.dal"
prints "{PL17,"
exits 0 cite "$SOURCE/examples/rolling_disk.dal"
prints "{LO11,"
exits 3 cite nowhere.dal
exits 1 cite oscillator.dal --scheme "gaus(2)"
says "gaus"
# every paper that a method names has an entry, and every entry is in the references of the theory
exits 0 cite
grep -o '^@[a-z]*{[A-Z][A-Z0-9]*' out | sed 's/.*{//' | while read -r key; do
    grep -q "\[$key\]" "$SOURCE/docs/theory.md" || { echo "$key is not in docs/theory.md"; exit 1; }
done || fail "an entry without a reference"
for key in $("$DALEMBERT" methods --json | grep -o '"cite": *"[A-Z0-9]*"' | sed 's/.*"\([A-Z0-9]*\)"$/\1/' | sort -u); do
    prints "{$key,"
done

what="CITATION.cff"
grep -q "^version: $VERSION$" "$SOURCE/CITATION.cff" || fail "another version"
for key in cff-version message title authors license date-released; do
    grep -q "^$key:" "$SOURCE/CITATION.cff" || fail "lacks $key"
done
if python3 -c "import yaml" 2>/dev/null; then
    python3 -c "
import sys, yaml
c = yaml.safe_load(open(sys.argv[1]))
assert c['cff-version'] == '1.2.0' and c['type'] == 'software' and c['authors'] and c['references'][0]['authors']
" "$SOURCE/CITATION.cff" || fail "is not valid"
fi

# the archive holds all that a build needs and nothing else
if git -C "$SOURCE" rev-parse HEAD >/dev/null 2>&1; then
    what="make dist"
    make -C "$SOURCE" dist DIST="$here" >out 2>err || fail "making it"
    tar xf "dalembert-$VERSION.tar.gz" || fail "unpacking it"
    cmake -S "dalembert-$VERSION" -B made -DBUILD_TESTING=OFF >out 2>err || fail "configuring it"
    cmake --build made --target dal_base >out 2>err || fail "building in it"
    [ -f "dalembert-$VERSION/CITATION.cff" ] && [ -f "dalembert-$VERSION/python/dalembert/__init__.py" ] || fail "incomplete"
    [ ! -e "dalembert-$VERSION/build" ] || fail "holds a build"
fi
finish
