"""What must survive ranks proposals and guides searches."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from anonlib.analyses.utility.purposes import MeanByGroup, Model, Together, UsefulColumns, kept
from anonlib.basics.errors import InputError
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria import Aim, MethodDisclosure, RecordsKept, SmallestClass, UniquenessOfRelease
from anonlib.verdict.proposals import Adviser, Asked, Ranked, kept_by, ranked, weights_for
from tests.helpers.ways import part_by_part

PURPOSES = (
    Together("age", "zip"), MeanByGroup("age", "sex"), Model("sex", ("age", "zip")), UsefulColumns(("age", "sex"))
)  # fmt: skip


def test_columns_that_are_named_weigh_most_and_own_weights_hold():
    assert weights_for((), {"age": 2.0}) == {"age": 2.0}
    assert weights_for((Together("age", "zip"),), {"zip": 0.5, "sex": 2.0}) == {"age": 3.0, "zip": 0.5, "sex": 2.0}


def test_the_aim_holds_what_must_survive_and_old_ones_are_read():
    aim = Aim(purposes=(*PURPOSES, PURPOSES[0]))
    assert aim.purposes == PURPOSES
    assert Aim.from_dict(aim.to_dict()) == aim
    assert "purposes" not in Aim().to_dict()
    assert Aim.from_dict(Aim().to_dict()) == Aim()
    assert aim.on(["age", "sex"]).purposes == (*PURPOSES[1:2], Model("sex", ("age",)), PURPOSES[3])
    assert aim.judged == Aim().judged
    with pytest.raises(InputError, match="At most 5"):
        Aim(purposes=tuple(Together("age", f"c{i}") for i in range(6)))
    for wrong in ({}, "model", [{"kind": "model"}], [7]):
        with pytest.raises(InputError):
            Aim.from_dict({**aim.to_dict(), "purposes": wrong})


def test_most_of_what_must_survive_comes_first_and_then_the_least_loss():
    def row(name: str, loss: float, data: Dataset) -> Ranked:
        everything = Recipe().apply(data)
        released = everything.released if name != "without" else data.without_columns(["age"])
        return Ranked(name, loss, kept(PURPOSES[:2], data, released))

    data = Dataset.from_frame(
        pd.DataFrame({"age": ["1", "5", "9"] * 30, "zip": ["a", "b", "c"] * 30, "sex": list("mfx") * 30})
    )
    rows = [row("without", 0.1, data), row("costly", 0.5, data), row("cheap", 0.3, data)]
    assert [each.name for each in ranked(rows)] == ["cheap", "costly", "without"]
    assert [each.mean for each in ranked(rows)] == pytest.approx([1, 1, 0])
    assert Ranked("none named", 0.2, ()).mean == 1


@pytest.mark.parametrize(
    ("purpose", "least"),
    [(Together("age", "chol"), 0.5), (Together("age", "sex"), 0.5), (Model("hd", ("age", "sex", "chol")), 0.09)],
)
def test_naming_what_must_survive_makes_a_proposal_keep_more_of_it(shared_data, purpose, least):
    frame = pd.read_csv(shared_data("heart_cleveland.csv"), dtype=str)
    known = dict.fromkeys(("age", "sex", "zip", "smoker"), Role.QUASI_IDENTIFIER)
    roles = known | {"chol": Role.SENSITIVE, "hd": Role.SENSITIVE, "bs": Role.OTHER}
    data = Dataset.from_frame(frame, roles=roles)
    aim = Aim.for_recipient("public")
    criteria = (each for each in aim.criteria if not isinstance(each, UniquenessOfRelease | MethodDisclosure))
    aim = replace(aim, criteria=tuple(criteria))  # without coins, whose luck would be more than what is named
    shares = []
    for purposes in ((), (purpose,)):
        adviser = Adviser(Asked.of(data, replace(aim, purposes=purposes), {}))
        (found,) = kept_by(part_by_part(adviser), (purpose,), Recipe(), data)
        shares.append(found.share)
    assert shares[1] >= shares[0] + least


def test_a_proposal_is_measured_on_the_release_that_it_makes():
    frame = pd.DataFrame({"age": [str(20 + i % 40) for i in range(200)], "zip": [f"0{i % 7}" for i in range(200)]})
    data = Dataset.from_frame(frame, roles=dict.fromkeys(frame, Role.QUASI_IDENTIFIER))
    adviser = Adviser(Asked(data, (SmallestClass(40), RecordsKept(1.0))))
    proposal = adviser.most_detail()
    (found,) = kept_by(proposal, (MeanByGroup("age", "zip"),), Recipe(), data)
    released = proposal.taken(Recipe(), data).apply(data).released
    assert released.n_records == 200
    assert found.share is not None and found.share < 1


def test_columns_that_are_needed_give_way_last_and_then_those_that_weigh_most():
    data = Dataset.from_frame(pd.DataFrame({"age": ["1", "2"], "zip": ["a", "b"], "ill": ["x", "y"]}))
    data = data.with_roles({"age": Role.QUASI_IDENTIFIER, "zip": Role.QUASI_IDENTIFIER, "ill": Role.SENSITIVE})
    aim = Aim(criteria=(SmallestClass(1),), purposes=(UsefulColumns(("ill",)),), weights=(("zip", 3.0), ("ill", 0.5)))
    adviser = Adviser(Asked.of(data, aim, {}))
    assert sorted(data.columns, key=adviser.gives_way_last) == ["ill", "zip", "age"]
