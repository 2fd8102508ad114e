"""Names that surveys, registers, data models and laboratories give their columns: codes that say nothing by themselves.

A survey begins a line; then, indented, kinds with their names. A name ends with ``*`` where any ending may follow.
"""

from anonlib.columns.identifiers.survey_names.health import HEALTH
from anonlib.columns.identifiers.survey_names.population import POPULATION

SURVEYS = (POPULATION, HEALTH)
"""Every text."""

__all__ = ["SURVEYS"]
