"""Which code system a column holds, and which of its values are no codes of it.

First come all code systems, in the order in which a column is tried. At the end are the values of a column that are no
codes of a system, so that they stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.basics.words import count, singular
from anonlib.columns.codes import icd9, icd10
from anonlib.columns.codes.care import CPT, ICPC, OPS, PCS
from anonlib.columns.codes.check_digits import LOINC, SNOMED_CT
from anonlib.columns.codes.coordinates import COORDINATES
from anonlib.columns.codes.countries import COUNTRIES
from anonlib.columns.codes.drugs import ATC
from anonlib.columns.codes.nuts import NUTS
from anonlib.columns.codes.persons import PERSONS
from anonlib.columns.codes.postcodes import POSTCODES
from anonlib.columns.codes.states import STATE_SYSTEMS
from anonlib.columns.codes.system import CodeSystem
from anonlib.columns.codes.times import TIMES
from anonlib.columns.codes.work import WORK
from anonlib.columns.identifiers.names import kind_of_name
from anonlib.values.cells import MOSTLY, Values
from anonlib.values.naming import name_tokens, words

HEALTH = (ICPC, CPT, OPS, PCS, icd9.PROCEDURES, icd9.DIAGNOSES, icd10.DIAGNOSES, ATC, LOINC, SNOMED_CT)
"""Of health care: where a name points to several, as “procedure” does, the first that the values fit is taken."""
SYSTEMS: dict[str, CodeSystem] = {
    system.key: system
    for system in (
        *HEALTH, *PERSONS, *POSTCODES, *COUNTRIES, *STATE_SYSTEMS, *NUTS, *WORK, *TIMES, *COORDINATES,
    )
}  # fmt: skip
"""By key."""


_A_LOOK = 64  # values, which show systems that a column plainly does not hold
_CHANCE = 0.15  # by so much the share in a look may be below that of all
_OFFERED = 0.5  # of the values must be codes for a system to be offered
_ENOUGH = 1_000  # values, which show what they look like
# A name with one of these beside the system's own words tells about the thing: “age_at_diagnosis”, “diagnosis_cost”.
_ABOUT = words(
    "age number num count cost costs charge charges price amount date day days week weeks month months year years hour "
    "hours minutes time score flag any has drg rate ratio percent alter anzahl datum jahr kosten nombre numero edad "
    "fecha aantal leeftijd id ids key seq sequence"
)


def recognised(values: Values, name: str = "") -> CodeSystem | None:
    """The code system whose codes nearly all values of a column are, if its name or its values tell; else None.

    Parameters
    ----------
    values : Values
        Distinct values of the column, such as ``250.83`` and ``V57``.
    name : str, default ""
        The column's name: where several systems fit, one that it points to comes first.

    Returns
    -------
    CodeSystem or None
    """
    tokens = name_tokens(name) if name else ()
    some = [str(value) for value in values[:: max(1, len(values) // _A_LOOK)]]
    likely = [system for system in SYSTEMS.values() if _fit(system, some, MOSTLY - _CHANCE)]
    for system in sorted(likely, key=lambda system: not _points_to(tokens, system)):
        by = system.by_content
        if _points_to(tokens, system):
            by = system.by_name or _any
        if by is None:
            continue
        fits = system.fits(values)
        if fits.mean() < MOSTLY:
            continue
        codes = [str(value) for value, fit in zip(values, fits, strict=True) if fit]
        if by(codes[:: max(1, len(codes) // _ENOUGH)]):
            return system
    return None


def has_levels(values: Values, name: str = "") -> bool:
    """Whether the values are codes of a known system that has groups for them.

    Parameters
    ----------
    values : Values
        Distinct values of the column.
    name : str, default ""
        The column's name: where several systems fit, one that it points to comes first.

    Returns
    -------
    bool
    """
    system = recognised(values, name) if len(values) else None
    return system is not None and bool(system.merging(values))


def offered(values: Values, name: str = "") -> list[CodeSystem]:
    """The systems with levels that half of the values or more are codes of, the recognised one first.

    Parameters
    ----------
    values : Values
        Distinct values of the column.
    name : str, default ""
        The column's name. Where it says that the values are something else than the codes of a system, such as ages,
        that system is left out.

    Returns
    -------
    list of CodeSystem
    """
    recognised_system = recognised(values, name)
    named = kind_of_name(name) if name else None
    fitting = [recognised_system] if recognised_system is not None and recognised_system.levels else []
    some = [str(value) for value in values[:: max(1, len(values) // _ENOUGH)]]
    for system in SYSTEMS.values():
        if system is recognised_system or not system.levels:
            continue
        other = named is not None and named.group != "code" and system.kind not in ("", named.key)
        if not other and _fit(system, some, _OFFERED) and (system.by_name or _any)(some):
            fitting.append(system)
    return fitting


def _fit(system: CodeSystem, values: Sequence[str], least: float) -> bool:
    """Whether at least such a share of some values are codes of a system; of most systems few values tell."""
    n = fitting = len(values)
    for value in values:
        if fitting < least * n:
            return False
        fitting -= system.groups_of(value) is None
    return n > 0 and fitting / n >= least


def _any(codes: Sequence[str]) -> bool:
    return True


def _points_to(tokens: tuple[str, ...], system: CodeSystem) -> bool:
    """Whether a name has one of the system's phrases among its words, and no word that tells of something else.

    A phrase that begins with ``=`` must be the whole name.
    """
    for written in system.names:
        phrase = name_tokens(written)
        if written.startswith("=") and tokens != phrase:
            continue
        for i in range(len(tokens) - len(phrase) + 1):
            if tokens[i : i + len(phrase)] == phrase and not _ABOUT & {*tokens[:i], *tokens[i + len(phrase) :]}:
                return True
    return False


@dataclass(frozen=True, eq=False)
class CodeFit:
    """How a column fits a code system.

    Attributes
    ----------
    system : CodeSystem
        The one that the column is compared with.
    n_values : int
        Distinct values of the column, missing not counted.
    strangers : tuple[str, ...]
        The values that are none of its codes, in the column's order.
    records : np.ndarray
        int64, the records that have each of these.
    """

    system: CodeSystem
    n_values: int
    strangers: tuple[str, ...]
    records: np.ndarray

    def sentence(self) -> str:
        """How many values and records stay as they are."""
        n, label = len(self.strangers), self.system.label
        if not n:
            return f"All {count(self.n_values, 'values')} are {label}." if self.n_values > 1 else ""
        records = count(int(self.records.sum()), "records")
        of_all = f"{n:,} of {count(self.n_values, 'values')} ({records})"
        if n == 1:
            return f"{of_all} is no {singular(label)} and stays as it is."
        return f"{of_all} are no {label} and stay as they are."


def fit(system: CodeSystem, values: Values, records: np.ndarray) -> CodeFit:
    """How a column fits a system.

    Parameters
    ----------
    system : CodeSystem
        The one whose codes the values may be.
    values : Values
        Distinct values, none missing.
    records : np.ndarray
        int64, the records of each value.

    Returns
    -------
    CodeFit
    """
    strange = ~system.fits(values)
    strangers = tuple(str(value) for value, is_one in zip(values, strange, strict=True) if is_one)
    return CodeFit(system, len(values), strangers, np.asarray(records)[strange])
