"""Columns that leave as they are: what they tell of what the recipe protects, and of whom they tell alone."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from anonlib.classes.subsets import Subset, Subsets
from anonlib.dataset import Dataset
from anonlib.release.recipe import Applied, Recipe
from anonlib.roles import Role

KNOWN = 0.95  # least share of the records whose original value a column tells
LEFT = 0.2  # largest share of wrong guesses that knowing the column may leave


@dataclass(frozen=True)
class Telling:
    """A column that leaves as it was and tells the original value of a quasi-identifier that does not.

    Attributes
    ----------
    column : the column that leaves; k does not count it.
    tells : the quasi-identifier that the recipe recodes or drops.
    known : records (persons, summed weights) of the original whose value of ``tells`` more than half of the others with
        the same value of ``column`` have too.
    n_records : all of them.
    """

    column: str
    tells: str
    known: int
    n_records: int


@dataclass(frozen=True)
class Lone:
    """How many records (persons) of a release have a value of ``column`` that no other of the ``n_records`` has."""

    column: str
    alone: int
    n_records: int


def telling_columns(applied: Applied, recipe: Recipe) -> tuple[Telling, ...]:
    """The columns by which what the recipe recodes or drops is known all the same, in the file's order.

    A column that is no quasi-identifier, released and not recoded, tells one when the original value is known by it of
    at least 95% of the records, and the others are at most a fifth of those that one would get wrong by always guessing
    the commonest value (1 - lambda of Goodman and Kruskal 1954; else every column would tell one in which nearly all
    are alike). A record is no evidence of itself, so that a column of ids tells nothing. A missing value is a value.
    """
    recoded = {
        name
        for entry, effect in zip(recipe.entries, applied.effects, strict=True)
        if effect is not None and not effect.problem
        for name in entry.step.recodes
    }
    original, released = applied.original.with_missing("category"), applied.released
    hidden = [name for name in original.quasi_identifiers if name in recoded or name not in released.columns]
    untouched = [name for name in uncounted(released) if name not in recoded]
    if not hidden or not untouched or not released.n_records:
        return ()
    table = original.classes([*hidden, *untouched])
    n, subsets = table.n_records, Subsets(table)
    everyone = subsets.everyone()
    guessed = [int(subsets.refine(everyone, i).sizes.max(initial=0)) for i in range(len(hidden))]
    found = []
    for j, column in enumerate(untouched, start=len(hidden)):
        alike = subsets.refine(everyone, j)
        if not n or alike.sizes[alike.sizes > 1].sum() / n < KNOWN:
            continue
        for i, tells in enumerate(hidden):
            known, missed = _known(alike, subsets.refine(alike, i, last=True)), n - guessed[i]
            if missed and known / n >= KNOWN and (n - known) / missed <= LEFT:
                found.append(Telling(column, tells, known, n))
    return tuple(found)


def lone_values(released: Dataset, columns: list[str]) -> tuple[Lone, ...]:
    """Of each column, how many have a value of their own; a missing value is none."""
    found = []
    for column in columns:
        table = released.with_missing("category").classes([column])
        alone = (table.counts == 1) & pd.notna(table.column(column))
        found.append(Lone(column, int(alone.sum()), table.n_records))
    return tuple(found)


def uncounted(released: Dataset) -> list[str]:
    """The columns that leave although no role protects them: sensitive, other or without a role."""
    return [name for name in released.columns if released.roles.get(name) in (None, Role.SENSITIVE, Role.OTHER)]


def _known(alike: Subset, pairs: Subset) -> int:
    """Records whose second value more than half of the others with the same first value have."""
    others = alike.sizes[alike.group[pairs.row]] - 1
    return int(pairs.sizes[2 * (pairs.sizes - 1) > others].sum())
