"""The program `dalembert`, which a wheel carries and an installation has beside the library: it writes pages."""

import os
import shutil
import subprocess

from ._handles import Error
from ._library import library


def _is_script(path):
    """The command that pip makes calls this module, which would call it again."""
    with open(path, "rb") as f:
        return f.read(2) == b"#!"


def _candidates():
    named = os.environ.get("DALEMBERT_PROGRAM")
    if named:
        yield named
        return
    beside = os.path.dirname(library._name)
    if beside:
        for up in ("bin", "", os.path.join("..", "bin"), os.path.join("..", "..", "bin")):
            yield os.path.abspath(os.path.join(beside, up, "dalembert"))
    found = shutil.which("dalembert")
    if found and not _is_script(found):
        yield found


def program() -> str:
    """The path of the program: beside the library that is loaded, or on $PATH; $DALEMBERT_PROGRAM names another."""
    for path in _candidates():
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    raise FileNotFoundError("the program dalembert is not found beside the library, nor on $PATH; "
                            "set DALEMBERT_PROGRAM to its file")


def call(*arguments, folder=None) -> str:
    """What the program prints; Error with its message if it fails."""
    done = subprocess.run([program(), *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                          encoding="utf-8", errors="replace")
    if done.returncode:
        raise Error(done.stderr.strip() or f"dalembert {arguments[0]} ended with {done.returncode}")
    return done.stdout
