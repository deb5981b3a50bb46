#!/usr/bin/python3
"""Independent reference for the examples with events: smooth stretches by scipy's DOP853, from one event to the next, or
closed forms. Equations and what happens are written by hand. It prints the rows time/... of expected.csv, each with how far
the end is moved by a tolerance that is a hundred times larger. Needs python3-scipy."""
from math import atan, cos, exp, log, pi, sin, sqrt
from scipy.integrate import solve_ivp

tolerance = 3e-14


def stretch(rates, t, y, end, *events):
    """Up to the first of the events that falls through 0, or to the end: t, y, which (-1: the end)."""
    for e in events:
        e.terminal, e.direction = True, -1
    s = solve_ivp(rates, (t, end), y, method="DOP853", rtol=tolerance, atol=tolerance/10, max_step=0.02,
                  events=list(events))
    which = next((k for k, at in enumerate(s.t_events or []) if len(at)), -1)
    return s.t[-1], list(s.y[:, -1]), which


def bouncing_ball(T=2.0):
    rates = lambda t, y: [y[1], -9.81 - 0.05*y[1]]
    t, y = 0.0, [1.0, 0.0]
    while t < T:
        t, y, hit = stretch(rates, t, y, T, lambda t, y: y[0])
        if hit == 0:
            y = [0.0, -0.7*y[1]]
            t, y, _ = stretch(rates, t, y, min(t + 1e-3, T))
    return T, {"y": y[0]}


def cradle(T=5.0):                      # impacts at pi/2 and 3 pi/2: the first swings, the last, and the first again
    return T, {"x[%d]" % i: -0.5*cos(T) if i == 1 else 0.1*(i - 1) for i in range(1, 6)}


def stadium(T=10.0):                    # straight lines, reflected at lines y = +-1 and at half circles
    x, y, vx, vy, t = 0.1, 0.05, cos(0.7), sin(0.7), 0.0
    while True:
        hits = []
        if vy:
            s = ((1 if vy > 0 else -1) - y)/vy
            if abs(x + s*vx) <= 1 and s > 1e-12:
                hits.append((s, 0.0, 1.0 if vy > 0 else -1.0))
        for c in (-1, 1):
            b, d = (x - c)*vx + y*vy, (x - c)**2 + y*y - 1
            if b*b - d > 0:
                s = -b + sqrt(b*b - d)
                X, Y = x + s*vx - c, y + s*vy
                if s > 1e-12 and X*c > 0:
                    hits.append((s, X, Y))
        s, nx, ny = min(hits)
        if t + s > T:
            return T, {"x": x + (T - t)*vx, "y": y + (T - t)*vy}
        t, x, y = t + s, x + s*vx, y + s*vy
        n = (vx*nx + vy*ny)/(nx*nx + ny*ny)
        vx, vy = vx - 2*n*nx, vy - 2*n*ny


def impact_oscillator(T=12.0):
    rates = lambda t, y: [y[1], -y[0] - y[0]**3 - 0.2*y[1] + 0.8*cos(1.3*t)]
    t, y = 0.0, [0.0, 1.0]
    while t < T:
        t, y, hit = stretch(rates, t, y, T, lambda t, y: 0.5 - y[0])
        if hit == 0:
            t, y, _ = stretch(rates, t, [0.5, -0.8*y[1]], min(t + 1e-3, T))
    return T, {"x": y[0]}


def clock(T=20.0):
    rates = lambda t, y: [y[1], -sin(y[0]) - 0.1*y[1]]
    t, y = 0.0, [-0.4, 0.0]
    while t < T:
        t, y, ticks = stretch(rates, t, y, T, lambda t, y: -y[0])
        if ticks == 0:
            t, y, _ = stretch(rates, t, [0.0, sqrt(y[1]**2 + 0.04)], min(t + 1e-3, T))
    return T, {"a": y[0]}


def rectifier(T=12.0):                  # y: charges through the diode and on the capacitor, and the current
    L, C, R, Rs = 0.1, 2, 5, 0.5
    drive = lambda t, y: 10*sin(t) - y[1]/C
    on = lambda t, y: [y[2], y[2] - y[1]/(R*C), (drive(t, y) - Rs*y[2])/L]
    t, y = 0.0, [0.0, 0.5, 0.0]
    while t < T:
        t, y, _ = stretch(lambda t, y: [0, -y[1]/(R*C), 0], t, [y[0], y[1], 0.0], T, lambda t, y: -drive(t, y))
        if t < T:
            t, y, _ = stretch(on, *stretch(on, t, y, min(t + 1e-3, T))[:2], T, lambda t, y: y[2])
    return T, {"qD": y[0], "qC": y[1]}


def stick_slip(T=25.0):                 # rides to x = 1, slips along x = 0.7 + 0.3 cos + 0.2 sin until its speed is 0.2 again
    t, x = 0.0, 0.0
    while True:
        if t + (1 - x)/0.2 >= T:
            return T, {"x": x + 0.2*(T - t)}
        t += (1 - x)/0.2
        slips = lambda s: 0.7 + 0.3*cos(s) + 0.2*sin(s)
        lasts = 2*(pi - atan(1.5))      # -0.3 sin s + 0.2 cos s = 0.2
        if t + lasts >= T:
            return T, {"x": slips(T - t)}
        t, x = t + lasts, slips(lasts)


def thermostat(T=12.0):                 # towards 40 while on, towards 10 while off, both at the rate 1/5
    t, temp, aim = 0.0, 15.0, 40.0
    while True:
        goal = 21.0 if aim == 40.0 else 19.0
        lasts = 5*log((temp - aim)/(goal - aim))
        if t + lasts >= T:
            return T, {"T": aim + (temp - aim)*exp(-(T - t)/5)}
        t, temp, aim = t + lasts, goal, 10.0 if aim == 40.0 else 40.0


def hopper(T=3.0):
    g, k, c, l = 9.81, 400, 1.5, 1
    t, y = 0.0, [1.3, 0.0]
    stance = lambda rest: lambda t, y: [y[1], -g + k*(rest - y[0]) - c*y[1]]
    while t < T:
        t, y, _ = stretch(lambda t, y: [y[1], -g], t, y, T, lambda t, y: y[0] - l)
        t, y, _ = stretch(stance(l), t, y, T, lambda t, y: -y[1])
        t, y, _ = stretch(stance(l + 0.06), t, y, T, lambda t, y: l + 0.06 - y[0])
    return T, {"y": y[0]}


for model in (bouncing_ball, cradle, stadium, impact_oscillator, clock, rectifier, stick_slip, thermostat, hopper):
    tolerance = 3e-12
    coarse = model()[1]
    tolerance = 3e-14
    T, fine = model()
    for name in fine:
        print("time/%s,%g,%s,%.15g,%.1e" % (model.__name__, T, name, fine[name], abs(fine[name] - coarse[name])))
