"""Numbers for Python: numpy arrays where numpy is installed, and the table of a run."""

from __future__ import annotations

import ctypes
from typing import Dict, Iterator, List, Sequence

from ._handles import INTERRUPTED
from ._library import library

try:
    import numpy
except ImportError:  # lists do as well, only slower
    numpy = None

Numbers = Sequence[float]  # an array of numpy where numpy is there, else a list


def array(pointer, count):
    if numpy is None:
        return pointer[:count] if count else []
    return numpy.ctypeslib.as_array(pointer, (count,)).copy() if count else numpy.empty(0)


def matrix(numbers, width):
    """Rows of that many numbers."""
    if numpy is not None:
        return numpy.array(numbers).reshape(width, width)
    return [numbers[i*width:(i + 1)*width] for i in range(width)]


class Motion:
    """Rows of a run, by column: motion["x"], motion.names, len(motion), motion.rows. motion.units are
    the texts behind the names in the model. With numpy a column is a view of rows, not a copy. For
    others it is a table: pandas.DataFrame(dict(motion))."""

    def __init__(self, names: List[str], rows, units: Sequence[str] = ()):
        self.names: List[str] = names
        self.units: Dict[str, str] = dict(zip(names, units))
        self.failures: Dict[int, str] = {}
        self.rows = rows if numpy is None else numpy.asarray(rows, float).reshape(-1, len(names))

    def __repr__(self):
        return f"<dalembert motion: {len(self)} rows of {', '.join(self.names)}>"

    def __getitem__(self, name: str) -> Sequence[float]:
        try:
            i = self.names.index(name)
        except ValueError:
            raise KeyError(f"{name!r} is not recorded; there are {', '.join(self.names)}; rows are in "
                           ".rows") from None
        return [row[i] for row in self.rows] if numpy is None else self.rows[:, i]

    def __len__(self) -> int:
        return len(self.rows)

    def __contains__(self, name) -> bool:
        return name in self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def keys(self) -> List[str]:
        return list(self.names)

    def values(self) -> list:
        return [self[name] for name in self.names]

    def items(self) -> list:
        return [(name, self[name]) for name in self.names]


class Rows:
    """Rows of a run in pieces of memory that do not move, each twice as long as the one before."""

    def __init__(self, width: int):
        self.width, self._pieces, self._counts, self._room = width, [], [], 64

    def fill(self, handle, observer) -> int:
        """Runs a simulation to its end, or until the observer stops it; the status of that."""
        status, count = INTERRUPTED, ctypes.c_size_t(self._room)
        while status == INTERRUPTED and count.value == self._room:
            self._room = min(2*self._room, 1 << 16)
            piece = (ctypes.c_double * (self._room*self.width))()
            status = library.dal_run_rows(handle, observer, piece, self._room, ctypes.byref(count))
            self._pieces.append(piece)
            self._counts.append(count.value)
        return status

    def all(self):
        """All of them: an array of numpy, or a list of tuples."""
        width, pieces = self.width, list(zip(self._pieces, self._counts))
        if numpy is not None:
            parts = [numpy.frombuffer(piece, count=count*width) for piece, count in pieces if count]
            return numpy.concatenate(parts or [numpy.empty(0)]).reshape(-1, width)
        return [tuple(piece[i*width:(i + 1)*width]) for piece, count in pieces for i in range(count)]
