# Results as pictures: which columns are drawn where, what is wrong with a result, and what needs
# gnuplot.
. "$(dirname "$0")/expect.sh"
oscillator
"$DALEMBERT" run oscillator.dal -q
"$DALEMBERT" run oscillator.dal -q --step 0.1 -o coarse.csv
awk 'BEGIN { print "t,up,p(up),down"; for (i = 0; i <= 100; i++) printf "%d,%d,%d,%d\n", i, 2*i, i, -i }' >line.csv

# text: 80 columns, plain, the extremes in the corners
exits 0 plot line.csv up
silent err
lines out 29 # the label, 25 rows of the frame, its floor, the ticks, t
sed -n 2p out | tail -c 4 | od -An -tx1 | grep -q "e2 a" ||
    fail "the line does not end in dots at the top right"
exits 0 plot line.csv up --ascii
LC_ALL=C grep -q '[^ -~]' out && fail "--ascii draws other characters"
[ "$(awk '{ if (length > n) n = length } END { print n }' out)" = 80 ] ||
    fail "a drawing is not 80 columns wide"
case $(sed -n 2p out) in "200 +"*"'") ;; *) fail "the line does not end at the top right" ;; esac
case $(sed -n 2p out) in "200 +'"*) fail "the line begins at the top" ;; esac
case $(sed -n 26p out) in "  0 +."*) ;; *) fail "the line does not begin at the bottom left" ;; esac
exits 0 plot line.csv down --ascii
case $(sed -n 2p out) in "   0 +'"*) ;; *) fail "the falling line does not begin at the top left" ;; esac
grep -q "^ *0 .*100$" out || fail "the ticks are not below the line's ends"
exits 0 plot line.csv up down
prints "● up   ○ down"
exits 0 plot line.csv up down --ascii
prints "* up   o down"
grep -q "$(printf '\033')" out && fail "colours without a terminal"
exits 0 plot line.csv up:down --equal
prints "down"
exits 0 plot line.csv -o drawn.txt
silent out
[ -s drawn.txt ] || fail "drawn.txt is empty"
"$DALEMBERT" plot - up <line.csv >out 2>err || fail "standard input is not read"

# by default the coordinates, and the energy's error below
exits 0 plot line.csv --gnuplot -
[ "$(grep -c '^\$panel' out)" = 1 ] || fail "the coordinates of line.csv are not up alone"
exits 0 plot oscillator.csv --gnuplot -
prints '$panel0_0 <<'
prints '$panel1_0 <<'
prints '"E − E₀"'
exits 0 plot oscillator.csv coarse.csv x --gnuplot -
prints 'title "oscillator"'
prints 'title "coarse"'
exits 0 plot oscillator.csv coarse.csv x "p(x)" --gnuplot -
prints 'title "coarse: p(x)"'

# states have a panel of their own below, one for each unit
cat >heat.dal <<'END'
system Heat {
  coordinate x "m"
  state T' "K" = x - T, z[3]' = cross([0, 0, 1], z), S' "K" = T - S
  lagrangian x'^2/2 - x^2/2
  output twice = 2*T
  start x = 1, z = [1, 0, 0]
}
simulate { scheme = gauss(2)
  step = 0.1
  until = 1 }
END
"$DALEMBERT" run heat.dal -q
exits 0 plot heat.csv --model heat.dal --gnuplot -
[ "$(grep -c '^\$panel' out)" = 7 ] || fail "not x, T, S, z and the energy are drawn of heat.csv"
prints '$panel1_1 <<' # T and S
prints '$panel2_2 <<' # z
prints '$panel3_0 <<' # E
exits 0 plot heat.csv oscillator.csv --gnuplot -
prints '$panel1_4 <<' # without units all five states
for columns in "p(x),x,T" "x,T"; do
    exits 0 run heat.dal -q --columns "$columns" -o some.csv
    exits 0 plot some.csv --gnuplot -
    prints "x"
done

# the script holds the data
exits 0 plot oscillator.csv x --gnuplot script.gp
silent out
for row in 2 52 102; do
    grep -qxF "$(cell oscillator.csv $row 1) $(cell oscillator.csv $row 2)" script.gp ||
        fail "the script lacks row $row"
