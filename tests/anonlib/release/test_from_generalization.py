"""From a search to the recipe: applied to the file, the steps give the very classes that the search reported."""

from __future__ import annotations

import random
from itertools import cycle

import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import tests.reference.generalization as slow
from anonlib.analyses.generalization import Generalization, Method, solve
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import EVERYTHING, Hierarchy, intervals, masking, tree
from anonlib.coarsening.recoding import Intervals, Mask, ValueMap
from anonlib.columns.roles import Role
from anonlib.counting.classes import ClassTable
from anonlib.counting.privacy_models import KAnonymity
from anonlib.dataset import Dataset
from anonlib.reading.records import FrameRecords
from anonlib.reading.samples import SAMPLES
from anonlib.reading.sources import DEFAULT_MARKS, apply_missing_marks, open_source
from anonlib.release.from_analyses import steps_of_generalization
from anonlib.release.recipe import Recipe
from anonlib.release.steps import AggregatePlaces, DropColumns, GeneralizeLocally, LeaveOut, Recode, Scope, Step
from anonlib.release.steps.of_cells import EarlierLDiversity, EarlierTCloseness, Requirement, guarantees_of
from pages.protect.generalize.question import GeneralizeQuestion
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.generalize import asked
from tests.helpers.leaving_out import for_requirements
from tests.helpers.small_release import rows_of, taken

QI, SENSITIVE, OTHER = Role.QUASI_IDENTIFIER, Role.SENSITIVE, Role.OTHER
METHODS: tuple[Method, ...] = ("optimal", "iab", "parts")
EMPTY = Recipe()


def counted(table: ClassTable) -> dict[tuple, int]:
    return dict(slow.counted(table))


def with_steps(
    recipe: Recipe, found: Generalization, question: GeneralizeQuestion, data: Dataset
) -> tuple[Recipe, int]:
    return taken(recipe, steps_of_generalization(found, data, question.limit), found.problem.shield, Scope.SEARCH)


def check_release(
    data: Dataset, question: GeneralizeQuestion, method: Method, recipe: Recipe = EMPTY, searched: Dataset | None = None
) -> Generalization:
    """The release of the recipe has the classes, the k and the records left out that the search reported."""
    searched = searched or data
    found = solve(question.on(searched), method, 0.5 if method == "blanks" else None)
    made, _ = with_steps(recipe, found, question, searched)
    applied = made.apply(data)
    assert applied.problems == ()
    released = applied.released.with_missing("category").classes(list(question.columns))
    assert counted(released) == counted(found.classes)
    original = EMPTY.apply(searched).released.with_missing("category").classes([]).n_records
    assert found.n_records == original and found.left_out == original - released.n_records
    if released.n_classes:
        k = tuple(int(released.project(r.columns).counts.min()) for r in question.shared)
        assert k == found.k and all(got >= r.least for got, r in zip(k, question.shared, strict=True))
    assert Recipe.from_json(made.to_json()) == made
    assert rows_of(Recipe.from_json(made.to_json()).apply(data).released) == rows_of(applied.released)
    return found


# ---- random data -----------------------------------------------------------------------------------------------------


@st.composite
def questions(draw: st.DrawFn) -> tuple[Dataset, GeneralizeQuestion, Method]:
    """A few records with gaps, of persons, weighted or neither, and what is required of them."""
    case = draw(slow.cases(rules=draw(st.sampled_from([None, None, slow.L_DIVERSITY | slow.T_CLOSENESS]))))
    frame = pd.DataFrame(case.rows, columns=list(case.names), dtype=object)
    roles = dict.fromkeys(case.shield, QI) | {"s": SENSITIVE, "other": OTHER}
    counting = draw(st.sampled_from(["", "", "person", "weight"]))
    if counting == "person":
        persons = st.sampled_from(["p1", "p2", "p3", "p4", None])
        frame["person"] = draw(st.lists(persons, min_size=len(frame), max_size=len(frame)))
        roles["person"] = Role.PERSON_ID
    if counting == "weight":
        frame["weight"] = [str(weight) for weight in case.weights]
        roles["weight"] = Role.WEIGHT
    data = Dataset.from_frame(
        frame, roles={name: roles[name] for name in frame.columns if name in roles},
        missing=draw(st.sampled_from(["category", "drop"])),
    )  # fmt: skip
    hierarchies = {name: case.hierarchies[name] for name in case.laddered}
    question = GeneralizeQuestion(
        case.guarantees, tuple(hierarchies.items()),
        tuple(name for name in frame.columns if name in {*case.shield, "s"}), draw(OBJECTIVES), float(case.limit),
    )  # fmt: skip
    return data, question, draw(st.sampled_from((*METHODS, "blanks", "blanks")))


