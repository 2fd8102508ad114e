"""What the officer takes home, and the recipe of an earlier time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import file_digest, sha256
from pathlib import Path

import numpy as np
import streamlit as st

from anonlib.analyses.generalization.search.coins import Coin
from anonlib.analyses.regions.geometry import Ground, ground, outlines_of, outlines_of_layers, to_geopackage
from anonlib.basics import words
from anonlib.basics.progress import Progress
from anonlib.basics.two_folders import WHAT_THEY_ARE, TwoFolders
from anonlib.dataset import Dataset
from anonlib.filing.evidence import released_file, written_beside, written_into
from anonlib.filing.languages.report import translated_codebook
from anonlib.filing.project import LoadedTable, Opened
from anonlib.release.applied import Applied, of_nobody_in_words
from anonlib.release.codebook import codebook
from anonlib.release.comparison import Comparison
from anonlib.release.export import table_csv, value_mapping
from anonlib.release.files import FORMATS
from anonlib.release.from_analyses import layers_of
from anonlib.release.pseudonyms import Pseudonyms
from anonlib.release.recipe import Recipe
from anonlib.release.revealing_columns import RevealingColumn, revealing_columns
from anonlib.release.unprotected import NotCounted
from anonlib.verdict.criteria import State, Then
from pages.release.release.controls import person_ids, saved_recipe
from pages.release.release.summary import why_empty
from ui.files import connected, projects, registers
from ui.kit import glossary, page, register, release_gate, shared_controls, uniqueness
from ui.kit.release_gate import Holds
from ui.session import away, cache, companions, guard, keep, long_work, view
from ui.session.names import titled
from ui.session.state import session
from ui.text import plain
from ui.text import stem as stem_of

_ground = cache.remembered(ground)

_CELLS_A_SECOND = 2_000_000  # written by an engine
_MANY_CELLS = 1_000_000  # they take about a second to write
_OF_FORMAT = {
    "CSV": "Cells that a spreadsheet would run as a formula get an apostrophe in front.",
    "Excel": "Cells that a spreadsheet would run as a formula get an apostrophe in front.",
    "Parquet": "Columns of numbers are stored as numbers.",
    "SPSS": "Names that SPSS does not allow are changed, as the codebook lists.",
    "Stata": "Names that Stata does not allow are changed, as the codebook lists.",
}


def codebook_file(
    applied: Applied, recipe: Recipe, pseudonyms: Pseudonyms | None, coin: Coin | None, spoken: str
) -> bytes:
    return translated_codebook(codebook(applied.released, recipe, pseudonyms, coin), spoken)[0].to_excel()


def mapping_file(applied: Applied, recipe: Recipe) -> bytes:
    return table_csv(value_mapping(applied, recipe))


def two_folders(
    opened: Opened, recipe_file: Callable[[], bytes], kind: str, spoken: str, release: Callable[[], bytes]
) -> bytes:
    """The page's files as a zip: what leaves, and what stays."""
    applied, recipe, stem = opened.applied, opened.project.recipe, stem_of(opened.data.name)
    leaves = {
        f"{stem}-released.{FORMATS[kind].ending_of(applied.released)}": release(),
        f"{stem}-codebook{shared_controls.in_a_file_name(spoken)}.xlsx": codebook_file(
            applied, recipe, opened.pseudonyms, opened.project.aim.coin, spoken
        ),
    }
    stays = {
        f"{stem}-values.csv": mapping_file(applied, recipe),
        f"{stem}-recipe.json": recipe_file(),
    }
    return TwoFolders(stem, leaves, stays).to_zip()


