"""The page of a motion, as `dalembert report` makes it, and what a notebook shows of the objects of this module."""

import html
import os
import re
import tempfile

from . import _files, _plot
from ._handles import several
from ._library import library
from ._program import call

_NUMBERS_MOST = 20_000_000  # of a motion that is shown without being asked


def page(motion, verify=False) -> str:
    """The page as HTML."""
    name = motion.record.model.system if motion.record else "motion"
    name = re.sub(r"\W", "_", name) + ".npz"  # the page tells it
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, name), "wb") as f:
            f.write(_files.npz(motion))
        call("report", name, "--quiet", "-o", "page.html", *(["--verify"] if verify else []), folder=folder)
        with open(os.path.join(folder, "page.html"), encoding="utf-8") as f:
            return f.read()


def frame(words: str, height: int) -> str:
    """A page within another."""
    return (f'<iframe srcdoc="{html.escape(words)}" width="100%" height="{height}" '
            f'style="border: 0" sandbox="allow-scripts"></iframe>')


def rows(lines) -> str:
    """A table of texts, a heading first."""
    out = ["<table>"]
    for i, line in enumerate(lines):
        tag = "td" if i else "th"
        out.append("<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in line) + "</tr>")
    return "\n".join(out + ["</table>"])


def of_model(model) -> str:
    """Its equations, and below them its text."""
    words = (library.dal_model_text(model.handle) or b"").decode()
    out = [f"<h3>{html.escape(model.system)}</h3>", '<div style="overflow-x: auto">', model.show("mathml"), "</div>"]
    if words:
        out += [f"<details><summary>The text of the model</summary><pre>{html.escape(words)}</pre></details>"]
    return "\n".join(out)


def of_motion(motion) -> str:
    """Interactive plots and, if the model draws, its animation; a table where there is no program to make them."""
    if motion.record and len(motion)*len(motion.names) <= _NUMBERS_MOST:
        try:
            return frame(page(motion), 720)
        except FileNotFoundError:
            pass
    return first_rows(motion)


def first_rows(motion, most=8) -> str:
    """The first and the last, if there are many."""
    lines = [["", *motion.names]] + [[k, *(f"{float(x):.6g}" for x in motion.rows[k])] for k in range(len(motion))
                                     if k < most//2 or k >= len(motion) - most//2]
    if len(motion) > most:
        lines.insert(1 + most//2, ["..."])
    return rows(lines) + f"<p>{several(len(motion), 'row')}</p>"


def of_ensemble(members, most=6) -> str:
    """Statistics, histograms of what came out, and the first and last members."""
    lines = [["", "mean", "sd", "min", "5 %", "25 %", "median", "75 %", "95 %", "max"]]
    for name, s in members.statistics.items():
        lines.append([name, *(f"{x:.6g}" for x in (s["mean"], s["sd"], s["min"], *s["quantiles"], s["max"]))])
    pictures = [_plot.histogram(members[name], name) for name in members.statistics if name != "t"]
    failed = f"<p>{len(members.failures)} failed</p>" if members.failures else ""
    return rows(lines) + "\n".join([one for one in pictures if one][:most]) + failed + first_rows(members)


def of_orders(one) -> str:
    missed = ": missed" if one.missed else ""
    return f"<p>{html.escape(one.name)}, order {one.claimed}{missed}</p>" + rows(one.table())


def of_convergence(found) -> str:
    return "\n".join([f"<p>{html.escape(found.model)}, against {html.escape(found.reference)}</p>", *map(of_orders, found.schemes)])
