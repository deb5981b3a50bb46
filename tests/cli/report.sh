# Pages: from models, from results that know their model, from those that are told it; what they
# say, and what they refuse.
. "$(dirname "$0")/expect.sh"
cat >pendulum.dal <<'MODEL'
# <b> & "quotes" stay what they are
system Pendulum {
  parameter m = 1, l = 1, g = 9.81
  coordinate theta "rad"
  lagrangian m/2*l^2*theta'^2 + m*g*l*cos(theta)
  draw line(0, 0, l*sin(theta), -l*cos(theta))
  draw text(0, 0.1) "</script> & more"
  start theta = 1
}
simulate {
  scheme = gauss(2)
  step = 0.05
  until = 4
}
MODEL
has() { grep -qF -- "$2" "$1" || fail "$what: $1 lacks '$2'"; }
lacks() { ! grep -qF -- "$2" "$1" || fail "$what: $1 has '$2'"; }
count() { [ "$(grep -o -- "$2" "$1" | wc -l)" = "$3" ] ||
    fail "$what: $1 has $(grep -o -- "$2" "$1" | wc -l) times '$2', expected $3"; }

exits 0 report pendulum.dal
prints "pendulum.html"
has pendulum.html "<title>Pendulum"
has pendulum.html "<math displaystyle"
has pendulum.html "&lt;b&gt; &amp; &quot;quotes&quot; stay"
has pendulum.html "not measured"
has pendulum.html "polynomial(2) with gauss(2)"
has pendulum.html '{"name":"theta","unit":"rad"}'
has pendulum.html '"words":"\u003c/script> & more"'
has pendulum.html '"frames":['
has pendulum.html "default-src 'none'"
lacks pendulum.html "{{"
lacks pendulum.html "inSpace =" # nothing of it is in space
lacks pendulum.html "Three.js Authors"
count pendulum.html "<script" "$(grep -o -- '</script>' pendulum.html | grep -c .)"
count pendulum.html '^\[' 85 # 81 frames and 4 columns
count pendulum.html "<section" 4

# options of a run, and the order measured
exits 0 report pendulum.dal --scheme trapezoid --set l=2 --verify -o v.html -q
silent out
has v.html "order observed in q"
has v.html "l = 2"
has v.html "scheme = trapezoid"
grep -o 'order observed in q</th><td class="value"><span class="good">✓</span> [0-9.]*' v.html | sed 's/.* //' >order
near "$(cat order)" 2 0.2

# results that know their model give the same page, but for how long it took
exits 0 run pendulum.dal -q -o p.csv -o p.npz
exits 0 report p.npz -o a.html
for page in pendulum.html a.html; do sed -n '/<script type="application\/json"/,/<\/script>/p' $page >$page.data; done
cmp -s pendulum.html.data a.html.data || fail "the numbers of a file and of a run differ"
exits 0 report p.csv --model pendulum.dal -o b.html
sed -n '/<script type="application\/json"/,/<\/script>/p' b.html >b.html.data
cmp -s b.html.data a.html.data || fail "a CSV with its model gives other numbers"
has b.html "contains only rows"
exits 0 report p.npz pendulum.dal -o c.html
count c.html 'type="application/json"' 2
count c.html 'id="plots2"' 1
if "$DALEMBERT" run pendulum.dal -q -o p.h5 2>/dev/null; then
    exits 0 report p.h5 -o d.html
    sed -n '/<script type="application\/json"/,/<\/script>/p' d.html | grep -q '"frames"' ||
        fail "no frames from HDF5"
fi

# long results keep their extremes: one row in 200000 stands out
awk 'BEGIN { print "t,x,energy"; for (i = 0; i < 200000; i++) print i * 0.001 "," (i == 123456 ? 7.25 : sin(i * 0.37)) "," (i == 77777 ? -3.5 : 1) }' >long.csv
sed 's/theta/x/g; /draw/d' pendulum.dal >x.dal
exits 0 report long.csv --model x.dal -o long.html
has long.html "of 200000 rows"
has long.html ",7.25,"
has long.html ",-4.5,"
[ "$(wc -c <long.html)" -lt 1000000 ] ||
    fail "a long result makes a page of $(wc -c <long.html) bytes"

# what is no number is a gap
printf 't,x\n0,1\n1,nan\n2,inf\n3,2\n' >gap.csv
exits 0 report gap.csv --model x.dal -o gap.html
has gap.html "[0,null,null,1]"

# a run makes its page itself, whatever its files are
exits 0 run pendulum.dal -q -o r.csv --report r.html
has r.html '"frames":['
has r.html "power balance"
exits 0 run pendulum.dal -q -o r.npz --report s.html
for page in r.html s.html; do sed -n '/<script type="application\/json"/,/<\/script>/p' $page >$page.data; done
cmp -s r.html.data s.html.data || fail "CSV and .npz make different pages"
cmp -s r.html.data pendulum.html.data || fail "run --report and report differ"
exits 1 run pendulum.dal -o - --report r.html
says "add -o FILE"

# a run that fails is reported too
failing
exits 0 report fails.dal
has fails.html "failed"

# the table of a sweep: its members' statistics, and one picture for each result
exits 0 sweep x.dal --grid "l=1..2/5" --until 1 -q -o members.csv
exits 0 report members.csv -o members.html
has members.html "5 members"
count members.html "<svg" 4 # x, p(x), energy, energy_drift over l
count members.html "<circle" 20
has members.html '<th scope="row">l</th><td>1.5</td><td>0.353553</td><td>1</td><td>1.5</td><td>2</td>'
lacks members.html "nan"

