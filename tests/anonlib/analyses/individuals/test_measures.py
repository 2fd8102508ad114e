"""Privacy against partial knowledge: the paper's numbers, and brute force in exact fractions for every option."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.reference.individuals as slow
from anonlib.analyses.individuals import (
    BELOW_ONE,
    KNOWS_ALL,
    Attacker,
    Individual,
    Individuals,
    breach_probability,
    breaching_sets,
    default_q,
    leave_one_out,
    privacy_profile,
    protective_peers,
    singling_out,
)
from anonlib.basics.errors import InputError
from anonlib.coarsening.recoding import Intervals
from anonlib.columns.roles import Role
from anonlib.counting.classes import ClassTable
from anonlib.dataset import Dataset
from tests.helpers.errors import refused

SAMPLES = Path(__file__).resolve().parents[4] / "data" / "samples"
ADULT = ["sex", "age", "race", "marital_status", "education", "native_country", "workclass", "salary", "occupation"]
MEASURES = st.sampled_from(["ppp", "npp", "poac"])
THRESHOLDS = st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5])


def class_table(table: tuple[list[str], list[tuple]], weights: list[int] | None = None) -> ClassTable:
    names, rows = table
    return ClassTable.from_frame(pd.DataFrame(rows, columns=names, dtype=object), weights=weights)


def five_people(years: int | None = None) -> ClassTable:
    """The paper's Table 1: as it is, or with ages by 5 (option 1) or 10 (option 2) years."""
    frame = pd.read_csv(SAMPLES / "five_people.csv", dtype=str)[["diagnosis", "gender", "age"]]
    if years:
        frame["age"] = Intervals(years, start=5).labels(frame["age"].tolist())
    return ClassTable.from_frame(frame)


# --- the paper's numbers --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("years", [None, 5])
def test_alice_alone_with_her_age_is_not_protected(years):
    peers = protective_peers(five_people(years), "diagnosis", ["gender", "age"])
    alice = five_people(years).class_of_record[0]
    assert (peers.peers[alice], peers.npp[alice], peers.ppp[alice]) == (1, 0, 0)
    assert peers.poac[alice] == 0


def test_alice_with_ages_by_ten_years():
    """Examples 1 to 3: PPP 1/2, NPP 1, and as diabetes is possible and arthrosis is not PoAC_0 1/2."""
    classes = five_people(10)
    alice = classes.class_of_record[0]
    peers = protective_peers(classes, "diagnosis", ["gender", "age"])
    assert (peers.ppp[alice], peers.npp[alice], peers.poac[alice]) == (1 / 2, 1, 1 / 2)


def test_alice_known_to_be_between_40_and_60():
    """Example 3: all women of 50 without cancer still come into question, so that NPP is no less."""
    frame = pd.read_csv(SAMPLES / "five_people.csv", dtype=str)
    frame["age"] = Intervals(20).labels(frame["age"].tolist())
    classes = ClassTable.from_frame(frame, ["diagnosis", "gender", "age"])
    peers = protective_peers(classes, "diagnosis", ["gender", "age"])
    alice = classes.class_of_record[0]
    assert frame["age"][0] == "40-59" and (peers.peers[alice], peers.npp[alice]) == (2, 1)


def test_figure_1():
    """Downward privacy (q = 0) of individuals 1 to 5.

    The paper prints 2/3 for individual 3's age, counting her own age among the three. By the definition it is 1/2:
    of the two other ages, 45-54 has a woman with cancer and 55-64 has none.
    """
    table = privacy_profile(five_people(10), Attacker(measure="poac", q=0, knows="all")).records()
    assert table["diagnosis"].tolist() == [1 / 2, 0, 0, 0, 1 / 2]
    assert table["gender"].tolist() == [0, 1, 1, 0, 0]
    assert table["age"].tolist() == [1 / 2, 0, 1 / 2, 0, 0]


def test_definition_4_of_table_1():
    """Downward privacy is PoAC of 1: by Figure 1 gender alone has it, of individuals 2 and 3; red is PoAC of 0 there,
    which is less than the definition asks for: Alice (1/2) is not red, and is not private."""
    profile = privacy_profile(five_people(10), Attacker(measure="poac", q=0, knows="all"))
    private = pd.DataFrame(profile.people.by_record(profile.has_downward_privacy()), columns=list(profile.sensitive))
    assert private["gender"].tolist() == [0, 1, 1, 0, 0]
    assert not private[["diagnosis", "age"]].to_numpy().any()
    assert ((profile.values <= BELOW_ONE) == (profile.values < 1)).all() and (profile.values == 1).any()