done
exits 0 plot oscillator.csv "x:p(x)" --gnuplot - -o script.svg
prints 'set output "./script.svg"'
prints "$(cell oscillator.csv 52 2) $(cell oscillator.csv 52 3)"
exits 0 plot line.csv "error(down)" --gnuplot -
prints "100 -100"

# many rows are thinned, and no extreme is lost
awk 'BEGIN { print "t,y"; for (i = 0; i < 300000; i++) print i "," (i == 123457 ? 7 : i == 200001 ? -9 : sin(i)) }' >long.csv
exits 0 plot long.csv y --gnuplot -
prints "123457 7"
prints "200001 -9"
[ "$(wc -l <out)" -lt 10000 ] || fail "300000 rows are not thinned"
awk 'BEGIN { print "t,x,y"; for (i = 0; i < 200000; i++) print i "," cos(i/9) "," sin(i/9) }' >round.csv
exits 0 plot round.csv x:y --gnuplot -
[ "$(wc -l <out)" -lt 30000 ] || fail "a portrait of 200000 rows is not thinned"

# what stands in a result
printf 'a;b\r\n\r\n1;2\r\n2;;\r\n' >bad.csv
exits 1 plot bad.csv
says "bad.csv:4: 3 cells, but the header names 2 columns"
printf 'a;b\r\n\r\n1;2\r\n2;\r\n3;nan\r\n4;5\r\n' >gap.csv
exits 0 plot gap.csv
printf '"a, b" , "say ""x"""\n1, 2\n3, 4\n' >quoted.csv
exits 0 plot quoted.csv 'say "x"'
printf 't,x\n0,1\n1,two\n' >bad.csv
exits 1 plot bad.csv
says "bad.csv:3: 'two' in column x is not a number"
printf 't,x,status\n0,1,done\n1,2,done\n' >words.csv
exits 0 plot words.csv x
printf 't,x\n0,1\n1,2\n2' >cut.csv # half a line at the end of a run that goes on
exits 0 plot cut.csv
printf '0,1\n1,2\n' >bad.csv
exits 1 plot bad.csv
says "bad.csv:1: '0' is a number; the first line names the columns"
printf 't,x\n' >bad.csv
exits 1 plot bad.csv
says "bad.csv has no rows below its header"
: >bad.csv
exits 1 plot bad.csv
says "bad.csv is empty"
printf 'a\0b\n' >bad.csv
exits 1 plot bad.csv
says "bad.csv:1: this is not text"
printf 't\n1\n' >bad.csv
exits 1 plot bad.csv
says "has the column 't' only"
printf 't,x\n0,nan\n1,inf\n' >none.csv
exits 0 plot none.csv
printf 't,x\n0,5\n' >one.csv
exits 0 plot one.csv

# what stands on the command line
exits 1 plot
says "a file is missing"
exits 3 plot missing.csv x
says "cannot read missing.csv"
exits 3 plot . x
exits 1 plot line.csv dwon
says "line.csv has no column 'dwon'; did you mean 'down'?"
exits 1 plot line.csv up:velocity
says "line.csv has no column 'velocity'; it has t, up, p(up), down"
exits 1 plot line.csv "error(upp)"
says "did you mean 'up'?"
exits 1 plot line.csv "relative(up)"
says "error(up) does not divide by it"
exits 1 plot line.csv up --equal
says "--equal is for"
exits 1 plot line.csv up -o line.bmp
says ".svg, .png, .pdf or .txt"
exits 3 plot line.csv up -o no/such/folder.txt
says "cannot write no/such/folder.txt"
exits 1 run oscillator.dal --plot run.bmp
says ".svg, .png or .pdf"
exits 1 run oscillator.dal --plot run.svg -o -
says "add -o FILE"

