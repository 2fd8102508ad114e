"""A project comes back from its text as it was, but for the values that may not be told."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy, intervals
from anonlib.coarsening.recoding import Intervals, Mask, ValueMap
from anonlib.columns.roles import Role
from anonlib.counting.privacy_models import KAnonymity
from anonlib.filing.case import ReleaseCase
from anonlib.filing.project import (
    MOST_BY_HAND,
    MOST_NAMED,
    MOST_VARIANTS,
    FileRead,
    LoadedFile,
    Project,
    Upgraded,
    ValueOrder,
    Variant,
    open_project,
    upgrades,
)
from anonlib.release.recipe import Recipe
from anonlib.release.steps import AggregatePlaces, GeneralizeLocally, LeaveOut, Recode
from anonlib.verdict.criteria import BY_KEY, Aim, SmallestClass
from tests.helpers.documents import of_version_2, read, with_table
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.projects import projects
from tests.helpers.small_release import ROLES, small

CANARY = "quokka"
NAMING = {
    "mapping": lambda column: Recode(column, ValueMap.of({f"{CANARY} 1": f"{CANARY} 2"}, f"{CANARY} 3")),
    "kept": lambda column: Recode(column, Intervals(10), kept=(f"{CANARY} 4",)),
    "region": lambda column: AggregatePlaces(column, ((f"{CANARY} 5", (f"{CANARY} 6",)),)),
    "part by part": lambda column: GeneralizeLocally(
        ((column, Hierarchy((ValueMap.of({f"{CANARY} 7": f"{CANARY} 8"}), EVERYTHING))),),
        (KAnonymity(columns=(column,), least=2),),
    ),
    "kept part by part": lambda column: GeneralizeLocally(
        ((column, intervals((10,))),), (KAnonymity(columns=(column,), least=2),), kept=((column, f"{CANARY} 9"),)
    ),
    "worth": lambda column: LeaveOut(
        guarantees=(KAnonymity(columns=("zip",), least=2),), worth=((column, ((CANARY, 0.5),)),)
    ),
}
"""By what it is, a step that names values of a column."""


def same(project: Project, other: Project) -> bool:
    return project == other and project.seed == other.seed


def recipes_of(project: Project) -> list[Recipe]:
    return [project.recipe, *(variant.recipe for variant in project.variants), *project.aim.earlier]


@settings(120)
@given(projects())
def test_it_comes_back_as_it_was_but_for_what_is_confidential(project: Project) -> None:
    text = project.to_json()
    again = Project.from_json(text)
    assert same(again, project.as_saved)
    assert again.to_json() == text and same(again.as_saved, again), "what is told once is told again"
    assert Project.from_json(text.encode()) == again
    today = json.loads(text)
    flat = of_version_2(today)
    assert set(today) == {"format", "version", "anonscope", "case", "tables", "aim", "k", "threshold", "keep_inside"}
    assert same(read(flat), again) and read(flat).upgraded == again.upgraded
    assert read(flat).to_json() == text, "what version 2 had is of today, once it is saved again"


@settings(120)
@given(projects())
def test_what_every_column_may_tell_comes_back_whole(project: Project) -> None:
    steps = [entry.step for recipe in recipes_of(project) for entry in recipe.entries]
    in_steps = {name for step in steps for name in (*step.columns, *dict(getattr(step, "worth", ())))}
    named = {*project.hierarchies, *project.orders, *in_steps}
    reports = replace(project, roles=dict.fromkeys(named, Role.QUASI_IDENTIFIER))
    assert not reports.unsaved_columns and same(reports.as_saved, reports)
    assert same(Project.from_json(reports.to_json()), reports)


@pytest.mark.parametrize("role", [Role.IDENTIFIER, Role.PERSON_ID, Role.SENSITIVE, None])
@pytest.mark.parametrize("step", NAMING.values(), ids=NAMING.keys())
def test_no_cell_that_is_confidential_is_in_the_text(step, role: Role | None) -> None:
    roles = {"illness": role} if role is not None else {}
    by_hand = Hierarchy((ValueMap.of({f"{CANARY} 10": f"{CANARY} 11"}), EVERYTHING))
    recipe = Recipe.of([step("illness"), LeaveOut(2)])
    project = Project(
        roles=roles, recipe=recipe, hierarchies={"illness": by_hand}, aim=Aim(earlier=(recipe,)),
        released={recipe.digest: "a" * 64}, orders={"illness": ValueOrder("given", (f"{CANARY} 12",))},
        variants=(Variant("Version 1", recipe),),
    )  # fmt: skip
    assert "illness" in project.unsaved_columns and project.n_named > 0
    text = project.to_json()
    assert CANARY not in text
    read = Project.from_json(text)
    assert len(read.recipe) == 2 and read.recipe.entries[1] == recipe.entries[1], "each step stays in its place"
    assert read.released == {read.aim.earlier[0].digest: "a" * 64}
    assert read.variants == (Variant("Version 1", read.recipe),)
    hidden = Project(roles=roles, variants=project.variants)
    assert hidden.n_named == sum(each.step.n_named for each in recipe.entries) and CANARY not in hidden.to_json()
    reports = replace(project, roles={"illness": Role.OTHER})
    assert CANARY in reports.to_json() and not reports.unsaved_columns


@pytest.mark.parametrize("step", [NAMING[name] for name in ("mapping", "region", "part by part")])
def test_no_file_leaves_where_a_step_lost_its_values(step) -> None:
    """Left out, the step would have let the column through as it is."""
    data = small(roles=ROLES | {"name": Role.SENSITIVE, "illness": Role.SENSITIVE})
    for column in ("illness", "name"):
        read = Project.from_json(Project(roles=data.roles, recipe=Recipe.of([step(column)])).to_json())
        assert read.emptied == (column,) and read.recipe.apply(data).why_not


def test_a_value_that_was_kept_is_asked_about_again() -> None:
    kept = Recipe.of([Recode("illness", Intervals(10), kept=("flu", "cancer", "asthma"), others="star")])
    assert not kept.apply(small()).why_not
    data = small(roles=ROLES | {"illness": Role.OTHER})
    mixed = Recipe.of([Recode("age", Intervals(10), kept=("unknown",))])
    hidden = Project(roles=ROLES | {"age": Role.SENSITIVE}, recipe=mixed)
    assert not mixed.apply(data).why_not
    (unseen,) = Project.from_json(hidden.to_json()).recipe.apply(data).unseen
    assert unseen.column == "age" and unseen.values == ("unknown",)


def test_an_order_by_hand_is_kept_with_its_values_where_they_is_not_confidential() -> None:
    orders = {"zip": ValueOrder("given", ("02139", "02138")), "illness": ValueOrder("frequent", (CANARY,))}
    project = Project(roles=ROLES | {"illness": Role.SENSITIVE}, orders=orders)
    assert project.n_named == 3 and project.unsaved_columns == ("illness",)
    again = Project.from_json(project.to_json())
    assert again.orders == {"zip": orders["zip"], "illness": ValueOrder("frequent")} and not again.unsaved_columns
    assert set(project.on(["illness", "new"]).orders) == {"illness"}
    assert ValueOrder("given", ()) != ValueOrder("given"), "emptied by hand, and never touched"
    document = of_version_2(json.loads(Project(roles=ROLES, k=7, seed=5).to_json()))
    assert document.pop("orders") == {}
    assert same(read(document), Project(roles=ROLES, k=7, seed=5)), "saved before there were any"


@pytest.mark.parametrize(
    "order",
    [{"way": "upwards"}, {"way": "given", "by_hand": ["a", "a"]}, {"way": "given", "by_hand": "ab"}, "given", None],
)
def test_orders_that_cannot_be_are_refused(order) -> None:
    document = json.loads(Project(roles=ROLES).to_json())
    with pytest.raises(InputError, match="damaged"):
        read(with_table(document, orders={"age": order}))
    for way, by_hand in (("upwards", None), ("given", ("a", "a")), ("given", tuple(map(str, range(MOST_BY_HAND + 1))))):
        with pytest.raises(InputError):
            ValueOrder(way, by_hand)  # type: ignore[arg-type]


def test_harmless_values_are_the_one_exception() -> None:
    project = Project(roles=ROLES, aim=Aim().with_harmless("illness", ["flu"]))
    assert Project.from_json(project.to_json()).aim.harmless_by_column == {"illness": ("flu",)}


def test_a_release_on_record_comes_back_with_its_digest() -> None:
    project = Project(recipe=Recipe.of([LeaveOut(5)])).having_released("b" * 64)
    assert project.aim.earlier == (project.recipe,) and project.having_released("b" * 64) == project
    again = replace(project, recipe=Recipe.of([LeaveOut(3)])).having_released("c" * 64)
    assert len(again.aim.earlier) == 2 and same(Project.from_json(again.to_json()), again)
    with pytest.raises(InputError, match="64 hexadecimal"):
        project.having_released("no digest")


def test_what_is_decided_on_columns_that_are_gone_is_left_out_but_for_steps() -> None:
    aim = Aim(fixed=("age", "zip"), weights=(("zip", 2.0),), harmless=(("illness", ("flu",)),))
    project = Project(
        roles=ROLES, hierarchies={"age": intervals((5,)), "zip": intervals((5,))}, aim=aim, unknowable=("visit", "age"),
        population_columns={"age": "AGE", "zip": "ZIP"}, recipe=Recipe.of([Recode("zip", Mask(3))]),
    )  # fmt: skip
    here = project.on(["age", "visit", "new"])
    assert here.roles == {"age": "quasi_identifier", "visit": "other"} and set(here.hierarchies) == {"age"}
    assert here.aim == Aim(fixed=("age",)) and here.unknowable == ("visit", "age")
    assert here.population_columns == {"age": "AGE"} and here.recipe == project.recipe
    assert same(project.on(small().columns), project)


def test_versions_are_kept_by_a_name_of_their_own() -> None:
    kept = tuple(Variant(f" Version {i} ", Recipe.of([LeaveOut(i + 1)])) for i in range(MOST_VARIANTS))
    project = Project(variants=kept)
    assert project.variants[1].name == "Version 1" and same(Project.from_json(project.to_json()), project)
    assert project.on(["age"]).variants == kept
    document = of_version_2(json.loads(project.to_json()))
    del document["variants"]
    assert read(document) == Project(), "a project saved before there were any"
    for too_many in ((*kept, Variant("one more", Recipe())), (kept[0], Variant("VERSION 0", Recipe()))):
        with pytest.raises(InputError):
            replace(project, variants=too_many)
    for name in ("", "  ", "x" * 41, "\ud800", 5):
        with pytest.raises(InputError):
            Variant(name, Recipe())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "changes", [{"k": 0}, {"own_threshold": 0}, {"own_threshold": 1.5}, {"missing": "sometimes"}, {"seed": -1}]
)
def test_decisions_that_cannot_be_are_refused(changes) -> None:
    with pytest.raises(InputError):
        Project(**changes)


def test_it_cannot_be_changed_in_place() -> None:
    roles = {"age": Role.QUASI_IDENTIFIER}
    project = Project(roles=roles)
    roles["zip"] = Role.OTHER
    assert set(project.roles) == {"age"}
    with pytest.raises(TypeError):
        project.roles["zip"] = Role.OTHER  # type: ignore[index]


def test_what_does_not_change_stays_the_same_object() -> None:
    """By that a view of the session knows what it is made of."""
    project = Project(roles=ROLES, population_columns={"age": "AGE"})
    other = replace(project, k=7)
    assert other.roles is project.roles and other.population_columns is project.population_columns


def test_a_project_too_large_to_be_opened_is_not_saved() -> None:
    values = ValueMap(tuple((str(i), "x") for i in range(MOST_NAMED)))
    most = Project(roles={"a": Role.OTHER}, hierarchies={"a": Hierarchy((values,))})
    assert same(Project.from_json(most.to_json()), most)
    with pytest.raises(InputError, match="250,001 values"):
        replace(most, recipe=Recipe.of([Recode("a", Intervals(5), kept=("x",))])).to_json()


def test_an_older_version_is_migrated_and_a_newer_one_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    project = Project(k=7)
    document = json.loads(project.to_json())
    for version in (upgrades.FORMAT_VERSION + 1, 0):
        with refused("version-unknown"):
            read(document | {"version": version})
    flat = of_version_2(document)
    old = {name: value for name, value in flat.items() if name != "k"} | {"version": 0, "smallest_class": 7}

    def migrated(given: dict) -> dict:
        return {**given, "k": given["smallest_class"]}

    monkeypatch.setattr(upgrades, "MIGRATIONS", {0: migrated, **upgrades.MIGRATIONS})
    assert same(read(old), project)


def test_steps_and_criteria_of_a_project_of_version_1_are_upgraded_before_it_has_tables() -> None:
    """Both notices are there: what the criteria were is known of version 1, and what steps are, of today's."""
    document = json.loads((FIRST / "admissions-contract.json").read_bytes())
    document["recipe"].append({"kind": "suppress_violating", "rules": [{"kind": "l-diversity"}]})
    first = upgrades.of_this_version(document)
    assert [each[:21] for each in first["upgraded"]] == [
        "The criteria are toda", "A step leaves out per", "A step leaves out rec", "“Under contract” begi",
    ]  # fmt: skip
    assert first["tables"][0]["recipe"] == document["recipe"] and "recipe" not in first


