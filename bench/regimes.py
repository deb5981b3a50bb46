"""Large and unusual systems that the page of `make bench` does not show: ns of processor time per
coordinate and step, the least of several rounds.

    bench/regimes.py [-r ROUNDS] [-m WORD]... TREE [TREE]

A TREE is a checkout that was built in TREE/build. Of two, rounds alternate, and the last column is
the second over the first. WORD: only regimes whose name contains it."""

import argparse
import os
import random
import subprocess
import sys
import time
import warnings

SECONDS = 0.3  # of steps in a round

WAVE = "for k in 1..N { start x[k] = 0.3*sin(0.37*k) }"
SPRING = "({0})^2/2 + ({0})^4/4"
CHAIN = """parameter N = {N}
  coordinate x[N]
  lagrangian sum(k in 1..N: x[k]'^2/2) - sum(k in 1..N-1: """ + SPRING.format("x[k+1]-x[k]") + """) - x[1]^2/2 - x[N]^2/2
  """ + WAVE
LATTICE = """parameter N = {N}
  coordinate u[N][N]
  lagrangian sum(i in 1..N, j in 1..N: u[i][j]'^2/2 - u[i][j]^2/20)
  lagrangian -sum(i in 1..N-1, j in 1..N: {across}) - sum(i in 1..N, j in 1..N-1: {along})
  for i in 1..N {{ for j in 1..N {{ start u[i][j] = 0.3*sin(0.37*i)*cos(0.21*j) }} }}"""
CUBE = """parameter N = {N}
  coordinate u[N][N][N]
  lagrangian sum(i in 1..N, j in 1..N, k in 1..N: u[i][j][k]'^2/2 - u[i][j][k]^2/20)
  lagrangian -sum(i in 1..N-1, j in 1..N, k in 1..N: {0}) - sum(i in 1..N, j in 1..N-1, k in 1..N: {1}) - sum(i in 1..N, j in 1..N, k in 1..N-1: {2})
  for i in 1..N {{ for j in 1..N {{ start u[i][j][1] = 0.3*sin(0.37*i)*cos(0.21*j) }} }}"""
CELLS = """parameter N = {N}
  part cell[N]: Cell
  lagrangian -sum(k in 1..N-1: (cell[k+1].a[1]-cell[k].a[4])^2/2) - cell[1].a[1]^2/2
  for k in 1..N {{ start cell[k].a[1] = 0.3*sin(0.37*k) }}"""
CELL = "system Cell {\n  coordinate a[4]\n  lagrangian sum(k in 1..4: a[k]'^2/2) - sum(k in 1..3: " + SPRING.format("a[k+1]-a[k]") + ")\n}\n"
STAR = """parameter N = {N}
  coordinate c, x[N]
  lagrangian c'^2*N/2 + sum(k in 1..N: x[k]'^2/2 - (x[k]-c)^2/2 - (x[k]-c)^4/4) - c^2/2
  """ + WAVE
TREE = """parameter N = {N}
  coordinate x[N]
  lagrangian sum(k in 1..N: x[k]'^2/2) - x[1]^2/2 - sum(k in 2..N: """ + SPRING.format("x[k]-x[floor(k/2)]") + """)
  """ + WAVE
RODS = """parameter N = {N}
  coordinate x[N], y[N]
  lagrangian sum(k in 1..N: (x[k]'^2 + y[k]'^2)/2 - 9.81*y[k])
  holonomic first: x[1]^2 + y[1]^2 = 1
  holonomic rod[k in 2..N]: (x[k]-x[k-1])^2 + (y[k]-y[k-1])^2 = 1
  for k in 1..N {{ start x[k] = k*sin(1.0), y[k] = -k*cos(1.0) }}"""
