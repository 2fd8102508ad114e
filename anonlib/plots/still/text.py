"""Text of a figure: Plotly's labels as lines of plain text, how wide they are, and text as SVG."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Literal

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
class Span:
    """A part of a line, in bold type or not."""

    text: str
    bold: bool


Lines = tuple[tuple[Span, ...], ...]


class _Reader(HTMLParser):
    """Takes ``<b>`` and ``<br>`` of Plotly's labels and leaves other tags out; what is escaped is text again."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[list[Span]] = [[]]
        self._bold = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "br":
            self.lines.append([])
        self._bold += tag == "b"

    def handle_endtag(self, tag: str) -> None:
        self._bold = max(0, self._bold - (tag == "b"))

    def handle_data(self, data: str) -> None:
        if data:
            self.lines[-1].append(Span(data, self._bold > 0))


def read(label: object) -> Lines:
    """A label of Plotly as lines of text.

    Parameters
    ----------
    label : object
        Text with ``<b>``, ``<br>`` and escapes, or None.

    Returns
    -------
    tuple of lines, each a tuple of :class:`Span`
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


def _width(span: Span, size: float) -> float:
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


def _span(span: Span) -> str:
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
