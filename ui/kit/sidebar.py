"""The sidebar: undo, which data, what the recipe does to its risk, and the project. Always there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from anonlib.basics import figures, words
from anonlib.counting.privacy_models import RowsKnown, who_knows
from anonlib.dataset import Dataset
from anonlib.filing.project import MOST_BYTES, MOST_NAMED
from anonlib.release.comparison import Comparison
from anonlib.release.uniqueness_of_release import FACTS
from anonlib.release.unprotected import BothEnds, Sizes
from anonlib.verdict.criteria.inference import Certain
from ui.files import projects
from ui.kit import columns, glossary, page, register, release_gate, request
from ui.kit.release_gate import Holds
from ui.server import who
from ui.session import first_start, guard, history, keep, knows_method, view
from ui.session.names import titled
from ui.session.state import session
from ui.session.view import MOST_KNOWN
from ui.text import plain

_WITHOUT_FIGURES = ("Home", "Data")
_SHOWS_IT_ITSELF = "Verdict"
_ROWS = {1: "one visit", "values": "all values", "all": "all visits"}


def comes_last(page: str) -> bool:
    """Whether the page shows none of what the sidebar counts, so that it need not wait for it."""
    return page in _WITHOUT_FIGURES and session().loaded is not None


def show(page: str = "") -> None:
    """The sidebar of a page; the Verdict page, which must be there at once, shows what k does not count itself."""
    follows = st.empty()  # always there, or what comes below would be made again
    if page and view.now().data is not None and view.now().is_verdict_to_be_counted:
        with follows.container():
            st.title(page, anchor=False)
            st.caption("The criteria are checked first; how far that is stands on the left.")
    with st.sidebar:
        _show_who()
        if not who.is_officer():
            with guard.sentences():
                request.show_line()
            return
        data = view.now().data
        if data is None:
            where = "this machine" if who.team() is None else "your department’s server"
            st.caption(f"No data loaded. Nothing you load leaves {where}.")
        else:
            with guard.sentences(), st.container(border=True, gap="xsmall"):  # no risk takes a control away
                _show_verdict()
                _show_risk(data)
            if view.now().asked.comparison is not None or view.now().ends is not None:
                _show_recipe()
            _offer_undo()
        _show_project()
        register.show_line()
        with guard.sentences():
            request.show_line()
        first_start.show()
    follows.empty()
    if page != _SHOWS_IT_ITSELF:
        show_beside_k()


def show_beside_k() -> None:
    """At the end of the sidebar, what k does not count, which takes longer than all else in it."""
    data = view.now().data
    if data is None or view.now().asked.comparison is None:
        return
    with st.sidebar, guard.sentences():
        lines = _beside_k(data.sensitive)
        if lines:
            help = _meaning(view.now().rows_asked, "unique on any 3 released columns", figures.CERTAIN_FROM_TWO.word)
            with st.container(border=True):
                st.markdown("  \n".join(["**What k does not count**", *lines]), help=help)


def _show_who() -> None:
    """At a department's server, who is signed in and the way out."""
    person = who.person()
    if person is None:
        return
    with st.popover(plain(person.name, 40), icon=":material/person:", width="stretch"):
        st.markdown(f"Signed in as **{plain(person.name)}**: {words.listed(sorted(person.roles))}.")
        st.button(
            "Sign out", icon=":material/logout:", key="sign-out", on_click=guard.action(who.sign_out), width="stretch"
        )
        st.button(
            "Sign out everywhere", key="sign-out-everywhere", on_click=guard.action(who.sign_out), args=(True,),
            width="stretch",
            help="Also in your other browsers, and on other computers where you are signed in here.",
        )  # fmt: skip


def _show_risk(data: Dataset) -> None:
    """Which data, and what the recipe does to its risk."""
    size = f"{words.count(data.n_rows, 'rows')}, {words.count(len(data.columns), 'columns')}"
    st.markdown(f"**{plain(data.name, 40)}**  \n:small[:gray[{size}]]")
    comparison = view.now().asked.comparison  # on every page by what the recipient asks, as the verdict is
    with columns.counting_undecided(data):
        ends = view.now().ends
    if comparison is None and ends is None:
        st.caption("Say on the page Data what each column is, to see the risk.")
        return
    lines = _counted(comparison) if comparison is not None and ends is None else []
    lines += _between(*ends) if ends is not None else []
    if comparison is not None:
        lines += [f"{figures.ROWS_KEPT.name.lower()}: **{words.percent(comparison.rows_kept)}**"]
        if comparison.persons_kept is not None:
            lines.append(f"{figures.PERSONS_KEPT.name.lower()}: **{words.percent(comparison.persons_kept)}**")
    if left := sum(step.persons for step in knows_method.left_out()):
        lines.append(f"left out for a value: :red[**{left:,}**]")
    if view.now().doubts:
        lines.append(":material/help: :small[whose row it is, is in doubt: see Data]")
    nothing_left = comparison is not None and not comparison.records_after
    if nothing_left:
        st.markdown("**No record is left** by the recipe.")
    else:
        st.markdown("  \n".join(lines), help=_meaning(_rows_of(ends), "smallest class", "highest risk", "below k"))