PENDULUMS = """parameter N = {N}
  coordinate x[N], y[N]
  lagrangian sum(k in 1..N: (x[k]'^2 + y[k]'^2)/2 - 9.81*y[k])
  holonomic rod[k in 1..N]: x[k]^2 + y[k]^2 = 1
  for k in 1..N {{ start x[k] = sin(0.0001*k), y[k] = -cos(0.0001*k) }}"""
BODIES = """parameter N = {N}
  coordinate x[N], y[N], z[N]
  lagrangian sum(k in 1..N: (x[k]'^2 + y[k]'^2 + z[k]'^2)/2)
  lagrangian sum(i in 1..N-1, j in 1..N: if(j > i, 0.01/sqrt((x[i]-x[j])^2 + (y[i]-y[j])^2 + (z[i]-z[j])^2 + 0.01), 0))
  for k in 1..N {{ start x[k] = cos(k*1.1)*k/N, y[k] = sin(k*1.3)*k/N, z[k] = sin(k*2.1) }}"""
KEPLER = """coordinate x, y
  lagrangian (x'^2 + y'^2)/2 + 1/sqrt(x^2 + y^2)
  start x = 0.4, y' = 2"""


def filled(body, **numbers):
    """{N} of a text in which other braces may stand for themselves"""
    for word, number in numbers.items():
        body = body.replace("{%s}" % word, str(number))
    return body.replace("{{", "{").replace("}}", "}")


def lattice(n, spring=SPRING):
    return filled(LATTICE, N=n, across=spring.format("u[i+1][j]-u[i][j]"), along=spring.format("u[i][j+1]-u[i][j]"))


def cube(n):
    ends = ("u[i+1][j][k]", "u[i][j+1][k]", "u[i][j][k+1]")
    return filled(CUBE.format(*(SPRING.format(e + "-u[i][j][k]") for e in ends), N="{N}"), N=n)


def network(n, links):
    draw = random.Random(3)
    ends = [draw.sample(range(1, n + 1), 2) for _ in range(links)]
    springs = "\n  ".join("lagrangian -(%s)" % SPRING.format("x[%d]-x[%d]" % (i, j)) for i, j in ends)
    return "parameter N = %d\n  coordinate x[N]\n  lagrangian sum(k in 1..N: x[k]'^2/2 - x[k]^2/10)\n  %s\n  %s" % (n, springs, WAVE)


