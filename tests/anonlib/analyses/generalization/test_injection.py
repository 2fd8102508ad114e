"""Fake records against the slow reference, and what must hold of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import tests.reference.generalization as slow
from anonlib.analyses.generalization import Injection, Method, generalize, inject
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy
from anonlib.coarsening.recoding import Mask, ValueMap
from anonlib.counting.classes import ClassTable
from anonlib.counting.privacy_models import KAnonymity
from tests.helpers.errors import refused
from tests.helpers.weight_loss import ANY, PROFILES, THREE, profiles
from tools.samples.published import weight_loss


def nine(seed: int = 1, **options) -> Injection:
    """The worked example filled, which takes nine fakes of 69 records."""
    return inject(profiles(), PROFILES, THREE, seed=seed, **{"budget": 0.2} | options)


def filled(frame: pd.DataFrame, column: str, least: int, **options) -> Injection:
    """A file of one column that can be coarsened, filled to so many."""
    asked = KAnonymity(columns=(column,), least=least)
    return inject(ClassTable.from_frame(frame), {column: ANY}, asked, **{"seed": 3} | options)


# --- the slow reference ---------------------------------------------------------------------------------------------


def view(ladder: list[dict], present: Iterable, value: str | None, level: int) -> tuple:
    """What a value of a table, generalized or not, is on a level; ``present`` are the original's values."""
    own = own_level(ladder, present, value)
    if level < own:
        return ("itself", value)
    leaf = next(leaf for leaf in present if ladder[own][leaf] == value)
    return ("on it", ladder[level][leaf])


def own_level(ladder: list[dict], present: Iterable, value: str | None) -> int:
    return next(at for at, labels in enumerate(ladder) if value in {labels[leaf] for leaf in present})


def nearest(case: slow.Case, rows: Sequence[slow.Row], weights: Sequence[int], group: tuple, guarantee: KAnonymity):
    """The levels of the nearest ancestor of enough records, by attribute, and the rows in it; None: there is none."""
    shield = [name for name in case.names if name in guarantee.columns]
    ladders = [case.ladders.get(name) for name in shield]
    present = [dict.fromkeys(case.original[name]) for name in shield]
    heights = [range(len(ladder)) if ladder else range(1) for ladder in ladders]
    for state in sorted(product(*heights), key=lambda state: (sum(state), state)):
        if any(
            ladder and level < own_level(ladder, values, value)
            for ladder, values, level, value in zip(ladders, present, state, group, strict=True)
        ):
            continue

        def at(values: Sequence, state=state) -> tuple:
            return tuple(
                view(ladder, leaves, value, level) if ladder else value
                for ladder, leaves, level, value in zip(ladders, present, state, values, strict=True)
            )

        members = [i for i, row in enumerate(rows) if at(of(case, row, shield)) == at(group)]
        if sum(weights[i] for i in members) >= guarantee.least:
            return dict(zip(shield, state, strict=True)), members
    return None


def of(case: slow.Case, row: slow.Row, names: Sequence[str]) -> tuple:
    return tuple(row[case.names.index(name)] for name in names)


def counted(rows: Sequence[slow.Row], weights: Sequence[int]) -> Counter:
    found: Counter = Counter()
    for row, weight in zip(rows, weights, strict=True):
        found[row] += weight
    return found


def texts(frame: pd.DataFrame) -> list[tuple]:
    columns = [[None if pd.isna(value) else value for value in frame[name]] for name in frame.columns]
    return list(zip(*columns, strict=True))


def check(case: slow.Case, rows: list[slow.Row], weights: list[int], guarantee: KAnonymity, call) -> None:
    """``call`` injects with a seed; ``rows`` are those of the table it injects into."""
    shield = [name for name in case.names if name in guarantee.columns]
    rest = [name for name in case.names if name not in shield]
    groups = counted([of(case, row, shield) for row in rows], weights)
    small = {group: guarantee.least - n for group, n in groups.items() if n < guarantee.least}
    donors = {group: nearest(case, rows, weights, group, guarantee) for group in small}
    if None in donors.values():
        with refused("labels-on-no-level"):
            call(seed=1)
        return
    found: Injection = call(seed=1)
    fakes = texts(found.to_frame())
    assert list(found.to_frame().columns) == list(case.names)
    assert found.n_fake == len(fakes) == sum(small.values())
    assert counted([of(case, row, shield) for row in fakes], [1] * len(fakes)) == Counter(small)
    for fake in fakes:
        members = donors[of(case, fake, shield)][1]
        assert of(case, fake, rest) in {of(case, rows[i], rest) for i in members}
    assert found.k_without == min(groups.values())
    assert found.k_with == max(found.k_without, guarantee.least) == found.classes.project(shield).counts.min()
    assert slow.counted(found.classes) == counted(rows, weights) + counted(fakes, [1] * len(fakes))
    assert slow.counted(found.fakes) == counted(fakes, [1] * len(fakes))
    assert found.share == len(fakes) / (sum(weights) + len(fakes))
    check_ledger(case, found, groups, donors, weights)


