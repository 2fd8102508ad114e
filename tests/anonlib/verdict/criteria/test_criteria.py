"""Every kind of criterion against counting person by person, on random files with a recipe."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.reference.criteria as counting
import tests.reference.guarantees as slow
from anonlib.basics.thresholds import most_left_out
from anonlib.coarsening.recoding import ValueMap
from anonlib.counting.classes.subsets import n_subsets
from anonlib.counting.privacy_models import left_after
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.revealing_columns import _MOST_CELLS
from anonlib.release.steps import DropColumns, LeaveOut, Recode
from anonlib.verdict.criteria import (
    CRITERION_KINDS,
    AverageRisk,
    Case,
    Closeness,
    ColumnsStay,
    Combinations,
    Criterion,
    DetailKept,
    Diversity,
    EarlierReleases,
    HighestRisk,
    Inference,
    Leakage,
    MethodDisclosure,
    NoIdentifiers,
    NoRevealingColumns,
    RareValues,
    RecordsKept,
    SafeHarbor,
    SamePseudonyms,
    SmallestClass,
    SmallestPlace,
    State,
    UnclassifiedColumns,
    UniquenessOfRelease,
    judge,
)
from anonlib.verdict.criteria.case import A_QUESTION, MOST_LOOKED_AT
from tests.helpers.examples import settings
from tests.helpers.small_release import OTHER, QI, SENSITIVE
from tests.helpers.verdicts import case_with, records
from tests.reference.generalization import TOP

TOPPED = ValueMap((), otherwise=TOP, missing=TOP)
PAIRS = ValueMap((("g0", "low"), ("g1", "low"), ("g2", "high"), ("g3", "high")))


@st.composite
def cases(draw: st.DrawFn, counted: tuple[str, ...] = ("", "", "i", "w")) -> Case:
    """A file with gaps, of persons, weighted or neither, and a recipe that recodes, drops and leaves out."""
    recoding = st.builds(Recode, st.sampled_from(slow.KNOWN), st.sampled_from([TOPPED, PAIRS]))
    coarser = st.builds(Recode, st.sampled_from(slow.SENSITIVE), st.just(PAIRS))
    dropping = st.builds(DropColumns, st.sampled_from([("a",), ("s",), ("b", "c"), ("s", "t")]))
    leaving_out = st.just(LeaveOut(2)) | st.just(LeaveOut(guarantees=(slow.KAnonymity(columns=("a",), least=2),)))
    steps = draw(st.lists(recoding | coarser | dropping | leaving_out, max_size=3))
    harmless = draw(st.sampled_from([{}, {}, {"s": ("g0",)}, {"s": ("g0", "g2"), "t": ("g1",)}]))
    return case_with(draw(records(2, 9, counted)), *steps, harmless=harmless)


def both(case: Case) -> tuple[tuple[list[slow.Row], list[int]], tuple[list[slow.Row], list[int]]]:
    return counting.people(case.original), counting.people(case.released)


def known_in(dataset: Dataset) -> tuple[str, ...]:
    return tuple(dataset.quasi_identifiers)


def harmless_label(case: Case, name: str, value: str | None) -> bool:
    """Missing, or a label of which every part stands for harmless values alone."""
    label_of = {each: each for each in case.original.held.values(name)}
    for step in case.recipe.enabled:
        if isinstance(step, Recode) and step.column == name:
            label_of = {each: step.labels([label])[0] for each, label in label_of.items() if label is not None}
    harms = {label for each, label in label_of.items() if each not in case.harmless.get(name, ())}
    return value is None or not harms & {*value.split(" and ")}


def check_shown(finding, value: float, met: bool) -> None:
    assert finding.now == pytest.approx(value, abs=1e-9)
    assert finding.state is (State.MET if met else State.NOT_MET)


@settings(max_examples=80)
@given(cases(counted=("", "w")), st.data())
def test_sizes_and_risks(case, data):
    (before, weighing), (after, weights) = both(case)
    if not after or not before:
        return
    known, now = case.known, known_in(case.released)
    least, k = min(counting.sizes(after, weights, now)), data.draw(st.integers(1, 4))
    found = SmallestClass(k).check(case)
    check_shown(found, least, least >= k)
    assert found.original == min(counting.sizes(before, weighing, known))
    small = slow.total(weights, [i for i, size in enumerate(counting.sizes(after, weights, now)) if size < k])
    assert (found.persons, found.n_persons) == (small, sum(weights))
    assert not small or f"({small:,} of {sum(weights):,} {case.unit[:-1]}" in found.says
    average = counting.risk(after, weights, now)[1]
    limit = data.draw(st.sampled_from([0.2, 0.25, 1 / 3, 0.5, 0.6, 1.0]))
    check_shown(AverageRisk(limit).check(case), average, average <= limit)
    if now:
        highest = counting.risk(after, weights, now)[0]
        found = HighestRisk(limit).check(case)
        check_shown(found, highest, highest <= limit)
        above = slow.total(
            weights, [i for i, size in enumerate(counting.sizes(after, weights, now)) if 1 / size > limit]
        )
        assert found.persons == above
        for guarantee in HighestRisk(limit).guarantees(case):
            assert (min(counting.sizes(after, weights, now)) >= guarantee.least) == found.is_met
    m, most = data.draw(st.integers(1, 3)), data.draw(st.sampled_from([0.0, 0.2, 0.25, 0.5]))
    small = {
        i
        for chosen in slow.sets_known(now, m)
        for i, size in enumerate(counting.sizes(after, weights, chosen))
        if size < max(2, k)
    }
    share = slow.total(weights, small) / sum(weights)
    found = Combinations(m, max(2, k), most).check(case)
    check_shown(found, share, share <= most)
    assert all(n > 0 for _, n in found.worst) and found.persons == slow.total(weights, small)


@settings(max_examples=80)
@given(cases(counted=("", "w")), st.data())
def test_inference(case, data):
    _, (after, weights) = both(case)
    if not after:
        return
    p = data.draw(st.sampled_from([0.0, 0.0, 0.3, 0.5]))
    asked = Inference(data.draw(st.integers(0, 3)), p, data.draw(st.sampled_from([0.0, 0.2, 0.34])),
                      data.draw(st.sampled_from(["quasi_identifiers", "other_sensitive"])))  # fmt: skip
    expected = {}
    for name in case.released.sensitive:
        others = [each for each in case.released.sensitive if each != name] if asked.knows == "other_sensitive" else []
        guarantee = slow.AttributeDisclosure(
            columns=(*known_in(case.released), *others), sensitive=name, known=asked.known or None, p=p
        )
        certain = {
            i for i in slow.violating(after, weights, guarantee) if not harmless_label(case, name, after[i][name])
        }
        expected[name] = slow.total(weights, certain)
    found = asked.check(case)
    if not expected:
        assert found.is_met and "not released" in found.says
        return
    worst = max(expected.values())
    check_shown(found, worst / sum(weights), worst / sum(weights) <= asked.most)
    assert (found.persons, found.n_persons) == (worst, sum(weights))
    assert f"({worst:,} of" in found.says or (not worst and "No value of" in found.says)


@settings(max_examples=60)
@given(cases(counted=("", "w")), st.data())
def test_diversity_and_closeness(case, data):
    (before, weighing), (after, weights) = both(case)
    if not after or not before:
        return
    known, now = case.known, known_in(case.released)
    by, kind = data.draw(st.sampled_from(["distinct", "entropy"])), "equal"
    l, t = data.draw(st.sampled_from([1, 1.5, 2])), data.draw(st.sampled_from([0.1, 0.25, 0.5]))  # noqa: E741
    diverse, close = Diversity(l, by).check(case), Closeness(t, kind).check(case)
    left = case.released.sensitive
    if not left:
        assert diverse.is_met and close.is_met and diverse.now is None
        return
    least = min(counting.least_l(after, weights, now, name, by) for name in left)
    check_shown(diverse, least, least >= l - 1e-9)
    furthest = max(counting.largest_t(after, weights, now, name, kind) for name in left)
    check_shown(close, furthest, furthest <= t + 1e-9)
    assert diverse.original == pytest.approx(
        min(counting.least_l(before, weighing, known, name, by) for name in case.sensitive)
    )
    lacks = {
        diverse: lambda rows, name: counting.least_l(*rows, [], name, by) < l - 1e-9,
        close: lambda rows, name: distance_to_all(rows, name, after, weights) > t + 1e-9,
    }
    for found, lacks_it in lacks.items():
        concerned = {
            name: {i for i in range(len(after)) if lacks_it(class_of(after, weights, now, i), name)} for name in left
        }
        assert found.persons == slow.total(weights, set.union(*concerned.values())), "each person once"
        several = [name for name in left if slow.total(weights, concerned[name])]
        for name in several if len(several) > 1 else ():
            assert re.search(rf"\b{slow.total(weights, concerned[name]):,} by {name}\b", found.says)
        assert bool(found.persons) != found.is_met


def class_of(rows: list[slow.Row], weights: list[int], columns, i: int) -> tuple[list[slow.Row], list[int]]:
    """Those who share the values of one, with their weights."""
    there = slow.alike(rows, i, columns)
    return [rows[j] for j in there], [weights[j] for j in there]


def distance_to_all(
    part: tuple[list[slow.Row], list[int]], name: str, rows: list[slow.Row], weights: list[int]
) -> float:
    """How far the values of a part are from those of all, all of them equally far apart."""
    shares = [
        {value: n / sum(w) for value, n in slow.counted(r, w, name, range(len(r))).items()}
        for r, w in (part, (rows, weights))
    ]
    return sum(abs(shares[0].get(value, 0) - shares[1].get(value, 0)) for value in {*shares[0], *shares[1]}) / 2


@settings(max_examples=60)
@given(cases(), st.data())
def test_leakage(case, data):
    _, (after, weights) = both(case)
    now = known_in(case.released)
    if not after or not now:
        return
    known = data.draw(st.integers(1, 3))
    average, worst = counting.leaks(after, weights, now, known)
    asked = Leakage(known, data.draw(st.sampled_from([0.3, 0.7, 1.0])), data.draw(st.sampled_from([0.4, 0.8, 1.0])))
    found = asked.check(case)
    check_shown(found, average, average <= asked.average + 1e-9 and worst <= asked.worst + 1e-9)
    for guarantee in asked.guarantees(case):  # of the original's bits: it never says less than is asked
        there = guarantee.on(now)
        if all(size >= guarantee.least for chosen in there.sets() for size in counting.sizes(after, weights, chosen)):
            assert worst <= asked.worst + 1e-9


@settings(max_examples=60)
@given(cases(counted=("", "w")), st.sampled_from(["", "s", "a"]), st.integers(1, 4))
def test_rare_values(case, name, least):
    (before, weighing), (after, weights) = both(case)
    if not after or not before:
        return
    asked = RareValues(least, name)
    found, columns = asked.check(case), [name] if name else list(slow.SENSITIVE)
    was = min(min(counting.sizes(before, weighing, [column])) for column in columns)
    shared = {column: counting.sizes(after, weights, [column]) for column in columns if column in case.released.columns}
    assert found.original == was
    if not shared:
        assert found.is_met and found.now is None and found.says.endswith("released.")
        return
    check_shown(found, min(map(min, shared.values())), min(map(min, shared.values())) >= least)
    rare = {column: [i for i, size in enumerate(sizes) if size < least] for column, sizes in shared.items()}
    assert found.persons == slow.total(weights, set().union(*rare.values())), "each person once"
    assert dict(found.worst) == {column: slow.total(weights, each) for column, each in rare.items() if each}
    assert found.n_persons == sum(weights)
    holds = [slow.holds(after, weights, each) for each in asked.guarantees(case) if each.columns[0] in shared]
    assert all(holds) == found.is_met, "a search asks for the same"


@settings(max_examples=60)
@given(cases())
def test_what_is_kept(case):
    whole, kept = case.original.classes([]).n_records, case.released.classes([]).n_records
    if not whole:
        return
    share = kept / whole
    if case.original.has_several_rows:  # of whom the rows are asked about too
        share = min(share, case.released.n_records / case.original.n_records)
    for least in (0.0, 0.5, 2 / 3, 0.9, 1.0):
        found = RecordsKept(least).check(case)
        check_shown(found, share, share >= least - 1e-9)
        assert found.persons == whole - kept
    changed = {name for name in "abcst" if name in case.recipe.recoded or name not in case.released.columns}
    for names in (("a",), ("a", "s"), tuple("abcst")):
        found = ColumnsStay(names).check(case)
        check_shown(found, len(changed & set(names)), not changed & set(names))
    assert ColumnsStay(("nowhere",)).check(case).state is State.UNKNOWN


# --- limits that are reached exactly --------------------------------------------------------------------------------


@settings(max_examples=60)
@given(st.lists(st.integers(1, 12), min_size=1, max_size=9), st.randoms(use_true_random=False))
def test_an_average_that_equals_its_limit_is_met(sizes, rng):
    """In whatever order the records stand: classes / records, for the criterion and for a search."""
    classes = [f"c{i}" for i, size in enumerate(sizes) for _ in range(size)]
    rng.shuffle(classes)
    frame = pd.DataFrame({"s": [f"{i:03}" for i in range(len(classes))], "a": classes})  # each row a class by itself
    case = case_with(Dataset.from_frame(frame, roles={"s": SENSITIVE, "a": QI}))
    exact = Fraction(len(sizes), len(classes))
    found = AverageRisk(float(exact)).check(case)
    assert (found.state, found.now, found.persons) == (State.MET, float(exact), 0)
    below = AverageRisk(math.nextafter(float(exact), 0)).check(case)
    assert (below.state, below.persons) == (State.NOT_MET, len(sizes))
    (guarantee,) = AverageRisk(float(exact)).guarantees(case)
    left = left_after(case.rows, [guarantee])
    assert left.tolist() == case.rows.counts.tolist(), "a search leaves nobody out"


def test_an_average_that_floats_add_up_to_a_little_more():
    """One after the other as floats, these sizes give .25000000000000006."""
    sizes = [5, 5, 3, 5, 5, 4, 5, 3, 4, 4, 3, 4]
    frame = pd.DataFrame({"s": [f"{i:02}" for i in range(12)], "a": [f"class {size}" for size in sizes]})
    found = AverageRisk(0.25).check(case_with(Dataset.from_frame(frame, roles={"s": SENSITIVE, "a": QI})))
    assert (found.now, found.state) == (0.25, State.MET)


@settings(max_examples=60)
@given(st.integers(1, 6), st.integers(1, 5), st.integers(1, 4), st.integers(0, 9))
def test_other_limits_that_are_reached_exactly_are_met(classes, size, values, gone):
    """As many of each value in each class of one size: closeness, entropy, leakage and what is kept are known."""
    rows = [(f"c{i}", f"v{j}") for i in range(classes) for _ in range(size) for j in range(values)]
    n = len(rows)
    data = Dataset.from_frame(pd.DataFrame(rows, columns=["a", "s"]), roles={"a": QI, "s": SENSITIVE})
    case, share_of_bits = case_with(data), math.log(classes) / math.log(n) if n > 1 else 0.0
    for criterion in (
        Closeness(0.0), Closeness(0.0, "ordered"), Diversity(values, "entropy"), Diversity(values),
        HighestRisk(1 / (size * values)), AverageRisk(classes / n), SmallestClass(size * values),
        Leakage(1, share_of_bits, share_of_bits), DetailKept(1.0), RecordsKept(1.0),
    ):  # fmt: skip
        assert criterion.check(case).is_met, criterion
    kept = RecordsKept((10 - gone) / 10)
    assert most_left_out(kept.least, 10 * n) == gone * n
    assert most_left_out(kept.least, 10 * n + 9) == (10 * n + 9) * gone // 10


def test_distances_that_equal_t():
    """Shares of tenths: of two halves of the file one has only u. All have 3 of 4, or 7 of 10, and so on."""
    for n in range(1, 40):
        rows = [("x", "u")] * n + [("y", "u")] * (n - n // 2) + [("y", "v")] * (n // 2)
        data = Dataset.from_frame(pd.DataFrame(rows, columns=["a", "s"]), roles={"a": QI, "s": SENSITIVE})
        exact = Fraction(n // 2, 2 * n)
        for distance in ("equal", "ordered"):
            found = Closeness(float(exact), distance).check(case_with(data))
            assert found.is_met and found.now == pytest.approx(float(exact))
            assert not exact or not Closeness(float(exact) - 1e-9, distance).check(case_with(data)).is_met


def test_all_columns_count_and_each_person_once():
    """By the column of the worst figure one person of 24 lacks diversity, and by another one everybody does."""
    frame = pd.DataFrame(
        {"a": ["x"] + ["y"] * 23, "s": ["u"] + ["u", "v", "w"] * 7 + ["u", "v"], "t": ["u"] + ["u", "v"] * 11 + ["u"]}
    )
    case = case_with(Dataset.from_frame(frame, roles={"a": QI, "s": SENSITIVE, "t": SENSITIVE}))
    found = Diversity(3).check(case)
    assert (found.persons, found.n_persons, found.now) == (24, 24, 1)
    first, concerned, by_column = found.says.split(". ")
    assert first == "The worst class has 1, in s"
    assert concerned == "100% (24 of 24 records) are in classes that do not do"
    assert by_column == "Of these, 24 by t and 1 by s."


# --- what is said ---------------------------------------------------------------------------------------------------

ALL: tuple[Criterion, ...] = (
    NoIdentifiers(), SmallestClass(3), HighestRisk(0.3), AverageRisk(0.3), Combinations(2, 2, 0.1),
    Inference(1, 0.0, 0.1),
    Inference(2, 0.3, 0.0, "other_sensitive"), Diversity(2), Closeness(0.2), Leakage(2, 0.5, 0.5), NoRevealingColumns(),
    SafeHarbor(), EarlierReleases(2, 0.1), RecordsKept(0.9), DetailKept(0.6), ColumnsStay(("a",)),
    UnclassifiedColumns(3), SmallestPlace(5), RareValues(2), UniquenessOfRelease(2, 0.1, 3, 0.5), SamePseudonyms(),
    MethodDisclosure(),
)  # fmt: skip
OF_THE_ORIGINAL_TOO = {
    NoRevealingColumns, UnclassifiedColumns, SafeHarbor, SmallestPlace, EarlierReleases, SamePseudonyms, RecordsKept,
    DetailKept, ColumnsStay, Leakage, MethodDisclosure,
}  # fmt: skip
"""Kinds that ask what became of the original, or of columns as this program knows them."""
DOCS = Path(__file__).resolve().parents[4] / "docs"
SECRETS = {"g0": "zqxa", "g1": "zqxb", "g2": "zqxc", "g3": "zqxd"}


def test_every_kind_is_looked_at_here_and_has_what_it_needs():
    """A reference, and what CONTRIBUTING lists besides; a share is shown as one, but a distance and a number."""
    kinds = set(CRITERION_KINDS.values())
    assert {type(each) for each in ALL} == kinds, "add it to ALL and compare it with tests/reference (CONTRIBUTING, 5)"
    of_any_file = {kind for kind in kinds if kind.of_any_file}
    assert of_any_file == kinds - OF_THE_ORIGINAL_TOO, "let it say “of_any_file”, or add it here"
    rows = (DOCS / "analyses" / "verdict.md").read_text(encoding="utf-8").lower()
    for each in ALL:
        names = {each.word.lower(), each.kind.replace("_", " ")}
        assert any(f"| {name} |" in rows for name in names), f"docs/analyses/verdict.md has no row for {names}"
        of_numbers = isinstance(each, Closeness | EarlierReleases | MethodDisclosure)
        if any(limit.unit == "share" for limit in each.limits) and not of_numbers:
            assert "%" in each.shown(0.25), type(each)


@settings(max_examples=60)
@given(cases(counted=("", "w")))
def test_no_sentence_says_a_sensitive_value(case):
    data = case.original
    for name in slow.SENSITIVE:
        data = data.with_frame(data.frame.assign(**{name: data.frame[name].cat.rename_categories(SECRETS)}), "")
    steps = [step for step in case.recipe.enabled if not (isinstance(step, Recode) and step.column in slow.SENSITIVE)]
    secret = case_with(data, *steps, harmless={"s": ("zqxa",)}, earlier=(Recipe(),))
    if not secret.released.n_records:
        return
    for criterion in ALL:
        finding = criterion.check(secret)
        message = " ".join([finding.says, criterion.describe(), *(text for text, _ in finding.worst)])
        assert "zqx" not in message, "a value of a sensitive column"
        assert finding.says.endswith(".") and criterion.describe().endswith(".")
        if (
            finding.state is State.NOT_MET
            and finding.persons
            and not isinstance(criterion, NoRevealingColumns | SafeHarbor)
        ):
            assert re.search(r"\d", finding.says), "the number behind it"
        assert finding.now is None or criterion.shown(finding.now)
        assert 0 <= finding.persons <= finding.n_persons or isinstance(criterion, NoIdentifiers)


@settings(max_examples=60)
@given(cases(), st.permutations(range(9)))
def test_the_order_of_records_changes_no_finding(case, order):
    data = case.original
    mixed = data.with_frame(data.frame.iloc[[i for i in order if i < data.n_records]].reset_index(drop=True), "mixed")
    other = Case(case.recipe.apply(mixed), case.recipe, harmless=case.harmless)
    for criterion in (SmallestClass(2), Inference(2, 0.0, 0.1), AverageRisk(), Diversity(2), Combinations(1, 2, 0.2)):
        if case.released.n_records:
            one, two = criterion.check(case), criterion.check(other)
            assert (one.state, one.persons, one.now) == (two.state, two.persons, two.now)


def test_nothing_known_or_nothing_sensitive_cannot_be_checked():
    frame = pd.DataFrame({"a": ["x", "y"], "s": ["u", "v"]})
    nobody = Dataset.from_frame(frame, roles={"a": OTHER, "s": OTHER})
    case = case_with(nobody)
    of_columns = (Inference(), Diversity(), Closeness(), Leakage(), EarlierReleases(), DetailKept())
    for criterion in (SmallestClass(), HighestRisk(), AverageRisk(), Combinations(), *of_columns):
        finding = criterion.check(case)
        assert finding.state is State.UNKNOWN and "Data page" in finding.says, criterion
        assert not criterion.guarantees(case)
    known = case_with(nobody.with_roles({"a": QI, "s": SENSITIVE}))
    assert Inference(column="a").check(known).state is State.UNKNOWN
    assert HighestRisk(attacker="journalist").check(known).state is State.UNKNOWN
    dropped = case_with(known.original, DropColumns(("a",)))
    assert SmallestClass(2).check(dropped).is_met and Combinations(1, 2).check(dropped).is_met
    assert SmallestClass(3).check(dropped).state is State.NOT_MET, "two people, whatever is known"
    assert Leakage().check(dropped).is_met and AverageRisk(0.5).check(dropped).is_met
    assert HighestRisk(0.5).check(dropped).is_met and not HighestRisk(0.4).check(dropped).is_met
    assert Inference(2, most=0.0).check(dropped).is_met and EarlierReleases(2, 0.0).check(dropped).is_met


def test_rare_values_of_any_column_that_leaves():
    frame = pd.DataFrame({"a": ["x", "x", "y"], "ward": ["u", "u", None]}, dtype=object)
    data = Dataset.from_frame(frame, roles={"a": QI, "ward": OTHER})
    case = case_with(data)
    found = RareValues(2, "ward").check(case)
    assert (found.now, found.persons, found.worst) == (1, 1, (("ward", 1),)), "what is missing is a value"
    assert not RareValues(2, "ward").guarantees(case), "no search coarsens it or counts it"
    assert RareValues(2).check(case).is_met, "no column is sensitive"
    assert RareValues(2, "bed").check(case).state is State.UNKNOWN


def test_too_many_sets_are_stated_and_not_begun():
    frame = pd.DataFrame({f"c{i}": ["x", "y"] * 50 for i in range(60)} | {"s": ["u"] * 100})
    data = Dataset.from_frame(frame, roles=dict.fromkeys(frame.columns, QI) | {"s": SENSITIVE})
    case = case_with(data)
    asked = (Combinations(12, 2), Inference(12), Inference(0, p=0.1), Leakage(6, 0.5))
    for finding in judge(case, asked, recipient="Own criteria").findings:
        assert finding.state is State.UNKNOWN and re.search("sets of at most|combinations of up to", finding.says)
    assert Inference(0).check(case).state is State.NOT_MET, "of all facts at once one set is enough"


def test_what_is_looked_at_is_limited_by_its_cost_and_not_by_a_number_of_sets(monkeypatch):
    """Rows times sets, each column by itself where p is above 0: 667 sets of two of 36 columns are not too many."""
    columns = {f"c{i}": [str(row % (i + 2)) for row in range(300)] for i in range(36)}
    frame = pd.DataFrame(columns | {"s": ["u", "v", "v"] * 100, "t": ["x"] * 299 + ["y"]})
    data = Dataset.from_frame(frame, roles=dict.fromkeys(columns, QI) | dict.fromkeys("st", SENSITIVE))
    case = case_with(data)
    rows, sets = case.rows.n_looked_at, 1 + 36 + 630
    together = (rows + A_QUESTION * 2) * sets
    monkeypatch.setattr("anonlib.verdict.criteria.sizes.MOST_LOOKED_AT", together)
    assert Inference(2).check(case).state is not State.UNKNOWN
    assert Inference(2, p=0.1).check(case).says.startswith("There are 667 sets of at most 2 of 36 columns, too many")
    monkeypatch.setattr("anonlib.verdict.criteria.sizes.MOST_LOOKED_AT", (rows + A_QUESTION) * sets * 2 * 4)
    assert Inference(2, p=0.1).check(case).state is not State.UNKNOWN
    monkeypatch.setattr("anonlib.verdict.criteria.sizes.MOST_LOOKED_AT", together - 1)
    assert Inference(2).check(case).state is State.UNKNOWN, "what is not counted is not called met"


def test_many_sensitive_columns_are_too_many_however_few_the_rows():
    """Of 120 of them any three known are 287,000 sets, each asked about 120 columns: minutes, of 200 rows as well."""
    columns = {f"s{i}": ["u", "v"] * 100 for i in range(120)}
    data = Dataset.from_frame(pd.DataFrame(columns), roles=dict.fromkeys(columns, SENSITIVE) | {"s0": QI})
    case = case_with(data)
    assert case.rows.n_looked_at * n_subsets(119, 3) < MOST_LOOKED_AT
    assert Inference(3, knows="other_sensitive").check(case).state is State.UNKNOWN


def test_a_hospitals_file_is_not_too_much():
    """101,766 rows, 38 columns of which somebody knows two, by one row and by values; pairs of 40 that leave."""
    assert (101_766 + 30 * A_QUESTION) * n_subsets(38, 2) * 2 < MOST_LOOKED_AT
    assert _MOST_CELLS > 101_766 * 780 * 9


# --- published ------------------------------------------------------------------------------------------------------


def test_four_people_of_the_documents():
    """k = 2 holds, and who knows 31 knows flu; with ages together, or flu harmless, nobody's illness is certain."""
    frame = pd.DataFrame({"age": ["31", "31", "52", "52"], "illness": ["flu", "flu", "flu", "asthma"]})
    data = Dataset.from_frame(frame, roles={"age": QI, "illness": SENSITIVE})
    case = case_with(data)
    assert SmallestClass(2).check(case).is_met and Inference(0, most=0.0).check(case).persons == 2
    assert Inference(0, most=0.0).check(replace(case, harmless={"illness": ("flu",)})).is_met
    assert Inference(0, most=0.0).check(case_with(data, Recode("age", TOPPED))).is_met


