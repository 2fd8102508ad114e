"""What the adviser is asked on this page, and how long its answers take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Scope
from anonlib.verdict.criteria import Aim, Case, Criterion
from anonlib.verdict.proposals import Adviser, Asked, Proposal
from anonlib.verdict.proposals.offers import Offer
from ui.session import cache, companions, decide, state, view
from ui.session.state import session

AT_ONCE, FIRST_AT_ONCE = 1.5, 60.0
"""Work, in seconds of the machine that was calibrated on, up to which a search, or that for a first proposal part by
part, needs no button."""


@dataclass(frozen=True)
class Taken:
    """The proposal that was taken last, and the recipe before and after; it stays on top while that is the recipe."""

    offer: Offer | None = None
    before: Recipe = field(default_factory=Recipe)
    recipe: str = ""

    @property
    def still(self) -> Offer | None:
        """The proposal, while the recipe is what it made of it."""
        return self.offer if self.recipe == session().recipe.digest else None


def take(offer: Offer, made_for: Aim) -> None:
    """Take a proposal into the recipe; not one for another aim, which can be pressed until the new one is there."""
    if made_for != session().aim:
        session().notice = "Nothing was taken: that proposal was for what was asked before. Wait for the new one."
        return
    before = recipe_before()
    decide.take(offer.proposal.to_take, offer.proposal.decides, Scope.SEARCH, view.now().data, into=before)
    state.change_part(Taken, offer=offer, before=before, recipe=session().recipe.digest)


def recipe_before() -> Recipe:
    """The recipe that proposals are made for and go into: what it was before one was taken, whose place others take."""
    taken = state.part(Taken)
    return session().recipe if taken.still is None else taken.before


def recipe_with(proposal: Proposal, data: Dataset) -> Recipe:
    """That recipe with a proposal in it: what gives way depends on all cells, and a page asks a dozen times."""
    return _with(proposal, recipe_before(), data)


@cache.remembered
def _with(proposal: Proposal, before: Recipe, data: Dataset) -> Recipe:
    return proposal.taken(before, data)


def looked_at(data: Dataset) -> Dataset:
    """What proposals are to protect of the original, by that recipe."""
    return view.to_protect(data, recipe_before())


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
