"""Persons of several rows, from the definitions: slow and obvious, person by person.

A person is a list of rows, a row a dictionary from column to text, or None where it is missing. Nothing here is shared
with what it is to check, but for the names of what must hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product

import pandas as pd
from hypothesis import strategies as st

from anonlib.counting.privacy_models import (
    AttributeDisclosure,
    AverageRiskLimit,
    KAnonymity,
    LDiversity,
    PrivacyModel,
    TCloseness,
)
from tests.reference import guarantees as slow
from tests.reference.generalization import distance

Row = dict[str, str | None]
Person = list[Row]
Knows = Callable[[Person], bool]
"""Whether what somebody knows is true of a person."""


def of(row: Row, columns: Sequence[str]) -> tuple:
    return tuple(row[name] for name in columns)


BELOW = "the row that it hangs below"


def all_rows(person: Person, columns: Sequence[str]) -> Counter:
    """The rows with their number; those that hang together below one (:data:`BELOW`) are one with all that it holds."""
    together: dict[str | None, list[tuple]] = {}
    for row in person:
        together.setdefault(row.get(BELOW), []).append(of(row, columns))
    alone = together.pop(None, [])
    return Counter([*alone, *(("below", *sorted(rows, key=repr)) for rows in together.values())])


def values(person: Person, column: str) -> frozenset[str]:
    """The values that are there."""
    return frozenset(row[column] for row in person if row[column] is not None)


# --- what can be known of a person ----------------------------------------------------------------------------------


def known_of(
    person: Person, columns: Sequence[str], known: int | None, rows, or_fewer: bool = False
) -> Iterator[Knows]:
    """All that somebody can know of a person: at most ``known`` columns (facts), of the rows that ``rows`` says.

    Of so many whole rows, or of ``or_fewer``: where few rows can tell more than many.
    """
    if rows == "values":
        for chosen in slow.sets_known(columns, known):
            yield lambda other, chosen=chosen: all(values(other, c) == values(person, c) for c in chosen)
    elif rows == "all":
        for chosen in slow.sets_known(columns, known):
            yield lambda other, chosen=chosen: all_rows(other, chosen) == all_rows(person, chosen)
    elif known is None:
        most = min(rows, len(person))
        for mine in (
            each for n in range(1 if or_fewer else most, most + 1) for each in combinations(range(len(person)), n)
        ):
            for chosen in slow.sets_known(columns, None):
                facts = [{name: person[i][name] for name in chosen} for i in mine]
                yield lambda other, facts=facts: fits(facts, other)
    else:
        yield from facts_of(person, columns, known, rows)


def facts_of(person: Person, columns: Sequence[str], known: int, rows: int) -> Iterator[Knows]:
    """Facts about at most so many of the rows; one about a column that does not change counts once for all of these."""
    constant = [name for name in columns if len({row[name] for row in person}) == 1]
    for number in range(1, min(rows, len(person)) + 1):
        for mine in combinations(range(len(person)), number):
            for once in (c for n in range(known + 1) for c in combinations(constant, n)):
                others = [name for name in columns if name not in once]
                ways = [[c for n in range(len(others) + 1) for c in combinations(others, n)]] * number
                for each in product(*ways):
                    if len(once) + sum(map(len, each)) > known or (not once and not all(each) and number > 1):
                        continue
                    facts = [
                        {name: person[i][name] for name in (*once, *own)} for i, own in zip(mine, each, strict=True)
                    ]
                    yield lambda other, facts=facts: fits(facts, other)


def fits(facts: Sequence[Row], other: Person) -> bool:
    """Whether each known row is another row of a person."""
    return any(
        all(row[name] == value for fact, row in zip(facts, chosen, strict=True) for name, value in fact.items())
        for chosen in permutations(other, len(facts))
    )


# --- who violates ---------------------------------------------------------------------------------------------------


def sizes(persons: Sequence[Person], columns: Sequence[str], rows, known: int | None = None) -> list[int]:
    """Per person of how few the rarest thing is true that somebody can know of them."""
    return [min(sum(map(knows, persons)) for knows in known_of(person, columns, known, rows)) for person in persons]


def violating(persons: Sequence[Person], guarantee: PrivacyModel) -> set[int]:
    """Who violates a guarantee, where the rows of a person can be told to be of one."""
    return {i for i, person in enumerate(persons) if _violates(persons, person, guarantee)}


def _violates(persons: Sequence[Person], person: Person, guarantee: PrivacyModel) -> bool:
    known = getattr(guarantee, "known", None)
    if isinstance(guarantee, LDiversity | TCloseness):
        return any(_poor(persons, knows, guarantee) for knows in _all_columns(person, guarantee))
    for knows in known_of(person, guarantee.columns, known, guarantee.rows, getattr(guarantee, "p", 0) > 0):
        peers = [other for other in persons if knows(other)]
        if isinstance(guarantee, KAnonymity):
            if len(peers) < guarantee.least:
                return True
        elif any(
            sum(value not in values(other, guarantee.sensitive) for other in peers) / len(peers) <= guarantee.p
            for value in values(person, guarantee.sensitive)
            if value not in guarantee.harmless
        ):
            return True
    return False


def _all_columns(person: Person, guarantee: LDiversity | TCloseness) -> Iterator[Knows]:
    if isinstance(guarantee.rows, int):
        for number in range(1, min(guarantee.rows, len(person)) + 1):
            for mine in combinations(range(len(person)), number):
                facts = [{name: person[i][name] for name in guarantee.columns} for i in mine]
                yield lambda other, facts=facts: fits(facts, other)
    else:
        *_, knows = known_of(person, guarantee.columns, None, guarantee.rows)
        yield knows


def as_one(person: Person, column: str) -> str | None:
    """A person's one value, or the set of them; sets sort behind single values."""
    held = values(person, column)
    return None if not held else next(iter(held)) if len(held) == 1 else "~" + "|".join(sorted(held))