def test_five_people_of_kroes():
    """Table 1: who knows gender and age knows the diagnosis of all five; by ten years Alice has 1/3 by gender alone."""
    frame = pd.DataFrame(
        {"gender": ["F", "M", "M", "F", "F"], "age": ["27", "56", "34", "35", "21"], "diagnosis": list("ABCAB")}
    )
    data = Dataset.from_frame(frame, roles={"gender": QI, "age": QI, "diagnosis": SENSITIVE})
    case = case_with(data)
    assert Inference(0, most=0.0).check(case).persons == 5
    by_gender = case_with(data, DropColumns(("age",)))
    assert Inference(0, most=0.0).check(by_gender).persons == 0
    assert Inference(0, p=1 / 3, most=0.0).check(by_gender).persons == 2, "two of three women"
    assert Inference(0, p=0.33, most=0.0).check(by_gender).is_met


def test_earlier_releases_are_reported_together():
    """Two releases of groups of two, cut in two ways: whoever holds both finds each alone."""
    frame = pd.DataFrame({"a": ["1", "2", "3", "4"], "s": ["u", "v", "u", "v"]})
    data = Dataset.from_frame(frame, roles={"a": QI, "s": SENSITIVE})

    def grouped(*pairs: str) -> Recode:
        return Recode("a", ValueMap(tuple((value, pair) for pair in pairs for value in pair)))

    first, second = (Recipe.of([grouped(*pairs)]) for pairs in (("12", "34"), ("14", "23")))
    alone, asked = case_with(data, *first.enabled), EarlierReleases(2, 0.0)
    assert SmallestClass(2).check(alone).is_met
    assert asked.check(alone).is_met and "No earlier release" in asked.check(alone).says
    assert asked.check(replace(alone, earlier=(first,))).is_met, "the same again tells nothing"
    both = asked.check(replace(alone, earlier=(first, second)))
    assert (both.state, both.now, both.persons, both.n_persons) == (State.NOT_MET, 1, 4, 4)
    # An empty recipe is a recipe: in that release no value was recoded, and none of its own is harmless here.
    ill = pd.DataFrame({"age": ["30", "30", "40", "40"], "ill": ["cold", "cold", "flu", "flu"]})
    people = Dataset.from_frame(ill, roles={"age": QI, "ill": SENSITIVE})
    merged = Recode("ill", ValueMap((("cold", "mild"), ("flu", "flu"))))
    whole = case_with(people, merged, harmless={"ill": ("cold",)}, earlier=(Recipe(),))
    as_it_was = EarlierReleases(2, 0.0).check(whole)
    assert (as_it_was.state, as_it_was.persons) == (State.NOT_MET, 2), "both who are 40 have flu"
    fine = replace(alone, earlier=(second,), harmless={"s": ("u", "v")})
    assert EarlierReleases(1, 0.0).check(fine).is_met, "what is harmless in this release was so in the other"
    assert EarlierReleases(1, 0.5).check(replace(fine, harmless={"s": ("u",)})).is_met, "the half is allowed exactly"


