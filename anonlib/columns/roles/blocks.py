"""Columns that one answer covers: of the same values, such as a list of medicines, or numbered under one name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from anonlib.columns.roles.columns import Column
from anonlib.columns.roles.drafts import Draft
from anonlib.columns.roles.role import Role

_SEVERAL = 2  # named columns that have the words of one that is not
_PART = re.compile(r"\d+")


def blocks_of(drafts: Sequence[Draft], asked: Sequence[str], columns: Sequence[Column]) -> list[int]:
    """Of each column that is asked about, the first column of its block; its own position where it is in none.

    Columns are in one block where the same is suggested and asked of them and they have the same name but for numbers;
    or one has all words of the other; or they follow one another with the same few values. Drafts, what is asked (""
    where nothing is), columns and the positions returned are one a column, in one order.
    """
    pairs: list[tuple[int, int]] = []
    by_question: dict[tuple[Role, str], list[int]] = {}
    for i, (drafted, question) in enumerate(zip(drafts, asked, strict=True)):
        if question:
            by_question.setdefault((drafted.role, question), []).append(i)
    for alike in by_question.values():
        pairs += _by_name(alike, columns) + _by_words(alike, columns) + _in_a_row(alike, columns)
    first = list(range(len(drafts)))
    if not pairs:
        return first
    from_, to = np.array(pairs).T
    n = len(drafts)
    _, label = connected_components(coo_array((np.ones(len(pairs)), (from_, to)), shape=(n, n)), directed=False)
    _, begins = np.unique(label, return_index=True)
    return begins[label].tolist()


def like_named_ones(drafts: Sequence[Draft], columns: Sequence[Column]) -> dict[int, int]:
    """By column of which nothing tells what it is, another with all of its words whose name tells that it is sensitive.

    Several named ones have these words: one could be alike by chance.
    """
    named = [
        (columns[i].few, i)
        for i, each in enumerate(drafts)
        if each.role is Role.SENSITIVE and columns[i].named is not None and _has_words(columns[i])
    ]
    found = {}
    for i, drafted in enumerate(drafts):
        if drafted.role is Role.OTHER and _has_words(columns[i]) and columns[i].named is None:
            like = [j for words, j in named if columns[i].few <= words]
            if len(like) >= _SEVERAL:
                found[i] = like[0]
    return found


def _by_name(alike: list[int], columns: Sequence[Column]) -> list[tuple[int, int]]:
    """Columns of the same name but for numbers in it."""
    first: dict[str, int] = {}
    pairs = []
    for i in alike:
        name = columns[i].spread.column
        if _PART.search(name):
            stem = _PART.sub("#", name.casefold())
            pairs.append((first.setdefault(stem, i), i))
    return pairs


def _by_words(alike: list[int], columns: Sequence[Column]) -> list[tuple[int, int]]:
    """Columns one of which has all words of the other."""
    largest: list[int] = []
    pairs = []
    for i in sorted((i for i in alike if _has_words(columns[i])), key=lambda i: -len(columns[i].few)):
        other = next((j for j in largest if columns[i].few <= columns[j].few), None)
        if other is None:
            largest.append(i)
        else:
            pairs.append((other, i))
    return pairs


def _in_a_row(alike: list[int], columns: Sequence[Column]) -> list[tuple[int, int]]:
    """Columns that follow one another with the same few values."""
    return [(i, j) for i, j in pairwise(alike) if j == i + 1 and columns[i].few and columns[i].few == columns[j].few]


def _has_words(column: Column) -> bool:
    """Whether its few values are words, and not only those of an answer such as yes."""
    return bool(column.few) and column.evidence.numbers is None and not column.evidence.yes_no
