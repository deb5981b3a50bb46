# What README.md and docs/ say can be typed, and what they claim it prints is what it prints.
#   A block that holds a system is a model; its file is the last NAME.dal mentioned before it or in
#   its first line.
#   A block of `$ dalembert ...` is run, and its lines must come in their order ("..." stands for
#   others; times vary).
. "$(dirname "$0")/expect.sh"
mkdir bin && ln -s "$DALEMBERT" bin/dalembert && PATH="$here/bin:$PATH"
export DALEMBERT_PATH="$SOURCE/share"

# page FILE: its models as files, its commands as command.N with what they should print in claim.N
split_page() {
    awk '
    function command_file(n) { return sprintf("command.%03d", n) } # so that they sort
    function claim_file(n) { return sprintf("claim.%03d", n) }
    /^```/ && !inside { inside = 1; language = substr($0, 4); lines = 0; next }
    /^```/ {
        inside = 0; model = 0
        for (i = 1; i <= lines; i++) model = model || line[i] ~ /^system [A-Za-z]+ \{/
        if (match(line[1], /[a-z_]+\.dal/)) file = substr(line[1], RSTART, RLENGTH)
        if (model) {
            name = file != "" ? file : "model" ++models ".dal"
            for (i = 1; i <= lines; i++) print line[i] > name
            close(name); print name > "models"; file = ""
        } else if (language == "c") for (i = 1; i <= lines; i++) print line[i] > "example.c"
        else for (i = 1; i <= lines; i++) {
            if (line[i] ~ /^\$ dalembert /) { print substr(line[i], 3) > (command_file(++commands)); print "" > (claim_file(commands)) }
            else if (commands && line[1] ~ /^\$ /) print line[i] > (claim_file(commands))
        }
        next
    }
    inside { line[++lines] = $0; next }
    match($0, /`[a-z_]+\.dal`/) { file = substr($0, RSTART + 1, RLENGTH - 2) }
    { # commands inside a line
        rest = $0
        while (match(rest, /`dalembert [a-z]+ [a-z_\/]+\.dal[^`]*`/)) {
            print substr(rest, RSTART + 1, RLENGTH - 2) > (command_file(++commands)); print "" > (claim_file(commands))
            rest = substr(rest, RSTART + RLENGTH)
        }
    }' "$1"
}

# Do the lines of the claim come in the output, in their order? Prints the first that does not.
# Numbers may differ in the fourth digit, and below 1e-8 they are roundoff.
missing_line() {
    awk 'function number(x) { return x ~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/ }
         function same(a, b,   i, n, x, y, d) {
             if (a == b) return 1
             gsub(/[,;]/, " &", a); gsub(/[,;]/, " &", b)
             n = split(a, x, " ")
             if (split(b, y, " ") != n) return 0
             for (i = 1; i <= n; i++) {
                 if (x[i] == y[i]) continue
                 if (!number(x[i]) || !number(y[i])) return 0
                 d = x[i] - y[i]
                 if (d < 0) d = -d
                 if (d > 1e-8 && d > 1e-3 * (x[i] < 0 ? -x[i] : x[i])) return 0
             }
             return 1
         }
         NR == FNR { if ($0 != "" && $0 !~ /^ *\.\.\.$/ && $0 !~ /^  time /) want[++n] = $0; next }
         k < n && same(want[k + 1], $0) { k++ }
         END { if (k < n) print want[k + 1] }' "$1" "$2"
}

run_page() {
    for command in command.*; do
        [ -e "$command" ] || continue
        what="$page: $(cat "$command")"
        model=$(tr ' ' '\n' <"$command" | grep '\.dal$' | head -n 1)
        [ -z "$model" ] || [ -e "$model" ] || continue # a file of the reader's own
        sh "$command" >out 2>&1 </dev/null
        code=$?
        claimed=0
        grep -q 'error: ' "claim.${command#command.}" && claimed=1
        grep -q '^  stopped ' "claim.${command#command.}" && claimed=2
        [ $code = $claimed ] || fail "exit code $code, expected $claimed"
        lacks=$(missing_line "claim.${command#command.}" out)
        [ -z "$lacks" ] || fail "it does not print: $lacks"
    done
}

for page in README.md docs/tutorial.md docs/cli.md docs/language.md docs/space.md docs/parts.md docs/constraints.md docs/energy.md docs/time.md docs/sweep.md docs/tangent.md docs/export.md docs/gallery.md; do
    mkdir -p "$here/$page" && cd "$here/$page" || exit 1
    ln -s "$SOURCE/examples" examples
    split_page "$SOURCE/$page"
    # what a page speaks of without showing it: mistakes in models that are shown
    cp "$here/docs/tutorial.md/pendulum.dal" . 2>/dev/null
    [ -e pendulum.dal ] && sed 's/l^2\*th/lenght^2*th/; s/start theta/start thata/' pendulum.dal >broken.dal
    case $page in
    README.md | docs/language.md)
        awk '/^# A chain of three/ { on = 1 } /^# A ladder/ { on = 0 } on' "$SOURCE/docs/language.md" |
            sed 's/= last\.a .*/= last.z/' >chain.dal ;;
    esac
    for model in $(cat models 2>/dev/null); do
        what="$page: $model"
        dalembert check "$model" >out 2>err || fail "the model is refused"
    done
    run_page
done

cd "$here/docs/tutorial.md" || exit 1
what="docs/tutorial.md: the C program"
$CC $SANITIZE -I "$SOURCE/include" example.c -o example "$STATIC" -lm $(grep -l klu_factor "$STATIC" >/dev/null 2>&1 && echo -lklu) 2>err || fail "compiling"
./example >out 2>err || fail "running"
[ "$(wc -l <out)" = 200 ] || fail "it prints $(wc -l <out) lines"

# cli.md names every option, and no other
cd "$here" || exit 1
for command in run check show converge sweep plot report export import methods reproduce; do dalembert $command --help; done >help
what="docs/cli.md"
for flag in $(grep -o '^ .*--[a-z_-]*' help | grep -o -- '--[a-z][a-z_-]*' | sort -u); do
    grep -q -- "$flag\b" "$SOURCE/docs/cli.md" || fail "it lacks $flag"
done
for flag in $(grep -o -- '--[a-z][a-z_-]*' "$SOURCE/docs/cli.md" | sort -u); do
    grep -q -- "$flag\b" help || fail "there is no $flag"
done
what="docs/methods.md"
dalembert methods --markdown >methods.md
cmp -s methods.md "$SOURCE/docs/methods.md" || fail "'dalembert methods --markdown' prints another page"

# every link leads somewhere
for page in "$SOURCE"/*.md "$SOURCE"/docs/*.md; do
    what="$page"
    for link in $(grep -o '](\([^)#:]*\))' "$page" | sed 's/^](//; s/)$//'); do
        [ -e "$(dirname "$page")/$link" ] || fail "the link $link leads nowhere"
    done
done
finish
