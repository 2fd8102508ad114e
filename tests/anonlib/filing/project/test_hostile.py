"""Whatever a project's file holds is one sentence, said soon, and never a fault."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from contextlib import suppress
from functools import reduce
from operator import getitem
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anonlib.basics.errors import InputError
from anonlib.filing.project import Project, bounds, differences
from anonlib.release.recipe import Recipe
from anonlib.release.steps import LeaveOut
from anonlib.verdict.criteria import Case, judge
from tests.helpers.errors import refused
from tests.helpers.examples import settings
from tests.helpers.projects import EVERY_PART, projects
from tests.helpers.small_release import small

DOCUMENT: dict[str, Any] = json.loads(EVERY_PART.to_json())
TABLE = ("tables", 0)
"""The way to its one table."""
NOT_NEEDED = {"anonscope", "case", "threshold", "file", "population", "areas", "orders", "variants", "pseudonyms"}
"""What a good document may lack."""
AWKWARD: list[Any] = [
    None, True, False, 0, -1, 0.5, 10**15, 1e300, 10**400, "", "x", "\ud800", "9" * 500, [], [[]], {}, {"x": 1},
    [{"x": []}], ["a", "a"], [None], {"": None},
]  # fmt: skip


def places(value: Any, path: tuple = ()) -> Iterator[tuple]:
    """The way to every part of a document."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in items:
        yield from places(below, (*path, key))


PLACES = list(places(DOCUMENT))


def with_part(path: tuple, part: Any) -> Any:
    if not path:
        return part
    document = copy.deepcopy(DOCUMENT)
    reduce(getitem, path[:-1], document)[path[-1]] = part
    return document


def without_part(path: tuple) -> Any:
    document = copy.deepcopy(DOCUMENT)
    del reduce(getitem, path[:-1], document)[path[-1]]
    return document


def read_or_refused(text: str | bytes) -> None:
    """One sentence, or a project that can be saved and looked at like any other."""
    try:
        project = Project.from_json(text)
    except InputError as error:
        sentence = str(error)
        assert sentence.endswith((".", "?")) and "\n" not in sentence and len(sentence) < 1500, sentence
        return
    assert Project.from_json(project.to_json()) == project.as_saved
    assert all(criterion.describe() and criterion.title for criterion in project.aim.criteria)
    assert all(entry.step.describe() for entry in project.recipe.entries)
    used_or_refused(project)


def used_or_refused(project: Project) -> None:
    """It is used on a file of people, its hierarchies on their values, its criteria on its release."""
    data = small()
    with suppress(InputError):
        assert differences(project, data).sentences is not None
        applied = project.recipe.apply(data.with_roles(project.on(data.columns).roles))
        case = Case(applied, project.recipe, None, project.aim.harmless_by_column, project.aim.earlier)
        assert judge(case, project.aim.criteria, recipient=project.aim.of.name, accepted=project.aim.accepted).says
    for column, hierarchy in project.hierarchies.items():
        if column in data.columns:
            with suppress(InputError):
                hierarchy.on(data.records[column].cat.categories, column)


def test_the_document_that_is_damaged_here_is_a_good_one() -> None:
    assert Project.from_json(json.dumps(DOCUMENT)) == EVERY_PART


@pytest.mark.parametrize("awkward", AWKWARD, ids=lambda value: repr(value)[:20])
def test_any_part_of_another_kind(awkward: Any) -> None:
    for path in PLACES:
        read_or_refused(json.dumps(with_part(path, awkward)))


def test_any_part_left_out() -> None:
    for path in PLACES[1:]:
        read_or_refused(json.dumps(without_part(path)))
    for path in [*((name,) for name in DOCUMENT), *((*TABLE, name) for name in DOCUMENT["tables"][0])]:
        if path[-1] not in NOT_NEEDED:
            with pytest.raises(InputError):
                Project.from_json(json.dumps(without_part(path)))


@settings(200)
@given(st.binary(max_size=60) | st.text(max_size=60))
def test_any_text(text: str | bytes) -> None:
    with pytest.raises(InputError, match=r"no project|it has a number that is none"):
        Project.from_json(text)


@settings(200)
@given(projects(), st.data())
def test_any_text_that_was_cut_or_changed(project: Project, data: st.DataObject) -> None:
    text = project.to_json()
    place = data.draw(st.integers(0, len(text) - 1))
    more = data.draw(st.sampled_from(['"', "}", "]", "9", "\\", "1e999", "\x00"]))
    read_or_refused(text[:place])
    read_or_refused(text[:place] + more + text[place:])


