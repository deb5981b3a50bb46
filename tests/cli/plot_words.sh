# Names of files and columns are text to whatever draws them, whatever they would mean to a shell, to
# gnuplot or to a terminal; and links that lie in the way are not followed.
. "$(dirname "$0")/expect.sh"
oscillator
cat >words.csv <<'CSV'
'lead,it's,`touch pwned`,@pwned,"say ""so""",$(touch pwned),{x}^_,<b>&
0,1,2,3,4,5,6,7
1,2,3,4,5,6,7,8
CSV
evil='|touch pwned;#'
cp words.csv "$evil.csv"
printf '\033]0,pwned\007t,\033[31mred,\302\233bad,L\344nge,\316\270\n0,1,2,3,4,5\n1,2,3,4,5,6\n' >escapes.csv

# bare FILE: nothing in it would control a terminal; U+009B is such a character of two bytes
bare() {
    LC_ALL=C tr -d '\t\n -\176\200-\377' <"$1" | grep -q . && fail "$what: $1 has control characters"
    LC_ALL=C grep -q "$(printf '\302\233')" "$1" && fail "$what: $1 has U+009B"
    :
}
exits 0 plot escapes.csv
bare out
prints "[31mred"
prints "?"
prints "L?nge"
prints "θ"
exits 0 plot escapes.csv "θ" --title "$(printf 'a\033[2Jb')"
bare out
prints "a [2Jb"
exits 1 plot escapes.csv no
bare err
says "[31mred"
printf 't,x\n0,\033[31m\n' >cell.csv
exits 1 plot cell.csv
bare err
exits 0 plot words.csv

# the script that is kept
exits 0 plot words.csv --title "'\`touch pwned\` @x" --gnuplot script.gp -o script.txt
grep -q '[`@]' script.gp && fail "words of the result stand in the script as they are"
exits 0 plot "$evil.csv" "it's" --gnuplot script.gp -o "$evil.txt"
absent pwned

if command -v gnuplot >/dev/null; then
    drawn() { # FILE WORDS...: a picture that shows them
        grep -q '</svg>' "$1" || fail "$what: $1 is no picture"
        in=$1
        shift
        for words; do grep -qF -- ">$words<" "$in" || fail "$what: $in lacks '$words'"; done
    }
    mkdir apart && cd apart || exit 1 # what is made here, and nothing else
    exits 0 plot ../words.csv "it's" '`touch pwned`' @pwned 'say "so"' '$(touch pwned)' \
        '{x}^_' '<b>&' -o "$evil.svg" --title "'\`touch pwned\` @x {/Symbol y} \\"
    drawn "$evil.svg" "'lead" "it's" '`touch pwned`' @pwned 'say &quot;so&quot;' '$(touch pwned)' \
        '{x}^_' '&lt;b&gt;&amp;' "'\`touch pwned\` @x {/Symbol y} \\"
    exits 0 plot ../words.csv '{x}^_:`touch pwned`' -o "$evil.png" -o "$evil.pdf"
    exits 0 plot "../$evil.csv" ../words.csv "it's" -o files.svg
    drawn files.svg "$evil" words "it's"
    exits 0 plot ../escapes.csv -o escapes.svg
    bare escapes.svg
    drawn escapes.svg "L?nge" "θ"
    cp ../oscillator.dal .
    exits 0 run oscillator.dal -q -o "$evil.csv" --plot "$evil.svg"
    drawn "$evil.svg" x
    exits 0 converge oscillator.dal -q --schemes midpoint --steps 8..32 --until 1 --plot "$evil.svg"
    drawn "$evil.svg" "midpoint, order 2"
    printf '%s\n' err escapes.svg files.svg oscillator.dal out "$evil.csv" "$evil.pdf" \
        "$evil.png" "$evil.svg" | sort >../wanted
    ls | sort | cmp -s - ../wanted || fail "other files were made: $(ls)"

    # its own script makes it again, under the same name
    for name in "$evil.svg" "~.svg" "$here/apart/whole.svg"; do
        rm -f "$name"
        exits 0 plot ../words.csv '`touch pwned`' --gnuplot again.gp -o "$name"
        rm -f "$name"
        gnuplot again.gp 2>err || fail "gnuplot refuses its script"
        drawn "$name" '`touch pwned`'
    done
    absent pwned

    # what waits where a picture is drawn is neither followed nor taken
    echo mine >kept
    for file in orbit.svg orbit.png orbit.txt; do
        ln -s kept $file.part && ln -s kept $file.part2 && ln kept $file.part3
        exits 0 plot ../words.csv "it's" -o $file
        [ "$(cat kept)" = mine ] || fail "$what: a link beside the picture was followed"
        [ -L $file.part ] && [ -L $file.part2 ] && [ -s $file ] && [ ! -L $file ] ||
            fail "$what: a link beside the picture was moved"
        absent $file.part4
    done
    cd .. || exit 1
fi
absent pwned
finish
