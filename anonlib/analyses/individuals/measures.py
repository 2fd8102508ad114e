"""The measures of privacy against partial knowledge, for every set of known variables (Kroes et al. 2021).

For known variables A and a sensitive variable s outside A, an individual's *peers* are the records equal to it in A,
and *same* are the peers that also share its value of s. Then NPP = peers - same, PPP = NPP / peers, and PoAC is the
share of the other values of s that more than a share q of the peers have. Everything in this package is made of
:func:`evaluate`, which counts each set once and lets every sensitive variable use it.

Spellings of a sensitive value that a person reads as one (:func:`anonlib.values.spellings.read_as_one`) are counted as
one and as several, and the lower measure is taken; known values are distinguished as they are spelled.

A missing value is a value that peers may have: who lacks it is a peer with another value. An individual whose own value
is missing has nothing to infer and nothing that is certain, unless that is harm: their measure is then that of a value
like any other.

In a :class:`anonlib.counting.classes.covering.CoveredTable`, of a release in which labels of several levels stand side
by side, the peers are the records whose labels in A cover the individual's true values, and *same* those whose label in
s covers its value there too: a coarse label protects nobody whom it may be of. An individual whose own label in s
covers every value has nothing to infer.

Who is looked up in another file (:class:`anonlib.counting.classes.beside.PeopleBeside`), or without their own record,
may have no peers for some set: that set says nothing of them, and their measure is infinite.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import comb

import numpy as np

from anonlib.analyses.individuals.attacker import KNOWS_ANY, Attacker
from anonlib.analyses.individuals.peers import Proximity, counted, measured, poac, poac_of_candidates, position
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.covering import CoveredSubsets, CoveredTable, subsets_of
from anonlib.counting.classes.subsets import Subset, Subsets, n_subsets

MOST_SETS = 2**21
MOST_ATTRIBUTES = 62  # of the compiled walk: a set is a number with a bit for each
_GROUPS = 1_000_000_000  # bytes that the groups of all sets may take


@dataclass(frozen=True)
class AttackOnTable:
    """An attacker against some sensitive variables of one class table: checked, and by positions instead of names.

    Attributes
    ----------
    attacker : Attacker
        What is known, and how privacy is measured.
    sensitive : tuple[int, ...]
        Positions of the sensitive variables, each taken in turn while all the others may be known.
    q : tuple[float, ...]
        Per sensitive variable, the threshold of PoAC.
    least_known, max_known : int
        The fewest and the most variables that are known at once.
    proximity : Proximity
        How near two numbers count as equal.
    own : int, default 0
        Records of each individual's own that are no peers of it: 1 for what all others give away of it, else 0.
    """

    attacker: Attacker
    sensitive: tuple[int, ...]
    q: tuple[float, ...]
    least_known: int
    max_known: int
    proximity: Proximity
    own: int = 0

    @classmethod
    def of(cls, classes: ClassTable, sensitive: str | Sequence[str] | None, attacker: Attacker) -> AttackOnTable:
        """Sensitive are the variables named, or all. Raises InputError for what the table has not, or too many sets."""
        names = classes.attributes if sensitive is None else [sensitive] if isinstance(sensitive, str) else sensitive
        positions = tuple(position(classes, name) for name in names)
        if not positions or len(set(positions)) < len(positions):
            raise InputError("Name at least one sensitive variable, each once.", code="choice-missing")
        for name in attacker.q_by_variable:
            position(classes, name)
        others = len(classes.attributes) - 1
        if not others and not attacker.include_empty:
            raise InputError(
                f"“{classes.attributes[0]}” is the only variable, so there is nothing to infer it from. Choose more.",
                code="nothing-to-infer-from",
                column=classes.attributes[0],
            )
        least, most = 0 if attacker.include_empty else 1, others
        if attacker.knows == "all":
            least = others
        elif attacker.knows != "any":
            most = min(attacker.knows, others)
        if attacker.knows != "all" and n_subsets(others, most) > MOST_SETS:
            fewer = next(size for size in range(others, 0, -1) if n_subsets(others, size) <= MOST_SETS)
            raise InputError(
                f"{others + 1} variables make too many sets that could be known. Let the attacker know at most {fewer} "
                "of them at once, or choose fewer variables.",
                code="too-many-sets",
            )
        if attacker.is_near and isinstance(classes, CoveredTable):
            raise InputError(
                "Numbers that are near each other are looked for among values, and here labels of several levels stand "
                "side by side. Leave nearness out, or count equal labels.",
                code="knowledge-unclear",
            )
        q = tuple(attacker.q_of(name) for name in names)
        return cls(attacker, positions, q, least, most, Proximity.of(classes, attacker))

    def against(self, classes: ClassTable, i: int) -> AttackOnTable:
        """The same against the i-th of the sensitive variables alone, in a table with other values of it."""
        proximity = Proximity.of(classes, self.attacker)
        return replace(self, sensitive=(self.sensitive[i],), q=(self.q[i],), proximity=proximity)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of variables that may be known at once, ascending."""
        return tuple(range(self.least_known, self.max_known + 1))

    def is_walked(self, classes: ClassTable) -> bool:
        """Whether the least values over all sets are what the compiled walk finds: PPP and NPP of exact values."""
        of_peers = self.attacker.measure != "poac" and self.attacker.knows != "all"
        is_plain = not self.proximity and not isinstance(classes, CoveredTable)
        return of_peers and is_plain and len(classes.attributes) <= MOST_ATTRIBUTES

    def n_sets(self, classes: ClassTable) -> int:
        """How many sets of other variables may be known while one is sensitive."""
        return 1 if self.attacker.knows == "all" else n_subsets(len(classes.attributes) - 1, self.max_known)

    def missing(self, classes: ClassTable, rows: np.ndarray) -> np.ndarray:
        """bool, rows x sensitive: the individual's own value is missing."""
        return np.column_stack([classes.is_missing(s)[rows] for s in self.sensitive])

    def unharmed(self, classes: ClassTable, rows: np.ndarray) -> np.ndarray:
        """bool, rows x sensitive: there is nothing to infer, the own value being missing and that no harm, or its label
        one that covers every value."""
        tells_nothing = np.column_stack([classes.tells_nothing(s)[rows] for s in self.sensitive])
        return tells_nothing & ~self.missing(classes, rows) if self.attacker.missing_is_harm else tells_nothing


