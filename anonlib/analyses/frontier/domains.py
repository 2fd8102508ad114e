"""Totally ordered domains: what a policy cuts into intervals (Xia et al. 2013, section 3.1)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import TOP
from anonlib.coarsening.recoding import ValueMap
from anonlib.columns.codes import recognised
from anonlib.values.cells import (
    MISSING_LABEL,
    MOSTLY,
    is_code,
    natural_order,
    ranges_or_none,
    to_numbers,
    to_ranges,
)
from anonlib.values.dates import to_dates
from anonlib.values.ranges import Notation, Ranges, notation_of, ranges_of_months, reaching_over
from anonlib.values.scales import LONGEST, places_on_a_scale

Value = str | None
"""A value of a domain as text; None is a missing value, which stands last."""

SPARSE_ZIP3 = frozenset("036 059 063 102 203 556 692 790 821 823 830 831 878 879 884 890 893".split())
"""The three-digit ZIP codes with 20,000 people or fewer (HHS guidance of 2012 on 45 CFR 164.514, Census 2000)."""
LEAST_ZIP3 = 20_000
_MOST_NAMED, _FIRST_NAMED = 3, 2  # values of an interval of names that its label lists: all, or the first of them
_ON_A_SCALE = re.compile(r"\s*([<>≤≥]?)\s*[(\[]?\s*([-+]?\d+(?:\.\d+)?)")
_ZIP = re.compile(r"\d{3}([\dxX*]{2})?(-?\d{4})?")
_NUMBER, _WHOLE = re.compile(r"\d+(\.\d+)?"), re.compile(r"-?\d+")


@dataclass(frozen=True)
class Domain:
    """The ordered values of one attribute, each of which a policy keeps apart from the next or does not.

    Attributes
    ----------
    attribute : str
        Its name.
    values : tuple[Value, ...]
        In their order, at least one; None (missing) is last.
    between : tuple[tuple[str, ...], ...]
        One item a boundary, the values of the population that lie there and that no record has. They are in an interval
        when it reaches over the boundary.
    """

    attribute: str
    values: tuple[Value, ...]
    between: tuple[tuple[str, ...], ...]

    def __len__(self) -> int:
        return len(self.values)

    @property
    def n_bits(self) -> int:
        """Boundaries between neighbouring values."""
        return len(self.values) - 1

    @property
    def n_values(self) -> int:
        """Distinct values, missing not counted."""
        return len(self._texts)

    def size(self) -> str:
        """How many values there are: ``25 values``, ``25 values and missing``."""
        return words.count(self.n_values, "values") + " and missing" * (self.n_values < len(self.values))

    @cached_property
    def _texts(self) -> list[str]:
        return [value for value in self.values if value is not None]

    @cached_property
    def _is_scale(self) -> bool:
        """An interval can be named by its ends: numbers, codes, dates, ranges or words of a scale, in their order."""
        texts = self._texts
        if not texts:
            return False
        if not np.isnan(to_numbers(texts)).any() or is_code(texts) or not np.isnat(to_dates(texts)).any():
            return np.array_equal(natural_order(texts), np.arange(len(texts)))
        if self._ranges is not None or self._is_worded:
            return np.array_equal(natural_order(texts), np.arange(len(texts)))
        places = [place_on_a_scale(text) for text in texts]
        if None not in places and places == sorted(places):  # type: ignore[type-var]
            return True
        system = recognised(texts, self.attribute)
        return system is not None and bool(system.fits(texts).all()) and system.order(texts) == texts

    @cached_property
    def _is_worded(self) -> bool:
        """All values are words of one scale: none, mild, severe."""
        places = places_on_a_scale(self._texts)
        return places is not None and bool((places < LONGEST).all())

    @cached_property
    def _ranges(self) -> Ranges | None:
        """The values as ranges of numbers, where all are and one at least is no number."""
        ranges = to_ranges(self._texts)
        return ranges if ranges.of == "numbers" and ranges.fits.all() and ranges.is_range.any() else None

    @cached_property
    def _notation(self) -> Notation:
        """How ranges are written: as most values are."""
        assert self._ranges is not None
        return notation_of(self._texts, self._ranges) or Notation("", "-", "", 1.0)

    def _range_label(self, first: int, last: int) -> str:
        """Neighbouring ranges as one: ``[70-80)`` to ``[80-90)`` are ``[70-90)``; the last of them may be a number."""
        assert self._ranges is not None
        ends = self._ranges.end[first : last + 1]
        points = ~self._ranges.is_range[first : last + 1]
        return self._notation.written(
            float(self._ranges.begin[first]), float((ends + points * self._notation.less).max())
        )

    @cached_property
    def _dash(self) -> str:
        """Between the ends of an interval: a dash, where none is in the values and they are no words."""
        return " to " if self._is_worded or any("-" in text for text in self._texts) else "-"

    def label(self, first: int, last: int) -> Value:
        """What an interval of values is released as.

        Parameters
        ----------
        first, last : int
            Positions of its first and last value.

        Returns
        -------
        str or None
            ``30-34`` on a scale; else by name, those of the population that lie between included: ``Asian or Black``,
            ``Asian, Black and 3 others``. One interval of all values, a missing one included, is ``*`` unless they are
            on a scale: ``17-90``, ``17-90 or missing``.
        """
        if 0 < last - first == self.n_bits and not self._is_scale:
            return TOP
        within = [value for value in self.values[first : last + 1] if value is not None]
        missing = " or missing" if within and last + 1 == len(self.values) and self.values[last] is None else ""
        if len(within) < 2:
            return within[0] + missing if within else None
        if self._is_scale and self._ranges is not None:
            return self._range_label(first, first + len(within) - 1) + missing
        if self._is_scale:
            return f"{within[0]}{self._dash}{within[-1]}{missing}"
        names = [within[0]]
        for value, between in zip(within[1:], self.between[first:last], strict=False):
            names += [*between, value]
        if len(names) <= _MOST_NAMED:
            return " or ".join(names) + missing
        others = words.count(len(names) - _FIRST_NAMED, "others")
        return f"{', '.join(names[:_FIRST_NAMED])} and {others}{missing}"

    @cached_property
    def _is_by_number_or_date(self) -> bool:
        """An interval holds what lies between its ends: numbers, postcodes or dates in their order."""
        texts = self._texts
        return self._is_scale and not (np.isnan(to_numbers(texts)).any() and np.isnat(to_dates(texts)).any())

    @cached_property
    def _has_open_ends(self) -> bool:
        """Another file may have values below the lowest or above the highest. No postcode is more than others."""
        return self._is_by_number_or_date and not is_code(self._texts)

    def _open_label(self, first: int, last: int) -> Value:
        """The label of an interval at an end, without that end: ``<25``, ``82+``, ``≤2020-03-01``; ``*`` for all."""
        n = len(self._texts)
        at_start, at_end = first == 0, last >= n - 1 and first < n
        if not self._has_open_ends or not (at_start or at_end):
            return self.label(first, last)
        missing = " or missing" if last == n else ""
        if at_start and at_end:
            return TOP
        if at_end:
            lowest = self._texts[first]
            return (f"{lowest}+" if _NUMBER.fullmatch(lowest) else f"≥{lowest}") + missing
        highest = self._texts[last]
        return f"<{int(highest) + 1}" if all(map(_WHOLE.fullmatch, self._texts)) else f"≤{highest}"

    def labels(self, intervals: Sequence[tuple[int, int]], *, open_ends: bool = False) -> list[Value]:
        """What the intervals of a policy are released as: no two alike, and none like a value outside of it.

        A label that would be one has a ``*`` more: all names together are ``**`` if ``*`` is one of them.

        Parameters
        ----------
        intervals : Sequence[tuple[int, int]]
            First and last position of each.
        open_ends : bool, default False
            Whether those at both ends of numbers or dates have only one end: ``<25``, ``82+``.

        Returns
        -------
        list of str or None
        """
        taken = {*self._texts, *(value for values in self.between for value in values)}
        interval_labels: list[Value] = []
        for first, last in intervals:
            label = self._open_label(first, last) if open_ends else self.label(first, last)
            if first < last or label != self.values[first]:
                assert label is not None
                while label in taken:
                    label += "*"
                taken.add(label)
            interval_labels.append(label)
        return interval_labels

    def label_of(self, intervals: Sequence[tuple[int, int]], *, open_ends: bool = False) -> dict[Value, Value]:
        """What a policy releases each value as.

        Parameters
        ----------
        intervals : Sequence[tuple[int, int]]
            First and last position of each interval of the policy.
        open_ends : bool, default False
            Whether those at both ends of numbers or dates have only one end: ``<25``, ``82+``.

        Returns
        -------
        dict
            By value.
        """
        return {
            value: label
            for (first, last), label in zip(intervals, self.labels(intervals, open_ends=open_ends), strict=True)
            for value in self.values[first : last + 1]
        }

    def value_map(self, intervals: Sequence[tuple[int, int]]) -> ValueMap:
        """What each value becomes, those of the population that an interval reaches over included.

        The next file may have others: numbers, codes and dates inside an interval belong to it, and the intervals at
        both ends of numbers and dates are open.

        Parameters
        ----------
        intervals : Sequence[tuple[int, int]]
            First and last position of each.

        Returns
        -------
        ValueMap
        """
        label_of = self.label_of(intervals, open_ends=True)
        pairs: list[tuple[str, Value]] = []
        for first, last in intervals:
            between = [value for values in self.between[first:last] for value in values]
            label = label_of[self.values[first]]
            pairs += [(value, label) for value in (*self.values[first : last + 1], *between) if value is not None]
        return ValueMap(
            tuple(pairs), missing=label_of.get(None), between=self._is_by_number_or_date,
            beyond=self._has_open_ends,
        )  # fmt: skip

    def notation(self, first: int, last: int) -> str:
        """An interval as the paper's Figure 9 writes it: ``[17-20]``, ``[43]``.

        Parameters
        ----------
        first, last : int
            Positions of its first and last value.

        Returns
        -------
        str
            If values have dashes, ``[-2 to 3]``, as in labels. Ranges are written as labels: ``[70-90)``, ``[90+]``.
        """
        if self._ranges is not None and self.values[last] is not None and self._is_scale:
            label = self._texts[first] if first == last else self._range_label(first, last)
            return label if label.startswith(("[", "(", "]")) else f"[{label}]"
        ends = [MISSING_LABEL if value is None else value for value in (self.values[first], self.values[last])]
        return f"[{ends[0]}]" if first == last else f"[{ends[0]}{self._dash}{ends[1]}]"

    def groups(self, keys: Sequence[object]) -> np.ndarray:
        """Which boundaries lie between values of different keys.

        Parameters
        ----------
        keys : Sequence[object]
            One a value.

        Returns
        -------
        bool array, one item a boundary

        Raises
        ------
        InputError
            If the values of a key do not stand together.
        """
        differ = np.array([a != b for a, b in pairwise(keys)], dtype=bool)
        if differ.sum() + 1 > len(set(keys)):
            raise InputError(
                f"In the order of “{self.attribute}”, values that belong together do not stand together. "
                "Choose the order “ZIP codes, small areas first” for ZIP codes, “By number, date or usual scale” for "
                "others, and “By their first number” where texts such as “unknown” stand among ages.",
                code="order-splits-groups",
                column=self.attribute,
            )
        return differ


def age_groups(domain: Domain, top: int) -> np.ndarray:
    """bool, one a boundary: whether ages below ``top`` meet there; all from there on are one group.

    So are ranges of ages that reach further than ``top``.
    """
    ranges = to_ranges([value or "" for value in domain.values])
    _refuse(domain, ~ranges.fits, "ages")
    return domain.groups([-1 if over else i for i, over in enumerate(reaching_over(ranges, top).tolist())])


def zip3_groups(domain: Domain, sparse: Collection[str]) -> np.ndarray:
    """bool, one a boundary: whether the first three digits differ there; those of sparse areas are one group.

    A text without digits stays apart.
    """
    areas = [value[:3] if value is not None and _ZIP.fullmatch(value) else None for value in domain.values]
    _refuse(domain, np.array([area is None for area in areas]), "ZIP codes")
    areas = ["000" if area in sparse else area for area in areas]
    return domain.groups([area or value for value, area in zip(domain.values, areas, strict=True)])


def year_groups(domain: Domain) -> np.ndarray:
    """bool, one a boundary: whether the year changes there; of months and quarters too."""
    texts = [value or "" for value in domain.values]
    days, spans = to_dates(texts, numbers=True), ranges_of_months([text.strip() for text in texts])
    within = spans.fits & (spans.low // 12 == (spans.high - 1) // 12)
    of_days = days.astype("datetime64[Y]").astype(np.int64) + 1970
    years = np.where(np.isnat(days), np.where(within, spans.low // 12, 0), of_days).astype(np.int64)
    _refuse(domain, years == 0, "dates or years")
    return domain.groups(
        [value if year == 0 else year for value, year in zip(domain.values, years.tolist(), strict=True)]
    )


def _refuse(domain: Domain, unread: np.ndarray, what: str) -> None:
    """A text without digits, such as “unknown”, is no age and no date; one with digits may be."""
    n = sum(any(char.isdigit() for char in str(domain.values[i])) for i in np.flatnonzero(unread))
    if n:
        raise InputError(
            f"{words.count(n, 'values')} of “{domain.attribute}” cannot be read as {what}, so that Safe Harbor cannot "
            "place them. Recode them first, or leave the column out of Safe Harbor.",
            code="values-unreadable",
            column=domain.attribute,
        )


def ordered(
    attribute: str, values: Collection[Value], order: Iterable[Value] | None, of_records: Collection[Value]
) -> list[Value]:
    """The values in the order given, or in that which is natural for those of the records: by number, date or text.

    Raises
    ------
    InputError
        Where the order names a value twice or leaves one out.
    """
    texts = [value for value in values if value is not None]
    if order is None:
        given: list[Value] = _naturally(texts, [value for value in of_records if value is not None])
    else:
        given = [value for value in order if value is not None]
        if len(set(given)) < len(given):
            raise InputError(
                f"The order of “{attribute}” names a value twice. Name each once.",
                code="order-names-value-twice",
                column=attribute,
            )
        if absent := set(texts).difference(given):
            raise InputError(
                f"The order of “{attribute}” leaves out {len(absent):,} of its values. Name them all.",
                code="order-incomplete",
                column=attribute,
            )
    return [*given, None] if None in values else given


def _naturally(texts: list[str], of_records: list[str]) -> list[Value]:
    """A few texts among numbers, or a population's among ages of records, would put 9 behind 10: they stand last."""
    fits = np.ones(len(texts), dtype=bool)
    numeric = np.isfinite(to_numbers(of_records))
    if of_records and numeric.mean() >= MOSTLY:
        # Postcodes are of one length: their order is that of text, and "373xx" belongs among them.
        if not is_code([text for text, is_number in zip(of_records, numeric, strict=True) if is_number]):
            fits = np.isfinite(to_numbers(texts))
    elif of_records and (~np.isnat(to_dates(of_records))).mean() >= MOSTLY:
        fits = ~np.isnat(to_dates(texts))
    elif of_records and ranges_or_none(of_records) is not None:
        fits = to_ranges(texts).fits
    parts = [[text for text, fit in zip(texts, fits, strict=True) if fit == wanted] for wanted in (True, False)]
    return [part[i] for part in parts for i in natural_order(part)]


