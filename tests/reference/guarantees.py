"""Guarantees and the least change from their definitions: slow and obvious, record by record.

A row is a dictionary from column to text, or None where it is missing; a weight says how many persons it stands for.
A ladder is what each value of a column becomes, a dictionary a level. Nothing here is shared with what it is to check,
but for the names of what must hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product

import pandas as pd
from hypothesis import strategies as st

from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.counting.classes import ClassTable
from anonlib.counting.privacy_models import (
    AttributeDisclosure,
    AverageRiskLimit,
    KAnonymity,
    LDiversity,
    PrivacyModel,
    TCloseness,
)
from tests.reference.generalization import TOP, Ladder, distance, hierarchy_of, ladders

Row = dict[str, str | None]
State = tuple[int, ...]


# --- who violates ---------------------------------------------------------------------------------------------------


def exact(number: float) -> Fraction:
    """A number as it is written."""
    return Fraction(repr(float(number)))


def sets_known(columns: Sequence[str], known: int | None) -> list[tuple[str, ...]]:
    """Every set of at most so many columns, the empty one included."""
    most = len(columns) if known is None else min(known, len(columns))
    return [chosen for size in range(most + 1) for chosen in combinations(columns, size)]


def alike(rows: Sequence[Row], i: int, columns: Sequence[str]) -> list[int]:
    """Who shares the values of row i in some columns, itself among them."""
    return [j for j, row in enumerate(rows) if all(row[name] == rows[i][name] for name in columns)]


def total(weights: Sequence[int], members) -> int:
    return sum(weights[i] for i in members)


def counted(rows: Sequence[Row], weights: Sequence[int], column: str, members) -> Counter:
    found: Counter = Counter()
    for i in members:
        found[rows[i][column]] += weights[i]
    return found


def by_one_set(rows: Sequence[Row], weights: Sequence[int], guarantee: PrivacyModel, columns, i: int) -> bool:
    """Whether row i violates a guarantee for who knows exactly these columns."""
    peers = alike(rows, i, columns)
    if isinstance(guarantee, KAnonymity):
        return total(weights, peers) < guarantee.least
    if isinstance(guarantee, AttributeDisclosure):
        value = rows[i][guarantee.sensitive]
        if value is None or value in guarantee.harmless:
            return False
        others = total(weights, [j for j in peers if rows[j][guarantee.sensitive] != value])
        return others / total(weights, peers) <= guarantee.p
    found = counted(rows, weights, guarantee.sensitive, peers)
    if isinstance(guarantee, TCloseness):
        whole = counted(rows, weights, guarantee.sensitive, range(len(rows)))
        return distance(found, whole, guarantee.distance) > exact(guarantee.t)
    if guarantee.by == "distinct":
        return len(found) < guarantee.l
    # Entropy is below log l when n^n is below l^n times the product of c^c over the counts c.
    n, right = sum(found.values()), Fraction(1)
    for number in found.values():
        right *= Fraction(number) ** number
    return Fraction(n) ** n < exact(guarantee.l) ** n * right


def violating(rows: Sequence[Row], weights: Sequence[int], guarantee: PrivacyModel) -> set[int]:
    """Who violates a guarantee by some set of columns that may be known."""
    if isinstance(guarantee, KAnonymity | AttributeDisclosure):
        sets = sets_known(guarantee.columns, guarantee.known)
    else:
        sets = [guarantee.columns]
    return {i for i in range(len(rows)) if any(by_one_set(rows, weights, guarantee, chosen, i) for chosen in sets)}


def holds(rows: Sequence[Row], weights: Sequence[int], guarantee: PrivacyModel) -> bool:
    missing = {*guarantee.columns} - {name for row in rows[:1] for name in row}
    assert not rows or not missing, f"columns that the rows do not have: {missing}; use guarantee.on(their columns)"
    n = sum(weights)
    if not n:
        return True
    if isinstance(guarantee, AverageRiskLimit):
        classes = {tuple(row[name] for name in guarantee.columns) for row in rows}
        return len(classes) / n <= guarantee.limit
    return total(weights, violating(rows, weights, guarantee)) / n <= guarantee.share


def all_hold(rows: Sequence[Row], weights: Sequence[int], guarantees: Sequence[PrivacyModel]) -> bool:
    return all(holds(rows, weights, guarantee) for guarantee in guarantees)


def most_that_can_stay(rows: Sequence[Row], guarantees: Sequence[PrivacyModel]) -> list[set[int]]:
    """Every largest set of records, of one person each, of which all guarantees hold: tried one by one."""
    for size in range(len(rows), -1, -1):
        found = [
            set(members)
            for members in combinations(range(len(rows)), size)
            if all_hold([rows[i] for i in members], [1] * size, guarantees)
        ]
        if found:
            return found
    raise AssertionError("of nobody everything holds")


def left_without_violators(rows: Sequence[Row], weights: Sequence[int], guarantees: Sequence[PrivacyModel]) -> set[int]:
    """Who is left when all who violate go, again and again until nobody does."""
    left = list(range(len(rows)))
    while True:
        now, mine = [rows[i] for i in left], [weights[i] for i in left]
        gone = set().union(*(violating(now, mine, guarantee) for guarantee in guarantees))
        if not gone:
            return set(left)
        left = [i for place, i in enumerate(left) if place not in gone]


def table_of(rows: Sequence[Row], weights: Sequence[int] | None = None) -> ClassTable:
    """The rows as the library counts them."""
    names = list(rows[0]) if rows else [*KNOWN, *SENSITIVE]
    frame = pd.DataFrame([[row[name] for name in names] for row in rows], columns=names, dtype=object)
    return ClassTable.from_frame(frame, weights=weights)


# --- what is searched -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """Rows with weights, ladders of some columns, what must hold, and how many may be left out."""

    names: tuple[str, ...]
    rows: list[Row]
    weights: list[int]
    ladders: dict[str, Ladder]
    guarantees: tuple[PrivacyModel, ...]
    most: int = 0
    matter: dict[str, int] = field(default_factory=dict)
    a_column: float = 0.0

    @property
    def n(self) -> int:
        return sum(self.weights)

    @property
    def laddered(self) -> list[str]:
        """The columns that can be coarsened, in the table's order."""
        return [name for name in self.names if name in self.ladders]

    def states(self) -> Iterator[State]:
        return product(*(range(len(self.ladders[name])) for name in self.laddered))

    @property
    def frame(self) -> pd.DataFrame:
        return pd.DataFrame([[row[name] for name in self.names] for row in self.rows], columns=self.names, dtype=object)

    @cached_property
    def classes(self) -> ClassTable:
        return ClassTable.from_frame(self.frame, weights=self.weights)

    @cached_property
    def hierarchies(self) -> dict[str, Hierarchy]:
        return {name: hierarchy_of(ladder) for name, ladder in self.ladders.items()}

    def at(self, state: State) -> list[Row]:
        """The rows with each column at its level."""
        levels = dict(zip(self.laddered, state, strict=True))
        return [
            {name: self.ladders[name][levels[name]][value] if name in levels else value for name, value in row.items()}
            for row in self.rows
        ]

    def cell_loss(self, name: str, level: int, value: str | None) -> Fraction:
        """The share of the detail of a cell that is lost: of the other values, those that have become its equals."""
        if name not in self.ladders:
            return Fraction(0)
        values = {row[name] for row in self.rows}
        label = self.ladders[name][level]
        together = [other for other in values if label[other] == label[value]]
        return Fraction(len(together) - 1, max(1, len(values) - 1))

    def loss(self, state: State, left: Sequence[int]) -> Fraction:
        """What is lost when so many persons of each row are left, as a share of all cells."""
        levels = dict(zip(self.laddered, state, strict=True))
        lost = whole = Fraction(0)
        for row, weight, stay in zip(self.rows, self.weights, left, strict=True):
            for name in self.names:
                matters = self.matter.get(name, 1)
                cell = self.cell_loss(name, levels.get(name, 0), row[name])
                lost += matters * (stay * cell + weight - stay)
                whole += matters * weight
        changed = exact(self.a_column) * sum(level > 0 for level in state)
        return (lost / whole if whole else Fraction(0)) + changed


