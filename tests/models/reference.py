#!/usr/bin/env python3
"""Truth for the models beside this file: the index-reduced equations of motion of the same physics, often written in
other coordinates, integrated by the code of ../examples/reference.py. Nothing here is shared with dalembert.

Run it (needs python3-sympy) to make expected.csv anew:  ./reference.py > expected.csv
"""
import os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'examples'))
from math import sin, cos, tan, sqrt, exp, pi
import sympy as sp
from reference import derive, extrapolate, t, s, c

HEADER = 'model,scheme,step,until,quantity,value,tolerance'
FINE = 'gauss(5)'


def motion(q, v, T, steps=200, **parts):
    """End of a motion from q, v (dictionaries by name), with the difference of two step sizes as its error."""
    names = list(q)
    acc = derive(names, **parts)
    start = [float(q[k]) for k in names], [float(v.get(k, 0)) for k in names]
    fine, rates = extrapolate(acc, *start, T, steps)
    coarse, _ = extrapolate(acc, *start, T, steps * 3 // 4)
    return dict(zip(names, fine)), dict(zip(names, rates)), max(abs(a - b) for a, b in zip(fine, coarse))


def expect(model, T, values, error=0.0, scheme=FINE, step=0.02, tolerance=2e-11, size=1):
    for name, value in values.items():
        print('%s,%s,%g,%g,%s,%.15g,%.1e' % (model, scheme, step, T, name, value,
                                             tolerance * max(size, abs(value)) + 10 * error), flush=True)


def mirrored():
    q, _, e = motion(dict(a=0.3), {}, 2,
                     lagrangian=lambda e: e['a_v']**2 + e['a_v']**2 - 2 * 9.81 * s(e['a']) - 3)
    for scheme in ('midpoint', 'gauss(3)', FINE):
        expect('mirrored', 2, dict(a=q['a'], b=q['a'], c=0), e, scheme=scheme, tolerance=2e-3 if scheme == 'midpoint' else 2e-9)


def phase_pendulum():
    q, v, e = motion(dict(th=pi / 2), {}, 1, lagrangian=lambda e: e['th_v']**2 / 2 + 9.81 * c(e['th']))
    x, y = sin(q['th']), -cos(q['th'])
    values = {'x': x, 'y': y, 'p(x)': -y * v['th'], 'p(y)': x * v['th'], 'rod': (-v['th']**2 + 9.81 * y) / 2}
    expect('phase_pendulum', 1, values, e, scheme='lobatto(5)', step=0.01)
    expect('phase_pendulum', 1, values, e, scheme='lobatto(4)', step=0.001)


def molecule():
    """In units of 1e-10 m and 1e-13 s, and by the angle of the bond; k/m = 500/1.66e-27 1e-26."""
    k = 5e-24 / 1.66e-27
    q, v, e = motion(dict(x=0, y=0, a=0), dict(y=0, a=1), 10, steps=400, lagrangian=lambda e:
                     (e['x_v']**2 + e['y_v']**2 + e['D'](e['x'] + c(e['a']))**2 + e['D'](e['y'] + s(e['a']))**2) / 2
                     - k * e['x']**2 / 2)
    unit, speed = 1e-10, 1.66e-27 * 1e3
    expect('molecule', 1e-12, {'x': unit * q['x'], 'y': unit * q['y'], 'z': unit * (q['x'] + cos(q['a']))}, unit * e,
           scheme='lobatto(5)', step=1e-15, tolerance=1e-9, size=unit)
    expect('molecule', 1e-12, {'p(x)': speed * v['x'], 'p(y)': speed * v['y']}, speed * e,
           scheme='lobatto(5)', step=1e-15, tolerance=1e-9, size=speed)


def pole():
    q, v, e = motion(dict(th=0), dict(th=1), 2, lagrangian=lambda e: e['th_v']**2 / 2 + 9.81 * c(e['th']))
    expect('pole', 2, {'theta': q['th'], 'phi': 0, 'speed': v['th'], 'energy': 0.5 - 9.81}, e)


def main():
    print(HEADER)
    for name, model in list(globals().items()):
        if callable(model) and os.path.exists(os.path.join(os.path.dirname(os.path.abspath(__file__)), name + '.dal')):
            model()


if __name__ == '__main__':
    main()
