# ranks.sh - sourced by the tests of several processes: runs the program on so many ranks, here, as root too.
[ -n "$MODULE" ] && [ -f "$MODULE" ] && command -v mpirun >/dev/null ||
    { echo "skipped: no MPI (libopenmpi-dev, openmpi-bin: cmake/install-packages.sh mpi)"; exit 77; }
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_vader_single_copy_mechanism=none \
    OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_rmaps_base_oversubscribe=1 ASAN_OPTIONS=detect_leaks=0

# ranks N ARGUMENT...: as exits, on N ranks; mpirun adds words of its own to those of rank 0
ranks() {
    number=$1 want=$2
    shift 2
    what="mpirun -n $number dalembert $*"
    timeout -k 10 300 mpirun -n "$number" "$DALEMBERT" "$@" >out 2>err </dev/null
    got=$?
    [ "$got" = "$want" ] || fail "$what: exit code $got, expected $want"
}
