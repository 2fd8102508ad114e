"""Rules for who may go to which slot (Caballero et al. 2017, section 9), and who breaks them.

E1, a slot must be convenient: :class:`SameRegion` and :class:`MaxDistance`. E2, nobody shall meet people of foreign
origin only: :class:`OriginMix`. A rule is bound to its data, one entry a group of people and one a slot. A group are
people of one quasi-identifier value who are alike in what the rules look at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import Literal, get_args

import numpy as np
import pandas as pd
from scipy import sparse

from anonlib.analyses.schedules.names import GROUPS, SLOTS, Names
from anonlib.analyses.schedules.ruled.distances import Metric, checked_points, kilometres
from anonlib.basics import checks
from anonlib.basics.errors import InputError
from anonlib.basics.words import count, singular

Labels = Sequence[object] | np.ndarray
ShareOf = Literal["load", "capacity"]
_FINEST = 10**6  # denominator of a share


@dataclass(frozen=True, eq=False)
class SameRegion:
    """E1: people only go to slots of their own region.

    Attributes
    ----------
    people : Labels
        (G,) the region of each group. Regions are compared as text.
    slots : Labels
        (R,) the region of each slot.
    """

    people: Labels
    slots: Labels

    def allowed(self, n_groups: int, n_slots: int) -> np.ndarray:
        """Who may go where.

        Parameters
        ----------
        n_groups, n_slots : int
            How many groups and slots there are.

        Returns
        -------
        bool array (G, R)

        Raises
        ------
        InputError
            For a region that is missing.
        """
        codes, slot_codes, _ = self._coded(n_groups, n_slots)
        return np.equal.outer(codes, slot_codes)

    def reason(self, people: np.ndarray, places: np.ndarray, names: Names) -> str | None:
        """A sentence on the region that lacks most places; None if all have enough. Groups go by their region."""
        codes, slot_codes, regions = self._coded(len(people), len(places))
        wanted, free = (np.bincount(of, n, len(regions)) for of, n in ((codes, people), (slot_codes, places)))
        worst = int(np.argmax(wanted - free)) if len(regions) else 0
        if not len(regions) or wanted[worst] <= free[worst]:
            return None
        n_slots = int(((slot_codes == worst) & (places > 0)).sum())
        return (
            f"The {count(int(wanted[worst]), 'people')} of region “{regions[worst]}” can only go to "
            f"{count(n_slots, 'slots')} with {count(int(free[worst]), 'places')}: "
            f"{_missing(int(wanted[worst] - free[worst]))}. Add slots or places there, or join regions."
        )

    def _coded(self, n_groups: int, n_slots: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        own = _texts(self.people, n_groups, "regions", GROUPS)
        regions, codes = np.unique([*own, *_texts(self.slots, n_slots, "regions", SLOTS)], return_inverse=True)
        return codes[:n_groups], codes[n_groups:], regions


@dataclass(frozen=True, eq=False)
class MaxDistance:
    """E1: people only go to slots at most so far away.

    Attributes
    ----------
    people, slots : np.ndarray | pd.DataFrame
        (G, 2) and (R, 2): where groups and slots are, as ``metric`` says.
    most : float
        Kilometres, at least 0.
    metric : Metric, default "sphere"
        "sphere": latitude and longitude in degrees, distances along a great circle; "plane": metres of one projected
        map.
    """

    people: np.ndarray | pd.DataFrame
    slots: np.ndarray | pd.DataFrame
    most: float
    metric: Metric = "sphere"

    def kilometres(self, n_groups: int, n_slots: int) -> np.ndarray:
        """How far each group is from each slot.

        Parameters
        ----------
        n_groups, n_slots : int
            How many groups and slots there are.

        Returns
        -------
        float array (G, R)
            Kilometres.

        Raises
        ------
        InputError
            Names coordinates that are not possible.
        """
        return kilometres(*self._points(n_groups, n_slots), self.metric)

    def allowed(self, n_groups: int, n_slots: int) -> np.ndarray:
        """Who may go where.

        Parameters
        ----------
        n_groups, n_slots : int
            How many groups and slots there are.

        Returns
        -------
        bool array (G, R)

        Raises
        ------
        InputError
            Names coordinates that are not possible.
        """
        most = checks.number(self.most, "The distance")
        if most < 0:
            raise InputError("The distance must be 0 km or more.", code="number-out-of-range")
        return self.kilometres(n_groups, n_slots) <= most

    def reason(self, people: np.ndarray, places: np.ndarray, names: Names) -> str | None:
        """A sentence on people without any slot in reach, the first of them by ``names``; None if all have one."""
        n_groups, n_slots, is_open = len(people), len(places), places > 0
        far = ~self.allowed(n_groups, n_slots)[:, is_open].any(axis=1)
        if not far.any():
            return None
        first = int(np.flatnonzero(far)[0])
        sentence = f"{count(int(people[far].sum()), 'people')} cannot reach any slot within {self.most:g} km. "
        if is_open.any():
            nearest = self.kilometres(n_groups, n_slots)[first, is_open].min()
            sentence += f"The nearest to {names.of_groups(np.array([first]))} is {nearest:,.1f} km away. "
        if self._seems_swapped(n_groups, n_slots):
            return sentence + "Latitude and longitude seem to be swapped, of people or of slots: latitude comes first."
        return sentence + "Add slots near them, or allow a longer way."

    def _points(self, n_groups: int, n_slots: int) -> tuple[np.ndarray, np.ndarray]:
        return (
            checked_points(self.people, n_groups, GROUPS, self.metric),
            checked_points(self.slots, n_slots, SLOTS, self.metric),
        )

    def _seems_swapped(self, n_groups: int, n_slots: int) -> bool:
        """Whether nobody reaches anything, but somebody would with the two coordinates of slots exchanged."""
        points, slots = self._points(n_groups, n_slots)
        as_is, swapped = (kilometres(points, at, self.metric) <= self.most for at in (slots, slots[:, ::-1]))
        return bool(swapped.any() and not as_is.any())


@dataclass(frozen=True, eq=False)
class OriginMix:
    """E2: in each slot, few people are of another origin than ``home``, and these come from several origins.

    Attributes
    ----------
    origins : Labels
        (G,) the origin of each group.
    home : str
        One of them.
    share : float | Fraction, default 0.15
        What people of other origins are at most of a slot, 0 to 1; to a millionth. It is taken as it is written: 0.15
        is 3/20, so that 3 in 20 are not too many.
    least : int, default 3
        Different origins that they are of at least, 0 or more.
    of : ShareOf, default "load"
        Whether ``share`` is of the people in a slot ("load") or of its places ("capacity").
    none_allowed : bool, default True
        Whether a slot without any of them is as good; else every slot that is used needs them.
    """

    origins: Labels
    home: str
    share: float | Fraction = 0.15
    least: int = 3
    of: ShareOf = "load"
    none_allowed: bool = True

    def check(self, n_groups: int) -> None:
        """Raise InputError for parameters out of range and for origins that are missing."""
        if not 0 <= checks.number(self.share, "The share") <= 1:
            raise InputError("The share must be between 0 and 1.", code="number-out-of-range")
        checks.whole(self.least, "The least number of origins", 0)
        if self.of not in get_args(ShareOf):
            raise InputError("The share must be of the “load” or of the “capacity”.", code="choice-unknown")
        origins = _texts(self.origins, n_groups, "origins", GROUPS)
        if n_groups and checks.text(self.home, "The home origin") not in origins:
            raise InputError("Nobody is of the home origin: choose one of those that occur.", code="value-unknown")

    @cached_property
    def exact_share(self) -> Fraction:
        """The share as it is written: 0.15 is 15/100."""
        return Fraction(str(self.share)).limit_denominator(_FINEST)

    @property
    def fewest(self) -> int:
        """The people of other origins that a slot with any of them has at least."""
        return max(1, self.least)

    @property
    def smallest_slot(self) -> int | None:
        """The places of the smallest slot that can take people of other origins; None if none can."""
        return ceil(self.fewest / self.exact_share) if self.exact_share else None

    def most_in(self, places: np.ndarray) -> np.ndarray:
        """The people of other origins that fit in slots, if these are full.

        Parameters
        ----------
        places : np.ndarray
            (R,) places of each slot.

        Returns
        -------
        int array (R,)
            0 if too few fit.
        """
        most = places * self.exact_share.numerator // self.exact_share.denominator
        return np.where(most >= self.fewest, most, 0)

    def codes(self, n_groups: int) -> np.ndarray:
        """(G,) each group's origin as a number, that of home being 0."""
        self.check(n_groups)
        origins = _texts(self.origins, n_groups, "origins", GROUPS)
        others = sorted(set(origins) - {self.home})
        number = {origin: i for i, origin in enumerate([self.home, *others])}
        return np.array([number[origin] for origin in origins], np.int64)

    def broken(self, groups: sparse.sparray, places: np.ndarray) -> np.ndarray:
        """The slots in which the rule is broken.

        Parameters
        ----------
        groups : sparse.sparray
            (G, R) people of each group in each slot.
        places : np.ndarray
            (R,) places of each slot.

        Returns
        -------
        bool array (R,)
        """
        origin = self.codes(groups.shape[0])
        of_origin = sparse.csr_array((np.ones(len(origin), np.int64), (origin, np.arange(len(origin)))))
        return self.broken_by((of_origin @ groups).toarray(), places)

    def broken_by(self, by_origin: np.ndarray, places: np.ndarray) -> np.ndarray:
        """The slots in which the rule is broken, from the people of each origin.

        Parameters
        ----------
        by_origin : np.ndarray
            (origins, R) people of each origin in each slot, home first.
        places : np.ndarray
            (R,) places of each slot.

        Returns
        -------
        bool array (R,)
        """
        load, others = by_origin.sum(axis=0), by_origin[1:].sum(axis=0)
        n_origins = (by_origin[1:] > 0).sum(axis=0)
        whole = load if self.of == "load" else np.asarray(places)
        too_many = others * self.exact_share.denominator > whole * self.exact_share.numerator
        mixed = (others > 0) if self.none_allowed else (load > 0)
        return too_many | (mixed & (n_origins < self.fewest))


