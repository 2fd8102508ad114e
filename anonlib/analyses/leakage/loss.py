"""The information loss of each set of attributes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.basics.words import quoted
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.coding import checked_names
from anonlib.counting.classes.covering import CoveredSubset, CoveredTable, UnlinkedTable, subsets_of
from anonlib.counting.classes.subsets import Subset, Subsets, n_subsets

MOST_SETS = 2**20


@dataclass(frozen=True, eq=False)
class LeakageTable:
    """What each set of attributes gives away. One item a set in every array.

    Attributes
    ----------
    attributes : tuple[str, ...]
        The attributes of the class table.
    sets : tuple[tuple[str, ...], ...]
        The sets, each in the order of ``attributes``; smaller sets first, unless they were given.
    partitions : np.ndarray
        int64, groups that the set divides the records into, 1 up (0 without records): combinations of labels.
    loss : np.ndarray
        float64, bits: the average loss, 0 to ``entropy``.
    worst : np.ndarray
        float64, bits: the loss of the person who loses most, 0 to ``highest``, never below ``loss``.
    smallest : np.ndarray
        int64, records in the smallest group.
    below_k : np.ndarray
        int64, records whose group has fewer than ``k``.
    n_records : int
        Records (persons, summed weights) in all.
    entropy : float
        S_0, bits that name a person before anything is known: log2(n) when all are equally likely.
    highest : float
        Bits that name the least likely person; ``entropy`` when all are equally likely.
    k : int
        The size below which a group is small.
    max_size : int | None
        The table has every set of up to so many attributes; None where the sets were given.
    persons_fitted : np.ndarray | None, default None
        int64, of a file of which nobody knows whose its records are: persons of the original whose values some record
        fits, over whom losses are taken. None of any other.
    """

    attributes: tuple[str, ...]
    sets: tuple[tuple[str, ...], ...]
    partitions: np.ndarray
    loss: np.ndarray
    worst: np.ndarray
    smallest: np.ndarray
    below_k: np.ndarray
    n_records: int
    entropy: float
    highest: float
    k: int
    max_size: int | None
    persons_fitted: np.ndarray | None = None

    @property
    def normalized(self) -> np.ndarray:
        """float64, average loss / S_0, in [0, 1]; 0 where there was nothing to lose (one record, a point mass)."""
        return _ratio(self.loss, self.entropy)

    @property
    def worst_normalized(self) -> np.ndarray:
        """float64, the worst person's loss / ``highest``, in [0, 1]; 1 means that someone is alone in their group."""
        return _ratio(self.worst, self.highest)

    @cached_property
    def _places(self) -> dict[frozenset[str], int]:
        return {frozenset(names): i for i, names in enumerate(self.sets)}

    def place(self, names: Collection[str]) -> int:
        """Where a set is in the table.

        Parameters
        ----------
        names : Collection[str]
            Its attributes, in any order.

        Returns
        -------
        int

        Raises
        ------
        InputError
            If it was not measured.
        """
        position = self._places.get(frozenset(names))
        if position is None:
            raise InputError(
                f"The combination of {quoted(names)} is not among those that were measured.", code="set-not-measured"
            )
        return position

    def ranked(self) -> np.ndarray:
        """Positions of the sets, those that lose most first; of equals the one of fewer attributes."""
        sizes = np.array([len(names) for names in self.sets], dtype=np.intp)
        return np.lexsort((sizes, -self.worst, -self.loss))

    def at_most(self, size: int) -> LeakageTable:
        """The sets of at most so many attributes.

        Parameters
        ----------
        size : int
            The most attributes.

        Returns
        -------
        LeakageTable
        """
        if self.max_size is not None and size >= self.max_size:
            return self
        rows = [i for i, names in enumerate(self.sets) if len(names) <= size]
        return replace(
            self,
            sets=tuple(self.sets[i] for i in rows),
            partitions=self.partitions[rows],
            loss=self.loss[rows],
            worst=self.worst[rows],
            smallest=self.smallest[rows],
            below_k=self.below_k[rows],
            persons_fitted=None if self.persons_fitted is None else self.persons_fitted[rows],
            max_size=None if self.max_size is None else size,
        )

    def to_frame(self) -> pd.DataFrame:
        """One row a set: ``variables`` (a tuple), ``size``, and the measures in bits and normalized."""
        return pd.DataFrame(
            {
                "variables": list(self.sets),
                "size": [len(names) for names in self.sets],
                "partitions": self.partitions,
                "loss": self.loss,
                "normalized": self.normalized,
                "worst": self.worst,
                "worst_normalized": self.worst_normalized,
                "smallest": self.smallest,
                "below_k": self.below_k,
            }
        )


