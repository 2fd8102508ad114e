"""What a recipe hides of known columns, and how much of it something that leaves tells."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.subsets import Subset, Subsets
from anonlib.release.readings import Cells

KNOWN = 0.95
"""Least share of the records whose original value a column tells."""
LEFT = 0.2  # largest share of wrong guesses that knowing the column may leave
_EVIDENCE = 10  # records with another than the commonest value of which a reading must be right


@dataclass(frozen=True, eq=False)
class OwnLabel:
    """What the label with which a hidden column leaves tells of its value by itself.

    Attributes
    ----------
    alike : Subset
        Who has the same label; everybody where the column is dropped.
    known : np.ndarray
        bool per class of the table, whether more than half of the others with the label have the same value.
    commonest : np.ndarray
        bool per class, whether its value is the commonest of those with the label.
    wrong : int
        Records of which one is wrong by always guessing the commonest value of the label.
    """

    alike: Subset
    known: np.ndarray
    commonest: np.ndarray
    wrong: int

    @property
    def says_something(self) -> bool:
        """Whether there are several labels."""
        return len(self.alike.sizes) > 1


class Hidden:
    """Columns that leave no more as they were, of rows that are counted, and how much of them something tells.

    Attributes
    ----------
    table : ClassTable
        The rows. Its first attributes are the hidden columns, with the values that they had.
    n : int
        Records (persons, summed weights) in it.
    wrong : list[int]
        By hidden column, of how many records one is wrong by always guessing its commonest value.
    is_shared : list[bool]
        By hidden column, whether nearly all records share their value with another.
    own : list[OwnLabel]
        By hidden column, what its own label tells.
    """

    def __init__(self, table: ClassTable, labels: Sequence[str | None]) -> None:
        """``labels`` are, by hidden column, the attribute of its label in what leaves; None where it is dropped."""
        self.table, self.n, n_hidden = table, table.n_records, len(labels)
        self.columns = [np.ascontiguousarray(table.codes[:, i], dtype=np.intp) for i in range(n_hidden)]
        self.spans = [len(values) for values in table.categories[:n_hidden]]
        sizes = [np.bincount(codes, table.counts, span) for codes, span in zip(self.columns, self.spans, strict=True)]
        self.commonest = [int(value_sizes.argmax()) if len(value_sizes) else 0 for value_sizes in sizes]
        self.wrong = [self.n - int(value_sizes.max(initial=0)) for value_sizes in sizes]
        self.is_shared = [self.n > 0 and value_sizes[value_sizes > 1].sum() / self.n >= KNOWN for value_sizes in sizes]
        self._cells: dict[str, Cells] = {}
        subsets = Subsets(table)
        self.own = [self._own(subsets, i, label) for i, label in enumerate(labels)]

    def _own(self, subsets: Subsets, i: int, label: str | None) -> OwnLabel:
        alike = subsets.everyone()
        alike = alike if label is None else subsets.refine(alike, self.table.attributes.index(label))
        pairs = subsets.refine(alike, i)
        label_of_pair = alike.group[pairs.row]
        by_size = np.lexsort((self.columns[i][pairs.row], -pairs.sizes))  # of equally common values the first
        first = by_size[np.unique(label_of_pair[by_size], return_index=True)[1]]
        is_commonest = np.zeros(len(pairs.sizes), dtype=bool)
        is_commonest[first] = True
        wrong = self.n - int(pairs.sizes[first].sum())
        return OwnLabel(alike, known_by_class(alike, pairs), is_commonest[pairs.group], wrong)

    def tells(self, known: int, i: int, beyond_label: bool = False) -> bool:
        """Whether it tells a column to know its value of so many; ``beyond_label``: more than its own label tells."""
        if beyond_label and self._is_known_by_label(i):
            return False
        wrong = self.own[i].wrong if beyond_label else self.wrong[i]
        return bool(wrong and known / self.n >= KNOWN and (self.n - known) / wrong <= LEFT)

    def enough(self, known: np.ndarray, i: int, is_read: bool = False, beyond_label: bool = False) -> int:
        """Of how many a column is known, where that is enough to tell it; else 0.

        Parameters
        ----------
        known : np.ndarray
            bool per class of the table, whether its value is known.
        i : int
            The hidden column.
        is_read : bool, default False
            Whether it is one of many readings by which it is known: these must be right of some whose value is not the
            commonest.
        beyond_label : bool, default False
            Whether more must be known than the column's own label tells; of some, too, whose value is not the commonest
            of those with the label.
        """
        n_known = self._records(known)
        if not self.tells(n_known, i, beyond_label):
            return 0
        is_commonest = self.own[i].commonest if beyond_label else self.columns[i] == self.commonest[i]
        has_evidence = not (is_read or beyond_label) or self._records(known & ~is_commonest) >= _EVIDENCE
        return n_known if has_evidence else 0

    def known_of(
        self, codes: np.ndarray, span: int, hidden: Collection[int], beyond_label: bool = False
    ) -> dict[int, int] | None:
        """Of how many what is read tells some of the columns, of those that it does; None where too few share it."""
        subsets = Subsets.of_codes([codes, *self.columns], [span, *self.spans], self.table.counts)
        alike = subsets.refine(subsets.everyone(), 0)
        if not shared_by_nearly_all(alike, self.n):
            return None
        n_known = {}
        for i in hidden:
            known = known_by_class(alike, subsets.refine(alike, 1 + i))
            if n_enough := self.enough(known, i, is_read=True, beyond_label=beyond_label):
                n_known[i] = n_enough
        return n_known

    def known_beside_label(self, codes: np.ndarray, span: int, hidden: Collection[int]) -> dict[int, int | None]:
        """Of how many what is read tells some of the columns beside their own labels.

        Who shares it and the label with nobody is taken for the commonest value of those with the label.

        Returns
        -------
        dict[int, int | None]
            By hidden column the records, of those of which it tells enough beyond the label; None of a column of which
            nothing can that tells even more values apart.
        """
        subsets = Subsets.of_codes([codes, *self.columns], [span, *self.spans], self.table.counts)
        n_known: dict[int, int | None] = {}
        for i in hidden:
            own = self.own[i]
            alike = subsets.refine(own.alike, 0)
            is_alone = (alike.sizes == 1)[alike.group]
            if self._records(is_alone & ~own.known) > LEFT * own.wrong:
                n_known[i] = None
                continue
            pairs = subsets.refine(alike, 1 + i)
            known = np.where(is_alone, own.known, known_by_class(alike, pairs))
            if n_enough := self.enough(known, i, beyond_label=True):
                n_known[i] = n_enough
        return n_known

    def could_beside_label(self, codes: np.ndarray, span: int, i: int) -> bool:
        """Whether anything in the values of a column can tell a hidden one beyond its own label."""
        own = self.own[i]
        if not own.says_something or self._is_known_by_label(i):
            return False
        subsets = Subsets.of_codes([codes, self.columns[i]], [span, self.spans[i]], self.table.counts)
        alike = subsets.refine(own.alike, 0)
        most = most_alike(alike, subsets.refine(alike, 1))
        return self.tells(int(most.sum()), i, beyond_label=True)

    def _is_known_by_label(self, i: int) -> bool:
        """Whether the label of a column is right of nearly all by itself, such as where only rare values are merged."""
        return self.own[i].says_something and self.own[i].wrong <= (1 - KNOWN) * self.n

    def equal(self, numbers: np.ndarray, others: np.ndarray) -> int:
        """Of how many two numbers are the same, or further by one number, such as 1 where the first day counts too."""
        differences = np.round(others - numbers, 6)
        is_number = ~np.isnan(differences)
        distinct, place = np.unique(differences[is_number], return_inverse=True)
        return int(np.bincount(place, self.table.counts[is_number], len(distinct)).max(initial=0))

    def codes(self, name: str) -> np.ndarray:
        """intp per class, the place of its value of a column."""
        return np.ascontiguousarray(self.table.codes[:, self.table.attributes.index(name)], dtype=np.intp)

    def cells(self, name: str) -> Cells:
        """The cells of a column's values; found once."""
        if name not in self._cells:
            self._cells[name] = Cells(self.table.categories[self.table.attributes.index(name)])
        return self._cells[name]

    def _records(self, of_classes: np.ndarray) -> int:
        return int(self.table.counts[of_classes].sum())


def shared_by_nearly_all(alike: Subset, n: int) -> bool:
    """Whether nearly every one of the records shares with another what makes them alike."""
    return bool(n and alike.sizes[alike.sizes > 1].sum() / n >= KNOWN)


def most_alike(alike: Subset, pairs: Subset) -> np.ndarray:
    """int64, of each of those who are alike the most records of one value; ``pairs`` are parted by the values too."""
    most = np.zeros(len(alike.sizes), dtype=np.int64)
    np.maximum.at(most, alike.group[pairs.row], pairs.sizes)
    return most


def known_by_class(alike: Subset, pairs: Subset) -> np.ndarray:
    """bool per class of the table, whether more than half of the others who are alike have its value."""
    others = alike.sizes[alike.group[pairs.row]] - 1
    return (2 * (pairs.sizes - 1) > others)[pairs.group]
