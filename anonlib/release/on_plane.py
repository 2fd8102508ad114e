"""Where a recipe's release stands on the plane of policies: its labels, and which values of the plane each covers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

import numpy as np

from anonlib.analyses.frontier import Domain, LabelledRecords, Placement, Plane, one_value_a_person, place
from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody
from anonlib.counting.classes.rows_of_persons import ValueSet
from anonlib.dataset import Dataset
from anonlib.reading.records.names import unused_name
from anonlib.release.applied import Applied
from anonlib.release.recipe import Recipe
from anonlib.release.steps import ReachableLevel, Step
from anonlib.release.steps.step import after


def place_release(plane: Plane, applied: Applied, recipe: Recipe, of: Recipe, progress: Progress = nobody) -> Placement:
    """Where a release stands among policies, by the records that leave (:func:`anonlib.analyses.frontier.place`).

    Parameters
    ----------
    plane : Plane
        Policies on columns of what ``of`` protects, and their measures.
    applied : Applied
        The recipe's outcome on the original.
    recipe : Recipe
        The steps that made it.
    of : Recipe
        The recipe that the plane is for: its policies recode the original with the rows, dates and regions that this
        one makes, and without the columns that it drops (:meth:`Recipe.to_protect`).
    progress : Progress, default nobody
        Called with the share done, in [0, 1]; may raise to stop.

    Returns
    -------
    Placement

    Raises
    ------
    InputError
        Where the release cannot be compared with these policies; the sentence says why.
    """
    if applied.why_not:
        raise InputError(applied.why_not, code="release-stays")
    if recipe.ahead.digest != of.ahead.digest:
        raise InputError(
            "It leaves out rows of persons, moves dates or joins places otherwise than the present recipe, whose "
            "values the policies recode.",
            code="release-not-on-plane",
        )
    released, names = applied.released, plane.space.attributes
    uncounted = [name for name in applied.original.quasi_identifiers if name in of.dropped and name in released.columns]
    if uncounted:
        raise InputError(
            f"It releases {words.listed(uncounted)}, which the present recipe drops and no policy counts.",
            code="release-not-on-plane",
        )
    if not released.n_records:
        raise InputError("No record is left in it.", code="release-not-on-plane")
    leaving = [name for name in names if name in released.columns]
    return place(plane, _labelled(plane, applied, recipe, leaving), progress)


def _labelled(plane: Plane, applied: Applied, recipe: Recipe, leaving: list[str]) -> LabelledRecords:
    """The records that leave: each with its values, as the plane counts them, and its labels."""
    space, released = plane.space, applied.released
    before = recipe.ahead.leaves(applied.original)
    taken = [*released.held.columns, *before.held.columns]
    aside = {name: unused_name(f"{name} before {j}", taken) for j, name in enumerate(space.attributes)}
    wide = released.with_columns_of(before, aside)
    if released.person_id is not None:
        counted = _counted_persons(before, list(space.attributes))[before.rows_of(released)]
        wide = wide.with_records(counted, "of persons with one value each")
    classes = wide.with_missing("category").classes([*leaving, *aside.values()])
    values, labels, covers = [], [], []
    for name, domain in zip(space.attributes, space.domains, strict=True):
        own = classes.attributes.index(aside[name])
        position = {value: i for i, value in enumerate(domain.values)}
        places = np.array([position.get(value, -1) for value in classes.categories[own]], dtype=np.int64)
        values.append(places[classes.codes[:, own]])
        if name not in leaving:
            labels.append(np.zeros(classes.n_classes, dtype=np.int64))
            covers.append(np.ones((2 * len(domain) - 1, 1), dtype=bool))
            continue
        j = classes.attributes.index(name)
        known = classes.categories[j]
        if any(isinstance(known[code], ValueSet) for code in np.unique(classes.codes[:, j])):
            raise InputError(
                f"Rows of a person leave with different labels in “{name}”: a policy gives them one.",
                code="release-not-on-plane",
                column=name,
            )
        labels.append(classes.codes[:, j].astype(np.int64))
        of_records = space.classes.categories[space.attributes.index(name)]
        covers.append(_covers(domain, known, of_records, applied.original, recipe))
    return LabelledRecords(np.column_stack(values), np.column_stack(labels), classes.counts, tuple(covers))


def _counted_persons(before: Dataset, names: list[str]) -> np.ndarray:
    """bool per row: it is of a person whose rows agree in some columns, before any of them is left out.

    A person who has a value in some rows and none in others is none, unless those without are left out: a policy may
    part the two.
    """
    counted = before.with_counted()
    never_parted = counted if before.missing == "drop" else counted.without_partly_missing(names)
    of_record = one_value_a_person(never_parted.classes(names)).class_of_record
    assert of_record is not None
    agree = np.zeros(before.held.n_records, dtype=bool)
    agree[before.rows_of(never_parted)] = of_record >= 0
    return agree


def _covers(
    domain: Domain, labels: np.ndarray, of_records: np.ndarray, original: Dataset, recipe: Recipe
) -> np.ndarray:
    """bool, places x labels: what the labels of a column cover, as :class:`LabelledRecords` has it."""
    name, code = domain.attribute, {label: i for i, label in enumerate(labels)}
    between = {value for values in domain.between for value in values}
    values, ways = list[str](), list[ReachableLevel]()
    # A hierarchy may not know values that only the population has: then they are in no label.
    for asked in ({*domain.values, *between}, {*domain.values}, {*of_records}):
        values = [value for value in (*domain.values, *sorted(between)) if value is not None and value in asked]
        with suppress(InputError):
            ways = _ways(name, values, original, recipe)
            break
    place = {value: i for i, value in enumerate(values)}
    of_value = np.zeros((len(values) + 1, len(labels)), dtype=bool)
    for way in ways:
        for i, label in enumerate(way.labels.tolist()):
            if label in code:
                of_value[i, code[label]] = True
    if None in code and any(step.labels_by == "cell" and name in step.recodes for step in recipe.enabled):
        of_value[:, code[None]] = True
    covers = np.zeros((2 * len(domain) - 1, len(labels)), dtype=bool)
    for i, value in enumerate(domain.values):
        if value is None or value in place:
            covers[2 * i] = of_value[-1 if value is None else place[value]]
    for i, within in enumerate(domain.between):
        covers[2 * i + 1] = covers[2 * i] & covers[2 * i + 2]
        for value in within:
            covers[2 * i + 1] &= of_value[place[value]] if value in place else False
    return covers


def _ways(name: str, values: Sequence[str], original: Dataset, recipe: Recipe) -> list[ReachableLevel]:
    """The labels that each of some values can have, a missing one last. Raises InputError where steps do not know."""
    ways = [ReachableLevel("as it was", np.array([*values, None], dtype=object))]
    steps = recipe.enabled
    for position, step in enumerate(steps):
        if name in step.recodes and step not in recipe.ahead.enabled:
            ways = _after(step, name, ways, partial(Recipe.of(steps[:position]).leaves, original))
    return ways


def _after(step: Step, name: str, ways: list[ReachableLevel], before: Callable[[], Dataset]) -> list[ReachableLevel]:
    """As :meth:`Step.levels`, also of a step whose labels follow from the data that it is applied to."""
    if step.labels_by not in ("rule", "value") or step.labels_of(name, ways[0].labels[:0]) is not None:
        return step.levels(name, ways)
    data = before()

    def relabel(labels: np.ndarray) -> np.ndarray:
        of_data = step.labels_of(name, labels, data)
        return labels if of_data is None else of_data

    return [after(way, step.label_name, relabel) for way in ways]
