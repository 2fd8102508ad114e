"""One individual: every set of variables at once, and the smallest ones that breach.

At the end is what would protect the individual: the single changes to a known variable that lift it above the
threshold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from anonlib.analyses.individuals.attacker import KNOWS_ANY, Attacker
from anonlib.analyses.individuals.minimal import names_in
from anonlib.analyses.individuals.peers import Proximity, numbers_of, position
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.coarsening.recoding import Intervals, Recoding
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.covering import CoveredTable, Covering
from anonlib.values.cells import to_numbers

MOST_VARIABLES = 20


@dataclass(frozen=True, eq=False)
class Individual:
    """One class of individuals against all others: how many agree with it in every set of variables.

    Attributes
    ----------
    classes : ClassTable
        All K variables of everyone.
    row : int
        The class of the individual.
    attacker : Attacker
        What may be known, and the measure.
    largest : np.ndarray
        int64, per class the set of all attributes in which it counts as equal to this one, as a number: bit j is
        attribute j. Where labels are of several levels, those in which its label covers the individual's true value.

    Examples
    --------
    Table 1: of the five people Alice, the first, is given away by her age, and not by her gender.

    >>> import pandas as pd
    >>> people = pd.DataFrame({
    ...     "diagnosis": ["Cancer", "Cancer", "Cancer", "Arthrosis", "Diabetes"],
    ...     "gender": ["Female", "Male", "Female", "Male", "Female"],
    ...     "age": ["50", "40", "35", "64", "49"],
    ... })
    >>> classes = ClassTable.from_frame(people)
    >>> alice = Individual.of(classes, classes.class_of_record[0])
    >>> alice.least("diagnosis"), alice.smallest_breaching_sets("diagnosis")
    (0.0, (('age',),))
    """

    classes: ClassTable
    row: int
    attacker: Attacker
    largest: np.ndarray
    _measured: dict[int, np.ndarray] = field(default_factory=dict, repr=False)  # by the sensitive variable

    @classmethod
    def of(cls, classes: ClassTable, row: int, attacker: Attacker = KNOWS_ANY) -> Individual:
        """The individual(s) of a class. Raises InputError for more than 20 variables or a class that is not there."""
        if not 0 <= row < classes.n_classes:
            raise InputError("There is no such class of individuals.", code="class-unknown")
        if len(classes.attributes) > MOST_VARIABLES:
            raise InputError(
                f"With more than {MOST_VARIABLES} variables there are too many sets. Choose fewer.",
                code="too-many-sets",
            )
        largest = np.zeros(classes.n_classes, dtype=np.int64)
        proximity = Proximity.of(classes, attacker)
        for j in range(len(classes.attributes)):
            equal = _like_its_own(classes, j, row)
            if j in proximity.reach:
                reach, codes, own = proximity.reach[j], classes.codes[:, j], classes.codes[row, j]
                equal = (reach.low[own] <= reach.rank[codes]) & (reach.rank[codes] <= reach.high[own])
            largest |= equal.astype(np.int64) << j
        return cls(classes, row, attacker, largest)

    def lacks(self, attribute: str) -> bool:
        """Whether its own value is missing."""
        j = position(self.classes, attribute)
        return self.classes.categories[j][self.classes.codes[self.row, j]] is None

    def has_nothing_to_infer(self, attribute: str) -> bool:
        """Whether its own value is missing, and that no harm, or its label one that covers every value."""
        nothing = bool(self.classes.tells_nothing(position(self.classes, attribute))[self.row])
        return nothing and not (self.attacker.missing_is_harm and self.lacks(attribute))

    @cached_property
    def peers(self) -> np.ndarray:
        """int64, 2^K: the records that agree with it in each set of attributes (bit j is attribute j)."""
        # Every record falls under the largest set that it agrees in; adding each set's to its subsets, one attribute at
        # a time, gives them all.
        n = len(self.classes.attributes)
        counts = _sums(self.largest, self.classes.counts, 1 << n)
        for j in range(n):
            halves = counts.reshape(-1, 2, 1 << j)
            halves[:, 0] += halves[:, 1]
        return counts

    def measure(self, sensitive: str) -> np.ndarray:
        """float64, 2^K: the measure for each set of known variables; NaN for the sets with the sensitive one.

        NaN for sets that leave no peers, in another file (:class:`anonlib.counting.classes.beside.PeopleBeside`), and
        for all sets where there is nothing to infer.
        """
        s = position(self.classes, sensitive)
        if self.has_nothing_to_infer(sensitive):
            return np.full(1 << len(self.classes.attributes), np.nan)
        if s not in self._measured:
            self._measured[s] = self._measure(s)
            if (read := self.classes.read(sensitive)) is not None:
                equal = _like_its_own(read, s, self.row).astype(np.int64) << s
                as_read = replace(self, classes=read, largest=self.largest | equal, _measured={})
                self._measured[s] = np.fmin(self._measured[s], as_read._measure(s))
        return self._measured[s]

    def _measure(self, s: int) -> np.ndarray:
        counts = self.peers
        sets = np.arange(len(counts))
        values = np.full(len(counts), np.nan)
        known = sets[sets >> s & 1 == 0]
        peers, same = counts[known], counts[known | 1 << s]
        if self.attacker.measure == "poac":
            values[known] = self._alternatives_considered(s, known)
        else:
            values[known] = (peers - same) / (np.maximum(peers, 1) if self.attacker.measure == "ppp" else 1)
        values[known[peers == 0]] = np.nan
        return values

    def _alternatives_considered(self, s: int, known: np.ndarray) -> np.ndarray:
        """Share of the other values that more than q of the peers have, for each of the sets ``known``.

        The records are summed by the largest set they agree in and by value. From the empty set on, each set keeps of
        these what agrees in one attribute more, so that the work shrinks with the peers.
        """
        n_values, q = self.classes.n_values(s), self.attacker.q_of(self.classes.attributes[s])
        if n_values == 1:
            return np.full(len(known), np.nan)
        others, value_of_other = _with_other_values(self.classes, s, self.row)
        n = len(self.classes.attributes)
        key = (value_of_other << n) + self.largest[others]
        if n_values << n <= 4 * self.classes.n_classes:
            sizes = _sums(key, self.classes.counts[others], n_values << n)
            pairs = np.flatnonzero(sizes)
            sizes = sizes[pairs]
        else:
            pairs, place = np.unique(key, return_inverse=True)
            sizes = _sums(place, self.classes.counts[others], len(pairs))
        number = np.zeros(1 << n)

        def count(mask: int, value: np.ndarray, agreed: np.ndarray, sizes: np.ndarray, limit: int) -> None:
            starts = np.flatnonzero(np.diff(value, prepend=-1))
            number[mask] = np.count_nonzero(np.add.reduceat(sizes, starts) / self.peers[mask] > q) if len(starts) else 0
            for j in range(limit if len(starts) else 0):
                if j != s:
                    also = agreed >> j & 1 == 1
                    count(mask | 1 << j, value[also], agreed[also], sizes[also], j)

        count(0, pairs >> n, pairs, sizes, n)
        return number[known] / (n_values - 1)

    def smallest_breaching_sets(self, sensitive: str, p: float = 0.0) -> tuple[tuple[str, ...], ...]:
        """The sets of known variables that bring the measure to ``p`` or below, no part of which does; small first."""
        breached = self._considered(sensitive) & (self.measure(sensitive) <= p)
        by_part = breached.copy()  # by the set or a part of it
        minimal = breached.copy()
        for j in range(len(self.classes.attributes)):
            halves = by_part.reshape(-1, 2, 1 << j)
            halves[:, 1] |= halves[:, 0]
        for j in range(len(self.classes.attributes)):
            minimal.reshape(-1, 2, 1 << j)[:, 1] &= ~by_part.reshape(-1, 2, 1 << j)[:, 0]
        masks = sorted(np.flatnonzero(minimal).tolist(), key=lambda mask: (mask.bit_count(), mask))
        return tuple(names_in(self.classes.attributes, mask) for mask in masks)

    def least(self, sensitive: str, unknown: str | None = None) -> float:
        """The least value over all sets that may be known, ``unknown`` being in none; NaN when there is no set."""
        values = self.measure(sensitive)[self._considered(sensitive, unknown)]
        values = values[~np.isnan(values)]
        return float(values.min()) if len(values) else float("nan")

    def _considered(self, sensitive: str, unknown: str | None = None) -> np.ndarray:
        """bool, 2^K: the sets that may be known, with or without the sensitive variable (its measure is NaN)."""
        sets = np.arange(1 << len(self.classes.attributes))
        outside = 1 << position(self.classes, sensitive)
        if unknown is not None:
            outside |= 1 << position(self.classes, unknown)
        if self.attacker.knows == "all":
            return sets == (len(sets) - 1) ^ outside
        sizes = np.bitwise_count(sets)
        most = len(self.classes.attributes) if self.attacker.knows == "any" else self.attacker.knows
        least = 0 if self.attacker.include_empty else 1
        return (sets & outside == 0) & (sizes >= least) & (sizes <= most)

    def recoded(self, attribute: str, recoding: Recoding) -> Individual:
        """The individual among everyone after a recoding of one attribute."""
        j = position(self.classes, attribute)
        values = self.classes.categories[j]
        present = np.array([value is not None for value in values])
        labels = np.full(len(values), None, dtype=object)
        labels[present] = recoding.labels(values[present])
        same = labels == labels[self.classes.codes[self.row, j]]
        return self.agreeing(j, same)

    def agreeing(self, j: int, same: np.ndarray) -> Individual:
        """The individual when these values (bool, per category) of the j-th attribute count as equal to its own."""
        bit = np.int64(1 << j)
        equal = same[self.classes.codes[:, j]]
        return replace(self, largest=np.where(equal, self.largest | bit, self.largest & ~bit), _measured={})


def _coverings(classes: ClassTable) -> tuple[Covering | None, ...]:
    return classes.coverings if isinstance(classes, CoveredTable) else (None,) * len(classes.attributes)


def _like_its_own(classes: ClassTable, j: int, row: int) -> np.ndarray:
    """bool, per class: it has the value of one of them in the j-th attribute, or its label covers that."""
    codes, covering = classes.codes[:, j], _coverings(classes)[j]
    if covering is None:
        return codes == codes[row]
    return covering.covering(int(covering.value[row]), len(classes.categories[j]))[codes]


def _with_other_values(classes: ClassTable, s: int, row: int) -> tuple[np.ndarray, np.ndarray]:
    """Classes and, int64, the values that each may have in the s-th attribute beside the value of one of them."""
    codes, covering = classes.codes[:, s].astype(np.int64), _coverings(classes)[s]
    if covering is None:
        others = np.flatnonzero(codes != codes[row])
        return others, codes[others]
    values = [np.flatnonzero(covering.covering(v, len(classes.categories[s]))[codes]) for v in range(covering.n_values)]
    values[int(covering.value[row])] = np.zeros(0, dtype=np.intp)
    return np.concatenate(values), np.repeat(np.arange(len(values), dtype=np.int64), [len(some) for some in values])


def _sums(place: np.ndarray, counts: np.ndarray, n: int) -> np.ndarray:
    """int64, the counts summed by their place."""
    if int(counts.sum()) < 2**53:  # sums of whole numbers are exact as floats up to there, and faster
        return np.bincount(place, weights=counts, minlength=n).astype(np.int64)
    sums = np.zeros(n, dtype=np.int64)
    np.add.at(sums, place, counts)
    return sums


_WIDTHS = (2.0, 5.0, 10.0)


@dataclass(frozen=True)
class ProtectingChange:
    """One change that lifts an individual above the threshold.

    Attributes
    ----------
    attribute : str
        What is changed.
    recoding : Recoding | None
        How; None: by dropping it.
    least : float
        The measure's least value after it, NaN where nothing is left to know.
    """

    attribute: str
    recoding: Recoding | None
    least: float


def remedies(
    individual: Individual, sensitive: str, p: float = 0.0, *, progress: Progress | None = None
) -> tuple[ProtectingChange, ...]:
    """The single changes to a known variable that protect the individual, gentlest first.

    For numbers the narrowest of round widths below the range (2, 5, 10, 20, ... times the power of ten at or below the
    smallest step between values) that is enough, else dropping the variable; for others dropping it.

    Parameters
    ----------
    individual : Individual
        With the attacker it is to be protected from.
    sensitive : str
        The sensitive variable.
    p : float, default 0.0
        Protected is who is above it.
    progress : Progress, optional
        Called with the share done; what it raises stops the work.

    Returns
    -------
    Recodings, then variables to drop. Empty when no single change is enough, or none needed.
    """
    if not individual.least(sensitive) <= p:
        return ()
    effective: list[ProtectingChange] = []
    for j, attribute in enumerate(individual.classes.attributes):
        if progress:
            progress(j / len(individual.classes.attributes))
        if attribute == sensitive:
            continue
        for recoding, same in _round_intervals(individual, j):
            least = individual.agreeing(j, same).least(sensitive)
            if progress:
                progress(j / len(individual.classes.attributes))
            if least > p:
                effective.append(ProtectingChange(attribute, recoding, least))
                break
        else:
            without = individual.least(sensitive, unknown=attribute)
            if not without <= p:
                effective.append(ProtectingChange(attribute, None, without))
    return tuple(sorted(effective, key=lambda remedy: remedy.recoding is None))


def _round_intervals(individual: Individual, j: int) -> Iterator[tuple[Intervals, np.ndarray]]:
    """Intervals of each round width, and which values (bool, per category) of the j-th attribute share the own one."""
    values, own = individual.classes.categories[j], individual.classes.codes[individual.row, j]
    if isinstance(individual.classes, CoveredTable) and individual.classes.coverings[j] is not None:
        return  # labels of several levels are no numbers, and are coarser already
    numbers = numbers_of(individual.classes, j)
    distinct = np.unique(numbers[~np.isnan(numbers)])
    if len(distinct) < 3:
        return
    step = 10 ** np.floor(np.log10(np.diff(distinct).min()))
    texts = [value for value in values if value is not None]
    plain = not np.isnan(to_numbers(texts)).any()
    for width in (float(step * times * 10**power) for power in range(12) for times in _WIDTHS):
        if width >= distinct[-1] - distinct[0]:
            return
        recoding = Intervals(width)
        if not plain:  # a range among the numbers is in an interval too, or a text is written as one
            label_of = {None: None, **dict(zip(texts, recoding.labels(texts), strict=True))}
            yield recoding, np.array([label_of[value] == label_of[values[own]] for value in values])
            continue
        same = np.arange(len(values)) == own
        if not np.isnan(numbers[own]):
            near = np.flatnonzero(np.abs(numbers - numbers[own]) <= width)
            same[near] = recoding.alike(numbers[near], numbers[own])
        yield recoding, same
