"""Whom to hold back of a file, so that who holds earlier releases too finds nobody who is new in this one.

Nobody is held back whom an earlier release had: who is gone from a release can be found by that. A step behind it that
leaves out small classes may leave out some of these once others wait, and the criterion counts them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from anonlib.basics.progress import Progress, nobody
from anonlib.release.recipe import Recipe
from anonlib.release.steps import HoldBack
from anonlib.verdict.criteria import Case, Criterion, Finding
from anonlib.verdict.criteria.earlier import releases_together
from anonlib.verdict.together import JoinedReleases, together

_MOST_ROUNDS = 25
"""Of holding back who is found; where others lack them, these may be found next."""


@dataclass(frozen=True)
class HeldBack:
    """A recipe that holds back who is new and could be found, and what that comes to.

    Attributes
    ----------
    recipe : Recipe
        The recipe with the step.
    persons, new : int
        Persons (records) of whom rows are held back, and all of whom the file has rows that no earlier release has.
    finding : Finding
        What the criterion finds then.
    """

    recipe: Recipe
    persons: int
    new: int
    finding: Finding


def hold_back(
    case: Case, criterion: Criterion, recipe: Recipe | None = None, progress: Progress = nobody
) -> HeldBack | None:
    """Hold back rows that no earlier release has until nobody who is new is in a small class or has a certain value.

    Of a person of earlier releases only rows are held back that are new.

    Parameters
    ----------
    case : Case
        The release, with earlier ones.
    criterion : Criterion
        What is asked of this release and earlier ones together.
    recipe : Recipe, optional
        Another recipe for the file, such as the one of an earlier release, so that cells are the same; the case's.
    progress : Progress, default nobody
        Called with the share done, 0 to 1; may raise to stop.

    Returns
    -------
    HeldBack or None
        None where no earlier release is at hand, where the records stay in a database, or where a step cannot be
        applied. The criterion may still not be met: by those who are gone or changed.

    Raises
    ------
    InputError
        Where it cannot be known who is who in the files.
    """
    steps = case.recipe if recipe is None else recipe
    if case.original.frame is None or len(releases_together(case)) < 2:
        return None
    without = without_held(steps)
    now = replace(case, recipe=without, applied=without.apply(case.original))
    first = all_of_them = together(releases_together(now))
    held = np.zeros(0, dtype=np.int64)
    for attempt in range(_MOST_ROUNDS):
        progress(attempt / _MOST_ROUNDS)
        concerned = criterion.found_by_earlier(all_of_them, releases_together(now))
        more = np.union1d(held, _new_rows(all_of_them, concerned))
        if len(more) == len(held):
            break
        held = more
        unit: Literal["persons", "records"] = "persons" if case.unit == "persons" else "records"
        step = HoldBack(tuple(held.tolist()), case.original.digest, _persons(first, held), unit)
        recipe = without.take([step])
        now = replace(case, recipe=recipe, applied=recipe.apply(case.original))
        if now.applied.problems:
            return None
        all_of_them = together(releases_together(now))
    return HeldBack(now.recipe, _persons(first, held), _persons(first, _new_rows(first, None)), criterion.check(now))


def without_held(recipe: Recipe) -> Recipe:
    """The recipe without the steps that hold records back.

    Parameters
    ----------
    recipe : Recipe
        The recipe.

    Returns
    -------
    Recipe
    """
    return Recipe(tuple(entry for entry in recipe.entries if not isinstance(entry.step, HoldBack)))


def _new_rows(all_of_them: JoinedReleases, concerned: np.ndarray | None) -> np.ndarray:
    """Positions in the file of the rows of some holders (all) that are in the release and in no earlier one."""
    assert all_of_them.matched is not None and all_of_them.holder is not None
    new = all_of_them.inside[0] & ~np.logical_or.reduce(all_of_them.inside[1:])
    if concerned is not None:
        new &= np.append(concerned, False)[all_of_them.holder]
    return np.sort(all_of_them.matched.places[0][new])


def _persons(all_of_them: JoinedReleases, rows: np.ndarray) -> int:
    """Whose rows these are, counted once each."""
    assert all_of_them.matched is not None
    of_file = np.full(int(all_of_them.matched.places[0].max(initial=-1)) + 1, -1, dtype=np.int64)
    place = all_of_them.matched.places[0]
    of_file[place[place >= 0]] = all_of_them.matched.persons[place >= 0]
    return len(np.unique(of_file[rows]))