def show_downloads(data: Dataset, applied: Applied, comparison: Comparison) -> None:
    st.subheader("Download", anchor=False)
    recipe = view.now().recipe
    why = why_empty(applied) if not applied.why_not and not comparison.records_after else plain(applied.why_not)
    show_lights()
    kind = projects.release_format()
    gone, ids = data.identifiers, person_ids.in_words(applied.released)
    st.markdown(
        f"{_records(applied.released, comparison)}, {words.count(len(applied.released.columns), 'columns')}"
        + (f"; identifiers gone: {page.listed(gone, len(gone))}" if gone else "")
        + (f"; {ids}" if ids else "")
        + (
            f"; {words.count(applied.left_out, 'records')} with a missing quasi-identifier left out"
            if applied.left_out
            else ""
        )
        + f". {of_nobody_in_words(applied.of_nobody)} {_OF_FORMAT[kind]}".replace("  ", " ")
    )
    show_unprotected(data, applied)
    recodes = any(step.recodes for step in recipe.enabled)
    stem = stem_of(data.name)
    spoken = shared_controls.chosen_language()
    recipe_file, opened = saved_recipe.saved(data).to_json().encode, projects.opened()
    obstacle = plain(_obstacle(applied.released, kind=kind))
    with st.container(horizontal=True):
        person_ids.show(applied.released)
        _offer_release(stem, why or obstacle)
        page.download(
            f"Codebook{shared_controls.beside_a_name(spoken)}",
            partial(codebook_file, applied, recipe, opened.pseudonyms, opened.project.aim.coin, spoken),
            f"{stem}-codebook{shared_controls.in_a_file_name(spoken)}.xlsx", "download-codebook",
            holds=Holds.RELEASE, enters="", why_not=why,
            help="For the recipient: what each column is and what its labels mean. It says nothing of the original "
            "that the release does not. Its language is that of the report, which is chosen on the Report page.",
        )  # fmt: skip
        page.download(
            "Value mapping", partial(mapping_file, applied, recipe), f"{stem}-values.csv", "download-mapping",
            holds=Holds.INSIDE,
            why_not=why or ("" if recodes else "No step recodes values."),
            help="What each value was recoded to, but of columns of free text. It holds original values.",
        )  # fmt: skip
        page.download(
            "Save recipe", recipe_file, f"{stem}-recipe.json", "download-recipe",
            holds=Holds.INSIDE,
            why_not="" if len(recipe) else "The recipe has no steps.",
            help="The steps alone, with every value that they are made of: to put them into another project. (All you "
            "decided is saved as a project, in the sidebar.) It also holds roles, thresholds, secrets of steps and the "
            "seed of the rows’ order, with which this very file can be made again, and their original order too.",
        )  # fmt: skip
        page.download(
            "All of these (zip)", partial(two_folders, opened, recipe_file, kind, spoken, _release_of(opened, kind)),
            f"{stem}-release.zip", "download-both", holds=Holds.RELEASE, enters="", why_not=why or obstacle,
            help=f"The release, its codebook, the value mapping and the recipe in two folders. {WHAT_THEY_ARE}",
        )  # fmt: skip
        _offer_outlines(data, applied, recipe)
        offer_to_note()
        saved_recipe.show_upload()
    if applied.released.frame is None and not (why or release_gate.why_it_stays()):
        _offer_folder(applied, stem)
        _offer_database(applied, stem)
    register.show_entered()
    register.show_earlier()
    st.page_link(page.REPORT, label="To the report that is filed with it", icon=":material/description:")


def _records(released: Dataset, comparison: Comparison) -> str:
    """How many records leave, of several tables in how many of these."""
    if released.tables is None:
        return words.count(comparison.records_after, "records")
    files = released.tables.files
    several = f" in {words.count(len(files), 'tables')}" if len(files) > 1 else ""
    return f"{words.count(released.n_rows, 'records')}{several}"


def _offer_release(stem: str, why_not: str) -> None:
    """The format, and the release in it."""
    kind = keep.select(
        projects.RELEASE_FORMAT, "Format of the release", list(FORMATS), label_visibility="collapsed", width=120,
        help="The same rows in the same order, and the same names for persons, in each.",
    )  # fmt: skip
    opened = projects.opened()
    ending = FORMATS[kind].ending_of(opened.applied.released)
    page.download(
        f"Released {kind}",
        _writing(opened, kind),
        f"{stem}-released.{ending}",
        f"download-{FORMATS[kind].ending}",
        holds=Holds.RELEASE,
        enters=kind,
        why_not=why_not,
        primary=True,
    )


def _release_of(opened: Opened, kind: str) -> Callable[[], bytes]:
    """What makes the file that leaves in a zip, and enters it in the register where one is used."""
    return registers.entering(opened, kind, _writing(opened, kind), view.now().verdict)


def _writing(opened: Opened, kind: str) -> Callable[[], bytes]:
    """What writes the file that leaves; a large one away from the page, so that nobody else waits for it."""
    write, released = partial(released_file, opened, kind), opened.applied.released
    return away.later(write) if released.n_records * len(released.columns) >= _MANY_CELLS else write


def _offer_folder(applied: Applied, stem: str) -> None:
    """For a table that stays where it is: the release written into the folder for releases, however large it is."""
    folder, kind = connected.releases(), projects.release_format()
    if folder is not None and FORMATS[kind].streams:
        opened = projects.opened()
        enter = registers.entered_from(opened, view.now().verdict)
        write = partial(_write, opened, kind, folder, f"{stem}-released.{FORMATS[kind].ending}", enter)
        written = _written(
            f"release {opened.key} {kind}", f"Writing the {kind} into the folder for releases", write, applied
        )
        if written is not None:
            st.success(f"**{plain(written, 100)}** is in the folder for releases.", icon=":material/check:")


