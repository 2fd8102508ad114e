"""The public release of Adult whose six criteria were met and of which 71% could be singled out."""

from __future__ import annotations

import pandas as pd

from anonlib.dataset import Dataset
from anonlib.filing.project.opened import case_of, verdict_of
from anonlib.release.recipe import Recipe
from anonlib.verdict.attacks.attacking import Attacks, AttackSettings, attack
from anonlib.verdict.criteria import Aim, UniquenessOfRelease
from anonlib.verdict.proposals import Adviser, Asked
from tests.helpers.ways import part_by_part

KNOWN = ("age", "workclass", "education", "marital_status", "occupation", "race", "sex", "native_country")
SENSITIVE = ("capital_gain", "capital_loss", "salary")
PUBLIC = Aim.for_recipient("public")
WITHOUT = Aim("public", criteria=tuple(each for each in PUBLIC.criteria if not isinstance(each, UniquenessOfRelease)))


def proposed(data: Dataset, aim: Aim) -> Recipe:
    return part_by_part(Adviser(Asked.of(data, aim, {}))).taken(Recipe(), data)


def attacked(data: Dataset, recipe: Recipe) -> Attacks:
    applied = recipe.apply(data)
    return attack(applied, recipe, AttackSettings.of(data, applied.released, PUBLIC, tries=200))


def states(data: Dataset, recipe: Recipe, aim: Aim) -> dict[str, str]:
    verdict = verdict_of(case_of(recipe.apply(data), recipe, None, aim), aim, ())
    return {finding.criterion.title: str(finding.state) for finding in verdict.findings}


def test_the_release_is_not_met_any_more_and_its_new_proposal_is_and_holds_when_attacked(shared_data):
    frame = pd.read_csv(shared_data("adult.csv"), dtype=str)[[*KNOWN, *SENSITIVE]]
    roles = dict.fromkeys(KNOWN, "quasi_identifier") | dict.fromkeys(SENSITIVE, "sensitive")
    data = Dataset.from_frame(frame, roles=roles)
    before, after = proposed(data, WITHOUT), proposed(data, PUBLIC)
    assert set(states(data, before, WITHOUT).values()) == {"met"}
    stated = states(data, before, PUBLIC)
    assert stated.pop("Unique on any 3 released columns") == "not met" and set(stated.values()) == {"met"}
    assert set(states(data, after, PUBLIC).values()) == {"met"}
    found = attacked(data, after)
    assert found.alone.share_alone <= 0.001 and found.alone.share_below <= 0.05
    for each in found.attacks:
        if each.kind in ("singling out", "linkability"):
            assert not each.rate.successes, each
        assert each.gain is None or each.gain.interval[0] <= 0.03, each
    (linked,) = found.of_kind("linkage")
    assert linked.rate.share <= 2 / PUBLIC.k
