"""Attacks, recomputed on small files by plain code, and on files of which it is known what must be found."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from anonlib.basics.errors import InputError
from anonlib.basics.stores import Store
from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy
from anonlib.coarsening.recoding import Intervals, ValueMap
from anonlib.counting.privacy_models import KAnonymity
from anonlib.dataset import Dataset
from anonlib.release.recipe import Applied, Recipe
from anonlib.release.steps import DropColumns, GeneralizeLocally, HoldBack, LeaveOut, Recode
from anonlib.verdict.attacks import attack_loops
from anonlib.verdict.attacks.attacking import AttackSettings, attack, attack_another_file, seconds_left
from anonlib.verdict.attacks.in_words import gain, worst_of_each
from anonlib.verdict.attacks.inference import inference_attack, model_attack
from anonlib.verdict.attacks.linkage import AttackerRegister, linkability, linkage, membership
from anonlib.verdict.attacks.matching import Matching, fitting, nearest, of_another_file, of_release
from anonlib.verdict.attacks.result import Rate, excess, known_of
from anonlib.verdict.attacks.singling_out import predicate_attack
from tests.helpers.errors import refused
from tests.helpers.examples import settings

COLUMNS = ("age", "sex", "ill")
ROLES = {"age": "quasi_identifier", "sex": "quasi_identifier", "ill": "sensitive"}
AGES = Hierarchy((Intervals(5), Intervals(10), EVERYTHING))
STEPS = {
    "as it is": [],
    "whole columns": [Recode("age", Intervals(10)), Recode("ill", ValueMap.of({"flu": "flu"}, otherwise="other"))],
    "part by part": [
        GeneralizeLocally((("age", AGES),), (KAnonymity(columns=("age", "sex"), least=2),), left_out_limit=0.3)
    ],
    "small classes": [Recode("age", Intervals(5)), LeaveOut(2)],
}


@st.composite
def files(draw: st.DrawFn, persons: bool) -> Dataset:
    n = draw(st.integers(3, 12))

    def column(*values: str | None) -> list[str | None]:
        return draw(st.lists(st.sampled_from(values), min_size=n, max_size=n))

    cells = {"age": column("30", "31", "34", "36", "41", None), "sex": column("f", "m"), "ill": column("flu", "gout")}
    ids = [f"p{i}" for i in draw(st.lists(st.integers(0, 5), min_size=n, max_size=n))] if persons else range(n)
    frame = pd.DataFrame({**cells, "id": list(map(str, ids))}, dtype=object)
    return Dataset.from_frame(frame, roles={**ROLES, "id": "person_id" if persons else "identifier"})


def covers(column: str, label: str | None, value: str | None, steps: list) -> bool:
    """Whether a released label is true of a value; a blank one is of everything."""
    if label in (None, "*"):
        return True
    for step in steps:
        if column in step.recodes:
            ways = [step.recoding] if isinstance(step, Recode) else [None, *AGES.recodings]
            return any(label == (value if way is None else labelled(way, value)) for way in ways)
    return label == value


def labelled(way, value: str | None) -> str | None:
    if value is None:
        return "*" if way is EVERYTHING else None
    return way.labels([value])[0]


def plain(table: Dataset) -> list[dict]:
    frame = table.records.astype(object)
    return frame.where(frame.notna(), None).to_dict("records")


def released_from(data: st.DataObject, steps: str, persons: bool) -> tuple[Dataset, Applied, Recipe]:
    """A drawn original, what leaves of it, and how."""
    original = data.draw(files(persons))
    recipe = Recipe.of(STEPS[steps]).take([], original)
    applied = recipe.apply(original)
    assume(not applied.problems and applied.released.n_records)
    return original, applied, recipe


@pytest.mark.parametrize("persons", [False, True])
@pytest.mark.parametrize("steps", STEPS)
@settings(max_examples=40)
@given(st.data())
def test_who_fits_and_who_is_nearest_against_plain_code(steps, persons, data):
    original, applied, recipe = released_from(data, steps, persons)
    matching = of_release(original, applied, recipe, COLUMNS)
    rows = np.arange(original.n_records)
    known = known_of([0, 1], 0, len(rows), np.random.default_rng(0))
    found = fitting(matching, rows, known)
    near = nearest(matching, rows, known, np.random.default_rng(0), 2)
    people, released = plain(original), plain(applied.released)
    whose = [people[i]["id"] for i in original.rows_of(applied.released)]
    for t, target in enumerate(people):
        far = [
            sum(not covers(name, row[name], target[name], list(recipe.enabled)) for name in ("age", "sex"))
            for row in released
        ]
        fit = [i for i, number in enumerate(far) if number == 0]
        assert found.n[t] == len(fit)
        assert found.own[t] == sum(whose[i] == target["id"] for i in fit)
        assert found.of_one[t] == (len({whose[i] for i in fit}) == 1)
        assert near.far[t] == min(far)
        ties = [i for i, number in enumerate(far) if number == min(far)]
        assert near.row[t] in ties
        labels = [released[i]["ill"] for i in ties]
        assert labels.count(matching.columns[2].labels[near.guess[t]]) == max(labels.count(each) for each in labels)


@pytest.mark.parametrize("persons", [False, True])
@pytest.mark.parametrize("steps", STEPS)
@settings(max_examples=40)
@given(st.data())
def test_predicates_against_plain_code(steps, persons, data):
    original, applied, recipe = released_from(data, steps, persons)
    matching = of_release(original, applied, recipe, COLUMNS)
    people, released = plain(original), plain(applied.released)
    whose = [people[i]["id"] for i in original.rows_of(applied.released)]
    members = np.flatnonzero(matching.member)
    members = members[np.argsort(matching.person[members], kind="stable")]
    for row in released:
        conditions = [(j, name) for j, name in enumerate(("age", "sex", "ill")) if row[name] not in (None, "*")]
        columns = np.array([[j for j, _ in conditions]], dtype=np.int32)
        labels = np.array(
            [[matching.columns[j].labels.tolist().index(row[name]) for j, name in conditions]], dtype=np.int32
        )
        operators = np.full_like(columns, attack_loops.EQUAL)
        counts = np.zeros((2, 1), dtype=np.int64)
        attack_loops.count_released(matching.arrays, columns, operators, labels, counts[0])
        attack_loops.count_people(matching.arrays, matching.members, columns, operators, labels, 1, counts[1])
        alike = {
            whose[i] for i, other in enumerate(released) if all(other[name] == row[name] for _, name in conditions)
        }
        true = {
            people[i]["id"] for i in members.tolist()
            if all(covers(name, row[name], people[i][name], list(recipe.enabled)) for _, name in conditions)
        }  # fmt: skip
        assert counts[:, 0].tolist() == [min(2, len(alike)), min(2, len(true))]


# ---- rates ----


def test_rates_are_those_of_wilson():
    """10 of 100: (10 + z^2 / 2) / (100 + z^2) = 0.1148, 0.0552 to 0.1744 (Wilson 1927; Giomi et al. 2023)."""
    rate = Rate(10, 100)
    assert rate.share == 0.1 and rate.centre == pytest.approx(0.114797, abs=1e-6)
    assert rate.interval == pytest.approx((0.05523, 0.17437), abs=1e-5)
    assert Rate(0, 0).interval == pytest.approx((0.0, 1.0))


def test_excess_keeps_its_sign_and_is_not_known_where_the_control_always_succeeds():
    more, less = excess(Rate(80, 100), Rate(40, 100)), excess(Rate(40, 100), Rate(80, 100))
    assert more is not None and less is not None and more.value > 0 > less.value
    assert more.value == pytest.approx((Rate(80, 100).centre - Rate(40, 100).centre) / (1 - Rate(40, 100).centre))
    assert excess(Rate(100, 100), Rate(50, 50)) is None and excess(Rate(1, 2), Rate(0, 0)) is None


# ---- what must be found ----


def patients(n: int = 1_500, seed: int = 5) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    age = rng.integers(20, 90, n)
    sex = rng.choice(["f", "m"], n)
    ward = rng.integers(0, 12, n)
    ill = np.where(rng.random(n) < 0.7, np.where(age > 60, "heart", "none"), rng.choice(["gout", "flu", "burn"], n))
    zipcode = rng.integers(100, 999, n)
    columns = {"age": age, "sex": sex, "ward": ward, "zip": zipcode, "ill": ill}
    return pd.DataFrame({name: np.asarray(cells).astype(str) for name, cells in columns.items()}, dtype=object)


KNOWN = ("age", "sex", "ward", "zip")
PATIENTS = dict.fromkeys(KNOWN, "quasi_identifier") | {"ill": "sensitive"}


def data_of(frame: pd.DataFrame) -> Dataset:
    return Dataset.from_frame(frame.astype(object), roles=PATIENTS)


def excesses(found) -> dict[tuple[str, str], float]:
    return {
        (each.kind, each.knows): each.excess.value
        for each in found.attacks if each.excess is not None and each.how != "trees that learnt from it"
    }  # fmt: skip


def test_the_population_table_is_a_register_and_keeps_what_the_journalist_is_promised():
    """Right are one in those who look alike in the table, or in the release where these are more, on average."""
    frame, around = patients(400), patients(3_000, seed=8)
    data, recipe = data_of(frame), Recipe.of([Recode("age", Intervals(10)), DropColumns(("zip",))])
    table = Dataset.from_frame(around[["age", "sex"]].astype(object))
    applied = recipe.apply(data)
    found = attack(applied, recipe, AttackSettings(("age", "sex"), sensitive=("ill",), tries=2_000), population=table)
    _, link = found.of_kind("linkage")
    assert link.how == "the population table" and link.columns == ("age", "sex") and link.control is None

    def alike(rows: pd.DataFrame) -> pd.Series:
        return pd.Series([(int(age) // 10, sex) for age, sex in zip(rows["age"], rows["sex"], strict=True)])

    in_table, in_file = alike(around).value_counts(), alike(frame).value_counts()
    chances = [
        1 / max(in_table.get(who, 0), in_file[who]) if who in in_table.index else 0.0 for who in alike(frame)
    ]  # fmt: skip
    low, high = link.rate.interval
    assert low <= np.mean(chances) <= high and 0 < link.rate.share < 0.2
    assert link.rate.tries == 400 and "claims" in link.note
    no_known_column = Dataset.from_frame(around[["ill"]])
    found = attack(applied, recipe, AttackSettings(("age", "sex"), tries=10), population=no_known_column)
    assert len(found.of_kind("linkage")) == 1 and "population table: it has no column" in found.not_tried[-1]


def test_a_release_equal_to_the_original_is_found_out():
    data = data_of(patients())
    found = attack(Recipe().apply(data), Recipe(), AttackSettings(KNOWN, sensitive=("ill",), tries=400))
    rates = {(each.kind, each.knows, each.known): each.rate.share for each in found.attacks}
    assert rates["singling out", "anybody", 3] > 0.97 and rates["linkage", "recipient", 0] > 0.97
    assert rates["inference", "recipient", 0] > 0.95 or rates["inference", "anybody", 0] > 0.95
    assert excesses(found)["inference", "recipient"] > 0.9 and excesses(found)["membership", "anybody"] > 0.9
    assert found.promised is not None and found.promised[1] == 1.0
    assert (found.n_released, found.n_control) == (1_350, 150) and "random 90%" in found.made_of


def test_a_file_of_independent_margins_gives_nothing_away():
    frame = patients()
    frame["zip"] = frame["zip"].str[:1]  # a value that one person has leaves with the margins too
    rng = np.random.default_rng(6)
    made_of, control = frame.iloc[:1_200], frame.iloc[1_200:]
    margins = made_of.apply(lambda cells: rng.permutation(cells.to_numpy()))
    found = attack_another_file(
        data_of(made_of),
        data_of(margins),
        AttackSettings(KNOWN, sensitive=("ill",), tries=400),
        control=data_of(control),
    )
    for each in found.attacks:
        assert each.excess is None or each.excess.interval[0] <= 0.03, each
    assert "knows which record is whose" in found.not_tried[0]


def test_a_copy_made_elsewhere_is_found_out():
    frame = patients()
    copy = frame.iloc[:1_200].sample(frac=1.0, random_state=1)
    found = attack_another_file(
        data_of(frame.iloc[:1_200]), data_of(copy), AttackSettings(KNOWN, sensitive=("ill",), tries=400),
        control=data_of(frame.iloc[1_200:]),
    )  # fmt: skip
    assert excesses(found)["singling out", "anybody"] > 0.8 and excesses(found)["membership", "anybody"] > 0.9


def test_the_same_seed_finds_the_same_and_another_control_can_be_given():
    data = data_of(patients(600))
    attacker, recipe = AttackSettings(KNOWN, sensitive=("ill",), tries=150), Recipe.of([Recode("age", Intervals(10))])
    first, second = (attack(recipe.apply(data), recipe, attacker) for _ in range(2))
    assert first == second
    other = attack(recipe.apply(data), recipe, attacker, control=data_of(patients(700).iloc[600:]))
    assert (other.n_released, other.n_control) == (600, 100) and "does not hold" in other.made_of
    assert list(other.to_frame()["attack"]) == list(first.to_frame()["attack"])


def test_records_held_back_are_in_no_release_that_is_attacked():
    """The control given makes another file of the original, and a random part has other records than it."""
    data, attacker = data_of(patients(600)), AttackSettings(KNOWN, sensitive=("ill",), tries=150)
    recipe = Recipe.of([HoldBack(tuple(range(0, 600, 3)), data.digest, 200, "records"), Recode("age", Intervals(10))])
    applied = recipe.apply(data)
    given = attack(applied, recipe, attacker, control=data_of(patients(700).iloc[600:]))
    drawn = attack(applied, recipe, attacker)
    assert given.n_released == 400 and 330 < drawn.n_released < 390
    plainly = Recipe.of([Recode("age", Intervals(10))])
    assert {*excesses(given)} == {*excesses(attack(plainly.apply(data), plainly, attacker))}


def test_what_a_store_holds_is_not_tried_again_and_changes_nothing():
    data, recipe, store = data_of(patients(400)), Recipe.of([Recode("age", Intervals(10))]), Store(1 << 30)
    applied, first = recipe.apply(data), AttackSettings(KNOWN, sensitive=("ill",), tries=150)
    attack(applied, recipe, first, store=store)
    assert seconds_left(applied, recipe, first, store) == 0.0
    for change in ({"n_columns": 1}, {"n_columns": 2}, {"register": AttackerRegister(wrong=0.2)}, {"other": ("ill",)}):
        other = replace(first, **change)
        left = seconds_left(applied, recipe, other, store)
        assert 0.0 <= left < seconds_left(applied, recipe, other, Store(0)), change
        assert attack(applied, recipe, other, store=store) == attack(applied, recipe, other), change
    assert seconds_left(applied, recipe, replace(first, seed=2), store) > 0.1


def test_of_each_kind_the_worst_is_named_and_what_is_not_known_is_not_harmless():
    data = data_of(patients(400))
    found = attack(Recipe().apply(data), Recipe(), AttackSettings(KNOWN, sensitive=("ill",), tries=150))
    of_lines = ("singling out",), ("linkage", "linkability"), ("inference",)
    for worst, kinds in zip(worst_of_each(found, 0.5), of_lines, strict=True):
        gains = [value for kind in kinds for each in found.of_kind(kind) if (value := gain(each)) is not None]
        assert worst.attack is not None and gain(worst.attack) == max(gains) and worst.is_red is (max(gains) > 0.5)
    nothing = attack(Recipe().apply(data), Recipe(), AttackSettings((), tries=50))
    assert [worst.is_red for worst in worst_of_each(nothing, 0.5)][1:] == [None, None]
    waiting = replace(nothing, attacks=(), to_come=3)
    assert {worst.says for worst in worst_of_each(waiting, 0.5)} == {"Not tried yet."}


def test_links_are_as_likely_right_as_class_sizes_promise():
    data = data_of(patients(900))
    recipe = Recipe.of([Recode("age", Intervals(20)), DropColumns(("zip", "ward"))])
    applied = recipe.apply(data)
    matching = of_release(data, applied, recipe, ("age", "sex", "ill"))
    found = linkage(matching, ("age", "sex"), 900, "recipient", np.random.default_rng(1))
    sizes = applied.released.records.groupby(["age", "sex"], observed=True)["age"].transform("size")
    assert found.promised == pytest.approx(((1 / sizes).mean(), (1 / sizes).max()))
    low, high = found.attack.rate.interval
    assert low <= found.promised[0] <= high and found.sure == 0
    assert found.claims == 900 and found.precision.successes == found.right


def test_a_register_with_errors_links_less():
    data = data_of(patients(900))
    matching = of_release(data, Recipe().apply(data), Recipe(), (*KNOWN, "ill"))
    rng = np.random.default_rng
    whole = linkage(matching, KNOWN, 900, "recipient", rng(1))
    wrong = linkage(matching, KNOWN, 900, "recipient", rng(1), AttackerRegister(wrong=0.2))
    half = linkage(matching, KNOWN, 900, "recipient", rng(1), AttackerRegister(share=0.5))
    assert whole.attack.rate.share > 0.98 and wrong.attack.rate.share < 0.6
    assert 350 < half.attack.rate.tries < 550
    with pytest.raises(InputError, match="from 0 to 1"):
        AttackerRegister(share=2.0)


def test_two_parties_are_joined_through_a_release_as_it_is_and_not_through_one_without_their_columns():
    data = data_of(patients(600))
    for recipe, least, most in ((Recipe(), 0.5, 1.0), (Recipe.of([Recode("zip", EVERYTHING)]), 0.0, 0.1)):
        matching = of_release(data, recipe.apply(data), recipe, (*KNOWN, "ill"))
        found = linkability(matching, ("zip", "age"), ("ward", "sex", "ill", "zip"), 600, "x", np.random.default_rng(1))
        assert least <= found.rate.share <= most


def test_persons_with_several_rows_are_one_each():
    frame = patients(600)
    frame["id"] = [f"p{i // 3}" for i in range(600)]
    data = Dataset.from_frame(frame, roles={**PATIENTS, "id": "person_id"})
    found = attack(Recipe().apply(data), Recipe(), AttackSettings(KNOWN, sensitive=("ill",), tries=100))
    assert (found.n_released, found.n_control) == (180, 20)
    (link,) = found.of_kind("linkage")
    assert link.rate.tries == 200 and link.rate.share > 0.95


def test_a_row_of_weight_three_is_three_people_of_whom_one_is_the_target():
    """Women of 30: a row for three and a row for one. Who links to either is right once in four."""
    frame = pd.DataFrame({"age": ["30", "30", "41"], "sex": ["f", "f", "m"], "n": ["3", "1", "1"]}, dtype=object)
    data = Dataset.from_frame(frame, roles={"age": "quasi_identifier", "sex": "quasi_identifier", "n": "weight"})
    matching = of_release(data, Recipe().apply(data), Recipe(), ("age", "sex"))
    found = fitting(matching, np.arange(3), known_of([0, 1], 0, 3, np.random.default_rng(0)))
    assert found.n.tolist() == [4, 4, 1] and found.own.tolist() == [1, 1, 1]
    assert found.of_one.tolist() == [False, False, True]
    link = linkage(matching, ("age", "sex"), 100, "recipient", np.random.default_rng(0))
    assert link.attack.rate.tries == 5 and link.promised[1] == 1.0


def test_a_control_has_people_of_its_own_whatever_their_ids():
    frame = patients(300)
    frame["id"] = [f"p{i}" for i in range(300)]
    data = Dataset.from_frame(frame, roles={**PATIENTS, "id": "person_id"})
    control = Dataset.from_frame(patients(340).iloc[300:].assign(id=[f"p{i}" for i in range(40)]))
    attacker = AttackSettings(KNOWN, sensitive=("ill",), tries=50)
    found = attack(Recipe().apply(data), Recipe(), attacker, control=control)
    assert (found.n_released, found.n_control) == (300, 40)


def test_of_many_sensitive_columns_it_is_stated_that_no_trees_learn_them():
    frame = patients(60)
    secrets = tuple(f"s{j}" for j in range(13))
    data = Dataset.from_frame(
        frame.assign(**dict.fromkeys(secrets, frame["sex"])),
        roles=dict.fromkeys(KNOWN, "quasi_identifier") | dict.fromkeys(secrets, "sensitive"),
    )
    found = attack(Recipe().apply(data), Recipe(), AttackSettings(KNOWN, sensitive=secrets, tries=10))
    assert found.not_tried == ("Guessed by trees: 13 columns are sensitive; trees are tried where 12 or fewer are.",)
    assert {each.about for each in found.of_kind("inference")} == set(secrets)


def test_blank_cells_are_no_condition_and_fit_everybody():
    frame = pd.DataFrame({"age": ["30", None, "31"], "sex": ["f", "f", "m"], "ill": ["flu"] * 3}, dtype=object)
    data = Dataset.from_frame(frame, roles=ROLES)
    matching: Matching = of_release(data, Recipe().apply(data), Recipe(), ("age", "sex", "ill"))
    known = known_of([0, 1], 0, 3, np.random.default_rng(0))
    assert fitting(matching, np.arange(3), known).n.tolist() == [2, 1, 1]
    found = predicate_attack(matching, ("age", "sex"), 2, 50, "anybody", np.random.default_rng(0))
    assert found.rate.tries == 2  # of “30 and f”, “31 and m”; “f” alone is of two


def test_ranges_and_masks_of_another_file_are_read():
    frame = pd.DataFrame({"age": ["34", "41", "90"], "zip": ["02139", "02140", "10001"]}, dtype=object)
    other = pd.DataFrame({"age": ["30-39", "40-49", "90+"], "zip": ["021**", "021**", "*"]}, dtype=object)
    one, two = (Dataset.from_frame(each, roles=dict.fromkeys(each, "quasi_identifier")) for each in (frame, other))
    matching = of_another_file(one, two, ("age", "zip"), None)
    known = known_of([0, 1], 0, 3, np.random.default_rng(0))
    assert fitting(matching, np.arange(3), known).n.tolist() == [1, 1, 1]
    known = known_of([1], 0, 3, np.random.default_rng(0))
    assert fitting(matching, np.arange(3), known).n.tolist() == [3, 3, 1]


AGES_OF_ANOTHER = {"30": ("30", "30-39"), "31": ("31", "30-39"), "42": ("42",)}


@settings(max_examples=150)
@given(st.data())
def test_an_empty_cell_of_another_file_is_a_value_where_the_original_has_some(data):
    """Who fits, and which conditions are true of one record alone, against plain code."""

    def column(*values: str | None) -> list[str | None]:
        return data.draw(st.lists(st.sampled_from(values), min_size=4, max_size=4))

    ages = data.draw(st.sampled_from([("30", "31", "42"), ("30", "42", None)]))
    mine = {"age": column(*ages), "sex": column("f", "m")}
    its = {"age": column("30", "31", "30-39", "42", None), "sex": column("f", "m", None)}
    original, other = (Dataset.from_frame(pd.DataFrame(cells, dtype=object)) for cells in (mine, its))

    def is_true(name: str, label: str | None, value: str | None) -> bool:
        if label is None:
            return value is None or None not in mine[name]
        return value is not None and label in AGES_OF_ANOTHER.get(value, (value,))

    matching = of_another_file(original, other, ("age", "sex"), None)
    fits = fitting(matching, np.arange(4), known_of([0, 1], 0, 4, np.random.default_rng(0))).n
    people, records = list(zip(*mine.values(), strict=True)), list(zip(*its.values(), strict=True))
    names = ("age", "sex")
    assert fits.tolist() == [
        sum(all(map(is_true, names, record, person)) for record in records) for person in people
    ]  # fmt: skip
    says = [(name, label) for name in names for label in {*its[name]} if label is not None or None in mine[name]]
    alone = [(name, label) for name, label in says if its[name].count(label) == 1]
    found = predicate_attack(matching, names, 1, 50, "anybody", np.random.default_rng(0))
    right = sum(sum(is_true(name, label, value) for value in mine[name]) == 1 for name, label in alone)
    assert (found.rate.successes, found.rate.tries) == (right, len(alone))


def test_of_numbers_an_empty_cell_is_asked_as_such():
    """Beside numbers, of which more and less is asked; and it is nobody's guess."""
    ages = [str(age) for age in range(20)]
    frame = pd.DataFrame({"age": [*ages, None], "sex": ["f", "m", "x"] * 7}, dtype=object)
    data = Dataset.from_frame(frame)
    matching = of_another_file(data, data, ("age", "sex"), None)
    age = matching.columns[0]
    assert age.has_plain_numbers and age.labels[-1] is None and age.fits[-1].tolist() == [20]
    found = predicate_attack(matching, ("age", "sex"), 2, 200, "anybody", np.random.default_rng(0))
    assert found.rate.successes == found.rate.tries > 0, "what is true of one record is true of one person"
    guessed = inference_attack(matching, "age", ["sex"], 0, 100, "anybody", np.random.default_rng(0))
    assert (matching.guessing(0).columns[0].released == 20).sum() == 0 and guessed.rate.tries == 21


