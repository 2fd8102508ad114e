"""One palette, one template: red is what lies at or below the threshold, everywhere; nothing else is red.

At the end are lines across shapes, which tell them apart where colours do not, as on a grey print.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import plotly.graph_objects as go
import shapely
from plotly.graph_objects import Figure as Figure

LIGHT_INK, DARK_INK = "#ffffff", "#11161c"


@dataclass(frozen=True)
class Palette:
    """Colours of a theme. Chosen to stay apart for the common kinds of colour blindness (Okabe and Ito)."""

    risky: str
    safe: str
    original: str
    ink: str
    faint: str
    line: str
    ground: str
    sequence: tuple[str, ...]
    little: str
    much: str

    @property
    def scale(self) -> list[list[Any]]:
        """The one sequential scale for amounts: blue, which stays apart from red for everyone."""
        return [[0.0, self.little], [1.0, self.much]]

    def shade(self, amount: float) -> str:
        """The scale's colour for an amount in [0, 1]."""
        return mixed(self.much, self.little, amount)

    def is_dark(self, amount: float) -> bool:
        """Whether light ink is the easier to read on the scale's colour for an amount in [0, 1] (WCAG 2.1)."""
        ground = _luminance(rgb(self.shade(amount)))
        return 1.05 / (ground + 0.05) > (ground + 0.05) / 0.06

    def ink_on(self, amount: float) -> str:
        return LIGHT_INK if self.is_dark(amount) else DARK_INK


def mixed(colour: str, other: str, part: float) -> str:
    """A part of a colour and the rest of another.

    Parameters
    ----------
    colour, other : str
        ``#rrggbb``.
    part : float
        Share of the first, 0 to 1.

    Examples
    --------
    >>> mixed("#ff0000", "#0000ff", 0.5)
    '#800080'
    """
    parts = (round(part * a + (1 - part) * b) for a, b in zip(rgb(colour), rgb(other), strict=True))
    return "#" + "".join(f"{part:02x}" for part in parts)


def rgb(colour: str) -> list[int]:
    """A colour ``#rrggbb`` as three numbers from 0 to 255."""
    return [int(colour[i : i + 2], 16) for i in (1, 3, 5)]


