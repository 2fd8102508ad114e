"""The files an officer takes home: the released CSV and the table of recoded values."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from anonlib.dataset import Dataset
from anonlib.release.recipe import Applied, Recipe
from anonlib.values import to_numbers

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def neutralise(texts: Iterable[str]) -> list[str]:
    """Texts that a spreadsheet would run as a formula get an apostrophe in front; numbers stay numbers."""
    listed = [str(text) for text in texts]
    numeric = ~np.isnan(to_numbers(listed)) if listed else []
    return [
        f"'{text}" if text.startswith(_FORMULA_STARTS) and not number else text
        for text, number in zip(listed, numeric, strict=True)
    ]


def released_csv(released: Dataset, rng: np.random.Generator | None = None) -> bytes:
    """The release as CSV in UTF-8: missing cells empty, formulas neutralised, person ids replaced.

    Person ids become numbers in an order drawn at random (from the system's entropy unless ``rng`` is given), so
    that the rows of a person stay together and nothing leads back; identifiers are gone already.
    """
    frame = pd.DataFrame({name: _cells(released, name, rng) for name in released.columns})
    frame.columns = pd.Index(neutralise(frame.columns))
    return frame.to_csv(index=False, lineterminator="\r\n").encode("utf-8")


def table_csv(frame: pd.DataFrame) -> bytes:
    """A table shown on screen, as CSV in UTF-8 with its text neutralised."""
    text = frame.copy()
    for name in text.columns:
        if not pd.api.types.is_numeric_dtype(text[name]):
            text[name] = [None if pd.isna(value) else neutralise([value])[0] for value in text[name]]
    text.columns = pd.Index(neutralise(text.columns))
    return text.to_csv(index=False, lineterminator="\r\n").encode("utf-8")


def value_mapping(applied: Applied, recipe: Recipe) -> pd.DataFrame:
    """Every recoding that was applied: ``step``, ``column``, ``value``, ``released as``, ``records``, a row a value."""
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


def _cells(released: Dataset, name: str, rng: np.random.Generator | None) -> np.ndarray:
    column = released.records[name].cat
    values = column.categories
    texts = _pseudonyms(len(values), rng) if name == released.person_id else neutralise(values)
    return np.array([*texts, None], dtype=object)[column.codes]


def _pseudonyms(n: int, rng: np.random.Generator | None) -> list[str]:
    return [str(number) for number in (rng or np.random.default_rng()).permutation(n) + 1]
