"""Who violates what must hold at a state: counted once by each set of known columns, and remembered."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from anonlib.analyses.generalization.search.lattice import Lattice
from anonlib.analyses.generalization.search.rows import Node
from anonlib.basics.stores import Store
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.rows_of_persons import ValueSet
from anonlib.counting.guarantees import (
    AttributeDisclosure,
    AverageRiskLimit,
    KAnonymity,
    LDiversity,
    PrivacyModel,
    TCloseness,
    columns_of,
    least_to_go,
)
from anonlib.counting.guarantees.coded import Groups, harmless_labels
from anonlib.counting.guarantees.kinds import sensitive_of
from anonlib.counting.guarantees.leaving_out import too_many_classes
from anonlib.counting.guarantees.violating import violating_in, violators
from anonlib.counting.guarantees.walk import can_walk

MEMORY = 400_000_000  # bytes for who violates by which set of columns
_MANY_SETS = 500  # of columns, which are gone through once for all guarantees that ask for them
MOST_KEPT = 4  # columns; larger sets are many, and each is seldom asked for again
RecordModel = KAnonymity | AttributeDisclosure | LDiversity | TCloseness
"""A guarantee that single records (persons) violate."""


def texts_of(values: np.ndarray) -> np.ndarray:
    """The texts among values, and in sets of them, each once."""
    members = (value.members if isinstance(value, ValueSet) else (value,) for value in values if value is not None)
    return np.array([*dict.fromkeys(text for texts in members for text in texts), None], dtype=object)[:-1]


def _go_on() -> None:
    """Nobody waits."""


class ViolationCounts(Lattice):
    """Records, the levels that their columns may have, what must hold, and who violates it at which levels.

    Attributes
    ----------
    guarantees : Sequence[PrivacyModel]
        What must hold, on columns of the table.
    names : the columns that guarantees name, in alphabetical order.
    pause : Callable[[], None]
        Called again and again where counting takes long; may raise to stop.
    """

    def __init__(
        self,
        classes: ClassTable,
        hierarchies: Mapping[str, Hierarchy],
        guarantees: Sequence[PrivacyModel],
        like: ViolationCounts | None = None,
    ) -> None:
        """What is counted is shared with those ``like`` these, of the same table and hierarchies."""
        super().__init__(classes, hierarchies, like)
        self.guarantees = tuple(guarantees)
        self.names = tuple(sorted(columns_of(self.guarantees)))
        self.pause: Callable[[], None] = _go_on if like is None else like.pause
        self._alikes: dict[RecordModel, RecordModel] = {}
        self._marks: Store[np.ndarray] = Store(MEMORY // 4, lambda marks, _: marks.nbytes)
        self._masks: Store[np.ndarray] = like._masks if like is not None else Store(MEMORY, lambda mask, _: mask.nbytes)

    # ---- records and their groups ----

    @property
    def counts(self) -> np.ndarray:
        """int64, records of each row."""
        return self.classes.counts

    def records(self, mask: np.ndarray) -> int:
        """The records of some rows (bool)."""
        return int(self.counts.compress(mask).sum())

    def groups(self, columns: Sequence[str], levels: Mapping[str, int]) -> Groups:
        """The groups of some columns at their levels; 0 where none is named."""
        return self.rows.grouped(tuple(levels.get(name, 0) for name in self.columns), columns)

    @property
    def lasts_on_average(self) -> bool:
        """Whether the fewest that must go for an average follow from the sizes of classes."""
        return True

    # ---- who violates ----

    def mask(self, guarantee: RecordModel, columns: tuple[str, ...], levels: Mapping[str, int]) -> np.ndarray:
        """bool per row: it violates the guarantee by this set of columns."""
        sensitive = sensitive_of(guarantee)
        named = columns if sensitive is None else (*columns, sensitive)
        key = (self._alike(guarantee), columns, tuple(levels.get(name, 0) for name in named))
        if (found := self._masks.held(key)) is not None:
            return found
        found = np.zeros(len(self.counts), dtype=bool)
        if (asked := self.on_labels(guarantee, levels)) is not None:
            found = violating_in(self.rows.coded(named, levels), asked, self.groups(columns, levels))
        if len(columns) <= MOST_KEPT:
            self._masks.put(key, found)
        return found

    def _alike(self, guarantee: RecordModel) -> RecordModel:
        """The same for guarantees whose masks by a set of columns are the same."""
        if guarantee not in self._alikes:
            alike = replace(guarantee, columns=(), share=0.0)
            self._alikes[guarantee] = (
                replace(alike, known=None) if isinstance(alike, KAnonymity | AttributeDisclosure) else alike
            )
        return self._alikes[guarantee]

    def on_labels(self, guarantee: PrivacyModel, levels: Mapping[str, int]) -> PrivacyModel | None:
        """The guarantee on the labels of its sensitive column; None where that is dropped: then nothing is learned.

        A label is harmless where all of its values are, as in :meth:`anonlib.verdict.criteria.Case.harmless_now`.
        """
        sensitive = sensitive_of(guarantee)
        level = 0 if sensitive is None else levels.get(sensitive, 0)
        if sensitive is None or not level:
            return guarantee
        if len(self.levels[sensitive].labels[level]) == 1:
            return None
        if not isinstance(guarantee, AttributeDisclosure) or not guarantee.harmless:
            return guarantee
        values = texts_of(self.levels[sensitive].labels[0])
        recoding = self.hierarchies[sensitive].recodings[level - 1]
        return replace(guarantee, harmless=harmless_labels(values, recoding.labels(values), guarantee.harmless))

    def violating(self, guarantee: PrivacyModel, state: Node) -> np.ndarray:
        """bool per row: it violates the guarantee by some set of columns at a state."""
        levels = dict(zip(self.columns, state, strict=True))
        if isinstance(guarantee, LDiversity | TCloseness):
            return self.mask(guarantee, guarantee.columns, levels)
        if guarantee in self._together:
            return self._violating_together(state)[self._together[guarantee]]
        assert isinstance(guarantee, KAnonymity | AttributeDisclosure)
        found = np.zeros(len(self.counts), dtype=bool)
        for columns in guarantee.sets():
            found |= self.mask(guarantee, columns, levels)
        return found

    @cached_property
    def _together(self) -> dict[PrivacyModel, int]:
        """The guarantees that are looked at together, of many sets of columns, and the place of each."""
        can = [each for each in dict.fromkeys(self.guarantees) if can_walk(each)]
        n_sets = sum(each.n_sets for each in can if isinstance(each, KAnonymity | AttributeDisclosure))
        return {each: i for i, each in enumerate(can)} if n_sets > _MANY_SETS else {}

    def _violating_together(self, state: Node) -> np.ndarray:
        """bool, guarantees looked at together x rows: who violates each by some set of columns at a state."""
        if (found := self._marks.held(state)) is None:
            levels = dict(zip(self.columns, state, strict=True))
            asked = [self.on_labels(each, levels) for each in self._together]
            there = [each for each in asked if each is not None]
            marks = violators(self.rows.coded(self.names, levels), there, lambda *_: self.pause())
            of_asked = iter(marks)
            nobody = np.zeros(len(self.counts), dtype=bool)
            found = np.array([nobody if each is None else next(of_asked).marked for each in asked])
            self._marks.put(state, found)
        return found

    def least_out(self, state: Node) -> tuple[int, np.ndarray, bool]:
        """The fewest records that have to go at a state, those who must in any case, and whether nobody has to."""
        must, least, holds = np.zeros(len(self.counts), dtype=bool), 0, True
        levels = dict(zip(self.columns, state, strict=True))
        for guarantee in self.guarantees:
            if isinstance(guarantee, AverageRiskLimit):
                number = too_many_classes(self.groups(guarantee.columns, levels)[1], guarantee.limit)
                least, holds = max(least, number), holds and not number
                continue
            mask = self.violating(guarantee, state)
            records = self.records(mask)
            number = least_to_go(records, self.n_records, guarantee.share)
            holds = holds and not number
            if guarantee.stays:
                least = max(least, number)
                if guarantee.share == 0:
                    must |= mask
            elif isinstance(guarantee, AttributeDisclosure) and not levels.get(guarantee.sensitive, 0):
                least = max(least, self.least_by_nothing(guarantee))
        return max(least, self.records(must)), must, holds

    def least_by_nothing(self, guarantee: AttributeDisclosure) -> int:
        """The fewest records that have to go for a value that is likely without any knowledge, at every state.

        Of the records that have it as many as make it unlikely, or so many that no more than a share have it.
        """
        rows, n = self.rows.coded([guarantee.sensitive], {}).as_read([guarantee.sensitive]), self.n_records
        ids, sizes = rows.groups([guarantee.sensitive])
        least = 0
        harms = rows.harms(guarantee.sensitive, guarantee.harmless)[rows.codes[guarantee.sensitive]]
        for value in np.unique(ids[harms]):
            having = int(sizes[value])
            if n and (n - having) / n <= guarantee.p:
                unlikely = max(1, math.floor(n - (n - having) / guarantee.p - 1e-9) + 1) if guarantee.p else having
                least = max(least, min(having, unlikely, least_to_go(having, n, guarantee.share)))
        return least

    def in_small_classes(self, average: AverageRiskLimit, state: Node) -> int:
        """The fewest records in the smallest classes without which an average would hold at a state."""
        levels = dict(zip(self.columns, state, strict=True))
        return too_many_classes(self.groups(average.columns, levels)[1], average.limit)

    def excess(self, state: Node) -> int:
        """The records that violate above what is allowed, summed over what must hold."""
        total = 0
        levels = dict(zip(self.columns, state, strict=True))
        for guarantee in self.guarantees:
            if isinstance(guarantee, AverageRiskLimit):
                total += too_many_classes(self.groups(guarantee.columns, levels)[1], guarantee.limit)
            else:
                violate = self.records(self.violating(guarantee, state))
                total += max(0, violate - int(guarantee.share * self.n_records))
        return total
