/* Ends of parts that nothing meets are warned of, where they make the part idle; what moves by
 * itself, is met by a term of another part, or has states inside, is not. */
#include "api_run.h"

#include <stdio.h>
#include <string.h>

static const char parts[] =
    "system Mass {\n  coordinate x\n  lagrangian x'^2/2\n}\n"
    "system Spring {\n  coordinate a, b\n  lagrangian -(b - a)^2/2 - (b - a)^4/4\n}\n"
    "system Damper {\n  coordinate a, b\n  let l = b - a\n  force l: -l'\n}\n"
    "system Grounded {\n  coordinate a, b\n  lagrangian -(b - a)^2/2 - a^2/2\n}\n"
    "system Plate {\n  coordinate q\n  lagrangian -q^2/2\n}\n"
    "system Leak {\n  coordinate q\n  lagrangian -q^2/2\n  force q: -q'\n}\n"
    "system Sliding {\n  coordinate a, b, z\n  force a: z\n  force b: -z\n"
    "  constraint z' = b' - a' - z\n}\n"
    "system Lag {\n  input u = 0\n  coordinate f\n  force f: u - f\n}\n"
    "system Wheels {\n  coordinate a, b\n  constraint a' + 2*b' = 0\n}\n";

typedef struct {
    const char *statements, *open; /* NULL: nothing is */
} assembly;

static void check_assembly(const assembly *of)
{
    char text[2000], message[100];
    snprintf(text, sizeof text, "%ssystem Whole {\n%s}\n", parts, of->statements);
    const setting set[] = {{"step", "0.1"}, {"until", "0.3"}, {0}};
    run           r = begin_text(text, set);
    int           found = 0, open = 0;
    snprintf(message, sizeof message, "'%s' is connected to nothing", of->open ? of->open : "");
    for (size_t i = 0; i < dal_message_count(r.cx); i++) {
        found += strstr(dal_message_at(r.cx, i).text, message) != NULL;
        open += strstr(dal_message_at(r.cx, i).text, "connected to nothing") != NULL;
    }
    if (found != (of->open != NULL) || open != found) fail_msg("%s", of->statements);
    end(&r);
}

static void idle_parts_are_warned_of(void **state)
{
    (void)state;
    static const assembly open[] = {
        {"part m : Mass\npart k : Spring\nconnect k.b = m.x\nstart m.x' = 1\n", "k.a"},
        {"part m : Mass\npart k : Spring\nconnect k.a = m.x\nstart m.x' = 1\n", "k.b"},
        {"part m : Mass\npart d : Damper\nconnect d.b = m.x\nstart m.x' = 1\n", "d.a"},
        {"part m[2] : Mass\npart k[2] : Spring\nconnect k[1].a = m[1].x\nconnect k[1].b = m[2].x\n"
         "connect k[2].a = m[2].x\nstart m[1].x' = 1\n",
         "k[2].b"},
        {"part m : Mass\npart c : Plate\nstart m.x' = 1\noutput twice = 2*c.q\n", "c.q"}};
    for (size_t i = 0; i < sizeof open / sizeof *open; i++) check_assembly(&open[i]);
}

static void parts_that_have_an_effect_are_not(void **state)
{
    (void)state;
    static const assembly sound[] = {
        {"part m : Mass\npart k : Spring\nconnect k.b = m.x\nconnect k.a = 0\nstart m.x' = 1\n", 0},
        {"part m : Mass\npart k : Spring\nconnect k.b = m.x\nlagrangian -k.a^2\nstart m.x' = 1\n",
         0},
        {"part m : Mass\npart k : Grounded\nconnect k.b = m.x\nstart m.x' = 1\n", 0},
        {"part m : Mass\npart k : Sliding\nconnect k.b = m.x\nconnect k.a = 0\nstart m.x' = 1\n",
         0},
        {"part m : Mass\npart f : Lag(u = m.x)\nforce m.x: -f.f\nstart m.x' = 1\n", 0},
        {"part m : Mass\npart w : Wheels\nconnect w.a = m.x\nstart m.x' = 1\n", 0},
        {"part m : Mass\npart c : Leak\nstart m.x' = 1, c.q = 1\n", 0},
        {"part m[3] : Mass\nstart m[1].x' = 1\n", 0}};
    for (size_t i = 0; i < sizeof sound / sizeof *sound; i++) check_assembly(&sound[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idle_parts_are_warned_of),
        cmocka_unit_test(parts_that_have_an_effect_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
