"""Persons of several rows: who they are and who is the example, beside a slow and obvious reference."""

from __future__ import annotations

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.rows_of_persons import FEW_ROWS, ValueSet, several_rows
from tests.helpers.examples import settings
from tests.helpers.tables import text_frame

ROWS = st.lists(
    st.tuples(st.sampled_from(["a", "b", "c", None]), st.sampled_from(["x", "y", None]), st.sampled_from("pq")),
    min_size=1, max_size=14,
)  # fmt: skip


def frame_of(rows: list) -> pd.DataFrame:
    return text_frame(dict(zip(["id", "known", "other"], zip(*rows, strict=True), strict=True)))


@settings(150)
@given(ROWS)
def test_counts_and_example_are_those_of_looking_at_each_person(rows: list) -> None:
    found = several_rows(frame_of(rows), "id", ["known"])
    of_person: dict[str, list[int]] = {}
    for position, (person, *_) in enumerate(rows):
        if person is not None:
            of_person.setdefault(person, []).append(position)
    several = [positions for positions in of_person.values() if len(positions) > 1]
    if not several:
        assert found is None
        return
    assert found is not None
    assert found.n_several == len(several)
    assert found.n_persons == len(of_person) + sum(person is None for person, *_ in rows)

    def values(positions: list[int], column: int) -> set:
        return {rows[i][column] for i in positions} - {None}

    def worth(positions: list[int]) -> tuple:
        known, other = (len(values(positions, column)) > 1 for column in (1, 2))
        return len(positions) > FEW_ROWS, not known, not (known or other), len(positions), positions[0]

    best = min(several, key=worth)
    assert list(found.example) == best
    assert found.n_values == {"known": len(values(best, 1)), "other": len(values(best, 2))}


@settings(80)
@given(ROWS)
def test_the_example_counts_as_the_class_table_counts_it(rows: list) -> None:
    frame = frame_of(rows)
    found = several_rows(frame, "id")
    if found is None:
        return
    for name, n_values in found.n_values.items():
        table = ClassTable.from_frame(frame, [name], person="id")
        assert table.class_of_record is not None
        value = table.column(name)[table.class_of_record[found.example[0]]]
        counted = 0 if value is None else len(value.members) if isinstance(value, ValueSet) else 1
        assert counted == n_values
