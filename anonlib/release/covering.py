"""Which true values the labels of a release cover, where a column was recoded cell by cell.

A step that recodes single cells (part by part, or by leaving them blank) puts labels of several levels side by side.
What somebody finds out who knows true values and has the released file is then counted by what labels cover:
:mod:`anonlib.counting.classes.covering`. The regions of the parts, which tell more to somebody who reads off how others
were parted, are counted for the criteria and for attacks (:mod:`anonlib.release.uniqueness_of_release`); here a region
would make the count of one part depend on how fine another is, so that coarsening that one takes candidates away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.analyses.leakage import information_loss
from anonlib.basics.errors import InputError
from anonlib.coarsening.covers import covers_as_written
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.beside import more_are_empty
from anonlib.counting.classes.covering import CoveredTable, Covering, UnlinkedTable
from anonlib.dataset import Dataset
from anonlib.reading.records.names import unused_name
from anonlib.release.applied import Applied
from anonlib.release.levels import ways_of
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Step
from anonlib.values.spellings import read_as_one

_MOST_CELLS = 50_000_000  # values x labels of a column


@dataclass(frozen=True, eq=False)
class CoveredClasses:
    """The classes of a release.

    Attributes
    ----------
    classes : ClassTable
        A :class:`anonlib.counting.classes.covering.CoveredTable` where some column has labels of several levels.
    by_covering : tuple[str, ...]
        The columns with labels of several levels that are counted by what these cover.
    by_labels : tuple[str, ...]
        Those that are counted by equal labels all the same, since it is not known what each label covers: as of persons
        whose rows have labels of several levels, and in a database where other steps stand before.
    """

    classes: ClassTable
    by_covering: tuple[str, ...] = ()
    by_labels: tuple[str, ...] = ()


def recoded_by_cell(recipe: Recipe) -> dict[str, int]:
    """By column of which single cells are recoded, the place of the first step among those that are on that does so."""
    places = dict[str, int]()
    for place, step in enumerate(recipe.enabled):
        for name in step.recodes if step.labels_by in ("part", "cell") else ():
            places.setdefault(name, place)
    return places


def covered_classes(applied: Applied, recipe: Recipe, columns: Sequence[str]) -> CoveredClasses:
    """The classes of a release by some columns, with what their labels cover.

    Parameters
    ----------
    applied : Applied
        The recipe's outcome.
    recipe : Recipe
        The steps that made it.
    columns : Sequence[str]
        Columns that leave.

    Returns
    -------
    CoveredClasses
        Of a release in which no column has labels of several levels, its class table.
    """
    released, names = applied.released, list(columns)
    mixed = {name: place for name, place in recoded_by_cell(recipe).items() if name in names}
    if not mixed or applied.problems or not released.n_records or released.has_several_rows:
        return CoveredClasses(released.classes(names), (), tuple(name for name in names if name in mixed))
    try:
        wide, before = _with_values_before(applied, recipe, mixed)
    except InputError:  # a database does not know the rows again after steps before
        return CoveredClasses(released.classes(names), (), tuple(name for name in names if name in mixed))
    classes = wide.with_missing("category").classes([*names, *before.values()])
    if released.missing == "drop":  # of which the released cells decide, as in every other count
        classes = classes.keep(classes.has_values(names))
    return _covered(classes, names, before, recipe, mixed)


def bits_of_columns(applied: Applied, recipe: Recipe) -> dict[str, float]:
    """What labels tell of which row is whose, by column of which single cells are recoded.

    Parameters
    ----------
    applied : Applied
        The recipe's outcome.
    recipe : Recipe
        The steps that made it.

    Returns
    -------
    dict[str, float]
        Bits: log2 of the rows less the mean of log2 of the rows whose label covers the true value, over all rows. The
        entropy of the labels where they are of one level. Columns of which it is not known what labels cover are left
        out.
    """
    released = applied.released
    mixed = {name: place for name, place in recoded_by_cell(recipe).items() if name in released.columns}
    if not mixed or applied.problems or not released.n_records:
        return {}
    try:
        wide, before = _with_values_before(applied, recipe, mixed)
    except InputError:
        return {}
    bits = dict[str, float]()
    for name, its_values in before.items():
        rows = ClassTable.from_records(wide.held, [name, its_values])
        covered = _covered(rows, [name], {name: its_values}, recipe, mixed)
        if covered.by_covering:
            bits[name] = float(information_loss(covered.classes).loss[0])
    return bits


def _with_values_before(applied: Applied, recipe: Recipe, mixed: Mapping[str, int]) -> tuple[Dataset, dict[str, str]]:
    """The release with what each cell of some columns was before the steps from a place on, and how it is called."""
    wide, beside = applied.released, dict[str, str]()
    for place in sorted(set(mixed.values())):
        before = Recipe.of(recipe.enabled[:place]).leaves(applied.original)
        here = {
            name: unused_name(f"{name} before", [*wide.held.columns, *beside.values()])
            for name, first in mixed.items()
            if first == place
        }
        wide = wide.with_columns_of(before, here)
        beside |= here
    return wide, beside


def _covered(
    wide: ClassTable, names: list[str], before: Mapping[str, str], recipe: Recipe, mixed: Mapping[str, int]
) -> CoveredClasses:
    """Of the classes by labels and by what these were before."""
    of_labels = [wide.attributes.index(name) for name in names]
    coverings, unknown = dict[str, Covering](), list[str]()
    for name, place in mixed.items():
        if name not in names:
            continue
        steps = [step for step in recipe.enabled[place:] if name in step.recodes]
        covering = _covering(wide, wide.attributes.index(name), wide.attributes.index(before[name]), name, steps)
        if covering is None:
            unknown.append(name)
        else:
            coverings[name] = covering
    if not coverings:
        return CoveredClasses(wide.project(names), (), tuple(unknown))
    table = CoveredTable(
        tuple(names),
        tuple(wide.categories[j] for j in of_labels),
        wide.codes[:, of_labels],
        wide.counts,
        wide.class_of_record,
        tuple(coverings.get(name) for name in names),
    )
    return CoveredClasses(table.project(names), tuple(name for name in names if name in coverings), tuple(unknown))


def _covering(wide: ClassTable, j: int, true: int, name: str, steps: Sequence[Step]) -> Covering | None:
    """What the labels of a column cover; None where some label is not one that the steps make of its own value."""
    values, labels = wide.categories[true], wide.categories[j]
    value, label = wide.codes[:, true].astype(np.intp), wide.codes[:, j].astype(np.intp)
    if len(values) * len(labels) > _MOST_CELLS:
        return None
    covers = np.zeros((len(values), len(labels)), dtype=bool)
    code = {text: i for i, text in enumerate(labels)}
    lacks_last = len(values) > 0 and values[-1] is None
    texts = values[:-1] if lacks_last else values
    try:
        ways = ways_of(name, texts, steps)
    except InputError:  # such as values that are not nested with others that were left out
        return None
    for way in ways:
        for i, text in enumerate(way.labels if lacks_last else way.labels[:-1]):
            if text in code:
                covers[i, code[text]] = True
    if labels[len(labels) - 1] is None and _blanks(values, value, label, len(labels) - 1, steps):
        covers[:, len(labels) - 1] = True
    return Covering.of(value, covers, read_as_one(values)) if covers[value, label].all() else None


def _blanks(values: np.ndarray, value: np.ndarray, label: np.ndarray, blank: int, steps: Sequence[Step]) -> bool:
    """Whether some cell of a column was left blank that was not missing before."""
    is_missing = np.array([text is None for text in values], dtype=bool)[value]
    return any(step.labels_by == "cell" for step in steps) and bool(((label == blank) & ~is_missing).any())


# ---- a file that was made elsewhere ----


@dataclass(frozen=True, eq=False)
class AnotherRelease:
    """A file of which nobody knows whose its records are, beside the original.

    Attributes
    ----------
    table : UnlinkedTable
        The persons' true values, and the labels of the other file with what they cover.
    not_read : tuple[tuple[str, int], ...]
        By column with labels of which it is not known what they cover, how many records have one. Such a label covers
        nobody, so that losses are rather too high.
    hidden : tuple[str, ...]
        Columns with empty cells of which the original has none: these were hidden, and cover every value.
    blank : tuple[str, ...]
        Columns that lack values in the original already and of which a larger share is empty here. Some of these cells
        were hidden; an empty cell covers missing values alone there, so that losses are rather too high.
    """

    table: UnlinkedTable
    not_read: tuple[tuple[str, int], ...] = ()
    hidden: tuple[str, ...] = ()
    blank: tuple[str, ...] = ()


def classes_of_another(
    original: Dataset, other: Dataset, columns: Sequence[str], ways: Mapping[str, Sequence[Hierarchy]]
) -> AnotherRelease | None:
    """The labels of a file that was made elsewhere, with what they cover of the original's values.

    Parameters
    ----------
    original, other : Dataset
        Columns of one name are the same.
    columns : Sequence[str]
        Those that are looked at; one that the other file lacks is passed over.
    ways : Mapping[str, Sequence[Hierarchy]]
        By column, how it may have been recoded.

    Returns
    -------
    AnotherRelease or None
        None where no column is left, where either file has no record, and of persons with several rows.
    """
    if original.has_several_rows:
        return None
    shared = [name for name in columns if name in other.columns]
    if not shared:
        return None
    values = original.with_missing("category").classes(shared)
    labels = other.with_missing("category").classes(shared)
    if not values.n_records or not labels.n_records:
        return None
    coverings, not_read, hidden, blank = list[Covering](), list[tuple[str, int]](), list[str](), list[str]()
    for j, name in enumerate(shared):
        covers = covers_as_written(values.categories[j], labels.categories[j], ways.get(name, ()))
        coverings.append(Covering(values.codes[:, j].astype(np.intp), *covers.with_all))
        n_not_read = int(labels.counts[~covers.is_read[labels.codes[:, j]]].sum())
        not_read += [(name, n_not_read)] if n_not_read else []
        shown = labels.categories[j]
        hidden += [name] if len(shown) and shown[-1] is None and covers.of_all[-1] else []
        blank += [name] if more_are_empty(values, labels, j) else []
    return AnotherRelease(UnlinkedTable(values, labels, tuple(coverings)), tuple(not_read), tuple(hidden), tuple(blank))


def another_in_words(another: AnotherRelease, n_persons: int) -> str:
    """How a file that was made elsewhere is counted, in sentences.

    Parameters
    ----------
    another : AnotherRelease
        The file beside the original.
    n_persons : int
        Persons of the original whose values some record fits, in the combination of columns of fewest such.
    """
    n = another.table.values.n_records
    sentences = [
        "Nobody knows whose its records are: of each person of the original all records count whose labels cover the "
        "person’s values.",
        f"All {n:,} have such a record, by every combination."
        if n_persons == n
        else f"By the combination that fits fewest, {n_persons:,} of {n:,} have one; the others are left aside.",
    ]
    if another.not_read:
        columns = ", ".join(f"{name}: {records:,}" for name, records in another.not_read)
        sentences.append(
            f"Of some labels it is not known what they cover (records by column: {columns}). They cover nobody here: "
            "losses are rather too high, and more persons fit no record."
        )
    if another.hidden:
        sentences.append(
            f"Cells are empty where the original has none ({', '.join(another.hidden)}): they were hidden, and cover "
            "every value."
        )
    if another.blank:
        sentences.append(
            f"More cells are empty than in the original ({', '.join(another.blank)}), and nobody knows which of them "
            "were hidden. An empty cell covers a missing value alone there: losses are rather too high, and more "
            "persons fit no record."
        )
    return " ".join(sentences)


# ---- in words ----


def in_words(classes: CoveredClasses) -> str:
    """What is counted of a release with labels of several levels, in sentences; "" of any other."""
    parts = []
    if classes.by_covering:
        parts.append(
            f"In the release labels of several levels stand side by side ({', '.join(classes.by_covering)}). Who knows "
            "a value is left with all records whose labels cover it, and these are counted here; the criteria of the "
            "verdict count equal labels, which are never more."
        )
    if classes.by_labels:
        parts.append(by_labels_in_words(classes.by_labels))
    return " ".join(parts)


def by_labels_in_words(columns: Sequence[str]) -> str:
    """That equal labels of such columns are counted, in a sentence; "" without columns."""
    if not columns:
        return ""
    return (
        f"In the release labels of several levels stand side by side ({', '.join(columns)}). Equal labels are counted "
        "here, as by the criteria of the verdict, as if each label were a value: classes are never larger than those "
        "of all records whose labels cover a value."
    )
