# A thin front for CMake: make, make demo, make check, make install, make uninstall, make wheel, make bench, make dist,
# make clean; make check-sanitize, make check-wheel, make check-latex, make check-fresh, make check-clang, make check-aarch64,
# make check-nehalem, make check-i386, make check-mpi, make analyse, make coverage, make fuzz, make faults, make long-run, make step-path.
BUILD  ?= build
PREFIX ?= /usr/local
PYTHON ?= $(firstword $(wildcard /usr/bin/python3) $(shell command -v python3))
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)

all: configure
	cmake --build $(BUILD) --parallel $(JOBS) --target dalembert man stubs

everything: configure
	cmake --build $(BUILD) --parallel $(JOBS)

configure:
	@command -v cmake >/dev/null || cmake/install-packages.sh build
	cmake -S . -B $(BUILD) -DCMAKE_INSTALL_PREFIX="$(PREFIX)"

packages:
	cmake/install-packages.sh build test

demo:
	cmake/install-packages.sh demo
	$(MAKE) all
	@echo; echo "dalembert run examples/double_pendulum.dal"; echo
	$(BUILD)/dalembert run examples/double_pendulum.dal -o $(BUILD)/double_pendulum.csv --report $(BUILD)/double_pendulum.html
	@echo; echo "Open $(BUILD)/double_pendulum.html in a browser."

check: packages
	$(MAKE) everything
	ctest --test-dir $(BUILD) --output-on-failure --parallel $(JOBS)

# The same under the address and undefined-behaviour sanitizers; then what runs on threads, under that of threads.
check-sanitize: packages
	cmake -S . -B $(BUILD)-sanitize -DDAL_SANITIZE=ON
	cmake --build $(BUILD)-sanitize --parallel $(JOBS)
	ctest --test-dir $(BUILD)-sanitize --output-on-failure --parallel $(JOBS)
	cmake -S . -B $(BUILD)-threads -DDAL_SANITIZE=thread
	cmake --build $(BUILD)-threads --parallel $(JOBS)
	ctest --test-dir $(BUILD)-threads --output-on-failure --parallel $(JOBS) -L threads

# What the processes of mpirun share, on 1 to 4 of them; `make check` tries 2 where MPI is installed.
check-mpi: packages
	cmake/install-packages.sh mpi
	$(MAKE) everything
	cmake --build $(BUILD) --target check_mpi

# The LaTeX of every example, compiled by a TeX of 0.1 GB.
check-latex: packages
	cmake/install-packages.sh latex
	$(MAKE) all
	cmake/check-latex.sh $(BUILD)/dalembert

# Static analysis; silence is success.
analyse: packages
	cmake/install-packages.sh analyse
	cmake -S . -B $(BUILD)-analyse -DCMAKE_EXPORT_COMPILE_COMMANDS=ON
	cmake --build $(BUILD)-analyse --parallel $(JOBS) --target dalembert_program
	cmake/analyse.sh $(BUILD)-analyse $(JOBS)

# How much of src/ the tests reach, by lines. Programs that tests kill leave broken counters, of which libgcov
# would complain in the next ones. Tests that see the counters (names that are exported, allocations) fail here only.
coverage: packages
	cmake/install-packages.sh analyse
	cmake -S . -B $(BUILD)-coverage -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O1 --coverage"
	cmake --build $(BUILD)-coverage --parallel $(JOBS)
	-GCOV_ERROR_FILE=/dev/null ctest --test-dir $(BUILD)-coverage --parallel $(JOBS)
	cmake/coverage.sh $(BUILD)-coverage

# The functions that a recorded, interpreted step of a pendulum enters.
step-path: packages
	cmake -S . -B $(BUILD)-path -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O0 -gdwarf-4 -finstrument-functions"
	cmake --build $(BUILD)-path --parallel $(JOBS) --target dal_api
	@cmake/step-path.sh $(BUILD)-path

# Fuzzers by clang, those of FUZZ, FUZZ_TIME seconds each. They go on where the last ones ended: what they learnt and found,
# and the hours of all of them together, are kept in FUZZ_KEPT.
FUZZ_TIME ?= 600
FUZZ      ?= language checkpoint tables results
FUZZ_KEPT ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/dalembert-fuzz
fuzz: packages
	cmake/install-packages.sh analyse
	$(MAKE) all
	CC=clang cmake -S . -B $(BUILD)-fuzz -DDAL_FUZZ=ON -DDAL_SANITIZE=ON -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS="-O1 -gline-tables-only"
	cmake --build $(BUILD)-fuzz --parallel $(JOBS) --target $(addprefix fuzz_,$(FUZZ))
	sh tests/fuzz/seeds.sh "$(abspath $(BUILD)/dalembert)" "$(CURDIR)" "$(abspath $(BUILD)-fuzz)/seeds"
	for name in $(FUZZ); do \
	    sh tests/fuzz/run.sh $$name $(BUILD)-fuzz/tests/fuzz/fuzz_$$name $(BUILD)-fuzz/seeds "$(FUZZ_KEPT)" $(FUZZ_TIME) || exit 1; \
	done

# Every allocation of every command fails, alone and with all that follow; `make check` tries each chain of callers once.
faults: packages
	$(MAKE) everything
	DAL_FAULTS=all ctest --test-dir $(BUILD) --verbose --parallel $(JOBS) --timeout 7200 -R '^faults_|test_api_faults'

