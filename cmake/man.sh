#!/bin/sh
# Writes the man page from the program's own help: man.sh PROGRAM > dalembert.1
set -eu
program=$1
version=$("$program" --version)
lines() { sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^\\([.']\\)/\\\\\\&\\1/"; }
verbatim() { printf '.nf\n'; lines; printf '.fi\n'; }

printf '.TH DALEMBERT 1 "" "%s"\n' "$version"
printf '.SH NAME\ndalembert \\- structure\\-preserving simulation: a Lagrangian in, a trajectory out\n'
printf '.SH SYNOPSIS\n.B dalembert\n.I COMMAND\n[\n.I MODEL.dal\n] [\n.I OPTION\n]...\n.SH DESCRIPTION\n'
"$program" --help | tail -n +3 | verbatim
for command in $("$program" --help | awk '$1 == "dalembert" && $2 ~ /^[a-z]/ { print $2 }'); do
    printf '.SH DALEMBERT %s\n' "$(echo "$command" | tr a-z A-Z)"
    "$program" "$command" --help | verbatim
done
