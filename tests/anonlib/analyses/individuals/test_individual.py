"""Individuals one by one: what is proved of them, nearness, a sample of them, one of them in full, and its remedies."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.reference.individuals as slow
from anonlib.analyses.individuals import (
    KNOWS_ALL,
    KNOWS_ANY,
    Attacker,
    Individual,
    breach_probability,
    breaching_sets,
    leave_one_out,
    privacy_profile,
    protective_peers,
    remedies,
    sampling,
    singling_out,
)
from anonlib.basics.errors import InputError
from anonlib.coarsening.recoding import Intervals, Recoding, ValueMap
from anonlib.counting.classes import ClassTable
from tests.helpers.errors import refused

MEASURES = st.sampled_from(["ppp", "npp", "poac"])
THRESHOLDS = st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5])


def frame_of(table: tuple[list[str], list[tuple]]) -> pd.DataFrame:
    names, rows = table
    return pd.DataFrame(rows, columns=names, dtype=object)


def class_table(table: tuple[list[str], list[tuple]]) -> ClassTable:
    return ClassTable.from_frame(frame_of(table))


def recoded(frame: pd.DataFrame, attribute: str, recoding: Recoding) -> pd.DataFrame:
    """The frame with one attribute recoded; a missing value stays missing."""
    values = frame[attribute].dropna().unique().tolist()
    labels = dict(zip(values, recoding.labels(values), strict=True))
    return frame.assign(**{attribute: [None if v is None else labels[v] for v in frame[attribute]]})


# --- what is proved -------------------------------------------------------------------------------------------------


@given(slow.tables())
def test_at_zero_full_knowledge_decides(table):
    """The least PPP is 0 where PPP at maximum information is, and that is where the least PoAC_0 and NPP are."""
    classes = class_table(table)
    any_set, full = privacy_profile(classes), privacy_profile(classes, KNOWS_ALL)
    np.testing.assert_array_equal(any_set.values == 0, full.values == 0)
    for measure in ("npp", "poac"):
        any_set = privacy_profile(classes, Attacker(measure=measure, include_empty=True))
        np.testing.assert_array_equal(
            any_set.values, privacy_profile(classes, Attacker(measure=measure, knows="all")).values
        )


GROUPS = st.sampled_from(["one", "two", "three"])


@given(slow.tables(kinds=(slow.TEXTS, slow.FEW)), st.lists(GROUPS, min_size=5, max_size=5))
def test_nested_coarsening_never_lowers_protection_at_zero(table, groups):
    frame, name = frame_of(table), table[0][0]
    coarser = recoded(frame, name, ValueMap.of(dict(zip(["a", "b", "a-b", "b-c", "c"], groups, strict=True))))
    for s in table[0][1:]:
        before, after = (privacy_profile(ClassTable.from_frame(f), sensitive=s).records()[s] for f in (frame, coarser))
        present = before.notna()
        assert (after[present & (before > 0)] > 0).all() and (after.notna() == present).all()
        npp = [privacy_profile(ClassTable.from_frame(f), Attacker("npp"), sensitive=s) for f in (frame, coarser)]
        assert (npp[0].records()[s] <= npp[1].records()[s])[present].all()


def test_nested_coarsening_can_lower_protection_above_zero():
    """At p = 0.3: who is half of a pair at 30 is three of four at 30-31."""
    frame = frame_of((["age", "s"], [("30", "flu"), ("30", "cold"), ("31", "flu"), ("31", "flu")]))
    coarser = recoded(frame, "age", Intervals(2))
    before, after = (privacy_profile(ClassTable.from_frame(f), sensitive="s") for f in (frame, coarser))
    assert before.records()["s"].tolist() == [1 / 2, 1 / 2, 0, 0]
    assert after.records()["s"].tolist() == [1 / 4, 3 / 4, 1 / 4, 1 / 4]
    assert (before.share_below(0.3)[0], after.share_below(0.3)[0]) == (1 / 2, 3 / 4)
    assert after.share_below(0)[0] < before.share_below(0)[0]


@given(slow.tables(), THRESHOLDS, st.booleans())
def test_for_a_binary_variable_upward_and_downward_privacy_are_one(table, p, include_empty):
    """Definition 3 for p (PPP above p for every set) and Definition 4 for q = p (PoAC of 1 for every set)."""
    classes = class_table(table)
    for s, name in enumerate(classes.attributes):
        if len(classes.categories[s]) == 2:
            upward = privacy_profile(classes, Attacker(include_empty=include_empty), sensitive=name)
            downward = privacy_profile(classes, Attacker("poac", p, include_empty=include_empty), sensitive=name)
            np.testing.assert_array_equal(upward.values > p, downward.values == 1)


# --- nearness -------------------------------------------------------------------------------------------------------

WHOLE_APART, TENTHS_APART = st.sampled_from([0, 1, 2, 3.5]), st.sampled_from([0.1, 0.2, 0.4])


@st.composite
def near_tables(draw: st.DrawFn) -> tuple[tuple[list[str], list[tuple]], dict[str, float]]:
    """A table of one whole column, one of tenths, and one more, and within what distance some count as equal."""
    names = ["years", "dose", "third"]
    third = draw(st.sampled_from([slow.WHOLE, slow.TENTHS, slow.FEW]))
    rows = draw(st.lists(st.tuples(slow.WHOLE, slow.TENTHS, third), min_size=1, max_size=8))
    distances = {"years": draw(WHOLE_APART), "dose": draw(TENTHS_APART), "third": draw(TENTHS_APART)}
    numeric = [name for j, name in enumerate(names) if any(slow.number(row[j]) is not None for row in rows)]
    chosen = draw(st.sets(st.sampled_from(numeric), min_size=1)) if numeric else ()
    return (names, rows), {name: distances[name] for name in chosen}


def reach(names: list[str], within: dict[str, float]) -> dict[int, Fraction]:
    return {names.index(name): slow.exact(distance) for name, distance in within.items()}


@given(near_tables(), st.sampled_from(["ppp", "npp"]), st.booleans(), st.integers(1, 2), st.booleans())
def test_peers_within_a_distance(given_table, measure, include_empty, max_known, full):
    (names, rows), within = given_table
    near, classes = reach(names, within), class_table((names, rows))
    attacker = Attacker(measure, 0.0, "all" if full else max_known, include_empty, within)
    found = privacy_profile(classes, attacker).records()
    for s, name in enumerate(names):
        rest = slow.others(3, s)
        looked_at = [tuple(rest)] if full else list(slow.sets(rest, max_known, include_empty))
        for i, person in enumerate(rows):
            values = [slow.measure(rows, person, s, known, measure, near=near) for known in looked_at]
            assert slow.same_float(found[name][i], slow.least(values))


@given(near_tables(), THRESHOLDS, st.data())
def test_everything_else_counts_peers_within_a_distance_too(given_table, p, data):
    (names, rows), within = given_table
    near, classes, threshold = reach(names, within), class_table((names, rows)), slow.exact(p)
    s = data.draw(st.integers(0, 2))
    rest = slow.others(3, s)
    peers = protective_peers(classes, names[s], [names[j] for j in rest], Attacker(within=within))
    left_out = leave_one_out(classes, names[s], Attacker(within=within, knows="all"))
    sets = breaching_sets(classes, names[s], Attacker(within=within), p=p)
    chance = breach_probability(classes, names[s], 0.5, Attacker(within=within), p=p)
    place = classes.class_of_record
    for i, person in enumerate(rows):
        ppp = {known: slow.ppp(rows, person, s, known, near) for known in slow.sets(rest)}
        assert peers.peers[place[i]] == len(slow.peers(rows, person, tuple(rest), near))
        assert slow.same_float(peers.ppp[place[i]], ppp[tuple(rest)])
        without = [left_out.values[place[i]].tolist(), left_out.baseline[place[i]]]
        has_value = person[s] is not None
        if has_value:
            assert without == [[float(ppp[rest[1],]), float(ppp[rest[0],])], float(ppp[tuple(rest)])]
        else:
            assert np.isnan([*without[0], without[1]]).all()
        breaching = [value <= threshold for value in ppp.values()] if has_value else []
        minimal = slow.minimal(list(ppp), lambda known, ppp=ppp: ppp[known] <= threshold) if has_value else []
        assert sets.minimal.records()["n_sets"][i] == len(minimal)
        assert chance.people.by_record(chance.values)[i, 0] == sum(breaching) / 4


def test_a_distance_is_of_the_decimals_as_written():
    """0.8 - 0.7 is 0.1, though not in binary fractions."""
    assert 0.8 - 0.7 != 0.1
    table = (["dose", "s"], [(f"0.{i}", str(i)) for i in range(1, 10)])
    peers = protective_peers(class_table(table), "s", ["dose"], Attacker(within={"dose": 0.1}))
    assert peers.peers.tolist() == [2, *[3] * 7, 2] and peers.same.tolist() == [1] * 9


def test_a_tolerance_of_the_sensitive_value():
    """A weight within 2 of one's own does not protect."""
    table = (["sex", "weight"], [("f", "60"), ("f", "61"), ("f", "63"), ("f", "70"), ("f", None), ("f", "unknown")])
    for harm, of_the_missing in ((True, 5), (False, np.nan)):
        attacker = Attacker("npp", within={"weight": 2}, missing_is_harm=harm)
        values = privacy_profile(class_table(table), attacker, sensitive="weight").records()["weight"]
        np.testing.assert_array_equal(values, [4, 3, 4, 5, of_the_missing, 5])


