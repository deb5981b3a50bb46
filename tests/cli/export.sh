# dalembert export: C that stands alone, without a warning, as C and as C++; export_*.sh compare its
# bits.
. "$SOURCE/tests/cli/exported.sh"
agrees examples/slider_crank.dal midpoint

# as C++, and in single precision
"$DALEMBERT" export "$SOURCE/examples/slider_crank.dal" -o narrow.c --main --float -q ||
    complain "--float fails"
"$DALEMBERT" export "$SOURCE/examples/oscillator.dal" --set c=1e-60 -o tiny.c --float -q && $cc -std=c99 $strict -c tiny.c ||
    complain "a number below those of single precision does not compile"
$cc -std=c99 $strict -Wdouble-promotion -O2 narrow.c narrow_main.c -lm -o narrow ||
    complain "single precision does not compile"
./narrow 50 >narrow.csv || complain "single precision does not run"
"$DALEMBERT" run "$SOURCE/examples/slider_crank.dal" --steps 50 --record 1 -q -o wide.csv \
    --columns "$(head -n 1 narrow.csv | cut -d, -f2-)" 2>/dev/null
paste -d, narrow.csv wide.csv | awk -F, 'NR > 1 { n = NF/2
        for (i = 1; i <= n; i++) { d = $i - $(n + i); if (d > 2e-3 || -d > 2e-3) wrong = 1 } }
    END { exit wrong }' || complain "single precision goes astray"
if command -v "$cxx" >/dev/null; then
    for file in stepper narrow; do $cxx -x c++ $strict -c $file.c -o cpp.o ||
        complain "$file is no C++"; done
fi
# the files of src/step stand in it as they are, in either precision
holds() { # STEPPER FILE
    line=$(grep -nF -m 1 "$(head -n 1 "$SOURCE/src/step/$2")" "$1" | cut -d: -f1)
    [ -n "$line" ] && tail -n +"$line" "$1" | head -c "$(wc -c <"$SOURCE/src/step/$2")" | cmp -s - "$SOURCE/src/step/$2" ||
        complain "$1 does not hold $2"
}
for file in numbers.h lu_rows.h sum.h; do holds stepper.c $file; holds narrow.c $file; done
nm stepper 2>/dev/null | grep -q ' [BD] stepper_' && complain "there are globals"
grep -q 'malloc\|alloca' stepper.c && complain "it allocates"

# what is set by hand, and what fails
cat >use.c <<'END'
#include "spring.h"
#include <math.h>
#include <stdio.h>
int main(void)
{
    spring_state s;
    spring_init(&s);
    s.par[spring_par_k] = 4;
    s.q[spring_q_x] = 1, s.v[spring_q_x] = s.p[spring_q_x] = 0;
    spring_restart(&s);
    for (int k = 0; k < 100; k++) if (spring_step(&s)) return 1;
    printf("%.3f %.6f %s\n", s.q[0], spring_energy(&s), spring_name(0));
    s.q[0] = NAN;
    const double p = s.p[0];
    return !(spring_step(&s) != 0 && s.p[0] == p && s.k == 100);
}
END
printf 'system S {\n parameter k = 1\n input push\n coordinate x\n lagrangian x'"'"'^2/2 - k*x^2/2\n force x: push\n start x = 0\n}\n' >spring.dal
"$DALEMBERT" export spring.dal -o spring.c --step 0.01 -q && $cc -std=c99 $strict use.c spring.c -lm -o use && ./use >used ||
    complain "states cannot be set"
[ "$(cat used)" = "-0.416 2.000000 x" ] || complain "cos(2) and its energy are '$(cat used)'"
printf 'system A {\n coordinate b\n lagrangian b'"'"'^2 - b^2\n}\nsystem S {\n coordinate a_b, \316\261, \316\262, ___2\n part a : A\n lagrangian a_b'"'"'^2 + \316\261'"'"'^2 + \316\262'"'"'^2 + ___2'"'"'^2\n}\n' >alike.dal
"$DALEMBERT" export alike.dal -o alike.c --step 0.01 -q && $cc -std=c99 $strict -c alike.c ||
    complain "names that are alike in C do not compile"
refused() { # WORDS ARGUMENTS...
    words=$1; shift
    "$DALEMBERT" export "$@" >out 2>&1; code=$?
    [ $code = 1 ] && grep -q "$words" out || complain "export $*: exit $code, $(head -n 1 out)"
}
refused 'unknowns' "$SOURCE/examples/lattice.dal"
refused 'name of a C file' spring.dal --step 0.01 -o spring.py
refused 'beginning of names' spring.dal --step 0.01 -o 3springs.c
[ -e 3springs.c ] && complain "a file was left behind"
leave