def check_ledger(case: slow.Case, found: Injection, groups: Counter, donors: dict, weights: list[int]) -> None:
    shield = [name for name in case.names if name in found.guarantee.columns]
    ledger = found.ledger
    laddered = [name for name in shield if name in case.ladders]
    assert list(ledger.columns) == [
        *shield, "records", "fakes", "donor_records", *(f"level of {name}" for name in laddered)
    ]  # fmt: skip
    assert found.groups == len(ledger) == len(donors)
    for group, row in zip(texts(ledger[shield]), ledger.to_dict("records"), strict=True):
        state, members = donors[group]
        assert (row["records"], row["fakes"]) == (groups[group], found.guarantee.least - groups[group])
        assert row["donor_records"] == sum(weights[i] for i in members)
        assert {name: row[f"level of {name}"] for name in laddered} == {name: state[name] for name in laddered}
    assert [of(case, fake, shield) for fake in texts(found.to_frame())] == texts(
        ledger[shield].loc[ledger.index.repeat(ledger["fakes"])]
    )


@given(slow.cases(max_requirements=1))
def test_fakes_are_as_few_as_can_be_and_come_from_the_nearest_ancestor(case: slow.Case):
    guarantee = case.guarantees[0]
    assume(case.rows)
    check(
        case, case.rows, case.weights, guarantee,
        lambda seed: inject(case.classes, case.hierarchies, guarantee, seed=seed, budget=1),
    )  # fmt: skip


@given(slow.cases(max_requirements=1, limits=("0", "0.2")), st.sampled_from(["optimal", "mondrian"]), st.integers(1, 3))
def test_a_generalized_table_is_filled_along_the_levels_above_its_own(case: slow.Case, method: Method, more: int):
    first = case.guarantees[0]
    try:
        table = generalize(case.classes, case.hierarchies, first, method=method, left_out_limit=float(case.limit))
    except InputError:
        assume(False)
    assume(table.classes.n_classes)
    levels = [tuple(table.cell_levels[place].tolist()) for place in case.classes.class_of_record.tolist()]
    kept = [i for i, place in enumerate(case.classes.class_of_record.tolist()) if table.kept[place]]
    rows = slow.recoded(case, levels)
    guarantee = KAnonymity(columns=first.columns, least=first.least + more)
    check(
        case, [rows[i] for i in kept], [case.weights[i] for i in kept], guarantee,
        lambda seed: inject(table.classes, case.hierarchies, guarantee, seed=seed, budget=1, original=case.classes),
    )  # fmt: skip


# --- the worked example ---------------------------------------------------------------------------------------------


def test_nine_fakes_fill_the_root_of_the_worked_example():
    found = nine()
    assert (found.n_fake, found.groups, found.n_real, found.share) == (9, 5, 60, 9 / 69)
    assert (found.k_without, found.k_with, found.classes.n_records, found.ledger["fakes"].sum()) == (1, 3, 69, 9)


def test_the_budget_is_a_share_of_all_records_and_says_what_would_be_needed():
    assert nine(budget=9 / 69).n_fake == 9
    with pytest.raises(
        InputError, match=r"9 fake records would be needed.*13% \(9 of 69\).*budget of 13% allows 8.*leave out"
    ):
        nine(budget=0.1304)
    with pytest.raises(InputError, match="budget of 5% allows 3"):
        inject(profiles(), PROFILES, THREE, seed=1)


def test_a_budget_is_as_it_is_written():
    # 1 fake of 20 is 5% exactly.
    frame = pd.DataFrame({"a": ["x"] * 18 + ["y"]})
    assert filled(frame, "a", 2).share == 0.05
    with refused("budget-too-small"):
        filled(frame[1:], "a", 2)


def test_after_the_answer_of_the_worked_example_nothing_is_needed():
    table = generalize(profiles(), PROFILES, THREE)
    found = inject(table.classes, PROFILES, THREE, seed=1, original=profiles())
    assert (found.n_fake, found.groups, found.share) == (0, 0, 0)
    assert found.k_without == found.k_with == 3
    assert found.to_frame().empty and list(found.to_frame().columns) == list(profiles().attributes)
    assert found.fakes.n_records == 0
    assert slow.counted(found.classes) == slow.counted(table.classes)