@pytest.mark.parametrize(
    ("within", "says"),
    [
        ({"sex": 1.0}, "“sex” has no numbers"),
        ({"age": -1.0}, "“age” .* 0 or more"),
        ({"age": float("nan")}, "“age” .* 0 or more"),
        ({"age": float("inf")}, "“age”"),
        ({"nobody": 1.0}, "“nobody”"),
    ],
)
def test_a_distance_that_cannot_be_is_refused(within, says):
    classes = class_table((["age", "sex"], [("30", "secret"), ("31", "m")]))
    for ask in (
        lambda: privacy_profile(classes, Attacker(within=within)),
        lambda: Individual.of(classes, 0, Attacker(within=within)),
        lambda: protective_peers(classes, "sex", ["age"], Attacker(within=within)),
    ):
        with pytest.raises(InputError, match=says) as error:
            ask()
        assert "secret" not in str(error.value)


# --- a sample -------------------------------------------------------------------------------------------------------


def crowd(n: int = 400, seed: int = 3) -> ClassTable:
    rng = np.random.default_rng(seed)
    return ClassTable.from_frame(pd.DataFrame({name: rng.integers(0, 7, n).astype(str) for name in "uvws"}))


@pytest.mark.parametrize(
    "ask",
    [
        lambda classes, **how: privacy_profile(classes, **how),
        lambda classes, **how: privacy_profile(classes, Attacker(measure="poac"), **how),
        lambda classes, **how: privacy_profile(classes, KNOWS_ALL, **how),
        lambda classes, **how: privacy_profile(classes, Attacker(within={"u": 1.0}), **how),
        lambda classes, **how: leave_one_out(classes, "s", **how),
        lambda classes, **how: leave_one_out(classes, "s", KNOWS_ANY, **how),
        lambda classes, **how: breach_probability(classes, None, 0.5, **how),
        lambda classes, **how: breaching_sets(classes, "s", **how),
        lambda classes, **how: singling_out(classes, **how),
    ],
)
def test_a_sample_is_of_individuals_counted_against_all_records(ask):
    classes = crowd()
    all_of_them, some = ask(classes), ask(classes, memory=2000, rng=np.random.default_rng(1))
    of_all, of_some = (getattr(found, "minimal", found) for found in (all_of_them, some))
    everyone, people = of_all.people, of_some.people
    assert people.is_sampled and not everyone.is_sampled
    assert 0 < people.n_sampled < classes.n_records == people.n_records
    assert (np.diff(people.rows) > 0).all() and (people.counts >= 1).all()
    assert (people.counts <= classes.counts[people.rows]).all()
    for values in ("values", "smallest", "n_sets", "baseline"):
        if hasattr(of_some, values):
            np.testing.assert_array_equal(getattr(of_some, values), getattr(of_all, values)[people.rows])
    if hasattr(some, "score"):
        np.testing.assert_array_equal(some.score, all_of_them.score[people.rows])
    if hasattr(of_some, "records"):
        looked_at = np.isin(classes.class_of_record, people.rows)
        found, expected = of_some.records(), of_all.records()
        np.testing.assert_array_equal(found[looked_at], expected[looked_at])
        assert found[~looked_at].isna().all(axis=None)
    again = ask(classes, memory=2000, rng=np.random.default_rng(1))
    np.testing.assert_array_equal(getattr(again, "minimal", again).people.rows, people.rows)


