"""The codebook of a release: what its columns are, and what the labels in them mean. It has no small count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonlib.analyses.utility.levels import ColumnLevels
from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.coarsening.recoding import Intervals, Mask, Recoding, Redaction, Rounding, ValueMap
from anonlib.coarsening.recoding.redaction import CANNOT_PROMISE
from anonlib.dataset import Dataset
from anonlib.reading.records.layout import Layout
from anonlib.reading.sources import Described, known_labels
from anonlib.release.analysing import EMPTY_MAY_BE_BLANK, advice, side_by_side
from anonlib.release.applied import Applied
from anonlib.release.files.names import spss_names, stata_names
from anonlib.release.files.rows import as_numbers, with_unit
from anonlib.release.files.workbook import write_tables
from anonlib.release.levels import levels_of, steps_on
from anonlib.release.meanings import AS_IT_WAS, GROUP, WITHHELD, meaning
from anonlib.release.pseudonyms import Pseudonyms
from anonlib.release.recipe import Recipe
from anonlib.release.steps import AtMostRows, GeneralizeLocally, MergeRare, Recode, ShiftDates, Stage, Step
from anonlib.values.currency import currency_of
from anonlib.values.dates import to_dates

MOST_LEVELS = 1_000
"""Most different values of a column that are listed."""

_MOST_ROWS = 1_000_000  # of levels in all, so that they fit in a sheet
_PERSON = "numbers drawn at random, one a person"
_FEWEST = 10  # persons who are counted in a note: fewer might be recognised
_COLUMNS = [
    "column", "title", "unit", "what it is", "type", "how it was recoded", "different values", "empty cells",
    "labels side by side", "how to analyse it", "levels", "name in SPSS", "name in Stata",
]  # fmt: skip
OWN_WORDS = ("what it is", "type", "empty cells", "levels")
"""The headings of columns under which nothing stands that a file or an officer called so."""
WITH_NAMES = ("how it was recoded", "labels side by side", "how to analyse it")
"""Those under which sentences name columns, labels and values."""
THEN = "; then "
"""Between what one step and the next did to a column."""


@dataclass(frozen=True, eq=False)
class Codebook:
    """What the recipient of a release needs to read it.

    Attributes
    ----------
    columns : pd.DataFrame
        One row a column of the release: ``column``, ``title`` and ``unit`` (what a file or a dictionary says of it, or
        ""), ``what it is`` (its role), ``type`` ("number", "date", "text"), ``how it was recoded``, ``different
        values`` (how many), ``empty cells`` (what they mean, "none"), ``labels side by side`` (the levels that its
        labels are of, where these are several), ``how to analyse it`` (what is to be minded, or ""), ``levels``
        ("listed", or why not), ``name in SPSS`` and ``name in Stata``. Of several tables also ``table`` and ``name in
        its table``, "" of the ids of persons, which are in several.
    levels : pd.DataFrame
        One row a column and different value: ``column``, ``level`` as it stands in the file (None for an empty cell),
        ``meaning``, of a code what it stands for.
    names : frozenset[str], default frozenset()
        What a file, a dictionary or an officer calls something in it, which no language translates.
    notes : tuple[str, ...], default ()
        What is to be known of the whole file, in sentences; how many rows of persons were left out as too many.
    sheets : tuple[str, str, str], default ("Columns", "Levels", "Notes")
        What its sheets are called; that of notes is there where there are any.
    """

    columns: pd.DataFrame
    levels: pd.DataFrame
    names: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    sheets: tuple[str, str, str] = ("Columns", "Levels", "Notes")

    def to_excel(self) -> bytes:
        """A workbook with a sheet of columns, one of levels, and one of notes where there are any."""
        tables = (self.columns, self.levels, pd.DataFrame({self.sheets[2]: self.notes}, dtype=object))
        return write_tables(dict(list(zip(self.sheets, tables, strict=True))[: 3 if self.notes else 2]))


def codebook(applied: Applied, recipe: Recipe, pseudonyms: Pseudonyms | None = None) -> Codebook:
    """The codebook of what a recipe made.

    Parameters
    ----------
    applied : Applied
        The recipe's outcome.
    recipe : Recipe
        The recipe.
    pseudonyms : Pseudonyms, optional
        The label under which persons have pseudonyms by a key; numbers are drawn when left out.

    Returns
    -------
    Codebook
        It holds no value that does not leave, and no number of records: small counts tell of persons. Of how many
        persons rows were left out as too many, a note says where they are 10 or more. Columns with
        more than :data:`MOST_LEVELS` different values, and person ids, have no levels listed. What it says of empty
        cells where a step may have blanked some is the same whether all, some or none were missing in the original:
        a number of blanks, or that there are none, would tell of single cells whether they have a value.
    """
    released = applied.released
    mixed = _levels_by_column(applied, recipe)
    codes = released.in_codes().codes
    rows, levels, listed = [], [], 0
    for name in released.columns:
        steps = steps_on(name, applied, recipe)
        found = _found(released, name)
        why_not = _why_not(released, name, found.n_labels, listed) or _why_not_of(steps)
        if not why_not:
            described, of = released.described.get(name), codes.get(name, {})
            levels += [
                (name, of.get(label, label), _meaning(label, steps, name, of, described)) for label in found.labels
            ]
            if found.has_missing:
                levels.append((name, None, _of_empty(name, steps)))
            listed += found.n_labels
        currency = _currency(applied.original, name, steps)
        rows.append(_row(released, name, found, steps, why_not, currency, mixed.get(name), codes.get(name, {})))
    columns = pd.DataFrame(rows, columns=_COLUMNS[:-2])
    columns["name in SPSS"] = spss_names(released.columns)
    columns["name in Stata"] = stata_names(released.columns)
    if released.tables is not None:
        columns = _in_files(columns, released.tables)
    names = frozenset(name for name in _names(released, recipe, levels) if name)
    if pseudonyms is not None:
        is_person = columns["column"] == released.person_id
        columns.loc[is_person, "how it was recoded"] = (
            f"pseudonyms by a key, one a person: the same in each release for recipient “{pseudonyms.recipient}”, "
            f"project “{pseudonyms.project}”, version {pseudonyms.version}"
        )
        columns.loc[is_person, ["type", "levels"]] = "text", "not listed: pseudonyms by a key, one a person"
        names |= {pseudonyms.recipient, pseudonyms.project}
    listed_levels = pd.DataFrame(levels, columns=["column", "level", "meaning"], dtype=object)
    return Codebook(columns, listed_levels, names, tuple(_notes(applied, recipe)))


def _in_files(columns: pd.DataFrame, layout: Layout) -> pd.DataFrame:
    """The columns as they stand in the files of several tables, or in that of lists: which file, and its name there.

    Person ids are in several files. The number of a row, where rows are persons, is in none.
    """
    place_of = {name: layout.table_of(name) for name in columns["column"]}
    file_of = {n: "" if p is None else p.parent if p.mark else p.name for n, p in place_of.items()}
    own = {column: name for place in layout.tables for name, column in place.columns}
    for file in layout.files:
        is_here = columns["column"].map(file_of) == file.name
        here = [own[name] for name in columns.loc[is_here, "column"]]
        columns.loc[is_here, "name in SPSS"], columns.loc[is_here, "name in Stata"] = (
            spss_names(here),
            stata_names(here),
        )
    if layout.rows_are_persons:
        columns = columns[columns["column"] != layout.person].reset_index(drop=True)
    if len(layout.files) > 1:
        columns.insert(0, "table", columns["column"].map(file_of))
        columns.insert(2, "name in its table", columns["column"].map(lambda name: own.get(name, "")))
    return columns


def _notes(applied: Applied, recipe: Recipe) -> Iterator[str]:
    """Which columns hold lists; how many persons had more rows than so many, by step, few of whom are not counted."""
    layout, leaving = applied.released.tables, applied.released.columns
    for place in () if layout is None else layout.tables:
        for name, column in place.columns if place.mark else ():
            if column in leaving:
                yield f"“{name}” holds lists: a cell has its items in the order of their labels, with a mark between."
    for entry, effect in zip(recipe.entries, applied.effects, strict=True):
        if isinstance(entry.step, AtMostRows) and effect is not None and not effect.problem:
            rows = words.count(effect.records_removed, "rows")
            yield f"{entry.step.describe()}. " + (
                f"Fewer than {_FEWEST} persons had more rows, and those beyond are not in this file."
                if effect.persons_cut < _FEWEST
                else f"{effect.persons_cut:,} persons had more, and {rows} of theirs are not in this file."
            )


def _names(released: Dataset, recipe: Recipe, levels: list[tuple[str, str | None, str]]) -> Iterator[str | None]:
    """Names, titles and units of columns, what stands in the file, and labels of codes and of steps."""
    yield from released.columns
    yield from (level for _, level, _ in levels)
    for described in released.described.values():
        yield from (described.title, described.unit, *(label for _, label in described.labels))
    for codes in released.codes.values():
        yield from codes
    for step in recipe.enabled:
        match step:
            case Recode(recoding=ValueMap(otherwise=otherwise, missing=missing)):
                yield from (otherwise, missing)
            case MergeRare():
                yield step.other
            case AtMostRows():
                yield step.by
            case ShiftDates():
                yield from step.dates


def _texts(labels: np.ndarray, codes: Mapping[str, str]) -> np.ndarray:
    """The labels as they stand in the file."""
    return np.array([*(codes.get(label, label) for label in labels), None], dtype=object)[:-1]


def _meaning(label: str, steps: list[Step], column: str, codes: Mapping[str, str], described: Described | None) -> str:
    """What a label means: of a code what it stands for, of an interval the numbers with their unit."""
    if label in codes:
        return label
    if not steps and described is not None and (known := known_labels(described, [label])):
        return known[label]
    found = meaning(label, steps, column)
    is_range = steps and found not in (AS_IT_WAS, WITHHELD, GROUP) and with_unit(label, described) != label
    return f"{found} {described.unit}" if is_range and described is not None else found


def meanings_of(applied: Applied, recipe: Recipe) -> dict[str, dict[str, str]]:
    """By column that a step recoded or that has codes, what the levels listed in the codebook mean; an empty cell's
    under ""."""
    found: dict[str, dict[str, str]] = {}
    for column, level, means in codebook(applied, recipe).levels.itertuples(index=False):
        if column in applied.released.codes or steps_on(column, applied, recipe):
            found.setdefault(column, {})["" if level is None else level] = means
    return found


def _levels_by_column(applied: Applied, recipe: Recipe) -> dict[str, ColumnLevels]:
    """At which levels the cells of each column leave; of none where that cannot be counted."""
    try:
        return {found.column: found for found in levels_of(applied, recipe)}
    except InputError:  # nothing leaves, or an engine has a column of too many values
        return {}


def _currency(original: Dataset, name: str, steps: list[Step]) -> str:
    """What labels of amounts leave out: the currency that the original writes beside its numbers."""
    if not any(isinstance(step, Recode) and isinstance(step.recoding, Intervals | Rounding) for step in steps):
        return ""
    mark = currency_of([str(value).strip() for value in original.held.values(name)])
    return "" if mark is None else f"; amounts in {mark}"


def _row(
    released: Dataset,
    name: str,
    found: _Found,
    steps: list[Step],
    why_not: str,
    currency: str,
    levels: ColumnLevels | None,
    codes: Mapping[str, str],
) -> tuple[object, ...]:
    role = released.roles.get(name)
    is_person = name == released.person_id
    recoded = THEN.join(step.describe() for step in steps) or (_PERSON if is_person else AS_IT_WAS)
    recoded += currency
    if _is_redacted(steps):
        recoded += f". {CANNOT_PROMISE}"
    for step in steps:
        if isinstance(step, ShiftDates):
            recoded += f". {' '.join(step.for_recipient)}"
    described = released.described.get(name, Described(name))
    return (
        name,
        described.title,
        described.unit,
        "Nobody has decided what it is" if role is None else role.answer,
        "number" if is_person else _type(_texts(found.labels, codes), recoded=bool(steps) and not _is_moved(steps)),
        recoded,
        found.n_labels,
        _of_empty(name, steps) if found.has_missing else "none",
        "" if levels is None else side_by_side(levels),
        "" if levels is None else advice(levels, may_be_blank(name, steps)),
        why_not or "listed",
    )


def _of_empty(name: str, steps: list[Step]) -> str:
    return EMPTY_MAY_BE_BLANK if may_be_blank(name, steps) else "missing"


def may_be_blank(column: str, steps: list[Step]) -> bool:
    """Whether steps on a column can leave a cell empty that had a value, whatever they did to these data.

    By what the steps are and not by what they found: else it would say of empty cells that none had a value.
    """
    return any(_can_blank(step, column) for step in steps)


def _can_blank(step: Step, column: str) -> bool:
    match step:
        case Recode():
            return _has_blank_label(step.recoding)
        case MergeRare():
            levels = () if step.hierarchy is None else step.hierarchy.recodings
            return any(_has_blank_label(level) for level in (*levels, step.level) if level is not None)
        case GeneralizeLocally() if column in dict(step.hierarchies):
            return any(_has_blank_label(level) for level in dict(step.hierarchies)[column].recodings)
    return step.stage > Stage.PLACES


def _has_blank_label(recoding: Recoding) -> bool:
    match recoding:
        case ValueMap():
            labels = [*(label for _, label in recoding.labels_of), recoding.otherwise]
            return any(label is not None and not label.strip() for label in labels)
        case Mask():
            return not recoding.fill
    return False


def _is_redacted(steps: list[Step]) -> bool:
    return any(isinstance(step, Recode) and isinstance(step.recoding, Redaction) for step in steps)


def _why_not_of(steps: list[Step]) -> str:
    if _is_redacted(steps):
        return "not listed: texts"
    return "not listed: dates that were moved" if _is_moved(steps) else ""


def _is_moved(steps: list[Step]) -> bool:
    """Whether a column's dates were moved, or became days, and nothing else was done to them."""
    return bool(steps) and all(isinstance(step, ShiftDates) for step in steps)


def _why_not(released: Dataset, name: str, n_labels: int, listed: int) -> str:
    if name == released.person_id:
        return f"not listed: {_PERSON}"
    if n_labels > MOST_LEVELS:
        return f"not listed: more than {MOST_LEVELS:,} different values"
    return "not listed: the list of levels is full" if listed + n_labels + 1 > _MOST_ROWS else ""


@dataclass(frozen=True, eq=False)
class _Found:
    """The different texts that occur in a column, in its order, how many they are, and whether cells are missing."""

    labels: np.ndarray
    n_labels: int
    has_missing: bool


def _found(released: Dataset, name: str) -> _Found:
    """What a column holds; of a database's that has too many values to be fetched no texts, and about how many."""
    try:
        counts = released.held.counts_of(name)
    except InputError:
        profile = released.held.profile(name)
        return _Found(np.array([], dtype=object), profile.distinct, profile.missing > 0)
    labels = counts.values[counts.records > 0]
    return _Found(labels, len(labels), counts.missing > 0)


def _type(labels: np.ndarray, *, recoded: bool) -> str:
    if recoded or not len(labels):
        return "text"
    if not np.isnat(to_dates(labels)).any():
        return "date"
    return "text" if as_numbers(labels) is None else "number"
