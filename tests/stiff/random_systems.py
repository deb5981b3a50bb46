#!/usr/bin/env python3
"""Orders of gauss(s) with damping and states, by halving the step, on systems at random: mass matrices that vary, gyroscopic terms, forces,
nonlinear damping, states that feel velocities and each other, constraints of both kinds in some of them.

The end of each is that of gauss(7) with small steps and all of it written as force and as coordinates without inertia (`force z: g - z'`):
other equations, of order 14. random_systems.py DALEMBERT [COUNT]
"""
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile

program = os.path.abspath(sys.argv[1])
count = int(sys.argv[2]) if len(sys.argv) > 2 else 12
room = tempfile.mkdtemp()
failures = 0


def number(r, most=1.0):
    return f'{r.uniform(-most, most):.3f}'


def product(r, names, most=0.6):
    a, b = r.choice(names), r.choice(names)
    return f'{number(r, most)}*{r.choice([a, f"sin({a})", f"{a}*{b}", f"{a}*cos({b})", f"cos(2*t)*{a}"])}'


def system(seed):
    """The text with {damping} and {state} to be chosen."""
    r = random.Random(seed)
    n, m = r.choice([1, 2, 2, 3]), r.choice([0, 1, 2])
    q, z = [f'x{i}' for i in range(n)], [f'z{i}' for i in range(m)]
    v = [x + "'" for x in q]
    mass = ' + '.join(f'(1 + 0.3*{r.choice(q)}^2)*{p}^2/2' for p in v)
    gyro = ' + '.join(f'{number(r, 0.5)}*{a}*{b}*{c}' for a, b, c in zip(q, reversed(q), v))
    potential = ' + '.join(f'{x}^4/4 + {abs(float(number(r))):.3f}*{x}^2' for x in q)
    text = [f'system S{seed} {{', f'  coordinate {", ".join(q)}', f'  lagrangian {mass} + {gyro} - ({potential})']
    for x, p in zip(q, v):
        text.append(f'  force {x}: {product(r, q + z)} + {number(r)}*cos(3*t)')
        text.append(f'  DAMPING {x}: -{abs(float(number(r, 2))) + 0.3:.3f}*{p}*(1 + {x}^2 + 0.3*{p}^2) + 0.2*{r.choice(v)}*sin({r.choice(q)})')
    for name in z:
        text.append(f'  STATE {name}: -{r.uniform(0.5, 3):.3f}*{name} + {product(r, q + v)} + {product(r, z + v)} - 0.2*{name}^3')
    start = [f'{x} = {number(r, 0.7)}' for x in q + z] + [f"{p} = {number(r, 0.7)}" for p in v]
    if n == 3 and r.random() < 0.5:
        text.append(f"  constraint x0' = 0.5*cos(x1)*x2' + {r.choice(z) if z else '0.1'}")
        start = [s + (' free' if s.startswith("x0'") else '') for s in start]
    elif n == 3:
        text.append('  holonomic x0 = 0.3*sin(x1) + 0.2*x2^2')
        start = [s + (' free' if s.startswith('x0') else '') for s in start]
    return text + [f'  start {", ".join(start)}', '}']


def written(lines, upwinded):
    out = []
    for line in lines:
        if line.startswith('  DAMPING'):
            line = line.replace('DAMPING', 'damping' if upwinded else 'force')
        if line.startswith('  STATE'):
            name, rate = line[len('  STATE '):].split(': ', 1)
            line = f"  state {name}' = {rate}" if upwinded else f"  coordinate {name}\n  force {name}: {rate} - {name}'"
        out.append(line)
    return '\n'.join(out) + '\n'


def end_of(lines, upwinded, scheme, step):
    path = os.path.join(room, 'model.dal')
    with open(path, 'w') as file:
        file.write(written(lines, upwinded))
    done = subprocess.run([program, 'run', path, '--scheme', scheme, '--step', repr(step), '--until', '1', '--record', '0', '--backend', 'vm',
                           '--project-start', '--json'], capture_output=True, text=True, cwd=room)
    if done.returncode:
        print(written(lines, upwinded), done.stderr)
        sys.exit(1)
    final = json.loads(done.stdout)['final']
    return {**final['q'], **{f'p({x})': p for x, p in final['p'].items() if not x.startswith('z')}}


def error(lines, scheme, step, exact):
    got = end_of(lines, True, scheme, step)
    return max(abs(got[name] - exact[name]) for name in got)


for seed in range(count):
    lines = system(seed)
    exact = end_of(lines, False, 'gauss(7)', 1 / 40)
    for s, steps in ((2, (40, 80, 160)), (3, (10, 20, 40))):
        errors = [error(lines, f'gauss({s})', 1 / k, exact) for k in steps]
        orders = [math.log2(a / b) for a, b in zip(errors, errors[1:])]
        # the last pair, unless it is roundoff; nothing is above the order of Gauss points
        if not (2 * s - 1.3 <= orders[-1] <= 2 * s + 0.6) and errors[-1] > 1e-12:
            failures += 1
            print('FAILED:', s, errors, orders, written(lines, True))
shutil.rmtree(room)
sys.exit(failures > 0)
