"""Ensembles: what Model.sweep runs, and its members as a table."""

import math
from ctypes import byref, c_size_t, c_void_p

from ._handles import OK, Context, Interrupts, Options, text
from ._library import SweepObserver, Waiting, library
from ._motion import Motion


def _own_options():
    """Those of a sweep beside those of a run."""
    count = c_size_t()
    rows = library.dal_sweep_option_rows(byref(count))
    return {rows[i].key.decode().replace("-", "_") for i in range(count.value)}


def _assignments(value):
    if not isinstance(value, dict):
        return [text(value)]
    return [f"{name}={x if isinstance(x, str) else ', '.join(text(float(y)) for y in x)}"
            for name, x in value.items()]


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
    motion = Motion(names, rows)
    motion.failures = failures
    return motion


def run(model, options):
    """The members of an ensemble, a row for each."""
    own, context, out = _own_options(), Context(), c_void_p()
    o = Options(context, {key: x for key, x in options.items() if key not in own})
    context.settle(library.dal_sweep_new(model.handle, o.handle, byref(out)))
    try:
        for key in own & set(options):
            for one in _assignments(options[key]):
                context.settle(
                    library.dal_sweep_set(out, key.replace("_", "-").encode(), one.encode()))
        with Interrupts() as interrupts:
            waiting = Waiting(lambda *_: interrupts.look())
            status = library.dal_sweep_run(out, byref(SweepObserver(wait=waiting)))
        context.settle(status)
        return _members(out)
    finally:
        library.dal_sweep_free(out)
