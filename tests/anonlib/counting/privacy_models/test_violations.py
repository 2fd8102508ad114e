"""Who violates a guarantee, against the definitions, and what makes it better or worse.

Spellings that a person reads as one value: every count is the stricter of that by spellings and that by values.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import tests.reference.guarantees as slow
import tests.reference.persons as slow_persons
from anonlib.counting.classes import ClassTable
from anonlib.counting.classes.person_table import PersonTable
from anonlib.counting.privacy_models import (
    ONE,
    VALUES,
    AttributeDisclosure,
    AverageRiskLimit,
    CodedPersons,
    CodedRows,
    KAnonymity,
    LDiversity,
    PrivacyModel,
    TCloseness,
    left_after,
    rows_left,
    violating,
    violation,
    violations,
    worst,
)
from anonlib.dataset import Dataset
from anonlib.reading.records import FrameRecords
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
    monkeypatch.setattr("anonlib.counting.privacy_models.marking._LITTLE", 0)
    monkeypatch.setattr("anonlib.counting.privacy_models.marking.n_threads", lambda: 2)
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


# How the reference's values are spelled here, in the same order, and what they are read as.
SPELLINGS = st.sampled_from(
    [
        ({"g0": "1", "g1": "1.0", "g2": "2", "g3": "2,0"}, {"1.0": "1", "2,0": "2"}),
        ({"g0": "G", "g1": "g", "g2": "g ", "g3": "h"}, {"g": "G", "g ": "G"}),
    ]
)
Row = dict


def spelled(rows: list[Row], names: dict[str, str]) -> list[Row]:
    return [{column: names.get(value, value) for column, value in row.items()} for row in rows]


def with_names(guarantee: PrivacyModel, names: dict[str, str]) -> PrivacyModel:
    if not isinstance(guarantee, AttributeDisclosure):
        return guarantee
    return replace(guarantee, harmless=tuple(names[value] for value in guarantee.harmless))


def readings(rows: list[list[Row]], guarantee: PrivacyModel, read: dict[str, str]):
    """Known and sensitive values, each as spelled and as read: persons by their rows, and what is asked of them."""
    sensitive = getattr(guarantee, "sensitive", None)
    for known_read, sensitive_read in product((False, True), repeat=2):
        chosen = {*(guarantee.columns if known_read else ()), *((sensitive,) if sensitive_read else ())}
        changed = [
            [{column: read.get(v, v) if column in chosen else v for column, v in row.items()} for row in person]
            for person in rows
        ]
        asked = guarantee
        if isinstance(guarantee, AttributeDisclosure) and sensitive_read:
            # A value is harmless where each of its spellings that occur is.
            occurring = {row[sensitive] for person in rows for row in person} - {None}
            harmful = {read.get(v, v) for v in occurring - {*guarantee.harmless}}
            asked = replace(guarantee, harmless=tuple({read.get(v, v) for v in guarantee.harmless} - harmful))
        yield changed, asked


@settings(max_examples=300)
@given(st.data(), SPELLINGS)
def test_records_by_every_reading(data, spellings):
    names, read = spellings
    rows = spelled(data.draw(slow.rows()), names)
    weights = data.draw(slow.weights(len(rows)))
    guarantee = with_names(data.draw(slow.ROW_BY_ROW), names)
    expected = set[int]()
    for changed, asked in readings([[row] for row in rows], guarantee, read):
        expected |= slow.violating([row for (row,) in changed], weights, asked)
    table = slow.table_of(rows, weights)
    coded = CodedRows.of(table)
    mask = violating(coded, guarantee)
    found = {i for i, place in enumerate(table.class_of_record.tolist()) if mask[place]}
    if guarantee.share:
        assert found == expected
    else:  # for everybody it is enough to know whether anybody does
        assert bool(found) == bool(expected) and found <= expected
    assert violation(coded, guarantee).records == slow.total(weights, found)


@settings(max_examples=400)
@given(slow_persons.people(), slow_persons.ROW_BY_ROW, SPELLINGS)
def test_persons_by_every_reading(persons, guarantee, spellings):
    names, read = spellings
    persons = [spelled(person, names) for person in persons]
    guarantee = with_names(guarantee, names)
    expected = set[int]()
    for changed, asked in readings(persons, guarantee, read):
        expected |= slow_persons.violating(changed, asked)
    assert violating_persons(persons, guarantee) == expected


@settings(max_examples=150)
@given(slow_persons.people(), slow_persons.not_certain(), SPELLINGS)
def test_rows_that_cannot_be_linked_by_every_reading(persons, guarantee, spellings):
    assume(guarantee.rows == ONE)
    names, read = spellings
    persons = [spelled(person, names) for person in persons]
    guarantee = with_names(guarantee, names)
    expected = set[int]()
    for changed, asked in readings(persons, guarantee, read):
        expected |= slow_persons.violating_unlinked(changed, asked)
    assert violating_persons(persons, guarantee, linked=False) == expected


def coded_persons(persons: list[list[Row]], linked: bool = True) -> tuple[CodedPersons, list[int]]:
    frame = FrameRecords.of(slow_persons.frame_of(persons)).frame
    table = PersonTable.from_frame(frame, list(slow_persons.NAMES), "id")
    first = np.cumsum([0, *map(len, persons)])[:-1]
    return CodedPersons.of(table, linked), table.profile_of_record[first].tolist()


def violating_persons(persons: list[list[Row]], guarantee: PrivacyModel, linked: bool = True) -> set[int]:
    coded, profiles = coded_persons(persons, linked)
    mask = violating(coded, guarantee)
    (together,) = violations(coded, [guarantee])
    assert together.records == int(coded.counts[mask].sum())
    return {i for i, profile in enumerate(profiles) if mask[profile]}


@settings(max_examples=200)
@given(slow.rows(), st.lists(slow.ROW_BY_ROW, min_size=1, max_size=2), SPELLINGS)
def test_of_those_left_everything_holds_by_every_reading(rows, guarantees, spellings):
    names, read = spellings
    rows = spelled(rows, names)
    guarantees = [with_names(each, names) for each in guarantees]
    table = slow.table_of(rows)
    left = left_after(CodedRows.of(table), guarantees, divisible=False)
    kept = [row for row, place in zip(rows, table.class_of_record.tolist(), strict=True) if left[place]]
    for guarantee in guarantees:
        for changed, asked in readings([[row] for row in kept], guarantee, read):
            assert slow.holds([row for (row,) in changed], [1] * len(kept), asked)


@settings(max_examples=150)
@given(slow_persons.people(), st.lists(slow_persons.ROW_BY_ROW, min_size=1, max_size=2), SPELLINGS)
def test_of_rows_left_everything_holds_by_every_reading(persons, guarantees, spellings):
    names, read = spellings
    persons = [spelled(person, names) for person in persons]
    guarantees = [with_names(each, names) for each in guarantees]
    coded, _ = coded_persons(persons)
    left, _, _ = coded.with_times(rows_left(coded, guarantees))
    kept = [
        [
            {name: coded.rows.labels[name][coded.rows.codes[name][row]] for name in slow_persons.NAMES}
            for row, times in zip(left.row[low:high].tolist(), left.times[low:high].tolist(), strict=True)
            for _ in range(times)
        ]
        for low, high, n in zip(left.start[:-1], left.start[1:], left.counts.tolist(), strict=True)
        for _ in range(n)
    ]
    for guarantee in guarantees:
        for changed, asked in readings(kept, guarantee, read):
            assert slow_persons.holds(changed, asked)


@settings(max_examples=200)
@given(slow.rows(), SPELLINGS, slow.COLUMNS)
def test_the_worst_figure_is_that_of_the_worst_reading(rows, spellings, columns):
    names, read = spellings
    rows = spelled(rows, names)
    asked = LDiversity(columns=columns, sensitive="s", l=1)
    tables = [slow.table_of([row for (row,) in changed]) for changed, _ in readings([[r] for r in rows], asked, read)]
    coded = CodedRows.of(slow.table_of(rows))
    for measure, of_all in (("distinct", min), ("entropy", min), ("equal", max), ("ordered", max)):
        found = worst(coded, columns, "s", measure, VALUES)
        assert found == pytest.approx(of_all(figure(table, columns, measure) for table in tables))


def figure(table: ClassTable, columns: tuple[str, ...], measure: str) -> float:
    """By labels alone: none of them is read as another."""
    renamed = {
        "s": np.array(
            [None if value is None else f"{i}x" for i, value in enumerate(table.categories[-2])], dtype=object
        )
    }
    return worst(CodedRows.of(table.recode(renamed)), columns, "s", measure, VALUES)


# --- the examples that show why -------------------------------------------------------------------------------------


def rows_of(*pairs: tuple[str, str]) -> CodedRows:
    return CodedRows.of(ClassTable.from_frame(pd.DataFrame(pairs, columns=["a", "s"], dtype=object)))


@pytest.mark.parametrize("one, other", [("HIV", "hiv"), ("1", "1.0"), ("gout", "gout ")])
def test_who_has_two_spellings_of_one_value_among_their_peers_is_certain(one, other):
    rows = rows_of(("x", one), ("x", other), ("y", one), ("y", "flu"))
    certain = violation(rows, AttributeDisclosure(columns=("a",), sensitive="s"))
    assert certain.records == 2
    assert violation(rows, LDiversity(columns=("a",), sensitive="s", l=2)).records == 2
    assert worst(rows, ["a"], "s", "distinct", VALUES) == 1
    assert worst(rows, ["a"], "s", "entropy", VALUES) == pytest.approx(1)


def test_known_values_are_distinguished_as_they_are_spelled():
    rows = rows_of(("x", "flu"), ("X", "gout"))
    assert violation(rows, KAnonymity(columns=("a",), least=2)).records == 2
    assert violation(rows, AttributeDisclosure(columns=("a",), sensitive="s")).records == 2


def test_two_spellings_are_no_closer_than_one():
    """By spellings the class of x has half of the file's spellings of one value; as one value it is as all are."""
    rows = rows_of(("x", "HIV"), ("y", "hiv"))
    assert worst(rows, ["a"], "s", "equal", VALUES) == pytest.approx(0.5)


