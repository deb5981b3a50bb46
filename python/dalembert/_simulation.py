"""A simulation as a Python object: where a motion has got to, and what can be asked of it."""

import os
from ctypes import byref, c_double, c_size_t, c_void_p

from ._handles import OK, INTERRUPTED, Context, Interrupts, Options, Owned, Owner, in_pieces
from ._library import Direction, Exported, Observer, Told, library
from ._motion import Motion, array, matrix


def _numbers(values, count, what):
    if values is None:
        return None
    values = [float(x) for x in values]
    if len(values) != count:
        raise ValueError(f"{what} has {len(values)} numbers, and the system has {count} coordinates")
    return (c_double * count)(*values)


class _ByName:
    """Numbers of a simulation by name: sim.input["u"] = 1, sim.parameter["k"]."""

    def __init__(self, model, word, read, write):
        self._model, self._word, self._read, self._write = model, word, read, write

    def __getitem__(self, name):
        return self._read(name)

    def __setitem__(self, name, value):
        self._write(name, value)

    def __iter__(self):
        return iter(self._model._names(self._word))

    def __len__(self):
        return len(self._model._names(self._word))

    def __repr__(self):
        return "{" + ", ".join(f"{name!r}: {self[name]!r}" for name in self) + "}"


class Simulation(Owner):
    """Where a motion has got to. q, p and v are copies of the present state. One thread at a time."""

    def __init__(self, model, options, context=None, handle=None):
        self.model, self._context = model, context or Context()
        status, out = OK, c_void_p(handle)
        if handle is None:
            o = Options(self._context, options)
            status = library.dal_sim_new(model.handle, o.handle, byref(out))
        if out.value:
            self.owned = Owned(out.value, library.dal_sim_free, model.owned, self._context.owned)
        self._settle(status)
        self.size = library.dal_size(self.handle)

    # the state
    t = property(lambda self: library.dal_time(self.handle))
    steps = property(lambda self: library.dal_steps(self.handle))
    q = property(lambda self: array(library.dal_q(self.handle), self.size))
    p = property(lambda self: array(library.dal_p(self.handle), self.size))
    v = property(lambda self: array(library.dal_v(self.handle), self.size))

    def set_state(self, q, v=None, p=None, t=None):
        """Goes on from q with v or with p."""
        t = self.t if t is None else t
        self._settle(library.dal_set_state(self.handle, t, _numbers(q, self.size, "q"),
                                           _numbers(v, self.size, "v"), _numbers(p, self.size, "p")))

    def tangent(self):
        """d(q, p)_k+1 / d(q, p)_k of the step to come, exactly: 2n rows of 2n; with principle = energy
        that of (q, p, t, E)."""
        width = library.dal_tangent_size(self.handle)
        out = (c_double * (width*width))()
        self._settle(library.dal_tangent_matrix(self.handle, out))
        return matrix(out, width)

    def sensitivity(self, parameter=None, input=None, t=0.0, h=0.0):
        """How the end (q, p) of the step to come changes with a parameter or an input (by name), with
        its time or its length: 2n numbers; of (q, p, t, E) with principle = energy."""
        along, out = Direction(t=t, h=h), (c_double * library.dal_tangent_size(self.handle))()
        for word, chosen in (("parameter", parameter), ("input", input)):
            if chosen is None:
                continue
            one = (c_double * len(getattr(self, word)))()
            one[self.model._place(word + "s", chosen)] = 1.0
            setattr(along, word, one)
        self._settle(library.dal_tangent(self.handle, 1, byref(along), out))
        return array(out, len(out))

    def step(self, count=1):
        in_pieces(count, lambda some: self._settle(library.dal_advance(self.handle, some)))

    def run(self, observer=None):
        """To the end that the options or the model give, as a Motion of all recorded states. The
        observer is called with the simulation after every step, and stops the run if it returns
        True."""
        names, rows = self.columns, []
        room = (c_double * len(names))()

        def row():
            library.dal_row(self.handle, room)
            rows.append(tuple(room))

        with Interrupts() as interrupts:
            told = Observer(row=Told(lambda *_: interrupts.call(row)),
                            step=Told(lambda *_: interrupts.call(observer, self)) if observer else Told(),
                            wait=Told(lambda *_: interrupts.look()))
            status = library.dal_run(self.handle, byref(told))
            if status == INTERRUPTED:
                library.dal_messages_clear(self._context.handle)
        self._settle(OK if status == INTERRUPTED else status)
        return Motion(names, rows)

    @property
    def columns(self):
        count = c_size_t()
        column = library.dal_columns(self.handle, byref(count))
        return [column[i].name.decode() for i in range(count.value)]

    def measure(self, name):
        """Any quantity by its name: "x", "p(x)", "energy", an output, a reaction."""
        out = c_double()
        self._settle(library.dal_measure(self.handle, name.encode(), byref(out)))
        return out.value

    energy = property(lambda self: self.measure("energy"))

    @property
    def summary(self):
        """What is known of the run so far, as a dictionary."""
        s, out = library.dal_summarise(self.handle).contents, {}
        for word, kind in s._fields_:
            value = getattr(s, word)
            if kind is c_void_p:
                continue
            if hasattr(value, "_fields_"):
                value = {name: getattr(value, name) for name, _ in value._fields_}
            out[word.rstrip("_")] = value.decode() if isinstance(value, bytes) else value
        return out

    def save(self, path):
        """A checkpoint: dalembert.resume(path) goes on from it to the same bits."""
        self._settle(library.dal_sim_save(self.handle, os.fsencode(path)))

    def extend(self, until=None, steps=None):
        """Another end of the run: a time, or a number of steps from the beginning."""
        key, value = ("until", until) if until is not None else ("steps", steps)
        self._settle(library.dal_sim_extend(self.handle, key.encode(), repr(value).encode(), None))

    @property
    def ledger(self):
        """Who stores energy, who spends it and who passes it on, if the option ledger was set: of "parts"
        first, last, work and received, of "connections" the works "into" their sides and the net."""
        found = library.dal_ledger_of(self.handle)
        if not found:
            return None
        found = found.contents
        parts = {a.part.decode(): {"first": a.first, "last": a.last, "work": a.work, "received": a.received}
                 for a in found.account[:found.accounts]}
        connections = {c.name.decode(): {"into": {x.part.decode(): x.work for x in c.side[:c.sides]},
                                         "net": c.net}
                       for c in found.passage[:found.passages]}
        return {"parts": parts, "connections": connections}

    def export(self, name, single=False):
        """The step as C99 that stands alone, from the present state on: the texts of name.c, name.h and
        name_main.c, by their names."""
        out = Exported()
        self._settle(library.dal_export(self.handle, name.encode(), int(single), byref(out)))
        return {f"{name}.c": out.source.decode(), f"{name}.h": out.header.decode(),
                f"{name}_main.c": out.program.decode()}

    # inputs and parameters, by name
    input = property(lambda self: _ByName(self.model, "inputs", self._read_input, self._write_input))
    parameter = property(
        lambda self: _ByName(self.model, "parameters", self._read_parameter, self._write_parameter))

    def _read_input(self, name):
        return library.dal_inputs(self.handle, byref(c_size_t()))[self.model._place("inputs", name)]

    def _write_input(self, name, value):
        self._settle(library.dal_set_input(self.handle, name.encode(), value))

    def _read_parameter(self, name):
        out = c_double()
        self._settle(library.dal_parameter(self.handle, name.encode(), byref(out)))
        return out.value

    def _write_parameter(self, name, value):
        self._settle(library.dal_set_parameter(self.handle, name.encode(), value))

    def _settle(self, status):
        self._context.settle(status)
