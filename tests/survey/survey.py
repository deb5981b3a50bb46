#!/usr/bin/env python3
"""Runs the models of this folder and compares them with reference.json, which other code made (reference.py).

cases.csv has a row for each run: model, scheme, number of steps, error allowed, options, the warning expected (or none).
The error is the largest of all values of the reference, relative to those above 1. With twice the steps it has to be
smaller by the order that the program claims, unless it is within a hundred times the error of the reference or roundoff.
Where corners in time leave less, errors depend on where they fall within a step, and only stay within the one allowed.
refused.csv has a row for each run that must not pass unnoticed: model, options (`_` is a blank), exit code, words of
the message. swept.csv has a row for each sweep: model, grid, options, and how each member ends, whatever makes its steps:
as the same run does alone.

Models of blind.json (blind.py) and of switched.json (switched.py: events and paces) are run with steps of 1/2 to 1/64: whoever is off by more than half an amplitude at the end is wrong
and has to be warned of, whoever is within a tenth is right and should not be. blind.csv lists the runs that are silent or warned of
all the same; there are no others.

survey.py DALEMBERT [NAME]...
"""
import csv
import glob
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

here = os.path.dirname(os.path.abspath(__file__))
program = os.path.abspath(sys.argv[1])
only = sys.argv[2:]
failures = 0


def fail(*words):
    global failures
    failures += 1
    print('FAILED:', *words)


def table(name):
    with open(os.path.join(here, name), newline='') as file:
        rows = [row for row in csv.DictReader(file, skipinitialspace=True)]
    return [row for row in rows if not only or row['model'] in only]


def written():
    """A file that no other thread writes."""
    return 'out%d.csv' % threading.get_ident()


def run(model, options):
    command = [program, 'run', os.path.join(here, 'models', model + '.dal'), '--json', '-o', written()] + options
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def error_after(row, expected, steps):
    """The largest error of a run, the order that it claims (0: corners in time leave less), and what it warned of."""
    step = repr(expected['until'] / steps)
    done = run(row['model'], ['--scheme', row['scheme'], '--step', step, '--steps', str(steps), '--record', '0'] + row['options'].split())
    if done.returncode != 0:
        return math.inf, 0, done.stderr
    result = json.loads(done.stdout)
    final = result['final']
    got = {**{'p(%s)' % k: x for k, x in final['p'].items()}, **final['q'], **final['outputs']}
    errors = [abs(got[k] - x) / max(1, abs(x)) if got[k] is not None else math.inf for k, x in expected['values'].items()]
    if abs(result['t'] / expected['until'] - 1) > 1e-9:
        fail(row['model'], 'ends at', result['t'])
    order = 0 if 'reduced_order' in result else result['order']
    return max(errors), order, '; '.join(result['warnings'])


def compare(row, expected):
    steps, bound = int(row['steps']), float(row['error'])
    coarse, order, words = error_after(row, expected, steps)
    fine, _, _ = error_after(row, expected, 2 * steps)
    floor = max(100 * expected['error'], 1e-11)
    observed = math.log2(coarse / fine) if 0 < fine < math.inf and coarse < math.inf else math.nan
    text = '%s %s %s %d steps: error %.1e, then %.1e, order %.2f of %g; %s' % (row['model'], row['scheme'], row['options'], steps, coarse, fine, observed, order, words)
    if only:
        print(text)
    if row['warning'] not in words or bool(row['warning']) != bool(words):
        fail(text, 'the warning should be:', row['warning'] or 'none')
    if not coarse <= bound:
        fail(text, 'allowed is', bound)
    elif fine > (floor if order else bound) and not order - 0.4 <= observed:
        fail(text)


def refuse(row):
    done = run(row['model'], [word.replace('_', ' ') for word in row['options'].split()])
    if done.returncode != int(row['exit']):
        fail(row['model'], row['options'], 'exit code', done.returncode, 'expected', row['exit'], done.stderr)
    elif row['words'] not in done.stderr:
        fail(row['model'], row['options'], 'lacks', row['words'], ':', done.stderr)


def sweep(row):
    options = row['options'].split()
    expected = row['statuses'].split()
    name, values = row['grid'].split('=')
    for backend in ('vm', 'native'):
        command = [program, 'sweep', os.path.join(here, 'models', row['model'] + '.dal'), '--grid', row['grid'], '-o', 'swept.csv', '-q']
        done = subprocess.run(command + options + ['--backend', backend], capture_output=True, text=True, timeout=60)
        with open('swept.csv', newline='') as file:
            got = [member['status'].split(':')[0] for member in csv.DictReader(file)]
        if got != expected:
            fail(row['model'], row['grid'], row['options'], backend, 'ends', got, done.stderr)
    for value, status in zip(values.split(','), expected):
        kind = '--set' if "'" not in name and name != 'x' else '--start'
        done = run(row['model'], options + [kind, name + '=' + value, '--record', '0'])
        if done.returncode or ('warning:' in done.stderr) != (status == 'warned'):
            fail(row['model'], name, value, row['options'], 'alone:', done.stderr)


