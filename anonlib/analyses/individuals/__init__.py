"""Whose sensitive value can be inferred, and from what: privacy of individuals against partial knowledge.

After S. Kroes, M. Janssen, R. Groenwold and M. van Leeuwen, "Evaluating privacy of individuals in medical data",
Health Informatics Journal 27(2), 2021.
"""

from anonlib.analyses.individuals.attacker import BELOW_ONE, KNOWS_ALL, KNOWS_ANY, Attacker, Measure, default_q
from anonlib.analyses.individuals.elsewhere import PrivacyElsewhere, UnanimousPeers, privacy_elsewhere
from anonlib.analyses.individuals.individual import Individual, ProtectingChange, remedies
from anonlib.analyses.individuals.intervals import GeneralizationScan, Partition, generalization_scan
from anonlib.analyses.individuals.intrusion import Intrusion, correct_match, intrusion
from anonlib.analyses.individuals.knowledge import BreachProbability, breach_probability
from anonlib.analyses.individuals.leave_one_out import LeaveOneOut, leave_one_out
from anonlib.analyses.individuals.measures import estimated_seconds
from anonlib.analyses.individuals.minimal import BreachingSets, MinimalSets, SinglingOut, breaching_sets, singling_out
from anonlib.analyses.individuals.peers import PeerCounts, protective_peers
from anonlib.analyses.individuals.profile import PrivacyProfile, privacy_profile
from anonlib.analyses.individuals.sampling import Individuals

__all__ = [
    "BELOW_ONE",
    "KNOWS_ALL",
    "KNOWS_ANY",
    "Attacker",
    "BreachProbability",
    "BreachingSets",
    "GeneralizationScan",
    "Individual",
    "Individuals",
    "Intrusion",
    "LeaveOneOut",
    "Measure",
    "MinimalSets",
    "Partition",
    "PeerCounts",
    "PrivacyElsewhere",
    "PrivacyProfile",
    "ProtectingChange",
    "SinglingOut",
    "UnanimousPeers",
    "breach_probability",
    "breaching_sets",
    "correct_match",
    "default_q",
    "estimated_seconds",
    "generalization_scan",
    "intrusion",
    "leave_one_out",
    "privacy_elsewhere",
    "privacy_profile",
    "protective_peers",
    "remedies",
    "singling_out",
]
