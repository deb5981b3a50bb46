#!/usr/bin/env python3
"""Runs the models of this folder by damped(s) and compares them with reference.json.

Its rows have two kinds of values, none of them from this program: `steps_of`, what the equations of theory.md [DAMPING] give with
these steps, solved by a code of its own in another form (complex-step derivatives, stages), and `motion`, the exact motion (matrix
exponentials in 40 digits and more, Radau IIA with 1e-13; of the beam with stiff damping, mode by mode;
of van der Pol's equation to t = 2000 the number that is published with test sets, and 2e-8 from explicit steps of 5e-5). Steps agree to roundoff, interpreted and compiled; the distance to the
motion is checked to be that of the reference. What is not damping in the model is none here either: the scheme is gauss(s).

stiff.py DALEMBERT [CASE]...
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

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


def run(row, scheme, backend, options):
    done = subprocess.run([program, 'run', os.path.join(here, 'models', row['model'] + '.dal'), '--record', '0',
                           '--backend', backend, '--json'] + (['--scheme', scheme] if scheme else []) + options + row['options'].split(),
                          capture_output=True, text=True, timeout=120, cwd=room)
    check(done.returncode == 0, row['case'], scheme, done.stderr)
    if done.returncode:
        return {}, {}
    result = json.loads(done.stdout)
    check(not result['warnings'], row['case'], scheme, result['warnings'])
    return result['final']['q'], result['final']['p']


def final(row, scheme, backend):
    """Positions and momenta at the end, in the order of the model; steps of a grid are runs of one step each."""
    grid, q = row.get('grid', []), {}
    if not grid:
        q, p = run(row, scheme, backend, ['--step', repr(row['until'] / row['steps']), '--steps', str(row['steps'])])
        return list(q.values()), list(p.values())
    for start, stop in zip(grid, grid[1:]):
        begin = [word for name, x in q.items() for word in ('--start', f'{name}={x!r}')]
        q, p = run(row, scheme, backend, ['--from', repr(start), '--step', repr(stop - start), '--steps', '1'] + begin)
    return list(q.values()), list(p.values())


def compare(row, scheme, backend):
    want, motion = row['steps_of'][scheme], row['motion']
    q, p = final(row, scheme.replace('damped', 'gauss'), backend)
    # states come behind coordinates; a reference without coordinates has one at rest
    expected = want.get('z', []) if len(q) == len(want.get('z', [])) else want['q'] + want.get('z', [])
    momenta = want['p'] if len(q) > len(want.get('z', [])) else []
    step = row['until'] / row['steps']
    if 'grid' in row:  # starts are typed anew, and small numbers are relative to themselves
        check(all(abs(x - y) <= 1e-9 * abs(y) for x, y in zip(q, expected)), row['case'], scheme, q, expected)
        check(all(abs(x - y) <= (1e-3 if scheme == 'damped(2)' else 1e-5) * y for x, y in zip(q, motion['z'])), row['case'], q)
        return
    # p is a sum of h times forces of order 1, which cancel: it has the roundoff of these
    check(len(q) == len(expected) and farthest(q, expected) <= 3e-13, row['case'], scheme, backend, 'q', q, expected)
    check(farthest(p, momenta) <= 2e-13 * max(1, step), row['case'], scheme, backend, 'p', p, momenta)
    exact = motion.get('z', []) if len(q) == len(want.get('z', [])) else motion['q'] + motion.get('z', [])
    check(farthest(q, exact) <= 1.01 * farthest(expected, exact) + 1e-12, row['case'], scheme, 'motion')


with open(os.path.join(here, 'reference.json')) as file:
    rows = json.load(file)
room = tempfile.mkdtemp()
for row in rows:
    if 'within' in row:  # as it is written, against the motion
        q, p = run(row, None, row.get('backend', 'vm'), [])
        check(all(abs(x - y) <= row['within'] * abs(y) for x, y in zip(q.values(), row['motion']['z'])), row['case'], q)
    for scheme in row.get('steps_of', {}):
        for backend in ('vm',) if 'grid' in row else ('vm', 'native'):
            if not only or row['case'] in only:
                compare(row, scheme, backend)
shutil.rmtree(room)
sys.exit(failures > 0)
