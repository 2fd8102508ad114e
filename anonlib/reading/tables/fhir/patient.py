"""A person: the columns of the resource Patient (FHIR R4, R5, and the extensions of US Core)."""

from __future__ import annotations

from collections.abc import Callable

from anonlib.reading.tables.fhir.elements import (
    Element,
    choice,
    code,
    every,
    extension,
    extension_value,
    part,
    text,
)
from anonlib.reading.tables.fhir.fields import Field, Read, at, own, shown_at, when


def _identifier(kind: str, ending: str) -> Read:
    """The first identifier of a type (HL7 table 0203), or of a system that ends so."""

    def read(resource: Element) -> str | None:
        for each in every(resource, "identifier"):
            if code(each.get("type")) == kind or (ending and str(each.get("system", "")).endswith(ending)):
                return text(each.get("value"))
        return None

    return read


_TYPED = {"MR": "", "SS": "us-ssn", "DL": "", "PPN": ""}


def _other_identifier(resource: Element) -> str | None:
    known = {resource.get("id"), *(_identifier(kind, ending)(resource) for kind, ending in _TYPED.items())}
    values = (text(each.get("value")) for each in every(resource, "identifier"))
    return next((value for value in values if value is not None and value not in known), None)


def _name(use: str) -> Callable[[Element], Element]:
    """The name of a use; the official one, else the first that is no former one, when it is left open."""

    def find(resource: Element) -> Element:
        names = every(resource, "name")
        if use:
            return next((each for each in names if each.get("use") == use), {})
        current = [each for each in names if each.get("use") not in ("maiden", "old")]
        return next((each for each in current if each.get("use") == "official"), current[0] if current else {})

    return find


def _given(resource: Element) -> str | None:
    given = _name("")(resource).get("given")
    return text(" ".join(each for each in given if isinstance(each, str))) if isinstance(given, list) else text(given)


def _family(use: str) -> Read:
    return lambda resource: text(_name(use)(resource).get("family")) or text(_name(use)(resource).get("text"))


def _contact(kind: str) -> Read:
    return lambda resource: next(
        (text(each.get("value")) for each in every(resource, "telecom") if each.get("system") == kind), None
    )


def _address(resource: Element) -> Element:
    """The address at home that still holds, else the first."""
    found = every(resource, "address")
    current = [each for each in found if not part(each, "period", "end") and each.get("use") != "old"] or found
    return next((each for each in current if each.get("use") == "home"), current[0] if current else {})


def _of_address(name: str) -> Read:
    return lambda resource: text(part(_address(resource), name))


def _street(resource: Element) -> str | None:
    lines = _address(resource).get("line")
    return text(", ".join(each for each in lines if isinstance(each, str))) if isinstance(lines, list) else text(lines)


def _coordinate(name: str) -> Read:
    return lambda resource: text(extension_value(extension(_address(resource), "geolocation"), name))


def _of_us_core(ending: str) -> Read:
    """Race or ethnicity: the groups of the census, else in words (US Core)."""

    def read(resource: Element) -> str | None:
        found = extension(resource, ending)
        groups = [choice(each, "value")[1] for each in every(found, "extension") if each.get("url") == "ombCategory"]
        names = [name for group in groups if (name := text(part(group, "display")) or text(part(group, "code")))]
        return "; ".join(names) or text(extension_value(found, "text"))

    return read


def _deceased(resource: Element) -> str | None:
    kind, value = choice(resource, "deceased")
    return "true" if kind == "DateTime" else text(value)


def _multiple_birth(resource: Element) -> str | None:
    return text(choice(resource, "multipleBirth")[1])


PATIENT = (
    own("patient", "patient_id"),
    Field("medical_record_number", "Medical record number", "identifier", _identifier("MR", ""), True),
    Field("social_security_number", "Social security number", "identifier", _identifier("SS", "us-ssn"), True),
    Field("driver_license_number", "Number of the driver's license", "identifier", _identifier("DL", ""), True),
    Field("passport_number", "Passport number", "identifier", _identifier("PPN", ""), True),
    Field("other_identifier", "Another identifier", "identifier", _other_identifier, True),
    Field("family_name", "Family name", "name.family", _family(""), True),
    Field("given_name", "Given names", "name.given", _given, True),
    Field("maiden_name", "Name at birth", "name.family", _family("maiden"), True),
    Field("mothers_maiden_name", "Mother's name at birth", "extension mothersMaidenName",
          lambda resource: text(extension_value(resource, "mothersMaidenName")), True),
    Field("phone", "Telephone number", "telecom", _contact("phone"), True),
    Field("email", "E-mail address", "telecom", _contact("email"), True),
    Field("gender", "Gender", "gender", at("gender")),
    Field("birth_sex", "Sex at birth", "extension us-core-birthsex",
          lambda resource: text(extension_value(resource, "us-core-birthsex"))),
    Field("birth_date", "Birth date", "birthDate", at("birthDate")),
    Field("birth_place", "Place of birth", "extension patient-birthPlace",
          lambda resource: text(part(extension_value(resource, "birthPlace"), "city"))),
    Field("deceased", "Whether deceased", "deceased[x]", _deceased),
    Field("death_date", "Date of death", "deceasedDateTime", when("deceased")),
    Field("race", "Race", "extension us-core-race", _of_us_core("us-core-race")),
    Field("ethnicity", "Ethnicity", "extension us-core-ethnicity", _of_us_core("us-core-ethnicity")),
    Field("language", "Language", "communication.language", shown_at("communication", "language")),
    Field("marital_status", "Marital status", "maritalStatus", shown_at("maritalStatus")),
    Field("multiple_birth", "Whether, or in which place, of a multiple birth", "multipleBirth[x]", _multiple_birth),
    Field("street", "Street", "address.line", _street, True),
    Field("city", "City", "address.city", _of_address("city")),
    Field("district", "District or county", "address.district", _of_address("district")),
    Field("state", "State", "address.state", _of_address("state")),
    Field("postal_code", "Postal code", "address.postalCode", _of_address("postalCode")),
    Field("country", "Country", "address.country", _of_address("country")),
    Field("latitude", "Latitude", "address.extension geolocation", _coordinate("latitude")),
    Field("longitude", "Longitude", "address.extension geolocation", _coordinate("longitude")),
)  # fmt: skip
"""Its columns."""
