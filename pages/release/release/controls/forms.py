"""The forms in which an officer makes one step of a recipe, or changes it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.coarsening.hierarchies import OTHER, suggested_hierarchy
from anonlib.coarsening.recoding import CodeGroup, Mask, Recoding, Redaction, ValueMap
from anonlib.coarsening.recoding.redaction import CANNOT_PROMISE
from anonlib.columns.free_text import texts_in
from anonlib.columns.roles import numbers_are_dates
from anonlib.counting.privacy_models import (
    ALL,
    ONE,
    VALUES,
    AttributeDisclosure,
    KAnonymity,
    PrivacyModel,
    RowsKnown,
    in_short,
)
from anonlib.dataset import Dataset
from anonlib.release.steps import (
    OTHERS,
    AggregatePlaces,
    AtMostRows,
    BlankCells,
    DropColumns,
    GeneralizeLocally,
    HoldBack,
    LeaveOut,
    MergeRare,
    Others,
    Recode,
    ShiftDates,
    Step,
    Unlink,
)
from anonlib.release.steps.cell_suppression import NEEDS_VALUES
from pages.release.release.controls.persons import ask_at_most_rows, ask_shift_dates
from pages.release.release.controls.recodings import ask, begin_of
from ui.kit import glossary, page
from ui.session import keep, view
from ui.session.names import titled
from ui.session.state import session
from ui.text import plain

_TEXTS_SHOWN = 200
Form = Callable[..., Step | None]
INTO_ONE, ALONG = "one label", "the nearest level of the column’s hierarchy"
OTHER_VALUES: dict[Others, str] = {
    "ask": "Ask me then, and download nothing before",
    "nearest": "Take the label of the nearest value",
    "star": "Become *",
    "leave_out": "Leave out their records",
}
_WORDS = ("recode", "rare values together", "dropped", "single cells blank", "left out", "move dates", "limit rows")
"""What the glossary calls the kinds of step."""


def choose_step(current: Dataset, edited: Step | None, key: str, before: Callable[[str], Dataset]) -> Step | None:
    """A step for the data as it stands at this point of the recipe, or None while it is incomplete.

    ``edited`` is the step to begin from, if there is one; ``key`` keeps the widgets of one edit apart from others.
    ``before`` gives the data that a recoding of a column will find where the recipe puts it. Raises InputError.
    """
    if edited is not None:
        return FORMS[edited.kind](current, edited, key, before)
    kinds: dict[str, Form] = {
        "Recode": _recode, "Rare values together": _merge, "Drop columns": _drop, "Single cells blank": ask_blank_cells,
        "Leave out": _leave_out_below, "Move dates": ask_shift_dates, "Limit rows": ask_at_most_rows,
    }  # fmt: skip
    if current.has_several_rows:
        kinds["Leave out rows"] = _leave_out_rows
        if current.is_linked:
            kinds["Unlink"] = _unlink
    kind = keep.segments(f"{key}-kind", "Kind of step", list(kinds), help=glossary.link(*_WORDS))
    return kinds[kind](current, None, key, before)


def _found(current: Dataset, edited: Step, key: str, before: object, *, of: tuple[str, ...]) -> Step:
    """A step that a search made: only its reason is changed here. ``of`` are the pages that make such steps."""
    st.markdown("This step comes from a search. Search again with other settings, and it gives way to what is found.")
    if page.GENERALIZE in of:
        st.page_link(page.GENERALIZE, label="To Generalize", icon=":material/account_tree:")
    if page.VERDICT in of:
        st.page_link(page.VERDICT, label="To the verdict", icon=":material/gavel:")
    if page.REGIONS in of:
        st.page_link(page.REGIONS, label="To Regions", icon=":material/map:")
    return edited


def _held_back(current: Dataset, edited: HoldBack, key: str, before: object) -> Step:
    """Who is held back follows from a criterion: only the reason is changed here."""
    st.markdown("Who is held back is looked up on the Verdict page, for this file alone. Look again there for others.")
    st.page_link(page.VERDICT, label="To the verdict", icon=":material/gavel:")
    return edited


def _drop(current: Dataset, edited: DropColumns | None, key: str, before: object) -> Step | None:
    chosen = [] if edited is None else [c for c in edited.columns if c in current.columns]
    columns = keep.several(f"{key}-drop", "Columns to drop", current.columns, chosen, format_func=titled)
    return DropColumns(tuple(columns)) if columns else None


def _leave_out(current: Dataset, edited: LeaveOut, key: str, before: object) -> Step:
    """Classes below k, or rows of persons that too few share; what a search made is not changed here."""
    if edited.k is not None:
        return _leave_out_below(current, edited, key, before)
    if edited.what == "rows" and len(edited.guarantees) == 1 and isinstance(edited.guarantees[0], KAnonymity):
        return _leave_out_rows(current, edited, key, before)
    return _found(current, edited, key, before, of=(page.VERDICT, page.GENERALIZE, page.REGIONS))


def _leave_out_below(current: Dataset, edited: LeaveOut | None, key: str, before: object) -> Step:
    begin = view.now().k_to_reach if edited is None or edited.k is None else edited.k
    k = keep.number(
        f"{key}-k", "Leave out records in classes smaller than", 2, 1_000, max(2, begin),
        help=glossary.linked(
            "Records that share their quasi-identifiers with too few others are left out.",
            "class", "left out",
        ),
    )  # fmt: skip
    return LeaveOut(int(k))


def _leave_out_rows(current: Dataset, edited: LeaveOut | None, key: str, before: object) -> Step:
    """Rows of persons that too few share."""
    guarantee = None if edited is None else edited.guarantees[0]
    assert guarantee is None or isinstance(guarantee, KAnonymity)
    known = tuple(current.quasi_identifiers)
    if not known:
        raise InputError("No quasi-identifier is left by which rows could be counted.", code="no-column-known")
    k_place, rows_place = st.columns(2)
    k = keep.number(
        f"{key}-rows-k", "Leave out rows that fewer persons share than", 2, 1_000,
        max(2, view.now().k_to_reach) if guarantee is None else max(2, guarantee.least), place=k_place,
        help=glossary.linked(
            "Of each person the rows that give them away; who is left with none is left out.",
            "left out",
        ),
    )  # fmt: skip
    ways: list[RowsKnown] = [ONE, VALUES, ALL]
    rows = keep.select(
        f"{key}-rows-known", "Known of a person", ways,
        ONE if guarantee is None or guarantee.rows not in ways else guarantee.rows,
        format_func=in_short, place=rows_place,
        help="A visit is a row of a person who has several. Somebody saw them once; knows the values that their visits "
        "have in each column; or knows all of their visits and how many these are.",
    )  # fmt: skip
    return LeaveOut(guarantees=(KAnonymity(columns=known, least=int(k), rows=rows),), what="rows")


def _blank_cells(current: Dataset, edited: BlankCells, key: str, before: object) -> Step | None:
    """Blank cells as they were asked for by hand; what a search made is not changed here."""
    if is_by_hand(edited):
        return ask_blank_cells(current, edited, key, before)
    return _found(current, edited, key, before, of=(page.VERDICT, page.GENERALIZE))


def _unlink(current: Dataset, edited: Unlink | None, key: str, before: object) -> Step | None:
    person = current.person_id if edited is None else edited.column
    if person is None:
        return None
    st.markdown(
        f"Rows leave without **{plain(person, 40)}**, so that it does not tell which are of one person. What takes "
        "several rows of a person can then not be analysed: whether somebody came again, or what changed."
    )
    return Unlink(person)


def _merge(current: Dataset, edited: MergeRare | None, key: str, before: Callable[[str], Dataset]) -> Step:
    """Values that few have: into one, or along the column's hierarchy."""
    column = _column(current, edited.column if edited is not None else None, key)
    data_before = before(column)
    same = edited if edited is not None and edited.column == column else None
    key = f"{key}-{column}"
    k_place, label_place = st.columns(2)
    default_k = max(2, view.now().k_to_reach) if same is None else same.k
    k = keep.number(
        f"{key}-rare-k", "Merge values of fewer than", 2, 100_000, default_k,
        place=k_place, help="Records, or persons where rows are counted by person.",
    )  # fmt: skip
    ways = [INTO_ONE, ALONG]
    way = keep.radio(f"{key}-rare-way", "Into", ways, ways[int(same is not None and same.hierarchy is not None)])
    label = keep.text(
        f"{key}-rare-label", "Label", OTHER if same is None else same.other, place=label_place,
        disabled=way == ALONG,
        help=glossary.linked(
            "The labels are those of the hierarchy." if way == ALONG else "What the values merged are released as.",
            "hierarchy",
        ),
    )  # fmt: skip
    if way == ALONG:
        counts = data_before.held.counts_of(column)
        chosen = session().hierarchies.get(column) or suggested_hierarchy(
            counts.values,
            counts.records,
            column,
            dated=numbers_are_dates(data_before.held, column),
            described=data_before.described.get(column),
        )
        step = MergeRare(column, int(k), hierarchy=same.hierarchy if same and same.hierarchy else chosen)
    else:
        step = MergeRare(column, int(k), label)
    if same is not None and same.level is not None:  # of a proposal, whose bands stay
        step = replace(step, level=same.level)
    _show_table(step.value_tables(data_before, data_before)[0][1])
    return step


