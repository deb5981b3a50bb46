"""Pictures of a motion: what stands in which panel, drawn by matplotlib where it is installed, otherwise by the library
as SVG."""

import math
import os
from ctypes import POINTER, byref, c_double, cast, sizeof
from typing import Any, List, NamedTuple, Tuple

from ._handles import Context
from ._library import Curve, Panel, Plot, library, printed

_COORDINATE, _OUTPUT = 1, 3
_POINTS, _BARE, _AREA = 1, 4, 8  # DAL_CURVE_
_LOG, _EQUAL, _LOW = 1 | 2, 4, 8  # DAL_PANEL_
_CURVES_MOST = 12  # that are drawn without being asked for


class Drawn(NamedTuple):
    """A panel: curves (x, y, label), what stands at its axes, and flags of the library."""
    xlabel: str
    ylabel: str
    curves: List[Tuple[Any, Any, str]]
    flags: int = 0
    of_curves: int = 0


class Picture:
    """An SVG, which notebooks show: str(picture) is its text, picture.save(path) writes it."""

    def __init__(self, svg: str):
        self.svg = svg

    def __str__(self):
        return self.svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path) -> None:
        with open(path, "w", encoding="utf-8") as f:
            f.write(self.svg)


def _with_unit(name, unit):
    return f"{name} ({unit})" if unit else name


def _over_time(motion, names):
    """A panel for every unit, in the order in which they come."""
    by_unit = {}
    for name in names:
        by_unit.setdefault(motion.units.get(name, ""), []).append(name)
    time = _with_unit("t", motion.units.get("t"))
    return [Drawn(time, _with_unit(of[0], unit) if len(of) == 1 else unit, [(motion["t"], motion[name], name) for name in of])
            for unit, of in by_unit.items()]


def _energy(motion):
    energy = motion["energy"]
    first = float(energy[0])
    scale, label = (abs(first), "(E - E0)/|E0|") if first else (1.0, "E - E0")
    return Drawn(_with_unit("t", motion.units.get("t")), label, [(motion["t"], [(float(x) - first)/scale for x in energy], "energy")],
                 _LOW)


def _usual(motion):
    """Outputs, or else coordinates; and the energy."""
    kinds = [column.kind for column in motion.record.columns] if motion.record else []
    for wanted in (_OUTPUT, _COORDINATE):
        names = [name for name, kind in zip(motion.names, kinds) if kind == wanted][:_CURVES_MOST]
        if names:
            break
    else:
        names = [name for name in motion.names if name not in ("t", "energy")][:_CURVES_MOST]
    return _over_time(motion, names) + ([_energy(motion)] if "energy" in motion else [])


def panels(motion, columns) -> List[Drawn]:
    for one in columns:
        for name in (one,) if isinstance(one, str) else one:
            motion[name]  # raises if it is not recorded
    if not columns:
        return _usual(motion)
    out = _over_time(motion, [one for one in columns if isinstance(one, str)])
    for x, y in (one for one in columns if not isinstance(one, str)):
        out.append(Drawn(_with_unit(x, motion.units.get(x)), _with_unit(y, motion.units.get(y)), [(motion[x], motion[y], "")],
                         _EQUAL if _alike(motion, x, y) else 0))
    return out


def _alike(motion, *names):
    """Coordinates of one unit: their portrait is a path."""
    known = motion.record.columns if motion.record else []
    kinds = {(column.kind, column.unit) for column in known if column.name in names}
    return len(kinds) == 1 and next(iter(kinds))[0] in (_COORDINATE, _OUTPUT)