def _offer_database(applied: Applied, stem: str) -> None:
    """For a table of a database that takes releases: the release written there by the database itself."""
    loaded = view.now().loaded
    if isinstance(loaded, LoadedTable) and (place := loaded.offered.place_of_releases) is not None:
        opened, where = projects.opened(), plain(loaded.offered.kind)
        write = partial(_write_beside, opened, place, stem, registers.entered_from(opened, view.now().verdict))
        written = _written(f"release {opened.key} there", f"Writing the release in {where}", write, applied)
        if written is not None:
            st.success(
                f"**{plain(written, 100)}** is in {plain(place, 100)} of {where}. It holds what the released Parquet "
                "does; the digest in the report is that of the released CSV, which has the same rows.",
                icon=":material/check:",
            )


def _written(name: str, what: str, write: Callable[[Progress], str], applied: Applied) -> str | None:
    """What was written by a button's long work; None before it is done."""
    seconds = applied.released.n_records * len(applied.released.columns) / _CELLS_A_SECOND
    return long_work.best_so_far(name, [(what, write)], seconds, writes=True)


Enter = Callable[[Mapping[str, str]], None]


def _write(opened: Opened, kind: str, folder: Path, name: str, enter: Enter, progress: Progress) -> str:
    written = written_into(folder, name, opened, kind, progress)
    with written.open("rb") as file:
        enter({kind: file_digest(file, "sha256").hexdigest()})
    return written.name


def _write_beside(opened: Opened, place: str, name: str, enter: Enter, progress: Progress) -> str:
    written = written_beside(place, name, opened, progress)
    enter({})
    return written


@cache.remembered
def _obstacle(released: Dataset, *, kind: str) -> str:
    return FORMATS[kind].why_not(released)


def _offer_outlines(data: Dataset, applied: Applied, recipe: Recipe) -> None:
    """The outlines of the regions, where the recipe joins the areas of the session to regions."""
    column = companions.area_column(data)
    if column is None or column not in recipe.recoded:
        return
    areas = companions.areas()
    assert areas is not None
    layers, land = layers_of(areas, recipe, column), _ground(areas)
    overlap = "" if len(layers) == 1 else " Labels of mixed coarseness are released: their outlines overlap."
    page.download(
        "Regions (GeoPackage)", partial(_outlines_file, layers, applied.released, column, land), "regions.gpkg",
        "download-regions", holds=Holds.FIGURES,
        help=f"The outlines of what {plain(column, 40)} is released as, with their areas and people and no count of "
        f"records.{overlap}",
    )  # fmt: skip


def _outlines_file(layers: Sequence[np.ndarray], released: Dataset, column: str, land: Ground) -> bytes:
    if len(layers) == 1:
        shapes = outlines_of(layers[0], land)
    else:
        shapes = outlines_of_layers(layers, set(map(str, released.held.values(column))), land)
    return to_geopackage(shapes, land.areas.places.crs)


# ---- the verdict at a glance ----


_ICONS = {
    State.MET: ":green[:material/check_circle:]",
    State.NOT_MET: ":red[:material/cancel:]",
    State.UNKNOWN: ":orange[:material/help:]",
}
ACCEPTED = ":orange[:material/handshake:]"


def show_lights() -> None:
    """The verdict on what leaves, and where it is against it the place for a reason (:mod:`ui.kit.release_gate`)."""
    verdict = view.now().verdict
    if verdict is None:
        return
    with st.container(border=True):
        st.markdown(f"**{plain(verdict.says)}**")
        st.markdown(
            " · ".join(
                f"{ACCEPTED if not finding.is_met and verdict.acceptance(finding) else _ICONS[finding.state]} "
                f"{plain(finding.criterion.title)}"
                for finding in verdict.findings
            )
        )
        st.page_link(page.VERDICT, label="To the verdict, and what would meet its criteria", icon=":material/gavel:")
        if not verdict.may_leave:
            keep.text(
                "release-anyway", "It leaves all the same, because", session().aim.leaves_anyway, take=_take_reason,
                help=glossary.linked(
                    "A file that does not meet its criteria leaves with a written reason only, which the project "
                    "keeps.",
                    "criterion", "accepted",
                ),
            )  # fmt: skip


