"""Leakage, Individuals and Risk of a release in which labels of several levels stand side by side."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from anonlib.analyses.individuals import Attacker, privacy_profile
from anonlib.analyses.leakage import information_loss
from anonlib.basics import words
from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy
from anonlib.coarsening.recoding import Intervals
from anonlib.counting.privacy_models import KAnonymity
from anonlib.release.covering import covered_classes
from anonlib.release.recipe import Recipe
from anonlib.release.steps import GeneralizeLocally, Recode
from tests.helpers.app import INDIVIDUALS, LEAKAGE, RISK, App, dataset_of, seeded

ROLES = {"age": "quasi_identifier", "race": "quasi_identifier", "sex": "quasi_identifier", "ill": "sensitive"}
KNOWN = ("age", "race", "sex")
STEP = GeneralizeLocally(
    (("age", Hierarchy((Intervals(5), Intervals(10), EVERYTHING))), ("race", Hierarchy((EVERYTHING,)))),
    (KAnonymity(columns=KNOWN, least=4),),
    left_out_limit=0.05,
)
COVERED, BY_LABELS = "all records whose labels cover it", "Equal labels are counted here"


def file() -> bytes:
    rng, n = np.random.default_rng(5), 120
    frame = pd.DataFrame({
        "age": rng.integers(30, 60, n), "race": rng.choice(list("abcd"), n, p=[0.7, 0.2, 0.08, 0.02]),
        "sex": rng.choice(["f", "m"], n), "ill": rng.choice(["flu", "cold"], n, p=[0.8, 0.2]),
    })  # fmt: skip
    return frame.to_csv(index=False).encode()


def opened(page: str, *steps, tab: tuple[str, str] | None = None) -> App:
    return seeded(file(), page=page, tab=tab, roles=ROLES, recipe=Recipe.of(steps), k=4)


def captions(app: App) -> str:
    return " ".join(each.value for each in app.at.caption)


def test_leakage_shows_what_labels_cover_and_says_so():
    app = opened(LEAKAGE, STEP).set("segmented_control", "Look at", "Release")
    assert not app.errors and COVERED in captions(app)
    data = dataset_of(app)
    applied = app.session.recipe.apply(data)
    names = [*KNOWN, "ill"]
    covered = covered_classes(applied, app.session.recipe, names).classes
    table, plain = (information_loss(each, max_size=3, k=4) for each in (covered, applied.released.classes(names)))
    assert table.worst_normalized[table.place(["race"])] < plain.worst_normalized[plain.place(["race"])]
    (name,) = table.sets[next(i for i in table.ranked() if len(table.sets[i]) == 1)]
    assert app.at.metric[0].label.replace("\\", "") == f"Leakiest: {name}"
    now = words.percent(float(table.normalized[table.place([name])]))
    assert app.at.metric[0].value.endswith(now), "what is covered, original → now"
    together = information_loss(covered.project(KNOWN), [KNOWN])
    of_all = words.percent(float(together.normalized[0]))
    assert any(each.value.endswith(of_all) for each in app.at.metric), [each.label for each in app.at.metric]


@pytest.mark.parametrize("page", [LEAKAGE, INDIVIDUALS, RISK])
def test_a_release_of_one_level_says_nothing_of_it(page):
    app = opened(page, Recode("age", Intervals(10)))
    assert not app.errors and COVERED not in captions(app) and BY_LABELS not in captions(app)


def test_individuals_counts_who_is_certain_by_what_labels_cover_and_says_so():
    app = opened(INDIVIDUALS, STEP).set("segmented_control", "Look at", "Release")
    assert not app.errors and COVERED in captions(app)
    applied = app.session.recipe.apply(dataset_of(app))
    names = [*KNOWN, "ill"]
    shares = []
    for classes in (covered_classes(applied, app.session.recipe, names).classes, applied.released.classes(names)):
        profile = privacy_profile(classes, Attacker(), sensitive="ill")
        shares.append(float(profile.share_below(0.0)[0]))
    assert shares[0] < shares[1], "else this file tries nothing"
    by_name = {each.label: each.value for each in app.at.metric}
    assert by_name["Certain in ill"].endswith(words.percent(shares[0])), by_name


def test_risk_says_that_classes_are_of_equal_labels_and_singling_out_of_what_they_cover():
    app = opened(RISK, STEP, tab=("risk-tabs", "Singling out"))
    app.set("segmented_control", "Look at", "Release")
    assert not app.errors and BY_LABELS in captions(app) and COVERED in captions(app)
