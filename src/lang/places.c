/* places.c - the tables of the static rules: what may stand where, and the built-in functions. */
#include "lang/symbols.h"

#include <string.h>

enum {
    CONSTANT = HAS_CONSTANTS | HAS_FORMAL,
    SIGNAL = CONSTANT | HAS_TIME | HAS_INPUT | HAS_ANY_Q
};

#define ANYTHING (~(content)0)

const place_row place_table[] = {
    [PLACE_STRUCTURAL] = {"a size, a range or an index", CONSTANT,
                          "only whole numbers, parameters and indices can be used here"},
    [PLACE_PARAMETER] = {"the value of a parameter or an input", CONSTANT,
                         "only numbers and parameters can be used here"},
    [PLACE_START] = {"'start'", CONSTANT, "only numbers and parameters can be used here"},
    [PLACE_SETTING] = {"'simulate'", CONSTANT, "only numbers and parameters can be used here"},
    [PLACE_FILE_LET] = {"a 'let' outside a system", CONSTANT,
                        "only numbers and its arguments can be used here"},
    [PLACE_LAGRANGIAN] = {"'lagrangian'", SIGNAL | HAS_V,
                          "a Lagrangian is a function of t, q and q'"},
    [PLACE_HAMILTONIAN] = {"'hamiltonian'", SIGNAL | HAS_PH,
                           "a Hamiltonian is a function of t, q and p(q)"},
    [PLACE_FORCE] = {"'force'", SIGNAL | HAS_ANY_V | HAS_PH | HAS_STATE,
                     "it is a function of t, q, q' and inputs, and of p(q) in Hamiltonian systems"},
    [PLACE_STATE] = {"'state'", SIGNAL | HAS_ANY_V | HAS_PH | HAS_STATE,
                     "its rate is a function of t, q, q', inputs and states"},
    [PLACE_TARGET] = {"what a force acts on", CONSTANT | HAS_TIME | HAS_ANY_Q,
                      "a force acts on a coordinate, on a let of coordinates, or on a let that is "
                      "linear in velocities"},
    [PLACE_CONSTRAINT] = {"'constraint'", SIGNAL | HAS_ANY_V | HAS_STATE,
                          "a constraint is an equation linear in the velocities"},
    [PLACE_HOLONOMIC] = {"'holonomic'", SIGNAL,
                         "it binds positions; an equation in velocities is a 'constraint'"},
    [PLACE_CONNECT] = {"'connect'", SIGNAL | HAS_ANY_V | HAS_STATE,
                       "a connection is an equation linear in the velocities"},
    [PLACE_TIE] =
        {"'connect' without primes", CONSTANT | HAS_ANY_Q,
         "it ties positions with constant coefficients; for anything else write 'holonomic'"},
    [PLACE_SYMMETRY] = {"'symmetry'", CONSTANT | HAS_TIME | HAS_ANY_Q,
                        "a generator is a function of t and the coordinates"},
    [PLACE_PRIME] = {"an expression differentiated in time", HAS_POSITIONS | HAS_FORMAL,
                     "a prime needs an expression of t, parameters and coordinates"},
    [PLACE_LET] = {"'let'", ANYTHING, NULL},
    [PLACE_OUTPUT] = {"'output'", ANYTHING, NULL},
    [PLACE_POTENTIAL] = {"what is shifted", HAS_POSITIONS | HAS_V,
                         "only t, parameters, coordinates and their velocities can be used here"},
    [PLACE_PACE] = {"'pace'", HAS_POSITIONS | HAS_V,
                    "only t, parameters, coordinates and their velocities can be used here"},
    [PLACE_DRAW] = {"'draw'", CONSTANT | HAS_TIME | HAS_ANY_Q | HAS_STATE,
                    "only t, parameters and coordinates can be used here"},
    [PLACE_CONTACT] = {"'contact'", SIGNAL,
                       "it binds positions; one of velocities is 'constraint a >= b'"},
    [PLACE_FRICTION] = {"'friction'", SIGNAL | HAS_ANY_V | HAS_STATE,
                        "it acts on an expression linear in the velocities"},
    [PLACE_EVENT] = {"an event", ~(content)HAS_RESULT,
                     "events depend on the state, not on energies and reactions"},
    [PLACE_TERMINAL] = {"a terminal", CONSTANT, "a terminal is given the name of a part"},
};

