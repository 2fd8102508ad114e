"""What a release must meet for its recipient, whether it does, and the verdict."""

from anonlib.criteria.aim import Aim
from anonlib.criteria.case import Case, Counted, counted
from anonlib.criteria.cells import ColumnsNotCounted, NoIdentifiers, SafeHarbor, SmallestPlace
from anonlib.criteria.criterion import CRITERION_KINDS, Criterion, Finding, Limit, State, criterion_from_dict
from anonlib.criteria.diversity import Closeness, Diversity
from anonlib.criteria.earlier import EarlierReleases
from anonlib.criteria.gate import why_it_stays
from anonlib.criteria.inference import Inference
from anonlib.criteria.leaks import Leakage
from anonlib.criteria.rare import RareValues
from anonlib.criteria.recipients import BY_KEY, DEFAULT, RECIPIENTS, Recipient
from anonlib.criteria.rows import ends_of
from anonlib.criteria.sizes import AverageRisk, Combinations, HighestRisk, SmallestClass
from anonlib.criteria.telling import TellingColumns
from anonlib.criteria.use import ColumnsStay, DetailKept, RecordsKept
from anonlib.criteria.verdict import Accepted, Verdict, judge

__all__ = [
    "BY_KEY", "CRITERION_KINDS", "DEFAULT", "RECIPIENTS", "Accepted", "Aim", "AverageRisk", "Case", "Closeness",
    "ColumnsNotCounted", "ColumnsStay", "Combinations", "Counted", "Criterion", "DetailKept", "Diversity",
    "EarlierReleases", "Finding", "HighestRisk", "Inference", "Leakage", "Limit", "NoIdentifiers", "RareValues",
    "Recipient", "RecordsKept", "SafeHarbor", "SmallestClass", "SmallestPlace", "State", "TellingColumns", "Verdict",
    "counted", "criterion_from_dict", "ends_of", "judge", "why_it_stays",
]  # fmt: skip
