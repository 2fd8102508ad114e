"""Releases of several months: who is new, gone or changed, and what subtracting one from another shows exactly."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import pytest

from anonlib.coarsening.recoding import Intervals, ValueMap
from anonlib.columns.roles import Role
from anonlib.counting.privacy_models import ALL, KAnonymity
from anonlib.dataset import Dataset
from anonlib.filing.project import LoadedTables
from anonlib.release.recipe import Recipe
from anonlib.release.steps import BlankCells, DropColumns, LeaveOut, Recode, Step
from anonlib.verdict.criteria import EarlierReleases, Finding, State
from anonlib.verdict.criteria.earlier import releases_together
from anonlib.verdict.criteria.verdict import judge
from anonlib.verdict.together import Release, counted_exactly, together
from tests.helpers.small_release import IDENTIFIER, OTHER, PERSON, QI, SENSITIVE, WEIGHT
from tests.helpers.verdicts import case_with

ROLES = {"patient": PERSON, "age": QI, "ward": QI, "ill": SENSITIVE}
Row = tuple[str | None, ...]
TENS = Recode("age", Intervals(10))
SAME_AGE = Recode("age", ValueMap((), otherwise="*"))


def month(*rows: Row, roles: dict | None = None) -> Dataset:
    roles = roles or ROLES
    return Dataset.from_frame(pd.DataFrame(rows, columns=list(roles), dtype=object), roles=roles)


def alike(first: int, n: int, age: str = "30", ward: str = "A", ills: Sequence[str] = ("flu", "cold")) -> list[Row]:
    return [(f"P{i}", age, ward, ills[i % len(ills)]) for i in range(first, first + n)]


def held_together(
    now: Dataset,
    *earlier: Dataset,
    steps: Sequence[Step] = (TENS,),
    before: Sequence[Step] | None = None,
    k: int = 3,
    **limits,
) -> Finding:
    recipe = Recipe.of(steps if before is None else before)
    beside = tuple(Release.of(each, recipe) for each in earlier)
    return EarlierReleases(k, 0.0, **limits).check(case_with(now, *steps, beside=beside))


MARCH = month(*alike(0, 6))


def _rows(of_month: Dataset) -> list[Row]:
    return [tuple(row) for row in of_month.records.astype(object).to_numpy()]


@pytest.mark.parametrize(("new", "state"), [(0, State.MET), (1, State.NOT_MET), (2, State.NOT_MET), (3, State.MET)])
def test_newcomers_of_the_next_month(new: int, state: State) -> None:
    """With the same recipe: the rows of April less those of March are the newcomers'."""
    april = month(*alike(0, 6), *alike(10, new, age="34"))
    finding = held_together(april, MARCH)
    assert finding.state is state
    assert finding.persons == (0 if state is State.MET else new)
    if state is State.NOT_MET:
        assert "A proven leak" in finding.says and f"{new} new, 0 gone" in finding.says
        assert "A subtraction shows some of them" in finding.criterion.without_limit(finding.measured)
    elif new:
        assert "3 persons are new or gone" in finding.says


def test_enough_newcomers_of_one_illness_are_certain() -> None:
    april = month(*alike(0, 6), *alike(10, 3, ills=["HIV"]))
    finding = held_together(april, MARCH)
    assert (finding.state, finding.persons) == (State.NOT_MET, 3)
    assert held_together(april, MARCH, most_apart=1.0).state is State.NOT_MET, "also of all: 3 of 9"
    recipe = Recipe.of([TENS])
    case = case_with(april, TENS, beside=(Release.of(MARCH, recipe),), harmless={"ill": ("HIV",)})
    assert EarlierReleases(3, 0.0).check(case).is_met, "anybody may be sure of it"


def test_a_share_that_may_be_certain_is_not_for_who_is_new() -> None:
    many = alike(0, 600)
    april = month(*many, *alike(1000, 3, ills=["HIV"]))
    recipe = Recipe.of([TENS])
    case = case_with(april, TENS, beside=(Release.of(month(*many), recipe),))
    assert EarlierReleases(3, 0.01).check(case).state is State.NOT_MET
    assert EarlierReleases(3, 0.01, most_apart=1.0).check(case).is_met


def test_two_new_of_two_values_and_yet_one_is_certain() -> None:
    """k = 2: one release shows all as one class, the next splits it. Both illnesses of a class less those of before."""
    roles = {"patient": PERSON, "age": QI, "ill": SENSITIVE}
    march = month(("A", "30", "cold"), ("C", "40", "gout"), roles=roles)
    april = month(("A", "30", "cold"), ("Bob", "30", "HIV"), ("C", "40", "gout"), ("D", "40", "flu"), roles=roles)
    case = case_with(april, beside=(Release.of(march, Recipe.of([SAME_AGE])),))
    finding = EarlierReleases(2, 0.0).check(case)
    assert (finding.state, finding.now, finding.persons) == (State.NOT_MET, 1, 4)


