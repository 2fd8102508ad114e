"""A criterion on pseudonyms by key: that who holds several releases recognises no person of one in another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from anonlib.verdict.criteria.case import Case
from anonlib.verdict.criteria.criterion import Criterion, Finding
from anonlib.verdict.criteria.earlier import EarlierReleases

_SOURCE = "Linkability is a risk of its own (Article 29 Working Party, WP216)."


@dataclass(frozen=True)
class SamePseudonyms(Criterion):
    """Nobody recognises a person of this release in another one by the name that the person has in it.

    Numbers drawn for one release meet it. Pseudonyms by a key are the same in each release under their label, and the
    records of the others are not at hand: what all of them tell together cannot be counted.

    Attributes
    ----------
    source : str, default _SOURCE
        Where the limit comes from, in words that are shown beside it.
    """

    source: str = _SOURCE
    kind: ClassVar[str] = "same_pseudonyms"
    word: ClassVar[str] = "same pseudonyms"
    page: ClassVar[str] = "Release"
    why_asked: ClassVar[str] = (
        "It is asked because persons leave as pseudonyms by key. Add it to change its limits, or let person ids leave "
        "as random numbers."
    )

    @property
    def title(self) -> str:
        return "Same pseudonyms"

    @property
    def bound(self) -> str:
        return "in no other release"

    def describe(self, unit: str = "persons") -> str:
        return "Nobody recognises the persons of this release in another one by their ids or pseudonyms."

    def check(self, case: Case) -> Finding:
        if case.pseudonyms is None:
            leaves = case.released.person_id in case.released.columns
            how = "Person ids leave as numbers that are drawn for this release." if leaves else "No person id leaves."
            return self.found(True, how)
        label = case.pseudonyms
        says = [
            f"The same persons have the same pseudonyms in each release for recipient “{label.recipient}”, project "
            f"“{label.project}”, version {label.version}: who holds several puts the rows of a person together.",
            "What releases of other files add is not counted.",
            "Accept it with a reason where the recipient is to follow persons, or let person ids leave as random "
            "numbers.",
        ]
        if _has_others(case):
            says.insert(2, "Those of this file on record are counted under “Earlier releases”.")
        return self.unknown(" ".join(says))


def asked_of_pseudonyms(case: Case, criteria: Sequence[Criterion], k: int) -> tuple[Criterion, ...]:
    """What is asked of a release whose persons have pseudonyms by a key, besides criteria that are asked anyway.

    Parameters
    ----------
    case : Case
        The release.
    criteria : Sequence[Criterion]
        What is asked anyway.
    k : int
        The smallest class of this release and an earlier one of the same file together.

    Returns
    -------
    tuple of Criterion
        None where numbers are drawn. Another release of the same records under another recipe is counted with this
        one, since with the pseudonyms in both of them nothing is left to be guessed.
    """
    if case.pseudonyms is None:
        return ()
    kinds = {criterion.kind for criterion in criteria}
    asked: list[Criterion] = [EarlierReleases(k=k)] if _has_others(case) else []
    return tuple(criterion for criterion in (*asked, SamePseudonyms()) if criterion.kind not in kinds)


def _has_others(case: Case) -> bool:
    """Whether another release of the same file is on record: one by the same recipe adds nothing to this one."""
    return any(earlier != case.recipe for earlier in case.earlier)