Rule = SameRegion | MaxDistance | OriginMix


def restrictions(
    rules: Sequence[Rule],
    allowed: np.ndarray | None,
    people: np.ndarray,
    places: np.ndarray,
    *,
    names: Names | None = None,
) -> tuple[np.ndarray | None, OriginMix | None]:
    """Who may go where by several rules together.

    Parameters
    ----------
    rules : Sequence[Rule]
        The paper's E1 and E2.
    allowed : np.ndarray | None
        (G, R) who may go where besides; None: everyone everywhere.
    people : np.ndarray
        (G,) people of each group.
    places : np.ndarray
        (R,) places of each slot.
    names : Names, optional
        What groups and slots are called in sentences.

    Returns
    -------
    allowed : bool array (G, R), or None for everyone everywhere
    mix : OriginMix, or None if there is none among the rules

    Raises
    ------
    InputError
        For rules that do not fit these groups and slots, for more than one mix, and if one rule of E1 alone leaves
        people without a place.
    """
    shape = len(people), len(places)
    together = None if allowed is None else _mask(allowed, shape)
    mix = None
    for rule in rules:
        if isinstance(rule, OriginMix):
            if mix is not None:
                raise InputError(
                    "There can be one rule on the mix of origins: take one of them out.", code="rule-twice"
                )
            rule.check(len(people))
            mix = rule
        elif isinstance(rule, SameRegion | MaxDistance):
            allowed = rule.allowed(*shape)
            if (sentence := rule.reason(people, places, names or Names())) is not None:
                raise InputError(sentence, code="slots-too-few")
            together = allowed if together is None else together & allowed
        else:
            raise InputError("A rule must be SameRegion, MaxDistance or OriginMix.", code="rule-of-unknown-kind")
    return together, mix


