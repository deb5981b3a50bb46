#!/usr/bin/env python3
"""Runs the models of this folder by damped(s) and compares them with reference.json.

Its rows have two kinds of values, none of them from this program: `steps_of`, what the equations of theory.md [DAMPING] give with
these steps, solved by a code of its own in another form (complex-step derivatives, stages), and `motion`, the exact motion (matrix
exponentials in 40 digits and more, Radau IIA with 1e-13). Steps agree to roundoff, interpreted and compiled; the distance to the
motion is checked to be that of the reference. What is not damping in the model is none here either: the scheme is gauss(s).

stiff.py DALEMBERT [CASE]...
"""
import json
import os
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
program = os.path.abspath(sys.argv[1])
only = sys.argv[2:]
failures = 0


def check(good, *words):
    global failures
    failures += not good
    if not good:
        print('FAILED:', *words)


def farthest(a, b):
    return max((abs(x - y) for x, y in zip(a, b)), default=0)


def final(row, scheme, backend):
    """Positions and momenta at the end of a run, in the order of the model."""
    step = row['until'] / row['steps']
    done = subprocess.run([program, 'run', os.path.join(here, 'models', row['model'] + '.dal'), '--scheme', scheme,
                           '--step', repr(step), '--steps', str(row['steps']), '--record', '0', '--backend', backend, '--json']
                          + row['options'].split(), capture_output=True, text=True, timeout=120)
    check(done.returncode == 0, row['case'], scheme, done.stderr)
    if done.returncode:
        return [], []
    result = json.loads(done.stdout)
    check(not result['warnings'], row['case'], scheme, result['warnings'])
    return list(result['final']['q'].values()), list(result['final']['p'].values())


def compare(row, scheme, backend):
    want, motion = row['steps_of'][scheme], row['motion']
    q, p = final(row, scheme.replace('damped', 'gauss'), backend)
    # states come behind coordinates; a reference without coordinates has one at rest
    expected = want.get('z', []) if len(q) == len(want.get('z', [])) else want['q'] + want.get('z', [])
    momenta = want['p'] if len(q) > len(want.get('z', [])) else []
    step = row['until'] / row['steps']
    # p is a sum of h times forces of order 1, which cancel: it has the roundoff of these
    check(len(q) == len(expected) and farthest(q, expected) <= 3e-13, row['case'], scheme, backend, 'q', q, expected)
    check(farthest(p, momenta) <= 2e-13 * max(1, step), row['case'], scheme, backend, 'p', p, momenta)
    exact = motion.get('z', []) if len(q) == len(want.get('z', [])) else motion['q'] + motion.get('z', [])
    check(farthest(q, exact) <= 1.01 * farthest(expected, exact) + 1e-12, row['case'], scheme, 'motion')


with open(os.path.join(here, 'reference.json')) as file:
    rows = json.load(file)
for row in rows:
    for scheme in row['steps_of']:
        for backend in ('vm', 'native'):
            if not only or row['case'] in only:
                compare(row, scheme, backend)
sys.exit(failures > 0)
