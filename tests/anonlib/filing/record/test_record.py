"""The record of a released data set: nobody is in it, and a catalogue can read it."""

from __future__ import annotations

import io
import json
import re
import zipfile
from dataclasses import replace

import ibis
import pandas as pd
import pyshacl
import pytest
import rdflib
from hypothesis import given

from anonlib.coarsening.recoding import Intervals, Mask, ValueMap
from anonlib.columns.roles import Role
from anonlib.dataset import Dataset
from anonlib.filing.case import ITEMS, ReleaseCase
from anonlib.filing.evidence import gather, released_file
from anonlib.filing.project import Opened
from anonlib.filing.record import record_files, record_zip, what_lacks
from anonlib.release.recipe import Recipe
from anonlib.release.steps import LeaveOut, Recode
from anonlib.verdict.criteria import Aim
from tests.anonlib.filing.record.made import (
    CSVW,
    CV,
    DCAT,
    DCATAP,
    DCT,
    FULL,
    HEALTH,
    NOT_FOR_ALL,
    ON,
    SHACL,
    VCARD,
    admissions,
    evidence_of,
    graph_of,
    node_of,
    released_rows,
    rows_of,
    shares,
)
from tests.helpers.evidence import SECRETS, on_a_file, opened, visits
from tests.helpers.examples import settings
from tests.helpers.hostile import HOSTILE, hostile_file

NAMES = {"dataset.jsonld", "dictionary.json", "dictionary.csv", "sample.csv", "README.txt"}
ASKED_IN_VAIN = {
    ("Dataset", "http://purl.org/dc/terms/spatial"),
    ("Dataset", "http://purl.org/dc/terms/temporal"),
    ("Agent", "http://purl.org/dc/terms/type"),
    ("Distribution", "http://purl.org/dc/terms/license"),
    ("Distribution", "http://data.europa.eu/r5r/availability"),
}
"""What DCAT-AP recommends and nothing here says."""


def check_no_rare_value(project: Opened, files: dict[str, bytes], person: str = "") -> None:
    """Every value that a file lists is one that enough rows (persons) of the CSV share, counted by plain code."""
    least, rows = max(2, evidence_of(project).k), released_rows(project)
    counted = {name: shares(rows, name, person) for name in (rows[0] if rows else ())}
    for row in rows_of(files["dictionary.csv"]):
        if row["value"]:
            assert counted[row["column"]][row["value"]] >= least
        if row["label"].startswith("an empty cell"):
            assert counted[row["column"]][""] >= least
    for row in rows_of(files["sample.csv"]):
        for name, value in row.items():
            assert name == person or value in ("", "text") or counted[name][value] >= least


def check_no_row_of(files: dict[str, bytes], rows: list[dict[str, str]], person: str = "") -> None:
    """No row of the mock-up is one of these, as far as they have its columns; by looking at every pair."""
    for made in rows_of(files["sample.csv"]):
        for row in rows:
            assert any(row.get(name, "") != value for name, value in made.items() if name != person)


def test_admissions_are_counted_as_the_csv_that_leaves_has_them() -> None:
    project, person = admissions(), "medical_record_number"
    files = record_files(project, evidence_of(project))
    rows, graph = released_rows(project), graph_of(files)
    (described,) = graph.subjects(rdflib.RDF.type, DCAT.Dataset)
    ages = [int(end) for row in rows for end in row["age"].split("-")]
    for name, number in (
        (HEALTH.numberOfRecords, len(rows)), (HEALTH.numberOfUniqueIndividuals, len({row[person] for row in rows})),
        (HEALTH.minTypicalAge, min(ages)), (HEALTH.maxTypicalAge, max(ages)),
    ):  # fmt: skip
        assert int(graph.value(described, name)) == number, name
    assert str(graph.value(described, HEALTH.hasCodingSystem)).endswith("/coding-system/ICD-10")
    check_no_rare_value(project, files, person)
    listed = {(row["column"], row["value"]) for row in rows_of(files["dictionary.csv"])}
    for name in rows[0]:
        enough = {value for value, number in shares(rows, name, person).items() if number >= 5 and value}
        assert {value for column, value in listed if column == name and value} == (set() if name == person else enough)


def test_no_row_of_the_mock_up_is_one_of_the_release() -> None:
    project, person = admissions(), "medical_record_number"
    files = record_files(project, evidence_of(project))
    assert [row[person] for row in rows_of(files["sample.csv"])] == [str(i) for i in range(1, 21)]
    check_no_row_of(files, released_rows(project), person)


@settings(60)
@given(on_a_file())
def test_no_record_of_a_file_tells_of_few(project: Opened) -> None:
    evidence = evidence_of(project)
    files = record_files(project, evidence)
    assert len(list(graph_of(files).subjects(rdflib.RDF.type, DCAT.Dataset))) == 1
    if evidence.released is None:
        assert not rows_of(files["sample.csv"])
        assert not any(row["value"] for row in rows_of(files["dictionary.csv"]))
        return
    check_no_rare_value(project, files)
    check_no_row_of(files, released_rows(project))


