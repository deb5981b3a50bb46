/* test_step_lu.c - the linear solver of compiled steps, as the C that it is. */
#include "check.h"
#include "step/words.h"

#include <string.h>

#include "step/judge.h"

#define PIECE static
#define FIRST_MULTIPLIER N
#define CONSTANT 0
#define JOINED(a, b) a##_##b
#define WITH(a, b) JOINED(a, b)
#define SIZED(name) WITH(name, N)

#define N 1
#include "step_lu.h"
#undef N
#define N 2
#include "step_lu.h"
#undef N
#define N 3
#include "step_lu.h"
#undef N
#define N 6
#include "step_lu.h"
#undef N
#define N 7
#include "step_lu.h"
#undef N
#define N 16
#include "step_lu.h"
#undef N
#define N 17
#include "step_lu.h"
#undef N
#define N 37
#include "step_lu.h"
#undef N

static void systems_of_every_kind_are_solved(void **state)
{
    (void)state;
    solves_1(), solves_2(), solves_3(), solves_6(), solves_7(), solves_16(), solves_17(),
        solves_37();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(systems_of_every_kind_are_solved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
