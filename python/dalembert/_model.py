"""Models and simulations as Python objects; each owns its handle of the library."""

import ctypes
import math
import os
from ctypes import byref, c_double, c_size_t, c_void_p

from . import _functions
from ._handles import (OK, INTERRUPTED, Context, Error, Interrupts, Options, Owned, Owner, in_pieces,
                       text)
from ._library import (Direction, Exported, Facts, Observer, SweepObserver, Told, Waiting, library,
                       printed)

try:
    import numpy
except ImportError:  # lists do as well, only slower
    numpy = None

_KINDS = {"parameters": 0, "coordinates": 1, "inputs": 2, "outputs": 3, "symmetries": 4, "relations": 5}


def _array(pointer, count):
    if numpy is None:
        return pointer[:count] if count else []
    return numpy.ctypeslib.as_array(pointer, (count,)).copy() if count else numpy.empty(0)


def _numbers(values, count, what):
    if values is None:
        return None
    values = [float(x) for x in values]
    if len(values) != count:
        raise ValueError(f"{what} has {len(values)} numbers, and the system has {count} coordinates")
    return (c_double * count)(*values)


def _value(fact):
    number, truth, names = range(3)
    if fact.kind == names:
        return [fact.text[i].decode() for i in range(fact.names)]
    if fact.kind == truth:
        return bool(fact.number)
    return None if math.isnan(fact.number) else int(fact.number)


class Model(Owner):
    """What the physics is. Made by load, parse or from_functions; immutable, so that threads may share
    it."""

    def __init__(self, context, handle, keep=None):
        self.owned, self._keep = Owned(handle, library.dal_model_free, context.owned), keep
        self._known = {}

    def __repr__(self):
        return f"<dalembert model {self.system}: {len(self.coordinates)} coordinates>"

    @property
    def system(self):
        """The name of the system that runs."""
        return library.dal_model_system(self.handle).decode()

    def _names(self, kind):
        if kind not in self._known:
            self._known[kind] = self._read_names(kind)
        return self._known[kind]

    def _place(self, word, name):
        """The number of a parameter or an input."""
        place = library.dal_model_find(self.handle, _KINDS[word], name.encode())
        if place < 0:
            raise KeyError(f"there is no {word[:-1]} {name!r}; there are {self._names(_KINDS[word])}")
        return place

    def _read_names(self, kind):
        out, room = [], ctypes.create_string_buffer(512)
        for i in range(library.dal_model_count(self.handle, kind)):
            length = library.dal_model_name(self.handle, kind, i, room, len(room))
            if length >= len(room):
                room = ctypes.create_string_buffer(length + 1)
                library.dal_model_name(self.handle, kind, i, room, len(room))
            out.append(room.value.decode())
        return out

    def __getattr__(self, word):
        if word in _KINDS:  # names of parameters, coordinates, inputs, outputs, symmetries, relations
            return list(self._names(_KINDS[word]))
        raise AttributeError(word)

    def simulate(self, **options):
        """A simulation at its start."""
        return Simulation(self, options)

    def run(self, **options):
        """A whole run: model.run(step=0.01, until=10)["x"]."""
        return self.simulate(**options).run()

    def sweep(self, **options):
        """An ensemble on several threads, a row of a Motion for each member: what was swept, then its
        last state. model.sweep(grid={"k": "1..10/19"}, random={"x": "normal(0, 1)"}, members=100,
        threads=4, step=0.01, until=1). A grid may be a list of numbers. Members that fail have NaN, and
        their reason in .failures, by number."""
        count = c_size_t()
        rows = library.dal_sweep_option_rows(byref(count))
        own = {rows[i].key.decode().replace("-", "_") for i in range(count.value)}
        context, out = Context(), c_void_p()
        o = Options(context, {key: x for key, x in options.items() if key not in own})
        context.settle(library.dal_sweep_new(self.handle, o.handle, byref(out)))
        try:
            for key in own & set(options):
                for one in _assignments(options[key]):
                    context.settle(
                        library.dal_sweep_set(out, key.replace("_", "-").encode(), one.encode()))
            with Interrupts() as interrupts:
                waiting = Waiting(lambda *_: interrupts.call(_nothing))
                status = library.dal_sweep_run(out, byref(SweepObserver(wait=waiting)))
            context.settle(status)
            return _members(out)
        finally:
            library.dal_sweep_free(out)

    def _text(self, write, options):
        context = Context()
        o = Options(context, options)
        words, status = printed(lambda file: write(o, file))
        context.settle(status)
        return words

    def check(self, **options):
        """What the system is and what it allows, as `dalembert check` prints it."""
        return self._text(lambda o, file: library.dal_check(self.handle, o.handle, file), options)

    def facts(self, **options):
        """What the system is, by name: model.facts()["null_directions"]. None: not known."""
        context, out = Context(), ctypes.POINTER(Facts)()
        o = Options(context, options)
        status = library.dal_analyse(self.handle, o.handle, byref(out))
        if status:
            self.check(**options)  # raises, and says why
        context.settle(status)
        try:
            facts = (out.contents.fact[i] for i in range(out.contents.count))
            return {f.name.decode(): _value(f) for f in facts}
        finally:
            library.dal_facts_free(out)

    def show(self, view="equations", **options):
        """What was derived, as `dalembert show` prints it."""
        return self._text(
            lambda o, file: library.dal_show(self.handle, o.handle, view.encode(), file), options)

    def cite(self, **options):
        """BibTeX of the program and of the papers behind a run."""
        return self._text(
            lambda o, file: library.dal_cite(o.context.handle, self.handle, o.handle, file), options)


