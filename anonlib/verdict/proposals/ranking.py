"""Proposals in order of how well what must survive does in a release by them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from anonlib.analyses.utility.purposes import Kept, Purpose, kept
from anonlib.analyses.utility.purposes.kept import mean_share
from anonlib.basics.progress import Progress, nobody
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.verdict.proposals.proposal import Proposal

_SAME = 1e-9


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
        sorted(proposals, key=lambda each: (-round(each.mean / _SAME), np.inf if np.isnan(each.loss) else each.loss))
    )