SCHEMES = {'mechanism': ['midpoint', 'trapezoid', 'gauss(2)', 'lobatto(3)', 'compose(midpoint, suzuki(4))'], 'circuit': ['midpoint', 'trapezoid', 'gauss(2)'],
           'rates': ['gauss(2)', 'gauss(3)', 'damped(2)', 'damped(3)'], 'body': ['midpoint', 'trapezoid', 'gauss(2)', 'compose(midpoint, suzuki(4))'],
           'relations': ['midpoint', 'trapezoid', 'gauss(2)', 'lobatto(3)'], 'sweep': ['midpoint', 'trapezoid', 'gauss(2)'],
           'events': ['midpoint', 'trapezoid', 'gauss(2)'], 'pace': ['midpoint', 'gauss(2)', 'lobatto(3)']}
counted = {}


def angle(a, b):
    """Between quaternions as attitudes, or between directions."""
    dot, size = sum(x * y for x, y in zip(a, b)), math.sqrt(sum(x * x for x in a) * sum(x * x for x in b))
    return (2 * math.acos(min(1, abs(dot) / size))) if len(a) == 4 else math.acos(max(-1, min(1, dot / size)))


def kind_of(got, values):
    """wrong, between or right: the largest error in amplitudes."""
    off = [angle([got[c] for c in columns], end) / A if len(columns) > 1 else abs(got[columns[0]] - end[0]) / A for columns, end, A in values]
    return 'wrong' if not max(off) < 0.5 else 'right' if max(off) < 0.1 else 'between'


def last_of(file):
    with open(file, newline='') as lines:
        return [{k: float(x) for k, x in row.items() if k != 'status'} | {'status': row.get('status')} for row in csv.DictReader(lines)]


def blind_runs(name, of, scheme, part):
    """(what is varied, kind, warned of) of a run, or of each member of a sweep; failed runs have said so."""
    end = ['--pace', of['pace'], '--until', str(of['until'])] if 'pace' in of else ['--steps', str(of['until'] * part)]
    options = ['--scheme', scheme, '--step', repr(1 / part)] + end + ['-o', written(), '-q']
    model = os.path.join(here, 'models', name + '.dal')
    if of['kind'] == 'sweep':
        grid = '%s=%s' % (of['parameter'], ','.join(repr(m['value']) for m in of['members']))
        subprocess.run([program, 'sweep', model, '--grid', grid] + options + ['--backend', 'native' if part == 16 else 'vm'], capture_output=True, timeout=60)
        for member, got in zip(of['members'], last_of(written())):
            if got['status'].split(':')[0] in ('done', 'warned'):
                yield repr(member['value']), kind_of(got, member['values']), got['status'] == 'warned'
        return
    done = subprocess.run([program, 'run', model, '--record', '0'] + options, capture_output=True, text=True, timeout=60)
    if done.returncode == 0:
        yield '', kind_of(last_of(written())[-1], of['values']), 'warning' in done.stderr


def judge(name, of, known):
    for scheme in SCHEMES[of['kind']]:
        for part in (2, 4, 8, 16, 64):
            for which, kind, warned in blind_runs(name, of, scheme, part):
                case = (name, scheme, str(part), which)
                counted[kind, warned] = counted.get((kind, warned), 0) + 1
                if (kind == 'wrong' and not warned) or (kind == 'right' and warned):
                    if kind != known.get(case):
                        fail(*case, kind, 'warned' if warned else 'silent')


with open(os.path.join(here, 'reference.json')) as file:
    reference = json.load(file)
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for data in glob.glob(os.path.join(here, 'models', '*.csv')):
        shutil.copy(data, folder)
    pool = ThreadPoolExecutor(2)
    list(pool.map(lambda row: compare(row, reference[row['model']]), table('cases.csv')))
    list(pool.map(refuse, table('refused.csv')))
    for row in table('swept.csv'):
        sweep(row)
    known = {(row['model'], row['scheme'], row['part'], row['member']): row['kind'] for row in table('blind.csv')}
    blind = {}
    for models in ('blind.json', 'switched.json'):
        with open(os.path.join(here, models)) as file:
            blind.update(json.load(file))
    list(pool.map(lambda name: judge(name, blind[name], known), [name for name in blind if not only or name in only]))
print(', '.join('%s %s: %d' % (kind, 'warned' if warned else 'silent', n) for (kind, warned), n in sorted(counted.items())))
sys.exit(failures > 0)
