# seeds.sh PROGRAM SOURCE FOLDER: what the fuzzers begin with: the models of the tree, checkpoints
# of small runs, and tables and results in every format. The folder gets one for each fuzzer.
set -eu
program=$1 source=$2 folder=$3
mkdir -p "$folder/language" "$folder/checkpoint" "$folder/tables" "$folder/results"
for file in "$source"/examples/*.dal "$source"/tests/models/*.dal "$source"/tests/lang/*/*.dal \
    "$source"/tests/dirac/*.dal "$source"/tests/connected/*.dal; do
    [ "$(wc -c <"$file")" -lt 3000 ] || continue
    cp "$file" "$folder/language/$(basename "$(dirname "$file")")_$(basename "$file")"
done

cd "$folder"
cat >free.dal <<'M'
system Free {
  coordinate x
  lagrangian x'^2/2 - x^4
  start x = 1
}
M
cat >held.dal <<'M'
system Held {
  parameter a = 1
  coordinate x, y
  input u
  lagrangian (x'^2 + y'^2)/2 - y
  force x: u
  holonomic c: x^2 + y^2 = a
  output h = y
  start x = 1
}
M
cat >ball.dal <<'M'
system Ball {
  coordinate x, y
  discrete n = 0
  lagrangian (x'^2 + y'^2)/2 - 10*y - abs(x)
  contact floor: y >= 0 restitution 0.5 friction 0.3 along x
  when x' < 0 { n = n + 1 }
  start y = 0.02, x' = 0.1
}
M
checkpoint() { # NAME MODEL OPTION...
    name=$1
    shift
    "$program" run "$@" --step 0.05 --steps 4 -q -o x.csv --checkpoint "checkpoint/$name"
}
checkpoint implicit free.dal
checkpoint explicit free.dal --scheme trapezoid
checkpoint energy free.dal --principle energy
checkpoint composed free.dal --scheme "compose(midpoint, yoshida(4))"
checkpoint held held.dal
checkpoint ledger held.dal --scheme "lobatto(3)" --ledger
checkpoint events ball.dal
checkpoint papers held.dal --momentum papers --principle dirac-

# the first byte of a table chooses how it is read
for suffix in csv npy npz; do "$program" run free.dal --step 0.1 --steps 5 -q -o x.$suffix; done
{ printf '\000'; cat x.csv; } >tables/csv
{ printf '\001'; cat x.npy; } >tables/npy
{ printf '\002'; cat x.npz; } >tables/npz
printf '\000"a;b";c\n1;2\n\n3;"4"\n' >tables/quoted
printf '\000\357\273\277t\tx\r\n1\t2\r\n' >tables/tabs
printf '\003t,u\n0,1\n1,2\n' >tables/input
printf '\0030,1\n1,2\n' >tables/plain
printf '\003a,t,u\nx,0,1e3\n,1,-2\n' >tables/three

# the first byte of a result chooses its format, and how many rows are to stay
"$program" run free.dal --step 0.1 --steps 5 -q -o x.h5 2>/dev/null || printf 'no HDF5' >x.h5
for kind in 0:csv 1:npy 2:npz 3:h5; do
    { printf "\\00${kind%:*}"; cat "x.${kind#*:}"; } >"results/${kind#*:}"
    { printf "\\00$((${kind%:*} + 4))"; cat "x.${kind#*:}"; } >"results/all_${kind#*:}"
done
