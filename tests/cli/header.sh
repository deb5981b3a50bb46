# The public header stands alone: as C99, C11 and C++17, without a warning, and with the library's
# version in it.
cd "$(mktemp -d)" || exit 1
status=0
compile() { # COMPILER STANDARD LANGUAGE
    printf '#include <dalembert.h>\nint main(void) { return dal_version() == 0; }\n' >alone.$3
    $1 -std=$2 -Wall -Wextra -Wpedantic -Wconversion -Werror -I"$SOURCE/include" -c alone.$3 -o alone.o || { echo "$2 fails"; status=1; }
}
compile "${CC:-cc}" c99 c
compile "${CC:-cc}" c11 c
if command -v "${CXX:-c++}" >/dev/null; then compile "${CXX:-c++}" c++17 cc; fi
version=$(awk '/#define DAL_VERSION_M|#define DAL_VERSION_P/ { printf "%s%s", dot, $3; dot = "." }' "$SOURCE/include/dalembert.h")
[ "$version" = "$VERSION" ] || { echo "the header says $version, the build $VERSION"; status=1; }
grep -q "^version: $VERSION\$" "$SOURCE/CITATION.cff" || { echo "CITATION.cff has another version than $VERSION"; status=1; }
grep -q "^## $VERSION " "$SOURCE/CHANGELOG.md" || { echo "the changelog does not know $VERSION"; status=1; }
rm -rf "$PWD"
exit $status
