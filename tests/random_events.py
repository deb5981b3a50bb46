#!/usr/bin/python3
"""random_events.py - random piecewise smooth systems, and where their motion leads.

    random_events.py [SEED [COUNT [NUMBER...]]] > reference_events.h

Each system is written twice: in the language, and as a formula of sympy in which every branch has a
flag (abs(x) = s x, floor(x) = k). Equations of motion follow from the formula; scipy's DOP853
follows them from one switch to the next, at rtol 1e-13 and in steps of 0.02 at most, so that its
dense output is exact to roundoff. Systems whose events are ill-conditioned (a margin that nearly
grazes 0, two events within 1e-4, a state that grows) are left out: for these no step size says what
is right."""
import random
import sys

import numpy as np
import sympy as sp
from scipy.integrate import DOP853
from scipy.optimize import brentq

NAMES = "xyzw"
GRAZE = 4e-3


class E:
    """A formula, in the language and in sympy."""

    def __init__(self, text, sym):
        self.text, self.sym = text, sp.sympify(sym)

    def __add__(self, o):
        o = as_e(o)
        return E(f"({self.text} + {o.text})", self.sym + o.sym)

    def __sub__(self, o):
        o = as_e(o)
        return E(f"({self.text} - {o.text})", self.sym - o.sym)

    def __mul__(self, o):
        o = as_e(o)
        return E(f"{self.text}*{o.text}", self.sym * o.sym)

    def __pow__(self, k):
        return E(f"{self.text}^{k}", self.sym**k)


def as_e(x):
    return x if isinstance(x, E) else E(f"{x}" if x >= 0 else f"({x})", sp.Float(repr(x), 30))


def call(name, f, a):
    return E(f"{name}({a.text})", f(a.sym))


