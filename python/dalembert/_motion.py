"""Numbers for Python: numpy arrays where numpy is installed, and the table of a run."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from . import _files, _page, _plot
from ._handles import INTERRUPTED
from ._library import library

try:
    import numpy
except ImportError:  # lists do as well, only slower
    numpy = None

Numbers = Sequence[float]  # an array of numpy where numpy is there, else a tuple or a list


def array(pointer, count):
    """A copy, which therefore cannot be written to: an array of numpy, or a tuple."""
    if numpy is None:
        return tuple(pointer[:count]) if count else ()
    copy = numpy.ctypeslib.as_array(pointer, (count,)).copy() if count else numpy.empty(0)
    copy.flags.writeable = False
    return copy


def table(numbers, rows, width):
    """Rows of that many numbers."""
    if numpy is not None:
        return numpy.array(numbers, float).reshape(rows, width)
    return [numbers[i*width:(i + 1)*width] for i in range(rows)]


class Motion:
    """Rows of a run, by column: motion["x"], motion.names, len(motion), motion.rows. motion.units are
    the texts behind the names in the model. With numpy a column is a view of rows, not a copy. In a notebook it is
    shown as plots that can be explored, with the animation if the model says what to draw."""

    def __init__(self, names: List[str], rows, units: Sequence[str] = (), record=None):
        self.names: List[str] = names
        self.units: Dict[str, str] = dict(zip(names, units))
        self.failures: Dict[int, str] = {}
        self.rows = rows if numpy is None else numpy.asarray(rows, float).reshape(-1, len(names))
        self.record = record  # what is known of the run, or None

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

    def save(self, path: Union[str, os.PathLike]) -> None:
        """Writes a file as the program does: .csv, .npy, .npz, or .h5 (by h5py); the last two say how it was run."""
        _files.save(self, path)

    def report(self, path: Union[None, str, os.PathLike] = None, verify: bool = False) -> str:
        """The page that `dalembert report` makes of it: plots, animation, certificate, equations. It is returned as
        HTML, and written to `path`. verify: the order is measured too, by further runs."""
        words = _page.page(self, verify)
        if path is not None:
            with open(path, "w", encoding="utf-8") as f:
                f.write(words)
        return words

    def plot(self, *columns: Union[str, Tuple[str, str]], path: Union[None, str, os.PathLike] = None,
             title: Optional[str] = None, by: Optional[str] = None) -> Any:
        """A picture of columns over time, those of one unit together; a pair ("x", "p(x)") is a portrait. Without
        columns: outputs or coordinates, and the error of the energy. It is a figure of matplotlib where that is
        installed (by="matplotlib"), otherwise SVG that a notebook shows (by="svg"); `path` is written too."""
        return _plot.motion(self, columns, path, title, by)

    def to_pandas(self) -> Any:
        """A pandas.DataFrame, with the time as its index; units are in .attrs["units"]."""
        import pandas
        table = pandas.DataFrame(dict(self.items()))
        table.attrs["units"] = dict(self.units)
        return table.set_index("t") if self._times() else table

    def to_xarray(self) -> Any:
        """An xarray.Dataset over the time "t", a variable for each column, with its unit as attribute."""
        import xarray
        along = "t" if self._times() else "member"
        made = {name: (along, column, {"units": self.units[name]} if self.units.get(name) else {})
                for name, column in self.items()}
        first = {"t": made.pop("t")} if along == "t" else {}
        return xarray.Dataset(made, first)

    def _times(self):
        return self.names[:1] == ["t"]

    def _repr_html_(self) -> str:
        return _page.of_motion(self)


class Ensemble(Motion):
    """The members of a sweep, a row for each: what was swept, then its last state. `failures` are the reasons of those
    that failed, by number; `statistics` of what came out, by column: count, mean, sd, min, max and the quantiles at 5,
    25, 50, 75 and 95 %."""

    def __init__(self, names, rows, swept, failures, statistics):
        super().__init__(names, rows)
        self.swept: List[str] = swept
        self.failures = failures
        self.statistics: Dict[str, Dict[str, Any]] = statistics

    def __repr__(self):
        return f"<dalembert ensemble: {len(self)} members over {', '.join(self.swept)}>"

    def plot(self, *columns: Union[str, Tuple[str, str]], path: Union[None, str, os.PathLike] = None,
             title: Optional[str] = None, by: Optional[str] = None) -> Any:
        """A histogram of each column, and of a pair ("k", "x") one over the other, a point for each member. Without
        columns: everything that came out. Drawn and written as those of a motion."""
        return _plot.ensemble(self, columns, path, title, by)

    def _times(self):
        return False

    def _repr_html_(self) -> str:
        return _page.of_ensemble(self)


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
