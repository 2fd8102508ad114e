"""What the adviser is asked on this page, and how long its answers take."""

from __future__ import annotations

from collections.abc import Mapping

from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria import Aim, Case, Criterion
from anonlib.verdict.proposals import Adviser, Asked
from ui.session import cache, view
from ui.session.proposed import Taken, asked, hierarchies, looked_at, recipe_before, recipe_with, take
from ui.session.state import session

__all__ = [
    "Taken", "adviser", "asked", "can_be_searched", "hierarchies", "is_searched", "looked_at", "recipe_before",
    "recipe_with", "seconds", "seconds_of_parts", "take",
]  # fmt: skip

AT_ONCE, FIRST_AT_ONCE = 1.5, 60.0
"""Work, in seconds of the machine that was calibrated on, up to which a search, or that for a first proposal part by
part, needs no button."""


def adviser(
    data: Dataset,
    original: Dataset | None = None,
    *,
    aim: Aim,
    hierarchies: Mapping[str, Hierarchy],
    unknowable: tuple[str, ...],
    secret: str,
    criteria: tuple[Criterion, ...] | None = None,
) -> Adviser:
    """The adviser on what is to be protected of an original; by other criteria than the aim's where they are given."""
    return Adviser(Asked.of(data, aim, hierarchies, criteria, original, unknowable, secret=secret))


def seconds(data: Dataset) -> float:
    """About how much work one search is, in seconds of the machine that was calibrated on, with the Adult data.

    The same on every machine, so that what is searched without a button is; what is promised is measured.
    """
    columns = len(data.quasi_identifiers) + len(data.sensitive)
    return 0.1 + 4e-7 * data.n_records * columns**2 / 3


def seconds_of_parts(data: Dataset) -> float:
    """About how much work it is to find parts of a file, which are not counted state by state, and to count them."""
    columns = len(data.quasi_identifiers) + len(data.sensitive)
    a_cell = 1.2e-6 if data.has_several_rows else 6e-7
    return 0.3 + a_cell * data.n_records * columns + 1e-7 * data.n_records * columns**2


def is_searched(data: Dataset) -> bool:
    """Whether a search can take some criterion into account."""
    protected = looked_at(data)
    return any(can_be_searched(criterion, protected) for criterion in session().aim.criteria)


def can_be_searched(criterion: Criterion, data: Dataset) -> bool:
    """Whether a search can take a criterion into account."""
    return _searchable(data, criterion=criterion, unknowable=session().unknowable)


@cache.remembered
def _searchable(data: Dataset, *, criterion: Criterion, unknowable: tuple[str, ...]) -> bool:
    return bool(criterion.guarantees(Case(view.apply(Recipe(), data), Recipe(), unknowable=unknowable)))
