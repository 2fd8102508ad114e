"""The hierarchy of a column of codes: the groups of their system."""

from __future__ import annotations

from collections.abc import Collection

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies.hierarchy import EVERYTHING, Hierarchy
from anonlib.coarsening.recoding import CodeGroup
from anonlib.columns.codes import CodeSystem


def codes(system: CodeSystem, levels: Collection[str] | None = None) -> Hierarchy:
    """Codes of a known system to their groups, level by level, and everything together.

    Parameters
    ----------
    system : CodeSystem
        One of :data:`anonlib.columns.codes.SYSTEMS`.
    levels : Collection[str], optional
        Some of its levels, in any order; all of them where none are given.

    Returns
    -------
    Hierarchy

    Raises
    ------
    InputError
        For a level that the system does not have.

    Examples
    --------
    >>> from anonlib.columns.codes import SYSTEMS
    >>> codes(SYSTEMS["icd-10"], ["blocks"]).on(["I21.4", "I25", "J18.9"]).label(1).tolist()
    ['I20-I25', 'I20-I25', 'J09-J18']
    """
    wanted = system.levels if levels is None else levels
    if unknown := [level for level in wanted if level not in system.levels]:
        raise InputError(
            f"{system.label} have {words.listed(list(system.levels))}, and no “{unknown[0]}”.", code="level-unknown"
        )
    groups = (CodeGroup(system.key, level) for level in system.levels if level in wanted)
    return Hierarchy((*groups, EVERYTHING))
