"""stubs.py OUT: writes the types of dalembert._model as a stub for editors and type checkers, with every option as a
keyword. They are read from the module itself, which has them from the tables of the library."""

import inspect
import sys
import textwrap

import dalembert._model as module

HEAD = '''"""Made by cmake/stubs.py from the tables of the library."""

import os
from typing import Any, Callable, Dict, Iterable, List, Literal, Mapping, Optional, Sequence, Union

from ._handles import Owner
from ._measured import Convergence, Orders
from ._motion import Ensemble, Motion
from ._simulation import Simulation
from ._structures import Retraction
'''


def plain(annotation):
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "Any")


def written(parameter, first):
    name = {parameter.VAR_KEYWORD: "**", parameter.VAR_POSITIONAL: "*"}.get(parameter.kind, "") + parameter.name
    if first:
        return name
    name += f": {plain(parameter.annotation)}"
    return name if parameter.default is parameter.empty else f"{name} = {parameter.default!r}"


def function(of, name, in_class):
    signature, words, starred = inspect.signature(of), [], False
    for i, p in enumerate(signature.parameters.values()):
        if p.kind is p.KEYWORD_ONLY and not starred:
            words.append("*")
        starred |= p.kind in (p.KEYWORD_ONLY, p.VAR_POSITIONAL)
        words.append(written(p, in_class and i == 0))
    doc = textwrap.indent(inspect.getdoc(of).replace("\\", "\\\\"), "    ").lstrip()
    return (f"def {name}({', '.join(words)}) -> {plain(signature.return_annotation)}:\n"
            f'    """{doc}"""\n    ...\n')


def members(of):
    for name, value in vars(of).items():
        if isinstance(value, property) and not name.startswith("_"):
            yield "@property\n" + function(value.fget, name, True)
        elif inspect.isfunction(value) and not name.startswith("_"):
            yield function(value, name, True)


def text():
    out = [HEAD, "\nclass Model(Owner):\n" + textwrap.indent("\n".join(members(module.Model)), "    ")]
    out += ["\n" + function(getattr(module, name), name, False)
            for name in ("load", "parse", "example", "from_functions", "resume")]
    return "\n".join(out)


if __name__ == "__main__":
    with open(sys.argv[1], "w", encoding="utf-8") as f:
        f.write(text())
