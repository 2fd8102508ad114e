"""The columns of each FHIR resource: what is read of it, under which name; never its narrative, nor notes.

The paths are those of FHIR R4 (https://hl7.org/fhir/R4), with the names that R5 has where they differ. A person comes
first, with the columns of the resource Patient (FHIR R4, R5, and the extensions of US Core); the other resources
follow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from anonlib.reading.tables.fhir.fields import (
    Element,
    Field,
    Read,
    at,
    choice,
    code,
    code_at,
    coded,
    every,
    extension,
    extension_value,
    link,
    own,
    owner,
    part,
    reference,
    shown,
    shown_at,
    text,
    when,
)


def _identifier(kind: str, ending: str) -> Read:
    """The first identifier of a type (HL7 table 0203), or of a system that ends so."""

    def read(resource: Element) -> str | None:
        for identifier in every(resource, "identifier"):
            if code(identifier.get("type")) == kind or (ending and str(identifier.get("system", "")).endswith(ending)):
                return text(identifier.get("value"))
        return None

    return read


_TYPED = {"MR": "", "SS": "us-ssn", "DL": "", "PPN": ""}


def _other_identifier(resource: Element) -> str | None:
    known = {resource.get("id"), *(_identifier(kind, ending)(resource) for kind, ending in _TYPED.items())}
    values = (text(identifier.get("value")) for identifier in every(resource, "identifier"))
    return next((value for value in values if value is not None and value not in known), None)


def _name(use: str) -> Callable[[Element], Element]:
    """The name of a use; the official one, else the first that is no former one, when it is left open."""

    def find(resource: Element) -> Element:
        names = every(resource, "name")
        if use:
            return next((name for name in names if name.get("use") == use), {})
        current = [name for name in names if name.get("use") not in ("maiden", "old")]
        return next((name for name in current if name.get("use") == "official"), current[0] if current else {})

    return find


def _given(resource: Element) -> str | None:
    given = _name("")(resource).get("given")
    return text(" ".join(name for name in given if isinstance(name, str))) if isinstance(given, list) else text(given)


def _family(use: str) -> Read:
    return lambda resource: text(_name(use)(resource).get("family")) or text(_name(use)(resource).get("text"))


def _contact(kind: str) -> Read:
    return lambda resource: next(
        (text(contact.get("value")) for contact in every(resource, "telecom") if contact.get("system") == kind), None
    )


def _address(resource: Element) -> Element:
    """The address at home that still holds, else the first."""
    addresses = every(resource, "address")
    current = [
        address for address in addresses if not part(address, "period", "end") and address.get("use") != "old"
    ] or addresses
    return next((address for address in current if address.get("use") == "home"), current[0] if current else {})


def _of_address(name: str) -> Read:
    return lambda resource: text(part(_address(resource), name))


def _street(resource: Element) -> str | None:
    lines = _address(resource).get("line")
    return text(", ".join(line for line in lines if isinstance(line, str))) if isinstance(lines, list) else text(lines)


def _coordinate(name: str) -> Read:
    return lambda resource: text(extension_value(extension(_address(resource), "geolocation"), name))


def _of_us_core(ending: str) -> Read:
    """Race or ethnicity: the groups of the census, else in words (US Core)."""

    def read(resource: Element) -> str | None:
        us_core = extension(resource, ending)
        groups = [
            choice(inner, "value")[1] for inner in every(us_core, "extension") if inner.get("url") == "ombCategory"
        ]
        names = [name for group in groups if (name := text(part(group, "display")) or text(part(group, "code")))]
        return "; ".join(names) or text(extension_value(us_core, "text"))

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


_ENCOUNTER = Field("encounter_id", "Visit", "encounter", link("Encounter", "encounter"))
_STATUS = Field("status", "Status", "status", at("status"))
_SITE = Field("body_site", "Part of the body", "bodySite", shown_at("bodySite"))


def _encounter_period(end: bool) -> Read:
    name = "end" if end else "start"
    return lambda resource: text(part(resource, "period", name)) or text(part(resource, "actualPeriod", name))


def _reason(resource: Element) -> Any:
    return part(resource, "reasonCode") or part(resource, "reason", "value") or part(resource, "reason")


def _stay(name: str) -> Read:
    return lambda resource: shown(part(resource, "hospitalization", name) or part(resource, "admission", name))


_ENCOUNTER_FIELDS = (
    own("visit", "encounter_id"),
    owner("subject"),
    _STATUS,
    Field("encounter_class", "Kind of care", "class", code_at("class")),
    *coded("type", "Type of visit", "type", lambda resource: part(resource, "type")),
    Field("start_date", "Begin", "period.start", _encounter_period(False)),
    Field("end_date", "End", "period.end", _encounter_period(True)),
    *coded("reason", "Reason", "reasonCode", _reason),
    Field("admit_source", "From where", "hospitalization.admitSource", _stay("admitSource")),
    Field("discharge_disposition", "Where to", "hospitalization.dischargeDisposition", _stay("dischargeDisposition")),
    Field("facility", "Who provides the care", "serviceProvider", at("serviceProvider", "display")),
    Field("care_site", "Place of care", "location", at("location", "location", "display")),
    Field("practitioner_id", "Who cares", "participant",
          lambda resource: reference(part(resource, "participant", "individual") or part(resource, "participant",
                                                                                         "actor"), "Practitioner")),
)  # fmt: skip


def _age(name: str) -> Read:
    def read(resource: Element) -> str | None:
        kind, value = choice(resource, name)
        return text(part(value, "value")) if kind == "Age" else None

    return read


_CONDITION = (
    own("condition", "condition_id"),
    owner("subject"),
    _ENCOUNTER,
    Field("clinical_status", "Clinical status", "clinicalStatus", code_at("clinicalStatus")),
    Field("verification_status", "Verification", "verificationStatus", code_at("verificationStatus")),
    Field("category", "Category", "category", code_at("category")),
    Field("severity", "Severity", "severity", shown_at("severity")),
    *coded("code", "Condition", "code", lambda resource: part(resource, "code")),
    _SITE,
    Field("onset_date", "Onset", "onset[x]", when("onset")),
    Field("age_at_onset", "Age at onset", "onsetAge", _age("onset")),
    Field("abatement_date", "End", "abatement[x]", when("abatement")),
    Field("recorded_date", "Date of the record", "recordedDate", at("recordedDate")),
)

_PROCEDURE = (
    own("procedure", "procedure_id"),
    owner("subject"),
    _ENCOUNTER,
    _STATUS,
    Field("category", "Category", "category", shown_at("category")),
    *coded("code", "Procedure", "code", lambda resource: part(resource, "code")),
    Field("start_date", "Begin", "performed[x]", when("performed", "occurrence")),
    Field("end_date", "End", "performedPeriod.end", when("performed", "occurrence", end=True)),
    *coded("reason", "Reason", "reasonCode", _reason),
    _SITE,
    Field("outcome", "Outcome", "outcome", shown_at("outcome")),
    Field("care_site", "Place of care", "location", at("location", "display")),
)


def _value(resource: Element) -> str | None:
    kind, value = choice(resource, "value")
    if kind == "Quantity":
        return text(part(value, "value"))
    if kind == "CodeableConcept":
        return shown(value) or code(value)
    if kind == "Ratio":
        sides = [text(part(value, side, "value")) for side in ("numerator", "denominator")]
        return ":".join(side for side in sides if side) or None
    if kind in ("Range", "Period"):
        ends = [text(part(value, *path)) for path in (("low", "value"), ("high", "value"), ("start",), ("end",))]
        return " to ".join(end for end in ends if end) or None
    return text(value)


def _unit(resource: Element) -> str | None:
    value = choice(resource, "value")[1]
    return text(part(value, "unit")) or text(part(value, "code")) if isinstance(value, Mapping) else None


def _value_code(resource: Element) -> str | None:
    kind, value = choice(resource, "value")
    return code(value) if kind == "CodeableConcept" else None


def _unit_of_quantity(resource: Element) -> str | None:
    return _unit(resource) if choice(resource, "value")[0] == "Quantity" else None


_OBSERVATION = (
    own("observation", "observation_id"),
    owner("subject"),
    _ENCOUNTER,
    _STATUS,
    Field("category", "Category", "category", code_at("category")),
    *coded("code", "What was observed", "code", lambda resource: part(resource, "code")),
    Field("effective_date", "When", "effective[x]", when("effective")),
    Field("value", "Value", "value[x]", _value),
    Field("unit", "Unit of the value", "valueQuantity.unit", _unit_of_quantity),
    Field("value_code", "Value: code", "valueCodeableConcept", _value_code),
    Field("comparator", "Whether the value is a bound", "valueQuantity.comparator",
          lambda resource: text(part(choice(resource, "value")[1], "comparator"))),
    Field("interpretation", "Interpretation", "interpretation", code_at("interpretation")),
    Field("reference_low", "Lowest usual value", "referenceRange.low", at("referenceRange", "low", "value")),
    Field("reference_high", "Highest usual value", "referenceRange.high", at("referenceRange", "high", "value")),
    Field("missing_reason", "Why there is no value", "dataAbsentReason", code_at("dataAbsentReason")),
    _SITE,
    Field("specimen_id", "Specimen", "specimen", link("Specimen", "specimen")),
)  # fmt: skip


def _medication(resource: Element) -> Any:
    concept = part(resource, "medicationCodeableConcept") or part(resource, "medication")
    if concept is not None:
        return concept
    named = str(part(resource, "medicationReference", "reference") or "")
    return next(
        (medication.get("code") for medication in every(resource, "contained") if f"#{medication.get('id')}" == named),
        None,
    )


def _dose(name: str) -> Read:
    return lambda resource: text(part(resource, "dosageInstruction", "doseAndRate", "doseQuantity", name))


_MEDICATION_REQUEST = (
    own("prescription", "medication_request_id"),
    owner("subject"),
    _ENCOUNTER,
    _STATUS,
    Field("intent", "Intent", "intent", at("intent")),
    *coded("code", "Medication", "medication[x]", _medication),
    Field("medication_id", "Medication: its id", "medicationReference", link("Medication", "medicationReference")),
    Field("authored_date", "When it was prescribed", "authoredOn", at("authoredOn")),
    Field("dose_value", "Dose", "dosageInstruction.doseAndRate", _dose("value")),
    Field("dose_unit", "Unit of the dose", "dosageInstruction.doseAndRate", _dose("unit")),
    Field("route", "Route", "dosageInstruction.route", shown_at("dosageInstruction", "route")),
    Field("quantity", "How much is dispensed", "dispenseRequest.quantity",
          at("dispenseRequest", "quantity", "value")),
    Field("refills", "How often again", "dispenseRequest.numberOfRepeatsAllowed",
          at("dispenseRequest", "numberOfRepeatsAllowed")),
    *coded("reason", "Reason", "reasonCode", _reason),
)  # fmt: skip

_IMMUNIZATION = (
    own("immunization", "immunization_id"),
    owner("patient"),
    _ENCOUNTER,
    _STATUS,
    *coded("code", "Vaccine", "vaccineCode", lambda resource: part(resource, "vaccineCode")),
    Field("occurrence_date", "When", "occurrence[x]", when("occurrence")),
    Field("lot_number", "Lot number", "lotNumber", at("lotNumber")),
    Field("manufacturer", "Manufacturer", "manufacturer", at("manufacturer", "display")),
    Field("route", "Route", "route", shown_at("route")),
    Field("site", "Part of the body", "site", shown_at("site")),
    Field("dose_number", "Which dose", "protocolApplied.doseNumber[x]",
          lambda resource: text(choice(part(resource, "protocolApplied"), "doseNumber")[1])),
    Field("primary_source", "Whether who gave it recorded it", "primarySource", at("primarySource")),
    Field("status_reason", "Why it was not given", "statusReason", shown_at("statusReason")),
    Field("care_site", "Place of care", "location", at("location", "display")),
)  # fmt: skip

RESOURCES: Mapping[str, tuple[Field, ...]] = {
    "Patient": PATIENT,
    "Encounter": _ENCOUNTER_FIELDS,
    "Condition": _CONDITION,
    "Procedure": _PROCEDURE,
    "Observation": _OBSERVATION,
    "MedicationRequest": _MEDICATION_REQUEST,
    "Immunization": _IMMUNIZATION,
}
"""By resource that is read, its columns in their order."""

CODED: Mapping[str, Callable[[Element], Any]] = {
    "Condition": lambda resource: part(resource, "code"),
    "Procedure": lambda resource: part(resource, "code"),
    "Observation": lambda resource: part(resource, "code"),
    "MedicationRequest": _medication,
    "Immunization": lambda resource: part(resource, "vaccineCode"),
}
"""By resource, the code of which codings of further systems have columns of their own."""

JOINED = frozenset("identifier name telecom address extension communication component".split())
"""Elements of which more than the first is looked at, or that have an order of their own."""
