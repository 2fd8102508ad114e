"""A report as plain dictionaries and lists of clean text: what both renderers set."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import fields
from functools import lru_cache
from typing import Any

from anonlib.filing.report.blocks import Block, Callout, Cell, Code, Facts, Figure, Report, Section, Table

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
