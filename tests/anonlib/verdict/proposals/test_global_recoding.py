"""Sensitive columns in bands: where they take part, what is counted, and harmless values of many."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.generalization.search import NothingFound
from anonlib.basics.budget import about_seconds
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import Hierarchy, intervals
from anonlib.coarsening.recoding import ValueMap
from anonlib.counting.privacy_models import AttributeDisclosure, LDiversity
from anonlib.counting.privacy_models.coded import harmless_labels
from anonlib.counting.privacy_models.violations import violation
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import MergeRare, Recode
from anonlib.verdict.criteria import (
    BY_KEY,
    Aim,
    Case,
    Inference,
    RareValues,
    RecordsKept,
    SmallestClass,
    UnclassifiedColumns,
    UniquenessOfRelease,
    judge,
)
from anonlib.verdict.proposals import Adviser, Asked, Proposal, relaxations, values_in_columns, what_ifs
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.small_release import OTHER, QI, SENSITIVE
from tests.helpers.verdicts import case_with
from tests.helpers.ways import part_by_part

# --- the truth of what is counted -----------------------------------------------------------------------------------


@settings(max_examples=150)
@given(st.data())
def test_no_value_is_certain_that_labels_do_not_call_so_nor_fewer_values_than_they_count(data):
    """Against every file that the labels could be of: who is sure of a value, and how few values a class may have."""
    values = ["h", "i", "n"]
    label_of = dict(
        zip(values, data.draw(st.lists(st.sampled_from(["x", "y", None]), min_size=3, max_size=3)), strict=True)
    )
    true = data.draw(st.lists(st.sampled_from(values), min_size=1, max_size=5))
    classes = data.draw(st.lists(st.sampled_from("ab"), min_size=len(true), max_size=len(true)))
    original = Dataset.from_frame(pd.DataFrame({"q": classes, "s": true}), roles={"q": QI, "s": SENSITIVE})
    released = Recipe.of([Recode("s", ValueMap(tuple(label_of.items())))]).apply(original).released
    distinct = violation(released.coded(["q", "s"]), LDiversity(columns=("q",), sensitive="s", l=2.0)).records
    sure = violation(released.coded(["q", "s"]), AttributeDisclosure(columns=("q",), sensitive="s")).records
    fewest = {
        group: min(
            len(set(world))
            for world in product(
                *([value for value in values if label_of[value] == label_of[each]]
                  for each, of in zip(true, classes, strict=True) if of == group)
            )
        )
        for group in set(classes)
    }  # fmt: skip
    assert distinct == sum(fewest[group] < 2 for group in classes)
    certain = [
        all(label_of[other] == label_of[each] for other, of in zip(true, classes, strict=True) if of == group)
        for each, group in zip(true, classes, strict=True)
    ]
    one_value = [sum(label == label_of[each] for label in label_of.values()) == 1 for each in true]
    really = sum(a and b for a, b in zip(certain, one_value, strict=True))
    blank = sum(c and label_of[each] is None for c, each in zip(certain, true, strict=True))
    assert sure + blank >= really


@given(st.lists(st.sampled_from(["x", "y", "", None]), min_size=4, max_size=4), st.sets(st.sampled_from("abcd")))
def test_a_label_is_harmless_where_all_of_its_values_are(labels, harmless):
    found = harmless_labels("abcd", labels, harmless)
    for label in {*labels}:
        of_it = {value for value, each in zip("abcd", labels, strict=True) if each == label}
        assert (label in found) == (bool(label) and of_it <= harmless)


def test_a_harmful_value_does_not_become_harmless_beside_a_harmless_one():
    """Merged into one label, all that somebody is sure of may be the harmful value."""
    data = Dataset.from_frame(
        pd.DataFrame({"q": ["a", "a", "b", "b"], "s": ["hiv", "hiv", "none", "none"]}), roles={"q": QI, "s": SENSITIVE}
    )
    for step in (Recode("s", ValueMap((("hiv", "x"), ("none", "x")))), MergeRare("s", 3, "none")):
        case = case_with(data, step, harmless={"s": ("none",)})
        assert case.harmless_now("s") == ()
        assert Inference(1, 0.0, 0.0).check(case).persons == 4
    kept = Recode("s", ValueMap((("hiv", "x"), ("none", "y"))))
    assert case_with(data, kept, harmless={"s": ("none",)}).harmless_now("s") == ("y",)


# --- where they take part -------------------------------------------------------------------------------------------


def laboratory(n: int = 60) -> Dataset:
    """Ages, a laboratory value with a rare high one, and whether somebody is ill."""
    frame = pd.DataFrame(
        {
            "age": [str(40 + i % 4) for i in range(n)],
            "value": [str(100 + 7 * (i % 20)) for i in range(n - 1)] + ["913"],
            "ill": ["yes" if i % 3 else "no" for i in range(n)],
            "ward": [f"w{i % 3}" for i in range(n)],
        }
    )
    return Dataset.from_frame(frame, roles={"age": QI, "value": SENSITIVE, "ill": SENSITIVE, "ward": OTHER})


def bands_of(asked: Asked) -> set[str]:
    return {*Adviser(asked).problem.columns} - {"age"}


def test_they_take_part_only_where_a_criterion_is_about_them():
    data = laboratory()
    assert bands_of(Asked(data, (SmallestClass(3), Inference(0)))) == set()
    assert bands_of(Asked(data, (RareValues(5),))) == {"value"}
    assert bands_of(Asked(data, (Inference(2, knows="other_sensitive"),))) == {"value"}
    assert bands_of(Asked(data, (UniquenessOfRelease(),))) == {"value", "ward"}, "a column of neither role too"
    assert bands_of(Asked(data, (RareValues(5),), coarsenable=("ill",))) == set(), "not allowed"
    assert bands_of(Asked(data, (RareValues(5),), fixed=("value",))) == set(), "must stay"
    dropped = Adviser(Asked(data, (RareValues(5),), droppable=("value",)))
    assert (
        dropped.problem.hierarchies["value"].has_top
        and not Adviser(Asked(data, (RareValues(5),))).problem.hierarchies["value"].has_top
    ), "only what may be left out is removed"


def test_rare_values_are_put_in_bands_and_the_file_that_leaves_has_none():
    data = laboratory()
    proposal = Adviser(Asked(data, (RareValues(5), RecordsKept(1.0)))).most_detail()
    assert isinstance(proposal, Proposal) and "value" in proposal.changes and "dropped" not in proposal.changes["value"]
    released = proposal.taken(Recipe(), data).apply(data).released
    counts = pd.Series(released.records["value"]).value_counts()
    assert counts[counts > 0].min() >= 5 and len(counts[counts > 0]) > 1
    assert isinstance(
        Adviser(Asked(data, (RareValues(5), RecordsKept(1.0)), coarsenable=())).most_detail(), NothingFound
    )


def test_rare_words_are_put_together():
    words = ["flu"] * 20 + ["cold"] * 10 + ["gout", "lupus", "polio"]
    data = Dataset.from_frame(pd.DataFrame({"age": ["40"] * 33, "ill": words}), roles={"age": QI, "ill": SENSITIVE})
    proposal = Adviser(Asked(data, (RareValues(3), RecordsKept(1.0)))).most_detail()
    assert isinstance(proposal, Proposal) and proposal.changes == {"ill": "values of fewer than 3 together"}
    released = proposal.taken(Recipe(), data).apply(data).released
    assert {*map(str, released.records["ill"])} == {"flu", "cold", "other"}
    assert [(type(step), step.n_named) for step in proposal.steps] == [(MergeRare, 0)], "the recipe names no illness"


def test_rare_values_near_others_are_put_together_by_a_step_that_names_none():
    data = laboratory()
    proposal = Adviser(Asked(data, (RareValues(3), RecordsKept(1.0)))).most_detail()
    assert isinstance(proposal, Proposal)
    assert [(type(step), step.n_named) for step in proposal.steps] == [(MergeRare, 0)]
    released = proposal.taken(Recipe(), data).apply(data).released
    counts = pd.Series(released.records["value"]).astype(str).value_counts()
    assert counts.min() >= 3 and {"100", "226"} < {*counts.index} and not {"233", "913"} & {*counts.index}


def test_coarser_values_never_help_against_what_is_learned_of_them():
    """All of an age have values of one band: whoever is certain of values is of bands, and none is searched."""
    data = laboratory()
    asked = Asked(data, (Inference(1, column="value"),), {"value": intervals([50])})
    assert bands_of(asked) == set()


def test_an_answer_without_bands_is_found_where_bands_make_others_certain():
    """At its coarsest the value is the same for nearly all of an age; as it is nobody is sure of it."""
    frame = pd.DataFrame({"age": ["40"] * 4 + ["50"] * 4, "value": list("01234567"), "ill": ["y", "n"] * 4})
    data = Dataset.from_frame(frame, roles={"age": QI, "value": SENSITIVE, "ill": SENSITIVE})
    asked = Asked(
        data,
        (Inference(1, 0.0, 0.0, column="value"), SmallestClass(4), RareValues(1, "value"), RecordsKept(1.0)),
        {"value": intervals([4]), "age": Hierarchy()},
    )
    adviser = Adviser(asked)
    assert adviser.problem.settle(adviser.problem.highest) is None
    proposal = adviser.most_detail()
    assert isinstance(proposal, Proposal) and (proposal.loss, proposal.steps) == (0, ())


def test_what_may_be_coarsened_is_kept_with_the_aim_only_once_somebody_chose():
    assert "coarsenable" not in Aim().to_dict() and Aim.from_dict(Aim().to_dict()).coarsenable is None
    aim = Aim(coarsenable=("value", "other"))
    assert Aim.from_dict(aim.to_dict()) == aim
    assert aim.on(["value"]).coarsenable == ("value",) and aim.judged.coarsenable is None
    with refused("aim-damaged"):
        Aim.from_dict({**Aim().to_dict(), "coarsenable": "value"})


# --- alone by what leaves -------------------------------------------------------------------------------------------


def alone_and_below(frame: pd.DataFrame, known: int, k: int) -> tuple[int, int]:
    """Rows that are alone, and below k, by some set of so many columns: counted in the file as it was read."""
    alone, below = set(), set()
    for size in range(1, known + 1):
        for columns in combinations(frame.columns, size):
            texts = frame[list(columns)].agg("|".join, axis=1)
            sizes = texts.map(texts.value_counts())
            alone |= {*frame.index[sizes < 2]}
            below |= {*frame.index[sizes < k]}
    return len(alone), len(below)


@pytest.mark.parametrize("way", [Adviser.most_detail, part_by_part])
def test_few_are_alone_in_the_file_that_leaves(way):
    data = laboratory()
    criterion = UniquenessOfRelease(2, 0.0, 3, 0.05)
    assert alone_and_below(data.records.astype(str), 2, 3)[0] > 0
    proposal = way(Adviser(Asked(data, (SmallestClass(3), criterion))))
    assert isinstance(proposal, Proposal) and "value" in proposal.changes
    recipe = proposal.taken(Recipe(), data)
    released = recipe.apply(data).released
    alone, below = alone_and_below(released.records.astype(str), 2, 3)
    assert alone == 0 and below / released.n_records <= 0.05
    (finding,) = judge(Case(recipe.apply(data), recipe), [criterion], recipient="").findings
    assert finding.is_met and finding.now == 0


def test_a_limit_that_is_not_met_is_named_with_its_columns():
    data = laboratory()
    finding = UniquenessOfRelease(1, 0.0, 2, 0.0).check(case_with(data))
    assert (finding.persons, finding.n_persons, finding.is_met) == (1, 60, False)
    assert finding.worst == (("value", 1),)
    left_aside = case_with(data, unknowable=("value",))
    assert UniquenessOfRelease(1, 0.0, 2, 0.0).check(left_aside).is_met
    with pytest.raises(InputError, match="at most 3"):
        UniquenessOfRelease(4)
    asking = [key for key in BY_KEY if any(isinstance(each, UniquenessOfRelease) for each in BY_KEY[key].criteria)]
    assert asking == ["public"]


# --- harmless values of many columns --------------------------------------------------------------------------------


def symptoms(n: int = 200, columns: int = 8) -> Dataset:
    """Many yes and no, hardly ever yes."""
    frame = pd.DataFrame({"age": [str(40 + i % 5) for i in range(n)]})
    for j in range(columns):
        frame[f"symptom {j}"] = ["Yes" if (i * (j + 3)) % 29 == 1 else "No" for i in range(n)]
    roles = dict.fromkeys(frame.columns, SENSITIVE) | {"age": QI}
    return Dataset.from_frame(frame, roles=roles)


def test_values_of_many_columns_are_found_and_those_that_most_have_come_first():
    data = symptoms(60, 4)
    names = tuple(data.sensitive)
    assert values_in_columns(data, names, {}) == {"No": names, "Yes": names}
    left = values_in_columns(data, names, {names[0]: ("No",)})
    assert left == {"Yes": names, "No": names[1:]}
    assert values_in_columns(data, names, {}, most=1) == {}


def test_a_value_of_all_columns_is_one_offer():
    """Of all columns “No” is asked about once, and then much less is lost, or something does at all."""
    data = symptoms()
    limited = Aim.for_recipient("contract").limiting_what_is_learned(True)
    adviser = Adviser(Asked(data, limited.criteria))
    found = adviser.most_detail(about_seconds(1))
    if isinstance(found, NothingFound):
        offered = [each.harmless for each in what_ifs(adviser).ways if each.harmless is not None]
    else:
        offered = [(each.columns, each.value) for each in relaxations(adviser, found)]
    assert len(offered) == 1
    columns, value = offered[0]
    assert (sorted(columns), value) == (sorted(data.sensitive), "No")
    aim = limited.with_harmless_in(columns, value)
    assert isinstance(Adviser(Asked.of(data, aim, {})).most_detail(about_seconds(1)), Proposal)


def test_columns_that_perhaps_nobody_can_know_are_tried_together_first_and_then_one_by_one():
    """Each of them alone keeps hardly anything: the others are protected as if somebody could know them."""
    rng = np.random.default_rng(8)
    frame = pd.DataFrame({"age": [str(30 + i % 5) for i in range(150)]})
    answers = ("first", "second", "third", "fourth")
    for name in answers:
        frame[name] = rng.choice(["1", "2", "3", "4", "5", "6"], 150)
    data = Dataset.from_frame(frame, roles={"age": QI} | dict.fromkeys(answers, OTHER))
    adviser = Adviser(Asked(data, (SmallestClass(5), UnclassifiedColumns(5), RecordsKept(0.95))))
    proposal = part_by_part(adviser)
    assert isinstance(proposal, Proposal)
    assert proposal.loss > 0.1
    together, *single = relaxations(adviser, proposal)
    assert {*together.columns} == {name for name in answers if name in proposal.levels}
    assert len(together.columns) > 1
    assert all(len(each.columns) == 1 and each.loss > together.loss for each in single)
    assert together.loss < proposal.loss / 2
