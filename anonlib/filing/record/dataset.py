"""A released data set in the words of DCAT-AP and HealthDCAT-AP, and what their guides ask for and the record lacks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from anonlib.basics import words
from anonlib.filing.case import BY_NAME
from anonlib.filing.evidence import Evidence
from anonlib.filing.project import Opened
from anonlib.filing.record import vocabulary
from anonlib.filing.record.columns import (
    ListedColumn,
    code_systems,
    code_values,
    contents,
    least_shared,
    listed_columns,
    typical_ages,
)
from anonlib.filing.record.dictionary import SAMPLE, DictionaryEntry, Row, entries_of, mock_up
from anonlib.filing.record.vocabulary import CATEGORIES, Contact, Node, agent, categories_in

PUBLIC, RESTRICTED, NON_PUBLIC = "PUBLIC", "RESTRICTED", "NON_PUBLIC"
_ACCESS = {"public": PUBLIC, "contract": RESTRICTED}
"""By the recipient, the access right of the EU's list; of all others it is not public."""
_LEGISLATION = {"@id": vocabulary.EHDS, "@type": "eli:LegalResource"}


@dataclass(frozen=True, eq=False)
class OnRecord:
    """All that a record is made of: the project on its files, its evidence, and what follows from them."""

    opened: Opened
    evidence: Evidence

    @cached_property
    def columns(self) -> tuple[ListedColumn, ...]:
        """The columns that leave."""
        return listed_columns(self.opened, self.evidence)

    @cached_property
    def entries(self) -> tuple[DictionaryEntry, ...]:
        """What the dictionary says of them."""
        return entries_of(self.opened, self.evidence, self.columns)

    @cached_property
    def sample(self) -> tuple[Row, ...]:
        """The rows of the mock-up."""
        return mock_up(self.opened, self.columns)

    @property
    def access(self) -> str:
        """The access right, by who gets the release."""
        return _ACCESS.get(self.opened.project.aim.recipient, NON_PUBLIC)

    @property
    def so_many(self) -> str:
        """How many must share a value for it to be listed, in words: ``5 records``."""
        return words.count(least_shared(self.evidence), self.evidence.unit)

    @property
    def persons(self) -> int | None:
        """Persons in the release; None where no column that leaves says whose the rows are."""
        released = self.opened.applied.released
        counted_by = released.person_id or released.weight
        return released.classes([]).n_records if counted_by in released.columns else None

    @property
    def about_the_sample(self) -> str:
        """What the mock-up is, in sentences."""
        if not self.sample:
            return (
                "A mock-up sample without rows: no value may be listed, or each row that was drawn is one of the "
                "release or tells of somebody."
            )
        return (
            f"A mock-up sample of {words.count(len(self.sample), 'rows')}. Made of values that at least {self.so_many} "
            "share, each drawn by itself, and drawn again where the release has the row: no row is one of the release."
        )


def record_json(release: OnRecord) -> bytes:
    """The record as JSON-LD with a context of its own, so that nothing need be fetched to read it."""
    document = {"@context": vocabulary.CONTEXT, **dataset(release)}
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "replace")


