"""Who is counted, as codes, and who shares what is known.

First things that can be known, with those of whom they are true (:class:`Peers`), and the values that somebody is then
certain of. Then those who are counted, who say who their peers are: records with one row each (:class:`CodedRows`), and
persons with several (:class:`CodedPersons`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from math import perm

import numpy as np

from anonlib.basics.errors import InputError
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.coding import sum_by, tally, tally_keys
from anonlib.counting.classes.person_table import PersonTable
from anonlib.counting.classes.rows_of_persons import ValueSet, alike_profiles, distinct_pairs, numbered_runs, starts_of
from anonlib.counting.privacy_models.models import (
    ALL,
    ONE,
    VALUES,
    AttributeDisclosure,
    KAnonymity,
    KnownFacts,
    RowsKnown,
    facts_of_whole_rows,
)
from anonlib.values.spellings import read_as_one

# ---- who shares what is known ----


@dataclass(frozen=True, eq=False)
class Peers:
    """Things that can be known of those who are counted: records, or persons by their profile.

    Attributes
    ----------
    holder : np.ndarray | None
        Intp, an item each: of whom a thing is true, in ascending order; None where each is true of one alone, in their
        order.
    thing : np.ndarray
        Intp, as many items: the number of the thing; no pair of holder and thing occurs twice.
    sizes : np.ndarray
        int64, per thing of how many records (persons) it is true; 0 for a number that no thing has.
    n_holders : int
        How many are counted.
    asked : np.ndarray, optional
        bool, an item each: whether the holder has to be safe from who knows the thing, and does not only hide others;
        None: always.
    """

    holder: np.ndarray | None
    thing: np.ndarray
    sizes: np.ndarray
    n_holders: int
    asked: np.ndarray | None = None

    @classmethod
    def of(cls, holder: np.ndarray, thing: np.ndarray, counts: np.ndarray, asked: np.ndarray | None = None) -> Peers:
        """The things of holders who count so much; ``thing`` are numbers from 0."""
        thing, sizes = tally_keys(thing, int(thing.max(initial=-1)) + 1, counts[holder])
        return cls(holder, thing, sizes, len(counts), asked)

    @classmethod
    def joined(cls, parts: Sequence[Peers]) -> Peers:
        """The things of all parts together."""
        ends = np.cumsum([len(part.sizes) for part in parts])
        holder = np.concatenate([part.of_item for part in parts])
        thing = np.concatenate([part.thing + end - len(part.sizes) for part, end in zip(parts, ends, strict=True)])
        asked = np.concatenate([np.ones(len(part.thing), bool) if part.asked is None else part.asked for part in parts])
        order = np.argsort(holder, kind="stable")
        sizes = np.concatenate([part.sizes for part in parts])
        return cls(holder[order], thing[order], sizes, parts[0].n_holders, asked[order])

    @property
    def of_item(self) -> np.ndarray:
        """intp, an item each: of whom it is."""
        return np.arange(self.n_holders) if self.holder is None else self.holder

    def any_of(self, of_item: np.ndarray) -> np.ndarray:
        """bool, a holder each: some thing that is asked of them has this (bool, an item each)."""
        if self.asked is not None:
            of_item = of_item & self.asked
        if self.holder is None:
            return of_item
        of_holder = np.zeros(self.n_holders, dtype=bool)
        of_holder[self.holder[of_item]] = True
        return of_holder

    def fewer_than(self, least: int) -> np.ndarray:
        """bool, a holder each: somebody may know a thing that is true of fewer than ``least``."""
        return self.any_of((self.sizes < least)[self.thing])

    def least_sizes(self) -> np.ndarray:
        """int64, a holder each: of how few the rarest thing is true that somebody may know of them."""
        sizes = self.sizes[self.thing]
        if self.holder is None and self.asked is None:
            return sizes
        least = np.full(self.n_holders, np.iinfo(np.int64).max)
        chosen = slice(None) if self.asked is None else self.asked
        np.minimum.at(least, self.of_item[chosen], sizes[chosen])
        return least


@dataclass(frozen=True, eq=False)
class HeldValues:
    """The values that each holder has in one column, each once; missing ones are none.

    Attributes
    ----------
    start : np.ndarray
        int64, holders + 1: where the values of each begin in ``value``, and the end.
    value : np.ndarray
        Intp, codes of labels.
    span : int
        Codes are below it.
    """

    start: np.ndarray
    value: np.ndarray
    span: int


@dataclass(frozen=True, eq=False)
class CertainValues:
    """Values that somebody is sure of.

    Attributes
    ----------
    item : np.ndarray
        Intp, ascending: the item of :class:`Peers` by which it is known, each as often as it tells a value.
    value : np.ndarray
        Intp, as many: the code of the value.
    """

    item: np.ndarray
    value: np.ndarray

    def holders(self, peers: Peers) -> np.ndarray:
        """bool, a holder each: somebody is sure of a value of theirs."""
        of_item = np.zeros(len(peers.thing), dtype=bool)
        of_item[self.item] = True
        return peers.any_of(of_item)


def sure(peers: Peers, counts: np.ndarray, held: HeldValues, harms: np.ndarray, p: float) -> CertainValues:
    """Of what somebody is sure: a value that nearly all have of whom a thing that they know is true.

    Parameters
    ----------
    peers : Peers
        What may be known.
    counts : np.ndarray
        What each holder counts.
    held : HeldValues
        The values of the column.
    harms : np.ndarray
        Per code, whether to be sure of it does harm.
    p : float
        In [0, 1): the share of the peers that may lack the value.
    """
    holder = peers.of_item
    n_values = np.diff(held.start)[holder]
    item = np.repeat(np.arange(len(holder)), n_values)
    ends = np.cumsum(n_values)
    value = held.value[np.repeat(held.start[:-1][holder] - (ends - n_values), n_values) + np.arange(len(item))]
    thing, span = peers.thing[item], max(1, held.span)
    key, having = tally_keys(thing * span + value, len(peers.sizes) * span, counts[holder[item]])
    certain = harms[value] & nearly_all(having[key], peers.sizes[thing], p)
    return CertainValues(item[certain], value[certain])


def nearly_all(having: np.ndarray, peers: np.ndarray, p: float) -> np.ndarray:
    """bool each: at most a share ``p`` of the peers are not among those who have it."""
    return having == peers if p == 0 else (peers - having) / np.maximum(1, peers) <= p


# ---- records ----

Groups = tuple[np.ndarray, np.ndarray]
"""Per row the number of its group, and per number the records in that group: 0 where no row has the number."""


@dataclass(frozen=True, eq=False)
class CodedRows:
    """Distinct rows of released values, as codes. Each row is a holder of :class:`Peers`.

    Attributes
    ----------
    codes : Mapping[str, np.ndarray]
        By column, intp, a row each.
    labels : Mapping[str, np.ndarray]
        By column, the label of each code (object array, None = missing).
    counts : np.ndarray
        int64, records of each row, 0 or more.
    first_read : Mapping[str, np.ndarray], optional
        By column whose labels have the code of the first one that is read as the same (:meth:`as_read`), intp, per
        label that code.
    """

    codes: Mapping[str, np.ndarray]
    labels: Mapping[str, np.ndarray]
    counts: np.ndarray
    first_read: Mapping[str, np.ndarray] = field(default_factory=dict)

    @classmethod
    def of(cls, classes: ClassTable) -> CodedRows:
        """The classes of a table as rows."""
        codes = {name: classes.codes[:, j].astype(np.intp) for j, name in enumerate(classes.attributes)}
        return cls(codes, dict(zip(classes.attributes, classes.categories, strict=True)), classes.counts)

    @property
    def n_records(self) -> int:
        """Records in all rows."""
        return int(self.counts.sum())

    @property
    def n_looked_at(self) -> int:
        """Rows that are looked at for each set of columns."""
        return len(self.counts)

    def has_rows_of(self, other: object) -> bool:
        """Whether these are the same rows, with the same labels and as many records of each."""
        return (
            isinstance(other, CodedRows)
            and self.codes.keys() == other.codes.keys()
            and np.array_equal(self.counts, other.counts)
            and all(np.array_equal(self.labels[name], other.labels[name]) for name in self.codes)
            and all(np.array_equal(codes, other.codes[name]) for name, codes in self.codes.items())
        )

    def as_read(self, columns: Iterable[str]) -> CodedRows:
        """The rows in which labels of some columns have one code where a person reads them as one value.

        They are as many and in the same order; these rows themselves where no labels are read as one.
        """
        first_read = {
            name: first
            for name in columns
            if name not in self.first_read and (first := read_as_one(self.labels[name])) is not None
        }
        if not first_read:
            return self
        codes = {
            name: first_read[name][column_codes] if name in first_read else column_codes
            for name, column_codes in self.codes.items()
        }
        return replace(self, codes=codes, first_read={**self.first_read, **first_read})

    @cached_property
    def _codes_and_spans(self) -> dict[str, tuple[np.ndarray, int]]:
        return {name: (codes, max(1, len(self.labels[name]))) for name, codes in self.codes.items()}

    def groups(self, columns: Iterable[str]) -> Groups:
        """The groups that share their values in some columns; none of them: everyone is in one."""
        chosen = [self._codes_and_spans[name] for name in columns]
        return tally([codes for codes, _ in chosen], [span for _, span in chosen], self.counts)

    def peers(self, columns: Iterable[str], rows: RowsKnown = VALUES) -> Peers:
        """Who shares the values of some columns. A record is one row, whatever is known of rows."""
        ids, sizes = self.groups(columns)
        return Peers(None, ids, sizes, len(ids))

    def known(self, guarantee: KAnonymity | AttributeDisclosure) -> Iterator[tuple[tuple[str, ...], Peers]]:
        """All that a guarantee takes somebody to know: the columns in it, and who shares it."""
        for columns in guarantee.sets():
            yield columns, self.peers(columns, guarantee.rows)

    def n_known(self, guarantee: KAnonymity | AttributeDisclosure) -> int:
        """How many things :meth:`known` gives."""
        return guarantee.n_sets

    def held(self, column: str) -> HeldValues:
        """The value of each row in a column."""
        present = np.array([label is not None for label in self.labels[column]], dtype=bool)
        codes, span = self._codes_and_spans[column]
        has_value = present[codes]
        start = np.append(0, np.cumsum(has_value)).astype(np.int64)
        return HeldValues(start, codes[has_value], span)

    def held_in_sets(self, column: str) -> HeldValues | None:
        """The values in the set of each row, of persons whose several rows are counted as sets; None without sets."""
        labels = self.labels[column]
        if not any(isinstance(label, ValueSet) for label in labels):
            return None
        members = [
            label.members if isinstance(label, ValueSet) else () if label is None else (label,) for label in labels
        ]
        texts = np.array([*dict.fromkeys(text for of_label in members for text in of_label), None], dtype=object)[:-1]
        place = list(range(len(texts)))
        if column in self.first_read and (first := read_as_one(texts)) is not None:
            place = first.tolist()
        number = dict(zip(texts.tolist(), place, strict=True))
        members = [tuple({number[text]: text for text in of_label}.values()) for of_label in members]
        value = np.array([number[text] for texts in members for text in texts], dtype=np.intp)
        starts = np.append(0, np.cumsum([len(texts) for texts in members]))[:-1]
        n_values = np.array([len(texts) for texts in members])[self.codes[column]]
        ends = np.cumsum(n_values)
        places = np.repeat(starts[self.codes[column]] - (ends - n_values), n_values) + np.arange(n_values.sum())
        return HeldValues(np.append(0, ends).astype(np.int64), value[places], len(number))

    def harms(self, column: str, harmless: Sequence[str]) -> np.ndarray:
        """bool, a code each: to be sure of its label does harm: it is not missing and none of the harmless ones.

        Of labels that are read as one all have to be harmless, as all values of a coarser label have to.
        """
        spared = set(harmless)
        of_label = np.array([label is not None and label not in spared for label in self.labels[column]], dtype=bool)
        if column in self.first_read:
            np.logical_or.at(of_label, self.first_read[column], of_label.copy())
        return of_label if len(of_label) else np.zeros(1, dtype=bool)

    def alike(self, column: str) -> tuple[np.ndarray, int]:
        """Codes of what each holder has in a column, and what they are below: a value, or missing."""
        return self._codes_and_spans[column]

    def left(self, counts: np.ndarray) -> CodedRows:
        """The rows with other records, without those that have none left."""
        kept = counts > 0
        if kept.all():
            return replace(self, counts=counts)
        codes = {name: codes[kept] for name, codes in self.codes.items()}
        return replace(self, codes=codes, counts=counts[kept])

    def by_text(self, names: Sequence[str]) -> tuple[CodedRows, np.ndarray]:
        """The rows in the order of some columns' labels as text, and each row's old place.

        The codes stay as they are: their order is that of the values where distances depend on it.
        """
        ranks = [in_text_order(self.labels[name])[self.codes[name]] for name in reversed(names)]
        order = np.lexsort([np.zeros(len(self.counts), np.intp), *ranks])
        codes = {name: column_codes[order] for name, column_codes in self.codes.items()}
        return replace(self, codes=codes, counts=self.counts[order]), order


def harmless_labels(values: Iterable[str], labels: Iterable[str | None], harmless: Collection[str]) -> tuple[str, ...]:
    """The labels all of whose values are harmless: of others somebody may be sure of one that harms, or another.

    Values are all that occur in a column, none missing; labels, in the same order, what each is released as (None:
    missing); harmless are values that anybody may be sure of.
    """
    spared, labels = set(harmless), list(labels)
    harmful = {label for value, label in zip(values, labels, strict=True) if value not in spared}
    return tuple(
        dict.fromkeys(label for label in labels if label is not None and label.strip() and label not in harmful)
    )


def in_text_order(labels: np.ndarray) -> np.ndarray:
    """intp, per label its place in the order of their text, missing last."""
    order = sorted(range(len(labels)), key=lambda i: (labels[i] is None, labels[i] or ""))
    rank = np.empty(len(labels), dtype=np.intp)
    rank[order] = np.arange(len(labels))
    return rank


# ---- persons with several rows ----

MOST_CHOICES = 20_000_000
"""Most ways to choose so many rows of each person that are looked at."""


class TooManyChoices(InputError):
    """There are too many ways to choose the rows that are known."""


@dataclass(frozen=True, eq=False)
class CodedPersons:
    """Persons with all of their rows. Those with equal rows are one profile, which is a holder of :class:`Peers`.

    Attributes
    ----------
    rows : CodedRows
        The distinct rows; their counts are rows of the file.
    counts : np.ndarray
        int64, persons of each profile, 0 or more.
    start : np.ndarray
        int64, profiles + 1: where the rows of each profile begin in ``row`` and ``times``, and the end.
    row, times : np.ndarray
        Intp, positions in ``rows``, and how often a person of the profile has that row.
    linked : bool, default True
        Whether it can be seen that rows are of one person. Where they cannot, who knows a row learns nothing of the
        others.
    within : tuple[str, ...], default ()
        Columns of ``rows`` that say which rows of a person hang together (:class:`PersonTable`): who knows all rows
        knows that too.
    """

    rows: CodedRows
    counts: np.ndarray
    start: np.ndarray
    row: np.ndarray
    times: np.ndarray
    linked: bool = True
    within: tuple[str, ...] = ()

    @classmethod
    def of(cls, table: PersonTable, linked: bool = True) -> CodedPersons:
        """The persons of a table."""
        return cls(CodedRows.of(table.rows), table.persons, table.start, table.row, table.times, linked, table.within)

    @property
    def n_records(self) -> int:
        """All persons."""
        return int(self.counts.sum())

    @cached_property
    def n_rows(self) -> np.ndarray:
        """int64, per profile the rows of a person."""
        return np.add.reduceat(np.append(self.times, 0), self.start[:-1]) * (np.diff(self.start) > 0)

    @cached_property
    def profile(self) -> np.ndarray:
        """intp, as long as ``row``: the profile that has it."""
        return np.repeat(np.arange(len(self.counts)), np.diff(self.start))

    @property
    def codes(self) -> Mapping[str, np.ndarray]:
        """As of :class:`CodedRows`: by column, of each distinct row."""
        return self.rows.codes

    @property
    def n_looked_at(self) -> int:
        """Rows of profiles, which are looked at for each set of columns."""
        return len(self.row)

    def has_rows_of(self, other: object) -> bool:
        """Whether these are the same persons with the same rows, linked or not."""
        return (
            isinstance(other, CodedPersons)
            and all(
                np.array_equal(mine, theirs)
                for mine, theirs in (
                    (self.counts, other.counts), (self.start, other.start), (self.row, other.row),
                    (self.times, other.times),
                )
            )
            and self.rows.has_rows_of(other.rows)
        )  # fmt: skip

    def is_unlinked(self, guarantee: AttributeDisclosure) -> bool:
        """Whether somebody who knows one row learns nothing of the person's other rows."""
        return not self.linked and guarantee.rows == ONE

    def as_read(self, columns: Iterable[str]) -> CodedPersons:
        """The persons with labels of some columns as :meth:`CodedRows.as_read` has them, in the same profiles."""
        names = tuple(columns)
        if names not in self._as_read:
            rows = self.rows.as_read(names)
            self._as_read[names] = self if rows is self.rows else replace(self, rows=rows)
        return self._as_read[names]

    @cached_property
    def _as_read(self) -> dict[tuple[str, ...], CodedPersons]:
        return {}

    # ---- what can be known ----

    def known(
        self, guarantee: KAnonymity | AttributeDisclosure, by: Collection[tuple[str, ...]] | None = None
    ) -> Iterator[tuple[tuple[str, ...], Peers]]:
        """All that a guarantee takes somebody to know (by some sets of columns): the columns, and who shares it."""
        for columns in guarantee.sets():
            if by is None or columns in by:
                yield columns, self.peers(columns, ONE if isinstance(guarantee.rows, int) else guarantee.rows)
        for facts in guarantee.facts():
            if by is not None and facts.columns not in by:
                continue
            assert isinstance(guarantee.rows, int)
            peers = self.peers_by_facts(facts, guarantee.rows)
            # Who knows fewer rows has more peers, of whom more may have a likely value.
            yield facts.columns, replace(peers, asked=None) if facts.whole and guarantee.every_size else peers

    def n_known(self, guarantee: KAnonymity | AttributeDisclosure) -> int:
        """How many things :meth:`known` gives."""
        return guarantee.n_sets + sum(1 for _ in guarantee.facts())

    def peers(self, columns: Iterable[str], rows: RowsKnown) -> Peers:
        """Who shares the values of some columns, by what is known of rows."""
        names = tuple(columns)
        if isinstance(rows, int) and rows > 1:
            # Fewer rows are asked of everybody too: the values of more peers can be less diverse, or further from all.
            several = (replace(self.peers_by_facts(facts, rows), asked=None)
                       for facts in facts_of_whole_rows(names, rows))  # fmt: skip
            return Peers.joined([self.peers(names, ONE), *several])
        if rows == VALUES:
            chosen = [self.alike(name) for name in names]
            thing, sizes = tally([codes for codes, _ in chosen], [span for _, span in chosen], self.counts)
            return Peers(None, thing, sizes, len(self.counts))
        if rows == ALL:
            thing = self.all_rows(names)
            return Peers(None, *tally_keys(thing, len(self.counts), self.counts), len(self.counts))
        of_row, sizes = self.rows.groups(names)
        holder, thing, _ = distinct_pairs(self.profile, of_row[self.row], len(sizes))
        return Peers.of(holder, thing, self.counts)

    def all_rows(self, columns: Iterable[str]) -> np.ndarray:
        """intp, per profile a number of its values in some columns, in all rows, with their number.

        Rows that hang together below one row count as one with all that it holds: the number is the same for no others
        than those whose rows hang together in the same way.
        """
        of_row, sizes = self.rows.groups(columns)
        owner, code, times, span = self.profile, of_row[self.row], self.times, len(sizes)
        numbers = [self.rows.alike(name) for name in self.within]
        inside = [codes[self.row] for codes, _ in numbers]
        for i in reversed(range(len(inside))):
            has_number = np.array([label is not None for label in self.rows.labels[self.within[i]]] or [False])
            hangs = has_number[inside[i]]
            holders, first, held = np.unique(
                owner[hangs] * numbers[i][1] + inside[i][hangs], return_index=True, return_inverse=True
            )
            what = _multisets(held, code[hangs], times[hangs], len(holders), span)
            owner = np.concatenate([owner[~hangs], owner[hangs][first]])
            code = np.concatenate([code[~hangs], span + what])
            times = np.concatenate([times[~hangs], np.ones(len(what), dtype=times.dtype)])
            inside = [np.concatenate([codes[~hangs], codes[hangs][first]]) for codes in inside[:i]]
            span += int(what.max(initial=-1)) + 1
        return _multisets(owner, code, times, len(self.counts), span)

    def alike(self, column: str) -> tuple[np.ndarray, int]:
        """Codes of the set of values that each profile has in a column, and what they are below.

        A missing value gives way to one that is present. Sets come after single values, and nothing last.
        """
        if column not in self._sets:
            held = self.held(column)
            number = numbered_runs(held.start, held.value)
            first = np.unique(number, return_index=True)[1]
            sets = [held.value[held.start[run] : held.start[run + 1]].tolist() for run in first.tolist()]
            order = sorted(range(len(sets)), key=lambda i: (not sets[i], len(sets[i]) > 1, sets[i]))
            rank = np.empty(len(order), dtype=np.intp)
            rank[order] = np.arange(len(order))
            self._sets[column] = rank[number], max(1, len(order))
        return self._sets[column]

    @cached_property
    def _sets(self) -> dict[str, tuple[np.ndarray, int]]:
        return {}

    @cached_property
    def _held(self) -> dict[str, HeldValues]:
        return {}

    def held(self, column: str) -> HeldValues:
        """The values that the rows of each profile have in a column, each once and ascending; missing ones are none."""
        if column not in self._held:
            labels = self.rows.labels[column]
            present = np.array([label is not None for label in labels], dtype=bool)
            codes = self.rows.codes[column][self.row]
            has_value = present[codes]
            owner, value, _ = distinct_pairs(self.profile[has_value], codes[has_value], len(labels))
            self._held[column] = HeldValues(starts_of(owner, len(self.counts)), value, max(1, len(labels)))
        return self._held[column]

    def harms(self, column: str, harmless: Sequence[str]) -> np.ndarray:
        """bool, a code each: to be sure of its label does harm."""
        return self.rows.harms(column, harmless)

    def sharing_a_row(self, columns: Sequence[str]) -> np.ndarray:
        """int64, as long as ``row``: how many persons have a row like it in some columns."""
        of_row, sizes = self.rows.groups(columns)
        holder, thing, _ = distinct_pairs(self.profile, of_row[self.row], len(sizes))
        return sum_by(thing, len(sizes), self.counts[holder])[of_row[self.row]]

    def of_one_row(self, columns: Sequence[str], sensitive: str) -> tuple[Peers, Peers]:
        """Who shares the values of some columns in one row, and who shares that of a sensitive column in it too."""
        alone, both = self.rows.groups(columns), self.rows.groups((*columns, sensitive))
        things = [distinct_pairs(self.profile, ids[self.row], len(sizes)) for ids, sizes in (alone, both)]
        return Peers.of(*things[0][:2], self.counts), Peers.of(*things[1][:2], self.counts)

    # ---- several rows of a person ----

    def peers_by_facts(self, facts: KnownFacts, most_rows: int) -> Peers:
        """Who shares some facts about several rows, each of another row of theirs.

        Raises
        ------
        TooManyChoices
            When there are more than :data:`MOST_CHOICES` ways to choose such rows.
        """
        chosen = self._choices(len(facts.of_rows))
        owner = self.profile[chosen[:, 0]]
        codes, spans = [], []
        for place, own in enumerate(facts.of_rows):
            of_row, sizes = self.rows.groups((*facts.of_all, *own))
            codes.append(of_row[self.row[chosen[:, place]]])
            spans.append(len(sizes))
        alike = np.column_stack(codes)
        for own in set(facts.of_rows):  # facts of one kind are in no order
            places = [place for place, other in enumerate(facts.of_rows) if other == own]
            alike[:, places] = np.sort(alike[:, places], axis=1)
        thing, sizes = tally(list(np.ascontiguousarray(alike.T, dtype=np.intp)), spans, np.ones(len(owner), np.int64))
        holder, thing, _ = distinct_pairs(owner, thing, len(sizes))
        return Peers.of(holder, thing, self.counts, self._are_asked(facts, most_rows)[holder])

    def _are_asked(self, facts: KnownFacts, most_rows: int) -> np.ndarray:
        """bool per profile: who knows at most so many rows can know these facts of it."""
        if facts.whole:
            return np.minimum(self.n_rows, most_rows) == len(facts.of_rows)
        asked = np.ones(len(self.counts), dtype=bool)
        for column in facts.of_all:
            codes, begins = self.rows.codes[column][self.row], self.start[:-1]
            asked &= np.maximum.reduceat(codes, begins) == np.minimum.reduceat(codes, begins)
        return asked

    @cached_property
    def _chosen(self) -> dict[int, np.ndarray]:
        return {}

    def _choices(self, number: int) -> np.ndarray:
        """Every choice of so many rows of a person, in every order: positions in ``row``, choices x number."""
        if number not in self._chosen:
            if sum(perm(n, number) for n in self.n_rows.tolist()) > MOST_CHOICES:
                raise TooManyChoices(
                    f"There are too many ways to know {number:,} rows of a person to look at all. Choose fewer rows, "
                    "or all of them.",
                    code="too-many-choices",
                )
            times = np.minimum(self.times, number)
            row = np.repeat(np.arange(len(self.row)), times)  # each as often as a person has it
            start = starts_of(self.profile[row], len(self.counts))
            chosen = np.arange(len(row))[:, None]
            for _ in range(number - 1):
                owner = self.profile[row[chosen[:, 0]]]
                lengths = np.diff(start)[owner]
                before = np.repeat(chosen, lengths, axis=0)
                ends = np.cumsum(lengths)
                after = np.repeat(start[owner] - (ends - lengths), lengths) + np.arange(len(before))
                kept = (before != after[:, None]).all(axis=1)
                chosen = np.column_stack([before[kept], after[kept]])
            self._chosen[number] = row[chosen]
        return self._chosen[number]

    def summed(self, of_row: np.ndarray) -> np.ndarray:
        """Per profile, the sum of a figure (per distinct row) over the rows of a person."""
        return np.bincount(self.profile, weights=of_row[self.row] * self.times, minlength=len(self.counts))

    # ---- changed ----

    def left(self, counts: np.ndarray) -> CodedPersons:
        """The profiles with other numbers of persons, without those that have none left."""
        kept = counts > 0
        if kept.all():
            return replace(self, counts=counts)
        of_pair = kept[self.profile]
        start = np.append(0, np.cumsum(np.diff(self.start)[kept])).astype(np.int64)
        return replace(self, counts=counts[kept], start=start, row=self.row[of_pair], times=self.times[of_pair])

    def with_times(self, times: np.ndarray) -> tuple[CodedPersons, np.ndarray, np.ndarray]:
        """The persons with fewer rows: so many of each row of a profile.

        Returns
        -------
        tuple
            The persons; and of their profiles and rows (items of ``row``) the places that these have here. Who has no
            row left is gone.
        """
        of_pair = times > 0
        remaining = np.bincount(self.profile[of_pair], minlength=len(self.counts))
        kept = remaining > 0
        start = np.append(0, np.cumsum(remaining[kept])).astype(np.int64)
        left = replace(self, counts=self.counts[kept], start=start, row=self.row[of_pair], times=times[of_pair])
        return left, np.flatnonzero(kept), np.flatnonzero(of_pair)

    def rolled_up(self, place: np.ndarray, rows: CodedRows) -> CodedPersons:
        """The same persons by coarser rows: each row becomes that at its place (intp) among ``rows``."""
        key = self.profile * max(1, len(rows.counts)) + place[self.row]
        distinct, number = np.unique(key, return_inverse=True)
        owner, row = np.divmod(distinct, max(1, len(rows.counts)))
        times = sum_by(number, len(distinct), self.times).astype(np.intp)
        same = alike_profiles(self.counts, starts_of(owner, len(self.counts)), row, times)
        return replace(self, rows=rows, counts=same.persons, start=same.start, row=same.row, times=same.times)

    def by_text(self, names: Sequence[str]) -> tuple[CodedPersons, np.ndarray, np.ndarray]:
        """The persons in an order that depends on the labels of their rows alone, and old places.

        Returns
        -------
        tuple
            The persons; of each profile, and of each of their rows (items of ``row``), its place here.
        """
        rows, order = self.rows.by_text(names)
        rank = np.empty(len(order), dtype=np.intp)
        rank[order] = np.arange(len(order))
        places = np.lexsort((rank[self.row], self.profile))  # the rows of each profile in their new order
        row, times = rank[self.row[places]], self.times[places]
        cells = np.column_stack([row, times]).astype(">i8")
        written, a_row = cells.tobytes(), cells.dtype.itemsize * cells.shape[1]
        runs = [written[a_row * low : a_row * high] for low, high in pairwise(self.start.tolist())]
        profiles = np.array(sorted(range(len(runs)), key=runs.__getitem__), dtype=np.intp)
        lengths = np.diff(self.start)[profiles]
        start = np.append(0, np.cumsum(lengths)).astype(np.int64)
        picked = np.repeat(self.start[profiles] - start[:-1], lengths) + np.arange(int(start[-1]))
        ordered = replace(
            self, rows=rows, counts=self.counts[profiles], start=start, row=row[picked], times=times[picked]
        )  # fmt: skip
        return ordered, profiles, places[picked]


def _multisets(owner: np.ndarray, code: np.ndarray, times: np.ndarray, n_owners: int, span: int) -> np.ndarray:
    """intp, per owner a number of its multiset of codes (below ``span``), each of which it has so many times."""
    key = owner * max(1, span) + code
    order = np.argsort(key, kind="stable")
    ordered = key[order]
    begins = np.flatnonzero(np.diff(ordered, prepend=-1))
    times = np.add.reduceat(times[order], begins) if len(begins) else times
    owners, codes = np.divmod(ordered[begins], max(1, span))
    return numbered_runs(starts_of(owners, n_owners), codes * (int(times.max(initial=0)) + 1) + times)


Coded = CodedRows | CodedPersons
"""Who is counted: records with one row each, or persons with theirs."""