@dataclass(frozen=True, eq=False)
class Evaluation:
    """One measure of one sensitive variable for one set of known variables.

    Attributes
    ----------
    mask : int
        Bit j is set for known attribute j.
    known : int
        How many there are.
    sensitive : int
        The place of the sensitive variable in the attack.
    values : np.ndarray
        float64, per row asked for the measure, infinite for one without peers. It is written over by the next
        evaluation: copy what is to be kept.
    """

    mask: int
    known: int
    sensitive: int
    values: np.ndarray


def evaluate(
    classes: ClassTable, attack: AttackOnTable, rows: np.ndarray | None = None, progress: Progress | None = None
) -> Iterator[Evaluation]:
    """The measure for every set of variables that may be known and every sensitive variable outside it.

    Parameters
    ----------
    classes : ClassTable
        The class table; counts are of all its records.
    attack : AttackOnTable
        Who asks for what.
    rows : np.ndarray, optional
        Positions of the classes whose values are given, which limits the memory; all when left out.
    progress : Progress, optional
        Called with the share done.

    Yields
    ------
    One :class:`Evaluation` a set and sensitive variable, sets by ascending mask (except for "all").
    """
    as_read = {
        i: _evaluate(read, attack.against(read, i), rows, None)
        for i, s in enumerate(attack.sensitive)
        if (read := classes.read(classes.attributes[s])) is not None
    }
    for evaluation in _evaluate(classes, attack, rows, progress):
        if evaluation.sensitive in as_read:  # which comes to the same sets in the same order
            evaluation = replace(
                evaluation, values=np.fmin(evaluation.values, next(as_read[evaluation.sensitive]).values)
            )
        yield evaluation


