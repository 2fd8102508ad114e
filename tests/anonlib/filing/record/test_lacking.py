"""What a record lacks is named once each, and only what it lacks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from anonlib.filing.case import ITEMS, ReleaseCase
from anonlib.filing.record import what_lacks
from anonlib.filing.record.lacking import ASKED
from tests.anonlib.filing.record.made import FULL, admissions, evidence_of, node_of
from tests.helpers.evidence import opened, visits

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
    assert terms(lacks) <= {name for asked in ASKED for name in asked.path}
    for asked in ASKED:
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