@pytest.mark.parametrize(
    ("tables", "says"),
    [
        (5, "the tables must be a list"),
        (None, "the tables must be a list"),
        ({}, "the tables must be a list"),
        ([], r"holds 0 tables; this version reads one\. Choose a file"),
        ([{}, {}], r"holds 2 tables; this version reads one\. Open it with the version that saved it"),
        ([[{}]], "a table must be names with values"),
        ([None], "a table must be names with values"),
        ([{}], "the earlier releases must be a list"),
    ],
)
def test_a_project_of_another_number_of_tables_is_refused(tables, says: str) -> None:
    document = json.loads(Project(roles=ROLES).to_json())
    with pytest.raises(InputError, match=says):
        read(document | {"tables": tables})
    del document["tables"]
    with refused("project-damaged"):
        read(document)


FILLED_IN = {"title": "Falls", "purpose": "Who falls?\nAnd why?", "until": "2027-11-25", "author": "A. Officer"}
CASE = ReleaseCase(**FILLED_IN)


def test_a_case_is_kept_and_refused_where_it_is_none() -> None:
    project = Project(roles=ROLES, case=CASE, seed=5)
    document = json.loads(project.to_json())
    assert document["case"] == FILLED_IN
    assert same(read(document), project) and read(of_version_2(document)) == project
    assert project.on(["age"]).case == CASE and project.having_released("b" * 64).case == CASE
    del document["case"]
    assert read(document) == replace(project, case=ReleaseCase()), "a project saved before there were any"
    for damage in (5, None, [], {"titel": "x"}, {"title": 5}, {"until": "soon"}, {"title": "x" * 301}):
        with pytest.raises(InputError, match=r"[Tt]he case"):
            read(document | {"case": damage})


