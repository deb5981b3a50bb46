"""What stands behind the objects of this module: handles of the library that are freed in the right
order, contexts with their messages, options, and interrupts."""

import itertools
import re
import signal
import threading
import time
import warnings
from ctypes import byref, c_void_p

from ._library import library, printed
from ._options import REPEATS, RUN, key as option_of

OK, INTERRUPTED = 0, 8
_ERROR, _WARNING = 0, 1


def _bare(text, kind):
    """The report without "error: " or "warning: " before messages that have no place: Python itself
    says which of the two it is."""
    return re.sub(f"^{kind}: ", "", text.rstrip(), flags=re.MULTILINE)


class Error(Exception):
    """What the library refused or could not do. `status` is its number in dalembert.h, `messages` are
    the single messages, (file, line, column, text, hint) each. Of a run that could not go on, `motion`
    is what was recorded before; otherwise it is None."""

    motion = None

    def __init__(self, text: str, status: int = 2, messages: tuple = ()):
        super().__init__(text, status, messages)  # as pickle makes it again
        self.status, self.messages = status, list(messages)

    def __str__(self):
        return self.args[0]


class UnknownName(Error, KeyError):
    """There is nothing of this name."""


class Owned:
    """A handle and what it needs. It is freed when nobody uses it any more, and before what it needs,
    in whatever order Python ends the objects that hold it (of a cycle, in any)."""

    _lock = threading.RLock()  # one end may set off another

    def __init__(self, handle, free, *needs):
        self.handle, self._free, self._needs, self._users = handle, free, needs, 1
        with self._lock:
            for other in needs:
                other._users += 1

    def drop(self):
        with self._lock:
            self._users -= 1
            if self._users:
                return
        self._free(self.handle)
        for other in self._needs:
            other.drop()


class Owner:
    """Has a handle, and drops it at its own end, or when it is closed."""

    owned = None

    def __del__(self):
        self.close()

    def close(self) -> None:
        """Frees what the library holds for this object, now; otherwise that happens at its end. What
        was made from it lives on."""
        owned, self.owned = self.owned, None
        if owned is not None:
            owned.drop()

    def __enter__(self):
        return self

    def __exit__(self, *_reason):
        self.close()

    def __copy__(self):  # two owners of one handle would free it twice
        raise TypeError(f"a {type(self).__name__} cannot be copied")

    def __reduce__(self):
        raise TypeError(f"a {type(self).__name__} cannot be pickled")

    @property
    def handle(self):
        if self.owned is None:
            raise ValueError(f"this {type(self).__name__} is closed")
        return self.owned.handle


class Context(Owner):
    """Messages of the library, raised as exceptions and warnings. One for each simulation and each call,
    so that threads can share a model."""

    def __init__(self):
        handle = library.dal_context_new(None)
        if not handle:
            raise MemoryError("no context")
        self.owned = Owned(handle, library.dal_context_free)
        self.warnings = []  # those that were said, in a line each

    def settle(self, status):
        """Raises what failed; what was only worth a word becomes a warning."""
        count = library.dal_message_count(self.handle)
        if status == OK and count == 0:
            return
        text, _ = printed(lambda file: library.dal_report(self.handle, file, 0))
        found = [library.dal_message_at(self.handle, i) for i in range(count)]
        messages = [(m.file and m.file.decode(), m.line, m.column, m.text.decode(),
                     m.hint and m.hint.decode()) for m in found]
        worth = any(m.severity in (_ERROR, _WARNING) for m in found)
        self.warnings += [f"{m.file.decode()}:{m.line}:{m.column}: {m.text.decode()}" if m.file else m.text.decode()
                          for m in found if m.severity == _WARNING]
        library.dal_messages_clear(self.handle)
        if status != OK:
            raise Error(_bare(text, "error") or library.dal_status_text(status).decode(), status, messages)
        if worth:
            warnings.warn(_bare(text, "warning"), stacklevel=3)


