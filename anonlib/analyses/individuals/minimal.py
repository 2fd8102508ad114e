"""The smallest sets of variables that are enough: to infer a sensitive value, or to single a record out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod

import numpy as np
import pandas as pd

from anonlib.analyses.individuals.attacker import KNOWS_ANY, Attacker
from anonlib.analyses.individuals.measures import MOST_SETS, AttackOnTable, evaluate, n_tabled
from anonlib.analyses.individuals.sampling import MEMORY, Individuals
from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.covering import subsets_of
from anonlib.counting.classes.subsets import n_subsets


@dataclass(frozen=True, eq=False)
class MinimalSets:
    """The minimal sets: sets of variables that are enough for a record when no part of them is.

    Attributes
    ----------
    people : Individuals
        The individuals looked at, a row a class.
    attributes : tuple[str, ...]
        The variables that the sets are made of.
    sets : tuple[tuple[str, ...], ...]
        The sets that are minimal for some record, those minimal for most records first.
    counts : np.ndarray
        int64, per set the records it is minimal for (estimated, when a sample was taken).
    smallest : np.ndarray
        int8, per row the size of the smallest set that is enough, -1 where none is.
    first : np.ndarray
        int32, per row the position in ``sets`` of the first of its smallest sets, -1 where it has none.
    n_sets : np.ndarray
        int32, per row how many minimal sets it has.
    """

    people: Individuals
    attributes: tuple[str, ...]
    sets: tuple[tuple[str, ...], ...]
    counts: np.ndarray
    smallest: np.ndarray
    first: np.ndarray
    n_sets: np.ndarray

    @property
    def n_with_sets(self) -> int:
        """Records for which some set is enough (estimated, when a sample was taken)."""
        return int(self.people.number(self.smallest >= 0))

    def smallest_set(self, row: int) -> tuple[str, ...]:
        """The first of a row's smallest sets; empty where it has none."""
        return self.sets[self.first[row]] if self.first[row] >= 0 else ()

    def to_frame(self) -> pd.DataFrame:
        """One row a set: ``variables`` (a tuple), ``size``, ``records`` it is minimal for, their ``share``."""
        return pd.DataFrame(
            {
                "variables": self.sets,
                "size": [len(names) for names in self.sets],
                "records": self.counts,
                "share": self.counts / max(1, self.people.n_records),
            }
        )

    def records(self) -> pd.DataFrame:
        """Records in the file's order: ``smallest`` and ``n_sets``; NaN for a record left out or not looked at."""
        of_row = {"smallest": self.smallest, "n_sets": self.n_sets}
        return pd.DataFrame({name: self.people.by_record(column) for name, column in of_row.items()})


@dataclass(frozen=True, eq=False)
class BreachingSets:
    """The minimal sets of known variables that give a sensitive value away.

    Attributes
    ----------
    minimal : MinimalSets
        The smallest sets of known variables that are enough, and for whom each is.
    attacker : Attacker
        What may be known, and the measure.
    sensitive : str
        The sensitive variable.
    p : float
        A set gives a value away where it brings the measure to ``p`` or below.
    """

    minimal: MinimalSets
    attacker: Attacker
    sensitive: str
    p: float


@dataclass(frozen=True, eq=False)
class SinglingOut:
    """The minimal sets that make a record unique, or leave it in a class below k.

    Attributes
    ----------
    minimal : MinimalSets
        The smallest sets of attributes that single a record out, and which each does.
    k, max_size : int
        Records among fewer than ``k`` are singled out, by sets of at most ``max_size``.
    score : np.ndarray
        float64, per row the special-uniques score: each minimal set of j of K variables adds the product of (K - i) for
        i from j to the largest size looked at; the smaller a set, and the more of them, the higher.
    """

    minimal: MinimalSets
    k: int
    max_size: int
    score: np.ndarray

    def records(self) -> pd.DataFrame:
        """As :meth:`MinimalSets.records`, and the ``score``."""
        return self.minimal.records().assign(score=self.minimal.people.by_record(self.score))