@given(slow.tables(), THRESHOLDS, st.sampled_from(["any", "all", 1]))
def test_definition_4_by_every_set_and_every_other_value(table, q, knows):
    """Each other value has more than a share q of the peers, for each set; so it is asked for by a threshold, too."""
    names, rows = table
    classes = class_table(table)
    profile = privacy_profile(classes, Attacker(measure="poac", q=q, knows=knows))
    private = profile.people.by_record(profile.has_downward_privacy())
    below = profile.people.by_record(profile.values <= BELOW_ONE)
    for s, name in enumerate(profile.sensitive):
        column = names.index(name)
        others = [j for j in range(len(names)) if j != column]
        sizes = {"any": range(1, len(others) + 1), "all": [len(others)], 1: [1]}[knows]
        values = {row[column] for row in rows}
        for i, person in enumerate(rows):
            among = [
                [row[column] for row in rows if all(row[j] == person[j] for j in known)]
                for size in sizes
                for known in combinations(others, size)
            ]
            false = values - {person[column]}
            holds = all(Fraction(peers.count(v), len(peers)) > Fraction(str(q)) for peers in among for v in false)
            if person[column] is None:
                assert private[i, s] == 1 and below[i, s] != 1, "nothing to infer"
            else:
                assert private[i, s] == (holds and len(values) > 1)
                assert (below[i, s] == 1) == (not holds)


def test_downward_privacy_needs_poac_and_upward_ppp():
    profile = privacy_profile(five_people(10))
    upward = profile.people.by_record(profile.has_upward_privacy(0))
    assert (upward == (profile.records().to_numpy() > 0)).all()
    with refused("choice-unknown"):
        profile.has_downward_privacy()
    with refused("choice-unknown"):
        privacy_profile(five_people(10), Attacker(measure="poac")).has_upward_privacy(0)
    with refused("number-out-of-range"):
        profile.has_upward_privacy(1)


def test_the_least_ppp_may_be_with_less_knowledge():
    """The smallest example: Alice's PPP is 1/2 when age and gender are known, and 1/3 when gender alone is."""
    classes = five_people(10)
    alice = classes.class_of_record[0]
    assert protective_peers(classes, "diagnosis", ["age", "gender"]).ppp[alice] == 1 / 2
    assert protective_peers(classes, "diagnosis", ["gender"]).ppp[alice] == 1 / 3
    assert privacy_profile(classes).records()["diagnosis"][0] == 1 / 3


@pytest.fixture(scope="module")
def adult(shared_data: Callable[[str], Path]) -> pd.DataFrame:
    frame = pd.read_csv(shared_data("adult.csv"), dtype=str, na_values="?", keep_default_na=False)
    return frame.dropna()[ADULT]


def test_adult_shares_at_ppp_0(adult):
    """Sex .726, age .148, race .774, ...: and as many by two group-bys, as the least PPP is 0 where the last one is."""
    classes = ClassTable.from_frame(adult)
    profile = privacy_profile(classes)
    shares = profile.share_below(0)
    expected = [0.726, 0.148, 0.774, 0.594, 0.342, 0.878, 0.614, 0.777, 0.335]
    assert round(adult["native_country"].value_counts(normalize=True).iloc[0], 2) == 0.91, "why country is certain"
    assert [round(share, 3) for share in shares.tolist()] == expected
    for name, share in zip(ADULT, shares, strict=True):
        known = [other for other in ADULT if other != name]
        alike = adult.groupby(known)[name].transform("nunique") == 1
        assert share == int(alike.sum()) / 30_162
    full = privacy_profile(classes, KNOWS_ALL)
    lower = profile.people.share(profile.values < full.values).mean()
    assert round(lower, 2) == 0.32  # cells whose PPP is lower with less knowledge


@pytest.fixture(scope="module")
def cervical(shared_data: Callable[[str], Path]) -> ClassTable:
    frame = pd.read_csv(shared_data("cervical_cancer.csv"), dtype=str, na_values="?", keep_default_na=False)
    names = ["Num of pregnancies", "Smokes", "Age", "Biopsy"]
    return ClassTable.from_frame(frame.dropna(subset=names), names)


