"""What sets of attributes give away in the original and in the release, and what became of alerts.

First comes what each set of attributes gives away before and after. Then alerts of one table are compared with those of
another set by set, since their number says nothing. An alert is a smallest set past a limit and stands for all that
contain it. Once it is past no limit any more, larger sets that it stood for are the smallest: their number grows
although fewer sets are past a limit than before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from anonlib.analyses.leakage.loss import LeakageTable
from anonlib.analyses.leakage.minimal import Alert, Alerts
from anonlib.basics import words
from anonlib.basics.errors import InputError

Fate = Literal["", "utility gone", "dropped", "partly dropped"]


@dataclass(frozen=True, eq=False)
class LeakageComparison:
    """What became of each set of attributes from one table to another (the paper's Table 8). One item a set.

    Attributes
    ----------
    sets : tuple[tuple[str, ...], ...]
        The sets of the table before.
    normalized_before, normalized_after : np.ndarray
        Average loss / S_0, in [0, 1], each by its own table's S_0.
    loss_before, loss_after : np.ndarray
        The same in bits.
    worst_before, worst_after : np.ndarray
        The worst person's normalized loss, in [0, 1].
    smallest_before, smallest_after, below_before, below_after : np.ndarray
        Records in the smallest group, and in small groups.
    fates : tuple[Fate, ...]
        "utility gone" where a loss became 0, "dropped" where no attribute is left, "partly dropped" where some are:
        what is after is then of those that are left, which is all that someone who knows the set can use.
    """

    sets: tuple[tuple[str, ...], ...]
    normalized_before: np.ndarray
    normalized_after: np.ndarray
    loss_before: np.ndarray
    loss_after: np.ndarray
    worst_before: np.ndarray
    worst_after: np.ndarray
    smallest_before: np.ndarray
    smallest_after: np.ndarray
    below_before: np.ndarray
    below_after: np.ndarray
    fates: tuple[Fate, ...]

    def to_frame(self) -> pd.DataFrame:
        """One row a set: ``variables`` (a tuple), every measure before and after, and its ``fate``."""
        arrays = {name: value for name, value in vars(self).items() if isinstance(value, np.ndarray)}
        return pd.DataFrame({"variables": list(self.sets), **arrays, "fate": list(self.fates)})


def compare_leakage(before: LeakageTable, after: LeakageTable) -> LeakageComparison:
    """Each set of columns in the original against what is left of it in the release.

    Parameters
    ----------
    before, after : LeakageTable
        The leakage of original and release.

    Returns
    -------
    LeakageComparison

    Raises
    ------
    InputError
        If ``after`` lacks a set of which all columns are left: measure both up to the same size.
    """
    left = [tuple(name for name in names if name in after.attributes) for names in before.sets]
    place = [after.place(names) if names else -1 for names in left]
    n = after.n_records
    nothing = {"normalized": 0.0, "loss": 0.0, "worst_normalized": 0.0, "smallest": n, "below_k": n * (n < after.k)}

    def then(name: str) -> np.ndarray:
        values = getattr(after, name)
        return np.append(values, np.array([nothing[name]], dtype=values.dtype))[place]

    loss_after = then("loss")
    return LeakageComparison(
        before.sets,
        before.normalized,
        then("normalized"),
        before.loss,
        loss_after,
        before.worst_normalized,
        then("worst_normalized"),
        before.smallest,
        then("smallest"),
        before.below_k,
        then("below_k"),
        tuple(map(_fate, before.sets, left, before.loss.tolist(), loss_after.tolist())),
    )


def _fate(names: tuple[str, ...], left: tuple[str, ...], before: float, after: float) -> Fate:
    if not left:
        return "dropped"
    if before > 0 and after == 0:
        return "utility gone"
    return "partly dropped" if len(left) < len(names) else ""


AlertFate = Literal["remains", "by fewer columns", "gone"]
"""What became of an alert: it still is one; a part of it is one now; none of the sets in it is past a limit."""
AlertOrigin = Literal["remains", "uncovered", "by fewer columns", "new"]
"""What an alert was before: an alert; a set past a limit that an alert in it stood for; a part of an alert, past no
limit by itself; or neither, and past no limit."""


_FATES_IN_WORDS: tuple[tuple[AlertFate, tuple[str, str], str], ...] = (
    ("remains", ("remains", "remain"), ""),
    ("by fewer columns", ("is", "are"), " past a limit by fewer columns now"),
    ("gone", ("is", "are"), " gone"),
)
_ORIGINS_IN_WORDS: tuple[tuple[AlertOrigin, str, str], ...] = (
    (
        "uncovered",
        "contains one that is gone and stood for it: it was past a limit in the original too",
        "contain one that is gone and stood for them: they were past a limit in the original too",
    ),
    (
        "by fewer columns",
        "is part of an alert in the original, and was past no limit there by itself",
        "are parts of alerts in the original, and were past no limit there by themselves",
    ),
    ("new", "was past no limit in the original", "were past no limit in the original"),
)


@dataclass(frozen=True)
class AlertComparison:
    """The alerts of two tables, such as original and release, against each other.

    Attributes
    ----------
    before, after : Alerts
        The alerts of both, by the same limits.
    fates : tuple[AlertFate, ...]
        One an alert before.
    origins : tuple[AlertOrigin, ...]
        One an alert after.
    """

    before: Alerts
    after: Alerts
    fates: tuple[AlertFate, ...]
    origins: tuple[AlertOrigin, ...]

    @property
    def remaining(self) -> int:
        """How many sets of columns are an alert before and after."""
        return self.fates.count("remains")

    @property
    def others(self) -> int:
        """How many sets are an alert after that were none before."""
        return len(self.origins) - self.remaining

    def in_words(self) -> str:
        """The comparison in sentences: ``Of 3 alerts in the original 1 remains and 2 are gone. No other appears.``"""
        return f"{self._of_before()} {self._of_after()}".strip()

    def _of_before(self) -> str:
        n = len(self.fates)
        if not n:
            return "The original has no alert."
        parts = [
            f"{_is(self.fates.count(fate), *verbs)}{rest}"
            for fate, verbs, rest in _FATES_IN_WORDS
            if self.fates.count(fate)
        ]
        if len(parts) == 1:
            _, verbs, rest = next(phrase for phrase in _FATES_IN_WORDS if phrase[0] == self.fates[0])
            whole = "The one alert" if n == 1 else f"All {n:,} alerts"
            return f"{whole} in the original {verbs[n > 1]}{rest}."
        return f"Of {n:,} alerts in the original {words.listed(parts)}."

    def _of_after(self) -> str:
        if not self.others:
            return "No other appears." if self.origins or self.fates else ""
        others = "1 other appears" if self.others == 1 else f"{self.others:,} others appear"
        parts = [phrase for phrase in _ORIGINS_IN_WORDS if self.origins.count(phrase[0])]
        if len(parts) == 1:
            _, singular, plural = parts[0]
            return f"{others}, which {singular if self.others == 1 else plural}."
        counts = [(self.origins.count(origin), singular, plural) for origin, singular, plural in parts]
        return f"{others}: {'; '.join(_is(*counted) for counted in counts)}."

    def to_frame(self) -> pd.DataFrame:
        """One row a set that is an alert before or after.

        Columns ``variables`` (a tuple), ``before`` and ``after`` (whether it is an alert), ``fate`` of those before and
        ``origin`` of those after ("" of others). Those before come first.
        """
        origin_of = {_key(alert): origin for alert, origin in zip(self.after.alerts, self.origins, strict=True)}
        rows: list[tuple[object, ...]] = [
            (alert.attributes, True, fate == "remains", fate, origin_of.get(_key(alert), ""))
            for alert, fate in zip(self.before.alerts, self.fates, strict=True)
        ]
        rows += [
            (alert.attributes, False, True, "", origin)
            for alert, origin in zip(self.after.alerts, self.origins, strict=True)
            if origin != "remains"
        ]
        return pd.DataFrame(rows, columns=["variables", "before", "after", "fate", "origin"])


def compare_alerts(before: Alerts, after: Alerts) -> AlertComparison:
    """Which alerts remain, which are gone, and what those that appear were before.

    Parameters
    ----------
    before, after : Alerts
        The alerts of original and release by the same limits, each of sets up to the same size (or of all sets, where
        fewer columns are left): see :meth:`anonlib.analyses.leakage.LeakageTable.at_most`.

    Returns
    -------
    AlertComparison

    Raises
    ------
    InputError
        Where the limits differ, so that a difference says nothing.

    Examples
    --------
    The postcode alone gave people away. Coarser, it does so with the sex or the age: one alert became two.

    >>> def of(*sets):
    ...     alerts = tuple(Alert(each, ("average",), 0.6, 0.6, 5, 0) for each in sets)
    ...     return Alerts(0.5, 1.0, 1, 2, alerts, ())
    >>> found = compare_alerts(of(("zip",)), of(("sex", "zip"), ("age", "zip")))
    >>> found.fates, found.origins
    (('gone',), ('uncovered', 'uncovered'))
    >>> print(found.in_words().partition(", which")[0])
    The one alert in the original is gone. 2 others appear
    """
    limits = [(alerts.average, alerts.worst, alerts.smallest) for alerts in (before, after)]
    if limits[0] != limits[1]:
        raise InputError(
            "Alerts of different limits cannot be compared: take the same limits for both.", code="limits-differ"
        )
    old, new = ([_key(alert) for alert in alerts.alerts] for alerts in (before, after))
    return AlertComparison(
        before,
        after,
        tuple(_fate_of_set(names, new) for names in old),
        tuple(_origin(names, old) for names in new),
    )


def _key(alert: Alert) -> frozenset[str]:
    return frozenset(alert.attributes)


def _fate_of_set(names: frozenset[str], after: Iterable[frozenset[str]]) -> AlertFate:
    inside = [other for other in after if other <= names]
    if not inside:
        return "gone"
    return "remains" if names in inside else "by fewer columns"


def _origin(names: frozenset[str], before: Iterable[frozenset[str]]) -> AlertOrigin:
    within = [other for other in before if other <= names]
    if names in within:
        return "remains"
    if within:
        return "uncovered"
    return "by fewer columns" if any(names < other for other in before) else "new"


def _is(number: int, singular: str, plural: str) -> str:
    return f"{number:,} {singular if number == 1 else plural}"
