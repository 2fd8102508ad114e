"""The code systems of health care, in the order in which a column is tried.

Where a name points to several, as “procedure” and “diagnosis” do, the first that the values fit is taken.
"""

from anonlib.columns.codes import icd9, icd10
from anonlib.columns.codes.care import CPT, ICPC, OPS, PCS
from anonlib.columns.codes.drugs import ATC
from anonlib.columns.codes.told import LOINC, SNOMED_CT

HEALTH = (ICPC, CPT, OPS, PCS, icd9.PROCEDURES, icd9.DIAGNOSES, icd10.DIAGNOSES, ATC, LOINC, SNOMED_CT)
