"""What is otherwise in a release than in the last one to the same recipient, by the evidence of both alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

from anonlib.basics import words
from anonlib.columns.roles import Role
from anonlib.filing.case import BY_NAME
from anonlib.filing.department.submission import called
from anonlib.filing.evidence import ColumnFacts, CriterionFacts, Evidence
from anonlib.filing.register import RegisterEntry
from anonlib.verdict.attacks.in_words import rounded, worst_of_each

FIGURE, CRITERION, COLUMN, STEP, TERM = "figure", "criterion", "column", "step", "case"
NOTHING = "—"
"""What stands where one of both has no such thing."""
_LIMIT = 1.0  # of what an attack gains: here nothing is judged


@dataclass(frozen=True)
class ReleaseChange:
    """Something of a release beside what it was in an earlier one.

    Attributes
    ----------
    kind : str
        One of :data:`FIGURE`, :data:`CRITERION`, :data:`COLUMN`, :data:`STEP` and :data:`TERM`.
    name : str
        What it is.
    then, now : str
        In the earlier one and in this one, as shown; :data:`NOTHING` where there is no such.
    """

    kind: str
    name: str
    then: str
    now: str

    @property
    def differs(self) -> bool:
        """Whether it is another one."""
        return self.then != self.now


def changes(then: Evidence, now: Evidence) -> tuple[ReleaseChange, ...]:
    """What is otherwise, the figures first, which are there whether they differ or not.

    Parameters
    ----------
    then, now : Evidence
        Of the earlier release and of this one.
    """
    return (
        *_beside(FIGURE, _figures(then), _figures(now)),
        *_differing(CRITERION, _criteria(then), _criteria(now)),
        *_differing(COLUMN, _columns(then), _columns(now)),
        *_differing(STEP, _steps(then), _steps(now)),
        *_differing(TERM, _terms(then), _terms(now)),
    )


def changes_since_entry(then: RegisterEntry, now: Evidence) -> tuple[ReleaseChange, ...]:
    """The same where the earlier release is in the register alone, which has fewer figures and no steps.

    Parameters
    ----------
    then : RegisterEntry
        Of the earlier release.
    now : Evidence
        Of this one.
    """
    released = now.released
    figures = {"Records that leave": NOTHING if released is None else f"{released.records:,}"}
    columns = {} if released is None else dict.fromkeys(released.columns, "leaves")
    earlier_terms = {BY_NAME[name].label: text for name, text in then.case.to_dict().items()}
    earlier_terms["Kind of recipient"] = then.kind_name
    return (
        *_beside(FIGURE, {"Records that leave": f"{then.records:,}"}, figures),
        *_beside(FIGURE, {"Verdict": then.verdict}, {"Verdict": now.verdict}),
        *_differing(COLUMN, dict.fromkeys(then.columns, "leaves"), columns),
        *_differing(TERM, earlier_terms, _terms(now)),
    )


def _beside(kind: str, then: dict[str, str], now: dict[str, str]) -> Iterator[ReleaseChange]:
    for name in dict.fromkeys((*now, *then)):
        yield ReleaseChange(kind, name, then.get(name, NOTHING), now.get(name, NOTHING))


def _differing(kind: str, then: dict[str, str], now: dict[str, str]) -> Iterator[ReleaseChange]:
    return (change for change in _beside(kind, then, now) if change.differs)


def _figures(evidence: Evidence) -> dict[str, str]:
    figures = {}
    if evidence.released is not None:
        figures["Records that leave"] = f"{evidence.released.records:,}"
    if evidence.after is not None:
        figures["Smallest class (k)"] = f"{evidence.after.k:,}"
        figures[f"Below k = {evidence.k}"] = f"{evidence.after.below_k:,}"
    if evidence.alone is not None:
        share = evidence.alone.alone / max(1, evidence.alone.of)
        figures[f"Unique on any {evidence.alone.known} released columns"] = words.percent(share)
    figures["Information kept"] = words.percent(evidence.information_kept)
    if evidence.attacks is not None:
        for worst in worst_of_each(evidence.attacks, _LIMIT):
            gained = None if worst.attack is None else worst.attack.gain
            if gained is not None:
                figures[f"{worst.name}, at most: gain"] = rounded(gained.value)
            elif worst.attack is not None:
                figures[f"{worst.name}, at most: share"] = words.percent(worst.attack.rate.share)
    return figures


def _criteria(evidence: Evidence) -> dict[str, str]:
    return {called(criterion): _found(criterion) for criterion in (*evidence.criteria, *evidence.measured)}


def _found(criterion: CriterionFacts) -> str:
    accepted = f", accepted: {criterion.accepted}" if criterion.accepted else ""
    return f"{criterion.state}{f' ({criterion.now})' if criterion.now else ''}{accepted}"


def _columns(evidence: Evidence) -> dict[str, str]:
    return {column.name: _of_column(column) for column in evidence.columns}


def _of_column(column: ColumnFacts) -> str:
    role = Role(column.role).label.lower() if column.role else "no role"
    leaves = f"leaves with {words.count(column.values_after, 'values')}" if column.leaves else "does not leave"
    return f"{role}, {leaves}"


def _steps(evidence: Evidence) -> dict[str, str]:
    return {step.says: "applied" if step.applied else "off" for step in evidence.steps}


def _terms(evidence: Evidence) -> dict[str, str]:
    names = [field.name for field in fields(evidence.case)]
    given = {BY_NAME[name].label: getattr(evidence.case, name) for name in names if getattr(evidence.case, name)}
    return given | {"Kind of recipient": evidence.recipient}
