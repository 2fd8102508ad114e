"""A criterion on all columns that leave, whatever their role: who is alone by a few of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from anonlib.basics import checks, words
from anonlib.basics.errors import InputError
from anonlib.counting.classes.subsets import n_subsets
from anonlib.counting.privacy_models import ONE, VALUES, KAnonymity, PrivacyModel
from anonlib.release.uniqueness_of_release import FACTS, Alone, alone_by_what_leaves, looked_at
from anonlib.verdict.criteria.case import Case
from anonlib.verdict.criteria.criterion import Criterion, Finding, Limit, UniquenessLimit
from anonlib.verdict.criteria.sizes import share

MOST_SEARCHED = 8_000_000
"""Rows times sets of columns up to which a search of whole columns takes part; of more what it finds is mended."""


@dataclass(frozen=True)
class UniquenessOfRelease(Criterion):
    """Few persons are alone, or in groups below k, by any at most ``known`` of all columns that leave.

    Whatever is taken as known: sensitive columns and those of neither role are looked at too; not free text, what
    nobody outside can know, and the weight. See :mod:`anonlib.release.uniqueness_of_release` for how it is counted.

    Attributes
    ----------
    known : int, default 3
        How many columns somebody knows, at most.
    most : float, default 0.001
        The share of persons that may be alone, 0 to 1.
    k : int, default 11
        The smallest size of a class that is enough.
    below : float, default 0.05
        The share that may be in classes below k, 0 to 1.
    source : str, default ""
        Where the limit comes from, in words that are shown beside it.
    """

    known: int = 3
    most: float = 0.001
    k: int = 11
    below: float = 0.05
    source: str = ""
    kind: ClassVar[str] = "alone_by_what_leaves"
    word: ClassVar[str] = "unique on any 3 released columns"
    page: ClassVar[str] = "Attack"
    counted_in: ClassVar[str] = "of {unit}"
    of_any_file: ClassVar[bool] = True
    limits: ClassVar[tuple[Limit, ...]] = (
        Limit("known", "Columns known at most", "count", 1, FACTS),
        Limit("most", "Alone at most", "share", 0, 1),
        Limit("k", "People like them at least", "count", 2, None),
        Limit("below", "With fewer like them at most", "share", 0, 1),
    )

    def __post_init__(self) -> None:
        if checks.whole(self.known, "The number of known columns", 1) > FACTS:
            raise InputError(
                f"Who is unique is counted by at most {FACTS} columns: choose no more.", code="number-out-of-range"
            )
        checks.whole(self.k, "The smallest class", 2)
        share(self.most, "The share that may be alone")
        share(self.below, "The share that may be in smaller classes")

    @property
    def title(self) -> str:
        return f"Unique on any {words.count(self.known, 'released columns')}"

    @classmethod
    def is_called(cls, title: str) -> bool:
        return title.startswith("Unique on any ") or title == "Alone by what leaves"

    @property
    def bound(self) -> str:
        return f"at most {words.percent(self.most)}"

    def describe(self, unit: str = "persons") -> str:
        return (
            f"Who knows any {words.count(self.known, 'columns')} of all that leave, sensitive ones too, finds at most "
            f"{words.percent(self.most)} of the {unit} alone, and at most {words.percent(self.below)} among fewer than "
            f"{self.k:,} like them."
        )

    def shown(self, value: float) -> str:
        return words.percent(value)

    def guarantees(self, case: Case) -> tuple[PrivacyModel, ...]:
        """Counted by labels, missing ones among them: who is alone by what they cover is alone by them."""
        columns, _ = looked_at(case.released, case.unknowable)
        if not columns or n_subsets(len(columns), self.known) * case.released.n_records > MOST_SEARCHED:
            return ()
        rows = ONE if case.released.has_several_rows else VALUES
        return tuple(
            KAnonymity(columns=columns, known=self.known, least=least, share=may, rows=rows)
            for least, may in ((2, self.most), (self.k, self.below))
        )

    @property
    def uniqueness(self) -> UniquenessLimit:
        return UniquenessLimit(self.known, self.most, self.k, self.below)

    def check(self, case: Case) -> Finding:
        alone = alone_by_what_leaves(
            case.applied,
            case.recipe,
            known=self.known,
            k=self.k,
            unknowable=case.unknowable,
            progress=case.progress,
        )
        if not alone.columns:
            return self.found(True, "No column leaves that somebody could know.", now=0.0)
        worst = tuple((words.listed(names), below) for names, _, below in alone.worst)
        met = self.uniqueness.allows(alone.share_alone, alone.share_below)
        if met and alone.not_counted:
            return self.unknown(
                f"{_in_words(alone, self, case.unit)} {alone.not_counted} Accept that with a reason, or drop columns."
            )
        too_many_alone = alone.share_alone > self.most
        return self.found(
            met, _in_words(alone, self, case.unit), now=alone.share_alone,
            persons=alone.alone if too_many_alone or met else alone.below, n_persons=alone.n_records, worst=worst,
        )  # fmt: skip


def _in_words(alone: Alone, criterion: UniquenessOfRelease, unit: str) -> str:
    aside = f" Not looked at: {words.listed(alone.aside, 3)}." if alone.aside else ""
    return (
        f"By any {alone.known} of the {words.count(len(alone.columns), 'columns')} that leave "
        f"{words.share(alone.alone, alone.n_records, unit)} are alone, and "
        f"{words.share(alone.below, alone.n_records)} among fewer than {criterion.k:,} like them.{aside}"
    )