def _matplotlib(drawn, title):
    """A figure that belongs to nobody else, so that it is shown once, and by whoever has it."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    heights = [1 if panel.flags & _LOW else 2 for panel in drawn]
    figure = Figure(figsize=(7, 0.8 + 1.2*sum(heights)), constrained_layout=True)
    FigureCanvasAgg(figure)
    axes = figure.subplots(len(drawn), 1, squeeze=False, gridspec_kw={"height_ratios": heights})[:, 0]
    for ax, panel in zip(axes, drawn):
        for x, y, label in panel.curves:
            ax.plot(x, y, marker="o" if panel.of_curves & _POINTS else None, linestyle="" if panel.of_curves & _BARE else "-",
                    label=label)
            if panel.of_curves & _AREA:
                ax.fill(x, y, alpha=0.2)
        if panel.flags & _LOG:
            ax.set_xscale("log"), ax.set_yscale("log")
        if panel.flags & _EQUAL:
            ax.set_aspect("equal", "datalim")
        ax.set_xlabel(panel.xlabel), ax.set_ylabel(panel.ylabel), ax.grid(alpha=0.3)
        if len(panel.curves) > 1:
            ax.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    if title:
        figure.suptitle(title)
    return figure


def _doubles(values):
    values = [float(x) for x in values]
    return (c_double * max(len(values), 1))(*values), len(values)


def svg(drawn, title=None, width=0, height=0) -> Picture:
    keep, made = [], (Panel * len(drawn))()
    for panel, of in zip(drawn, made):
        curves = (Curve * len(panel.curves))()
        for k, (x, y, label) in enumerate(panel.curves):
            (xs, count), (ys, _) = _doubles(x), _doubles(y)
            several = len(panel.curves) > 1
            curves[k] = Curve(cast(xs, POINTER(c_double)), cast(ys, POINTER(c_double)), count,
                              label.encode() if several else None, panel.of_curves, k)
            keep += [xs, ys]
        of.curve, of.curves, of.xlabel, of.ylabel = curves, len(curves), panel.xlabel.encode(), panel.ylabel.encode()
        of.flags = panel.flags
        keep.append(curves)
    plot, context = Plot(sizeof(Plot), made, len(made), title.encode() if title else None, width, height), Context()
    words, status = printed(lambda file: library.dal_plot_write(context.handle, byref(plot), b"svg", file))
    context.settle(status)
    return Picture(words)


def _by(by, path):
    """What draws: as asked, or as the suffix of the file needs, or what is there."""
    if by not in (None, "matplotlib", "svg"):
        raise ValueError(f"by={by!r}: it is drawn by 'matplotlib' or as 'svg'")
    if by == "svg" and path is not None and os.path.splitext(os.fspath(path))[1] != ".svg":
        raise ValueError(f"{path}: the library draws SVG; other formats are drawn by matplotlib")
    if by is None:
        try:
            import matplotlib  # noqa: F401
            return "matplotlib"
        except ImportError:
            return _by("svg", path)
    return by


def draw(drawn, path, title, by):
    """A figure of matplotlib, or a Picture; in a file too, if one is named."""
    if _by(by, path) == "svg":
        picture = svg(drawn, title)
        if path is not None:
            picture.save(path)
        return picture
    figure = _matplotlib(drawn, title)
    if path is not None:
        figure.savefig(path)
    return figure


def motion(of, columns, path, title, by):
    title = title if title is not None or not of.record else of.record.model.system
    return draw(panels(of, columns), path, title, by)


def convergence(of, quantity, path, title, by):
    """Errors over steps, a curve for each scheme."""
    curves = []
    for scheme in of.schemes:
        rows = [row for row in scheme.rows if row.failure is None and row.error[quantity] > 0]
        if rows:
            curves.append(([row.step for row in rows], [row.error[quantity] for row in rows], scheme.name))
    if not curves:
        raise ValueError(f"there is no error of {quantity} to draw: no run came to its end")
    return draw([Drawn("step", f"error in {quantity}", curves, _LOG, _POINTS)], path, of.model if title is None else title, by)


def _histogram(name, values, bins=24):
    """The outline of bars; None if the values are all the same."""
    values = [float(x) for x in values if math.isfinite(x)]
    least, most = min(values, default=0), max(values, default=0)
    if not least < most:
        return None
    counts = [0]*bins
    for x in values:
        counts[min(int(bins*((x - least)/(most - least))), bins - 1)] += 1
    x, y = [least], [0]
    for k, count in enumerate(counts):
        x += [least + (most - least)*(k + i)/bins for i in (0, 1)]
        y += [count, count]
    return Drawn(name, "members", [(x + [most], y + [0], "")], 0, _AREA)


def histogram(values, name) -> str:
    """How values are distributed, as a small SVG; nothing if they are all the same."""
    drawn = _histogram(name, values)
    return str(svg([drawn], width=320, height=200)) if drawn else ""


def ensemble(of, columns, path, title, by):
    columns = columns or [name for name in of.statistics if name != "t"]
    drawn = [_histogram(one, of[one]) if isinstance(one, str) else Drawn(one[0], one[1], [(of[one[0]], of[one[1]], "")], 0, _POINTS | _BARE)
             for one in columns]
    drawn = [panel for panel in drawn if panel]
    if not drawn:
        raise ValueError("there is nothing to draw: all members have the same values")
    return draw(drawn, path, title, by)
