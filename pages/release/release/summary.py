"""The figures of the Release page: what the recipe does to risk and data."""

from __future__ import annotations

from functools import partial

import streamlit as st

from anonlib.basics import figures, words
from anonlib.dataset import Dataset
from anonlib.plots import risk as risk_plots
from anonlib.release.applied import Applied
from anonlib.release.comparison import Comparison
from ui.kit import columns, glossary, page, shared_controls
from ui.session import view
from ui.session.names import titled
from ui.text import plain


def why_empty(applied: Applied) -> str:
    """Why a release has no record, and the way out."""
    done = [
        (entry.step, effect)
        for entry, effect in zip(view.now().recipe.entries, applied.effects, strict=True)
        if effect is not None
    ]
    emptied = [i for i, (step, effect) in enumerate(done) if step.leaves_out and effect.records_removed]
    if emptied:
        if any(step.recodes and not step.leaves_out for step, _ in done[emptied[0] + 1 :]):
            return "No record is left: move “Leave out” below the recodings, or recode more."
        return (
            "No record is left: recoded like this, everyone is in a class that is too small. Recode the "
            "quasi-identifiers more coarsely, drop one of them, or ask for a smaller k."
        )
    if applied.left_out:
        return (
            "No record is left: each lacks a quasi-identifier, and such records are left out. Count what is missing as "
            "a value on the Data page, or drop the columns that lack most."
        )
    return "No record is left: change or remove the step that takes the last ones."


def show_empty(comparison: Comparison, applied: Applied) -> None:
    """The figures of a release without records, of which none is a risk that was lowered."""
    st.warning(why_empty(applied), icon=":material/warning:")
    page.metrics(
        (figures.ROWS_KEPT.name, words.percent(0.0), f"None of {words.count(comparison.records_before, 'rows')}.")
    )


def show_metrics(comparison: Comparison, data: Dataset) -> None:
    columns.show_undecided(data.unit)
    kept_by = {loss.column: loss.entropy_kept for loss in comparison.columns}
    known = [kept_by[name] for name in data.quasi_identifiers]
    counted = len(kept_by.keys() - {*comparison.counted_by})
    page.metrics(
        *page.risk_figures(comparison, data),
        *kept(comparison),
        (
            figures.ENTROPY_KEPT.name,
            words.percent(comparison.entropy_kept),
            glossary.linked(
                f"{figures.ENTROPY_KEPT.meaning()} Over {words.count(counted, 'columns')}; of the quasi-identifiers "
                f"alone {words.percent(sum(known) / len(known))}. Cells that hold what they held are counted below.",
                figures.ENTROPY_KEPT.word,
                "quasi-identifier",
            ),
        ),
    )
    before, after = comparison.before.n_records, comparison.after.n_records
    st.markdown(f"**{after:,} of {words.count(before, data.unit)}** leave.")
    show_certain(data)


def kept(comparison: Comparison) -> tuple[tuple[str, str, str], ...]:
    """Rows that leave, and the persons where persons are counted."""
    rows = f"{comparison.records_after:,} of {words.count(comparison.records_before, 'rows')}."
    of_rows = glossary.linked(f"{figures.ROWS_KEPT.meaning()} {rows}", figures.ROWS_KEPT.word)
    metrics = ((figures.ROWS_KEPT.name, words.percent(comparison.rows_kept), of_rows),)
    if comparison.persons_kept is None:
        return metrics
    persons = f"{comparison.counted_after:,} of {words.count(comparison.counted_before, 'persons')}."
    share = words.percent(comparison.persons_kept)
    of_persons = glossary.linked(f"{figures.PERSONS_KEPT.meaning()} {persons}", figures.PERSONS_KEPT.word)
    return (*metrics, (figures.PERSONS_KEPT.name, share, of_persons))


def show_certain(data: Dataset) -> None:
    """What is certain to someone who knows two things, which k does not count."""
    beside = view.now().beside_k
    if beside is None:
        return
    before, after = beside.original, beside.released
    if beside.not_counted:
        st.caption("What is certain from two columns is not counted here: there are too many sets of two columns.")
        return
    if before is None or after is None:
        none = "No sensitive column leaves" if data.sensitive else "No sensitive column is chosen"
        st.caption(f"{none}, so that nothing is known of what can be inferred.")
        return
    share = words.share(after.certain, after.n_records, data.unit)
    was = "" if before.certain == after.certain else f", in the original for {words.percent(before.share)},"
    leaving = view.apply(view.now().recipe, data).released.quasi_identifiers
    known = f"at most two of {page.listed(leaving)}" if leaving else "no column"
    sentence = f"**{plain(titled(after.column), 60)}** is certain for **{share}**{was} to someone who knows {known}."
    if any(values for _, values in view.now().aim.harmless):
        sentence += " Values that harm nobody, as was stated, are not counted."
    leave = [name for name in data.sensitive if name in view.apply(view.now().recipe, data).released.columns]
    if len(leave) > 1:
        sentence += f" That is the most of any of the {words.count(len(leave), 'sensitive columns')} that leave."
    if after.certain:
        st.warning(
            f"{sentence} k does not count that. Whose it is, and from what: see Individuals.",
            icon=":material/person_search:",
        )
    else:
        st.caption(sentence)


def show_distribution(comparison: Comparison, unit: str) -> None:
    before, after = comparison.before, comparison.after
    if after.n_records:
        scale = shared_controls.ask_scale()
        draw = partial(
            risk_plots.class_sizes, after.vector, after.k_wanted, before=before.vector, unit=unit, scale=scale
        )
        below = words.share(after.below_k, after.n_records, unit)
        page.figure(
            draw, f"{unit.capitalize()} by the size of their class, original as outline, release as bars; "
            f"{below} are below k.", "release-sizes",
        )  # fmt: skip
        page.counts(
            f"{unit.capitalize()} by how many share all their quasi-identifiers. Outline: the original. Red and "
            f"hatched: below k. {shared_controls.axis_in_words(after.vector, after.k_wanted, before.vector, scale)}"
        )
