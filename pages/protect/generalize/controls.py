"""The Generalize page's controls: guarantees, method, what is kept most, what may be left out, weights, rules."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle
from typing import Any, Literal

import streamlit as st

from anonlib.analyses.generalization import MOST_WEIGHT, Method
from anonlib.basics.errors import InputError
from anonlib.counting.privacy_models import KAnonymity, LDiversity, PrivacyModel, TCloseness, columns_of
from anonlib.dataset import Dataset
from pages.protect.generalize.hierarchies import chosen
from pages.protect.generalize.question import OBJECTIVES, OF_CELLS, WAYS, WEIGHED, GeneralizeQuestion, Way, leave
from ui.kit import glossary, page
from ui.session import guard, keep, state, view
from ui.session.names import titled
from ui.text import plain

METHOD_HELP = (
    "**Same or mixed coarseness**: whichever of the two keeps more. **Same coarseness for everyone**: one level a "
    "column, proven to be the best by what you keep. **Single cells blank**: one level a column, and single cells "
    "blank, which analysts know as missing values. **Mixed coarseness**: each part of the file only as coarse as it "
    "must be, so that values of different levels stand side by side in a column. "
    "**IAB**, **Greedy** (Method 2) and **Exhaustive** (Method 1) go table by table, as in Arca and Hewett 2021: "
    "slower, with their search tree to see."
)
OBJECTIVE_HELP = (
    "What the search keeps most. **Detail of cells**: values in the class against all values of the column (NCP). "
    "**Distinct rows** is the paper’s; it is blind to the quasi-identifiers when another column is nearly unique. "
    "**Information**: non-uniform entropy. **Small classes**: discernibility. All are always reported."
)
WEIGHTS_HELP = "How much the detail of each column counts: 0 may be lost without regret, 1 is usual, 3 matters most."
METHOD, ROWS = "generalize-method", "generalize-rows"
MOST_LEFT_OUT, USUALLY_LEFT_OUT = 20.0, 5.0  # percent
MOST_K = 1_000


@dataclass(frozen=True)
class Guarantees:
    """The guarantees on screen, each by a number of its own, which its settings are kept under."""

    numbers: tuple[int, ...] = (0,)


def ask(data: Dataset) -> tuple[GeneralizeQuestion, Way]:
    """All controls: guarantees, then method, objective, what may go, weights and the rarer ones under “More”.

    Raises InputError where no guarantee names a column.
    """
    shared = _ask_shared(data)
    shield = list(dict.fromkeys(name for guarantee in shared for name in guarantee.columns))
    apart = {data.person_id, data.weight}
    hierarchies = chosen(data, [name for name in shield if name not in apart])
    way, keep_most, left_out, matter, more = page.beside(4, 4, 4, 3, 2, gap="small", align="bottom")
    method = keep.select(
        METHOD, "Method", list(WAYS), format_func=WAYS.__getitem__, place=way,
        help=glossary.linked(
            METHOD_HELP, "same coarseness for everyone", "mixed coarseness", "single cells blank", "proven"
        ),
    )  # fmt: skip
    local = method in OF_CELLS
    objective = keep.select(
        "generalize-objective", "Keep most", list(OBJECTIVES), format_func=OBJECTIVES.__getitem__, place=keep_most,
        disabled=local,
        help=glossary.linked(
            f"{WAYS[method]} keeps most detail of cells." if local else OBJECTIVE_HELP, "lost in the search"
        ),
    )  # fmt: skip
    limit = keep.slider(
        "generalize-limit", "May be left out", 0.0, MOST_LEFT_OUT, USUALLY_LEFT_OUT, 0.5, "%g%%", place=left_out,
        help=glossary.linked(
            "So many of the records may be left out instead of making all others coarser.",
            "left out",
        ),
    )  # fmt: skip
    with matter, st.popover("Weights", width="stretch"):
        weights = _ask_weights(list(hierarchies), local or objective in WEIGHED)
    with more, st.popover("More", width="stretch"):
        guarantees = (*shared, *_ask_of_values(data, shared, shield))
        named = [name for name in columns_of(guarantees) if name not in shield]
        counted = _ask_counted(data, {*shield, *named})
    columns = tuple(name for name in data.columns if name in {*shield, *counted, *named})
    question = GeneralizeQuestion(guarantees, tuple(hierarchies.items()), columns, objective, limit / 100, weights)
    return question, method


def choose_method(method: Method) -> None:
    """Choose a method otherwise than by its control."""
    keep.put(METHOD, method)


# ---- guarantees ---------------------------------------------------------------------------------------------------


def _ask_shared(data: Dataset) -> tuple[KAnonymity, ...]:
    """One row a guarantee: k, and the columns that so many records must share."""
    numbers = state.part(Guarantees).numbers
    apart = {*data.identifiers, data.person_id, data.weight}
    known = [name for name in data.columns if name not in apart]
    shared: list[KAnonymity] = []
    for place, number in enumerate(numbers, start=1):
        left, middle, rest = page.beside(3, 8, 3, gap="small", align="bottom")
        k, attributes = _ask_guarantee(data, known, number, f"{place}: " if len(numbers) > 1 else "", left, middle)
        with rest:
            if place == 1:
                st.button(
                    "Add a criterion", on_click=guard.action(_add), icon=":material/add:", width="stretch",
                    help="Another k, of columns of its own. All must hold; one without columns does not count.",
                )  # fmt: skip
            else:
                st.button(
                    "Remove", key=f"generalize-remove-{number}", on_click=guard.action(_remove), args=(number,),
                    icon=":material/close:", width="stretch", help=f"Remove criterion {place}",
                )  # fmt: skip
        if attributes:
            shared.append(KAnonymity(columns=tuple(attributes), least=k))
    if not shared:
        raise InputError(
            "No criterion names a column. Choose at least one column that someone may know.",
            code="guarantee-without-columns",
        )
    return tuple(shared)


def _ask_guarantee(
    data: Dataset, known: list[str], number: int, which: str, left: Any, middle: Any
) -> tuple[int, list[str]]:
    wanted = view.now().k
    k = keep.number(
        f"generalize-guarantee-{number}-k-{wanted}", f"{which}k", 2, MOST_K, min(MOST_K, max(2, wanted)), place=left,
        help=glossary.linked(
            "At least so many must share every combination of these columns. Begins with that of the Risk page.",
            "k",
        ),
    )  # fmt: skip
    attributes = keep.several(
        f"generalize-guarantee-{number}-columns",
        f"{which}columns that someone may know" if which else "Columns that someone may know", known,
        data.quasi_identifiers if number == 0 else [], format_func=titled, place=middle,
        placeholder="Choose columns",
    )  # fmt: skip
    return k, attributes


def _add() -> None:
    numbers = state.part(Guarantees).numbers
    state.change_part(Guarantees, numbers=(*numbers, max(numbers) + 1))


def _remove(number: int) -> None:
    others = tuple(other for other in state.part(Guarantees).numbers if other != number)
    state.change_part(Guarantees, numbers=others)
    keep.forget(f"generalize-guarantee-{number}-")  # the next one of this number begins fresh


# ---- weights, rules, rows -----------------------------------------------------------------------------------------


def _ask_weights(names: list[str], are_used: bool) -> tuple[tuple[str, float], ...]:
    """How much each column matters; none where all matter alike."""
    why = "" if are_used else "What is kept most is counted over whole records: no column counts more than another."
    st.markdown(why or WEIGHTS_HELP)
    weights = {
        name: keep.slider(
            keep.per("generalize-weight", name), plain(name, 40), 0, int(MOST_WEIGHT), 1, place=place,
            disabled=bool(why),
        )
        for name, place in zip(names, cycle(st.columns(2)), strict=False)
    }  # fmt: skip
    if why or (len(set(weights.values())) < 2 and any(weights.values())):
        return ()
    return tuple((name, float(weight)) for name, weight in weights.items() if weight != 1)


def _ask_of_values(data: Dataset, shared: tuple[KAnonymity, ...], shield: list[str]) -> list[PrivacyModel]:
    """l-diversity and t-closeness of a sensitive column in all classes of the guarantees, both off at first."""
    candidates = [name for name in data.sensitive if name not in shield]
    why = "" if candidates else "No sensitive column is outside the criteria."
    guarantees: list[PrivacyModel] = []
    sensitive = keep.select(
        "generalize-sensitive", "Sensitive column", candidates or ["none"], format_func=titled, disabled=bool(why),
        help=why or glossary.linked("For the criteria below.", "sensitive"),
    )  # fmt: skip
    kind = keep.segments(
        "generalize-l-kind", "Diversity", ["off", "distinct", "entropy"], disabled=bool(why),
        help=why or glossary.linked(
            "Every class must hold at least l sensitive values (l-diversity, Machanavajjhala et al. 2007).",
            "diversity", "sensitive",
        ),
    )  # fmt: skip
    if kind != "off" and not why:
        least = keep.number("generalize-l", "l", 2, 50, 2)
        by: Literal["distinct", "entropy"] = "distinct" if kind == "distinct" else "entropy"
        guarantees += [
            LDiversity(columns=guarantee.columns, sensitive=sensitive, l=least, by=by) for guarantee in shared
        ]
    distance = keep.segments(
        "generalize-t-kind", "Closeness", ["off", "equal", "ordered"], disabled=bool(why),
        help=why or glossary.linked(
            "No class’s values may be further than t from the whole file’s (t-closeness, Li et al. 2007): all values "
            "equally far apart, or in their order.",
            "closeness", "class",
        ),
    )  # fmt: skip
    if distance != "off" and not why:
        most = keep.slider("generalize-t", "t", 0.0, 1.0, 0.3, 0.05)
        how: Literal["equal", "ordered"] = "equal" if distance == "equal" else "ordered"
        guarantees += [
            TCloseness(columns=guarantee.columns, sensitive=sensitive, t=most, distance=how) for guarantee in shared
        ]
    return guarantees


def _ask_counted(data: Dataset, others: set) -> list[str]:
    """The columns beside these ``others`` that make a row; at first all that leave."""
    leaving = [name for name in leave(data) if name not in others]
    return keep.several(
        ROWS, "Other columns that make a row", leaving, leaving, format_func=titled,
        help="Distinct rows are counted over the columns above and these: at first over all that leave.",
    )  # fmt: skip
