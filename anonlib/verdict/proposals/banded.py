"""Sensitive columns in bands beside any search that takes them as they are: before it, and after it.

Before: a search that finds nothing is tried again with the bands of the least change in whole columns. After: where too
many are still alone by what leaves, sensitive columns go up a level at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps

import numpy as np

from anonlib.analyses.generalization.search import NothingFound
from anonlib.coarsening.hierarchies import Hierarchy, Levels
from anonlib.coarsening.recoding import Recoding, ValueMap, label_of_missing
from anonlib.counting.guarantees.coded import harmless_labels
from anonlib.release.alone import Alone, alone_by_what_leaves
from anonlib.release.recipe import Applied, Recipe
from anonlib.release.steps import MergeRare, Recode
from anonlib.verdict.criteria import AloneByWhatLeaves
from anonlib.verdict.proposals.adviser import Adviser
from anonlib.verdict.proposals.proposal import ProgressWithBest, Proposal
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
            levels = _of_whole_columns(adviser, seconds, watch)
            found = on_levels(adviser, search, levels, seconds, watch) if levels else found
        if isinstance(found, NothingFound):
            return found
        levels = {name: level for name, level in found.levels.items() if name in adviser.data.sensitive}
        for criterion in adviser.asked.criteria:
            if isinstance(criterion, AloneByWhatLeaves):
                raised = _raised(adviser, criterion, found, levels, watch)
                again = on_levels(adviser, search, raised, seconds, watch) if raised != levels else found
                found, levels = (found, levels) if isinstance(again, NothingFound) else (again, raised)
        return found

    return banded


def _of_whole_columns(adviser: Adviser, seconds: float | None, watch: ProgressWithBest | None) -> dict[str, int]:
    """The levels of sensitive columns in the least change of whole columns; none where it has no bands."""
    if not adviser.may_be_coarsened or not any(name in adviser.problem.columns for name in adviser.data.sensitive):
        return {}
    whole = adviser.most_detail(1.0 if seconds is None else seconds, watch)
    if isinstance(whole, NothingFound):
        return {}
    banded = {step.column for step in whole.steps if isinstance(step, Recode | MergeRare)}
    return {name: level for name, level in whole.levels.items() if name in banded & {*adviser.data.sensitive}}


def on_levels(
    adviser: Adviser,
    search: Search,
    levels: Mapping[str, int],
    seconds: float | None,
    watch: ProgressWithBest | None,
) -> Proposal | NothingFound:
    """What a search finds of the data with sensitive columns on some levels, as an answer to the whole question."""
    asked = adviser.asked
    steps = [Recode(name, _ways(adviser)[name].recodings[level - 1], _REASON) for name, level in levels.items()]
    harmless = dict(asked.harmless)
    for step in steps:
        values = asked.data.held.values(step.column)
        harmless[step.column] = harmless_labels(
            values.tolist(), step.labels(values).tolist(), asked.harmless.get(step.column, ())
        )
    recoded = Recipe.of(steps).apply(asked.data).released
    found = search(Adviser(replace(asked, data=recoded, harmless=harmless, coarsenable=())), seconds, watch)
    if isinstance(found, NothingFound):
        return found
    found = replace(
        found,
        levels={**found.levels, **levels},
        changes={**found.changes, **{name: _ways(adviser)[name].describe(level) for name, level in levels.items()}},
        steps=(*(adviser.in_recipe(step, _sharing(adviser, step.column)) for step in steps), *found.steps),
        decides=tuple(dict.fromkeys((*found.decides, *levels))),
        found=replace(found.found, proven=False),
    )
    cells = sum(adviser.problem.weights[step.column] * _lost(adviser, found, step) for step in steps)
    return replace(found, loss=found.loss + adviser.of_cells(cells))


def _raised(
    adviser: Adviser,
    criterion: AloneByWhatLeaves,
    proposal: Proposal,
    levels: Mapping[str, int],
    watch: ProgressWithBest | None,
) -> dict[str, int]:
    """The levels at which few enough are alone by what leaves, those of the proposal's known columns as they are.

    One column at a time, up so far that it brings most below the limits for the detail it costs. Where no level is
    left, what was reached is the answer: the verdict on it says what it does not meet.
    """

    def tell(share: float) -> None:
        if watch is not None:
            watch(share, proposal)

    applied, recipe = _applied(adviser, proposal)
    chosen = dict(levels)
    found = _counted(adviser, criterion, applied, recipe, tell)
    while not criterion.allows(found):
        before = _excess(criterion, found)
        at_fault = {name for names, _, _ in found.worst for name in names}
        better = list[tuple[float, str, int, Applied, Alone]]()
        for name, hierarchy in _ways(adviser).items():
            if name not in at_fault or (level := chosen.get(name, 0)) >= len(hierarchy.recodings):
                continue
            of_values = hierarchy.on(adviser.data.held.values(name), name)
            for higher in range(level + 1, of_values.n_levels):
                raised = _up(applied, name, of_values, level, higher)
                alone = _counted(adviser, criterion, raised, recipe, tell)
                gain = before - _excess(criterion, alone)
                if gain > 0:
                    cost = float(of_values.loss(higher).mean() - of_values.loss(level).mean())
                    better.append((gain / max(cost, 1e-9), name, higher, raised, alone))
        if not better:
            break
        _, name, chosen[name], applied, found = max(better, key=lambda each: each[:3])
    return chosen


def _up(applied: Applied, name: str, levels: Levels, level: int, higher: int) -> Applied:
    """A release with a column on a higher level; what is missing stays so, and all where no released label changes."""
    onto = dict(zip(levels.label(level).tolist(), levels.label(higher).tolist(), strict=True))
    changed = tuple((label, new) for label, new in onto.items() if label != new)
    if not {label for label, _ in changed} & set(applied.released.held.values(name)):
        return applied
    step = Recode(name, ValueMap(changed))
    return replace(applied, released=step.apply(applied.released))


def _excess(criterion: AloneByWhatLeaves, found: Alone) -> float:
    """How far both shares are above their limits."""
    return max(0.0, found.share_alone - criterion.most) + max(0.0, found.share_below - criterion.below)


def _counted(
    adviser: Adviser, criterion: AloneByWhatLeaves, applied: Applied, recipe: Recipe, tell: Callable[[float], None]
) -> Alone:
    return alone_by_what_leaves(
        applied, recipe, known=criterion.known, k=criterion.k, unknowable=adviser.asked.unknowable, progress=tell
    )


def _applied(adviser: Adviser, proposal: Proposal) -> tuple[Applied, Recipe]:
    recipe = proposal.taken(Recipe(), adviser.asked.data)
    return recipe.apply(adviser.asked.data), recipe


def _ways(adviser: Adviser) -> Mapping[str, Hierarchy]:
    """By sensitive column that may be coarsened, its levels in the search, without the one where all is left out."""
    searched = adviser.problem.hierarchies
    return {
        name: Hierarchy(_without_top(searched[name]), searched[name].called)
        if name in searched
        else bands(adviser.data, name, adviser.coarsened(name), _sharing(adviser, name))
        for name in adviser.may_be_coarsened
    }


def _sharing(adviser: Adviser, name: str) -> int:
    """How many are wanted to share a value of a sensitive column in bands."""
    if name in adviser.problem.hierarchies:
        return adviser.sharing
    return max((each.k for each in adviser.asked.criteria if isinstance(each, AloneByWhatLeaves)), default=0)


def _without_top(hierarchy: Hierarchy) -> tuple[Recoding, ...]:
    return hierarchy.recodings[:-1] if hierarchy.has_top else hierarchy.recodings


def _lost(adviser: Adviser, proposal: Proposal, step: Recode) -> float:
    """The cells of a recoded column that are lost in the records that leave: so many of them as they are."""
    counts = adviser.data.held.counts_of(step.column)
    values, labels = counts.values, step.labels(counts.values)
    if counts.missing:  # a value of its own, as in every loss
        values, labels = np.append(values, [None]), np.append(labels, [label_of_missing(step.recoding)])
    levels = Levels.of([values, labels], step.column)
    loss_of = dict(zip(levels.label(1).tolist(), levels.loss(1).tolist(), strict=True))
    data = adviser.asked.data
    goes = proposal.left_out or proposal.rows_out
    applied = _applied(adviser, proposal)[0] if goes else Recipe.of([step]).apply(data)
    released = applied.released.with_counted()
    if data.has_several_rows:  # of whom the rows are counted
        rows = released.held.counts_of(step.column)
        of_rows = zip(rows.values.tolist(), rows.records.tolist(), strict=True)
        return sum(loss_of.get(label, 0.0) * number for label, number in of_rows)
    classes = released.with_missing("category").classes([step.column])
    pairs = zip(classes.column(step.column).tolist(), classes.counts.tolist(), strict=True)
    return sum(loss_of.get(label, 0.0) * number for label, number in pairs)