def test_cervical_records_at_ppp_0(cervical):
    """Figure 2 (c): ages, of which there are most, are the hardest to uncover, and the result of two values is not."""
    profile = privacy_profile(cervical)
    assert profile.people.number(profile.values <= 0).tolist() == [44, 289, 7, 566]


def test_figure_3(adult, cervical):
    """How many are certain when all is known, and all but one: (c) the biopsy and (a) salary.

    Not to know the age protects most, as the text has it, and as many as Figure 4's best categories: 761, and 463.
    """
    biopsy = leave_one_out(cervical, "Biopsy").to_frame(0)
    assert (privacy_profile(cervical, KNOWS_ALL, sensitive="Biopsy").share_below(0) * 789).round().tolist() == [566]
    assert dict(zip(biopsy["variable"], biopsy["certain"], strict=True)) == {
        "Age": 789 - 761, "Num of pregnancies": 789 - 463, "Smokes": 496,
    }  # fmt: skip
    salary = leave_one_out(ClassTable.from_frame(adult), "salary").to_frame(0)
    shares = {name: round(share, 3) for name, share in zip(salary["variable"], salary["share_certain"], strict=True)}
    assert shares == {
        "age": 0.365, "occupation": 0.587, "education": 0.590, "marital_status": 0.644, "workclass": 0.681,
        "sex": 0.742, "race": 0.755, "native_country": 0.762,
    }  # fmt: skip


# --- peers ----------------------------------------------------------------------------------------------------------


@given(slow.tables(), THRESHOLDS, st.data())
def test_peers_and_their_measures(table, q, data):
    names, rows = table
    s = data.draw(st.integers(0, len(names) - 1))
    known = tuple(data.draw(st.permutations(slow.others(len(names), s))))[: data.draw(st.integers(0, 3))]
    found = protective_peers(class_table(table), names[s], [names[j] for j in known], Attacker(q=q))
    place = class_table(table).class_of_record
    for i, person in enumerate(rows):
        among = slow.peers(rows, person, known)
        assert found.peers[place[i]] == len(among) and found.same[place[i]] == sum(x[s] == person[s] for x in among)
        assert found.npp[place[i]] == slow.npp(rows, person, s, known)
        assert slow.same_float(found.ppp[place[i]], slow.ppp(rows, person, s, known))
        assert slow.same_float(found.poac[place[i]], slow.poac(rows, person, s, known, slow.exact(q)))
        shares = {value: slow.pp(rows, person, s, known, value) for value in {row[s] for row in rows}}
        assert sum(shares.values()) - shares[person[s]] == slow.ppp(rows, person, s, known)  # PPP is the sum of PP_v


def test_seven_of_ten_is_at_the_threshold():
    """1 - 7/10 is more than 0.3 in binary fractions; 3/10 is not."""
    classes = class_table((["sex", "s"], [("f", "flu")] * 7 + [("f", "cold")] * 3))
    flu = classes.class_of_record[0]
    assert 1 - 7 / 10 > 0.3
    profile = privacy_profile(classes, sensitive="s")
    assert profile.values[flu] == 0.3 and profile.share_below(0.3) == [0.7]
    assert profile.breach_depth(0.3)[flu] == 1
    assert breaching_sets(classes, "s", p=0.3).minimal.to_frame()["records"].tolist() == [7]
    assert breach_probability(classes, "s", 1.0, p=0.3).mean == [0.7]


def test_default_q_is_a_tie_where_the_decimals_are():
    """p = 0.3 with four values: q is 0.1, and 1 of 10 is not above it."""
    assert default_q(0.3, 4) == 0.1 and 0.3 / 3 < 0.1
    assert default_q(0.3, 2) == 0.3 and default_q(0.3, 1) == 0.3
    assert default_q(0.5, 4) == float(Fraction(1, 6))
    classes = class_table((["sex", "s"], [("f", "a")] * 5 + [("f", "b")] + [("f", "c")] * 2 + [("f", "d")] * 2))
    a = classes.class_of_record[0]
    values = privacy_profile(classes, Attacker(measure="poac", q=default_q(0.3, 4)), sensitive="s").values
    assert values[a] == 2 / 3


