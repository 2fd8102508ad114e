"""Every code system, in the order in which a column is tried."""

from __future__ import annotations

from anonlib.codes.coordinates import COORDINATES
from anonlib.codes.countries import COUNTRIES
from anonlib.codes.health import HEALTH
from anonlib.codes.nuts import NUTS
from anonlib.codes.persons import PERSONS
from anonlib.codes.postcodes import POSTCODES
from anonlib.codes.states import STATE_SYSTEMS
from anonlib.codes.system import CodeSystem
from anonlib.codes.times import TIMES
from anonlib.codes.work import WORK

SYSTEMS: dict[str, CodeSystem] = {
    system.key: system
    for system in (
        *HEALTH, *PERSONS, *POSTCODES, *COUNTRIES, *STATE_SYSTEMS, *NUTS, *WORK, *TIMES, *COORDINATES,
    )
}  # fmt: skip
"""By key."""
