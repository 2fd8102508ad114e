"""The files an officer takes home: the released CSV and the table of recoded values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from anonlib.dataset import Dataset
from anonlib.release.recipe import Applied, Recipe
from anonlib.values import to_numbers

# Spreadsheets take the full-width signs for the plain ones.
_FORMULA = re.compile(r"[\t\r\n]|\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]")
_SEPARATOR = re.compile(r"(;|(?<=[\s\S])[\t\r\n])")  # a tab or line end in front has its apostrophe already


def neutralise(texts: Iterable[str]) -> list[str]:
    """Texts that a spreadsheet would run as a formula get an apostrophe in front; numbers stay numbers.

    So do parts of a text behind a semicolon, a tab or a line end: a spreadsheet whose lists are separated by semicolons
    begins a cell there.
    """
    listed = [str(text) for text in texts]
    numeric = ~np.isnan(to_numbers(listed)) if listed else []
    return [text if number else _harmless(text) for text, number in zip(listed, numeric, strict=True)]


def _harmless(text: str) -> str:
    first = "'" if _FORMULA.match(text) else ""
    if not _SEPARATOR.search(text):
        return first + text
    parts = _SEPARATOR.split(text)  # a text, then a separator and a text each time
    for i in range(2, len(parts), 2):
        if _FORMULA.match(parts[i]) and np.isnan(to_numbers([parts[i]])[0]):
            parts[i] = "'" + parts[i]
    return first + "".join(parts)


def released_csv(released: Dataset, rng: np.random.Generator | None = None) -> bytes:
    """The release as CSV in UTF-8: missing cells empty, formulas neutralised, person ids replaced, rows shuffled.

    Rows leave in an order drawn at random, or whoever holds the original linked them by their position. Person ids
    become numbers drawn likewise, one a person. Identifiers are gone already.

    Parameters
    ----------
    released : Dataset
        What is to leave.
    rng : numpy.random.Generator, optional
        Draws order and numbers, and is to be as secret as the original; the system's entropy when left out.
    """
    rng = rng or np.random.default_rng()
    order = rng.permutation(released.n_records)
    frame = pd.DataFrame({name: _cells(released, name, rng)[order] for name in released.columns})
    frame.columns = pd.Index(neutralise(frame.columns))
    return frame.to_csv(index=False, lineterminator="\r\n").encode("utf-8")


def draws_for(released: Dataset, seed: Sequence[int]) -> np.random.Generator:
    """The draws of one release, always the same for a seed: another release of the same records has others.

    Were they the same, rows at one position of two releases were of one person.

    Parameters
    ----------
    released : Dataset
        What is to leave. Its key decides the order: a saved recipe promises the same one for the same file.
    seed : sequence of int
        A secret.
    """
    return np.random.default_rng([*seed, int(released.key[:32], 16)])


def table_csv(frame: pd.DataFrame) -> bytes:
    """A table shown on screen, as CSV in UTF-8 with its text neutralised."""
    text = frame.copy()
    for name in text.columns:
        if not pd.api.types.is_numeric_dtype(text[name]):
            text[name] = [None if pd.isna(value) else neutralise([value])[0] for value in text[name]]
    text.columns = pd.Index(neutralise(text.columns))
    return text.to_csv(index=False, lineterminator="\r\n").encode("utf-8")


def value_mapping(applied: Applied, recipe: Recipe) -> pd.DataFrame:
    """Every recoding that was applied.

    Returns
    -------
    DataFrame
        One row a value: ``step`` (from 1), ``column``, ``value``, ``released as``, ``records``.
    """
    tables, current = [], applied.original
    for position, (entry, effect) in enumerate(zip(recipe.entries, applied.effects, strict=True), start=1):
        if effect is None or effect.problem:
            continue
        changed = entry.step.apply(current)
        for column, table in entry.step.value_tables(current, changed):
            table.insert(0, "column", column)
            table.insert(0, "step", position)
            tables.append(table)
        current = changed
    columns = ["step", "column", "value", "released as", "records"]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=columns)


def _cells(released: Dataset, name: str, rng: np.random.Generator) -> np.ndarray:
    column = released.records[name].cat
    values = column.categories
    texts = _pseudonyms(len(values), rng) if name == released.person_id else neutralise(values)
    return np.array([*texts, None], dtype=object)[column.codes]


def _pseudonyms(n: int, rng: np.random.Generator) -> list[str]:
    return [str(number) for number in rng.permutation(n) + 1]
