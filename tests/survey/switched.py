#!/usr/bin/env python3
"""Makes switched.json and the models it names: contacts, friction, branches, conditions, paces, and some smooth motions, none of which a rule of dalembert was made for.

Each is written twice, as a model and as equations of first order, in modes, that SciPy integrates (DOP853, 1e-12) from one event to the next: its events are found by Brent's method.
Stored are the values at the end and the amplitude of each (half its range), and the pace, if there is one. Run it (needs python3-scipy) to make them anew.
"""
import json
import os

import numpy as np
from numpy import cos, exp, pi, sign, sin, sqrt, tanh
from scipy.integrate import solve_ivp

M = {}


def hybrid(T, y0, mode, rates, guards):
    """(t, y) along the motion: guards(mode) lists (function, direction, action), action(t, y) gives (y, mode)."""
    t, y, ts, ys = 0.0, np.array(y0, float), [], []
    while t < T:
        found = guards(mode)
        marks = []
        for g, direction, _ in found:
            def mark(t, y, g=g):
                return g(t, y)
            mark.terminal, mark.direction = True, direction
            marks.append(mark)
        got = solve_ivp(lambda t, y: rates(mode, t, y), (t, T), y, method='DOP853', rtol=1e-12, atol=1e-13, max_step=0.05, events=marks or None)
        ts.append(got.t), ys.append(got.y)
        t, y = got.t[-1], got.y[:, -1]
        if got.status != 1:
            break
        which = [i for i, e in enumerate(got.t_events) if len(e)][0]
        y, mode = found[which][2](t, y.copy())
        on = min(t + 1e-7, T)  # away from the event
        y, t = solve_ivp(lambda t, y: rates(mode, t, y), (t, on), y, method='DOP853', rtol=1e-12, atol=1e-13).y[:, -1], on
    return np.concatenate(ys, axis=1)


def add(name, kind, T, text, columns, y0, rates, mode=0, guards=lambda mode: [], pace=None, take=lambda Y: Y):
    def make():
        Y = take(hybrid(T, y0, mode, rates, guards))
        entry = dict(kind=kind, until=T, values=[[[c], [float(y[-1])], float(y.max() - y.min()) / 2] for c, y in zip(columns, Y)])
        return dict(entry, pace=pace) if pace else entry
    M[name] = (text, make)


def system(*lines):
    return 'system S {\n' + ''.join('  %s\n' % line for line in lines) + '}\n'


def bounce(i, e):
    """The rate in y[i] is turned round."""
    def action(t, y):
        y[i] = -e*y[i]
        return y, 0
    return action


# contacts
add('drop_drag', 'events', 3, system('coordinate y', "lagrangian y'^2/2 - 9.81*y", "force y: -0.1*y'*sqrt(1 + y'^2)", 'contact floor: y >= 0 restitution 0.85', 'start y = 2'), ['y'], [2, 0],
    lambda m, t, y: np.array([y[1], -9.81 - 0.1*y[1]*sqrt(1 + y[1]**2)]), guards=lambda m: [(lambda t, y: y[0], -1, bounce(1, 0.85))])
add('pendulum_stop', 'events', 12, system('coordinate a', "lagrangian a'^2/2 + 9.8*cos(a)", 'contact wall: a + 0.3 >= 0 restitution 0.95', 'start a = 1.2'), ['a'], [1.2, 0],
    lambda m, t, y: np.array([y[1], -9.8*sin(y[0])]), guards=lambda m: [(lambda t, y: y[0] + 0.3, -1, bounce(1, 0.95))])
add('hammer', 'events', 20, system('coordinate x', "lagrangian x'^2/2 - x^2", "force x: 1.5*cos(2.3*t) - 0.1*x'", 'contact anvil: x + 0.4 >= 0 restitution 0.6', "start x = 0.5"), ['x'], [0.5, 0],
    lambda m, t, y: np.array([y[1], -2*y[0] + 1.5*cos(2.3*t) - 0.1*y[1]]), guards=lambda m: [(lambda t, y: y[0] + 0.4, -1, bounce(1, 0.6))])


def collide(t, y):
    # masses 1 and 2, elastic
    u, v = y[2], y[3]
    y[2], y[3] = (u*(1 - 2) + 2*2*v)/3, (v*(2 - 1) + 2*u)/3
    return y, 0


