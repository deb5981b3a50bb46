"""Retractions and discrete Dirac structures as Python objects; theory.md, [DIRAC] and [BOWTIE], defines them."""

from __future__ import annotations

import traceback
from ctypes import byref, c_double, c_size_t, c_void_p, memmove, sizeof
from typing import Any, Callable, List, Optional, Sequence, Tuple, Union

from ._handles import Context, Owned, Owner
from ._library import Chord, Forms, OneForms, RetractionStruct, library
from ._motion import Numbers, array, table

_SIDES, _PLACES = {"+": 0, "-": 1}, {"midpoint": 0, "left": 1, "right": 2}


def _leaves(values):
    for x in values:
        if hasattr(x, "__len__"):
            yield from _leaves(x)
        else:
            yield float(x)


def _flat(values, count, what):
    """Numbers of a vector, or row by row of a matrix, for the library."""
    numbers = list(_leaves(values))
    if len(numbers) != count:
        raise ValueError(f"{what} has {len(numbers)} numbers where there should be {count}")
    return (c_double * max(count, 1))(*numbers)


def _chosen(word, table, what):
    if word not in table:
        raise ValueError(f"{word!r} is no {what}; there are {', '.join(table)}")
    return table[word]


def _written(function, *arguments, into):
    """Calls a Python function for the library: what it returns goes into memory; None, or a division by zero and the
    like, is no value. Another exception cannot pass through the library, and is printed."""
    try:
        found = function(*arguments)
        if found is None:
            return 1
        for values, (at, count) in zip(found, into):
            if at:
                memmove(at, _flat(values, count, "a result"), count*sizeof(c_double))
        return 0
    except ArithmeticError:
        return 1
    except Exception:
        traceback.print_exc()
        return 1


class Retraction:
    """Maps a velocity at a point to a second point, and back: apply(q, v) returns (q1, dq1/dq, dq1/dv), matrices by
    rows, and inverse(q, q1) returns (v, dv/dq, dv/dq1); None where there is no such point or velocity. `at` says
    where a discrete constraint is taken: "midpoint", "left" or "right". For model.simulate(retraction=...), with
    schemes whose curve has degree one, their compositions, and for structures."""

    def __init__(self, n: int, apply: Callable[[List[float], List[float]], Any],
                 inverse: Callable[[List[float], List[float]], Any], at: str = "midpoint"):
        def chord(function):
            return Chord(lambda _self, n, a, b, out, by_a, by_b: _written(
                function, a[:n], b[:n], into=((out, n), (by_a, n*n), (by_b, n*n))))
        self.n, self.at = n, at
        _chosen(at, _PLACES, "place")
        self._struct = RetractionStruct(n=n, apply=chord(apply), inverse=chord(inverse))

    @classmethod
    def _of(cls, struct, at):
        made = cls.__new__(cls)
        made.n, made.at, made._struct = struct.n, at, struct
        _chosen(at, _PLACES, "place")
        return made

    @classmethod
    def flat(cls, n: int, at: str = "midpoint") -> Retraction:
        """q + v on R^n."""
        return cls._of(library.dal_retraction_flat(n), at)

    @classmethod
    def sphere(cls, n: int, at: str = "midpoint") -> Retraction:
        """(q + v)/|q + v| on the unit sphere of R^n."""
        return cls._of(library.dal_retraction_sphere(n), at)

    def __repr__(self):
        return f"<dalembert retraction of {self.n} coordinates at the {self.at}>"


OneFormsOf = Union[Sequence[Sequence[float]], Callable[[List[float]], Any]]


def _forms(W, n, rows):
    """A struct dal_one_forms, and what must live as long."""
    if not callable(W):
        matrix = [list(row) for row in W]
        n = len(matrix[0]) if matrix else n
        constant = _flat(matrix, len(matrix)*n, "W")
        return OneForms(n=n, rows=len(matrix), constant=constant), constant
    call = Forms(lambda _self, q, out, by_q: _written(W, q[:n], into=((out, rows*n), (by_q, rows*n*n))))
    return OneForms(n=n, rows=rows, eval=call), call


