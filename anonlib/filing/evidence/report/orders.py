"""The orders in which a report is filed: for each the template that it follows, and its sections with their parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from anonlib.filing.case import Order
from anonlib.filing.evidence.report import released, results, sections, single_orders, usefulness
from anonlib.filing.evidence.report.for_anybody import ForAnybody
from anonlib.filing.evidence.report.sections import OfCase, Part, of, of_group
from anonlib.filing.report.blocks import Block, Paragraph


@dataclass(frozen=True)
class Outline:
    """An order.

    Attributes
    ----------
    title : str
        Of the report.
    follows : str
        Which template it follows, below the title; or none.
    sections : tuple[tuple[str, tuple[Part | tuple[str, Part], ...]], ...]
        Each with its parts; a part with a title is a subsection.
    """

    title: str
    follows: str
    sections: tuple[tuple[str, tuple[Part | tuple[str, Part], ...]], ...]


PartForAnybody = Callable[[ForAnybody], tuple[Block, ...]]
_CASE = of_group("case", "recipient")
_SAFEGUARDS = of_group("safeguards")
_ASSUMPTIONS = ("How it was attacked, and what was not tried", results.assumptions)
_RESIDUAL = (
    ("Found (singling out)", results.singling_out),
    ("Linked (linkability)", results.linking),
    ("Guessed (inference)", results.inference),
    _ASSUMPTIONS,
)
_CRITERIA = (sections.recipient, sections.accepted)
OUTLINES: Mapping[Order, Outline] = {
    "assessment": Outline(
        "Re-identification risk assessment",
        "",
        (
            ("What is decided, and for whom", (of_group("case", "recipient", "people"),)),
            ("The data and their recipient", (sections.data, of("subjects", "provenance"))),
            ("What each column is", (sections.roles,)),
            ("Threats and criteria", (sections.threats, sections.recipient)),
            ("What was done", (sections.done,)),
            ("Residual risk", _RESIDUAL),
            ("What the release is good for", (usefulness.kept,)),
            ("Safeguards at the recipient", (_SAFEGUARDS,)),
            ("What was accepted and why", (sections.accepted,)),
            ("Limits of this assessment", (sections.limits,)),
        ),
    ),
    "ethics": Outline(
        "Application for the use of health data",
        "for an ethics board, after what the Declaration of Taipei (World Medical Association 2016) and guideline 12 "
        "of CIOMS (2016) ask",
        (
            ("The request", (_CASE,)),
            ("The data and whose they are", (of("subjects", "consent", "provenance"), sections.data)),
            ("What leaves: no more than is needed", (single_orders.minimisation, sections.roles)),
            ("How persons are protected", (sections.done,)),
            ("Safeguards at the recipient", (_SAFEGUARDS,)),
            ("What the release must meet, and whether it does", _CRITERIA),
            ("What could still happen to the data subjects", (sections.threats, *_RESIDUAL)),
            ("What the data are good for", (usefulness.kept,)),
            ("Retention, return and re-assessment", (of("retention", "until"), sections.limits)),
            ("Who answers for this, and the board’s opinion", (of("author", "reviewer"), single_orders.opinion)),
        ),
    ),
    "ema": Outline(
        "Anonymisation report",
        "in the order of the anonymisation reports of EMA Policy 0070 and of Health Canada’s public release of "
        "clinical information",
        (
            ("Background", (of("title", "reference", "purpose", "recipient", "subjects", "provenance"),)),
            ("Anonymisation methodology", (single_orders.approach, sections.data, sections.threats)),
            ("Identification of data variables", (sections.roles,)),
            ("Rules of anonymisation that were applied", (sections.done,)),
            ("The threshold, and whether it is met", (single_orders.threshold, *_CRITERIA)),
            ("Assessment of anonymisation: remaining risk", _RESIDUAL),
            ("Data utility considerations", (usefulness.kept,)),
            ("Context and safeguards", (of("access", "onward", "legal_basis"),)),
            ("Conclusion", (single_orders.conclusion, of("author", "reviewer"), sections.limits)),
        ),
    ),
    "expert": Outline(
        "Expert determination",
        "in the order of a determination under 45 CFR 164.514(b)(1)",
        (
            ("The expert", (single_orders.qualifications,)),
            ("What is determined, of which data, for whom", (_CASE, sections.data)),
            ("Anticipated recipient: access and controls", (_SAFEGUARDS,)),
            ("Principles: replicability, availability, distinguishability", (single_orders.principles, sections.roles)),
            ("Methods", (sections.threats,)),
            ("What was done to lower the risk", (sections.done,)),
            ("Results of the analysis", _RESIDUAL),
            ("Whether the risk is very small", (single_orders.findings, *_CRITERIA)),
            ("What the release is good for", (usefulness.kept,)),
            ("Limits, and for how long this holds", (sections.limits,)),
            ("The determination", (single_orders.determination,)),
        ),
    ),
    "dpia": Outline(
        "Annex to a data protection impact assessment",
        "by Art. 35(7) of the General Data Protection Regulation and the three tests of the Article 29 Working Party, "
        "Opinion 05/2014 (WP216)",
        (
            ("The processing and its purposes", (_CASE, of("subjects"), sections.data, sections.roles)),
            ("Necessity and proportionality", (single_orders.proportionality, usefulness.kept)),
            ("Risks to rights and freedoms", (single_orders.risks, sections.threats)),
            ("Is it still possible to single out an individual?", (results.singling_out,)),
            ("Is it still possible to link records of an individual?", (results.linking,)),
            ("Can information be inferred about an individual?", (results.inference,)),
            (_ASSUMPTIONS[0], (_ASSUMPTIONS[1],)),
            ("Measures: what was done to the data", (sections.done,)),
            ("Measures: safeguards at the recipient", (_SAFEGUARDS,)),
            ("What the release must meet, and whether it does", _CRITERIA),
            ("Limits and re-assessment", (sections.limits,)),
            ("Advice and views", (single_orders.advice,)),
        ),
    ),
    "record": Outline(
        "Record of a data set",
        "with the properties of DCAT-AP and HealthDCAT-AP for a catalogue under the EHDS regulation (EU) 2025/327",
        (
            ("The data set", (single_orders.description,)),
            ("Records and persons", (single_orders.counts,)),
            ("Variables", (single_orders.variables,)),
            ("Files and access", (single_orders.distribution,)),
            ("How it was protected", (sections.done, *_CRITERIA)),
            ("Remaining risk", _RESIDUAL),
            ("What it is good for", (usefulness.kept,)),
            ("Limits", (sections.limits,)),
        ),
    ),
}
_FOR_ANYBODY: Mapping[Part, PartForAnybody] = {
    sections.data: released.data,
    sections.roles: released.roles,
    sections.threats: released.threats,
    sections.recipient: released.criteria,
    sections.done: released.done,
    sections.accepted: released.accepted,
    sections.limits: released.limits,
    results.singling_out: released.singling_out,
    results.linking: released.linking,
    results.inference: released.inference,
    results.assumptions: released.assumptions,
    usefulness.kept: released.useful,
    single_orders.minimisation: released.minimisation,
    single_orders.proportionality: released.proportionality,
    single_orders.risks: released.risks,
    single_orders.opinion: lambda say: single_orders.OPINION,
    single_orders.advice: lambda say: single_orders.advice_on(say.case),
    single_orders.approach: lambda say: (Paragraph(single_orders.APPROACH),),
    single_orders.threshold: released.threshold,
    single_orders.conclusion: released.conclusion,
    single_orders.qualifications: lambda say: single_orders.of_expert(say.who, say.case.qualifications),
    single_orders.principles: released.principles,
    single_orders.findings: released.findings,
    single_orders.determination: released.determination,
    single_orders.description: released.description,
    single_orders.counts: released.counts,
    single_orders.variables: released.variables,
    single_orders.distribution: released.distribution,
}
"""What stands in a report for anybody in the place of each part."""


def part_for_anybody(part: Part) -> PartForAnybody:
    """What stands in its place in a report for anybody; of the case the same."""
    if isinstance(part, OfCase):
        of_case = part.of
        return lambda say: of_case(say.case)
    return _FOR_ANYBODY[part]


ORDERS: Mapping[Order, str] = {
    "assessment": "General assessment",
    "ethics": "Ethics board",
    "ema": "EMA Policy 0070 / Health Canada",
    "expert": "HIPAA Expert Determination",
    "dpia": "DPIA annex (GDPR Art. 35)",
    "record": "EHDS data-set record",
}
"""What the orders are called."""