# every format, and units at the axes
sed 's/coordinate x/coordinate x "m"/' oscillator.dal >metres.dal
exits 0 run metres.dal -q -o m.csv -o m.npy -o m.npz
exits 0 plot m.csv x energy
cp out plain
exits 0 plot m.npy x energy
cmp -s out plain || fail "m.npy is drawn as another picture than m.csv"
exits 0 plot m.npz x energy
cp out plain
exits 0 plot m.csv x energy --model metres.dal
cmp -s out plain || fail "m.npz is drawn as another picture than m.csv with its model"
[ "$(grep -c '└' out)" = 2 ] || fail "metres and the energy stand on one axis"
prints "x [m]"
exits 0 plot m.npz "error(x)" "relative(x)" "relative(energy)"
prints "x − x₀ [m]"
prints "(x − x₀)/|x₀|"
prints "(E − E₀)/|E₀|"
exits 0 plot m.npz "relative(energy)" --ascii
prints "(E - E0)/|E0|"
cat >pushed.dal <<'MODEL'
system Pushed {
  coordinate x "m"
  input u "N" = 0
  lagrangian x'^2/2
  force x: u
}
MODEL
printf 't,u\n0,1\n1,2\n' >u.csv
exits 0 run pushed.dal --step 0.1 --until 1 --input u=u.csv -q -o pushed.csv
exits 0 plot pushed.csv x u --model pushed.dal # units need no step, and inputs have them too
prints "x [m]"
prints "u [N]"
exits 3 plot m.csv x --model missing.dal
says "missing.dal"
printf 't [s], length [m] ,"mass [kg]",w[3]\n0,1,2,3\n1,2,3,5\n' >units.csv
exits 0 plot units.csv -o units.svg
[ "$(grep -o '>[a-z]* \[[a-z]*\]<' units.svg | sort | tr '\n' ' ')" = ">length [m]< >mass [kg]< >t [s]< " ] ||
    fail "the units of a header are not at the axes"
grep -qF ">w[3]<" units.svg || fail "an index is no unit"
exits 0 plot units.csv "length [m]"
prints "length [m]"
if "$DALEMBERT" run metres.dal -q -o m.h5 2>err; then
    exits 0 plot m.h5 x
    prints "x [m]"
    exits 0 plot m.h5 m.npz "x:p(x)"
    prints "m.npz"
fi
printf 'this is no array' >wrong.npy
exits 1 plot wrong.npy
says "wrong.npy is not a result"
head -c 700 m.npz >half.npz
exits 1 plot half.npz
says "half.npz is not a result"

# logarithms: decades as ticks, the size of errors, gaps where there is none
printf 'step,a,b\n0.1,1e-2,1e-4\n0.01,1e-4,1e-8\n0.001,1e-6,-1\n' >order.csv
exits 0 plot order.csv --log xy --ascii
prints "1e-8 +"
prints "1e-1"
exits 0 plot m.csv "error(p(x))" --log y
prints "|p(x) − p(x)₀|"
exits 1 plot order.csv --log z
says "the axes are x, y or xy"
exits 1 plot order.csv --slope 2
says "--slope is for --log xy"
exits 1 plot order.csv --log xy --slope two
says "give numbers"
exits 0 plot order.csv --log xy --slope 2,4 --gnuplot order.gp
[ "$(grep -c '^set object polygon' order.gp)" = 2 ] || fail "there are not two triangles"
grep -q "polygon from -2,-4.3 to -1.76,-4.3 to -1.76,-3.82" order.gp ||
    fail "a triangle of slope 2 below the first curve"

# pictures
mkdir empty
PATH="$here/empty" "$DALEMBERT" plot line.csv up -o line.svg >out 2>err </dev/null ||
    fail "an .svg needs gnuplot"
[ "$(grep -c 'class="curve"' line.svg)" = 1 ] || fail "line.svg has not one curve"
points=$(sed -n 's/.*class="curve".* d="M\([^"]*\)".*/\1/p' line.svg | wc -w)
[ "$points" = 202 ] || fail "the curve of line.svg has $points numbers instead of 202"
PATH="$here/empty" "$DALEMBERT" plot line.csv up -o line.png >out 2>err </dev/null
[ $? = 3 ] || fail "without gnuplot the exit code is not 3"
says "install the package gnuplot"
exits 0 plot line.csv up -o sized.svg --size 900x300 --xlabel "time & <more>" --ylabel height --title 'a "title"'
grep -q 'width="900" height="300"' sized.svg || fail "--size is not minded"
for words in "time &amp; &lt;more&gt;" height "a &quot;title&quot;"; do
    grep -qF ">$words<" sized.svg || fail "sized.svg lacks $words"