def _evaluate(
    classes: ClassTable, attack: AttackOnTable, rows: np.ndarray | None, progress: Progress | None
) -> Iterator[Evaluation]:
    """As :func:`evaluate`, by the labels of the sensitive variables."""
    if attack.attacker.knows == "all":
        yield from _all_known(classes, attack, rows, progress)
    elif attack.attacker.measure == "poac":
        yield from _alternatives_considered(classes, attack, rows, progress)
    else:
        yield from _peer_measures(classes, attack, rows, progress)


def n_tabled(classes: ClassTable, attack: AttackOnTable) -> int:
    """How many sets' counts :func:`evaluate` keeps at once, four bytes each for every row asked for."""
    if attack.attacker.knows == "all" or attack.attacker.measure == "poac":
        return 0
    return _n_peers_tabled(classes, attack)


def estimated_seconds(
    classes: ClassTable, attacker: Attacker = KNOWS_ANY, *, sensitive: str | Sequence[str] | None = None
) -> float:
    """About how long a profile takes on one core of an ordinary machine, to say before starting.

    Parameters
    ----------
    classes : ClassTable
        The variables, known and sensitive together.
    attacker : Attacker, default KNOWS_ANY
        What may be known, which says how many sets there are, and the measure.
    sensitive : str | Sequence[str], optional
        The sensitive variables; all when left out.

    Returns
    -------
    Seconds; infinite for too many sets.
    """
    n = len(classes.attributes)
    n_sensitive = n if sensitive is None else 1 if isinstance(sensitive, str) else len(sensitive)
    a_set = classes.seconds_a_set if isinstance(classes, CoveredTable) else 0.0
    if attacker.knows == "all":
        return n_sensitive * n * (classes.n_classes * 20e-9 + 20 * a_set)
    most = n - 1 if attacker.knows == "any" else min(attacker.knows, n - 1)
    if n_subsets(n, most) > MOST_SETS:
        return float("inf")
    if a_set:
        of_poac = n_sensitive if attacker.measure == "poac" else 1
        return n_subsets(n, most + 1) * (classes.n_classes * 15e-9 * n_sensitive + a_set * of_poac)
    pairs = sum(comb(n, size) * (n - size) for size in range(most + 1)) * n_sensitive / n
    if attacker.measure == "poac":
        return classes.n_classes * (n_subsets(n, most + 1) * 5e-9 + pairs * 11e-9)
    if attacker.is_near:
        return classes.n_classes * (n_subsets(n, most + 1) * 320e-9 + pairs * 3e-9)
    return classes.n_classes * (n_subsets(n, most + 1) * 3e-9 + pairs * 1.2e-9)


def _n_peers_tabled(classes: ClassTable, attack: AttackOnTable) -> int:
    return n_subsets(len(classes.attributes) - (len(attack.sensitive) == 1), attack.max_known)


def _all_known(
    classes: ClassTable, attack: AttackOnTable, rows: np.ndarray | None, progress: Progress | None
) -> Iterator[Evaluation]:
    """Every other variable known: one sensitive variable at a time, two group-bys each."""
    n = len(classes.attributes)
    for i, s in enumerate(attack.sensitive):
        known = [j for j in range(n) if j != s]
        values = counted(classes, s, known, attack.attacker, attack.proximity, spelled=True, own=attack.own).values
        yield Evaluation((1 << n) - 1 ^ 1 << s, n - 1, i, values if rows is None else values[rows])
        if progress:
            progress((i + 1) / len(attack.sensitive))


