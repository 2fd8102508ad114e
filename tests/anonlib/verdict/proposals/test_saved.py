"""Proposals taken into a project that is saved, opened in another process and applied: the bytes that were counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from anonlib.analyses.generalization.search import NothingFound
from anonlib.basics.budget import about_seconds
from anonlib.coarsening.hierarchies import Hierarchy, codes, dates, intervals, masking, rare, suggested_hierarchy
from anonlib.coarsening.recoding import ValueMap
from anonlib.columns.codes import SYSTEMS
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.filing.evidence import released_file
from anonlib.filing.project import LoadedFile, Opened, Project, open_project
from anonlib.release.recipe import Recipe
from anonlib.release.steps import LeaveOut, MergeRare, Recode
from anonlib.verdict.criteria import Aim, Combinations, RareValues, RecordsKept
from anonlib.verdict.proposals import Adviser, Asked, Proposal
from anonlib.verdict.proposals.global_recoding import bands
from anonlib.verdict.proposals.proposal import is_saved_whole
from tests.helpers.examples import settings
from tests.helpers.other_process import OtherProcess
from tests.helpers.small_release import QI, SENSITIVE
from tests.helpers.small_release import column as column_of
from tests.helpers.ways import blank_cells, part_by_part, whole_columns

SAMPLES = Path(__file__).resolve().parents[4] / "data" / "samples"
WAYS: list[Callable[..., Proposal | NothingFound]] = [
    part_by_part, blank_cells, whole_columns, Adviser.most_records, Adviser.fewest_columns,
]  # fmt: skip
ROLES = {
    "id": Role.PERSON_ID, "age": Role.QUASI_IDENTIFIER, "town": Role.QUASI_IDENTIFIER, "value": Role.SENSITIVE,
    "code": Role.SENSITIVE, "ill": Role.SENSITIVE, "since": Role.SENSITIVE, "ward": Role.OTHER,
}  # fmt: skip
ILLNESSES = ["flu", "cold", "gout", "lupus", "polio", "measles"]
BY_HAND = Hierarchy((ValueMap.of(dict.fromkeys(ILLNESSES[:3], "common"), otherwise="seldom"),))
"""Levels that list values of a column, as an officer writes them."""


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[OtherProcess]:
    process = OtherProcess()
    yield process
    process.close()


def files(rng: np.random.Generator, n: int, persons: bool) -> pd.DataFrame:
    """Records of few known values, and of sensitive columns of each type with rare values and texts among numbers."""
    values = rng.choice([3, 5, 8, 12, 17, 23, 31, 44, 58, 70, 95], n, p=[0.3, 0.3, *[0.4 / 9] * 9]).astype(str)
    frame = pd.DataFrame(
        {
            "age": rng.choice(["30", "31", "45", "46"], n),
            "town": rng.choice(["Havn", "Lia"], n),
            "value": np.where(rng.random(n) < 0.08, "not taken", values),
            "code": rng.choice(["C34", "C50", "J44", "J45", "M10", "A15"], n, p=[0.3, 0.3, 0.2, 0.1, 0.05, 0.05]),
            "ill": rng.choice(ILLNESSES, n, p=[0.5, 0.3, 0.1, 0.04, 0.03, 0.03]),
            "since": rng.choice(["2024-01-03", "2024-02-14", "2024-07-30", "2025-03-09"], n, p=[0.6, 0.3, 0.05, 0.05]),
            "ward": rng.choice(["w1", "w2", "w3"], n, p=[0.6, 0.35, 0.05]),
            "undecided": rng.choice(["x", "y", "z", "12"], n, p=[0.5, 0.4, 0.05, 0.05]),
        }
    )
    if persons:
        frame.insert(0, "id", [str(number) for number in np.sort(rng.integers(0, max(1, n - n // 6), n))])
    return frame


@st.composite
def projects(draw: st.DrawFn) -> tuple[bytes, Project]:
    """A file, and a project that asks what a recipient does."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    frame = files(rng, draw(st.sampled_from([60, 120, 240])), draw(st.booleans()))
    sensitive = [name for name, role in ROLES.items() if role is Role.SENSITIVE]
    columns = [*(name for name in frame.columns if name not in sensitive), *draw(st.sets(st.sampled_from(sensitive)))]
    frame = frame[[name for name in frame.columns if name in columns]]
    hierarchies = draw(
        st.sampled_from([{}, {}, {"ill": BY_HAND}, {"value": intervals([10, 50]), "ill": BY_HAND.with_top()}])
    )
    recipient = draw(st.sampled_from(["public", "contract", "within"]))
    aim = replace(Aim.for_recipient(recipient), droppable=draw(st.sampled_from([(), ("code",)])))
    roles = {name: role for name, role in ROLES.items() if name in frame.columns}
    missing = draw(st.sampled_from(["category", "category", "drop"]))
    chosen = {name: each for name, each in hierarchies.items() if name in frame.columns}
    return frame.to_csv(index=False).encode(), Project(
        roles=roles, missing=missing, hierarchies=chosen, aim=aim, seed=draw(st.integers(1, 2**64))
    )