# --- random cases ---------------------------------------------------------------------------------------------------

KNOWN, SENSITIVE = ("a", "b", "c"), ("s", "t")
VALUES = ["g0", "g1", "g2", "g3"]
SHARES = st.sampled_from([0.0, 0.0, 0.1, 0.2, 0.25, 0.34, 0.5])


@st.composite
def rows(draw: st.DrawFn, least: int = 1, most: int = 9, names: Sequence[str] = (*KNOWN, *SENSITIVE)) -> list[Row]:
    """A few records of few values, some of them missing."""
    column = {name: st.sampled_from([*VALUES[: draw(st.integers(1, 4))], VALUES[0], None]) for name in names}
    one = st.tuples(*(column[name] for name in names)).map(lambda cells: dict(zip(names, cells, strict=True)))
    return draw(st.lists(one, min_size=least, max_size=most))


def weights(n: int) -> st.SearchStrategy[list[int]]:
    return st.just([1] * n) | st.lists(st.sampled_from([1, 1, 2, 3]), min_size=n, max_size=n)


COLUMNS = st.lists(st.sampled_from(KNOWN), unique=True, max_size=3).map(tuple)
KNOWING = st.sampled_from([None, None, 0, 1, 2])


def shared(shares: st.SearchStrategy = SHARES) -> st.SearchStrategy[PrivacyModel]:
    return st.builds(KAnonymity, columns=COLUMNS, least=st.integers(1, 4), known=KNOWING, share=shares)