add('two_beads', 'events', 15, system('coordinate x, y', "lagrangian (x'^2 + 2*y'^2)/2 - x^2/2 - (y - 1)^4/4 - (y - 1)^2/2", 'contact touch: y - x >= 0.2 restitution 1', "start x = -1.5, y = 1"), ['x', 'y'], [-1.5, 1, 0, 0],
    lambda m, t, y: np.array([y[2], y[3], -y[0], (-(y[1] - 1)**3 - (y[1] - 1))/2]), guards=lambda m: [(lambda t, y: y[1] - y[0] - 0.2, -1, collide)])


def reflect(t, y):
    n = y[:2]/np.linalg.norm(y[:2])
    y[2:] -= 2*n*(n @ y[2:])
    return y, 0


add('ball_in_drum', 'events', 5, system('coordinate x, y', "lagrangian (x'^2 + y'^2)/2 - 2*y", 'contact rim: 1 - x^2 - y^2 >= 0 restitution 1', "start x = 0.3, y = 0.2, x' = 0.4"), ['x', 'y'], [0.3, 0.2, 0.4, 0],
    lambda m, t, y: np.array([y[2], y[3], 0, -2.0]), guards=lambda m: [(lambda t, y: 1 - y[0]**2 - y[1]**2, -1, reflect)])


def on_table(t, y):
    w = 0.3*cos(3*t)
    y[1] = w - 0.9*(y[1] - w)
    return y, 0


add('shaken_table', 'events', 5, system('coordinate y', "lagrangian y'^2/2 - 9.81*y", 'contact table: y - 0.1*sin(3*t) >= 0 restitution 0.9', 'start y = 1.5'), ['y'], [1.5, 0],
    lambda m, t, y: np.array([y[1], -9.81]), guards=lambda m: [(lambda t, y: y[0] - 0.1*sin(3*t), -1, on_table)])
add('quartic_stop', 'events', 25, system('coordinate x', "lagrangian x'^2/2 - x^4/4", 'contact wall: x + 0.2 >= 0 restitution 1', 'start x = 1.3'), ['x'], [1.3, 0],
    lambda m, t, y: np.array([y[1], -y[0]**3]), guards=lambda m: [(lambda t, y: y[0] + 0.2, -1, bounce(1, 1))])


def knee(t, y):
    # rate b' - a' turned round; M = [[2, c], [c, 1]], impulse along (-1, 1)
    c = cos(y[0] - y[1])
    K = np.array([[2, c], [c, 1]])
    n = np.array([-1.0, 1.0])
    w = np.linalg.solve(K, n)
    y[2:] -= w*(1.5*(n @ y[2:])/(n @ w))
    return y, 0


def two_links(m, t, y):
    p, q, u, v = y
    c, s = cos(p - q), sin(p - q)
    return np.concatenate([[u, v], np.linalg.solve([[2, c], [c, 1]], [-s*v*v - 2*9.8*sin(p), s*u*u - 9.8*sin(q)])])


add('knee', 'events', 4, system('coordinate a, b', "lagrangian a'^2 + b'^2/2 + a'*b'*cos(a - b) + 19.6*cos(a) + 9.8*cos(b)", 'contact stop: b - a >= 0 restitution 0.5', 'start a = -0.6, b = 0.8'), ['a', 'b'], [-0.6, 0.8, 0, 0],
    two_links, guards=lambda m: [(lambda t, y: y[1] - y[0], -1, knee)])


# friction: 0 sticks, 1 and -1 slip
def friction(force, hold, slip, belt, i):
    """Dry friction against a belt on a mass of 1: what else acts is force(t, y)."""
    def rates(m, t, y):
        a = 0 if m == 0 else force(t, y) - m*slip
        return np.array([y[1], a])

    def guards(m):
        if m == 0:
            return [(lambda t, y: force(t, y) - hold, 1, lambda t, y: (y, 1)), (lambda t, y: force(t, y) + hold, -1, lambda t, y: (y, -1))]

        def stop(t, y):
            y[1] = belt
            f = force(t, y)
            return y, 0 if abs(f) <= hold else int(sign(f))
        return [(lambda t, y: y[1] - belt, -m, stop)]
    return rates, guards


