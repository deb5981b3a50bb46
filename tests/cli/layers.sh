# A file of src includes its own layer and lower ones only, and folders below the layers depend on each
# other one way only; the program sees the public header only.
# Files that documents and comments mention by their path exist.
cd "$SOURCE" || exit 1
order="base ranks picture step expr kernel linalg model lang mech codegen run api"
failures=0
lower=""
for layer in $order; do
    lower="$lower $layer"
    for line in $(grep -Ho '#include "[^"]*"' -r src/$layer | tr ' ' '='); do
        file=${line%%:*} target=${line#*\"}
        target=${target%\"}
        case $target in
        dalembert.h) continue ;;
        */*) ;;
        *) echo "$file includes \"$target\" without its folder"; failures=1; continue ;;
        esac
        case " $lower " in
        *" ${target%%/*} "*) ;;
        *) echo "$file includes \"$target\", which is above it"; failures=1 ;;
        esac
    done
done
if grep -rlE 'include *[<"](mpi|petsc)' src cli | grep -v '^src/ranks/mpi/'; then echo "MPI stays in src/ranks/mpi"; failures=1; fi
pairs=$(grep -Ho '#include "[a-z_]*/[^"]*/[^"]*"\|#include "[a-z_]*/[^"]*"' -r src |
    sed -n 's#^src/\(.*\)/[^/]*:\#include "\(.*\)/[^/]*"$#\1 \2#p' | awk '$1 != $2' | sort -u)
both=$(echo "$pairs" | awk '{ has[$1 " " $2] = 1 } END { for (p in has) { split(p, f, " "); if (f[1] < f[2] && has[f[2] " " f[1]]) print p } }')
if [ -n "$both" ]; then echo "folders depend on each other both ways: $both"; failures=1; fi
if grep -rl 'include "mech/' src/lang; then echo "lang and mech are side by side"; failures=1; fi
if grep -rl 'include "lang/' src/mech; then echo "mech and lang are side by side"; failures=1; fi
if grep -Hn '#include "[^"]*/' cli/*.[ch] cli/*/*.[ch] | grep -vE '"(reproduce|report|urdf)/'; then echo "the program includes more than the public header"; failures=1; fi
for path in $(grep -rhoE "(tests/)?\b($(echo $order | tr ' ' '|'))/[a-z_/]+\.(c|h|def)\b" docs/*.md CONTRIBUTING.md src | sort -u); do
    case $path in tests/*) [ -f "$path" ] ;; *) [ -f "src/$path" ] ;; esac || { echo "$path is mentioned, and does not exist"; failures=1; }
done
exit $failures
