"""What the library offers, as its own tables say: schemes, options, and what to cite."""

from __future__ import annotations

from ctypes import byref, c_size_t
from typing import Any, Dict, List

from ._handles import Context
from ._library import library, printed


def methods() -> List[Dict[str, Any]]:
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


def options() -> Dict[str, str]:
    """Every option with its help: {"scheme": "curve and quadrature: ..."}."""
    count = c_size_t()
    rows = library.dal_option_rows(byref(count))
    return {rows[i].key.decode().replace("-", "_"): rows[i].help.decode() for i in range(count.value)}


def cite() -> str:
    """BibTeX of the program and of every paper behind its methods."""
    context = Context()
    words, status = printed(lambda file: library.dal_cite(context.handle, None, None, file))
    context.settle(status)
    return words
