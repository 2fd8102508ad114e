"""What a report is made of. Every text is plain text: no mark-up of any kind is read in it, and none is needed.

What does not fit together (a row of another length than the header, a subsection without a section) is a mistake of
the code that makes the report, and a ``ValueError`` when it is made.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType
from typing import Literal, get_args

Tone = Literal["met", "not met", "accepted", "note"]
FURNITURE: Mapping[str, str] = MappingProxyType(
    {
        "contents": "Contents", "page": "Page", "of": "of", "table": "Table", "figure": "Figure", "met": "met",
        "not met": "not met", "accepted": "accepted", "note": "note",
    }
)  # fmt: skip
"""The words that a page has beside those of its blocks, in English."""
Align = Literal["left", "right"]

# A number with what may stand before and behind it; nothing, or a dash, says that there is none.
_AMOUNT = re.compile(r"[<>≥≤≈+−–—-]*\s*(\d[\d,.\s]*(e[+-]?\d+)?)?\s*%?", re.IGNORECASE)


@dataclass(frozen=True)
class Cell:
    """A cell of a table that says how something stands: with a mark and a colour beside its text.

    Attributes
    ----------
    text : str
        What stands in it.
    tone : Tone
        What the mark says.
    """

    text: str
    tone: Tone

    def __post_init__(self) -> None:
        _check_tone(self.tone)


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of running text.

    Attributes
    ----------
    text : str
        What it says, as plain words.
    """

    text: str


@dataclass(frozen=True)
class Callout:
    """A framed sentence or two: the verdict, or what must not be overlooked.

    Attributes
    ----------
    text : str
        What it says.
    tone : Tone, default "note"
        How it stands; the frame names it, unless it is a note.
    title : str, default ""
        A few words above the text, or none.
    """

    text: str
    tone: Tone = "note"
    title: str = ""

    def __post_init__(self) -> None:
        _check_tone(self.tone)


@dataclass(frozen=True)
class Facts:
    """Names with what they are, as in a form: each a line.

    Attributes
    ----------
    pairs : tuple[tuple[str, str], ...]
        Name and value.
    """

    pairs: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        if any(len(pair) != 2 for pair in self.pairs):
            raise ValueError("a fact is a name and a value")


@dataclass(frozen=True)
class Table:
    """A table; the first cell of each row names the row.

    Attributes
    ----------
    caption : str
        What it shows, above it.
    header : tuple[str, ...]
        The names of the columns, one at least.
    rows : tuple[tuple[str | Cell, ...], ...]
        The cells, each row as long as the header.
    align : tuple[Align, ...], default ()
        Where the cells of each column stand; empty lets columns of numbers stand right and all others left.
    notes : tuple[str, ...], default ()
        Below the table, each in a line of its own.
    """

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str | Cell, ...], ...]
    align: tuple[Align, ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.header:
            raise ValueError("a table needs a column")
        if any(len(row) != len(self.header) for row in self.rows):
            raise ValueError(f"a row of the table “{self.caption}” is not as long as its header")
        if self.align and len(self.align) != len(self.header):
            raise ValueError(f"the table “{self.caption}” aligns another number of columns than it has")

    @property
    def alignment(self) -> tuple[Align, ...]:
        """Where the cells of each column stand: as given, or right where all of them are numbers."""
        if self.align:
            return self.align
        columns = [[row[i] for row in self.rows] for i in range(len(self.header))]
        return tuple("right" if i and _are_amounts(cells) else "left" for i, cells in enumerate(columns))


@dataclass(frozen=True)
class Bullets:
    """A list of points.

    Attributes
    ----------
    items : tuple[str, ...]
        The points, in their order.
    """

    items: tuple[str, ...]


@dataclass(frozen=True)
class Figure:
    """A picture that stands still.

    Attributes
    ----------
    svg : str
        The picture as a whole SVG document (:func:`anonlib.plots.still.svg`); the one text that is not plain.
    alt : str
        What the picture says, for who cannot see it; never empty.
    caption : str
        Below the picture.
    """

    svg: str
    alt: str
    caption: str

    def __post_init__(self) -> None:
        if not self.alt.strip():
            raise ValueError("a figure needs an alternative text")


@dataclass(frozen=True)
class Code:
    """Text as it is, line by line, in type of one width: a digest, a recipe, a script.

    Attributes
    ----------
    text : str
        The text, its lines parted by line breaks.
    """

    text: str


@dataclass(frozen=True)
class Statement:
    """What a person may sign, with lines to write on: nobody has signed it.

    Attributes
    ----------
    text : str
        What is signed.
    lines : tuple[str, ...]
        What is written on each line, such as a name or a date.
    """

    text: str
    lines: tuple[str, ...]


Block = Paragraph | Callout | Facts | Table | Bullets | Figure | Code | Statement


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it.

    Attributes
    ----------
    title : str
        The heading.
    blocks : tuple[Block, ...]
        What stands under it, in order.
    level : Literal[1, 2], default 1
        1, or 2 for a part of the section of level 1 before it.
    number : str, default ""
        Before the title, as given ("3", "3.1", "A"); or none.
    new_page : bool, default False
        Whether it begins a page of its own on paper.
    """

    title: str
    blocks: tuple[Block, ...]
    level: Literal[1, 2] = 1
    number: str = ""
    new_page: bool = False

    def __post_init__(self) -> None:
        if not self.title.strip():
            raise ValueError("a section needs a title")
        if self.level not in (1, 2):
            raise ValueError("a section is of level 1 or 2")


@dataclass(frozen=True)
class Report:
    """A whole report.

    Attributes
    ----------
    title, subtitle : str
        On top of the first page; the subtitle may be empty.
    language : str
        Of its text, as a code such as "en" (BCP 47: a language, or language and region such as "en-GB").
    facts : Facts
        On the first page, below the title.
    opening : tuple[Block, ...]
        The blocks that follow them there: the verdict, what the report is and is not.
    sections : tuple[Section, ...]
        All others, in order; the first is of level 1.
    footer : str
        At the foot of each page, beside the page's number.
    date : date
        Of the report; the PDF is stamped with it, so that the same report gives the same bytes.
    furniture : Mapping[str, str], optional
        The words of :data:`FURNITURE`, in the report's language.
    """

    title: str
    subtitle: str
    language: str
    facts: Facts
    opening: tuple[Block, ...]
    sections: tuple[Section, ...]
    footer: str
    date: date
    furniture: Mapping[str, str] = field(default_factory=lambda: FURNITURE)

    def __post_init__(self) -> None:
        if not self.title.strip():
            raise ValueError("a report needs a title")
        if not re.fullmatch(r"[a-z]{2,3}(-[A-Z]{2})?", self.language):
            raise ValueError("a language is named as in “en” or “en-GB”")
        if self.sections and self.sections[0].level != 1:
            raise ValueError("the first section is of level 1")


def _check_tone(tone: str) -> None:
    if tone not in get_args(Tone):
        raise ValueError(f"there is no tone “{tone}”")


def _are_amounts(cells: list[str | Cell]) -> bool:
    texts = [cell.strip() if isinstance(cell, str) else "?" for cell in cells]
    return any(texts) and all(_AMOUNT.fullmatch(text) for text in texts)
