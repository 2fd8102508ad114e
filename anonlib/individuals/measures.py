"""The measures of privacy against partial knowledge, for every set of known variables (Kroes et al. 2021).

For known variables A and a sensitive variable s outside A, an individual's *peers* are the records equal to it in A,
and *same* are the peers that also share its value of s. Then NPP = peers - same, PPP = NPP / peers, and PoAC is the
share of the other values of s that more than a share q of the peers have. Everything in this package is made of
:func:`evaluate`, which counts each set once and lets every sensitive variable use it.

A missing value is a value that peers may have: who lacks it is a peer with another value. An individual whose own value
is missing has nothing to infer and is not exposed, unless ``missing_is_harm``: their measure is then that of a value
like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb
from typing import Any, Literal, get_args

import numpy as np

from anonlib.classes import ClassTable
from anonlib.classes.subsets import Subset, Subsets, n_subsets
from anonlib.errors import InputError
from anonlib.individuals.proximity import Proximity, position

Measure = Literal["ppp", "npp", "poac"]
MOST_SETS = 2**21
NOT_NEAR = "PoAC compares exact values. Take PPP or NPP, or leave nearness out."
_GROUPS = 1_000_000_000  # bytes that the groups of all sets may take
Progress = Callable[[float], None]
"""Called with the share that is done, 0 to 1; what it raises stops the work."""


@dataclass(frozen=True)
class Question:
    """What is asked of a class table, checked.

    Attributes
    ----------
    sensitive : positions of the sensitive variables, each taken in turn while all the others may be known.
    measure : "ppp", "npp" or "poac".
    q : per sensitive variable, the share of peers a value must exceed to count as an alternative (PoAC only).
    max_known : the most variables that are known at once.
    include_empty : also the attacker who knows none of them.
    proximity : how near two numbers count as equal.
    missing_is_harm : who lacks the sensitive value is exposed where that is certain.
    """

    sensitive: tuple[int, ...]
    measure: Measure
    q: tuple[float, ...]
    max_known: int
    include_empty: bool
    proximity: Proximity
    missing_is_harm: bool = False

    @classmethod
    def of(
        cls,
        classes: ClassTable,
        sensitive: str | Sequence[str] | None,
        measure: Measure = "ppp",
        q: float | Mapping[str, float] = 0.0,
        max_known: int | None = None,
        include_empty: bool = False,
        within: Mapping[str, float] | None = None,
        missing_is_harm: bool = False,
    ) -> Question:
        names = classes.attributes if sensitive is None else [sensitive] if isinstance(sensitive, str) else sensitive
        positions = tuple(position(classes, name) for name in names)
        if not positions or len(set(positions)) < len(positions):
            raise InputError("Name at least one sensitive variable, each once.")
        checked_measure(measure)
        for name in q if isinstance(q, Mapping) else ():
            position(classes, name)
        others = len(classes.attributes) - 1
        if not others and not include_empty:
            raise InputError(
                f"“{classes.attributes[0]}” is the only variable, so there is nothing to infer it from. Choose more."
            )
        most = others if max_known is None else min(max_known, others)
        if most < (0 if include_empty else 1):
            raise InputError("An attacker knows at least one variable here. Raise the number of known variables.")
        if n_subsets(others, most) > MOST_SETS:
            fewer = next(size for size in range(others, 0, -1) if n_subsets(others, size) <= MOST_SETS)
            raise InputError(
                f"{others + 1} variables make too many sets that could be known. Let the attacker know at most {fewer} "
                "of them at once, or choose fewer variables."
            )
        shares = tuple(_share_of(q, classes.attributes[s]) for s in positions)
        proximity = Proximity.of(classes, within or {})
        if proximity and measure == "poac":
            raise InputError(NOT_NEAR)
        return cls(positions, measure, shares, most, include_empty, proximity, missing_is_harm)

    @property
    def least_known(self) -> int:
        return 0 if self.include_empty else 1

    def unharmed(self, missing: np.ndarray) -> np.ndarray:
        """Of ``missing`` (bool: their own value is missing) those to whom it does no harm: all of them, or none."""
        return missing & (not self.missing_is_harm)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """One measure of one sensitive variable for one set of known variables.

    ``mask`` has bit j for known attribute j, ``known`` is how many there are, ``sensitive`` the place of the sensitive
    variable in the question, and ``values`` (float64, per row asked for) the measure. The array is written over by the
    next evaluation: copy what is to be kept.
    """

    mask: int
    known: int
    sensitive: int
    values: np.ndarray


def evaluate(
    classes: ClassTable, question: Question, rows: np.ndarray | None = None, progress: Progress | None = None
) -> Iterator[Evaluation]:
    """The measure for every set of known variables and every sensitive variable outside it.

    Counts are of all records; ``rows`` (positions of classes) limits whose values are given, and with them memory.
    """
    ways = {"ppp": _peer_measures, "npp": _peer_measures, "poac": _alternatives_considered}
    yield from ways[question.measure](classes, question, rows, progress)


def value_is_missing(classes: ClassTable, s: int) -> np.ndarray:
    """bool, per class: the value of the s-th attribute is missing."""
    values = classes.categories[s]
    if not len(values) or values[-1] is not None:
        return np.zeros(classes.n_classes, dtype=bool)
    return classes.codes[:, s] == len(values) - 1


def n_tabled(classes: ClassTable, question: Question) -> int:
    """How many sets' counts :func:`evaluate` keeps at once, four bytes each for every row asked for."""
    return 0 if question.measure == "poac" else _n_peers_tabled(classes, question)