OBJECTIVES = st.sampled_from(["rows", "cell_loss", "classes", "entropy", "discernibility"])


@given(questions())
@settings(max_examples=70)
def test_the_release_is_what_the_search_reported(given):
    data, question, method = given
    try:
        check_release(data, question, method)
    except InputError:
        assume(False)


# ---- data as officers bring it ---------------------------------------------------------------------------------------


def census(n: int = 1_500, seed: int = 11, gaps: float = 0.0) -> pd.DataFrame:
    """Records in the manner of the Adult data, with a share of the cells missing."""
    rng = random.Random(seed)
    columns = {
        "age": [str(min(90, max(17, int(rng.gauss(38, 13))))) for _ in range(n)],
        "sex": [rng.choice(["Male", "Male", "Female"]) for _ in range(n)],
        "education": [rng.choice(["HS", "College", "Bachelors", "Masters", "Doctorate"]) for _ in range(n)],
        "race": [rng.choices(["White", "Black", "Other"], [85, 10, 5])[0] for _ in range(n)],
        "zip": [f"02{rng.randrange(10, 14)}{rng.randrange(5)}" for _ in range(n)],
        "salary": [rng.choice(["<=50K", "<=50K", "<=50K", ">50K"]) for _ in range(n)],
    }
    cells = {name: [None if rng.random() < gaps else value for value in values] for name, values in columns.items()}
    return pd.DataFrame(cells, dtype=object)


SHIELD = ("age", "sex", "education", "race", "zip")
EDUCATION = tree({
    "HS": ("lower", "*"), "College": ("lower", "*"), "Bachelors": ("higher", "*"), "Masters": ("higher", "*"),
    "Doctorate": ("higher", "*"),
})  # fmt: skip
WAYS = {"age": intervals((5, 10, 20)), "zip": masking(5), "race": Hierarchy((EVERYTHING,))}
ROLES = dict.fromkeys(SHIELD, QI) | {"salary": SENSITIVE}


def census_data(gaps: float = 0.0, *, person: bool = False, weight: bool = False, **fields) -> Dataset:
    frame = census(gaps=gaps)
    roles: dict[str, Role] = dict(ROLES)
    if person:
        frame["patient"] = [f"p{i % 1_200}" for i in range(len(frame))]
        roles["patient"] = Role.PERSON_ID
        frame["sex"] = frame["sex"].to_numpy()[[i % 1_200 for i in range(len(frame))]]
    if weight:
        frame["people"] = [str(i % 4) for i in range(len(frame))]
        roles["people"] = Role.WEIGHT
    return Dataset.from_frame(frame, roles=roles, **fields)


DATA = {
    "plain": {},
    "gaps": {"gaps": 0.03},
    "gaps left out": {"gaps": 0.03, "missing": "drop"},
    "persons": {"person": True},
    "persons with gaps": {"person": True, "gaps": 0.03},
    "persons with gaps left out": {"person": True, "gaps": 0.03, "missing": "drop"},
    "weights": {"weight": True, "gaps": 0.02},
}
ASKED: dict[str, tuple[tuple[Requirement, ...], tuple]] = {
    "k": ((Requirement(SHIELD, 5),), ()),
    "two": ((Requirement(("zip", "age", "sex"), 8), Requirement(("race", "education", "sex"), 20)), ()),
    "in another order": ((Requirement(tuple(reversed(SHIELD)), 4),), ()),
    "rules": (
        (Requirement(("sex", "education", "zip"), 6),),
        (EarlierLDiversity("salary", 2), EarlierTCloseness("salary", 0.25)),
    ),
    "entropy": ((Requirement(("age", "race"), 3),), (EarlierLDiversity("salary", 1.5, "entropy"),)),
}  # fmt: skip
EACH = list(zip(list(DATA) * 5, cycle(ASKED), cycle(METHODS)))