def test_the_documents_say_how_many_pairs_are_looked_at():
    """In the units of the code: rows times pairs, times one more than the columns that they may reveal."""
    verdict, release = (
        (DOCS / "analyses" / f"{name}.md").read_text(encoding="utf-8") for name in ("verdict", "release")
    )
    (row,) = (line for line in verdict.splitlines() if line.startswith("| columns that reveal another |"))
    unit = "distinct rows times pairs times one more than the columns that they may reveal"
    assert f"pairs where {unit} are more than {_MOST_CELLS:,} |" in row
    assert f"rows times pairs are more than {MOST_LOOKED_AT:,}" in release


def test_pairs_that_were_not_looked_at_are_not_stated_to_tell_nothing(monkeypatch):
    """Two columns together tell a third: one with both says so, and one that could not look says that it did not."""
    rows = [(a, b, a + b, "u") for a in "xy" for b in "xy" for _ in range(25)]
    frame = pd.DataFrame(rows, columns=["left", "right", "both", "s"])
    data = Dataset.from_frame(frame, roles={"left": OTHER, "right": OTHER, "both": QI, "s": SENSITIVE})
    assert NoRevealingColumns().check(case_with(data, Recode("both", TOPPED))).state is State.NOT_MET
    monkeypatch.setattr("anonlib.release.revealing_columns._MOST_CELLS", 5)
    found = NoRevealingColumns().check(case_with(data, Recode("both", TOPPED)))
    assert found.state is State.UNKNOWN and "was not looked at" in found.says