# --- the profile ----------------------------------------------------------------------------------------------------


@given(
    slow.tables(), MEASURES, THRESHOLDS, st.integers(1, 4), st.booleans(), st.sampled_from(["any", "full"]), THRESHOLDS,
    st.booleans(),
)  # fmt: skip
def test_profile_is_the_least_over_every_set(table, measure, q, max_known, include_empty, knowledge, p, harm):
    names, rows = table
    knows = "all" if knowledge == "full" else max_known
    profile = privacy_profile(class_table(table), Attacker(measure, q, knows, include_empty, missing_is_harm=harm))
    records, threshold = profile.records(), slow.exact(p)
    assert list(records) == names and records.shape == (len(rows), len(names))
    depths = profile.people.by_record(profile.breach_depth(p))
    for s, name in enumerate(names):
        rest = slow.others(len(names), s)
        looked_at = [tuple(rest)] if knowledge == "full" else list(slow.sets(rest, max_known, include_empty))
        below = 0
        for i, person in enumerate(rows):
            values = {known: slow.measure(rows, person, s, known, measure, q, None, harm) for known in looked_at}
            least = slow.least(list(values.values()))
            assert slow.same_float(records[name][i], least)
            breaching = [len(known) for known, value in values.items() if value is not None and value <= threshold]
            assert depths[i, s] == min(breaching, default=-1)
            below += bool(breaching)
        assert profile.share_below(p)[s] == below / len(rows)


@given(slow.tables(), st.lists(THRESHOLDS, min_size=4, max_size=4))
def test_q_may_differ_by_variable(table, shares):
    names, rows = table
    given_q = dict(zip(names[:-1], shares, strict=False))  # 0 for the one that is not named
    records = privacy_profile(class_table(table), Attacker(measure="poac", q=given_q)).records()
    for s, name in enumerate(names):
        for i, person in enumerate(rows):
            q = slow.exact(given_q.get(name, 0.0))
            least = slow.least(
                [slow.poac(rows, person, s, known, q) for known in slow.sets(slow.others(len(names), s))]
                if person[s] is not None
                else []
            )
            assert slow.same_float(records[name][i], least)


@given(slow.tables(rows=(1, 6)), MEASURES, st.data())
def test_a_weight_is_as_many_rows(table, measure, data):
    names, rows = table
    weights = data.draw(st.lists(st.integers(0, 4), min_size=len(rows), max_size=len(rows)).filter(any))
    profile = privacy_profile(class_table(table, weights), Attacker(measure=measure, q=0.1))
    repeated = [row for row, weight in zip(rows, weights, strict=True) for _ in range(weight)]
    alone = privacy_profile(class_table((names, repeated)), Attacker(measure=measure, q=0.1))
    np.testing.assert_array_equal(profile.share_below(0.25), alone.share_below(0.25))
    records = profile.records()
    for i, (row, weight) in enumerate(zip(rows, weights, strict=True)):
        found = records.loc[i].to_numpy()
        expected = alone.records().loc[repeated.index(row)].to_numpy() if weight else np.full(len(names), np.nan)
        np.testing.assert_array_equal(found, expected)


@given(slow.tables(), MEASURES, st.booleans())
def test_at_most_is_a_fresh_profile_of_fewer_known(table, measure, include_empty):
    classes = class_table(table)
    attacker = Attacker(measure, q=0.1, include_empty=include_empty)
    profile = privacy_profile(classes, attacker)
    for most in range(0 if include_empty else 1, len(classes.attributes)):
        one, other = profile.at_most(most), privacy_profile(classes, replace(attacker, knows=most))
        assert one.known == other.known
        np.testing.assert_array_equal(one.by_size, other.by_size)
        np.testing.assert_array_equal(one.breach_depth(0.3), other.breach_depth(0.3))
    if not include_empty:
        with pytest.raises(InputError, match="at least 1"):
            profile.at_most(0)


