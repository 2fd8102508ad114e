"""Columns on levels beside any search that takes them as they are.

A search that finds nothing is tried again with sensitive columns in the bands of the least change in whole columns.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import wraps

import numpy as np

from anonlib.analyses.generalization.search import NothingFound
from anonlib.basics.budget import A_SECOND, UNLIMITED, Budget
from anonlib.coarsening.hierarchies import Hierarchy, Levels
from anonlib.coarsening.recoding import Recoding, label_of_missing
from anonlib.counting.guarantees.coded import harmless_labels
from anonlib.release.recipe import Recipe
from anonlib.release.steps import MergeRare, Recode
from anonlib.verdict.criteria import AloneByWhatLeaves
from anonlib.verdict.proposals.adviser import Adviser
from anonlib.verdict.proposals.proposal import ProgressWithBest, Proposal
from anonlib.verdict.proposals.sensitive import bands

Search = Callable[[Adviser, Budget, ProgressWithBest | None], Proposal | NothingFound]
_REASON = "for the verdict"


def with_bands(search: Search) -> Search:
    """A search of known columns, tried again with sensitive columns in bands."""

    @wraps(search)
    def banded(
        adviser: Adviser, budget: Budget = UNLIMITED, watch: ProgressWithBest | None = None
    ) -> Proposal | NothingFound:
        found = search(adviser, budget, watch)
        if isinstance(found, NothingFound):
            levels = _of_whole_columns(adviser, budget, watch)
            found = on_levels(adviser, search, levels, budget, watch) if levels else found
        return found

    return banded


def _of_whole_columns(adviser: Adviser, budget: Budget, watch: ProgressWithBest | None) -> dict[str, int]:
    """The levels of sensitive columns in the least change of whole columns; none where it has no bands."""
    if not adviser.may_be_coarsened or not any(name in adviser.problem.columns for name in adviser.data.sensitive):
        return {}
    whole = adviser.most_detail(Budget(work=A_SECOND) if budget.is_unlimited else budget, watch)
    if isinstance(whole, NothingFound):
        return {}
    banded = {step.column for step in whole.steps if isinstance(step, Recode | MergeRare)}
    return {name: level for name, level in whole.levels.items() if name in banded & {*adviser.data.sensitive}}


def on_levels(
    adviser: Adviser,
    search: Search,
    levels: Mapping[str, int],
    budget: Budget,
    watch: ProgressWithBest | None,
) -> Proposal | NothingFound:
    """What a search finds of the data with some columns on some levels, as an answer to the whole question."""
    asked, ways = adviser.asked, {name: levels_between(adviser, name) for name in levels}
    steps = [Recode(name, ways[name].recodings[level - 1], _REASON) for name, level in levels.items()]
    harmless = dict(asked.harmless)
    for step in steps:
        values = asked.data.held.values(step.column)
        harmless[step.column] = harmless_labels(
            values.tolist(), step.labels(values).tolist(), asked.harmless.get(step.column, ())
        )
    recoded = Recipe.of(steps).apply(asked.data).released
    found = search(Adviser(replace(asked, data=recoded, harmless=harmless, coarsenable=())), budget, watch)
    if isinstance(found, NothingFound):
        return found
    found = replace(
        found,
        levels={**found.levels, **levels},
        changes={**found.changes, **{name: ways[name].describe(level) for name, level in levels.items()}},
        steps=(*(adviser.in_recipe(step, _sharing(adviser, step.column)) for step in steps), *found.steps),
        decides=tuple(dict.fromkeys((*found.decides, *levels))),
        found=replace(found.found, proven=False),
    )
    cells = sum(adviser.weight_of(step.column) * _lost(adviser, found, step) for step in steps)
    return replace(found, loss=found.loss + adviser.of_cells(cells))


def levels_between(adviser: Adviser, name: str) -> Hierarchy:
    """The levels that a column which no search of known columns changes can go up to, each of which says something."""
    searched = adviser.problem.hierarchies
    if name in searched:
        return Hierarchy(_without_top(searched[name]), searched[name].called)
    return bands(adviser.data, name, adviser.coarsened(name), _sharing(adviser, name))


def _sharing(adviser: Adviser, name: str) -> int:
    """How many are wanted to share a value of a column in bands."""
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
    applied = (proposal.taken(Recipe(), data) if goes else Recipe.of([step])).apply(data)
    released = applied.released.with_counted()
    if data.has_several_rows:  # of whom the rows are counted
        rows = released.held.counts_of(step.column)
        of_rows = zip(rows.values.tolist(), rows.records.tolist(), strict=True)
        return sum(loss_of.get(label, 0.0) * number for label, number in of_rows)
    classes = released.with_missing("category").classes([step.column])
    pairs = zip(classes.column(step.column).tolist(), classes.counts.tolist(), strict=True)
    return sum(loss_of.get(label, 0.0) * number for label, number in pairs)