def test_a_case_that_is_typed_changes_nothing_that_is_counted() -> None:
    opened = open_project(Project(roles=ROLES, seed=5), LoadedFile.of(b"age,sex\n1,f\n", "visits.csv"))
    with_case = replace(opened, project=replace(opened.project, case=CASE))
    assert with_case.key == opened.key and with_case.project.to_json() != opened.project.to_json()
    for changes in ({"k": 9}, {"missing": "drop"}, {"aim": Aim(leaves_anyway="Agreed.")}):
        assert replace(opened, project=replace(opened.project, **changes)).key != opened.key


FIRST = Path(__file__).parents[3] / "saved" / "0.1.0" / "projects"


@pytest.mark.parametrize("key", ["public", "contract", "within", "safe_harbor", "cms", "own"])
def test_criteria_that_nobody_changed_become_todays(key: str) -> None:
    project = Project.from_json((FIRST / f"admissions-{key}.json").read_bytes())
    today = (*BY_KEY[key].criteria, *BY_KEY[key].measured)
    then = tuple(criterion for criterion in today if not criterion.of_method)
    assert project.aim.criteria == then, "what was limited then still is"
    assert any("begins today with “What the method tells” too" in each for each in project.upgraded) == (
        key == "public"
    )
    assert project.aim.measured == ()
    assert any("begins today without a limit on what can be learned" in each for each in project.upgraded) == (
        key in ("contract", "within")
    )
    assert any("are today's for" in each for each in project.upgraded) == (key != "safe_harbor")
    assert Project.from_json(project.to_json()).upgraded == (), "what was upgraded is saved as it is now"


