#!/usr/bin/python3
"""The end states and instants that test_event_parts.c compares with: smooth stretches by scipy's DOP853, from event to
event. Equations and jumps are written by hand, in the coordinates that are free."""
from math import cos, pi, sin
from scipy.integrate import solve_ivp


def stretch(rates, t, y, end, *events):
    """Up to the first of the events, or to the end: t, y, which (-1: the end)."""
    for e in events:
        e.terminal, e.direction = True, -1
    s = solve_ivp(rates, (t, end), y, method="DOP853", rtol=3e-14, atol=1e-15, max_step=0.02,
                  events=list(events))
    which = next((k for k, at in enumerate(s.t_events or []) if len(at)), -1)
    return s.t[-1], s.y[:, -1], which


def show(name, y, instants):
    print(name, ", ".join("%.16g" % x for x in y), "at", ", ".join("%.15g" % x for x in instants))


# Mains 10 V, switch on for 0.4 of every second, arc 1e4, coil 0.5 H, load 2 ohm: the charge and the current.
def switch(T=3.2):
    t, y, at = 0.0, [0.0, 0.0], []
    while t < T:
        t, y, _ = stretch(lambda t, y: [y[1], (10 - 2*y[1])/0.5], t, y, min(round(t) + 0.4, T))
        if t >= T:
            break
        t, y, _ = stretch(lambda t, y: [y[1], (10 - 2*y[1] - 1e4)/0.5], t, y, T, lambda t, y: y[1])
        at.append(t)
        t, y = round(t) + 1.0, [y[0], 0.0]
    show("switch", y, at)


# The same as a buck converter: wires of 0.01 H, and a diode from ground to the coil. Charges through coil and switch,
# and their currents; the coil's and the switch's differ by that of the diode.
def buck(T=3.2):
    t, y, at = 0.0, [0.0]*4, []
    both = lambda arc: lambda t, y: [y[2], y[3], -2*y[2]/0.5, (10 - arc)/0.01]
    while True:
        if y[2] > 0:                    # the switch takes the current over
            t, y, _ = stretch(both(0), t, y, T, lambda t, y: y[2] - y[3])
            at.append(t)
        t, y, _ = stretch(lambda t, y: [y[2], y[3]] + [(10 - 2*y[2])/0.51]*2, t, y, min(int(t) + 0.4, T))
        if t >= T:
            break
        t, y, _ = stretch(both(1e4), t, y, T, lambda t, y: y[3])
        at.append(t)
        t, y, _ = stretch(lambda t, y: [y[2], 0, -2*y[2]/0.5, 0], t, [y[0], y[1], y[2], 0], int(t) + 1.0)
    show("buck", y, at)


# 10 sin t, fired in 1 .. 1.2 of every period, coil 0.5 H, load 2 ohm; 1e-3 A hold it, 1e4 V end it.
def thyristor(T=20.0):
    rates = lambda back: lambda t, y: [y[1], (10*sin(t) - 2*y[1] - back)/0.5]
    t, y, at = 1.0, [0.0, 0.0], []
    while t < T:
        t, y, _ = stretch(rates(0), t, [y[0], 0.0], min(t + 0.2, T))
        if t < T:
            t, y, which = stretch(rates(0), t, y, T, lambda t, y: y[1] - 1e-3)
            at.append(t)
            t, y, _ = stretch(rates(1e4), t, y, T, lambda t, y: y[1])
            at.append(t)
            t = 2*pi*len(at)/2 + 1
    show("thyristor", y, at)


# A mass of 1 kg on a cubic spring, k = 20, beta = 30, with weight, between -0.5 and 0.3, e = 0.6.
def end_stop(T=2.0):
    t, y, at = 0.0, [0.0, 8.0], []
    rates = lambda t, y: [y[1], -20*y[0] - 30*y[0]**3 - 9.81]
    while t < T:
        t, y, which = stretch(rates, t, y, T, lambda t, y: y[0] + 0.5, lambda t, y: 0.3 - y[0])
        if which >= 0:
            at.append(t)
            y = [-0.5 if which == 0 else 0.3, -0.6*y[1]]
            t, y, _ = stretch(rates, t, y, t + 1e-3)
    show("end_stop", y, at)


