"""A proposal: steps of a recipe that meet criteria, and what they cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from anonlib.analyses.generalization.search import LeastChange, NothingFound
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Scope, Step

_EARLY_REASON = "for the verdict, the best found until the search was ended early"


@dataclass(frozen=True, eq=False)
class Proposal:
    """Steps that meet the criteria that a search can take part in.

    Attributes
    ----------
    levels : Mapping[str, int]
        By column, how far it is coarsened; columns that stay are not named.
    changes : Mapping[str, str]
        By the same columns, how, in words: ``intervals of 5``, ``left out``.
    steps : tuple[Step, ...]
        For :meth:`Recipe.take`, replacing what is decided about ``decides`` (``Scope.SEARCH``).
    decides : tuple[str, ...]
        The columns that were searched, also those that stay.
    loss : float
        Share of the detail of the original's cells that is lost, in [0, 1]; who is left out, and what was dropped
        before, loses all.
    left_out, n_records : int
        Records (persons, summed weights) left out, and all of them.
    rows_out, n_rows : int, default 0
        Where persons have several rows, how many of these are left out, and all of them; else 0.
    found : LeastChange
        How it was found, and whether nothing loses less.
    """

    levels: Mapping[str, int]
    changes: Mapping[str, str]
    steps: tuple[Step, ...]
    decides: tuple[str, ...]
    loss: float
    left_out: int
    n_records: int
    found: LeastChange
    rows_out: int = 0
    n_rows: int = 0

    @property
    def kept(self) -> float:
        """The share of records (persons) that leave."""
        return 1 - self.left_out / max(1, self.n_records)

    @property
    def rows_kept(self) -> float:
        """Where persons have several rows, the share of these that leave; else as :attr:`kept`."""
        return 1 - self.rows_out / self.n_rows if self.n_rows else self.kept

    @property
    def columns_out(self) -> tuple[str, ...]:
        """Columns that do not leave by it."""
        return tuple(name for step in self.steps for name in step.drops)

    def is_like(self, other: Proposal) -> bool:
        """Whether it changes the same columns as far and alike, and leaves out as many."""
        mine, its = ((each.levels, each.changes, each.left_out, each.rows_out) for each in (self, other))
        return mine == its

    @property
    def to_take(self) -> tuple[Step, ...]:
        """Its steps as a recipe has them: where the search was ended early the reason of each says so."""
        if not self.found.ended_early:
            return self.steps
        return tuple(step.with_reason(_EARLY_REASON) for step in self.steps)

    @cached_property
    def key(self) -> str:
        """Names what it makes of a recipe: the same key, the same steps about the same columns."""
        return sha256(repr(([step.digest for step in self.to_take], self.decides)).encode()).hexdigest()

    def taken(self, recipe: Recipe, data: Dataset) -> Recipe:
        """The recipe with the proposal in it."""
        return recipe.take(self.to_take, data, replacing=self.decides, scope=Scope.SEARCH)


def that_is_saved(proposal: Proposal, data: Dataset) -> Proposal | NothingFound:
    """The proposal, where a saved project holds all of its steps; else none was found.

    A step that names values of a column whose values a project does not save would be saved without them, and the
    project, opened again, would make another release or none.

    Parameters
    ----------
    proposal : Proposal
        What was found.
    data : Dataset
        What was searched.
    """
    is_whole = all(is_saved_whole(step, data) for step in proposal.taken(Recipe(), data).enabled)
    return proposal if is_whole else NothingFound(proven=False, finished=True, complete=False)


def is_saved_whole(step: Step, data: Dataset) -> bool:
    """Whether a saved project holds a step as it is, with all values that it names.

    Parameters
    ----------
    step : Step
        The step, as it is taken.
    data : Dataset
        The data, whose roles say of which columns values are saved.
    """
    return step.without_named(data.may_be_named) == step


ProgressWithBest = Callable[[float, "Proposal | None"], None]
"""Called with the share of a search that is done and the best proposal so far; may raise to stop."""
