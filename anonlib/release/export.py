"""The files an officer takes home: the release in a format of choice, and the table of recoded values.

The module begins with a release that has fake records among the real ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import BinaryIO

import numpy as np
import pandas as pd

from anonlib.analyses.generalization import Injection
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody
from anonlib.basics.words import listed
from anonlib.columns.free_text import is_text
from anonlib.dataset import Dataset
from anonlib.reading.records import TableRecords
from anonlib.release.applied import Applied
from anonlib.release.files import FORMATS, Format, release_rows
from anonlib.release.files.rows import neutralise
from anonlib.release.files.streamed import write_release
from anonlib.release.pseudonyms import PersonsByKey
from anonlib.release.recipe import Recipe
from anonlib.values.cells import text_categorical


def with_fakes(released: Dataset, injection: Injection, rng: np.random.Generator) -> Dataset:
    """The released records and the fake ones in an order drawn at random, so that no place tells which is which.

    Parameters
    ----------
    released : Dataset
        The real records.
    injection : Injection
        The fake ones. Where there is a weight, each stands for one person.
    rng : np.random.Generator
        numpy.random.Generator Draws the order; to be as secret as the injection's seed.

    Returns
    -------
    Dataset
        Both together.

    Raises
    ------
    InputError
        Where there is a person id: a fake has one row, and persons may have several.
    """
    if released.person_id is not None:
        raise InputError(
            "Fake records can be added where each person has one row, not where there is a person id.",
            code="persons-have-several-rows",
        )
    fakes = injection.to_frame()
    if released.weight is not None:
        fakes[released.weight] = "1"
    order = rng.permutation(released.n_records + len(fakes))
    columns = {}
    for name in released.records.columns:  # what is withheld too: it goes on counting persons
        together = [_texts(released.records[name]), _texts(pd.Series(fakes[name]))]
        columns[name] = text_categorical(pd.Series(np.concatenate(together)[order], dtype=object))
    return released.with_frame(pd.DataFrame(columns, index=range(len(order))), f"with {len(fakes)} fake records")


def _texts(column: pd.Series) -> np.ndarray:
    return column.astype(object).where(column.notna(), None).to_numpy(dtype=object)


Meanings = Mapping[str, Mapping[str, str]]
"""By column what its labels mean, and under "" what an empty cell does."""


def released_csv(released: Dataset, rng: np.random.Generator | None = None) -> bytes:
    """The release as CSV in UTF-8: missing cells empty, formulas neutralised, person ids replaced, rows shuffled.

    Several tables are a file each in a zip. Rows leave in an order drawn at random, or with the original one could link
    them by their position. Person ids become numbers drawn likewise, one a person. Identifiers are gone already.

    Parameters
    ----------
    released : Dataset
        What is to leave.
    rng : np.random.Generator, optional
        numpy.random.Generator, optional Draws order and numbers, and is to be as secret as the original; the system's
        entropy when left out.

    Returns
    -------
    bytes
    """
    return released_in("CSV", released, rng)


def released_in(
    kind: str,
    released: Dataset,
    rng: np.random.Generator | None = None,
    meanings: Meanings | None = None,
    by_key: PersonsByKey | None = None,
) -> bytes:
    """The release in one of the formats: the rows, their order and the person ids that the CSV of these draws has.

    Parameters
    ----------
    kind : str
        A name of :data:`anonlib.release.files.FORMATS`.
    released : Dataset
        The rows that leave, in memory, in any order.
    rng : np.random.Generator, optional
        Draws the order of the rows and the numbers of persons; drawn afresh each time where it is left out.
    meanings : Meanings, optional
        By column what its labels mean, and under "" what an empty cell does; a Parquet file carries
        it.
    by_key : PersonsByKey, optional
        What names persons, instead of drawn numbers.

    Raises
    ------
    InputError
        If the format cannot hold this release, there is none of that name, or two persons would get one pseudonym.
    """
    chosen = _format(kind)
    if why_not := chosen.why_not(released):
        raise InputError(why_not, code="release-stays")
    draws = rng or np.random.default_rng()
    return chosen.written(released, release_rows(released, draws, meanings, by_key), draws)


def write_released(
    file: BinaryIO,
    kind: str,
    released: Dataset,
    seed: Sequence[int],
    progress: Progress = nobody,
    meanings: Meanings | None = None,
    by_key: PersonsByKey | None = None,
) -> None:
    """Write the release in one of the formats to a file, wherever its records are; the same each time for a seed.

    Parameters
    ----------
    file : BinaryIO
        What is written to, from where it stands.
    kind : str
        A name of :data:`anonlib.release.files.FORMATS`.
    released : Dataset
        The rows that leave, in memory or in an engine.
    meanings : Meanings, optional
        By column what its labels mean, as for :func:`released_in`; of records in an engine they stay out.
    by_key : PersonsByKey, optional
        What names persons, instead of drawn numbers.
    seed : Sequence[int]
        A secret, which draws order and numbers (:func:`draws_for`).
    progress : Progress, default nobody
        Of records in an engine, called with the share that is written, 0 to 1, and may raise to end it.

    Raises
    ------
    InputError
        If the format cannot hold this release, there is none of that name, two persons would get one pseudonym, or it
        cannot be written.
    """
    if not isinstance(released.held, TableRecords):
        file.write(released_in(kind, released, draws_for(released, seed), meanings, by_key))
        return
    if why_not := _format(kind).why_not(released):
        raise InputError(why_not, code="release-stays")
    write_release(released, file, "CSV" if kind == "CSV" else "Parquet", seed, progress, by_key)


def _format(kind: str) -> Format:
    if kind not in FORMATS:
        raise InputError(
            f"A release can be taken home as {listed(FORMATS, last='or')}. Choose one of them.", code="choice-unknown"
        )
    return FORMATS[kind]


def draws_for(released: Dataset, seed: Sequence[int]) -> np.random.Generator:
    """The draws of one release, always the same for a seed: another release of the same records has others.

    Were they the same, rows at one position of two releases were of one person.

    Parameters
    ----------
    released : Dataset
        What is to leave. Its key decides the order: a saved recipe promises the same one for the same file.
    seed : Sequence[int]
        A secret.
    """
    return np.random.default_rng([*seed, int(released.key[:32], 16)])


def leaving_order(released: Dataset, seed: Sequence[int]) -> np.ndarray:
    """Of each record of the file that leaves, in its order, the record of the release in memory that it is.

    int64, from 0; the order that :func:`write_released` draws for this seed.
    """
    return draws_for(released, seed).permutation(released.n_records)


def table_csv(frame: pd.DataFrame) -> bytes:
    """A table shown on screen, as CSV in UTF-8 with its text neutralised."""
    text = frame.copy()
    for name in text.columns:
        if not pd.api.types.is_numeric_dtype(text[name]):
            text[name] = [None if pd.isna(value) else neutralise([value])[0] for value in text[name]]
    text.columns = pd.Index(neutralise(text.columns))
    return text.to_csv(index=False, lineterminator="\r\n").encode("utf-8")


def value_mapping(applied: Applied, recipe: Recipe) -> pd.DataFrame:
    """Every recoding that was applied, but of columns of free text: a text is a record, and its marks would be undone.

    Returns
    -------
    DataFrame
        One row a value: ``step`` (from 1), ``column``, ``value``, ``released as``, ``records``.
    """
    tables, current = [], applied.original
    texts = _of_text(applied, recipe)
    for position, (entry, effect) in enumerate(zip(recipe.entries, applied.effects, strict=True), start=1):
        if effect is None or effect.problem:
            continue
        changed = entry.step.apply(current)
        for column, table in entry.step.value_tables(current, changed):
            if column in texts:
                continue
            table.insert(0, "column", column)
            table.insert(0, "step", position)
            tables.append(table)
        current = changed
    columns = ["step", "column", "value", "released as", "records"]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=columns)


def _of_text(applied: Applied, recipe: Recipe) -> set[str]:
    """The recoded columns of free text: those that look so, and those that marks were put into."""
    held = applied.original.held
    return {*recipe.recoded_by("text")} | {
        name for name in recipe.recoded if name in held.columns and is_text(held, name)
    }
