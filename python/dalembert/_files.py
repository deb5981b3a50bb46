"""Motions as files: CSV, NumPy's .npy and .npz, HDF5 by h5py, laid out as the program writes and reads them."""

import array
import csv
import io
import os
import sys
import zipfile

from ._record import KINDS

_ORDER = "<" if sys.byteorder == "little" else ">"
_GROUPS = {0: "t", **KINDS}  # others are diagnostics
_FOREIGN = {".hdf5", ".hdf", ".he5", ".json", ".mat", ".nc", ".pkl", ".pickle", ".parquet", ".feather", ".xls",
            ".xlsx", ".zarr"}


def _csv(motion, path):
    with open(path, "w", encoding="utf-8", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(motion.names)
        out.writerows([repr(float(x)) for x in row] for row in motion.rows)


def _npy(kind, shape, content):
    """An array in NumPy's format, version 1 or 2."""
    head = f"{{'descr': '{_ORDER}{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    wide = len(head) + 11 > 0xffff
    front = 12 if wide else 10
    head += " "*(-(front + len(head) + 1) % 64) + "\n"
    return (b"\x93NUMPY" + bytes((2 if wide else 1, 0)) + len(head).to_bytes(4 if wide else 2, "little") +
            head.encode() + content)


def _texts(words):
    """A text, or a list of them."""
    several = [words] if isinstance(words, str) else words
    longest = max([len(word) for word in several] + [1])
    code = "utf-32-le" if _ORDER == "<" else "utf-32-be"
    content = b"".join(word.ljust(longest, "\0").encode(code) for word in several)
    return _npy(f"U{longest}", () if isinstance(words, str) else (len(words),), content)


def _data(motion):
    rows = motion.rows
    content = rows.tobytes() if hasattr(rows, "tobytes") else array.array("d", (x for row in rows for x in row)).tobytes()
    return _npy("f8", (len(motion), len(motion.names)), content)


def npz(motion) -> bytes:
    """The bytes of an archive of NumPy, as the program writes it."""
    out = io.BytesIO()
    units = [motion.units.get(name, "") for name in motion.names]
    notes = motion.record.notes() if motion.record else {}
    with zipfile.ZipFile(out, "w") as z:
        for name, words in {"columns": motion.names, "units": units, **notes}.items():
            z.writestr(name + ".npy", _texts(words))
        z.writestr("data.npy", _data(motion))
    return out.getvalue()


def _bytes(make):
    def write(motion, path):
        with open(path, "wb") as f:
            f.write(make(motion))
    return write


def _h5(motion, path):
    try:
        import h5py
    except ImportError:
        raise ImportError(f"{path}: h5py is missing, which writes HDF5; install it, or save as .npz") from None
    kinds = [column.kind for column in motion.record.columns] if motion.record else [0]*len(motion.names)
    columns = {}
    for i, kind in enumerate(kinds):
        columns.setdefault(_GROUPS.get(kind, "diagnostics") if motion.record else "data", []).append(i)
    with h5py.File(path, "w", libver="latest") as f:
        for name, words in (motion.record.notes() if motion.record else {}).items():
            f.attrs.create(name, words, dtype=h5py.string_dtype())
        for name, of in columns.items():
            rows = motion.rows[:, of]  # h5py does not do without numpy
            made = f.create_dataset(name, data=rows[:, 0] if name == "t" else rows)
            names = [motion.names[i] for i in of]
            made.attrs.create("names", names, dtype=h5py.string_dtype())
            made.attrs.create("units", [motion.units.get(one, "") for one in names], dtype=h5py.string_dtype())


_FORMATS = {".csv": _csv, ".npy": _bytes(_data), ".npz": _bytes(npz), ".h5": _h5}


def save(motion, path) -> None:
    """Writes a motion in the format of the suffix; CSV if there is another."""
    path = os.fspath(path)
    suffix = os.path.splitext(path)[1]
    if suffix in _FOREIGN:
        raise ValueError(f"{path}: results are written as .csv, .npy, .npz or .h5; a file called {suffix} would be text")
    _FORMATS.get(suffix, _csv)(motion, path)