def test_a_variable_of_one_value_has_no_alternatives():
    """PoAC is not defined (NaN, never below a threshold), PPP is 0."""
    classes = class_table((["u", "s"], [("a", "only"), ("b", "only")]))
    poac = privacy_profile(classes, Attacker(measure="poac"), sensitive="s")
    assert np.isnan(poac.values).all() and poac.share_below(0.5) == [0] and (poac.breach_depth(0.5) == -1).all()
    assert (privacy_profile(classes, sensitive="s").values == 0).all()
    assert breach_probability(classes, "s", 1.0, Attacker(measure="poac")).mean == [0]
    assert poac.n_values == (1,) and np.isnan(leave_one_out(classes, "s", Attacker(measure="poac")).values).all()


def test_the_table_says_who_is_below_and_how_little_is_known():
    frame = privacy_profile(five_people(10)).to_frame(0.0)
    assert frame["variable"].tolist() == ["diagnosis", "gender", "age"]
    assert frame["values"].tolist() == [3, 2, 3] and frame["q"].tolist() == [0, 0, 0]
    assert frame["individuals"].tolist() == [3, 3, 3]  # PPP 0 where Figure 1 is 0, as q is 0
    assert frame["share"].tolist() == frame["low"].tolist() == frame["high"].tolist() == [3 / 5] * 3
    assert frame["least_known"].tolist() == [1, 1, 1]
    assert frame["mean"][0] == pytest.approx((1 / 3 + 0 + 0 + 0 + 1 / 2) / 5)


def test_the_interval_is_wilsons():
    """Of ten sampled from very many: 0 to 0.278 around none, 0.237 to 0.763 around half (textbook values)."""
    ten = Individuals(rows=np.array([0]), counts=np.array([10]), n_records=10**9, class_of_record=None)
    low, high = ten.interval(np.array([0, 0.5]))
    assert [round(x, 4) for x in (*low.tolist(), *high.tolist())] == [0, 0.2366, 0.2775, 0.7634]


@given(st.lists(st.tuples(st.sampled_from([None, "p", "q", "r"]), slow.TEXTS, slow.FEW), min_size=1, max_size=10))
def test_persons_are_their_sets_of_values(rows):
    frame = pd.DataFrame(rows, columns=["id", "u", "s"], dtype=object)
    roles = {"id": Role.PERSON_ID, "u": Role.QUASI_IDENTIFIER, "s": Role.SENSITIVE}
    found = privacy_profile(Dataset.from_frame(frame, roles=roles).classes(["u", "s"])).records()
    persons, person_of_row = slow.persons([row[1:] for row in rows], [row[0] for row in rows])
    for i, place in enumerate(person_of_row):
        for s, name in enumerate(["u", "s"]):
            assert slow.same_float(found[name][i], slow.measure(persons, persons[place], s, (1 - s,), "ppp"))


@given(slow.tables(kinds=(slow.TEXTS, slow.FEW)))
def test_records_with_a_missing_value_may_be_left_out(table):
    names, rows = table
    classes = ClassTable.from_frame(pd.DataFrame(rows, columns=names, dtype=object), missing="drop")
    found = privacy_profile(classes, Attacker(measure="poac")).records()
    kept = [row for row in rows if None not in row]
    for i, person in enumerate(rows):
        for s, name in enumerate(names):
            rest = slow.sets(slow.others(len(names), s))
            least = None if None in person else slow.least([slow.poac(kept, person, s, a, Fraction(0)) for a in rest])
            assert slow.same_float(found[name][i], least)


# --- a missing value of one's own --------------------------------------------------------------------------------


