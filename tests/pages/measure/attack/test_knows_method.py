"""The fold on somebody who knows the method, its line at the top, and who is left out for a value on other pages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from anonlib.analyses.generalization.search.coins import Coin
from anonlib.basics import words
from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.coarsening.recoding import Mask
from anonlib.columns.roles import Role
from anonlib.counting.privacy_models import AttributeDisclosure, KAnonymity
from anonlib.release.recipe import Recipe
from anonlib.release.steps import GeneralizeLocally, LeaveOut, Recode
from anonlib.verdict.attacks.clinic import PATIENTS, clinic
from anonlib.verdict.criteria import Aim, Inference, RecordsKept, SmallestClass
from pages.measure.attack import results
from pages.measure.attack.summary import FOLD
from tests.helpers.app import ATTACK, VERDICT, App, connected, dataset_of, seeded

CLINIC = ("ZIP,diagnosis\n" + "".join(f"{code},{diagnosis}\n" for code, diagnosis in PATIENTS)).encode()
ROLES = {"ZIP": "quasi_identifier", "diagnosis": "sensitive"}
AIM = replace(Aim(), criteria=(SmallestClass(5), Inference(0, most=0.0), RecordsKept(1.0)), measured=())
BY_ZIP = Hierarchy((Mask(4),)).with_top()
ASKED = (
    KAnonymity(columns=("ZIP",), least=5),
    AttributeDisclosure(columns=("ZIP",), sensitive="diagnosis", p=0.0),
)
VALUES = {diagnosis for _, diagnosis in PATIENTS}


def opened(recipe: Recipe, page: str = ATTACK, data: bytes = CLINIC, **roles: str) -> App:
    app = seeded(data, page=page, roles=ROLES | roles)
    app.session.aim, app.session.recipe = AIM, recipe
    return app.run()


def by_parts(coin: Coin | None = None) -> Recipe:
    return Recipe.of([GeneralizeLocally((("ZIP", BY_ZIP),), ASKED, coin=coin)])


def line(app: App) -> str:
    (shown,) = [text.value for text in app.at.markdown if "**Concluded**" in text.value]
    return shown


def alts(app: App) -> list[str]:
    return [chart.proto.alt for chart in app.at.get("plotly_chart")]


def sentences(app: App) -> str:
    """What is said of the release, without the public example, which has a diagnosis."""
    return app.text.partition("**How it is concluded")[0].replace("\\", "")


@pytest.mark.parametrize(
    "recipe", [by_parts(), Recipe.of([Recode("ZIP", Mask(4))])], ids=["mixed coarseness", "by hand, whole columns"]
)
def test_of_whom_a_value_is_certain_stands_at_the_top_and_in_the_fold_and_no_value_does(recipe):
    app = opened(recipe)
    assert line(app).startswith(":red") and "5 of 29 records have a value that is certain" in line(app)
    assert "**That is red: above 0.**" in line(app)
    app.fold("attack", FOLD)
    assert [(metric.label, metric.value) for metric in app.at.metric] == [
        ("Certain", "5"), ("Not shown to be safe", "0"), ("Safe", "24"), ("Left out for a value", "0"),
    ]  # fmt: skip
    assert "5 records with ZIP 60119 share 6011* with 6 others in the release." in sentences(app)
    assert not any(value in sentences(app) for value in VALUES)
    (alt,) = alts(app)
    assert alt.startswith("Of 29 records a value is certain of 5, of 0 it is not shown to be safe, of 24 it is safe")
    assert app.download("Figures as CSV")


def test_the_public_example_is_as_the_library_counts_it_whatever_is_released():
    app = opened(Recipe())
    assert "There is no recipe, so no release was searched for" in line(app) and line(app).startswith(":green")
    app.fold("attack", FOLD)
    assert not app.at.metric and not alts(app)
    assert f"all {clinic().findings.forced} people of 60119 have HIV" in app.text
    shown = app.table("Can all have one diagnosis?")
    assert {tuple(row) for row in shown.itertuples(index=False)} == {
        ("60119", 5, "yes: HIV"), ("60110", 6, "no"),
    }  # fmt: skip


def test_with_the_coin_nobody_is_certain_and_the_probability_is_shown():
    app = opened(by_parts(Coin(0.2, 3)))
    greatest = words.percent_at_most(method_greatest(app))
    assert line(app).startswith(":green") and f"a probability of at most {greatest}" in line(app)
    app.fold("attack", FOLD)
    assert app.metric("Greatest probability") == greatest and app.metric("Certain") == "0"
    assert "A coin refuses 20% of the tries that values would allow, with a budget of 3" in app.text
    assert "so the odds of a value rise at most 125 times" in app.text
    (alt,) = alts(app)
    assert greatest in alt and alt.startswith("The probability that a value can reach")


def method_greatest(app: App) -> float:
    """By the formula, of the greatest share of a diagnosis in a class of what leaves."""
    recipe: Recipe = app.session.recipe
    released = recipe.apply(dataset_of(app)).released.frame
    share = max(
        group["diagnosis"].value_counts().iloc[0] / len(group) for _, group in released.astype(str).groupby("ZIP")
    )
    return share * 125 / (share * 125 + 1 - share)


def test_what_takes_longer_waits_for_its_button_and_says_the_same(monkeypatch):
    at_once = line(opened(by_parts()))
    monkeypatch.setattr(results, "AT_ONCE", 0.2)
    monkeypatch.setattr(results, "seconds_of_method", lambda *_: 5.0)
    app = opened(by_parts())
    assert line(app).startswith(":material/help:") and "it was not counted yet" in line(app)
    app.fold("attack", FOLD).press("Start")
    assert line(app) == at_once and app.metric("Certain") == "5"


@pytest.mark.parametrize(
    ("roles", "says"),
    [
        ({"diagnosis": "other"}, "No sensitive column leaves"),
        ({"who": "person_id"}, "of persons with several rows is not counted"),
    ],
)
def test_where_nothing_can_be_counted_it_says_why(roles, says):
    rows = [f"{code},{diagnosis},{i // 2}" for i, (code, diagnosis) in enumerate(PATIENTS)]
    data = ("ZIP,diagnosis,who\n" + "\n".join(rows) + "\n").encode()
    app = opened(Recipe.of([Recode("ZIP", Mask(4))]), data=data, **{"who": "other"} | roles)
    assert says in line(app)
    app.fold("attack", FOLD)
    assert not app.errors and says in app.text and "all 5 people of 60119" in app.text


def test_records_in_a_database_are_counted_as_those_in_memory():
    roles = {"ZIP": Role.QUASI_IDENTIFIER, "diagnosis": Role.SENSITIVE}
    recipe = Recipe.of([Recode("ZIP", Mask(4))])
    app = connected(CLINIC, page=ATTACK, roles=roles, aim=AIM, recipe=recipe)
    assert "5 of 29 records have a value that is certain" in line(app)
    app.fold("attack", FOLD)
    assert not app.errors and "5 records with ZIP 60119 share" in sentences(app)


# ---- left out for a value, on other pages ----

LEAVES = Recipe.of([LeaveOut(guarantees=ASKED)])


@pytest.mark.parametrize("page", [VERDICT, ATTACK])
def test_who_is_left_out_for_a_value_stands_in_the_sidebar_and_under_the_verdict(page, without_searches):
    app = opened(LEAVES, page)
    assert "left out for a value: :red[**5**]" in app.sidebar_lines
    says = "5 records of 1 class that met every size left for their value (step 1 of the recipe)."
    assert says in (line(app) if page == ATTACK else app.text).replace("\\", "")


def test_where_nobody_is_left_out_for_a_value_there_is_no_line(without_searches):
    app = opened(by_parts(), VERDICT)
    assert not any("left out for a value" in each for each in app.sidebar_lines)
    assert "left for their value" not in app.text
    app = opened(Recipe.of([Recode("ZIP", Mask(3)), LeaveOut(7)]), VERDICT)  # for the size of its class alone
    assert "left for their value" not in app.text
