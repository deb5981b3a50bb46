#!/bin/sh
# gallery.sh PROGRAM: draws the pictures of docs/gallery.md anew, with the commands that the page
# shows.
set -eu
program=$(realpath "$1")
source=$(realpath "$(dirname "$0")/..")
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
mkdir "$room/bin"
ln -s "$program" "$room/bin/dalembert"
ln -s "$source/examples" "$room/examples"
cd "$room"
PATH="$room/bin:$PATH" DALEMBERT_PATH="$source/share"
export PATH DALEMBERT_PATH
sed -n 's/^\$ \(dalembert .*\)/\1 -q/p' "$source/docs/gallery.md" >commands
sh -e ./commands
cp ./*.svg "$source/docs/pictures/"
