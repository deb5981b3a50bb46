"""Models as Python objects: where they come from, what they are, and what is made of them."""

import ctypes
import math
import os
from ctypes import byref, c_void_p

from . import _functions, _sweep
from ._handles import Context, Options, Owned, Owner
from ._library import Facts, library, printed
from ._simulation import Simulation

_KINDS = {"parameters": 0, "coordinates": 1, "inputs": 2, "outputs": 3, "symmetries": 4, "relations": 5}


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

    def _names(self, word):
        if word not in self._known:
            self._known[word] = self._read_names(_KINDS[word])
        return self._known[word]

    def _place(self, word, name):
        """The number of a parameter or an input."""
        place = library.dal_model_find(self.handle, _KINDS[word], name.encode())
        if place < 0:
            raise KeyError(f"there is no {word[:-1]} {name!r}; there are {self._names(word)}")
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
            return list(self._names(word))
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
        return _sweep.run(self, options)

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
