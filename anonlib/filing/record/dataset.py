"""A released data set in the words of DCAT-AP and HealthDCAT-AP: what is counted in it, or what the case says."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from anonlib.basics import words
from anonlib.filing.evidence import Evidence
from anonlib.filing.project import Opened
from anonlib.filing.record import holds, names
from anonlib.filing.record.agents import Contact, Node, agent
from anonlib.filing.record.categories import categories_in
from anonlib.filing.record.dictionary import SAMPLE, Entry, entries
from anonlib.filing.record.listed import ListedColumn, least_shared, listed_columns
from anonlib.filing.record.sample import Row, mock_up

PUBLIC, RESTRICTED, NON_PUBLIC = "PUBLIC", "RESTRICTED", "NON_PUBLIC"
_ACCESS = {"public": PUBLIC, "contract": RESTRICTED}
"""By the recipient, the access right of the EU's list; of all others it is not public."""
_LEGISLATION = {"@id": names.EHDS, "@type": "eli:LegalResource"}


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
    def entries(self) -> tuple[Entry, ...]:
        """What the dictionary says of them."""
        return entries(self.opened, self.evidence, self.columns)

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


def as_json(release: OnRecord) -> bytes:
    """The record as JSON-LD with a context of its own, so that nothing need be fetched to read it."""
    document = {"@context": names.CONTEXT, **dataset(release)}
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode("utf-8", "replace")


def dataset(release: OnRecord) -> Node:
    """The data set with all that is known of it."""
    case, evidence, columns = release.evidence.case, release.evidence, release.columns
    released, contact = evidence.released, Contact.of(evidence.case.contact)
    identifier = "" if released is None else f"urn:sha256:{released.sha256}"
    publisher = agent(case.publisher, contact) if case.publisher else None
    youngest, oldest = holds.typical_ages(columns)
    found: Node = {
        "@id": identifier,
        "@type": "dcat:Dataset",
        "dct:title": case.title,
        "dct:description": _description(release),
        "dct:identifier": identifier,
        "dct:issued": _typed(evidence.made_on, "date") if released is not None else None,
        "dct:accessRights": {"@id": f"{names.ACCESS_RIGHT}/{release.access}", "@type": "dct:RightsStatement"},
        "dcatap:applicableLegislation": _LEGISLATION,
        "dcat:theme": _concept(names.HEALTH, "Health", names.DATA_THEME),
        "dcat:keyword": [_english(word) for word in _keywords(release)],
        "dcat:contactPoint": contact.point if case.contact else None,
        "dct:publisher": publisher,
        "geodcatap:custodian": publisher,
        "dct:provenance": _provenance(case.provenance),
        "healthdcatap:hdab": _access_body(case.access_body),
        "healthdcatap:healthCategory": _categories(case.category),
        "healthdcatap:populationCoverage": case.subjects,
        "healthdcatap:hasCodingSystem": [
            {"@id": f"{names.CODING_SYSTEMS}/{system}", "@type": "dct:Standard", "dct:title": system}
            for system in holds.code_systems(columns)
        ],
        "healthdcatap:hasCodeValues": list(holds.code_values(columns)),
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
    return _without_nothing(found)


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
    return tuple(dict.fromkeys([*titles, *holds.contents(columns), *holds.code_systems(columns)]))


def _provenance(text: str) -> Node | None:
    return {"@type": "dct:ProvenanceStatement", "rdfs:label": text} if text else None


def _access_body(line: str) -> Node | None:
    contact = Contact.of(line)
    return agent(contact.name or line, contact) if line else None


def _categories(text: str) -> list[Node]:
    """The categories of the law that a text names; a text that names none as it is, which has no name in the list."""
    found = [_concept(category.iri, category.title, names.CATEGORIES) for category in categories_in(text)]
    return found or ([{"@type": "skos:Concept", "skos:prefLabel": text}] if text else [])


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
        "spdx:algorithm": {"@id": names.SHA256, "@type": "spdx:ChecksumAlgorithm"},
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
        "dct:format": {"@id": names.CSV, "@type": "dct:MediaTypeOrExtent"},
        "dcat:mediaType": {"@id": names.TEXT_CSV, "@type": "dct:MediaType"},
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
        kept = {name: _without_nothing(each) for name, each in value.items()}
        return {name: each for name, each in kept.items() if each not in (None, "", [], {})}
    if isinstance(value, list | tuple):
        return [kept for each in value if (kept := _without_nothing(each)) not in (None, "", [], {})]
    return value