def _column(current: Dataset, begin: str | None, key: str) -> str:
    """The column that a step is about: quasi-identifiers first."""
    ordered = current.quasi_identifiers + [c for c in current.columns if c not in current.quasi_identifiers]
    if not ordered:
        raise InputError("No column is left to recode.", code="no-column-known")
    first = begin if begin is not None and begin in ordered else ordered[0]
    return keep.select(f"{key}-column", "Column", ordered, first, format_func=titled)


def _recode(current: Dataset, edited: Recode | None, key: str, before: Callable[[str], Dataset]) -> Step | None:
    column = _column(current, edited.column if edited is not None else None, key)
    data_before = before(column)
    same = edited if edited is not None and edited.column == column else None
    start = begin_of(data_before.held, column) if same is None else same.recoding
    key = f"{key}-{column}"
    recoding = ask(start, data_before.held, column, key)
    if recoding is None:
        return None
    step = Recode(column, recoding, others=_others(same, recoding, key))
    # Of a step made earlier, only what it knew then is known: what is new in this file is asked about.
    step = replace(step, kept=same.kept) if same is not None and _alike(recoding, start) else step.knowing(data_before)
    _show_values(step, data_before)
    return step


def _alike(recoding: Recoding, other: Recoding) -> bool:
    """Whether two recodings are of one way, codes of one system."""
    if isinstance(recoding, CodeGroup) and isinstance(other, CodeGroup):
        return recoding.system == other.system
    return type(recoding) is type(other)