def _luminance(colour: Sequence[float]) -> float:
    linear = [v / 12.92 if v <= 0.03928 else ((v + 0.055) / 1.055) ** 2.4 for v in (c / 255 for c in colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


LIGHT = Palette(
    risky="#c8321f",
    safe="#4a90b8",
    original="#9aa5b1",
    ink="#1b2733",
    faint="#5b6874",
    line="#d9dfe5",
    ground=LIGHT_INK,
    sequence=("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#8c6d1f"),
    little="#e6eff6",
    much="#1d5c87",
)
DARK = Palette(
    risky="#ff7a66",
    safe="#5aa9d6",
    original="#7b8794",
    ink="#e6ebf0",
    faint="#a3b0bd",
    line="#2e3a46",
    ground=DARK_INK,
    sequence=("#56b4e9", "#e69f00", "#2fc398", "#e39cc6", "#8fd0f5", "#cbb26a"),
    little="#1c2a36",
    much="#8fd0f5",
)

FONT = "'Source Sans', 'Source Sans Pro', sans-serif"


def palette(dark: bool = False) -> Palette:
    """The colours of all figures, on a light or a dark page."""
    return DARK if dark else LIGHT


@cache
def template(dark: bool = False) -> go.layout.Template:
    """The layout every figure shares, on a dark page too: no grid noise, the page's own background and font."""
    colours = palette(dark)
    axis = {
        "showgrid": False,
        "zeroline": False,
        "linecolor": colours.line,
        "tickcolor": colours.line,
        "ticks": "outside",
        "ticklen": 4,
        "automargin": True,
        "title": {"font": {"size": 13, "color": colours.faint}, "standoff": 8},
        "tickfont": {"size": 12, "color": colours.faint},
    }
    return go.layout.Template(
        layout={
            "font": {"family": FONT, "size": 13, "color": colours.ink},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "colorway": colours.sequence,
            "separators": ".,",
            "margin": {"l": 8, "r": 16, "t": 28, "b": 8},
            "xaxis": axis,
            "yaxis": axis | {"showgrid": True, "gridcolor": colours.line, "gridwidth": 1, "ticks": ""},
            "bargap": 0.18,
            "showlegend": False,
            "hoverlabel": {"font": {"family": FONT, "size": 13}, "align": "left"},
            "legend": {"orientation": "h", "y": 1.08, "x": 0, "font": {"size": 12, "color": colours.faint}},
        }
    )


def figure(*traces: object, dark: bool = False, height: int = 380, **layout: Any) -> Figure:
    """A figure in the shared template.

    Parameters
    ----------
    traces
        What is drawn.
    dark : bool, default False
        Whether the page is dark.
    height : int, default 380
        Pixels.
    layout
        Anything else of Plotly's layout.
    """
    drawn = Figure(list(traces), layout={"height": height, **layout})
    drawn.layout._validate = False  # the template was checked when it was made: as Plotly takes over its own
    drawn.layout.template = template(dark)
    drawn.layout._validate = True
    return drawn


def bar_marker(
    risky: Sequence[bool] | np.ndarray, dark: bool = False, other: str | Sequence[str] = ""
) -> dict[str, Any]:
    """The ``marker`` of bars: red bars are hatched, so that a print without colours tells them apart too.

    Parameters
    ----------
    risky : Sequence[bool] | np.ndarray
        Per bar, whether it is red: at or below the threshold.
    dark : bool, default False
        Whether the page is dark.
    other : str | Sequence[str], default ""
        The colour of the rest (without one, ``Palette.safe``), or a colour for each bar.
    """
    colours, flags = palette(dark), [bool(flag) for flag in risky]
    others = [other or colours.safe] * len(flags) if isinstance(other, str) else list(other)
    return {
        "color": [colours.risky if flag else plain for flag, plain in zip(flags, others, strict=True)],
        "line": {"width": 0},
        "pattern": {
            "shape": ["/" if flag else "" for flag in flags],
            "fillmode": "overlay",
            "fgcolor": colours.ground,
            "fgopacity": 0.7,
            "size": 7,
            "solidity": 0.22,
        },
    }


def counts(most: int, room: float = 1.06, least: int = 0) -> dict[str, Any]:
    """An axis of whole numbers.

    Parameters
    ----------
    most : int
        The largest number.
    room : float, default 1.06
        How much further the axis goes, as a factor.
    least : int, default 0
        Where it begins.

    Returns
    -------
    dict
        Few numbers have no halves between them.
    """
    axis = {"range": [room * min(0, least), room * max(1, most)], "tickformat": ",d"}
    return axis | ({"tick0": 0, "dtick": 1} if most - least < 6 else {})


def escape(text: object) -> str:
    """Text of a file (a column name, a category) for Plotly, which takes HTML tags in its labels.

    Parameters
    ----------
    text : object
        What is shown.

    Examples
    --------
    >>> escape("age <b>")
    'age &lt;b&gt;'
    """
    return html.escape(" ".join(str(text).split()), quote=False)


def label(text: object, length: int = 28) -> str:
    """Text of a file as a short label: cut with an ellipsis, then escaped, so that no escape is cut in two.

    Parameters
    ----------
    text : object
        What is shown.
    length : int, default 28
        The most characters.
    """
    shown = " ".join(str(text).split())
    return escape(shown if len(shown) <= length else shown[: length - 1] + "…")


def hatching(shapes: np.ndarray, spacing: float) -> np.ndarray:
    """Parallel lines that rise to the right, where they cross the shapes.

    Parameters
    ----------
    shapes : np.ndarray
        Object array of valid polygons.
    spacing : float
        Distance of the lines along x.

    Returns
    -------
    float array, lines x 2 x 2
        Both ends of each.
    """
    shapes = shapes[~shapely.is_empty(shapes)]
    if not len(shapes):
        return np.empty((0, 2, 2))
    low_x, low_y, high_x, high_y = shapely.total_bounds(shapes)
    tall = high_y - low_y
    at = spacing * np.arange(np.ceil((low_x - tall) / spacing), np.floor(high_x / spacing) + 1)
    ends = np.empty((len(at), 2, 2))
    ends[:, 0, 0], ends[:, 0, 1], ends[:, 1, 0], ends[:, 1, 1] = at, low_y, at + tall, high_y
    lines = shapely.linestrings(ends)
    line, shape = shapely.STRtree(shapes).query(lines, predicate="intersects")
    parts = shapely.get_parts(shapely.intersection(lines[line], shapes[shape]))
    is_line = shapely.get_type_id(parts) == shapely.GeometryType.LINESTRING  # and not a corner that is touched
    return shapely.get_coordinates(parts[is_line]).reshape(-1, 2, 2)