def dataset(release: OnRecord) -> Node:
    """The data set with all that is known of it."""
    case, evidence, columns = release.evidence.case, release.evidence, release.columns
    released, contact = evidence.released, Contact.of(evidence.case.contact)
    identifier = "" if released is None else f"urn:sha256:{released.sha256}"
    publisher = agent(case.publisher, contact) if case.publisher else None
    youngest, oldest = typical_ages(columns)
    node: Node = {
        "@id": identifier,
        "@type": "dcat:Dataset",
        "dct:title": case.title,
        "dct:description": _description(release),
        "dct:identifier": identifier,
        "dct:issued": _typed(evidence.made_on, "date") if released is not None else None,
        "dct:accessRights": {"@id": f"{vocabulary.ACCESS_RIGHT}/{release.access}", "@type": "dct:RightsStatement"},
        "dcatap:applicableLegislation": _LEGISLATION,
        "dcat:theme": _concept(vocabulary.HEALTH, "Health", vocabulary.DATA_THEME),
        "dcat:keyword": [_english(word) for word in _keywords(release)],
        "dcat:contactPoint": contact.point if case.contact else None,
        "dct:publisher": publisher,
        "geodcatap:custodian": publisher,
        "dct:provenance": _provenance(case.provenance),
        "healthdcatap:hdab": _access_body(case.access_body),
        "healthdcatap:healthCategory": _categories(case.category),
        "healthdcatap:populationCoverage": case.subjects,
        "healthdcatap:hasCodingSystem": [
            {"@id": f"{vocabulary.CODING_SYSTEMS}/{system}", "@type": "dct:Standard", "dct:title": system}
            for system in code_systems(columns)
        ],
        "healthdcatap:hasCodeValues": list(code_values(columns)),
        "healthdcatap:minTypicalAge": _number(youngest),
        "healthdcatap:maxTypicalAge": _number(oldest),
        "healthdcatap:numberOfRecords": None if released is None else _number(released.records),
        "healthdcatap:numberOfUniqueIndividuals": None if released is None else _number(release.persons),
        "healthdcatap:retentionPeriod": _retention(release),
        "healthdcatap:hasStructuredData": _typed("true" if columns else "false", "boolean"),
        "healthdcatap:hasVariables": _variables(release) if columns else None,
        "dpv:hasPurpose": {"@type": "dpv:Purpose", "dct:description": case.purpose} if case.purpose else None,
        "dpv:hasLegalBasis": (
            {"@type": "dpv:LegalBasis", "dct:description": case.legal_basis} if case.legal_basis else None
        ),
        "dcat:distribution": _csv(release, contact),
        "adms:sample": _sample(release),
    }
    return _without_nothing(node)


def _description(release: OnRecord) -> Any:
    """Whose data these are, as the case says it, and what the table is, as it is counted."""
    released, n_columns = release.evidence.released, words.count(len(release.columns), "columns")
    rows = ""
    if released is not None:
        rows = f"{words.count(released.records, 'records')} and "
    counted = f"A table of {rows}{n_columns}. This record lists no value that fewer than {release.so_many} share."
    subjects = release.evidence.case.subjects
    return f"{subjects}\n\n{counted}" if subjects else _english(counted)


def _keywords(release: OnRecord) -> tuple[str, ...]:
    """What the data set is found by: its categories, and what its columns are recognised as."""
    titles = [category.title for category in categories_in(release.evidence.case.category)]
    columns = release.columns
    return tuple(dict.fromkeys([*titles, *contents(columns), *code_systems(columns)]))


def _provenance(text: str) -> Node | None:
    return {"@type": "dct:ProvenanceStatement", "rdfs:label": text} if text else None


def _access_body(line: str) -> Node | None:
    contact = Contact.of(line)
    return agent(contact.name or line, contact) if line else None


def _categories(text: str) -> list[Node]:
    """The categories of the law that a text names; a text that names none as it is, which has no name in the list."""
    concepts = [_concept(category.iri, category.title, vocabulary.CATEGORY_LIST) for category in categories_in(text)]
    return concepts or ([{"@type": "skos:Concept", "skos:prefLabel": text}] if text else [])


def _retention(release: OnRecord) -> Node | None:
    """Until when the recipient has it, and what the case says of the retention here."""
    case = release.evidence.case
    if not case.until and not case.retention:
        return None
    made_on = release.evidence.made_on
    return {
        "@type": "dct:PeriodOfTime",
        "dcat:startDate": _typed(made_on, "date") if case.until >= made_on else None,
        "dcat:endDate": _typed(case.until, "date") if case.until else None,
        "dct:description": case.retention,
    }


def _variables(release: OnRecord) -> Node:
    title = release.evidence.case.title or _english("The released table")
    columns = [
        {
            "@type": "csvw:Column",
            "csvw:name": entry.column.header,
            "csvw:title": entry.column.title,
            "csvw:datatype": entry.datatype,
            "dct:description": _english(entry.meaning),
        }
        for entry in release.entries
    ]
    table = {"@type": "csvw:Table", "dct:title": title, "csvw:url": {"@id": SAMPLE}, "csvw:column": columns}
    return {"@type": "csvw:TableGroup", "dct:title": title, "csvw:table": table}