def _show_recipe() -> None:
    """The way to the recipe."""
    recipe = view.now().recipe
    on, steps = len(recipe.enabled), words.count(len(recipe), "steps")
    label = f"Recipe: {steps}" if on == len(recipe) else f"Recipe: {on:,} of {steps} on"
    # Where there is a recipe to lose, the browser asks before it closes (ui/server/tab.js looks here).
    with st.container(key="recipe-at-stake" if recipe else "recipe"):
        st.page_link(page.RELEASE, label=label, icon=":material/receipt_long:")


def _counted(comparison: Comparison) -> list[str]:
    """The risk by all that is known, by the k that the recipient asks for, where every column is decided.

    Of persons with several rows by what that takes to be known of these, as in the verdict; where it asks for several
    k, by the largest that is not met, else by the largest.
    """
    asked_sizes, versions = view.now().sizes_asked, (comparison.before, comparison.after)
    wanted, risk = (
        comparison.after.k_wanted if asked_sizes is None else asked_sizes.k,
        figures.HIGHEST_RISK.name.lower(),
    )
    if asked_sizes is None:
        k, below = [version.k for version in versions], [version.below_k for version in versions]
    else:
        k, below = (
            [sizes.k for sizes in (asked_sizes.before, asked_sizes.after)],
            [sizes.below for sizes in (asked_sizes.before, asked_sizes.after)],
        )
    highest = [1 / size if size else 0.0 for size in k]
    return [
        *([] if asked_sizes is None else _by(asked_sizes.rows)),
        _line("k", f"{k[0]:,}", f"{k[1]:,}", k[1] < wanted),
        _line(risk, words.percent(highest[0]), words.percent(highest[1]), highest[1] > comparison.after.threshold),
        _line(f"below k = {wanted}", f"{below[0]:,}", f"{below[1]:,}", below[1] > 0),
    ]


def _by(rows: Sequence[RowsKnown]) -> list[str]:
    """A line on what is taken to be known of the rows of persons in the lines below it; none where it is all one."""
    return [f":small[:gray[{_with_known(rows)}:]]"] if rows else []


def _with_known(rows: Sequence[RowsKnown]) -> str:
    """What is taken to be known, as ``with one visit or all values known``; in full it is in the help."""
    return f"with {words.listed([_ROWS.get(known, f'{known} visits') for known in rows], last='or')} known"


def _rows_of(ends: tuple[BothEnds, BothEnds] | None) -> Sequence[RowsKnown]:
    """What the risk takes to be known of the rows of persons; () where every person has one."""
    if ends is not None:
        return ends[1].rows
    return () if (asked_sizes := view.now().sizes_asked) is None else asked_sizes.rows


def _meaning(rows: Sequence[RowsKnown], *in_glossary: str) -> str:
    """Who knows what, where persons have several rows, and where the words of the lines are explained."""
    if not rows:
        return glossary.link(*in_glossary)
    worse = "" if len(rows) == 1 else "; the worse of these is shown"
    knows = words.listed([who_knows(rows_known) for rows_known in rows], last="or")
    counted = f"Each row of a person is a visit. The figures are for somebody {knows}{worse}."
    return glossary.linked(counted, *in_glossary, "one visit known")


def _between(before: BothEnds, after: BothEnds) -> list[str]:
    """Both ends while columns are undecided, the worse first: nobody may take the better one for the risk."""
    lines = [f":material/help: **{words.count(len(after.undecided), 'columns')} undecided.** If all are known too:"]
    lines += [*_by(after.rows), *_end(before.all_known, after.all_known, after.k_wanted)]
    if before.decided is not None and after.decided is not None:
        lines += ["If only what is decided is known:", *_end(before.decided, after.decided, after.k_wanted)]
    return lines


def _end(before: Sizes, after: Sizes, k: int) -> list[str]:
    alone = [words.percent(sizes.share_alone) for sizes in (before, after)]
    return [
        _line("k", f"{before.k:,}", f"{after.k:,}", after.k < k),
        _line("alone", alone[0], alone[1], after.alone > 0),
        _line(f"below k = {k}", f"{before.below:,}", f"{after.below:,}", after.below > 0),
    ]


def _show_verdict() -> None:
    """The verdict in a few words, which leads to its page."""
    verdict = release_gate.verdict()
    if verdict is not None:
        icon = ":material/check_circle:" if verdict.may_leave else ":material/block:"
        st.page_link(page.VERDICT, label=f"**{plain(verdict.short)}**", icon=icon, help=plain(verdict.says))


