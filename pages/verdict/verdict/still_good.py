"""What a release by a proposal is still good for, whatever it is for: how its columns go together."""

from __future__ import annotations

from anonlib.analyses.utility import Alongside, association
from anonlib.basics.progress import Progress, share_of
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.verdict.proposals.offers import Offers
from pages.verdict.verdict import question
from ui.session import cache, stoppable, view

_WORDING = stoppable.Wording(
    "Measuring how columns go together", "How columns go together is not measured: you stopped it.",
    "Stop measuring", "Measure it",
)  # fmt: skip


def association_kept(recipe: Recipe, data: Dataset) -> float | None:
    """The share that a release keeps of how strongly columns go together, in [0, 1]; None where it is not measured."""
    return _association_kept.held(data, recipe)


def measure(offers: Offers, data: Dataset) -> bool:
    """Measure it of the proposals of which it was not, with progress and a stop; whether any was measured.

    Of records in a database it is not measured here: each two columns are a question to it.
    """
    if data.frame is None:
        return False
    taken = [question.recipe_with(offer.proposal, data) for offer in offers.offers]
    recipes = [recipe for recipe in taken if association_kept(recipe, data) is None]
    if not recipes:
        return False

    def compute(progress: Progress) -> bool:
        for i, recipe in enumerate(recipes):
            part = share_of(progress, i / len(recipes), (i + 1) / len(recipes))
            _association_kept(data, recipe, progress=part)
        return True

    return stoppable.done(f"association-{data.key}-{cache.digest(*recipes)}", compute, _WORDING) is not None


@cache.remembered
def _association_kept(data: Dataset, recipe: Recipe, *, progress: Progress) -> float:
    applied = view.apply(recipe, data)
    if not applied.released.n_records:
        return 0.0
    return association(Alongside.of(applied.original, applied.released), progress=progress).kept
