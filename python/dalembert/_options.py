"""Options as keyword arguments. Their names, types and help are made from the tables of the library when this
module is imported, so that signatures, help() and completion show what the library takes, and nothing else."""

import inspect
import keyword
import textwrap
from ctypes import byref, c_size_t

from ._library import library

REPEATS, _SWITCH = 1, 2

# the type of a keyword by what the help calls its argument; what has choices is one of them
_TYPES = {"N": "int", "H": "float", "T": "float", "T0": "float", "MB": "float", "NAME=VALUE": "Mapping[str, Any]",
          "NAME=FILE": "Mapping[str, str]", "NAME=VALUES": "Mapping[str, Union[str, Iterable[float]]]",
          "NAME=DRAW": "Mapping[str, str]", "LIST": "Union[str, Sequence[str]]", "FILE": "str"}
_OBJECTS = {"retraction": "Retraction"}  # of this module, instead of a word


def _read(table):
    count = c_size_t()
    rows = table(byref(count))
    return [rows[i] for i in range(count.value)]


RUN, SWEEP = _read(library.dal_option_rows), _read(library.dal_sweep_option_rows)


def word(row) -> str:
    """The keyword of an option: project_start, and from_ since `from` is taken."""
    name = row.key.decode().replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


_keys = {word(row): row.key.decode() for row in RUN + SWEEP}


def key(name: str) -> str:
    """The option of a keyword; one that is unknown as it is written on the command line, for the message."""
    return _keys.get(name, name.replace("_", "-"))


def _type(row):
    if row.flags & _SWITCH:
        return "bool"
    kind = _TYPES.get(row.argument.decode(), "str")
    if row.choices:
        kind = "Literal[" + ", ".join(repr(one) for one in row.choices.decode().split("|")) + "]"
    other = _OBJECTS.get(row.key.decode())
    return f"Union[{kind}, {other}]" if other else kind


def _help(rows):
    lines = (textwrap.fill(f"{word(row)}: {row.help.decode()}", 100, initial_indent="    ", subsequent_indent=" "*8)
             for row in rows)
    return "\n".join(lines)


def takes(*tables, only=()):
    """Gives a function that ends in **options the keywords of these tables (or only some of them), in its
    signature and its help; the first table that has a keyword explains it."""
    def made(function):
        signature, rows = inspect.signature(function), {}
        own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        for row in (row for table in tables for row in table):
            if word(row) not in {p.name for p in own} and (not only or row.key.decode() in only):
                rows.setdefault(word(row), row)
        options = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None,
                                     annotation=f"Optional[{_type(row)}]") for name, row in rows.items()]
        function.__signature__ = signature.replace(parameters=own + options)
        function.__annotations__.pop("options", None)
        function.__annotations__.update({p.name: p.annotation for p in options})
        function.__doc__ = inspect.cleandoc(function.__doc__) + "\n\nOptions:\n" + _help(rows.values())
        return function
    return made
