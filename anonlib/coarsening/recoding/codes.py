"""Codes of a known system to the group that they belong to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from anonlib.basics import checks, words
from anonlib.basics.errors import InputError
from anonlib.columns.codes import SYSTEMS, CodeSystem
from anonlib.values.cells import Values


@dataclass(frozen=True)
class CodeGroup:
    """Codes to their group on a level of their system: ``250.83`` -> ``249-259``, the block of ICD-9-CM.

    Attributes
    ----------
    system : str
        The key of a system in :data:`anonlib.columns.codes.SYSTEMS`.
    level : str
        One of its levels, such as ``blocks``.

    Raises
    ------
    InputError
        For a system or a level that does not exist.
    """

    system: str
    level: str

    def __post_init__(self) -> None:
        known = SYSTEMS.get(checks.text(self.system, "The code system"))
        if known is None:
            raise InputError(
                f"The code systems are {words.listed(list(SYSTEMS))}; “{self.system}” is none of them.",
                code="code-system-unknown",
            )
        if not known.levels:
            raise InputError(
                f"{known.label} have no groups here to recode them to. Choose another way.",
                code="code-system-without-groups",
            )
        if self.level not in known.levels:
            raise InputError(
                f"{known.label} have {words.listed(list(known.levels))}, and no “{self.level}”.", code="level-unknown"
            )

    @property
    def of(self) -> CodeSystem:
        """The code system."""
        return SYSTEMS[self.system]

    def labels(self, values: Values) -> np.ndarray:
        """What each value is released as.

        Parameters
        ----------
        values : Values
            Distinct values, none missing.

        Returns
        -------
        object array, one item a value
            The group of a code; what is no code of the system stays as it is.
        """
        return self.of.labels(values, self.level)

    def covers(self, values: Values) -> np.ndarray:
        """bool per value: it is a code of the system."""
        return self.of.fits(values)

    def meaning(self, label: str) -> str:
        """What a released label says, in words; "" where it is no group's."""
        return self.of.meaning(label, self.level)

    def describe(self) -> str:
        """The way of recoding in a few words, such as ``blocks of ICD-9-CM diagnosis codes``."""
        return self.of.describe(self.level)