done
exits 0 plot line.csv up --ascii --size 60x20
[ "$(awk '{ if (length > n) n = length } END { print n }' out)" = 60 ] || fail "--size is not that of the text"
exits 1 plot line.csv up --size big
says "as in 800x500"
exits 0 plot gap.csv none.csv -o gap.svg
grep -q 'nan\|inf' gap.svg && fail "what is no number is drawn"
[ "$(sed -n 's/.*class="curve".* d="\([^"]*\)".*/\1/p' gap.svg | head -1 | tr -cd M | wc -c)" = 2 ] ||
    fail "a gap does not break the line"
exits 0 plot order.csv --log xy --slope 2 -o order.svg
grep -q '>10<tspan[^>]*>−8</tspan>' order.svg || fail "a decade is not typeset"
grep -q 'fill-opacity' order.svg || fail "no triangle"
exits 0 plot long.csv y -o long.svg
[ "$(wc -c <long.svg)" -lt 200000 ] || fail "300000 rows make $(wc -c <long.svg) bytes"
if command -v gnuplot >/dev/null; then
    exits 0 plot oscillator.csv coarse.csv -o o.svg -o o.png -o o.pdf --title "It's \`date\` an oscillator"
    silent err
    grep -q "<svg" o.svg || fail "o.svg is no picture"
    grep -q "It's \`date\` an oscillator" o.svg || fail "the title is not in o.svg"
    [ "$(grep -c 'class="curve"' o.svg)" = 4 ] || fail "o.svg has not four curves"
    head -c 4 o.png | grep -q PNG || fail "o.png is no picture"
    head -c 5 o.pdf | grep -q PDF || fail "o.pdf is no picture"
    exits 0 plot none.csv -o none.png
    silent err
    exits 0 plot line.csv up:down --equal -o equal.svg
    exits 0 run oscillator.dal --plot run.svg -o - -o run.csv
    says "              run.svg"
    cmp -s out run.csv || fail "words of the summary are among the rows"
    grep -q "E − E₀" run.svg || fail "run --plot does not draw the energy's error"
    exits 0 run metres.dal -q -o m.csv --plot run.svg
    grep -qF "x [m]" run.svg || fail "run --plot does not show the units of the model"
    exits 3 plot line.csv up -o no/such/folder.svg
    says "cannot write no/such/folder.svg"
fi
oscillator
exits 1 plot oscillator.dal
says "oscillator.dal is a model: 'dalembert run oscillator.dal --plot FILE.svg' runs and draws it"

# what happened at instants is marked where x is time
cp "$SOURCE/examples/time/bouncing_ball.dal" .
marks() { [ "$(grep -c 'class="event"' "$1")" = "$2" ] || fail "$what: $1 has $(grep -c 'class="event"' "$1") marks, expected $2"; }
exits 0 run bouncing_ball.dal -q -o ball.csv -o ball.npz --events events.csv --plot ball.svg
lines events.csv 34
marks ball.svg 32
grep -qF '<title>floor hits, t = 0.453229</title>' ball.svg || fail "$what: no mark has its name"
exits 0 plot ball.csv y -o ball.svg
marks ball.svg 0
exits 0 plot ball.csv y --events events.csv -o ball.svg
marks ball.svg 16
grep -q ', and [0-9]* more</title>' ball.svg || fail "$what: bounces that come to rest do not share a mark"
exits 0 plot ball.npz y -o ball.svg
marks ball.svg 16
exits 0 plot ball.csv "y:p(y)" --events events.csv -o ball.svg
marks ball.svg 0
exits 0 plot ball.csv y --events events.csv --ascii
prints "++----------^+"
prints "^ events"
exits 0 plot ball.csv y --events events.csv --gnuplot ball.gp
[ "$(grep -c '^set arrow' ball.gp)" -gt 10 ] || fail "$what: no arrows"
exits 1 plot ball.csv y --events ball.csv
says "ball.csv lists no events: 'run MODEL --events FILE' writes such a file"
exits 3 plot ball.csv y --events nowhere.csv
says "cannot read nowhere.csv"
printf 't,name,what\n1,"a ""b"", c\nd",hits\n' >odd.csv
exits 0 plot ball.csv y --events odd.csv -o ball.svg
marks ball.svg 1
printf 't,name,what\n1,"a' >odd.csv
exits 1 plot ball.csv y --events odd.csv
says "odd.csv: event 1 has no time, name and kind"
finish
