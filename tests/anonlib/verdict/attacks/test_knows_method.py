"""The attacker who knows the method: the public example by plain counting, sentences, and the rows of the figure."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from anonlib.analyses.generalization.search.coins import Coin
from anonlib.release.recipe import Recipe
from anonlib.verdict.attacks.clinic import PATIENTS, K, clinic
from anonlib.verdict.attacks.knows_method import (
    MethodAttack,
    concluded,
    example_in_words,
    left_out_in_words,
    method_attack,
    probabilities,
    rows,
    seconds,
)
from anonlib.verdict.method import Example, LeftForValue, MethodFindings
from tests.helpers.small_release import small

FINDINGS = MethodFindings(
    5, 2, 30, 41, states=3, by_column=(("ill", 5, 0), ("ward", 0, 2)),
    example=Example(5, (("ZIP", "60119"), ("sex", "f")), (("ZIP", "6011*"), ("sex", "f"))),
)  # fmt: skip
ATTACK = MethodAttack(FINDINGS, can_refuse=True, beside_example=6)


def test_the_clinic_is_what_plain_counting_says():
    """Shares nothing with the library: who lives where, who shares the first four digits, what can be whose."""
    example = clinic()
    of_zip = Counter(code for code, _ in PATIENTS)
    together = {code for code in of_zip if code[:4] == example.mixed.label[:4]}
    assert example.mixed.label == "6011*" and together == {"60119", "60110"}
    apart = {code: Counter(ill for other, ill in PATIENTS if other == code) for code in of_zip}
    assert min(of_zip.values()) >= K
    assert {code for code, having in apart.items() if len(having) == 1} == {"60119"}, "what refused it"
    shown = Counter(ill for code, ill in PATIENTS if code in together)
    can = {code: tuple(ill for ill, having in shown.items() if having >= of_zip[code]) for code in together}
    assert {code: (persons, values) for code, persons, values in example.refused} == {
        code: (of_zip[code], can[code]) for code in together
    }
    assert {group.label: (group.persons, dict(group.diagnoses)) for group in example.released} == {
        "6011*": (sum(shown.values()), dict(shown)),
        **{code: (of_zip[code], dict(apart[code])) for code in of_zip if code not in together},
    }
    assert example.findings.forced == of_zip["60119"] and not example.findings.uncertified
    assert (shown["HIV"], sum(shown.values())) == (5, 11)


def test_in_every_assignment_that_the_release_shows_and_that_was_refused_the_five_have_one_diagnosis():
    """Eleven people, whose diagnoses are known and not who has which: by brute force over who has the commonest one."""
    people = [code for code, _ in PATIENTS if code.startswith("6011")]
    can_have = []
    for has in product((False, True), repeat=len(people)):
        if sum(has) == 5:  # the other six have one diagnosis each of six
            of_all = [all(h for at, h in zip(people, has, strict=True) if at == code) for code in ("60119", "60110")]
            if any(of_all):
                can_have.append(has)
    assert [{code for code, h in zip(people, has, strict=True) if h} for has in can_have] == [{"60119"}]


def test_with_the_coin_nobody_is_certain_and_the_probability_is_the_formula():
    example = clinic()
    assert (example.with_coin.forced, example.with_coin.uncertified) == (0, 0)
    odds, share = (1 / example.coin.q) ** example.coin.budget, 5 / 11
    assert example.with_coin.greatest == pytest.approx(share * odds / (share * odds + 1 - share))


def test_the_line_is_red_above_nobody_and_not_known_is_not_green():
    line = concluded(ATTACK, "records")
    assert line.is_red and "5 of 41 records have a value that is certain" in line.says
    assert "Of 2 records it is not shown that none is." in line.says
    safe = MethodAttack(MethodFindings(0, 0, 30, 41, states=3), can_refuse=True)
    assert concluded(safe, "records").is_red is False
    assert concluded(MethodAttack(MethodFindings(0, 1, 29, 41), can_refuse=True), "records").is_red is None
    unknown = MethodAttack(MethodFindings(0, 0, 0, 41, not_counted="Too many."), can_refuse=True)
    assert concluded(unknown, "records").is_red is None and concluded(unknown, "records").says == "Too many."
    left = MethodAttack(
        MethodFindings(0, 0, 0, 41, (LeftForValue(1, "Leave out", 6, 1),), not_counted="Too many."), can_refuse=True
    )
    assert concluded(left, "records").is_red and "6 records of 1 class" in concluded(left, "records").says
    nothing = MethodAttack(MethodFindings(0, 0, 0, 41), can_refuse=False)
    assert (
        concluded(nothing, "records").is_red is False and "Nothing that is asked" in concluded(nothing, "records").says
    )


def test_the_example_names_what_tells_them_apart_and_no_value():
    assert example_in_words(ATTACK, "records") == (
        "5 records with ZIP 60119 and 1 more known column alike share 6011* with 6 others in the release. The sizes of "
        "classes allowed a finer release, which tells them apart and loses less. Only a value that all 5 of them have "
        "can have refused it, so that is certain."
    )
    assert example_in_words(MethodAttack(MethodFindings(0, 0, 0, 9), can_refuse=True), "records") == ""


def test_left_out_for_a_value_names_the_steps():
    assert left_out_in_words((), "records") == ""
    step = LeftForValue(3, "Leave out", 1304, 22)
    assert left_out_in_words((step,), "persons") == (
        "1,304 persons of 22 classes that met every size left for their value (step 4 of the recipe)."
    )
    two = left_out_in_words((step, LeftForValue(5, "Leave out", 6, 0)), "persons")
    assert two.startswith("1,310 persons of 22 classes") and two.endswith("(steps 4 and 6 of the recipe).")


def test_the_figure_has_a_row_for_all_columns_and_each_of_several():
    assert [(row.name, row.certain, row.not_shown, row.safe) for row in rows(ATTACK)] == [
        ("any sensitive column", 5, 2, 30), ("ill", 5, 0, None), ("ward", 0, 2, None),
    ]  # fmt: skip
    frame = ATTACK.to_frame()
    assert frame.to_dict("list")["number"] == [5, 2, 30, 0, 5, 0, 0, 2] and set(frame["of"]) == {41}
    unknown = MethodAttack(MethodFindings(0, 0, 0, 41, not_counted="Too many."), can_refuse=True)
    assert list(unknown.to_frame()["counted"]) == ["left out for a value"], "nothing of what was not counted"


def test_the_share_behind_the_greatest_probability_is_found_again():
    coin = Coin(0.2, 2)
    (greatest,) = probabilities(MethodAttack(FINDINGS, True, coins=(coin,)), (0.3,))
    attack = MethodAttack(MethodFindings(0, 0, 9, 9, greatest=greatest), can_refuse=True, coins=(coin,))
    assert attack.greatest_share == pytest.approx(0.3) and attack.odds == pytest.approx(25)


def test_where_nothing_can_be_searched_nothing_is_concluded():
    applied = Recipe().apply(small())
    attack = method_attack(applied, Recipe(), None)
    assert not attack.can_refuse and attack.findings.n_records == applied.original.n_records
    assert seconds(10**6, 10, Recipe()) == 0