@pytest.mark.parametrize(("name", "what", "method"), EACH, ids=["-".join(each).replace(" ", "_") for each in EACH])
def test_a_census_is_released_as_reported(name, what, method):
    data = census_data(**DATA[name])
    requirements, rules = ASKED[what]
    ways = {column: way for column, way in (WAYS | {"education": EDUCATION}).items()
            if any(column in requirement.attributes for requirement in requirements)
            and (column != "education" or not data.records["education"].isna().any())}  # fmt: skip
    question = asked(data, guarantees_of(requirements, rules), hierarchies=ways, limit=0.04)
    found = check_release(data, question, method)
    assert found.levels is None or any(found.levels.values()) or found.left_out


WITH_BLANKS = [("plain", "k"), ("gaps", "two"), ("persons with gaps", "in another order"), ("weights", "rules")]


@pytest.mark.parametrize(("name", "what"), WITH_BLANKS)
def test_a_census_with_blank_cells_is_released_as_reported(name, what):
    requirements, rules = ASKED[what]
    ways = {column: way for column, way in WAYS.items()
            if any(column in requirement.attributes for requirement in requirements)}  # fmt: skip
    question = asked(census_data(**DATA[name]), guarantees_of(requirements, rules), hierarchies=ways, limit=0.04)
    found = check_release(census_data(**DATA[name]), question, "blanks")
    assert found.shares_blank() and not found.proven


def test_cells_are_not_blank_where_who_lacks_a_value_is_left_out():
    data = census_data(gaps=0.03, missing="drop")
    question = asked(data, guarantees_of((Requirement(SHIELD, 5),), ()), hierarchies=WAYS, limit=0.04)
    with refused("records-in-a-database"):
        check_release(data, question, "blanks")


ADULT = {
    "age": intervals((5, 10, 20)), "workclass": Hierarchy((EVERYTHING,)), "education": Hierarchy((EVERYTHING,)),
    "marital_status": Hierarchy((EVERYTHING,)), "race": Hierarchy((EVERYTHING,)), "sex": Hierarchy((EVERYTHING,)),
}  # fmt: skip


def opened(name: str, content: bytes, roles: dict, missing="category") -> Dataset:
    source = open_source(content, name)
    frame = apply_missing_marks(source.frame, DEFAULT_MARKS)
    return Dataset(name, source.digest, FrameRecords(frame), roles=roles, missing=missing)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["optimal", "parts"])
def test_adult_is_released_as_reported(method, shared_data):
    content = shared_data("adult.csv").read_bytes()
    data = opened("adult.csv", content, dict.fromkeys(ADULT, QI) | {"salary": SENSITIVE}, "drop")
    question = asked(data, KAnonymity(columns=tuple(ADULT), least=5), hierarchies=ADULT, limit=0.01)
    found = check_release(data, question, method)
    assert found.n_records == 32_561 - 1_836, "those with a workclass"


@pytest.mark.slow
@pytest.mark.parametrize(("method", "missing"), list(zip(METHODS, cycle(["drop", "category"]))))
def test_every_sample_is_released_as_reported(method, missing):
    for sample in SAMPLES:
        data = opened(sample.filename, sample.read_bytes(), {c: Role(r) for c, r in sample.roles.items()}, missing)
        guarantee = KAnonymity(columns=tuple(data.quasi_identifiers), least=2 if data.n_records < 100 else 5)
        check_release(data, asked(data, guarantee, limit=0.2), method)


# ---- the recipe that is there already --------------------------------------------------------------------------------

K5 = KAnonymity(columns=SHIELD, least=5)


def made(data: Dataset, method: Method, recipe: Recipe, limit: float = 0.05) -> tuple[list[Step], int, Generalization]:
    question = asked(data, K5, hierarchies=WAYS, limit=limit)
    found = solve(question.on(data), method)
    changed, replaced = with_steps(recipe, found, question, data)
    assert steps_of_generalization(found, data, question.limit) == tuple(
        step for step in changed.enabled if step not in recipe.enabled
    )
    return list(changed.enabled), replaced, found


