"""Proposals where a coin refuses as values do: taken, saved and opened elsewhere, the same bytes leave; values choose
nothing."""

from __future__ import annotations

import json
from hashlib import sha256

import numpy as np
import pandas as pd
import pytest

from anonlib.analyses.generalization.search import NothingFound
from anonlib.analyses.generalization.search.coins import Coin
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.filing.evidence import released_file
from anonlib.filing.project import LoadedFile, Project, open_project
from anonlib.release.recipe import Recipe
from anonlib.release.steps import BlankCells, GeneralizeLocally
from anonlib.verdict.criteria import BLANK_CELLS, PARTS, Aim, Case, Diversity, Inference, SmallestClass
from anonlib.verdict.proposals import Adviser, Asked, Proposal, advise
from tests.helpers.other_process import OtherProcess
from tests.helpers.small_release import QI, SENSITIVE

ROLES = {"age": QI, "zip": QI, "sex": QI, "ill": SENSITIVE}
SECRET = "5a" * 16


@pytest.fixture(autouse=True)
def _asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SmallestClass, "coin", Coin(q=0.2, budget=3))


def frame(n: int = 80, persons: bool = False, seed: int = 3) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    columns = {
        "age": rng.integers(20, 60, n).astype(str),
        "zip": rng.choice(["6011", "6012", "6021", "7011"], n),
        "sex": rng.choice(["f", "m"], n),
        "ill": rng.choice(["flu", "cold", "gout"], n, p=[0.7, 0.2, 0.1]),
    }
    if persons:
        columns = {"id": np.repeat(np.arange(n // 2), 2).astype(str), **columns}
    return pd.DataFrame(columns)


def asked(rows: pd.DataFrame, criteria=None, **more) -> Asked:
    roles = {**ROLES, "id": Role.PERSON_ID} if "id" in rows else ROLES
    data = Dataset.from_frame(rows, roles=roles)
    return Asked(data, criteria or (SmallestClass(3), Inference(0, most=0)), secret=SECRET, **more)


def proposed(way: str, question: Asked) -> Proposal:
    proposal = advise(way, Adviser(question))
    assert isinstance(proposal, Proposal)
    return proposal


@pytest.mark.parametrize("way", [PARTS, BLANK_CELLS])
def test_the_step_has_the_coin_and_holds_on_the_bytes_that_leave(way):
    question = asked(frame())
    proposal = proposed(way, question)
    (step,) = (step for step in proposal.steps if isinstance(step, GeneralizeLocally | BlankCells))
    assert step.coin == Coin(q=0.2, budget=3, secret=SECRET)
    assert "a coin refuses 20% of the tries" in step.describe() and SECRET not in step.describe() + repr(step)
    assert type(step).from_dict(json.loads(json.dumps(step.to_dict()))).coin == step.coin
    recipe = proposal.taken(Recipe(), question.data)
    case = Case(recipe.apply(question.data), recipe)
    assert all(criterion.check(case).is_met for criterion in question.criteria)


def released(way: str, question: Asked) -> pd.DataFrame:
    return proposed(way, question).taken(Recipe(), question.data).apply(question.data).released.held.frame


@pytest.mark.parametrize("way", [PARTS, BLANK_CELLS])
def test_nobody_is_left_out_for_a_value(way):
    """Two in ten have one value, wherever they are: sizes leave out whom they do."""
    out = set()
    for seed in range(4):
        rows = frame()
        rows["ill"] = np.random.default_rng(seed).permutation(rows["ill"].to_numpy())
        out.add(proposed(way, asked(rows)).left_out)
    assert len(out) == 1


@pytest.mark.parametrize("way", [PARTS, BLANK_CELLS])
def test_values_and_secrets_draw_other_coins_and_the_order_of_rows_none(way):
    rows = frame()

    def known(question: Asked) -> list[str]:
        return sorted(released(way, question).drop(columns="ill").apply(lambda row: "|".join(map(str, row)), axis=1))

    first = known(asked(rows))
    assert known(asked(rows.sample(frac=1, random_state=1).reset_index(drop=True))) == first
    others = [known(Asked(asked(rows).data, asked(rows).criteria, secret=f"{i:032x}")) for i in range(4)]
    assert any(other != first for other in others)
    changed = [rows.assign(ill=rows["ill"].where(rows.index != i, "gout")) for i in range(6)]
    assert any(known(asked(other)) != first for other in changed)


def test_no_coin_where_no_value_is_asked_about_or_one_is_known():
    assert Adviser(asked(frame(), (SmallestClass(3),))).coin is None
    adviser = Adviser(asked(frame()))
    assert adviser.coin is not None and adviser.why_no_coin == ""
    two = frame().assign(ward=["a", "b"] * 40)
    data = Dataset.from_frame(two, roles={**ROLES, "ward": SENSITIVE})
    both = Adviser(Asked(data, (SmallestClass(3), Inference(0, most=0, knows="other_sensitive"))))
    assert both.coin is None and "“ill” is taken to be known" in both.why_no_coin


def test_where_values_refuse_the_whole_there_is_no_answer():
    rows = frame().assign(ill="flu")
    for way in (PARTS, BLANK_CELLS):
        assert isinstance(
            advise(way, Adviser(asked(rows, (SmallestClass(3), Diversity(2.0)), fixed=("ill",)))), NothingFound
        )


@pytest.mark.parametrize("persons", [False, True])
def test_a_saved_project_releases_the_same_bytes_elsewhere(tmp_path, persons):
    file = frame(persons=persons).to_csv(index=False).encode()
    roles = {**ROLES, "id": Role.PERSON_ID} if persons else ROLES
    project = Project(roles=roles, aim=Aim(criteria=(SmallestClass(3), Inference(0, most=0))), seed=7)
    opened = open_project(project, LoadedFile.of(file, "file.csv"))
    elsewhere = OtherProcess()
    for way in (PARTS,) if persons else (PARTS, BLANK_CELLS):
        question = Asked.of(opened.data, project.aim, {}, original=opened.data, secret=SECRET)
        proposal = proposed(way, question)
        assert SECRET in json.dumps([step.to_dict() for step in proposal.steps])
        taken = open_project(
            Project(roles=roles, aim=project.aim, seed=7, recipe=proposal.taken(Recipe(), opened.data)),
            LoadedFile.of(file, "file.csv"),
        )
        assert taken.applied.why_not == ""
        data, saved = tmp_path / "file.csv", tmp_path / "project.json"
        data.write_bytes(file)
        saved.write_text(taken.project.to_json(), encoding="utf-8")
        assert elsewhere.release(data, saved)["sha256"] == sha256(released_file(taken)).hexdigest()
    elsewhere.close()
