"""The original, the recipe, versions kept, Safe Harbor and every proposal side by side: detail kept against risk."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

import pandas as pd
import streamlit as st

from anonlib.basics import figures, words
from anonlib.basics.errors import InputError
from anonlib.dataset import Dataset
from anonlib.filing.project import MOST_VARIANTS, Variant
from anonlib.plots import verdict as plots
from anonlib.release.export import table_csv
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Scope, Unlink
from anonlib.verdict.criteria import Verdict
from pages.verdict.verdict import offers as made_offers
from pages.verdict.verdict import question
from pages.verdict.verdict.results import lights
from ui.kit import glossary, page
from ui.kit.release_gate import Holds
from ui.session import decide, guard, keep, releases, view
from ui.session.state import session
from ui.text import plain

_SHARES = (
    "Certain", figures.ROWS_KEPT.name, figures.PERSONS_KEPT.name, figures.ENTROPY_KEPT.name,
)  # fmt: skip
_MEANINGS = {
    "Certain": glossary.linked(
        "Of the criterion of inference, the share of the worst sensitive column.", "certain", "inference"
    ),
    **{
        figure.name: glossary.meaning(figure)
        for figure in (figures.ROWS_KEPT, figures.PERSONS_KEPT, figures.ENTROPY_KEPT)
    },
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
    names, entropy_kept = table["Version"].tolist(), table[figures.ENTROPY_KEPT.name].tolist()
    risk = table[figures.HIGHEST_RISK.named(by_values=by_values)].tolist()
    met = [row["Met"].split(" of ")[0] == row["Met"].split(" of ")[1] for row in rows]
    page.figure(
        partial(plots.variants, names, entropy_kept, risk, met),
        "Points of entropy kept and the prosecutor’s highest risk: "
        + "; ".join(
            f"{name} {words.percent(a)} and {words.percent(b)}"
            for name, a, b in zip(names, entropy_kept, risk, strict=True)
        ),
        None,
    )
    risks = [
        figure.named(by_values=by_values)
        for figure in (figures.HIGHEST_RISK, figures.AVERAGE_RISK, figures.AVERAGE_RISK_IN_POPULATION)
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
    show_versions([name for name, _ in compared])


def _versions(data: Dataset) -> list[tuple[str, Recipe]]:
    """The original, the recipe where it has steps, the versions kept, Safe Harbor, and the proposals that are made."""
    versions = [("Original", Recipe())]
    if view.now().recipe.enabled:
        versions.append(("Recipe now", view.now().recipe))
    versions += [(variant.name, variant.recipe) for variant in session().variants]
    versions.append(("Safe Harbor", releases.safe_harbor(data, view.now().people, year=session().aim.year)))
    try:
        offers = made_offers.made(data)
    except InputError as error:
        st.info(plain(str(error)), icon=":material/info:")
        offers = None
    for offer in offers.offers if offers is not None else ():
        recipe = question.recipe_with(offer.proposal, data)
        if recipe.digest != view.now().recipe.digest:
            versions.append((offer.title, recipe))
    return versions


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
        "Met": f"{sum(finding.is_met for finding in verdict.findings)} of {len(verdict.findings)}",
    }


def _certain(verdict: Verdict) -> float | None:
    findings = [
        finding for finding in (*verdict.findings, *verdict.measured) if finding.criterion.certain_from is not None
    ]
    return max((finding.now for finding in findings if finding.now is not None), default=None)


# ---- versions that are kept by a name ----


_NAME = "verdict-version-name"


def show_versions(taken: Collection[str]) -> None:
    """Keep the recipe as it is now, and what becomes of the versions kept; ``taken`` are names that are in use."""
    _ask_to_keep(taken)
    for place, variant in enumerate(session().variants):
        _show_kept(place, variant)


def _ask_to_keep(taken: Collection[str]) -> None:
    why_not = _why_not()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        keep.text(_NAME, "Name of this version", _next_name(), width=300)
        st.button(
            "Keep this version", key="verdict-version-keep", icon=":material/bookmark_add:",
            on_click=guard.action(_keep), args=(tuple(taken),), disabled=bool(why_not),
            help=plain(why_not) or "The recipe as it is now stays as a row and a point, whatever you change. It is "
            "saved with the project.",
        )  # fmt: skip


def _next_name() -> str:
    """“Version 1”, or the first number that is not in use."""
    names = {variant.name.casefold() for variant in session().variants}
    return next(name for i in range(1, MOST_VARIANTS + 2) if (name := f"Version {i}").casefold() not in names)


def _why_not() -> str:
    """Why the recipe cannot be kept now; "" where it can."""
    variants, recipe = session().variants, view.now().recipe
    if not recipe.enabled:
        return "The recipe has no steps yet: it releases the original."
    same = next((variant.name for variant in variants if variant.recipe.digest == recipe.digest), "")
    if same:
        return f"The recipe as it is now is kept as “{same}”."
    if len(variants) >= MOST_VARIANTS:
        return f"{MOST_VARIANTS} versions can be kept. Remove one first."
    return ""


def _keep(taken: tuple[str, ...]) -> None:
    variant = Variant(keep.value(_NAME, _next_name()), view.now().recipe)
    if variant.name.casefold() in {other.casefold() for other in taken}:
        raise InputError(f"The name “{variant.name}” is in use. Choose another.", code="name-taken")
    session().variants = (*session().variants, variant)
    session().notice = f"Kept: {variant.name}."
    keep.forget(_NAME)


def _show_kept(place: int, variant: Variant) -> None:
    in_use = variant.recipe.digest == view.now().recipe.digest
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            "Take back", key=f"verdict-version-take-{place}", icon=":material/history:", disabled=in_use,
            on_click=guard.action(_take_back), args=(variant,),
            help="It is what the recipe does." if in_use else "Makes it the recipe. You can undo it.",
        )  # fmt: skip
        st.button(
            "Remove", key=f"verdict-version-remove-{place}", icon=":material/delete:",
            on_click=guard.action(_remove), args=(variant,), help="Keeps it no longer. You can undo it.",
        )  # fmt: skip
        st.markdown(f"**{plain(variant.name)}**, {words.count(len(variant.recipe), 'steps')}")


def _take_back(variant: Variant) -> None:
    decide.set_recipe(variant.recipe)
    session().notice = f"{variant.name} is the recipe again."


def _remove(variant: Variant) -> None:
    session().variants = tuple(other for other in session().variants if other != variant)


# ---- with and without the column that tells whose rows are whose ----


TAB_OF_LINKED = "Linked and unlinked"


def show_linked(data: Dataset) -> None:
    """The verdict on what the recipe makes with the person id, and without it."""
    person = data.person_id
    assert person is not None
    name, recipe = plain(person, 30), view.now().recipe
    places = [i for i, entry in enumerate(recipe.entries) if entry.enabled and entry.step.drops == (person,)]
    stays = person in session().aim.fixed and not places
    linked = recipe.switch(places[0], False) if places else recipe
    unlinked = recipe if places else recipe.take([Unlink(person)], data)
    for place, i in zip(page.beside(1, 1, gap="small"), (0, 1), strict=True):
        with place, st.container(border=True, height="stretch"):
            st.markdown(
                f"**{'Without' if i else 'With'} {name}**" + (" (the recipe)" if bool(places) == bool(i) else "")
            )
            if i and stays:
                st.caption(f"{name} must stay, as you see under “Must stay as they are”.")
                continue
            _show_verdict(unlinked if i else linked)
            if i:
                st.caption(
                    "What takes several rows of a person can then not be analysed: whether somebody came again, or "
                    "what changed."
                )
                st.button(
                    "In the recipe" if places else f"Leave without {name}", key="verdict-unlink", disabled=bool(places),
                    icon=":material/link_off:", on_click=guard.action(_unlink), args=(person,),
                    help="It is what the recipe does." if places else "Adds a step to the recipe. You can undo it.",
                )  # fmt: skip
            else:
                st.caption("Somebody may know that rows are of one person, and put all that they hold together.")
    page.counts(
        "Without the person id, rows count as linked all the same where columns that do not change for a person, or "
        "for few, such as a birth date, are shared by fewer than k persons. No proposal leaves it out: that would cost "
        "no cell, and always be taken."
    )


def _show_verdict(recipe: Recipe) -> None:
    verdict = view.now().verdict_of(recipe)
    if verdict is None:
        return
    st.metric("Criteria met", f"{len(verdict.findings) - len(verdict.against):,} of {len(verdict.findings):,}")
    st.markdown(plain(verdict.says))
    st.markdown(lights(verdict))


def _unlink(person: str) -> None:
    decide.take([Unlink(person)], (), Scope.COLUMN, view.now().data)