def _others(edited: Recode | None, recoding: Recoding, key: str) -> Others:
    """What becomes of values that the recoding will not cover, as next year's file may have them."""
    if isinstance(recoding, Mask | Redaction) or (isinstance(recoding, ValueMap) and recoding.otherwise is not None):
        return "ask"  # there are none
    offered = [way for way in OTHERS if way != "nearest" or isinstance(recoding, ValueMap)]
    begin = edited.others if edited is not None and edited.others in offered else "ask"
    return keep.select(
        f"{key}-others", "Other values, such as next year’s", offered, begin, format_func=OTHER_VALUES.__getitem__,
        help="What becomes of values that this step does not cover and that are not in this file. Until you decide, a "
        "file with such values cannot be downloaded.",
    )  # fmt: skip


def _show_values(step: Recode, current: Dataset) -> None:
    if isinstance(step.recoding, Redaction):
        _show_texts(step.column, step.recoding, current)
    else:
        _show_table(step.value_table(current))


def _show_texts(column: str, redaction: Redaction, current: Dataset) -> None:
    """What was found in the texts, what redaction cannot promise, and a sample: reading all of many takes seconds."""
    inside = texts_in(current.held, column)
    description = f"{inside.describe()} " if inside is not None else ""
    st.markdown(f"{description}{CANNOT_PROMISE} Read a sample before release.")
    counts = current.held.counts_of(column)
    n = len(counts.values)
    some = np.unique(np.linspace(0, n - 1, min(n, _TEXTS_SHOWN)).round().astype(int))
    texts = counts.values[some]
    of = f" of {words.count(n, 'texts')}" if len(some) < n else ""
    with st.expander(f"{len(some):,}{of or ' texts'} and what they become"):
        shown = pd.DataFrame(
            {"Released as": redaction.labels(texts), "Records": counts.records[some], "Value": texts}, dtype=object
        )
        page.table(shown, "Texts and what each is released as", height=220)


