"""Numbers as Python wants them: arrays of numpy where it is there, and the table of a run."""

try:
    import numpy
except ImportError:  # lists do as well, only slower
    numpy = None


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
    """Rows of a run, by column: motion["x"], motion.names, len(motion), motion.rows. For others it is a
    table: pandas.DataFrame(dict(motion))."""

    def __init__(self, names, rows):
        self.names = names
        self.rows = rows if numpy is None else numpy.array(rows, float).reshape(-1, len(names))

    def __getitem__(self, name):
        try:
            i = self.names.index(name)
        except ValueError:
            raise KeyError(f"{name!r} is not recorded; there are {', '.join(self.names)}") from None
        return [row[i] for row in self.rows] if numpy is None else self.rows[:, i]

    def __len__(self):
        return len(self.rows)

    def __contains__(self, name):
        return name in self.names

    def __iter__(self):
        return iter(self.names)

    def keys(self):
        return self.names