class System:
    def __init__(self, number):
        self.r = rng = random.Random(number)
        self.fast = number >= 200000  # branches that come and go within a step
        self.n = rng.choice([1, 1, 2, 2, 3, 4])
        self.t = sp.Symbol("t")
        self.q = [sp.Symbol(NAMES[i]) for i in range(self.n)]
        self.v = [sp.Symbol("v" + NAMES[i]) for i in range(self.n)]
        self.p = [sp.Symbol("p" + NAMES[i]) for i in range(self.n)]
        self.flags, self.margins, self.counts = [], [], []
        self.contacts, self.whens, self.discrete = [], [], []
        self.lines = []
        self.phase = rng.random() < 0.25  # Hamiltonian
        self.relation = None
        self.write()

    # pieces
    def num(self, a, b):
        return round(self.r.uniform(a, b), 3)

    def coordinate(self):
        i = self.r.randrange(self.n)
        return E(NAMES[i], self.q[i])

    def velocity(self):
        i = self.r.randrange(self.n)
        if self.phase:
            return E(f"p({NAMES[i]})", self.p[i])
        return E(NAMES[i] + "'", self.v[i])

    def smooth(self, velocities, time=True):
        """Of size 1."""
        r = self.r.random()
        if velocities and r < 0.3:
            return self.velocity()
        if time and r < 0.5:
            w = self.num(0.7, 2.5)
            if self.fast and self.r.random() < 0.25:
                w = round(4 * w, 3)
            c = self.num(-2, 2)
            return call("sin", sp.sin, as_e(w) * E("t", self.t) + c)
        if r < 0.75:
            return self.coordinate()
        return call("sin", sp.sin, as_e(self.num(0.5, 1.5)) * self.coordinate())

    def line(self, velocities, time=True):
        """What a branch depends on."""
        e = as_e(self.num(0.6, 1.4)) * self.smooth(velocities, time)
        if self.r.random() < 0.6:
            e = e + as_e(self.num(-0.8, 0.8)) * self.smooth(velocities, time)
        return e + self.num(-0.5, 0.5)

    def flag(self, margin, count=False):
        s = sp.Symbol(f"s{len(self.flags)}")
        self.flags.append(s), self.margins.append(margin), self.counts.append(count)
        return s

    def branch(self, velocities, depth=0):
        """Bounded or of linear growth; continuous or not."""
        kind = self.r.choice(["if", "abs", "sign", "min", "max", "floor", "mod", "and"])
        u = self.line(velocities)
        if depth < 1 and self.r.random() < 0.3:
            u = u + as_e(0.5) * self.branch(velocities, depth + 1)
        if kind == "abs":
            return E(f"abs({u.text})", self.flag(u.sym) * u.sym)
        if kind == "sign":
            return E(f"sign({u.text})", self.flag(u.sym))
        if kind in ("min", "max"):
            w = self.line(velocities)
            s = self.flag(w.sym - u.sym if kind == "min" else u.sym - w.sym)
            return E(f"{kind}({u.text}, {w.text})", (1 + s) / 2 * u.sym + (1 - s) / 2 * w.sym)
        if kind == "floor":
            return E(f"floor({u.text})", self.flag(u.sym, True))
        if kind == "mod":
            c = self.num(0.6, 1.5)
            k = self.flag(u.sym / sp.Float(repr(c), 30), True)
            return E(f"mod({u.text}, {c})", u.sym - sp.Float(repr(c), 30) * k)
        a, b = self.line(velocities), self.line(velocities)
        s = self.flag(u.sym)
        w = (1 + s) / 2
        if kind == "if":
            return E(f"if({u.text} > 0, {a.text}, {b.text})", w * a.sym + (1 - w) * b.sym)
        z = self.line(velocities)
        w = w * (1 + self.flag(-z.sym)) / 2
        return E(f"if({u.text} >= 0 and {z.text} < 0, {a.text}, {b.text})", w * a.sym + (1 - w) * b.sym)

    def kink(self):
        """A continuous potential with branches of positions and time."""
        u = self.line(False, time=self.r.random() < 0.4)
        s = self.flag(u.sym)
        k = self.r.choice(["abs", "max", "square", "if"])
        if k == "abs":
            return E(f"abs({u.text})", s * u.sym)
        if k == "max":
            return E(f"max({u.text}, 0)^2", ((1 + s) / 2 * u.sym) ** 2)
        if k == "if":
            return E(f"if({u.text} < 0, 3, 1)*({u.text})^2", (2 - s) * u.sym**2)
        return E(f"{u.text}*abs({u.text})", s * u.sym**2)

    # the system
    def mass(self, i):
        m = as_e(self.num(0.8, 1.6))
        if self.r.random() < 0.4:
            m = E(f"({m.text} + 0.3*sin({NAMES[i]})^2)", m.sym + sp.Float("0.3", 30) * sp.sin(self.q[i]) ** 2)
        return m

    def energy(self):
        T, V = as_e(0), as_e(0)
        for i in range(self.n):
            m = self.mass(i)
            if self.phase:
                T = T + E(f"p({NAMES[i]})^2*{m.text}/2", self.p[i] ** 2 * m.sym / 2)
            else:
                T = T + E(f"{NAMES[i]}'^2*{m.text}/2", self.v[i] ** 2 * m.sym / 2)
            x = E(NAMES[i], self.q[i])
            V = V + as_e(self.num(0.5, 2)) * x**2 + as_e(self.num(0.05, 0.3)) * x**4
        for i in range(self.n - 1):
            d = E(f"({NAMES[i]} - {NAMES[i + 1]})", self.q[i] - self.q[i + 1])
            V = V + as_e(self.num(0.2, 0.8)) * call("cos", sp.cos, d)
            if not self.phase and self.r.random() < 0.4:  # gyroscopic
                T = T + as_e(self.num(-0.4, 0.4)) * E(f"{NAMES[i]}*{NAMES[i + 1]}'", self.q[i] * self.v[i + 1])
        for _ in range(self.r.choice([0, 1, 1, 2])):
            V = V + as_e(self.num(0.2, 0.7)) * self.kink()
        return (T + V if self.phase else T - V), T

    def write(self):
        r = self.r
        self.lines.append("coordinate " + ", ".join(NAMES[: self.n]))
        L, _ = self.energy()
        self.lines.append(("hamiltonian " if self.phase else "lagrangian ") + L.text)
        self.L = L.sym
        self.f = [sp.Integer(0)] * self.n
        for i in range(self.n):
            if r.random() < 0.7:
                F = as_e(-self.num(0, 0.2)) * (E(NAMES[i] + "'", self.v[i]) if not self.phase else E(f"p({NAMES[i]})", self.p[i]))
                for _ in range(r.choice([0, 1, 1])):
                    term = as_e(self.num(-0.8, 0.8)) * self.branch(not self.phase and r.random() < 0.6)
                    if r.random() < 0.25:
                        term = term * self.branch(False)
                    F = F + term
                self.lines.append(f"force {NAMES[i]}: {F.text}")
                self.f[i] = F.sym
        self.q0 = [self.num(-0.8, 0.8) for _ in range(self.n)]
        self.v0 = [self.num(-1.2, 1.2) for _ in range(self.n)]
        kinds = []
        if r.random() < 0.6:
            kinds.append("contact")
        if r.random() < 0.4:
            kinds.append("when")
        if self.n >= 2 and not self.phase and r.random() < 0.35:
            kinds.append(r.choice(["holonomic", "nonholonomic"]))
        if not kinds and not self.flags:
            kinds.append("contact")
        for k in kinds:
            getattr(self, "add_" + k)()
        begin = []
        for i in range(self.n):
            begin.append(f"{NAMES[i]} = {self.q0[i]!r}")
            begin.append((f"p({NAMES[i]})" if self.phase else NAMES[i] + "'") + f" = {self.v0[i]!r}")
        self.lines.append("start " + ", ".join(begin))
        self.text = "system R {\n " + "\n ".join(self.lines) + "\n}\n"

    def add_contact(self):
        for k in range(self.r.choice([1, 1, 2])):
            i = self.r.randrange(self.n)
            side = self.r.choice([-1, 1])
            c, e = self.num(0.3, 0.9), self.r.choice([1.0, 0.8, 0.6])
            g, text = side * self.q[i] + sp.Float(repr(c), 30), f"{'-' if side < 0 else ''}{NAMES[i]} + {c}"
            if self.n > 1 and self.r.random() < 0.5:
                j = (i + 1) % self.n
                g, text = g + sp.Float("0.2", 30) * self.q[j] ** 2, text + f" + 0.2*{NAMES[j]}^2"
            if self.r.random() < 0.3:
                g, text = g + sp.Float("0.1", 30) * sp.sin(self.t), text + " + 0.1*sin(t)"
            self.lines.append(f"contact c{k}: {text} >= 0 restitution {e}")
            self.contacts.append((g, e))

    def add_when(self):
        i = self.r.randrange(self.n)
        w = sp.Symbol("d0")
        c = self.line(not self.phase)
        self.lines.insert(1, "discrete d = 0.3")
        F = self.num(-0.6, 0.6)
        name = f"p({NAMES[i]})" if self.phase else NAMES[i] + "'"
        sym = self.p[i] if self.phase else self.v[i]
        a = self.num(-0.5, 0.9)
        self.lines.append(f"when k: {c.text} > 0 {{ {name} = {a}*{name} + 0.2*d, d = -d }}")
        self.lines.append(f"force {NAMES[i]}: {F}*d")
        self.f[i] += sp.Float(repr(F), 30) * w
        self.whens.append((c.sym, i, sp.Float(repr(a), 30) * sym + sp.Float("0.2", 30) * w))
        self.discrete = [0.3]

    def add_holonomic(self):
        # y = 0.4 x^2 + c, at the start too
        x, y = self.q0[0], self.v0[0]
        c = self.num(-0.3, 0.3)
        self.q0[1] = 0.4 * x * x + c
        self.v0[1] = 0.8 * x * y
        cs = sp.Float(repr(c), 30)
        self.lines.append(f"holonomic y = 0.4*x^2 + {c}")
        self.relation = ([-sp.Float("0.8", 30) * self.q[0], sp.Integer(1)] + [0] * (self.n - 2), sp.Integer(0), self.q[1] - sp.Float("0.4", 30) * self.q[0] ** 2 - cs)

    def add_nonholonomic(self):
        # y' = sin(x) x' + 0.2 cos t
        self.v0[1] = float(np.sin(self.q0[0]) * self.v0[0] + 0.2)
        self.lines.append("constraint y' = sin(x)*x' + 0.2*cos(t)")
        self.relation = ([-sp.sin(self.q[0]), sp.Integer(1)] + [0] * (self.n - 2), -sp.Float("0.2", 30) * sp.cos(self.t), None)


