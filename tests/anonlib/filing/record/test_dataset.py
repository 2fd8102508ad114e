"""Who may have the data, until when, and how it is called in the words of the catalogue."""

from __future__ import annotations

from dataclasses import replace

import pytest

from anonlib.filing.case import ReleaseCase
from anonlib.verdict.criteria import Aim
from anonlib.verdict.criteria.recipients import RECIPIENTS
from tests.anonlib.filing.record.made import FULL, evidence_of, node_of
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
