"""A simulation as a Python object: its present state, and what can be asked of it."""

from __future__ import annotations

import ctypes
import functools
import operator
import os
from collections.abc import Mapping
from ctypes import byref, c_double, c_size_t, c_void_p
from typing import TYPE_CHECKING, Any, Callable, Dict, List, NamedTuple, Optional, Union

from ._handles import (OK, INTERRUPTED, Checkpoint, Context, Interrupts, Options, Owned, Owner, c_text,
                       in_pieces, several, text)
from ._library import Direction, Exported, Observer, Told, library
from ._motion import Motion, Numbers, Rows, array, table
from ._record import Record

if TYPE_CHECKING:
    from ._model import Model


def _numbers(values, count, what):
    if values is None:
        return None
    values = [float(x) for x in values]
    if len(values) != count:
        raise ValueError(f"{what} has length {len(values)}; the number of coordinates is {count}")
    return (c_double * count)(*values)


class _Column(NamedTuple):
    kind: int
    name: str
    of: str
    unit: str


class _ByName(Mapping):
    """Numbers of a simulation by name: sim.input["u"] = 1, sim.parameter["k"], dict(sim.parameter)."""

    def __init__(self, model, word, read, write):
        self._model, self._word, self._read, self._write = model, word, read, write

    def __getitem__(self, name: str) -> float:
        return self._read(self._model._place(self._word, name))

    def __setitem__(self, name: str, value: float) -> None:
        self._model._place(self._word, name)
        self._write(name, float(value))

    def __iter__(self):
        return iter(self._model._names(self._word))

    def __len__(self):
        return len(self._model._names(self._word))

    def __repr__(self):
        return repr(dict(self))


