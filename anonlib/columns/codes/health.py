"""The code systems of health care, in the order in which a column is tried.

Where a name points to several, as “procedure” and “diagnosis” do, the first that the values fit is taken.
"""

from anonlib.columns.codes import icd9, icd10
from anonlib.columns.codes.care import CPT, ICPC, OPS, PCS
from anonlib.columns.codes.check_digits import LOINC, SNOMED_CT
from anonlib.columns.codes.drugs import ATC

HEALTH = (ICPC, CPT, OPS, PCS, icd9.PROCEDURES, icd9.DIAGNOSES, icd10.DIAGNOSES, ATC, LOINC, SNOMED_CT)
