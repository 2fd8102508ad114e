"""What would protect one individual, found for columns of very many values as it is for few."""

from __future__ import annotations

from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.individuals import Attacker, Individual, ProtectingChange, remedies
from anonlib.analyses.individuals.individual import _round_intervals
from anonlib.coarsening.recoding import Intervals
from anonlib.counting.classes import ClassTable

VALUES = st.sampled_from([None, "3", "4", "7", "12", "25", "3.5", "0.5", "unknown", "2-3", "0-9", "20-29", "0-<10"])


@given(st.lists(VALUES, min_size=3, max_size=9), st.data())
def test_who_shares_an_interval_is_who_gets_its_label(values, data):
    """Also a value that is no number and is written as the interval is."""
    rows = [(value, str(i)) for i, value in enumerate(values)]
    classes = ClassTable.from_frame(pd.DataFrame(rows, columns=["age", "s"], dtype=object))
    one = Individual.of(classes, data.draw(st.integers(0, len(rows) - 1)))
    for recoding, same in _round_intervals(one, 0):
        agreeing, labelled = one.agreeing(0, same), one.recoded("age", recoding)
        np.testing.assert_array_equal(agreeing.largest, labelled.largest)


def test_who_is_no_number_may_be_written_as_an_interval():
    """Whoever is 2 or 3 becomes like one whose age is 2-3, however the interval is written."""
    rows = [("2-3", "flu"), ("2", "cold"), ("3", "cold"), ("7", "flu"), ("0.5", "flu")]

    def found(rows: list[tuple[str, str]]) -> tuple[ProtectingChange, ...]:
        classes = ClassTable.from_frame(pd.DataFrame(rows, columns=["age", "s"]))
        return remedies(Individual.of(classes, int(classes.class_of_record[0])), "s")

    for (remedy,) in (found(rows[:4]), found(rows)):
        assert (remedy.recoding, remedy.least) == (Intervals(2), 2 / 3)


def test_only_values_near_the_own_one_are_recoded(monkeypatch):
    """Labels of a million values for each width took minutes."""
    n = 20_000
    frame = pd.DataFrame({"income": np.arange(n), "s": np.arange(n) % 2}).astype(str)
    classes = ClassTable.from_frame(frame)
    labelled = []
    labels = Intervals.labels
    monkeypatch.setattr(Intervals, "labels", lambda self, values: labelled.append(len(values)) or labels(self, values))
    (remedy,) = remedies(Individual.of(classes, int(classes.class_of_record[500])), "s")
    assert (remedy.attribute, remedy.recoding, remedy.least) == ("income", Intervals(2), 0.5)
    assert sum(labelled) < 100


def test_remedies_tell_how_far_they_are_and_can_be_stopped():
    rows = [(str(i % 50), str(i % 7), str(i)) for i in range(60)]
    classes = ClassTable.from_frame(pd.DataFrame(rows, columns=["age", "count", "s"]))
    shares: list[float] = []
    remedies(Individual.of(classes, 0), "s", 0.9, progress=shares.append)
    assert shares == sorted(shares) and shares[0] >= 0 and shares[-1] < 1 and len(shares) > 3

    with pytest.raises(InterruptedError):
        remedies(Individual.of(classes, 0), "s", 0.9, progress=Mock(side_effect=InterruptedError))


@given(st.lists(st.tuples(*[st.sampled_from("abc")] * 3, st.integers(0, 30).map(str)), min_size=2, max_size=12))
def test_alternatives_of_many_values_are_counted_as_of_few(rows):
    """By pairs of a set and a value, both where the values are few and where they are many."""
    frame = pd.DataFrame(rows, columns=["u", "v", "w", "s"])
    classes = ClassTable.from_frame(frame)
    for q in (0.0, 0.2):
        found = Individual.of(classes, 0, Attacker("poac", q)).measure("s")
        own = classes.categories[3][classes.codes[0, 3]]
        person = [classes.categories[j][classes.codes[0, j]] for j in range(3)]
        others = set(frame["s"]) - {own}
        for mask in range(8):
            peers = frame[
                (frame[["u", "v", "w"]] == person).to_numpy()[:, [j for j in range(3) if mask >> j & 1]].all(1)
            ]
            shares = peers["s"].value_counts() / len(peers)
            considered = sum(shares.get(value, 0) > q for value in others)
            expected = considered / len(others) if others else np.nan
            assert found[mask] == expected or (np.isnan(found[mask]) and np.isnan(expected))