class Simulation(Owner):
    """A simulation at its present state; q, p and v are copies of it that cannot be written to. Use it from one thread at a time.
    copy.copy(sim) is another one at the same place, with a motion of its own to the same bits; pickle
    takes it to another process. `with model.simulate() as sim:` frees it at once."""

    def __init__(self, model: Model, options: Optional[Dict[str, Any]], context=None, handle=None, given=None):
        self.model, self._context, self._options, self._given = model, context or Context(), options, given
        status, out = OK, c_void_p(handle)
        if handle is None:
            o = Options(self._context, options)
            self._given = o
            status = library.dal_sim_new(model.handle, o.handle, byref(out))
        if out.value:
            self.owned = Owned(out.value, library.dal_sim_free, model.owned, self._context.owned)
        self._settle(status)
        self.size = library.dal_size(self.handle)

    def __repr__(self):
        if self.owned is None:
            return "<dalembert simulation, closed>"
        return f"<dalembert simulation of {self.model.system}: t = {self.t:.10g} after {several(self.steps, 'step')}>"

    def _bytes(self):
        at, size = c_void_p(), c_size_t()
        self._settle(library.dal_sim_save_to_memory(self.handle, byref(at), byref(size)))
        return ctypes.string_at(at, size.value)

    def __copy__(self):
        if self._options is None:  # it was resumed
            return self.model._resumed(self._bytes())
        other = Simulation(self.model, self._options)
        with Checkpoint(other._context, self._bytes()) as here:
            other._settle(library.dal_sim_restore(other.handle, here))
        return other

    def __deepcopy__(self, _memo):
        return self.__copy__()

    def __reduce__(self):
        if self.model._keep:
            raise TypeError("a simulation of functions cannot be pickled: Python functions cannot be saved")
        return self.model._resumed, (self._bytes(),)

    @property
    def t(self) -> float:
        """The time."""
        return library.dal_time(self.handle)

    @property
    def steps(self) -> int:
        """The number of steps taken."""
        return library.dal_steps(self.handle)

    @property
    def q(self) -> Numbers:
        """Positions, in the order of model.coordinates."""
        return array(library.dal_q(self.handle), self.size)

    @property
    def p(self) -> Numbers:
        """Momenta."""
        return array(library.dal_p(self.handle), self.size)

    @property
    def v(self) -> Numbers:
        """Velocities; NaN where the state does not determine them."""
        return array(library.dal_v(self.handle), self.size)

    def set_state(self, q: Numbers, v: Optional[Numbers] = None, p: Optional[Numbers] = None,
                  t: Optional[float] = None) -> None:
        """Continues from another state: q with either v or p, at time t (default: the present time)."""
        t = self.t if t is None else t
        self._settle(library.dal_set_state(self.handle, t, _numbers(q, self.size, "q"),
                                           _numbers(v, self.size, "v"), _numbers(p, self.size, "p")))

    def tangent(self) -> Any:
        """The exact Jacobian d(q, p)_k+1 / d(q, p)_k of the next step, 2n x 2n; with principle = energy
        that of (q, p, t, E)."""
        width = library.dal_tangent_size(self.handle)
        out = (c_double * (width*width))()
        self._settle(library.dal_tangent_matrix(self.handle, out))
        return table(out, width, width)

    def sensitivity(self, parameter: Optional[str] = None, input: Optional[str] = None, t: float = 0.0,
                    h: float = 0.0) -> Numbers:
        """The exact derivative of the end (q, p) of the next step, 2n numbers, with respect to a
        parameter or an input (by name), its time (t=1) or its length (h=1); that of (q, p, t, E) with
        principle = energy."""
        if parameter is None and input is None and t == 0 and h == 0:
            raise TypeError("name a parameter or an input, or give t=1 or h=1")
        along, out = Direction(t=t, h=h), (c_double * library.dal_tangent_size(self.handle))()
        for word, chosen in (("parameter", parameter), ("input", input)):
            if chosen is None:
                continue
            one = (c_double * len(getattr(self, word)))()
            one[self.model._place(word + "s", chosen)] = 1.0
            setattr(along, word, one)
        self._settle(library.dal_tangent(self.handle, 1, byref(along), out))
        return array(out, len(out))

    def one_forms(self) -> Any:
        """The one-forms A of all relations at the present state, a row each, velocity constraints first."""
        rows = len(self.model.relations)
        out = (c_double * max(rows*self.size, 1))()
        library.dal_relations(self.handle, out)
        return table(out[:rows*self.size], rows, self.size)

    def step(self, count: int = 1) -> None:
        """Takes `count` steps. A step that fails raises Error and leaves the state where that step began."""
        count = operator.index(count)
        if count < 0:
            raise ValueError(f"the number of steps must be 0 or more, not {count}")
        in_pieces(count, lambda some: self._settle(library.dal_advance(self.handle, some)))

    def run(self, observer: Optional[Callable[[Simulation], Any]] = None) -> Motion:
        """To the end that the options or the model give, as a Motion of all recorded states. The
        observer is called with the simulation after every step, and stops the run if it returns
        True; it may read it and set inputs and parameters. What ends a run otherwise, a step that fails
        (Error), an exception of the observer or Ctrl-C (KeyboardInterrupt), has what was recorded before
        it as its `motion`."""
        handle, rows = self.handle, Rows(len(self.columns))
        try:
            with Interrupts() as interrupts:
                told = Observer(step=Told(lambda *_: interrupts.call(observer, self)) if observer else Told(),
                                wait=Told(lambda *_: interrupts.look()))
                status = rows.fill(handle, byref(told))
                if status == INTERRUPTED:
                    library.dal_messages_clear(self._context.handle)
            self._settle(OK if status == INTERRUPTED else status)
        except BaseException as reason:
            reason.motion = self._motion(rows)
            raise
        return self._motion(rows)

    def _motion(self, rows):
        found, shown = rows.all(), self._shown
        return Motion(self.columns, found, [column.unit for column in shown], Record(self, found[-1]) if len(found) else None)

    @functools.cached_property
    def _shown(self):
        count = c_size_t()
        column = library.dal_columns(self.handle, byref(count))
        return [_Column(c.kind, c.name.decode(), c.of.decode(), c.unit.decode()) for c in column[:count.value]]

    @property
    def columns(self) -> List[str]:
        """The names of the columns of a run."""
        return [column.name for column in self._shown]

    def measure(self, name: str) -> float:
        """Any quantity by its name: "x", "p(x)", "energy", an output, a reaction."""
        out = c_double()
        self._settle(library.dal_measure(self.handle, c_text(name, "a name"), byref(out)))
        return out.value

    @property
    def energy(self) -> float:
        """The energy at the present state."""
        return self.measure("energy")

    @property
    def summary(self) -> Dict[str, Any]:
        """The summary of the run so far, as a dictionary; "momenta" by name, "exponents" and their "exponent_errors" as lists."""
        s, out = library.dal_summarise(self.handle).contents, {}
        for word, _ in s._fields_:
            value = getattr(s, word)
            if hasattr(value, "_fields_"):
                value = {name: getattr(value, name) for name, _ in value._fields_}
            out[word.rstrip("_")] = value.decode() if isinstance(value, bytes) else value
        out["momenta"] = {m.name.decode(): {"first": m.first, "max_drift": m.max_drift}
                          for m in out.pop("momentum")[:out["momenta"]]}
        count = out["exponents"]
        out["exponents"] = out.pop("exponent")[:count]
        out["exponent_errors"] = out.pop("exponent_error")[:count]
        return out

    def save(self, path: Union[str, os.PathLike]) -> None:
        """Writes a checkpoint, from which dalembert.resume(path) continues, bit for bit."""
        self._settle(library.dal_sim_save(self.handle, os.fsencode(path)))

    def extend(self, until: Optional[float] = None, steps: Optional[int] = None) -> None:
        """Sets a new end of the run: a time, or a number of steps counted from the start."""
        if (until is None) == (steps is None):
            raise TypeError("give either until=T or steps=N")
        key, value = ("until", until) if steps is None else ("steps", steps)
        self._settle(library.dal_sim_extend(self.handle, key.encode(), text(value).encode(), None))

    @property
    def ledger(self) -> Optional[Dict[str, Any]]:
        """Where energy is stored, spent and transferred, if the option ledger was set: for each of "parts"
        first, last, work and received; for each of "connections" the work "into" its sides and the net; for each
        symmetry among "impulses" the first and last momentum, and what forces, relations and the lagrangian
        have added to it."""
        found = library.dal_ledger_of(self.handle)
        if not found:
            return None
        found = found.contents
        parts = {a.part.decode(): {"first": a.first, "last": a.last, "work": a.work, "received": a.received}
                 for a in found.account[:found.accounts]}
        connections = {c.name.decode(): {"into": {x.part.decode(): x.work for x in c.side[:c.sides]},
                                         "net": c.net}
                       for c in found.passage[:found.passages]}
        impulses = {j.name.decode(): {of: getattr(j, of) for of in ("first", "last", "forces", "relations", "lagrangian")}
                    for j in found.impulses[:found.symmetries]}
        return {"parts": parts, "connections": connections, "impulses": impulses}

    @property
    def events(self) -> List[Dict[str, Any]]:
        """What happened at instants of the steps so far, in order: the time t, the name of the contact, relation or
        condition, what it did ("hits", "closes", "opens", "fires", of a closed contact "sticks", "slips"), the impulse, and by how much the energy changed."""
        count = c_size_t()
        found = library.dal_events(self.handle, byref(count))
        return [{"t": e.t, "name": e.name.decode(), "what": e.what.decode(), "impulse": e.impulse, "energy": e.energy}
                for e in found[:count.value]]

    def export(self, name: str, single: bool = False) -> Dict[str, str]:
        """The step as stand-alone C99 that starts at the present state: the texts of name.c, name.h and
        name_main.c, by file name."""
        out = Exported()
        self._settle(library.dal_export(self.handle, c_text(name, "a name"), int(single), byref(out)))
        return {f"{name}.c": out.source.decode(), f"{name}.h": out.header.decode(),
                f"{name}_main.c": out.program.decode()}

    @property
    def input(self) -> _ByName:
        """Inputs by name, held until they are set again: sim.input["u"] = 1."""
        values = library.dal_inputs(self.handle, byref(c_size_t()))
        return _ByName(self.model, "inputs", values.__getitem__, self._write_input)

    @property
    def parameter(self) -> _ByName:
        """Parameters by name, between steps: sim.parameter["k"] = 3."""
        values = library.dal_parameters(self.handle)
        return _ByName(self.model, "parameters", values.__getitem__, self._write_parameter)

    def _write_input(self, name, value):
        self._settle(library.dal_set_input(self.handle, name.encode(), value))

    def _write_parameter(self, name, value):
        self._settle(library.dal_set_parameter(self.handle, name.encode(), value))

    def _settle(self, status):
        self._context.settle(status)