def test_one_is_gone_while_enough_are_new() -> None:
    march = month(*alike(0, 7))
    april = month(*alike(0, 6), *alike(10, 3))
    finding = held_together(april, march)
    assert (finding.state, finding.persons) == (State.NOT_MET, 1)
    assert "3 new, 1 gone" in finding.says


def test_a_man_who_turns_forty_between_the_months() -> None:
    march = month(*alike(0, 6, age="39"), *alike(10, 6, age="41"))
    april = month(("P0", "40", "A", "flu"), *alike(1, 5, age="39"), *alike(10, 6, age="41"))
    finding = held_together(april, march)
    assert (finding.state, finding.persons) == (State.NOT_MET, 1)
    assert "A proven leak" in finding.says and "1 new, 0 gone" in finding.says and "0 new, 1 gone" in finding.says
    assert "age 40-49 (1 new, 0 gone)" in finding.says
    assert held_together(april, march, steps=(SAME_AGE,)).is_met, "the same cells show nothing"


def test_what_is_rare_elsewhere_joins_rows_though_no_subtraction_shows_anybody() -> None:
    """Other cells in each release: nobody is counted exactly, and one of each class of both is alone."""
    roles = {"patient": PERSON, "age": QI, "ill": SENSITIVE}
    rows = [(f"P{i}", f"{30 + i}", ["flu", "cold"][i % 2]) for i in range(9)]
    now, before = (ValueMap(tuple((f"{30 + i}", f"{(i + shift) // 4}") for i in range(9))) for shift in (0, 2))
    case = case_with(
        month(*rows, roles=roles), Recode("age", now), LeaveOut(2),
        beside=(Release.of(month(*rows, roles=roles), Recipe.of([Recode("age", before), LeaveOut(2)])),),
    )  # fmt: skip
    finding = EarlierReleases(3, 0.0).check(case)
    assert finding.state is State.NOT_MET and finding.now == 1
    case = case_with(month(*rows[:8], roles=roles), Recode("age", now), beside=case.beside)
    assert EarlierReleases(2, 0.0).check(case).state is State.NOT_MET


def test_three_months() -> None:
    """Two newcomers of each month are alike to who has the last release and one other, and not to who has all."""
    march, april = month(*alike(0, 6)), month(*alike(0, 6), *alike(10, 3))
    may = month(*alike(0, 6), *alike(10, 3), *alike(20, 3))
    assert held_together(april, march).is_met and held_together(may, april).is_met
    finding = held_together(may, march, april)
    assert finding.is_met and "6 persons are new or gone" in finding.says
    one_of_april_left = month(*alike(0, 6), *alike(10, 2), *alike(20, 3))
    finding = held_together(one_of_april_left, march, april)
    assert (finding.state, finding.persons) == (State.NOT_MET, 3), "the two of April who stay, and who is gone"


def test_a_label_covers_values_that_the_other_month_has() -> None:
    """30 to 39 here and 35 to 44 there share 35 to 39 whoever has them: no cell ends between."""
    march, april = month(*alike(0, 3, age="31"), *alike(3, 3, age="44")), month(*alike(0, 3, age="31"))
    tens, shifted = TENS, Recode("age", Intervals(10, 5))
    releases = (
        Release.of(april, Recipe.of([tens])), Release.of(march, Recipe.of([shifted])),
    )  # fmt: skip
    assert not counted_exactly(*releases, together(releases).matched, (0, 1), 3), "three are gone"
    more = month(*alike(0, 3, age="31"), *alike(3, 3, age="44"), ("P9", "37", "A", "flu"))
    releases = (releases[0], Release.of(more, Recipe.of([shifted])))
    (cell,) = counted_exactly(*releases, together(releases).matched, (0, 1), 5)
    assert (cell.new, cell.gone, cell.labels) == (0, 4, ()), "37 ties 30 to 39, 35 to 44 and so all of them"


def test_blank_cells_cover_everything() -> None:
    rows = [*alike(0, 3), *alike(3, 3, ward="B"), ("P9", "30", "C", "flu")]
    blank = BlankCells(("age", "ward"), (KAnonymity(columns=("age", "ward"), least=2),), 1.0)
    releases = (Release.of(month(*rows), Recipe.of([blank])), Release.of(month(*rows[:-1]), Recipe()))
    (cell,) = counted_exactly(*releases, together(releases).matched, (0, 1), 2)
    assert (cell.new, cell.gone) == (1, 0)


