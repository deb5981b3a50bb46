# Every command explains itself, and a wrong one is met with the near one.
. "$(dirname "$0")/expect.sh"

exits 0 --help
for command in run check show converge sweep plot methods reproduce cite; do prints "dalembert $command"; done
silent err
exits 0 --version
[ "$(cat out)" = "dalembert $VERSION" ] || fail "--version prints $(cat out)"
exits 0 help run
prints "--scheme S"
exits 1
says "dalembert run"
silent out

for command in run check show converge sweep plot methods reproduce cite; do
    exits 0 $command --help
    prints "dalembert $command"
    prints "--help"
    silent err
    exits 0 $command -h
done
# on a terminal of 80 columns
for command in "" run resume check show converge sweep plot report export import methods reproduce cite; do
    exits 0 $command --help
    awk 'length > 80 { print; wrong = 1 } END { exit wrong }' out ||
        fail "$what: a line is longer than 80 columns"
done
exits 0 run --help
for flag in scheme force principle retraction momentum from step until steps set start project-start input \
    record columns monitor summation; do
    prints "--$flag"
done

exits 1 rnu x.dal
says "did you mean 'run'?"
exits 1 frobnicate
says "there is no command 'frobnicate'"
exits 1 --step 3
says "options come after a command"
exits 1 run
says "a model is missing"
exits 1 run a.dal --shceme midpoint
says "did you mean --scheme?"
exits 1 run a.dal -z
says "no option -z"
exits 1 run a.dal --step
says "--step needs a value"
exits 1 run a.dal --json=3
says "takes no value"
exits 1 run a.dal B C
says "unexpected argument"
exits 1 run a.dal -o
says "-o needs a value"

exits 0 methods
for scheme in midpoint trapezoid "gauss(s)" "lobatto(s)" "radau(s)" "rectangle(alpha)"; do prints "$scheme"; done
exits 0 methods --markdown
prints "| scheme |"
exits 0 methods --json
prints '"name"'
finish