def test_of_who_lacks_the_sensitive_value_nothing_is_certain_unless_that_is_a_fact_too():
    """Five men are certain to have no answer; of five women three are certain of theirs, one shares hers with a gap."""
    men = [("m", "30", None)] * 5
    women = [("f", "30", "yes"), ("f", "30", None), ("f", "40", "no"), ("f", "40", "no"), ("f", "50", "yes")]
    classes = class_table((["sex", "age", "smoker"], [*men, *women]))
    by_default = privacy_profile(classes, sensitive="smoker")
    assert by_default.people.number(by_default.values <= 0).tolist() == [3]
    assert by_default.people.number(by_default.certainly_missing(0)).tolist() == [5]
    table = by_default.to_frame(0).iloc[0]
    assert (table["individuals"], table["certainly_missing"], table["mean"]) == (3, 5, pytest.approx(0.5 / 4))
    assert by_default.people.number(by_default.breach_depth(0) >= 0).tolist() == [3]
    harm = privacy_profile(classes, Attacker(missing_is_harm=True), sensitive="smoker")
    assert harm.people.number(harm.values <= 0).tolist() == [8] and not np.isnan(harm.values).any()
    for missing_is_harm, certain in ((False, 3), (True, 8)):
        attacker = Attacker(missing_is_harm=missing_is_harm)
        assert breaching_sets(classes, "smoker", attacker).minimal.n_with_sets == certain
        chance = breach_probability(classes, "smoker", 1.0, attacker)
        assert chance.mean == [certain / 10] and chance.people.share(chance.missing) == [5 / 10]
        baseline = leave_one_out(classes, "smoker", replace(attacker, knows="all")).baseline
        assert classes.counts[baseline <= 0].sum() == certain and np.isnan(baseline).any() != missing_is_harm
    man = Individual.of(classes, classes.class_of_record[0])
    assert man.lacks("smoker") and man.smallest_breaching_sets("smoker") == () and np.isnan(man.least("smoker"))
    harmed = Individual.of(classes, classes.class_of_record[0], Attacker(missing_is_harm=True))
    assert harmed.smallest_breaching_sets("smoker") == (("sex",),)


# --- leave one out, knowledge by probability ------------------------------------------------------------------------


@given(slow.tables(), MEASURES, THRESHOLDS, st.sampled_from(["all", "any", 1, 2, 3]), st.booleans(), st.data())
def test_leaving_one_variable_out(table, measure, q, knows, include_empty, data):
    names, rows = table
    s = data.draw(st.integers(0, len(names) - 1))
    rest = slow.others(len(names), s)
    found = leave_one_out(class_table(table), names[s], Attacker(measure, q, knows, include_empty))
    assert found.auxiliary == tuple(names[j] for j in rest)

    def value(person: tuple, known: list[int]) -> slow.Value:
        sets = [tuple(known)]
        if knows != "all" and known:
            sets = list(slow.sets(known, None if knows == "any" else knows, include_empty))
        return slow.least([slow.measure(rows, person, s, a, measure, q) for a in sets])

    values, baseline = found.people.by_record(found.values), found.people.by_record(found.baseline)
    for i, person in enumerate(rows):
        assert slow.same_float(baseline[i], value(person, rest))
        for place, left in enumerate(rest):
            assert slow.same_float(values[i, place], value(person, [j for j in rest if j != left]))
    frame = found.to_frame(0.25).set_index("variable")
    for place, name in enumerate(found.auxiliary):
        certain, now = values[:, place] <= 0.25, baseline <= 0.25
        assert frame["certain"][name] == certain.sum() and frame["freed"][name] == (now & ~certain).sum()
        assert frame["share_certain"][name] == certain.sum() / len(rows)


CHANCES = st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0])


@given(slow.tables(rows=(1, 7)), MEASURES, THRESHOLDS, THRESHOLDS, st.lists(CHANCES, min_size=4), *[st.booleans()] * 3)
def test_breach_probability_is_the_sum_over_the_sets(table, measure, q, p, chances, one_number, include_empty, harm):
    names, rows = table
    chances = [chances[0]] * len(names) if one_number else [*chances[: len(names) - 1], 0.0]
    knowledge = chances[0] if one_number else dict(zip(names[:-1], chances, strict=False))
    attacker = Attacker(measure, q, include_empty=include_empty, missing_is_harm=harm)
    found = breach_probability(class_table(table), None, knowledge, attacker, p=p)
    values = found.people.by_record(found.values)
    exact = [slow.exact(chance) for chance in chances]
    for s in range(len(names)):
        total = Fraction(0)
        for i, person in enumerate(rows):

            def breaches(known: tuple[int, ...], person=person, s=s) -> bool:
                value = slow.measure(rows, person, s, known, measure, q, None, harm)
                return value is not None and value <= slow.exact(p)

            expected = slow.breach_probability(rows, person, s, exact, breaches, include_empty)
            assert values[i, s] == pytest.approx(float(expected), abs=1e-15)
            total += expected
        assert found.mean[s] == pytest.approx(float(total / len(rows)))
        assert found.to_frame()["expected"][s] == pytest.approx(float(total))


