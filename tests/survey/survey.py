#!/usr/bin/env python3
"""Runs the models of this folder and compares them with reference.json, which other code made (reference.py).

cases.csv has a row for each run: model, scheme, number of steps, error allowed, options, the warning expected (or none).
The error is the largest of all values of the reference, relative to those above 1. With twice the steps it has to be
smaller by the order that the program claims, unless it is within a hundred times the error of the reference or roundoff.
Where corners in time leave less, errors depend on where they fall within a step, and only stay within the one allowed.
refused.csv has a row for each run that must not pass unnoticed: model, options (`_` is a blank), exit code, words of
the message. swept.csv has a row for each sweep: model, grid, options, and how each member ends, whatever makes its steps:
as the same run does alone.

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


def run(model, options):
    command = [program, 'run', os.path.join(here, 'models', model + '.dal'), '--json', '-o', 'out.csv'] + options
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


with open(os.path.join(here, 'reference.json')) as file:
    reference = json.load(file)
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for data in glob.glob(os.path.join(here, 'models', '*.csv')):
        shutil.copy(data, folder)
    for row in table('cases.csv'):
        compare(row, reference[row['model']])
    for row in table('refused.csv'):
        refuse(row)
    for row in table('swept.csv'):
        sweep(row)
sys.exit(failures > 0)