def test_so_many_are_looked_at_however_much_memory_there_is(monkeypatch):
    classes = crowd()
    monkeypatch.setattr(sampling, "MOST", classes.n_classes)
    assert not privacy_profile(classes).people.is_sampled
    monkeypatch.setattr(sampling, "MOST", 50)
    some, everyone = privacy_profile(classes), classes.n_records
    assert some.people.n_sampled == 50 < everyone == some.people.n_records


def test_a_sample_remembers_the_seed_that_draws_it_again():
    classes = crowd()
    rng = np.random.default_rng(1)
    first, second = (privacy_profile(classes, memory=2000, rng=rng).people for _ in range(2))
    assert first.seed != second.seed and not np.array_equal(first.rows, second.rows)
    for people in (first, second, privacy_profile(classes, memory=2000).people):
        drawn = np.random.default_rng(people.seed).choice(400, people.n_sampled, replace=False, shuffle=False)
        of_class = np.repeat(np.arange(classes.n_classes), classes.counts)[drawn]
        np.testing.assert_array_equal(np.bincount(of_class, minlength=classes.n_classes)[people.rows], people.counts)
    assert privacy_profile(classes).people.seed is None


def test_everyone_is_sampled_as_often():
    """Ten people in three classes, two of them looked at: each in two samples of ten."""
    classes = ClassTable.from_frame(pd.DataFrame({"u": list("abc"), "s": list("xyz")}), weights=[1, 8, 1])
    seen = np.zeros(3)
    for seed in range(1000):
        some = privacy_profile(classes, KNOWS_ALL, memory=32, rng=np.random.default_rng(seed)).people
        assert some.n_sampled == 2 and (some.counts <= classes.counts[some.rows]).all()
        seen[some.rows] += some.counts
    assert (abs(seen - [200, 1600, 200]) < 60).all()


