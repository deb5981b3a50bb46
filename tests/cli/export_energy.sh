# Exported steps of the energy principle: they choose their lengths, end by time, and stop where
# nothing decides.
. "$SOURCE/tests/cli/exported.sh"
papers=$SOURCE/examples/papers

build() { # MODEL OPTIONS...
    model=$1; shift
    "$DALEMBERT" export "$papers/$model.dal" -o stepper.c --main -q "$@" || { complain "$model is not exported"; return 1; }
    $cc -std=c99 $strict $same stepper.c stepper_main.c -lm -o stepper || { complain "$model $*: no C"; return 1; }
    if command -v clang >/dev/null; then
        clang -std=c99 -fsyntax-only $strict stepper.c stepper_main.c ||
            complain "$model $*: clang warns"
    fi
}

# The first step is solved here by Newton's iteration alone, so that bits may differ; lengths are
# sure to 1e-10 of themselves.
follows() { # MODEL OPTIONS...
    build "$@" || return
    model=$1; shift
    ./stepper >ours.csv || complain "$model $*: the exported stepper fails"
    "$DALEMBERT" run "$papers/$model.dal" "$@" --backend native -q --columns q,energy -o run.csv ||
        complain "$model does not run"
    paste -d, ours.csv run.csv | awk -F, -v what="$model $*" 'NR > 1 {
        for (i = 1; i <= 3; i++) { d = $i - $(3 + i); if ((d > 1e-8 || -d > 1e-8) && !wrong++)
            print what ": row " NR - 1 ", column " i ": " $i " is not " $(3 + i) } }
        END { if (NR < 50) print what ": " NR " rows"; exit wrong > 0 || NR < 50 }' || status=1
    [ "$(wc -l <ours.csv)" = "$(wc -l <run.csv)" ] || complain "$model $*: it ends elsewhere"
}
follows energy_well
follows energy_forced --scheme 'gauss(2)' --force 'gauss(3)' --step 0.1 --until 8
follows energy_damped_lagrangian --scheme 'gauss(2)' --until -20
if command -v "$cxx" >/dev/null; then $cxx -x c++ $strict -c stepper.c -o cpp.o ||
    complain "it is no C++"; fi

# so many steps, and none where nothing decides
./stepper 7 >some.csv && [ "$(wc -l <some.csv)" = 9 ] || complain "steps are not counted"
build energy_damped --h_max 0.15 --until 100 && ./stepper >bounded.csv 2>said && complain "a bound is passed"
grep -q 'is not clearly determined' said || complain "it says '$(cat said)'"
"$DALEMBERT" run "$papers/energy_damped.dal" --h_max 0.15 --until 100 -q -o run.csv 2>/dev/null
[ "$(wc -l <bounded.csv)" = "$(wc -l <run.csv)" ] || complain "the bound is met elsewhere"
"$DALEMBERT" export "$papers/energy_well.dal" --float -o narrow.c >out 2>&1 && complain "--float is taken"
grep -q 'double precision' out || complain "it says '$(cat out)'"
leave