def test_a_whole_generalization_is_a_recoding_a_column_and_then_suppression():
    data = census_data()
    steps, replaced, found = made(data, "optimal", EMPTY)
    assert found.levels is not None and found.left_out
    recoded = [name for name, level in found.levels.items() if level]
    assert [getattr(step, "column", None) for step in steps] == [*recoded, None] and replaced == 0
    for step in steps[:-1]:
        assert isinstance(step, Recode)
        assert step.recoding == found.problem.hierarchies[step.column].recodings[found.levels[step.column] - 1]
    assert steps[-1] == for_requirements((Requirement(SHIELD, 5),), (), "reaches k = 5 on 5 columns")
    assert {step.reason for step in steps} == {"reaches k = 5 on 5 columns"}
    steps, _, found = made(data, "optimal", EMPTY, limit=0.0)
    assert not found.left_out and all(isinstance(step, Recode) for step in steps)


def test_what_is_satisfied_already_needs_no_step():
    data = census_data()
    question = asked(data, KAnonymity(columns=("sex",), least=5))
    found = solve(question.on(data), "optimal")
    assert with_steps(EMPTY, found, question, data) == (EMPTY, 0)


def test_steps_that_recode_the_same_columns_give_way_and_others_stay_in_their_order():
    data = census_data()
    others = [DropColumns(("salary",)), Recode("salary", Mask(1)), LeaveOut(3), Recode("salary", Mask(0)), LeaveOut(2)]
    recodings = [Recode("age", Intervals(3.0)), Recode("zip", Mask(2))]
    old = [recodings[0], for_requirements((Requirement(SHIELD, 5),)), GeneralizeLocally((), (K5,)), recodings[1]]
    recipe = Recipe.of([others[0], old[0], others[1], *old[1:3], *others[2:4], old[3], others[4]])
    for method in METHODS:
        kept, replaced, found = made(data, method, recipe)
        new = [step for step in kept if step not in others]
        assert replaced == 4 and kept == [*others[:2], *new, *others[2:]], "before the first suppression"
        again, replaced = with_steps(Recipe.of(kept), found, asked(data, K5, hierarchies=WAYS), data)
        assert (again, replaced) == (Recipe.of(kept), len(new)), "once more changes nothing"


def test_steps_switched_off_stay_off_or_give_way():
    data = census_data()
    recipe = Recipe.of([Recode("age", Intervals(3.0)), LeaveOut(3)]).switch(0, False).switch(1, False)
    question = asked(data, K5, hierarchies=WAYS)
    changed, replaced = with_steps(recipe, solve(question.on(data), "optimal"), question, data)
    assert replaced == 1 and [entry.enabled for entry in changed.entries[:-1]] == [True] * (len(changed) - 1)
    assert changed.entries[-1].step == LeaveOut(3) and not changed.entries[-1].enabled


@pytest.mark.parametrize("method", METHODS)
def test_one_method_gives_way_to_another(method):
    data = census_data()
    recipe, before = EMPTY, 0
    for other in (*METHODS, method):
        question = asked(data, K5, hierarchies=WAYS)
        recipe, replaced = with_steps(recipe, solve(question.on(data), other), question, data)
        assert replaced == before
        before = len(recipe)
    check_release(data, asked(data, K5, hierarchies=WAYS), method, recipe)


@pytest.mark.parametrize("method", METHODS)
def test_with_columns_dropped_the_release_is_what_the_search_without_them_reported(method):
    data = census_data(gaps=0.03, missing="drop", person=True)
    recipe = Recipe.of([DropColumns(("race", "patient")), LeaveOut(2)])
    searched = data.without_columns(["race", "patient"])
    assert searched.person_id == "patient", "counts stay of persons"
    question = asked(
        searched, KAnonymity(columns=("age", "sex", "education", "zip"), least=5), hierarchies={"age": WAYS["age"]}
    )
    # Who lacks a dropped column only is counted, and released.
    check_release(data, question, method, recipe, searched)


# ---- what cannot be released as searched -----------------------------------------------------------------------------

GAPS = pd.DataFrame({"age": ["30", None, "31", "31", "32", "32"], "who": ["a", "a", "b", "c", "d", "e"]}, dtype=object)
TWO = KAnonymity(columns=("age",), least=2)


