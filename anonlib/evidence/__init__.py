"""Evidence: what an officer files of an assessment, and what a team re-runs. One value; everything else is a view."""

from anonlib.evidence.evidence import (
    CONFIDENTIAL,
    PART_NAMES,
    PARTS,
    VALUE_TABLES,
    AloneFacts,
    ColumnFacts,
    CriterionFacts,
    Evidence,
    FileFacts,
    Inferred,
    Leaking,
    PopulationFacts,
    Recoded,
    ReleasedFacts,
    RiskFacts,
    SensitiveFacts,
    SinglingOutFacts,
    StepFacts,
    UtilityFacts,
    VersionFacts,
)
from anonlib.evidence.gather import MOST_RECODED, gather
from anonlib.evidence.leaving import released_file, written_beside, written_into
from anonlib.evidence.measures import risk_of
from anonlib.evidence.returned import Check, Verification, verify
from anonlib.evidence.saved import from_json as evidence_of
from anonlib.evidence.saved import to_json
from anonlib.evidence.script import script_of

__all__ = [
    "CONFIDENTIAL", "MOST_RECODED", "PARTS", "PART_NAMES", "VALUE_TABLES", "AloneFacts", "Check", "ColumnFacts",
    "CriterionFacts", "Evidence", "FileFacts", "Inferred", "Leaking", "PopulationFacts", "Recoded", "ReleasedFacts",
    "RiskFacts", "SensitiveFacts", "SinglingOutFacts", "StepFacts", "UtilityFacts", "Verification", "VersionFacts",
    "evidence_of", "gather", "released_file", "risk_of", "script_of", "to_json", "verify", "written_beside",
    "written_into",
]  # fmt: skip
