"""An individual's peers for one set of known variables (Kroes et al. 2021, “Privacy measures”).

First comes nearness of numbers: peers within a distance of a numeric variable, instead of equal in it. Kroes et al.
2021 leave it for later (“Strengths, limitations and future work”). Then the peers are counted.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from anonlib.analyses.individuals.attacker import KNOWS_ANY, NOT_NEAR, Attacker
from anonlib.basics.errors import InputError
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.coding import sum_by
from anonlib.counting.classes.covering import CoveredSubset, CoveredSubsets, subsets_of
from anonlib.counting.classes.subsets import Subset
from anonlib.values.cells import to_numbers


def position(classes: ClassTable, name: str) -> int:
    """Where an attribute is in the table. Raises InputError where it is not."""
    if name not in classes.attributes:
        raise InputError(
            f"There is no column named “{name}” among those that are counted here.", code="column-unknown", column=name
        )
    return classes.attributes.index(name)


def numbers_of(classes: ClassTable, j: int) -> np.ndarray:
    """float64, the values of the j-th attribute as numbers; NaN for what is none, and for a missing value."""
    return to_numbers(["" if value is None else value for value in classes.categories[j]])


@dataclass(frozen=True, eq=False)
class Reach:
    """Which values of a variable count as equal. A value that is not a number is within reach of itself alone.

    Attributes
    ----------
    rank : np.ndarray
        Per code its rank by number.
    low, high : np.ndarray
        Per code the first and the last rank within the distance.
    """

    rank: np.ndarray
    low: np.ndarray
    high: np.ndarray


@dataclass(frozen=True, eq=False)
class Proximity:
    """The variables whose values count as equal within a distance; of a sensitive one, within that tolerance.

    ``reach`` has them by their position.
    """

    reach: Mapping[int, Reach]

    @classmethod
    def of(cls, classes: ClassTable, attacker: Attacker) -> Proximity:
        """The attacker's distances in this table. Raises InputError where a variable has no numbers."""
        reach = {}
        for name, distance in dict(attacker.within).items():
            j = position(classes, name)
            if distance:
                reach[j] = _reach(classes, j, Fraction(repr(float(distance))))
        return cls(reach)

    def __bool__(self) -> bool:
        return bool(self.reach)

    def sizes(self, classes: ClassTable, subset: Subset) -> np.ndarray:
        """int64, per class of the subset the records within reach of it; its own size where nothing is near."""
        near = [j for j in subset.members if j in self.reach]
        if not near:
            return subset.sizes
        exact = [j for j in subset.members if j not in self.reach]
        key = _exact_part(classes.codes[subset.row][:, exact])
        return self._records_in_reach(key, {j: classes.codes[subset.row, j] for j in near}, subset.sizes)

    def _records_in_reach(self, key: np.ndarray, codes: dict[int, np.ndarray], sizes: np.ndarray) -> np.ndarray:
        """Records whose keys are equal and whose codes are within reach, per class.

        Classes are sorted by key and then by rank in each near variable. Within the last of these, reach is one
        stretch, found by bisection; the others are gone through rank by rank.
        """
        *others, last = codes
        own = key
        for j in codes:
            own = own * len(self.reach[j].rank) + self.reach[j].rank[codes[j]]
        order = np.argsort(own)
        ordered, before = own[order], np.concatenate([[0], np.cumsum(sizes[order])])

        def count(prefix: np.ndarray, rest: list[int], who: np.ndarray) -> np.ndarray:
            if not rest:
                reach, code = self.reach[last], codes[last][who]
                start = prefix * len(reach.rank)
                high = np.searchsorted(ordered, start + reach.high[code], side="right")
                return before[high] - before[np.searchsorted(ordered, start + reach.low[code])]
            reach, code = self.reach[rest[0]], codes[rest[0]][who]
            low, width = reach.low[code], reach.high[code] - reach.low[code]
            totals = np.zeros(len(who), dtype=np.int64)
            for offset in range(int(width.max(initial=0)) + 1):
                some = np.flatnonzero(offset <= width)
                totals[some] += count(prefix[some] * len(reach.rank) + low[some] + offset, rest[1:], who[some])
            return totals

        return count(key, others, np.arange(len(key)))


