"""Equations as `show` prints them, read by an evaluator of its own, against formulas in which the
lets are written out. Arguments: the file that was printed, the model's name here."""
import cmath
import random
import re
import sys

NAME = r"(?:p|lambda)\([^()]+\)|[^\W\d]\w*(?:\[\d+\])*(?:\.\w+(?:\[\d+\])*)*'?(?!\w*\()"
MOVES = re.compile(r"(^|\.)(x|th)(\[|$)")  # what the models below call their coordinates
numbers = random.Random(1)


class Sheet:
    """The lines of a print: (kind of term, left side) -> right side, and what lets are."""

    def __init__(self, text):
        self.line, self.let, self.state = {}, {}, {}
        kind, where = "", False
        for row in re.sub(r"\n    +", " ", text).splitlines():
            at = re.match(r"\d+ terms? at .*:(\d+)", row)
            if at:
                kind, where = at[1], False
            elif row.strip() == "where":
                where = True
            else:
                row = re.sub(r"   (\(the first of .*|with multiplier.*)$", "", row.strip())
                left, _, right = row.partition(" = ") if " = " in row else row.partition(": ")
                if where:
                    self.let[kind, left] = right
                else:
                    self.line[kind, left] = right

    def value(self, kind, text, along=0):
        """`along`: coordinates are moved by this times their velocities."""
        code = re.sub(NAME, lambda m: f"V({m[0]!r})", text).replace("^", "**")
        scope = {f: getattr(cmath, f) for f in ("sin", "cos", "sqrt", "exp")}
        return eval(code, scope, {"V": lambda name: self.named(kind, name, along)})

    def named(self, kind, name, along):
        if (kind, name) in self.let:
            return self.value(kind, self.let[kind, name], along)
        if name.endswith("'") and (kind, name[:-1]) in self.let:
            return self.value(kind, self.let[kind, name[:-1]], 1e-30j).imag / 1e-30
        moved = along * self[name + "'"] if along and MOVES.search(name) else 0
        return self[name] + moved

    def __getitem__(self, name):
        """A number for every variable; velocities that H decides are set before."""
        return self.state.setdefault(name, numbers.uniform(0.5, 1.5))

    def __setitem__(self, name, number):
        self.state[name] = number


def slope(f, s, name, h=1e-3):
    """df/dname by differences of order four."""
    x, total = s[name], 0
    for k, weight in ((1, 8), (-1, -8), (2, -1), (-2, 1)):
        s[name] = x + k * h
        total += weight * f(s)
    s[name] = x
    return total / (12 * h)


def row_of_masses(s):
    """L, forces and relations of tests/cli/lets.sh, chain.dal."""
    d = lambda i: s[f"x[{i + 1}]"] - s[f"x[{i}]"] - 0.1 * i
    v = lambda i: s[f"x[{i + 1}]'"] - s[f"x[{i}]'"]
    energy = lambda s: -s["k"] * d(1) ** 2 / 2 - s["a"] * d(1) ** 4 / 4
    return {
        ("5", "L"): lambda s: energy(s),
        ("5", "adds to dL/dx[1]"): lambda s: slope(energy, s, "x[1]"),
        ("5", "adds to dL/dx[2]"): lambda s: slope(energy, s, "x[2]"),
        ("6", "force on x[1]"): lambda s: s["c"] * v(1),
        ("6", "force on x[2]"): lambda s: -s["c"] * v(1),
        ("", "output stretch[1]"): lambda s: d(1) ** 2 + d(2) * v(1),
    }


def cells(s):
    """Of tests/cli/lets.sh, cells.dal."""
    def of(i):
        g = lambda word: s[f"cell[{i}].{word}"]
        sin, cos = cmath.sin(g("th")), cmath.cos(g("th"))
        X, Y = g("x") + g("l") * sin, -g("l") * cos
        vX, vY = g("x'") + g("l") * cos * g("th'"), g("l") * sin * g("th'")
        w = g("th'") + g("x'") / g("l")
        return g, X, Y, vX, vY, w, X - g("left"), g("u") * cos - w, g("l") * cos
    def energy(s):
        g, X, Y, vX, vY, w, far, pull, turn = of(1)
        return g("m") / 2 * (vX**2 + vY**2) - 9.81 * g("m") * Y - (far - g("rest")) ** 4
    def gap():
        g = of(2)[1] - of(1)[1] - 0.25
        return -5 * g**3 - (of(2)[3] - of(1)[3])
    def rail(s):
        g, X, Y, vX, vY, w, far, pull, turn = of(1)
        return X**2 + Y**2 - far
    def drag():
        g, X, Y, vX, vY, w, far, pull, turn = of(1)
        return -g("c") * vX * w**2
    def slip():
        g, X, Y, vX, vY, w, far, pull, turn = of(1)
        return vX * cmath.cos(g("th")) + w * Y
    def power():
        g, X, Y, vX, vY, w, far, pull, turn = of(1)
        return w * vX + s["lambda(cell[1].rail)"] * pull
    rate = lambda s: sum(slope(rail, s, f"cell[1].{x}") * s[f"cell[1].{x}'"] for x in ("x", "th"))
    found = {("9", "L"): energy}
    for x in ("x", "th", "x'", "th'"):
        found["9", f"adds to dL/dcell[1].{x}"] = lambda s, x=x: slope(energy, s, "cell[1]." + x)
    found.update({
        ("20", "force on cell[2].x"): lambda s: gap(),
        ("20", "force on cell[2].th"): lambda s: gap() * of(2)[-1],
        ("20", "force on cell[1].x"): lambda s: -gap(),
        ("20", "force on cell[1].th"): lambda s: -gap() * of(1)[-1],
        ("10", "force on cell[1].x"): lambda s: drag(),
        ("10", "force on cell[1].th"): lambda s: drag() * of(1)[-1],
        ("11", "force on cell[1].x"): lambda s: 2 * of(1)[-2] ** 3,
        ("12", "holonomic row 201"): rail,
        ("12", "row 201"): rate,
        ("13", "row 1"): lambda s: slip(),
        ("", "output cell[1].power"): lambda s: power(),
    })
    return found


def momenta(s):
    """Of tests/cli/lets.sh, momenta.dal: forces hold velocities, which are dH/dp."""
    rate = lambda i: s[f"p(x[{i}])"] * (1 + s[f"x[{i}]"] ** 2) / s[f"m[{i}]"]
    for i in (1, 2):
        s[f"x[{i}]'"] = rate(i)
    d = s["x[2]"] - s["x[1]"]
    return {
        ("6", "adds to -dH/dp(x[1])"): lambda s: -rate(1),
        ("6", "adds to -dH/dx[2]"): lambda s: -s["k"] * d**3,
        ("7", "force on x[1]"): lambda s: 0.1 * (rate(2) - rate(1)),
        ("7", "force on x[2]"): lambda s: -0.1 * (rate(2) - rate(1)),
        ("8", "force on x[1]"): lambda s: -rate(1) ** 3,
    }


def main(file, model):
    sheet = Sheet(open(file, encoding="utf-8").read())
    looked_at = 0
    for (kind, left), formula in globals()[model](sheet).items():
        if (kind, left) not in sheet.line:
            continue
        shown, right = sheet.value(kind, sheet.line[kind, left]), formula(sheet)
        looked_at += 1
        if not abs(shown - right) <= 1e-9 * max(1, abs(right)):
            sys.exit(f"{kind} {left}: {sheet.line[kind, left]} is {shown}, not {right}")
    print(looked_at, "expressions agree")


main(*sys.argv[1:])
