"""Who is counted, as codes: distinct rows of released values, each standing for so many records."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.coding import tally
from anonlib.counting.classes.rows_of_persons import ValueSet
from anonlib.counting.guarantees.kinds import AttributeDisclosure, KAnonymity
from anonlib.counting.guarantees.knowing import VALUES, RowsKnown
from anonlib.counting.guarantees.peers import HeldValues, Peers
from anonlib.values.spellings import read_as_one

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
        codes = {name: first_read[name][each] if name in first_read else each for name, each in self.codes.items()}
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
        codes = {name: each[order] for name, each in self.codes.items()}
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