@given(slow.tables(rows=(1, 7)), THRESHOLDS)
def test_who_surely_knows_all_or_nothing(table, p):
    classes = class_table(table)
    full = privacy_profile(classes, KNOWS_ALL)
    np.testing.assert_array_equal(breach_probability(classes, None, 1.0, p=p).values, full.values <= p)
    assert (breach_probability(classes, None, 0.0, p=p).values == 0).all()


# --- the smallest sets ----------------------------------------------------------------------------------------------


@given(
    slow.tables(rows=(1, 7)), MEASURES, THRESHOLDS, THRESHOLDS, st.sampled_from(["all", "any", 1, 2, 3]), st.booleans(),
    st.booleans(), st.data(),
)  # fmt: skip
def test_breaching_sets_are_minimal_by_definition(table, measure, q, p, knows, include_empty, harm, data):
    names, rows = table
    s = data.draw(st.integers(0, len(names) - 1))
    rest = slow.others(len(names), s)
    attacker = Attacker(measure, q, knows, include_empty, missing_is_harm=harm)
    found = breaching_sets(class_table(table), names[s], attacker, p=p)
    assert (found.attacker, found.sensitive, found.p) == (attacker, names[s], p)
    looked_at = [tuple(rest)]
    if knows != "all":
        looked_at = list(slow.sets(rest, None if knows == "any" else knows, include_empty))

    def is_enough(person: tuple, known: tuple[int, ...]) -> bool:
        value = slow.measure(rows, person, s, known, measure, q, None, harm)
        return value is not None and value <= slow.exact(p)

    each = [slow.minimal(looked_at, lambda a, x=person: is_enough(x, a)) for person in rows]
    check_minimal(found.minimal, names, each)


def test_a_set_is_not_minimal_where_a_part_of_a_part_breaches():
    """With p above 0 a larger set may protect again: {a} breaches, {a, b} and {a, c} do not, {a, b, c} does."""
    rows = [tuple(row) for row in ["111x", *["110y"] * 2, *["101y"] * 2, *["011y"] * 2, *["100x"] * 6]]
    classes = class_table((["a", "b", "c", "s"], rows))
    found = breaching_sets(classes, "s", p=0.5).minimal.records()
    assert (found["smallest"][0], found["n_sets"][0]) == (1, 1)
    assert Individual.of(classes, classes.class_of_record[0]).smallest_breaching_sets("s", 0.5) == (("a",),)


@given(slow.tables(), st.sampled_from([2, 3]), st.integers(1, 3))
def test_singling_out_is_by_minimal_sets_and_scored_by_them(table, k, max_size):
    names, rows = table
    found = singling_out(class_table(table), max_size=max_size, k=k)
    looked_at = list(slow.sets(range(len(names)), max_size))
    each = [slow.minimal(looked_at, lambda a, x=person: len(slow.peers(rows, x, a)) < k) for person in rows]
    check_minimal(found.minimal, names, each)
    score = [slow.score(sets, len(names), max_size) for sets in each]
    assert found.records()["score"].tolist() == score


def check_minimal(found, names, each) -> None:
    """Minimal sets against those of each person by the definition."""
    expected = Counter(tuple(names[j] for j in one) for sets in each for one in sets)
    table = found.to_frame()
    assert dict(zip(found.sets, found.counts.tolist(), strict=True)) == expected
    assert table["size"].tolist() == [len(one) for one in found.sets]
    assert table["share"].tolist() == [count / len(each) for count in found.counts.tolist()]
    assert found.counts.tolist() == sorted(expected.values(), reverse=True)
    records = found.records()
    assert records["smallest"].tolist() == [min(map(len, sets), default=-1) for sets in each]
    first = [min(sets, key=lambda one: (len(one), one[::-1]), default=()) for sets in each]  # lower bits first
    smallest = [found.smallest_set(row) for row in found.people.class_of_record]
    assert smallest == [tuple(names[j] for j in known) for known in first]
    assert records["n_sets"].tolist() == [len(sets) for sets in each]
    assert found.n_with_sets == sum(bool(sets) for sets in each)


# --- the attacker ---------------------------------------------------------------------------------------------------


