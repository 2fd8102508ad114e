"""The verdict's proposals of this session: for what they are made, which there are, and how one is taken.

The Verdict page searches them; a page that only shows some takes what is there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Scope
from anonlib.verdict.criteria import Aim
from anonlib.verdict.proposals import Proposal
from anonlib.verdict.proposals.offers import Offer, Offers
from ui.session import cache, companions, decide, state, view
from ui.session.state import session


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
    proposal.be_known_to(data)  # it may have been found, and put into a recipe, in another process
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
    return {
        "aim": now.aim, "hierarchies": hierarchies(data), "unknowable": now.unknowable,
        "secret": now.project.secret_of_coins,
    }  # fmt: skip


def hierarchies(data: Dataset) -> dict[str, Hierarchy]:
    """How columns can be coarsened: regions of places, and what is chosen; the others have the suggested hierarchy."""
    return {**companions.regions_of_places(data), **session().hierarchies}


# ---- those that are there ----


@dataclass(frozen=True, eq=False)
class _Made:
    """The proposals made last, and what names the question that they answer."""

    offers: Offers = field(default_factory=Offers)
    question: str = ""


def question_name(looked_at: Dataset) -> str:
    """Names what proposals are made for: what is to be protected, and all that is asked of it."""
    return f"verdict-{looked_at.key}-{cache.digest(*asked(looked_at).values())}"


def remember(offers: Offers, data: Dataset) -> None:
    """Let other pages show them."""
    name = question_name(looked_at(data))
    latest = state.part(_Made)
    if latest.question != name or latest.offers is not offers:
        state.change_part(_Made, offers=offers, question=name)


def made(data: Dataset) -> Offers:
    """Those made so far for what is asked now; none where the last ones were for something else."""
    latest = state.part(_Made)
    return latest.offers if latest.question == question_name(looked_at(data)) else Offers()