r, g = friction(lambda t, y: -y[0], 1, 0.6, 0.3, 1)
add('dry_belt', 'events', 25, system('coordinate x', "lagrangian x'^2/2 - x^2/2", "friction belt: x' = 0.3 limit 1, 0.6", "start x = 0, x' = 0.3"), ['x'], [0, 0.3], r, 0, g)
r, g = friction(lambda t, y: -4*y[0] - y[0]**3, 0.5, 0.5, 0, 1)
add('rubbing', 'events', 8, system('coordinate x', "lagrangian x'^2/2 - 2*x^2 - x^4/4", "friction floor: x' = 0 limit 0.5", 'start x = 3'), ['x'], [3, 0], r, -1, g)
r, g = friction(lambda t, y: -y[0] + 1.6*cos(0.7*t), 0.8, 0.5, 0, 1)
add('pushed_block', 'events', 30, system('coordinate x', "lagrangian x'^2/2 - x^2/2", 'force x: 1.6*cos(0.7*t)', "friction floor: x' = 0 limit 0.8, 0.5", 'start x = 0.2'), ['x'], [0.2, 0], r, 1, g)


# branches
def piece(f):
    return lambda m, t, y: f(t, y, m)


def sides(g):
    """Modes 1 and -1 are the signs of g."""
    return lambda m: [(g, -m, lambda t, y: (y, -m))]


add('bumper', 'events', 20, system('coordinate x', "lagrangian x'^2/2 - x^2/2", 'force x: -if(x > 0.5, 30*(x - 0.5), 0) + 0.5*cos(t)', 'start x = -1'), ['x'], [-1, 0],
    piece(lambda t, y, m: np.array([y[1], -y[0] - (30*(y[0] - 0.5) if m > 0 else 0) + 0.5*cos(t)])), -1, sides(lambda t, y: y[0] - 0.5))
add('vee_driven', 'events', 20, system('coordinate x', "lagrangian x'^2/2 - abs(x)", "force x: 0.3*cos(1.7*t)", 'start x = 1'), ['x'], [1, 0],
    piece(lambda t, y, m: np.array([y[1], -m + 0.3*cos(1.7*t)])), 1, sides(lambda t, y: y[0]))
add('backlash', 'events', 15, system('coordinate a, b', "lagrangian (a'^2 + 3*b'^2)/2 - b^2", 'let d = a - b', 'let F = 40*(max(d - 0.1, 0) + min(d + 0.1, 0))', 'force a: -F + sin(1.3*t)', 'force b: F', 'start a = 0.05'), ['a', 'b'], [0.05, 0, 0, 0],
    lambda m, t, y: np.array([y[2], y[3], -m[0] * 40*(y[0] - y[1] - m[1]*0.1) + sin(1.3*t), (40*m[0]*(y[0] - y[1] - m[1]*0.1) - 2*y[1])/3]), (0, 0),
    lambda m: ([(lambda t, y: y[0] - y[1] - 0.1, 1, lambda t, y: (y, (1, 1))), (lambda t, y: y[0] - y[1] + 0.1, -1, lambda t, y: (y, (1, -1)))] if not m[0]
               else [(lambda t, y: (y[0] - y[1])*m[1] - 0.1, -1, lambda t, y: (y, (0, 0)))]))
add('chua_pieces', 'rates', 12, system("state x' = 9*(y - x + 5/7*x + 3/14*(abs(x + 1) - abs(x - 1)))", "state y' = x - y + z", "state z' = -100/7*y", 'start x = 0.3, y = 0, z = 0'), ['x', 'y', 'z'], [0.3, 0, 0],
    lambda m, t, y: np.array([9*(y[1] - y[0] + 5/7*y[0] + 3/14*(2*y[0] if m == 0 else 2*m)), y[0] - y[1] + y[2], -100/7*y[1]]), 0,
    lambda m: ([(lambda t, y: y[0] - 1, 1, lambda t, y: (y, 1)), (lambda t, y: y[0] + 1, -1, lambda t, y: (y, -1))] if m == 0 else [(lambda t, y: m*y[0] - 1, -1, lambda t, y: (y, 0))]))
