"""What somebody may know of the rows of a person: one of them, some, the values of each column, or all.

Those who know more rows have fewer peers to choose from: of a person with several rows the size by all rows is at most
that by ``j`` rows, and that at most the size by one. The values of each column lie beside them: they follow from all
rows, and not from one. Where every person has one row, all of these are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import Any, Literal

from anonlib.basics import checks
from anonlib.basics.errors import InputError

RowsKnown = int | Literal["values", "all"]
"""So many rows of a person (1: they were seen once); the values that their rows have in each column, as sets; or all of
their rows with their number."""
ONE: RowsKnown = 1
VALUES: RowsKnown = "values"
ALL: RowsKnown = "all"


def checked_rows(value: Any) -> RowsKnown:
    """What may be known of rows.

    Parameters
    ----------
    value : Any
        A whole number of rows, "values" or "all".

    Returns
    -------
    RowsKnown

    Raises
    ------
    InputError
        Where it is none of :data:`RowsKnown`.
    """
    if value in (VALUES, ALL):
        return value
    if isinstance(value, str):
        raise InputError(
            "What is known of a person's rows is a number of rows, “values” or “all”.", code="knowledge-unclear"
        )
    return checks.whole(value, "The number of rows that may be known", 1)


def who_knows(rows: RowsKnown) -> str:
    """Who knows so much, as the subject of a sentence.

    Parameters
    ----------
    rows : RowsKnown
        What may be known of the rows of a person.

    Returns
    -------
    str
        As ``who saw a person once``.
    """
    match rows:
        case 1:
            return "who saw a person once"
        case "values":
            return "who knows the values that a person's visits have in each column"
        case "all":
            return "who knows all visits of a person"
    return f"who knows {rows:,} visits of a person"


def in_short(rows: RowsKnown) -> str:
    """The same as :func:`who_knows` for a table.

    Parameters
    ----------
    rows : RowsKnown
        What may be known of the rows of a person.

    Returns
    -------
    str
        As ``one visit known``: a visit is a row of a person who has several.
    """
    match rows:
        case 1:
            return "one visit known"
        case "values":
            return "the values of each column known"
        case "all":
            return "all visits known"
    return f"{rows:,} visits known"


@dataclass(frozen=True, order=True)
class KnownFacts:
    """Facts about several rows of a person, each of another row of theirs.

    Attributes
    ----------
    of_rows : tuple[tuple[str, ...], ...]
        For each known row, the columns of which its value is known; sorted. Two or more.
    of_all : tuple[str, ...], default ()
        Columns that do not change for the person: a fact about one is known once for all of these rows.
    whole : bool, default False
        Every column is known of each row; asked of those who have just so many rows, or more than may be known.
    """

    of_rows: tuple[tuple[str, ...], ...]
    of_all: tuple[str, ...] = ()
    whole: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns in it, each once."""
        return tuple(dict.fromkeys(name for row in (self.of_all, *self.of_rows) for name in row))


def facts_of_whole_rows(columns: Sequence[str], rows: int) -> Iterator[KnownFacts]:
    """That these columns are known of two rows or more, at most ``rows``."""
    for number in range(2, rows + 1):
        yield KnownFacts((tuple(columns),) * number, whole=True)


def facts_of_rows(columns: Sequence[str], known: int, rows: int) -> Iterator[KnownFacts]:
    """What at most ``known`` facts can be about, spread in every way over two rows or more, at most ``rows``.

    Those of one row alone are sets of columns, and not among these.
    """
    for n_shared in range(min(known, len(columns)) + 1):
        for shared in combinations(columns, n_shared):
            others = [name for name in columns if name not in shared]
            left = known - n_shared
            of_row = [
                chosen
                for size in range(0 if shared else 1, min(left, len(others)) + 1)
                for chosen in combinations(others, size)
            ]
            for number in range(2, rows + 1):
                for of_rows in combinations_with_replacement(sorted(of_row), number):
                    if sum(map(len, of_rows)) <= left:
                        yield KnownFacts(of_rows, shared)