def _nothing():
    """For the library to look whether there was an interrupt."""


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


class _ByName:
    """Numbers of a simulation by name: sim.input["u"] = 1, sim.parameter["k"]."""

    def __init__(self, model, word, read, write):
        self._model, self._kind, self._read, self._write = model, _KINDS[word], read, write

    def __getitem__(self, name):
        return self._read(name)

    def __setitem__(self, name, value):
        self._write(name, value)

    def __iter__(self):
        return iter(self._model._names(self._kind))

    def __len__(self):
        return library.dal_model_count(self._model.handle, self._kind)

    def __repr__(self):
        return "{" + ", ".join(f"{name!r}: {self[name]!r}" for name in self) + "}"


class Motion:
    """Rows of a run, by column: motion["x"], motion.names, len(motion), motion.rows. For others it is a
    table: pandas.DataFrame(dict(motion))."""

    def __init__(self, names, rows):
        self.names = names
        self.rows = rows if numpy is None else numpy.array(rows, float).reshape(-1, len(names))

    def __getitem__(self, name):
        try:
            i = self.names.index(name)
        except ValueError:
            raise KeyError(f"{name!r} is not recorded; there are {', '.join(self.names)}") from None
        return [row[i] for row in self.rows] if numpy is None else self.rows[:, i]

    def __len__(self):
        return len(self.rows)

    def __contains__(self, name):
        return name in self.names

    def __iter__(self):
        return iter(self.names)

    def keys(self):
        return self.names


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
    q = property(lambda self: _array(library.dal_q(self.handle), self.size))
    p = property(lambda self: _array(library.dal_p(self.handle), self.size))
    v = property(lambda self: _array(library.dal_v(self.handle), self.size))

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
        if numpy is not None:
            return numpy.array(out).reshape(width, width)
        return [out[i*width:(i + 1)*width] for i in range(width)]

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
        return _array(out, len(out))

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
                            wait=Told(lambda *_: interrupts.call(_nothing)))
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


def _made(make, options, keep=None):
    context, out = Context(), c_void_p()
    o = Options(context, options)
    status = make(context.handle, o.handle, byref(out))
    model = Model(context, out.value, keep) if out.value else None
    context.settle(status)
    return model


def load(path, **options):
    """The model of a file. Options that matter here: system, and set where it sets a size."""
    return _made(lambda cx, o, out: library.dal_model_load(cx, os.fsencode(path), o, out), options)


def parse(text, name="text", **options):
    """The model of a text; messages call it `name`."""
    return _made(
        lambda cx, o, out: library.dal_model_parse(cx, name.encode(), text.encode(), o, out), options)


def from_functions(evaluate, coordinates, **description):
    """A model made of Python functions; help(dalembert.from_functions) after reading `Models of your
    own` in dalembert.h. `coordinates` is a list of names. evaluate(want, at, out) gets what is wanted as
    a set of words ("L", "gradient", "hessian", "force", "force_jacobian", "time", "relations",
    "holonomic", "relations_jacobian"), the point (at.t, at.q, at.v, at.p, at.lam, at.parameter,
    at.input), and writes out.L, out.Lq[:], out.Lv[:], ... Second derivatives that it does not have are
    named in missing=(...). The description: name, constraints, holonomic, relations, parameters and
    inputs (dictionaries of values), q, v, p (the start), hamiltonian (names), autonomous, zero,
    constant, missing."""
    made, keep = _functions.callbacks(evaluate, coordinates, description)
    return _made(lambda cx, o, out: library.dal_model_from_callbacks(cx, byref(made), out), {}, keep)


def resume(path):
    """The simulation of a checkpoint, as it was."""
    context, file, model, sim = Context(), c_void_p(), c_void_p(), c_void_p()
    context.settle(library.dal_checkpoint_load(context.handle, os.fsencode(path), byref(file)))
    status = library.dal_checkpoint_resume(file, byref(model), byref(sim))
    library.dal_checkpoint_free(file)
    context.settle(status)
    return Simulation(Model(context, model.value), {}, context, sim.value)


def methods():
    """The schemes and what each claims of itself, as dictionaries."""
    rows = []
    for i in range(library.dal_method_count()):
        m = library.dal_method_at(i)
        row = {word: value.decode() if isinstance(value, bytes) else value
               for word, value in ((word, getattr(m, word)) for word, _ in m._fields_)}
        claims = row.pop("claims")
        row["symmetric"], row["symplectic"] = bool(claims & 1), bool(claims & 2)
        rows.append(row)
    return rows


def options():
    """Every option with its help: {"scheme": "curve and quadrature: ..."}."""
    count = c_size_t()
    rows = library.dal_option_rows(byref(count))
    return {rows[i].key.decode().replace("-", "_"): rows[i].help.decode() for i in range(count.value)}


def cite():
    """BibTeX of the program and of every paper behind its methods."""
    context = Context()
    words, status = printed(lambda file: library.dal_cite(context.handle, None, None, file))
    context.settle(status)
    return words
