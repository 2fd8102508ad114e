"""Screening schedules that are anonymous by construction (Caballero, Sen and Nygård 2017)."""

from anonlib.analyses.schedules.experiments import (
    RandomProgramme,
    ScreeningDate,
    Table10,
    Table11,
    norway_programmes,
    program_programme,
    table10,
    table11,
    text_programme,
)
from anonlib.analyses.schedules.heuristics import greedy_schedule, random_schedule
from anonlib.analyses.schedules.index import (
    EXACT_LIMIT,
    LogIndex,
    improvement,
    lexicographic_index,
    log_index,
    number_of_vectors,
)
from anonlib.analyses.schedules.invitations import (
    Invitees,
    Slots,
    appointments,
    capacity_column,
    check_room,
    made_up_people,
    made_up_slots,
    not_invited,
    people_of,
    slots_of,
    with_distinct_names,
)
from anonlib.analyses.schedules.names import Names
from anonlib.analyses.schedules.optimal import optimal_schedule
from anonlib.analyses.schedules.ruled.feasibility import check_feasible
from anonlib.analyses.schedules.rules import Breaches, MaxDistance, OriginMix, Rule, SameRegion, breaches, restrictions
from anonlib.analyses.schedules.schedule import Schedule, assign_people, with_groups, with_values
from anonlib.counting.classes import AnonymityVector, anonymity_vector

__all__ = [
    "EXACT_LIMIT",
    "AnonymityVector",
    "Breaches",
    "Invitees",
    "LogIndex",
    "MaxDistance",
    "Names",
    "OriginMix",
    "RandomProgramme",
    "Rule",
    "SameRegion",
    "Schedule",
    "ScreeningDate",
    "Slots",
    "Table10",
    "Table11",
    "anonymity_vector",
    "appointments",
    "assign_people",
    "breaches",
    "capacity_column",
    "check_feasible",
    "check_room",
    "greedy_schedule",
    "improvement",
    "lexicographic_index",
    "log_index",
    "made_up_people",
    "made_up_slots",
    "norway_programmes",
    "not_invited",
    "number_of_vectors",
    "optimal_schedule",
    "people_of",
    "program_programme",
    "random_schedule",
    "restrictions",
    "slots_of",
    "table10",
    "table11",
    "text_programme",
    "with_distinct_names",
    "with_groups",
    "with_values",
]