def test_criteria_that_were_changed_stay_and_what_is_asked_today_is_named() -> None:
    document = json.loads((FIRST / "admissions-contract.json").read_bytes())
    document["aim"]["criteria"] = [{"kind": "smallest_class", "k": 7, "source": "our board"}]
    project = Project.from_json(json.dumps(document))
    assert project.aim.criteria == (SmallestClass(7, "our board", BY_KEY["contract"].rows),)
    assert "“People sharing all visits”" in project.upgraded[0] and "“Inference”" not in project.upgraded[0]
    document["aim"]["recipient"] = "public"
    assert Project.from_json(json.dumps(document)).aim.criteria[0].rows == BY_KEY["public"].rows
    document["upgraded"] = ["<b>not ours</b>"]
    assert all("not ours" not in each for each in Project.from_json(json.dumps(document)).upgraded)


def test_a_project_from_before_what_the_method_tells_keeps_its_criteria_with_one_notice() -> None:
    public = Project(roles=ROLES, aim=Aim.for_recipient("public"))
    without = tuple(criterion for criterion in public.aim.criteria if not criterion.of_method)
    document = json.loads(replace(public, aim=replace(public.aim, criteria=without)).to_json())
    assert document["aim"].pop("without_method"), "which earlier versions do not have"
    project = Project.from_json(json.dumps(document))
    assert project.aim.criteria == without
    (sentence,) = project.upgraded
    assert sentence.startswith("“Public release” begins today with “What the method tells” too")
    assert Project.from_json(project.to_json()).upgraded == (), "one notice"
    for other in (public, Project(roles=ROLES), replace(public, aim=replace(public.aim, criteria=without[:2]))):
        assert "without_method" not in json.loads(other.to_json())["aim"]
        assert Project.from_json(other.to_json()).upgraded == ()


