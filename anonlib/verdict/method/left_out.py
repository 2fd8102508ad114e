"""Who is left out for a value: persons whose class met every size that is asked, and who are not in the release.

Somebody who knows the known columns of everybody in the file sees whose label is missing from the release. Where the
size of their class did not take them out, a value did, and a class that vanishes mostly has one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.analyses.generalization.certificate import by_knowledge
from anonlib.counting.classes import counts_in
from anonlib.counting.classes.rows_of_persons import person_of_row
from anonlib.counting.privacy_models import AverageRiskLimit, CodedRows, PrivacyModel, columns_of, violating
from anonlib.dataset import Dataset
from anonlib.reading.records import FrameRecords
from anonlib.release.applied import Applied
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Step


def not_sensitive(original: Dataset) -> frozenset[str]:
    """The columns whose values refuse by the sizes of classes alone: those that are not sensitive.

    Parameters
    ----------
    original : Dataset
        The data with their roles.

    Returns
    -------
    frozenset[str]
    """
    return frozenset(original.columns).difference(original.sensitive)


@dataclass(frozen=True)
class LeftForValue:
    """Whom one step leaves out for a value.

    Attributes
    ----------
    position : int
        The step's position in the recipe, counted from 0.
    step : str
        What it does, in words.
    persons : int
        Records (persons, summed weights) that it leaves out although their class met every size asked; of persons with
        several rows, those who lose rows that no size takes.
    classes : int
        The classes that these are of.
    """

    position: int
    step: str
    persons: int
    classes: int


def left_for_value(applied: Applied, recipe: Recipe, sizes: Sequence[PrivacyModel] = ()) -> tuple[LeftForValue, ...]:
    """Whom each step leaves out for a value, whatever made the recipe.

    Parameters
    ----------
    applied : Applied
        What the recipe made of the data.
    recipe : Recipe
        The steps.
    sizes : Sequence[PrivacyModel], default ()
        What is asked of the sizes of classes, for steps that do not say it themselves.

    Returns
    -------
    tuple of LeftForValue
        Of the steps that leave out anybody for a value.
    """
    known = not_sensitive(applied.original)
    left_out = []
    for position, (entry, effect) in enumerate(zip(recipe.entries, applied.effects, strict=True)):
        step = entry.step
        if not entry.enabled or effect is None or not effect.records_removed or not step.looks_at_values(known):
            continue
        if step.coin is not None:
            continue  # known columns alone say who stays; where values would have to, its search has no answer
        before = recipe.before(position).leaves(applied.original.without_rows_of_nobody()).with_counted()
        persons, classes = _left_for_value(step, before, sizes)
        if persons:
            left_out.append(LeftForValue(position, step.describe(), persons, classes))
    return tuple(left_out)


def _left_for_value(step: Step, before: Dataset, sizes: Sequence[PrivacyModel]) -> tuple[int, int]:
    """How many a step leaves out for a value, and of how many classes."""
    of_step, _ = by_knowledge(step.asks, not_sensitive(before))
    of_sizes, _ = by_knowledge(sizes, not_sensitive(before))
    asked = of_step or of_sizes
    if before.has_several_rows:
        return _of_persons(step, before, asked)
    labelled, after = step.labelled_all(before), step.apply(before)
    looked_at = {*before.quasi_identifiers, *columns_of(asked)}
    known = [name for name in before.columns if name in looked_at]
    classes, left = (data.with_missing("category").classes(known) for data in (labelled, after))
    gone = classes.counts - counts_in(classes, left)
    too_small = np.zeros(classes.n_classes, dtype=bool)
    for guarantee in asked:
        if isinstance(guarantee, AverageRiskLimit):
            too_small |= classes.counts * guarantee.limit < 1
        else:
            too_small |= violating(CodedRows.of(classes), guarantee)
    for_value = np.where(too_small, 0, np.maximum(gone, 0))
    return int(for_value.sum()), int(np.count_nonzero(for_value))


def _of_persons(step: Step, before: Dataset, asked: Sequence[PrivacyModel]) -> tuple[int, int]:
    """Persons who lose rows, or all of them, beyond what the step takes where sizes alone are asked.

    In a database it is rows, and no fewer than persons.
    """
    for_sizes = step.asking(tuple(asked))
    without, after = before if for_sizes is None else for_sizes.apply(before), step.apply(before)
    if not isinstance(before.held, FrameRecords) or before.person_id is None:
        return max(0, without.n_records - after.n_records), 0
    gone = np.setdiff1d(before.rows_of(without), before.rows_of(after))
    return len(np.unique(person_of_row(before.held.frame[before.person_id])[gone])), 0