def test_in_order_one_value_can_be_further():
    """Of three spellings two are one: from one end to the other is one step, not two."""
    rows = rows_of(("x", "1"), ("x", "1.0"), ("y", "2"), ("y", "2"))
    assert worst(rows, ["a"], "s", "ordered", VALUES) == pytest.approx(0.5)
    by_spelling = (0.25 + 0.5) / 2
    assert by_spelling < 0.5


def test_more_may_be_nearly_sure_where_known_values_are_read_as_one():
    """By spellings 2 of 3 of X have it, and both of x; of all five who are read as x 4 do, more than 3 in 4."""
    rows = rows_of(("X", "HIV"), ("X", "HIV"), ("X", "flu"), ("x", "HIV"), ("x", "HIV"))
    likely = AttributeDisclosure(columns=("a",), sensitive="s", p=0.25, share=0.5)
    assert dict(violation(rows, likely).by_set)[("a",)] == 4


def test_a_spelling_that_is_not_named_as_harmless_harms():
    rows = rows_of(("x", "none"), ("x", "none"), ("y", "None"), ("y", "flu"))
    asked = AttributeDisclosure(columns=("a",), sensitive="s", harmless=("none",))
    assert violation(rows, asked).records == 2, "as of coarser values, all spellings have to be harmless"
    assert violation(rows, replace(asked, harmless=("none", "None"))).records == 0


def test_who_holds_both_spellings_holds_one_value():
    persons = [[{"a": "x", "b": None, "s": s, "t": None} for s in held] for held in (["HIV", "flu"], ["hiv", "gout"])]
    for rows in (ONE, VALUES, 2, "all"):
        asked = AttributeDisclosure(columns=("a",), sensitive="s", rows=rows)
        assert violating_persons(persons, asked) == {0, 1}
        assert violating_persons(persons, LDiversity(columns=("a",), sensitive="s", l=2, rows=rows)) == {0, 1}
    assert violating_persons(persons, TCloseness(columns=("a",), sensitive="s", t=0.0)) == set()
