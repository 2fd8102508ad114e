"""Earlier releases that somebody may hold beside this one: which are counted with it, and whom to hold back."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from anonlib.filing.earlier import open_earlier
from anonlib.filing.project import Loaded, LoadedFile, LoadedTables, Opened, project_of
from anonlib.filing.project.opened import case_of
from anonlib.release.recipe import Recipe
from anonlib.verdict.criteria import Aim, Criterion, Finding, State, Verdict
from anonlib.verdict.proposals.hold_back import HeldBack, hold_back, without_held
from ui.files import projects
from ui.kit import glossary, page
from ui.server.keeping import forget_uploads
from ui.session import cache, decide, guard, keep, state, view
from ui.session.state import session
from ui.session.view import HeldBeside
from ui.text import plain

_COUNTS = (
    "Somebody who holds several releases can subtract one from another. Each person’s labels in all of them are looked "
    "at, each taken from its own month’s data; not to be in a release is a label too."
)
_HELP = (
    "Two files together: the project that was saved when it left, and the file that it was made of. Both stay in this "
    "browser session. Persons are found again by their ids."
)
_PARTS = (6, 2)


def show(verdict: Verdict, data: Dataset) -> None:
    """Which are held beside this one, where another comes in, and what mends the criterion where it is not met."""
    now = view.now()
    finding = next(
        (candidate for candidate in (*verdict.findings, *verdict.measured) if candidate.criterion.of_earlier), None
    )
    is_open = finding is not None and finding.state is not State.MET and bool(finding.persons or not finding.n_persons)
    with st.expander(_title(finding), expanded=is_open, icon=":material/history:", key=keep.key("earlier-releases")):
        st.caption(glossary.linked(_COUNTS, "earlier releases"))
        for place, opened in enumerate(now.beside.opened):
            _show_held(place, opened)
        key = keep.key("earlier-release")
        st.file_uploader(
            "Open an earlier release of another file: its project and its month’s file", key=key,
            accept_multiple_files=True, on_change=guard.action(_open), args=(key,), help=_HELP,
        )  # fmt: skip
        if finding is not None:
            if finding in verdict.measured:  # a criterion says it in its own row
                st.markdown(plain(finding.says))
            _offer_to_hold_back(finding, data)


def _title(finding: Finding | None) -> str:
    now = view.now()
    of_this = len({*now.aim.of_file(now.data.digest)} - {now.recipe}) if now.data is not None else 0
    of_others = len(now.beside.opened)
    if finding is None:
        return "Earlier releases: none is held beside this one"
    counts = [
        words.count(number, what)
        for number, what in (
            (of_this, "releases of this file"),
            (of_others, f"releases of {'another file' if of_others == 1 else 'other files'}"),
        )
        if number
    ]
    state = "measured" if finding.state is State.MEASURED else finding.state.value
    return f"Earlier releases: {words.listed(counts) or 'none at hand'} beside this one ({state})"


def _show_held(place: int, opened: Opened) -> None:
    """One that is held beside this one, and the button that lets it go."""
    text, button = page.beside(*_PARTS, gap="small", align="center")
    released = words.count(opened.applied.released.n_records, "records")
    text.markdown(
        f"**{plain(opened.data.name, 60)}**: {released} left, by {words.count(len(opened.project.recipe), 'steps')}."
    )
    button.button(
        "Let go", key=f"earlier-let-go-{place}", icon=":material/close:", on_click=guard.action(let_go),
        args=(opened,), help=f"{plain(opened.data.name, 60)} is no longer held beside this release.",
    )  # fmt: skip


def _open(key: str) -> None:
    with st.spinner("Opening the earlier release", show_time=True):
        open_uploads(key)


# ---- whom to hold back ----


def _offer_to_hold_back(finding: Finding, data: Dataset) -> None:
    """With these steps, and with those of the last earlier release: whom to hold back, and what that comes to."""
    now = view.now()
    criterion = finding.criterion
    if not finding.persons or data.frame is None:
        return
    offers = [("With the present steps", now.recipe)]
    last = now.beside.opened[-1].project.recipe if now.beside.opened else now.aim.of_file(data.digest)[-1]
    if last != without_held(now.recipe):
        offers.append(("With the steps of the earlier release, the same cells", last))
    for place, (title, recipe) in enumerate(offers):
        mended = _hold_back(data, now.recipe, recipe, now.beside, aim=now.aim.judged,
            unknowable=now.unknowable, criterion=criterion,
        )  # fmt: skip
        if mended is not None:
            _show_mended(place, title, mended, data.unit)


def _show_mended(place: int, title: str, mended: HeldBack, unit: str) -> None:
    text, button = page.beside(*_PARTS, gap="small", align="center")
    met = mended.finding.state is State.MET
    left = f"{words.count(mended.finding.persons, unit)} are still concerned, who are gone or changed"
    after = "then it is met" if met else f"then {left}: no holding back mends that"
    text.markdown(f"**{title}**: hold back {mended.persons:,} of {words.count(mended.new, unit)} who are new; {after}.")
    changes = view.now().recipe != mended.recipe
    button.button(
        "Hold back" if mended.persons else "Take these steps", key=f"earlier-hold-back-{place}",
        icon=":material/front_hand:", on_click=guard.action(_take), args=(mended,), disabled=not changes,
        type="primary" if met and not place else "secondary",
        help="They wait for a later release, until enough others are like them." if changes
        else "The recipe does so already.",
    )  # fmt: skip


def _take(mended: HeldBack) -> None:
    decide.take_steps([entry.step for entry in mended.recipe.entries], mended.recipe, 0)


@cache.waited_for("Working out whom to hold back", away_from=cache.MANY)
def _hold_back(
    data: Dataset,
    recipe: Recipe,
    other: Recipe,
    beside: HeldBeside,
    *,
    aim: Aim,
    unknowable: tuple[str, ...],
    criterion: Criterion,
) -> HeldBack | None:
    case = case_of(view.apply(recipe, data), recipe, None, aim, unknowable, beside=beside.releases)
    return hold_back(case, criterion, other)


# ---- opened, and let go ----


_PROJECTS = (".json", ".toml")


def open_uploads(key: str) -> None:
    """Hold an earlier release beside this one, of the project and the data in an uploader.

    Raises InputError where they are none, or do not belong together, and then nothing changes.
    """
    uploads = [(upload.name, upload.getvalue()) for upload in keep.all_uploaded(key)]
    if not uploads:
        return
    keep.renew("earlier-release")
    of_projects, files = _apart(uploads)
    if len(of_projects) != 1 or not files:
        raise InputError(
            "Give the project of the earlier release (JSON or TOML) and its month’s file together: "
            f"{words.count(len(of_projects), 'projects')} and {words.count(len(files), 'files')} came.",
            code="earlier-release-incomplete",
        )
    project = project_of(of_projects[0])
    opened = open_earlier(project, _loaded(files), projects.at_hand(project.pseudonyms))
    others = tuple(other for other in state.part(HeldBeside).opened if other.key != opened.key)
    state.change_part(HeldBeside, opened=(*others, opened))
    session().notice = "The earlier release is held beside this one: the verdict looks at both together."
    forget_uploads()


def let_go(opened: Opened) -> None:
    """Hold an earlier release beside this one no more."""
    others = tuple(other for other in state.part(HeldBeside).opened if other is not opened)
    state.change_part(HeldBeside, opened=others)


def _apart(uploads: Sequence[tuple[str, bytes]]) -> tuple[list[bytes], list[tuple[str, bytes]]]:
    """Projects, and files of data."""
    projects, files = list[bytes](), list[tuple[str, bytes]]()
    for name, content in uploads:
        if name.lower().endswith(_PROJECTS) and _is_project(content):
            projects.append(content)
        else:
            files.append((name, content))
    return projects, files


def _is_project(content: bytes) -> bool:
    try:
        project_of(content)
    except InputError:
        return False
    return True


def _loaded(files: Sequence[tuple[str, bytes]]) -> Loaded:
    if len(files) > 1:
        return LoadedTables.of(files)
    name, content = files[0]
    return LoadedFile.of(content, name)
