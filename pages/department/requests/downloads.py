"""The report of a request, which is all that a reviewer can take home."""

from __future__ import annotations

from functools import partial
from typing import get_args

import streamlit as st

from anonlib.filing.case import Order
from anonlib.filing.department.acts import Act
from anonlib.filing.evidence.report import ORDERS, html_of, pdf_of
from pages.department.requests.results import RequestInView
from ui.files import department
from ui.kit import page, shared_controls
from ui.kit.release_gate import Holds
from ui.session import keep
from ui.text import file_stem

_HEIGHT = 700  # pixels of the report on the page


def show(in_view: RequestInView) -> None:
    """The report as it was frozen, in any form."""
    evidence, asks = in_view.evidence, in_view.request.asks
    order_place, language_place = st.columns([4, 2], gap="small")
    order = keep.select(
        "request-order", "Form of the report", get_args(Order), "assessment", place=order_place,
        format_func=ORDERS.__getitem__, help="The same content, in the order in which it is filed.",
    )  # fmt: skip
    spoken = shared_controls.ask_language(language_place)
    case = asks.case.reference or asks.case.title
    noted = partial(
        department.noting, Act.REPORTED, request=f"{in_view.request.number}", file=asks.file, recipe=asks.recipe,
        form=order, title=asks.case.title,
    )  # fmt: skip
    stem = f"{file_stem(case, order, evidence.made_on)}{shared_controls.in_a_file_name(spoken)}"
    with st.container(horizontal=True):
        page.download(
            "Report (PDF)", noted(partial(pdf_of, evidence, order, language=spoken)), f"{stem}.pdf", "request-pdf",
            holds=Holds.INSIDE, primary=True, help="Made of what was frozen, without a cell of the data.",
        )  # fmt: skip
        page.download(
            "Report (HTML)", noted(partial(html_of, evidence, order, language=spoken)), f"{stem}.html", "request-html",
            holds=Holds.INSIDE, help="One file to read in a browser; it runs and asks for nothing.",
        )  # fmt: skip
    st.iframe(html_of(evidence, order, language=spoken).decode(), height=_HEIGHT, alt="The report")