def _n_peers_tabled(classes: ClassTable, question: Question) -> int:
    n = len(classes.attributes) - (len(question.sensitive) == 1)
    return n_subsets(n, question.max_known)


def estimated_seconds(
    classes: ClassTable, max_known: int, *, sensitive: str | Sequence[str] | None = None, **options: Any
) -> float:
    """About how long a profile takes on one core of an ordinary machine, to say before starting.

    Parameters as those of :func:`~anonlib.individuals.profile.privacy_profile`; infinite for too many sets.
    """
    n = len(classes.attributes)
    if n_subsets(n, max_known) > MOST_SETS:
        return float("inf")
    question = Question.of(classes, sensitive, max_known=max_known, **options)
    pairs = sum(comb(n, size) * (n - size) for size in range(max_known + 1)) * len(question.sensitive) / n
    if question.measure == "poac":
        return classes.n_classes * (n_subsets(n, max_known + 1) * 8e-9 + pairs * 11e-9)
    near = 40 if question.proximity else 1
    return classes.n_classes * (n_subsets(n, max_known + 1) * 8e-9 * near + pairs * 3e-9)


def default_q(p: float, n_values: int) -> float:
    """q = p / (\\|dom(s)\\| - 1): the share each other value needs so that together they exceed p.

    Divided as the decimal number it is written as, so that ties hold. Source: Kroes et al. 2021, “Quantifying downward
    privacy”.
    """
    return float(Fraction(repr(float(p))) / max(1, n_values - 1))


def checked_measure(measure: str) -> None:
    if measure not in get_args(Measure):
        raise InputError("The measure is one of ppp, npp and poac.")


def checked_share(value: float, what: str) -> float:
    if not 0 <= value < 1:
        raise InputError(f"{what} is a share: choose 0 or more and less than 1.")
    return float(value)


def _share_of(q: float | Mapping[str, float], name: str) -> float:
    return checked_share(q.get(name, 0.0) if isinstance(q, Mapping) else q, "q")