# A motor of inertia 1 driven by cos t, play of 0.2, and a pendulum of m = 1, l = 1, g = 3, with drag 0.1; e = 0.
def backlash(T=12.0):
    free = lambda t, y: [y[2], y[3], cos(t), -3*sin(y[1]) - 0.1*y[3]]
    acc = lambda t, y: (cos(t) - 3*sin(y[1]) - 0.1*y[3])/2
    force = lambda t, y: acc(t, y) - cos(t)           # on the motor, by the teeth
    t, y, at = 0.0, [0.0]*4, []
    while t < T:
        t, y, which = stretch(free, t, y, T, lambda t, y: 0.1 - (y[1] - y[0]), lambda t, y: 0.1 + (y[1] - y[0]))
        if which < 0:
            break
        at.append(t)
        v = (y[2] + y[3])/2
        side = 0.1 if which == 0 else -0.1
        y = [y[0], y[0] + side, v, v]
        push = (lambda t, y: force(t, y)) if which == 0 else (lambda t, y: -force(t, y))
        if push(t, y) > 0:
            t, y, gone = stretch(lambda t, y: [y[2], y[3], acc(t, y), acc(t, y)], t, y, T, push)
            if gone < 0:
                break
            at.append(t)
        t, y, _ = stretch(free, t, y, min(t + 1e-2, T))
    show("backlash", y, at)


# A pendulum (m = l = g = 1) on a ratchet, driven by 1.5 sin 2t.
def ratchet(T=8.0):
    torque = lambda t, y: 1.5*sin(2*t) - sin(y[0])
    moves = lambda t, y: [y[1], torque(t, y)]
    t, y, at = 0.0, [0.0, 0.0], []
    while t < T:
        t, y, _ = stretch(moves, *stretch(moves, t, y, min(t + 1e-2, T))[:2], T, lambda t, y: y[1])
        at.append(t)
        if t < T:
            t, y, _ = stretch(lambda t, y: [0, 0], t, [y[0], 0.0], T, lambda t, y: -torque(t, y))
            at.append(t)
    show("ratchet", y, [t for t in at if t < T])


# An engine of inertia 2 with torque 1 from 10 rad/s; a car of inertia 5 with drag 0.2 v + 0.01 v^3; the clutch sticks up
# to 3, slips with 2, and is pressed by 1, from t = 15 on by 0.1.
def clutch(T=20.0):
    drag = lambda v: 0.2*v + 0.01*v**3
    slips = lambda by: lambda t, y: [y[2], y[3], (1 - by)/2, (by - drag(y[3]))/5]
    t, y, _ = stretch(slips(2), 0.0, [0.0, 0.0, 10.0, 0.0], 15.0, lambda t, y: y[2] - y[3])
    at = [t]
    v = (2*y[2] + 5*y[3])/7
    t, y, _ = stretch(lambda t, y: [y[2], y[3]] + [(1 - drag(y[3]))/7]*2, t, [y[0], y[1], v, v], 15.0)
    t, y, _ = stretch(slips(0.2), t, y, T)
    show("clutch", y, at)


# A wheel of inertia 2 with drag 0.3 v + v^3/10, pushed by a freewheel from a shaft of inertia 1 with torque 3 sin t.
def freewheel(T=10.0):
    drag = lambda v: 0.3*v + v**3/10
    apart = lambda t, y: [y[2], y[3], 3*sin(t), -drag(y[3])/2]
    acc = lambda t, y: (3*sin(t) - drag(y[3]))/3
    push = lambda t, y: 3*sin(t) - acc(t, y)
    t, y, at = 0.0, [0.0]*4, []
    while t < T:
        t, y, gone = stretch(lambda t, y: [y[2], y[3], acc(t, y), acc(t, y)], t, y, T,
                             lambda t, y: push(t, y) if t > 1e-3 else 1.0)
        if gone < 0:
            break
        at.append(t)
        t, y, met = stretch(apart, *stretch(apart, t, y, min(t + 1e-2, T))[:2], T, lambda t, y: y[3] - y[2])
        if met < 0:
            break
        at.append(t)
        y = [y[0], y[1], y[2], y[2]]
    show("freewheel", y, at)


for model in (switch, buck, thyristor, end_stop, backlash, ratchet, clutch, freewheel):
    model()
