"""Figures that stand still: a figure of this house as an SVG, for reports.

Written by hand and not by a plotting library: nothing is imported that keeps settings for the whole process, looks for
fonts or writes a cache, so that it is quick, safe in any thread, and the same figure gives the same text.
"""

from __future__ import annotations

from typing import Any

from plotly.graph_objects import Figure

from anonlib.plots.still.picture import Picture, shown

__all__ = ["svg"]

_TALL = 380  # pixels, of a figure that names no height


def svg(figure: Figure, width: float = 680, height: float | None = None) -> str:
    """A figure as an SVG that looks as it does on a light page, without what only a pointer shows.

    Parameters
    ----------
    figure : Figure
        A figure of :mod:`anonlib.plots`, made for a light page, of bars, lines, marks and cells.
    width : float, default 680
        Pixels; 680 is as wide as the text of a report.
    height : float, optional
        Pixels; the figure's own when left out.

    Returns
    -------
    str
        A whole document. Its texts are text, in a plain face of the system.

    Raises
    ------
    ValueError
        If the figure has a part that is not known here: another kind of trace, mark, dash or number format.
    """
    layout = _with_template(figure.layout.to_plotly_json())
    traces = shown([trace.to_plotly_json() for trace in figure.data])
    return Picture(traces, layout, width, height or layout.get("height") or _TALL).svg()


def _with_template(layout: dict[str, Any]) -> dict[str, Any]:
    """The layout with what it leaves to the template, for every axis that it has."""
    template = (layout.get("template") or {}).get("layout") or {}
    names = {name for name in layout if name.startswith(("xaxis", "yaxis"))} | {"xaxis", "yaxis"}
    axes = {name: _over(template.get(name[:5]) or {}, layout.get(name) or {}) for name in names}
    return _over(template, layout) | axes


def _over(below: Any, above: Any) -> Any:
    """Settings over others: what both have is the upper's, part by part."""
    if isinstance(below, dict) and isinstance(above, dict):
        keys = [*below, *(key for key in above if key not in below)]
        return {key: _over(below.get(key), above.get(key)) for key in keys}
    return below if above is None else above