def offer_to_note() -> None:
    """Note the recipe as one that was released, so that later ones are checked beside it."""
    aim, recipe, data = session().aim, view.now().recipe, view.now().data
    assert data is not None
    thens = aim.decided_then(recipe.digest, data.digest)
    noted = recipe in aim.of_file(data.digest) and (not thens or Then.of_data(data) in thens)
    st.button(
        "Noted as released" if noted else "Note as released", key="release-note", icon=":material/history:",
        on_click=guard.action(_note), disabled=noted or not len(recipe),
        help="A later release of these data is then checked together with this one: what somebody who holds both can "
        "tell." if len(recipe) else "The recipe has no steps.",
    )  # fmt: skip


def _note() -> None:
    now, opened = session(), projects.opened()
    if opened.applied.why_not or opened.why_no_key:
        now.aim = now.aim.having_released(now.recipe, opened.data.digest, Then.of_data(opened.data))
    else:
        digest = sha256(released_file(opened)).hexdigest()
        now.project = now.project.having_released(digest, opened.data)
    now.notice = "Noted. From now on the verdict looks at this release and the next one together."


def _take_reason(reason: str) -> None:
    session().aim = replace(session().aim, leaves_anyway=reason.strip())


# ---- columns that leave although nothing protects them ----


_MOST_NAMED = 8


def show_unprotected(data: Dataset, applied: Applied) -> None:
    """Columns that leave although they are undecided, tell what is protected, or tell records apart."""
    released = applied.released
    undecided = [column for column in released.columns if column not in released.roles]
    if undecided:
        st.caption(f"Without a role, and released as they are: {page.listed(undecided)}.")
    for sentence in telling_in_words(_telling(view.now().recipe, data), released):
        st.warning(sentence, icon=":material/warning:")
    beside = view.now().asked.beside_k
    if beside is not None:
        uniqueness.show(data)
        if beside.open_columns:
            st.warning(open_in_words(beside.open_columns, released), icon=":material/warning:")
        ask_unknowable(beside.open_columns)


@cache.remembered
def _telling(recipe: Recipe, data: Dataset) -> tuple[RevealingColumn, ...]:
    return revealing_columns(view.apply(recipe, data), recipe)


def open_in_words(columns: tuple[NotCounted, ...], released: Dataset) -> str:
    """Which columns break k once someone outside knows them, as Markdown, and the ways out."""
    named = []
    for column in columns[:_MOST_NAMED]:
        below = words.share(column.below, column.n_records, released.unit)
        role = f" ({column.role.label.lower()})" if column.role is not None else ""
        named.append(f"**{plain(column.column, 40)}**{role} {below}")
    more = f" and {len(columns) - _MOST_NAMED} more" if len(columns) > _MOST_NAMED else ""
    return (
        "k counts the quasi-identifiers alone. Somebody who knows one of these columns too finds people among fewer "
        f"than {view.now().aim.k} like them: {'; '.join(named)}{more}. Make such a column a quasi-identifier on the "
        "Data page, recode or drop it, or say below that nobody outside can know it."
        + "".join(f" {plain(column.if_of_a_survey)}" for column in columns if column.if_of_a_survey)
    )


def ask_unknowable(columns: tuple[NotCounted, ...]) -> None:
    """Which of the columns that would break k nobody outside can know, as the officer says."""
    unknowable = session().unknowable
    offered = tuple(dict.fromkeys((*unknowable, *(not_counted.column for not_counted in columns))))
    if not offered:
        return
    keep.several(
        "unknowable", "Nobody outside can know", offered, unknowable, take=partial(_take_unknowable, offered),
        format_func=titled, placeholder="Choose columns",
        help="A column that no register, social network, neighbour or colleague could know of anybody in the file. "
        "What is decided here holds until another file is loaded.",
    )  # fmt: skip


def _take_unknowable(offered: tuple[str, ...], chosen: list[str]) -> None:
    session().unknowable = (*(c for c in session().unknowable if c not in offered), *chosen)


def telling_in_words(tellings: tuple[RevealingColumn, ...], released: Dataset) -> list[str]:
    """By column that reveals another, as Markdown: what, of how many records, and the way out."""
    sentences = []
    for column in dict.fromkeys(telling.column for telling in tellings):
        of_column = [telling for telling in tellings if telling.column == column]
        shares = ", ".join(
            f"**{plain(telling.tells, 40)}** for {words.share(telling.known, telling.n_records, released.unit)}"
            + (f" by the {plain(telling.by)}" if telling.by else "")
            for telling in of_column
        )
        ways = dict.fromkeys("recoding" if telling.tells in released.columns else "dropping" for telling in of_column)
        sentences.append(
            f"Original values can be read off **{plain(column, 40)}**: {shares}. {' or '.join(ways).capitalize()} "
            f"{page.listed([telling.tells for telling in of_column])} does little while it leaves. Drop it, or make it "
            "a quasi-identifier on the Data page."
        )
    return sentences
