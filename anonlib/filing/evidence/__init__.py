"""Evidence: what an officer files of an assessment, and what a team re-runs. One value; everything else is a view."""

from anonlib.filing.evidence.evidence import (
    CONFIDENTIAL,
    PART_NAMES,
    PARTS,
    VALUE_TABLES,
    AloneFacts,
    CriterionFacts,
    Evidence,
    InferredFacts,
    Leaking,
    PopulationFacts,
    RiskFacts,
    SensitiveFacts,
    SinglingOutFacts,
    VersionFacts,
)
from anonlib.filing.evidence.gather import MOST_CELLS, MOST_RECODED, gather, of_case
from anonlib.filing.evidence.leaving import released_file, written_beside, written_into
from anonlib.filing.evidence.measures import risk_of
from anonlib.filing.evidence.returned import Check, Verification, verify, verify_returned
from anonlib.filing.evidence.saved import from_json as evidence_of
from anonlib.filing.evidence.saved import to_json
from anonlib.filing.evidence.script import script_of
from anonlib.filing.evidence.table import ColumnFacts, FileFacts, RecodedValue, ReleasedFacts, StepFacts, TableFacts
from anonlib.filing.evidence.utility import UtilityFacts

__all__ = [
    "CONFIDENTIAL", "MOST_CELLS", "MOST_RECODED", "PARTS", "PART_NAMES", "VALUE_TABLES", "AloneFacts", "Check",
    "ColumnFacts", "CriterionFacts", "Evidence", "FileFacts", "InferredFacts", "Leaking", "PopulationFacts",
    "RecodedValue", "ReleasedFacts", "RiskFacts", "SensitiveFacts", "SinglingOutFacts", "StepFacts", "TableFacts",
    "UtilityFacts", "Verification", "VersionFacts", "evidence_of", "gather", "of_case", "released_file", "risk_of",
    "script_of", "to_json", "verify", "verify_returned", "written_beside", "written_into",
]  # fmt: skip