def _beside_k(sensitive: list[str]) -> list[str]:
    """What k does not count: who is alone in all that leaves, columns nobody spoke for, and what can be inferred."""
    now = view.now().asked
    if now.beside_k is None:
        return []
    beside, alone = now.beside_k, now.alone
    certain = sorted(now.certain_from(MOST_KNOWN) or (), key=lambda pair: -pair[1].certain)
    share = "not counted yet" if alone is None else f"**{plain(words.percent(alone.share_alone))}**"
    lines = [f"unique on any {FACTS} released columns: {share}"]
    if beside.open_columns:
        lines.append(f":red[:material/warning: **{words.count(len(beside.open_columns), 'columns')}** could break k]")
    if not certain:
        none = "no sensitive column leaves" if sensitive else "no sensitive column is chosen"
        return [*lines, "too many columns to count what is certain" if beside.not_counted else none]
    by = f", {_with_known(rows)}" if (rows := view.now().rows_asked) else ""
    lines.append(f"{figures.CERTAIN_FROM_TWO.name}{by}:")
    lines += [_certain(*pair) for pair in certain[: figures.MOST_SENSITIVE]]
    more = len(certain) - figures.MOST_SENSITIVE
    if more > 0:
        lines.append(f":small[:gray[and {words.count(more, 'more sensitive columns')}, with at most as many]]")
    return lines


def _certain(before: Certain, after: Certain) -> str:
    """For how many a sensitive value is certain from two columns, original → now."""
    warn = ":material/warning: " if after.certain else ""
    counts = plain(words.change(f"{before.certain:,}", f"{after.certain:,}"))
    return f"{warn}{plain(titled(after.column), 40)}: **{counts}**"


def _offer_undo() -> None:
    past, future = session().past, session().future
    change = past[-1] if past else None
    undone = future[-1] if future else None
    history.shown()
    with st.container(horizontal=True, gap="small"):
        st.button(
            "Undo" if change is None else f"Undo: {plain(change.what, 40)}", icon=":material/undo:", key="undo",
            disabled=change is None, on_click=guard.action(history.undo), width="stretch",
            args=(None if change is None else change.number,),
            help="Nothing has been changed yet." if change is None else f"Take back: {plain(change.what, 200)}",
        )  # fmt: skip
        st.button(
            "Redo", icon=":material/redo:", key="redo", disabled=undone is None, on_click=guard.action(history.redo),
            args=(None if undone is None else undone.number,),
            help="Nothing was undone." if undone is None else f"Do again: {plain(undone.what, 200)}",
        )  # fmt: skip


def _line(name: str, before: str, after: str, risky: bool) -> str:
    """One figure, original → now; red when what there is now is past the threshold."""
    change = f"**{plain(words.change(before, after))}**"
    return f"{name}: " + (f":red[{change}]" if risky else change)


def _show_project() -> None:
    """One control on every page: what a project is, a download and an upload."""
    waiting = session().waiting
    if waiting is not None:
        _show_waiting()
    with st.popover("Project", icon=":material/folder_open:", width="stretch"):
        st.markdown(
            "A project is all you decided about the file: how it is read, roles, hierarchies, orders of values, what "
            "the release must meet, the recipe. **It names values of quasi-identifiers, and is as confidential as the "
            "file.** It has no cell of an identifier or sensitive column, but for harmless values that you named, and "
            "the codes that a data dictionary lists. Open it on the same file, or on next year’s. Slots and rules of "
            "Schedules are not in it: slots are saved on that page."
        )
        if session().loaded is not None:
            _show_save()
        key = keep.key("project-file")
        st.file_uploader(
            "A project saved here (JSON)", type="json", key=key, on_change=guard.action(projects.open_upload),
            args=(key,), max_upload_size=MOST_BYTES // 1_000_000,
            help="Opening it replaces what is decided now; Undo takes that back.",
        )  # fmt: skip


def _show_save() -> None:
    project = projects.current()
    too_many = f"The project names more than {MOST_NAMED:,} values. Make its hierarchies and mappings of fewer."
    page.download(
        "Save project", partial(projects.text, project), projects.file_name(), "download-project", holds=Holds.INSIDE,
        why_not=too_many if project.n_named > MOST_NAMED else "",
    )  # fmt: skip
    if project.unsaved_columns:
        st.caption(
            f"Steps, hierarchies and orders made of values of {page.listed(project.unsaved_columns, 6)} are saved "
            "without these. A recipe saved on the Release page has its steps with them."
        )


def _show_waiting() -> None:
    waiting = session().waiting
    assert waiting is not None
    with st.container(border=True, gap="xsmall"):
        st.markdown(f"The project **{plain(waiting.name, 40)}** waits for its file.")
        with st.container(horizontal=True):
            if session().loaded is not None:
                st.button("Use it on this file", on_click=guard.action(projects.use_waiting), key="project-use")
            st.button("Let it go", on_click=guard.action(projects.stop_waiting), key="project-stop")
