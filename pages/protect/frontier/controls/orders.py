"""In which order the values of each column stand: what may be grouped with what."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

from anonlib.analyses.frontier import SPARSE_ZIP3, alphabetical, place_on_a_scale, safe_harbor_order, sparse_zip3
from anonlib.basics import words
from anonlib.columns.codes import CodeSystem, recognised
from anonlib.columns.identifiers import kind_of_name
from anonlib.dataset import Dataset
from anonlib.filing.project import MOST_BY_HAND, ValueOrder, Way
from anonlib.values.cells import is_code, natural_order, ranges_or_none, to_numbers
from anonlib.values.dates import to_dates
from anonlib.values.scales import places_on_a_scale
from ui.session import cache, decide, keep
from ui.session.state import session
from ui.text import plain, printable

ORDERS: dict[Way, str] = {
    "natural": "By number, date or usual scale, else by text",
    "scale": "By their first number",
    "frequent": "Commonest first",
    "alphabetical": "Alphabetical",
    "safe harbor": "ZIP codes, small areas first",
    "codes": "By the groups of their code system",
    "stated": "As the file says",
    "given": "By hand",
}
_MOST = 0.9  # of the values look like numbers or groups of them


def chosen(data: Dataset, people: Dataset | None, names: list[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Per column whose order is not the natural one, its values in their order."""
    given = []
    for name in names:
        values = _values(data, people, name)
        way = _way(data, name, values)
        if way != "natural":
            given.append((name, tuple(_in_order(way, data, people, name, values))))
    return tuple(given)


def _in_order(way: Way, data: Dataset, people: Dataset | None, name: str, values: list[str]) -> list[str]:
    match way:
        case "alphabetical":
            return alphabetical(values)
        case "safe harbor":
            return safe_harbor_order(values, sparse(data, people, name))
        case "scale":
            return sorted(values, key=lambda value: place_on_a_scale(value) or (np.inf, 0))
        case "frequent":
            first = commonest(data, name=name)
            return [*first, *(value for value in values if value not in set(first))]
        case "codes":
            system = _system(data, name)
            return values if system is None else system.order(values)
        case "given":
            return _by_hand(data, people, name, values)
        case _:
            return values


def _way(data: Dataset, name: str, values: list[str]) -> Way:
    """The order as it was chosen, where it fits the column; else the one that says most."""
    decided = session().orders.get(name)
    return decided.way if decided is not None and decided.way in _offered(data, name, values) else default(data, name)


def default(data: Dataset, name: str) -> Way:
    """The order that says most: rare names stand together, and what is on a scale stands as it is there."""
    values = data.held.values(name).tolist()
    if _is_stated(data, name):
        return "stated"
    if is_zip(name, values):
        return "safe harbor"
    if places_on_a_scale(values) is not None:
        return "natural"
    if _system(data, name) is not None:
        return "codes"
    if ranges_or_none(values) is not None:
        return "natural"
    kind = kind_of_name(name)
    if kind is not None and kind.is_nominal:
        return "frequent"
    if sum(place_on_a_scale(value) is not None for value in values) < _MOST * len(values):
        return "frequent"
    plain_numbers = np.isnan(to_numbers(values)).sum() <= (1 - _MOST) * len(values)
    dates = np.isnat(to_dates(values)).sum() <= (1 - _MOST) * len(values)
    return "natural" if plain_numbers or dates else "scale"


@cache.remembered
def commonest(data: Dataset, *, name: str) -> list[str]:
    """The values of a column, those that most records have first; of as many, in natural order."""
    classes = data.classes([name])
    counts = dict(zip(classes.column(name).tolist(), classes.counts.tolist(), strict=True))
    values = data.held.values(name)
    natural = values[natural_order(values)]
    return natural[np.argsort([-counts.get(value, 0) for value in natural], kind="stable")].tolist()


def show(data: Dataset, people: Dataset | None, names: list[str]) -> None:
    """The controls, a column each."""
    st.markdown(
        "A policy joins values that stand side by side. Put together what may be grouped. Numbers and dates have their "
        "order; of names the commonest come first, so that rare ones can be joined."
    )
    for name in names:
        values = _values(data, people, name)
        left, right = st.columns([1, 2.2], gap="large", vertical_alignment="top")
        way = keep.select(
            keep.per("frontier-order", name), f"Order of {plain(name, 40)}", _offered(data, name, values),
            _way(data, name, values), take=partial(_take_way, name), format_func=ORDERS.__getitem__, place=left,
            help=_how_many(data, name, values),
        )  # fmt: skip
        with right:
            if way == "given":
                _ask_by_hand(data, people, name, values)
            else:
                shown = dict(chosen(data, people, [name])).get(name, tuple(values))
                st.caption("First to last: " + _listed(shown))


