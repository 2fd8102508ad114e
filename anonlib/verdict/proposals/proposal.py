"""A proposal: steps of a recipe that meet criteria, what they cost, how sure that is, and what they keep."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np

from anonlib.analyses.generalization.search import LeastChange, NothingFound
from anonlib.analyses.utility.purposes import Kept, Purpose, kept
from anonlib.analyses.utility.purposes.kept import mean_share
from anonlib.basics.progress import Progress, nobody
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Scope, Step

_SAME = 1e-9
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
    least_change : LeastChange
        How it was found, and whether nothing loses less.
    parts : tuple[Hashable, Any], optional
        What its step found, by the key under which data remember it (:meth:`anonlib.dataset.Dataset.once`): a search
        in another process remembers it there alone.
    """

    levels: Mapping[str, int]
    changes: Mapping[str, str]
    steps: tuple[Step, ...]
    decides: tuple[str, ...]
    loss: float
    left_out: int
    n_records: int
    least_change: LeastChange
    rows_out: int = 0
    n_rows: int = 0
    parts: tuple[Hashable, Any] | None = field(default=None, repr=False)

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
        mine, its = (
            (proposal.levels, proposal.changes, proposal.left_out, proposal.rows_out) for proposal in (self, other)
        )
        return mine == its

    @property
    def to_take(self) -> tuple[Step, ...]:
        """Its steps as a recipe has them: where the search was ended early the reason of each says so."""
        if not self.least_change.ended_early:
            return self.steps
        return tuple(step.with_reason(_EARLY_REASON) for step in self.steps)

    @cached_property
    def key(self) -> str:
        """Names what it makes of a recipe: the same key, the same steps about the same columns."""
        return sha256(repr(([step.digest for step in self.to_take], self.decides)).encode()).hexdigest()

    def be_known_to(self, data: Dataset) -> None:
        """Have data remember what its step found, so that it need not be searched again."""
        if self.parts is not None:
            key, parts = self.parts
            data.once(key, lambda: parts)

    def taken(self, recipe: Recipe, data: Dataset) -> Recipe:
        """The recipe with the proposal in it."""
        self.be_known_to(data)
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


# ---- how sure it is ----


def how_sure(change: LeastChange) -> str:
    """What is known of a least change, in a sentence.

    Parameters
    ----------
    change : LeastChange
        What the search found.

    Returns
    -------
    str
    """
    if change.ended_early:
        within = f"in {change.seconds:,.0f} s" if change.seconds >= 1 else "so far"
        return f"The best found {within}: the search was ended early, and another machine may find another."
    if change.by_parts:
        return "Least found by splitting the file from the top, not proven."
    if change.with_blanks:
        return "Least found by trying levels and leaving cells blank, not proven."
    if change.proven and change.by_sizes:
        return "Proven: no other choice loses less that leaves nobody out for a value."
    if change.proven:
        return "Proven: no other choice loses less."
    if change.finished and not change.complete:
        return "Least found: a good choice of levels and of the rows that are left out, not proven."
    if change.finished:
        return "Least found: every choice of levels was weighed; whom to leave out is a good choice, not proven."
    return "The least found with the work given, the same on every machine; not proven."


def none_found(nothing: NothingFound) -> str:
    """What is known where nothing was found, in a sentence.

    Parameters
    ----------
    nothing : NothingFound
        What a search says that found nothing.

    Returns
    -------
    str
    """
    if nothing.proven:
        return "Nothing that is allowed does."
    return f"None was found. {what_was_searched(nothing)}"


def what_was_searched(nothing: NothingFound) -> str:
    """How far a search came that found nothing, and what that leaves open, in a sentence."""
    if nothing.finished and not nothing.complete:
        return "Another choice of levels and of the rows that are left out may do."
    if nothing.finished:
        return "Every combination of levels was tried, not every choice of whom to leave out: another may do."
    if nothing.ended_early:
        return "The search was ended early, before every combination of levels was tried: another machine may find one."
    return "The work given was done before every combination of levels was tried."


# ---- what it keeps ----


@dataclass(frozen=True, eq=False)
class Ranked:
    """A proposal and what it keeps of what must survive.

    Attributes
    ----------
    name : str
        What it is called.
    loss : float
        Share of the detail of the original's cells that is lost, in [0, 1]; NaN where it is not known.
    kept : tuple[Kept, ...]
        By purpose, original against release.
    """

    name: str
    loss: float
    kept: tuple[Kept, ...]

    @cached_property
    def mean(self) -> float:
        """Mean share kept, in [0, 1], of all purposes; what cannot be measured counts as 0."""
        return mean_share(self.kept)


def kept_by(
    proposal: Proposal, purposes: Sequence[Purpose], recipe: Recipe, data: Dataset, progress: Progress = nobody
) -> tuple[Kept, ...]:
    """What the release by a proposal, taken into a recipe, keeps of what must survive, purpose by purpose.

    Parameters
    ----------
    proposal : Proposal
        The steps that are to be taken into the recipe.
    purposes : Sequence[Purpose]
        What must survive.
    recipe : Recipe
        The recipe that it is taken into.
    data : Dataset
        The original.
    progress : Progress, default nobody
        Called with the share done, 0 to 1; may raise to stop.

    Returns
    -------
    tuple[Kept, ...]
    """
    applied = proposal.taken(recipe, data).apply(data)
    return kept(purposes, applied.original, applied.released, progress=progress)


def ranked(proposals: Iterable[Ranked]) -> tuple[Ranked, ...]:
    """Those that keep most of what must survive first; of two that keep as much the one that loses less.

    Parameters
    ----------
    proposals : Iterable[Ranked]
        The proposals, each with what it keeps.

    Returns
    -------
    tuple[Ranked, ...]
    """
    return tuple(
        sorted(
            proposals,
            key=lambda proposal: (-round(proposal.mean / _SAME), np.inf if np.isnan(proposal.loss) else proposal.loss),
        )
    )
