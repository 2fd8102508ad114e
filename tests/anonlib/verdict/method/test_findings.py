"""What the method says of releases that were proposed, recounted from the released records by plain code."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace

import pandas as pd
import pytest

from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy
from anonlib.coarsening.recoding import Mask
from anonlib.counting.privacy_models import AttributeDisclosure, KAnonymity
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import LeaveOut, Recode
from anonlib.verdict.criteria import Aim, Inference, RecordsKept, SmallestClass
from anonlib.verdict.criteria.aim import PARTS, WAYS, WHOLE_COLUMNS
from anonlib.verdict.method import left_for_value, method_findings
from anonlib.verdict.proposals import Adviser, Asked, advise, method_of
from benchmarks.adult_hierarchies import adult_hierarchies
from tests.helpers.small_release import QI, SENSITIVE

CRITERIA = (SmallestClass(5), Inference(known=0, most=0.0), RecordsKept(1.0))
ADULT = ["age", "workclass", "education", "marital_status", "occupation", "race", "sex", "native_country"]


def clinic() -> Dataset:
    """Five of one ZIP code with one illness, six of another all different; all others mixed."""
    rows = [("60119", "HIV")] * 5
    rows += [("60110", illness) for illness in ("flu", "asthma", "gout", "croup", "mumps", "measles")]
    for zip_code in ("60220", "60221", "60330", "60331"):
        rows += [(zip_code, illness) for illness in ("flu", "flu", "asthma", "gout", "mumps")]
    frame = pd.DataFrame(rows, columns=["zip", "illness"])
    return Dataset.from_frame(frame, roles={"zip": QI, "illness": SENSITIVE})


@pytest.mark.parametrize("way", WAYS)
def test_the_five_of_the_clinic_are_certain_in_every_way(way):
    """Only those of 60119 can have refused that their ZIP code is shown: nothing else can have one value."""
    data = clinic()
    digits = Hierarchy((Mask(4), EVERYTHING))
    adviser = Adviser(Asked(data, CRITERIA, {"zip": digits}))
    proposal = advise(way, adviser)
    recipe = proposal.taken(Recipe(), data)
    findings = method_findings(recipe.apply(data), recipe, adviser.method)
    assert (findings.forced, findings.not_counted, findings.n_records) == (5, "", 31)
    assert findings.example is not None
    assert findings.example.persons == 5
    assert ("zip", "60119") in findings.example.labels
    assert "HIV" not in repr(findings)


def public(way: str, data: Dataset):
    """As it was proposed before there were coins."""
    aim = Aim.for_recipient("public")
    aim = replace(aim, criteria=tuple(criterion for criterion in aim.criteria if criterion.coin is None))
    adviser = Adviser(Asked.of(data, aim, adult_hierarchies(ADULT)))
    proposal = advise(way, adviser)
    recipe = proposal.taken(Recipe(), data)
    applied = recipe.apply(data)
    return applied, recipe, method_findings(applied, recipe, adviser.method)


@pytest.fixture(scope="module")
def adult(shared_data) -> Dataset:
    frame = pd.read_csv(shared_data("adult.csv"), dtype=str, skipinitialspace=True)[[*ADULT, "salary"]]
    frame = frame[(frame != "?").all(axis=1)].reset_index(drop=True)
    return Dataset.from_frame(frame, roles=dict.fromkeys(ADULT, QI) | {"salary": SENSITIVE})


def test_who_of_adult_is_left_out_for_a_value(adult):
    """Whole classes of at least k that vanish, recounted by the labels of the release."""
    applied, recipe, findings = public(WHOLE_COLUMNS, adult)
    labels = Recipe.of(step for step in recipe.enabled if not step.leaves_out).apply(adult).released.held.frame
    before, after = (Counter(map(tuple, frame[ADULT].values)) for frame in (labels, applied.released.held.frame))
    gone = {label: n for label, n in before.items() if n >= 11 and not after[label]}
    assert findings.persons_left_for_value == sum(gone.values()) > 0
    assert findings.classes_left_for_value == len(gone)
    values = defaultdict(set)
    for label, value in zip(map(tuple, labels[ADULT].values), labels["salary"], strict=True):
        values[label].add(value)
    assert all(len(values[label]) == 1 for label in gone)
    assert not findings.not_counted
    assert findings.forced + findings.uncertified + findings.safe == applied.released.n_records


@pytest.mark.parametrize("way", [PARTS])
def test_whom_adult_makes_certain_part_by_part(adult, way):
    """Somebody is forced, and of everybody it is known whether they are."""
    applied, _, findings = public(way, adult)
    assert not findings.not_counted and not findings.left_for_value
    assert findings.forced > 0
    assert findings.uncertified == 0
    assert findings.forced + findings.safe == applied.released.n_records


def test_left_out_by_hand():
    """A step that leaves out for a value, whatever made it; and not one that counts alone."""
    rows = [("a", "u")] * 3 + [("b", "u"), ("b", "v"), ("b", "v"), ("c", "u")]
    data = Dataset.from_frame(pd.DataFrame(rows, columns=["x", "s"]), roles={"x": QI, "s": SENSITIVE})
    size, value = KAnonymity(columns=("x",), least=2), AttributeDisclosure(columns=("x",), sensitive="s")
    recipes = [
        Recipe.of([step]) for step in (LeaveOut(guarantees=(size, value)), LeaveOut(2), LeaveOut(guarantees=(size,)))
    ]
    of_both, of_k, of_size = (left_for_value(recipe.apply(data), recipe) for recipe in recipes)
    assert [(left.persons, left.classes, left.position) for left in of_both] == [(3, 1, 0)]
    assert of_k == of_size == ()


def test_without_guarantees_on_values_nothing_is_learned():
    data = clinic()
    adviser = Adviser(Asked(data, (SmallestClass(5), RecordsKept(1.0)), {}))
    recipe = Recipe.of([Recode("zip", Mask(4))])
    findings = method_findings(recipe.apply(data), recipe, adviser.method)
    assert (findings.forced, findings.uncertified, findings.states, findings.not_counted) == (0, 0, 0, "")


@pytest.mark.parametrize("recipient", ["public", "contract"])
def test_before_any_step_the_criteria_alone_say_what_the_method_tells(recipient):
    """As from the whole question of a search, which takes much longer to put."""
    data, aim = clinic(), Aim.for_recipient(recipient)
    whole, short = Adviser(Asked.of(data, aim, {})).method, method_of(data, Recipe(), aim, {})
    assert short is not None
    assert short.guarantees == whole.guarantees
    applied = Recipe().apply(data)
    assert method_findings(applied, Recipe(), short) == method_findings(applied, Recipe(), whole)
    assert method_of(data, Recipe(), replace(aim, criteria=()), {}) is None
