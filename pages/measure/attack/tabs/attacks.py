"""The folds of the Attack page: every attack, the columns at fault, another file, and the intruder's targets."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from anonlib.filing.project import LoadedFile
from anonlib.plots import attacks as plots
from anonlib.release.export import leaving_order, table_csv
from anonlib.release.recipe import Recipe
from anonlib.release.uniqueness_of_release import Alone
from anonlib.verdict.attacks.attacking import Attacks, AttackSettings
from anonlib.verdict.attacks.elsewhere import AnotherFile
from anonlib.verdict.attacks.in_words import as_rows, first_sentence, title
from anonlib.verdict.attacks.intruder import TARGETS, IntruderScore, Sheet, drawn, in_words, scored
from anonlib.verdict.criteria import BY_KEY, UniquenessLimit
from pages.measure.attack import results
from pages.measure.attack.results import AttackQuestion, Filled
from ui.kit import another_file, criterion_pages, glossary, page, uniqueness
from ui.kit.release_gate import Holds
from ui.server.keeping import forget_uploads
from ui.session import cache, guard, keep, state, view
from ui.session.state import session
from ui.text import named, plain, stem


def show(attacks: Attacks, question: AttackQuestion) -> None:
    """How many attempts of 100 succeed, the picture, and every attack with its figures."""
    if sentence := first_sentence(attacks.attacks, attacks.attacker.n_columns):
        st.markdown(f"**{plain(sentence)}**")
    show_picture(attacks, question)
    show_attacks(attacks)


def show_attacks(attacks: Attacks, key: str = "attacks") -> None:
    """Every attack with its figures."""
    frame = attacks.to_frame()
    if frame.empty:
        st.markdown("No attack was tried.")
        return
    shown = pd.DataFrame(
        {
            "Attack": [title(tried) for tried in attacks.attacks],
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
    for attack in attacks.attacks:
        if attack.note:
            st.caption(f"{plain(title(attack))}. {plain(attack.note)}")
    for sentence in attacks.not_tried:
        st.caption(plain(sentence))


def show_picture(attacks: Attacks, question: AttackQuestion, key: str = "attack-picture") -> None:
    rows = as_rows(attacks.attacks, question.limit)
    if not rows:
        return
    red = [row.title for row in rows if row.is_red]
    above = f"{words.listed(red)} gain more than {words.percent(question.limit)}" if red else "none gains more"
    page.figure(
        partial(plots.successes, rows),
        f"How often each of {len(rows)} attacks succeeds, with its interval, beside people who are not in the file: "
        f"{above}.",
        key,
    )  # fmt: skip
    page.counts(
        "Dot: tries that succeed, with the 95% interval (Wilson); ring: the same attack on people who are not in the "
        "file; stroke: without the file. Red, a diamond: what it gains over the higher of both, of what that leaves, "
        f"is above {words.percent(question.limit)}. {attacks.made_of} Article 29 Working Party, "
        "WP216; Giomi et al. 2023."
    )


# ---- another file ----


_MOST_PAIRS = 6


def show_another(data: Dataset, question: AttackQuestion) -> None:
    """A file made elsewhere: the same attacks, copies, criteria that apply, and what it is good for."""
    st.markdown(
        "A file that was made of the original elsewhere, synthetic or protected by another program, is attacked in the "
        "same way. It stays in this session."
    )
    other = another_file.ask("attack")
    if other is None:
        return
    left, right = page.beside(5, 2, gap="small", align="center")
    left.markdown(
        f"What it lets infer of each of the original’s {data.unit}, and what the others give away anyway, is drawn on "
        "the page Individuals."
    )
    right.button(
        "Look everybody up in it", key="attack-another-individuals", icon=":material/person_search:",
        on_click=guard.action(criterion_pages.look_everybody_up),
        help="Opens Individuals on this file: for each person, whose value is certain from it.",
    )  # fmt: skip
    another = results.another(data, other, question)
    if another is None:
        return
    _say_another(another, data)
    show_picture(another.attacks, question, "attack-another-picture")
    show_attacks(another.attacks, "attacks-another")
    left, right = page.beside(1, 1)
    with left:
        st.markdown("**Criteria that apply to it**")
        for finding in another.findings:
            icon = ":green[:material/check_circle:]" if finding.is_met else ":red[:material/cancel:]"
            st.markdown(f"{icon} {plain(finding.criterion.title)}: {plain(finding.says)}")
    with right:
        page.table(
            pd.DataFrame(
                {"Column": [common.column for common in another.in_common],
                 "In common": [common.share for common in another.in_common]}
            ),
            "By column, how much of its distribution both files have in common", percent=["In common"],
            help={"In common": "Sum over its values of the smaller share of records of both files."},
        )  # fmt: skip
        _show_together(another)


def _show_together(other: AnotherFile) -> None:
    """How strongly columns go together in both files."""
    if other.together is None:
        return
    st.markdown(
        f"**{words.percent(other.together.kept)}** of how strongly columns go together is kept; the pairs that changed "
        "most:"
    )
    pairs = other.together.pairs()[:_MOST_PAIRS]
    page.table(
        pd.DataFrame(
            {"Columns": [named(pair.columns) for pair in pairs], "Original": [pair.before for pair in pairs],
             "Other file": [pair.after for pair in pairs], "Measure": [pair.measure for pair in pairs]}
        ).round(3),
        "The pairs of columns whose association changed most",
        help={"Measure": "Spearman's rank correlation, or Cramér's V with Bergsma's correction; 0 to 1."},
    )  # fmt: skip


def _say_another(other: AnotherFile, data: Dataset) -> None:
    copies, alone_copies = other.copies
    sentences = [
        f"**{words.share(copies, other.n_records)}** of its {other.n_records:,} records are a record of the original "
        f"in all {len(other.columns)} columns compared, {alone_copies:,} of them one that the original has once; "
        f"{other.near:,} more differ from one in a single column."
    ]
    if other.replicated_uniques is not None:
        sentences.append(
            f"Replicated uniques: **{words.percent(other.replicated_uniques)}** of the original's records are alone by "
            "what is known in both files (synthpop’s repU)."
        )
    for disclosed in other.disclosed:
        sentences.append(
            f"DiSCO of {plain(disclosed.column)}: **{words.percent(disclosed.share)}** of the original’s records have "
            "one value of it in the other file by what is known, and it is theirs."
        )
    if other.without:
        sentences.append(f"It lacks {page.listed(other.without)}.")
    st.markdown("  \n".join(sentences))


# ---- columns at fault ----


def show_columns(counted: Alone, unit: str) -> None:
    """By which columns people are alone, and what would help."""
    st.markdown(uniqueness.in_words(counted, unit, uniqueness.is_limited()))
    if counted.worst:
        page.table(
            pd.DataFrame(
                [(named(names), few, below) for names, few, below in counted.worst],
                columns=["Columns", "Alone", f"Below {counted.k}"],
            ),
            "The sets of columns by which most are among few like them",
        )
    if not uniqueness.is_limited():
        st.button(
            "Set a limit on it in the verdict", key="attack-limit-alone", icon=":material/gavel:",
            on_click=guard.action(_ask_limit),
            help="The verdict then asks for it, and its proposals make sensitive columns coarser for it.",
        )  # fmt: skip
    if not all(limit.allows(counted.share_alone, counted.share_below) for limit in _limits()):
        st.page_link(page.VERDICT, label="Take a change that meets it", icon=":material/gavel:")


def _limits() -> tuple[UniquenessLimit, ...]:
    """The limits that the verdict sets; of a public release where it sets none."""
    for criteria in (session().aim.criteria, BY_KEY["public"].criteria):
        if limits := tuple(criterion.uniqueness for criterion in criteria if criterion.uniqueness is not None):
            return limits
    return ()


def _ask_limit() -> None:
    uniqueness_criterion = next(
        criterion for criterion in BY_KEY["public"].criteria if criterion.uniqueness is not None
    )
    session().aim = session().aim.with_criterion(uniqueness_criterion)
    session().notice = "The verdict asks for few who are unique on released columns. Choose a change that meets it."


# ---- intruder ----


_RANDOM, _AT_RISK = "Anybody", "Those at most risk"


def show_intruder(data: Dataset, question: AttackQuestion) -> None:
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


def _ask(data: Dataset, question: AttackQuestion) -> Sheet | None:
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


@cache.waited_for("Drawing targets")
def _drawn(
    recipe: Recipe, data: Dataset, *, attacker: AttackSettings, lot: tuple[int, ...], order: tuple[int, ...],
    n_targets: int,
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


def _show_score(score: IntruderScore, question: AttackQuestion) -> None:
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