def _csv(release: OnRecord, contact: Contact) -> Node | None:
    """The CSV that leaves."""
    released = release.evidence.released
    if released is None:
        return None
    checksum = {
        "@type": "spdx:Checksum",
        "spdx:algorithm": {"@id": vocabulary.SHA256, "@type": "spdx:ChecksumAlgorithm"},
        "spdx:checksumValue": _typed(released.sha256, "hexBinary"),
    }
    return {
        **_distribution("The release", "The data set as it is released, as CSV in UTF-8.", contact.place),
        "dcat:byteSize": _number(released.bytes),
        "spdx:checksum": checksum,
    }


def _sample(release: OnRecord) -> Node | None:
    if not release.sample:
        return None
    return {
        **_distribution("Mock-up sample", release.about_the_sample, SAMPLE),
        "dcat:downloadURL": {"@id": SAMPLE},
    }


def _distribution(title: str, description: str, place: str) -> Node:
    return {
        "@type": "dcat:Distribution",
        "dct:title": _english(title),
        "dct:description": _english(description),
        "dcat:accessURL": {"@id": place} if place else None,
        "dcatap:applicableLegislation": _LEGISLATION,
        "dct:format": {"@id": vocabulary.CSV, "@type": "dct:MediaTypeOrExtent"},
        "dcat:mediaType": {"@id": vocabulary.TEXT_CSV, "@type": "dct:MediaType"},
    }


def _concept(iri: str, label: str, scheme: str) -> Node:
    return {
        "@id": iri,
        "@type": "skos:Concept",
        "skos:prefLabel": _english(label),
        "skos:inScheme": {"@id": scheme},
    }


def _number(number: int | None) -> Node | None:
    return None if number is None else _typed(str(number), "nonNegativeInteger")


def _typed(value: str, kind: str) -> Node:
    return {"@value": value, "@type": f"xsd:{kind}"}


def _english(text: str) -> Node:
    return {"@value": text, "@language": "en"}


def _without_nothing(value: Any) -> Any:
    """The value without properties that say nothing, however deep."""
    if isinstance(value, dict):
        items = {name: _without_nothing(item) for name, item in value.items()}
        return {name: item for name, item in items.items() if item not in (None, "", [], {})}
    if isinstance(value, list | tuple):
        return [plain for item in value if (plain := _without_nothing(item)) not in (None, "", [], {})]
    return value


_BY_HAND = "no field of the case gives it; add it in the catalogue"
_NO_FILE = "make a release that can leave"
_ADDRESS = "write an e-mail address or a web page that begins with https:// into “{}” of the case"


@dataclass(frozen=True)
class Property:
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