def place_on_a_scale(value: str) -> tuple[float, int] | None:
    """Where a text stands on a scale of numbers.

    Parameters
    ----------
    value : str
        A text such as ``30-39``, ``<25`` or ``82+``.

    Returns
    -------
    tuple of float and int, or None
        The number it begins with, and -1, 0 or 1 for what is below it, at it or above it. None without a number.
    """
    match = _ON_A_SCALE.match(value)
    return None if match is None else (float(match[2]), {"<": -2, "≤": -1, "≥": 1, ">": 2}.get(match[1], 0))


def alphabetical(values: Iterable[Value]) -> list[str]:
    """The values in the order of their text, capitals as small letters.

    Parameters
    ----------
    values : Iterable[Value]
        Values of an attribute; a missing one is left out.

    Returns
    -------
    list of str
    """
    return sorted((value for value in values if value is not None), key=lambda value: (value.casefold(), value))


def safe_harbor_order(values: Iterable[Value], sparse: Collection[str] = SPARSE_ZIP3) -> list[str]:
    """ZIP codes with those of sparse three-digit areas first, so that Safe Harbor's group 000 is one interval.

    Parameters
    ----------
    values : Iterable[Value]
        ZIP codes; a missing one is left out.
    sparse : Collection[str], default SPARSE_ZIP3
        First three digits of the areas of 20,000 people or fewer.

    Returns
    -------
    list of str
    """
    return sorted((value for value in values if value is not None), key=lambda value: (value[:3] not in sparse, value))
