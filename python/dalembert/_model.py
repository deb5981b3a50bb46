"""Models as Python objects: loading, describing and running them."""

from __future__ import annotations

import ctypes
import math
import os
from ctypes import byref, c_void_p
from typing import Any, Callable, Dict, Iterable, List, Literal, Mapping, Optional, Sequence, Union

from . import _functions, _page, _sweep
from ._discrete import Discrete, discrete_of
from ._handles import Checkpoint, Context, Options, Owned, Owner, UnknownName, c_text, several
from ._library import Facts, library, printed
from ._measured import Convergence, Duplicate, Equivalence, Orders, duplicate, equivalence, variational
from ._motion import Ensemble, Motion
from ._options import RUN, SWEEP, takes
from ._simulation import Simulation
from ._structures import Retraction

_KINDS = {"parameters": 0, "coordinates": 1, "inputs": 2, "outputs": 3, "symmetries": 4, "relations": 5}


def _value(fact):
    number, truth, names = range(3)
    if fact.kind == names:
        return [fact.text[i].decode() for i in range(fact.names)]
    if fact.kind == truth:
        return bool(fact.number)
    return None if math.isnan(fact.number) else int(fact.number)


class Model(Owner):
    """The physics. Made by load, parse or from_functions. It is immutable, so threads may share it, and
    processes too: it is pickled as its text (a model of functions cannot be pickled)."""

    def __init__(self, context, handle, keep=None, options=None):
        self.owned, self._keep = Owned(handle, library.dal_model_free, context.owned), keep
        self._known, self._options = {}, options

    def __repr__(self):
        return f"<dalembert model {self.system}: {several(len(self.coordinates), 'coordinate')}>"

    def __copy__(self):
        return self  # it never changes

    def __deepcopy__(self, _memo):
        return self

    def __reduce__(self):
        name = library.dal_model_file(self.handle)
        if self._options is None or not name:
            raise TypeError("a model of functions, or of a checkpoint, cannot be pickled; its simulation "
                            "can be, if it is not of functions")
        words, name = library.dal_model_text(self.handle).decode(), os.fsdecode(name)
        if os.path.exists(name):  # imports are looked for beside it
            name = os.path.abspath(name)
        return _parse_again, (words, name, self._options)

    @property
    def system(self) -> str:
        """The name of the system that runs."""
        return library.dal_model_system(self.handle).decode()

    def _list(word):
        def read(self) -> List[str]:
            return list(self._names(word))
        read.__doc__ = f"The names of its {word}."
        return property(read)

    parameters, coordinates, inputs = _list("parameters"), _list("coordinates"), _list("inputs")
    outputs, symmetries, relations = _list("outputs"), _list("symmetries"), _list("relations")
    del _list

    def _names(self, word):
        if word not in self._known:
            self._known[word] = self._read_names(_KINDS[word])
        return self._known[word]

    def _place(self, word, name):
        """The number of a parameter or an input."""
        if not isinstance(name, str):
            raise TypeError(f"a {word[:-1]} is given by its name, not by {name!r}")
        place = library.dal_model_find(self.handle, _KINDS[word], name.encode())
        if place < 0:
            raise UnknownName(f"there is no {word[:-1]} {name!r}; there are "
                              f"{', '.join(self._names(word)) or 'none'}")
        return place

    def unit(self, name: str) -> str:
        """The unit that the model gives a coordinate, an output, an input, a parameter or a relation; "" if none."""
        for kind in _KINDS.values():
            place = library.dal_model_find(self.handle, kind, name.encode())
            if place >= 0:
                return library.dal_model_unit(self.handle, kind, place).decode()
        raise UnknownName(f"the model has nothing that is called {name!r}")

    def _read_names(self, kind):
        out, room = [], ctypes.create_string_buffer(512)
        for i in range(library.dal_model_count(self.handle, kind)):
            length = library.dal_model_name(self.handle, kind, i, room, len(room))
            if length >= len(room):
                room = ctypes.create_string_buffer(length + 1)
                library.dal_model_name(self.handle, kind, i, room, len(room))
            out.append(room.value.decode())
        return out

    @takes(RUN)
    def simulate(self, **options: Any) -> Simulation:
        """A simulation at its start: model.simulate(scheme="gauss(2)", step=0.01, set={"k": 3})."""
        return Simulation(self, options)

    @takes(RUN)
    def run(self, **options: Any) -> Motion:
        """A whole run: model.run(step=0.01, until=10)["x"]."""
        return self.simulate(**options).run()

    @takes(SWEEP, RUN)
    def sweep(self, **options: Any) -> Ensemble:
        """An ensemble on several threads, a row for each member: what was swept, then its
        last state. model.sweep(grid={"k": "1..10/19"}, random={"x": "normal(0, 1)"}, members=100,
        threads=4, step=0.01, until=1). A grid may be a list of numbers. Members that fail have NaN, and
        their reason in .failures, by number."""
        return _sweep.run(self, options)

    @takes(RUN)
    def converge(self, schemes: Union[None, str, Sequence[str]] = None, steps: Union[None, str, Sequence[int]] = None,
                 **options: Any) -> Convergence:
        """Measures orders: errors for several schemes ("lobatto(2..5), midpoint", or a list; default: that of the
        model) and numbers of steps ("8..256" doubles; or a list), against a reference that is finer."""
        lists = [words if words is None or isinstance(words, str) else ", ".join(str(x) for x in words)
                 for words in (schemes, steps)]
        return self._measured(library.dal_converge, library.dal_convergence_free, Convergence, options,
                              *(words and words.encode() for words in lists))

    @takes(RUN)
    def variational_order(self, **options: Any) -> Orders:
        """Compares the discrete Lagrangian, forces, momenta, powers and energies of the scheme with the exact ones,
        for a few steps of a model of at most 64 coordinates; with holonomic relations along their surface."""
        return self._measured(library.dal_variational_order, library.dal_variational_free, variational, options)

    @takes(RUN)
    def duplicate(self, **options: Any) -> Duplicate:
        """Runs the doubled system L(Q,V) - L(q,v) - (F(q,v) + F(Q,V)).(q - Q)/2 beside the forced one."""
        return self._measured(library.dal_duplicate_of, library.dal_duplicate_free, duplicate, options)

    @takes(RUN)
    def discrete(self, **options: Any) -> Discrete:
        """Discrete Lagrangian, forces, powers, Legendre transforms and Hamiltonians of the scheme as functions of
        the ends of a chord, and the exact ones."""
        context = Context()
        return discrete_of(self, context, Options(context, options))

    @takes(RUN)
    def equivalence(self, potential: str, **options: Any) -> str:
        """How far motions differ if a potential, a let or an expression that may hold velocities linearly, is shifted
        between L and the forces: what `dalembert check --equivalence` prints."""
        return self._text(lambda o, file: library.dal_check_equivalence(
            self.handle, o.handle, c_text(potential, "a potential"), file), options)

    @takes(RUN)
    def equivalence_of(self, potential: str, **options: Any) -> Equivalence:
        """The same as numbers."""
        return self._measured(library.dal_equivalence_of, library.dal_equivalence_free, equivalence, options,
                              c_text(potential, "a potential"))

    def _repr_html_(self) -> str:
        return _page.of_model(self)

    def _measured(self, measure, free, made, options, *arguments):
        context, out = Context(), measure.argtypes[-1]._type_()
        o = Options(context, options)
        context.settle(measure(self.handle, o.handle, *arguments, byref(out)))
        try:
            return made(out.contents)
        finally:
            free(out)

    def _text(self, write, options):
        context = Context()
        o = Options(context, options)
        words, status = printed(lambda file: write(o, file))
        context.settle(status)
        return words

    @takes(RUN)
    def check(self, **options: Any) -> str:
        """The analysis that `dalembert check` prints."""
        return self._text(lambda o, file: library.dal_check(self.handle, o.handle, file), options)

    @takes(RUN)
    def facts(self, **options: Any) -> Dict[str, Any]:
        """The same analysis as values by name: model.facts()["null_directions"]. None: not known."""
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

    @takes(RUN)
    def show(self, view: str = "equations", **options: Any) -> str:
        """What `dalembert show` prints: "equations", "latex", ..."""
        return self._text(
            lambda o, file: library.dal_show(self.handle, o.handle, view.encode(), file), options)

    @takes(RUN)
    def cite(self, **options: Any) -> str:
        """BibTeX of the program and of the papers behind a run."""
        return self._text(
            lambda o, file: library.dal_cite(o.context.handle, self.handle, o.handle, file), options)


