"""Rows of persons in memory, and orders that nobody can tell who does not have the key.

The hashes that decide the orders come first; the rows of persons follow.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

BETWEEN = "\x1f"
"""What stands between the cells of a row where they are one text."""


def keyed(secret: bytes) -> str:
    """What stands before a text whose hash decides its place: the secret in hexadecimal digits."""
    return secret.hex() + " "


def hashes(texts: Iterable[str], secret: bytes = b"") -> list[str]:
    """SHA-256 of the secret and each text, as :func:`anonlib.reading.records.draws.hash_of` has it."""
    key = keyed(secret)
    return [hashlib.sha256((key + text).encode("utf-8", "surrogatepass")).hexdigest() for text in texts]


def contents(rows: Iterable[tuple[str, ...]]) -> list[str]:
    """The cells of each row as one text, missing ones "", as :func:`anonlib.reading.records.draws.content` has it."""
    return [BETWEEN + BETWEEN.join(cells) for cells in rows]


def places(texts: Iterable[str], secret: bytes) -> list[int]:
    """The place of each different text, from 0, by the SHA-256 of the secret and the text."""
    hashed = hashes(texts, secret)
    order = sorted(range(len(hashed)), key=hashed.__getitem__)
    place_of = [0] * len(order)
    for place, i in enumerate(order):
        place_of[i] = place
    return place_of


OF_PERSON, OF_ROW = "p", "r"
"""How the text begins that the rows of a person share, and that of a row without a person id."""


def person_of_codes(codes: np.ndarray, n_values: int) -> np.ndarray:
    """Per row, the number of its person, by the codes of a column of ids; a row without one (-1) is a person itself."""
    persons = codes.astype(np.int64)
    alone = persons < 0
    persons[alone] = n_values + np.arange(alone.sum())
    return pd.factorize(persons, sort=True)[0]


def adding_to_a_person(persons: np.ndarray, known: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """bool per row: a missing cell whose label would say more of its person than their other rows do.

    A missing value gives way to a person's others, and goes on doing so where missing values get a label: else the
    label would part this person from those with the same values and no gap, and coarsening would raise the risk.

    Parameters
    ----------
    persons : np.ndarray
        Per row, the number of its person.
    known : np.ndarray
        bool per row: its cell is not missing.
    labels : np.ndarray
        Per row, the code of its label; -1 where it has none.
    """
    pairs = persons.astype(np.int64) * (int(labels.max(initial=-1)) + 2) + labels + 1
    has_others = np.zeros(int(persons.max(initial=-1)) + 1, dtype=bool)
    has_others[persons[known]] = True
    return ~known & has_others[persons] & ~np.isin(pairs, pairs[known])


def first_in_order(persons: np.ndarray, keys: list[np.ndarray]) -> np.ndarray:
    """int64 per row: how many rows of its person come before it, by the first of some keys and then by the next."""
    order = np.lexsort((*reversed(keys), persons))
    sorted_persons = persons[order]
    places = np.empty(len(order), dtype=np.int64)
    places[order] = np.arange(len(order)) - np.searchsorted(sorted_persons, sorted_persons)
    return places


def drawn_order(frame: pd.DataFrame, rows: np.ndarray, secret: bytes) -> np.ndarray:
    """intp per row of those asked for: its place by a hash of what it holds, the same as in an engine."""
    hashed = hashes(_contents(frame, rows), secret)
    return np.unique(np.array(hashed, dtype="S64"), return_inverse=True)[1]


def person_keys(frame: pd.DataFrame, person: str | None) -> pd.Categorical:
    """Per row a text that all rows of its person share, and no others; see :meth:`Records.with_person_keys`."""
    if person is None:
        codes, ids = np.full(len(frame), -1, dtype=np.int64), list[str]()
    else:
        held = frame[person].array
        codes, ids = np.asarray(held.codes, dtype=np.int64), held.categories.tolist()
    alone = np.flatnonzero(codes < 0)
    drawn = hashes(_contents(frame, alone))
    alike = np.unique(np.array(drawn, dtype="S64"), return_inverse=True)[1]
    twins = first_in_order(alike, [np.arange(len(alone))]).tolist()
    texts = [
        *(OF_PERSON + person_id for person_id in ids),
        *(f"{OF_ROW}{text}-{n}" for text, n in zip(drawn, twins, strict=True)),
    ]
    return pd.Categorical.from_codes(
        np.where(codes < 0, len(ids) + np.cumsum(codes < 0) - 1, codes), categories=pd.Index(texts, dtype=object)
    )


def paired_cells(one: pd.Categorical, other: pd.Categorical) -> pd.Categorical:
    """The cells of two columns one behind the other; missing where either is."""
    first, second = (np.asarray(cells.codes, dtype=np.int64) for cells in (one, other))
    known = (first >= 0) & (second >= 0)
    n = max(1, len(other.categories))
    pairs, codes = np.unique((first * n + second)[known], return_inverse=True)
    ahead, behind = (cells.categories.to_numpy(dtype=object) for cells in (one, other))
    texts = ahead[pairs // n] + BETWEEN + behind[pairs % n] if len(pairs) else []
    places = np.full(len(first), -1, dtype=np.int64)
    places[known] = codes
    return pd.Categorical.from_codes(places, categories=pd.Index(texts, dtype=object))


def days_since_first(frame: pd.DataFrame, days: Mapping[str, np.ndarray], persons: np.ndarray) -> dict[str, np.ndarray]:
    """By column object array, per row the days since the first of its person in any of the columns, as text.

    ``days`` has, by column, an integer for each of its values; a cell without a value has none, which is None.
    """
    never = 2**40  # days
    of_row = {
        name: np.append(value_days, never)[np.asarray(frame[name].array.codes)] for name, value_days in days.items()
    }
    first = np.full(int(persons.max(initial=-1)) + 1, never)
    for row_days in of_row.values():
        np.minimum.at(first, persons, row_days)
    since_first = {}
    for name, row_days in of_row.items():
        since, codes = np.unique(np.where(row_days == never, -1, row_days - first[persons]), return_inverse=True)
        since_first[name] = np.array([*(str(n) if n >= 0 else None for n in since.tolist()), None], dtype=object)[codes]
    return since_first


def _contents(frame: pd.DataFrame, rows: np.ndarray) -> list[str]:
    """What some rows hold, each as one text."""
    cells = [
        np.append(frame[name].array.categories.to_numpy(dtype=object), "")[np.asarray(frame[name].array.codes)[rows]]
        for name in frame.columns
    ]
    return contents(zip(*cells, strict=True))
