# The libraries show the names of the public header and no others.
declared=$(grep -o '\bdal_[a-z_]*(' "$SOURCE/include/dalembert.h" | grep -v '^dal_status(' | tr -d '(' | sort -u)
status=0
check() { # what, names
    for name in $2; do
        case $name in
        dal_*) ;;
        __asan* | __ubsan* | __odr_asan* | _init | _fini) ;;
        *) echo "$1 exports $name"; status=1 ;;
        esac
    done
}
shared=$(nm -D --defined-only "$SHARED" | awk '{ print $3 }')
static=$(nm -g --defined-only "$STATIC" | awk 'NF == 3 { print $3 }')
check "the shared library" "$shared"
check "the static library" "$static"
for name in $shared; do
    case $name in dal_*) ;; *) continue ;; esac
    echo "$declared" | grep -qx "$name" ||
        { echo "$name is exported but not in the header"; status=1; }
done
grep -o 'DAL_API.*\bdal_[a-z_]*(' "$SOURCE/include/dalembert.h" | grep -o 'dal_[a-z_]*($' | tr -d '(' | sort -u | while read -r name; do
    echo "$shared" | grep -qx "$name" || { echo "$name is in the header but not exported"; exit 1; }
done || status=1
exit $status