LARGE = {
    "a hierarchy of a million labels": (
        (*TABLE, "hierarchies", "age"), [{"kind": "mapping", "labels_of": [[str(i), "x"] for i in range(1_000_000)]}],
    ),
    "a step with a million values": ((*TABLE, "recipe", 0, "kept"), [str(i) for i in range(1_000_001)]),
    "a hundred thousand columns": ((*TABLE, "roles"), {f"c{i}": "other" for i in range(100_000)}),
    "a hundred thousand columns of the file": ((*TABLE, "file", "columns"), [f"c{i}" for i in range(100_000)]),
    "an order of a million values": ((*TABLE, "orders", "age", "by_hand"), [str(i) for i in range(1_000_000)]),
    "a hundred thousand levels": ((*TABLE, "hierarchies", "age"), [{"kind": "mask", "keep": 1}] * 100_000),
    "a hundred thousand steps": ((*TABLE, "recipe"), [{"kind": "suppress", "k": 2}] * 100_000),
    "a thousand criteria": (("aim", "criteria"), [{"kind": "smallest_class", "k": i + 1} for i in range(1000)]),
    "a thousand earlier releases": ((*TABLE, "earlier_releases"), DOCUMENT["tables"][0]["earlier_releases"] * 1000),
    "a hundred versions": ((*TABLE, "variants"), [{"name": f"Version {i}", "recipe": []} for i in range(100)]),
    "a long seed": (("keep_inside", "seed"), "f" * 10_000),
}  # fmt: skip


@pytest.mark.parametrize("what", LARGE)
def test_too_much_of_something(what: str) -> None:
    with pytest.raises(InputError):
        Project.from_json(json.dumps(with_part(*LARGE[what])))


def test_bounds_come_before_anything_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("a part was read")

    monkeypatch.setattr("anonlib.filing.project.parts.hierarchies", never)
    monkeypatch.setattr("anonlib.filing.project.parts.recipe", never)
    with refused("project-too-large"):
        Project.from_json(json.dumps(with_part(*LARGE["a hierarchy of a million labels"])))
    monkeypatch.setattr(json, "loads", never)
    with pytest.raises(InputError, match="larger than 50 MB"):
        Project.from_json("[" * (bounds.MOST_BYTES + 1))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[" * 100_000, "no valid JSON"),
        ('{"format": ' + "[" * 400 + "]" * 400 + "}", "nested more deeply"),
        ('{"a": ' + "9" * 5000 + "}", "no valid JSON"),
        ('{"a": 1e999}', "number beyond"),
        ('{"a": -1e16}', "number beyond"),
        ('{"a": NaN}', "a number that is none"),
        ('{"a": Infinity}', "a number that is none"),
        ('{"a": "\\ud800"}', "characters that cannot be written"),
        ('{"\\udfff": 1}', "characters that cannot be written"),
        ('{"roles": {"age": "other", "age": "sensitive"}}', "named twice"),
        ("[]", "no project"),
        ('{"format": "anonscope-recipe", "version": 1}', "no project"),
        (Recipe.of([LeaveOut(2)]).to_json(), "no project"),
        ('{"format": "anonscope-project", "version": "1"}', "whole number"),
        ('{"format": "anonscope-project", "version": true}', "whole number"),
        (b"\xff\xfe\x00", "no valid JSON"),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_each_has_a_sentence_of_its_own(text: str | bytes, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        Project.from_json(text)


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ((*TABLE, "roles", "age"), ["x"]),
        ((*TABLE, "missing"), ["drop"]),
        (("k",), 0),
        (("threshold",), 2),
        ((*TABLE, "file", "sha256"), "d" * 63),
        ((*TABLE, "file", "columns"), ["age", "age"]),
        ((*TABLE, "file", "read", "skip_rows"), -1),
        ((*TABLE, "file", "read", "encoding"), "x" * 101),
        ((*TABLE, "file", "missing_marks_of_columns"), [["age"]]),
        (("aim", "criteria", 0, "source"), 5),
        (("aim", "accepted"), [{"criterion": {"kind": "smallest_class"}}]),
        ((*TABLE, "recipe", 0, "recoding", "width"), -1),
        ((*TABLE, "earlier_releases", 0, "sha256"), "x"),
        ((*TABLE, "variants", 0, "name"), " "),
        ((*TABLE, "variants", 0, "name"), "x" * 41),
        ((*TABLE, "variants"), DOCUMENT["tables"][0]["variants"] * 2),
        ((*TABLE, "variants", 0, "recipe"), None),
        (("keep_inside", "seed"), "no hex"),
    ],
)
def test_a_part_of_the_wrong_kind_is_refused(path: tuple, part: Any) -> None:
    with pytest.raises(InputError):
        Project.from_json(json.dumps(with_part(path, part)))


def test_a_name_that_is_a_path_is_a_name_again() -> None:
    document = with_part((*TABLE, "file", "name"), "../../secret/‮visits.csv")
    read = Project.from_json(json.dumps(document))
    assert read.file is not None and read.file.name == "visits.csv"