def test_a_sample_says_how_many_of_all_there_would_be():
    classes = crowd()
    some = privacy_profile(classes, sensitive="s", memory=4000)
    share = some.share_below(0.5)
    assert share == some.people.counts @ (some.values <= 0.5) / some.people.n_sampled
    frame = some.to_frame(0.5)
    assert frame["individuals"][0] == round(share[0] * 400)
    assert frame["low"][0] < frame["share"][0] < frame["high"][0]


def test_the_interval_holds_the_true_share_19_times_in_20():
    classes = crowd()
    truth = privacy_profile(classes, Attacker(knows=2), sensitive="s").share_below(0.75)[0]
    assert 0.8 < truth < 0.9
    covered = []
    for seed in range(200):
        some = privacy_profile(classes, Attacker(knows=2), sensitive="s", memory=6000, rng=np.random.default_rng(seed))
        low, high = some.people.interval(some.share_below(0.75))
        covered.append(low[0] <= truth <= high[0])
    assert 50 < some.people.n_sampled < 200
    assert 0.88 <= np.mean(covered) <= 0.995


def test_nothing_is_uncertain_when_everyone_is_looked_at():
    profile = privacy_profile(crowd(50))
    share = profile.share_below(0.5)
    np.testing.assert_array_equal(profile.people.interval(share), (share, share))