add('half_wave', 'rates', 20, system("state i' = 4*(3*sin(2*t) - u) - 0.5*i - 40*min(i, 0)", "state u' = max(i, 0) - u/2", 'start i = 0, u = 0'), ['i', 'u'], [0, 0],
    lambda m, t, y: np.array([4*(3*sin(2*t) - y[1]) - 0.5*y[0] - (40*y[0] if m < 0 else 0), (y[0] if m > 0 else 0) - y[1]/2]), 1, sides(lambda t, y: y[0]))
add('relay', 'events', 20, system('coordinate x', "lagrangian x'^2/2 - x^2/2", "force x: -0.2*x' - 0.5*sign(x - 0.3) + 0.9*cos(0.8*t)", 'start x = 1'), ['x'], [1, 0],
    piece(lambda t, y, m: np.array([y[1], -y[0] - 0.2*y[1] - 0.5*m + 0.9*cos(0.8*t)])), 1, sides(lambda t, y: y[0] - 0.3))

# conditions
add('heater', 'rates', 30, system('discrete on = 1', "state T' = -0.2*(T - 10 - 3*sin(0.5*t)) + 5*on - 0.3*(T - W)", "state W' = 0.5*(T - W)", 'when hot: T > 21 { on = 0 }', 'when cold: T < 19 { on = 1 }', 'start T = 15, W = 15'), ['T', 'W'], [15, 15],
    lambda m, t, y: np.array([-0.2*(y[0] - 10 - 3*sin(0.5*t)) + 5*m - 0.3*(y[0] - y[1]), 0.5*(y[0] - y[1])]), 1,
    lambda m: [(lambda t, y: y[0] - 21, 1, lambda t, y: (y, 0)), (lambda t, y: y[0] - 19, -1, lambda t, y: (y, 1))])


def fire(t, y):
    y[0], y[1] = 0, y[1] + 0.4
    return y, 0


add('spiking', 'rates', 20, system("state v' = 1.6 + 0.5*sin(0.9*t) - v - 0.5*w", "state w' = -0.3*w", 'when spike: v > 1 { v = 0, w = w + 0.4 }', 'start v = 0, w = 0'), ['w'], [0, 0],
    lambda m, t, y: np.array([1.6 + 0.5*sin(0.9*t) - y[0] - 0.5*y[1], -0.3*y[1]]), guards=lambda m: [(lambda t, y: y[0] - 1, 1, fire)], take=lambda Y: Y[1:])


def tick(t, y):
    y[1] = sqrt(y[1]**2 + 0.3)
    return y, 0


add('escapement', 'events', 30, system('coordinate a', "lagrangian a'^2/2 + 2*cos(a)", "force a: -0.15*a'", "when tick: a > 0 { a' = sqrt(a'^2 + 0.3) }", 'start a = -0.8'), ['a'], [-0.8, 0],
    lambda m, t, y: np.array([y[1], -2*sin(y[0]) - 0.15*y[1]]), guards=lambda m: [(lambda t, y: y[0], 1, tick)])
add('bang_bang', 'events', 15, system('coordinate a', 'discrete u = -1', "lagrangian a'^2/2 + cos(a)", "force a: 0.6*u", "when right: a > 0.7 { u = -1 }", "when left: a < -0.7 { u = 1 }", 'start a = 0.5'), ['a'], [0.5, 0],
    lambda m, t, y: np.array([y[1], -sin(y[0]) + 0.6*m]), -1, lambda m: [(lambda t, y: y[0] - 0.7, 1, lambda t, y: (y, -1)), (lambda t, y: y[0] + 0.7, -1, lambda t, y: (y, 1))])


# paces
def centre(f):
    return lambda m, t, y: np.concatenate([y[2:], f(t, y)])


def kepler(y):
    return -y[:2]/(y[0]**2 + y[1]**2)**1.5