# what goes wrong
exits 1 report p.csv
says "p.csv does not say which model it belongs to"
exits 1 report p.npz --step 0.1
says "this is a finished result"
exits 1 report pendulum.dal --model pendulum.dal
says "--model is for results"
exits 1 report pendulum.dal -o a.html -o b.html
says "give -o once"
exits 3 report nowhere.npz
says "cannot read nowhere.npz"
exits 3 report pendulum.dal -o nowhere/a.html
says "cannot write nowhere/a.html"
sed 's/theta = 1/thta = 1/' pendulum.dal >typo.dal
exits 1 report typo.dal
says "did you mean 'theta'"
absent typo.html
exits 1 report
says "is missing"
# a run that fails has its page too
cat >wall.dal <<'MODEL'
system Wall {
  coordinate x
  lagrangian x'^2/2 - log(x)
  start x = 1, x' = -1
}
MODEL
exits 2 run wall.dal --step 0.05 --until 5 --report wall.html
[ -s wall.html ] || fail "$what: no page"
# of many columns, outputs are on the page: it opens on them
cat >wide.dal <<'MODEL'
system Wide {
  coordinate x[200]
  lagrangian sum(k in 1..200: x[k]'^2/2)
  output far = x[200]
  start x[200]' = 1
}
MODEL
exits 0 report wide.dal --step 0.1 --steps 3 -q -o wide.html
has wide.html "64 of 403 columns"
has wide.html '{"name":"far"'
has wide.html '"outputs":[62]'

# a picture in space: figures of vectors and rotations, of a run, of a file, and without three.js
cat >body.dal <<'MODEL'
system Body {
  coordinate x[3], R : rotation, n : direction
  lagrangian dot(x', x')/2 + dot(spin(R), spin(R))/2 + dot(n', n')/2
  draw box(x, R, [1, 2, 3])
  draw arrow(x, x + n) "red"
  draw text(x) "</script><b>&"
  start x = [4, 5, 6], x' = [1, 0, 0], n = [0, 0.6, 0.8], n' = [1, 0, 0], spin(R) = [0, 0, 2]
}
simulate {
  step = 0.1
  until = 1
}
MODEL
exits 0 report body.dal -q -o body.html
has body.html '"dimensions":3'
has body.html '{"figure":"box","first":0,"count":15,"words":""}'
has body.html '"words":"\u003c/script>\u003cb>&"'
has body.html '[4,5,6,1,0,0,0,1,0,0,0,1,1,2,3,4,5,6,4,5.6,6.8,4,5,6]'
has body.html "inSpace ="
if grep -q "npm/three.js" "$BUILD/embedded.c"; then has body.html "Three.js Authors"; fi
[ "$(wc -c <body.html)" -lt 1000000 ] || fail "a page in space has $(wc -c <body.html) bytes"
count body.html "<script" "$(grep -o -- '</script>' body.html | grep -c .)"
exits 0 run body.dal -q -o body.npz -o body.csv
exits 0 report body.npz -q -o kept.html
exits 0 report body.csv --model body.dal -q -o told.html
for page in body.html kept.html told.html; do sed -n '/"drawings"/,/<\/script>/p' $page >$page.data; done
cmp -s body.html.data kept.html.data || fail "a run and its .npz draw different pictures"
cmp -s body.html.data told.html.data || fail "a run and its .csv draw different pictures"
exits 0 report body.dal --columns "x, n" -q -o less.html # R was not recorded
lacks less.html '"frames"'
"$STILL" report body.dal -q -o bare.html || fail "a page in space without three.js"
has bare.html "inSpace ="
lacks bare.html "Three.js Authors"

# more figures than a page holds: those that come first
cat >many.dal <<'MODEL'
system Many {
  coordinate x[3]
  lagrangian dot(x', x')/2
  for k in 1..60000 { draw point(x + [k, 0, 0]) }
  start x' = [1, 0, 0]
}
MODEL
exits 0 report many.dal --step 0.1 --steps 20 -q -o many.html
has many.html '"figures":60000'
count many.html '"figure":"point"' 50000
[ "$(wc -c <many.html)" -lt 9000000 ] || fail "many figures make a page of $(wc -c <many.html) bytes"

# a program without uPlot draws pictures: of a model, of a result, of both
what="a page without uPlot"
"$STILL" report pendulum.dal p.npz -o still.html -q >out 2>err || fail "$what: exit code $?"
silent err
count still.html "<figure><svg" 2
has still.html "theta [rad]"
lacks still.html "uPlot ="
# equations that nobody would read are left out: of an arm of six joints they take 15 MB
exits 0 report "$SOURCE/examples/arm.dal" -q --until 0.05 -o arm.html
grep -q "The equations would take" arm.html || fail "arm.html does not say that it lacks the equations"
[ "$(wc -c <arm.html)" -lt 4000000 ] || fail "arm.html has $(wc -c <arm.html) bytes"
# events stand beside the numbers, of finished results too
exits 0 report "$SOURCE/examples/time/bouncing_ball.dal" -q -o ball.html
has ball.html '"events":[[0.45322899953,"floor hits",1],'
exits 0 run "$SOURCE/examples/time/bouncing_ball.dal" -q -o ball.npz
exits 0 report ball.npz -q -o ball.html
has ball.html '"events":[[0.45322899953,"floor hits",1],'
finish
