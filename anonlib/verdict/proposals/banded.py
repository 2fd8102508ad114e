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
from anonlib.counting.privacy_models.coded import harmless_labels
from anonlib.release.recipe import Recipe
from anonlib.release.steps import MergeRare, Recode
from anonlib.verdict.proposals.adviser import Adviser
from anonlib.verdict.proposals.proposal import ProgressWithBest, Proposal
from anonlib.verdict.proposals.sensitive import Bands, bands

Search = Callable[[Adviser, Budget, ProgressWithBest | None], Proposal | NothingFound]


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
    banded = {name for step in whole.steps for name in step.recodes}
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
    steps = [ways[name].steps[level - 1] for name, level in levels.items()]
    harmless = dict(asked.harmless)
    for step in steps:
        values = asked.data.held.values(step.column)
        labels = step.labels_of(step.column, values, asked.data)
        assert labels is not None
        harmless[step.column] = harmless_labels(values.tolist(), labels.tolist(), asked.harmless.get(step.column, ()))
    recoded = Recipe.of(steps).apply(asked.data).released
    found = search(Adviser(replace(asked, data=recoded, harmless=harmless, coarsenable=())), budget, watch)
    if isinstance(found, NothingFound):
        return found
    found = replace(
        found,
        levels={**found.levels, **levels},
        changes={**found.changes, **{name: ways[name].hierarchy.describe(level) for name, level in levels.items()}},
        steps=(*steps, *found.steps),
        decides=tuple(dict.fromkeys((*found.decides, *levels))),
        found=replace(found.found, proven=False),
    )
    cells = sum(
        adviser.weight_of(name) * _lost(adviser, found, step, ways[name].hierarchy.recodings[level - 1])
        for step, (name, level) in zip(steps, levels.items(), strict=True)
    )
    return replace(found, loss=found.loss + adviser.of_cells(cells))


def levels_between(adviser: Adviser, name: str) -> Bands:
    """The levels that a column which no search of known columns changes can go up to, each of which says something."""
    if name in adviser.bands:
        return adviser.bands[name]
    if name in adviser.problem.hierarchies:
        hierarchy = adviser.problem.hierarchies[name]
        return Bands.of(Hierarchy(_without_top(hierarchy), hierarchy.called), name)
    return bands(adviser.asked.data, name, adviser.coarsened(name), _sharing(adviser, name))


def _sharing(adviser: Adviser, name: str) -> int:
    """How many are wanted to share a value of a column that no search changes."""
    return max((each.uniqueness.k for each in adviser.asked.criteria if each.uniqueness is not None), default=0)


def _without_top(hierarchy: Hierarchy) -> tuple[Recoding, ...]:
    return hierarchy.recodings[:-1] if hierarchy.has_top else hierarchy.recodings


def _lost(adviser: Adviser, proposal: Proposal, step: Recode | MergeRare, level: Recoding) -> float:
    """The cells of a recoded column that are lost in the records that leave: so many of them as they are.

    ``level`` is what the step makes of the column's values.
    """
    counts = adviser.data.held.counts_of(step.column)
    values, labels = counts.values, Recode(step.column, level).labels(counts.values)
    if counts.missing:  # a value of its own, as in every loss
        values, labels = np.append(values, [None]), np.append(labels, [label_of_missing(level)])
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
