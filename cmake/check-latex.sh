#!/bin/sh
# check-latex.sh PROGRAM: compiles the LaTeX of every example, equations of motion and of a step, and
# looks for lines that are too wide for a page.
set -eu
program=$(realpath "$1")
source=$(realpath "$(dirname "$0")/..")
command -v pdflatex >/dev/null || { echo "pdflatex is missing (Debian: texlive-latex-base)" >&2; exit 1; }
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cd "$room"
DALEMBERT_PATH="$source/share"
export DALEMBERT_PATH
bad=0 count=0
for model in "$source"/examples/*.dal "$source"/examples/papers/*.dal; do
    {
        printf '%s\n' '\documentclass{article}' '\usepackage[utf8]{inputenc}' '\usepackage{amsmath}' \
            '\usepackage[a4paper,margin=15mm]{geometry}' '\allowdisplaybreaks' '\begin{document}'
        "$program" show "$model" --discrete --latex
        printf '%s\n' '\end{document}'
    } >page.tex
    if ! pdflatex -halt-on-error -interaction=nonstopmode page.tex >log 2>&1; then
        echo "$model: LaTeX refuses it"; grep -A3 '^!' log || tail -5 log; bad=1
    elif grep '^Overfull' log; then
        echo "$model: too wide for a page"; bad=1
    fi
    count=$((count + 1))
done
[ "$bad" = 0 ] && echo "$count models compile, and no line is too wide"
exit $bad
