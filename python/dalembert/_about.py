"""What the library offers, as its own tables say: schemes, options, and what to cite."""

from __future__ import annotations

from ctypes import byref, c_size_t
from typing import Any, Dict, List

from ._handles import Context
from ._library import library, printed
from ._options import RUN, word


def _row(struct):
    values = {name: getattr(struct, name) for name, _ in struct._fields_}
    return {name: x.decode() if isinstance(x, bytes) else x for name, x in values.items()}


def methods() -> List[Dict[str, Any]]:
    """The schemes and what each claims of itself, as dictionaries."""
    rows = []
    for i in range(library.dal_method_count()):
        row = _row(library.dal_method_at(i))
        claims = row.pop("claims")
        row["symmetric"], row["symplectic"], row["damps"] = bool(claims & 1), bool(claims & 2), bool(claims & 4)
        rows.append(row)
    return rows


def compositions() -> List[Dict[str, Any]]:
    """The compositions of symmetric schemes, compose(SCHEME, NAME(k)), as dictionaries."""
    return [_row(library.dal_composition_at(i)) for i in range(library.dal_composition_count())]


def _titles(table, title):
    count = c_size_t()
    rows = table(byref(count))
    return {rows[i].name.decode(): getattr(rows[i], title).decode() for i in range(count.value)}


def principles() -> Dict[str, str]:
    """The discrete principles, each with a line about it."""
    return _titles(library.dal_principles, "title")


def views() -> Dict[str, str]:
    """What model.show(view) can show, each with a line about it."""
    return _titles(library.dal_views, "help")


def options() -> Dict[str, str]:
    """Every option with its help: {"scheme": "curve and quadrature: ..."}."""
    return {word(row): row.help.decode() for row in RUN}


def cite() -> str:
    """BibTeX of the program and of every paper behind its methods."""
    context = Context()
    words, status = printed(lambda file: library.dal_cite(context.handle, None, None, file))
    context.settle(status)
    return words
