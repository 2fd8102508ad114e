"""Columns that leave as they are: what they tell of what the recipe protects, and whom they tell apart."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from anonlib.classes import AnonymityVector, anonymity_vector
from anonlib.classes.subsets import Subset, Subsets
from anonlib.dataset import Dataset
from anonlib.release.recipe import Applied, Recipe
from anonlib.roles import Role

KNOWN = 0.95  # least share of the records whose original value a column tells
TOLD_APART = 0.03  # share of the records that a column may put below k and still not be named
LEFT = 0.2  # largest share of wrong guesses that knowing the column may leave


@dataclass(frozen=True)
class Telling:
    """A column that leaves as it was and tells the original value of a quasi-identifier that does not.

    Attributes
    ----------
    column : str
        The column that leaves; k does not count it.
    tells : str
        The quasi-identifier that the recipe recodes or drops.
    known : int
        Records (persons, summed weights) of the original whose value of ``tells`` more than half of the others with
        the same value of ``column`` have too.
    n_records : int
        All of them.
    """

    column: str
    tells: str
    known: int
    n_records: int


@dataclass(frozen=True)
class ToldApart:
    """How a released column that k does not count tells records (persons) apart.

    Attributes
    ----------
    column : str
        Its name.
    role : Role or None
        Its role if it has any.
    by_itself : AnonymityVector
        Sizes of the groups that share a value of it.
    together : AnonymityVector or None
        Sizes of the groups that share a value of it and of every quasi-identifier; None for a sensitive column, which
        nobody is taken to know beforehand.
    """

    column: str
    role: Role | None
    by_itself: AnonymityVector
    together: AnonymityVector | None

    def below(self, k: int, counted: AnonymityVector) -> int:
        """How many someone who knows it sees in groups below k: by itself, or beyond those that ``counted`` has there.

        ``counted`` are the groups that share all quasi-identifiers.
        """
        beyond = 0 if self.together is None else self.together.people_below(k) - counted.people_below(k)
        return max(beyond, self.by_itself.people_below(k))


@dataclass(frozen=True)
class Uniqueness:
    """How many of a release are alone with their values, in what k counts and in what it does not.

    Attributes
    ----------
    n_records : int
        Records (persons, summed weights) of the release.
    counted : AnonymityVector
        Sizes of the groups that share all quasi-identifiers.
    n_unassigned, alone_unassigned : int
        How many columns have no role, or “Other”, and how many records are alone in these together.
    n_released, alone : int
        How many columns leave (person ids and weights aside), and how many records are alone in all of them.
    columns : tuple of ToldApart
        Those that k does not count, in the file's order.
    """

    n_records: int
    counted: AnonymityVector
    n_unassigned: int
    alone_unassigned: int
    n_released: int
    alone: int
    columns: tuple[ToldApart, ...]

    def open_columns(self, k: int, unknowable: Container[str] = ()) -> tuple[ToldApart, ...]:
        """The columns that put more than 3% below k once someone outside knows them, the worst first.

        Without those that nobody outside can know, as the officer says.
        """
        below = [(column.below(k, self.counted), column) for column in self.columns if column.column not in unknowable]
        found = [(n, column) for n, column in below if n > TOLD_APART * self.n_records]
        return tuple(column for _, column in sorted(found, key=lambda pair: -pair[0]))


def telling_columns(applied: Applied, recipe: Recipe) -> tuple[Telling, ...]:
    """The columns by which what the recipe recodes or drops is known all the same, in the file's order.

    A column that is no quasi-identifier, released and not recoded, tells one when the original value is known by it of
    at least 95% of the records, and the others are at most a fifth of those that one would get wrong by always guessing
    the commonest value (1 - lambda; else every column would tell one in which nearly all are alike). A record is no
    evidence of itself, so that a column of ids tells nothing. A missing value is a value.

    References
    ----------
    Goodman and Kruskal (1954), lambda.
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


def uniqueness(released: Dataset) -> Uniqueness:
    """Who is alone in a release. A missing value is a value.

    A file-level k says something only of an attacker who knows the quasi-identifiers and nothing else that leaves: the
    choice of quasi-identifiers is the risk assessment.

    References
    ----------
    El Emam (2013); ISO/IEC 27559:2022, 7.3.2.
    """
    known, others = released.quasi_identifiers, uncounted(released)
    table = released.with_missing("category").classes([*known, *others])
    unassigned = [name for name in others if released.roles.get(name) != Role.SENSITIVE]
    subsets = Subsets(table)
    everyone = counted = subsets.everyone()
    for j in range(len(known)):
        counted = subsets.refine(counted, j)
    columns = []
    for j, name in enumerate(others, start=len(known)):
        role = released.roles.get(name)
        together = None if role == Role.SENSITIVE else _sizes(subsets.refine(counted, j, last=True))
        columns.append(ToldApart(name, role, _sizes(subsets.refine(everyone, j, last=True)), together))
    return Uniqueness(
        table.n_records,
        _sizes(counted),
        len(unassigned),
        table.project(unassigned).anonymity_vector.people_below(2) if unassigned else 0,
        len(table.attributes),
        table.anonymity_vector.people_below(2),
        tuple(columns),
    )


def _sizes(subset: Subset) -> AnonymityVector:
    return anonymity_vector(subset.sizes[subset.sizes > 0])


def uncounted(released: Dataset) -> list[str]:
    """The columns that leave although no role protects them: sensitive, other or without a role."""
    return [name for name in released.columns if released.roles.get(name) in (None, Role.SENSITIVE, Role.OTHER)]


def _known(alike: Subset, pairs: Subset) -> int:
    """Records whose second value more than half of the others with the same first value have."""
    others = alike.sizes[alike.group[pairs.row]] - 1
    return int(pairs.sizes[2 * (pairs.sizes - 1) > others].sum())
