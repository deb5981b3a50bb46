"""execute.py FOLDER NOTEBOOK...: runs notebooks as Jupyter does, in a kernel of this Python, and writes what their cells show
as HTML to FOLDER/NAME-CELL.html. It fails where a cell does, with its message."""

import os
import sys

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError


def execute(path, folder):
    name = os.path.splitext(os.path.basename(path))[0]
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=120, kernel_name="this", resources={"metadata": {"path": folder}}).execute()
    for k, cell in enumerate(notebook.cells):
        for shown in cell.get("outputs", ()):
            if shown.output_type == "stream" and shown.name == "stderr":
                raise SystemExit(f"{name}, cell {k}: {shown.text}")
            words = shown.get("data", {}).get("text/html")
            if words:
                with open(os.path.join(folder, f"{name}-{k}.html"), "w", encoding="utf-8") as f:
                    f.write(f"<!doctype html><meta charset=utf-8>{words}")


if __name__ == "__main__":
    for path in sys.argv[2:]:
        try:
            execute(path, sys.argv[1])
        except CellExecutionError as reason:
            sys.exit(f"{path}: {reason}")
