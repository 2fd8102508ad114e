"""The steps a recipe is made of; :class:`Step` says what a new kind has to give."""

from anonlib.release.steps.leave_out import LeaveOutExposed
from anonlib.release.steps.places import AggregatePlaces
from anonlib.release.steps.rare import MergeRare
from anonlib.release.steps.recode import OTHERS, Others, Recode
from anonlib.release.steps.requirements import GeneralizeLocally, SuppressViolating
from anonlib.release.steps.step import STEP_KINDS, Decision, Scope, Stage, Step, Unseen
from anonlib.release.steps.unlink import Unlink
from anonlib.release.steps.whole import DropColumns, Suppress

__all__ = [
    "OTHERS", "STEP_KINDS", "AggregatePlaces", "Decision", "DropColumns", "GeneralizeLocally", "LeaveOutExposed",
    "MergeRare", "Others", "Recode", "Scope", "Stage", "Step", "Suppress", "SuppressViolating", "Unlink",
    "Unseen",
]  # fmt: skip