def information_loss(
    classes: ClassTable,
    sets: Sequence[str | Sequence[str]] | None = None,
    *,
    max_size: int = 1,
    probabilities: Sequence[float] | np.ndarray | None = None,
    k: int = 5,
    progress: Progress | None = None,
) -> LeakageTable:
    """What somebody who knows a set of attributes learns about who a record is, for many sets.

    A set divides the records into groups E_j. The average loss is ``sum_j p(E_j) (S_0 - S_j)``, S_j the entropy within
    E_j: that is the entropy of the groups' masses, ``-sum_j p(E_j) log2 p(E_j)`` bits, and ``log2(n) - sum_j |E_j|
    log2|E_j| / n`` when all are equally likely. A person in E_j loses ``-log2 p(E_j)`` bits (``log2(n / |E_j|)``),
    whichever person of E_j it is; the worst is the largest of these over the groups that have any mass.

    In a :class:`anonlib.counting.classes.covering.CoveredTable` the group of a person are their candidates C, all
    records whose labels cover the person's true values, and groups overlap: the loss of a person is ``log2(n / |C|)``
    bits, and the average loss the mean of it over the records.

    Parameters
    ----------
    classes : ClassTable
        The class table; a missing value is a value.
    sets : Sequence[str | Sequence[str]], optional
        Names of attributes, one collection (or one name) a set; left out, every set of up to ``max_size``.
    max_size : int, default 1
        The most attributes in a set.
    probabilities : Sequence[float] | np.ndarray, optional
        Per class of the table, how likely it is that the person sought is one of its records: 0 or more, scaled to sum
        1, shared equally among the class's records. Left out, every record is equally likely.
    k : int, default 5
        Groups of fewer records are small.
    progress : Progress, optional
        Called with the share done (0 to 1); may raise to stop.

    Returns
    -------
    LeakageTable

    Raises
    ------
    InputError
        For an unknown attribute, an empty set, more than 1,048,576 sets, or unusable probabilities: where groups
        overlap, any.

    References
    ----------
    Arca and Hewett 2021, Proposition 2; general p, and the worst person, follow from its definitions.

    Examples
    --------
    Table 2 of the paper prints 0.99 bits and 0.16 for the 27 women and 33 men of its Table 1 (it cuts off):

    >>> sex = ClassTable.from_frame(pd.DataFrame({"sex": ["F"] * 27 + ["M"] * 33}))
    >>> found = information_loss(sex)
    >>> print(f"{found.loss[0]:.4f} bits, {found.normalized[0]:.4f}; the worst {found.worst[0]:.4f} bits")
    0.9928 bits, 0.1681; the worst 1.1520 bits
    """
    k = checks.whole(k, "k", 1)
    if isinstance(classes, CoveredTable) and probabilities is not None:
        raise InputError(
            "Labels of several levels stand side by side here, and classes overlap: probabilities cannot be given.",
            code="choices-do-not-fit",
        )
    prior = _Prior.of(classes, probabilities)
    positions = None if sets is None else _positions(classes, sets)
    if positions is None:
        largest: int | None = min(checks.whole(max_size, "max_size", 1), len(classes.attributes))
        n_sets = _checked_number(len(classes.attributes), largest or 1)
    else:
        n_sets, largest = len(positions), None
    subsets: Iterable[Subset] = _all_of(subsets_of(classes), positions, largest)
    measured = []
    if isinstance(classes, CoveredTable):
        of_labels = _all_of(Subsets(classes), positions, largest)  # which come in the same order
        by_members = (
            (subset, _overlapping(subset, len(labels.sizes), prior, k))
            for subset, labels in zip(subsets, of_labels, strict=True)
        )
    else:
        by_members = ((subset, _measured(subset, prior, k)) for subset in subsets)
    for done, (subset, measures) in enumerate(by_members):
        measured.append((tuple(sorted(subset.members)), measures))
        if progress:
            progress((done + 1) / n_sets)
    if sets is None:
        measured.sort(key=lambda row: (len(row[0]), row[0]))
    partitions, loss, worst, smallest, below = zip(*(row for _, row in measured), strict=True) if measured else [()] * 5
    return LeakageTable(
        classes.attributes,
        tuple(tuple(classes.attributes[j] for j in members) for members, _ in measured),
        np.array(partitions, dtype=np.int64),
        np.array(loss, dtype=float),
        np.array(worst, dtype=float),
        np.array(smallest, dtype=np.int64),
        np.array(below, dtype=np.int64),
        n_records=classes.n_records,
        entropy=prior.entropy,
        highest=prior.highest,
        k=k,
        max_size=largest,
    )


