"""Pictures of a motion: what stands in which panel, drawn by matplotlib where it is installed, otherwise by the library
as SVG."""

import os
from ctypes import POINTER, byref, c_double, cast, sizeof
from typing import Any, List, NamedTuple, Tuple

from ._handles import Context
from ._library import Curve, Panel, Plot, library, printed

_COORDINATE, _OUTPUT = 1, 3
_CURVES_MOST = 12  # that are drawn without being asked for


class Drawn(NamedTuple):
    """A panel: curves (x, y, label), and what stands at its axes."""
    xlabel: str
    ylabel: str
    curves: List[Tuple[Any, Any, str]]
    low: bool = False


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
                 low=True)


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
        out.append(Drawn(_with_unit(x, motion.units.get(x)), _with_unit(y, motion.units.get(y)), [(motion[x], motion[y], "")]))
    return out


def _matplotlib(drawn, title):
    """A figure that belongs to nobody else, so that it is shown once, and by whoever has it."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    heights = [1 if panel.low else 2 for panel in drawn]
    figure = Figure(figsize=(7, 0.8 + 1.2*sum(heights)), constrained_layout=True)
    FigureCanvasAgg(figure)
    axes = figure.subplots(len(drawn), 1, squeeze=False, gridspec_kw={"height_ratios": heights})[:, 0]
    for ax, panel in zip(axes, drawn):
        for x, y, label in panel.curves:
            ax.plot(x, y, label=label)
        ax.set_xlabel(panel.xlabel), ax.set_ylabel(panel.ylabel), ax.grid(alpha=0.3)
        if len(panel.curves) > 1:
            ax.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    if title:
        figure.suptitle(title)
    return figure


def _doubles(values):
    values = [float(x) for x in values]
    return (c_double * max(len(values), 1))(*values), len(values)


def _svg(drawn, title) -> Picture:
    keep, made = [], (Panel * len(drawn))()
    for panel, of in zip(drawn, made):
        curves = (Curve * len(panel.curves))()
        for k, (x, y, label) in enumerate(panel.curves):
            (xs, count), (ys, _) = _doubles(x), _doubles(y)
            several = len(panel.curves) > 1
            curves[k] = Curve(cast(xs, POINTER(c_double)), cast(ys, POINTER(c_double)), count,
                              label.encode() if several else None, 0, k)
            keep += [xs, ys]
        of.curve, of.curves, of.xlabel, of.ylabel = curves, len(curves), panel.xlabel.encode(), panel.ylabel.encode()
        of.flags = 8 if panel.low else 0  # DAL_PANEL_LOW
        keep.append(curves)
    plot, context = Plot(sizeof(Plot), made, len(made), title.encode() if title else None, 0, 0), Context()
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
            if not hasattr(library, "dal_plot_write"):
                raise ImportError("matplotlib is missing, which draws plots") from None
            return _by("svg", path)
    return by


def motion(of, columns, path, title, by):
    drawn, by = panels(of, columns), _by(by, path)
    title = title if title is not None or not of.record else of.record.model.system
    if by == "svg":
        picture = _svg(drawn, title)
        if path is not None:
            picture.save(path)
        return picture
    figure = _matplotlib(drawn, title)
    if path is not None:
        figure.savefig(path)
    return figure
