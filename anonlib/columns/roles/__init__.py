"""What part each column plays in re-identification, and a reasoned suggestion for it.

A suggestion is made from the column's name and content (:mod:`anonlib.columns.identifiers`) and from how well the
column tells records apart. It sets nothing: a column has a role when the officer gives it one. Where nothing but the
officer's knowledge of the world can tell, the suggestion asks (``Suggestion.asked``).
"""

from anonlib.columns.roles.columns import RankedColumn, ages_in, numbers_are_dates, rank_quasi_identifiers
from anonlib.columns.roles.role import SAVED_ROLES, Role, undecided
from anonlib.columns.roles.suggestions import MAX_DEMOGRAPHICS, Suggestion, suggest_roles

__all__ = [
    "MAX_DEMOGRAPHICS",
    "SAVED_ROLES",
    "RankedColumn",
    "Role",
    "Suggestion",
    "ages_in",
    "numbers_are_dates",
    "rank_quasi_identifiers",
    "suggest_roles",
    "undecided",
]
