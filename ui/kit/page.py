"""The skeleton every page shares: header, figures with their alternative text, tables, tabs, downloads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

import pandas as pd
import streamlit as st

from anonlib.basics import figures, words
from anonlib.dataset import Dataset
from anonlib.plots.maps import Map
from anonlib.plots.theme import Figure
from anonlib.plots.titles import with_titles
from anonlib.release.comparison import Comparison
from ui.files import projects, registers
from ui.kit import glossary, release_gate
from ui.kit.release_gate import Holds
from ui.server.private import DeltaGenerator
from ui.session import guard, view
from ui.session.names import titled, titles
from ui.session.state import session
from ui.text import plain

VERDICT = "pages/verdict/verdict/page.py"
HOME, DATA = "pages/data/home/page.py", "pages/data/data/page.py"
RISK, INDIVIDUALS = "pages/measure/risk/page.py", "pages/measure/individuals/page.py"
ATTACK = "pages/measure/attack/page.py"
LEAKAGE, GENERALIZE = "pages/measure/leakage/page.py", "pages/protect/generalize/page.py"
REGIONS, FRONTIER = "pages/protect/regions/page.py", "pages/protect/frontier/page.py"
SCHEDULES = "pages/collect/schedules/page.py"
RELEASE, REPORT = "pages/release/release/page.py", "pages/release/report/page.py"
CASE, REGISTER = "pages/release/case/page.py", "pages/release/register/page.py"
REIDENTIFICATION = "pages/department/reidentification/page.py"
REQUESTS, ADMINISTRATION = "pages/department/requests/page.py", "pages/department/administration/page.py"
_ROW_HEIGHT = 33
_OF_SENTENCES = 66  # pixels of a row whose long texts take two lines: Streamlit breaks lines above four rem
_LONG = 80  # characters that a line of a table shows beside other columns
_FEW = 20  # rows of a table that may be higher
_ONE_LINE = 820  # pixels: of a page beside the sidebar on a window of 1,280
_GAPS = {"small": 15, "medium": 30}  # pixels
_MIME = {
    "csv": "text/csv",
    "json": "application/json",
    "jsonl": "application/jsonl",
    "key": "application/octet-stream",
    "geojson": "application/geo+json",
    "gpkg": "application/geopackage+sqlite3",
    "html": "text/html",
    "pdf": "application/pdf",
    "py": "text/x-python",
    "parquet": "application/vnd.apache.parquet",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "sav": "application/x-spss-sav",
    "dta": "application/x-stata-dta",
    "zip": "application/zip",
}
# Streamlit shades a link that has the focus as it shades the one of the page that is shown (WCAG 2.2, 2.4.7).
_FOCUS = "<style>a:focus-visible { outline: 2px solid currentColor !important; outline-offset: 2px; }</style>"
_FIGURE_CONFIG = {"displaylogo": False, "displayModeBar": False, "responsive": True}


def header(title: str, question: str) -> None:
    """The page's title, and in one sentence the question it answers."""
    st.html(_FOCUS)
    st.title(title, anchor=False)
    st.markdown(question)
    now = session()
    reports = st.container()  # always there, or what comes below would be made again and lose the keyboard's focus
    if now.notice:
        reports.success(plain(now.notice), icon=":material/check:")
    if now.problem:
        reports.error(plain(now.problem), icon=":material/error:")
        st.toast(plain(now.problem), icon=":material/error:")  # seen wherever the page is scrolled to
    now.notice = now.problem = ""


def dark() -> bool:
    """Whether the browser shows the dark theme."""
    return st.context.theme.type == "dark"


def figure(
    draw: Callable[..., Figure],
    alt: str,
    key: str | None,
    selectable: Literal["", "points", "box"] = "",
    on_select: Callable[[], None] | None = None,
):
    """Show a figure; ``alt`` says in words what it shows. Returns the selection where it is selectable.

    ``draw`` is a function of ``anonlib.plots`` that has all it needs but whether to draw for the ``dark`` theme.

    Without a key it is changed in place when it is drawn again, with one it may be a new one.
    Points are selected by a click, a box by drawing one; where boxes are drawn a click selects nothing.
    """
    chosen = "rerun" if on_select is None else guard.action(on_select)
    options: dict = {"on_select": chosen, "selection_mode": selectable} if selectable else {}
    drawn = with_titles(draw(dark=dark()), titles())
    return st.plotly_chart(drawn, theme=None, key=key, alt=alt, config=_FIGURE_CONFIG, **options)


def show_map(draw: Callable[..., Map], alt: str, key: str, on_select: Callable[[], None], height: int) -> None:
    """Show a map, which keeps its view and what is selected when it changes; ``draw`` and ``alt`` as of a figure."""
    st.pydeck_chart(
        draw(dark=dark()), key=key, alt=alt, height=height, on_select=guard.action(on_select),
        selection_mode="single-object",
    )  # fmt: skip


def metrics(*figures: tuple[str, str, str]) -> None:
    """The numbers that matter: label, value and what it means; in a row, or in several on a narrow window."""
    with st.container(horizontal=True):
        for label, value, meaning in figures:
            st.metric(label, value, help=meaning)


