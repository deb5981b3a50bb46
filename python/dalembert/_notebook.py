"""The cell magic of notebooks: after `%load_ext dalembert`, a cell

    %%dalembert pendulum
    system Pendulum { ... }

makes the model `pendulum` (without a name: as its last system is called) and shows its equations. What is wrong with
the text is said as the program says it, with line and caret."""

from ._handles import Error
from ._model import parse


class CellError(Error):
    """Shown without the Python code that was on the way."""

    def _render_traceback_(self):
        return str(self).split("\n")


def load(shell) -> None:
    from IPython.core.magic import needs_local_scope  # only where there is IPython
    from IPython.display import display

    @needs_local_scope
    def magic(line, cell, local_ns=None):
        name = line.strip()
        if name and not name.isidentifier():
            raise CellError(f"%%dalembert NAME: {name!r} is no name of a variable")
        try:
            model = parse(cell, name or "cell")
        except Error as reason:
            raise CellError(str(reason), reason.status, reason.messages) from None
        shell.user_ns[name or model.system] = model
        display(model)

    shell.register_magic_function(magic, "cell", "dalembert")