def _made(make, options, keep=None):
    context, out = Context(), c_void_p()
    o = Options(context, options)
    status = make(context.handle, o.handle, byref(out))
    model = Model(context, out.value, keep, None if keep else options) if out.value else None
    context.settle(status)
    return model


_READ = ("set", "limit", "memory", "system")  # the options that matter when a model is read


@takes(RUN, only=_READ)
def load(path: Union[str, bytes, os.PathLike], **options: Any) -> Model:
    """The model of a file; `set` matters here where it sets a size."""
    return _made(lambda cx, o, out: library.dal_model_load(cx, os.fsencode(path), o, out), options)


@takes(RUN, only=_READ)
def parse(text: str, name: str = "text", **options: Any) -> Model:
    """The model of a text; messages call it `name`."""
    words, name = c_text(text, "the text of a model"), c_text(name, "its name")
    return _made(lambda cx, o, out: library.dal_model_parse(cx, name, words, o, out), options)


def _examples_folder():
    here, beside = os.path.dirname(os.path.abspath(__file__)), os.path.dirname(library._name)
    installed = os.path.join("share", "doc", "dalembert", "examples")
    for folder in (os.path.join(here, "examples"), os.path.join(here, "..", "..", "examples"),
                   os.path.join(beside, "..", installed), os.path.join(beside, "..", "..", installed)):
        if os.path.exists(os.path.join(folder, "pendulum.dal")):
            return os.path.normpath(folder)
    raise FileNotFoundError("the examples are not found beside the module, nor beside the library")


