"""Reads what the program wrote with NumPy and h5py, and compares it with the CSV. Lines of standard input are commands,
their words apart by tabs."""
import json
import sys
import time
import zipfile

import numpy as np


def table(path):
    with open(path, encoding="utf-8") as f:
        names = f.readline().rstrip("\n").split(",")
        return names, np.array([[float(x) for x in line.split(",")] for line in f])


def npy(path):
    a = np.load(path)
    return list(a.dtype.names), np.stack([a[n] for n in a.dtype.names], axis=1)


def npz(path):
    assert zipfile.ZipFile(path).testzip() is None, "a checksum is wrong"
    z = np.load(path)
    return list(z["columns"]), z["data"]


def h5(path, **how):
    import h5py

    names, blocks = [], []
    with h5py.File(path, "r", **how) as f:
        for group in ("t", "q", "p", "outputs", "diagnostics", "multipliers"):
            if group in f:
                rows = f[group][()]
                names += list(f[group].attrs["names"])
                blocks.append(rows.reshape(len(rows), -1))
    rows = min(len(b) for b in blocks)  # while it is being written
    return names, np.concatenate([b[:rows] for b in blocks], axis=1)


READ = {"csv": table, "npy": npy, "npz": npz, "h5": h5}


def read(path):
    return READ[path.rsplit(".", 1)[1]](path)


def same(*paths):
    """All hold the same numbers, bit for bit, by the names of their columns."""
    names, rows = read(paths[0])
    for path in paths[1:]:
        others, values = read(path)
        assert sorted(others) == sorted(names), (path, others, names)
        for i, name in enumerate(names):
            other = values[:, others.index(name)]
            assert len(other) == len(rows), (path, name, len(other), len(rows))
            assert np.array_equal(other, rows[:, i], equal_nan=True), (path, name)


def notes(path):
    if path.endswith(".h5"):
        import h5py

        with h5py.File(path, "r") as f:
            return dict(f.attrs), {n: u for g in f.values() for n, u in zip(g.attrs["names"], g.attrs["units"])}
    z = np.load(path)
    return {k: str(z[k]) for k in z.files if z[k].ndim == 0}, dict(zip(z["columns"], z["units"]))


def about(path, model, key, *words):
    """What the file says of itself: the text of the model, a unit, the status, an option."""
    said, units = notes(path)
    if key == "model":
        assert said["model"] == open(model, encoding="utf-8").read()
    elif key == "unit":
        assert units[words[0]] == words[1], units
    else:
        value = said[key]
        if len(words) == 2:
            value = json.loads(value)[words[0]]
        assert str(value) == words[-1], (value, words[-1])


def patiently(read_it, path):
    """An archive that is just being written is read again."""
    for _ in range(20):
        try:
            return read_it(path)
        except (zipfile.BadZipFile, ValueError, EOFError) as wrong:
            last = wrong
            time.sleep(0.1)
    raise last


def rows(path, least, how=""):
    """At least so many; "running": it is still being written."""
    swmr = how == "running" and path.endswith("h5")
    found = h5(path, swmr=True)[1] if swmr else patiently(read, path)[1]
    assert len(found) >= int(least), len(found)
    assert np.isfinite(found).all()
    assert (np.diff(found[:, 0]) > 0).all()


COMMANDS = {"same": same, "about": about, "rows": rows}

if __name__ == "__main__":
    failed = False
    for line in sys.stdin:
        command, *words = line.rstrip("\n").split("\t")
        try:
            COMMANDS[command](*words)
        except Exception as wrong:  # every one of them fails the test
            print(line.replace("\t", " ").rstrip(), repr(wrong)[:300])
            failed = True
    sys.exit(failed)
