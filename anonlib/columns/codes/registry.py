"""Every code system, in the order in which a column is tried."""

from __future__ import annotations

from anonlib.columns.codes import icd9, icd10
from anonlib.columns.codes.care import CPT, ICPC, OPS, PCS
from anonlib.columns.codes.check_digits import LOINC, SNOMED_CT
from anonlib.columns.codes.coordinates import COORDINATES
from anonlib.columns.codes.countries import COUNTRIES
from anonlib.columns.codes.drugs import ATC
from anonlib.columns.codes.nuts import NUTS
from anonlib.columns.codes.persons import PERSONS
from anonlib.columns.codes.postcodes import POSTCODES
from anonlib.columns.codes.states import STATE_SYSTEMS
from anonlib.columns.codes.system import CodeSystem
from anonlib.columns.codes.times import TIMES
from anonlib.columns.codes.work import WORK

HEALTH = (ICPC, CPT, OPS, PCS, icd9.PROCEDURES, icd9.DIAGNOSES, icd10.DIAGNOSES, ATC, LOINC, SNOMED_CT)
"""Of health care: where a name points to several, as “procedure” does, the first that the values fit is taken."""
SYSTEMS: dict[str, CodeSystem] = {
    system.key: system
    for system in (
        *HEALTH, *PERSONS, *POSTCODES, *COUNTRIES, *STATE_SYSTEMS, *NUTS, *WORK, *TIMES, *COORDINATES,
    )
}  # fmt: skip
"""By key."""
