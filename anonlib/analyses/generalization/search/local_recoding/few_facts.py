"""Few facts known: parts are split on where somebody who knows one or two facts is sure of nobody's value then.

All records that share what is known are candidates, of whatever parts. So a part need not have two sensitive values of
its own where others have the same labels in any two columns. Counts of labels are not enough for it, though: a record
labelled 30-39 may be in a part from which 34 was parted off, and who reads that off the release does not take it for
somebody aged 34. So all is counted twice: by labels, as criteria are, and by the values that each part can hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.analyses.generalization.search.local_recoding.few_facts_kernel import (
    PairCounts,
    ReadOffParts,
    certain_by_regions,
    count_all,
    split_all,
)
from anonlib.analyses.generalization.search.local_recoding.splitting_kernel import (
    LabelTable,
    PartLimits,
    SplitParts,
    SplitRule,
    SplitScratch,
)
from anonlib.analyses.generalization.search.problem import Problem
from anonlib.basics.progress import Progress
from anonlib.counting.privacy_models import AttributeDisclosure

_MOST_VALUES = 20_000  # of all columns: a bit each, for each part
_MOST_PLACES = 2**23  # to count combinations of labels in
_PASSES = 4  # labels that have come into being let others be parted
_AT_ONCE = 64  # parts that are split between two looks


def numbered_labels(problem: Problem, j: int) -> tuple[np.ndarray, list[str | None]]:
    """intp, levels x values: the number of the label that each value of a column has; equal labels have one number, on
    whatever level. And the labels in the order of these numbers."""
    levels = problem.ladders.levels[j]
    number: dict[str | None, int] = {}
    of_label = [[number.setdefault(label, len(number)) for label in labels] for labels in levels.labels]
    of_value = np.array([np.array(of_label[level])[levels.group[level]] for level in range(levels.n_levels)])
    return of_value, list(number)


def is_of_few(guarantee: object) -> bool:
    """Whether nobody's value may be certain for somebody who knows one fact, or two."""
    return isinstance(guarantee, AttributeDisclosure) and guarantee.p == 0 and guarantee.most_known in (1, 2)


@dataclass(frozen=True, eq=False)
class SplitRows:
    """Parts that were found: the order of rows, what is made of it, and what has to hold of each part.

    Attributes
    ----------
    table, asked, rule, room : LabelTable, PartLimits, SplitRule, SplitScratch
        The rows, what must hold of a part, how splits were compared, and arrays to count in, as
        :func:`.splitting_kernel.split` takes them.
    state : np.ndarray
        One uint64, from which numbers at random go on to be drawn.
    order : np.ndarray
        int64, the rows; ``split``: their levels, and where parts begin.
    """

    table: LabelTable
    asked: PartLimits
    rule: SplitRule
    room: SplitScratch
    state: np.ndarray
    order: np.ndarray
    split: SplitParts

    def of(self, kept: np.ndarray) -> SplitRows:
        """The same without the rows that are not kept (bool)."""
        part = np.cumsum(self.split.begins) - 1
        region = self.split.regions[np.flatnonzero(self.split.begins)]
        places = np.flatnonzero(kept[self.order])
        begins = np.append(True, np.diff(part[places]) != 0)[: len(places)]
        regions = np.zeros((len(places), region.shape[1]), dtype=np.uint64)
        regions[begins] = region[part[places][begins]]
        table = self.table._replace(counts=np.where(kept, self.table.counts, 0))
        split_parts = SplitParts(self.split.levels.copy(), begins, regions)
        return SplitRows(table, self.asked, self.rule, self.room, self.state, self.order[places], split_parts)

    def copy(self) -> SplitRows:
        split_parts = SplitParts(*(array.copy() for array in self.split))
        return SplitRows(self.table, self.asked, self.rule, self.room, self.state, self.order.copy(), split_parts)

    @property
    def runs(self) -> tuple[np.ndarray, np.ndarray]:
        """Where parts begin, and where they end."""
        begin = np.flatnonzero(self.split.begins)
        return begin, np.append(begin[1:], len(self.order)).astype(np.int64)


