# One run of scipy's solve_ivp: METHOD PROBLEM TOLERANCE UNTIL; prints processor seconds and the last state.
import sys
import time
from math import cos, sin, sqrt

from scipy.integrate import solve_ivp


def well(t, y):
    return [y[1], y[0] - 2 * y[0] ** 3]


def kepler(t, y):
    r2 = y[0] * y[0] + y[1] * y[1]
    i3 = 1 / (r2 * sqrt(r2))
    return [y[2], y[3], -y[0] * i3, -y[1] * i3]


def van_der_pol(t, y):
    d = 1.6 * (y[0] - y[1])
    return [y[2], y[3], -y[0] - d + (0.5 - y[0] ** 2) * y[2], -1.02 * y[1] + d + (0.5 - y[1] ** 2) * y[3]]


def sleigh(t, y):
    return [y[3] * cos(y[2]), y[3] * sin(y[2]), y[4], 0.3 * y[4] ** 2, -0.3 / 0.49 * y[3] * y[4]]


problems = [(well, [0.74, 0]), (kepler, [0.4, 0, 0, 2]), (van_der_pol, [-0.5, -0.25, 0, 4]), (sleigh, [0, 0, 0, 0.2, 1])]
method, which, tolerance, until = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])
f, start = problems[which]
begin = time.process_time()
s = solve_ivp(f, (0, until), start, method=method, rtol=tolerance, atol=tolerance, t_eval=[until])
print(time.process_time() - begin, *[repr(float(x)) for x in s.y[:, -1]])
sys.exit(0 if s.success else 1)
