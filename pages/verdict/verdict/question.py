"""What the adviser is asked on this page, and how long its answers take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria import Aim, Case, Criterion
from anonlib.verdict.proposals import Adviser, Asked
from ui.session import cache, companions, view
from ui.session.state import session

AT_ONCE, FIRST_AT_ONCE = 1.5, 3.0
"""Seconds of work, as estimated, up to which a search, or that for a first proposal, needs no button."""


def asked(data: Dataset) -> dict[str, Any]:
    """What is asked as the session is, as named arguments of :func:`adviser` and keys of what is remembered."""
    now = session()
    return {"aim": now.aim, "hierarchies": hierarchies(data), "unknowable": now.unknowable}


def adviser(
    data: Dataset,
    original: Dataset | None = None,
    *,
    aim: Aim,
    hierarchies: Mapping[str, Hierarchy],
    unknowable: tuple[str, ...],
    criteria: tuple[Criterion, ...] | None = None,
) -> Adviser:
    """The adviser on what is to be protected of an original; by other criteria than the aim's where they are given."""
    return Adviser(Asked.of(data, aim, hierarchies, criteria, original, unknowable))


def hierarchies(data: Dataset) -> dict[str, Hierarchy]:
    """How columns can be coarsened: regions of places, and what is chosen; the others have the suggested hierarchy."""
    return {**companions.regions_of_places(data), **session().hierarchies}


_STATES_A_COLUMN = 8  # known: some four levels, which both ways to a first answer go through


def seconds(data: Dataset) -> float:
    """About how long one search takes. Calibrated on the Adult data; where that is long, by what counting took here.

    A first answer is always completed: each state on the way to it is counted as the verdict was.
    """
    columns = len(data.quasi_identifiers) + len(data.sensitive)
    usual = 0.1 + 4e-7 * data.n_records * columns**2 / 3
    if usual <= AT_ONCE:
        return usual
    return max(usual, _STATES_A_COLUMN * len(data.quasi_identifiers) * view.now().seconds_to_count)


def seconds_of_parts(data: Dataset) -> float:
    """About how long it takes to find parts of a file, which are not counted state by state."""
    columns = len(data.quasi_identifiers) + len(data.sensitive)
    a_cell = 4e-5 if data.has_several_rows else 6e-7
    return 0.3 + a_cell * data.n_records * columns + view.now().seconds_to_count


def can_be_searched(criterion: Criterion, data: Dataset) -> bool:
    """Whether a search can take a criterion into account."""
    return cache.remember(_searchable, data, criterion=criterion, unknowable=session().unknowable)


def _searchable(data: Dataset, *, criterion: Criterion, unknowable: tuple[str, ...]) -> bool:
    return bool(criterion.guarantees(Case(view.apply(Recipe(), data), Recipe(), unknowable=unknowable)))