def information_loss_of_another(
    unlinked: UnlinkedTable, *, max_size: int = 1, k: int = 5, progress: Progress | None = None
) -> LeakageTable:
    """What somebody who knows true values learns from a file of which nobody knows whose its records are.

    The group of a person are the candidates C: records of the other file whose labels cover all values known of the
    person. The person loses ``log2(n / |C|)`` bits, n the records of that file. Who has no candidate is in no record
    and is left aside: the average, the worst and the number in small groups are of the persons with one at least. Where
    the file was made of all persons of the original by labels that cover their values, these are the figures of
    :func:`information_loss`.

    Parameters
    ----------
    unlinked : UnlinkedTable
        The persons' values, and the labels of the other file.
    max_size : int, default 1
        The most attributes in a set: every set of up to so many is measured.
    k : int, default 5
        Groups of fewer records are small.
    progress : Progress, optional
        Called with the share done (0 to 1); may raise to stop.

    Returns
    -------
    LeakageTable
        With ``persons_fitted``.

    Raises
    ------
    InputError
        For more than 1,048,576 sets.

    References
    ----------
    Arca and Hewett 2021, Proposition 2, of groups that overlap.
    """
    k = checks.whole(k, "k", 1)
    largest = min(checks.whole(max_size, "max_size", 1), len(unlinked.attributes))
    n_sets = _checked_number(len(unlinked.attributes), largest or 1)
    n = unlinked.labels.n_records
    bits = float(np.log2(max(1, n)))
    prior = _Prior(None, float(n), bits, bits)
    both = zip(
        _all_of(unlinked.subsets, None, largest), _all_of(Subsets(unlinked.labels), None, largest), strict=True
    )  # which come in the same order
    measured = []
    for done, (subset, labels) in enumerate(both):
        assert isinstance(subset, CoveredSubset)
        fits = subset.sizes > 0
        fitting = replace(subset, sizes=subset.sizes[fits], persons=subset.persons[fits])
        _, *measures = _overlapping(fitting, 0, prior, k)
        row = len(labels.sizes), *measures, int(fitting.persons.sum())
        measured.append((tuple(sorted(subset.members)), row))
        if progress:
            progress((done + 1) / n_sets)
    measured.sort(key=lambda row: (len(row[0]), row[0]))
    partitions, loss, worst, smallest, below, fitted = (
        zip(*(row for _, row in measured), strict=True) if measured else [()] * 6
    )
    return LeakageTable(
        unlinked.attributes,
        tuple(tuple(unlinked.attributes[j] for j in members) for members, _ in measured),
        np.array(partitions, dtype=np.int64),
        np.array(loss, dtype=float),
        np.array(worst, dtype=float),
        np.array(smallest, dtype=np.int64),
        np.array(below, dtype=np.int64),
        n_records=n,
        entropy=prior.entropy,
        highest=prior.highest,
        k=k,
        max_size=largest,
        persons_fitted=np.array(fitted, dtype=np.int64),
    )


def estimated_seconds(classes: ClassTable | UnlinkedTable, max_size: int) -> float:
    """About how long every set of up to so many attributes takes on one core.

    Parameters
    ----------
    classes : ClassTable | UnlinkedTable
        The attributes that sets are made of, and the classes, which the time grows with.
    max_size : int
        Attributes in a set, at most.

    Returns
    -------
    float
        Seconds; infinite if there are too many sets.
    """
    n_sets = n_subsets(len(classes.attributes), max_size) - 1
    values = classes.values if isinstance(classes, UnlinkedTable) else classes
    seconds_of_classes = values.n_classes * 30e-9
    if isinstance(classes, CoveredTable | UnlinkedTable):
        seconds_of_classes += classes.seconds_a_set
    return n_sets * (45e-6 + seconds_of_classes) if n_sets <= MOST_SETS else float("inf")


@dataclass(frozen=True, eq=False)
class _Prior:
    """How likely each class is, up to a factor: per class, in all, and what that leaves to learn.

    ``weights`` are None where every record is equally likely; ``total`` then is the number of records.
    """

    weights: np.ndarray | None
    total: float
    entropy: float
    highest: float

    @classmethod
    def of(cls, classes: ClassTable, probabilities: Sequence[float] | np.ndarray | None) -> _Prior:
        if probabilities is None:
            bits = float(np.log2(max(1, classes.n_records)))
            return cls(None, float(classes.n_records), bits, bits)
        weights = _checked_probabilities(classes, probabilities)
        total = float(weights.sum())
        positive = weights > 0
        # Of each person, by class. A quotient of the least floats would be 0.
        bits = np.log2(total) - np.log2(weights[positive]) + np.log2(classes.counts[positive])
        return cls(weights, total, max(0.0, float(weights[positive] @ bits / total)), max(0.0, float(bits.max())))


