"""The one way in which a page takes its steps into the recipe and says what gave way."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from anonlib.dataset import Dataset
from anonlib.release.steps import Scope, Step
from ui.session import decide
from ui.session.state import session


def take(steps: Sequence[Step], replacing: Collection[str], scope: Scope, data: Dataset | None = None) -> None:
    """Put steps in the place of earlier ones on the same columns, as :meth:`Recipe.take` says."""
    recipe = session().recipe
    gave_way = len(recipe.giving_way(replacing, scope))
    decide.take_steps(steps, recipe.take(steps, data, replacing=replacing, scope=scope), gave_way)