def test_what_identifies_and_what_few_have_is_in_no_file() -> None:
    frame = visits(400, secrets=True)
    frame.loc[:2, "illness"] = "bandicoot"  # three have it
    frame.loc[5, "zip"] = "99999"
    frame.loc[6, "note"] = "bilby"
    project = opened(frame, Recode("age", Intervals(20)))
    for case in (FULL, ReleaseCase()):
        files = record_files(project, evidence_of(project, case))
        for name, data in files.items():
            for hidden in (SECRETS[0], "bandicoot", "99999", "bilby", "noted 0", *NOT_FOR_ALL):
                assert hidden not in data.decode(), name
    assert "wombat a" in files["dictionary.csv"].decode(), "many have it"


@pytest.mark.parametrize("recipient", ["public", "contract", "own"])
def test_the_record_conforms_to_dcat_ap(recipient: str, shared_data) -> None:
    project = admissions(recipient)
    graph = graph_of(record_files(project, evidence_of(project)))
    for name in ("shapes.ttl", "range.ttl"):
        assert _complaints(graph, shared_data("dcat_ap") / name) == set()
    assert _complaints(graph, shared_data("dcat_ap") / "shapes_recommended.ttl") == ASKED_IN_VAIN


def _complaints(graph: rdflib.Graph, shapes) -> set[tuple[str, str]]:
    _, found, _ = pyshacl.validate(graph, shacl_graph=rdflib.Graph().parse(shapes))
    results = found.subjects(rdflib.RDF.type, SHACL.ValidationResult)
    pairs = [(found.value(each, SHACL.focusNode), found.value(each, SHACL.resultPath)) for each in results]
    return {(re.split("[#/]", str(graph.value(node, rdflib.RDF.type)))[-1], str(path)) for node, path in pairs}


@pytest.mark.parametrize("recipient", ["public", "contract", "own"])
def test_the_record_has_what_healthdcat_ap_requires(recipient: str) -> None:
    """By its release 8; the type of a data set that is not public is the one thing that nothing here says."""
    project = admissions(recipient)
    graph = graph_of(record_files(project, evidence_of(project)))
    (data,) = graph.subjects(rdflib.RDF.type, DCAT.Dataset)
    once = [DCT.accessRights, DCT.identifier, DCT.title, DCT.description, DCAT.theme, DCATAP.applicableLegislation]
    for name in (*once, HEALTH.hdab, HEALTH.healthCategory, HEALTH.hasStructuredData, HEALTH.hasVariables):
        assert len(list(graph.objects(data, name))) == 1, name
    for name in (DCT.publisher, HEALTH.hdab, rdflib.URIRef("http://data.europa.eu/930/custodian")):
        (point,) = graph.objects(graph.value(data, name), CV.contactPoint)
        assert isinstance(graph.value(point, CV.email), rdflib.Literal)
    for category in graph.objects(data, HEALTH.healthCategory):
        assert isinstance(category, rdflib.URIRef)
    for name in (DCAT.contactPoint, DCAT.keyword, DCT.provenance, DCAT.distribution):
        assert list(graph.objects(data, name)), name
    for one in graph.subjects(rdflib.RDF.type, DCAT.Distribution):
        assert graph.value(one, DCATAP.applicableLegislation) and graph.value(one, DCAT.accessURL)
    table = graph.value(graph.value(data, HEALTH.hasVariables), CSVW.table)
    columns = list(graph.objects(table, CSVW.column))
    assert len(columns) == len(project.applied.released.columns)
    for column in columns:
        for name in (CSVW.name, CSVW.title, CSVW.datatype, DCT.description):
            assert len(list(graph.objects(column, name))) == 1
    lacks = what_lacks(project, evidence_of(project))
    required = [each for each in lacks if " is required: " in each]
    assert [each.partition(" (")[0] for each in required] == (["Type of the data set"] if recipient == "own" else [])


HOSTILE_TEXT = '"}]<script>\\u0022 @id ZQX' + "".join(HOSTILE)[:150]


