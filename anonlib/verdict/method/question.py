"""The question that a search for a release was given: with it somebody knows what was refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from anonlib.coarsening.hierarchies import Hierarchy
from anonlib.counting.privacy_models import PrivacyModel


@dataclass(frozen=True, eq=False)
class Method:
    """What a search for the least change is asked, as far as it decides which release comes out.

    Attributes
    ----------
    guarantees : tuple[PrivacyModel, ...]
        What must hold of the data that are searched.
    hierarchies : Mapping[str, Hierarchy]
        By column, how it can be coarsened; columns that are not named stay as they are.
    weights : Mapping[str, float], optional
        How much columns matter, 0 to 3; 1 where not named.
    of_parts : tuple[PrivacyModel, ...], optional
        Of the guarantees, those that a search part by part or of single cells takes part in; all where it is None.
    most_left_out : int, default 0
        How many records (persons, summed weights) may be left out at most.
    for_values : bool, default False
        Whether records may be left out for their values, and not for the sizes of their classes alone.
    harmless : Mapping[str, tuple[str, ...]], optional
        By sensitive column, the values that anybody may be sure of, as in the original.
    """

    guarantees: tuple[PrivacyModel, ...]
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=lambda: MappingProxyType({}))
    weights: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    of_parts: tuple[PrivacyModel, ...] | None = None
    most_left_out: int = 0
    for_values: bool = False
    harmless: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