def _poor(persons: Sequence[Person], knows: Knows, guarantee: LDiversity | TCloseness) -> bool:
    peers = [other for other in persons if knows(other)]
    held = Counter(as_one(other, guarantee.sensitive) for other in peers)
    if isinstance(guarantee, TCloseness):
        whole = Counter(as_one(other, guarantee.sensitive) for other in persons)
        return distance(held, whole, guarantee.distance) > slow.exact(guarantee.t)
    if guarantee.l > 1 and frozenset.intersection(*(values(other, guarantee.sensitive) for other in peers)):
        return True
    if guarantee.by == "distinct":
        return len(held) < guarantee.l
    n, right = sum(held.values()), Fraction(1)
    for number in held.values():
        right *= Fraction(number) ** number
    return Fraction(n) ** n < slow.exact(guarantee.l) ** n * right


def violating_unlinked(persons: Sequence[Person], guarantee: AttributeDisclosure) -> set[int]:
    """Who violates where rows cannot be told to be of one person, against who knows one row.

    All rows like one of theirs have its value; with p above 0 nearly all persons who have such a row have it in one.
    """
    return {i for i, person in enumerate(persons) if any(_row_tells(persons, row, guarantee) for row in person)}


def _row_tells(persons: Sequence[Person], row: Row, guarantee: AttributeDisclosure) -> bool:
    value = row[guarantee.sensitive]
    if value is None or value in guarantee.harmless:
        return False
    for chosen in slow.sets_known(guarantee.columns, guarantee.known):
        like = [[other for other in person if of(other, chosen) == of(row, chosen)] for person in persons]
        peers = [each for each in like if each]
        lacking = any if guarantee.p == 0 else all
        without = sum(lacking(other[guarantee.sensitive] != value for other in each) for each in peers)
        if without / len(peers) <= guarantee.p:
            return True
    return False


