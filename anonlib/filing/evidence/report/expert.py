"""What a determination under 45 CFR 164.514(b)(1) needs beside what is counted: the principles, and what is signed.

The principles are those of the guidance of the Office for Civil Rights (2012), table 3: replicability, availability of
sources, distinguishability. The sentence to sign follows the rule; nobody but the expert can assert it.
"""

from __future__ import annotations

from anonlib.basics import words
from anonlib.columns.roles import Role
from anonlib.filing.case import NOT_STATED
from anonlib.filing.evidence.evidence import Evidence
from anonlib.filing.evidence.report.wording import Wording, assess_again_by
from anonlib.filing.report.blocks import Block, Bullets, Callout, Facts, Paragraph, Statement, Table

_RULE = (
    "The rule asks for a person with appropriate knowledge of and experience with generally accepted statistical and "
    "scientific principles and methods for rendering information not individually identifiable, who applies them, "
    "determines that the risk is very small, and documents methods and results. It names no number; the guidance of "
    "the Office for Civil Rights (2012) leaves the threshold to the expert."
)
PRINCIPLES = (
    "Replicability: whether a value stays with the person and comes again elsewhere, such as a birth date; a value "
    "that changes from day to day, such as a blood sugar, does not.",
    "Availability: whether somebody outside can have it, with a name, in a register, the news or by acquaintance.",
    "Distinguishability: how far it sets a person apart from others, alone and with other columns.",
)
_STATEMENT = (
    "Applying generally accepted statistical and scientific principles and methods, which this document and its "
    "annexes describe with their results, I have determined that the risk is very small that the information in the "
    "release named here could be used, alone or in combination with other reasonably available information, by an "
    "anticipated recipient to identify an individual who is a subject of the information (45 CFR 164.514(b)(1))."
)
_MOST_COLUMNS = 100


def qualifications(evidence: Evidence, say: Wording) -> tuple[Block, ...]:
    """Who determines, and what makes them fit."""
    return of_expert(evidence.who, evidence.case.qualifications)


def of_expert(who: str, fit: str) -> tuple[Block, ...]:
    """The expert, what makes them fit, and what the rule asks of them."""
    pairs = (("Expert", who or NOT_STATED), ("Qualifications", fit or NOT_STATED))
    return (Facts(pairs), Paragraph(_RULE))


def principles(evidence: Evidence, say: Wording) -> tuple[Block, ...]:
    """The three principles, column by column: two as decided in its role, the third as counted."""
    leaving = [
        column for column in evidence.columns if column.leaves and column.role not in (Role.WEIGHT, Role.PERSON_ID)
    ]
    rows = tuple(
        (column.name, outside(column.role), f"{column.values_after:,}", f"{column.entropy_after:.1f}")
        for column in leaving[:_MOST_COLUMNS]
    )
    more = len(leaving) - len(rows)
    notes = (
        "Replicable and available: as decided by the column’s role, with the reasons in the next table. Values and "
        "bits: in the release; the more bits, the further a column sets persons apart. What they do together is "
        "counted below.",
        *((f"Not listed: {words.count(more, 'more columns')}.",) if more else ()),
    )
    header = ("Column", "Replicable and available", "Values", "Bits")
    blocks: list[Block] = [Bullets(PRINCIPLES)]
    if rows:
        blocks.append(
            Table("The principles, column by column", header, rows, ("left", "left", "right", "right"), notes)
        )
    return tuple(blocks)


def outside(role: str) -> str:
    """Whether values of a column of a role are taken to come again outside, where somebody can have them."""
    if not role:
        return "not decided"
    return "taken to be both" if role in (Role.QUASI_IDENTIFIER, Role.PLACE) else "taken not to be available"


def findings(evidence: Evidence, say: Wording) -> tuple[Block, ...]:
    """What speaks for and against a very small risk, for the expert to weigh: no conclusion."""
    n_met = sum(criterion.state == "met" for criterion in evidence.criteria)
    after = evidence.after
    points = [
        f"Threshold used: {words.percent(evidence.threshold)}, the highest risk of one of the {evidence.unit} that is "
        f"accepted, as decided for “{evidence.recipient}”; its sources stand with the criteria.",
        f"Criteria met: {n_met} of {len(evidence.criteria)}; accepted although not met: {evidence.n_accepted}.",
    ]
    if after is not None:
        points.append(
            f"By what is taken to be known{', values known' if evidence.several_rows else ''}: the prosecutor’s "
            f"highest risk {words.percent(after.attackers[0].highest)}, the marketer’s average "
            f"{words.percent(after.attackers[-1].average)}, {say.people(after.unique, True)} alone."
        )
    if evidence.undecided:
        points.append(f"Not assessed, since nobody has decided on them: {words.quoted(evidence.undecided)}.")
    return (
        Paragraph("Whether the risk is very small is the expert’s to determine. For that, this was found:"),
        Bullets(tuple(points)),
    )


def determination(evidence: Evidence, say: Wording) -> tuple[Block, ...]:
    """The sentence that the expert may sign, unsigned."""
    released = evidence.released
    return to_sign("" if released is None else released.sha256, assess_again_by(evidence.made_on))


def to_sign(sha256: str, until: str) -> tuple[Block, ...]:
    """The sentence of a release with this digest, "" of none, that holds until a day."""
    file = "No file can be made of this recipe yet: there is nothing to determine."
    if sha256:
        file = f"The release: CSV with the SHA-256 {sha256}."
    return (
        Callout("Not signed. Anonscope counts; it determines nothing.", "note", "Determination"),
        Paragraph(file),
        Statement(
            f"{_STATEMENT} It holds until the date below, at the latest {until} as proposed, "
            "and as long as the data, the recipient and what is reasonably available stay as described.",
            ("Name and degrees", "Holds until", "Place and date", "Signature"),
        ),
    )