@st.composite
def not_certain(draw: st.DrawFn, shares: st.SearchStrategy = SHARES, p=(0.0, 0.0, 0.25, 1 / 3, 0.5)) -> PrivacyModel:
    sensitive = draw(st.sampled_from(SENSITIVE))
    others = [name for name in SENSITIVE if name != sensitive] if draw(st.booleans()) else []
    return AttributeDisclosure(
        columns=(*draw(COLUMNS), *others),
        sensitive=sensitive,
        known=draw(KNOWING),
        p=draw(st.sampled_from(p)),
        share=draw(shares),
        harmless=tuple(draw(st.lists(st.sampled_from(VALUES[:2]), unique=True, max_size=1))),
    )


def diverse(by: Sequence[str] = ("distinct", "entropy")) -> st.SearchStrategy[PrivacyModel]:
    some = {"columns": COLUMNS, "sensitive": st.sampled_from(SENSITIVE)}
    distinct = st.builds(LDiversity, l=st.sampled_from([1, 2, 3]), by=st.just("distinct"), **some)
    entropy = st.builds(LDiversity, l=st.sampled_from([1.0, 1.5, 2.0]), by=st.just("entropy"), **some)
    return distinct | entropy if "entropy" in by else distinct


CLOSE = st.builds(
    TCloseness,
    columns=COLUMNS,
    sensitive=st.sampled_from(SENSITIVE),
    t=st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5]),
    distance=st.sampled_from(["equal", "ordered"]),
)
AVERAGE = st.builds(AverageRiskLimit, columns=COLUMNS, limit=st.sampled_from([0.2, 0.34, 0.5, 0.6, 1.0]))
EVERYBODY = st.just(0.0)
STAYS_FOR_EVERYBODY = shared(EVERYBODY) | not_certain(EVERYBODY, (0.0,)) | diverse(("distinct",))
ROW_BY_ROW = shared() | not_certain() | diverse() | CLOSE
ANY = ROW_BY_ROW | AVERAGE


@st.composite
def cases(
    draw: st.DrawFn,
    guarantees: st.SearchStrategy = ANY,
    droppable: bool = True,
    leaving_out: Sequence[int] = (0, 0, 1, 2, 4, 9),
    most_rows: int = 9,
    weighted: bool = True,
) -> Case:
    """Few columns, most with a ladder; sensitive ones stay or can be dropped."""
    some = draw(rows(least=2, most=most_rows))
    of_column = {name: draw(ladders(VALUES, 2)) for name in KNOWN if draw(st.integers(0, 9))}
    for name in SENSITIVE:
        if droppable and not draw(st.integers(0, 3)):
            of_column[name] = [{value: value for value in (*VALUES, None)}, dict.fromkeys([*VALUES, None], TOP)]
    return Case(
        draw(st.permutations([*KNOWN, *SENSITIVE]).map(tuple)),
        some,
        draw(weights(len(some))) if weighted else [1] * len(some),
        of_column,
        tuple(draw(st.lists(guarantees, min_size=1, max_size=3))),
        draw(st.sampled_from(leaving_out)),
        draw(st.just({}) | st.fixed_dictionaries({"a": st.integers(0, 3), "s": st.integers(0, 3)})),
        draw(st.sampled_from([0.0, 0.0, 1.0])),
    )
