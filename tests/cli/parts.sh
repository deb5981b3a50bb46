# Imports find the parts: beside the program as built and as installed, in DALEMBERT_PATH, and
# beside the file first.
. "$(dirname "$0")/expect.sh"
cat >swing.dal <<'MODEL'
import "parts/mechanical.dal"
system Swing {
  part mass : Mass
  part spring : Spring(k = 4)
  part wall : Wall
  connect spring.b = mass.x
  connect spring.a = wall.x
  start mass.x = 1
}
simulate {
  scheme = gauss(4)
  step = 0.1
  until = 1
  columns = mass.x
}
MODEL
exits 0 run swing.dal -q
near "$(last swing.csv 2)" -0.41614683654714241 1e-12 # cos 2

mkdir -p mine/parts
sed 's/m\/2\*x/4*m\/2*x/' "$SOURCE/share/parts/mechanical.dal" >mine/parts/mechanical.dal
DALEMBERT_PATH="/nowhere:$here/mine" exits 0 run swing.dal -q
near "$(last swing.csv 2)" 0.54030230586813977 1e-12 # cos 1: the heavier mass
cp -r mine/parts parts
exits 0 run swing.dal -q
near "$(last swing.csv 2)" 0.54030230586813977 1e-12
rm -r parts

mkdir -p prefix/bin prefix/share
cp "$DALEMBERT" prefix/bin/dalembert
cp -r "$SOURCE/share" prefix/share/dalembert
DALEMBERT=$here/prefix/bin/dalembert
exits 0 run swing.dal -q
near "$(last swing.csv 2)" -0.41614683654714241 1e-12
rm -r prefix/share
sed 's/mechanical/mechanicle/' swing.dal >misspelt.dal
exits 3 run misspelt.dal
says "there is no file 'parts/mechanicle.dal'"
finish
