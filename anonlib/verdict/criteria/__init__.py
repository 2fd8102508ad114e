"""What a release must meet for its recipient, whether it does, and the verdict."""

from anonlib.verdict.criteria.aim import BLANK_CELLS, PARTS, WAYS, WAYS_IN_WORDS, WHOLE_COLUMNS, Aim, Then
from anonlib.verdict.criteria.case import Case, Counted, counted
from anonlib.verdict.criteria.cells import NoIdentifiers, SafeHarbor, SmallestPlace, UnclassifiedColumns
from anonlib.verdict.criteria.criterion import (
    CRITERION_KINDS,
    NOBODY_FOUND,
    NOBODY_LEARNED,
    Criterion,
    Finding,
    Limit,
    Meaning,
    Mending,
    Option,
    State,
    UniquenessLimit,
    criterion_from_dict,
    not_implied,
    title_is_of,
)
from anonlib.verdict.criteria.diversity import Closeness, Diversity
from anonlib.verdict.criteria.earlier import EarlierReleases, asked_of_earlier
from anonlib.verdict.criteria.inference import Inference, Spelled, spelled_differently, spelled_in_words
from anonlib.verdict.criteria.leaks import Leakage
from anonlib.verdict.criteria.method import MethodDisclosure, coin_in_words, left_for_value_in_words
from anonlib.verdict.criteria.pseudonyms import SamePseudonyms, asked_of_pseudonyms
from anonlib.verdict.criteria.recipients import BY_KEY, DEFAULT, RECIPIENTS, Recipient
from anonlib.verdict.criteria.revealing_columns import NoRevealingColumns
from anonlib.verdict.criteria.rows import ends_of, of_rows
from anonlib.verdict.criteria.sizes import (
    AskedSizes,
    AverageRisk,
    Combinations,
    HighestRisk,
    RareValues,
    SmallestClass,
    sizes_asked,
)
from anonlib.verdict.criteria.uniqueness_of_release import UniquenessOfRelease
from anonlib.verdict.criteria.use import ColumnsStay, DetailKept, RecordsKept
from anonlib.verdict.criteria.verdict import Accepted, Verdict, judge, why_it_stays

__all__ = [
    "BLANK_CELLS",
    "BY_KEY",
    "CRITERION_KINDS",
    "DEFAULT",
    "NOBODY_FOUND",
    "NOBODY_LEARNED",
    "PARTS",
    "RECIPIENTS",
    "WAYS",
    "WAYS_IN_WORDS",
    "WHOLE_COLUMNS",
    "Accepted",
    "Aim",
    "AskedSizes",
    "AverageRisk",
    "Case",
    "Closeness",
    "ColumnsStay",
    "Combinations",
    "Counted",
    "Criterion",
    "DetailKept",
    "Diversity",
    "EarlierReleases",
    "Finding",
    "HighestRisk",
    "Inference",
    "Leakage",
    "Limit",
    "Meaning",
    "Mending",
    "MethodDisclosure",
    "NoIdentifiers",
    "NoRevealingColumns",
    "Option",
    "RareValues",
    "Recipient",
    "RecordsKept",
    "SafeHarbor",
    "SamePseudonyms",
    "SmallestClass",
    "SmallestPlace",
    "Spelled",
    "State",
    "Then",
    "UnclassifiedColumns",
    "UniquenessLimit",
    "UniquenessOfRelease",
    "Verdict",
    "asked_of_earlier",
    "asked_of_pseudonyms",
    "coin_in_words",
    "counted",
    "criterion_from_dict",
    "ends_of",
    "judge",
    "left_for_value_in_words",
    "not_implied",
    "of_rows",
    "sizes_asked",
    "spelled_differently",
    "spelled_in_words",
    "title_is_of",
    "why_it_stays",
]  # fmt: skip
