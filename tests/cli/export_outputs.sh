# Outputs and reactions of exported steppers are those of a run, and inputs that the model gives have
# no place.
. "$SOURCE/tests/cli/exported.sh"

# a program that prints what it can read, under the names of the columns of a run
cat >reads.c <<'END'
#include "stepper.h"
#include <stdio.h>
int main(void)
{
    static stepper_state s;
    double out[COUNT_OUT + 1], lam[COUNT_LAM + 1];
    stepper_init(&s);
    printf("%s\n", NAMES);
    for (int k = 0; k <= 40; k++) {
        if (k && stepper_step(&s)) return 1;
#if COUNT_OUT
        if (stepper_outputs(&s, out)) return 2;
#endif
#if COUNT_LAM
        if (stepper_reactions(&s, lam)) return 3;
#endif
        const double all[] = {VALUES};
        for (unsigned i = 0; i < sizeof all / sizeof *all; i++) printf("%s%.17g", i ? "," : "", all[i]);
        printf("\n");
    }
    return 0;
}
END
# reads FILE SCHEME COLUMNS C-EXPRESSIONS: to 1e-9 of the largest value of a column
reads() {
    "$DALEMBERT" export "$1" -o stepper.c -q --scheme "$2" --step 0.01 --project-start || { complain "$1 is not exported"; return; }
    outputs=$(sed -n 's/.*stepper_output_count = \([0-9]*\).*/\1/p' stepper.h)
    relations=$(sed -n 's/.*stepper_reaction_count = \([0-9]*\).*/\1/p' stepper.h)
    $cc -std=c99 $strict -O1 -ffp-contract=off -DCOUNT_OUT="${outputs:-0}" -DCOUNT_LAM="${relations:-0}" -DNAMES="\"$3\"" -DVALUES="$4" \
        reads.c stepper.c -lm -o reads || { complain "$1 $2 does not compile"; return; }
    ./reads >ours.csv || { complain "$1 $2: not determined, $?"; return; }
    "$DALEMBERT" run "$1" --scheme "$2" --step 0.01 --steps 40 --record 1 --project-start -q --columns "$3" -o run.csv || complain "$1 does not run"
    cut -d, -f2- run.csv | paste -d, ours.csv - | awk -F, -v what="$1 $2 $3" '
        NR > 1 { n = NF/2; for (i = 1; i <= n; i++) { d = $i - $(n + i); if (d < 0) d = -d; s = $(n + i) < 0 ? -$(n + i) : $(n + i)
            if ($i ~ /nan/ || $(n + i) ~ /nan/) bad = 1
            if (d > off[i]) off[i] = d; if (s > most[i]) most[i] = s } }
        END { for (i = 1; i <= n; i++) if (bad || off[i] > 1e-9*(most[i] + 1e-3) || most[i] == 0) {
                  print what ": column " i " is off by " off[i] " of " most[i]; wrong = 1 }
              exit wrong || NR != 42 }' || status=1
}

cat >rod.dal <<'END'
system Pendulum {
  parameter m = 1, g = 9.81, l = 1
  coordinate x, y
  lagrangian m/2*(x'^2 + y'^2) - m*g*y
  holonomic rod: x^2 + y^2 = (l + 0.1*sin(3*t))^2
  force x: -0.1*x'
  output tension = -2*l*rod, reach = x*y' - p(y)*y + t
  start x = 1, y = 0 free, x' = 0.3 free, y' = 1 free
}
END
reads rod.dal "gauss(2)" "tension,reach,rod" "out[stepper_out_tension],out[stepper_out_reach],lam[stepper_lam_rod]"
reads rod.dal "lobatto(3)" "rod" "lam[stepper_lam_rod]"

# ties that were eliminated, a massless end, a velocity relation, energies of parts
cat >joined.dal <<'END'
system Body {
  parameter m = 1
  coordinate x, y
  input push
  lagrangian m/2*(x'^2 + y'^2) - y^2/2 - x^4/4
  force x: push - 0.2*x'
}
system Link {
  coordinate a, b
  lagrangian -2*(a - b)^2
}
system Joined {
  input level = 1
  part left : Body(m = 2, push = level*sin(t))
  part right : Body(m = 3)
  part link : Link
  connect near: left.x = link.a
  connect far: right.x = 2*link.b
  constraint knife: left.y' = (1 + left.x^2)*right.y'
  output stored = energy(left), all = energy(link), pull = 2*near + far, drive = left.push
  start left.x = 1, right.y' = 0.5, left.y' = 1, right.x = 0.4
}
END
reads joined.dal "gauss(2)" "stored,all,pull,drive,near,far,knife" \
    "out[stepper_out_stored],out[stepper_out_all],out[stepper_out_pull],out[stepper_out_drive],lam[stepper_lam_near],lam[stepper_lam_far],lam[stepper_lam_knife]"
# what the model gives to a part cannot be set, by no name; the rest can
grep -q 'stepper_u_level' stepper.h && grep -q 'stepper_u_right_push' stepper.h || complain "inputs have no places"
grep -q 'stepper_u_left_push' stepper.h && complain "an input that the model gives has a place"

# Hamiltonian coordinates with relations
cat >wheel.dal <<'END'
system Wheel {
  coordinate x, y, th
  hamiltonian p(x)^2/(2*(1 + x^2)) + p(y)^2/2*(1 + 0.1*sin(t)) + p(th)^2/3 + (x^2 + y^2)/2
  force y: -0.1*y'
  constraint roll: x' = cos(th)*th'
  constraint slide: y' = 0.3*th' + 0.1*sin(t)
  output spin = th', push = p(x)
  start x = 1, th' = 1, x' = 1, y' = 0.3
}
END
reads wheel.dal "gauss(2)" "spin,push,roll,slide" \
    "out[stepper_out_spin],out[stepper_out_push],lam[stepper_lam_roll],lam[stepper_lam_slide]"
# single precision, C++, and models without either
"$DALEMBERT" export joined.dal -o narrow.c --float -q --step 0.01 || complain "--float fails"
$cc -std=c99 $strict -Wdouble-promotion -c narrow.c || complain "single precision does not compile"
if command -v "$cxx" >/dev/null; then $cxx -x c++ $strict -c stepper.c -o cpp.o || complain "it is no C++"; fi
if command -v clang >/dev/null; then clang -std=c99 -fsyntax-only $strict stepper.c narrow.c || complain "clang warns"; fi
printf 'system S {\n coordinate x\n lagrangian x'"'"'^2/2\n}\n' >plain.dal
"$DALEMBERT" export plain.dal -o plain.c --step 0.01 -q && ! grep -q 'outputs\|reactions(' plain.c ||
    complain "a model without outputs has functions for them"

# velocities that momenta do not determine: said so, and no number is made up
cat >loose.dal <<'END'
system Loose {
  coordinate x, y
  lagrangian x'^2/2 - (x - y)^2/2
  force y: -y'
  output speed = y'
  start x = 1
}
END
"$DALEMBERT" export loose.dal -o loose.c --step 0.01 -q --scheme "gauss(1)" || complain "loose.dal is not exported"
cat >asks.c <<'END'
#include "loose.h"
int main(void)
{
    loose_state s;
    double      out[loose_output_count];
    loose_init(&s);
    if (loose_step(&s)) return 1;
    return !(loose_outputs(&s, out) && out[0] != out[0]);
}
END
$cc -std=c99 $strict asks.c loose.c -lm -o asks && ./asks || complain "a velocity that is not determined is given"
leave