class Bad(Exception):
    pass


class Motion:
    """The equations of motion of a system, from its formula."""

    def __init__(self, s):
        self.s, n = s, s.n
        d = [sp.Symbol("d0")] * len(s.discrete)
        w = s.p if s.phase else s.v
        args = [s.t, *s.q, *w, *s.flags, *d]
        fn = lambda e: sp.lambdify(args, e, "numpy", cse=True)
        if s.phase:
            H = s.L
            self.rhs = fn([sp.diff(H, p) for p in s.p] + [-sp.diff(H, q) + f for q, f in zip(s.q, s.f)])
            self.mass = fn([[sp.diff(H, a, b) for b in s.p] for a in s.p])
            vel = [sp.diff(H, p) for p in s.p]
        else:
            L = s.L
            M = [[sp.diff(L, a, b) for b in s.v] for a in s.v]
            bias = [sp.diff(L, q) + f - sp.diff(L, v, s.t) - sum(sp.diff(L, v, u) * x for u, x in zip(s.q, s.v)) for q, v, f in zip(s.q, s.v, s.f)]
            self.M, self.bias = fn(M), fn(bias)
            self.p = fn([sp.diff(L, v) for v in s.v])
            vel = s.v
            if s.relation:
                A, b, _ = s.relation
                row = sum(a * v for a, v in zip(A, s.v)) + b
                self.A = fn(A)
                self.drift = fn(sp.diff(row, s.t) + sum(sp.diff(row, q) * v for q, v in zip(s.q, s.v)))
        self.margin = fn(s.margins) if s.margins else None
        self.g = fn([g for g, _ in s.contacts]) if s.contacts else None
        if s.contacts:
            self.normal = fn([[sp.diff(g, q) for q in s.q] for g, _ in s.contacts])
            self.rate = fn([sp.diff(g, s.t) + sum(sp.diff(g, q) * v for q, v in zip(s.q, vel)) for g, _ in s.contacts])
        if s.whens:
            self.cond, self.reset = fn([c for c, _, _ in s.whens]), fn([x for _, _, x in s.whens])

    def all(self, f, t, y, sigma):
        return np.array(f(t, *y, *sigma), dtype=float)

    def f(self, t, y, sigma):
        n = self.s.n
        if self.s.phase:
            return self.all(self.rhs, t, y, sigma)
        M, b = self.all(self.M, t, y, sigma), self.all(self.bias, t, y, sigma)
        if not self.s.relation:
            return np.concatenate([y[n:], np.linalg.solve(M, b)])
        A = self.all(self.A, t, y, sigma)
        K = np.block([[M, A[:, None]], [A[None, :], np.zeros((1, 1))]])
        a = np.linalg.solve(K, np.append(b, -float(self.drift(t, *y, *sigma))))
        return np.concatenate([y[n:], a[:n]])

    def strike(self, k, t, y, sigma):
        """Restitution, with the relation kept; the kinetic energy is quadratic."""
        n, e = self.s.n, self.s.contacts[k][1]
        nrm, rate = self.all(self.normal, t, y, sigma)[k], self.all(self.rate, t, y, sigma)[k]
        y = y.copy()
        if self.s.phase:  # p+ = p + lam n, v = M^-1 p
            W = self.all(self.mass, t, y, sigma)
            y[n:] += -(1 + e) * rate / (nrm @ W @ nrm) * nrm
            return y
        M = self.all(self.M, t, y, sigma)
        rows = [nrm] + ([self.all(self.A, t, y, sigma)] if self.s.relation else [])
        N = np.array(rows)
        W = np.linalg.solve(M, N.T)
        lam = np.linalg.solve(N @ W, [-(1 + e) * rate] + [0] * (len(rows) - 1))
        y[n:] += W @ lam
        return y


