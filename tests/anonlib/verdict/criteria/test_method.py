"""What the method tells: the clinic whose five certain patients no released class shows, and what each state says."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter, defaultdict
from fractions import Fraction
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.analyses.generalization.search.coins import Coin
from anonlib.basics import words
from anonlib.coarsening.hierarchies import masking
from anonlib.coarsening.recoding import Mask
from anonlib.counting.privacy_models import AttributeDisclosure, KAnonymity
from anonlib.dataset import Dataset
from anonlib.release.export import released_csv
from anonlib.release.recipe import Recipe
from anonlib.release.steps import GeneralizeLocally, LeaveOut, Recode, Step
from anonlib.verdict.criteria import (
    BY_KEY,
    RECIPIENTS,
    Aim,
    Case,
    Finding,
    MethodDisclosure,
    SmallestClass,
    State,
    criterion_from_dict,
    judge,
)
from anonlib.verdict.method import Method, MethodFindings
from tests.helpers.errors import refused
from tests.helpers.small_release import QI, SENSITIVE

ILLS = ("flu", "asthma", "gout", "burn", "cold", "HIV")
CLINIC = [
    *(("60119", "HIV") for _ in range(5)),
    *(("60110", ill) for ill in (*ILLS[:5], "measles")),
    *((place, ill) for place in ("60221", "60222", "60331") for ill in ILLS),
]
SIZE = KAnonymity(columns=("zip",), least=5)
UNSURE = AttributeDisclosure(columns=("zip",), sensitive="ill", known=None)
ZIPS = masking(5)
SECRET = "0123456789abcdef" * 2
COARSER = Recode("zip", Mask(4))


def clinic(rows: list[tuple[str, str]] = CLINIC) -> Dataset:
    return Dataset.from_frame(pd.DataFrame(rows, columns=["zip", "ill"]), roles={"zip": QI, "ill": SENSITIVE})


def case_of(*steps: Step, asked: tuple = (SIZE, UNSURE), **more: Any) -> Case:
    recipe = Recipe.of(steps)
    method = Method(asked, {"zip": ZIPS})
    return Case(recipe.apply(clinic()), recipe, searched_for=lambda: method, **more)


def by_parts(q: float = 0.2, budget: int = 3) -> GeneralizeLocally:
    return GeneralizeLocally((("zip", ZIPS),), (SIZE, UNSURE), coin=Coin(q, budget, SECRET))


def checked(*steps: Step, **more: Any) -> Finding:
    return MethodDisclosure().check(case_of(*steps, **more))


def test_five_patients_of_the_clinic_are_certain_though_their_class_shows_six_values() -> None:
    finding = checked(COARSER)
    assert (finding.state, finding.now, finding.persons, finding.n_persons) == (State.NOT_MET, 5, 5, 29)
    assert "17.2% (5 of 29 records) have a value that is certain though their class shows several" in finding.says
    assert "60119" not in finding.says and "HIV" not in finding.says


def test_who_is_left_out_for_a_value_counts_and_is_named_apart() -> None:
    finding = checked(LeaveOut(guarantees=(SIZE, UNSURE)))
    assert (finding.state, finding.persons) == (State.NOT_MET, 5)
    assert finding.says.startswith("5 records of classes that met every size left for their value (1 class): who is ")
    asked_nothing = checked(LeaveOut(guarantees=(SIZE, UNSURE)), asked=(SIZE,))
    assert (asked_nothing.state, asked_nothing.persons) == (State.NOT_MET, 5), "whatever made the recipe"


def test_who_is_left_out_for_a_size_does_not_count() -> None:
    rows = [*CLINIC[5:], ("60440", "flu")]
    step = LeaveOut(guarantees=(SIZE, UNSURE))
    recipe = Recipe.of([step])
    case = Case(recipe.apply(clinic(rows)), recipe, searched_for=lambda: Method((SIZE, UNSURE), {"zip": ZIPS}))
    finding = MethodDisclosure().check(case)
    assert finding.state is State.MET and finding.now == 0


def plain_greatest(released: bytes, q: float, budget: int) -> Fraction:
    """The greatest probability that a value can reach, row by row of the file that leaves."""
    ills: dict[str, Counter[str]] = defaultdict(Counter)
    for row in csv.DictReader(io.StringIO(released.decode())):
        ills[row["zip"]][row["ill"]] += 1
    share = max(Fraction(n, sum(of_label.values())) for of_label in ills.values() for n in of_label.values())
    odds = (1 / Fraction(str(q))) ** budget
    return share * odds / (share * odds + 1 - share)


@pytest.mark.parametrize(("q", "budget"), [(0.2, 3), (0.15, 8), (0.5, 1)])
def test_with_a_coin_nobody_is_certain_and_the_figure_is_that_of_the_file(q: float, budget: int) -> None:
    case = case_of(by_parts(q, budget))
    finding = MethodDisclosure().check(case)
    assert (finding.state, finding.now) == (State.MET, 0)
    assert f"a coin refuses {words.percent(q)} of the tries" in finding.says
    assert f"a budget of {budget}" in finding.says and SECRET not in finding.says
    (printed,) = re.findall(r"a value reaches at most ([\d.]+)%", finding.says)
    greatest = 100 * plain_greatest(released_csv(case.released), q, budget)
    assert greatest <= Fraction(printed) < 100
    assert Fraction(printed) - greatest < (100 - greatest), "rounded up no further than it must be"


@given(st.fractions(0, 1))
def test_a_probability_that_is_not_exceeded_is_never_rounded_down(share: Fraction) -> None:
    printed = words.percent_at_most(float(share))
    assert Fraction(printed.removesuffix("%")) >= 100 * Fraction(float(share)) - Fraction(1, 10**12)
    assert (printed == "100%") == (float(share) == 1)


def test_several_releases_with_coins_multiply_and_one_without_has_no_bound() -> None:
    other, this = by_parts(0.2, 2), by_parts(0.2, 3)
    alone, both = (checked(this, **more).says for more in ({}, {"earlier": (Recipe.of([other]),)}))
    pattern = r"With 1 earlier release on record it reaches at most ([\d.]+)%"
    (printed,) = re.findall(pattern, both)
    case = case_of(this)
    together = 100 * plain_greatest(released_csv(case.released), 0.2, 5)
    assert together <= Fraction(printed) < 100 and not re.search(pattern, alone)
    assert "1 earlier release" not in checked(this, earlier=(Recipe.of([this]),)).says, "the same one adds nothing"
    assert "has no bound" in checked(this, earlier=(Recipe.of([COARSER]),)).says
    assert "What 2 earlier releases of other files add is not counted." in checked(this, earlier_elsewhere=2).says
    without = checked(COARSER, earlier=(Recipe(),)).says
    assert "What earlier releases on record add to that is not counted." in without


def findings_of(**changed: Any) -> MethodFindings:
    return MethodFindings(**{"forced": 0, "uncertified": 0, "safe": 29, "n_records": 29} | changed)


def with_findings(findings: MethodFindings | None) -> Finding:
    case = case_of(COARSER)
    vars(case)["method"] = findings  # as if it had been counted
    return MethodDisclosure().check(case)


def test_what_is_not_settled_cannot_be_checked() -> None:
    finding = with_findings(findings_of(uncertified=4, safe=25, states=2))
    assert (finding.state, finding.now, finding.persons) == (State.UNKNOWN, 4, 4)
    assert "neither shown that what was refused makes a value certain nor that it does not" in finding.says
    assert with_findings(findings_of(uncertified=4, forced=1)).state is State.NOT_MET
    uncounted = with_findings(findings_of(not_counted="Too much."))
    assert (uncounted.state, uncounted.says, uncounted.now) == (State.UNKNOWN, "Too much.", None)


def test_where_it_is_not_known_how_a_search_is_asked_it_cannot_be_checked() -> None:
    finding = with_findings(None)
    assert finding.state is State.UNKNOWN and "Add a criterion" in finding.says
    assert MethodDisclosure().check(Case(Recipe().apply(clinic()), Recipe())).state is State.UNKNOWN


def test_without_a_criterion_on_values_none_can_have_refused_anything() -> None:
    finding = checked(COARSER, asked=(SIZE,))
    assert (finding.state, finding.now) == (State.MET, 0)
    assert finding.says == "No value can have refused anything, so what was not done tells nothing."


def test_who_can_change_places_is_met_without_a_coin() -> None:
    finding = with_findings(findings_of(states=3, not_refused=1))
    assert finding.state is State.MET
    assert "the 3 finer releases that a value refused" in finding.says
    assert "1 finer release was not refused and not taken either" in finding.says


def test_measured_it_is_a_sentence_beside_the_verdict() -> None:
    verdict = judge(case_of(COARSER), [SmallestClass(5)], recipient="Own", measured=[MethodDisclosure("off")])
    assert verdict.measured[0].state is State.MEASURED
    assert verdict.learned == (
        "Who knows how the release was searched for is certain, or may be, of a value of 17.2% (5 of 29): not limited "
        "for this recipient."
    )


def test_public_releases_ask_it_with_the_coin_and_the_switch_asks_it_of_others() -> None:
    assert MethodDisclosure() in BY_KEY["public"].criteria
    for recipient in RECIPIENTS:
        asks = [criterion for criterion in (*recipient.criteria, *recipient.measured) if criterion.of_method]
        assert len(asks) == (recipient.key in ("public", "contract", "within"))
        aim = Aim.for_recipient(recipient.key)
        assert (aim.coin is not None) == (recipient.key == "public")
        if recipient.measured:
            limited = aim.limiting_what_is_learned(True)
            assert limited.coin == MethodDisclosure().coin, "what is asked must be reached by proposals"
            assert not any(limited.is_changed(criterion) for criterion in limited.criteria)
            assert limited.limiting_what_is_learned(False) == aim


def test_its_coin_is_that_of_searches_and_its_fields_are_checked() -> None:
    criterion = MethodDisclosure(q=0.3, budget=2)
    assert criterion.coin == Coin(0.3, 2) and MethodDisclosure("off").coin is None
    assert SmallestClass(5).coin is None
    assert criterion_from_dict(criterion.to_dict()) == criterion
    assert "30%" in criterion.describe() and "coin" not in MethodDisclosure("off").describe()
    for wrong in ({"q": 0.0}, {"q": 1.0}, {"budget": 0}, {"budget": 21}):
        with refused("number-out-of-range"):
            MethodDisclosure(**wrong)
    with refused("choice-unknown"):
        MethodDisclosure("sometimes")  # type: ignore[arg-type]
    assert not MethodDisclosure().is_unusual and MethodDisclosure(q=0.01).is_unusual
