"""What can be learnt from a release: who is held back, what models are asked in, and what their scores are."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from anonlib.analyses.utility import Alongside, can_be_predicted, predict, prediction
from anonlib.analyses.utility import prediction as task_module
from anonlib.analyses.utility.models import Features, auc, features, fitted, gradient_boosting, probabilities
from anonlib.analyses.utility.prediction import Prediction, parts_of
from anonlib.basics.errors import InputError
from anonlib.coarsening.recoding import Intervals, ValueMap
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.release.steps import DropColumns, Recode
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.reference.utility import released_of


def patients(n: int = 300, seed: int = 3) -> Dataset:
    """The illness goes with age, and the ward says nothing."""
    rng = np.random.default_rng(seed)
    age = rng.integers(20, 90, n)
    ill = np.where(rng.random(n) < (age - 20) / 70, "yes", "no")
    frame = pd.DataFrame({"age": age.astype(str), "ward": rng.choice(list("ABC"), n), "ill": ill})
    frame["kind"] = np.where(ill == "yes", rng.choice(["x", "y"], n), "none")
    frame["person"] = (np.arange(n) // 2).astype(str)
    frame["name"] = [f"Name {i}" for i in range(n)]
    roles = {"age": Role.QUASI_IDENTIFIER, "ward": Role.OTHER, "ill": Role.SENSITIVE, "name": Role.IDENTIFIER}
    return Dataset.from_frame(frame, roles=roles)


DATA = patients()


def predicted(*steps, target: str = "ill", columns: tuple[str, ...] | None = ("age", "ward"), **more) -> Prediction:
    return predict(DATA, Recipe.of(steps).apply(DATA).released, target, columns, **more)


def test_an_unchanged_release_teaches_what_the_original_does():
    found = predicted()
    for name in ("logistic regression", "gradient boosting"):
        before, after = [each for each in found.scores if each.model == name]
        assert (before.accuracies, before.aucs) == (after.accuracies, after.aucs)
    assert found.kept == 1 and found.best("original").auc > 0.75
    assert found.commonest.accuracy == pytest.approx(pd.Series(DATA.records["ill"]).value_counts().max() / 300)
    assert (found.n_records, found.n_known, found.n_released, found.n_values) == (300, 300, 300, 2)
    assert not found.is_recoded and found == predicted(), "the same question has the same answer"


def test_coarser_ages_teach_a_little_less_and_none_teach_nothing():
    coarse = predicted(Recode("age", Intervals(20)))
    assert 0.5 < coarse.kept < 1
    nothing = predicted(Recode("age", ValueMap((), otherwise="*")))
    assert nothing.kept < 0.3 and nothing.best("original") == coarse.best("original")
    assert "ill" in nothing.sentences[0] and "yes" not in " ".join(nothing.sentences).split()
    frame = nothing.to_frame()
    assert frame["accuracy"].between(frame["lowest"], frame["highest"]).all() and len(frame) == 5


def test_who_is_held_back_is_not_learnt_from_nor_any_row_of_the_person(monkeypatch):
    data = DATA.with_roles({**DATA.roles, "person": Role.PERSON_ID})
    kept = np.random.default_rng(1).random(300) < 0.8
    released = released_of(data, kept.tolist(), {})
    learnt: list[np.ndarray] = []
    asked: list[np.ndarray] = []
    fitted, probabilities = prediction.fitted, prediction.probabilities
    monkeypatch.setattr(prediction, "fitted", lambda *a: learnt.append(a[2]) or fitted(*a))
    monkeypatch.setattr(prediction, "probabilities", lambda *a: asked.append(a[2]) or probabilities(*a))
    progress: list[float] = []
    found = predict(data, released, "ill", ["ward"], progress=progress.append)
    person = np.arange(300) // 2
    for rows, held_back in zip(learnt, asked, strict=True):
        assert not set(person[rows]) & set(person[held_back])
    of_release = [set(rows) for i, rows in enumerate(learnt) if i % 2]
    assert all(rows <= set(np.flatnonzero(kept)) for rows in of_release) and found.n_released == kept.sum()
    assert sorted(np.concatenate(asked[::4])) == list(range(300)), "each once, those left out too"
    assert progress == sorted(progress) and progress[-1] == 1 and found.unit == "persons"


def test_a_record_that_was_left_out_is_asked_about_in_the_releases_labels():
    released = Recipe.of([Recode("age", Intervals(10))]).apply(DATA).released
    ages = pd.Series(DATA.records["age"]).astype(int)
    first = ages[(ages >= 30) & (ages < 40)].index[0]
    before, after = features(Alongside.of(DATA, released.with_records(np.arange(300) != first, "")), ["age", "ward"])
    assert before.values[first, 0] == ages[first] and after.values[first, 0] == 34.5
    assert before.is_number.tolist() == after.is_number.tolist() == [True, False]


def test_a_label_that_cannot_be_reported_is_unknown():
    """Nobody of ward C is left, and neither is its label."""
    wards = pd.Series(DATA.records["ward"]).astype(str)
    released = DATA.with_records((wards != "C").to_numpy(), "")
    _, after = features(Alongside.of(DATA, released), ["ward"])
    assert ((after.values[:, 0] == -1) == (wards == "C")).all()
    assert 0 <= predict(DATA, released, "ill", ["ward"]).best("release").accuracy <= 1


def test_a_recoded_target_is_predicted_in_the_releases_labels():
    found = predicted(Recode("age", Intervals(cuts=(40.0, 60.0))), target="age", columns=("ill", "ward"))
    assert found.is_recoded and found.n_values == 3
    assert found.sentences[-1] == "“age” is predicted as the release has it, in 3 labels."
    assert can_be_predicted(Alongside.of(DATA, DATA)) == ("ward", "ill", "kind")


def test_more_than_two_values_and_columns_by_themselves():
    found = predicted(target="kind", columns=None)
    assert found.columns == ("age", "ward", "ill", "person") and found.n_values == 3
    assert found.best("original").auc > 0.8


def test_above_so_many_records_a_sample_takes_part_and_is_stated(monkeypatch):
    monkeypatch.setattr(task_module, "MOST_RECORDS", 120)
    found = predicted()
    assert (found.n_records, found.n_known) == (120, 300)
    assert found.sentences[-1] == "A sample of 120 of 300 records took part."


def test_records_without_the_target_take_no_part():
    ill = pd.Series(DATA.records["ill"]).astype(object).where(np.arange(300) >= 40, None)
    data = DATA.with_frame(DATA.records.assign(ill=pd.Categorical(ill)), " gaps")
    assert predict(data, data, "ill", ["age"]).n_records == 260


def test_no_program_is_started_to_count_the_cores(monkeypatch):
    """Which scikit-learn does where nobody says how many to use."""

    def refuse(*arguments, **options):
        raise AssertionError("started a program")

    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setattr("subprocess.Popen", refuse)
    monkeypatch.setattr("joblib.externals.loky.backend.context._count_physical_cores", refuse)
    assert predict(DATA, DATA, "ill", ["age"]).kept == 1


@settings(max_examples=100)
@given(
    st.lists(st.tuples(st.integers(0, 15), st.integers(-1, 3)), min_size=1, max_size=60),
    st.integers(2, 5),
    st.integers(1, 60),
    st.integers(0, 9),
)
def test_parts_hold_persons_whole_and_values_alike(rows, parts, most, seed):
    person, target = (np.array(each) for each in zip(*rows, strict=True))
    part = parts_of(person, target, parts, most, np.random.default_rng(seed))
    assert ((part >= 0) <= (target >= 0)).all() and part.max() < parts
    for one in set(person):
        assert len(set(part[(person == one) & (target >= 0)])) <= 1
    alone = parts_of(np.arange(len(rows)), target, parts, len(rows), np.random.default_rng(seed))
    for value in set(target) - {-1}:
        counts = np.bincount(alone[target == value], minlength=parts)
        assert counts.max() - counts.min() <= 1
    some = parts_of(np.arange(len(rows)), target, parts, most, np.random.default_rng(seed))
    assert (some >= 0).sum() == min(most, (target >= 0).sum())


@settings(max_examples=100)
@given(st.data(), st.integers(2, 4))
def test_the_area_under_the_curve_is_that_of_scikit_learn(data, n_values):
    rows = data.draw(
        st.lists(st.lists(st.integers(0, 5), min_size=n_values, max_size=n_values), min_size=6, max_size=25)
    )
    likely = np.array(rows, dtype=float) + 0.1
    likely /= likely.sum(axis=1, keepdims=True)
    target = np.arange(len(rows)) % n_values
    if n_values == 2:
        expected = roc_auc_score(target, likely[:, 1])
        assert auc(target, likely) == pytest.approx((expected + roc_auc_score(1 - target, likely[:, 0])) / 2)
    else:
        expected = roc_auc_score(target, likely, multi_class="ovr", average="weighted")
        assert auc(target, likely) == pytest.approx(expected)
    assert np.isnan(auc(np.zeros(3, dtype=int), likely[:3]))


@pytest.mark.parametrize(
    ("steps", "target", "columns", "sentence"),
    [
        ((), "nothing", None, "no column “nothing”"),
        ((), "name", None, "“name” is not in the release"),
        ((DropColumns(("ill",)),), "ill", None, "“ill” is not in the release"),
        ((DropColumns(("age",)),), "ill", ("age",), "“age” is not in the release, so nothing can be predicted from it"),
        ((), "ill", ("ill",), "at least one other column"),
        ((), "age", None, "too many to tell apart: recode it into at most 20 groups"),
        ((Recode("ill", ValueMap((), otherwise="all")),), "ill", None, "“ill” has the same value for all"),
    ],
)
def test_what_cannot_be_predicted_is_stated_with_the_way_out(steps, target, columns, sentence):
    with pytest.raises(InputError, match=sentence):
        predicted(*steps, target=target, columns=columns)


def test_too_few_records_a_label_for_each_part_and_persons_ids_are_refused():
    few = patients(40)
    with pytest.raises(InputError, match="Only 40 records have a value of “ill”"):
        predict(few, few, "ill")
    left = DATA.with_records(np.arange(300) < 30, "")
    with refused("too-few-records", "ill"):
        predict(DATA, left, "ill")
    by_part = np.where(np.arange(300) % 2, "ill or not", np.asarray(DATA.records["ill"].astype(str)))
    with refused("column-recoded-part-by-part", "ill"):
        predict(DATA, released_of(DATA, [True] * 300, {"ill": by_part.tolist()}), "ill")
    counted = DATA.with_roles({**DATA.roles, "person": Role.PERSON_ID})
    with refused("column-counts-persons", "person"):
        predict(counted, counted, "person")
    with refused("number-out-of-range"):
        predicted(folds=1)


def test_boosting_learns_a_column_of_many_values():
    """With larger steps it was right less often than who always says the commonest of 30 values."""
    rng = np.random.default_rng(0)
    values = rng.integers(30, size=1_000)
    table = Features(np.column_stack([values + rng.normal(0, 0.6, 1_000), rng.normal(size=1_000)]), np.ones(2, bool))
    model = fitted(gradient_boosting, table, np.arange(700), values, 1)
    right = probabilities(model, table, np.arange(700, 1_000), 30).argmax(axis=1) == values[700:]
    assert right.mean() > 0.3
