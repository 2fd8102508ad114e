"""People counted as the recipe releases them, and invited by their rows of the original file."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from anonlib.dataset import Dataset
from anonlib.errors import InputError
from anonlib.records.names import unused_name
from anonlib.schedules import People, people_of
from ui import cache


def with_rows(data: Dataset) -> Dataset:
    """The data with one more column, of no role, that says which row a record is: steps that remove records keep it."""
    positions = np.arange(data.n_records)
    rows = pd.Categorical.from_codes(positions, categories=pd.Index(positions.astype(str), dtype=object))
    return data.with_frame(data.records.assign(**{_row_name(data): rows}), "with rows")


def _row_name(data: Dataset) -> str:
    return unused_name("row of the file", data.columns)


def people_released(released: Dataset, data: Dataset, *, known: tuple[str, ...], also: tuple[str, ...]) -> People:
    """The people of what a recipe made of :func:`with_rows`: by the columns ``known`` as released and by ``also`` as
    in the file.

    The columns that rules look at are the file's: where somebody lives decides where they can go, however coarse the
    release says it. ``record_of_person`` are records of the file too, since invitations are sent to names. Raises
    InputError when nobody is released.
    """
    rows = released.records[_row_name(data)].astype(int).to_numpy()
    if not len(rows):
        raise InputError(
            "The recipe leaves nobody in the release. Look at the original, or change the recipe on the Release page."
        )
    frame = released.records.drop(columns=_row_name(data))
    names: dict[str, str] = {}
    for name in also:
        names[name] = unused_name(f"{name} in the file", [*data.columns, *names.values()])
        frame[names[name]] = data.records[name].array[rows]
    people = people_of(released.with_frame(frame, "with columns of the file"), known, tuple(names.values()))
    assert people.record_of_person is not None
    groups = people.groups.drop(columns=[name for name in also if name in known])
    groups = groups.rename(columns={given: name for name, given in names.items()})
    return replace(people, groups=groups, record_of_person=rows[people.record_of_person])


def not_released(data: Dataset, people: People) -> int:
    """How many people of the file have no record in the release."""
    return cache.remember(_everyone, data) - people.n_people - people.left_out


def _everyone(data: Dataset) -> int:
    return data.with_missing("category").classes([]).n_records
