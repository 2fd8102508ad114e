"""Frontier: the best trades between risk and information loss, against Safe Harbor (Xia et al. 2013)."""

from anonlib.analyses.frontier.bound import LowerBound, lower_bounds, why_no_bound
from anonlib.analyses.frontier.chains import evaluate_chain
from anonlib.analyses.frontier.domains import SPARSE_ZIP3, Domain, alphabetical, place_on_a_scale, safe_harbor_order
from anonlib.analyses.frontier.evaluation import Plane, evaluate
from anonlib.analyses.frontier.full_domain import FullDomain, full_domain
from anonlib.analyses.frontier.interval_programs import interval_programs
from anonlib.analyses.frontier.matching import Match, match, matched_only, one_value_a_person, with_records
from anonlib.analyses.frontier.measures import LOSSES, RISKS, Measure
from anonlib.analyses.frontier.placement import LabelledRecords, Placement, place
from anonlib.analyses.frontier.result import Frontier, PolicySummary, summary
from anonlib.analyses.frontier.searches import bisection, enumeration, random_chains
from anonlib.analyses.frontier.space import PolicyCells, PolicySpace, sparse_zip3
from anonlib.analyses.frontier.sublattices import sublattices
from anonlib.analyses.frontier.update_rates import UpdateRates, update_rates

__all__ = [
    "LOSSES",
    "RISKS",
    "SPARSE_ZIP3",
    "Domain",
    "Frontier",
    "FullDomain",
    "LabelledRecords",
    "LowerBound",
    "Match",
    "Measure",
    "Placement",
    "Plane",
    "PolicyCells",
    "PolicySpace",
    "PolicySummary",
    "UpdateRates",
    "alphabetical",
    "bisection",
    "enumeration",
    "evaluate",
    "evaluate_chain",
    "full_domain",
    "interval_programs",
    "lower_bounds",
    "match",
    "matched_only",
    "one_value_a_person",
    "place",
    "place_on_a_scale",
    "random_chains",
    "safe_harbor_order",
    "sparse_zip3",
    "sublattices",
    "summary",
    "update_rates",
    "why_no_bound",
    "with_records",
]