def test_progress_is_reported_and_may_stop():
    reports = []
    nine(progress=reports.append)
    assert reports == sorted(reports) and reports[0] == 0 and 0 < reports[-1] < 1

    def stop(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        nine(progress=stop)


# --- chance and secrets ---------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_fakes_and_another_one_others():
    drawn = [nine(seed).to_frame() for seed in (1, 1, 2, 2**127)]
    assert drawn[0].equals(drawn[1])
    assert not drawn[0].equals(drawn[2])
    assert not drawn[2].equals(drawn[3])


def test_the_order_of_records_changes_nothing():
    frame = weight_loss()
    other = ClassTable.from_frame(frame.sample(frac=1, random_state=1))
    mine, theirs = (inject(table, PROFILES, THREE, seed=1, budget=0.2) for table in (profiles(), other))
    assert mine.to_frame().equals(theirs.to_frame())
    assert mine.ledger.equals(theirs.ledger)


def test_the_seed_is_in_nothing_that_comes_back():
    seed = 987_654_321_123_456_789
    found = nine(seed)
    shown = [repr(found), repr(vars(found)), found.ledger.to_csv(), found.to_frame().to_csv()]
    assert not any(str(seed) in text for text in shown)


def test_donors_are_drawn_by_their_records():
    frame = pd.DataFrame({"a": ["x", "y", "y"], "s": ["own", "rare", "common"], "n": [1, 1_000, 9_000]})
    classes = ClassTable.from_frame(frame, ["a", "s"], "n")
    found = inject(classes, {"a": ANY}, KAnonymity(columns=("a",), least=5_000), seed=3, budget=1)
    drawn = found.to_frame()["s"].value_counts()
    assert found.n_fake == 4_999 and set(found.to_frame()["a"]) == {"x"}
    assert drawn["common"] / 4_999 == pytest.approx(0.9, abs=0.02)
    assert drawn["rare"] / 4_999 == pytest.approx(0.1, abs=0.02)


def test_missing_values_are_missing_in_fakes():
    frame = pd.DataFrame({"a": [None, "y", "y", "y"], "s": [None, None, None, None]}, dtype=object)
    found = filled(frame, "a", 3, budget=0.5)
    assert found.to_frame().isna().all(axis=None) and found.n_fake == 2
    assert found.to_frame()["a"].dtype == "category"


def test_persons_with_several_values_are_filled_like_others():
    frame = pd.DataFrame(
        {"person": [1, 1, 2, 2, 3, 4, 5], "age": ["20", "30", "20", "30", "20", "20", "20"], "s": list("abcabca")}
    )
    classes = ClassTable.from_frame(frame, ["age", "s"], person="person")
    found = inject(classes, {"age": ANY}, KAnonymity(columns=("age",), least=3), seed=3, budget=0.5)
    assert found.n_fake == 1 and found.to_frame()["age"].tolist() == ["20 | 30"]
    assert found.k_with == 3


def test_columns_of_the_file_with_the_ledgers_names_keep_theirs():
    frame = pd.DataFrame({"fakes": ["x", "y", "y", "y"], "records": ["1", "2", "3", "4"]})
    found = filled(frame, "fakes", 2, budget=0.5)
    assert list(found.ledger.columns) == ["fakes", "records", "fakes_", "donor_records", "level of fakes"]
    assert found.ledger["fakes"].tolist() == ["x"] and found.ledger["fakes_"].tolist() == [1]


# --- bad input ------------------------------------------------------------------------------------------------------


def refuses(match: str, classes: ClassTable | None = None, hierarchies=PROFILES, guarantee=THREE, **options) -> None:
    with pytest.raises(InputError, match=match):
        inject(
            profiles() if classes is None else classes, hierarchies, guarantee, **{"seed": 1, "budget": 0.5} | options
        )


def test_bad_input_is_refused_with_a_way_out():
    refuses("seed must be a whole number, 0 or more", seed=-1)
    refuses("seed must be a whole number", seed=1.5)
    refuses("between 0 and 1", budget=1.01)
    refuses("between 0 and 1", budget=-0.01)
    refuses("budget must be a number", budget=np.nan)
    refuses("one criterion", guarantee=[THREE])
    refuses("no column named “shoe”", guarantee=KAnonymity(columns=("shoe",), least=3))
    refuses("no records", profiles().keep(np.zeros(profiles().n_classes, dtype=bool)))
    refuses("no column named “age”", original=profiles().project(["zip", "alcohol_consumption"]))


def test_a_group_without_enough_people_around_it_is_refused():
    one_lonely = pd.concat([weight_loss().iloc[[9]]] * 5 + [weight_loss().iloc[[0]].assign(zip="99999")])
    refuses(
        "1 class cannot be filled.*fewer than k = 3 records.*No hierarchy is given for: age, zip.",
        hierarchies={"alcohol_consumption": PROFILES["alcohol_consumption"]},
        classes=ClassTable.from_frame(one_lonely),
    )
    refuses("fewer than k = 61 records", guarantee=KAnonymity(columns=THREE.columns, least=61), budget=1)


def test_labels_that_no_level_has_are_refused():
    table = generalize(profiles(), PROFILES, THREE)
    other = {**PROFILES, "zip": Hierarchy((Mask(2), EVERYTHING))}
    refuses(
        "“zip” are on no level of its hierarchy",
        table.classes,
        other,
        KAnonymity(columns=("zip",), least=30),
        original=profiles(),
    )
    refuses("does not cover", table.classes, {"zip": Hierarchy((ValueMap.of({"5": "x"}),))})