def proposals(opened: Opened, ways: list[Callable[..., Proposal | NothingFound]] = WAYS) -> list[Proposal]:
    """What is offered, each kind."""
    project = opened.project
    protected = project.recipe.to_protect(opened.data)
    asked = Asked.of(
        protected, project.aim, project.hierarchies, original=opened.data, unknowable=project.unknowable
    )  # fmt: skip
    found = [way(Adviser(asked), about_seconds(0.5)) for way in ways]
    return [each for each in found if isinstance(each, Proposal)]


def check_released_elsewhere(elsewhere: OtherProcess, folder: Path, file: bytes, opened: Opened) -> None:
    """The project, saved and opened in another process, gives the same bytes and the same verdict."""
    assert opened.applied.why_not == ""
    data, project = folder / "file.csv", folder / "project.json"
    data.write_bytes(file)
    project.write_text(opened.project.to_json(), encoding="utf-8")
    there = elsewhere.release(data, project)
    assert there["why_not"] == ""
    assert there["sha256"] == sha256(released_file(opened)).hexdigest()
    assert (there["verdict"], there["findings"]) == (
        opened.verdict.says, [finding.says for finding in opened.verdict.findings],
    )  # fmt: skip


def taken(opened: Opened, proposal: Proposal) -> Opened:
    recipe = proposal.taken(opened.project.recipe, opened.data)
    return replace(
        opened, project=replace(opened.project, recipe=recipe), applied=recipe.apply(opened.data), differences=None
    )


@pytest.mark.slow
@settings(max_examples=100)
@given(asked=projects(), way=st.sampled_from(WAYS))
def test_what_is_offered_is_released_from_a_saved_project(elsewhere, tmp_path_factory, asked, way):
    """Every kind of proposal: its bytes and its verdict, in a process that has read nothing but the files."""
    file, project = asked
    opened = open_project(project, LoadedFile.of(file, "file.csv"))
    for proposal in proposals(opened, [way]):
        note(f"steps: {[step.describe() for step in proposal.steps]}")
        now = taken(opened, proposal)
        assert all(is_saved_whole(step, now.data) for step in now.project.recipe.enabled)
        assert now.project.as_saved.recipe == now.project.recipe and not now.project.emptied
        left = now.applied.released.with_counted()
        kept = left.classes([]).n_records if left.n_records else 0
        assert proposal.left_out == proposal.n_records - kept, "as many are left out as were counted"
        check_released_elsewhere(elsewhere, tmp_path_factory.mktemp("saved"), file, now)


# --- the levels of a column whose values are not saved ----------------------------------------------------------------

LEVELS = st.sampled_from(
    [
        Hierarchy(), BY_HAND, BY_HAND.with_top(), intervals([10, 50]), intervals([10, 50]).with_top(),
        rare(["3", "5", "8"], [9, 5, 1], (2, 6)), codes(SYSTEMS["icd-10"]), dates(("month", "year")), masking(3),
        Hierarchy((ValueMap.of({"3": "few", "5": "few"}, otherwise="many"), *intervals([1000]).recodings)),
    ]
)  # fmt: skip
CELLS = st.lists(st.sampled_from([*ILLNESSES, "3", "5", "8", "12", "23", "95", "C34", "C50", "2024-01-03", None]))


