"""The columns of a FHIR resource: the name of each, where it stands, and how its cell is read.

First come the elements of a resource as plain text: references, codes, dates, quantities (HL7 FHIR R4 and R5, data
types). The columns that are made of them follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Element = Mapping[str, Any]
"""An element of a resource, as JSON has it; numbers in it are the texts that they are in the file."""

SYSTEMS = {
    "snomed.info/sct": ("SNOMED CT", "snomed"),
    "loinc.org": ("LOINC", "loinc"),
    "hl7.org/fhir/sid/icd-10-cm": ("ICD-10-CM", "icd10cm"),
    "hl7.org/fhir/sid/icd-10": ("ICD-10", "icd10"),
    "hl7.org/fhir/sid/icd-10-de": ("ICD-10-GM", "icd10gm"),
    "fhir.de/CodeSystem/bfarm/icd-10-gm": ("ICD-10-GM", "icd10gm"),
    "fhir.de/CodeSystem/dimdi/icd-10-gm": ("ICD-10-GM", "icd10gm"),
    "hl7.org/fhir/sid/icd-9-cm": ("ICD-9-CM", "icd9cm"),
    "hl7.org/fhir/sid/icd-10-pcs": ("ICD-10-PCS", "icd10pcs"),
    "www.cms.gov/Medicare/Coding/ICD10": ("ICD-10-PCS", "icd10pcs"),
    "fhir.de/CodeSystem/bfarm/ops": ("OPS", "ops"),
    "fhir.de/CodeSystem/dimdi/ops": ("OPS", "ops"),
    "www.nlm.nih.gov/research/umls/rxnorm": ("RxNorm", "rxnorm"),
    "www.whocc.no/atc": ("ATC", "atc"),
    "fhir.de/CodeSystem/bfarm/atc": ("ATC", "atc"),
    "fhir.de/CodeSystem/ifa/pzn": ("PZN", "pzn"),
    "hl7.org/fhir/sid/ndc": ("NDC", "ndc"),
    "hl7.org/fhir/sid/cvx": ("CVX", "cvx"),
    "www.ama-assn.org/go/cpt": ("CPT", "cpt"),
    "unitsofmeasure.org": ("UCUM", "ucum"),
}
"""Code systems by their address without its beginning: what they are called, and short for a column."""


def text(value: object) -> str | None:
    """A primitive as text; None where there is nothing to show."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) and value.strip() else None


def part(element: object, *names: str) -> Any:
    """What lies at a path of names; of elements that repeat the first. None where the path ends early."""
    for name in names:
        element = first(element)
        if not isinstance(element, Mapping):
            return None
        element = element.get(name)
    return first(element)


def first(element: object) -> Any:
    """The first of an element that repeats; itself where it does not."""
    if isinstance(element, list):
        return element[0] if element else None
    return element


def every(element: object, name: str) -> list[Element]:
    """All elements of a name, however often it occurs."""
    value = element.get(name) if isinstance(element, Mapping) else None
    items = value if isinstance(value, list) else [value]
    return [item for item in items if isinstance(item, Mapping)]


def reference(element: object, kind: str = "") -> str | None:
    """The plain id that a reference names.

    ``Patient/7``, ``https://host/fhir/Patient/7/_history/2``, ``urn:uuid:7`` and ``Patient?identifier=system|7`` are 7.

    Parameters
    ----------
    element : object
        The element Reference.
    kind : str, default ""
        The resource that it must be of, where the reference names one; any when left out.
    """
    written = text(part(element, "reference"))
    if written is None or written.startswith("#"):
        return None
    if written.startswith(("urn:uuid:", "urn:oid:")):
        return written.rpartition(":")[2] or None
    before, question_mark, search = written.partition("?")
    if question_mark:
        named, resource_id = before.rpartition("/")[2], search.rpartition("|")[2].rpartition("=")[2]
    else:
        before, _, resource_id = written.partition("/_history/")[0].rpartition("/")
        named = before.rpartition("/")[2]
    named = named or text(part(element, "type")) or ""
    return resource_id if resource_id and (not kind or not named or named == kind) else None


def codings(element: object) -> list[Element]:
    """The codings of a CodeableConcept (of R5's CodeableReference, or a Coding alone)."""
    if not isinstance(element, Mapping):
        return []
    if "concept" in element:
        element = element["concept"]
        if not isinstance(element, Mapping):
            return []
    if "code" in element and "coding" not in element:
        return [element]
    return every(element, "coding")


def code(element: object) -> str | None:
    """The code of the first coding that has one."""
    return next((code_text for coding in codings(element) if (code_text := text(coding.get("code")))), None)