def _reach(classes: ClassTable, j: int, distance: Fraction) -> Reach:
    name, numbers = classes.attributes[j], numbers_of(classes, j)
    numeric = np.flatnonzero(~np.isnan(numbers))
    if not len(numeric):
        raise InputError(
            f"“{name}” has no numbers, so nothing in it is near. Choose a numeric column.",
            code="column-without-numbers",
            column=name,
        )
    order = numeric[np.argsort(numbers[numeric], kind="stable")]
    rank = np.empty(len(numbers), dtype=np.intp)
    rank[order] = np.arange(len(order))
    rank[np.isnan(numbers)] = np.arange(len(order), len(numbers))
    # As the decimal numbers they are written as: 0.8 - 0.7 is 0.1, which binary fractions do not know.
    exact = [Fraction(repr(float(numbers[i]))) for i in order]
    low, high = rank.copy(), rank.copy()
    low[order] = [bisect_left(exact, number - distance) for number in exact]
    high[order] = [bisect_right(exact, number + distance) - 1 for number in exact]
    return Reach(rank, low, high)


def _exact_part(codes: np.ndarray) -> np.ndarray:
    """One number a row, the same for the same codes."""
    if codes.shape[1] == 0:
        return np.zeros(len(codes), dtype=np.int64)
    from anonlib.counting.classes.coding import group

    return group(codes, [int(column.max()) + 1 for column in codes.T])[0]


@dataclass(frozen=True, eq=False)
class PeerCounts:
    """Peers of each class for known variables A and a sensitive variable s.

    Attributes
    ----------
    attacker : Attacker
        Gives the measure, q, and what counts as equal.
    sensitive : str
        The sensitive variable s.
    known : tuple[str, ...]
        The known variables A.
    peers : np.ndarray
        int64, per class of the table the records equal to it in A, itself included: c_A.
    same : np.ndarray
        int64, those among them with its value of s: c_{A+s}. Spellings that a person reads as one value are one.
    n_values : int
        How many values s has.
    own : int, default 0
        How many of the peers, and of the same, are its own record and left out of both.
    """

    attacker: Attacker
    sensitive: str
    known: tuple[str, ...]
    peers: np.ndarray
    same: np.ndarray
    n_values: int
    own: int
    _known: Subset  # the classes of A
    _both: Subset  # the classes of A and s
    _spelled: PeerCounts | None = None  # the same by spellings, where some are read as one value
    _poac: np.ndarray | None = None  # where it is not to be had from these, labels being of several levels

    @property
    def npp(self) -> np.ndarray:
        """int64, number of protective peers: peers with another value of s."""
        return self.peers - self.same

    @property
    def ppp(self) -> np.ndarray:
        """float64 in [0, 1), proportion of protective peers: NPP / peers; infinite without peers."""
        return measured(self.npp, self.peers, True, np.empty(len(self.peers)))

    @property
    def poac(self) -> np.ndarray:
        """float64 in [0, 1], share of the other values of s that more than q of the peers have; NaN if s has one."""
        if self.attacker.is_near:
            raise InputError(NOT_NEAR, code="knowledge-unclear")
        by_labels = poac(self._known, self._both, self.n_values, self.attacker.q_of(self.sensitive), self.own)
        as_read = by_labels if self._poac is None else self._poac
        return as_read if self._spelled is None else np.fmin(as_read, self._spelled.poac)

    @property
    def values(self) -> np.ndarray:
        """float64, the attacker's measure; infinite without peers."""
        if self.attacker.measure == "poac":
            return self.poac
        return measured(self.npp, self.peers, self.attacker.measure == "ppp", np.empty(len(self.peers)))


def protective_peers(
    classes: ClassTable, sensitive: str, known: Sequence[str], attacker: Attacker = KNOWS_ANY
) -> PeerCounts:
    """Peers, and peers with the same value of a sensitive variable, for one set of known variables.

    Parameters
    ----------
    classes : ClassTable
        The variables, known and sensitive together.
    sensitive : str
        The sensitive variable s.
    known : Sequence[str]
        The known variables A; none: everyone is a peer.
    attacker : Attacker, default KNOWS_ANY
        The measure, q, and which numbers count as equal; what it knows is ``known``.

    Returns
    -------
    PeerCounts

    Raises
    ------
    InputError
        For an unknown variable, or when the sensitive one is known.

    References
    ----------
    Kroes et al. 2021, “Privacy measures”, Examples 1 to 3.

    Examples
    --------
    Table 1 with ages by ten years. Alice, the first, is one of two women of 45 to 54; the other one has diabetes, and
    that is one of the two diagnoses that are not Alice's.

    >>> import pandas as pd
    >>> people = pd.DataFrame({
    ...     "diagnosis": ["Cancer", "Cancer", "Cancer", "Arthrosis", "Diabetes"],
    ...     "gender": ["Female", "Male", "Female", "Male", "Female"],
    ...     "age": ["45-54", "35-44", "35-44", "55-64", "45-54"],
    ... })
    >>> classes = ClassTable.from_frame(people)
    >>> alice = classes.class_of_record[0]
    >>> peers = protective_peers(classes, "diagnosis", ["age", "gender"])
    >>> int(peers.npp[alice]), float(peers.ppp[alice]), float(peers.poac[alice])
    (1, 0.5, 0.5)
    """
    s, members = position(classes, sensitive), [position(classes, name) for name in known]
    if s in members or len(set(members)) < len(members):
        raise InputError(
            f"Known variables are named once each, and “{sensitive}”, being sensitive, is not among them.",
            code="column-in-two-roles",
            column=sensitive,
        )
    return counted(classes, s, members, attacker, Proximity.of(classes, attacker))