def _peer_measures(
    classes: ClassTable, attack: AttackOnTable, rows: np.ndarray | None, progress: Progress | None
) -> Iterator[Evaluation]:
    """NPP or PPP: what a set and the set without the sensitive variable count, of one table of counts."""
    place = {s: i for i, s in enumerate(attack.sensitive)}
    everywhere = sum(1 << s for s in attack.sensitive)
    kind = np.int32 if classes.n_records < 2**31 else np.int64
    total = n_subsets(len(classes.attributes), attack.max_known + 1)
    table: dict[int, np.ndarray] = {}  # by mask
    npp = np.empty(classes.n_classes if rows is None else len(rows), dtype=kind)
    values = np.empty(len(npp))
    for done, subset in enumerate(subsets_of(classes).walk(attack.max_known + 1)):
        sizes = attack.proximity.sizes(classes, subset)
        same = sizes.astype(kind).take(subset.group if rows is None else subset.group.take(rows))
        for s in subset.members:
            if s in place and len(subset) > attack.least_known:
                peers = table[subset.mask ^ 1 << s]
                np.subtract(peers, same, out=npp)
                measured(npp, peers - attack.own if attack.own else peers, attack.attacker.measure == "ppp", values)
                yield Evaluation(subset.mask ^ 1 << s, len(subset) - 1, place[s], values)
        if len(subset) <= attack.max_known and subset.mask & everywhere != everywhere:
            table[subset.mask] = same
        if progress:
            progress((done + 1) / total)


def _alternatives_considered(
    classes: ClassTable, attack: AttackOnTable, rows: np.ndarray | None, progress: Progress | None
) -> Iterator[Evaluation]:
    """PoAC: per class of the known variables, how many values of the sensitive one more than q of it have."""
    walk = subsets_of(classes, attack.sensitive)
    if isinstance(walk, CoveredSubsets):
        total = n_subsets(len(walk.columns), attack.max_known)
        for done, subset in enumerate(walk.walk(attack.max_known)):
            for i, s in enumerate(attack.sensitive if len(subset) >= attack.least_known else ()):
                if not subset.mask >> s & 1:
                    values = poac_of_candidates(walk, subset, s, attack.q[i], attack.own)
                    yield Evaluation(subset.mask, len(subset), i, values if rows is None else values[rows])
            if progress:
                progress((done + 1) / total)
        return
    fits = 4 * _n_peers_tabled(classes, attack) * classes.n_classes <= _GROUPS
    for known, both, i in (_pairs_tabled if fits else _pairs_refined)(walk, attack, progress):
        values = poac(known, both, walk.spans[attack.sensitive[i]], attack.q[i], attack.own)
        yield Evaluation(known.mask, len(known), i, values if rows is None else values[rows])


def _pairs_tabled(
    walk: Subsets, attack: AttackOnTable, progress: Progress | None
) -> Iterator[tuple[Subset, Subset, int]]:
    """Every set of known variables with and without each sensitive one; the groups of all sets are kept."""
    place = {s: i for i, s in enumerate(attack.sensitive)}
    everywhere = sum(1 << s for s in attack.sensitive)
    total = n_subsets(len(walk.columns), attack.max_known + 1)
    table: dict[int, Subset] = {}  # by mask
    for done, both in enumerate(walk.walk(attack.max_known + 1)):
        for s in both.members:
            if s in place and len(both) > attack.least_known:
                yield table[both.mask ^ 1 << s], both, place[s]
        if len(both) <= attack.max_known and both.mask & everywhere != everywhere:
            table[both.mask] = replace(both, group=both.group.astype(np.int32))
        if progress:
            progress((done + 1) / total)


def _pairs_refined(
    walk: Subsets, attack: AttackOnTable, progress: Progress | None
) -> Iterator[tuple[Subset, Subset, int]]:
    """The same with one set in memory, each counted again with each sensitive variable: twice as slow."""
    total = n_subsets(len(walk.columns), attack.max_known)
    for done, known in enumerate(walk.walk(attack.max_known)):
        if len(known) >= attack.least_known:
            for i, s in enumerate(attack.sensitive):
                if not known.mask >> s & 1:
                    yield known, walk.refine(known, s), i
        if progress:
            progress((done + 1) / total)
