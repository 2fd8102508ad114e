"""The form in which an officer asks for single blank cells: of which columns, and what must hold."""

from __future__ import annotations

import streamlit as st

from anonlib.counting.privacy_models import AttributeDisclosure, KAnonymity, PrivacyModel
from anonlib.dataset import Dataset
from anonlib.release.steps import BlankCells, Step
from anonlib.release.steps.blank_cells import NEEDS_VALUES
from ui.kit import glossary
from ui.session import keep, view
from ui.session.names import titled

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