def counted(
    classes: ClassTable,
    s: int,
    members: Sequence[int],
    attacker: Attacker,
    proximity: Proximity,
    *,
    spelled: bool = False,
    own: int = 0,
) -> PeerCounts:
    """:func:`protective_peers` by positions of attributes; ``spelled`` tells values of s apart by their spelling.

    ``own`` records of each class are left out of its peers.
    """
    if not spelled and (read := classes.read(classes.attributes[s])) is not None:
        as_read = counted(read, s, members, attacker, Proximity.of(read, attacker), spelled=True, own=own)
        return replace(as_read, _spelled=counted(classes, s, members, attacker, proximity, spelled=True, own=own))
    walk = subsets_of(classes)
    known = walk.everyone()
    for j in members:
        known = walk.refine(known, j)
    both = walk.refine(known, s)
    return PeerCounts(
        attacker=attacker,
        sensitive=classes.attributes[s],
        known=tuple(classes.attributes[j] for j in members),
        peers=proximity.sizes(classes, known)[known.group] - own,
        same=proximity.sizes(classes, both)[both.group] - own,
        n_values=classes.n_values(s),
        own=own,
        _known=known,
        _both=both,
        _poac=poac_of_candidates(walk, known, s, attacker.q_of(classes.attributes[s]), own)
        if isinstance(walk, CoveredSubsets) and attacker.measure == "poac"
        else None,
    )


def measured(npp: np.ndarray, peers: np.ndarray, share: bool, values: np.ndarray) -> np.ndarray:
    """PPP (``share``) or NPP of classes, written to ``values``; infinite for one without peers."""
    values[:] = np.inf
    return np.divide(npp, peers if share else 1, out=values, where=peers > 0)


def poac(known: Subset, both: Subset, n_values: int, q: float, own: int = 0) -> np.ndarray:
    """float64, per class of the table: the share of the other values of s that more than q of its peers have.

    ``known`` are the classes of A, ``both`` those of A and s; ``own`` records of each class are no peers of it. NaN
    when s has one value: there is no other. Infinite for a class without peers.
    """
    if n_values == 1:
        return np.full(len(known.group), np.nan)
    parent = known.group.take(both.row)
    peers = known.sizes - own
    considered = _above(both.sizes, peers.take(parent), q)
    number = np.bincount(parent, weights=considered, minlength=len(peers))
    others = number.take(known.group) - considered.take(both.group)
    return np.where(peers.take(known.group) > 0, others / (n_values - 1), np.inf)


def _above(sizes: np.ndarray, peers: np.ndarray, q: float) -> np.ndarray:
    """bool: more than a share q of the peers; false where there are none."""
    return np.divide(sizes, peers, out=np.zeros(len(sizes)), where=peers > 0) > q


def poac_of_candidates(walk: CoveredSubsets, known: Subset, s: int, q: float, own: int = 0) -> np.ndarray:
    """The same where labels are of several levels: a value comes into question for all whose label covers it."""
    assert isinstance(known, CoveredSubset)
    n_values = walk.spans[s]
    if n_values == 1:
        return np.full(len(known.group), np.nan)
    of_class, value, candidates = walk.having(known, s)
    peers = known.sizes - own
    considered = _above(candidates, peers[of_class], q)
    number = sum_by(of_class, len(peers), considered.astype(np.int64))
    pairs, wanted = of_class * n_values + value, known.group * n_values + walk.columns[s]
    place = np.minimum(np.searchsorted(pairs, wanted), max(0, len(pairs) - 1))
    own_value = considered[place] & (pairs[place] == wanted) if len(pairs) else np.zeros(len(wanted), dtype=bool)
    return np.where(peers[known.group] > 0, (number[known.group] - own_value) / (n_values - 1), np.inf)
