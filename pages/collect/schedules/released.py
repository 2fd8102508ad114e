"""People counted as the recipe releases them, and invited by their rows of the original file."""

from __future__ import annotations

from dataclasses import replace

from anonlib.analyses.schedules import People, people_of
from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from anonlib.reading.records.names import unused_name
from ui.session import cache


def people_released(released: Dataset, data: Dataset, *, known: tuple[str, ...], also: tuple[str, ...]) -> People:
    """The people of what a recipe made of the data: by columns ``known`` as released and by ``also`` as in the file.

    The columns that rules look at are the file's: where somebody lives decides where they can go, however coarse the
    release says it. ``record_of_person`` are records of the file too, since invitations are sent to names. Raises
    InputError when nobody is released.
    """
    if not released.n_records:
        raise InputError(
            "The recipe leaves nobody in the release. Look at the original, or change the recipe on the Release page.",
            code="no-record-left",
        )
    names: dict[str, str] = {}
    for name in also:
        names[name] = unused_name(f"{name} in the file", [*data.held.columns, *names.values()])
    people = people_of(released.with_columns_of(data, names), known, tuple(names.values()))
    groups = people.groups.drop(columns=[name for name in also if name in known])
    groups = groups.rename(columns={given: name for name, given in names.items()})
    if people.record_of_person is None:
        return replace(people, groups=groups)
    return replace(people, groups=groups, record_of_person=data.rows_of(released)[people.record_of_person])


def not_released(data: Dataset, people: People) -> int:
    """How many people of the file have no record in the release."""
    return _everyone(data) - people.n_people - people.left_out


@cache.remembered
def _everyone(data: Dataset) -> int:
    return data.with_missing("category").classes([]).n_records
