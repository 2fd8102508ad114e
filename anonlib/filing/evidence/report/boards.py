"""What an ethics board and a data protection impact assessment ask for beside what is counted.

The ethics board’s order follows what the Declaration of Taipei (World Medical Association 2016) and guideline 12 of
CIOMS (2016) ask of the use of stored health data; the impact assessment Art. 35(7) of the General Data Protection
Regulation.
"""

from __future__ import annotations

from anonlib.basics import figures, words
from anonlib.columns.roles import Role
from anonlib.filing.case import BY_NAME, ReleaseCase
from anonlib.filing.evidence.evidence import Evidence
from anonlib.filing.evidence.report import case
from anonlib.filing.evidence.report.wording import Wording, some_quoted
from anonlib.filing.report.blocks import Block, Bullets, Cell, Facts, Paragraph, Statement, Table, Tone

_ROUNDING = 1e-9  # by which shares of all cells may fall short of 1


def minimisation(evidence: Evidence, say: Wording) -> tuple[Block, ...]:
    """What does not leave, and how coarse the rest is: no more than the purpose needs."""
    stays = [column for column in evidence.columns if not column.leaves]
    identifiers = [column.name for column in stays if column.role in (Role.IDENTIFIER, Role.PERSON_ID)]
    others = [column.name for column in stays if column.role not in (Role.IDENTIFIER, Role.PERSON_ID)]
    points = [
        f"Identifiers that do not leave: {words.quoted(identifiers)}." if identifiers else "No identifier is withheld.",
        f"Other columns that do not leave: {words.quoted(others)}." if others else "All other columns leave.",
    ]
    points += _as_they_were(evidence)
    entropy_kept = words.percent(evidence.information_kept)
    rows = words.percent(evidence.records_kept)
    points.append(f"Of all columns together, {entropy_kept} of entropy and {rows} of rows leave.")
    text = "Whether the purpose needs each of them is for the reader to judge. What was counted:"
    return (Paragraph(text), Bullets(tuple(points)))


def _as_they_were(evidence: Evidence) -> list[str]:
    """The columns of which every cell leaves as it was, and of the others that leave in part so, how many cells do."""
    decided = {column.name for column in evidence.columns if column.leaves and column.role}
    if not evidence.levels:  # in evidence of an old version
        whole = [column.name for column in evidence.columns if column.name in decided and column.information_kept == 1]
        return [f"With all their detail leave: {some_quoted(whole)}."] if whole else []
    shares, whole_kinds = dict[str, float](), ("as it was", "missing already")
    for column_levels in evidence.levels:
        if column_levels.column in decided and any(part.kind == "as it was" for part in column_levels.parts):
            shares[column_levels.column] = sum(part.share for part in column_levels.parts if part.kind in whole_kinds)
    whole = [name for name, share in shares.items() if share > 1 - _ROUNDING]
    points = [f"With every cell as it was leave: {some_quoted(whole)}."] if whole else []
    in_part = [f"“{name}” ({words.percent(share)})" for name, share in shares.items() if name not in whole]
    if in_part:
        listed = words.listed(in_part, most=8)
        points.append(f"With only a part of their cells as they were, missing ones among them, leave: {listed}.")
    return points


OPINION: tuple[Block, ...] = (
    Statement(
        "Opinion of the board on the release named here:   ☐ no objection   ☐ no objection under conditions   "
        "☐ returned with questions   ☐ refused",
        ("Conditions or questions", "For the board", "Place and date", "Signature"),
    ),
)
"""The board’s opinion, to be given: none is asserted."""


def opinion(evidence: Evidence, say: Wording) -> tuple[Block, ...]:
    """The board’s opinion, to be given."""
    return OPINION


_PROPORTIONATE = "Art. 35(7)(b): whether the processing is necessary and proportionate to its purpose."


