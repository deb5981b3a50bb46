# The papers computed again: numbers beside printed ones, a page that needs nothing else, and what
# is wrong with a name.
. "$(dirname "$0")/expect.sh"

exits 0 reproduce
silent err
prints "second order, 20 steps a period                          0.2275              0.22746               agrees (to its digits)"
prints "order of lobatto(5) in the energy                        8                   8"
prints "rank 5 of 6: refused"
prints "written  reproduce.html"
grep -q "DIFFERS\|could not be made" out && fail "a number differs"
[ "$(grep -c agrees out)" -gt 50 ] || fail "few numbers agree"

# one page, every figure in it, and nothing fetched from elsewhere
what="reproduce.html"
[ "$(grep -c '<article id=' reproduce.html)" = 5 ] || fail "it does not have five papers"
[ "$(grep -c '<svg' reproduce.html)" = "$(grep -c '</svg>' reproduce.html)" ] ||
    fail "a figure is not closed"
[ "$(grep -c '<svg' reproduce.html)" -gt 30 ] || fail "it has few figures"
grep -q 'src=\|href="http\|url(' reproduce.html && fail "it needs other files"
grep -q 'nan\|inf' reproduce.html && fail "a number is none"

# one paper, as JSON
exits 0 reproduce forced --json
absent page.html
"$JSON_KEYS" papers <out >/dev/null || fail "no JSON object with papers"
grep -q '"paper": "forced"' out || fail "the paper is not named"
grep -q '"paper": "energy"' out && fail "another paper is there"
exits 0 reproduce dirac order -q -o page.html
silent out
[ "$(grep -c '<article id=' page.html)" = 2 ] || fail "page.html does not have two papers"

# who errs less is judged, and a note says why the judgement is another than the paper's
exits 0 reproduce energy -o page.html
grep -q "sigma = 5: trajectory.*fixed better .*agrees" out || fail "the paper's judgement is not confirmed"
grep "zeta = 0.05: trajectory" out | grep -q "disagrees" || fail "another judgement is not marked"
grep -A1 "zeta = 0.05: trajectory" out | grep -q "growing steps" || fail "another judgement has no note"
grep -q "zeta = -0.01: the step  *uniformly decreasing .*agrees" out || fail "no negative damping"

# torn systems are joined by multipliers: close to the whole, not the same bits; with run times
exits 0 reproduce interconnection -o page.html
grep "torn and whole: positions" out | grep -q " 0.0e+00 apart" && fail "the ties were eliminated"
grep "run time, whole and torn" out | grep -q "0.0028, 0.0029 *[0-9]" || fail "no run times"

exits 1 reproduce forces
says "there is no paper 'forces'; did you mean 'forced'?"
exits 1 reproduce energy --json -o -
says "both write to standard output"
exits 3 reproduce forced -q -o missing/page.html
finish