def average(persons: Sequence[Person], guarantee: AverageRiskLimit) -> Fraction:
    """The mean of 1 / how many share the rarest thing that all columns can tell."""
    found = [Fraction(1, n) for n in sizes(persons, guarantee.columns, guarantee.rows)]
    return sum(found, Fraction(0)) / max(1, len(persons))


def holds(persons: Sequence[Person], guarantee: PrivacyModel) -> bool:
    if not persons:
        return True
    if isinstance(guarantee, AverageRiskLimit):
        return average(persons, guarantee) <= slow.exact(guarantee.limit)
    return len(violating(persons, guarantee)) / len(persons) <= guarantee.share


# --- random persons -------------------------------------------------------------------------------------------------

VALUES = ["g0", "g1", "g2"]
NAMES = ("a", "b", "s", "t")
ROWS = st.sampled_from([1, 1, 2, 3, "values", "all", "all"])


@st.composite
def people(draw: st.DrawFn, most: int = 6, most_rows: int = 4, names: Sequence[str] = NAMES) -> list[Person]:
    """A few persons of one row or more, some equal, some cells missing."""
    column = {name: st.sampled_from([*VALUES[: draw(st.integers(1, 3))], VALUES[0], None]) for name in names}
    row = st.fixed_dictionaries(column)
    persons = draw(st.lists(st.lists(row, min_size=1, max_size=most_rows), min_size=1, max_size=most))
    return persons + [list(persons[i]) for i in draw(st.lists(st.integers(0, len(persons) - 1), max_size=2))]


def visits(*persons: str) -> list[Person]:
    """Persons by their rows, as ``x1 y2``: the first sign is a, the second s."""
    return [[{"a": row[0], "b": None, "s": row[1], "t": None} for row in person.split()] for person in persons]


def frame_of(persons: Sequence[Person], person: str = "id", names: Sequence[str] = NAMES) -> pd.DataFrame:
    """A file of these persons, rows of one side by side."""
    rows = [(f"p{i}", *(row[name] for name in names)) for i, rows in enumerate(persons) for row in rows]
    return pd.DataFrame(rows, columns=[person, *names], dtype=object)


COLUMNS = st.lists(st.sampled_from(["a", "b"]), unique=True, max_size=2).map(tuple)
KNOWING = st.sampled_from([None, None, 0, 1, 2])


def shared(shares=slow.SHARES) -> st.SearchStrategy[PrivacyModel]:
    return st.builds(KAnonymity, columns=COLUMNS, least=st.integers(1, 4), known=KNOWING, share=shares, rows=ROWS)


def not_certain(shares=slow.SHARES, p=(0.0, 0.0, 0.25, 1 / 3, 0.5)) -> st.SearchStrategy[PrivacyModel]:
    return st.builds(
        AttributeDisclosure, columns=COLUMNS | st.just(("a", "t")), sensitive=st.just("s"), known=KNOWING,
        p=st.sampled_from(p), share=shares, rows=ROWS,
        harmless=st.lists(st.sampled_from(VALUES[:2]), unique=True, max_size=1).map(tuple),
    )  # fmt: skip


DIVERSE = st.builds(
    LDiversity, columns=COLUMNS, sensitive=st.just("s"), l=st.sampled_from([1, 2, 3]), by=st.just("distinct"), rows=ROWS
) | st.builds(
    LDiversity, columns=COLUMNS, sensitive=st.just("s"), l=st.sampled_from([1.0, 1.5, 2.0]), by=st.just("entropy"),
    rows=ROWS,
)  # fmt: skip
CLOSE = st.builds(
    TCloseness, columns=COLUMNS, sensitive=st.just("s"), t=st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5]),
    distance=st.sampled_from(["equal", "ordered"]), rows=ROWS,
)  # fmt: skip
AVERAGE = st.builds(AverageRiskLimit, columns=COLUMNS, limit=st.sampled_from([0.2, 0.34, 0.5, 0.6, 1.0]), rows=ROWS)
ROW_BY_ROW = shared() | not_certain() | DIVERSE | CLOSE