def follow(s, T):
    m = Motion(s)
    n, nf = s.n, len(s.flags)
    y, t = np.array(s.q0 + s.v0, float), 0.0
    disc = list(s.discrete)
    flags = [1.0] * nf
    log, switched = [], 0
    armed = [True] * len(s.whens)
    W = lambda: flags + disc

    def margins(t, y):
        return m.all(m.margin, t, y, W()) if nf else np.zeros(0)

    def set_flags(keep):
        for _ in range(6):
            u = margins(t, y)
            for k in range(nf):
                if k in keep:
                    continue
                flags[k] = float(np.floor(u[k])) if s.counts[k] else (1.0 if u[k] >= 0 else -1.0)

    def functions(t, y):
        out = [(flags[k] * u if not s.counts[k] else min(u - flags[k], flags[k] + 1 - u)) for k, u in enumerate(margins(t, y))]
        out += list(m.all(m.g, t, y, W())) if s.contacts else []
        out += [-c for c in m.all(m.cond, t, y, W())] if s.whens else []
        return np.array(out)

    set_flags([])
    if len(functions(t, y)) and min(abs(functions(t, y))) < 0.02:
        raise Bad("an event at the start")
    if s.contacts and min(m.all(m.g, t, y, W())) < 0.05:
        raise Bad("violated")
    for k in range(len(s.whens)):
        armed[k] = functions(t, y)[nf + len(s.contacts) + k] > 0
        if not armed[k]:
            raise Bad("true at the start")
    last, just = -1.0, []
    while t < T - 1e-14:
        if len(log) + switched > 60:
            raise Bad("too many")
        solver = DOP853(lambda a, b: m.f(a, b, W()), t, y, T, max_step=0.02, rtol=1e-13, atol=1e-14, first_step=1e-4)
        found = None
        f_prev = functions(t, y)
        clear = {k: k not in just for k in range(len(f_prev))}
        while solver.status == "running":
            solver.step()
            dense = solver.dense_output()
            a, b = solver.t_old, solver.t
            grid = np.linspace(a, b, 9)
            vals = np.array([functions(x, dense(x)) for x in grid])
            if not np.all(np.isfinite(vals)) or np.max(abs(solver.y)) > 20:
                raise Bad("grows")
            roots = []
            for k in range(vals.shape[1]):
                is_when = k >= nf + len(s.contacts)
                if is_when and not armed[k - nf - len(s.contacts)]:
                    if np.any(vals[:, k] > 1e-9):
                        armed[k - nf - len(s.contacts)] = True
                    continue
                F = lambda x: functions(x, dense(x))[k]
                for i in range(len(grid) - 1):
                    lo, hi = vals[i, k], vals[i + 1, k]
                    if not clear[k]:
                        if hi > 1e-7:
                            clear[k] = True
                        elif hi < -1e-7:
                            raise Bad("it chatters")
                        continue
                    if lo > 0 >= hi:
                        roots.append((brentq(F, grid[i], grid[i + 1], xtol=1e-15, rtol=1e-15), k))
                        break
                    if 0 < i and lo < vals[i - 1, k] and lo <= hi and lo < GRAZE:
                        raise Bad("it grazes")
            if roots:
                roots.sort()
                if len(roots) > 1 and roots[1][0] - roots[0][0] < 1e-4:
                    raise Bad("two at once")
                found = (roots[0], dense)
                break
        if not found:
            t, y = solver.t, solver.y
            break
        (te, k), dense = found
        if te - last < 1e-4:
            raise Bad("two at once")
        y, t, last = dense(te), te, te
        rate = (functions(t, y)[k] - functions(t - 1e-5, dense(t - 1e-5))[k]) / 1e-5
        if abs(rate) < 0.08:
            raise Bad("it grazes")
        just = [k]
        if k < nf:
            switched += 1
            if s.counts[k]:
                flags[k] += 1 if margins(t, y)[k] - flags[k] > 0.5 else -1
            else:
                flags[k] = -flags[k]
            u = functions(t, y)[:nf]
            set_flags([j for j in range(nf) if j == k or u[j] >= 0])  # what contains this branch
            others = functions(t, y)
            others[k] = 1
            if len(others) > 1 and min(abs(others)) < 1e-6:
                raise Bad("two at once")
        elif k < nf + len(s.contacts):
            y = m.strike(k - nf, t, y, W())
            log.append(t)
            set_flags([])
        else:
            j = k - nf - len(s.contacts)
            value = float(m.all(m.reset, t, y, W())[j])
            y = y.copy()
            y[n + s.whens[j][1]] = value
            disc[0] = -disc[0]
            if s.relation:
                raise Bad("a reset beside a relation")
            armed[j] = False
            log.append(t)
            set_flags([])
            just = []
        if k >= nf:
            others = functions(t, y)
            others[k] = 1
            if len(others) > 1 and min(abs(others)) < 1e-3:
                raise Bad("two at once")
            if k >= nf + len(s.contacts) and functions(t, y)[k] > 1e-9:
                armed[k - nf - len(s.contacts)] = True
    if t < T - 1e-12:
        raise Bad("ended")
    if n and len(functions(T, y)) and min(abs(functions(T, y))) < 2e-3:
        raise Bad("an event at the end")
    if len(log) + switched < 2:
        raise Bad("nothing happens")
    p = y[n:] if s.phase else m.all(m.p, T, y, W())
    return y[:n], p, log, switched


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    only = [int(x) for x in sys.argv[3:]]
    print("/* reference_events.h - made by random_events.py, which says how. */")
    print("static const random_system random_systems[] = {")
    made, k = 0, seed * 100000
    while made < count:
        k = only.pop(0) if only else max(k, seed * 100000) + 1
        s = System(k)
        T = 4.0
        try:
            q, p, log, switched = follow(s, T)
        except Bad as why:
            print(k, why, file=sys.stderr)
            continue
        made += 1
        text = s.text.rstrip("\n").replace("\n", "\\n\"\n     \"")
        row = ", ".join(f"{x:.17g}" for x in [*q, *p])
        first = f"{log[0]:.17g}" if log else "0"
        print(f'    {{{k}, "{text}",\n     {s.n}, {{{row}}}, {len(log)}, {first}}},')
        sys.stdout.flush()
        print(k, "taken", s.n, len(log), switched, file=sys.stderr)
    print("};")


main()