def _example_files():
    """Name to file: those of the folder itself, and of steps that adapt and events."""
    top = _examples_folder()
    folders = [folder for folder in (top, os.path.join(top, "time")) if os.path.isdir(folder)]
    return {name[:-4]: os.path.join(folder, name)
            for folder in reversed(folders) for name in os.listdir(folder) if name.endswith(".dal")}


def examples() -> List[str]:
    """The names of the models that come with dalembert, for example(name)."""
    return sorted(_example_files())


@takes(RUN, only=_READ)
def example(name: str, **options: Any) -> Model:
    """One of the models that come with dalembert: example("double_pendulum").run()."""
    files = _example_files()
    if name not in files:
        raise UnknownName(f"there is no example {name!r}; there are {', '.join(examples())}")
    return load(files[name], **options)


def _parse_again(words, name, options):
    return parse(words, name, **options)


def from_functions(evaluate: Callable[[set, Any, Any], Any], coordinates: Sequence[str],
                   **description: Any) -> Model:
    """A model made of Python functions, as "Models made of C functions" in dalembert.h has them. `coordinates` is a
    list of names. evaluate(want, at, out) gets what is wanted as
    a set of words ("L", "gradient", "hessian", "force", "force_jacobian", "time", "relations",
    "holonomic", "relations_jacobian"), the point (at.t, at.q, at.v, at.p, at.lam, at.parameter,
    at.input), and writes out.L, out.Lq[i], out.Lv[i], ... Second derivatives that it does not have are
    named in missing=(...). The description: name, constraints, holonomic, relations, parameters and
    inputs (dictionaries of values), q, v, p (the start), hamiltonian (names), autonomous, zero,
    constant, missing."""
    made, keep = _functions.callbacks(evaluate, coordinates, description)
    return _made(lambda cx, o, out: library.dal_model_from_callbacks(cx, byref(made), out), {}, keep)


def _resume(context, checkpoint):
    """The simulation of a checkpoint that is open."""
    model, sim, o = c_void_p(), c_void_p(), Options(context, {})
    context.settle(library.dal_checkpoint_options(checkpoint, o.handle))
    context.settle(library.dal_checkpoint_resume(checkpoint, byref(model), byref(sim)))
    return Simulation(Model(context, model.value), None, context, sim.value, o)


def _resumed(saved):
    context = Context()
    with Checkpoint(context, saved) as here:
        return _resume(context, here)


Model._resumed = staticmethod(_resumed)  # a simulation makes its like by it


def resume(path: Union[str, bytes, os.PathLike]) -> Simulation:
    """The simulation saved in a checkpoint."""
    context, file = Context(), c_void_p()
    context.settle(library.dal_checkpoint_load(context.handle, os.fsencode(path), byref(file)))
    try:
        return _resume(context, file)
    finally:
        library.dal_checkpoint_free(file)
