# What is installed works: program, man page, and both libraries under a program that links them by
# pkg-config.
. "$(dirname "$0")/expect.sh"
what="cmake --install"
cmake --install "$BUILD" --prefix "$here/usr" >out 2>err || fail "installing"
[ "$("$here/usr/bin/dalembert" --version)" = "dalembert $VERSION" ] || fail "the installed program"
[ -s "$here/usr/share/man/man1/dalembert.1" ] || fail "no man page"
completion="$here/usr/share/zsh/site-functions/_dalembert"
[ -s "$completion" ] || fail "no completion for zsh"
! command -v zsh >/dev/null || zsh -n "$completion" || fail "the completion for zsh"
touch a.csv a.h5 a.dal
if command -v bash >/dev/null; then
    what="the completion for bash"
    complete() { # WORD...: what could stand for the last
        PATH=$here/usr/bin:$PATH bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _dalembert
            printf "%s\n" "${COMPREPLY[@]}"' - "$here/usr/share/bash-completion/completions/dalembert" dalembert "$@" >out 2>err
    }
    complete run --h_
    [ "$(sort out | tr '\n' ' ')" = "--h_max --h_min " ] || fail "of --h_"
    complete plot a.
    [ "$(sort out | tr '\n' ' ')" = "a.csv a.h5 " ] || fail "of results"
    complete run a.
    [ "$(cat out)" = a.dal ] || fail "of models"
    complete run a.dal --solver d
    [ "$(sort out | tr '\n' ' ')" = "dense diagonal " ] || fail "of --solver"
    complete sweep a.dal --on-breakdown = ""
    [ "$(sort out | tr '\n' ' ')" = "fixed reset stop " ] || fail "of --on-breakdown="
fi
if command -v fish >/dev/null; then
    what="the completion for fish"
    fish_complete() { # LINE: what could stand at its end
        PATH=$here/usr/bin:$PATH HOME=$here fish -c 'source $argv[1]; complete -C $argv[2]' \
            "$here/usr/share/fish/vendor_completions.d/dalembert.fish" "$1" 2>err | cut -f1 | sort >out
    }
    fish_complete "dalembert run --h_"
    [ "$(tr '\n' ' ' <out)" = "--h_max --h_min " ] || fail "of --h_"
    fish_complete "dalembert re"
    [ "$(tr '\n' ' ' <out)" = "report reproduce resume " ] || fail "of commands"
    fish_complete "dalembert run a."
    [ "$(cat out)" = a.dal ] || fail "of models"
    fish_complete "dalembert run a.dal --solver d"
    [ "$(tr '\n' ' ' <out)" = "dense diagonal " ] || fail "of --solver"
fi
command -v pkg-config >/dev/null || finish

cat >embed.c <<'PROGRAM'
#include <dalembert.h>
int main(void)
{
    const char  *text = "import \"parts/mechanical.dal\"\n"
                        "system Fall {\n part ball : Mass\n force ball.x: -2\n}\n";
    dal_context *cx = dal_context_new(NULL);
    dal_options *o = dal_options_new(cx);
    dal_model   *m = NULL;
    dal_sim     *s = NULL;
    dal_options_set(o, "step", "0.125");
    if (!dal_model_parse(cx, "fall.dal", text, o, &m) && !dal_sim_new(m, o, &s))
        while (dal_time(s) < 1 && !dal_step(s)) continue;
    dal_report(cx, stderr, 0);
    if (s) printf("%g %g\n", dal_time(s), dal_q(s)[0]);
    dal_sim_free(s), dal_model_free(m), dal_options_free(o), dal_context_free(cx);
    return s == NULL;
}
PROGRAM
export PKG_CONFIG_PATH="$here/usr/lib/pkgconfig:$here/usr/lib/$(cc -print-multiarch 2>/dev/null)/pkgconfig"
flags() { pkg-config "$@" dalembert; }
what="a program with the shared library"
$CC $SANITIZE embed.c -o shared $(flags --cflags --libs) 2>err || fail "linking"
LD_LIBRARY_PATH=$(flags --variable=libdir) ./shared >out 2>err || fail "running"
prints "1 -1"
what="parts beside a library that was moved"
libdir=$(flags --variable=libdir | sed "s|^$here/usr|$here/moved|")
cp -R usr moved
mv usr/share/dalembert gone
LD_LIBRARY_PATH=$libdir ./shared >out 2>err || fail "running"
prints "1 -1"
mv gone usr/share/dalembert
what="a program with the static library"
$CC $SANITIZE embed.c -o static $(flags --cflags) "$(flags --variable=libdir)/libdalembert.a" \
    $(flags --static --libs | tr ' ' '\n' | grep -v dalembert) 2>err || fail "linking"
cp static usr/bin/static # beside the parts, as a program with the library in it is installed
usr/bin/static >out 2>err || fail "running"
prints "1 -1"
echo "int main(void) { return 0; }" >none.c
if [ -z "$SANITIZE" ] && $CC -static none.c -o none -lm -lklu 2>/dev/null; then
    what="a program without any shared library"
    $CC -static embed.c -o alone $(flags --static --cflags --libs) 2>err || fail "linking"
    cp alone usr/bin/alone
    usr/bin/alone >out 2>err || fail "running"
    prints "1 -1"
fi
what="both libraries by find_package"
mkdir found
cat >found/CMakeLists.txt <<'PROJECT'
cmake_minimum_required(VERSION 3.20)
project(found C)
find_package(dalembert 0.2 REQUIRED)
add_executable(shared ../embed.c)
target_link_libraries(shared PRIVATE dalembert::dalembert)
add_executable(static ../embed.c)
target_link_libraries(static PRIVATE dalembert::static)
PROJECT
cmake -S found -B found/build -DCMAKE_PREFIX_PATH="$here/usr" -DCMAKE_C_FLAGS="$SANITIZE" >out 2>err || fail "configuring"
cmake --build found/build >out 2>err || fail "building"
found/build/shared >out 2>err || fail "running the shared one"
prints "1 -1"
DALEMBERT_PATH=$here/usr/share/dalembert found/build/static >out 2>err || fail "running the static one"
prints "1 -1"

what="uninstalling"
rm -f usr/bin/static usr/bin/alone
touch usr/share/dalembert/mine.dal
find "$here/usr" -type f ! -name mine.dal -o -type l >manifest
cmake -DMANIFEST=manifest -P "$SOURCE/cmake/uninstall.cmake" >out 2>err || fail "failed"
[ "$(find usr ! -type d)" = usr/share/dalembert/mine.dal ] || fail "it leaves $(find usr ! -type d), or takes too much"
[ ! -e usr/share/doc/dalembert ] || fail "it leaves empty folders"
finish
