"""What a report for anybody is made of: what leaves, counted on its rows, and what was decided.

It is a function of these: two originals whose released rows are equal, with the same decisions and the same criteria
met, have the same report, but for the digest of the release. So nothing counted on the original is in it, nothing of
the search that found the recipe, and nothing that was typed as a reason, unless the officer adds it
(:func:`additions`). ``docs/decisions/reports-for-anybody.md`` says why.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.columns.roles import Role
from anonlib.filing.case import ReleaseCase
from anonlib.filing.evidence.evidence import AsReleased, Evidence
from anonlib.filing.evidence.table import PartFacts
from anonlib.release.pseudonyms import Pseudonyms
from anonlib.verdict.criteria import BY_KEY, State

ADDITIONS: Mapping[str, str] = {
    "rows": "How many rows and persons the original has",
    "detail": "How much detail is lost",
    "learned": "What can be learned of somebody",
    "reasons": "Reasons as they were written",
}
"""What can be added to a report for anybody, and how it is called."""
_STEP = 0.05  # of a share, which is given as at most a multiple of it
_SOURCES = frozenset(
    source
    for recipient in BY_KEY.values()
    for criterion in (*recipient.criteria, *recipient.measured)
    if (source := getattr(criterion, "source", ""))
)
"""Where the limits of recipients come from: what an officer typed in their place may be about anything."""


@dataclass(frozen=True)
class PublicCriterion:
    """A criterion: what must hold, and whether it does.

    Attributes
    ----------
    title, asks, bound, source : str
        As of :class:`CriterionFacts`; ``source`` only where it is that of a recipient.
    state : str
        "met", "not met" or "cannot be checked".
    is_accepted : bool
        Whether it is accepted although it is not met.
    """

    title: str
    asks: str
    bound: str
    source: str
    state: str
    is_accepted: bool


@dataclass(frozen=True)
class Decided:
    """A column and what was decided on it.

    Attributes
    ----------
    name, role : str
        As of :class:`ColumnFacts`.
    leaves : bool
        Whether it is in the release.
    """

    name: str
    role: str
    leaves: bool


@dataclass(frozen=True)
class ForAnybody:
    """All that a report for anybody may be made of.

    Attributes
    ----------
    made_on, who, unit, recipient, to_whom, verdict, file : str
        As of :class:`Evidence`; ``file`` is the name of the file alone.
    versions : tuple[tuple[str, str], ...]
        The programs that it was made with, and their versions.
    k : int
        The smallest class that the recipient is asked for.
    threshold : float
        The highest risk that is accepted, in [0, 1].
    may_leave, is_by_reason : bool
        Whether it may leave, and whether it does by a written reason.
    case : ReleaseCase
        As typed.
    pseudonyms : Pseudonyms | None
        The label under which persons have pseudonyms by a key; None where they have numbers, or no id leaves.
    missing : str
        What a missing value of a known column counts as: "category" or "drop".
    columns : tuple[Decided, ...]
        All columns, in their order.
    undecided, unknowable, left_out : tuple[str, ...]
        Columns that nobody has decided on, those that nobody outside can know, and the parts of evidence that were not
        looked at.
    harmless : tuple[tuple[str, int], ...]
        By column, how many values were stated to harm nobody.
    criteria : tuple[PublicCriterion, ...]
        One item each.
    measured : tuple[str, ...]
        What was measured without a limit, by title.
    parts : tuple[tuple[str, str, str, int], ...]
        Of several tables, each with the one it hangs below, by which column, and its rows that leave.
    released : AsReleased | None
        What was counted of the rows that leave; None where no file leaves.
    digests : tuple[tuple[str, str], ...]
        By format, the SHA-256 of the release.
    size : int
        Bytes of the CSV; 0 where no file leaves.
    added : tuple[str, ...]
        What the officer adds, in sentences.
    """

    made_on: str
    who: str
    unit: str
    recipient: str
    to_whom: str
    verdict: str
    file: str
    versions: tuple[tuple[str, str], ...]
    k: int
    threshold: float
    may_leave: bool
    is_by_reason: bool
    case: ReleaseCase
    pseudonyms: Pseudonyms | None
    missing: str
    columns: tuple[Decided, ...]
    undecided: tuple[str, ...]
    unknowable: tuple[str, ...]
    left_out: tuple[str, ...]
    harmless: tuple[tuple[str, int], ...]
    criteria: tuple[PublicCriterion, ...]
    measured: tuple[str, ...]
    parts: tuple[tuple[str, str, str, int], ...]
    released: AsReleased | None
    digests: tuple[tuple[str, str], ...]
    size: int
    added: tuple[str, ...] = ()

    @property
    def known(self) -> tuple[str, ...]:
        """The columns that somebody outside may know."""
        return self.of_roles(Role.QUASI_IDENTIFIER, Role.PLACE)

    def of_roles(self, *roles: Role) -> tuple[str, ...]:
        """The names of the columns that have one of some roles, in their order."""
        return tuple(column.name for column in self.columns if column.role in roles)

    @property
    def counted_in(self) -> str:
        """What is counted of what leaves: persons where their ids do, else records."""
        return "persons" if self.released is not None and self.released.persons is not None else "records"

    @property
    def n_met(self) -> int:
        """Criteria that are met."""
        return sum(criterion.state == State.MET for criterion in self.criteria)

    @property
    def n_accepted(self) -> int:
        """Criteria that are accepted although they are not met."""
        return sum(criterion.is_accepted for criterion in self.criteria)


def for_anybody(evidence: Evidence, add: Collection[str] = ()) -> ForAnybody:
    """What a report for anybody may be made of.

    Parameters
    ----------
    evidence : Evidence
        What was gathered.
    add : Collection[str], default ()
        Keys of :data:`ADDITIONS`.

    Raises
    ------
    InputError
        For an addition that there is none of, and for evidence of a release that was saved before its rows were counted
        by themselves.
    """
    if unknown := set(add) - set(ADDITIONS):
        raise InputError(
            f"{len(unknown)} of the additions asked for are none of: {', '.join(ADDITIONS)}.", code="choice-unknown"
        )
    if evidence.released is not None and evidence.as_released is None:
        raise InputError(
            "This evidence was saved before what leaves was counted by itself: gather it again for a report for "
            "anybody.",
            code="version-unknown",
        )
    sentences = additions(evidence)
    return ForAnybody(
        made_on=evidence.made_on,
        who=evidence.who,
        unit=evidence.unit,
        recipient=evidence.recipient,
        to_whom=evidence.to_whom,
        verdict=evidence.verdict if evidence.released is not None else "No file leaves.",
        file=evidence.file.name,
        versions=evidence.versions,
        k=evidence.k,
        threshold=evidence.threshold,
        may_leave=evidence.may_leave,
        is_by_reason=evidence.is_by_reason,
        case=evidence.case,
        pseudonyms=evidence.pseudonyms,
        missing=evidence.missing,
        columns=tuple(Decided(column.name, column.role, column.leaves) for column in evidence.columns),
        undecided=evidence.undecided,
        unknowable=evidence.unknowable,
        left_out=evidence.left_out,
        harmless=evidence.harmless,
        criteria=tuple(_asked(evidence)),
        measured=tuple(criterion.title for criterion in evidence.measured),
        parts=tuple(map(_part, evidence.parts)),
        released=evidence.as_released,
        digests=() if evidence.released is None else tuple(evidence.released.on_record.items()),
        size=0 if evidence.released is None else evidence.released.bytes,
        added=tuple(text for key in ADDITIONS if key in add for text in sentences[key]),
    )  # fmt: skip


def _asked(evidence: Evidence) -> Iterator[PublicCriterion]:
    asks = [""] * len(evidence.criteria) if evidence.as_released is None else evidence.as_released.asks
    for criterion, sentence in zip(evidence.criteria, asks, strict=True):
        source = criterion.source if criterion.source in _SOURCES else ""
        yield PublicCriterion(
            criterion.title, sentence, criterion.bound, source, criterion.state, bool(criterion.accepted)
        )


def _part(part: PartFacts) -> tuple[str, str, str, int]:
    return part.name, part.below, part.by, part.leave


# ---- what an officer may add ----


def additions(evidence: Evidence) -> dict[str, tuple[str, ...]]:
    """What each addition would say, to be read before it is added.

    Numbers are given as ranges. No range has fewer than k numbers, nor has the difference from a total that the report
    gives.

    Parameters
    ----------
    evidence : Evidence
        What was gathered.

    Returns
    -------
    dict[str, tuple[str, ...]]
        By key of :data:`ADDITIONS`, its sentences; empty where there is nothing to add.
    """
    return {
        "rows": _of_totals(evidence),
        "detail": _of_detail(evidence),
        "learned": _of_learned(evidence),
        "reasons": _of_reasons(evidence),
    }


def _of_totals(evidence: Evidence) -> tuple[str, ...]:
    leaving = evidence.as_released
    if leaving is None:
        return ()
    wide = _round_up(2 * evidence.k)
    sentences = [_total("rows", evidence.file.records, leaving.rows, wide)]
    if leaving.persons is not None and evidence.file.persons is not None:
        sentences.append(_total("persons", evidence.file.persons, leaving.persons, wide))
    return tuple(sentences)


def _total(noun: str, number: int, leave: int, wide: int) -> str:
    """A total of the original as a range that begins at what leaves, or so many times its width above."""
    first = leave + (number - leave) // wide * wide
    return f"The original has {first:,} to {first + wide - 1:,} {noun}, of which {leave:,} leave."


def _round_up(number: int) -> int:
    """The next number of one digit and noughts."""
    tens = 10 ** (len(str(number)) - 1)
    return -(-number // tens) * tens


def _of_detail(evidence: Evidence) -> tuple[str, ...]:
    if evidence.lost is None or evidence.as_released is None:
        return ()
    most = _at_most(evidence.lost.share, max(_STEP, 2 * evidence.k / evidence.as_released.rows))
    return (f"At most {words.percent(most)} of the detail of the original is lost.",)


def _of_learned(evidence: Evidence) -> tuple[str, ...]:
    counted = [criterion for criterion in evidence.measured if criterion.of and criterion.state != State.UNKNOWN]
    most = [_at_most(criterion.persons / criterion.of, _step(evidence, criterion.of)) for criterion in counted]
    return tuple(
        f"{criterion.title}: of at most {words.percent(share)} of the {evidence.unit}."
        for criterion, share in zip(counted, most, strict=True)
    )


def _step(evidence: Evidence, of: int) -> float:
    return max(_STEP, 2 * evidence.k / of)


def _at_most(share: float, step: float) -> float:
    """The next multiple of a step, in [step, 1]."""
    return min(1.0, max(1, math.ceil(share / step - 1e-9)) * step)


def _of_reasons(evidence: Evidence) -> tuple[str, ...]:
    accepted = [
        f"“{criterion.title}” is accepted because: {criterion.accepted}"
        for criterion in evidence.criteria
        if criterion.accepted
    ]
    against = [f"It leaves although the verdict is against it: {evidence.leaves_anyway}"]
    return (*accepted, *(against if evidence.leaves_anyway else ()))