class FewFacts:
    """What somebody may know of a few facts, and the numbers of labels to count it by."""

    def __init__(self, problem: Problem, coarsened: Sequence[int], guarantees: Sequence[AttributeDisclosure]) -> None:
        self.problem, self.coarsened, self.guarantees = problem, list(coarsened), list(guarantees)
        self.names = list(dict.fromkeys(name for guarantee in guarantees for name in guarantee.columns))
        sets = [(q, facts) for q, guarantee in enumerate(guarantees) for facts in guarantee.sets()]
        self.pairs = np.array([[self.names.index(facts[0]), self.names.index(facts[-1])] for _, facts in sets])
        self.condition = np.array([q for q, _ in sets], dtype=np.int64)
        column = {problem.columns[j]: place for place, j in enumerate(self.coarsened)}
        exact = [name for name in self.names if name not in column]
        column |= {name: -1 - place for place, name in enumerate(exact)}
        self.column = np.array([column[name] for name in self.names], dtype=np.int64)
        self.numbers = [numbered_labels(problem, j)[0] for j in self.coarsened]
        coded = problem.rows.coded(exact, {})
        self.exact = {name: coded.codes[name] for name in exact}
        self.n_labels = np.array([
            max(1, len(coded.labels[name])) if name in exact else 1 + int(self.numbers[column[name]].max(initial=0))
            for name in self.names
        ])  # fmt: skip

    @classmethod
    def of(cls, problem: Problem, coarsened: Sequence[int], table: LabelTable) -> FewFacts | None:
        """None where nobody is asked about, or columns have too many values for it."""
        guarantees = [
            guarantee
            for guarantee in problem.guarantees
            if isinstance(guarantee, AttributeDisclosure) and is_of_few(guarantee)
        ]
        if not guarantees or not coarsened or int(table.n.sum()) > _MOST_VALUES:
            return None
        return cls(problem, coarsened, guarantees)

    def split_on(self, parts: SplitRows, progress: Progress) -> np.ndarray:
        """Split parts of which nobody violates anything on; the levels of all rows then.

        ``parts`` are the parts of those who are kept; ``progress`` is called with the share that is done.
        """
        facts = self._facts(parts)
        if facts is None or count_all(facts).any():
            return parts.split.levels
        first = parts.copy()
        lost = np.inf
        for turn in range(_PASSES):
            begin, end = parts.runs
            now = 0.0
            for at in range(0, len(begin), _AT_ONCE):
                run = slice(at, at + _AT_ONCE)
                now += split_all(
                    parts.table, parts.asked, facts, parts.rule, parts.order, begin[run], end[run], parts.state,
                    parts.room, parts.split,
                )  # fmt: skip
                progress((turn + at / len(begin)) / _PASSES)
            if now >= lost - 1e-9:
                break
            lost = now
        self._take_back(facts, first, parts)
        return parts.split.levels

    def _read(self, parts: SplitRows) -> ReadOffParts:
        begin, end = parts.runs
        of_row = np.zeros(len(parts.table.counts), dtype=np.int64)
        of_row[parts.order] = np.repeat(np.arange(len(begin)), end - begin)
        size = np.add.reduceat(parts.table.counts[parts.order], begin) if len(begin) else np.zeros(0)
        most = max((int(codes.max(initial=0)) + 1 for codes in self.exact.values()), default=0)
        start = np.zeros((len(self.exact), most + 1), dtype=np.int64)
        rows = np.zeros((len(self.exact), len(of_row)), dtype=np.int64)
        for place, codes in enumerate(self.exact.values()):
            rows[place] = np.argsort(codes, kind="stable")
            start[place, 1:] = np.cumsum(np.bincount(codes, minlength=most))
        return ReadOffParts(
            parts.order, begin, end, np.argsort(-size, kind="stable"), of_row, parts.split.regions[begin], self.column,
            start, rows,
        )  # fmt: skip

    def _take_back(self, facts: PairCounts, first: SplitRows, parts: SplitRows) -> None:
        """Put the parts together again in which somebody's value is certain, until nobody's is."""
        begin, end = first.runs
        while True:
            certain = certain_by_regions(parts.table, facts, self._read(parts)) | count_all(facts)
            if not certain.any():
                return
            of_part = np.add.reduceat(certain[first.order], begin) > 0
            split = [
                (lo, hi)
                for lo, hi in zip(begin[of_part].tolist(), end[of_part].tolist(), strict=True)
                if parts.split.begins[lo + 1 : hi].any()
                or (parts.split.levels[first.order[lo]] != first.split.levels[first.order[lo]]).any()
            ]
            for lo, hi in split or zip(begin.tolist(), end.tolist(), strict=True):
                run = slice(lo, hi)
                parts.order[run], parts.split.begins[run] = first.order[run], first.split.begins[run]
                parts.split.regions[run] = first.split.regions[run]
                rows = first.order[run]
                parts.split.levels[rows] = first.split.levels[rows]
            if not split:
                return
            self._label(facts, parts)

    def _label(self, facts: PairCounts, parts: SplitRows) -> None:
        """Write the labels that all rows have at their levels."""
        for fact, (name, column) in enumerate(zip(self.names, self.column.tolist(), strict=True)):
            if column < 0:
                facts.label[fact] = self.exact[name]
            else:
                levels, values = parts.split.levels[:, column], parts.table.values[column]
                facts.label[fact] = self.numbers[column][levels, values]

    def _facts(self, parts: SplitRows) -> PairCounts | None:
        """What is counted of; None where there are too many combinations of labels."""
        spans = self.n_labels[self.pairs]
        sizes = [int(a) * int(b) for a, b in spans.tolist()]
        at = np.append(0, np.cumsum(sizes))
        keys, n_places = np.zeros(0, dtype=np.int64), int(at[-1])
        if n_places > _MOST_PLACES:
            keys, n_places = np.full(_MOST_PLACES, -1, dtype=np.int64), _MOST_PLACES
        names = [guarantee.sensitive for guarantee in self.guarantees]
        coded = self.problem.rows.coded(names, {}).as_read(names)
        harms = [coded.harms(guarantee.sensitive, guarantee.harmless) for guarantee in self.guarantees]
        padded = np.zeros((len(harms), max(map(len, harms))), dtype=bool)
        for q, of_value in enumerate(harms):
            padded[q, : len(of_value)] = of_value
        of_column = np.full(len(self.coarsened), -1, dtype=np.int64)
        of_column[self.column[self.column >= 0]] = np.flatnonzero(self.column >= 0)
        of_fact = [np.flatnonzero((self.pairs == fact).any(axis=1)) for fact in range(len(self.names))]
        number = [
            of_value[: self.problem.highest[j] + 1].ravel()
            for j, of_value in zip(self.coarsened, self.numbers, strict=True)
        ]
        facts = PairCounts(
            label=np.zeros((len(self.names), len(parts.table.counts)), dtype=np.int32),
            number=np.concatenate(number).astype(np.int32),
            of_column=of_column,
            pairs=self.pairs,
            at=at[:-1].astype(np.int64),
            span=spans[:, 1].astype(np.int64),
            start=np.append(0, np.cumsum([len(pairs) for pairs in of_fact])).astype(np.int64),
            of_fact=np.concatenate(of_fact),
            condition=self.condition,
            values=np.array([coded.codes[name] for name in names], dtype=np.int32),
            harms=padded,
            counts=parts.table.counts,
            keys=keys,
            n=np.zeros(n_places, dtype=np.int64),
            total=np.zeros(n_places, dtype=np.int64),
            squares=np.zeros(n_places, dtype=np.int64),
            used=np.zeros(1, dtype=np.int64),
            moved=np.zeros(len(parts.order), dtype=np.int64),
            old=np.zeros(len(parts.order), dtype=np.int32),
            new=np.zeros(len(parts.order), dtype=np.int32),
        )
        self._label(facts, parts)
        taken = (len(np.unique(facts.label[a].astype(np.int64) * self.n_labels[b] + facts.label[b]))
                 for a, b in self.pairs.tolist())  # fmt: skip
        return None if len(keys) and sum(taken) > len(keys) // 2 else facts
