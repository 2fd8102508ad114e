"""The Attack page's fold "Intruder": targets for a person who tries, and how their claims score."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from anonlib.filing.project import LoadedFile
from anonlib.release.export import leaving_order, table_csv
from anonlib.release.recipe import Recipe
from anonlib.verdict.attacks.attacking import Attacker
from anonlib.verdict.attacks.intruder import TARGETS, Score, Sheet, drawn, in_words, scored
from pages.measure.attack.question import Filled, Question
from ui.kit import page
from ui.kit.release_gate import Holds
from ui.server.keeping import forget_uploads
from ui.session import cache, guard, keep, state, view
from ui.text import plain, stem

_RANDOM, _AT_RISK = "Anybody", "Those at most risk"


def show(data: Dataset, question: Question) -> None:
    """Draw targets, hand out the sheet, and score what comes back."""
    st.markdown(
        "The test by a motivated intruder: a competent person tries to find people in the release, with sources of "
        "their own, and says how sure they are. You draw the targets and keep the answers; nothing leaves by itself."
    )
    sheet = _ask(data, question)
    if sheet is None:
        return
    _offer(sheet, data)
    filled = state.part(Filled)
    if filled.form is None:
        return
    try:
        score = scored(sheet, filled.form, data.codes)
    except InputError as error:
        st.error(plain(str(error)), icon=":material/error:")
        return
    _show_score(score, question)


def _ask(data: Dataset, question: Question) -> Sheet | None:
    """The draw; None where there can be none, and then the page states why."""
    n, who, draw = page.beside(2, 3, 2, gap="small", align="bottom")
    n_targets = keep.select(
        "intruder-targets", "Targets", [10, TARGETS, 50, 100], TARGETS, place=n,
        help="Twenty take a person an afternoon; more make the interval narrower.",
    )  # fmt: skip
    whom = keep.segments(
        "intruder-whom", "Whom", [_RANDOM, _AT_RISK], place=who,
        help="Anybody: a share of all people follows. Those at most risk: whom a guess among all who fit finds with "
        "the greatest chance.",
    )  # fmt: skip
    number = keep.number(
        "intruder-draw", "Draw number", 1, 999, 1, 1, place=draw,
        help="Each number draws other targets. A form is scored with the number that it was made with.",
    )  # fmt: skip
    try:
        return _drawn(view.now().recipe, data, attacker=question.attacker,
            lot=tuple(state.lot("intruder", int(number))), order=tuple(state.lot("release")), n_targets=n_targets,
            at_risk=whom == _AT_RISK,
        )  # fmt: skip
    except InputError as error:
        st.info(plain(str(error)), icon=":material/info:")
        return None


@cache.remembered(doing="Drawing targets")
def _drawn(
    recipe: Recipe, data: Dataset, *, attacker: Attacker, lot: tuple[int, ...], order: tuple[int, ...], n_targets: int,
    at_risk: bool,
) -> Sheet:  # fmt: skip
    applied = view.apply(recipe, data)
    if data.frame is None:
        raise InputError(
            "Targets are drawn from records in memory: open the table as a file, or a part of it.",
            code="records-in-a-database",
        )
    leaves = leaving_order(applied.released, order)
    return drawn(applied, recipe, attacker, leaves, lot, n_targets=n_targets, at_risk=at_risk)


def _offer(sheet: Sheet, data: Dataset) -> None:
    """The sheet to hand out, and where it comes back."""
    take, back = page.beside(2, 5, gap="small", align="bottom")
    with take:
        page.download(
            "Sheet for the intruder (Excel)", sheet.to_excel, f"{stem(data.name)}-intruder.xlsx", "download-intruder",
            holds=Holds.INSIDE, primary=True,
            help="True values of what is taken to be known of each target, room for claims, and how it goes. Hand it "
            "out under a duty of confidence, with the released file.",
        )  # fmt: skip
        st.page_link(page.RELEASE, label="The released file", icon=":material/outbound:")
    key = keep.key("intruder-form")
    back.file_uploader(
        "The sheet as it was filled in", key=key, on_change=guard.action(_load), args=(key,),
        help="Excel or CSV, with the names of the columns as they are. It is scored here and kept nowhere.",
    )  # fmt: skip


def _load(key: str) -> None:
    upload = keep.uploaded(key)
    if upload is not None:
        frame = LoadedFile.of(upload.getvalue(), upload.name).source.frame
        state.change_part(Filled, form=frame)
        forget_uploads()


def _show_score(score: Score, question: Question) -> None:
    st.markdown(f"**{plain(in_words(score, question.limit))}**")
    left, right = page.beside(1, 1)
    with left:
        page.table(
            pd.DataFrame(
                [(name, rate.tries, int(rate.successes), rate.share if rate.tries else None)
                 for name, rate in score.by_band],
                columns=["How sure", "Claims", "Right", "Share"],
            ),
            "Claims by how sure the intruder was", percent=["Share"],
        )  # fmt: skip
    with right:
        if score.of_values:
            page.table(
                pd.DataFrame(
                    [(name, rate.tries, int(rate.successes), common) for name, rate, common in score.of_values],
                    columns=["Value of", "Claimed", "Right", "Right with the commonest"],
                ),
                "Claimed values by column",
                help={"Right with the commonest": "Of the same targets, for how many the commonest value is true."},
            )  # fmt: skip
    frame = score.to_frame()
    shown = frame.assign(**{name: frame[name].map({True: "yes", False: "no"}) for name in ("claimed", "right")})
    shown.loc[~frame["claimed"], "right"] = "–"
    page.table(
        shown.rename(columns=lambda name: name[:1].upper() + name[1:]), "Every target with its claim",
        percent=["Chance of a guess"], height=page.table_height(len(frame), 400),
    )  # fmt: skip
    page.download(
        "Score as CSV", partial(table_csv, frame), "intruder-score.csv", "download-intruder-score", holds=Holds.FIGURES
    )
    page.counts(
        "Right: the record is of the target, or they are truly not in the release. Chance of a guess: among all who "
        "fit what was given. ICO, anonymisation guidance (motivated intruder); EMA, guidance on Policy 0070; ONS, "
        "guidance on intruder testing."
    )
