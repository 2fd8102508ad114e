"""Text, colours, hatching and marks of a still picture, as SVG.

First comes the text of a figure: Plotly's labels as lines of plain text, how wide they are, and text as SVG. Then come
colours, hatching and marks.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any, Literal

import numpy as np

from anonlib.plots.theme import mixed

FAMILY = "'Source Sans 3','Source Sans Pro','Segoe UI','Helvetica Neue',Arial,sans-serif"
LINE_HEIGHT = 1.25  # of the size of the type
_ASCENT = 0.36  # half the height of a capital: from the middle of a line down to its foot

# Hundredths of the type's size: the widths of DejaVu Sans, the widest face that a picture is shown in.
_WIDTHS = {
    28: "'ijlIJ", 33: " ,./:;|\\", 38: "f-()[]t!r", 49: '"*_`szc?', 58: "LFkvxyPTYao", 63: "eESbdghnpqu$0123456789{}",
    69: "KAVBRXZC", 77: "UHNDGOQ&", 84: "#+<=>^~wM", 98: "%mW@",
}  # fmt: skip
_WIDTH_OF = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
_BOLD = 1.1  # how much wider bold type is

Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True)
class TextRun:
    """A part of a line, in bold type or not."""

    text: str
    bold: bool


Lines = tuple[tuple[TextRun, ...], ...]


class _Reader(HTMLParser):
    """Takes ``<b>`` and ``<br>`` of Plotly's labels and leaves other tags out; what is escaped is text again."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[list[TextRun]] = [[]]
        self._bold = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "br":
            self.lines.append([])
        self._bold += tag == "b"

    def handle_endtag(self, tag: str) -> None:
        self._bold = max(0, self._bold - (tag == "b"))

    def handle_data(self, data: str) -> None:
        if data:
            self.lines[-1].append(TextRun(data, self._bold > 0))


def read(label: object) -> Lines:
    """A label of Plotly as lines of text.

    Parameters
    ----------
    label : object
        Text with ``<b>``, ``<br>`` and escapes, or None.

    Returns
    -------
    tuple of lines, each a tuple of :class:`TextRun`
        Empty if there is no text.
    """
    if label is None or str(label) == "":
        return ()
    reader = _Reader()
    reader.feed(str(label))
    reader.close()
    return tuple(tuple(line) for line in reader.lines)


def width(lines: Lines, size: float) -> float:
    """How wide lines are at most, in the units of ``size``."""
    return max((sum(_width(span, size) for span in line) for line in lines), default=0.0)


def height(lines: Lines, size: float) -> float:
    """How high lines are together, in the units of ``size``."""
    return len(lines) * size * LINE_HEIGHT


def _width(span: TextRun, size: float) -> float:
    hundredths = sum(_WIDTH_OF.get(letter) or _other(letter) for letter in span.text)
    return hundredths / 100 * size * (_BOLD if span.bold else 1)


def _other(letter: str) -> int:
    """Of letters beyond ASCII: East Asian ones are square, marks above others take no room."""
    if unicodedata.combining(letter):
        return 0
    return 100 if unicodedata.east_asian_width(letter) in "WF" or letter in "—…" else 66


def drawn(
    lines: Lines,
    x: float,
    y: float,
    *,
    size: float,
    colour: str,
    anchor: Anchor = "start",
    angle: float = 0,
    bold: bool = False,
) -> str:
    """Lines as SVG.

    Parameters
    ----------
    lines : Lines
        The text.
    x, y : float
        Pixels: where its start, middle or end is, and the middle of its height.
    size : float
        Pixels of the type.
    colour : str
        Of the type.
    anchor : Anchor, default "start"
        Which part of the text is at x.
    angle : float, default 0
        Degrees, clockwise, about that place.
    bold : bool, default False
        Whether all of it is bold.
    """
    if not any(span.text.strip() for line in lines for span in line):
        return ""
    foot = y - (len(lines) - 1) * size * LINE_HEIGHT / 2 + size * _ASCENT
    shared = f'font-size="{number(size)}" fill="{colour}"'
    shared += f' text-anchor="{anchor}"' if anchor != "start" else ""
    shared += ' font-weight="bold"' if bold else ""
    shared += f' transform="rotate({number(angle)} {number(x)} {number(y)})"' if angle else ""
    placed = []
    for i, line in enumerate(lines):
        inside = "".join(_span(span) for span in line)
        placed.append(f'<text x="{number(x)}" y="{number(foot + i * size * LINE_HEIGHT)}" {shared}>{inside}</text>')
    return "".join(placed)


def _span(span: TextRun) -> str:
    text = escaped(span.text)
    return f'<tspan font-weight="bold">{text}</tspan>' if span.bold else text


def escaped(text: str) -> str:
    """Text for XML: what XML cannot hold is a replacement character."""
    allowed = "".join(
        letter if letter.isprintable() or letter == " " else " " if letter.isspace() else "\N{REPLACEMENT CHARACTER}"
        for letter in text
    )
    return html.escape(allowed)


def number(value: float) -> str:
    """A number of an SVG, to the tenth of a pixel."""
    text = f"{float(value):.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def joined(values: Sequence[float]) -> str:
    """Numbers of a path, with spaces between."""
    return " ".join(map(number, values))


DASHES = {"solid": "", "dot": "1.5 3", "dash": "7 5", "dashdot": "7 4 1.5 4", "longdash": "11 6"}

