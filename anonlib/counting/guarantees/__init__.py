"""What must hold of a release against one who knows a few things: who violates it, and whom to leave out for it."""

from anonlib.counting.guarantees.classes import lacking_groups, sensitive_readings, worst
from anonlib.counting.guarantees.coded import CodedRows
from anonlib.counting.guarantees.coded_persons import Coded, CodedPersons
from anonlib.counting.guarantees.kinds import (
    AttributeDisclosure,
    AverageRiskLimit,
    KAnonymity,
    LDiversity,
    PrivacyModel,
    TCloseness,
    columns_of,
    privacy_model_from_dict,
    privacy_model_to_dict,
)
from anonlib.counting.guarantees.knowing import ALL, ONE, VALUES, RowsKnown, checked_rows, in_short, who_knows
from anonlib.counting.guarantees.leaving_out import least_to_go, left_after
from anonlib.counting.guarantees.leaving_rows import rows_left
from anonlib.counting.guarantees.violating import (
    Violation,
    average_risk,
    number_of_any,
    violating,
    violation,
    violations,
)

__all__ = [
    "ALL",
    "ONE",
    "VALUES",
    "AttributeDisclosure",
    "AverageRiskLimit",
    "Coded",
    "CodedPersons",
    "CodedRows",
    "KAnonymity",
    "LDiversity",
    "PrivacyModel",
    "RowsKnown",
    "TCloseness",
    "Violation",
    "average_risk",
    "checked_rows",
    "columns_of",
    "in_short",
    "lacking_groups",
    "least_to_go",
    "left_after",
    "number_of_any",
    "privacy_model_from_dict",
    "privacy_model_to_dict",
    "rows_left",
    "sensitive_readings",
    "violating",
    "violation",
    "violations",
    "who_knows",
    "worst",
]