def test_labels_of_another_file_that_nothing_reads_are_counted():
    frame = pd.DataFrame({"age": ["30", "31"], "race": ["A", "B"]}, dtype=object)
    data, other = Dataset.from_frame(frame), Dataset.from_frame(frame.assign(race=["A", "?"]))
    says = attack_another_file(data, other, AttackSettings(("age", "race"), tries=10)).made_of
    assert "(records by column: race: 1)" in says
    assert "records by column" not in attack_another_file(data, data, AttackSettings(("age", "race"), tries=10)).made_of


def test_what_cannot_be_attacked_is_refused_in_a_sentence():
    data = data_of(patients(50))
    other = Dataset.from_frame(pd.DataFrame({"else": ["1"]}, dtype=object))
    with refused("column-unknown"):
        attack_another_file(data, other, AttackSettings(KNOWN))
    everything = Recipe.of([DropColumns(tuple(data.columns))])
    with refused("no-column-known"):
        attack(everything.apply(data), everything, AttackSettings(KNOWN))
    with refused("column-unknown"):
        attack(Recipe().apply(data), Recipe(), AttackSettings(KNOWN), control=other)


def test_progress_has_what_came_so_far_and_may_stop():
    data = data_of(patients(300))
    seen = list[tuple[float, int]]()

    def better(share: float, found) -> None:
        seen.append((share, len(found.attacks)))
        if len(found.attacks) == 3:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        attack(Recipe().apply(data), Recipe(), AttackSettings(KNOWN, sensitive=("ill",), tries=50), progress=better)
    assert seen == sorted(seen) and seen[-1][1] == 3


