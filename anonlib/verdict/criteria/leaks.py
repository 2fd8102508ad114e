"""A criterion on leakage: how many bits of who somebody is the columns give away, alone and together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from anonlib.analyses.leakage import information_loss
from anonlib.basics import checks, words
from anonlib.basics.thresholds import is_at_most
from anonlib.counting.privacy_models import KAnonymity, PrivacyModel
from anonlib.verdict.criteria.case import Case
from anonlib.verdict.criteria.criterion import Criterion, Finding, Limit
from anonlib.verdict.criteria.sizes import NOTHING_KNOWN, share, too_many_sets


@dataclass(frozen=True)
class Leakage(Criterion):
    """No combination of a few known columns leaks more than a share of the bits that name a person (Arca and Hewett).

    ``average`` is over all persons, ``worst`` of the person who loses most; both as shares of all bits.

    Attributes
    ----------
    known : int, default 2
        How many columns are looked at together, at most.
    average : float, default 0.7
        The largest share of all bits that persons may lose on average, 0 to 1.
    worst : float, default 1.0
        The largest share that one person may lose, 0 to 1.
    source : str, default ""
        Where the limit comes from, in words that are shown beside it.
    """

    known: int = 2
    average: float = 0.7
    worst: float = 1.0
    source: str = ""
    kind: ClassVar[str] = "leakage"
    word: ClassVar[str] = "leakage"
    page: ClassVar[str] = "Leakage"
    counted_in: ClassVar[str] = "of what names a person"
    limits: ClassVar[tuple[Limit, ...]] = (
        Limit("known", "Columns together at most", "count", 1, 6),
        Limit("average", "Average loss at most", "share", 0, 1),
        Limit("worst", "Worst loss at most", "share", 0, 1),
    )

    def __post_init__(self) -> None:
        checks.whole(self.known, "The number of columns together", 1)
        share(self.average, "The average loss")
        share(self.worst, "The worst loss")

    @property
    def title(self) -> str:
        return "Leakage"

    @property
    def bound(self) -> str:
        return f"at most {words.percent(self.average)}"

    def describe(self, unit: str = "persons") -> str:
        worst = f" and {words.percent(self.worst)} of the worst person's" if self.worst < 1 else ""
        columns = f"any {words.count(self.known, 'columns')}" if self.known > 1 else "any column"
        return f"{columns.capitalize()} give away at most {words.percent(self.average)} of what names a person{worst}."

    def describe_in(self, unit: str, several_rows: bool) -> str:
        return self.describe(unit) + (
            " Each person counts with the values of each column known." if several_rows else ""
        )

    def shown(self, value: float) -> str:
        return words.percent(value)

    def guarantees(self, case: Case) -> tuple[PrivacyModel, ...]:
        n = case.rows_before.n_records
        if not case.known or self.worst >= 1 or n < 2:
            return ()
        least = self._least(n)
        return (KAnonymity(columns=case.known, known=self.known, least=least),)

    def _least(self, n: int) -> int:
        """The smallest group of ``n`` whose members lose no more than may be, as their loss is compared."""
        size = max(1, math.ceil(n ** (1 - self.worst)))
        while size > 1 and is_at_most(1 - math.log2(size - 1) / math.log2(n), self.worst):
            size -= 1
        return size

    def check(self, case: Case) -> Finding:
        if not case.known:
            return self.unknown(NOTHING_KNOWN)
        if (why := too_many_sets(case, len(case.known), self.known)) is not None:
            return self.unknown(why)
        tables = []
        for dataset in (case.original.with_counted(), case.released):
            names = dataset.quasi_identifiers
            size = min(self.known, len(names))
            tables.append(information_loss(dataset.classes(names), max_size=size) if names else None)
        before, after = tables
        was = 0.0 if before is None else float(before.normalized.max(initial=0))
        if after is None or not len(after.sets):
            return self.found(True, "No known column leaves.", now=0.0, original=was)
        most = int(after.normalized.argmax())
        average, worst = float(after.normalized[most]), float(after.worst_normalized.max(initial=0))
        met = is_at_most(average, self.average) and is_at_most(worst, self.worst)
        listed = words.listed(after.sets[most])
        says = f"{listed} {'give' if len(after.sets[most]) > 1 else 'gives'} away {words.percent(average)} on average"
        says += f", and the worst combination {words.percent(worst)} of somebody." if self.worst < 1 else "."
        ranked = after.ranked()[:5]
        shares = tuple((words.listed(after.sets[i]), int(after.below_k[i])) for i in ranked)
        return self.found(met, says, now=average, original=was, n_persons=after.n_records, worst=shares)