class Structure(Owner):
    """A discrete Dirac structure, forward (side="+") or backward ("-"): which covectors alpha belong to a pair of
    points z = (q0, p0, q1, p1), 4n numbers each. One thread at a time."""

    def __init__(self, context, handle, keep, parts=()):
        self._context, self._keep = context, keep
        self.owned = Owned(handle, library.dal_structure_free, context.owned, *(part.owned for part in parts))

    @classmethod
    def _made(cls, make, W, n, rows, side, retraction):
        context, out, (forms, keep) = Context(), c_void_p(), _forms(W, n, rows)
        struct = byref(retraction._struct) if retraction else None
        place = _PLACES[retraction.at] if retraction else 0
        context.settle(make(context.handle, _chosen(side, _SIDES, "side"), byref(forms), struct, place, byref(out)))
        return cls(context, out.value, (forms, keep, retraction))

    @classmethod
    def induced(cls, W: OneFormsOf = (), n: int = 0, rows: int = 0, side: str = "+",
                retraction: Optional[Retraction] = None) -> Structure:
        """Induced by Delta = ker W. W is a matrix by rows; or a function of q that returns (W, dW), `rows` x n numbers
        and their derivatives dW[a][i][j] = dW_ai/dq_j; or nothing, with n coordinates and no constraint."""
        return cls._made(library.dal_structure_induced, W, n, rows, side, retraction)

    @classmethod
    def interaction(cls, W: OneFormsOf = (), n: int = 0, rows: int = 0, side: str = "+",
                    retraction: Optional[Retraction] = None) -> Structure:
        """The same with 0 for Omega_d: what the bowtie connects by; with no rows it is neutral."""
        return cls._made(library.dal_structure_interaction, W, n, rows, side, retraction)

    @classmethod
    def direct_sum(cls, *parts: Structure) -> Structure:
        """Side by side on the product of their spaces."""
        context, out = Context(), c_void_p()
        handles = (c_void_p * max(len(parts), 1))(*(part.handle for part in parts))
        context.settle(library.dal_structure_direct_sum(context.handle, handles, len(parts), byref(out)))
        return cls(context, out.value, parts, parts)

    def bowtie(self, other: Structure) -> Structure:
        """The product on one space that connects: alpha = a + b with z in both."""
        context, out = Context(), c_void_p()
        context.settle(library.dal_structure_bowtie(context.handle, self.handle, other.handle, byref(out)))
        return Structure(context, out.value, (self, other), (self, other))

    @property
    def n(self) -> int:
        """The number of coordinates."""
        return library.dal_structure_coordinates(self.handle)

    @property
    def relations(self) -> int:
        """The number of rows of W."""
        return library.dal_structure_relations(self.handle)

    def residual(self, h: float, z: Numbers, alpha: Numbers) -> float:
        """How far (z, alpha) is from it; NaN: out of the reach of the retraction."""
        return library.dal_structure_residual(self.handle, h, self._pair(z), self._pair(alpha))

    def flat(self, z: Numbers) -> Numbers:
        """Omega_d(z), the covector of an unconstrained pair."""
        out = (c_double * (4*self.n))()
        library.dal_structure_flat(self.handle, self._pair(z), out)
        return array(out, len(out))

    def differential(self, q0: Numbers, q1: Numbers, D1: Numbers, D2: Numbers) -> Numbers:
        """The discrete Dirac differential of a discrete Lagrangian with slots D1 and D2, forces added."""
        n, out = self.n, (c_double * (4*self.n))()
        library.dal_structure_differential(self.handle, *(_flat(x, n, "a point") for x in (q0, q1, D1, D2)), out)
        return array(out, len(out))

    def constraint(self, h: float, z: Numbers) -> Numbers:
        """The relations h W_d at z; NaN out of reach."""
        out = (c_double * max(self.relations, 1))()
        library.dal_structure_constraint(self.handle, h, self._pair(z), out)
        return array(out, self.relations)

    def annihilator(self, h: float, z: Numbers) -> Any:
        """Generators of the annihilator in the fibre, rows of 2n numbers; None out of reach."""
        count = c_size_t()
        found = library.dal_structure_annihilator(self.handle, h, self._pair(z), byref(count))
        return table(found[:2*self.n*count.value], count.value, 2*self.n) if found else None

    def fibre(self, h: float, z: Numbers) -> Tuple[Any, float]:
        """An orthonormal basis of the directions in which one can leave z within it over a fixed base, rows of 4n
        numbers (2n of them where it is a Dirac structure, none out of reach), and how far they are from
        isotropic."""
        width, defect = 4*self.n, c_double()
        basis = (c_double * (width*width))()
        count = library.dal_structure_fibre(self.handle, h, self._pair(z), basis, byref(defect))
        return table(basis[:count*width], count, width), defect.value

    def _pair(self, z):
        return _flat(z, 4*self.n, "a pair of points")


def _rows(W):
    matrix = [list(row) for row in W]
    if not matrix:
        raise ValueError("W has no rows")
    n = len(matrix[0])
    return _flat(matrix, len(matrix)*n, "W"), len(matrix), n


def _basis(find, W, blocks=1):
    context, (matrix, rows, n) = Context(), _rows(W)
    width = blocks*n
    out = (c_double * (width*width))()
    count = find(context.handle, matrix, rows, n, out)
    if count < 0:
        raise MemoryError("no memory for a basis")
    return table(out[:count*width], count, width)


def distribution(W: Sequence[Sequence[float]]) -> Any:
    """An orthonormal basis, by rows, of Delta = ker W."""
    return _basis(library.dal_distribution, W)


def annihilator(W: Sequence[Sequence[float]]) -> Any:
    """An orthonormal basis, by rows, of the annihilator of ker W: the span of the rows of W."""
    return _basis(library.dal_annihilator, W)


def dirac(W: Sequence[Sequence[float]]) -> Any:
    """An orthonormal basis, by rows, of the Dirac structure that Delta = ker W induces on T*Q: (v_q, v_p, a_q, a_p)
    with v_q in Delta, a_p = v_q and a_q + v_p in the annihilator of Delta. It has 2n rows."""
    return _basis(library.dal_dirac, W, 4)


def dirac_residual(W: Sequence[Sequence[float]], x: Numbers) -> float:
    """How far (v_q, v_p, a_q, a_p) is from that structure; 0 for (q', p', -L_q - f, q') of a motion."""
    matrix, rows, n = _rows(W)
    return library.dal_dirac_residual(Context().handle, matrix, rows, n, _flat(x, 4*n, "x"))
