"""The report of an assessment, in the orders in which it is filed; every number in it is one of the evidence."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import date
from typing import get_args

from anonlib.basics.errors import InputError
from anonlib.filing.case import Order
from anonlib.filing.evidence.evidence import PART_NAMES, VALUE_TABLES, Evidence
from anonlib.filing.evidence.report import front, released, results
from anonlib.filing.evidence.report.for_anybody import ADDITIONS, ForAnybody, additions, for_anybody
from anonlib.filing.evidence.report.orders import ORDERS, OUTLINES, Outline, part_for_anybody
from anonlib.filing.evidence.report.sections import Part
from anonlib.filing.evidence.report.wording import LONG, ReportWording, names_for_anybody, names_in
from anonlib.filing.languages import ENGLISH, languages
from anonlib.filing.languages.report import translated
from anonlib.filing.report.blocks import Block, Paragraph, Report, Section, Table
from anonlib.filing.report.rendering import to_html, to_pdf

_TRANSLATED = (
    "This report is translated from the English one, sentence by sentence. Numbers and names are the same; where the "
    "words of both differ, the English ones hold."
)
_VALUE_TABLES = PART_NAMES[VALUE_TABLES]
_OF_LONG_TABLES = "C"  # the annex behind definitions and versions


def report_of(
    evidence: Evidence,
    order: Order = "assessment",
    *,
    public: bool = False,
    add: Collection[str] = (),
    language: str = ENGLISH,
) -> Report:
    """The report of evidence.

    Parameters
    ----------
    evidence : Evidence
        What was gathered.
    order : Order, default "assessment"
        In which order it is filed.
    public : bool, default False
        Whether anybody may read it: then it is of what leaves and of what was decided alone
        (:mod:`anonlib.filing.evidence.report.for_anybody`).
    add : Collection[str], default ()
        What is added to one for anybody: keys of :data:`ADDITIONS`.
    language : str
        A code of :func:`anonlib.filing.languages.languages`.

    Returns
    -------
    Report

    Raises
    ------
    InputError
        For an unknown order, language or addition.
    """
    if language not in languages():
        raise InputError(f"The language of a report is one of: {', '.join(languages())}.", code="choice-unknown")
    if order not in get_args(Order):
        raise InputError(f"The order of a report is one of: {', '.join(get_args(Order))}.", code="choice-unknown")
    outline = OUTLINES[order]
    if public:
        say = for_anybody(evidence, add)
        english, names = _for_anybody(say, outline, order), names_for_anybody(say)
    else:
        english, names = _in_english(evidence, outline, ReportWording(evidence.unit), order), names_in(evidence)
    if language == ENGLISH:
        return english
    with_note = replace(english, opening=(*english.opening, Paragraph(_TRANSLATED)))
    return translated(with_note, language, names)[0]


def _in_english(evidence: Evidence, outline: Outline, say: ReportWording, order: Order) -> Report:
    title = f"{outline.title}: release by a written reason" if evidence.is_by_reason else outline.title
    in_short = Section("In short", front.in_short(evidence, say, order), new_page=True)
    sections, long_ones = _apart([in_short, *_numbered(outline, lambda part: part(evidence, say))])
    return Report(
        title,
        outline.follows[:1].upper() + outline.follows[1:],
        ENGLISH,
        front.facts(evidence, say),
        front.summary(evidence, say),
        (*sections, *_annexes(evidence, say, long_ones)),
        f"{title} · {evidence.case.reference or evidence.case.title or evidence.file.name}",
        date.fromisoformat(evidence.made_on),
    )


def _for_anybody(say: ForAnybody, outline: Outline, order: Order) -> Report:
    title = f"{outline.title}: release by a written reason" if say.is_by_reason else outline.title
    in_short = Section("In short", released.in_short(say, order))
    sections, long_ones = _apart([in_short, *_numbered(outline, lambda part: part_for_anybody(part)(say))])
    annexes = [("Definitions", released.definitions(say)), ("Versions and digests", released.versions(say))]
    annexes += [("Long tables", long_ones)] if long_ones else []
    return Report(
        title,
        outline.follows[:1].upper() + outline.follows[1:],
        ENGLISH,
        released.facts(say),
        released.summary(say),
        (*sections, *_lettered(annexes)),
        f"{title} · {say.case.reference or say.case.title or say.file}",
        date.fromisoformat(say.made_on),
    )


def _numbered(outline: Outline, blocks_of: Callable[[Part], tuple[Block, ...]]) -> list[Section]:
    sections = []
    for number, (title, parts) in enumerate(outline.sections, start=1):
        below = [part for part in parts if isinstance(part, tuple)]
        own = tuple(block for part in parts if not isinstance(part, tuple) for block in blocks_of(part))
        sections.append(Section(title, own, 1, f"{number}"))
        for place, (name, part) in enumerate(below, start=1):
            sections.append(Section(name, blocks_of(part), 2, f"{number}.{place}"))
    return sections


def _apart(sections: list[Section]) -> tuple[list[Section], tuple[Block, ...]]:
    """Sections with a sentence in place of each long table, and these tables."""
    long_ones: list[Block] = []

    def short(block: Block) -> Block:
        if not isinstance(block, Table) or len(block.rows) <= LONG:
            return block
        long_ones.append(block)
        return Paragraph(f"{block.caption}: the table of {len(block.rows):,} rows is in annex {_OF_LONG_TABLES}.")

    return [replace(section, blocks=tuple(map(short, section.blocks))) for section in sections], tuple(long_ones)


def _annexes(evidence: Evidence, say: ReportWording, long_ones: tuple[Block, ...]) -> list[Section]:
    annexes = [
        ("Definitions", results.definitions(evidence, say)),
        ("Versions and digests", results.versions(evidence, say)),
    ]
    if long_ones:
        annexes.append(("Long tables", long_ones))
    if evidence.is_confidential:
        annexes.append((_VALUE_TABLES, results.value_tables(evidence, say)))
    return _lettered(annexes)


def _lettered(annexes: Sequence[tuple[str, tuple[Block, ...]]]) -> list[Section]:
    return [Section(f"Annex: {title}", blocks, 1, "ABCD"[i]) for i, (title, blocks) in enumerate(annexes)]


def html_of(
    evidence: Evidence,
    order: Order = "assessment",
    *,
    public: bool = False,
    add: Collection[str] = (),
    language: str = ENGLISH,
) -> bytes:
    """The report as one HTML file.

    Parameters
    ----------
    evidence : Evidence
        What was gathered.
    order : Order, default "assessment"
        Whose form the report follows.
    public : bool, default False
        Whether anybody may read it: then it is of what leaves and of what was decided alone.
    add : Collection[str], default ()
        What is added to one for anybody: keys of :data:`ADDITIONS`.
    language : str, default ENGLISH
        Its language, as in "en" or "de".

    Returns
    -------
    bytes
    """
    return to_html(report_of(evidence, order, public=public, add=add, language=language)).encode()


def pdf_of(
    evidence: Evidence,
    order: Order = "assessment",
    *,
    public: bool = False,
    add: Collection[str] = (),
    language: str = ENGLISH,
) -> bytes:
    """The report as a tagged PDF.

    Parameters
    ----------
    evidence : Evidence
        What was gathered.
    order : Order, default "assessment"
        Whose form the report follows.
    public : bool, default False
        Whether anybody may read it: then it is of what leaves and of what was decided alone.
    add : Collection[str], default ()
        What is added to one for anybody: keys of :data:`ADDITIONS`.
    language : str, default ENGLISH
        Its language, as in "en" or "de".

    Returns
    -------
    bytes
    """
    return to_pdf(report_of(evidence, order, public=public, add=add, language=language))


__all__ = ["ADDITIONS", "ORDERS", "Order", "additions", "html_of", "pdf_of", "report_of"]