def test_a_table_without_records_has_values_by_class_alone():
    profile = privacy_profile(replace(crowd(), class_of_record=None))
    np.testing.assert_array_equal(profile.values, privacy_profile(crowd()).values)
    with refused("records-in-a-database"):
        profile.records()


def test_too_little_memory_for_anyone_is_refused():
    with refused("memory-too-small"):
        privacy_profile(crowd(10), memory=8)


# --- one of them ----------------------------------------------------------------------------------------------------


@given(near_tables(), st.booleans(), MEASURES, THRESHOLDS, st.data())
def test_one_individual_and_every_set_of_variables(given_table, nearness, measure, q, data):
    table, within = given_table
    classes = class_table(table)
    row = data.draw(st.integers(0, classes.n_classes - 1))
    near = within if nearness and measure != "poac" else {}
    attacker = Attacker(measure, q, within=near, missing_is_harm=True)
    individual = Individual.of(classes, row, attacker)
    peers = individual.peers
    for name in classes.attributes:
        values = individual.measure(name)
        s = classes.attributes.index(name)
        for mask in range(2**3):
            known = [other for j, other in enumerate(classes.attributes) if mask >> j & 1]
            if name in known:
                assert np.isnan(values[mask])
                continue
            expected = protective_peers(classes, name, known, attacker)
            assert (peers[mask], peers[mask | 1 << s]) == (expected.peers[row], expected.same[row])
            np.testing.assert_array_equal(values[mask], expected.values[row])


@given(slow.tables(), MEASURES, THRESHOLDS, THRESHOLDS, st.sampled_from(["all", 1, 2, 3]), st.booleans(), st.data())
def test_one_individual_is_as_in_the_profile(table, measure, q, p, knows, include_empty, data):
    """The least value, what breaches, and the least value with one variable unknown."""
    names, rows = table
    classes = class_table(table)
    s = data.draw(st.integers(0, len(names) - 1))
    rest = slow.others(len(names), s)
    attacker = Attacker(measure, q, knows, include_empty)
    profile = privacy_profile(classes, attacker, sensitive=names[s])

    def may_be_known(known: list[int]) -> list[tuple[int, ...]]:
        return [tuple(known)] if knows == "all" else list(slow.sets(known, knows, include_empty))

    for row in range(classes.n_classes):
        individual = Individual.of(classes, row, attacker)
        np.testing.assert_array_equal(individual.least(names[s]), profile.values[row, 0])
        person = rows[classes.class_of_record.tolist().index(row)]
        values = {known: slow.measure(rows, person, s, known, measure, q) for known in may_be_known(rest)}
        minimal = slow.minimal(list(values), lambda a, v=values: v[a] is not None and v[a] <= slow.exact(p))
        breaching = individual.smallest_breaching_sets(names[s], p)
        assert sorted(breaching) == sorted(tuple(names[j] for j in known) for known in minimal)
        assert [len(known) for known in breaching] == sorted(len(known) for known in minimal)
        unknown = data.draw(st.sampled_from(rest))
        left = may_be_known([j for j in rest if j != unknown])
        least = slow.least([slow.measure(rows, person, s, known, measure, q) for known in left])
        assert slow.same_float(individual.least(names[s], unknown=names[unknown]), least)


# --- what would fix it ----------------------------------------------------------------------------------------------


def after(frame: pd.DataFrame, attribute: str, recoding: Recoding | None, record: int, attacker: Attacker) -> float:
    """The least value of "s" for a record, counted afresh after a change; NaN when nothing is left to know."""
    attacker = replace(attacker, within={name: d for name, d in attacker.within if name != attribute})
    changed = frame.drop(columns=attribute) if recoding is None else recoded(frame, attribute, recoding)
    if len(changed.columns) == 1:
        return float("nan")
    classes = ClassTable.from_frame(changed)
    return privacy_profile(classes, attacker, sensitive="s").records()["s"][record]


