# faults.sh COMMAND: a small run of the command, each of whose allocations fails once.
. "$SOURCE/tests/cli/expect.sh"
cat >rod.dal <<'MODEL'
system Rod {
  parameter m = 1
  coordinate x, y
  lagrangian m/2*(x'^2 + y'^2)
}
MODEL
cat >arm.dal <<'MODEL'
import "rod.dal"
system Arm {
  parameter g = 9.81, c = 0.1
  part rod : Rod(m = 2)
  coordinate th, s
  input u
  let V = -g*cos(th)
  lagrangian th'^2/2 + s'^2/2 - V
  force th: -c*th'
  force s: u
  constraint rolls: s' = th'*cos(th)
  connect rod.x = s
  symmetry shift: rod.y -> 1
  output height = -cos(th)
  start th = 1
}
simulate {
  scheme = midpoint
  step = 0.05
  steps = 4
}
MODEL
printf 't,u\n0,0\n1,1\n' >load.csv
export XDG_CACHE_HOME="$here/cache" NO_COLOR=1

arm="$here/arm.dal" rod="$here/rod.dal"
changed=""
tries() { # ARGUMENT...: in a folder of its own, with the files that it changes
    rm -rf work
    mkdir -p work/child
    for file in $changed; do cp "$file" work/; done
    what="faults $*"
    (cd work && "$FAULTS" "$@") 2>err || fail "$what"
    cat err
}
result() { "$DALEMBERT" run arm.dal -q -o "$1" || fail "no $1"; }
with_hdf5() { "$DALEMBERT" run arm.dal -q -o try.h5 2>/dev/null && rm -f try.h5; }

case $1 in
run)
    tries run "$arm" -o a.csv -o a.npy -o a.npz --input u="$here/load.csv" --ledger --checkpoint a.ckpt --checkpoint-every 2
    tries run "$arm" --json --threads 1 -o a.csv
    with_hdf5 && tries run "$arm" -q -o a.h5
    tries run "$arm" -q --report a.html -o a.csv
    tries run "$arm" -q --plot a.svg -o a.csv
    tries run "$arm" -q --backend native -o a.csv
    ;;
energy)
    sed "s/\^2)$/^2) - (x^4 + y^2)/; s/^}/  start x = 1\n}/" rod.dal >spring.dal
    tries run "$here/spring.dal" -q --principle energy --step 0.1 --steps 3 -o a.csv
    ;;
resume)
    "$DALEMBERT" run arm.dal -q -o a.csv -o a.npy -o a.npz --checkpoint b.ckpt --steps 4
    changed="a.csv a.npy a.npz b.ckpt"
    tries resume b.ckpt
    tries resume b.ckpt --steps 6
    tries resume b.ckpt --steps 6 -o c.csv -o c.npz
    ;;
check)
    tries check "$arm" --equivalence V -o a.txt
    tries check "$arm" --json -o a.json
    ;;
show)
    tries show "$arm" -o a.txt
    tries show "$arm" --equations -o a.txt
    tries show "$arm" --json -o a.json
    ;;
converge)
    tries converge "$arm" --schemes midpoint --steps 4..8 --until 0.2
    tries converge "$arm" --schemes midpoint --steps 4..8 --until 0.2 --json --plot a.svg
    ;;
sweep)
    tries sweep "$arm" --grid g=9,10 --threads 1 -o a.csv
    tries sweep "$arm" --grid g=9,10 --threads 1 -o ./ --json
    with_hdf5 && tries sweep "$arm" --grid g=9,10 --threads 1 -q -o members.h5
    ;;
plot)
    result a.csv
    result a.npz
    with_hdf5 && result a.h5 && tries plot "$here"/a.h5 th -o a.txt
    tries plot "$here"/a.csv th:s -o a.txt --gnuplot a.gp
    tries plot "$here"/a.npz -o a.svg
    ;;
report)
    result a.npz
    result a.csv
    tries report "$here"/a.npz -o a.html
    tries report "$arm" --verify -o a.html
    tries report "$here"/a.csv --model "$arm" -o a.html
    ;;
export) tries export "$arm" --main -o a.c ;;
methods)
    tries methods -o a.txt
    tries methods --json -o a.txt
    ;;
reproduce) tries reproduce dirac -o a.html -q ;;
import)
    robot="$SOURCE/tests/urdf/rover.urdf"
    "$DALEMBERT" import "$robot" -o try.dal -q 2>/dev/null || exit 77 # libxml2 is optional
    tries import "$robot" -o a.dal -q
    ;;
cite) tries cite -o a.txt ;;
esac
finish
