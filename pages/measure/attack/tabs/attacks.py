"""The Attack page's fold "Every attack": the picture, and each attack with its figures."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from anonlib.release.export import table_csv
from anonlib.verdict.attacks.attacking import Attacks
from anonlib.verdict.attacks.in_words import first_sentence, title
from pages.measure.attack import picture
from pages.measure.attack.question import Question
from ui.kit import glossary, page
from ui.kit.release_gate import Holds
from ui.text import plain


def show(found: Attacks, question: Question) -> None:
    """How many attempts of 100 succeed, the picture, and every attack with its figures."""
    if sentence := first_sentence(found.attacks, found.attacker.n_columns):
        st.markdown(f"**{plain(sentence)}**")
    picture.show_picture(found, question)
    show_attacks(found)


def show_attacks(found: Attacks, key: str = "attacks") -> None:
    """Every attack with its figures."""
    frame = found.to_frame()
    if frame.empty:
        st.markdown("No attack was tried.")
        return
    shown = pd.DataFrame(
        {
            "Attack": [title(each) for each in found.attacks],
            "Succeed": frame["rate"],
            "from": frame["from"],
            "to": frame["to"],
            "Tries": frame["tries"],
            "Not in the file": frame["control"],
            "Without the file": frame["baseline"],
            "Gain": frame["gain"].astype(float).round(3) + 0.0,
            "gain from": frame["gain from"].astype(float).round(3) + 0.0,
            "gain to": frame["gain to"].astype(float).round(3) + 0.0,
        }
    )
    shares = ["Succeed", "from", "to", "Not in the file", "Without the file", "Gain", "gain from", "gain to"]
    shown.loc[shown["Tries"] == 0, shares] = None
    page.table(
        shown, "Every attack with its tries, its control and its gain", percent=shares,
        height=page.table_height(len(shown), 520),
        help={
            "Gain": glossary.linked(
                "(success - c) / (1 - c), c the larger of what succeeds of people not in the file and without the "
                "file; of who is known to be in the file the difference. Empty without people who are not in it, or "
                "where they always succeed.",
                "known to be in the file",
            ),
        },
    )  # fmt: skip
    page.download("Table as CSV", partial(table_csv, frame), f"{key}.csv", f"download-{key}", holds=Holds.FIGURES)
    for each in found.attacks:
        if each.note:
            st.caption(f"{plain(title(each))}. {plain(each.note)}")
    for sentence in found.not_tried:
        st.caption(plain(sentence))
