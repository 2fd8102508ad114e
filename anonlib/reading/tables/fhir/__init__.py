"""FHIR bulk exports: a line a resource, flattened to a table a resource with the fields that people use.

>>> from anonlib.reading.tables.fhir import read_fhir
>>> line = b'{"resourceType": "Patient", "id": "7", "birthDate": "1970-01-31", "gender": "female"}'
>>> [(source.name, list(source.frame.columns)) for _, source in read_fhir([("Patient.ndjson", line)])[0]]
[('Patient.ndjson', ['patient_id', 'gender', 'birth_date'])]
"""

from anonlib.reading.tables.fhir.reading import is_fhir, read_fhir
from anonlib.reading.tables.fhir.resources import RESOURCES

__all__ = ["RESOURCES", "is_fhir", "read_fhir"]
