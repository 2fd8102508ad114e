"""How a release is called in the words of the catalogue, and what its record lacks, once each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from anonlib.filing.case import ITEMS, ReleaseCase
from anonlib.filing.record import what_lacks
from anonlib.filing.record.dataset import PROPERTIES
from anonlib.verdict.criteria import Aim
from anonlib.verdict.criteria.recipients import RECIPIENTS
from tests.anonlib.filing.record.made import FULL, admissions, evidence_of, node_of
from tests.helpers.evidence import opened, visits


@pytest.mark.parametrize("recipient", [each.key for each in RECIPIENTS])
def test_only_a_public_release_is_public(recipient: str) -> None:
    found = node_of(opened(visits(40), aim=Aim.for_recipient(recipient)))["dct:accessRights"]["@id"]
    expected = {"public": "PUBLIC", "contract": "RESTRICTED"}.get(recipient, "NON_PUBLIC")
    assert found == f"http://publications.europa.eu/resource/authority/access-right/{expected}"


def test_the_release_is_named_by_its_digest() -> None:
    project = opened(visits(40))
    evidence = evidence_of(project)
    found = node_of(project)
    assert found["dct:identifier"] == found["@id"] == f"urn:sha256:{evidence.released.sha256}"
    release = found["dcat:distribution"]
    assert release["spdx:checksum"]["spdx:checksumValue"]["@value"] == evidence.released.sha256
    assert release["dcat:byteSize"]["@value"] == str(evidence.released.bytes)
    assert release["dcat:accessURL"]["@id"] == "https://hospital.example/data"
    assert found["dct:issued"]["@value"] == "2026-11-22"


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        (ReleaseCase(), None),
        (ReleaseCase(until="2031-12-31"), {"dcat:startDate": "2026-11-22", "dcat:endDate": "2031-12-31"}),
        (ReleaseCase(until="2020-12-31"), {"dcat:endDate": "2020-12-31"}),
        (ReleaseCase(retention="Ten years."), {"dct:description": "Ten years."}),
    ],
)
def test_the_retention_is_what_the_case_says(case: ReleaseCase, expected: dict[str, str] | None) -> None:
    found = node_of(opened(visits(40)), case).get("healthdcatap:retentionPeriod")
    if found is not None:
        assert found.pop("@type") == "dct:PeriodOfTime"
        found = {name: value["@value"] if isinstance(value, dict) else value for name, value in found.items()}
    assert found == expected


def test_whose_data_these_are_stands_before_what_is_counted() -> None:
    project = opened(visits(40))
    assert node_of(project)["dct:description"].startswith(f"{FULL.subjects}\n\nA table of 40 records and 5 columns.")
    alone = node_of(project, replace(FULL, subjects=""))["dct:description"]
    assert alone["@language"] == "en" and alone["@value"].startswith("A table of 40 records")


def test_the_access_body_is_reached_where_its_line_says_so() -> None:
    project = opened(visits(40))
    body = node_of(project)["healthdcatap:hdab"]
    assert body["foaf:name"] == "The health data access body"
    assert body["cv:contactPoint"]["cv:email"] == "access@body.example"
    body = node_of(project, replace(FULL, access_body="a@b.example"))["healthdcatap:hdab"]
    assert body["foaf:name"] == "a@b.example"


FIELDS = (
    "title", "purpose", "legal_basis", "subjects", "publisher", "contact", "access_body", "category", "provenance",
)  # fmt: skip


def terms(sentences: tuple[str, ...]) -> set[str]:
    return {sentence.partition("(")[2].partition(")")[0] for sentence in sentences}


@pytest.mark.parametrize("recipient", ["public", "contract", "own"])
@pytest.mark.parametrize("case", [FULL, ReleaseCase(), replace(FULL, contact="Room 7", access_body="The body")])
def test_every_property_is_there_or_is_called_lacking(recipient: str, case: ReleaseCase) -> None:
    project = admissions(recipient)
    evidence = evidence_of(project, case)
    found, lacks = node_of(project, case), what_lacks(project, evidence)
    assert len(lacks) == len(set(lacks))
    assert terms(lacks) <= {name for asked in PROPERTIES for name in asked.path}
    for asked in PROPERTIES:
        if len(asked.path) == 1:
            assert (asked.path[0] in found) != (asked.path[0] in {*terms(lacks)}), asked.name
    needs = [" is required: " in each for each in lacks]
    assert needs == sorted(needs, reverse=True)


@pytest.mark.parametrize("field", FIELDS)
def test_each_field_that_is_not_filled_in_is_missed(field: str) -> None:
    project = opened(visits(80))
    full = what_lacks(project, evidence_of(project))
    without = what_lacks(project, evidence_of(project, replace(FULL, **{field: ""})))
    label = next(item.label for item in ITEMS if item.name == field)
    assert any(f"“{label}” of the case." in each for each in set(without) - set(full))
    if field == "title":
        assert without[0] == "Title (dct:title) is required: fill in “Title” of the case."


def test_what_is_filled_in_but_says_nothing_to_a_catalogue_is_named() -> None:
    project = opened(visits(80))
    case = replace(FULL, category="something", access_body="The body", contact="Room 7")
    lacks = "\n".join(what_lacks(project, evidence_of(project, case)))
    assert "names none of the law" in lacks
    assert lacks.count("write an e-mail address or a web page") == 3
    assert node_of(project, case)["healthdcatap:healthCategory"][0]["skos:prefLabel"] == "something"


def test_what_needs_persons_says_so() -> None:
    project = opened(visits(80))
    lacks = what_lacks(project, evidence_of(project))
    assert any("numberOfUniqueIndividuals) is recommended: rows are not tied to persons" in each for each in lacks)
    assert "healthdcatap:numberOfRecords" not in terms(lacks)
