"""In which order the values of each column stand: what may be grouped with what."""

from __future__ import annotations

import streamlit as st

from anonlib.dataset import Dataset
from anonlib.frontier import alphabetical, safe_harbor_order, sparse_zip3
from anonlib.identifiers import kind_of_name
from anonlib.values import is_code
from ui import cache, state
from ui.text import plain, printable

NATURAL, ALPHABETICAL, SAFE_HARBOR, GIVEN = "natural", "alphabetical", "safe harbor", "given"
ORDERS = {
    NATURAL: "By number or date, else by text",
    ALPHABETICAL: "Alphabetical",
    SAFE_HARBOR: "ZIP codes, small areas first",
    GIVEN: "By hand",
}
MOST_BY_HAND = 200


def chosen(data: Dataset, people: Dataset | None, names: list[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Per column whose order is not the natural one, its values in their order."""
    given = []
    for name in names:
        values = _values(data, people, name)
        way = state.setting(_key(name, "way"), _default(name, values))
        if way == ALPHABETICAL:
            given.append((name, tuple(alphabetical(values))))
        elif way == SAFE_HARBOR:
            given.append((name, tuple(safe_harbor_order(values, sparse(data, people, name)))))
        elif way == GIVEN:
            given.append((name, tuple(_by_hand(name, values))))
    return tuple(given)


def show(data: Dataset, people: Dataset | None, names: list[str]) -> None:
    """The controls, a column each."""
    st.markdown(
        "A policy joins values that stand side by side. Put together what may be grouped; numbers and dates have their "
        "order already."
    )
    for name in names:
        values = _values(data, people, name)
        offered = [NATURAL, ALPHABETICAL]
        offered += [SAFE_HARBOR] * _is_zip(name, values) + [GIVEN] * (len(values) <= MOST_BY_HAND)
        left, right = st.columns([1, 2.2], gap="large", vertical_alignment="top")
        now = state.setting(_key(name, "way"), _default(name, values))
        with left:
            way = st.selectbox(
                f"Order of {plain(name, 40)}", offered, offered.index(now) if now in offered else 0,
                format_func=ORDERS.__getitem__, key=state.kept(_key(name, "way")), help=f"{len(values):,} values.",
            )  # fmt: skip
        with right:
            if way == GIVEN:
                _ask_by_hand(name, values)
            else:
                shown = dict(chosen(data, people, [name])).get(name, tuple(values))
                st.caption("First to last: " + _listed(shown))


def _ask_by_hand(name: str, values: list[str]) -> None:
    st.multiselect(
        f"Values of {plain(name, 40)} in their order", values, _by_hand(name, values), format_func=printable,
        key=state.kept(_key(name, "values")),
        help="In the order in which you choose them: empty it and choose again. Values not chosen follow in their "
        "natural order.",
    )  # fmt: skip


def _by_hand(name: str, values: list[str]) -> list[str]:
    """The values chosen, then all others."""
    first = [value for value in state.setting(_key(name, "values"), []) if value in set(values)]
    return [*first, *(value for value in values if value not in set(first))]


def _values(data: Dataset, people: Dataset | None, name: str) -> list[str]:
    """The values of the file, then those that only the population table has; each in natural order."""
    found = data.records[name].cat.categories.tolist()
    if people is not None and name in people.columns:
        known = set(found)
        found += [value for value in people.records[name].cat.categories if value not in known]
    return found


def _default(name: str, values: list[str]) -> str:
    return SAFE_HARBOR if _is_zip(name, values) else NATURAL


def _is_zip(name: str, values: list[str]) -> bool:
    kind = kind_of_name(name)
    return kind is not None and kind.key == "postcode" and is_code(values) and len(values[0]) == 5


def sparse(data: Dataset, people: Dataset | None, name: str) -> frozenset[str]:
    """Three-digit areas of few people; those that only records have are of few, where there is a population."""
    return cache.remember(_sparse, data, people, name=name)


def _sparse(data: Dataset, people: Dataset | None, *, name: str) -> frozenset[str]:
    if people is None or name not in people.columns:
        return sparse_zip3(None, name)
    counted = people.classes([name])
    known = {str(value)[:3] for value in counted.categories[0]}
    return sparse_zip3(counted, name) | {value[:3] for value in data.records[name].cat.categories} - known


def _key(name: str, what: str) -> str:
    return f"frontier-order-{what}-{name}"


def _listed(values: tuple[str, ...]) -> str:
    most = 12
    shown = [plain(value, 24) for value in values]
    return ", ".join(shown) if len(shown) <= most else ", ".join([*shown[: most - 2], "…", *shown[-2:]]) + "."