# ---- who is who ----


def refused(now: Dataset, earlier: Dataset) -> str:
    """What the verdict says of it."""
    case = case_with(now, beside=(Release.of(earlier, Recipe()),))
    (finding,) = judge(case, (EarlierReleases(1, 0.0),), recipient="").findings
    assert finding.state is State.UNKNOWN
    return finding.says


def test_other_ids_in_each_file_are_not_known_to_be_other_persons() -> None:
    april = month(*[(f"Q{i}", *row[1:]) for i, row in enumerate(alike(0, 6))])
    assert "No person id of this file" in refused(april, MARCH)


def test_two_sheets_of_a_workbook_are_two_files() -> None:
    """Both have the digest of the workbook and as many rows; the rows at one place are of other persons."""
    march, april = month(*alike(0, 6)), month(*alike(3, 6))
    sheets = [
        Dataset("w.xlsx", march.digest, of_month.held, ROLES, prepared=f"sheet {i}")
        for i, of_month in enumerate((march, april))
    ]
    finding = held_together(sheets[1], sheets[0], k=4)
    assert (finding.state, finding.n_persons) == (State.NOT_MET, 9)
    assert "3 new, 3 gone" in finding.says
    assert held_together(sheets[1], march, k=4).n_persons == 9
    on_record = case_with(sheets[1], TENS, earlier=(Recipe(),), beside=(Release.of(sheets[0], Recipe()),))
    assert len(releases_together(on_record)) == 3, "that of the same sheet is another one"


def test_of_one_file_rows_are_of_whom_an_earlier_release_says() -> None:
    """The earlier release links the rows of a person, this one does not: by both wards everybody is alone."""
    wards = {"P1": "AB", "P2": "AC", "P3": "BC"}
    rows = [
        (name, f"{name}-{i}", ward, "flu" if (i == 0) != (name == "P2") else "HIV")
        for name, both in wards.items() for i, ward in enumerate(both)
    ]  # fmt: skip
    roles = {"patient": PERSON, "visit": IDENTIFIER, "ward": QI, "ill": SENSITIVE}
    linked, apart = (month(*rows, roles={**roles, "patient": role}) for role in (PERSON, IDENTIFIER))
    for now, earlier in ((apart, linked), (linked, apart)):
        finding = held_together(now, earlier, steps=(), k=2, rows=(ALL,))
        assert (finding.state, finding.n_persons, finding.persons) == (State.NOT_MET, 3, 3)
    weighted = month(*rows, roles={**roles, "patient": IDENTIFIER, "ward": WEIGHT})
    assert "who is counted" in refused(apart, weighted)


def test_ids_that_count_up_and_name_others() -> None:
    march = month(*[(f"{i + 1}", f"{30 + i}", "A", "flu") for i in range(6)])
    april = month(*[(f"{i + 1}", f"{33 + 2 * i}", "B", "flu") for i in range(6)])
    assert "count up" in refused(april, march)
    assert held_together(march, march, steps=(), k=1, most_apart=1.0).state is not State.UNKNOWN
    of_study = [[(f"P{row[0]}", *row[1:]) for row in rows] for rows in (_rows(march), _rows(april))]
    assert "count up" in refused(month(*of_study[1]), month(*of_study[0])), "behind the same letter too"


