"""A report as one HTML file and as a tagged PDF, both made from the same plain data.

First come plain dictionaries and lists of clean text, which both renderers set. The HTML file asks for nothing and runs
nothing. The PDF is set by Typst inside this process: no browser, no network, nothing written. The report reaches the
template as data (JSON), so that no text of it is ever read as markup. The template reads no file. Its type comes with
Typst, the same on every system. Only a report in other scripts has the system's own fonts looked at.
"""

from __future__ import annotations

import base64
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields
from datetime import UTC, datetime, time
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from anonlib.basics.errors import InputError
from anonlib.filing.report.blocks import Block, Callout, Cell, Code, Facts, Figure, Report, Section, Table

if TYPE_CHECKING:
    import typst
    from typst import PDFStandard


Words = Mapping[str, str]
BREAK = "\N{ZERO WIDTH SPACE}"
LONG_WORD = 24  # characters; a longer one may be broken behind every fourth
UNSHOWABLE = "\N{REPLACEMENT CHARACTER}"
MARKS = {"met": "✓", "not met": "✗", "accepted": "◇", "note": "›"}  # beside the colour, which some do not see

_SPACE = re.compile(r"[^\S\u00a0]+")
# Marks that turn the direction of all that follows: one in a column's name would turn the sentence around it.
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
# Controls, halves of a surrogate pair, private and unassigned: no font has them, and no reader shows them alike.
_WITHOUT_SHAPE = {"Cc", "Cs", "Co", "Cn"}


def as_plain(report: Report) -> dict[str, Any]:
    """A report as a dictionary of text, lists and dictionaries, as JSON has them.

    It has ``furniture``, ``title``, ``subtitle``, ``language``, ``footer``, ``date`` (ISO 8601), ``facts`` (pairs),
    ``opening`` (blocks) and ``sections`` (each with ``title``, ``number``, ``level``, ``new_page``, ``anchor``,
    ``blocks``). A block has its ``kind``, the name of its class in small letters, and its fields; tables and figures
    also a ``label`` ("Table 1" and so on, in the order of the report). Text is clean: see :func:`clean`.
    """
    seen: Counter[str] = Counter()
    words = {name: clean(word) for name, word in report.furniture.items()}
    return {
        "furniture": words,
        "title": clean(report.title),
        "subtitle": clean(report.subtitle),
        "language": report.language,
        "facts": _pairs(report.facts),
        "opening": [_block(block, seen, words) for block in report.opening],
        "sections": [_section(section, place, seen, words) for place, section in enumerate(report.sections, start=1)],
        "footer": clean(report.footer),
        "date": report.date.isoformat(),
    }


def clean(text: str) -> str:
    """Text of a single line that every renderer can set.

    Parameters
    ----------
    text : str
        Any text, of a file too.

    Returns
    -------
    str
        White space is one space each, and stays where no line may break at it; a replacement character stands for what
        no font can show (control characters, lone surrogates) and for marks that turn the direction of the text behind
        them.

    Examples
    --------
    >>> clean("age\\n in  years\\x07")
    'age in years\N{REPLACEMENT CHARACTER}'
    """
    return _shown(" ".join(_SPACE.split(text)).strip())


def clean_lines(text: str) -> str:
    """As :func:`clean`, but lines and the spaces in them stay; a tab is four spaces."""
    return "\n".join(_shown(line.expandtabs(4).rstrip()) for line in text.splitlines())


def with_breaks(text: str) -> str:
    """Text with :data:`BREAK` where a word may break: behind the joints of a longer one, and anywhere in a long one.

    Examples
    --------
    >>> with_breaks("the date_of_admission").split(BREAK)
    ['the date_', 'of_', 'admission']
    """
    return re.sub(r"\S{12,}", _broken, text)


def _broken(word: re.Match[str]) -> str:
    text = re.sub(r"(?<=\w)([_./:;,|=-]+)(?=\w)", rf"\1{BREAK}", word.group())
    return re.sub(rf"[^{BREAK}]{{{LONG_WORD},}}", lambda part: re.sub(".{4}", rf"\g<0>{BREAK}", part.group()), text)


def _shown(text: str) -> str:
    if text.isascii() and text.isprintable():  # as most are
        return text
    return "".join(_character(character) for character in text)


@lru_cache(maxsize=4096)
def _character(character: str) -> str:
    if character == BREAK:  # no letter, and ours
        return ""
    without_shape = unicodedata.category(character) in _WITHOUT_SHAPE
    return UNSHOWABLE if without_shape or _TURNING.match(character) else character


def _section(section: Section, place: int, seen: Counter[str], words: Words) -> dict[str, Any]:
    return {
        "title": clean(section.title),
        "number": clean(section.number),
        "level": section.level,
        "new_page": section.new_page,
        "anchor": f"section-{place}",
        "blocks": [_block(block, seen, words) for block in section.blocks],
    }


def _block(block: Block, seen: Counter[str], words: Words) -> dict[str, Any]:
    kind = type(block).__name__.lower()
    plain = {"kind": kind} | {field.name: _value(getattr(block, field.name), words) for field in fields(block)}
    match block:
        case Table():
            plain["align"] = list(block.alignment)
            plain["label"] = _label(kind, seen, words)
        case Figure():
            plain["svg"] = block.svg
            plain["label"] = _label(kind, seen, words)
        case Facts():
            plain["pairs"] = _pairs(block)
        case Callout():
            plain["tone_mark"] = MARKS[block.tone]
            plain["tone_word"] = words[block.tone]
        case Code():
            plain["text"] = clean_lines(block.text)
    return plain


def _value(value: object, words: Words) -> object:
    match value:
        case str():
            return clean(value)
        case Cell():
            word = words[value.tone]
            return {"text": clean(value.text), "tone": value.tone, "mark": MARKS[value.tone], "tone_word": word}
        case tuple():
            return [_value(item, words) for item in value]
    return value


def _pairs(facts: Facts) -> list[list[str]]:
    return [[clean(name), clean(value)] for name, value in facts.pairs]


def _label(kind: str, seen: Counter[str], words: Words) -> str:
    seen[kind] += 1
    return f"{words[kind]} {seen[kind]}"


def to_html(report: Report) -> str:
    """Set a report as HTML, for the screen and for A4: a whole document, to be written as UTF-8.

    It has no script, and its policy forbids every request: pictures are inside. The same report gives the same text.
    """
    return _template().render(report=as_plain(report))


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("anonlib.filing.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["data_address"] = _data_address
    environment.filters["pieces"] = lambda text: with_breaks(text).split(BREAK)
    return environment.get_template("report.html")


def _data_address(svg: str) -> str:
    """A picture as an address that holds it. As a picture and not as a part of the page, it cannot run or load."""
    packed = base64.b64encode(svg.encode(errors="replace")).decode("ascii")
    return f"data:image/svg+xml;base64,{packed}"


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