def proportionality(evidence: Evidence, say: Wording) -> tuple[Block, ...]:
    """The legal basis and what the purpose needs, beside what leaves."""
    names = ("purpose", "legal_basis", "consent", "retention", "until")
    pairs = tuple((BY_NAME[name].label, case.stated(evidence.case, BY_NAME[name])) for name in names)
    return (Paragraph(_PROPORTIONATE), Facts(pairs), *minimisation(evidence, say))


_RISKS = (
    ("Somebody is recognised", "alone to the prosecutor, by what is taken to be known"),
    (
        "Records of a person are linked with other data",
        "above the threshold for the journalist, who has the population table",
    ),
    (
        "Something is learned of a person",
        "a sensitive value is certain from 2 quasi-identifiers to somebody who knows these, of the column with most",
    ),
)


def risks(evidence: Evidence, say: Wording) -> tuple[Block, ...]:
    """The three risks with whom they concern before and after; how severe they are is not counted."""
    total = 0 if evidence.before is None else evidence.before.records
    left = 0 if evidence.after is None else evidence.after.records
    counts = (_alone(evidence), _linked(evidence), _certain(evidence))
    by_values = "the values of each column known" if evidence.several_rows else ""
    known = (by_values, by_values, next((inferred.by for inferred in evidence.inferred), ""))
    rows = tuple(
        (
            risk,
            f"{measure} ({by})" if by else measure,
            say.share(before, total),
            say.share(after, left),
            _state(after),
        )
        for (risk, measure), by, (before, after) in zip(_RISKS, known, counts, strict=True)
    )
    note = (
        f"In {evidence.unit}. How severe each would be for a person (likelihood and severity, Art. 35(7)(c)) depends "
        "on what the columns tell, and is for the controller to judge. What is certain to somebody who knows sensitive "
        "values too stands with the criteria and the attacks."
    )
    by_rows = (figures.BY_VALUES,) if evidence.several_rows else ()
    header = ("Risk", "Counted as", "Original", "Release", "Concerns")
    return (
        Table(
            "Risks to rights and freedoms", header, rows, ("left", "left", "right", "right", "left"), (note, *by_rows)
        ),
    )


Both = tuple[int | None, int | None]


def _alone(evidence: Evidence) -> Both:
    before, after = evidence.before, evidence.after
    return None if before is None else before.unique, None if after is None else after.unique


def _linked(evidence: Evidence) -> Both:
    before, after = (
        next((attacker.at_risk for attacker in risk.attackers if attacker.attacker == "journalist"), None)
        if risk
        else None
        for risk in (evidence.before, evidence.after)
    )
    return before, after


def _certain(evidence: Evidence) -> Both:
    """Of the column with most; None where some column was too much to count, so that another may have more."""
    from_two = [inferred for inferred in evidence.inferred if inferred.known == 2]
    if any(inferred.before is None for inferred in from_two):
        return None, None
    before = [inferred.before for inferred in from_two if inferred.before is not None]
    after = [inferred.after for inferred in from_two if inferred.after is not None]
    return max(before, default=None), max(after, default=None)


def _state(after: int | None) -> Cell:
    if after is None:
        return Cell("not counted", "note")
    tone: Tone = "met" if after == 0 else "not met"
    return Cell("nobody" if after == 0 else "somebody", tone)


def advice(evidence: Evidence, say: Wording) -> tuple[Block, ...]:
    """The advice of the data protection officer and the views of the data subjects, to be given."""
    return advice_on(evidence.case)


def advice_on(about: ReleaseCase) -> tuple[Block, ...]:
    """The same of a case."""
    return (
        Facts((("Data protection officer or reviewer", case.stated(about, BY_NAME["reviewer"])),)),
        Statement(
            "Advice of the data protection officer (Art. 35(2)) on the release named here, and, where sought, the "
            "views of the data subjects or their representatives (Art. 35(9)):",
            ("Advice", "Views of data subjects", "Name", "Place and date", "Signature"),
        ),
    )
