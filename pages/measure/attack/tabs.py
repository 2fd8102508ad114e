"""The views under the picture: every attack, the columns at fault, a file made elsewhere."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.release.export import table_csv
from anonlib.verdict.attacks.attacking import Attacks
from anonlib.verdict.attacks.elsewhere import AnotherFile
from anonlib.verdict.attacks.in_words import title
from anonlib.verdict.criteria import BY_KEY, AloneByWhatLeaves
from pages.measure.attack import controls, picture, results, summary
from pages.measure.attack.question import Question
from ui.kit import alone, page
from ui.kit.release_gate import Holds
from ui.session import guard
from ui.session.state import session
from ui.text import named, plain


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
            "Gain": frame["gain"].astype(float).round(3),
            "gain from": frame["gain from"].astype(float).round(3),
            "gain to": frame["gain to"].astype(float).round(3),
        }
    )
    shares = ["Succeed", "from", "to", "Not in the file", "Without the file", "Gain", "gain from", "gain to"]
    shown.loc[shown["Tries"] == 0, shares] = None
    page.table(
        shown, "Every attack with its tries, its control and its gain", percent=shares,
        height=page.table_height(len(shown), 520),
        help={
            "Gain": "(success - c) / (1 - c), c the larger of what succeeds of people not in the file and without the "
            "file; of membership the difference. Empty without people who are not in it, or where they always succeed.",
        },
    )  # fmt: skip
    page.download("Table as CSV", partial(table_csv, frame), f"{key}.csv", f"download-{key}", holds=Holds.FIGURES)
    for each in found.attacks:
        if each.note:
            st.caption(f"{plain(title(each))}. {plain(each.note)}")
    for sentence in found.not_tried:
        st.caption(plain(sentence))


def show_columns(found: Attacks, unit: str) -> None:
    """By which columns people are alone, and what would help."""
    counted = found.alone
    if counted is None:
        st.markdown("Who is alone by what leaves was not counted.")
        return
    st.markdown(alone.in_words(counted, unit, alone.is_limited()))
    if counted.worst:
        page.table(
            pd.DataFrame(
                [(named(names), few, below) for names, few, below in counted.worst],
                columns=["Columns", "Alone", f"Below {counted.k}"],
            ),
            "The sets of columns by which most are in small groups",
        )
    if not alone.is_limited():
        st.button(
            "Set a limit on it in the verdict", key="attack-limit-alone", icon=":material/gavel:",
            on_click=guard.action(_ask_limit),
            help="The verdict then asks for it, and its proposals make sensitive columns coarser for it.",
        )  # fmt: skip
    st.page_link(page.VERDICT, label="Take a change that meets it", icon=":material/gavel:")


def _ask_limit() -> None:
    asked = next(each for each in BY_KEY["public"].criteria if isinstance(each, AloneByWhatLeaves))
    aim = session().aim
    session().aim = replace(aim, criteria=(*aim.criteria, asked))
    session().notice = "The verdict asks for few alone by what leaves. Choose a change there that meets it."


def show_another(data: Dataset, question: Question) -> None:
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
    show_attacks(found.attacks, "attacks-another")
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


def _say_another(found: AnotherFile, data: Dataset) -> None:
    copies, alone_copies = found.copies
    sentences = [
        f"**{words.share(copies, found.n_records)}** of its {found.n_records:,} records are a record of the original "
        f"in all {len(found.columns)} columns compared, {alone_copies:,} of them one that the original has once."
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


def show_tables(found: Attacks | None, unit: str) -> None:
    """Every attack, where they were tried."""
    if found is None:
        summary.show_sentence(None)
        return
    show_attacks(found)
