"""Criteria on persons of several rows, recomputed from the rows that leave by plain code."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.reference.persons as slow
from anonlib.basics.errors import InputError
from anonlib.coarsening.recoding import ValueMap
from anonlib.counting.privacy_models import (
    ALL,
    ONE,
    VALUES,
    AttributeDisclosure,
    AverageRiskLimit,
    KAnonymity,
    LDiversity,
    TCloseness,
    violations,
)
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import AtMostRows, DropColumns, Recode, Unlink
from anonlib.verdict.criteria import (
    AverageRisk,
    Case,
    Closeness,
    Combinations,
    Diversity,
    EarlierReleases,
    HighestRisk,
    Inference,
    RareValues,
    SmallestClass,
    State,
    counted,
    criterion_from_dict,
    judge,
    sizes_asked,
)
from anonlib.verdict.criteria.recipients import BY_KEY
from anonlib.verdict.criteria.rows import LINKED, Linking, linking
from tests.helpers.examples import settings
from tests.helpers.small_release import OTHER, PERSON, QI, SENSITIVE
from tests.helpers.verdicts import case_with

ROLES = {"id": PERSON, "a": QI, "b": QI, "s": SENSITIVE, "t": SENSITIVE}
TOPPED = Recode("b", ValueMap((), otherwise="*", missing="*"))
RECIPES = ([], [TOPPED], [Unlink("id")], [TOPPED, Unlink("id")], [DropColumns(("t",))])
ROWS = st.sampled_from([(ONE,), (VALUES,), (ALL,), (ONE, VALUES), (2,), (LINKED,)])


def case_of(persons: list[slow.Person], *steps, **more) -> Case:
    return case_with(Dataset.from_frame(slow.frame_of(persons), roles=ROLES), *steps, k=2, **more)


def leaving(case: Case) -> list[slow.Person]:
    """The persons of a release, with their rows as they leave."""
    frame = case.released.records.astype(object)
    frame = frame.where(frame.notna(), None)
    persons: dict[str, slow.Person] = {}
    for row in frame.to_dict("records"):
        persons.setdefault(row["id"], []).append({name: row[name] for name in case.released.columns if name != "id"})
    return list(persons.values())


def linked_by(persons: list[slow.Person], columns: list[str], k: int) -> tuple[str, ...]:
    """Columns that change for nobody, where somebody of several rows shares them with too few."""
    constant = tuple(name for name in columns if all(len({row[name] for row in person}) == 1 for person in persons))
    alike = [tuple(person[0][name] for name in constant) for person in persons]
    reports = any(len(person) > 1 and alike.count(own) < k for person, own in zip(persons, alike, strict=True))
    return constant if reports and constant else ()  # with fewer than ten persons, none of whom may change


def several(person: slow.Person) -> bool:
    return len(person) > 1


def asked_of_original(case: Case, persons: list[slow.Person], rows) -> list:
    """As of the release; where that has one row a person, by the columns of the original that are no identifier."""
    if case.linking.several or not any(map(several, persons)):
        return asked(case, leaving(case), rows)
    linked = "id" in case.released.columns or linked_by(persons, ["a", "b", "s", "t"], case.k)
    return list(dict.fromkeys((ALL if linked else ONE) if each == LINKED else each for each in rows))


def asked(case: Case, persons: list[slow.Person], rows) -> list:
    if all(len(person) == 1 for person in persons):
        return [VALUES]
    leaves = "id" in case.released.columns
    linked = leaves or linked_by(persons, [name for name in case.released.columns if name != "id"], case.k)
    return list(dict.fromkeys((ALL if linked else ONE) if each == LINKED else each for each in rows))


@settings(max_examples=60)
@given(slow.people(), st.sampled_from(RECIPES), st.integers(1, 4), ROWS)
def test_sizes_that_are_asked_for_are_those_of_the_criterion(persons, steps, k, rows):
    case = case_of(persons, *steps)
    found, asked_for = SmallestClass(k, rows=rows).check(case), sizes_asked(case, k, rows)
    assert (asked_for.before.k, asked_for.after.k, asked_for.after.below) == (found.original, found.now, found.persons)
    assert asked_for.after.n_records == found.n_persons
    assert list(asked_for.rows) == (asked_of_original(case, persons, rows) if any(map(several, persons)) else [])


FIRST_ROWS = AtMostRows(1, secret="0" * 32)


@settings(max_examples=100)
@given(slow.people(), st.sampled_from([*RECIPES, [FIRST_ROWS], [FIRST_ROWS, Unlink("id")]]), st.integers(1, 3), ROWS)
def test_the_original_is_counted_by_the_rows_that_are_asked_for_also_where_one_a_person_leaves(persons, steps, k, rows):
    case, known = case_of(persons, *steps), ("a", "b")
    ways = asked_of_original(case, persons, rows)
    sizes = [slow.sizes(persons, known, way) for way in ways]
    smallest = min(map(min, sizes))
    assert SmallestClass(k, rows=rows).check(case).original == smallest
    assert HighestRisk(0.4, rows=rows).check(case).original == pytest.approx(1 / smallest)
    before = sizes_asked(case, k, rows).before
    assert (before.k, before.below) == (smallest, max(sum(size < k for size in each) for each in sizes))
    average = max(slow.average(persons, AverageRiskLimit(columns=known, limit=1, rows=way)) for way in ways)
    assert AverageRisk(0.5, rows=rows).check(case).original == pytest.approx(float(average))
    some = [KAnonymity(columns=known, known=1, least=2, share=0.34, rows=way) for way in ways]
    below = max(len(slow.violating(persons, each)) for each in some)
    assert Combinations(1, 2, 0.34, rows=rows).check(case).original == pytest.approx(below / len(persons))
    rare = min(min(slow.sizes(persons, ["s"], way)) for way in ways)
    assert RareValues(k, "s", rows=rows).check(case).original == rare


def test_the_worse_figure_of_one_row_is_seen_where_one_row_a_person_leaves():
    """Ten persons were in both wards; of each one visit leaves, of one person alone the one in ward y."""
    orders = [[("x", "1"), ("y", "2")]] * 9 + [[("x", "2"), ("y", "1")]]
    rows = [(f"p{i}", ward, day) for i, visits in enumerate(orders) for ward, day in visits]
    frame = pd.DataFrame(rows, columns=["id", "ward", "day"], dtype=object)
    data = Dataset.from_frame(frame, roles={"id": PERSON, "ward": QI, "day": OTHER})
    case = case_with(data, AtMostRows(1, which="first", by="day", secret="0" * 32), Unlink("id"), k=2)
    found = SmallestClass(2, rows=(ONE,)).check(case)
    assert (found.original, found.now, found.state) == (10, 1, State.NOT_MET)
    asked_for = sizes_asked(case, 2, (ONE,))
    assert (asked_for.before.k, asked_for.after.k, asked_for.after.below, asked_for.rows) == (10, 1, 1, (ONE,))


@settings(max_examples=150)
@given(slow.people(), st.sampled_from(RECIPES), ROWS, st.integers(1, 4))
def test_sizes(persons, steps, rows, k):
    case = case_of(persons, *steps)
    left, known = leaving(case), tuple(case.released.quasi_identifiers)
    ways = asked(case, left, rows)
    sizes = {way: slow.sizes(left, known, way) for way in ways}
    smallest, below = min(map(min, sizes.values())), {way: sum(s < k for s in each) for way, each in sizes.items()}
    found = SmallestClass(k, rows=rows).check(case)
    assert (found.now, found.is_met, found.persons, found.n_persons) == (
        smallest, smallest >= k, max(below.values()), len(left)
    )  # fmt: skip
    assert dict(found.by_rows) == (below if case.linking.several else {})
    some = Combinations(1, max(2, k), 0.34, rows=rows).check(case)
    worst = max(
        len(slow.violating(left, KAnonymity(columns=known, known=1, least=max(2, k), rows=way))) for way in ways
    )
    assert (some.persons, some.is_met) == (worst, worst / len(left) <= 0.34)
    everything = Combinations(0, max(2, k), 0.5, rows=rows).check(case)
    assert everything.persons == max(sum(s < max(2, k) for s in each) for each in sizes.values())
    average = max(slow.average(left, AverageRiskLimit(columns=known, limit=1, rows=way)) for way in ways)
    assert AverageRisk(0.5, rows=rows).check(case).now == pytest.approx(float(average))
    highest = HighestRisk(0.4, rows=rows).check(case)
    assert highest.now == pytest.approx(1 / smallest)
    assert highest.persons == max(sum(1 / s > 0.4 for s in each) for each in sizes.values())
    rare = RareValues(k, "s", rows=rows).check(case)
    assert rare.now == min(min(slow.sizes(left, ["s"], way)) for way in ways)


@settings(max_examples=150)
@given(slow.people(), st.sampled_from(RECIPES), ROWS, st.sampled_from([0, 1, 2]), st.sampled_from([0.0, 0.0, 0.34]))
def test_inference(persons, steps, rows, m, p):
    case = case_of(persons, *steps, harmless={"s": ("g0",)})
    left, known = leaving(case), tuple(case.released.quasi_identifiers)
    expected = 0
    for name in case.released.sensitive:
        harmless = ("g0",) if name == "s" else ()
        for way in asked(case, left, rows):
            guarantee = AttributeDisclosure(
                columns=known, sensitive=name, known=m or None, p=p, harmless=harmless, rows=way
            )
            unlinked = not case.linking.is_linked and case.linking.several and way == ONE
            who = slow.violating_unlinked(left, guarantee) if unlinked else slow.violating(left, guarantee)
            expected = max(expected, len(who))
    found = Inference(m, p, 0.2, rows=rows).check(case)
    assert (found.persons, found.n_persons) == (expected, len(left))
    assert found.is_met == (expected / len(left) <= 0.2)


@settings(max_examples=60)
@given(slow.people(), ROWS)
def test_diversity_and_closeness(persons, rows):
    case = case_of(persons)
    left, ways = leaving(case), asked(case, persons, rows)
    for l in (1, 2, 3):  # noqa: E741 - the measure's own name
        met = Diversity(l, rows=rows).check(case).is_met
        guarantees = [LDiversity(columns=case.known, sensitive=s, l=l, rows=w) for s in case.sensitive for w in ways]
        assert met == (not any(slow.violating(left, each) for each in guarantees))
    for t in (0.1, 0.3, 0.6):
        met = Closeness(t, rows=rows).check(case).is_met
        guarantees = [TCloseness(columns=case.known, sensitive=s, t=t, rows=w) for s in case.sensitive for w in ways]
        assert met == (not any(slow.violating(left, each) for each in guarantees))


@settings(max_examples=100)
@given(slow.people(), st.integers(1, 4))
def test_whether_rows_can_be_linked(persons, k):
    case = case_of(persons, Unlink("id"))
    several = any(len(person) > 1 for person in persons)
    found = linking(case.released, k)
    expected = linked_by(persons, ["a", "b", "s", "t"], k) if several else ()
    assert (found.several, found.by) == (several, expected)
    assert linking(case.original, k) == Linking(several, ("id",) if several else ())


@settings(max_examples=40)
@given(slow.people(), st.sampled_from([(ONE,), (VALUES,), (ALL,)]))
def test_earlier_releases_of_persons(persons, rows):
    """Who holds the original too, as an earlier release, holds all there is."""
    case = case_of(persons, TOPPED, earlier=(Recipe(),))
    way = VALUES if all(len(person) == 1 for person in persons) else rows[0]
    found = EarlierReleases(2, 0.0, rows=rows).check(case)
    doubled = [[{**row, "B": "*"} for row in person] for person in persons]
    sizes = slow.sizes(doubled, ["a", "b", "B"], way)
    assert found.now == min(sizes)
    concerned = {i for i, size in enumerate(sizes) if size < 2}
    for name in "st":
        concerned |= set(
            slow.violating(doubled, AttributeDisclosure(columns=("a", "b", "B"), sensitive=name, rows=way))
        )
    assert found.persons == len(concerned)


# --- what is said, and what is kept ---------------------------------------------------------------------------------


def wards(orders: list[str]) -> Dataset:
    """A person a text: the ward of each month in turn."""
    rows = [(f"p{i}", str(month), ward) for i, order in enumerate(orders) for month, ward in enumerate(order)]
    frame = pd.DataFrame(rows, columns=["id", "month", "ward"], dtype=object)
    return Dataset.from_frame(frame, roles={"id": PERSON, "month": QI, "ward": QI})


def test_persons_in_every_ward_in_their_own_order_are_alone():
    """By the values of each column all are alike; by month and ward nobody is like anybody."""
    orders = ["abcdef"[i:] + "abcdef"[:i] for i in range(6)] + ["bacdef"[i:] + "bacdef"[:i] for i in range(6)]
    case = case_with(wards(orders))
    assert SmallestClass(5, rows=VALUES).check(case).now == 12
    found = SmallestClass(5, rows=(VALUES, ALL)).check(case)
    assert (found.state, found.now, found.persons) == (State.NOT_MET, 1, 12)
    assert "12 (all visits known) and 0 (the values of each column known)" in found.says
    asks = SmallestClass(5, rows=(VALUES, ALL)).describe_in("persons", True)
    by_values = "Asked against who knows the values that a person's visits have in each column, and"
    assert asks.endswith(f"{by_values} who knows all visits of a person.")
    assert (
        SmallestClass(5, rows=(LINKED,))
        .describe_in("persons", True)
        .endswith(
            "Asked against who knows all visits of a person where they can be linked, else who saw a person once."
        )
    )
    assert "Asked against who saw a person once, and who" in SmallestClass(5).describe_in("persons", True)
    assert "Asked against" not in SmallestClass(5).describe_in("persons", False)


def test_a_share_by_all_rows_is_not_looked_at_where_everybody_has_one_row():
    frame = pd.DataFrame({"id": list("abcde"), "a": list("xxxxx")})
    data = Dataset.from_frame(frame, roles={"id": PERSON, "a": QI})
    contract = BY_KEY["contract"]
    titles = {
        several: [each.criterion.title for each in judge(case, contract.criteria, recipient=contract.name).findings]
        for several, case in (
            (False, case_with(data)), (True, case_of([[dict.fromkeys("abst", "x")] * 2] * 6)),
        )
    }  # fmt: skip
    assert "People sharing all visits" in titles[True] and "People sharing all visits" not in titles[False]
    alone = (Combinations(0, 5, 0.05, rows=(ALL,)),)
    assert judge(case_with(data), alone, recipient="x").findings, "nothing else asks it"


def test_what_is_not_stated_of_rows_is_what_the_recipient_takes_to_be_known():
    values = {"kind": "smallest_class", "k": 7}
    assert criterion_from_dict(values, (LINKED,)).rows == (LINKED,)
    assert criterion_from_dict(values | {"rows": [1, "values"]}).rows == (ONE, VALUES)
    assert criterion_from_dict(values | {"rows": "all"}, (LINKED,)).rows == (ALL,)
    for wrong in ("some", 0, [], [1, "none"], 1.5, None):
        with pytest.raises(InputError):
            criterion_from_dict(values | {"rows": wrong})


def test_columns_that_link_rows_without_the_person_id_are_named():
    """A blood group that one person alone has tells which rows are theirs."""
    rows = [("p0", "x", "AB-"), ("p0", "y", "AB-"), *[(f"p{i}", ward, "0+") for i in range(1, 7) for ward in "xy"]]
    frame = pd.DataFrame(rows, columns=["id", "ward", "blood"], dtype=object)
    data = Dataset.from_frame(frame, roles={"id": PERSON, "ward": QI, "blood": OTHER})
    case = case_with(data, Unlink("id"), k=3)
    found = SmallestClass(3, rows=(LINKED,)).check(case)
    assert case.linking.by == ("blood",) and "by blood, which does not change for a person" in found.says
    assert not case_with(data, Unlink("id"), DropColumns(("blood",)), k=3).linking.is_linked


def test_a_slip_of_the_pen_does_not_hide_the_rows_of_others():
    """Four persons share a card. One visit of one person has the card of others, or none: the rest are told by it."""
    wards = ["d" if 90 <= i < 93 else "abcd"[(i * i + i // 4) % 4] for i in range(180)]
    cards = [f"card {i // 12}" for i in range(180)]  # three visits each, four persons a card
    for slip in ("card 9", None):
        columns = {"id": [f"p{i // 3}" for i in range(180)], "ward": wards, "card": [slip, *cards[1:]], "yes": "x"}
        frame = pd.DataFrame(columns, dtype=object)
        data = Dataset.from_frame(frame, roles={"id": PERSON, "ward": QI, "card": OTHER, "yes": OTHER})
        case = case_with(data, Unlink("id"), k=5)
        seen = [sorted(rows) for _, rows in frame.groupby("id")["ward"]]
        below = sum(seen.count(own) < 5 for own in seen)
        found = SmallestClass(5, rows=(LINKED,)).check(case)
        assert (found.state, found.persons) == (State.NOT_MET, below) and below > 0
        assert case.linking == Linking(True, ("card", "yes"), for_few=True)
        assert "by card, which changes for few persons." in found.says, "all have “yes” in common"
        assert not linking(case.released, 4).is_linked, "four share each card"


def test_a_column_of_which_nearly_all_rows_are_alike_links_nobody():
    """Few take a medicine, and in one row each: that the others have “no” in all rows tells nothing."""
    rows = [(f"p{i // 2}", "ab"[i % 2], "yes" if i in (0, 9, 33) else "no") for i in range(100)]
    frame = pd.DataFrame(rows, columns=["id", "ward", "medicine"], dtype=object)
    data = Dataset.from_frame(frame, roles={"id": PERSON, "ward": QI, "medicine": OTHER})
    assert linking(Recipe.of([Unlink("id")]).apply(data).released, 60) == Linking(True)


# --- counted once ---------------------------------------------------------------------------------------------------


def test_what_leaves_as_it_was_is_counted_once(monkeypatch):
    """The original is not counted again for a release, nor a release that is the original; links of rows matter."""
    asked: list[int] = []

    def count(coded, guarantees, progress):
        asked.append(len(guarantees))
        return violations(coded, guarantees, progress)

    monkeypatch.setattr("anonlib.verdict.criteria.case.violations", lambda *given: count(*given) if given[1] else ())
    persons = [[dict(zip("abst", row, strict=True))] * 2 for row in ("xyuv", "xyuw", "zywv", "zyuv")]
    inference, before = Inference(2, rows=(ONE, VALUES)), counted(case_of(persons).original)
    first = inference.check(case_of(persons, before=before))
    assert asked == [4], "two columns by one row and by values, not twice"
    again = inference.check(case_of(persons, before=before))
    assert asked == [4] and again == first
    assert inference.check(case_of(persons, TOPPED, before=before)).original == first.original
    assert asked == [4, 4]
    assert inference.check(case_of(persons)) == first == inference.check(case_of(persons, Unlink("id")))


@given(slow.people(), st.sampled_from(RECIPES))
def test_counted_before_or_not_is_the_same(persons, steps):
    case = case_of(persons, *steps)
    before = counted(case.original)
    for criterion in (Inference(1, rows=(ONE, VALUES)), Combinations(2, 2, rows=(ONE,))):
        criterion.check(case_of(persons, before=before))
        assert criterion.check(case_of(persons, *steps, before=before)) == criterion.check(case)


def test_a_verdict_tells_how_far_it_is_and_can_be_stopped():
    case = case_of([[dict.fromkeys("abst", "x")] * 2] * 6, TOPPED)
    reports: list[float] = []
    verdict = judge(case, BY_KEY["contract"].criteria, recipient="x", progress=reports.append)
    assert reports == sorted(reports) and reports[0] == 0 and reports[-1] <= 1 and len(reports) > len(verdict.findings)

    def stop(share: float) -> None:
        if share > 0.3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        judge(
            case_of([[dict.fromkeys("abst", "x")] * 2] * 6), BY_KEY["contract"].criteria, recipient="x", progress=stop
        )
