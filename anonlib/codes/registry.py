"""Every code system, in the order in which a column is tried."""

from __future__ import annotations

from anonlib.codes.system import CodeSystem

SYSTEMS: dict[str, CodeSystem] = {}
"""By key."""
