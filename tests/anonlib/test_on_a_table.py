"""Every analysis says the same of records in memory and of the same records in a database."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from typing import Any

import numpy as np
import pytest

from anonlib.analyses.generalization import WholeClasses, solve
from anonlib.analyses.individuals import Attacker, privacy_profile, singling_out
from anonlib.analyses.leakage import information_loss
from anonlib.analyses.population_uniqueness import population_uniqueness
from anonlib.analyses.regions import suggest_area_column
from anonlib.analyses.risk import sensitive_risk
from anonlib.analyses.schedules import people_of
from anonlib.analyses.utility import Alongside, can_be_predicted, measure, predict
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import intervals, suggested_hierarchy
from anonlib.coarsening.recoding import DateUnit, Intervals, Mask, ValueMap
from anonlib.columns.roles import Role, suggest_roles
from anonlib.counting.privacy_models import KAnonymity
from anonlib.dataset import Dataset
from anonlib.filing.evidence import evidence_of, gather, released_file, script_of, to_json
from anonlib.filing.evidence.report import html_of
from anonlib.filing.project import LoadedFile, LoadedTable, Project, open_project
from anonlib.filing.project.opened import case_of
from anonlib.release.comparison import compare
from anonlib.release.from_analyses import steps_of_generalization
from anonlib.release.recipe import Recipe
from anonlib.release.revealing_columns import find_revealing_columns
from anonlib.release.safe_harbor import with_safe_harbor
from anonlib.release.steps import DropColumns, GeneralizeLocally, LeaveOut, Recode
from anonlib.release.suggestions import first_recipe
from anonlib.release.uniqueness_of_release import alone_by_what_leaves
from anonlib.verdict.criteria import RECIPIENTS, Aim, Case, Combinations, MethodDisclosure, RecordsKept, State, judge
from anonlib.verdict.criteria.earlier import EarlierReleases
from anonlib.verdict.criteria.inference import certain
from anonlib.verdict.proposals import Adviser, Asked, Proposal
from anonlib.verdict.together import Release, together
from tests.helpers import evidence as on_file
from tests.helpers.errors import refused
from tests.helpers.examples import PROFILE
from tests.helpers.records import InDuckDB, alike, both_data_sets, rows_of
from tests.helpers.regions import areas_at

QI = Role.QUASI_IDENTIFIER
ROLES = {"age": QI, "zip": QI, "sex": QI, "admitted": QI, "illness": Role.SENSITIVE, "ward": Role.OTHER,
         "name": Role.IDENTIFIER}  # fmt: skip
COUNTED: dict[str, dict[str, Role]] = {
    "records": {}, "persons": {"id": Role.PERSON_ID}, "weights": {"w": Role.WEIGHT}
}  # fmt: skip
RECIPE = Recipe.of(
    [
        Recode("age", Intervals(20)),
        Recode("admitted", DateUnit("year")),
        Recode("zip", Mask(3, length=5)),
        DropColumns(("ward",)),
        LeaveOut(3),
    ]
)
Both = tuple[Dataset, Dataset]


def columns(n: int, seed: int = 5) -> dict[str, list[str | None]]:
    """Visits of people, of whom some come twice and some cells are missing."""
    rng = np.random.default_rng(seed)

    def drawn(values: list[str | None], missing: float = 0.03) -> list[str | None]:
        cells = rng.choice(np.array(values, dtype=object), n)
        return [None if gone else cell for cell, gone in zip(cells, rng.random(n) < missing, strict=True)]

    return {
        "age": drawn([*map(str, range(20, 95, 3)), "unknown"]),
        "zip": drawn([f"{code:05d}" for code in (2138, 2139, 2141, 60601, 60602)]),
        "sex": drawn(["f", "m"]),
        "admitted": drawn([f"{year}-0{month}-{day}" for year in (2023, 2024) for month in (1, 5) for day in (13, 17)]),
        "illness": drawn(["flu", "cancer", "asthma", "none"]),
        "ward": drawn(["A", "B"]),
        "name": [f"person {i}" for i in range(n)],
        "id": drawn([f"p{i}" for i in range(n)], 0.05),
        "w": drawn(["0", "1", "2", "3"], 0.0),
    }  # fmt: skip


@pytest.fixture(params=[*COUNTED], scope="module")
def both(request) -> Both:
    """The same visits in memory and in a database, counted by records, persons and weights."""
    return both_data_sets(columns(240), roles=ROLES | COUNTED[request.param])


WITH_MISSING = [
    (counted, missing)
    for counted, usual in (("records", "category"), ("persons", "category"), ("weights", "drop"))
    for missing in ("category", "drop")
    if missing == usual or PROFILE == "thorough"
]


@pytest.fixture(params=WITH_MISSING, ids="-".join, scope="module")
def both_missing(request) -> Both:
    """The same, with one way to take missing values, or each in a thorough run."""
    counted, missing = request.param
    here, there = (data.with_missing(missing) for data in both_data_sets(columns(240), roles=ROLES | COUNTED[counted]))
    return here, there


def on_both(both: Both, analysis: Callable[[Dataset], Any], within: float = 0.0) -> Any:
    """What an analysis finds in memory, after making sure that it finds the same in the database.

    Numbers may differ by ``within``, where sums are made in another order.
    """
    assert both[1].frame is None
    here, there = (analysis(data) for data in both)
    alike(here, there, within)
    return here


def test_the_same_first_recipe(both):
    found = on_both(both, lambda data: first_recipe(data, 3))
    assert found.k >= 3 and len(found.steps) > 1


def test_the_same_roles_are_suggested(both):
    assert len(on_both(both, lambda data: suggest_roles(data.held))) == 9


def test_the_same_comparison(both_missing):
    found = on_both(both_missing, lambda data: compare(RECIPE.apply(data), RECIPE, k=3))
    assert 0 < found.rows_kept < 1 and found.after.k >= 3


def test_what_the_method_tells_is_not_known_of_a_table(both):
    """Which of its records are which of the release is not known: it is neither met nor not."""
    criteria = (MethodDisclosure(),)
    verdict = judge(case_of(RECIPE.apply(both[1]), RECIPE, None, Aim("public", criteria)), criteria, recipient="public")
    assert [finding.state for finding in verdict.findings] == [State.UNKNOWN]


@pytest.mark.parametrize("recipient", RECIPIENTS, ids=lambda recipient: recipient.key)
def test_the_same_verdict(both, recipient):
    # Of a table it is not known which of its records are which of the release, as what the method tells must know.
    criteria = tuple(one for one in recipient.criteria if not isinstance(one, MethodDisclosure))
    aim = Aim(recipient.key, criteria, harmless=(("illness", ("none",)),))

    def verdict(data: Dataset) -> Any:
        return judge(case_of(RECIPE.apply(data), RECIPE, None, aim), aim.criteria, recipient=recipient.name)

    found = on_both(both, verdict)
    left_out = {*criteria} - {each.criterion for each in found.findings}
    several_rows = both[0].has_several_rows
    assert all(isinstance(each, Combinations) and not several_rows for each in left_out), "asked by another one already"


def test_the_same_is_singled_out_and_reported(both_missing):
    assert on_both(both_missing, lambda data: alone_by_what_leaves(RECIPE.apply(data), RECIPE)).alone
    on_both(both_missing, lambda data: find_revealing_columns(RECIPE.apply(data), RECIPE))
    assert any(each.certain for each in on_both(both_missing, _certain).values())


def _certain(data: Dataset) -> Any:
    return certain(Case(Recipe().apply(data), Recipe()), 2)


def test_the_same_proposals(both_missing):
    def proposals(data: Dataset) -> Any:
        aim = Aim.for_recipient("contract")
        # Who lacks a known value is left out already, which is more than the recipient's 5%.
        criteria = [RecordsKept(0.5) if isinstance(each, RecordsKept) else each for each in aim.criteria]
        adviser = Adviser(Asked.of(data, aim, {"age": intervals((10, 30))}, criteria))
        return [adviser.most_detail(), adviser.most_records(), adviser.fewest_columns(), adviser.conflict()]

    assert isinstance(on_both(both_missing, proposals)[0], Proposal)


def test_the_same_steps_of_safe_harbor(both):
    assert len(on_both(both, lambda data: with_safe_harbor(Recipe(), data)))


def test_who_is_partly_missing_is_found(both):
    here, there = both
    for name in here.columns:
        assert there.has_partly_missing(name) == here.has_partly_missing(name)
    left = [data.without_partly_missing(["age", "illness"]) for data in both]
    assert rows_of(left[0].held) == rows_of(left[1].held)
    assert (left[0].n_records < here.n_records) == (here.person_id is not None)
    assert not any(data.has_partly_missing("illness") for data in left)


EARLIER = (
    Recipe.of([Recode("age", Intervals(15)), LeaveOut(2)]),
    Recipe.of([Recode("sex", ValueMap((("f", "*"), ("m", "*")))), DropColumns(("zip",)), LeaveOut(2)]),
    Recipe.of([LeaveOut(guarantees=(KAnonymity(columns=("sex", "zip"), least=30, share=0.5),))]),
)


@pytest.mark.parametrize("earlier", EARLIER[:2])
def test_the_same_beside_an_earlier_release(both_missing, earlier):
    def beside(data: Dataset) -> Any:
        case = Case(RECIPE.apply(data), RECIPE, earlier=(earlier,), harmless={"illness": ("none",)})
        finding = EarlierReleases(3).check(case)
        counts, in_memory, _ = finding.says.partition(" A proven leak")
        return replace(finding, says=counts if in_memory else counts.partition(" That somebody is found")[0])

    assert on_both(both_missing, beside).persons


def test_the_same_release_twice_tells_nothing_more(both):
    """Also where it is up to the engine which of several records stay: they are the same ones in both."""
    for data in both:
        twice = together([Release.of(data, EARLIER[2])] * 2)
        released = EARLIER[2].apply(data).released
        assert twice.coded.n_records == released.classes([]).n_records
        assert np.count_nonzero(twice.coded.groups(twice.columns)[1]) == released.classes().n_classes


def test_the_same_is_kept(both_missing):
    found = on_both(both_missing, lambda data: measure(data, RECIPE.apply(data).released, k=3), within=1e-12)
    assert 0 < found.association.kept < 1 and found.classes.entropy_lost > 0


def test_the_same_is_kept_counted_pair_by_pair(monkeypatch):
    both = both_data_sets(columns(240), roles=ROLES)
    monkeypatch.setattr("anonlib.analyses.utility.alongside.MOST_AT_ONCE", 0)
    on_both(both, lambda data: measure(data, RECIPE.apply(data).released, k=3), within=1e-12)


def test_the_same_is_kept_part_by_part(both):
    """One value has several labels there."""
    step = GeneralizeLocally((("age", intervals((10, 30))),), (KAnonymity(columns=("age", "sex"), least=4),))
    found = on_both(both, lambda data: measure(data, step.apply(data), k=3), within=1e-12)
    assert found.cells_kept < found.rows_kept


def test_models_learn_from_records_in_memory(both):
    data = both[1]
    released = RECIPE.apply(data).released
    assert not can_be_predicted(Alongside.of(data, released))
    with refused("records-in-a-database"):
        predict(data, released, "illness")


def test_the_same_people_are_invited():
    both = both_data_sets(columns(240), roles=ROLES | COUNTED["persons"], missing="drop")

    def invited(data: Dataset) -> Any:
        people = people_of(data, ["age", "sex"], ["zip"])
        return people.values, people.groups, people.frequencies, people.quasi_ids, people.left_out

    assert on_both(both, invited)[-1] > 0
    here, there = (people_of(data, ["age", "sex"]) for data in both)
    assert there.record_of_person is None and there.n_people == here.n_people
    np.testing.assert_array_equal(there.group_of_person, np.sort(here.group_of_person))


@pytest.mark.parametrize("missing", ["category", "drop"])
def test_the_same_evidence(missing):
    """But for the file that leaves, whose rows stand in another order, what names the original, and attacks."""
    steps = (Recode("age", Intervals(20)), Recode("zip", Mask(3)), DropColumns(("note",)), LeaveOut(3))
    project = Project(recipe=Recipe.of(steps), roles=on_file.ROLES, k=3, seed=7, missing=missing)
    file = on_file.as_bytes(on_file.visits(200))
    loaded = LoadedFile.of(file, "visits.csv"), LoadedTable.of(InDuckDB("visits.csv", "DuckDB", file))
    here, there = (gather(open_project(project, each)) for each in loaded)
    assert there.file.by_content and there.file.sha256 == open_project(project, loaded[0]).data.content_digest
    assert evidence_of(to_json(there)) == there and "of its content" in html_of(there).decode()
    assert there.file.sha256 not in html_of(there, public=True).decode()
    assert [*there.released.on_record] == ["CSV", "Parquet"]
    for kind, digest in there.released.on_record.items():
        assert sha256(released_file(open_project(project, loaded[1]), kind)).hexdigest() == digest
    with refused("records-in-a-database"):
        script_of(open_project(project, loaded[1]), there)
    assert here.released.records == there.released.records and here.utility is not None
    (why_not,) = there.attacks.not_tried
    assert "records in memory" in why_not and here.attacks.attacks and why_not in html_of(there).decode()
    apart = replace(there, project=here.project, attacks=here.attacks)
    alike(here, apart.with_table(file=here.file, released=here.released), within=1e-12)


def test_the_same_of_individuals_leakage_and_uniqueness(both_missing):
    """They begin with class tables, which are the same ones."""

    def found(data: Dataset) -> Any:
        classes, by_both = data.classes(), data.classes(["age", "sex", "illness"])
        return (
            classes,
            information_loss(classes, max_size=3),
            singling_out(classes, max_size=2),
            privacy_profile(by_both, Attacker(measure="ppp", knows=2), sensitive=["illness"]),
            sensitive_risk(data.classes([*data.quasi_identifiers, "illness"]), data.quasi_identifiers, "illness"),
            population_uniqueness(classes.anonymity_vector, 5_000),
        )

    assert on_both(both_missing, found)[0].n_classes > 100


def test_the_same_generalization_and_its_steps(both_missing):
    def found(data: Dataset) -> Any:
        counted = data.with_counted()
        names = ("age", "sex", "zip")
        counts = {name: counted.held.counts_of(name) for name in names}
        ways = {name: suggested_hierarchy(counts[name].values, counts[name].records) for name in names}
        problem = WholeClasses(
            counted.with_missing("category").classes(list(names)), ways, (KAnonymity(columns=names, least=4),)
        )
        solved = [solve(problem, "greedy"), solve(problem, "parts")]
        return [steps_of_generalization(each, counted, 0.0) for each in solved], [each.utility for each in solved]

    assert all(on_both(both_missing, found)[0])


def test_the_same_areas_are_suggested(both):
    ids = np.array(["02138", "02139", "02141"], dtype=object)
    areas = areas_at([(0, 0), (1000, 0), (0, 1000)])
    areas = replace(areas, ids=ids)
    assert on_both(both, lambda data: suggest_area_column(areas, data)) == "zip"


def test_more_combinations_than_are_fetched_are_stated(monkeypatch):
    monkeypatch.setattr("anonlib.counting.classes.database.MOST_CLASSES", 3)
    _, there = both_data_sets({"age": ["1", "2", "3", "4"], "sex": ["F", "F", "M", "M"]})
    assert there.classes(["sex"]).n_classes == 2
    with pytest.raises(InputError, match="“age” and “sex” have more than 3 combinations"):
        there.classes(["age", "sex"])
