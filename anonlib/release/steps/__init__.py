"""The steps a recipe is made of; :class:`Step` says what a new kind has to give."""

from anonlib.release.steps.at_most_rows import AtMostRows
from anonlib.release.steps.cell_suppression import BlankCells
from anonlib.release.steps.collapse_rare import MergeRare
from anonlib.release.steps.drop_columns import DropColumns
from anonlib.release.steps.earlier import Suppress, counted_otherwise, reader_of
from anonlib.release.steps.hold_back import HoldBack
from anonlib.release.steps.local_recoding import GeneralizeLocally
from anonlib.release.steps.places import AggregatePlaces
from anonlib.release.steps.recode import OTHERS, Others, Recode
from anonlib.release.steps.record_suppression import LeaveOut
from anonlib.release.steps.shift_dates import ShiftDates
from anonlib.release.steps.step import (
    STEP_KINDS,
    Decision,
    LabelsBy,
    ReachableLevel,
    Scope,
    Stage,
    Step,
    Unseen,
    unseen_in,
)
from anonlib.release.steps.unlink import Unlink

__all__ = [
    "OTHERS",
    "STEP_KINDS",
    "AggregatePlaces",
    "AtMostRows",
    "BlankCells",
    "Decision",
    "DropColumns",
    "GeneralizeLocally",
    "HoldBack",
    "LabelsBy",
    "LeaveOut",
    "MergeRare",
    "Others",
    "ReachableLevel",
    "Recode",
    "Scope",
    "ShiftDates",
    "Stage",
    "Step",
    "Suppress",
    "Unlink",
    "Unseen",
    "counted_otherwise",
    "reader_of",
    "unseen_in",
]  # fmt: skip
