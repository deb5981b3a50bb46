"""The page of a motion, as `dalembert report` makes it, and what a notebook shows of the objects of this module."""

import html
import os
import re
import tempfile

from . import _files
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


def rows(lines, heading=True) -> str:
    """A table of texts, a heading first."""
    out = ["<table>"]
    for i, line in enumerate(lines):
        tag = "th" if heading and i == 0 else "td"
        out.append("<tr>" + "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in line) + "</tr>")
    return "\n".join(out + ["</table>"])


def of_model(model) -> str:
    """Its equations, and below them its text."""
    from ._library import library
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
    picked = range(len(motion)) if len(motion) <= most else [*range(most//2), *range(len(motion) - most//2, len(motion))]
    lines = [["", *motion.names]] + [[k, *(f"{float(x):.6g}" for x in motion.rows[k])] for k in picked]
    return rows(lines) + f"<p>{len(motion)} rows</p>"


def histogram(values, label, bins=24, width=300, height=120) -> str:
    """How values are distributed, as SVG."""
    values = [float(x) for x in values if x == x]
    least, most = min(values, default=0), max(values, default=0)
    if not least < most < float("inf"):
        return ""
    counts = [0]*bins
    for x in values:
        counts[min(int(bins*((x - least)/(most - least))), bins - 1)] += 1
    wide, high = width/bins, height/max(counts)
    bars = "".join(f'<rect x="{i*wide:.1f}" y="{height - count*high:.1f}" width="{wide - 1:.1f}" height="{count*high:.1f}"/>'
                   for i, count in enumerate(counts) if count)
    words = "".join(f'<text x="{x}" y="{height + 14}" text-anchor="{at}">{text}</text>' for x, at, text in
                    ((0, "start", f"{least:.4g}"), (width/2, "middle", html.escape(label)), (width, "end", f"{most:.4g}")))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height + 20}" font-size="11" '
            f'font-family="sans-serif"><g fill="#4477aa">{bars}</g><g fill="currentColor">{words}</g></svg>')


def of_ensemble(members, most=6) -> str:
    """Statistics, histograms of what came out, and the first and last members."""
    lines = [["", "mean", "sd", "min", "5 %", "25 %", "median", "75 %", "95 %", "max"]]
    for name, s in members.statistics.items():
        lines.append([name, *(f"{x:.6g}" for x in (s["mean"], s["sd"], s["min"], *s["quantiles"], s["max"]))])
    pictures = [histogram(members[name], name) for name in members.statistics if name != "t"]
    failed = f"<p>{len(members.failures)} failed</p>" if members.failures else ""
    return rows(lines) + "\n".join([one for one in pictures if one][:most]) + failed + first_rows(members)


def of_convergence(found) -> str:
    out = [f"<p>{html.escape(found.model)}, against {html.escape(found.reference)}</p>"]
    for one in found.schemes:
        out.append(f"<p>{html.escape(one.name)}, order {one.claimed}{': missed' if one.missed else ''}</p>" + rows(one.table()))
    return "\n".join(out)
