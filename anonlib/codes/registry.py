"""Every code system, in the order in which a column is tried."""

from __future__ import annotations

from anonlib.codes.health import HEALTH
from anonlib.codes.system import CodeSystem

SYSTEMS: dict[str, CodeSystem] = {system.key: system for system in (*HEALTH,)}
"""By key."""
