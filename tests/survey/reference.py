#!/usr/bin/env python3
"""Makes reference.json: the state of every model of this folder at one time, by equations that share nothing with dalembert.

Run it (needs python3-sympy) to make the file anew, or with names of models to print these:  ./reference.py [NAME]...
"""
import json
import os
import sys
from equations import MODELS
import circuits, coarse, driven, encounters, fields, hamiltonians, joints, mechanisms, particles, passages, rolling  # they fill MODELS


def main(names):
    here = os.path.dirname(os.path.abspath(__file__))
    stored = {}
    for name in names or MODELS:
        T, values, error = MODELS[name]()
        stored[name] = dict(until=T, error=float('%.1e' % error), values=values)
        print(name, T, '%.1e' % error, file=sys.stderr)
        if names:
            print(json.dumps(stored[name], indent=1))
    if not names:
        with open(os.path.join(here, 'reference.json'), 'w') as file:
            rows = ['"%s": %s' % (k, json.dumps(v)) for k, v in sorted(stored.items())]
            file.write('{\n' + ',\n'.join(rows) + '\n}\n')


if __name__ == '__main__':
    main(sys.argv[1:])