@dataclass(frozen=True)
class Breaches:
    """How often a schedule breaks a rule.

    Attributes
    ----------
    people : int
        Those sent to a slot that is too far or of another region; of a mix, the people of other origins in slots that
        break it.
    slots : int
        Slots to which such people are sent, or that break the mix.
    used : int
        Slots with anybody, for the share.
    """

    people: int
    slots: int
    used: int


def breaches(rule: Rule, groups: sparse.sparray, places: np.ndarray) -> Breaches:
    """How often a schedule breaks a rule.

    Parameters
    ----------
    rule : Rule
        What the places of a schedule must keep to.
    groups : sparse.sparray
        (G, R) people of each group in each slot.
    places : np.ndarray
        (R,) places of each slot.

    Returns
    -------
    Breaches
    """
    cells = sparse.csr_array(groups)
    used = int((cells.sum(axis=0) > 0).sum())
    entries = cells.tocoo()
    if isinstance(rule, OriginMix):
        broken = rule.broken(cells, places)
        of_others = rule.codes(cells.shape[0])[entries.row] > 0
        return Breaches(int(entries.data[of_others & broken[entries.col]].sum()), int(broken.sum()), used)
    wrong = ~rule.allowed(*cells.shape)[entries.row, entries.col] & (entries.data > 0)
    return Breaches(int(entries.data[wrong].sum()), len(np.unique(entries.col[wrong])), used)


def _mask(allowed: object, shape: tuple[int, int]) -> np.ndarray:
    mask = np.asarray(allowed)
    if mask.shape != shape or not (mask.dtype == bool or np.isin(mask, (0, 1)).all()):
        raise InputError(
            f"Who may go where must be {shape[0]:,} rows ({GROUPS}) of {shape[1]:,} yes or no ({SLOTS}) each.",
            code="list-of-other-length",
        )
    return mask.astype(bool)


def _texts(values: object, n: int, what: str, noun: str) -> list[str]:
    """The labels as text. Raises InputError when there are not ``n``, and naming the first that is missing."""
    single = singular(noun)
    if isinstance(values, str) or not np.iterable(values):
        raise InputError(f"The {what} must be a list, one for each {single}.", code="list-of-other-length")
    given = list(values)
    if len(given) != n:
        raise InputError(
            f"The {what} must be one for each {single}: there are {count(n, noun)}, and {count(len(given), what)}.",
            code="list-of-other-length",
        )
    missing = pd.Series(given, dtype=object).isna()
    texts = ["" if absent else str(value) for value, absent in zip(given, missing, strict=True)]
    if "" in texts:
        raise InputError(
            f"The {what}: that of {single} {texts.index('') + 1} is missing. Name it, as “unknown” for example.",
            code="value-missing",
        )
    return texts


def _missing(places: int) -> str:
    return f"{count(places, 'places')} {'is' if places == 1 else 'are'} missing"
