"""The report of an assessment, in the orders in which it is filed; every number in it is one of the evidence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Literal, get_args

from anonlib.basics.errors import InputError
from anonlib.filing.evidence.evidence import PART_NAMES, VALUE_TABLES, Evidence
from anonlib.filing.evidence.report import attacked, results, sections, usefulness
from anonlib.filing.evidence.report.wording import Wording
from anonlib.filing.report.blocks import Block, Facts, Report, Section
from anonlib.filing.report.html import to_html
from anonlib.filing.report.pdf import to_pdf

Order = Literal["assessment", "ema", "expert", "dpia"]
_Part = Callable[[Evidence, Wording], tuple[Block, ...]]


@dataclass(frozen=True)
class _Outline:
    """An order: its title, what it follows, and its sections with their parts; a part of a title is a subsection."""

    title: str
    follows: str
    sections: tuple[tuple[str, tuple[_Part | tuple[str, _Part], ...]], ...]


_RESIDUAL = (
    ("Singling out", results.singling_out),
    ("Linking", results.linking),
    ("Inference", results.inference),
    ("How it was attacked, and what was not tried", attacked.assumptions),
)
_OUTLINES: dict[Order, _Outline] = {
    "assessment": _Outline(
        "Re-identification risk assessment",
        "",
        (
            ("The data and their recipient", (sections.data,)),
            ("What each column is", (sections.roles,)),
            ("Threats and criteria", (sections.threats, sections.recipient)),
            ("What was done", (sections.done,)),
            ("Residual risk", _RESIDUAL),
            ("What the release is good for", (usefulness.kept,)),
            ("What was accepted and why", (sections.accepted,)),
            ("Limits of this assessment", (sections.limits,)),
        ),
    ),
    "ema": _Outline(
        "Anonymisation report",
        "in the order of the anonymisation reports of EMA Policy 0070 and of Health Canada’s public release of "
        "clinical information",
        (
            ("Anonymisation methodology", (sections.data, sections.threats)),
            ("Identification of data variables", (sections.roles,)),
            ("Rules of anonymisation that were applied", (sections.done,)),
            ("Thresholds, and whether they are met", (sections.recipient, sections.accepted)),
            ("Assessment of anonymisation: remaining risk", _RESIDUAL),
            ("Data utility considerations", (usefulness.kept,)),
            ("Conclusion", (sections.limits,)),
        ),
    ),
    "expert": _Outline(
        "Expert determination",
        "in the order of a determination under 45 CFR 164.514(b)(1)",
        (
            ("What is determined, of which data, for whom", (sections.data,)),
            ("Principles and methods", (sections.threats,)),
            ("Which columns are replicable, available and distinguishing", (sections.roles,)),
            ("What was done to lower the risk", (sections.done,)),
            ("Results of the analysis", _RESIDUAL),
            ("Whether the risk is very small", (sections.recipient, sections.accepted)),
            ("What the release is good for", (usefulness.kept,)),
            ("Limits, and for how long this holds", (sections.limits,)),
        ),
    ),
    "dpia": _Outline(
        "Annex to a data protection impact assessment",
        "by the three tests of the Article 29 Working Party, Opinion 05/2014 (WP216)",
        (
            ("The processing: data and recipient", (sections.data, sections.roles)),
            ("Is it still possible to single out an individual?", (results.singling_out,)),
            ("Is it still possible to link records of an individual?", (results.linking,)),
            ("Can information be inferred about an individual?", (results.inference,)),
            ("How it was attacked, and what was not tried", (attacked.assumptions,)),
            ("Measures", (sections.done,)),
            ("Threats and criteria", (sections.threats, sections.recipient)),
            ("Necessity: what the release is good for", (usefulness.kept,)),
            ("What was accepted and why", (sections.accepted,)),
            ("Limits and re-assessment", (sections.limits,)),
        ),
    ),
}
_VALUE_TABLES = PART_NAMES[VALUE_TABLES]
ORDERS: dict[Order, str] = {
    "assessment": "As on screen",
    "ema": "EMA Policy 0070 / Health Canada",
    "expert": "HIPAA Expert Determination",
    "dpia": "DPIA annex (WP216)",
}
"""What the orders are called."""


def report_of(evidence: Evidence, order: Order = "assessment", *, public: bool = False) -> Report:
    """The report of evidence.

    Parameters
    ----------
    evidence : Evidence
        What was gathered.
    order : "assessment", "ema", "expert" or "dpia"
        In which order it is filed.
    public : bool
        Whether anybody may read it: without counts of fewer people than the project's k, and without the value
        tables of the evidence.

    Returns
    -------
    Report

    Raises
    ------
    InputError
        For an unknown order.
    """
    if order not in get_args(Order):
        raise InputError(f"The order of a report is one of: {', '.join(get_args(Order))}.")
    outline, say = _OUTLINES[order], Wording.of(evidence, public)
    facts = [
        ("File", evidence.file.name),
        ("Recipient", evidence.recipient),
        ("Date", evidence.made_on),
        ("Made with", f"Anonscope {dict(evidence.versions)['Anonscope']}"),
    ]
    if evidence.who:
        facts.append(("Assessed by", evidence.who))
    if public:
        facts.append(("Version", f"for anybody: counts of fewer than {say.least} {evidence.unit} are not named"))
    return Report(
        outline.title,
        outline.follows[:1].upper() + outline.follows[1:],
        "en",
        Facts(tuple(facts)),
        sections.summary(evidence, say),
        (*_numbered(outline, evidence, say), *_annexes(evidence, say)),
        f"{outline.title} · {evidence.file.name}",
        date.fromisoformat(evidence.made_on),
    )


def _numbered(outline: _Outline, evidence: Evidence, say: Wording) -> list[Section]:
    found = []
    for number, (title, parts) in enumerate(outline.sections, start=1):
        below = [part for part in parts if isinstance(part, tuple)]
        own = tuple(block for part in parts if not isinstance(part, tuple) for block in part(evidence, say))
        found.append(Section(title, own, 1, f"{number}", number == 1))
        for place, (name, part) in enumerate(below, start=1):
            found.append(Section(name, part(evidence, say), 2, f"{number}.{place}"))
    return found


def _annexes(evidence: Evidence, say: Wording) -> list[Section]:
    annexes = [("Definitions", results.definitions), ("Versions and digests", results.versions)]
    if evidence.is_confidential and not say.public:
        annexes.append((_VALUE_TABLES, results.value_tables))
    return [
        Section(f"Annex: {title}", part(evidence, say), 1, "ABC"[i], i == 0 or title == _VALUE_TABLES)
        for i, (title, part) in enumerate(annexes)
    ]


def html_of(evidence: Evidence, order: Order = "assessment", *, public: bool = False) -> bytes:
    """The report as one HTML file."""
    return to_html(report_of(evidence, order, public=public)).encode()


def pdf_of(evidence: Evidence, order: Order = "assessment", *, public: bool = False) -> bytes:
    """The report as a tagged PDF."""
    return to_pdf(report_of(evidence, order, public=public))


__all__ = ["ORDERS", "Order", "html_of", "pdf_of", "report_of"]
