"""What the guides of DCAT-AP and HealthDCAT-AP ask for and a record lacks, in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from anonlib.filing.case import BY_NAME
from anonlib.filing.record.agents import Node
from anonlib.filing.record.categories import CATEGORIES, categories_in
from anonlib.filing.record.dataset import NON_PUBLIC, OnRecord

_BY_HAND = "no field of the case gives it; add it in the catalogue"
_NO_FILE = "make a release that can leave"
_ADDRESS = "write an e-mail address or a web page that begins with https:// into “{}” of the case"


@dataclass(frozen=True)
class Asked:
    """A property that a guide asks for.

    Attributes
    ----------
    name : str
        What it is called.
    path : tuple[str, ...]
        The property, and where it is of something that the data set names, how to get there.
    need : Literal["required", "not public", "recommended"]
        How much it is asked for: always, of data that are not public, or recommended.
    fill : str
        The field of the case that gives it, or how else to come by it.
    """

    name: str
    path: tuple[str, ...]
    need: Literal["required", "not public", "recommended"]
    fill: str


ASKED: tuple[Asked, ...] = (
    Asked("Title", ("dct:title",), "required", "title"),
    Asked("Identifier", ("dct:identifier",), "required", _NO_FILE),
    Asked("Health data access body", ("healthdcatap:hdab",), "required", "access_body"),
    Asked(
        "Contact of the health data access body", ("healthdcatap:hdab", "cv:contactPoint"), "required",
        _ADDRESS.format(BY_NAME["access_body"].label),
    ),
    Asked("Category of health data", ("healthdcatap:healthCategory", "@id"), "required", "category"),
    Asked("Structured data", ("healthdcatap:hasVariables",), "required", "let a column leave"),
    Asked("Distribution", ("dcat:distribution",), "required", _NO_FILE),
    Asked(
        "Where the release is asked for", ("dcat:distribution", "dcat:accessURL"), "required",
        _ADDRESS.format(BY_NAME["contact"].label),
    ),
    Asked("Contact point", ("dcat:contactPoint",), "not public", "contact"),
    Asked("Keyword", ("dcat:keyword",), "not public", "category"),
    Asked("Provenance", ("dct:provenance",), "not public", "provenance"),
    Asked("Type of the data set", ("dct:type",), "not public", _BY_HAND),
    Asked("Publisher", ("dct:publisher",), "recommended", "publisher"),
    Asked(
        "Contact of the publisher", ("dct:publisher", "cv:contactPoint"), "recommended",
        _ADDRESS.format(BY_NAME["contact"].label),
    ),
    Asked("Type of the publisher", ("dct:publisher", "dct:type"), "recommended", _BY_HAND),
    Asked("Purpose", ("dpv:hasPurpose",), "recommended", "purpose"),
    Asked("Legal basis", ("dpv:hasLegalBasis",), "recommended", "legal_basis"),
    Asked("Population coverage", ("healthdcatap:populationCoverage",), "recommended", "subjects"),
    Asked("Retention period", ("healthdcatap:retentionPeriod",), "recommended", "until"),
    Asked("Number of records", ("healthdcatap:numberOfRecords",), "recommended", "records"),
    Asked("Number of unique individuals", ("healthdcatap:numberOfUniqueIndividuals",), "recommended", "persons"),
    Asked("Lowest typical age", ("healthdcatap:minTypicalAge",), "recommended", "ages"),
    Asked("Highest typical age", ("healthdcatap:maxTypicalAge",), "recommended", "ages"),
    Asked("Coding system", ("healthdcatap:hasCodingSystem",), "recommended", "codes"),
    Asked("Code values", ("healthdcatap:hasCodeValues",), "recommended", "codes"),
    Asked("Sample", ("adms:sample",), "recommended", "sample"),
    Asked("Personal data", ("dpv:hasPersonalData",), "recommended", "personal"),
    Asked("Health theme", ("healthdcatap:healthTheme",), "recommended", _BY_HAND),
    Asked("Analytics", ("healthdcatap:analytics",), "recommended", _BY_HAND),
    Asked("Quality annotation", ("dqv:hasQualityAnnotation",), "recommended", _BY_HAND),
    Asked("Geographical coverage", ("dct:spatial",), "recommended", _BY_HAND),
    Asked("Temporal coverage", ("dct:temporal",), "recommended", _BY_HAND),
    Asked("Licence of the release", ("dcat:distribution", "dct:license"), "recommended", _BY_HAND),
    Asked("Availability of the release", ("dcat:distribution", "dcatap:availability"), "recommended", _BY_HAND),
)  # fmt: skip
"""All that the two guides require or recommend and that a record may lack; what is always there is not listed."""


def lacking(release: OnRecord, found: Node) -> tuple[str, ...]:
    """What the guides ask for and a record lacks, one sentence each, what is required first.

    Parameters
    ----------
    release : OnRecord
        What the record is made of.
    found : Node
        The data set as the record describes it.
    """
    sentences: dict[str, list[str]] = {"required": [], "recommended": []}
    for asked in ASKED:
        of_what = asked.path[:-1]
        if of_what and not _has(found, of_what) and asked.path[-1] != "@id":
            continue  # what it would be of lacks, and that is what the sentence before says
        if not _has(found, asked.path):
            need = "recommended" if asked.need == "recommended" else "required"
            if asked.need == "not public" and release.access != NON_PUBLIC:
                need = "recommended"
            sentences[need].append(
                f"{asked.name} ({asked.path[-1] if asked.path[-1] != '@id' else asked.path[0]}) is {need}: "
                f"{_how(asked, release)}."
            )
    return (*sentences["required"], *sentences["recommended"])


def _has(found: Node, path: tuple[str, ...]) -> bool:
    nodes: list[Node] = [found]
    for name in path[:-1]:
        nodes = [each for node in nodes for each in _each(node.get(name)) if isinstance(each, dict)]
    return any(path[-1] in node for node in nodes)


def _each(value: object) -> Iterator[object]:
    if isinstance(value, list):
        yield from value
    elif value is not None:
        yield value


def _how(asked: Asked, release: OnRecord) -> str:
    """How to come by a property."""
    if asked.fill in BY_NAME:
        return _field(asked, release)
    match asked.fill:
        case "persons" if release.evidence.released is not None:
            return "rows are not tied to persons; give a column the role “Person id” where one says whose a row is"
        case "records" | "persons":
            return _NO_FILE
        case "ages":
            return (
                "it needs one column of ages in years, with an end among the values that at least "
                f"{release.so_many} share"
            )
        case "codes":
            return "no column that leaves is recognised as codes of a system that the list of the platform has"
        case "sample":
            return (
                f"no row could be drawn of values that at least {release.so_many} share, or each that was is one of "
                "the release"
            )
        case "personal":
            return "whether an anonymised release has any is a question of law; where it has, add it in the catalogue"
    return asked.fill


def _field(asked: Asked, release: OnRecord) -> str:
    """The field of the case that gives a property, and what it lacks where it is filled in."""
    label = BY_NAME[asked.fill].label
    text = getattr(release.evidence.case, asked.fill)
    if asked.fill == "category" and text and not categories_in(text):
        return f"“{label}” of the case names none of the law, such as “{CATEGORIES[0].title}” or “Art. 51(1)(a)”"
    return f"fill in “{label}” of the case"
