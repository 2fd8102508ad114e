"""Sensitive columns in bands beside any search that takes them as they are: before it, and after it.

Before: a search that finds nothing is tried again with the bands of the least change in whole columns. After: where too
many are still alone by what leaves, sensitive columns go up a level at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps

from anonlib.analyses.generalization.search import NothingFound
from anonlib.coarsening.hierarchies import Hierarchy, Levels
from anonlib.counting.guarantees.coded import harmless_labels
from anonlib.release.alone import Alone, alone_by_what_leaves
from anonlib.release.recipe import Applied, Recipe
from anonlib.release.steps import Recode
from anonlib.verdict.criteria import AloneByWhatLeaves
from anonlib.verdict.proposals.proposals import Adviser, ProgressWithBest, Proposal
from anonlib.verdict.proposals.sensitive import bands

Search = Callable[[Adviser, float | None, ProgressWithBest | None], Proposal | NothingFound]
_REASON = "for the verdict"


def with_bands(search: Search) -> Search:
    """A search of known columns, tried again with sensitive columns in bands, and mended with them."""

    @wraps(search)
    def banded(
        adviser: Adviser, seconds: float | None = None, watch: ProgressWithBest | None = None
    ) -> Proposal | NothingFound:
        found = search(adviser, seconds, watch)
        if isinstance(found, NothingFound):
            found = _in_bands(adviser, search, seconds, watch) or found
        return found if isinstance(found, NothingFound) else mended(adviser, found, watch)

    return banded


# ---- before ----


def _in_bands(
    adviser: Adviser, search: Search, seconds: float | None, watch: ProgressWithBest | None
) -> Proposal | None:
    """What a search finds with the bands of the least change in whole columns; None where there are none."""
    if not any(name in adviser.problem.columns for name in adviser.data.sensitive):
        return None
    whole = adviser.most_detail(seconds if seconds is not None else 1.0, watch)
    if isinstance(whole, NothingFound):
        return None
    steps = tuple(step for step in whole.steps if isinstance(step, Recode) and step.column in adviser.data.sensitive)
    if not steps:
        return None
    asked = adviser.asked
    recoded = Recipe.of(steps).apply(asked.data).released
    harmless = dict(asked.harmless)
    for step in steps:
        values = asked.data.held.values(step.column)
        harmless[step.column] = harmless_labels(values, step.labels(values), asked.harmless.get(step.column, ()))
    found = search(Adviser(replace(asked, data=recoded, harmless=harmless, coarsenable=())), seconds, watch)
    if isinstance(found, NothingFound):
        return None
    for step in steps:
        found = _raised(adviser, found, step, whole.levels[step.column])
    return found


# ---- after ----


def mended(adviser: Adviser, proposal: Proposal, watch: ProgressWithBest | None = None) -> Proposal:
    """A proposal with sensitive columns coarsened until few enough are alone by what leaves.

    The level that brings most below the limits for the detail it costs is taken first. Where no level is left, what
    was reached is the answer: the verdict on it says what it does not meet.

    Parameters
    ----------
    adviser
        The question.
    proposal
        An answer that its other criteria are met by.
    watch : callable, optional
        Told that it goes on; may raise to stop.
    """
    for criterion in adviser.asked.criteria:
        if isinstance(criterion, AloneByWhatLeaves):
            proposal = _mended(adviser, criterion, proposal, watch)
    return proposal


def _mended(
    adviser: Adviser, criterion: AloneByWhatLeaves, proposal: Proposal, watch: ProgressWithBest | None
) -> Proposal:
    def tell(share: float) -> None:
        if watch is not None:
            watch(share, proposal)

    ways = _ways(adviser, criterion.k)
    found = _counted(adviser, criterion, proposal, tell)
    while not criterion.allows(found):
        at_fault = {name for names, _, _ in found.worst for name in names}
        raised = [
            _raised(adviser, proposal, Recode(name, hierarchy.recodings[level], _REASON), level + 1)
            for name, hierarchy in ways.items()
            if name in at_fault and (level := proposal.levels.get(name, 0)) < len(hierarchy.recodings)
        ]
        tried = [(other, _counted(adviser, criterion, other, tell)) for other in raised]
        better = [each for each in tried if _excess(criterion, each[1]) < _excess(criterion, found)]
        if not better:
            break
        before, lost = _excess(criterion, found), proposal.loss
        proposal, found = max(
            better, key=lambda each: (before - _excess(criterion, each[1])) / max(each[0].loss - lost, 1e-9)
        )
    return proposal


def _excess(criterion: AloneByWhatLeaves, found: Alone) -> float:
    """How far both shares are above their limits."""
    return max(0.0, found.share_alone - criterion.most) + max(0.0, found.share_below - criterion.below)


def _counted(
    adviser: Adviser, criterion: AloneByWhatLeaves, proposal: Proposal, tell: Callable[[float], None]
) -> Alone:
    applied, recipe = _applied(adviser, proposal)
    return alone_by_what_leaves(
        applied, recipe, known=criterion.known, k=criterion.k, unknowable=adviser.asked.unknowable, progress=tell
    )


def _applied(adviser: Adviser, proposal: Proposal) -> tuple[Applied, Recipe]:
    recipe = proposal.taken(Recipe(), adviser.asked.data)
    return recipe.apply(adviser.asked.data), recipe


def _ways(adviser: Adviser, k: int) -> Mapping[str, Hierarchy]:
    """By sensitive column that may be coarsened, its levels: those of the search, where it has some."""
    searched = adviser.problem.hierarchies
    return {
        name: searched[name] if name in searched else bands(adviser.data, name, adviser.coarsened(name), k)
        for name in adviser.may_be_coarsened
    }


def _raised(adviser: Adviser, proposal: Proposal, step: Recode, level: int) -> Proposal:
    """The proposal with a sensitive column on a level, and what that loses of the cells that leave."""
    name, problem = step.column, adviser.problem
    earlier = next((each for each in proposal.steps if isinstance(each, Recode) and each.column == name), None)
    others = tuple(each for each in proposal.steps if each is not earlier)
    changed = replace(
        proposal,
        levels={**proposal.levels, name: level},
        changes={**proposal.changes, name: step.recoding.describe()},
        steps=(step, *others),
        decides=tuple(dict.fromkeys((*proposal.decides, name))),
        found=replace(proposal.found, proven=False),
    )
    lost = _lost(adviser, changed, step) - (0.0 if earlier is None else _lost(adviser, proposal, earlier))
    return replace(changed, loss=proposal.loss + adviser.of_cells(problem.weights[name] * lost))


def _lost(adviser: Adviser, proposal: Proposal, step: Recode) -> float:
    """The cells of a recoded column that are lost in the records that leave: so many of them as they are."""
    values = adviser.data.held.values(step.column)
    levels = Levels.of([values, step.labels(values)], step.column)
    loss_of = dict(zip(levels.label(1).tolist(), levels.loss(1).tolist(), strict=True))
    released = _applied(adviser, proposal)[0].released.with_counted().with_missing("category").classes([step.column])
    return sum(
        loss_of.get(label, 0.0) * number
        for label, number in zip(released.column(step.column).tolist(), released.counts.tolist(), strict=True)
    )
