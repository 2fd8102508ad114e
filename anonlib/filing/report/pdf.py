"""A report as a tagged PDF, set by Typst inside this process: no browser, no network, nothing written.

The report reaches the template as data (JSON), so that no text of it is ever read as markup. The template reads no
file. Its type comes with Typst, the same on every system. Only a report in other scripts has the system's own fonts
looked at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anonlib.basics.errors import InputError
from anonlib.filing.report.blocks import Report
from anonlib.filing.report.plain import LONG_WORD, as_plain, with_breaks

if TYPE_CHECKING:
    import typst
    from typst import PDFStandard

_TEMPLATES = Path(__file__).with_name("templates")
_FULL_WIDTH = 680  # pixels of a picture as wide as the text
_LINE = 104  # characters of a table's line; between two columns there is room for some
_BETWEEN = 3
_WIDEST = 52  # characters of a column beside others for which there is hardly room
_NARROW = 25  # characters up to which a column is as wide as its text
_WHOLE = 10  # rows of a table that stay on one page
_TEXT = 1000  # characters of one
_PAGE = 1500  # characters of a frame that stays on one page
_TALL = 330  # pixels of a picture behind which the text goes on, so that no page ends where it would begin
_SHORT = 300  # characters of a paragraph that does not part from the table or figure behind it
_CODE_LINE = 96  # characters
# Letters that our fonts lack: Indic and East Asian scripts, and what is beyond the first plane of Unicode.
_OTHER_SCRIPTS = re.compile("[\u0700-\u109f\u1100-\u1cff\u2e80-\ufaff\ufe30-\ufffc\U00010000-\U0010ffff]")


def to_pdf(report: Report) -> bytes:
    """Set a report as a PDF on A4, tagged, with outline, page labels, title, language and alternative texts.

    It is PDF/UA-1, unless no font at hand has all letters of the report, and is stamped with the report's date: the
    same report gives the same bytes.

    Raises
    ------
    InputError
        Where Typst is not installed, which the extra ``reports`` brings.
    """
    try:
        import typst
    except ModuleNotFoundError:
        raise InputError(
            'A PDF needs the package typst: pip install "anonscope[reports]". Or save the report as HTML.',
            code="package-missing",
        ) from None
    given = {"report": json.dumps(_set_up(as_plain(report)), ensure_ascii=False)}
    stamp = datetime.combine(report.date, time(), UTC)
    for fonts, standards in _ways(given["report"]):
        try:
            return typst.compile(
                _TEMPLATES / "report.typ", root=_TEMPLATES, font_paths=fonts, sys_inputs=given, format="pdf",
                pdf_standards=standards, timestamp=stamp,
            )  # fmt: skip
        except typst.TypstError:  # a letter that no font here has
            continue
    raise RuntimeError("the report's template could not be set")


def _ways(text: str) -> Iterator[tuple[typst.Fonts, list[PDFStandard]]]:
    """With our own fonts; with the system's; and with boxes in place of letters that none has."""
    if not _OTHER_SCRIPTS.search(text):
        yield _fonts(False), ["ua-1"]
    yield _fonts(True), ["ua-1"]
    yield _fonts(True), []


@cache
def _fonts(of_the_system: bool) -> typst.Fonts:
    import typst

    return typst.Fonts(of_the_system, True)


def _set_up(plain: dict[str, Any]) -> dict[str, Any]:
    """What only paper needs: where long words and tables may break, and widths of columns and pictures."""
    language, _, region = plain["language"].partition("-")
    for blocks in [plain["opening"], *(section["blocks"] for section in plain["sections"])]:
        for block, following in zip(blocks, [*blocks[1:], {"kind": "none"}], strict=False):
            match block["kind"]:
                case "table":
                    block["widths"] = _widths(block)
                    long = sum(len(_text(cell)) for row in block["rows"] for cell in row) > _TEXT
                    block["parts"] = len(block["rows"]) > _WHOLE or long
                    block["breaks"] = any(len(_text(cell)) > _PAGE / 2 for row in block["rows"] for cell in row)
                    block["repeats"] = sum(map(len, block["header"])) < _PAGE / 2
                case "callout":
                    block["parts"] = len(block["text"]) > _PAGE
                case "figure":
                    block["share"] = _share(block["svg"])
                    block["floats"] = _size(block["svg"], "height") > _TALL
                case "code":
                    block["text"] = re.sub(rf"\S{{{_CODE_LINE}}}", "\\g<0>\n", block["text"])
                case "paragraph":  # a short one introduces what follows, and stays with it
                    block["stays"] = following["kind"] in ("table", "figure") and len(block["text"]) < _SHORT
    return _breakable(plain) | {"lang": language, "region": region or None, "name": plain["title"]}


def _widths(table: dict[str, Any]) -> list[int]:
    """The weight of each column's width, or 0 for one that is as wide as its text."""
    rows = [[_text(cell) for cell in row] for row in table["rows"]]
    columns = [(name, *cells) for name, *cells in zip(table["header"], *rows, strict=True)]
    natural = [max(len(text) for text in column) + _BETWEEN for column in columns]
    if sum(natural) <= _LINE:  # a small table stays small: rows of far cells are hard to follow
        of_words = [i for i, side in enumerate(table["align"]) if side == "left"] or [0]
        widest = max(of_words, key=natural.__getitem__)  # a wide column of numbers would stand far from its row's name
        return [int(sum(natural) > _LINE / 2 and i == widest) for i in range(len(natural))]
    whole, natural = natural, [_folded(*column) + _BETWEEN for column in columns]
    narrow = [width <= _NARROW for width in natural]
    crowded = sum(width for width, is_narrow in zip(natural, narrow, strict=True) if is_narrow) > _LINE / 2
    as_wide_as_text = [
        not crowded and is_narrow and a == b for is_narrow, a, b in zip(narrow, whole, natural, strict=True)
    ]
    means = [sum(len(text) for text in column) / len(column) for column in columns]
    words = [min(LONG_WORD, max(len(word) for text in column for word in [*text.split(), ""])) for column in columns]
    return [
        0 if is_as_wide else round(max(word + _BETWEEN, min(most, _WIDEST, mean + 4 * most**0.5)))
        for is_as_wide, most, mean, word in zip(as_wide_as_text, natural, means, words, strict=True)
    ]


def _folded(name: str, *cells: str) -> int:
    """Characters of a column whose name may take two lines."""
    longest_word = max((len(word) for word in name.split()), default=0)
    return max(longest_word, -(-len(name) // 2), *map(len, cells), 0)


def _text(cell: str | dict[str, Any]) -> str:
    return cell if isinstance(cell, str) else f"{cell['mark']} {cell['text']}"


def _share(svg: str) -> float:
    """A picture's width as a share of the text's, from its width in pixels."""
    return min(1.0, (_size(svg, "width") or _FULL_WIDTH) / _FULL_WIDTH)


def _size(svg: str, side: str) -> float:
    """A side of a picture in pixels; 0 where it does not say."""
    match = re.search(rf'<svg\b[^>]*?\b{side}="(\d+(?:\.\d+)?)', svg)
    return float(match.group(1)) if match else 0.0


def _breakable(value: Any) -> Any:
    match value:
        case str():
            return with_breaks(value)
        case list():
            return [_breakable(item) for item in value]
        case dict():
            unchanged = {"svg", "alt", "kind", "tone", "language", "date"}
            unchanged |= {"text"} if value.get("kind") == "code" else set()
            return {key: item if key in unchanged else _breakable(item) for key, item in value.items()}
    return value
