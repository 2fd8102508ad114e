"""The Leakage page's controls: which columns, how many combined, and the limits."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from anonlib.analyses.leakage import MOST_SETS
from anonlib.columns.roles import Role
from anonlib.counting.classes.subsets import n_subsets
from anonlib.dataset import Dataset
from pages.measure.leakage.results import AT_ONCE, LeakageQuestion, Version
from ui.kit import criterion_pages, glossary, page, shared_controls
from ui.kit.columns import default_columns, say_how_many
from ui.session import keep, view
from ui.session.names import titled

LARGEST, USUAL = 4, 3  # columns in a combination
AVERAGE, WORST = 50, 90  # limits to begin with, in percent


def ask(
    data: Dataset, has_recipe: bool, seconds: Callable[[tuple[str, ...], int], float]
) -> tuple[LeakageQuestion, shared_controls.Version]:
    """The controls in one row, the columns under “More”; and whether to look at the original or the release.

    ``seconds`` says how long every combination of columns of up to a size takes.
    """
    places = page.beside(2, 3, 3, 3, 4, 2, gap="small", align="bottom")
    size_place, average_place, worst_place, smallest_place, version_place, more = places
    with more, st.popover("More"):
        columns = _columns(data)
    with size_place:
        max_size = _size(columns, seconds)
    average = keep.slider(
        "leakage-average", "Average above", 0, 100, AVERAGE, 1, "%d%%", place=average_place,
        help=glossary.linked(
            "Red, and an alert: columns that on average give away more than this share of what it takes to name "
            "someone. 100% switches it off.",
            "alert",
        ),
    )  # fmt: skip
    worst = keep.slider(
        "leakage-worst", "Worst above", 0, 100, WORST, 1, "%d%%", place=worst_place,
        help=glossary.linked(
            "Red, and an alert: columns by which some person loses more than this share. Who is alone loses all. "
            "100% switches it off.",
            "alone", "alert",
        ),
    )  # fmt: skip
    k = view.now().k
    smallest = keep.slider(
        keep.per("leakage-smallest", k), "Classes below", 1, 50, k, place=smallest_place,
        help=glossary.linked(
            "Red, and an alert: columns whose smallest class is below this. It begins with the k of the Risk page; 1 "
            "switches it off.",
            "class", "alert",
        ),
    )  # fmt: skip
    looked = shared_controls.look_at("leakage", has_recipe, place=version_place)
    say_how_many(len(columns), len(_offered(data)))
    return LeakageQuestion(columns, max_size, average / 100, worst / 100, smallest), looked


def _offered(data: Dataset) -> list[str]:
    hidden = data.columns_with(Role.IDENTIFIER, Role.PERSON_ID, Role.WEIGHT)
    return [column for column in data.columns if column not in hidden]


def _columns(data: Dataset) -> tuple[str, ...]:
    options = _offered(data)
    begin = default_columns(data)
    chosen = keep.several(
        keep.per("leakage-columns", options, begin), "Columns looked at", options, begin, format_func=titled,
        help=glossary.linked(
            "At first quasi-identifiers and sensitive columns. Whatever someone may know can give people away.",
            "sensitive", "quasi-identifier",
        ),
    )  # fmt: skip
    return tuple(column for column in data.columns if column in chosen)


def _size(columns: tuple[str, ...], seconds: Callable[[tuple[str, ...], int], float]) -> int:
    n = max(1, len(columns))
    sizes = [size for size in range(1, min(n, LARGEST) + 1) if n_subsets(n, size) - 1 <= MOST_SETS] or [1]
    quick = [size for size in sizes if seconds(columns, size) <= AT_ONCE]
    usual = max((size for size in quick if size <= USUAL), default=1)
    usual = criterion_pages.size(criterion_pages.LEAKAGE_SIZE, sizes, usual)
    return keep.select(
        keep.per(criterion_pages.LEAKAGE_SIZES, sizes, usual), "Combined", sizes, usual,
        format_func=lambda size: f"{size}" if size in quick else f"{size} (longer)",
        help="Every combination of up to so many columns is looked at.",
    )  # fmt: skip


def ask_focus(version: Version) -> tuple[str, str]:
    """The column that the words are of, and the name of its setting, which a click on a bar sets too."""
    table = version.table
    ranked = [table.sets[i][0] for i in table.ranked() if len(table.sets[i]) == 1]
    name = keep.per("leakage-focus", ranked[0], sorted(ranked))  # what a recipe wiped out is not the one in words
    focus = keep.select(
        name, "Column in words", ranked, format_func=titled,
        help="Or click a bar. The columns are in the order of the picture.",
    )  # fmt: skip
    return focus, name