def _take_way(name: str, way: Way) -> None:
    decided = session().orders.get(name)
    decide.set_order(name, ValueOrder(way) if decided is None else replace(decided, way=way))


def _offered(data: Dataset, name: str, values: list[str]) -> list[Way]:
    """The orders that fit a column."""
    fits: dict[Way, bool] = {
        "safe harbor": is_zip(name, data.held.values(name).tolist()),
        "codes": _system(data, name) is not None,
        "stated": _is_stated(data, name),
        "given": len(values) <= MOST_BY_HAND,
    }
    return [way for way in ORDERS if fits.get(way, True)]


def _is_stated(data: Dataset, name: str) -> bool:
    """Whether the file itself says in which order a column's values stand, as some formats do."""
    return data.frame is not None and bool(data.frame[name].cat.ordered)


def _system(data: Dataset, name: str) -> CodeSystem | None:
    """The system whose codes the values of the file are, where it has groups to order them by."""
    system = _recognised(data, name=name)
    return system if system is not None and system.levels else None


@cache.remembered
def _recognised(data: Dataset, *, name: str) -> CodeSystem | None:
    return recognised(data.held.values(name), name)


def _usual(data: Dataset, people: Dataset | None, name: str, values: list[str]) -> list[str]:
    """The values in the order that says most."""
    return _in_order(default(data, name), data, people, name, values)


def _how_many(data: Dataset, name: str, values: list[str]) -> str:
    """Distinct values of the file, missing not counted, and those that only the population has."""
    of_file = len(data.held.values(name))
    more = f", and {len(values) - of_file:,} that only the population has" if len(values) > of_file else ""
    return f"{words.count(of_file, 'values')}{more}."


def _ask_by_hand(data: Dataset, people: Dataset | None, name: str, values: list[str]) -> None:
    keep.several(
        keep.per("frontier-order-by-hand", name), f"Values of {plain(name, 40)} in their order", values,
        _put_first(data, people, name, values), take=partial(_take_by_hand, name), format_func=printable,
        help="In the order in which you choose them: empty it and choose again. Values not chosen follow in the order "
        "that they had.",
    )  # fmt: skip


def _by_hand(data: Dataset, people: Dataset | None, name: str, values: list[str]) -> list[str]:
    """The values chosen, then all others."""
    return list(dict.fromkeys([*_put_first(data, people, name, values), *_usual(data, people, name, values)]))


def _put_first(data: Dataset, people: Dataset | None, name: str, values: list[str]) -> list[str]:
    """The values chosen, as far as there are such; all in the usual order where nobody has chosen any yet."""
    decided, known = session().orders.get(name), set(values)
    if decided is None or decided.by_hand is None:
        return _usual(data, people, name, values)
    return [value for value in decided.by_hand if value in known]


def _take_by_hand(name: str, values: list[str]) -> None:
    decide.set_order(name, ValueOrder("given", tuple(values)))


def _values(data: Dataset, people: Dataset | None, name: str) -> list[str]:
    """The values of the file, then those that only the population table has; each in natural order."""
    values = data.held.values(name).tolist()
    if people is not None and name in people.columns:
        known = set(values)
        values += [value for value in people.held.values(name) if value not in known]
    return values


def is_zip(name: str, values: list[str]) -> bool:
    kind = kind_of_name(name)
    return kind is not None and kind.key == "postcode" and is_code(values) and len(values[0]) == 5


def sparse(data: Dataset, people: Dataset | None, name: str) -> frozenset[str]:
    """Three-digit areas of few people; those that only records have are of few, where there is a population."""
    return _sparse(data, people, name=name)


@cache.remembered
def _sparse(data: Dataset, people: Dataset | None, *, name: str) -> frozenset[str]:
    if people is None or name not in people.columns:
        return sparse_zip3(None, name)
    counted = people.classes([name])
    known = {str(value)[:3] for value in counted.categories[0]}
    areas = {value[:3] for value in data.held.values(name)}
    if 2 * len(areas & known) < len(areas):  # the table is of elsewhere, or of few
        return SPARSE_ZIP3
    return sparse_zip3(counted, name) | areas - known


def _listed(values: tuple[str, ...]) -> str:
    most = 12
    shown = [plain(value, 24) for value in values]
    return ", ".join(shown) if len(shown) <= most else ", ".join([*shown[: most - 2], "…", *shown[-2:]]) + "."
