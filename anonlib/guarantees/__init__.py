"""What must hold of a release against whoever knows a few things: who violates it, and whom to leave out for it."""

from anonlib.guarantees.exposed import CodedRows, Exposure, classes_and_records, exposure, text_of, violating
from anonlib.guarantees.kinds import (
    Average,
    Close,
    Diverse,
    Guarantee,
    Shared,
    Uncertain,
    columns_of,
    guarantee_from_dict,
    guarantee_to_dict,
)
from anonlib.guarantees.leaving_out import least_to_go, left_after

__all__ = [
    "Average",
    "Close",
    "CodedRows",
    "Diverse",
    "Exposure",
    "Guarantee",
    "Shared",
    "Uncertain",
    "classes_and_records",
    "columns_of",
    "exposure",
    "guarantee_from_dict",
    "guarantee_to_dict",
    "least_to_go",
    "left_after",
    "text_of",
    "violating",
]