install: all
	cmake --install $(BUILD)

# The Python module as a wheel, in $(BUILD)/wheel, with the library, the program, parts and examples inside. No network is
# needed; `pip install .` does the same, but lets pip fetch setuptools.
wheel: configure
	@test -n "$(PYTHON)" || { echo "python3 is missing: cmake/install-packages.sh test installs what a wheel needs"; exit 1; }
	cmake --build $(BUILD) --parallel $(JOBS) --target wheel_files
	cmake -E rm -rf $(BUILD)/wheel
	DALEMBERT_BUILD=$(abspath $(BUILD)) $(PYTHON) -m pip wheel --quiet --no-deps --no-build-isolation -w $(BUILD)/wheel .
	@ls $(BUILD)/wheel/*.whl

# The wheel in fresh systems, without network: Debian 12 with NumPy 1, Debian 13 with NumPy 2. As root, for debootstrap.
check-wheel: packages
	cmake/install-packages.sh debian
	$(MAKE) wheel
	sh tests/wheel/debian.sh $(abspath $(BUILD)) $(CURDIR)

# The README's commands in fresh systems, Debian 12 and 13 (RELEASES), as root and as an ordinary user (USERS); as root, for
# debootstrap. The systems, 2 GB each, are kept in FRESH.
FRESH ?= $(BUILD)/fresh
check-fresh:
	cmake/install-packages.sh debian
	sh tests/machines/fresh.sh $(abspath $(FRESH)) $(CURDIR)

# Other compilers and processors. By clang, every test.
check-clang: packages
	cmake/install-packages.sh analyse
	CC=clang cmake -S . -B $(BUILD)-clang
	cmake --build $(BUILD)-clang --parallel $(JOBS)
	ctest --test-dir $(BUILD)-clang --output-on-failure --parallel $(JOBS)

# Every layer by itself and the methods, on an emulated aarch64. As root, for debootstrap: libraries for it, 0.3 GB, are kept in FRESH.
UNIT  := $(notdir $(basename $(wildcard tests/unit/*/test_*.c tests/methods/test_*.c)))
EMPTY :=
check-aarch64:
	cmake/install-packages.sh build debian aarch64
	sh tests/machines/aarch64.sh $(abspath $(FRESH))/aarch64
	cmake -S . -B $(BUILD)-aarch64 -DCMAKE_TOOLCHAIN_FILE=tests/machines/aarch64.cmake -DAARCH64_ROOT=$(abspath $(FRESH))/aarch64 -DDAL_HDF5=OFF
	cmake --build $(BUILD)-aarch64 --parallel $(JOBS) --target $(UNIT)
	OTHER_CC=aarch64-linux-gnu-gcc PATH="$(CURDIR)/tests/machines/bin:$$PATH" ctest --test-dir $(BUILD)-aarch64 --output-on-failure \
	    --parallel $(JOBS) --timeout 1500 -R '^($(subst $(EMPTY) $(EMPTY),|,$(UNIT)))$$'

# A handful of tests on an emulated x86-64 without AVX; and without a compiler at run time, one note and the interpreter.
check-nehalem: packages
	cmake/install-packages.sh emulator
	$(MAKE) everything
	sh tests/machines/nehalem.sh $(abspath $(BUILD)) $(CURDIR)

# The examples on 32 bits: in a system of Debian 12 for i386, which is kept in FRESH. As root, for debootstrap.
check-i386:
	cmake/install-packages.sh debian
	sh tests/machines/i386.sh $(abspath $(FRESH)) $(CURDIR)

# 10^9 compiled steps of two models, killed and resumed a hundred times, and the picture of the energy's error: half an hour.
# LONG keeps what is done: a run goes on where it was left.
LONG ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/dalembert-long
long-run: all
	sh tests/long/run.sh $(abspath $(BUILD)/dalembert) $(CURDIR) "$(LONG)" $(CURDIR)/docs/pictures/long.svg

# What the last `make install` wrote, and no more.
uninstall:
	@test -f $(BUILD)/install_manifest.txt || { echo "nothing was installed from $(BUILD)"; exit 1; }
	cmake -DMANIFEST=$(BUILD)/install_manifest.txt -P cmake/uninstall.cmake

# Everything side by side, also with other libraries, in about ten minutes; writes docs/performance.md. BENCH=quick takes
# two and leaves its page in $(BUILD)/bench.
bench:
	cmake/install-packages.sh build test bench
	$(MAKE) configure
	cmake --build $(BUILD) --target bench

# The sources of the present commit as an archive, in $(DIST).
DIST    ?= $(BUILD)
VERSION := $(shell awk '$$2 == "VERSION" { print $$3; exit }' CMakeLists.txt)

dist:
	@mkdir -p $(DIST)
	git archive --prefix=dalembert-$(VERSION)/ -o $(DIST)/dalembert-$(VERSION).tar.gz HEAD

clean:
	cmake -E rm -rf $(BUILD) $(BUILD)-sanitize $(BUILD)-threads $(BUILD)-analyse $(BUILD)-coverage $(BUILD)-fuzz

.PHONY: all everything configure packages demo check check-sanitize check-latex analyse coverage step-path fuzz faults long-run install uninstall wheel check-wheel check-fresh check-clang check-aarch64 check-nehalem check-i386 check-mpi bench dist clean