def round_widths(frame: pd.DataFrame, attribute: str) -> list[float]:
    """2, 5, 10, 20, ... times the power of ten below the smallest step, narrower than the range."""
    numbers = sorted({n for value in frame[attribute] if (n := slow.number(value)) is not None})
    gaps = [b - a for a, b in pairwise(numbers)]
    if not gaps:
        return []
    step = max(Fraction(10) ** power for power in range(-4, 4) if Fraction(10) ** power <= min(gaps))
    ladder = sorted(step * times * 10**power for power in range(5) for times in (2, 5, 10))
    return [float(width) for width in ladder if width < numbers[-1] - numbers[0]]


@given(near_tables(), st.booleans(), THRESHOLDS, st.sampled_from(["ppp", "poac"]), st.data())
def test_remedies_protect_and_are_the_narrowest_that_do(given_table, nearness, p, measure, data):
    (names, rows), within = given_table
    frame = frame_of((names, rows)).rename(columns={"third": "s"})
    near = {name: distance for name, distance in within.items() if name != "third"}
    attacker = Attacker(measure, 0.1, data.draw(st.sampled_from(["any", 1])))
    if nearness and measure == "ppp":
        attacker = replace(attacker, within=near)
    record = data.draw(st.integers(0, len(rows) - 1))
    classes = ClassTable.from_frame(frame)
    individual = Individual.of(classes, classes.class_of_record[record], attacker)
    least = privacy_profile(classes, attacker, sensitive="s").records()["s"][record]
    found = remedies(individual, "s", p)
    assert [remedy.recoding is None for remedy in found] == sorted(remedy.recoding is None for remedy in found)
    if not least <= p:
        assert found == ()
        return
    by_attribute = {remedy.attribute: remedy for remedy in found}
    assert len(by_attribute) == len(found) and "s" not in by_attribute
    for attribute in names[:2]:
        enough = {
            width: after(frame, attribute, Intervals(width), record, attacker)
            for width in round_widths(frame, attribute)
        }
        narrowest = next((width for width, value in enough.items() if value > p), None)
        remedy = by_attribute.get(attribute)
        if narrowest is not None:
            assert remedy is not None and remedy.recoding == Intervals(narrowest)
            assert remedy.least == enough[narrowest] > p
        else:
            dropped = after(frame, attribute, None, record, attacker)
            assert (remedy is not None) == (not dropped <= p)
            assert remedy is None or (remedy.recoding is None and remedy.least == dropped)


def test_a_wider_interval_helps_only_where_it_begins_right():
    """Table 1: Alice is alone among 50-54, and not among 46-50 (the paper, section 3.3)."""
    people = [
        ("Cancer", "f", "50"),
        ("Cancer", "m", "40"),
        ("Cancer", "f", "35"),
        ("Arthrosis", "m", "64"),
        ("Diabetes", "f", "49"),
    ]
    classes = class_table((["diagnosis", "gender", "age"], people))
    alice = Individual.of(classes, classes.class_of_record[0])
    assert alice.smallest_breaching_sets("diagnosis") == (("age",),)
    assert alice.recoded("age", Intervals(5)).least("diagnosis") == 0
    assert alice.recoded("age", Intervals(5, start=1)).least("diagnosis") == 1 / 3
    (remedy,) = remedies(alice, "diagnosis")
    assert (remedy.attribute, remedy.recoding, remedy.least) == ("age", Intervals(20), 1 / 3)


def test_of_the_round_widths_the_narrowest_is_taken():
    rows = [("flu", "40"), ("cold", "44"), ("flu", "46"), ("flu", "60")]
    classes = class_table((["s", "age"], rows))
    (remedy,) = remedies(Individual.of(classes, classes.class_of_record[0]), "s")
    assert (remedy.recoding, remedy.least) == (Intervals(5), 1 / 2)