/* The first of this list that c holds: what few places allow comes first. */
const char *content_word(content c)
{
    static const struct {
        content     bit;
        const char *word;
    } words[] = {
        {HAS_RESULT, "an energy or a multiplier"},
        {HAS_STATE_RATE, "the rate of a state"},
        {HAS_STATE, "a state"},
        {HAS_P, "the momentum of a Lagrangian coordinate"},
        {HAS_PH, "a momentum"},
        {HAS_VH, "the velocity of a Hamiltonian coordinate"},
        {HAS_V, "a velocity"},
        {HAS_Q | HAS_QH, "a coordinate"},
        {HAS_INPUT, "an input"},
        {HAS_TIME, "time"},
        {HAS_PARAMETER, "a parameter"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (c & words[i].bit) return words[i].word;
    return "it";
}

const char *const symbol_word[] = {
    [SYM_PARAMETER] = "parameter", [SYM_COORDINATE] = "coordinate",
    [SYM_INPUT] = "input",         [SYM_LET] = "let",
    [SYM_OUTPUT] = "output",       [SYM_PART] = "part",
    [SYM_RELATION] = "relation",   [SYM_EVENT] = "event",
    [SYM_SYMMETRY] = "symmetry",   [SYM_FUNCTION] = "function",
    [SYM_INDEX] = "index",         [SYM_FORMAL] = "argument",
    [SYM_TIME] = "time",           [SYM_PI] = "constant",
};

const char *const symbol_phrase[] = {
    [SYM_PARAMETER] = "a parameter",
    [SYM_COORDINATE] = "a coordinate",
    [SYM_INPUT] = "an input",
    [SYM_LET] = "a let",
    [SYM_OUTPUT] = "an output",
    [SYM_PART] = "a part",
    [SYM_RELATION] = "a relation",
    [SYM_EVENT] = "an event",
    [SYM_SYMMETRY] = "a symmetry",
    [SYM_FUNCTION] = "a function",
    [SYM_INDEX] = "an index",
    [SYM_FORMAL] = "an argument",
    [SYM_TIME] = "time",
    [SYM_PI] = "a constant",
};

const builtin builtin_table[] = {
    {"sqrt", FN_OP, OP_SQRT, 1, 1, false},
    {"exp", FN_OP, OP_EXP, 1, 1, false},
    {"log", FN_OP, OP_LOG, 1, 1, false},
    {"sin", FN_OP, OP_SIN, 1, 1, false},
    {"cos", FN_OP, OP_COS, 1, 1, false},
    {"tan", FN_OP, OP_TAN, 1, 1, false},
    {"asin", FN_OP, OP_ASIN, 1, 1, false},
    {"acos", FN_OP, OP_ACOS, 1, 1, false},
    {"atan", FN_OP, OP_ATAN, 1, 1, false},
    {"atan2", FN_OP, OP_ATAN2, 2, 2, false},
    {"sinh", FN_OP, OP_SINH, 1, 1, false},
    {"cosh", FN_OP, OP_COSH, 1, 1, false},
    {"tanh", FN_OP, OP_TANH, 1, 1, false},
    {"abs", FN_OP, OP_ABS, 1, 1, false},
    {"sign", FN_OP, OP_SIGN, 1, 1, false},
    {"floor", FN_OP, OP_FLOOR, 1, 1, false},
    {"min", FN_MANY, OP_MIN, 2, -1, false},
    {"max", FN_MANY, OP_MAX, 2, -1, false},
    {"if", FN_IF, OP_IF, 3, 3, false},
    {"mod", FN_MOD, OP_FLOOR, 2, 2, false},
    {"d", FN_D, OP_COUNT, 2, 2, false},
    {"p", FN_P, OP_COUNT, 1, 1, false},
    {"energy", FN_ENERGY, OP_COUNT, 0, 1, false},
    {"dot", FN_DOT, OP_COUNT, 2, 2, true},
    {"cross", FN_CROSS, OP_COUNT, 2, 2, true},
    {"norm", FN_NORM, OP_COUNT, 1, 1, true},
    {"diag", FN_DIAG, OP_COUNT, 1, 1, true},
    {"inv", FN_INV, OP_COUNT, 1, 1, true},
    {"spin", FN_SPIN, OP_COUNT, 1, 1, true},
    {"bodyspin", FN_BODYSPIN, OP_COUNT, 1, 1, true},
    {"rotation", FN_ROTATION, OP_COUNT, 2, 2, true},
    {"quaternion", FN_QUATERNION, OP_COUNT, 4, 4, true},
    {NULL, FN_OP, OP_COUNT, 0, 0, false},
};

const char ref_fold = 0;

const builtin *builtin_find(const char *word)
{
    for (const builtin *b = builtin_table; b->word; b++)
        if (!strcmp(b->word, word)) return b;
    return NULL;
}