def shown(element: object) -> str | None:
    """What the first code is called: its display, else the text of the concept."""
    display = next((display_text for coding in codings(element) if (display_text := text(coding.get("display")))), None)
    return display or text(part(element, "concept", "text")) or text(part(element, "text"))


def system_of(coding: object) -> tuple[str, str] | None:
    """What the code system of a coding is called, and short; of one that is not known the last part of its address."""
    address = text(part(coding, "system"))
    if address is None:
        return None
    plain = address.partition("//")[2].rstrip("/") or address
    if plain in SYSTEMS:
        return SYSTEMS[plain]
    last = plain.rpartition("/")[2].rpartition(":")[2]
    return last, "".join(letter for letter in last.lower() if letter.isalnum())


def system(element: object) -> str | None:
    """The code system of the first coding that has a code."""
    first = next((coding for coding in codings(element) if text(coding.get("code"))), None)
    named = system_of(first)
    return named[0] if named else None


def further_codes(element: object) -> Iterator[tuple[str, str]]:
    """Short name of the system, and code, of the codings behind the first one that are of other systems."""
    having = [coding for coding in codings(element) if text(coding.get("code"))]
    seen = {named[1] for coding in having[:1] if (named := system_of(coding))}
    for further in having[1:]:
        named = system_of(further)
        if named is not None and named[1] not in seen:
            seen.add(named[1])
            yield named[1], str(further["code"])


def choice(element: object, name: str) -> tuple[str, Any]:
    """The type and value of an element that has several types: ``onsetAge`` is ("Age", …); ("", None) without one."""
    if isinstance(element, Mapping):
        for key, value in element.items():
            if key.startswith(name) and key[len(name) : len(name) + 1].isupper():
                return key[len(name) :], value
    return "", None


def moment(element: object, name: str, end: bool = False) -> str | None:
    """When something was, or ended: of a date, a moment or a period, as the file writes it."""
    kind, value = choice(element, name)
    if kind == "Period":
        return text(part(value, "end" if end else "start"))
    return text(value) if kind in ("DateTime", "Date", "Instant") and not end else None


def extension(element: object, ending: str) -> Element | None:
    """The extension whose address ends so."""
    return next((entry for entry in every(element, "extension") if str(entry.get("url", "")).endswith(ending)), None)


def extension_value(element: object, ending: str) -> Any:
    """The value of an extension."""
    return choice(extension(element, ending), "value")[1]


Read = Callable[[Element], str | None]


@dataclass(frozen=True)
class Field:
    """A column of a resource.

    Attributes
    ----------
    column : str
        Its name.
    title : str
        What it is, in words.
    path : str
        Where it stands in the resource.
    read : Read
        The text of its cell; None where the resource has none.
    identifies : bool, default False
        Whether it names a person.
    """

    column: str
    title: str
    path: str
    read: Read
    identifies: bool = False

    @property
    def element(self) -> str:
        """The element of the resource that it stands in; of several types the common part of the name."""
        return self.path.partition(".")[0].removesuffix("[x]")


def at(*names: str) -> Read:
    """A primitive at a path."""
    return lambda resource: text(part(resource, *names))


def code_at(*names: str) -> Read:
    """The code of a concept at a path."""
    return lambda resource: code(part(resource, *names))


def shown_at(*names: str) -> Read:
    """What a concept at a path is called."""
    return lambda resource: shown(part(resource, *names))


def link(kind: str, *names: str) -> Read:
    """The id that a reference at a path names, of a resource of that kind."""
    return lambda resource: reference(part(resource, *names), kind)


def when(*names: str, end: bool = False) -> Read:
    """The first of some moments that is there; of a period its begin, or its end."""
    return lambda resource: next((moment_text for name in names if (moment_text := moment(resource, name, end))), None)


def coded(column: str, title: str, path: str, get: Callable[[Element], Any]) -> tuple[Field, ...]:
    """A code with what it is called and the system that it is of."""
    return (
        Field(column, f"{title}: code", path, lambda resource: code(get(resource))),
        Field(f"{column}_display", f"{title}: in words", path, lambda resource: shown(get(resource))),
        Field(f"{column}_system", f"{title}: code system", path, lambda resource: system(get(resource))),
    )


def owner(name: str) -> Field:
    """The person whom a resource is about."""
    return Field("patient_id", "Patient", name, link("Patient", name))


def own(resource: str, column: str) -> Field:
    """The id of the resource itself."""
    return Field(column, f"Id of the {resource}", "id", at("id"))