def test_ids_that_count_up_and_name_others_with_several_rows() -> None:
    """Persons and visits are numbered from 1 in each file; where ages of a person differ, any visit alike will do."""

    def numbered(ages: Sequence[str], wards: Sequence[str] = "AA", of_age: Role = QI) -> Dataset:
        rows = [
            (f"{i + 1}", f"{2 * i + j + 1}", ages[i // 4], wards[j], ["flu", "cold"][i % 2])
            for i in range(8) for j in (0, 1)
        ]  # fmt: skip
        return month(*rows, roles={"patient": PERSON, "visit": IDENTIFIER, "age": of_age, "ward": QI, "ill": SENSITIVE})

    assert "count up" in refused(numbered(("40", "30")), numbered(("30", "40")))
    ages = ("30", "30")
    assert "count up" in refused(numbered(ages, "CD", OTHER), numbered(ages, "AB", OTHER)), "no ward is shared"
    assert held_together(numbered(ages, "AC", OTHER), numbered(ages, "AB", OTHER), steps=(), k=2, rows=(ALL,)).is_met
    assert held_together(numbered(ages, "CD"), numbered(ages, "AB"), k=2, rows=(ALL,)).is_met, "all ages are as before"


def test_ids_with_other_zeros_or_signs_are_not_known_to_be_others() -> None:
    """A spreadsheet took away the zeros in front: who is the same, and not new and gone, is not known."""
    march = [(f"{i:03d}", *row[1:]) for i, row in zip((3, 7, 12, 640, 701, 998), alike(0, 6), strict=True)]
    april = [(str(int(row[0] or "")), *row[1:]) for row in march]
    assert "3 person ids of one file are in another with other zeros" in refused(month(*april), month(*march))
    april = [(f"MRN-{row[0]}", *row[1:]) for row in march]
    march = [*march[:-1], ("MRN 998", *march[-1][1:])]
    assert "1 person id of one file is in another" in refused(month(*april), month(*march))


# ---- what is known, and what is learned ----


def test_what_is_known_in_one_month_is_known_in_all() -> None:
    """The earlier release lacks the ward, which is known; here it leaves as what nobody can know."""
    rows = [(f"P{i}", "30", "AB"[i // 3], ["flu", "HIV"][i // 3]) for i in range(6)]
    march, april = month(*rows), month(*rows[::-1], roles={**ROLES, "ward": OTHER})
    without = Release.of(march, Recipe.of([DropColumns(("ward",))]))
    finding = EarlierReleases(3, 0.0).check(case_with(april, beside=(without,)))
    assert (finding.state, finding.persons) == (State.NOT_MET, 6)
    cut = Release.of(month(*rows[:-1]), Recipe())
    finding = EarlierReleases(2, 0.0).check(case_with(april, beside=(cut,)))
    assert "ward B (1 new, 0 gone)" in finding.says
    same_file = Release.of(month(*rows[::-1]), Recipe.of([DropColumns(("ward",))]))
    assert EarlierReleases(3, 0.0).check(case_with(april, beside=(same_file,))).persons == 6


def test_what_is_sensitive_in_one_month_is_so_in_all() -> None:
    march = month(*alike(0, 6))
    april = month(*alike(0, 6, ills=["HIV"]), roles={**ROLES, "ill": OTHER})
    assert held_together(april, march).persons == held_together(march, april).persons == 6
    known = month(*alike(0, 6), roles={**ROLES, "ill": QI})
    assert "“ill” is known outside in one of the files and sensitive" in refused(march, known)


def test_who_had_a_value_in_one_month_or_the_other() -> None:
    """By what is rare elsewhere the rows of both months are joined: both have had both illnesses, whoever is who."""
    roles = {"patient": PERSON, "age": QI, "ill": SENSITIVE, "weight": OTHER}
    march = month(("A", "30", "HIV", "71"), ("B", "30", "flu", "82"), roles=roles)
    april = month(("A", "30", "flu", "71"), ("B", "30", "HIV", "82"), roles=roles)
    assert held_together(april, march, k=2).persons == 2
    recipe = Recipe.of([TENS])
    for harmless, persons in ((("flu",), 2), (("flu", "HIV"), 0)):
        spared = {"ill": harmless}
        case = case_with(april, TENS, beside=(Release.of(march, recipe, spared),), harmless=spared)
        assert EarlierReleases(2, 0.0).check(case).persons == persons
    assert held_together(march, march, k=2).is_met
    may = month(("A", "30", "cold", "71"), ("B", "30", None, "82"), roles=roles)
    assert held_together(may, march, k=2).is_met, "the one had HIV and cold, the other flu"
    visits = {**roles, "visit": IDENTIFIER}
    first, second = (
        month(*[(name, "30", ill, f"{i}{j}", f"{name}{j}") for i, (name, ills) in enumerate(of.items())
                for j, ill in enumerate(ills)], roles=visits)
        for of in ({"A": ["HIV", "cold"], "B": ["flu", "gout"]}, {"A": ["gout", "asthma"], "B": ["cough", "rash"]})
    )  # fmt: skip
    assert held_together(second, first, k=2, rows=(ALL,)).persons == 2, "gout"


def test_without_ids_rows_are_matched_by_all_columns() -> None:
    roles = {"age": QI, "weight": OTHER, "ill": SENSITIVE}
    rows = [(f"{30 + i // 3}", f"{60 + i}", ["flu", "cold"][i % 2]) for i in range(6)]
    march = month(*rows, roles=roles)
    april = month(*rows, ("30", "90", "flu"), roles=roles)
    finding = held_together(april, march)
    assert (finding.state, finding.persons) == (State.NOT_MET, 1)
    assert held_together(march, april, steps=(SAME_AGE,)).persons == 1, "one is gone"
    changed = month(*rows[:-1], ("31", "99", "cold"), roles=roles)
    assert "each file has rows that the other lacks, 1 and 1" in refused(changed, march)
    twice = month(*rows, rows[0], roles=roles)
    assert "2 rows are the same" in refused(twice, march)


def test_an_id_in_one_of_both_or_weights_cannot_be_matched() -> None:
    without = month(*alike(0, 7), roles={**ROLES, "patient": OTHER})
    assert "role “Person id” in both" in refused(without, MARCH)
    weighted = month(
        *[("1", *row[1:]) for row in alike(0, 6)], roles={"patient": WEIGHT, "age": QI, "ward": QI, "ill": SENSITIVE}
    )
    assert "stand for several people" in refused(weighted, MARCH)


VISITS = {"patient": PERSON, "visit": IDENTIFIER, "age": QI, "ill": SENSITIVE}


def visits(persons: int, of_each: int, month_of: int, roles: dict = VISITS) -> Dataset:
    rows = [
        (f"P{i}", f"{month_of}-{i}-{j}", "30", ["flu", "cold"][i % 2])
        for i in range(persons) for j in range(of_each)
    ]  # fmt: skip
    return month(*rows, roles=roles)


def test_visits_of_each_month_are_matched_by_their_number() -> None:
    """Other visits of the same persons each month; without a number it is not known which of them are the same."""
    finding = held_together(visits(4, 2, 4), visits(4, 2, 3), steps=(), rows=(ALL,))
    assert finding.is_met
    no_number = {**VISITS, "visit": OTHER}
    finding = held_together(visits(4, 2, 4, no_number), visits(4, 2, 3, no_number), steps=(), rows=(ALL,))
    assert finding.state is State.UNKNOWN and "role “Identifier”" in finding.says and "4 persons" in finding.says


def test_one_visit_more_is_counted() -> None:
    rows = [(f"P{i}", f"{i}-{j}", "30", ["flu", "cold"][i % 2]) for i in range(4) for j in range(2)]
    march, april = month(*rows, roles=VISITS), month(*rows, ("P0", "0-2", "30", "flu"), roles=VISITS)
    finding = held_together(april, march, steps=(), rows=(ALL,))
    assert (finding.state, finding.persons, finding.now) == (State.NOT_MET, 1, 1)
    assert "1 new, 0 gone" in finding.says


def test_who_has_no_id_is_in_no_class() -> None:
    march = month(*alike(0, 6), (None, "30", "A", "flu"))
    april = month(*alike(0, 6))
    finding = held_together(april, march)
    assert finding.state is State.UNKNOWN and "1 person" in finding.says


def test_ids_are_one_however_they_are_written() -> None:
    april = month(*[(f" p{row[0][1:]} ", *row[1:]) for row in alike(0, 6)])  # type: ignore[index]
    assert held_together(april, MARCH).is_met


def test_dropping_all_known_columns_leaves_who_is_in_it() -> None:
    """Nothing known leaves in the earlier release, and yet it shows the one row that this one lacks."""
    march = month(*alike(0, 6), ("P9", "30", "A", "HIV"))
    gone = DropColumns(("age", "ward"))
    finding = held_together(month(*alike(0, 6)), march, before=(gone,))
    assert (finding.state, finding.persons) == (State.NOT_MET, 1)


# ---- several tables ----


def tables_of(persons: Sequence[int]) -> Dataset:
    """Patients, and of each two visits on different wards."""
    patients = ["patient_id;born", *(f"{i};{1950 + i % 2}" for i in persons)]
    rows = [(i, j) for i in persons for j in range(2)]
    visits_rows = ["visit_id;patient_id;ward;ill"]
    visits_rows += [f"{10 * i + j};{i};{'AB'[j]};{['flu', 'cold'][i // 2 % 2]}" for i, j in rows]
    files = [("patients.csv", "\n".join(patients).encode()), ("visits.csv", "\n".join(visits_rows).encode())]
    loaded = LoadedTables.of(files)
    roles = {"patient_id": PERSON, "born": QI, "ward": QI, "ill": SENSITIVE}
    return loaded.dataset(loaded.records(), "category").with_roles(roles)


@pytest.mark.parametrize(("new", "state"), [(0, State.MET), (1, State.NOT_MET), (4, State.MET)])
def test_persons_of_several_tables(new: int, state: State) -> None:
    march, april = tables_of(range(100, 112)), tables_of([*range(100, 112), *range(200, 200 + new)])
    finding = held_together(april, march, steps=(Recode("born", Intervals(10)),), rows=(ALL,))
    assert (finding.state, finding.persons, finding.n_persons) == (
        state,
        new if state is State.NOT_MET else 0,
        12 + new,
    )
