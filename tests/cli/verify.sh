# Convergence tables, equivalence, and the page of methods that the program writes.
. "$(dirname "$0")/expect.sh"

cat >driven.dal <<'MODEL'
system Driven {
  parameter c = 0.3
  coordinate x, y
  let V = x^4/4 + x*y + y^2
  lagrangian (1 + y^2)/2*x'^2 + y'^2/2 - V
  force x: -c*x' + cos(2*t)
  start x = 0.5, y' = 0.4
}
simulate {
  scheme = gauss(2)
  step = 0.1
  until = 2
}
MODEL

exits 0 converge driven.dal --schemes "lobatto(2..3), compose(midpoint, suzuki(4))" --steps 8..32 --until 1
prints "lobatto(2), order 2"
prints "lobatto(3), order 4"
prints "compose(midpoint, suzuki(4)), order 4"
[ "$(grep -c '^    order' out)" = 3 ] || fail "three schemes, each with its order"
near "$(awk '/lobatto\(3\)/ { on = 1 } on && /^    order/ { print $2; exit }' out)" 4 0.1
awk '/error in q/ { wide = length($0) } /^ +32 / && length($0) != wide { bad = 1 } END { exit bad }' out || fail "the columns of the table are not below their headings"
exits 0 converge driven.dal --steps 10,20 --json
prints '"claimed": 4'
exits 0 converge driven.dal --step 0.05 --until 1 # the coarsest
prints " 20        0.05"
prints "640    0.00156"
cat >edge.dal <<'MODEL'
system Edge {
  coordinate x, y, th
  lagrangian (x'^2 + y'^2)/2 + th'^2/4 - x/2
  constraint sin(th)*x' = cos(th)*y'
  force th: 0.4*sin(t)
  start x' = 1, th' = 0.3
}
simulate {
  force = trapezoid
  retraction = left
  step = 0.1
  until = 2
}
MODEL
# the reference is of full order all the same
exits 0 converge edge.dal --schemes "rectangle(0)" --steps 64..256
near "$(awk '/^    order/ { print $2 }' out)" 1 0.1
prints "gauss(8) in 768 steps"
# what is claimed is what this system allows
exits 0 converge edge.dal --schemes "midpoint" --steps 64..256
prints "midpoint, order 1"
exits 0 converge edge.dal --retraction midpoint --schemes "gauss(2)" --steps 16..64 # the file's rule for the forces counts
prints "gauss(2), order 2"
cat >predators.dal <<'MODEL'
system Predators {
  coordinate x, y
  lagrangian log(y)/x*x' - x + log(x) - y + log(y)
  start x = 1.5, y = 1.2
}
MODEL
exits 0 converge predators.dal --schemes "gauss(2)" --steps 32..128 --until 4
near "$(awk '/^    order/ { print $2 }' out)" 4 0.1
# those steps settle nowhere
exits 0 converge predators.dal --schemes "gauss(2)" --momentum papers --steps 32..128 --until 4
prints "gauss(2), order 2"
exits 1 converge driven.dal --schemes "lobatto(5..2)"
says "the smaller one first"
exits 1 converge driven.dal --schemes "midpoint,,gauss(2)"
says "a name is missing"
exits 1 converge driven.dal --steps 8..4
says "8..256 doubles"
exits 1 converge driven.dal --schemes "gaus(2)"
says "Did you mean gauss(2)?"
exits 1 converge driven.dal --plot order.bmp
says ".svg, .png or .pdf"
if command -v gnuplot >/dev/null; then
    exits 0 converge driven.dal --steps 8..32 --plot order.svg -q
    grep -q "<svg" order.svg || fail "order.svg is no picture"
fi

exits 0 check driven.dal --equivalence V
prints "agree to roundoff"
exits 0 check driven.dal --equivalence V --force trapezoid
prints "the motions differ"
exits 0 check driven.dal --equivalence "x^2*t"
prints "agree to roundoff"
exits 0 check driven.dal --equivalence "x*y' - y*x'" # two forces across the velocity
prints "in p - alpha dW/dv"
prints "weakly equivalent"
exits 0 check driven.dal --equivalence "x*y' - y*x'" --force trapezoid
prints "the motions differ"
exits 1 check driven.dal --equivalence "x'^2"
says "this is not linear in the velocities"
exits 1 check driven.dal --equivalence W
says "unknown name 'W'"
exits 1 check driven.dal --equivalence c
says "contains no coordinate"

exits 0 check driven.dal --variational-order
prints "order 4, against the exact motion"
for column in 2 3 4 5; do
    near "$(awk -v k=$column '$1 == "order" { print $k }' out)" 4 0.3
done
near "$(awk '$1 == "doubled" { print $NF }' out)" 0 1e-10
cp out powers
exits 0 check driven.dal --variational-order --json --scheme "shooting(taylor(3)) with simpson"
prints '"force_at_start"'
prints '"doubled": null'
exits 0 check driven.dal --duplicate
prints "copies apart"
near "$(awk '/^F/ { print $NF }' out)" 4 0.1
exits 0 check driven.dal --duplicate --json
prints "off_diagonal"
for column in 3 4 5; do
    near "$(awk -v k=$column '$2 == "powers" { print $k }' powers)" 4 0.3
done
exits 0 check driven.dal --variational-order --scheme "compose(midpoint, suzuki(4))"
near "$(awk '$1 == "order" { print $5 }' out)" 4 0.3
exits 0 methods --markdown
cmp -s out "$SOURCE/docs/methods.md" || fail "docs/methods.md is not what 'dalembert methods --markdown' writes"
finish

# a direction is its third axis: what is compared does not turn about it
cat >sphere.dal <<'MODEL'
system Sphere {
  coordinate n : direction
  lagrangian dot(n', n')/2 - n[3]
  start n = [0.6, 0, 0.8], n' = [0, 1, 0]
}
MODEL
exits 0 converge sphere.dal --schemes "gauss(3)" --steps 8,16,32 --until 2
for column in 2 3 4; do
    near "$(awk -v c=$column '/^    order/ { print $c; exit }' out)" 6 0.1
done
prints "gauss(8) in 96 steps"