@settings(max_examples=300)
@given(CELLS, LEVELS, st.booleans(), st.integers(0, 6), st.booleans(), st.booleans())
def test_each_level_is_a_step_that_is_saved_whole_and_does_what_was_counted(
    cells, levels, suggested, least, many, persons
):
    cells = cells * 60 if many else cells
    frame = pd.DataFrame({"age": ["40"] * len(cells), "s": cells}, dtype=object)
    roles = {"age": QI, "s": SENSITIVE}
    if persons:
        frame["id"], roles["id"] = [str(i // 2) for i in range(len(cells))], Role.PERSON_ID
    data = Dataset.from_frame(frame, roles=roles)
    counts = data.held.counts_of("s")
    try:
        levels.on([*counts.values, None])
    except Exception:  # levels that do not fit these values
        suggested = True
    found = bands(data, "s", suggested_hierarchy(counts.values, counts.records, "s") if suggested else levels, least)
    on = found.hierarchy.on([*counts.values, None])  # nested, and of every value
    before = len(counts.values)
    for level, step in enumerate(found.steps, start=1):
        assert is_saved_whole(step, data)
        (entry,) = Recipe().take([step], data).entries
        assert is_saved_whole(entry.step, data), "nor is a value kept knowingly"
        again = Recipe.from_json(Recipe.of([entry.step]).to_json())
        applied = again.apply(data)
        assert applied.why_not == ""
        of_value = dict(zip(counts.values.tolist(), on.label(level)[:-1].tolist(), strict=True)) | {None: None}
        assert sorted(map(str, column_of(applied.released, "s"))) == sorted(str(of_value[cell]) for cell in cells)
        labels = {*on.label(level)[:-1].tolist()} - {None}
        assert 1 < len(labels) <= before
        before = len(labels)


def test_a_list_of_values_is_no_level_of_a_column_whose_values_are_not_saved():
    """Illnesses in groups by hand: of a column that may be named they are levels, of a sensitive one they are not."""
    frame = pd.DataFrame({"age": ["40", "41"] * 30, "ill": (["flu"] * 9 + ["gout"]) * 6})
    for role, offered in ((Role.OTHER, True), (Role.SENSITIVE, False)):
        data = Dataset.from_frame(frame, roles={"age": QI, "ill": role})
        found = bands(data, "ill", Hierarchy((ValueMap.of({"flu": "a", "gout": "b"}),)))
        assert bool(found.steps) == offered


def test_bands_and_rare_values_are_one_step_that_names_no_value():
    """Bands, and values of fewer than 5 put together, which a list of values stated."""
    values = [str(100 + 7 * (i % 20)) for i in range(59)] + ["913"]
    data = Dataset.from_frame(
        pd.DataFrame({"age": ["40"] * 60, "value": values}), roles={"age": QI, "value": SENSITIVE}
    )
    found = bands(data, "value", intervals([50, 100]), 5)
    first, *banded = found.steps
    assert isinstance(first, MergeRare) and first.level is None and banded
    for step in banded:
        assert isinstance(step, MergeRare) and step.level is not None and step.n_named == 0
        assert "along its hierarchy" in step.describe()
    last = banded[-1]
    merged = last.labels(data)
    assert min(pd.Series(dict(zip(data.held.values("value"), merged, strict=True)))[values].value_counts()) >= 5
    assert any(" or " in label for label in merged), "the bands that the highest value joins, all named"


def test_who_is_left_out_does_not_depend_on_labels_that_are_not_saved():
    """What cells are worth decides who goes: of bands of a sensitive column it would have to name the labels."""
    rng = np.random.default_rng(3)
    values = rng.choice(["3", "5", "17", "23", "44", "95"], 120, p=[0.3, 0.3, 0.1, 0.1, 0.1, 0.1])
    ages = rng.choice(["30", "31", "46", "80"], 120, p=[0.4, 0.3, 0.2, 0.1])
    data = Dataset.from_frame(pd.DataFrame({"age": ages, "value": values}), roles={"age": QI, "value": SENSITIVE})
    criteria = (Combinations(1, 20, 0.05), RareValues(20), RecordsKept(0.5))
    adviser = Adviser(Asked(data, criteria, {"value": intervals([10, 50]), "age": Hierarchy()}))
    found = adviser.most_detail()
    assert isinstance(found, Proposal) and "value" in found.changes
    assert any(isinstance(step, LeaveOut) for step in found.steps)
    assert not [step for step in found.steps if isinstance(step, LeaveOut) and "value" in dict(step.worth)]
    released = found.taken(Recipe(), data).apply(data).released
    assert found.left_out == data.n_records - released.n_records


def test_a_step_that_was_saved_without_its_values_says_which_and_what_to_do():
    data = Dataset.from_frame(pd.DataFrame({"age": ["40"], "ill": ["flu"]}), roles={"age": QI, "ill": SENSITIVE})
    for step in (
        Recode("ill", ValueMap.of({"flu": "a"})),
        MergeRare("ill", 2, hierarchy=BY_HAND, level=BY_HAND.recodings[0]),
    ):
        emptied = step.without_named(data.may_be_named)
        assert not is_saved_whole(step, data)
        why_not = Recipe.of([emptied]).apply(data).why_not
        assert "ill" in why_not and "could not be applied" in why_not and "Take a proposal again" in why_not


# --- files that people know -------------------------------------------------------------------------------------------

ADMISSIONS = {
    "patient_name": "identifier", "medical_record_number": "person_id", "age": QI, "sex": QI, "zip": QI, "race": QI,
    "admission_date": QI, "department": QI, "length_of_stay": QI, "diagnosis": SENSITIVE, "insurance": SENSITIVE,
    "outcome": SENSITIVE,
}  # fmt: skip
HEART = {"age": QI, "sex": QI, "smoker": QI, "zip": QI, "chol": SENSITIVE, "bs": Role.OTHER, "hd": SENSITIVE}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "recipient"), [("heart", "public"), ("heart", "within"), ("admissions", "public")])
def test_what_is_offered_of_a_known_file_is_released_from_the_saved_project(
    name, recipient, elsewhere, tmp_path, shared_data
):
    """Of the admissions, words of outcome put together were a list of them, and the project made no file."""
    heart = name == "heart"
    path = shared_data("heart_cleveland.csv") if heart else SAMPLES / "admissions.csv"
    file = b"".join(path.read_bytes().splitlines(keepends=True)[:1001])
    aim = replace(Aim.for_recipient(recipient), droppable=() if heart else ("outcome",))
    project = Project(roles=HEART if heart else ADMISSIONS, aim=aim, seed=0x5F0C3A)
    opened = open_project(project, LoadedFile.of(file, "file.csv"))
    found = proposals(opened, [whole_columns, part_by_part] if heart else [whole_columns])
    assert found
    for proposal in found:
        check_released_elsewhere(elsewhere, tmp_path, file, taken(opened, proposal))