class Options(Owner):
    """Keywords as options of the library."""

    def __init__(self, context, keywords):
        self.context = context
        handle = library.dal_options_new(context.handle)
        if not handle:
            raise MemoryError("no options")
        self.owned = Owned(handle, library.dal_options_free, context.owned)
        for keyword, value in keywords.items():
            self._set(option_of(keyword), value)

    def _set(self, key, value):
        if value is None:
            return
        if hasattr(value, "_struct"):  # a Retraction, and where it is taken
            self.context.settle(library.dal_options_retraction(self.handle, byref(value._struct)))
            value = value.at
        if isinstance(value, dict):
            texts = [f"{name}={text(x)}" for name, x in value.items()]
        elif isinstance(value, (list, tuple)) and key in ("set", "start", "input"):
            texts = [str(x) for x in value]
        elif isinstance(value, (list, tuple)):
            texts = [", ".join(str(x) for x in value)]
        else:
            texts = [text(value)]
        for one in texts:
            self.context.settle(library.dal_options_set(self.handle, key.encode(), one.encode()))


    def texts(self):
        """What was set, by option; a list of those that repeat."""
        out = {}
        for row in RUN:
            one = library.dal_options_get(self.handle, row.key)
            if one is not None and row.flags & REPEATS:
                several = (library.dal_options_at(self.handle, row.key, k) for k in itertools.count())
                out[row.key.decode()] = [x.decode() for x in itertools.takewhile(lambda x: x is not None, several)]
            elif one is not None:
                out[row.key.decode()] = one.decode()
        return out


def text(value):
    """As the language writes it; lists, and arrays of numpy, in brackets."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(text(x) for x in value) + "]"
    return repr(float(value)) if isinstance(value, float) else str(value)


def several(count, word):
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def c_text(words, what):
    if not isinstance(words, str):
        raise TypeError(f"{what} is a str, not {type(words).__name__}")
    if "\0" in words:
        raise ValueError(f"{what} holds a zero byte")
    return words.encode()


class Checkpoint:
    """A checkpoint of bytes, for as long as it is needed."""

    def __init__(self, context, saved):
        self._out = c_void_p()
        context.settle(library.dal_checkpoint_parse(context.handle, saved, len(saved), byref(self._out)))

    def __enter__(self):
        return self._out

    def __exit__(self, *_reason):
        library.dal_checkpoint_free(self._out)


class Interrupts:
    """Ctrl-C during a call of the library, which an exception must not pass through, nor get lost in:
    inside `call` it is caught, elsewhere noted, and what came is raised when the library has returned.
        with Interrupts() as interrupts:
            library.dal_run(sim, Observer(wait=Told(lambda *_: interrupts.look())))"""

    def __enter__(self):
        self._noted, self._failed, self._inside = None, None, False
        before = signal.getsignal(signal.SIGINT)
        mine = threading.current_thread() is threading.main_thread() and callable(before)
        self._before = before if mine else None
        if mine:
            signal.signal(signal.SIGINT, self._interrupt)
        return self

    def _interrupt(self, number, frame):
        if self._inside:
            self._before(number, frame)
        else:
            self._noted = (number, frame)

    def call(self, function, *arguments):
        """The function's status for the library: not OK if it returned True, or raised."""
        if self._noted or self._failed:
            return INTERRUPTED
        try:
            self._inside = True
            return INTERRUPTED if function(*arguments) else OK
        except BaseException as reason:
            self._failed = reason
            return INTERRUPTED
        finally:
            self._inside = False

    def look(self):
        """For the library to look whether there was an interrupt."""
        return self.call(lambda: None)

    def __exit__(self, *_reason):
        if self._before:
            signal.signal(signal.SIGINT, self._before)
        if self._failed:
            raise self._failed
        if self._noted:
            self._before(*self._noted)


def in_pieces(count, advance):
    """advance(n) for n that add up to count: about a tenth of a second each, for an interrupt."""
    some = 1
    while count > 0:
        some, begin = min(some, count), time.monotonic()
        advance(some)
        count -= some
        if time.monotonic() - begin < 0.05:
            some *= 2