def test_hostile_texts_stay_texts(shared_data) -> None:
    case = ReleaseCase(
        **{item.name: "2031-01-01" if item.kind == "date" else HOSTILE_TEXT for item in ITEMS}
        | {"contact": f'{HOSTILE_TEXT} javascript:alert(1) a@b.example <https://h.example/a>b"c'}
    )
    frame = pd.read_csv(io.BytesIO(hostile_file()), dtype=str).rename(columns={"age": '=1+1,"x"\n'})
    names = list(frame.columns)
    roles = dict.fromkeys(names, Role.OTHER) | {names[0]: Role.QUASI_IDENTIFIER, names[1]: Role.SENSITIVE}
    project = opened(frame, roles=roles, k=2, aim=Aim.for_recipient("own"))
    files = record_files(project, evidence_of(project, case))
    graph = graph_of(files)
    (data,) = graph.subjects(rdflib.RDF.type, DCAT.Dataset)
    assert [str(each) for each in graph.objects(data, DCT.title)] == [case.title]
    assert {str(each) for each in graph.objects(None, CSVW.name)} == {*rows_of(released_file(project))[0]}
    assert str(next(graph.objects(None, VCARD.hasEmail))) == "mailto:a@b.example"
    for triple in graph:
        assert not any("javascript" in str(each) for each in triple if isinstance(each, rdflib.URIRef))
    check_no_rare_value(project, files)
    for name in ("dictionary.csv", "sample.csv"):
        for row in rows_of(files[name]):
            assert not any(cell.startswith(("=", "+", "-", "@", "\t")) for cell in [*row, *row.values()])
    columns = json.loads(files["dictionary.json"])["tableSchema"]["columns"]
    assert [column["titles"][0] for column in columns] == list(rows_of(files["sample.csv"])[0])
    assert all(column["name"].replace("%", "").replace("_", "").isalnum() for column in columns)
    assert _complaints(graph, shared_data("dcat_ap") / "shapes.ttl") == set()


def test_a_release_that_cannot_leave_shows_no_value() -> None:
    project = opened(visits(60), Recode("zip", ValueMap.of({"02138": "north"})))
    evidence = evidence_of(project)
    assert evidence.released is None
    files = record_files(project, evidence)
    assert rows_of(files["sample.csv"]) == []
    assert not any(row["value"] for row in rows_of(files["dictionary.csv"]))
    assert any("Distribution (dcat:distribution) is required" in each for each in what_lacks(project, evidence))
    assert "urn:sha256" not in files["dataset.jsonld"].decode()


def test_the_same_evidence_gives_the_same_bytes_dated_by_it() -> None:
    project, again = opened(visits(60)), opened(visits(60))
    first = record_zip(project, evidence_of(project))
    assert first == record_zip(again, evidence_of(again))
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        assert set(archive.namelist()) == NAMES
        assert {each.date_time for each in archive.infolist()} == {(2026, 11, 22, 0, 0, 0)}
        assert archive.testzip() is None
        assert {name: archive.read(name) for name in NAMES} == record_files(project, evidence_of(project))
        assert len(archive.read("README.txt").decode().splitlines()) == 3
    old = replace(evidence_of(project), made_on="1969-07-20")
    assert zipfile.ZipFile(io.BytesIO(record_zip(project, old))).infolist()[0].date_time[0] == 1980


def test_the_seed_of_the_project_draws_nothing_of_the_record() -> None:
    one, other = (record_files(each, evidence_of(each)) for each in (opened(visits(80), seed=i) for i in (7, 8)))
    for name in NAMES - {"dataset.jsonld"}:  # which has the digest of the CSV
        assert one[name] == other[name], name


@pytest.mark.parametrize("left_out", [0, 2, 9])
def test_the_numbers_of_the_release_are_there_however_many_were_left_out(left_out: int) -> None:
    """That they are not there would say that few were."""
    frame = pd.DataFrame({"sex": ["f", "m"] * 50 + ["x"] * left_out, "illness": ["a"] * (100 + left_out)})
    project = opened(frame, LeaveOut(10), roles={"sex": Role.QUASI_IDENTIFIER, "illness": Role.SENSITIVE})
    node = node_of(project)
    assert node["healthdcatap:numberOfRecords"]["@value"] == "100"
    assert node["dcat:distribution"]["dcat:byteSize"]["@value"] == str(len(released_file(project)))
    assert "A table of 100 records" in node["dct:description"]


def test_records_in_an_engine_give_the_same_files() -> None:
    frame = visits(120).replace("", None)
    recipe = Recipe.of([Recode("age", Intervals(20)), Recode("zip", Mask(3))])
    base, found = opened(visits(120)), []
    for make in (Dataset.from_frame, lambda rows, **more: Dataset.from_ibis(ibis.memtable(rows), **more)):
        data = make(frame, roles=dict(base.project.roles))
        project = Opened(replace(base.project, recipe=recipe), data, recipe.apply(data))
        evidence = replace(gather(project, parts=(), on=ON), case=FULL)
        found.append(record_files(project, evidence))
    in_memory, in_engine = found
    assert rows_of(in_memory["sample.csv"])
    for name in NAMES - {"dataset.jsonld"}:  # which names the digest of the CSV, whose rows have another order
        assert in_memory[name] == in_engine[name], name


def test_nothing_is_fetched_to_read_it() -> None:
    assert all(isinstance(each, str) for each in node_of(opened(visits(60)))["@context"].values())
