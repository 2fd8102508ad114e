"""The steps that a search makes, leaving out and recoding part by part, against plain counting of records."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import tests.reference.generalization as slow
from anonlib.analyses.generalization import generalize
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy, intervals, tree
from anonlib.coarsening.recoding import DateUnit, Intervals, Mask, ValueMap
from anonlib.columns.roles import Role
from anonlib.counting.privacy_models import AttributeDisclosure, KAnonymity
from anonlib.dataset import Dataset
from anonlib.release.export import released_csv, value_mapping
from anonlib.release.from_analyses import steps_of_generalization
from anonlib.release.recipe import Recipe
from anonlib.release.steps import STEP_KINDS, DropColumns, GeneralizeLocally, LeaveOut, Recode
from anonlib.release.steps.of_cells import (
    EarlierLDiversity,
    EarlierTCloseness,
    Requirement,
    guarantees_of,
    requirements_of,
)
from anonlib.verdict.criteria import Case, Closeness
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.leaving_out import for_requirements
from tests.helpers.small_release import PERSON, QI, SENSITIVE, WEIGHT, column, rows_of

AGE, SEX = Requirement(("age",), 2), Requirement(("sex",), 2)
BOTH = Requirement(("age", "sex"), 2)
SUPPRESS = for_requirements((BOTH,))
AGES = intervals((10,))
SEXES = Hierarchy((EVERYTHING,))
LOCALLY = GeneralizeLocally((("age", AGES), ("sex", SEXES)), guarantees_of([BOTH]))
PEOPLE = [
    ("31", "F", "flu"), ("31", "F", "flu"), ("34", "F", "asthma"), ("36", "M", "flu"), ("38", "M", "cancer"),
    ("52", "M", "flu"), ("57", "F", "asthma"),
]  # fmt: skip


def people(rows=PEOPLE, **fields) -> Dataset:
    names = ["age", "sex", "illness"]
    roles = {"age": QI, "sex": QI, "illness": SENSITIVE}
    frame = pd.DataFrame(rows, columns=[*names, *fields.pop("more", {})], dtype=object)
    return Dataset.from_frame(frame, roles=roles | fields.pop("roles", {}), **fields)


def groups(dataset: Dataset, attributes: tuple[str, ...]) -> Counter:
    """Records by their values of the attributes."""
    return Counter(zip(*(column(dataset, name) for name in attributes), strict=True))


# ---- leaving out what violates ---------------------------------------------------------------------------------------


def test_records_of_violating_groups_are_left_out_and_nothing_else_changes():
    data = people()
    released = SUPPRESS.apply(data)
    assert rows_of(released) == [row for row in PEOPLE if row[:2] in {("31", "F")}]
    assert dict(released.roles) == dict(data.roles) and rows_of(data) == PEOPLE
    assert for_requirements((SEX,)).apply(data).n_records == 7
    assert "34" not in released.records["age"].cat.categories, "values that are gone are forgotten"


def test_leaving_out_for_one_guarantee_may_break_another():
    rows = [("30", "F", "x"), ("30", "F", "x"), ("31", "M", "x"), ("31", "F", "x"), ("32", "M", "x")]
    released = for_requirements((AGE, SEX)).apply(people(rows))
    # 32 is alone, so that one M is left; without him 31 is alone.
    assert rows_of(released) == rows[:2]


@pytest.mark.parametrize(
    ("rule", "kept"),
    [
        (EarlierLDiversity("illness", 2), ["F", "F", "F", "M", "M", "M", "F"]),
        (EarlierLDiversity("illness", 3), ["M", "M", "M"]),
        (EarlierLDiversity("illness", 2, "entropy"), ["F", "F", "F", "M", "M", "M", "F"]),
        (EarlierLDiversity("illness", 2.5, "entropy"), ["M", "M", "M"]),
        (EarlierTCloseness("illness", 0.0), []),
        (EarlierTCloseness("illness", 0.15), ["F", "F", "F", "F"]),
        (EarlierTCloseness("illness", 1.0), ["F", "F", "F", "M", "M", "M", "F"]),
    ],
)
def test_rules_are_asked_of_every_group(rule, kept):
    # Women: flu twice, asthma twice. Men: flu, cancer, asthma. All: flu 3, asthma 3, cancer 1 of 7.
    rows = [(age, sex, {"52": "asthma"}.get(age, illness)) for age, sex, illness in PEOPLE]
    assert column(for_requirements((SEX,), (rule,)).apply(people(rows)), "sex") == kept


def test_groups_are_of_persons_where_there_is_a_person_id():
    rows = [("30", "F", "x", "p1"), ("30", "F", "x", "p1"), ("31", "F", "x", "p2"), ("31", "F", "x", "p3")]
    data = people(rows, more={"id": 1}, roles={"id": PERSON})
    assert column(for_requirements((AGE,)).apply(data), "id") == ["p2", "p3"]
    # A person of two ages is known by both.
    rows = [("30", "F", "x", "p1"), ("31", "F", "x", "p1"), ("30", "F", "x", "p2"), ("30", "F", "x", "p3")]
    data = people(rows, more={"id": 1}, roles={"id": PERSON})
    assert column(for_requirements((AGE,)).apply(data), "id") == ["p2", "p3"]
    dropped = DropColumns(("id",)).apply(data)
    assert rows_of(for_requirements((AGE,)).apply(dropped)) == rows_of(DropColumns(("id",)).apply(data))[2:]


def test_groups_are_of_weights_where_there_are_weights():
    rows = [("30", "F", "x", "2"), ("31", "F", "x", "1"), ("32", "F", "x", "1"), ("32", "M", "x", "1")]
    data = people(rows, more={"people": 1}, roles={"people": WEIGHT})
    assert column(for_requirements((AGE,)).apply(data), "age") == ["30", "32", "32"]
    data = people([*rows, ("30", "F", "x", "0")], more={"people": 1}, roles={"people": WEIGHT})
    assert column(for_requirements((AGE,)).apply(data), "people") == ["2", "1", "1"], "nobody's row goes too"
    local = GeneralizeLocally((("age", AGES),), (KAnonymity(columns=("age",), least=4),))
    assert column(local.apply(data), "age") == ["30-39"] * 4


MISSING = [
    ("30", "F", "x"), ("30", "F", None), (None, "M", "x"), (None, "M", "x"), ("31", None, "x"), ("31", None, "y"),
]  # fmt: skip


@pytest.mark.parametrize(("missing", "kept"), [("category", MISSING), ("drop", MISSING[:2])])
def test_missing_values_are_a_value_or_leave_a_record_out(missing, kept):
    data = people(MISSING, missing=missing)
    assert rows_of(SUPPRESS.apply(data)) == kept
    assert rows_of(LOCALLY.apply(data)) == kept
    rule = (EarlierLDiversity("illness", 2),)
    left = [row for row in kept if row[0] == "30" or row[0] == "31"]
    assert rows_of(for_requirements((BOTH,), rule).apply(data)) == left, "a missing illness is an illness"


def test_a_missing_value_that_is_generalized_to_the_top_gets_its_label_unless_it_leaves_the_record_out():
    rows = [("30", "F", "x"), (None, "F", "x"), ("41", "F", "x"), ("42", "F", "x")]
    step = GeneralizeLocally((("age", intervals((10,))),), guarantees_of([BOTH]))
    assert column(step.apply(people(rows)), "age") == ["*", "*", "40-49", "40-49"]
    dropped = people(rows, missing="drop")
    assert column(step.apply(dropped), "age") == ["*"] * 3, "and the record without an age is in no group"
    effect = Recipe.of([step]).apply(dropped).effects[0]
    assert (effect.records_removed, effect.cells_changed) == (1, 3)


def test_a_label_of_missing_values_parts_no_person_from_those_without_gaps():
    rows = [("30", "F", "x", "p1"), (None, "F", "x", "p1"), ("31", "F", "x", "p2")]
    rows += [(None, "F", "x", "p3"), (None, "F", "x", "p4")]
    data = people(rows, more={"id": 1}, roles={"id": PERSON})
    level = ValueMap((("30", "30s"), ("31", "30s")), missing="unknown")
    step = GeneralizeLocally((("age", Hierarchy((level, EVERYTHING))),), guarantees_of([AGE]))
    assert column(step.apply(data), "age") == ["30s", None, "30s", None, None], "two without an age need no label"
    assert column(Recode("age", level).apply(data), "age") == ["30s", None, "30s", "unknown", "unknown"]


# ---- recoding part by part -------------------------------------------------------------------------------------------


def test_each_part_is_as_coarse_as_it_must_be():
    data = people()
    released = LOCALLY.apply(data)
    # Two women of 31 stand alone and lose nothing, the others their age: 5 cells. By decades it would be 5.4: .6 each
    # of five, .2 each of two, and the sex of these.
    ages = ["31"] * 2 + ["*"] * 5
    assert rows_of(released) == list(zip(ages, column(data, "sex"), column(data, "illness"), strict=True))
    earlier = replace(LOCALLY, search="mondrian").apply(data)
    decades, sexes = ["30-39"] * 5 + ["50-59"] * 2, ["F", "F", "F", "M", "M", "*", "*"]
    assert rows_of(earlier) == list(zip(decades, sexes, column(data, "illness"), strict=True))
    assert min(groups(released, ("age", "sex")).values()) >= 2
    assert rows_of(data) == PEOPLE and dict(released.roles) == dict(data.roles)
    assert released.key != data.key and LOCALLY.apply(data).key == released.key


def test_what_may_be_left_out_is_and_no_more():
    rows = [*[("30", "F", "x")] * 9, ("50", "M", "x")]
    way = (("age", Hierarchy()),)
    for limit, left in ((0.1, 9), (0.5, 9)):
        released = GeneralizeLocally(way, guarantees_of([AGE]), limit).apply(people(rows))
        assert released.n_records == left and set(column(released, "age")) == {"30"}
    with pytest.raises(InputError, match="too many of 10 records violate what is asked, and 0 may be left out"):
        GeneralizeLocally(way, guarantees_of([AGE]), 0.09).apply(people(rows))
    effects = (
        Recipe.of([GeneralizeLocally(way, guarantees_of([AGE])), for_requirements((AGE,))]).apply(people(rows)).effects
    )
    assert "may be left out" in effects[0].problem and effects[1].records_removed == 1, "the others still count"


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        (GeneralizeLocally((), (KAnonymity(columns=("nowhere",), least=2),)), "no column “nowhere”"),
        (GeneralizeLocally((("age", AGES),), (KAnonymity(columns=("age",), least=8),)), "fewer than k = 8"),
        (GeneralizeLocally((("age", tree({"31": ("young",)})),), guarantees_of([AGE])), "does not cover"),
    ],
)  # fmt: skip
def test_a_step_that_does_not_fit_says_so_and_changes_nothing(step, sentence):
    with pytest.raises(InputError, match=sentence):
        step.apply(people())
    applied = Recipe.of([step]).apply(people())
    assert sentence in applied.problems[0] and rows_of(applied.released) == PEOPLE
    assert value_mapping(applied, Recipe.of([step])).empty


@pytest.mark.parametrize("role", [PERSON, WEIGHT])
def test_what_persons_are_counted_by_is_not_generalized(role):
    rows = [(*row, str(i + 1)) for i, row in enumerate(PEOPLE)]
    data = people(rows, more={"count": 1}, roles={"count": role})
    step = GeneralizeLocally((("count", AGES),), (KAnonymity(columns=("count",), least=2),))
    with refused("column-counts-persons", "count"):
        step.apply(data)


def test_a_dropped_column_is_stated_to_be_dropped():
    applied = Recipe.of([DropColumns(("age",)), LOCALLY]).apply(people())
    assert ["earlier step dropped it" in problem for problem in applied.problems] == [True]


def test_without_records_there_is_nothing_to_leave_out():
    nobody = people([])
    assert SUPPRESS.apply(nobody).n_records == 0
    with refused("no-records"):
        LOCALLY.apply(nobody)


def test_a_population_stays_as_it_is_and_parts_cannot_be_recoded_in_it():
    population = people(PEOPLE[:3])
    assert SUPPRESS.apply_to_population(population) is population
    assert rows_of(Recipe.of([LOCALLY, SUPPRESS]).apply_to_population(population)) == PEOPLE[:3]


def test_the_value_mapping_follows_every_value_to_each_of_its_labels():
    data = people([*PEOPLE, (None, "F", "flu")])
    recipe = Recipe.of([for_requirements((SEX,)), LOCALLY, SUPPRESS])
    applied = recipe.apply(data)
    assert applied.problems == ()
    table = value_mapping(applied, recipe)
    assert set(table["step"]) == {2} and set(table["column"]) == {"age", "sex"}
    before, after = rows_of(data), rows_of(applied.released)
    for j, name in enumerate(["age", "sex"]):
        expected = Counter((old[j], new[j]) for old, new in zip(before, after, strict=True))
        message = table[table["column"] == name]
        found = {
            (None if pd.isna(value) else value, None if pd.isna(label) else label): records
            for value, label, records in zip(message["value"], message["released as"], message["records"], strict=True)
        }
        assert found == dict(expected)
    changed = sum(old[j] != new[j] for old, new in zip(before, after, strict=True) for j in (0, 1))
    assert applied.effects[1].cells_changed == changed > 0


def test_a_release_made_by_parts_is_a_csv_of_its_labels():
    released = Recipe.of([LOCALLY]).apply(people()).released
    lines = released_csv(released).decode().splitlines()
    assert lines[0] == "age,sex,illness"
    assert sorted(tuple(line.split(",")) for line in lines[1:]) == sorted(rows_of(released))


# ---- in words --------------------------------------------------------------------------------------------------------


def test_steps_in_words():
    rules = (EarlierLDiversity("ill", 3), EarlierLDiversity("ill", 2.5, "entropy"), EarlierTCloseness("ill", 0.2))
    step = for_requirements((Requirement(("age", "sex"), 5), Requirement(("zip",), 1000)), rules)
    assert step.describe() == (
        "Leave out the records that it takes for: 5 share age, sex; 3 values of ill in each class of age, sex; 2.5 "
        "values of ill by entropy in each class of age, sex; ill within t = 0.2 on age, sex; 1000 share zip; 3 values "
        "of ill in each class of zip; 2.5 values of ill by entropy in each class of zip; ill within t = 0.2 on zip"
    )
    asked = GeneralizeLocally(LOCALLY.hierarchies, guarantees_of([BOTH], rules))
    assert asked.describe() == (
        "Generalize age, sex with mixed coarseness: 2 share age, sex; 3 values of ill in each class of age, sex; 2.5 "
        "values of ill by entropy in each class of age, sex; ill within t = 0.2 on age, sex"
    )
    assert replace(asked, search="mondrian").describe() == (
        "Generalize age, sex with mixed coarseness to k = 2 on age, sex and 3 distinct values of ill and 2.5 values "
        "of ill by entropy and ill within t = 0.2"
    )
    assert LOCALLY.describe() == "Generalize age, sex with mixed coarseness: 2 share age, sex"
    assert len({SUPPRESS, SUPPRESS, LOCALLY, LOCALLY}) == 2, "steps are values"


# ---- JSON ------------------------------------------------------------------------------------------------------------

RECODINGS = (
    Intervals(5.0), Intervals(10.0, start=2.0, top=90.0, bottom=20.0), Intervals(cuts=(18.0, 65.0)), Mask(3),
    Mask(0, "end", ""), DateUnit("month"), DateUnit("quarter"), ValueMap.of({"a": "x", "b": None}), EVERYTHING,
    ValueMap((("a", "x"),), otherwise="y", missing="unknown"),
)  # fmt: skip
TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
SENSITIVE_NAMES = TEXTS.map("sensitive {}".format)  # longer than what may be known
RULES = st.builds(EarlierLDiversity, SENSITIVE_NAMES, st.integers(1, 9)) | st.builds(
    EarlierTCloseness, SENSITIVE_NAMES, st.floats(0, 1), st.sampled_from(["equal", "ordered"])
) | st.builds(EarlierLDiversity, SENSITIVE_NAMES, st.floats(1, 9), st.just("entropy"))  # fmt: skip
REQUIREMENTS = st.lists(
    st.builds(Requirement, st.lists(TEXTS, min_size=1, max_size=3, unique=True).map(tuple), st.integers(1, 10**6)),
    min_size=1, max_size=3,
).map(tuple)  # fmt: skip


@st.composite
def made_steps(draw: st.DrawFn):
    requirements, rules = draw(REQUIREMENTS), tuple(draw(st.lists(RULES, max_size=3)))
    reason = draw(TEXTS)
    names = list(dict.fromkeys(name for one in requirements for name in one.attributes))
    if draw(st.booleans()):
        return for_requirements(requirements, [rule for rule in rules if rule.attribute not in names], reason)
    named = draw(st.lists(st.sampled_from(names), unique=True))
    levels = st.lists(st.sampled_from(RECODINGS), max_size=4).map(lambda ways: Hierarchy(tuple(ways)))
    ways = tuple((name, draw(levels)) for name in named)
    return GeneralizeLocally(ways, guarantees_of(requirements, rules), draw(st.floats(0, 1)), reason)


@given(st.lists(made_steps(), max_size=3))
@settings(max_examples=50)
def test_steps_come_back_from_json(made):
    recipe = Recipe.of(made)
    again = Recipe.from_json(recipe.to_json())
    assert again == recipe and again.key == recipe.key
    assert [step.describe() for step in again.enabled] == [step.describe() for step in made]


def test_every_way_of_recoding_comes_back_from_json():
    step = GeneralizeLocally((("age", Hierarchy(RECODINGS)), ("sex", Hierarchy())), guarantees_of([BOTH]), 0.05, "why")
    again = Recipe.from_json(Recipe.of([step]).to_json()).enabled[0]
    assert again == step and again.hierarchies[0][1].key == step.hierarchies[0][1].key
    assert {LeaveOut.kind, GeneralizeLocally.kind} <= set(STEP_KINDS)


@given(REQUIREMENTS, st.lists(RULES, max_size=3, unique=True))
@settings(max_examples=50)
def test_guarantees_say_what_requirements_and_rules_say(requirements, rules):
    assert requirements_of(guarantees_of(requirements, rules)) == (requirements, tuple(rules))


def test_a_step_of_an_earlier_version_is_read_and_its_rows_come_out_in_the_same_order():
    rules = [{"kind": "l-diversity", "rule": L_RULE}, {"kind": "t-closeness", "rule": {"attribute": "ill", "t": 0.2}}]
    step = GeneralizeLocally.from_dict(LOCAL | {"rules": rules, "suppression_limit": 0.1, "reason": "why"})
    asked = guarantees_of([Requirement(("age",), 2)], [EarlierLDiversity("illness", 2), EarlierTCloseness("ill", 0.2)])
    assert step.guarantees == asked
    assert GeneralizeLocally.from_dict(step.to_dict()) == step
    # The words by which version 0.2.0 drew the order of the rows.
    assert step._prepared == (
        "GeneralizeLocally(hierarchies=(('age', Hierarchy(recodings=(), called=())),), "
        "requirements=(Requirement(attributes=('age',), k=2),), "
        "rules=(LDiversity(attribute='illness', l=2, kind='distinct'), "
        "TCloseness(attribute='ill', t=0.2, distance='equal')), "
        "suppression_limit=0.1, reason='why', kept=(), column_weights=())"
    )


SUPPRESSED: dict[str, Any] = {
    "kind": "suppress_violating", "requirements": [{"attributes": ["age"], "k": 2}], "rules": [], "reason": "",
}  # fmt: skip
LOCAL = SUPPRESSED | {"kind": "generalize_locally", "hierarchies": [{"column": "age", "levels": []}]}
L_RULE: dict[str, Any] = {"attribute": "illness", "l": 2, "kind": "distinct"}
BAD = [
    *({"requirements": bad} for bad in (
        [], None, "age", {}, [{}], ["age"], [{"attributes": ["age"]}], [{"k": 2}],
        *([{"attributes": bad, "k": 2}] for bad in (None, "age", [], [1], ["age", "age"], {"age": 1}, [None], 3)),
        *([{"attributes": ["age"], "k": bad}] for bad in (None, "2", 0, -1, 2.5, True, [2])),
    )),
    *({"rules": bad} for bad in (
        None, "x", [1], [{}], [{"kind": "l-diversity"}], [{"kind": "k", "rule": L_RULE}], [{"kind": None, "rule": 1}],
        *([{"kind": "l-diversity", "rule": L_RULE | bad}] for bad in (
            {"l": 0}, {"l": "2"}, {"l": 1.5}, {"kind": "other"}, {"kind": []}, {"attribute": 3}, {"more": 1},
        )),
        *([{"kind": "t-closeness", "rule": {"attribute": "illness", "t": t}}] for t in (-0.1, 1.1, "0.2", None, True)),
        [{"kind": "t-closeness", "rule": {"attribute": "illness", "t": 0.2, "distance": "far"}}],
    )),
    {"reason": 3}, {"reason": None}, {"enabled": "yes"},
]  # fmt: skip
BAD_LOCAL = [
    *({"hierarchies": bad} for bad in (
        None, "age", {}, [1], [{}], [{"column": "age"}], [{"column": 3, "levels": []}],
        [{"column": "sex", "levels": []}], [{"column": "age", "levels": []}] * 2,
        *([{"column": "age", "levels": bad}] for bad in (
            None, "x", [1], [{}], [{"kind": "none"}], [{"kind": "mask"}], [{"kind": "mask", "keep": -1}],
            [{"kind": "mask", "keep": 1, "more": 2}], [{"kind": "intervals", "width": "ten"}],
            [{"kind": "mapping", "labels_of": [["a"]]}], [{"kind": "mapping", "labels_of": "ab"}],
            [{"kind": "mapping", "labels_of": [["a", "b"]], "missing": 3}], [{"kind": "date", "unit": "week"}],
        )),
    )),
    *({"suppression_limit": bad} for bad in (None, "0.1", -0.1, 1.1, True, [0.1])),
]  # fmt: skip


@pytest.mark.parametrize("step", [*(SUPPRESSED | bad for bad in BAD), *(LOCAL | bad for bad in BAD + BAD_LOCAL)])
def test_a_malformed_step_is_refused_with_its_number(step):
    document = {"format": "anonscope-recipe", "version": 1, "steps": [SUPPRESSED, step]}
    with pytest.raises(InputError, match=r"^Step 2 of the recipe") as caught:
        Recipe.from_json(json.dumps(document))
    assert str(caught.value).endswith(".") and caught.value.__cause__ is None


@pytest.mark.parametrize("step", [SUPPRESSED, LOCAL])
def test_parts_that_can_be_left_out_of_json(step):
    document = {"format": "anonscope-recipe", "version": 1, "steps": [step]}
    full = Recipe.from_json(json.dumps(document))
    for name in ("rules", "reason"):
        short = {"steps": [{part: value for part, value in step.items() if part != name}]}
        assert Recipe.from_json(json.dumps(document | short)) == full


# ---- random records --------------------------------------------------------------------------------------------------


@st.composite
def tables(draw: st.DrawFn) -> tuple[slow.Case, Dataset]:
    """A case of the reference, and the same records as a data set, weighted where the case is."""
    case = draw(slow.cases(rules=draw(st.sampled_from([None, slow.L_DIVERSITY | slow.T_CLOSENESS]))))
    frame = pd.DataFrame(case.rows, columns=list(case.names), dtype=object)
    frame["row"] = [str(i) for i in range(len(frame))]
    frame["people"] = [str(weight) for weight in case.weights]
    roles = dict.fromkeys(case.shield, QI) | {"people": WEIGHT, "row": Role.OTHER}
    return case, Dataset.from_frame(frame, roles=roles)


def left_in(released: Dataset) -> list[int]:
    return [int(i) for i in column(released, "row")]


@given(tables())
@settings(max_examples=40)
def test_suppression_leaves_what_plain_counting_leaves(given):
    case, data = given
    step = for_requirements(case.requirements, case.rules)
    released = step.apply(data)
    assert left_in(released) == sorted(slow.left(case, case.rows))
    assert left_in(step.apply(released)) == left_in(released), "what is left meets what was asked"
    effect = Recipe.of([step]).apply(data).effects[0]
    assert (effect.records_removed, effect.cells_changed) == (data.n_records - released.n_records, 0)


@st.composite
def close_tables(draw: st.DrawFn) -> tuple[slow.Case, Dataset]:
    """A case that asks for t-closeness of all its known columns, and its records with the sensitive column."""
    case = draw(slow.cases(rules=slow.T_CLOSENESS, limits=["0.2", "0.5", "1"], max_requirements=1))
    case = replace(case, requirements=(Requirement(tuple(case.shield), case.requirements[0].k),))
    frame = pd.DataFrame(case.rows, columns=list(case.names), dtype=object)
    frame["people"] = [str(weight) for weight in case.weights]
    roles = dict.fromkeys(case.shield, QI) | {"s": SENSITIVE, "people": WEIGHT}
    return case, Dataset.from_frame(frame, roles=roles)


@given(close_tables(), st.sampled_from(["parts", "optimal", "greedy", "alone"]))
@settings(max_examples=120)
def test_closeness_is_what_the_criterion_asks_of_the_release(given, method):
    """The steps measure t against the records that leave, as whoever checks the release does."""
    case, data = given
    steps: tuple = (for_requirements(case.requirements, case.rules),)
    if method != "alone":
        try:
            found = generalize(case.classes, case.hierarchies, case.guarantees, method=method, **case.options)
        except InputError:
            assume(False)
        steps = steps_of_generalization(found, data, float(case.limit))
    recipe = Recipe.of(steps)
    applied = recipe.apply(data)
    assert applied.problems == ()
    if applied.released.n_records:
        for rule in case.rules:
            assert Closeness(rule.t, rule.distance).check(Case(applied, recipe)).is_met


@given(tables())
@settings(max_examples=40)
def test_parts_hold_what_is_required_under_labels_that_are_true(given):
    case, data = given
    ways = tuple((name, case.hierarchies[name]) for name in case.laddered)
    step = GeneralizeLocally(ways, case.guarantees, float(case.limit))
    try:
        released = step.apply(data)
    except InputError:
        assume(False)
    kept = left_in(released)
    table: list[tuple] = list(case.rows)
    for i, row in zip(kept, zip(*(column(released, name) for name in case.names), strict=True), strict=True):
        table[i] = row
    assert slow.broken(case, table, set(kept)) == (set(), 0), "over the records"
    assert case.n - slow.records(case, set(kept)) <= case.most
    for j, name in enumerate(case.names):
        for i in kept:
            before, after = case.rows[i][j], table[i][j]
            labels = {level[before] for level in case.ladders[name]} if name in case.laddered else {before}
            assert after in labels
    recipe = Recipe.of([step])
    applied = recipe.apply(data)
    changed = sum(table[i][j] != case.rows[i][j] for i in kept for j in range(len(case.names)))
    assert applied.effects[0].cells_changed == changed
    mapping = value_mapping(applied, recipe)
    assert mapping["records"].sum() == len(kept) * len(ways)


def test_many_columns_are_named_once():
    """Guarantees that others imply, and the names of many columns, are not said again."""
    names = ("a", "b", "c", "d", "e", "f", "g")
    known = names[:5]
    guarantees = (
        KAnonymity(columns=known, least=5),
        KAnonymity(columns=known, least=5, share=0.05),
        AttributeDisclosure(columns=known, sensitive="ill", known=2),
        KAnonymity(columns=(*known, "f"), least=5, share=0.03),
        KAnonymity(columns=(*known, "g"), least=5, share=0.03),
    )
    step = GeneralizeLocally(tuple((name, Hierarchy((EVERYTHING,))) for name in names), guarantees)
    assert step.describe() == (
        "Generalize 7 columns with mixed coarseness: 5 share these but f, g; ill not certain from any 2 columns of "
        "the same; 5 share the same and any one of f, g for all but 3%"
    )