def _measured(subset: Subset, prior: _Prior, k: int) -> tuple[int, float, float, int, int]:
    """Partitions, average and worst loss in bits, smallest group, records in groups below k."""
    used = subset.sizes > 0
    sizes = subset.sizes[used]
    if not len(sizes):
        return 0, 0.0, 0.0, 0, 0
    mass = sizes.astype(float)
    if prior.weights is not None:
        mass = np.bincount(subset.group, weights=prior.weights, minlength=len(used))[used]
        mass = mass[mass > 0]
    loss = worst = 0.0
    if len(mass) > 1:  # one group says exactly nothing, however its mass is rounded
        most = np.log2(prior.total)
        worst = min(max(float(most - np.log2(mass.min())), 0.0), prior.highest)
        loss = float(most - (mass @ np.log2(mass)) / prior.total)
    return len(sizes), min(max(loss, 0.0), prior.entropy, worst), worst, int(sizes.min()), int(sizes[sizes < k].sum())


def _overlapping(subset: Subset, n_labels: int, prior: _Prior, k: int) -> tuple[int, float, float, int, int]:
    """The same of candidates, of which each person has all whose labels cover their values."""
    assert isinstance(subset, CoveredSubset)
    sizes, persons = subset.sizes, subset.persons
    if not len(sizes):
        return 0, 0.0, 0.0, 0, 0
    loss = worst = 0.0
    if int(sizes.min()) < prior.total:  # all are candidates of everybody: the set says nothing, however it is rounded
        most = np.log2(prior.total)
        worst = min(max(float(most - np.log2(sizes.min())), 0.0), prior.highest)
        loss = float(most - (persons @ np.log2(sizes)) / persons.sum())
    below = int(persons[sizes < k].sum())
    return n_labels, min(max(loss, 0.0), prior.entropy, worst), worst, int(sizes.min()), below


def _all_of(walk: Subsets, positions: list[list[int]] | None, largest: int | None) -> Iterator[Subset]:
    """The sets at some positions; where none are given, all of up to a size."""
    if positions is None:
        return (subset for subset in walk.walk(largest) if len(subset))
    return (_refined(walk, members) for members in positions)


def _refined(walk: Subsets, members: list[int]) -> Subset:
    subset = walk.everyone()
    for j in members:
        subset = walk.refine(subset, j)
    return subset


def _positions(classes: ClassTable, sets: Sequence[str | Sequence[str]]) -> list[list[int]]:
    if isinstance(sets, str) or not len(sets):
        raise InputError("Name at least one set of columns, as a list of lists.", code="choice-missing")
    named = [[entry] if isinstance(entry, str) else list(entry) for entry in sets]
    if not all(named):
        raise InputError("A set of columns is empty. Name at least one column in each set.", code="choice-missing")
    return [sorted(map(classes.attributes.index, checked_names(classes.attributes, names))) for names in named]


def _checked_number(attributes: int, largest: int) -> int:
    n_sets = n_subsets(attributes, largest) - 1
    if n_sets > MOST_SETS:
        raise InputError(
            f"{attributes} columns have {n_sets:,} combinations of up to {largest}. Look at smaller ones, or at fewer "
            "columns.",
            code="too-many-sets",
        )
    return n_sets


def _checked_probabilities(classes: ClassTable, probabilities: Sequence[float] | np.ndarray) -> np.ndarray:
    try:
        weights = np.array(probabilities, dtype=float)
    except (TypeError, ValueError):
        raise InputError(
            "The probabilities must be numbers, one for each class of the table.", code="list-of-other-length"
        ) from None
    if weights.shape != (classes.n_classes,):
        raise InputError(
            f"The probabilities must be one number for each class of the table: {classes.n_classes:,} of them.",
            code="list-of-other-length",
        )
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if wrong.size:
        raise InputError(
            f"The probabilities must be numbers of 0 or more; that of class {wrong[0] + 1:,} is not.",
            code="number-out-of-range",
        )
    if not weights.any():
        raise InputError(
            "The probabilities are all 0. Give at least one class a probability above 0.", code="weights-all-zero"
        )
    return weights / weights.max()  # so that no sum overflows


def _ratio(bits: np.ndarray, most: float) -> np.ndarray:
    return np.minimum(bits / most, 1.0) if most > 0 else np.zeros(len(bits))
