"""Who violates a guarantee, against the definitions, and what makes it better or worse."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.reference.guarantees as slow
from anonlib.counting.guarantees import (
    ONE,
    VALUES,
    AttributeDisclosure,
    AverageRiskLimit,
    CodedRows,
    KAnonymity,
    LDiversity,
    TCloseness,
    violating,
    violation,
    violations,
)
from anonlib.dataset import Dataset
from tests.helpers.examples import settings
from tests.reference.guarantees import table_of

NAMES = (*slow.KNOWN, *slow.SENSITIVE)


def found_by(rows: list[slow.Row], weights: list[int], guarantee) -> set[int]:
    """The rows that the library says violate it."""
    table = table_of(rows, weights)
    mask = violating(CodedRows.of(table), guarantee)
    return {i for i, place in enumerate(table.class_of_record.tolist()) if mask[place]}


# --- against the definitions ----------------------------------------------------------------------------------------


@settings(max_examples=300)
@given(st.data())
def test_who_violates_against_the_definition(data):
    rows = data.draw(slow.rows())
    weights = data.draw(slow.weights(len(rows)))
    guarantee = data.draw(slow.ROW_BY_ROW)
    expected = slow.violating(rows, weights, guarantee)
    assert found_by(rows, weights, guarantee) == expected
    found = violation(CodedRows.of(table_of(rows, weights)), guarantee)
    assert (found.records, found.n_records) == (slow.total(weights, expected), sum(weights))
    assert found.share == found.records / found.n_records
    assert found.is_met == slow.holds(rows, weights, guarantee)
    for columns, records in found.by_set:
        by_it = [i for i in range(len(rows)) if slow.by_one_set(rows, weights, guarantee, columns, i)]
        assert records == slow.total(weights, by_it)
    assert [records for _, records in found.by_set] == sorted((n for _, n in found.by_set), reverse=True)


def test_nobody_violates_nothing():
    rows = CodedRows.of(table_of([]))
    for guarantee in (
        KAnonymity(columns=("a",), least=3),
        AttributeDisclosure(columns=(), sensitive="s", p=0.5),
        LDiversity(columns=("a",), sensitive="s", l=2),
        TCloseness(columns=("a",), sensitive="s", t=0),
    ):
        found = violation(rows, guarantee)
        assert (found.records, found.n_records, found.share, found.is_met) == (0, 0, 0.0, True)


def test_an_average_is_of_no_row():
    with pytest.raises(TypeError):
        violating(CodedRows.of(table_of([dict.fromkeys(NAMES)])), AverageRiskLimit(columns=("a",), limit=0.5))


def test_progress_is_a_share_and_may_stop():
    rows = CodedRows.of(table_of([dict.fromkeys(NAMES, "x")]))
    certain: list[float] = []
    violation(rows, KAnonymity(columns=slow.KNOWN, least=2, known=2), certain.append)
    assert certain == sorted(certain) and 0 < certain[0] < certain[-1] == 1.0

    def stop(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        violation(rows, KAnonymity(columns=slow.KNOWN, least=2), stop)


def test_parts_side_by_side_are_those_one_after_the_other(monkeypatch):
    table = table_of([dict(zip(NAMES, values, strict=False)) for values in product("xy", repeat=len(NAMES))])
    rows = CodedRows.of(table)
    asked = [KAnonymity(columns=slow.KNOWN, least=2, known=2, rows=each) for each in (ONE, VALUES)]
    alone = violations(rows, asked)
    monkeypatch.setattr("anonlib.counting.guarantees.side_by_side._LITTLE", 0)
    monkeypatch.setattr("anonlib.counting.guarantees.side_by_side.n_threads", lambda: 2)
    certain: list[float] = []
    assert violations(rows, asked, certain.append) == alone
    assert certain == sorted(certain) and certain[-1] == 1

    def stop(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        violations(rows, asked, stop)


def test_a_share_that_is_met_exactly_is_met():
    """A share as it is written, and one that is a hair smaller."""
    for whole in range(3, 130):
        for part in {1, whole // 3, (whole - 1) // 2}:
            rows = CodedRows(
                {"a": np.array([0, 1])}, {"a": np.array(["x", "y"], dtype=object)}, np.array([part, whole - part])
            )
            few = {"columns": ("a",), "least": part + 1}
            assert violation(rows, KAnonymity(**few, share=part / whole)).is_met
            assert not violation(rows, KAnonymity(**few, share=part / whole - 1e-9)).is_met


# --- persons whose rows differ --------------------------------------------------------------------------------------


def persons(rows: list[tuple[str, ...]], missing: str = "category") -> Dataset:
    frame = pd.DataFrame(rows, columns=["id", "a", "s"], dtype=object)
    roles = {"id": "person_id", "a": "quasi_identifier", "s": "sensitive"}
    return Dataset.from_frame(frame, roles=roles, missing=missing)


def test_a_set_of_values_is_harmless_where_all_of_them_are():
    data = persons([
        ("1", "x", "fine"), ("1", "x", "well"), ("2", "y", "fine"), ("2", "y", "flu"), ("3", "z", "well"),
        ("4", "z", "well"),
    ])  # fmt: skip
    coded = data.coded(["a", "s"])
    found = violation(coded, AttributeDisclosure(columns=("a",), sensitive="s", harmless=("fine", "well")))
    assert (found.records, found.n_records) == (1, 4), "only the second has a value that harms"
    assert violation(coded, AttributeDisclosure(columns=("a",), sensitive="s", harmless=("well",))).records == 2
    assert violation(coded, AttributeDisclosure(columns=("a",), sensitive="s")).records == 4


# --- better and worse -----------------------------------------------------------------------------------------------


def merged(rows: list[slow.Row], column: str, labels: dict) -> list[slow.Row]:
    return [{**row, column: labels[row[column]]} for row in rows]


@settings(max_examples=120)
@given(st.data())
def test_coarsening_a_known_column_makes_no_violator(data):
    """For all but shares of persons whose value is likely without being certain: there only an all-or-none claim."""
    rows = data.draw(slow.rows(least=2, most=7))
    guarantee = data.draw(slow.ROW_BY_ROW)
    name = data.draw(st.sampled_from(slow.KNOWN))
    labels = data.draw(st.lists(st.sampled_from(["u", "v", None]), min_size=5, max_size=5))
    onto = dict(zip((*slow.VALUES, None), labels, strict=True))
    before, after = (
        found_by(rows, [1] * len(rows), guarantee),
        found_by(merged(rows, name, onto), [1] * len(rows), guarantee),
    )
    if guarantee.stays:
        assert after <= before
    else:
        assert before or not after, "where nobody violates nobody does"


@settings(max_examples=80)
@given(st.data())
def test_dropping_a_known_column_makes_no_violator(data):
    """Also of shares with p above 0: the sets of known columns left were there before, the empty one among them."""
    rows = data.draw(slow.rows(least=2, most=7))
    guarantee = data.draw(slow.shared() | slow.not_certain())
    name = data.draw(st.sampled_from(slow.KNOWN))
    dropped = guarantee.on([other for other in NAMES if other != name])
    everybody = [1] * len(rows)
    assert found_by(rows, everybody, dropped) <= found_by(rows, everybody, guarantee)
    # The top of a hierarchy is as good as dropping it.
    top = merged(rows, name, dict.fromkeys((*slow.VALUES, None), "*"))
    assert found_by(top, everybody, guarantee) == found_by(rows, everybody, dropped)


@settings(max_examples=80)
@given(st.data())
def test_leaving_out_others_helps_nobody_who_stays(data):
    """What :attr:`stays` says: size, certainty and distinct values."""
    rows = data.draw(slow.rows(least=2, most=7))
    guarantee = data.draw(slow.STAYS_FOR_EVERYBODY)
    assert guarantee.stays
    left = sorted(data.draw(st.sets(st.integers(0, len(rows) - 1), min_size=1)))
    before = found_by(rows, [1] * len(rows), guarantee)
    after = found_by([rows[i] for i in left], [1] * len(left), guarantee)
    assert {place for place, i in enumerate(left) if i in before} <= after


@settings(max_examples=100)
@given(st.data())
def test_leaving_out_a_whole_class_leaves_the_other_classes_as_they_were(data):
    rows = data.draw(slow.rows(least=2, most=7))
    guarantee = data.draw(st.sampled_from([
        KAnonymity(columns=("a", "b"), least=2), AttributeDisclosure(columns=("a", "b"), sensitive="s"),
        LDiversity(columns=("a", "b"), sensitive="s", l=2),
        LDiversity(columns=("a", "b"), sensitive="s", l=2, by="entropy"),
    ]))  # fmt: skip
    gone = data.draw(st.sampled_from(rows))
    left = [i for i, row in enumerate(rows) if (row["a"], row["b"]) != (gone["a"], gone["b"])]
    before = found_by(rows, [1] * len(rows), guarantee)
    after = found_by([rows[i] for i in left], [1] * len(left), guarantee) if left else set()
    assert after == {place for place, i in enumerate(left) if i in before}


def people(text: str) -> list[slow.Row]:
    """One word a person: two known values and a sensitive one. ``~`` is a cell that was blanked: a value of its own."""
    return [dict(zip("abs", word, strict=True)) for word in text.split()]


LIKELY = AttributeDisclosure(columns=("a", "b"), sensitive="s", known=1, p=0.25)
CERTAIN = AttributeDisclosure(columns=("a", "b"), sensitive="s")


@pytest.mark.parametrize(
    ("before", "after", "guarantee", "shares"),
    [
        # Coarsening the known column a: peers come who have the same value.
        ("bxs bxs bxt cxs dxt", "bxs bxs bxt bxs dxt", LIKELY, (2, 4)),
        # Merging the sensitive values s and t makes them certain.
        ("bxt ayu bxs", "bxv ayu bxv", CERTAIN, (1, 3)),
        # Leaving out one record, or a whole class, where a share is allowed or sets are smaller than classes.
        ("byt byu", "byt", CERTAIN, (0, 1)),
        ("ayt axs axt", "ayt", CERTAIN, (1, 1)),
        ("bxs byt byu axu ays", "byt byu axu ays", KAnonymity(columns=("a", "b"), least=2, known=1), (0, 1)),
        # Blanking a cell sets its record apart from those it was like.
        ("byt byu", "~yt byu", CERTAIN, (0, 2)),
        ("byt byu", "~yt byu", KAnonymity(columns=("a", "b"), least=2), (0, 2)),
    ],
)  # fmt: skip
def test_what_can_make_it_worse(before, after, guarantee, shares):
    counts = [len(found_by(rows, [1] * len(rows), guarantee)) for rows in (people(before), people(after))]
    assert tuple(counts) == shares, "violators before and after"


def test_who_knows_nothing_counts():
    """Two of three have a value: that is known without knowing anything, so that dropping a column hides nothing."""
    rows = people("bys cxs byt")
    likely = AttributeDisclosure(columns=("a", "b"), sensitive="s", known=1, p=1 / 3)
    assert violation(CodedRows.of(table_of(rows)), likely).by_set == (((), 2), (("a",), 1), (("b",), 1))
    assert found_by(rows, [1, 1, 1], likely) == found_by(rows, [1, 1, 1], likely.on(("b", "s"))) == {0, 1}
    nothing = AttributeDisclosure(columns=("a", "b"), sensitive="s", known=0)
    assert found_by(people("axs bys"), [1, 1], nothing) == {0, 1}
    assert found_by(rows, [1, 1, 1], nothing) == set()
