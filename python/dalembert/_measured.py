"""What is measured of a method on a model: orders of convergence, and variational orders."""

from __future__ import annotations

import math
import os
from typing import Any, Dict, List, NamedTuple, Optional, Union

from . import _page, _plot

_QUANTITIES = ("q", "p", "energy")
_PARTS = ("lagrangian", "force_at_start", "force_at_end", "momenta")
_POWERS = ("power_at_start", "power_at_end", "energies")


def _by(names, values, kind=float):
    return {name: kind(x) for name, x in zip(names, values)}


def _cell(x, form):
    return format(x, form) if math.isfinite(x) else ""


class Row(NamedTuple):
    """Errors with one step, and the orders against the row before (NaN where they tell nothing). `roundoff`:
    the error is no more than that; `failure`: why it could not be run, or None."""
    step: float
    error: Dict[str, float]
    order: Dict[str, float]
    roundoff: Dict[str, bool]
    steps: Optional[int] = None
    failure: Optional[str] = None


class Orders(NamedTuple):
    """A scheme: the order that it claims, those observed in "q", "p" and "energy" (variationally: in "lagrangian",
    "force_at_start", "force_at_end", "momenta", "power_at_start", "power_at_end" and "energies"), and the rows they are taken from. `missed`: one is more
    than 0.3 below the claim."""
    name: str
    claimed: int
    observed: Dict[str, float]
    missed: bool
    rows: List[Row]

    def table(self) -> List[List[str]]:
        """As texts, a heading first."""
        names = list(self.observed)
        lines = [["steps", "step", *(f"error of {name}" for name in names), *(f"order of {name}" for name in names)]]
        for row in self.rows:
            cells = [_cell(row.error[name], ".2e") for name in names] + [_cell(row.order[name], ".2f") for name in names]
            lines.append(["" if row.steps is None else str(row.steps), f"{row.step:.6g}",
                          *(cells if row.failure is None else [row.failure] + [""]*(len(cells) - 1))])
        lines.append(["", "order", *[""]*len(names), *(_cell(self.observed[name], ".2f") for name in names)])
        return lines

    def _repr_html_(self) -> str:
        return _page.of_orders(self)


class Convergence:
    """Orders of schemes on a model: convergence["gauss(2)"].observed["q"]. `reference` is what errors are taken
    against, `doubt` how uncertain it is."""

    def __init__(self, found: Any):
        self.model, self.file = found.model.decode(), (found.file or b"").decode()
        self.from_, self.until, self.times = found.from_, found.until, found.times
        self.reference = f"{found.reference.decode()} in {found.reference_steps} steps"
        self.doubt: Dict[str, float] = _by(_QUANTITIES, found.doubt)
        self.schemes: List[Orders] = [self._orders(found.scheme[i]) for i in range(found.schemes)]

    @staticmethod
    def _orders(of):
        rows = [Row(r.step, _by(_QUANTITIES, r.error), _by(_QUANTITIES, r.order), _by(_QUANTITIES, r.roundoff, bool),
                    r.steps, r.failure and r.failure.decode()) for r in of.row[:of.rows]]
        return Orders(of.name.decode(), of.claimed, _by(_QUANTITIES, of.observed), bool(of.missed), rows)

    def __getitem__(self, name: str) -> Orders:
        for one in self.schemes:
            if one.name == name:
                return one
        raise KeyError(f"{name!r} was not measured; there are {', '.join(one.name for one in self.schemes)}")

    def __iter__(self):
        return iter(self.schemes)

    def __len__(self) -> int:
        return len(self.schemes)

    def __repr__(self):
        return f"<dalembert convergence of {self.model}: {', '.join(one.name for one in self.schemes)}>"

    def plot(self, quantity: str = "q", path: Union[None, str, os.PathLike] = None, title: Optional[str] = None,
             by: Optional[str] = None) -> Any:
        """Errors of "q", "p" or "energy" over steps, in logarithms: a line of slope r is order r. A figure of
        matplotlib where that is installed, otherwise SVG, as of a motion."""
        if quantity not in _QUANTITIES:
            raise ValueError(f"{quantity!r} is not measured; there are {', '.join(_QUANTITIES)}")
        return _plot.convergence(self, quantity, path, title, by)

    def _repr_html_(self) -> str:
        return _page.of_convergence(self)

    def __str__(self):
        lines = [f"{self.model}, t from {self.from_:.10g} to {self.until:.10g}, against {self.reference}"]
        for one in self.schemes:
            lines += [f"{one.name}, order {one.claimed}" + (": missed" if one.missed else "")]
            lines += ["".join(f"{cell:>17}" for cell in line) for line in one.table()]
        return "\n".join(lines)


class Equivalence(NamedTuple):
    """Motions of L + alpha W under the force that takes it back: `kind` is "strong" if positions and momenta agree to
    roundoff, "weak" if positions do, and momenta but for alpha dW/dv, or "none". `splits` has alpha, the largest
    differences in q, p and p - alpha dW/dv ("shifted"), and the time of a step that "failed"; `moved` those in q and p
    by a start that is changed in its last digit."""
    scheme: str
    kind: str
    splits: List[Dict[str, float]]
    moved: Dict[str, float]


def equivalence(found: Any) -> Equivalence:
    splits = [{of: getattr(x, of) for of in ("alpha", "q", "p", "shifted", "failed")} for x in found.split[:found.splits]]
    return Equivalence(found.scheme.decode(), ("strong", "weak", "none")[found.kind], splits,
                       {"q": found.moved_q, "p": found.moved_p})


class Duplicate(NamedTuple):
    """A run of the doubled system, without forces, from the diagonal: how far its copies get apart, how far it is
    `apart` from the forced run, and the order that it shows (NaN: errors are roundoff) beside that claimed; `by` has
    the same for each K, "mean" (the one above), "between" and "beyond"."""
    scheme: str
    steps: int
    step: float
    off_diagonal: float
    apart: float
    observed: float
    claimed: int
    by: Dict[str, Dict[str, float]]


def duplicate(found: Any) -> Duplicate:
    by = {name: {of: getattr(x, of) for of in ("off_diagonal", "apart", "observed")}
          for name, x in zip(("mean", "between", "beyond"), found.by)}
    return Duplicate(found.scheme.decode(), found.steps, found.step, found.off_diagonal, found.apart, found.observed,
                     found.claimed, by)


def variational(found: Any) -> Orders:
    def both(of: str, a: Any, b: Any, kind: Any = float) -> Dict[str, Any]:
        return {**_by(_PARTS, getattr(a, of), kind), **_by(_POWERS, getattr(b, of), kind)}
    rows = [Row(r.step, both("error", r, g), both("order", r, g), both("roundoff", r, g, bool))
            for r, g in zip(found.row[:found.rows], found.power[:found.rows])]
    observed = {**_by(_PARTS, found.observed), **_by(_POWERS, found.power_observed)}
    return Orders(found.scheme.decode(), found.claimed, observed,
                  any(x < found.claimed - 0.3 for x in observed.values()), rows)
