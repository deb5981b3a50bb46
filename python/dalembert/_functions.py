"""Models made of Python functions: what from_functions is given becomes a struct dal_callbacks."""

import ctypes
from ctypes import POINTER, c_char_p, c_double, c_int, c_ubyte

from ._library import Callbacks, Eval

_WANTS = {"L": 1, "gradient": 2, "hessian": 4, "force": 8, "force_jacobian": 16, "time": 32,
          "relations": 64, "holonomic": 128, "relations_jacobian": 256}
_FIELDS = {"Lqq": 1, "Lqv": 2, "Lvv": 4, "fq": 8, "fv": 16, "f": 32, "A": 64}
_KNOWN = {"name", "constraints", "holonomic", "relations", "parameters", "inputs", "q", "v", "p",
          "hamiltonian", "autonomous", "zero", "constant", "missing"}


class _At:
    """The point of an evaluation."""

    def __init__(self, point, n, rows, parameters, inputs):
        self.t = point.t
        self.q, self.v, self.p = point.q[:n], point.v[:n], point.p[:n]
        self.lam = point.lam[:rows] if point.lam else [0.0] * rows
        self.parameter = dict(zip(parameters, point.parameter[:len(parameters)]))
        self.input = dict(zip(inputs, point.input[:len(inputs)]))


def _bits(words, table, what):
    total = 0
    for word in words or ():
        if word not in table:
            raise ValueError(f"{word!r} is no {what}; there are {', '.join(table)}")
        total |= table[word]
    return total


def _strings(words):
    return (c_char_p * max(len(words), 1))(*[word.encode() for word in words])


def _doubles(values, count):
    values = [0.0] * count if values is None else [float(x) for x in values]
    if len(values) != count:
        raise ValueError(f"{len(values)} numbers where there should be {count}")
    return (c_double * max(count, 1))(*values)


def callbacks(evaluate, coordinates, description):
    """The struct, and what must live as long as the model does."""
    unknown = set(description) - _KNOWN
    if unknown:
        raise TypeError(f"from_functions does not know {', '.join(sorted(unknown))}; it knows "
                        f"{', '.join(sorted(_KNOWN))}")
    d, n = description, len(coordinates)
    velocity, holonomic = int(d.get("constraints", 0)), int(d.get("holonomic", 0))
    rows = velocity + holonomic
    parameters, inputs = dict(d.get("parameters") or {}), dict(d.get("inputs") or {})
    names, input_names = list(parameters), list(inputs)
    missing = _bits(d.get("missing"), _WANTS, "kind of derivative")
    has = [(word, bit) for word, bit in _WANTS.items() if not missing & bit]

    def call(_self, want, at, out):
        try:
            evaluate({word for word, bit in has if want & bit},
                     _At(at.contents, n, rows, names, input_names), out.contents)
            return 0
        except Exception as reason:  # it must not pass through C; the library says it
            out.contents.why = f"{type(reason).__name__}: {reason}".encode()[:199]
            return 1

    keep = [Eval(call), _strings(coordinates), _strings(names), _strings(input_names)]
    made = Callbacks(size=ctypes.sizeof(Callbacks), name=d.get("name", "functions").encode(),
                     coordinates=n, constraints=velocity, holonomic=holonomic,
                     parameters=len(names), inputs=len(input_names),
                     autonomous=int(bool(d.get("autonomous"))), zero=_bits(d.get("zero"), _FIELDS, "field"),
                     constant=_bits(d.get("constant"), _FIELDS, "field"), missing=missing, eval=keep[0])
    made.coordinate, made.parameter, made.input = keep[1], keep[2], keep[3]
    for word in ("q", "v", "p"):
        keep.append(_doubles(d.get(word), n))
        setattr(made, word, ctypes.cast(keep[-1], POINTER(c_double)))
    keep += [_doubles(parameters.values(), len(names)), _doubles(inputs.values(), len(input_names))]
    made.parameter_value = ctypes.cast(keep[-2], POINTER(c_double))
    made.input_value = ctypes.cast(keep[-1], POINTER(c_double))
    if d.get("relations"):
        keep.append(_strings(d["relations"]))
        made.relation = keep[-1]
    if d.get("hamiltonian"):
        flags = [1 if word in d["hamiltonian"] else 0 for word in coordinates]
        keep.append((c_ubyte * n)(*flags))
        made.hamiltonian = keep[-1]
    return made, keep
