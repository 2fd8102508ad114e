"""The codebook of a release: what its columns are, and what their labels mean, by what leaves and what was decided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from anonlib.analyses.generalization.search.coins import Coin
from anonlib.basics.errors import InputError
from anonlib.coarsening.recoding.redaction import CANNOT_PROMISE
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.reading.records import ValueCounts
from anonlib.reading.records.layout import TablesLayout
from anonlib.reading.sources import Described
from anonlib.release.analysing import EMPTY_MAY_BE_BLANK, advice, side_by_side
from anonlib.release.applied import Applied
from anonlib.release.files.rows import as_numbers, with_unit
from anonlib.release.files.statistical import spss_names, stata_names
from anonlib.release.files.workbook import write_tables
from anonlib.release.meanings import ANY_VALUE, AS_IT_STANDS, ReadLabels, stand_for
from anonlib.release.pseudonyms import Pseudonyms
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Step
from anonlib.values.cells import natural_order
from anonlib.values.dates import to_dates

MOST_LEVELS = 1_000
"""Most different values of a column that are listed."""

_MOST_ROWS = 1_000_000  # of levels in all, so that they fit in a sheet
_PERSON = "numbers drawn at random, one a person"
DONE = "done to every cell"
"""The heading under which stands what an officer decided for all cells of a column alike."""
NOT_HERE = (
    "Which columns were recoded, which empty cells were blanked and how many rows were left out is not here: it would "
    "say something of the original that the release does not."
)
"""What a codebook does not say, and why, in the first of its notes."""
_COLUMNS = [
    "column", "title", "unit", "what it is", "type", DONE, "different values", "empty cells",
    "labels side by side", "how to analyse it", "levels", "name in SPSS", "name in Stata",
]  # fmt: skip
OWN_WORDS = ("what it is", "type", "empty cells", "levels")
"""The headings of columns under which nothing stands that a file or an officer called so."""
WITH_NAMES = (DONE, "labels side by side", "how to analyse it")
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
        ""), ``what it is`` (its role), ``type`` ("number", "date", "text": what its labels are), ``done to every
        cell`` (dates moved, texts redacted, persons numbered, or ""), ``different values`` (how many), ``empty cells``
        (what they mean, "none"), ``labels side by side`` (where its labels show that they are of several widths),
        ``how to analyse it`` (what is to be minded, or ""), ``levels`` ("listed", or why not), ``name in SPSS`` and
        ``name in Stata``. Of several tables also ``table`` and ``name in
        its table``, "" of the ids of persons, which are in several.
    levels : pd.DataFrame
        One row a column and different value: ``column``, ``level`` as it stands in the file (None for an empty cell),
        ``meaning``, of a code what it stands for.
    names : frozenset[str], default frozenset()
        What a file, a dictionary or an officer calls something in it, which no language translates.
    notes : tuple[str, ...], default ()
        What is to be known of the whole file, in sentences.
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


def codebook(
    released: Dataset, recipe: Recipe, pseudonyms: Pseudonyms | None = None, coin: Coin | None = None
) -> Codebook:
    """The codebook of what a recipe made.

    Parameters
    ----------
    released : Dataset
        What leaves.
    recipe : Recipe
        The recipe. What an officer decides in it is stated: how dates were moved, which texts were redacted, how many
        rows of a person there are at most. Of all else, which a search may have found, nothing is.
    pseudonyms : Pseudonyms, optional
        The label under which persons have pseudonyms by a key; numbers are drawn when left out.
    coin : Coin, optional
        The coin that is asked of searches, which the codebook names where every step that looks at values has it.

    Returns
    -------
    Codebook
        A function of what leaves and of what was decided: the same for two originals of which the same rows leave, in
        whatever order and by whatever recodings. Who has the release learns nothing more of the original from it.
        Columns with more than :data:`MOST_LEVELS` different values, person ids, redacted texts and moved dates have no
        levels listed.
    """
    coded = released.in_codes()
    rows: list[tuple[object, ...]] = []
    levels: list[tuple[str, str | None, str]] = []
    listed = 0
    for name in released.columns:
        decided, described = _decided(name, recipe), released.described.get(name, Described(name))
        contents = _found(coded, name)
        kind = "number" if name == released.person_id else _type(contents.labels)
        why_not = _why_not(released, name, contents.n_labels, listed) or _why_not_of(decided, kind)
        read = ReadLabels.of(() if why_not else contents.labels.tolist(), name)
        if not why_not:
            levels += [(name, *level) for level in _meanings(read, _stand_for(coded, name), described)]
            if contents.has_missing:
                levels.append((name, None, EMPTY_MAY_BE_BLANK))
            listed += contents.n_labels
        done = _PERSON if name == released.person_id else _done(decided)
        rows.append(_row(released.roles.get(name), described, contents, kind, done, read, why_not))
    columns = pd.DataFrame(rows, columns=_COLUMNS[:-2])
    columns["name in SPSS"] = spss_names(released.columns)
    columns["name in Stata"] = stata_names(released.columns)
    if released.tables is not None:
        columns = _in_files(columns, released.tables)
    names = frozenset(name for name in _names(released, recipe, levels) if name)
    if pseudonyms is not None:
        is_person = columns["column"] == released.person_id
        columns.loc[is_person, DONE] = (
            f"pseudonyms by a key, one a person: the same in each release for recipient “{pseudonyms.recipient}”, "
            f"project “{pseudonyms.project}”, version {pseudonyms.version}"
        )
        columns.loc[is_person, ["type", "levels"]] = "text", "not listed: pseudonyms by a key, one a person"
        names |= {pseudonyms.recipient, pseudonyms.project}
    listed_levels = pd.DataFrame(levels, columns=["column", "level", "meaning"], dtype=object)
    return Codebook(
        columns, listed_levels, names, (NOT_HERE, *_notes(released, recipe), *_of_coin(released, recipe, coin))
    )


def _in_files(columns: pd.DataFrame, layout: TablesLayout) -> pd.DataFrame:
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


def _notes(released: Dataset, recipe: Recipe) -> Iterator[str]:
    """Which columns hold lists, and what steps note of the whole file."""
    layout = released.tables
    for place in () if layout is None else layout.tables:
        for name, column in place.columns if place.mark else ():
            if column in released.columns:
                yield f"“{name}” holds lists: a cell has its items in the order of their labels, with a mark between."
    yield from (step.note for step in recipe.enabled if step.note)


def _of_coin(released: Dataset, recipe: Recipe, coin: Coin | None) -> tuple[str, ...]:
    """How searches refuse by chance, where that is asked and no step does otherwise; not whether there is a step."""
    if coin is None:
        return ()
    coins = [step.coin for step in recipe.enabled if step.looks_at_values(released.quasi_identifiers)]
    if any(of_step is None or (of_step.q, of_step.budget) != (coin.q, coin.budget) for of_step in coins):
        return ()
    return (
        "Where labels differ from row to row or cells are blank, values refused a finer label, or chance did: "
        f"{coin.in_words}. So no value is certain by what was refused.",
    )


def _names(released: Dataset, recipe: Recipe, levels: Sequence[tuple[str, str | None, str]]) -> Iterator[str | None]:
    """Names, titles and units of columns, what stands in the file, and what codes stand for."""
    yield from released.columns
    yield from (level for _, level, _ in levels)
    yield from (means for name, _, means in levels if means in released.codes.get(name, {}))
    for name in released.columns:
        described = released.described.get(name, Described(name))
        yield from (described.title, described.unit, *(label for _, label in described.labels))
    for step in recipe.enabled:
        yield from step.names if step.note or (step.recodes and step.for_anybody) else ()


def _stand_for(coded: Dataset, name: str) -> dict[str, str]:
    """By code of a column whose cells are shown by labels, its label."""
    return {code: label for label, code in coded.codes.get(name, {}).items()}


def _meanings(labels: ReadLabels, codes: Mapping[str, str], described: Described) -> Iterator[tuple[str, str]]:
    """Each label and what it means: of a code what it stands for, of a range the numbers with their unit."""
    known = stand_for(described, labels.labels)
    for label in labels.labels:
        means = labels.meaning(label)
        if label in codes:
            means = codes[label]
        elif label in known:
            means = known[label]
        elif means not in (AS_IT_STANDS, ANY_VALUE) and with_unit(label, described) != label:
            means = f"{means} {described.unit}"
        yield label, means


def meanings_of(applied: Applied, recipe: Recipe) -> dict[str, dict[str, str]]:
    """By column of which a label says more than it shows, what the levels listed in the codebook mean; an empty cell's
    under ""."""
    meanings: dict[str, dict[str, str]] = {}
    for column, level, means in codebook(applied.released, recipe).levels.itertuples(index=False):
        meanings.setdefault(column, {})["" if level is None else level] = means
    plain = {AS_IT_STANDS, EMPTY_MAY_BE_BLANK}
    return {column: of for column, of in meanings.items() if not plain.issuperset(of.values())}


def _decided(column: str, recipe: Recipe) -> list[Step]:
    """The steps that an officer decides on for all cells of a column, in their order."""
    return [step for step in recipe.enabled if column in step.recodes and step.for_anybody]


def _done(decided: Sequence[Step]) -> str:
    done = THEN.join(step.for_anybody for step in decided)
    if any(step.labels_by == "text" for step in decided):
        done += f". {CANNOT_PROMISE}"
    for step in decided:
        if step.for_recipient:
            done += f". {' '.join(step.for_recipient)}"
    return done


def _row(
    role: Role | None, described: Described, contents: _Found, kind: str, done: str, labels: ReadLabels, why_not: str
) -> tuple[object, ...]:
    return (
        described.name,
        described.title,
        described.unit,
        "Nobody has decided what it is" if role is None else role.answer,
        kind,
        done,
        contents.n_labels,
        EMPTY_MAY_BE_BLANK if contents.has_missing else "none",
        side_by_side(labels),
        advice(labels, contents.has_missing),
        why_not or "listed",
    )


def may_be_blank(column: str, steps: list[Step]) -> bool:
    """Whether steps on a column can leave a cell empty that had a value, whatever they did to these data.

    By what the steps are and not by what they found: else it would say of empty cells that none had a value.
    """
    return any(step.can_blank(column) for step in steps)


def _why_not_of(decided: Sequence[Step], kind: str) -> str:
    if any(step.labels_by == "text" for step in decided):
        return "not listed: texts"
    is_moved = any(step.labels_by == "person" for step in decided)
    return "not listed: dates that were moved" if is_moved and kind != "text" else ""


def _why_not(released: Dataset, name: str, n_labels: int, listed: int) -> str:
    if name == released.person_id:
        return f"not listed: {_PERSON}"
    if n_labels > MOST_LEVELS:
        return f"not listed: more than {MOST_LEVELS:,} different values"
    return "not listed: the list of levels is full" if listed + n_labels + 1 > _MOST_ROWS else ""


@dataclass(frozen=True, eq=False)
class _Found:
    """The different texts that occur in a column, how many they are, and whether cells are missing."""

    labels: np.ndarray
    n_labels: int
    has_missing: bool


def _found(released: Dataset, name: str) -> _Found:
    """What a column holds; of a database's that has too many values to be fetched no texts, and about how many."""
    try:
        counts = counts_that_leave(released, name)
    except InputError:
        profile = released.held.profile(name)
        return _Found(np.array([], dtype=object), profile.distinct, profile.missing > 0)
    return _Found(counts.values, len(counts.values), counts.missing > 0)


def counts_that_leave(released: Dataset, name: str) -> ValueCounts:
    """The different labels of a column that occur, with their records.

    Parameters
    ----------
    released : Dataset
        What leaves.
    name : str
        The column.

    Returns
    -------
    ValueCounts
        In their natural order; the one in the column is that of what they were made of.

    Raises
    ------
    InputError
        Where an engine has too many of them to be fetched.
    """
    counts = released.held.counts_of(name)
    occurs = np.flatnonzero(counts.records)
    order = occurs[natural_order(counts.values[occurs])]
    return ValueCounts(counts.values[order], counts.records[order], counts.missing)


def _type(labels: np.ndarray) -> str:
    if not len(labels):
        return "text"
    if not np.isnat(to_dates(labels)).any():
        return "date"
    return "text" if as_numbers(labels) is None else "number"