def beside(
    *widths: int, gap: Literal["small", "medium"] = "medium", align: Literal["top", "center", "bottom"] = "top"
) -> list[DeltaGenerator]:
    """Places beside each other, as wide as these parts of the page; on a narrow window some move to the next line."""
    parts = sum(widths)
    least = (_ONE_LINE - _GAPS[gap] * (parts - 1)) // parts
    grid = st.grid(parts, min_column_width=least, gap=gap, vertical_alignment=align)
    return [grid.cell(column_span=width) for width in widths]


def risk_figures(comparison: Comparison, data: Dataset) -> tuple[tuple[str, str, str], ...]:
    """k, records below it and the highest risk, original → now: the figures that matter on every page."""
    unit, by_values = data.unit, data.has_several_rows
    before, after = comparison.before, comparison.after
    highest = after.prosecutor.highest
    now = [f"{after.k:,}", f"{after.below_k:,}", words.percent(highest)]
    k, below, risk = now if comparison.records_after else ["—"] * 3
    return (
        (
            figures.K.named(unit, by_values=by_values),
            words.change(f"{before.k:,}", k),
            glossary.linked(
                f"{figures.K.meaning(unit)} Asked for: {after.k_wanted}.{f' {figures.BY_VALUES}' if by_values else ''}",
                figures.K.word,
                *(["values known"] if by_values else []),
            ),
        ),
        (
            figures.BELOW_K.named(unit, after.k_wanted, by_values),
            words.change(f"{before.below_k:,}", below),
            glossary.linked(
                f"{figures.BELOW_K.meaning(unit)} {words.share(after.below_k, after.n_records, unit)} now.",
                figures.BELOW_K.word,
            ),
        ),
        (
            figures.HIGHEST_RISK.named(unit, by_values=by_values),
            words.change(words.percent(before.prosecutor.highest), risk),
            glossary.linked(
                f"{figures.HIGHEST_RISK.meaning(unit)} {words.one_in(highest).capitalize()} now.",
                figures.HIGHEST_RISK.word,
                "prosecutor",
            ),
        ),
    )


def table_height(rows: int, most: int) -> int:
    """Pixels that show so many rows of a table and its header, or ``most``."""
    return min(3 + _ROW_HEIGHT * (rows + 1), most)


def table(
    frame: pd.DataFrame, alt: str, *, help: dict[str, str] | None = None, percent: Iterable[str] = (), **options
) -> None:
    """A table with thousands separators; ``help`` explains a column by its name, ``percent`` names those of shares.

    A download of the same frame holds the numbers; the screen shows a share as a percentage.
    """
    shares, shown = set(percent), frame.copy()
    for name in shares:
        shown[name] = [None if pd.isna(value) else words.percent(value) for value in frame[name]]
    config = {
        name: st.column_config.NumberColumn(format="localized", help=(help or {}).get(name))
        if pd.api.types.is_numeric_dtype(shown[name])
        else st.column_config.Column(help=(help or {}).get(name), alignment="right" if name in shares else None)
        for name in shown.columns
    }
    if "height" not in options and len(shown) <= _FEW and any(_holds_sentences(shown[name]) for name in shown):
        options = {"row_height": _OF_SENTENCES, **options}
    st.dataframe(shown, alt=alt, column_config=config, placeholder="", **{"hide_index": True, **options})


def _holds_sentences(values: pd.Series) -> bool:
    """Whether a text is too long for one line of a table."""
    return not pd.api.types.is_numeric_dtype(values) and any(len(str(value)) > _LONG for value in values)


def tabs(key: str, contents: dict[str, Callable[[], object]]) -> None:
    """Tabs that are computed only when opened."""
    for tab, show in zip(st.tabs(list(contents), key=key, on_change="rerun"), contents.values(), strict=True):
        if tab.open:
            with tab:
                show()


def folds(key: str, contents: dict[str, Callable[[], object]]) -> None:
    """Lines that open, below each other, computed only when opened."""
    for name, show in contents.items():
        fold = st.expander(name, key=f"{key}-{name}", on_change="rerun")
        if fold.open:
            with fold:
                show()


def counts(text: str) -> None:
    """What the picture above counts, in one sentence with its source."""
    st.caption(text)


def download(
    label: str,
    make: Callable[[], bytes],
    file_name: str,
    key: str,
    *,
    holds: Holds,
    enters: str = "",
    help: str = "",
    why_not: str = "",
    primary: bool = False,
) -> None:
    """A download button: the file is made when it is pressed; it says why when it is disabled.

    What holds records that leave is offered where the gate is open, and is entered in the register, where one is used,
    as ``enters`` says it; "" for what holds none, such as a codebook. What stays inside has a lock and says so.
    """
    if holds is Holds.RELEASE:
        why_not = why_not or release_gate.why_it_stays(enters)
        if enters and not why_not:
            make = registers.entering(projects.opened(), enters, make, view.now().verdict)
    inside = holds is Holds.INSIDE
    about = f"{release_gate.STAYS_INSIDE} {help}".strip() if inside else help
    st.download_button(
        label,
        (lambda: b"") if why_not else make,
        file_name=file_name,
        mime=_MIME[file_name.rpartition(".")[2]],
        key=key,
        on_click="ignore",
        disabled=bool(why_not),
        help=why_not or about or None,
        type="primary" if primary else "secondary",
        icon=":material/lock:" if inside else ":material/download:",
    )


def listed(names: Sequence[str], most: int = 12) -> str:
    """Names of columns as Markdown: ``**a**, **b** and **c**``."""
    return words.listed([f"**{plain(titled(name), 60)}**" for name in names], most) or "none"
