/* test_model_names.c - names are made from the tree of parts when they are asked for, and lead back
 * to where they came from. */
#include "check.h"

#include "model/model.h"

#include <string.h>

/* whole: coordinate z, parts row[0..1]; row: coordinate u[2][3] "m", w; relation rod[5..6] */
typedef struct {
    mem     m;
    jmp_buf full;
    model  *md;
} fixture;

static const extent rows[] = {{0, 1, 0}}, grid[] = {{1, 2, 0}, {1, 3, 0}}, rods[] = {{5, 6, 0}};
static const source file = {"tree.dal", "a\nb\nc\n", 6};

static member of_kind(member_kind kind, const char *word, const extent *x, int dims, int offset,
                      int count)
{
    return (member){.kind = kind,
                    .word = word,
                    .dims = dims,
                    .extent = (extent *)x,
                    .offset = offset,
                    .count = count};
}

static void make(fixture *f)
{
    mem *m = &f->m;
    mem_init(m, mem_heap_default());
    m->guard = &f->full;
    if (setjmp(f->full)) fail_msg("out of memory");
    layout *whole = mem_array(m, 1, layout), *row = mem_array(m, 1, layout);
    whole->members = 2, whole->member = mem_array(m, 2, member);
    whole->member[0] = of_kind(MEMBER_COORDINATE, "z", NULL, 0, 0, 1);
    whole->member[1] = of_kind(MEMBER_PART, "row", rows, 1, 0, 2);
    row->members = 3, row->member = mem_array(m, 3, member);
    row->member[0] = of_kind(MEMBER_COORDINATE, "u", grid, 2, 0, 6);
    row->member[0].label = "m";
    row->member[1] = of_kind(MEMBER_COORDINATE, "w", NULL, 0, 6, 1);
    row->member[2] = of_kind(MEMBER_RELATION, "rod", rods, 1, 0, 2);
    f->md = mem_array(m, 1, model);
    vec_push(m, f->md->parts, (part){.shape = whole, .parent = -1, .member = -1});
    for (int i = 0; i < 2; i++) {
        part p = {.shape = row, .parent = 0, .member = 1, .offset = i};
        p.base[MEMBER_COORDINATE] = 1 + 7 * i, p.base[MEMBER_RELATION] = 3 * i,
        p.base[MEMBER_PART] = 2;
        vec_push(m, f->md->parts, p);
        vec_push(m, f->md->child, i + 1);
        for (int k = 0; k < 3; k++) /* two with a name, and one without */
            vec_push(m, f->md->relation,
                     (relation){.kind = REL_VELOCITY,
                                .at = {&file, 4, 5},
                                .part = i + 1,
                                .member = k < 2 ? 2 : -1,
                                .offset = k < 2 ? k : i});
    }
    f->md->coordinates = 15, f->md->relations = 6;
}

static void check_name(fixture *f, member_kind kind, int index, const char *want)
{
    text word = text_new(&f->m);
    model_name(f->md, kind, index, &word);
    assert_string_equal(text_str(&word), want);
}

static void names_follow_the_tree(void **state)
{
    (void)state;
    fixture f;
    make(&f);
    check_name(&f, MEMBER_COORDINATE, 0, "z");
    check_name(&f, MEMBER_COORDINATE, 1, "row[0].u[1][1]");
    check_name(&f, MEMBER_COORDINATE, 6, "row[0].u[2][3]");
    check_name(&f, MEMBER_COORDINATE, 7, "row[0].w");
    check_name(&f, MEMBER_COORDINATE, 12, "row[1].u[2][2]");
    check_name(&f, MEMBER_RELATION, 1, "row[0].rod[6]");
    check_name(&f, MEMBER_RELATION, 2, "row[0].constraint (tree.dal:3)");
    check_name(&f, MEMBER_RELATION, 5, "row[1].constraint (tree.dal:3) #2");
    text word = text_new(&f.m);
    model_part_name(f.md, 0, &word);
    assert_string_equal(text_str(&word), "");
    model_part_name(f.md, 2, &word);
    assert_string_equal(text_str(&word), "row[1]");
    mem_free(&f.m);
}

static void a_name_leads_back_to_its_index(void **state)
{
    (void)state;
    fixture f;
    make(&f);
    for (int i = 0; i < f.md->coordinates; i++) {
        int  found = -1;
        text word = text_new(&f.m);
        model_name(f.md, MEMBER_COORDINATE, i, &word);
        assert_true(model_find(f.md, text_str(&word), MEMBER_COORDINATE, &found));
        assert_int_equal(found, i);
    }
    mem_free(&f.m);
}

static void what_is_not_there_is_not_found(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",
                                        "y",
                                        "z[1]",
                                        "z.x",
                                        "row",
                                        "row[2].w",
                                        "row[0]",
                                        "row[0].u",
                                        "row[0].u[1]",
                                        "row[0].u[1][4]",
                                        "row[0].u[1][1][1]",
                                        "row[0].u[x][1]",
                                        "row[0]w",
                                        "row[0].rod[5]",
                                        "row[0",
                                        "row[0].",
                                        "zz",
                                        "row[99999999999999999999].w"};
    fixture                  f;
    make(&f);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int found;
        if (model_find(f.md, wrong[i], MEMBER_COORDINATE, &found)) fail_msg("found '%s'", wrong[i]);
    }
    mem_free(&f.m);
}

static void labels_belong_to_whole_arrays(void **state)
{
    (void)state;
    fixture f;
    make(&f);
    assert_string_equal(model_label(f.md, MEMBER_COORDINATE, 3), "m");
    assert_null(model_label(f.md, MEMBER_COORDINATE, 7));
    assert_null(model_label(f.md, MEMBER_RELATION, 2));
    assert_string_equal(model_member(f.md, MEMBER_RELATION, 4)->word, "rod");
    mem_free(&f.m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_follow_the_tree),
        cmocka_unit_test(a_name_leads_back_to_its_index),
        cmocka_unit_test(what_is_not_there_is_not_found),
        cmocka_unit_test(labels_belong_to_whole_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