def test_an_attacker_is_a_value_that_cannot_be_changed():
    q, within = {"age": 0.1}, {"age": 2.0}
    attacker = Attacker("npp", q, 3, within=within)
    q["age"], within["age"] = 0.9, 9.0
    assert attacker == Attacker("npp", (("age", 0.1),), 3, within=(("age", 2.0),)) == eval(repr(attacker))
    assert len({attacker, replace(attacker), replace(attacker, knows="all")}) == 2
    assert (attacker.q_of("age"), attacker.q_of("sex"), Attacker(q=0.2).q_of("sex")) == (0.1, 0.0, 0.2)
    assert attacker.is_near and not Attacker("poac", within={"age": 0.0}).is_near


def test_results_hold_the_attacker_they_are_of():
    classes = five_people(10)
    attacker = Attacker("npp", knows=2, missing_is_harm=True)
    profile = privacy_profile(classes, attacker)
    assert profile.attacker == attacker and profile.at_most(2) is profile
    assert profile.at_most(1).attacker == replace(attacker, knows=1)
    assert leave_one_out(classes, "age", attacker).attacker == Individual.of(classes, 0, attacker).attacker == attacker
    assert protective_peers(classes, "age", [], attacker).attacker == attacker
    anyone = Attacker("npp", include_empty=True)
    assert breach_probability(classes, "age", 0.5, anyone).attacker == anyone


# --- what cannot be asked, and how far it is ------------------------------------------------------------------------

REFUSED = {
    "no column named “nobody”": lambda c: privacy_profile(c, sensitive="nobody"),
    "at least one sensitive": lambda c: privacy_profile(c, sensitive=[]),
    "each once": lambda c: privacy_profile(c, sensitive=["s", "s"]),
    "one of ppp, npp and poac": lambda c: privacy_profile(c, Attacker(measure="pp")),
    "Knowledge is": lambda c: privacy_profile(c, Attacker(knows="none")),
    "q is a share": lambda c: privacy_profile(c, Attacker(measure="poac", q=1.0)),
    "at least one variable": lambda c: privacy_profile(c, Attacker(knows=0)),
    "knows at least one": lambda c: leave_one_out(c, "s", Attacker(knows=0)),
    "the only variable": lambda c: privacy_profile(c.project(["u"])),
    "no variable to leave out": lambda c: leave_one_out(c.project(["s"]), "s"),
    "“s”, being sensitive, is not among": lambda c: protective_peers(c, "s", ["s"]),
    "PoAC compares exact values": lambda c: privacy_profile(c, Attacker(measure="poac", within={"age": 1.0})),
    "compares exact values. Take PPP": lambda c: protective_peers(c, "s", ["age"], Attacker(within={"age": 1.0})).poac,
    "may know any of them": lambda c: breach_probability(c, "s", 0.5, KNOWS_ALL),
    "a whole number, 1": lambda c: privacy_profile(c, Attacker(knows=1.5)),
    "“u” is known must be between": lambda c: breach_probability(c, "s", {"u": 1.5}),
    "“nobody” among": lambda c: breach_probability(c, "s", {"nobody": 0.5}),
    "k must be a whole number, 2": lambda c: singling_out(c, k=1),
    "combination must be a whole": lambda c: singling_out(c, max_size=0),
}


@pytest.mark.parametrize("says", REFUSED)
def test_what_cannot_be_asked_is_refused_without_a_cell(says):
    classes = class_table((["u", "age", "s"], [("cell", "1", "cell"), ("b", "2", "x")]))
    with pytest.raises(InputError, match=says) as error:
        REFUSED[says](classes)
    assert "cell" not in str(error.value) and str(error.value).endswith(".")


@pytest.mark.parametrize("q", [0.0, 0.2])
def test_poac_is_the_same_however_much_memory_its_groups_may_take(q, monkeypatch):
    classes = class_table((["a", "b", "s"], [(str(i % 3), str(i % 4), str(i * i % 5)) for i in range(40)]))
    attacker = Attacker(measure="poac", q=q, include_empty=True)
    kept = privacy_profile(classes, attacker)
    monkeypatch.setattr("anonlib.analyses.individuals.measures._GROUPS", 0)
    assert np.array_equal(kept.by_size, privacy_profile(classes, attacker).by_size)


def test_a_q_of_an_unknown_variable_is_refused():
    classes = class_table((["a", "s"], [("1", "x"), ("2", "y")]))
    with refused("column-unknown", "nobody"):
        privacy_profile(classes, Attacker(measure="poac", q={"nobody": 0.1}))