def singling_out(
    classes: ClassTable,
    *,
    max_size: int = 3,
    k: int = 2,
    memory: int = MEMORY,
    rng: np.random.Generator | None = None,
    progress: Progress | None = None,
) -> SinglingOut:
    """The minimal combinations of attributes that leave a record among few.

    Parameters
    ----------
    classes : ClassTable
        The attributes that may be known.
    max_size : int, default 3
        The most attributes in a combination, 1 up.
    k : int, default 2
        A record among fewer than ``k`` (2 up) is singled out.
    memory : int, default MEMORY
        Bytes for counts and results; past it a random sample of individuals is looked at, each still counted against
        all records.
    rng : np.random.Generator, optional
        Draws the seed of that sample; seed 0 without it.
    progress : Progress, optional
        Called with the share done; what it raises stops the work.

    Returns
    -------
    SinglingOut

    Raises
    ------
    InputError
        For a number out of its range, or too many combinations.

    References
    ----------
    Minimal sample uniques and their score: Elliot, Manning and Ford 2002 (SUDA), here for any k.

    Examples
    --------
    Of two women and two men one woman is the only one of 52, and the other one the only woman of 40.

    >>> people = pd.DataFrame({"sex": ["F", "F", "M", "M"], "age": ["40", "52", "40", "40"]})
    >>> singling_out(ClassTable.from_frame(people)).minimal.to_frame()["variables"].tolist()
    [('age',), ('sex', 'age')]
    """
    checks.whole(max_size, "The number of attributes in a combination", 1)
    checks.whole(k, "k", 2)
    n, largest = len(classes.attributes), min(max_size, len(classes.attributes))
    if n_subsets(n, largest) > MOST_SETS:
        raise InputError(
            f"{n} columns have too many combinations of {largest}. Choose smaller combinations.", code="too-many-sets"
        )
    people = Individuals.chosen(classes, n_subsets(n, largest) + 13, memory, rng)
    some = people.selection(classes)

    def below_k() -> Iterator[tuple[int, np.ndarray]]:
        for done, subset in enumerate(subsets_of(classes).walk(largest)):
            if subset.members:
                group = subset.group if some is None else subset.group[some]
                yield subset.mask, (subset.sizes < k)[group]
            if progress:
                progress((done + 1) / n_subsets(n, largest))

    points = {size: prod(n - i for i in range(size, min(largest, n - 1) + 1)) for size in range(1, largest + 1)}
    score = np.zeros(len(people.rows))

    def scored() -> Iterator[tuple[int, np.ndarray]]:
        for mask, minimal in only_minimal(below_k()):
            score[minimal] += points[mask.bit_count()]
            yield mask, minimal

    return SinglingOut(_gathered(classes, scored(), people), k, largest, score)


def breaching_sets(
    classes: ClassTable,
    sensitive: str,
    attacker: Attacker = KNOWS_ANY,
    *,
    p: float = 0.0,
    memory: int = MEMORY,
    rng: np.random.Generator | None = None,
    progress: Progress | None = None,
) -> BreachingSets:
    """The smallest sets of known variables that bring the measure of a sensitive one to ``p`` or below.

    A set counts for a record when no part of it is enough (with p above 0 a larger set may protect again; that does
    not undo the breach).

    Parameters
    ----------
    classes : ClassTable
        The variables, known and sensitive together.
    sensitive : str
        The sensitive variable.
    attacker : Attacker, default KNOWS_ANY
        What may be known, and the measure.
    p : float, default 0.0
        The threshold, a number.
    memory : int, default MEMORY
        Bytes for counts and results; past it a random sample of individuals is looked at, each still counted against
        all records.
    rng : np.random.Generator, optional
        Draws the seed of that sample; seed 0 without it.
    progress : Progress, optional
        Called with the share done; what it raises stops the work.

    Returns
    -------
    BreachingSets

    Raises
    ------
    InputError
        As ``privacy_profile``.
    """
    checks.number(p, "p")
    attack = AttackOnTable.of(classes, sensitive, attacker)
    bytes_each = 4 * n_tabled(classes, attack) + attack.n_sets(classes) + 5
    people = Individuals.chosen(classes, bytes_each, memory, rng)
    harmed = ~attack.unharmed(classes, people.rows)[:, 0]
    certain = (
        (evaluation.mask, (evaluation.values <= p) & harmed)
        for evaluation in evaluate(classes, attack, people.selection(classes), progress)
    )
    return BreachingSets(_gathered(classes, only_minimal(certain), people), attacker, sensitive, p)


def only_minimal(enough: Iterable[tuple[int, np.ndarray]]) -> Iterator[tuple[int, np.ndarray]]:
    """From sets (by ascending mask) with the rows each is enough for, to the sets with the rows each is minimal for."""
    reached: dict[int, np.ndarray] = {}  # by the set or a part of it
    for mask, rows in enough:
        by_part = np.zeros(len(rows), dtype=bool)
        for j in range(mask.bit_length()):
            if mask >> j & 1 and mask ^ 1 << j in reached:
                by_part |= reached[mask ^ 1 << j]
        yield mask, rows & ~by_part
        reached[mask] = rows | by_part


def _gathered(classes: ClassTable, minimal: Iterable[tuple[int, np.ndarray]], people: Individuals) -> MinimalSets:
    smallest, n_sets = np.full(len(people.rows), 127, np.int8), np.zeros(len(people.rows), np.int32)
    first = np.full(len(people.rows), -1, np.int32)
    counts: dict[int, int] = {}
    for mask, of in minimal:
        if of.any():
            first[of & (mask.bit_count() < smallest)] = len(counts)
            counts[mask] = int(people.number(of))
            np.minimum(smallest, mask.bit_count(), out=smallest, where=of)
            n_sets += of
    smallest[smallest == 127] = -1
    ranked = sorted(counts, key=lambda mask: (-counts[mask], mask.bit_count(), mask))
    rank = {mask: i for i, mask in enumerate(ranked)}
    rank_of_first = np.array([*(rank[mask] for mask in counts), -1], dtype=np.int32)  # the last is where there is none
    return MinimalSets(
        people=people,
        attributes=classes.attributes,
        sets=tuple(names_in(classes.attributes, mask) for mask in ranked),
        counts=np.array([counts[mask] for mask in ranked], dtype=np.int64),
        smallest=smallest,
        first=rank_of_first[first],
        n_sets=n_sets,
    )


def names_in(attributes: tuple[str, ...], mask: int) -> tuple[str, ...]:
    """The attributes of a set, given as a number: bit j is attribute j."""
    return tuple(name for j, name in enumerate(attributes) if mask >> j & 1)
