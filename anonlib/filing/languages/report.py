"""A report, and a codebook, in another language: texts are translated, and no name or number changes.

A report comes first: it keeps its blocks, and each of their texts is translated. Of a codebook the headings are
translated and what it says of columns; names, labels and codes stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields, replace
from html import escape, unescape
from typing import TypeVar

import pandas as pd

from anonlib.basics.errors import InputError
from anonlib.filing.languages import ENGLISH, languages
from anonlib.filing.languages.translator import Translator
from anonlib.filing.report.blocks import Block, Callout, Cell, Code, Facts, Figure, Report, Section
from anonlib.release.codebook import OWN_WORDS, THEN, WITH_NAMES, Codebook

_DIGEST = re.compile(r"([a-z]+) +([0-9a-f]{64})(?: (\(.*\)))?")
_DRAWN = re.compile(r"(<(?:text|tspan)\b[^>]*>)([^<]+)(</(?:text|tspan)>)")
B = TypeVar("B", bound=Block)


def translated(report: Report, language: str, names: Iterable[str] = ()) -> tuple[Report, tuple[str, ...]]:
    """A report in another language.

    Parameters
    ----------
    report : Report
        In English.
    language : str
        A code of :func:`anonlib.filing.languages.languages`, not English.
    names : Iterable[str], default ()
        What is never translated, such as names of columns, labels and what an officer typed.

    Returns
    -------
    Report, tuple of str
        The report, and its texts that stay English in part, since no message has them.
    """
    translator = Translator(language, frozenset(names))
    text = translator.text
    translation = replace(
        report,
        title=text(report.title),
        subtitle=text(report.subtitle),
        language=language,
        facts=_block(report.facts, translator),
        opening=tuple(_block(block, translator) for block in report.opening),
        sections=tuple(_section(section, translator) for section in report.sections),
        footer=text(report.footer),
        furniture={name: text(word) for name, word in report.furniture.items()} | {"day": text(f"{report.date}")},
    )
    return translation, tuple(dict.fromkeys(translator.missing))


def _section(section: Section, translator: Translator) -> Section:
    blocks = tuple(_block(block, translator) for block in section.blocks)
    return replace(section, title=translator.text(section.title), blocks=blocks)


def _block(block: B, translator: Translator) -> B:
    match block:
        case Code():
            return replace(block, text="\n".join(_digest(line, translator) for line in block.text.split("\n")))
        case Figure():
            return replace(
                block, svg=_drawn(block.svg, translator), alt=translator.text(block.alt),
                caption=translator.text(block.caption),
            )  # fmt: skip
        case Callout():
            return replace(block, text=translator.text(block.text), title=translator.text(block.title))
        case Facts():
            return replace(block, pairs=tuple((translator.text(n), translator.text(v)) for n, v in block.pairs))
    changes = {
        field.name: _value(getattr(block, field.name), translator) for field in fields(block) if field.name != "align"
    }
    return replace(block, **changes)  # type: ignore[arg-type]


def _digest(line: str, translator: Translator) -> str:
    """A line with a digest with what it is of translated; any other is code and stays as it is."""
    match = _DIGEST.fullmatch(line)
    if match is None:
        return line
    of, digest, how = match.groups()
    return f"{translator.text(of):<12}{digest}{f' {translator.text(how)}' if how else ''}"


def _value(value: object, translator: Translator) -> object:
    match value:
        case str():
            return translator.text(value)
        case Cell():
            return Cell(translator.text(value.text), value.tone)
        case tuple():
            return tuple(_value(item, translator) for item in value)
    return value


def _drawn(svg: str, translator: Translator) -> str:
    """A picture with its words translated."""
    return _DRAWN.sub(lambda part: part[1] + escape(translator.text(unescape(part[2])), quote=False) + part[3], svg)


def translated_codebook(book: Codebook, language: str) -> tuple[Codebook, tuple[str, ...]]:
    """A codebook in another language.

    Parameters
    ----------
    book : Codebook
        In English.
    language : str
        A code of :func:`anonlib.filing.languages.languages`.

    Returns
    -------
    Codebook, tuple of str
        The codebook, and its texts that stay English in part, since no message has them.

    Raises
    ------
    InputError
        For an unknown language.
    """
    if language not in languages():
        raise InputError(f"The language of a codebook is one of: {', '.join(languages())}.", code="choice-unknown")
    if language == ENGLISH:
        return book, ()
    plain, with_names = Translator(language), Translator(language, book.names)
    columns, levels = book.columns.copy(), book.levels.copy()
    then = f"; {plain.text(THEN.strip('; '))} "
    for heading in OWN_WORDS:
        columns[heading] = _each(columns[heading], plain)
    for heading in WITH_NAMES:
        columns[heading] = columns[heading].map(lambda text: then.join(map(with_names.text, text.split(THEN))))
    for is_empty, translator in ((True, plain), (False, with_names)):
        some = levels["level"].isna() == is_empty
        levels.loc[some, "meaning"] = _each(levels.loc[some, "meaning"], translator)
    translation = replace(
        book,
        columns=columns.rename(columns=plain.text),
        levels=levels.rename(columns=plain.text),
        notes=tuple(with_names.text(note) for note in book.notes),
        sheets=(plain.text(book.sheets[0]), plain.text(book.sheets[1]), plain.text(book.sheets[2])),
    )
    return translation, tuple(dict.fromkeys([*plain.missing, *with_names.missing]))


def _each(texts: pd.Series, translator: Translator) -> pd.Series:
    """Texts in the language, each looked for once."""
    return texts.map({text: translator.text(text) for text in texts.unique()})