def test_models_pass_over_a_column_of_one_label():
    data = data_of(patients(200).assign(ill="flu"))
    matching = of_release(data, Recipe().apply(data), Recipe(), (*KNOWN, "ill"))
    assert model_attack(matching, "ill", KNOWN, 50, "anybody", np.random.default_rng(0)) is None
    assert inference_attack(matching, "ill", KNOWN, 2, 50, "anybody", np.random.default_rng(0)).rate.share == 1.0
    assert membership(matching, KNOWN, 50, "anybody", np.random.default_rng(0)) is None


def test_spellings_of_one_value_are_one_guess():
    """Of each seven alike three have flu, and two each HIV and hiv: four of seven have what a person reads as one."""
    people = [(age, sex, ill) for age, sex in (("30", "f"), ("41", "m"))
              for ill in ("flu", "flu", "flu", "HIV", "HIV", "hiv", "hiv")]  # fmt: skip
    frame = pd.DataFrame(people, columns=["age", "sex", "ill"], dtype=object)
    data = Dataset.from_frame(frame, roles=ROLES)
    matching = of_release(data, Recipe().apply(data), Recipe(), ("age", "sex", "ill"))
    found = inference_attack(matching, "ill", ("age", "sex"), 0, 50, "anybody", np.random.default_rng(0))
    assert (found.rate.successes, found.rate.tries, found.baseline.successes) == (8, 14, 8)