add('comet_near', 'pace', 30, system('coordinate x, y', "lagrangian (x'^2 + y'^2)/2 + 1/sqrt(x^2 + y^2)", "start x = 0.1, y' = sqrt(19)"), ['x', 'y'], [0.1, 0, 0, sqrt(19)], centre(lambda t, y: kepler(y)), pace='(x^2 + y^2)^0.75')
add('comet_drag', 'pace', 20, system('coordinate x, y', "lagrangian (x'^2 + y'^2)/2 + 1/sqrt(x^2 + y^2)", "force x: -0.02*x'", "force y: -0.02*y'", "start x = 0.2, y' = 3"), ['x', 'y'], [0.2, 0, 0, 3], centre(lambda t, y: kepler(y) - 0.02*y[2:]), pace='(x^2 + y^2)^0.75')
add('star_pair', 'pace', 20, system('coordinate x, y', 'let r = sqrt((x - cos(t))^2 + (y - sin(t))^2), s = sqrt((x + cos(t))^2 + (y + sin(t))^2)', "lagrangian (x'^2 + y'^2)/2 + 1/r + 1/s", "start x = 3, y' = 0.3"), ['x', 'y'], [3, 0, 0, 0.3],
    centre(lambda t, y: -(y[:2] - [cos(t), sin(t)])/np.linalg.norm(y[:2] - [cos(t), sin(t)])**3 - (y[:2] + [cos(t), sin(t)])/np.linalg.norm(y[:2] + [cos(t), sin(t)])**3), pace='1/sqrt(1/r^3 + 1/s^3)')
add('relaxing', 'pace', 40, system('coordinate x', "lagrangian x'^2/2 - x^2/2", "force x: 8*(1 - x^2)*x'", "start x = 1.5"), ['x'], [1.5, 0], lambda m, t, y: np.array([y[1], -y[0] + 8*(1 - y[0]**2)*y[1]]), pace="1/sqrt(1 + x'^2)")
add('steep_well', 'pace', 25, system('coordinate x', "lagrangian x'^2/2 - x^8/8 - x^2/4", "start x = 1.6"), ['x'], [1.6, 0], lambda m, t, y: np.array([y[1], -y[0]**7 - y[0]/2]), pace='auto')
add('spring_ball', 'pace', 15, system('coordinate x, y', "lagrangian (x'^2 + y'^2)/2 - 20*(sqrt(x^2 + y^2) - 1)^2 - 5*y", "start x = 1.2, x' = 1"), ['x', 'y'], [1.2, 0, 1, 0],
    centre(lambda t, y: -40*(1 - 1/sqrt(y[0]**2 + y[1]**2))*y[:2] - np.array([0, 5.0])), pace='1/sqrt(1 + (x^2 + y^2))')

# smooth
add('duffing', 'mechanism', 40, system('coordinate x', "lagrangian x'^2/2 + x^2/2 - x^4/4", "force x: -0.3*x' + 0.29*cos(1.2*t)", 'start x = 1'), ['x'], [1, 0], lambda m, t, y: np.array([y[1], y[0] - y[0]**3 - 0.3*y[1] + 0.29*cos(1.2*t)]))
add('fitzhugh_pulse', 'rates', 60, system("state v' = v - v^3/3 - w + 0.5", "state w' = 0.08*(v + 0.7 - 0.8*w)", 'start v = 0, w = 0'), ['v', 'w'], [0, 0], lambda m, t, y: np.array([y[0] - y[0]**3/3 - y[1] + 0.5, 0.08*(y[0] + 0.7 - 0.8*y[1])]))
add('brussels', 'rates', 30, system("state x' = 1 + x^2*y - 4*x", "state y' = 3*x - x^2*y", 'start x = 1.2, y = 3'), ['x', 'y'], [1.2, 3], lambda m, t, y: np.array([1 + y[0]**2*y[1] - 4*y[0], 3*y[0] - y[0]**2*y[1]]))
add('tunnel_ring', 'circuit', 40, system('coordinate q', "lagrangian q'^2/2 - q^2/2 - q^3/12", "force q: 0.6*tanh(3*q') - 0.5*q'", 'start q = 0.1'), ['q'], [0.1, 0], lambda m, t, y: np.array([y[1], -y[0] - y[0]**2/4 + 0.6*tanh(3*y[1]) - 0.5*y[1]]))


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    stored = {name: make() for name, (_, make) in M.items()}
    for name, (text, _) in M.items():
        with open(os.path.join(here, 'models', name + '.dal'), 'w') as file:
            file.write(text)
    with open(os.path.join(here, 'switched.json'), 'w') as file:
        file.write('{\n' + ',\n'.join('"%s": %s' % (k, json.dumps(v)) for k, v in stored.items()) + '\n}\n')


if __name__ == '__main__':
    main()
