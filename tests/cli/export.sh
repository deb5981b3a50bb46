# dalembert export: C that stands alone, without a warning, as C and as C++, with the bits of a compiled run.
cd "$(mktemp -d)" || exit 1
XDG_CACHE_HOME=$PWD/cache; export XDG_CACHE_HOME
status=0
complain() { echo "$*"; status=1; }
cc=${CC:-cc}; cxx=${CXX:-c++}
strict="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
same="-O2 -ftree-vectorize -ffp-contract=off -fno-math-errno -fno-builtin-pow -march=native"
case $(uname -m) in x86_64 | i?86) same="$same -mno-fma" ;; esac # gcc 12 contracts sums and differences in vectors even so

agrees() { agrees_here "$SOURCE/$1" "$2"; } # MODEL SCHEME

# the model's positions, bit for bit those of the compiled run, and its energy to roundoff
agrees_here() { # FILE SCHEME
    "$DALEMBERT" export "$1" -o stepper.c --main -q --scheme "$2" --step 0.01 --project-start || { complain "$1 is not exported"; return; }
    $cc -std=c99 $strict $same stepper.c stepper_main.c -lm -o stepper || { complain "$1 $2 does not compile"; return; }
    if command -v clang >/dev/null; then # which warns of other things
        clang -std=c99 -fsyntax-only $strict stepper.c stepper_main.c || complain "$1 $2: clang warns"
    fi
    ./stepper 40 >ours.csv || complain "$1 $2: the exported stepper fails"
    columns=$(head -n 1 ours.csv | cut -d, -f2-)
    "$DALEMBERT" run "$1" --scheme "$2" --step 0.01 --steps 40 --record 1 --project-start --backend native -q \
        --columns "$columns" -o run.csv 2>notes || complain "$1 does not run"
    if grep -q 'not compiled' notes; then echo "$1 $2 was not compiled here, and is not compared"; return; fi
    paste -d, ours.csv run.csv | awk -F, -v what="$1 $2" 'NR > 1 { n = NF/2
        for (i = 1; i < n; i++) if ($i != $(n + i) && !wrong++) print what ": row " NR - 1 ", column " i ": " $i " is not " $(n + i)
        d = $n - $NF; s = $NF < 0 ? -$NF : $NF; if ((d > 1e-11*(1 + s) || -d > 1e-11*(1 + s)) && !wrong++) print what ": energy " $n " is not " $NF }
        END { exit wrong > 0 }' || status=1
}
agrees examples/kepler.dal midpoint
agrees examples/kepler.dal trapezoid
agrees examples/double_pendulum.dal "gauss(2)"
agrees examples/slider_crank.dal midpoint
agrees examples/chaplygin_sleigh.dal "lobatto(3)"
agrees examples/henon_heiles.dal "gauss(3)"
agrees examples/van_der_pol.dal "lobatto(4)"
agrees examples/motor.dal midpoint
agrees examples/pendulum_links.dal "gauss(2)"
agrees examples/double_well.dal "compose(midpoint, yoshida(4))"
agrees tests/dirac/disk_bowl_hamiltonian.dal "gauss(2)"
agrees examples/double_pendulum.dal "gauss(3)"
agrees examples/chaplygin_sleigh.dal "gauss(3)"
agrees examples/cartesian_pendulum.dal "radau(2)"
agrees examples/cartesian_pendulum.dal "lobatto(3)"
agrees examples/double_well.dal "gauss(3)"
printf 'system Charging {\n parameter R = 2, C = 0.5\n coordinate q, x\n lagrangian x'"'"'^2/2 - q^2/(2*C) - (x - q)^2/2\n force q: 1 - R*q'"'"'\n start q = 1\n}\n' >charging.dal
agrees_here charging.dal "gauss(2)" # one coordinate has no inertia: its velocity is not known, the energy is

# as C++, and in single precision
"$DALEMBERT" export "$SOURCE/examples/slider_crank.dal" -o narrow.c --main --float -q || complain "--float fails"
"$DALEMBERT" export "$SOURCE/examples/oscillator.dal" --set c=1e-60 -o tiny.c --float -q && $cc -std=c99 $strict -c tiny.c || complain "a number below those of single precision does not compile"
$cc -std=c99 $strict -Wdouble-promotion -O2 narrow.c narrow_main.c -lm -o narrow || complain "single precision does not compile"
./narrow 50 >narrow.csv || complain "single precision does not run"
"$DALEMBERT" run "$SOURCE/examples/slider_crank.dal" --steps 50 --record 1 -q -o wide.csv --columns "$(head -n 1 narrow.csv | cut -d, -f2-)" 2>/dev/null
paste -d, narrow.csv wide.csv | awk -F, 'NR > 1 { n = NF/2; for (i = 1; i <= n; i++) { d = $i - $(n + i); if (d > 2e-3 || -d > 2e-3) wrong = 1 } }
    END { exit wrong }' || complain "single precision goes astray"
if command -v "$cxx" >/dev/null; then
    for file in stepper narrow; do $cxx -x c++ $strict -c $file.c -o cpp.o || complain "$file is no C++"; done
fi
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
"$DALEMBERT" export spring.dal -o spring.c --step 0.01 -q && $cc -std=c99 $strict use.c spring.c -lm -o use && ./use >used || complain "states cannot be set"
[ "$(cat used)" = "-0.416 2.000000 x" ] || complain "cos(2) and its energy are '$(cat used)'"
printf 'system A {\n coordinate b\n lagrangian b'"'"'^2 - b^2\n}\nsystem S {\n coordinate a_b, \316\261, \316\262, ___2\n part a : A\n lagrangian a_b'"'"'^2 + \316\261'"'"'^2 + \316\262'"'"'^2 + ___2'"'"'^2\n}\n' >alike.dal
"$DALEMBERT" export alike.dal -o alike.c --step 0.01 -q && $cc -std=c99 $strict -c alike.c || complain "names that are alike in C do not compile"
refused() { # WORDS ARGUMENTS...
    words=$1; shift
    "$DALEMBERT" export "$@" >out 2>&1; code=$?
    [ $code = 1 ] && grep -q "$words" out || complain "export $*: exit $code, $(head -n 1 out)"
}
refused 'energy principle' "$SOURCE/examples/papers/energy_well.dal"
refused 'unknowns' "$SOURCE/examples/lattice.dal"
refused 'name of a C file' spring.dal --step 0.01 -o spring.py
refused 'beginning of names' spring.dal --step 0.01 -o 3springs.c
[ -e 3springs.c ] && complain "a file was left behind"
cd / && rm -rf "$OLDPWD"
exit $status