REGIMES = [  # name, statements, scheme, step, other systems of the file
    ("chain 10^4, gauss(2), h = .5", filled(CHAIN, N=10000), "gauss(2)", 0.5, ""),
    ("chain 10^4, gauss(3), h = .5", filled(CHAIN, N=10000), "gauss(3)", 0.5, ""),
    ("chain 10^4, gauss(4), h = .5", filled(CHAIN, N=10000), "gauss(4)", 0.5, ""),
    ("chain 10^4, gauss(2), h = .1", filled(CHAIN, N=10000), "gauss(2)", 0.1, ""),
    ("chain 10^4, gauss(4), h = .1", filled(CHAIN, N=10000), "gauss(4)", 0.1, ""),
    ("chain 10^4, compose(trapezoid, yoshida(4))", filled(CHAIN, N=10000), "compose(trapezoid, yoshida(4))", 0.1, ""),
    ("chain 10^5, midpoint, h = .5", filled(CHAIN, N=100000), "midpoint", 0.5, ""),
    ("chain 10^5, trapezoid", filled(CHAIN, N=100000), "trapezoid", 0.1, ""),
    ("cells of 4 atoms, midpoint", filled(CELLS, N=2500), "midpoint", 0.5, CELL),
    ("cells of 4 atoms, trapezoid", filled(CELLS, N=2500), "trapezoid", 0.1, CELL),
    ("lattice 100^2, midpoint, h = .5", lattice(100), "midpoint", 0.5, ""),
    ("lattice 300^2, midpoint, h = .1", lattice(300), "midpoint", 0.1, ""),
    ("lattice 300^2, trapezoid", lattice(300), "trapezoid", 0.1, ""),
    ("lattice 20^3, midpoint, h = .5", cube(20), "midpoint", 0.5, ""),
    ("linear grid 100^2, midpoint", lattice(100, "({0})^2/2"), "midpoint", 0.5, ""),
    ("random network 10^3, midpoint", network(1000, 2000), "midpoint", 0.3, ""),
    ("star 10^4, midpoint", filled(STAR, N=10000), "midpoint", 0.3, ""),
    ("tree 10^4, midpoint", filled(TREE, N=10000), "midpoint", 0.3, ""),
    ("tree 10^5, trapezoid", filled(TREE, N=100000), "trapezoid", 0.1, ""),
    ("inextensible rods 10, midpoint", filled(RODS, N=10), "midpoint", 0.01, ""),
    ("inextensible rods 100, midpoint", filled(RODS, N=100), "midpoint", 0.002, ""),
    ("pendulums 10^4, midpoint", filled(PENDULUMS, N=10000), "midpoint", 0.01, ""),
    ("bodies 10, trapezoid", filled(BODIES, N=10), "trapezoid", 0.01, ""),
    ("bodies 100, trapezoid", filled(BODIES, N=100), "trapezoid", 0.01, ""),
    ("bodies 10, midpoint", filled(BODIES, N=10), "midpoint", 0.05, ""),
    ("Kepler, gauss(2)", KEPLER, "gauss(2)", 0.05, ""),
    ("Kepler, shooting(taylor(4)) with simpson", KEPLER, "shooting(taylor(4)) with simpson", 0.05, ""),
    ("Kepler, shooting(rk4) with simpson", KEPLER, "shooting(rk4) with simpson", 0.05, ""),
]


def clock(tree, index):
    """In a process of its own, which has one library: ns per coordinate and step."""
    name, statements, scheme, step, beside = REGIMES[index]
    sys.path.insert(0, os.path.join(tree, "python"))
    os.environ["DALEMBERT_LIBRARY"] = os.path.join(tree, "build", "libdalembert.so")
    import dalembert
    warnings.simplefilter("ignore")  # notes on what is not compiled as a whole
    text = "%ssystem Regime {\n  %s\n}\n" % (beside, statements)
    sim = dalembert.parse(text).simulate(scheme=scheme, step=step, steps=10**9, backend="native", columns="energy")
    sim.step(5)  # compiled, factored, and with steps to predict from
    begin = time.process_time()
    sim.step(1)
    count = max(1, int(SECONDS / max(time.process_time() - begin, 1e-6)))
    begin = time.process_time()
    sim.step(count)
    print((time.process_time() - begin) / count / len(sim.q) * 1e9)


def main():
    if sys.argv[1:2] == ["--clock"]:
        return clock(sys.argv[2], int(sys.argv[3]))
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("tree", nargs="+")
    ask.add_argument("-r", "--rounds", type=int, default=3)
    ask.add_argument("-m", "--match", action="append", default=[])
    asked = ask.parse_args()
    print("| ns per coordinate and step | %s |%s" % (" | ".join(asked.tree), " ratio |" if len(asked.tree) == 2 else ""))
    print("|---|" + "---|" * (len(asked.tree) + (len(asked.tree) == 2)))
    for index, regime in enumerate(REGIMES):
        if asked.match and not any(word in regime[0] for word in asked.match):
            continue
        best = [float("inf")] * len(asked.tree)
        for _ in range(asked.rounds):
            for k, tree in enumerate(asked.tree):
                run = subprocess.run([sys.executable, "-B", __file__, "--clock", tree, str(index)], stdout=subprocess.PIPE, text=True, check=True)
                best[k] = min(best[k], float(run.stdout))
        row = ["%.3g" % x for x in best] + (["%.2f" % (best[1] / best[0])] if len(best) == 2 else [])
        print("| %s | %s |" % (regime[0], " | ".join(row)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
