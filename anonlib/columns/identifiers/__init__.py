"""What a column holds, from its name and from the shape of its values.

The kinds cover the 18 identifier classes of the HIPAA Safe Harbor, 45 CFR 164.514(b)(2)(i)(A)-(R), the usual
demographic quasi-identifiers and the usual sensitive facts. Names are matched as whole words in nine languages, and as
codes of surveys; values by their shape, on distinct values and never row by row.
"""

from anonlib.columns.identifiers.evidence import (
    ContentEvidence,
    are_plain_numbers,
    evidence_of_values,
    points_to_someone,
)
from anonlib.columns.identifiers.kinds import HIPAA_CLASSES, KINDS, Kind, hipaa_class
from anonlib.columns.identifiers.names import kind_of_name, kind_of_title, names_quantity, names_share_or_score
from anonlib.columns.identifiers.pairs import pair_columns
from anonlib.columns.identifiers.surveys import kinds_of_survey
from anonlib.values.naming import name_tokens

__all__ = [
    "HIPAA_CLASSES",
    "KINDS",
    "ContentEvidence",
    "Kind",
    "are_plain_numbers",
    "evidence_of_values",
    "hipaa_class",
    "kind_of_name",
    "kind_of_title",
    "kinds_of_survey",
    "name_tokens",
    "names_quantity",
    "names_share_or_score",
    "pair_columns",
    "points_to_someone",
]