def test_a_step_that_counts_otherwise_today_is_reported() -> None:
    text = (FIRST / "admissions-contract.json").read_bytes()
    assert any("more are left out" in each for each in Project.from_json(text).upgraded)
    with pytest.warns(Upgraded, match="today's for"):
        open_project(Project.from_json(text), LoadedFile.of(b"age,sex\n1,f\n", "visits.csv"))


def test_what_asks_more_than_when_a_project_was_saved_is_reported_once_and_only_where_it_is_not_met() -> None:
    roles = dict.fromkeys(("age", "sex"), Role.QUASI_IDENTIFIER)
    document = json.loads(Project(roles=roles, aim=Aim.for_recipient("safe_harbor")).to_json())
    del document["aim"]["year"]  # as projects were saved while cells that are not understood did not count
    project = Project.from_json(json.dumps(document))
    in_units = open_project(project, LoadedFile.of(b"age,sex\n" + b"95 years,f\n41 years,m\n" * 30, "visits.csv"))
    assert "“Safe Harbor” asks more than when this project was saved" in in_units.no_longer_met
    assert "“No identifiers”" not in in_units.no_longer_met, "which is met"
    in_numbers = open_project(project, LoadedFile.of(b"age,sex\n" + b"55,f\n41,m\n" * 30, "visits.csv"))
    assert in_numbers.verdict.may_leave and not in_numbers.no_longer_met
    document["stricter"] = ["<b>not ours</b>"]
    assert "not ours" not in str(Project.from_json(json.dumps(document)).stricter)
    assert Project.from_json(project.to_json()).stricter == (), "what is saved today is judged as today"


@settings(60)
@given(st.permutations(list(ROLES.items())))
def test_the_order_of_roles_is_no_difference(roles) -> None:
    assert Project(roles=dict(roles)) == Project(roles=ROLES)


def test_a_file_says_how_it_is_read() -> None:
    file = FileRead("d" * 64, "visits.csv", 6, ("age", "zip"), column_marks=(("age", "999"),), merged=("zip",))
    document = json.loads(Project(file=file).to_json())["tables"][0]["file"]
    assert document["records"] == 6 and document["missing_marks_of_columns"] == [["age", "999"]]
    assert document["read"]["delimiter"] is None and document["merged_spellings"] == ["zip"]
