"""Lines, marks and texts of a still picture: Plotly's scatter."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np

from anonlib.plots.still.axes import Axis, Span
from anonlib.plots.still.paint import (
    DASHES,
    Anchor,
    Paint,
    drawn,
    each,
    height,
    is_line,
    joined,
    mark,
    number,
    painted,
    read,
)
from anonlib.plots.theme import DARK_INK

_REFUSED = ("error_x", "error_y", "fillpattern", "stackgroup")


def spans(trace: dict[str, Any], x: Axis, y: Axis) -> tuple[Span, Span]:
    """What a trace needs of its axes.

    Raises
    ------
    ValueError
        If it has a part that no still picture has.
    """
    for part in _REFUSED:
        if trace.get(part):
            raise ValueError(f"no still picture has {part} of a scatter")
    across, up = _places(trace, x, y)
    known = np.isfinite(across) & np.isfinite(up)
    if not known.any():
        return (np.nan, np.nan, 0.0), (np.nan, np.nan, 0.0)
    marked, named = "markers" in _mode(trace), "text" in _mode(trace)
    return (
        (across[known].min(), across[known].max(), 0.05 if marked or named else 0.0),
        (up[known].min(), up[known].max(), 0.12 if named else 0.05),
    )


def svg(trace: dict[str, Any], x: Axis, y: Axis, paint: Paint, size: float) -> tuple[str, str]:
    """The lines and marks, and the texts, which stand over everything else."""
    across, up = _places(trace, x, y)
    at, to = x.pixel(across), y.pixel(up)
    opacity = float(trace.get("opacity") or 1)
    mode = _mode(trace)
    drawn_parts = []
    if "lines" in mode:
        drawn_parts.append(_line(trace, at, to, paint, opacity))
    if "markers" in mode:
        drawn_parts.append(_marks(trace, at, to, paint, opacity))
    return "".join(drawn_parts), _texts(trace, at, to, size) if "text" in mode else ""


def sample(trace: dict[str, Any], left: float, middle: float, long: float, paint: Paint) -> str:
    """A short piece of the trace, for the legend."""
    at, to = np.array([left, left + long]), np.array([middle, middle])
    mode = _mode(trace)
    line = _line(trace | {"line": (trace.get("line") or {}) | {"shape": "linear"}, "fill": None}, at, to, paint, 1)
    marker = dict(trace.get("marker") or {})
    for key in ("symbol", "color", "size", "opacity"):
        if key in marker:
            marker[key] = each(marker[key], 1, None)[0]
    marker["size"] = min(9, max(6, marker.get("size") or 6))
    spot = _marks(trace | {"marker": marker}, at[:1] + long / 2, to[:1], paint, 1)
    return (line if "lines" in mode else "") + (spot if "markers" in mode else "")


def _mode(trace: dict[str, Any]) -> str:
    n = np.size(np.asarray(trace.get("x", ())))
    return trace.get("mode") or ("lines+markers" if n < 20 else "lines")


def _places(trace: dict[str, Any], x: Axis, y: Axis) -> tuple[np.ndarray, np.ndarray]:
    first, second = trace.get("x"), trace.get("y")
    first = range(len(second)) if first is None and second is not None else first if first is not None else ()
    second = range(len(first)) if second is None else second
    n = min(len(first), len(second))
    return x.own(list(first)[:n]), y.own(list(second)[:n])


def _line(trace: dict[str, Any], x: np.ndarray, y: np.ndarray, paint: Paint, opacity: float) -> str:
    line = trace.get("line") or {}
    colour = line.get("color") or (trace.get("marker") or {}).get("color")
    colour = colour if isinstance(colour, str) else paint.colour
    shape = line.get("shape") or "linear"
    runs = np.split(np.arange(len(x)), np.flatnonzero(~(np.isfinite(x) & np.isfinite(y))))
    pieces = []
    for run in runs:
        run = run[np.isfinite(x[run]) & np.isfinite(y[run])]
        if len(run) > 1:
            pieces.append(_way(x[run], y[run], shape))
    if not pieces:
        return ""
    fill = trace.get("fill") or "none"
    if fill not in ("none", "toself"):
        raise ValueError(f"no still picture has the fill {fill}")
    inside = painted(trace.get("fillcolor") or colour, "fill") if fill == "toself" else 'fill="none"'
    wide = line.get("width")
    wide = 2 if wide is None else wide
    outline = f'{painted(colour, "stroke", opacity)} stroke-width="{number(wide)}"' if wide else ""
    dash = DASHES.get(line.get("dash") or "solid")
    if dash is None:
        raise ValueError(f"no still picture has the dashes {line.get('dash')}")
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path d="{"".join(pieces)}" {inside} {outline} stroke-linejoin="round"{dashes}/>'


def _way(x: np.ndarray, y: np.ndarray, shape: str) -> str:
    if shape == "linear" and len(x) == 2 and y[0] == y[1]:  # as there may be many of
        return f"M{joined((x[0], y[0]))}H{number(x[1])}"
    if shape == "linear":
        return f"M{joined((x[0], y[0]))}L" + " ".join(joined(pair) for pair in zip(x[1:], y[1:], strict=True))
    if shape not in ("hv", "vh"):
        raise ValueError(f"no still picture has lines of the shape {shape}")
    steps = (
        f"H{number(a)}V{number(b)}" if shape == "hv" else f"V{number(b)}H{number(a)}"
        for a, b in zip(x[1:], y[1:], strict=True)
    )
    return f"M{joined((x[0], y[0]))}" + "".join(steps)


def _marks(trace: dict[str, Any], x: np.ndarray, y: np.ndarray, paint: Paint, opacity: float) -> str:
    """Marks of the same look as one path."""
    marker, n = trace.get("marker") or {}, len(x)
    line = marker.get("line") or {}
    colours = each(marker.get("color"), n, (trace.get("line") or {}).get("color") or paint.colour)
    styles = zip(
        each(marker.get("symbol"), n, "circle"),
        each(marker.get("size"), n, 6),
        colours,
        [opacity * float(value) for value in each(marker.get("opacity"), n, 1)],
        each(line.get("width"), n, 0),
        [value or colour for value, colour in zip(each(line.get("color"), n, None), colours, strict=True)],
        strict=True,
    )
    alike: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    for i, mark_style in enumerate(styles):
        if np.isfinite(x[i]) and np.isfinite(y[i]):
            alike[mark_style].append(i)
    return "".join(_path(_spots(style, x[places], y[places]), style) for style, places in alike.items() if style[3] > 0)


def _spots(style: tuple[Any, ...], x: np.ndarray, y: np.ndarray) -> str:
    """The marks of a look; a plain dot is the end of a line of no length, since there may be a thousand."""
    symbol, size, _, _, wide, _ = style
    if symbol == "circle" and not wide:
        return "".join(f"M{joined(place)}h0" for place in zip(x, y, strict=True))
    return mark(str(symbol).removesuffix("-open"), x, y, float(size) / 2)


def _dots(size: float) -> str:
    return f'stroke-width="{number(size)}" stroke-linecap="round"'


def _path(way: str, style: tuple[Any, ...]) -> str:
    symbol, size, colour, opacity, wide, edge = style
    if is_line(str(symbol).removesuffix("-open")):
        return f'<path d="{way}" {painted(edge, "stroke", opacity)} stroke-width="{number(wide or 1)}" fill="none"/>'
    if str(symbol).endswith("-open"):
        return f'<path d="{way}" fill="none" {painted(colour, "stroke", opacity)} stroke-width="{number(wide or 1)}"/>'
    if symbol == "circle" and not wide:
        return f'<path d="{way}" fill="none" {painted(colour, "stroke", opacity)} {_dots(size)}/>'
    outline = f' {painted(edge, "stroke", opacity)} stroke-width="{number(wide)}"' if wide else ""
    return f'<path d="{way}" {painted(colour, "fill", opacity)}{outline}/>'


def _texts(trace: dict[str, Any], x: np.ndarray, y: np.ndarray, size: float) -> str:
    n, font = len(x), trace.get("textfont") or {}
    texts, places = each(trace.get("text"), n, ""), each(trace.get("textposition"), n, "middle center")
    reach = [
        float(value) / 2 + 3
        for value in each((trace.get("marker") or {}).get("size"), n, 0 if "markers" not in _mode(trace) else 6)
    ]
    colours, sizes = each(font.get("color"), n, DARK_INK), each(font.get("size"), n, 12)
    pieces = []
    for i in range(n):
        label = read(texts[i])
        if not label or not (np.isfinite(x[i]) and np.isfinite(y[i])):
            continue
        upward, _, sideways = places[i].partition(" ")
        big = size * sizes[i] / 12
        anchor: Anchor = {"left": "end", "right": "start"}.get(sideways, "middle")  # type: ignore[assignment]
        aside = {"left": -reach[i], "right": reach[i]}.get(sideways, 0.0) if upward == "middle" else 0.0
        lift = (reach[i] + height(label, big) / 2) * {"top": -1, "bottom": 1}.get(upward, 0)
        pieces.append(drawn(label, x[i] + aside, y[i] + lift, size=big, colour=colours[i], anchor=anchor))
    return "".join(pieces)
