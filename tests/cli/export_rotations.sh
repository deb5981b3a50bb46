# Exported C of rotations and directions, also of those that relations hold, has the bits of a compiled run, as C++
# too; in single precision it agrees to its own roundoff. A rotation is read, and turned, by its quaternion.
. "$SOURCE/tests/cli/exported.sh"
cat >pair.dal <<'END'
system Pair {
  parameter J[3] = [1, 2, 2.6], c = 0.1
  coordinate x[3], R : rotation, n : direction
  lagrangian dot(x', x')/2 + dot(bodyspin(R), diag(J)*bodyspin(R))/2 + dot(n', n')/2 - dot(x, x)/2
  lagrangian -2*dot(R*[0.3, 0.2, 1], n)*(1 + sin(t)/3)
  force R: -c*spin(R) + [0.1, 0, 0.2]*cos(t)
  output tip = x + R*[0, 0, 1], turn = dot(spin(R), n')
  start R = rotation([1, 2, -1], 0.7), bodyspin(R) = [0.4, -0.3, 1.5], n = [0.6, 0, -0.8], n' = [0, 0.3, 0], x = [0.1, 0, 0.2]
}
END
agrees examples/free_body.dal midpoint
agrees examples/heavy_top.dal "gauss(2)"
agrees examples/sphere.dal "lobatto(3)" n
agrees_here pair.dal midpoint n
agrees_here pair.dal "gauss(2)" n
$cxx -x c++ $strict -c stepper.c || complain "C++ does not compile"

# with relations: rolling, a body that cannot turn about one of its axes, joints
agrees examples/suslov.dal "gauss(2)"
agrees examples/turntable.dal midpoint
agrees examples/rattleback.dal "gauss(2)"
cat >joint.dal <<'END'
system Joint {
  parameter J[3] = [1, 2, 2.6]
  coordinate a[3], R : rotation, n : direction
  lagrangian dot(bodyspin(R), diag(J)*bodyspin(R))/2 + dot(a', a')/2 + dot(n', n')/2 - a[3]*R[1][3] - 2*n[3]
  holonomic joint: a = R*[0.3, 0.2, 1] - n
  output pull = joint, tip = a + R*[0, 0, 1]
  start R = rotation([1, 2, -1], 0.7), bodyspin(R) = [0.4, -0.3, 1.5], n = [0.6, 0, -0.8], n' = [0, 0.3, 0], a = [0, 0, 0] free
}
END
agrees_here joint.dal midpoint n
agrees_here joint.dal "gauss(2)" n
$cxx -x c++ $strict -c stepper.c || complain "C++ of joints does not compile"
"$DALEMBERT" export joint.dal -o light.c --main --float -q --scheme midpoint --step 0.01 --project-start 2>/dev/null &&
    $cc -std=c99 $strict -Wdouble-promotion -O2 light.c light_main.c -lm -o light && ./light 100 100 | tail -n 1 >light.csv &&
    "$DALEMBERT" run joint.dal -q --scheme midpoint --step 0.01 --steps 100 --project-start --columns a,R,n,energy -o full.csv 2>/dev/null ||
    complain "joints in single precision do not run"
tail -n 1 full.csv | paste -d, - light.csv | awk -F, '{ n = NF/2; for (i = 1; i <= n; i++) { d = $i - $(n + i); if (d*d > 1e-9) wrong++ } }
    END { exit wrong > 0 || NR != 1 }' || complain "joints in single precision: $(tail -n 1 full.csv) and $(cat light.csv)"
cat >pull.c <<'END'
#include "joint.h"

#include <stdio.h>

int main(void)
{
    double      out[joint_output_count];
    joint_state s;
    joint_init(&s);
    for (int k = 0; k < 50; k++)
        if (joint_step(&s)) return 1;
    if (joint_outputs(&s, out)) return 1;
    for (int k = 0; k < joint_output_count; k++) printf("%.11g\n", out[k]);
    return 0;
}
END
"$DALEMBERT" export joint.dal -o joint.c -q --scheme midpoint --step 0.01 --project-start 2>/dev/null &&
    $cc -std=c99 $strict pull.c joint.c -lm -o pull && ./pull >pulled || complain "reactions are not told"
"$DALEMBERT" run joint.dal -q --scheme midpoint --step 0.01 --steps 50 --project-start -o pull.csv 2>/dev/null \
    --columns "pull[1],pull[2],pull[3],tip[1],tip[2],tip[3]" || complain "joints do not run"
tail -n 1 pull.csv | tr , '\n' | sed 1d | awk '{ printf "%.11g\n", $1 }' | diff - pulled >differ ||
    complain "reactions differ: $(cat differ)"

"$DALEMBERT" export pair.dal -o narrow.c --main --float -q --scheme midpoint --step 0.01 &&
    $cc -std=c99 $strict -Wdouble-promotion -O2 narrow.c narrow_main.c -lm -o narrow && ./narrow 200 200 | tail -n 1 >narrow.csv &&
    "$DALEMBERT" run pair.dal -q --scheme midpoint --step 0.01 --steps 200 --columns x,R,n,energy -o wide.csv ||
    complain "single precision does not run"
tail -n 1 wide.csv | paste -d, - narrow.csv | awk -F, '{ n = NF/2; for (i = 1; i <= n; i++) { d = $i - $(n + i); if (d*d > 1e-9) wrong++ } }
    END { exit wrong > 0 || NR != 1 }' || complain "single precision: $(tail -n 1 wide.csv) and $(cat narrow.csv)"

cat >use.c <<'END'
#include "pair.h"

#include <stdio.h>

int main(void)
{
    double     out[pair_output_count], v[12];
    pair_state s;
    pair_init(&s);
    for (int k = 0; k < 50; k++)
        if (pair_step(&s)) return 1;
    if (pair_outputs(&s, out) || pair_velocities(&s, v)) return 1;
    for (int k = 0; k < pair_output_count; k++) printf("%.12g\n", out[k]);
    for (int i = 0; i < 4; i++) s.q[pair_quaternion_R + i] = i == 1 ? 2 : 0; /* half a turn, of any length */
    pair_restart(&s);
    printf("%g %g %g\n", s.q[pair_matrix_R], s.q[pair_matrix_R + 4], s.q[pair_matrix_R + 8]);
    return pair_step(&s);
}
END
"$DALEMBERT" export pair.dal -o pair.c -q --scheme midpoint --step 0.01 && $cc -std=c99 $strict use.c pair.c -lm -o use && ./use >used ||
    complain "outputs are not told"
"$DALEMBERT" run pair.dal -q --scheme midpoint --step 0.01 --steps 50 --columns "tip[1],tip[2],tip[3],turn" -o run.csv || complain "it does not run"
{ tail -n 1 run.csv | tr , '\n' | sed 1d | awk '{ printf "%.12g\n", $1 }'; echo "1 -1 -1"; } | diff - used >differ || complain "outputs differ: $(cat differ)"
leave