def _show_table(table: pd.DataFrame) -> None:
    with st.expander(f"{table['value'].nunique():,} values become {table['released as'].nunique():,}"):
        shown = table.head(1_000).rename(columns={"value": "Value", "released as": "Released as", "records": "Records"})
        page.table(shown, "Each value and what it is released as", height=220)


FORMS: dict[str, Form] = {
    Recode.kind: _recode,
    MergeRare.kind: _merge,
    DropColumns.kind: _drop,
    LeaveOut.kind: _leave_out,
    Unlink.kind: _unlink,
    BlankCells.kind: _blank_cells,
    AtMostRows.kind: ask_at_most_rows,
    ShiftDates.kind: ask_shift_dates,
    HoldBack.kind: _held_back,
    GeneralizeLocally.kind: partial(_found, of=(page.GENERALIZE,)),
    AggregatePlaces.kind: partial(_found, of=(page.REGIONS,)),
}
"""By kind of step, the form in which one is made or changed."""


# ---- single blank cells ----


MOST_LEFT_OUT = 20.0  # percent


def is_by_hand(step: BlankCells) -> bool:
    """Whether the form can state the step: everybody knows the same columns, and all cells are worth the same."""
    first = step.guarantees[0]
    known = {guarantee.columns for guarantee in step.guarantees}
    stated = _guarantees(first.columns, _k_of(step), _sensitive_of(step))
    return len(known) == 1 and stated == step.guarantees and not (step.column_weights or step.worth)


def ask_blank_cells(current: Dataset, edited: BlankCells | None, key: str, before: object) -> Step | None:
    """A step that leaves single cells blank; None while no column is chosen."""
    if current.missing == "drop":
        st.markdown(NEEDS_VALUES)
        return None
    known = [name for name in current.quasi_identifiers if name not in (current.person_id, current.weight)]
    begin = known if edited is None else [name for name in edited.blankable if name in known]
    columns = keep.several(
        f"{key}-blank-columns", "Columns whose cells may be blank", known, begin, format_func=titled,
        help=glossary.linked(
            "The other quasi-identifiers stay as they are, and are known all the same.",
            "quasi-identifier",
        ),
    )  # fmt: skip
    k_place, limit_place = st.columns(2)
    k = keep.number(
        f"{key}-blank-k", "Records that share all quasi-identifiers, at least", 2, 1_000,
        max(2, view.now().k_to_reach if edited is None else _k_of(edited)), place=k_place,
    )  # fmt: skip
    limit = keep.slider(
        f"{key}-blank-limit", "May be left out", 0.0, MOST_LEFT_OUT, 0.0 if edited is None else
        min(MOST_LEFT_OUT, 100 * edited.left_out_limit), 0.5, "%g%%", place=limit_place,
        help=glossary.linked(
            "Who cannot be protected by single cells blank is left out, where so many may be.",
            "left out", "single cells blank",
        ),
    )  # fmt: skip
    sensitive = keep.several(
        f"{key}-blank-certain", "Columns of which nobody may be certain", current.sensitive,
        [] if edited is None else [name for name in _sensitive_of(edited) if name in current.sensitive],
        format_func=titled, placeholder="None",
        help=glossary.linked(
            "Records that share all quasi-identifiers must have two values of each, so that none is certain.",
            "certain", "quasi-identifier",
        ),
    )  # fmt: skip
    st.markdown(
        "As few cells are left blank as the search finds, always the same ones. A blank cell is empty, as a missing "
        "value is, and both count as one value."
    )
    if not columns:
        return None
    guarantees = _guarantees(tuple(known), int(k), tuple(sensitive))
    return BlankCells(tuple(columns), guarantees, limit / 100)


def _guarantees(known: tuple[str, ...], k: int, sensitive: tuple[str, ...]) -> tuple[PrivacyModel, ...]:
    return (
        KAnonymity(columns=known, least=k),
        *(AttributeDisclosure(columns=known, sensitive=name) for name in sensitive),
    )


def _k_of(step: BlankCells) -> int:
    return next((guarantee.least for guarantee in step.guarantees if isinstance(guarantee, KAnonymity)), 2)


def _sensitive_of(step: BlankCells) -> tuple[str, ...]:
    return tuple(guarantee.sensitive for guarantee in step.guarantees if isinstance(guarantee, AttributeDisclosure))
