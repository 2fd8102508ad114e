"""What criteria look at, from the rows of two data sets: slow and obvious, person by person."""

from __future__ import annotations

from collections import defaultdict
from math import exp, log, log2

import tests.reference.guarantees as slow
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from tests.reference.generalization import distance


def people(data: Dataset) -> tuple[list[slow.Row], list[int]]:
    """A row a person with the set of the values of their rows, or a row a record with its weight."""
    names = [
        name for name in data.columns if data.roles.get(name) in (Role.QUASI_IDENTIFIER, Role.PLACE, Role.SENSITIVE)
    ]
    frame = data.records.astype(object)
    frame = frame.where(frame.notna(), None)
    dropping = data.missing == "drop"
    known = [name for name in names if dropping and data.roles[name] is not Role.SENSITIVE]
    if data.person_id is None:
        rows = frame[names].to_dict("records")
        weights = [int(each) for each in frame[data.weight]] if data.weight else [1] * len(rows)
    else:
        of_person: dict[object, list[int]] = defaultdict(list)
        for i, person in enumerate(frame[data.person_id]):
            of_person[i if person is None else str(person)].append(i)
        rows = [
            {name: as_one({frame[name].iloc[i] for i in places} - {None}) for name in names}
            for places in of_person.values()
        ]
        weights = [1] * len(rows)
    kept = [i for i, row in enumerate(rows) if weights[i] and all(row[name] is not None for name in known)]
    return [rows[i] for i in kept], [weights[i] for i in kept]


def as_one(values: set[str]) -> str | None:
    """A person's one value, or all of them as one."""
    return " and ".join(sorted(values)) if values else None


def sizes(rows: list[slow.Row], weights: list[int], columns) -> list[int]:
    """Per person, how many share their values."""
    return [slow.total(weights, slow.alike(rows, i, columns)) for i in range(len(rows))]


def risk(rows: list[slow.Row], weights: list[int], columns) -> tuple[float, float]:
    """The highest and the average risk."""
    classes = {tuple(row[name] for name in columns) for row in rows}
    return 1 / min(sizes(rows, weights, columns)), len(classes) / sum(weights)


def least_l(rows: list[slow.Row], weights: list[int], columns, sensitive: str, by: str) -> float:
    found = [slow.counted(rows, weights, sensitive, slow.alike(rows, i, columns)) for i in range(len(rows))]
    if by == "distinct":
        return min(len(each) for each in found)
    return min(exp(-sum(c / sum(each.values()) * log(c / sum(each.values())) for c in each.values())) for each in found)


def largest_t(rows: list[slow.Row], weights: list[int], columns, sensitive: str, kind: str) -> float:
    whole = slow.counted(rows, weights, sensitive, range(len(rows)))
    found = [slow.counted(rows, weights, sensitive, slow.alike(rows, i, columns)) for i in range(len(rows))]
    return float(max(distance(each, whole, kind) for each in found))


def leaks(rows: list[slow.Row], weights: list[int], columns, known: int) -> tuple[float, float]:
    """Over sets of up to so many columns, the largest average and the largest worst loss, as shares of all bits."""
    n = sum(weights)
    if n < 2:
        return 0.0, 0.0
    average = worst = 0.0
    for chosen in slow.sets_known(columns, known):
        if chosen:
            bits = [log2(n / size) for size in sizes(rows, weights, chosen)]
            average = max(average, sum(w * b for w, b in zip(weights, bits, strict=True)) / n / log2(n))
            worst = max(worst, max(bits) / log2(n))
    return average, worst
