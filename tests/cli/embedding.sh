# The examples in C and C++ build outside the tree with nothing but the installed files, by
# pkg-config and by find_package, and do what they say.
. "$(dirname "$0")/expect.sh"
what="cmake --install"
cmake --install "$BUILD" --prefix "$here/usr" >out 2>err || fail "installing"
mkdir examples
cp "$here"/usr/share/doc/dalembert/examples/c/* examples || fail "the examples are not installed"

# run PROGRAM PATTERN: what it prints
run() {
    what=$1
    LD_LIBRARY_PATH=$libraries "$1" >out 2>err || fail "running $1"
    grep -q -- "$2" out || fail "$1 does not print '$2'"
}
run_all() { # FOLDER
    run "$1/embed" "^after 4 s it is 21.52 m high"
    run "$1/callbacks" "^energy 0.500 between 0.500 and 0.500; tridiagonal solver"
    run "$1/controller" "^after 10 s: x = -\?0.000., angle -\?0.000., push -\?0.00"
    run "$1/ensemble" "^b(3) = 0.79.., spread 0.14.. from a spread of 0.0018"
    run "$1/lyapunov" "^largest exponents 0.00[0-9] and 0.1[0-9]*$"
    run "$1/tour" "^theta(2) = 0.972364, twice by tour.c"
    [ ! -x "$1/cplusplus" ] || run "$1/cplusplus" "^64 rows of 4 columns; x(6.3) = 0.99986"
}

libraries=$(dirname "$(find "$here/usr" -name libdalembert.so)")
if command -v pkg-config >/dev/null; then
    export PKG_CONFIG_PATH="$libraries/pkgconfig"
    flags=$(pkg-config --cflags --libs dalembert) || fail "pkg-config"
    what="examples by pkg-config"
    for name in embed callbacks controller ensemble lyapunov tour; do
        $CC -std=c11 -Wall -Wextra -Wpedantic -Werror $SANITIZE examples/$name.c -o $name $flags -lm -pthread 2>err ||
            fail "compiling $name"
    done
    if command -v "${CXX:-c++}" >/dev/null; then
        ${CXX:-c++} -std=c++17 -Wall -Wextra -Wpedantic -Werror $SANITIZE examples/cplusplus.cc -o cplusplus $flags 2>err ||
            fail "compiling cplusplus"
    fi
    run_all .
fi

what="examples by find_package"
cmake -S examples -B found -DCMAKE_PREFIX_PATH="$here/usr" -DCMAKE_C_FLAGS="$SANITIZE" -DCMAKE_CXX_FLAGS="$SANITIZE" \
    >out 2>err || fail "configuring"
cmake --build found >out 2>err || fail "building"
run_all found
finish