def labelled(*, missing: str | None, **labels: str | None) -> Hierarchy:
    pairs = (("30", "x"), ("31", labels.get("other", "y")), ("32", labels.get("last", "y")))
    return Hierarchy((ValueMap(pairs, missing=missing), EVERYTHING))


def test_a_level_that_makes_values_missing_is_refused_where_those_records_would_be_left_out():
    data = Dataset.from_frame(GAPS[["age"]], roles={"age": QI}, missing="drop")
    question = asked(data, TWO, hierarchies={"age": labelled(missing=None, last=None)})
    with pytest.raises(InputError, match="Level 1 of the hierarchy of “age” leaves a value without a label"):
        question.on(data)
    check_release(data.with_missing("category"), question, "optimal")


def test_a_label_of_missing_cells_is_refused_where_they_give_way_to_other_rows_of_a_person():
    data = Dataset.from_frame(GAPS, roles={"age": QI, "who": Role.PERSON_ID})
    question = asked(data, TWO, hierarchies={"age": labelled(missing="unknown")})
    with pytest.raises(InputError, match="Level 1 of the hierarchy of “age” gives missing cells a label"):
        question.on(data)
    for fine in (labelled(missing=None), Hierarchy((EVERYTHING,))):
        check_release(data, asked(data, TWO, hierarchies={"age": fine}, limit=0.2), "parts")
    each = Dataset.from_frame(GAPS.assign(who=list("abcdef")), roles=dict(data.roles))
    for method in METHODS:  # where nobody has other rows a label is as good as any
        check_release(each, asked(each, TWO, hierarchies={"age": labelled(missing="x")}), method)


# Regions in the recipe


PLACES = AggregatePlaces("area", (("north", ("a", "b")), ("south", ("c", "d"))))


def of_areas() -> Dataset:
    ages = [str(20 + i % 7) for i in range(60)]
    frame = pd.DataFrame({"area": list("abcd") * 15, "age": ages, "sex": ["F", "M", "M"] * 20})
    return Dataset.from_frame(frame, roles={"area": Role.PLACE, "age": QI, "sex": QI})


def test_what_regions_leave_out_stays_when_the_search_does_not_look_at_places():
    """The new recodings come before it, and after the regions; a search that looks at places makes it anew."""
    data = of_areas()
    for_regions = for_requirements((Requirement(("area", "age", "sex"), 4),))
    before = Recipe.of([PLACES, for_regions])
    question = asked(data, KAnonymity(columns=("age", "sex"), least=9))
    found = solve(question.on(data), "optimal")
    recipe, gave_way = with_steps(before, found, question, data)
    kinds = [entry.step.kind for entry in recipe.entries]
    assert gave_way == 0 and kinds[0] == "aggregate_places" and recipe.entries[-1].step is for_regions
    assert "recode" in kinds[1:-1]
    regions = Recipe.of([PLACES]).apply(data).released
    with_area = asked(regions, KAnonymity(columns=("area", "age", "sex"), least=4))
    recipe, gave_way = with_steps(before, solve(with_area.on(regions), "optimal"), with_area, regions)
    assert gave_way == 1 and recipe.entries[0].step is PLACES and for_regions not in recipe.enabled


def test_regions_after_a_suppression_are_recoded_after_it():
    """Before the regions there is none of their names to recode."""
    data = of_areas()
    before = Recipe.of([LeaveOut(2), PLACES])
    regions = Recipe.of([PLACES]).apply(data).released
    question = asked(regions, KAnonymity(columns=("area", "age", "sex"), least=30), limit=0.0)
    recipe, gave_way = with_steps(before, solve(question.on(regions), "optimal"), question, regions)
    assert gave_way == 0 and recipe.entries[:2] == before.entries and len(recipe) > 2
    assert recipe.apply(data).problems == ()


@pytest.mark.parametrize("method", METHODS)
def test_regions_are_generalized_as_they_are_released(method):
    data = of_areas()
    regions = Recipe.of([PLACES]).apply(data).released
    question = asked(regions, KAnonymity(columns=("area", "age", "sex"), least=4))
    check_release(data, question, method, Recipe.of([PLACES]), searched=regions)