# Marks of radius 1 about the origin, as the corners of what is filled, or as lines.
_CORNERS: dict[str, tuple[tuple[float, float], ...]] = {
    "square": ((-0.89, -0.89), (0.89, -0.89), (0.89, 0.89), (-0.89, 0.89)),
    "diamond": ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
    "diamond-tall": ((0, -1.4), (0.7, 0), (0, 1.4), (-0.7, 0)),
    "triangle-up": ((0, -1.15), (1.1, 0.8), (-1.1, 0.8)),
    "triangle-down": ((0, 1.15), (1.1, -0.8), (-1.1, -0.8)),
    "x": (
        (-0.5, -1), (0, -0.5), (0.5, -1), (1, -0.5), (0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5), (-0.5, 1), (-1, 0.5),
        (-0.5, 0), (-1, -0.5),
    ),
    "star": tuple(
        (1.4 * (1, 0.4)[i % 2] * np.sin(i * np.pi / 5), -1.4 * (1, 0.4)[i % 2] * np.cos(i * np.pi / 5))
        for i in range(10)
    ),
}  # fmt: skip
_LINES: dict[str, tuple[tuple[float, float, float, float], ...]] = {
    "line-ns": ((0, -1, 0, 1),),
    "line-ew": ((-1, 0, 1, 0),),
    "x-thin": ((-0.8, -0.8, 0.8, 0.8), (-0.8, 0.8, 0.8, -0.8)),
    "cross-thin": ((0, -1, 0, 1), (-1, 0, 1, 0)),
}


@dataclass
class Paint:
    """What is drawn with, and the hatchings that were asked for.

    Attributes
    ----------
    colour : str, default "#000000"
        Of what names none.
    hatched : dict[str, str], optional
        Name and SVG of each hatching.
    """

    colour: str = "#000000"
    hatched: dict[str, str] = field(default_factory=dict)

    def hatching(self, colour: str, line: str) -> str:
        """The name of a hatching: lines that rise to the right over a colour."""
        name = "hatched-" + re.sub(r"\W", "", colour + line)
        self.hatched.setdefault(
            name,
            f'<pattern id="{name}" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
            f'<rect width="5" height="5" {painted(colour, "fill")}/>'
            f'<rect width="1.4" height="5" {painted(line, "fill")} fill-opacity="0.75"/></pattern>',
        )
        return name


def each(value: Any, n: int, otherwise: Any) -> list[Any]:
    """A setting of Plotly, one for all or one for each, as a list of one for each."""
    if value is None:
        return [otherwise] * n
    if isinstance(value, str) or not isinstance(value, Sequence | np.ndarray):
        return [value] * n
    return [*value, *[otherwise] * (n - len(value))][:n]


def painted(colour: object, attribute: str, opacity: float = 1.0) -> str:
    """A colour of Plotly, ``#rrggbb`` or ``rgba(...)``, as attributes of SVG."""
    text = str(colour)
    if match := re.fullmatch(r"rgba?\(([^)]*)\)", text.replace(" ", "")):
        parts = [float(part) for part in match.group(1).split(",")]
        text = "#" + "".join(f"{round(part):02x}" for part in parts[:3])
        opacity *= parts[3] if len(parts) > 3 else 1.0
    if opacity <= 0 or text == "none":
        return f'{attribute}="none"'
    if not re.fullmatch(r"#[0-9a-fA-F]{6}", text):
        raise ValueError(f"no still picture has the colour {text}")
    return f'{attribute}="{text}"' + (f' {attribute}-opacity="{opacity:.3g}"' if opacity < 1 else "")


def on_scale(scale: Sequence[Any], part: np.ndarray) -> list[str]:
    """Colours of a scale at parts from 0 to 1."""
    stops = [(float(at), str(colour)) for at, colour in scale]
    colours = []
    for one in np.clip(np.asarray(part, dtype=float), 0, 1).tolist():
        after = next((i for i, (at, _) in enumerate(stops) if at >= one), len(stops) - 1)
        before = max(0, after - 1)
        (low, first), (high, last) = stops[before], stops[after]
        colours.append(mixed(last, first, (one - low) / (high - low)) if high > low else last)
    return colours


def mark(symbol: str, x: np.ndarray, y: np.ndarray, radius: float) -> str:
    """Marks of one kind and size as one path.

    Parameters
    ----------
    symbol : str
        Plotly's name, without "-open".
    x, y : np.ndarray
        Pixels of the middles.
    radius : float
        Pixels.

    Returns
    -------
    str
        The path's ``d``.

    Raises
    ------
    ValueError
        If there is no such mark.
    """
    if symbol == "circle":
        arc = f"a{number(radius)} {number(radius)} 0 1 0 .01 0z"  # all round but for a gap that nobody sees
        return "".join(f"M{number(a)} {number(b - radius)}{arc}" for a, b in zip(x, y, strict=True))
    if symbol in _CORNERS:
        corners = np.array(_CORNERS[symbol]) * radius
        steps = "".join(f"l{joined(step)}" for step in np.diff(corners, axis=0).tolist()) + "z"
        return "".join(f"M{joined((a, b))}{steps}" for a, b in zip(x + corners[0, 0], y + corners[0, 1], strict=True))
    if symbol in _LINES:
        strokes = np.array(_LINES[symbol]) * radius
        return "".join(
            f"M{joined((a + x0, b + y0))}L{joined((a + x1, b + y1))}"
            for a, b in zip(x, y, strict=True)
            for x0, y0, x1, y1 in strokes.tolist()
        )
    raise ValueError(f"no still picture has the mark {symbol}")


def is_line(symbol: str) -> bool:
    """Whether a mark is made of lines, which have no inside."""
    return symbol in _LINES
