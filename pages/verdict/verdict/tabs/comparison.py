"""The original, the recipe, versions kept, Safe Harbor and every proposal side by side: detail kept against risk."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from anonlib.basics import figures, words
from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from anonlib.plots import verdict as plots
from anonlib.release.export import table_csv
from anonlib.release.recipe import Recipe
from anonlib.release.safe_harbor import with_safe_harbor
from anonlib.verdict.criteria import Verdict
from pages.verdict.verdict import offers as made_offers
from pages.verdict.verdict import question
from pages.verdict.verdict.tabs import versions
from ui.kit import glossary, page
from ui.kit.release_gate import Holds
from ui.session import cache, view
from ui.session.state import session
from ui.text import plain

_SHARES = (
    "Certain", figures.ROWS_KEPT.name, figures.PERSONS_KEPT.name, figures.ENTROPY_KEPT.name,
)  # fmt: skip
_MEANINGS = {
    "Certain": glossary.linked(
        "Of the criterion of inference, the share of the worst sensitive column.", "certain", "inference"
    ),
    **{each.name: glossary.meaning(each) for each in (figures.ROWS_KEPT, figures.PERSONS_KEPT, figures.ENTROPY_KEPT)},
    "Met": glossary.linked("Criteria that are met, of all.", "criterion", "met"),
}


def show(data: Dataset) -> None:
    """A point and a row each version, and what is kept."""
    if not data.quasi_identifiers:
        st.info("No quasi-identifier or place is chosen, so there is no risk to compare.")
        return
    compared = _versions(data)
    by_values = data.has_several_rows
    rows = [row for name, recipe in compared if (row := _row(name, recipe, by_values)) is not None]
    table = pd.DataFrame(rows)
    names, kept, risk = (
        table["Version"].tolist(),
        table[figures.ENTROPY_KEPT.name].tolist(),
        table[figures.HIGHEST_RISK.named(by_values=by_values)].tolist(),
    )
    met = [row["Met"].split(" of ")[0] == row["Met"].split(" of ")[1] for row in rows]
    page.figure(
        partial(plots.variants, names, kept, risk, met),
        "Points of entropy kept and the prosecutor’s highest risk: "
        + "; ".join(
            f"{name} {words.percent(a)} and {words.percent(b)}" for name, a, b in zip(names, kept, risk, strict=True)
        ),
        None,
    )
    risks = [
        each.named(by_values=by_values)
        for each in (figures.HIGHEST_RISK, figures.AVERAGE_RISK, figures.AVERAGE_RISK_IN_POPULATION)
    ]
    shares = [name for name in (*risks, *_SHARES) if name in table]
    page.table(table, "The original, the recipe, Safe Harbor and the proposals", percent=shares, help=_MEANINGS)
    page.counts(
        "Highest risk is the prosecutor's, 1 / the smallest class (El Emam 2013); entropy kept is entropy after / "
        "before. Filled points meet all criteria. Further right and further down is better. Safe Harbor is what the "
        "rule itself makes of the file, 45 CFR 164.514(b)(2), for any recipient."
    )
    page.download(
        "Table as CSV", partial(table_csv, table), "variants.csv", "verdict-variants-csv", holds=Holds.FIGURES
    )
    versions.show([name for name, _ in compared])


def _versions(data: Dataset) -> list[tuple[str, Recipe]]:
    """The original, the recipe where it has steps, the versions kept, Safe Harbor, and the proposals that are made."""
    found = [("Original", Recipe())]
    if view.now().recipe.enabled:
        found.append(("Recipe now", view.now().recipe))
    found += [(variant.name, variant.recipe) for variant in session().variants]
    found.append(("Safe Harbor", _safe_harbor(data, view.now().people, year=session().aim.year)))
    try:
        offers = made_offers.made(data)
    except InputError as error:
        st.info(plain(str(error)), icon=":material/info:")
        offers = None
    for offer in offers.offers if offers is not None else ():
        recipe = question.recipe_with(offer.proposal, data)
        if recipe.digest != view.now().recipe.digest:
            found.append((offer.title, recipe))
    return found


@cache.remembered
def _safe_harbor(data: Dataset, people: Dataset | None, *, year: int) -> Recipe:
    return with_safe_harbor(Recipe(), data, people, year)


def _row(name: str, recipe: Recipe, by_values: bool) -> dict | None:
    comparison, verdict = view.now().comparison_of(recipe), view.now().verdict_of(recipe)
    if comparison is None or verdict is None or not comparison.records_after:
        return None
    marketer = comparison.after.marketer
    return {
        "Version": name,
        figures.K.named(by_values=by_values): comparison.after.k,
        figures.HIGHEST_RISK.named(by_values=by_values): comparison.after.prosecutor.highest,
        figures.average_risk(marketer.in_population).named(by_values=by_values): marketer.average,
        "Certain": _certain(verdict),
        figures.ROWS_KEPT.name: comparison.rows_kept,
        **({} if comparison.persons_kept is None else {figures.PERSONS_KEPT.name: comparison.persons_kept}),
        figures.ENTROPY_KEPT.name: comparison.entropy_kept,
        "Met": f"{sum(each.is_met for each in verdict.findings)} of {len(verdict.findings)}",
    }


def _certain(verdict: Verdict) -> float | None:
    findings = [each for each in (*verdict.findings, *verdict.measured) if each.criterion.certain_from is not None]
    return max((each.now for each in findings if each.now is not None), default=None)
