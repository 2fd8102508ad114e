"""The Risk page's tabs of records below k, sensitive values and class sizes."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from anonlib.analyses.risk import as_row, sensitive_risk
from anonlib.basics import figures, words
from anonlib.columns.roles import Role
from anonlib.counting.classes import AnonymityVector
from anonlib.dataset import Dataset
from anonlib.reading.records.names import unused_name
from anonlib.release.export import table_csv
from anonlib.verdict.criteria import of_rows
from ui.kit import glossary, page, persons
from ui.kit.release_gate import Holds
from ui.session import cache, view
from ui.text import printable

SHOWN_RECORDS = 500


@cache.remembered
def _below_k(data: Dataset, *, k: int) -> np.ndarray:
    """Positions of the records in classes below k, the smallest classes first."""
    sizes = view.classes(data).size_of_record
    positions = np.flatnonzero((sizes > 0) & (sizes < k))
    return positions[np.argsort(sizes[positions], kind="stable")]


def show_records(data: Dataset) -> None:
    """The records in classes below k; of a table in a database, the classes."""
    k = view.now().k
    if data.frame is None:
        _show_classes(data, k)
        return
    positions = _below_k(data, k=k)
    if not len(positions):
        st.markdown(f"No record is in a class below {k}.")
        return
    reveal = st.toggle(
        "Show sensitive values",
        key="risk-reveal",
        help=glossary.linked("Identifiers and person ids stay masked in any case.", "sensitive", "person id"),
    )
    masked = set(data.columns_with(Role.IDENTIFIER, Role.PERSON_ID) + ([] if reveal else data.sensitive))
    ordered = data.quasi_identifiers + [c for c in data.columns if c not in data.quasi_identifiers]
    some = data.frame.iloc[positions[:SHOWN_RECORDS]]
    sizes = view.classes(data).size_of_record[positions[:SHOWN_RECORDS]]
    shown = pd.DataFrame({"class of": sizes}, index=pd.Index(positions[:SHOWN_RECORDS] + 1, name="record"))
    values, rows_differ = persons.counted(view.classes(data), positions[:SHOWN_RECORDS])
    if any(rows_differ):
        shown[persons.DIFFERING] = rows_differ
    values.index = some.index
    for column in ordered:
        shown[unused_name(printable(column), shown.columns)] = (
            "•••" if column in masked else (values if column in values else some)[column].astype(object).to_numpy()
        )
    page.table(shown, f"Records in classes below {k}; identifiers are masked.", height=320, hide_index=False)
    page.counts(
        f"{words.share(len(positions), len(data.frame), 'records')} are in classes below {k}"
        + (f"; the first {SHOWN_RECORDS} are shown, smallest classes first" if len(positions) > SHOWN_RECORDS else "")
        + ". “class of” is how many share the quasi-identifiers; “record” is the row in the file."
        + (f" {persons.WHY}" if any(rows_differ) else "")
    )


def _show_classes(data: Dataset, k: int) -> None:
    classes = view.classes(data)
    small = np.flatnonzero(classes.counts < k)
    if not len(small):
        st.markdown(f"Nobody is in a class below {k}.")
        return
    first = small[np.argsort(classes.counts[small], kind="stable")][:SHOWN_RECORDS]
    rows_differ = [persons.in_words(classes, row) for row in first.tolist()]
    shown = pd.DataFrame({data.unit.capitalize(): classes.counts[first]})
    if any(rows_differ):
        shown[persons.DIFFERING] = rows_differ
    for name in classes.attributes:
        shown[unused_name(printable(name), shown.columns)] = classes.column(name)[first]
    page.table(shown, f"The classes below {k}, by their quasi-identifiers.", height=320)
    below = int(classes.counts[small].sum())
    page.counts(
        f"{words.share(below, classes.n_records, data.unit)} are in {words.count(len(small), 'classes')} below {k}"
        + (f"; the first {SHOWN_RECORDS} are shown, smallest first" if len(small) > SHOWN_RECORDS else "")
        + ". The rows stay in the database, so what those in a class share is shown, and no other column."
        + (f" {persons.WHY}" if any(rows_differ) else "")
    )


@cache.remembered
def _sensitive(data: Dataset) -> pd.DataFrame:
    classes = data.classes([*data.quasi_identifiers, *data.sensitive])
    return pd.DataFrame([as_row(sensitive_risk(classes, data.quasi_identifiers, column)) for column in data.sensitive])


def show_sensitive(data: Dataset, of_release: bool) -> None:
    """l, t, and for how many a value is certain, of the original or of the release."""
    if not data.sensitive:
        st.markdown("No column is marked as sensitive: give one the role on the Data page.")
        return
    table = _sensitive(data)
    certain = {pair[of_release].column: pair[of_release] for pair in view.now().certain_from(None) or ()}
    by = f", with {of_rows(rows)}" if (rows := view.now().rows_asked) else ""
    counted = f"{data.unit.capitalize()} {figures.CERTAIN_FROM_ALL.name}{by}"
    certainties = [certain.get(name) for name in table["column"]]
    shown = pd.DataFrame(
        {
            "Sensitive column": [printable(name) for name in table["column"]],
            counted: pd.array(
                [None if certainty is None else certainty.certain for certainty in certainties], dtype="Int64"
            ),
            "Share": [None if certainty is None else certainty.share for certainty in certainties],
            "Certainly missing": table["records_missing"],
            figures.DISTINCT_L.name: table["distinct_l"],
            figures.ENTROPY_L.name: table["entropy_l"].round(2),
            figures.T_EQUAL.name: table["t_equal"].round(2),
            "t, ordered": table["t_ordered"].round(2),
        }
    )
    page.table(
        shown,
        "l-diversity and t-closeness of each sensitive column",
        percent=["Share"],
        help={
            counted: glossary.linked(
                figures.CERTAIN_FROM_ALL.meaning(data.unit), figures.CERTAIN_FROM_ALL.word, "quasi-identifier"
            ),
            "Certainly missing": glossary.linked(
                "In a class where everyone lacks the value: being sure of that discloses nothing.", "class"
            ),
            **{
                figure.name: glossary.meaning(figure)
                for figure in (figures.DISTINCT_L, figures.ENTROPY_L, figures.T_EQUAL)
            },
            "t, ordered": glossary.linked("The same, with the values in their order.", "closeness"),
        },
    )
    by_values = ", of persons with the values of each column known" if data.has_several_rows else ""
    page.counts(
        "Certain: all who share what is known have the same sensitive value, so that finding the class is enough, "
        f"whatever its size. {figures.DISTINCT_L.definition} l and t are of the worst class{by_values}."
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        page.download(
            "Table as CSV",
            partial(table_csv, shown),
            "sensitive-columns.csv",
            "download-sensitive",
            holds=Holds.FIGURES,
        )
        st.page_link(
            page.INDIVIDUALS, label="Whose value can be inferred, and from what", icon=":material/person_search:"
        )


def show_vector(vector: AnonymityVector, unit: str) -> None:
    table = vector.to_frame()
    cumulative = table["records"].cumsum()
    table["risk"] = 1 / table["size"]
    table["share up to here"] = cumulative / vector.n_records
    table.columns = ["Class size", "Classes", unit.capitalize(), "Risk", f"Share of {unit} up to here"]
    page.table(table, "Number of classes of each size", height=320, percent=table.columns[-2:])
    page.counts("The anonymity vector: how many classes there are of each size (Caballero et al. 2017, Definition 2).")
    page.download("Table as CSV", partial(table_csv, table), "class-sizes.csv", "download-vector", holds=Holds.FIGURES)
