"""The fold on somebody who knows the method, its line at the top, and who is left out for a value on other pages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

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
from tests.helpers.app import ATTACK, VERDICT, App, seeded

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


def test_dump():
    for recipe in (by_parts(), by_parts(Coin()), Recipe.of([Recode("ZIP", Mask(4))]), Recipe()):
        app = opened(recipe)
        print(line(app))
        app.fold("attack", FOLD)
        print(app.text)
        print([(m.label, m.value) for m in app.at.metric])
    assert 0
