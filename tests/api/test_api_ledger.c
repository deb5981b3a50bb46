/* The power ledger, on every example with parts and with every scheme: connections give what
 * they take, and what a part stores is what it received and what forces did. */
#include "api_run.h"
#include "folder.h"

#include <stdbool.h>
#include <string.h>

typedef struct {
    double rest, net,
        moved; /* the largest of the accounts and of the passages, relative to what they hold */
    int status;
} outcome;

static void take_accounts(const dal_ledger *book, outcome *out)
{
    for (size_t i = 0; i < book->accounts; i++) {
        const dal_account *a = &book->account[i];
        double             rest = fabs(a->last - a->first - a->work - a->received);
        rest /= fmax(1, fmax(fabs(a->work), fabs(a->received)));
        if (!(rest <= out->rest)) out->rest = rest;
    }
    for (size_t i = 0; i < book->passages; i++) {
        const dal_passage *p = &book->passage[i];
        double             size = 0;
        for (size_t j = 0; j < p->sides; j++) size = fmax(size, fabs(p->side[j].work));
        double net = fabs(p->net) / fmax(1, size);
        if (!(net <= out->net)) out->net = net;
        out->moved = fmax(out->moved, size);
    }
}

static outcome keep(const char *path, const char *how, const char *scheme, const char *step)
{
    const setting set[] = {{"interconnection", how},
                           {"scheme", scheme},
                           {"step", step},
                           {"until", "0.6"},
                           {"ledger", "yes"},
                           {"retraction", "midpoint"},
                           {0}};
    outcome       out = {0};
    run           r = with_settings(set);
    out.status = (int)dal_model_load(r.cx, path, r.o, &r.m);
    if (!out.status) out.status = (int)try_simulation(&r);
    if (!out.status) out.status = (int)dal_run(r.s, NULL);
    if (!out.status) take_accounts(dal_ledger_of(r.s), &out);
    end(&r);
    return out;
}

static const struct {
    const char *scheme;
    int         order;
} rules[] = {
    {"midpoint", 2}, {"trapezoid", 2}, {"lobatto(3)", 4},   {"gauss(2)", 4},
    {"gauss(3)", 6}, {"radau(2)", 3},  {"rectangle(0)", 1}, {"compose(midpoint, suzuki(4))", 4}};
static const char *const ways[] = {"eliminate", "multipliers", "forces"};

static bool mentions(const char *path, const char *words)
{
    FILE *in = fopen(path, "r");
    char  text[8192];
    assert_non_null(in);
    text[fread(text, 1, sizeof text - 1, in)] = 0;
    fclose(in);
    return strstr(text, words);
}

/* How many runs of a model there were; wrong ones are told. What ties pass on is lossless; forces of
 * interaction, and joints of bodies, whose relations are curved, pass power on to the order of the
 * scheme. */
static int check_model(const char *path, int *wrong)
{
    int        runs = 0;
    const bool curved = mentions(path, "parts/bodies.dal");
    for (int k = 0; k < 24; k++) {
        const char *how = ways[k / 8], *scheme = rules[k % 8].scheme;
        outcome coarse = keep(path, how, scheme, "0.02"), fine = keep(path, how, scheme, "0.01");
        if (coarse.status || fine.status) continue;
        runs++;
        double order = fine.rest < 1e-12 ? HUGE_VAL : log2(coarse.rest / fine.rest);
        bool   lossless = fine.net <= 1e-13;
        if ((k / 8 == 2 || curved) && !lossless)
            lossless = coarse.net / fine.net > exp2(rules[k % 8].order - 0.6);
        if (lossless && order > rules[k % 8].order - 0.6) continue;
        /* far from its limit a scheme of first order need not show it yet */
        if (lossless && rules[k % 8].order == 1 && fine.rest < coarse.rest) continue;
        print_error("%s, %s, %s: rest %.2g, then %.2g; net %.2g, then %.2g\n", path, how, scheme,
                    coarse.rest, fine.rest, coarse.net, fine.net);
        ++*wrong;
    }
    return runs;
}

static int check_folder(const char *folder, int *wrong)
{
    const models all = models_of(folder);
    int          runs = 0;
    for (int i = 0; i < all.n; i++)
        if (mentions(all.path[i], "\n  part ")) runs += check_model(all.path[i], wrong);
    return runs;
}

static void accounts_of_every_example_close_with_every_scheme(void **state)
{
    (void)state;
    int wrong = 0, runs = check_folder(TEST_DATA "/../examples", &wrong);
    runs += check_folder(TEST_DATA "/connected", &wrong);
    assert_int_equal(wrong, 0);
    assert_true(runs > 200);
}

/* Forces, springs, inertia and Hamiltonians written outside the parts that they act on, two
 * levels deep. */
static void what_is_written_outside_a_part_is_received_by_it(void **state)
{
    (void)state;
    run r = with_settings((const setting[]){{"ledger", "yes"}, {"scheme", "gauss(3)"}, {0}});
    must(&r, dal_model_load(r.cx, TEST_DATA "/connected/levels.dal", r.o, &r.m));
    must(&r, try_simulation(&r));
    must(&r, dal_run(r.s, NULL));
    const dal_ledger *book = dal_ledger_of(r.s);
    const double      stored = measure(&r, "left_stored"), deep = measure(&r, "deep");
    for (size_t i = 0; i < book->accounts; i++) {
        const dal_account *a = &book->account[i];
        check_close(a->last - a->first, a->work + a->received, 1e-13);
        if (i) check_below(1e-3, fabs(a->received));
        if (!strcmp(a->part, "left")) check_close(a->last, stored, 1e-15);
        if (!strcmp(a->part, "right.a")) check_close(a->last, deep, 1e-15);
    }
    check_close(book->account[0].received, 0, 1e-15);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accounts_of_every_example_close_with_every_scheme),
        cmocka_unit_test(what_is_written_outside_a_part_is_received_by_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
