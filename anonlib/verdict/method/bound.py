"""The greatest probability that a value can reach, of the file that leaves, where every refusal can be a coin's."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

import numpy as np

from anonlib.analyses.generalization.search.coins import greatest_probability
from anonlib.counting.classes import ClassTable, PersonTable
from anonlib.counting.classes.coding import group, sum_by
from anonlib.dataset import Dataset
from anonlib.release.applied import Applied
from anonlib.release.recipe import Recipe
from anonlib.verdict.method.question import Method
from anonlib.verdict.together import Release

TwoGroups = Mapping[str, Collection[str | None]]
"""By column, labels that stand for one group of values in some records and for another one in others."""


def greatest_of(applied: Applied, recipe: Recipe, method: Method, odds: float) -> float:
    """The greatest probability that a value which does harm can reach for somebody who knows the method.

    Parameters
    ----------
    applied : Applied
        What the recipe made of the data; the released records are counted.
    recipe : Recipe
        The steps.
    method : Method
        What the search was asked.
    odds : float
        How many times the odds of a value can become at most, 1 or more.

    Returns
    -------
    float
        In [0, 1]; 0 where no value does harm.
    """
    return greatest_probability(greatest_share(applied, recipe, method), odds)


def greatest_share(applied: Applied, recipe: Recipe, method: Method) -> float:
    """The greatest share of a value that does harm, of those whose known columns have the same labels, in [0, 1].

    People of one class were one part of the search, but where a label stands for two groups of values, or where a later
    step joined parts: of such a class all but one are taken to have one value. Of persons with several rows a class is
    of those whose rows are alike, and a value that somebody has in any row counts.

    Parameters
    ----------
    applied : Applied
        What the recipe made of the data; the released records are counted.
    recipe : Recipe
        The steps.
    method : Method
        What the search was asked.

    Returns
    -------
    float
    """
    released = applied.released.with_missing("category")
    known = [name for name in applied.original.quasi_identifiers if name in released.columns]
    asked = {getattr(guarantee, "sensitive", None) for guarantee in method.guarantees}
    sensitive = [name for name in applied.original.sensitive if name in asked and name in released.columns]
    if not sensitive or not released.n_records:
        return 0.0
    spared = Release(applied, recipe, method.harmless)
    harmless = {name: set(spared.harmless(name)) for name in sensitive}
    two_groups = labels_of_two_groups(applied.original, recipe)
    joined = _are_joined(recipe, applied.original.quasi_identifiers)
    names = [name for name in released.columns if name in {*known, *sensitive}]
    if not released.has_several_rows:
        table = released.classes(names)
        return _share_of_records(table, known, harmless, two_groups, joined)
    return _share_of_persons(released.persons(names), known, harmless, two_groups, joined, released.is_linked)


def _are_joined(recipe: Recipe, known: Collection[str]) -> bool:
    """Whether a step behind one with a coin recodes or drops known columns, so that a class may be several parts."""
    steps = recipe.enabled
    first = next((i for i, step in enumerate(steps) if step.coin is not None), len(steps))
    return any(not {*step.recodes, *step.drops}.isdisjoint(known) for step in steps[first + 1 :])


def labels_of_two_groups(original: Dataset, recipe: Recipe) -> TwoGroups:
    """The labels of steps with coins that are those of one group on one level and of another on another level.

    Parameters
    ----------
    original : Dataset
        What the recipe is applied to.
    recipe : Recipe
        The steps.
    """
    labels: dict[str, set[str | None]] = defaultdict(set)
    for position, entry in enumerate(recipe.entries):
        if not entry.enabled or entry.step.coin is None:
            continue
        before = recipe.before(position).leaves(original)
        for name in entry.step.recodes:
            counts = before.held.counts_of(name)
            of_levels = entry.step.labels_at(name, counts.values)
            labels[name] |= _of_two_groups(of_levels if counts.missing else of_levels[:, :-1])
    return labels


def _of_two_groups(levels: np.ndarray) -> set[str | None]:
    """Of labels, levels x values, those whose values are not the same on all levels that have them."""
    values_of: dict[str | None, list[int]] = {}
    doubtful = set[str | None]()
    for labels in levels:
        here: dict[str | None, list[int]] = defaultdict(list)
        for value, label in enumerate(labels.tolist()):
            here[label].append(value)
        for label, values in here.items():
            if values_of.setdefault(label, values) != values:
                doubtful.add(label)
    return doubtful


def _is_of_two_groups(labels: Iterable[str | None], doubtful: Collection[str | None]) -> np.ndarray:
    return np.array([label in doubtful for label in labels], dtype=bool)


def _share_of_records(
    table: ClassTable,
    known: Collection[str],
    harmless: Mapping[str, Collection[str]],
    two_groups: TwoGroups,
    joined: bool,
) -> float:
    place = [table.attributes.index(name) for name in known]
    codes = np.column_stack([np.zeros(len(table.counts), dtype=np.intp), *(table.codes[:, j] for j in place)])
    class_of, first = group(codes, [1, *(len(table.categories[j]) for j in place)])
    sizes, doubtful = sum_by(class_of, len(first), table.counts), np.full(len(first), joined)
    for j in place:
        doubtful |= _is_of_two_groups(table.categories[j], two_groups.get(table.attributes[j], ()))[
            table.codes[first, j]
        ]  # fmt: skip
    greatest = 0.0
    for name, spared in harmless.items():
        values = table.categories[table.attributes.index(name)]
        of_row = table.codes[:, table.attributes.index(name)]
        harms = np.array([value is not None and value not in spared for value in values], dtype=bool)[of_row]
        if not harms.any():
            continue
        pair, pair_first = group(np.column_stack([class_of, of_row]), [len(first), len(values)])
        having = sum_by(pair, len(pair_first), table.counts)
        of_class = class_of[pair_first]
        shares = np.where(doubtful[of_class], sizes[of_class] - 1, having) / sizes[of_class]
        greatest = max(greatest, float(shares[harms[pair_first]].max()))
    return greatest


def _share_of_persons(
    table: PersonTable,
    known: Collection[str],
    harmless: Mapping[str, Collection[str]],
    two_groups: TwoGroups,
    joined: bool,
    linked: bool,
) -> float:
    """The same of persons, by all rows of each; where rows cannot be linked, of rows."""
    rows = table.rows
    if not linked:
        return _share_of_records(rows, known, harmless, two_groups, joined)
    place = [rows.attributes.index(name) for name in known]
    doubtful_row = np.full(len(rows.counts), joined)
    for j in place:
        doubtful_row |= _is_of_two_groups(rows.categories[j], two_groups.get(rows.attributes[j], ()))[rows.codes[:, j]]
    label_of_row, _ = group(
        np.column_stack([np.zeros(len(rows.counts), dtype=np.intp), *(rows.codes[:, j] for j in place)]),
        [1, *(len(rows.categories[j]) for j in place)],
    )
    size, having = defaultdict[object, int](int), defaultdict[tuple[object, str, str], int](int)
    doubtful_class = dict[object, bool]()
    columns = {name: (rows.attributes.index(name), rows.categories[rows.attributes.index(name)]) for name in harmless}
    for profile in range(table.n_profiles):
        items = slice(int(table.start[profile]), int(table.start[profile + 1]))
        of_person, persons = table.row[items], int(table.persons[profile])
        alike = tuple(sorted(np.repeat(label_of_row[of_person], table.times[items]).tolist()))
        size[alike] += persons
        doubtful_class[alike] = doubtful_class.get(alike, False) or bool(doubtful_row[of_person].any())
        for name, (j, values) in columns.items():
            for value in {values[code] for code in rows.codes[of_person, j].tolist()} - {None, *harmless[name]}:
                having[alike, name, value] += persons
    return max(
        ((size[alike] - 1 if doubtful_class[alike] else n) / size[alike] for (alike, _, _), n in having.items()),
        default=0.0,
    )
