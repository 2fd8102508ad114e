"""What is searched where persons have several rows: who violates by what is known of these, and which go."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from anonlib.analyses.generalization.search.lattice import DecidedRows, Node
from anonlib.analyses.generalization.search.problem import Problem, RecordModel, Solution, all_hold
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.counting.classes import PersonTable
from anonlib.counting.classes.coding import tally
from anonlib.counting.privacy_models import (
    ONE,
    AttributeDisclosure,
    AverageRiskLimit,
    CodedPersons,
    CodedRows,
    KAnonymity,
    PrivacyModel,
    RowsKnown,
    average_risk,
    least_to_go,
    rows_left,
)
from anonlib.counting.privacy_models.marking import Marker, can_be_marked
from anonlib.counting.privacy_models.models import sensitive_of
from anonlib.counting.privacy_models.violations import violating

_HOPELESS = 4
"""Where leaving out rows may let others be fine, a node is passed over once this many times more persons violate than
rows may go."""
_LARGE = 5_000  # rows of persons, from which on a node takes tenths of a second
_NODES = 8  # of which who is marked is remembered


class PersonProblem(Problem):
    """As :class:`Problem`, of persons with several rows: of these rows are left out, and no more persons than must be.

    ``counts`` and masks are of profiles, ``classes`` are the distinct rows, and what is lost is lost of rows.

    Attributes
    ----------
    table : PersonTable
        The profiles of the persons, and the distinct rows that these are made of.
    linked : bool, default True
        Whether a person id tells whose rows are whose.
    needed : Sequence[str], default ()
        Columns of which a person has to have a value in some row that is left, or is left out.
    suppression_limit : int, default 0
        How many rows may be left out at most.
    most_persons : int, default 0
        How many persons may be left with none.
    """

    def __init__(
        self,
        table: PersonTable,
        hierarchies: Mapping[str, Hierarchy],
        guarantees: Sequence[PrivacyModel],
        *,
        linked: bool = True,
        needed: Sequence[str] = (),
        suppression_limit: int = 0,
        most_persons: int = 0,
        highest: Mapping[str, int] | None = None,
        weights: Mapping[str, float] | None = None,
        a_column: float = 0.0,
        unnamed: Collection[str] = (),
        values_refuse: bool = False,
        like: PersonProblem | None = None,
    ) -> None:
        self.table, self.linked, self.needed, self.most_persons = table, linked, tuple(needed), most_persons
        limit = min(suppression_limit, most_persons) if most_persons < 0 else suppression_limit
        super().__init__(
            table.rows, hierarchies, guarantees, suppression_limit=limit, highest=highest,
            weights={**(weights or {}), **dict.fromkeys(table.within, 0.0)}, a_column=a_column, divisible=False,
            unnamed=unnamed, values_refuse=values_refuse, like=like,
        )  # fmt: skip
        self.names = tuple(sorted({*self.names, *self.needed, *table.within}))
        self.n_records = table.n_persons
        self._marks_of: dict[Node, dict[RowsKnown, np.ndarray]] = {}
        self._things: dict[tuple[Any, ...], tuple[np.ndarray, int]] = {} if like is None else like._things

    @property
    def counts(self) -> np.ndarray:
        return self.table.persons

    @property
    def n_rows(self) -> int:
        return self.classes.n_records

    @property
    def is_complete(self) -> bool:
        return self.suppression_limit <= 0

    @property
    def is_large(self) -> bool:
        return len(self.table.row) > _LARGE

    @cached_property
    def is_exact(self) -> bool:
        """Only where nothing may be left out: who becomes like others by losing rows is not searched for."""
        return self.suppression_limit <= 0

    def lasts(self, guarantee: PrivacyModel) -> bool:
        return guarantee.stays if self.suppression_limit <= 0 else guarantee.stays_by_rows

    @property
    def lasts_on_average(self) -> bool:
        return False

    def changed(
        self,
        *,
        guarantees: Sequence[PrivacyModel] | None = None,
        suppression_limit: int | None = None,
        highest: Mapping[str, int] | None = None,
        a_column: float | None = None,
        values_refuse: bool | None = None,
    ) -> PersonProblem:
        most_persons = self.most_persons if suppression_limit is None else min(suppression_limit, self.table.n_persons)
        return PersonProblem(
            self.table,
            self.hierarchies,
            self.guarantees if guarantees is None else guarantees,
            linked=self.linked,
            needed=self.needed,
            suppression_limit=self.suppression_limit if suppression_limit is None else suppression_limit,
            most_persons=most_persons,
            highest=dict(zip(self.columns, self.highest, strict=True)) if highest is None else highest,
            weights=self.weights,
            a_column=self.a_column / self._all if a_column is None else a_column,
            unnamed=self.unnamed,
            values_refuse=self.values_refuse if values_refuse is None else values_refuse,
            like=self,
        )

    def whole_part(self, sets: Sequence[tuple[str, ...]], lowest: Mapping[str, int]) -> DecidedRows:
        """All profiles, each for itself: which persons are alike depends on several rows."""
        return DecidedRows(self.rows, slice(None), self.counts, {}, {}, {}, can_be_merged=False)

    # ---- who violates ----

    def coded_at(self, levels: Mapping[str, int], columns: Sequence[str] | None = None) -> CodedPersons:
        """The persons with their rows at these levels, in the columns that something is asked of, or in these ones."""
        names = self.names if columns is None else (*columns, *self.table.within)
        return self._persons(self.rows.coded(dict.fromkeys(names), levels))

    def _persons(self, rows: CodedRows) -> CodedPersons:
        table = self.table
        return CodedPersons(rows, table.persons, table.start, table.row, table.times, self.linked, table.within)

    def mask(self, guarantee: RecordModel, columns: tuple[str, ...], levels: Mapping[str, int]) -> np.ndarray:
        nobody = np.zeros(len(self.counts), dtype=bool)
        on_labels = self.on_labels(guarantee, levels)
        if on_labels is None:
            return nobody
        sensitive = sensitive_of(on_labels)
        named = columns if sensitive is None else (*columns, sensitive)
        key = (on_labels, columns, tuple(levels.get(name, 0) for name in named))
        if (mask := self._masks.held(key)) is None:
            looked_at = replace(on_labels, columns=columns)
            if isinstance(looked_at, KAnonymity | AttributeDisclosure):
                one_row = isinstance(on_labels.rows, int) and looked_at.known is not None  # so few facts may be of one
                looked_at = replace(looked_at, known=None, rows=ONE if one_row else on_labels.rows)
            mask = violating(self.coded_at(levels), looked_at)
            self._masks.put(key, mask)
        return mask

    def violating(self, guarantee: PrivacyModel, node: Node) -> np.ndarray:
        levels = dict(zip(self.columns, node, strict=True))
        on_labels = self.on_labels(guarantee, levels)
        if on_labels is None:
            return np.zeros(len(self.counts), dtype=bool)
        if guarantee in self._markers.get(guarantee.rows, (None, ()))[1]:
            marker, together = self._markers[guarantee.rows]
            return marker.of(together.index(guarantee), self._marked(guarantee.rows, node))
        key = (on_labels, tuple(levels.get(name, 0) for name in (*on_labels.columns, sensitive_of(on_labels) or "")))
        if (mask := self._masks.held(key)) is None:
            mask = violating(self.coded_at(levels), on_labels)
            self._masks.put(key, mask)
        return mask

    @cached_property
    def _markers(self) -> dict[RowsKnown, tuple[Marker, list[PrivacyModel]]]:
        """By what is known of rows, the guarantees that are looked at together."""
        together = dict[RowsKnown, list[PrivacyModel]]()
        for guarantee in dict.fromkeys(self.guarantees):
            if can_be_marked(guarantee) and guarantee.n_sets > 1:  # type: ignore[union-attr]  # those have sets
                together.setdefault(guarantee.rows, []).append(guarantee)
        at_bottom = self.coded_at({})
        return {rows: (Marker(at_bottom, guarantees), guarantees) for rows, guarantees in together.items()}  # type: ignore[arg-type]

    def _marked(self, rows: RowsKnown, node: Node) -> np.ndarray:
        """Who violates which of the guarantees that are looked at together, by any set, at a node."""
        of_node = self._marks_of.setdefault(node, {})
        if rows not in of_node:
            while len(self._marks_of) > _NODES:
                self._marks_of.pop(next(iter(self._marks_of)))
            marker, _ = self._markers[rows]
            marked = marker.nobody()
            for columns, indices in self._sets[rows].items():
                holders, bits = self._marked_by(rows, columns, indices, dict(zip(self.columns, node, strict=True)))
                marked[holders] |= bits
                self.check_stop()
            self._marks_of.setdefault(node, {})[rows] = marked
        return self._marks_of[node][rows]

    @cached_property
    def _sets(self) -> dict[RowsKnown, dict[tuple[str, ...], list[int]]]:
        """By what is known of rows, the sets of columns that are looked at, each with the guarantees that ask it."""
        by_rows: dict[RowsKnown, dict[tuple[str, ...], list[int]]] = {}
        for rows, (_, together) in self._markers.items():
            by_columns = by_rows.setdefault(rows, {})
            for i, guarantee in enumerate(together):
                for columns in guarantee.sets():  # type: ignore[union-attr]  # those have sets
                    by_columns.setdefault(tuple(sorted(columns)), []).append(i)
        return by_rows

    def _marked_by(
        self, rows: RowsKnown, columns: tuple[str, ...], indices: list[int], levels: Mapping[str, int]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Who is marked by a set of columns at their levels, and how; counted once."""
        key = ("marked", self._key, rows, columns, tuple(levels.get(name, 0) for name in columns))
        stored = self._masks.held((*key, "who"))
        if stored is None:
            marker, _ = self._markers[rows]
            marked = marker.nobody()
            chosen = [self._thing(rows, name, levels.get(name, 0)) for name in columns]
            n_things = len(self.table.row) if rows == ONE else len(self.counts)
            thing, sizes = tally([c for c, _ in chosen], [s for _, s in chosen], np.ones(n_things, dtype=np.int64))
            marker.mark(indices, thing, len(sizes), marked)
            stored = np.flatnonzero(marked.any(axis=1))
            self._masks.put((*key, "who"), stored)
            self._masks.put((*key, "how"), marked[stored])
        bits = self._masks.held((*key, "how"))
        if bits is None:  # given way to others meanwhile
            self._masks.forget((*key, "who"))
            return self._marked_by(rows, columns, indices, levels)
        return stored, bits

    @cached_property
    def _key(self) -> int:
        """Tells what is marked here from what is marked of other guarantees."""
        return hash(self.guarantees)

    def _thing(self, rows: RowsKnown, name: str, level: int) -> tuple[np.ndarray, int]:
        """What is known by one column at a level: of each row of each profile, or of each profile."""
        if (rows, name, level) not in self._things:
            coded = CodedPersons(
                self.rows.coded([name], {name: level}), self.table.persons, self.table.start, self.table.row,
                self.table.times,
            )  # fmt: skip
            if rows == ONE:
                codes, span = coded.rows.alike(name)
                self._things[rows, name, level] = codes[self.table.row], span
            else:
                self._things[rows, name, level] = coded.alike(name)
        return self._things[rows, name, level]

    def least_out(self, node: Node) -> tuple[int, np.ndarray, bool]:
        """Rows that have to go at a node at least, or about; who must lose one; and whether nobody has to."""
        must, least, holds = np.zeros(len(self.counts), dtype=bool), 0, True
        levels = dict(zip(self.columns, node, strict=True))
        for guarantee in self.guarantees:
            if isinstance(guarantee, AverageRiskLimit):
                holds &= average_risk(self.coded_at(levels), guarantee.columns, guarantee.rows) <= guarantee.limit
                continue
            mask = self.violating(guarantee, node)
            number = least_to_go(self.records(mask), self.n_records, guarantee.share)
            holds &= not number
            if self.lasts(guarantee):
                least = max(least, number)
                must |= mask if guarantee.share == 0 else False
            else:
                least = max(least, -(-number // _HOPELESS))
        return max(least, self.records(must)), must, holds

    def in_small_classes(self, average: AverageRiskLimit, node: Node) -> int:
        """The persons whose own risk is above an average that does not hold at a node."""
        coded = self.coded_at(dict(zip(self.columns, node, strict=True)))
        if average_risk(coded, average.columns, average.rows) <= average.limit:
            return 0
        sizes = coded.peers(average.columns, average.rows).least_sizes()
        return self.records(sizes * average.limit < 1)

    def below_by_their_number(self, guarantee: KAnonymity) -> tuple[int, list[int]]:
        """The persons of whom too few have as many rows, whatever these hold; and those numbers of rows."""
        n_rows = self.coded_at({}).n_rows
        persons = np.bincount(n_rows, weights=self.counts).astype(np.int64)
        few = np.flatnonzero((persons > 0) & (persons < guarantee.least))
        return int(persons[few].sum()), few.tolist()

    def excess(self, node: Node) -> int:
        total, levels = 0, dict(zip(self.columns, node, strict=True))
        for guarantee in self.guarantees:
            if isinstance(guarantee, AverageRiskLimit):
                risk = average_risk(self.coded_at(levels), guarantee.columns, guarantee.rows)
                total += int(max(0.0, risk - guarantee.limit) * self.n_records)
            else:
                violate = self.records(self.violating(guarantee, node))
                total += max(0, violate - int(guarantee.share * self.n_records))
        return total

    # ---- what a node costs ----

    def worth(self, part: DecidedRows, j: int, level: int) -> np.ndarray:
        of_row = self._worth(j, level)[self.rows.codes_at(self.columns[j], level)[self.table.row]]
        return np.minimum.reduceat(of_row, self.table.start[:-1]) if len(of_row) else of_row

    def _settle(self, node: Node) -> Solution | None:
        least, _, holds = self.least_out(node)
        if least > self.suppression_limit:
            return None
        cost = self.cost(node)
        if holds:
            return Solution(node, self.share(cost), 0)
        persons, worth, weighed = self.persons_at(node)
        leaving, refusing = self._by_what_they_do(self._asked(node))
        times = rows_left(
            persons, leaving, weighed, needed=self.needed, most_rows=self.suppression_limit,
            most_persons=self.most_persons, check_stop=self.check_stop,
        )  # fmt: skip
        if times is None:
            return None
        gone = (persons.times - times) * persons.counts[persons.profile]
        left, _, _ = persons.with_times(times)
        if not all_hold(left, refusing):
            return None
        lost = float((gone * worth[persons.row]).sum())
        return Solution(node, self.share(cost + lost), self.n_records - left.n_records, int(gone.sum()))

    def persons_at(self, node: Node) -> tuple[CodedPersons, np.ndarray, np.ndarray]:
        """The persons at a node, in the order of the labels of their rows, what each distinct row is worth, and the
        same of columns that may be named."""
        rows, worth, weighed, place = self.rolled_up(node)
        return self._persons(rows).rolled_up(place, rows).by_text(self.names)[0], worth, weighed

    def _asked(self, node: Node) -> list[PrivacyModel]:
        levels = dict(zip(self.columns, node, strict=True))
        return [
            on_labels for guarantee in self.guarantees if (on_labels := self.on_labels(guarantee, levels)) is not None
        ]

    @cached_property
    def fewest_rows_to_go(self) -> int:
        """A number of rows that no node that is allowed, and no choice of rows to leave out, goes below.

        A row that too few have at the highest levels must go whatever else does. Where nothing may go, all who violate
        there does so at every node.
        """
        if self.suppression_limit <= 0:
            lasting = [guarantee for guarantee in self.guarantees if guarantee.stays]
            return int(
                any(
                    self.records(self.violating(guarantee, self.highest)) > guarantee.share * self.n_records
                    for guarantee in lasting
                )
            )
        alone = [
            guarantee
            for guarantee in self._asked(self.highest)
            if guarantee.stays_by_rows and guarantee.share == 0 and guarantee.rows == ONE
        ]
        persons, _, weighed = self.persons_at(self.highest)
        times = rows_left(persons, alone, weighed) if alone else persons.times
        assert times is not None
        left, _, _ = persons.with_times(times)
        if self.n_records - left.n_records > self.most_persons:
            return self.suppression_limit + 1
        return int(((persons.times - times) * persons.counts[persons.profile]).sum())
