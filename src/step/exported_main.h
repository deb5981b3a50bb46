/* The time, all coordinates of the model, and the energy. */
static void print(const NAME_state *s)
{
    REAL x[NAME_coordinates];
    NAME_positions(s, x);
    printf("%.*g", DIGITS, (double)NAME_time(s));
    for (int i = 0; i < NAME_coordinates; i++) printf(",%.*g", DIGITS, (double)x[i]);
    printf(",%.*g\n", DIGITS, (double)NAME_energy(s));
}

/* [steps [every]]: so many steps, a line for each `every` of them; 0: none but the first. */
int main(int count, char **word)
{
    NAME_state s;
    const long steps = count > 1 ? atol(word[1]) : STEPS, every = count > 2 ? atol(word[2]) : 1;
    NAME_init(&s);
    printf("t");
    for (int i = 0; i < NAME_coordinates; i++) printf(",%s", NAME_name(i));
    printf(",energy\n");
    print(&s);
    while (GOES_ON) {
        if (NAME_step(&s)) {
            fprintf(stderr, "step %ld %s\n", s.k + 1, FAILED);
            return 1;
        }
        if (every > 0 && s.k % every == 0) print(&s);
    }
    return 0;
}
