"""Ensembles: what Model.sweep runs, and its members as a table."""

import math
from ctypes import byref, c_size_t, c_void_p

from ._handles import OK, Context, Interrupts, Options, text
from ._library import SweepObserver, Waiting, library
from ._motion import Ensemble
from ._options import SWEEP, key, word


_OWN = {word(row) for row in SWEEP}  # those of a sweep beside those of a run


def _assignments(value):
    if not isinstance(value, dict):
        return [text(value)]
    return [f"{name}={x if isinstance(x, str) else ', '.join(text(float(y)) for y in x)}"
            for name, x in value.items()]


def _statistics(sweep):
    found = library.dal_sweep_summarise(sweep)
    if not found:
        raise MemoryError("no memory for statistics")
    return {s.name.decode(): {"count": s.count, "mean": s.mean, "sd": s.sd, "min": s.min, "max": s.max,
                              "quantiles": list(s.quantile)}
            for s in found.contents.column[:found.contents.columns]}


def _members(sweep):
    count = c_size_t()
    column = library.dal_sweep_columns(sweep, byref(count))
    width, rows, failures = count.value, [], {}
    names = [column[i].name.decode() for i in range(width)]
    for k in range(library.dal_sweep_members(sweep)):
        member = library.dal_sweep_member(sweep, k)
        rows.append(tuple(member.value[:width]) if member.value else (math.nan,)*width)
        if member.status != OK:
            failures[k] = (member.error or b"").decode()
    swept = [column[i].name.decode() for i in range(width) if column[i].swept]
    return Ensemble(names, rows, swept, failures, _statistics(sweep))


def run(model, options):
    """The members of an ensemble, a row for each."""
    context, out = Context(), c_void_p()
    o = Options(context, {word: x for word, x in options.items() if word not in _OWN})
    context.settle(library.dal_sweep_new(model.handle, o.handle, byref(out)))
    try:
        for name in [name for name in options if name in _OWN and options[name] is not None]:
            for one in _assignments(options[name]):
                context.settle(library.dal_sweep_set(out, key(name).encode(), one.encode()))
        with Interrupts() as interrupts:
            waiting = Waiting(lambda *_: interrupts.look())
            status = library.dal_sweep_run(out, byref(SweepObserver(wait=waiting)))
        context.settle(status)
        return _members(out)
    finally:
        library.dal_sweep_free(out)
