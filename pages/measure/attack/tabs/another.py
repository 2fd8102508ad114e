"""The Attack page's fold "Another file": a file that was made of the original elsewhere."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.verdict.attacks.elsewhere import AnotherFile
from pages.measure.attack import controls, picture, results
from pages.measure.attack.question import Question
from pages.measure.attack.tabs import attacks
from ui.kit import page
from ui.text import named, plain

_MOST_PAIRS = 6


def show(data: Dataset, question: Question) -> None:
    """A file made elsewhere: the same attacks, copies, criteria that apply, and what it is good for."""
    st.markdown(
        "A file that was made of the original elsewhere, synthetic or protected by another program, is attacked in the "
        "same way. It stays in this session."
    )
    other = controls.ask_another()
    if other is None:
        return
    found = results.another(data, other, question)
    if found is None:
        return
    _say_another(found, data)
    picture.show_picture(found.attacks, question, "attack-another-picture")
    attacks.show_attacks(found.attacks, "attacks-another")
    left, right = page.beside(1, 1)
    with left:
        st.markdown("**Criteria that apply to it**")
        for finding in found.findings:
            icon = ":green[:material/check_circle:]" if finding.is_met else ":red[:material/cancel:]"
            st.markdown(f"{icon} {plain(finding.criterion.title)}: {plain(finding.says)}")
    with right:
        page.table(
            pd.DataFrame(
                {"Column": [each.column for each in found.in_common],
                 "In common": [each.share for each in found.in_common]}
            ),
            "By column, how much of its distribution both files have in common", percent=["In common"],
            help={"In common": "Sum over its values of the smaller share of records of both files."},
        )  # fmt: skip
        _show_together(found)


def _show_together(found: AnotherFile) -> None:
    """How strongly columns go together in both files."""
    if found.together is None:
        return
    st.markdown(
        f"**{words.percent(found.together.kept)}** of how strongly columns go together is kept; the pairs that changed "
        "most:"
    )
    pairs = found.together.pairs()[:_MOST_PAIRS]
    page.table(
        pd.DataFrame(
            {"Columns": [named(pair.columns) for pair in pairs], "Original": [pair.before for pair in pairs],
             "Other file": [pair.after for pair in pairs], "Measure": [pair.measure for pair in pairs]}
        ).round(3),
        "The pairs of columns whose association changed most",
        help={"Measure": "Spearman's rank correlation, or Cramér's V with Bergsma's correction; 0 to 1."},
    )  # fmt: skip


def _say_another(found: AnotherFile, data: Dataset) -> None:
    copies, alone_copies = found.copies
    sentences = [
        f"**{words.share(copies, found.n_records)}** of its {found.n_records:,} records are a record of the original "
        f"in all {len(found.columns)} columns compared, {alone_copies:,} of them one that the original has once; "
        f"{found.near:,} more differ from one in a single column."
    ]
    if found.replicated_uniques is not None:
        sentences.append(
            f"Replicated uniques: **{words.percent(found.replicated_uniques)}** of the original's records are alone by "
            "what is known in both files (synthpop’s repU)."
        )
    for each in found.disclosed:
        sentences.append(
            f"DiSCO of {plain(each.column)}: **{words.percent(each.share)}** of the original’s records have one value "
            "of it in the other file by what is known, and it is theirs."
        )
    if found.without:
        sentences.append(f"It lacks {page.listed(found.without)}.")
    st.markdown("  \n".join(sentences))
