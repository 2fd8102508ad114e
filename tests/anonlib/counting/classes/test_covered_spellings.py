"""Labels of several levels of a column whose true values a person reads as one: counted by one value and by several."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import isnan

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from anonlib.analyses.individuals import Attacker, Individual, breaching_sets, privacy_profile, protective_peers
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.covering import CoveredTable, Covering, subsets_of
from anonlib.values.spellings import read_as_one
from tests.helpers.examples import settings

NAMES = ("age", "ill")
AGES = (
    {"30": "30", "31": "31", "44": "44"},
    {"30": "30-39", "31": "30-39", "44": "44"},
    dict.fromkeys(("30", "31", "44"), "*"),
)
ILL = (
    {each: each for each in ("HIV", "hiv", "flu", "1", "1.0", "")},
    # Spellings of one value in two groups, and in one.
    {"HIV": "viral", "flu": "viral", "hiv": "other", "1": "number", "1.0": "number", "": ""},
    dict.fromkeys(("HIV", "hiv", "flu", "1", "1.0", ""), "*"),
)
LADDERS = {"age": AGES, "ill": ILL}
READ = {"hiv": "HIV", "1.0": "1"}


@dataclass(frozen=True)
class Row:
    """True values and the levels they leave on; "" is missing."""

    values: tuple[str, str]
    levels: tuple[int, int]

    def value(self, name: str) -> str:
        return self.values[NAMES.index(name)]

    def label(self, name: str) -> str:
        return LADDERS[name][self.levels[NAMES.index(name)]][self.value(name)]


FILES = st.lists(
    st.builds(
        Row,
        st.tuples(st.sampled_from(sorted(AGES[0])), st.sampled_from(sorted(ILL[0]))),
        st.tuples(st.integers(0, 2), st.integers(0, 2)),
    ),
    min_size=1,
    max_size=8,
)  # fmt: skip


def covers(name: str, label: str, value: str) -> bool:
    return any(level[value] == label for level in LADDERS[name])


def table_of(rows: list[Row], sensitive_is_mixed: bool) -> CoveredTable:
    """The covered table; where the sensitive column is not mixed its labels are its values."""
    cells = {name: [row.label(name) or None for row in rows] for name in NAMES}
    true = {f"true {name}": [row.value(name) or None for row in rows] for name in NAMES}
    wide = ClassTable.from_frame(pd.DataFrame(cells | true, dtype=object))
    coverings: list[Covering | None] = []
    for j, name in enumerate(NAMES):
        values, labels = wide.categories[2 + j], wide.categories[j]
        matrix = np.array(
            [[covers(name, label or "", value or "") for label in labels] for value in values], dtype=bool
        )
        is_mixed = sensitive_is_mixed or name != "ill"
        coverings.append(Covering.of(wide.codes[:, 2 + j], matrix, read_as_one(values)) if is_mixed else None)
    return CoveredTable(
        NAMES, wide.categories[:2], wide.codes[:, :2], wide.counts, wide.class_of_record, tuple(coverings)
    )  # fmt: skip


def measured(rows: list[Row], who: Row, known: tuple[str, ...], measure: str, as_read: bool, mixed: bool) -> float:
    """PPP, NPP or PoAC (q = 0.3) of the illness of one person, by the definitions."""

    def read(value: str) -> str:
        return READ.get(value, value) if as_read else value

    own = {row: row.value("ill") if mixed else row.label("ill") for row in rows}
    spelled = {*own.values()}
    values = {read(value) for value in spelled}

    def may_have(peer: Row, value: str) -> bool:
        if not mixed:
            return read(peer.label("ill")) == value
        return any(covers("ill", peer.label("ill"), each) for each in spelled if read(each) == value)

    peers = [row for row in rows if all(covers(name, row.label(name), who.value(name)) for name in known)]
    other = [peer for peer in peers if not may_have(peer, read(own[who]))]
    if measure == "npp":
        return len(other)
    if measure == "ppp":
        return len(other) / len(peers)
    if len(values) == 1:
        return float("nan")
    others = values - {read(own[who])}
    return sum(sum(may_have(peer, v) for peer in peers) / len(peers) > 0.3 for v in others) / len(others)


def least_of(values: list[float]) -> float:
    left = [value for value in values if not isnan(value)]
    return min(left) if left else float("nan")


def nothing_to_infer(rows: list[Row], who: Row, mixed: bool) -> bool:
    values, label = {row.value("ill") for row in rows}, who.label("ill")
    return not label or (mixed and len(values) > 1 and all(covers("ill", label, value) for value in values))


@settings(max_examples=100)
@given(FILES, st.sampled_from(["ppp", "npp", "poac"]), st.sampled_from(["any", "all"]), st.booleans(), st.booleans())
def test_a_measure_is_the_lower_by_one_value_and_by_several(rows, measure, knows, empty, mixed):
    table = table_of(rows, mixed)
    attacker = Attacker(measure=measure, q=0.3, knows=knows, include_empty=empty)
    sets: list[tuple[str, ...]] = [(), ("age",)] if empty and knows == "any" else [("age",)]
    found = privacy_profile(table, attacker, sensitive="ill").records()["ill"]
    certain = breaching_sets(table, "ill", attacker).minimal.records()["n_sets"]
    for i, who in enumerate(rows):
        by_set = {
            known: least_of([measured(rows, who, known, measure, as_read, mixed) for as_read in (False, True)])
            for known in sets
        }
        note(f"{who}: {by_set}")
        row = int(table.class_of_record[i])
        if nothing_to_infer(rows, who, mixed):
            assert isnan(found[i]) and not certain[i]
            assert np.isnan(Individual.of(table, row, attacker).measure("ill")).all()
            continue
        expected = least_of(list(by_set.values()))
        assert found[i] == pytest.approx(expected, nan_ok=True)
        assert bool(certain[i]) == (expected <= 0)
        one = Individual.of(table, row, attacker).measure("ill")
        for known, value in by_set.items():
            assert one[len(known)] == pytest.approx(value, nan_ok=True)  # bit 0 is the age
            ours = protective_peers(table, "ill", known, attacker).values[row]
            assert ours == pytest.approx(value, nan_ok=True)


@settings(max_examples=60)
@given(FILES)
def test_only_what_is_learned_is_read_and_the_values_known_stay_as_they_are_spelled(rows):
    table = table_of(rows, sensitive_is_mixed=True)
    read = table.read("ill")
    values = {row.value("ill") for row in rows}
    assert (read is None) == (not any({value, READ[value]} <= values for value in values & {*READ}))
    assert table.read("age") is None
    if read is not None:
        assert isinstance(read, CoveredTable) and read.read("ill") is None  # there is nothing left to read as one
        assert read.n_values(1) == len({READ.get(value, value) for value in values})
        for some in (some for size in (1, 2) for some in combinations(range(2), size)):
            sizes = [_sizes_by_class(each, some) for each in (table, read)]
            assert (sizes[1] >= sizes[0]).all()  # who reads values as one is left with no fewer records
        assert (_sizes_by_class(table, (0,)) == _sizes_by_class(read, (0,))).all()


def _sizes_by_class(table: ClassTable, attributes: tuple[int, ...]) -> np.ndarray:
    walk = subsets_of(table)
    subset = walk.everyone()
    for j in attributes:
        subset = walk.refine(subset, j)
    return subset.sizes[subset.group]
