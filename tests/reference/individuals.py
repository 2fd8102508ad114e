"""Privacy against partial knowledge from its definitions: slow and obvious, in exact fractions, over lists of rows.

Kroes et al. 2021, section 2.2. A row is a tuple of values (text, or None where it is missing), a variable is its place
in the row, and a set of known variables is a tuple of places. Nothing here is shared with what it is to check.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import prod

from hypothesis import strategies as st

Row = tuple
Near = Mapping[int, Fraction]
Value = Fraction | None  # None where a measure is not defined


def exact(number: float) -> Fraction:
    """A number as the decimal it is written as: 0.3 is three tenths."""
    return Fraction(repr(number))


def same_float(found: float, value: Value) -> bool:
    """Whether the library says what the fraction says, to the last bit; NaN where there is none."""
    return found != found if value is None else found == float(value)


# --- peers and measures ---------------------------------------------------------------------------------------------


def number(value: str | None) -> Fraction | None:
    try:
        return None if value is None else Fraction(value)
    except ValueError:
        return None


def agree(one: object, other: object, distance: Fraction | None) -> bool:
    """Equal, or two numbers that are no further apart than the distance."""
    if one == other or not distance:
        return one == other
    a, b = number(one), number(other)  # type: ignore[arg-type]
    return a is not None and b is not None and abs(a - b) <= distance


def peers(rows: Sequence[Row], person: Row, known: tuple[int, ...], near: Near | None = None) -> list[Row]:
    near = near or {}
    return [row for row in rows if all(agree(row[j], person[j], near.get(j)) for j in known)]


def lacks(person: Row, s: int) -> bool:
    """No value, or no value in any of the person's rows."""
    return person[s] is None or person[s] == frozenset()


def npp(rows: Sequence[Row], person: Row, s: int, known: tuple[int, ...], near: Near | None = None) -> Fraction:
    among = peers(rows, person, known, near)
    return Fraction(len(among) - len(peers(among, person, (s,), near)))


def ppp(rows: Sequence[Row], person: Row, s: int, known: tuple[int, ...], near: Near | None = None) -> Fraction:
    """The share of the peers with another value, a missing value taken as a value."""
    return npp(rows, person, s, known, near) / len(peers(rows, person, known, near))


def pp(rows: Sequence[Row], person: Row, s: int, known: tuple[int, ...], value: object) -> Fraction:
    among = peers(rows, person, known)
    return Fraction(sum(row[s] == value for row in among), len(among))


def poac(rows: Sequence[Row], person: Row, s: int, known: tuple[int, ...], q: Fraction) -> Value:
    false = {row[s] for row in rows} - {person[s]}
    if not false:
        return None
    return Fraction(sum(pp(rows, person, s, known, value) > q for value in false), len(false))


def measure(
    rows: Sequence[Row],
    person: Row,
    s: int,
    known: tuple[int, ...],
    name: str,
    q: float = 0.0,
    near: Near | None = None,
    missing_is_harm: bool = False,
) -> Value:
    if lacks(person, s) and not missing_is_harm:
        return None
    if name == "poac":
        return poac(rows, person, s, known, exact(q))
    return (ppp if name == "ppp" else npp)(rows, person, s, known, near)


# --- sets of known variables ----------------------------------------------------------------------------------------


def sets(
    variables: Sequence[int], max_known: int | None = None, include_empty: bool = False
) -> Iterator[tuple[int, ...]]:
    """The sets of at most so many of the variables, smallest first."""
    most = len(variables) if max_known is None else min(max_known, len(variables))
    for size in range(0 if include_empty else 1, most + 1):
        yield from combinations(variables, size)


def others(n: int, s: int) -> list[int]:
    return [j for j in range(n) if j != s]


def least(values: Iterator[Value] | list[Value]) -> Value:
    found = [value for value in values if value is not None]
    return min(found) if found else None


def minimal(all_sets: Sequence[tuple[int, ...]], is_enough: Callable[[tuple[int, ...]], bool]) -> list[tuple[int, ...]]:
    """The sets that are enough, and none of whose proper parts (of those looked at) is."""
    enough = [one for one in all_sets if is_enough(one)]
    return [one for one in enough if not any(set(part) < set(one) for part in enough)]


def score(minimal_sets: Sequence[tuple[int, ...]], n_variables: int, max_size: int) -> int:
    """Special uniques: each minimal set of j variables adds the product of K - i for i from j to the largest size."""
    largest = min(max_size, n_variables - 1)
    return sum(prod(n_variables - i for i in range(len(one), largest + 1)) for one in minimal_sets)


def breach_probability(
    rows: Sequence[Row],
    person: Row,
    s: int,
    chances: Sequence[Fraction],
    breaches: Callable[[tuple[int, ...]], bool],
    include_empty: bool = False,
) -> Fraction:
    """The sum over the sets A of P(A) where what is known is A and A breaches."""
    total = Fraction(0)
    for known in sets(others(len(person), s), include_empty=include_empty):
        if breaches(known):
            total += prod(
                (chances[j] if j in known else 1 - chances[j] for j in others(len(person), s)), start=Fraction(1)
            )
    return total


def protected(rows: Sequence[Row], s: int, p: Fraction) -> int:
    """Individuals whose PPP is above p whatever is known."""
    return sum(
        lacks(person, s) or all(ppp(rows, person, s, known) > p for known in sets(others(len(person), s)))
        for person in rows
    )


def persons(rows: Sequence[Row], ids: Sequence[str | None]) -> tuple[list[Row], list[int]]:
    """One row a person, each value the set of those in the person's rows that are present; and per row its person.

    A row without an id is a person.
    """
    keys: list[object] = [("row", i) if one is None else one for i, one in enumerate(ids)]
    distinct = list(dict.fromkeys(keys))
    held = [[row for row, key in zip(rows, keys, strict=True) if key == one] for one in distinct]
    merged = [tuple(frozenset(values) - {None} for values in zip(*mine, strict=True)) for mine in held]
    return merged, [distinct.index(key) for key in keys]


# --- random tables --------------------------------------------------------------------------------------------------

NAMES = ("age", "count", "a b", "sex")
TEXTS = st.sampled_from([None, "a", "b", "a-b", "b-c", "c"])  # joined with a dash, two pairs of them collide
FEW = st.sampled_from(["x", "y"])
ONE = st.just("only")
WHOLE = st.sampled_from([None, "unknown", "1", "2", "3", "5", "9"])
TENTHS = st.sampled_from([None, "unknown", "0.1", "0.2", "0.3", "0.5", "0.7", "0.8", "1.1"])


@st.composite
def tables(
    draw: st.DrawFn,
    columns: tuple[int, int] = (2, 4),
    kinds: Sequence[st.SearchStrategy] = (TEXTS, FEW, ONE),
    rows: tuple[int, int] = (1, 10),
) -> tuple[list[str], list[Row]]:
    """Names of variables, and rows."""
    n = draw(st.integers(*columns))
    chosen = [draw(st.sampled_from(kinds)) for _ in range(n)]
    return list(NAMES[:n]), draw(st.lists(st.tuples(*chosen), min_size=rows[0], max_size=rows[1]))