def _peer_measures(
    classes: ClassTable, question: Question, rows: np.ndarray | None, progress: Progress | None
) -> Iterator[Evaluation]:
    """NPP or PPP: what a set and the set without the sensitive variable count, of one table of counts."""
    place = {s: i for i, s in enumerate(question.sensitive)}
    everywhere = sum(1 << s for s in question.sensitive)
    kind = np.int32 if classes.n_records < 2**31 else np.int64
    total = n_subsets(len(classes.attributes), question.max_known + 1)
    table: dict[int, np.ndarray] = {}  # by mask
    npp = np.empty(classes.n_classes if rows is None else len(rows), dtype=kind)
    values = np.empty(len(npp))
    for done, subset in enumerate(Subsets(classes).walk(question.max_known + 1)):
        sizes = question.proximity.sizes(classes, subset)
        same = sizes.astype(kind).take(subset.group if rows is None else subset.group.take(rows))
        for s in subset.members:
            if s in place and len(subset) > question.least_known:
                peers = table[subset.mask ^ 1 << s]
                np.subtract(peers, same, out=npp)
                np.divide(npp, peers if question.measure == "ppp" else 1, out=values)
                yield Evaluation(subset.mask ^ 1 << s, len(subset) - 1, place[s], values)
        if len(subset) <= question.max_known and subset.mask & everywhere != everywhere:
            table[subset.mask] = same
        if progress:
            progress((done + 1) / total)


def _alternatives_considered(
    classes: ClassTable, question: Question, rows: np.ndarray | None, progress: Progress | None
) -> Iterator[Evaluation]:
    """PoAC: per class of the known variables, how many values of the sensitive one more than q of it have."""
    walk = Subsets(classes)
    fits = 4 * _n_peers_tabled(classes, question) * classes.n_classes <= _GROUPS
    for known, both, i in (_pairs_tabled if fits else _pairs_refined)(walk, question, progress):
        values = poac(known, both, walk.spans[question.sensitive[i]], question.q[i])
        yield Evaluation(known.mask, len(known), i, values if rows is None else values[rows])


def _pairs_tabled(walk: Subsets, question: Question, progress: Progress | None) -> Iterator[tuple[Subset, Subset, int]]:
    """Every set of known variables with and without each sensitive one; the groups of all sets are kept."""
    place = {s: i for i, s in enumerate(question.sensitive)}
    everywhere = sum(1 << s for s in question.sensitive)
    total = n_subsets(len(walk.columns), question.max_known + 1)
    table: dict[int, Subset] = {}  # by mask
    for done, both in enumerate(walk.walk(question.max_known + 1)):
        for s in both.members:
            if s in place and len(both) > question.least_known:
                yield table[both.mask ^ 1 << s], both, place[s]
        if len(both) <= question.max_known and both.mask & everywhere != everywhere:
            table[both.mask] = replace(both, group=both.group.astype(np.int32))
        if progress:
            progress((done + 1) / total)


def _pairs_refined(
    walk: Subsets, question: Question, progress: Progress | None
) -> Iterator[tuple[Subset, Subset, int]]:
    """The same with one set in memory, each counted anew with each sensitive variable: twice as slow."""
    total = n_subsets(len(walk.columns), question.max_known)
    for done, known in enumerate(walk.walk(question.max_known)):
        if len(known) >= question.least_known:
            for i, s in enumerate(question.sensitive):
                if not known.mask >> s & 1:
                    yield known, walk.refine(known, s, last=True), i
        if progress:
            progress((done + 1) / total)


def poac(known: Subset, both: Subset, n_values: int, q: float) -> np.ndarray:
    """float64, per class of the table: the share of the other values of s that more than q of its peers have.

    ``known`` are the classes of A, ``both`` those of A and s. NaN when s has one value: there is no other.
    """
    if n_values == 1:
        return np.full(len(known.group), np.nan)
    parent = known.group.take(both.row)
    considered = both.sizes / known.sizes.take(parent) > q
    number = np.bincount(parent, weights=considered, minlength=len(known.sizes))
    return (number.take(known.group) - considered.take(both.group)) / (n_values - 1)