PROPERTIES: tuple[Property, ...] = (
    Property("Title", ("dct:title",), "required", "title"),
    Property("Identifier", ("dct:identifier",), "required", _NO_FILE),
    Property("Health data access body", ("healthdcatap:hdab",), "required", "access_body"),
    Property(
        "Contact of the health data access body", ("healthdcatap:hdab", "cv:contactPoint"), "required",
        _ADDRESS.format(BY_NAME["access_body"].label),
    ),
    Property("Category of health data", ("healthdcatap:healthCategory", "@id"), "required", "category"),
    Property("Structured data", ("healthdcatap:hasVariables",), "required", "let a column leave"),
    Property("Distribution", ("dcat:distribution",), "required", _NO_FILE),
    Property(
        "Where the release is asked for", ("dcat:distribution", "dcat:accessURL"), "required",
        _ADDRESS.format(BY_NAME["contact"].label),
    ),
    Property("Contact point", ("dcat:contactPoint",), "not public", "contact"),
    Property("Keyword", ("dcat:keyword",), "not public", "category"),
    Property("Provenance", ("dct:provenance",), "not public", "provenance"),
    Property("Type of the data set", ("dct:type",), "not public", _BY_HAND),
    Property("Publisher", ("dct:publisher",), "recommended", "publisher"),
    Property(
        "Contact of the publisher", ("dct:publisher", "cv:contactPoint"), "recommended",
        _ADDRESS.format(BY_NAME["contact"].label),
    ),
    Property("Type of the publisher", ("dct:publisher", "dct:type"), "recommended", _BY_HAND),
    Property("Purpose", ("dpv:hasPurpose",), "recommended", "purpose"),
    Property("Legal basis", ("dpv:hasLegalBasis",), "recommended", "legal_basis"),
    Property("Population coverage", ("healthdcatap:populationCoverage",), "recommended", "subjects"),
    Property("Retention period", ("healthdcatap:retentionPeriod",), "recommended", "until"),
    Property("Number of records", ("healthdcatap:numberOfRecords",), "recommended", "records"),
    Property("Number of unique individuals", ("healthdcatap:numberOfUniqueIndividuals",), "recommended", "persons"),
    Property("Lowest typical age", ("healthdcatap:minTypicalAge",), "recommended", "ages"),
    Property("Highest typical age", ("healthdcatap:maxTypicalAge",), "recommended", "ages"),
    Property("Coding system", ("healthdcatap:hasCodingSystem",), "recommended", "codes"),
    Property("Code values", ("healthdcatap:hasCodeValues",), "recommended", "codes"),
    Property("Sample", ("adms:sample",), "recommended", "sample"),
    Property("Personal data", ("dpv:hasPersonalData",), "recommended", "personal"),
    Property("Health theme", ("healthdcatap:healthTheme",), "recommended", _BY_HAND),
    Property("Analytics", ("healthdcatap:analytics",), "recommended", _BY_HAND),
    Property("Quality annotation", ("dqv:hasQualityAnnotation",), "recommended", _BY_HAND),
    Property("Geographical coverage", ("dct:spatial",), "recommended", _BY_HAND),
    Property("Temporal coverage", ("dct:temporal",), "recommended", _BY_HAND),
    Property("Licence of the release", ("dcat:distribution", "dct:license"), "recommended", _BY_HAND),
    Property("Availability of the release", ("dcat:distribution", "dcatap:availability"), "recommended", _BY_HAND),
)  # fmt: skip
"""All that the two guides require or recommend and that a record may lack; what is always there is not listed."""


def lacking(release: OnRecord, described: Node) -> tuple[str, ...]:
    """What the guides ask for and a record lacks, one sentence each, what is required first.

    Parameters
    ----------
    release : OnRecord
        What the record is made of.
    described : Node
        The data set as the record describes it.
    """
    sentences: dict[str, list[str]] = {"required": [], "recommended": []}
    for wanted in PROPERTIES:
        of_what = wanted.path[:-1]
        if of_what and not _has(described, of_what) and wanted.path[-1] != "@id":
            continue  # what it would be of lacks, and that is what the sentence before says
        if not _has(described, wanted.path):
            need = "recommended" if wanted.need == "recommended" else "required"
            if wanted.need == "not public" and release.access != NON_PUBLIC:
                need = "recommended"
            sentences[need].append(
                f"{wanted.name} ({wanted.path[-1] if wanted.path[-1] != '@id' else wanted.path[0]}) is {need}: "
                f"{_how(wanted, release)}."
            )
    return (*sentences["required"], *sentences["recommended"])


def _has(described: Node, path: tuple[str, ...]) -> bool:
    nodes: list[Node] = [described]
    for name in path[:-1]:
        nodes = [value for node in nodes for value in _values(node.get(name)) if isinstance(value, dict)]
    return any(path[-1] in node for node in nodes)


def _values(value: object) -> Iterator[object]:
    if isinstance(value, list):
        yield from value
    elif value is not None:
        yield value


def _how(wanted: Property, release: OnRecord) -> str:
    """How to come by a property."""
    if wanted.fill in BY_NAME:
        return _field(wanted, release)
    match wanted.fill:
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
    return wanted.fill


def _field(wanted: Property, release: OnRecord) -> str:
    """The field of the case that gives a property, and what it lacks where it is filled in."""
    label = BY_NAME[wanted.fill].label
    text = getattr(release.evidence.case, wanted.fill)
    if wanted.fill == "category" and text and not categories_in(text):
        return f"“{label}” of the case names none of the law, such as “{CATEGORIES[0].title}” or “Art. 51(1)(a)”"
    return f"fill in “{label}” of the case"
