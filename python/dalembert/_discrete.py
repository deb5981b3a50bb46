"""Discrete objects: what a scheme makes of a chord, the discrete Tulczyjew triple, and steps by generating functions;
theory.md, [DUPLICATION], [TULCZYJEW] and [GENERATING], defines them."""

from __future__ import annotations

from ctypes import byref, c_double, c_void_p, sizeof
from typing import Any, Callable, List, NamedTuple, Optional, Sequence, Tuple

from ._handles import Context, Owned, Owner
from ._library import (ChordFunction, ChordGradient, DiscreteValues, GeneratingStruct, PointForms, StructureFunction,
                       library)
from ._motion import Numbers, array
from ._structures import _SIDES, _chosen, _flat, _written

_TYPES = {"L": 0, "H+": 1, "H-": 2}
_MAPS = {"kappa": 0, "omega+": 1, "omega-": 2, "gamma+": 3, "gamma-": 4}


class Chord(NamedTuple):
    """Of a chord: L_d, its derivatives, discrete forces and powers, and both Legendre transforms."""
    L: float
    D1: Numbers
    D2: Numbers
    force_minus: Numbers
    force_plus: Numbers
    power_minus: float
    power_plus: float
    p0: Numbers
    p1: Numbers


class Discrete(Owner):
    """What a scheme makes of chords of a model, and what is exact on them. One thread at a time."""

    def __init__(self, context, handle, keep):
        self._context, self._keep = context, keep
        self.owned = Owned(handle, library.dal_discrete_free, context.owned)
        self.n = library.dal_discrete_coordinates(handle)

    def at(self, q0: Sequence[float], q1: Sequence[float], h: float, t: float = 0.0, exact: bool = False) -> Chord:
        """The values on the chord from q0 to q1 over h, by the scheme or along the motion between these ends."""
        out = DiscreteValues()
        self._context.settle(library.dal_discrete_at(self.handle, exact, t, h, _flat(q0, self.n, "q0"),
                                                     _flat(q1, self.n, "q1"), byref(out)))
        n = self.n
        return Chord(out.L, array(out.D1, n), array(out.D2, n), array(out.force_minus, n),
                     array(out.force_plus, n), out.power_minus, out.power_plus, array(out.p0, n), array(out.p1, n))

    def second(self, q0: Sequence[float], q1: Sequence[float], h: float, t: float = 0.0,
               exact: bool = False) -> Tuple[Tuple[float, ...], ...]:
        """d(-p0, p1)/d(q0, q1), by rows: without forces the second derivatives of L_d."""
        n = 2*self.n
        out = (c_double*(n*n))()
        self._context.settle(library.dal_discrete_second(self.handle, exact, t, h, _flat(q0, self.n, "q0"),
                                                         _flat(q1, self.n, "q1"), out))
        return tuple(tuple(out[i*n:(i + 1)*n]) for i in range(n))

    def plus(self, q0: Sequence[float], p1: Sequence[float], h: float, t: float = 0.0,
             exact: bool = False) -> Tuple[float, Numbers, Numbers]:
        """H_d+(q0, p1) and the other ends p0, q1."""
        return self._hamiltonian(library.dal_discrete_plus, q0, p1, h, t, exact)

    def minus(self, p0: Sequence[float], q1: Sequence[float], h: float, t: float = 0.0,
              exact: bool = False) -> Tuple[float, Numbers, Numbers]:
        """H_d-(p0, q1) and the other ends q0, p1."""
        return self._hamiltonian(library.dal_discrete_minus, p0, q1, h, t, exact)

    def _hamiltonian(self, function, a, b, h, t, exact):
        H, first, second = c_double(), (c_double*self.n)(), (c_double*self.n)()
        self._context.settle(function(self.handle, exact, t, h, _flat(a, self.n, "the first end"),
                                      _flat(b, self.n, "the second end"), byref(H), first, second))
        return H.value, array(first, self.n), array(second, self.n)


def triple(map: str, x: Sequence[float], inverse: bool = False) -> Numbers:
    """A map of the discrete Tulczyjew triple, "kappa", "omega+", "omega-", "gamma+" or "gamma-", or its inverse, of
    four blocks of numbers."""
    kind, n = _chosen(map, _MAPS, "map"), len(x)//4
    out = (c_double*max(4*n, 1))()
    (library.dal_triple_inverse if inverse else library.dal_triple)(kind, n, _flat(x, 4*n, "x"), out)
    return array(out, 4*n)


class Generating:
    """Steps by a function W(t, h, a, b) of your own: L_d(q0, q1) (kind "L"), H_d+(q0, p1) ("H+") or H_d-(p0, q1) ("H-").
    gradient(t, h, a, b) returns (dW/da, dW/db), with forces added; without it there are differences. `rows` constraints:
    constraint(t, h, q0, q1) returns the numbers that are 0 in Delta_d, one_forms(t, q) the rows of W at q. Or, of
    Hamiltonians, structure(h, z, v, a) returns 2n numbers that are 0 in a Dirac structure of your own. None, or a
    division by zero and the like, is no value."""

    def __init__(self, n: int, kind: str = "L", value: Optional[Callable[..., float]] = None,
                 gradient: Optional[Callable[..., Any]] = None, rows: int = 0,
                 constraint: Optional[Callable[..., Any]] = None, one_forms: Optional[Callable[..., Any]] = None,
                 structure: Optional[Callable[..., Any]] = None):
        def one(function):
            def call(*arguments):
                found = function(*arguments)
                return None if found is None else (found,)
            return call
        self.n, self.rows = n, rows
        self._struct = s = GeneratingStruct(size=sizeof(GeneratingStruct), n=n, rows=rows,
                                            type=_chosen(kind, _TYPES, "kind"))
        if value:
            s.value = ChordFunction(lambda _self, t, h, a, b, out: _written(
                one(lambda *x: [value(*x)]), t, h, a[:n], b[:n], into=((out, 1),)))
        if gradient:
            s.gradient = ChordGradient(lambda _self, t, h, a, b, by_a, by_b: _written(
                gradient, t, h, a[:n], b[:n], into=((by_a, n), (by_b, n))))
        if constraint:
            s.constraint = ChordFunction(lambda _self, t, h, a, b, out: _written(
                one(constraint), t, h, a[:n], b[:n], into=((out, rows),)))
        if one_forms:
            s.one_forms = PointForms(lambda _self, t, q, out: _written(one(one_forms), t, q[:n], into=((out, rows*n),)))
        if structure:
            s.structure = StructureFunction(lambda _self, h, z, v, a, out: _written(
                one(structure), h, z[:4*n], v[:2*n], a[:2*n], into=((out, 2*n),)))

    def step(self, q: Sequence[float], p: Sequence[float], h: float, t: float = 0.0,
             side: str = "+") -> Tuple[Numbers, Numbers, List[float]]:
        """(q1, p1, mu) by the (+) or (-) equations."""
        context, n = Context(), self.n
        q0, p0, q1, p1 = (_flat(x, n, what) for x, what in ((q, "q"), (p, "p"), (q, "q"), (p, "p")))
        mu = (c_double*max(self.rows, 1))()
        context.settle(library.dal_generating_step(context.handle, byref(self._struct), _chosen(side, _SIDES, "side"),
                                                   t, h, q0, p0, q1, p1, mu))
        return array(q1, n), array(p1, n), mu[:self.rows]


def discrete_of(model, context, options):
    """The objects of a model; for Model.discrete."""
    out = c_void_p()
    context.settle(library.dal_discrete_new(model.handle, options.handle, byref(out)))
    return Discrete(context, out.value, (model, options))
