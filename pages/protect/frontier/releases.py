"""Releases beside the frontier: the recipe, the verdict's proposals, k-anonymous solutions and earlier releases.

Each has its place on the plane by the measures of the policies, or the reason why it has none, and is taken by one
click. What is not counted yet is counted at the end of the page, when all else is there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import streamlit as st

from anonlib.analyses.frontier import FullDomain, Placement, Plane, PolicySummary, full_domain
from anonlib.basics import words
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody, share_of
from anonlib.coarsening.hierarchies import Hierarchy, suggested_hierarchy
from anonlib.columns.roles import numbers_are_dates
from anonlib.dataset import Dataset
from anonlib.plots.frontier import MarkedRelease
from anonlib.release.from_analyses import steps_of_levels
from anonlib.release.on_plane import place_release
from anonlib.release.recipe import Recipe
from anonlib.release.steps import Scope
from pages.protect.frontier.policy import figures_in_words
from pages.protect.frontier.results import FrontierQuestion
from ui.kit import glossary, page
from ui.server.private import DeltaGenerator
from ui.session import cache, decide, guard, long_work, proposed, state, view
from ui.session.state import session
from ui.text import plain

KS = (2, 5, 11)
"""As Xia et al. 2015 compare."""
SIGNS = {"recipe": "★", "proposal": "■", "k": "▲", "earlier": "⬢"}
MEANS = (
    "Each stands where its own released records put it, by the two measures of the policies: as many people as all "
    "labels of a record cover, and a class spread over the combinations that its labels cover. Who is left out risks "
    "nothing, and is spread over all combinations. What it does to columns that are not on this map does not count."
)
_OF_K = (
    "Full-domain generalization: one level of its hierarchy (Generalize) for each column, every class of {k} or more, "
    "nobody left out. Of all such combinations of levels the one that loses least here; of those that lose as much, "
    "one of least risk."
)
_DOING = long_work.WorkInWords(
    "Placing other releases on the map", "Not all other releases are on the map: you stopped it.",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class ReleaseOnMap:
    """A release beside the policies of the map.

    Attributes
    ----------
    key : names it among those of a plane.
    kind : a key of ``SIGNS``.
    name, short : what it is called in the list, and on the map.
    means : what it is, in sentences.
    recipe : the steps that make it; None of a k that no combination of levels has.
    take : what puts it into the recipe; None where it is there.
    placement : its place on the plane; None without one, or where that is not counted yet.
    why_not : why it has none, in a sentence.
    """

    key: str
    kind: str
    name: str
    short: str
    means: str
    recipe: Recipe | None = None
    take: Callable[[], None] | None = None
    placement: Placement | None = None
    why_not: str = ""

    @property
    def is_counted(self) -> bool:
        """Whether its place is known, or that it has none."""
        return self.placement is not None or bool(self.why_not)

    @property
    def figures(self) -> PolicySummary:
        """Its figures, as those of a policy are shown."""
        assert self.placement is not None
        of = self.placement
        return PolicySummary(of.risk, of.loss, of.k, of.groups, of.least_people, of.labels)


@dataclass(frozen=True)
class ReleasesLookedAt:
    """The release that the officer looks at in the place of a policy, by the key of the plane."""

    by_plane: Mapping[str, str] = field(default_factory=dict)


# ---- which there are, and where they stand ----


def beside(question: FrontierQuestion, data: Dataset) -> list[ReleaseOnMap]:
    """Those that there are, with what is known of their places; ``data`` is what the policies recode."""
    now = view.now()
    original, recipe = now.data, now.recipe
    assert original is not None
    hierarchies = hierarchies_of(data, question.space.attributes)
    solutions = [_of_k(question, data, hierarchies, k) for k in KS]
    releases = [_present(), *_proposed(original), *solutions, *_earlier(original, recipe)]
    return [_placed(question, release) for release in releases]


def _present() -> ReleaseOnMap:
    recipe = view.now().recipe
    means = "What leaves now, by the steps of the recipe." if recipe.enabled else "No step is on: the data as they are."
    return ReleaseOnMap("recipe", "recipe", "The present recipe", "recipe", means, recipe)


def _proposed(original: Dataset) -> list[ReleaseOnMap]:
    """The verdict's proposals as far as this session has made them: none is searched here."""
    aim = session().aim
    return [
        ReleaseOnMap(
            f"proposal {offer.title}", "proposal", f"Proposal “{offer.title.lower()}”", offer.title.lower(),
            f"A proposal of the Verdict page. {offer.kind.what}", proposed.recipe_with(offer.proposal, original),
            partial(proposed.take, offer, aim),
        )
        for offer in proposed.made(original).offers
    ]  # fmt: skip


def _earlier(original: Dataset, recipe: Recipe) -> list[ReleaseOnMap]:
    """Those of this file on record, the latest last; not the present recipe."""
    recipes = [earlier for earlier in session().aim.of_file(original.digest) if earlier != recipe]
    return [
        ReleaseOnMap(
            f"earlier {earlier.digest}", "earlier", f"Earlier release {i}", f"earlier {i}",
            f"An earlier release of this file on record, {i} of {len(recipes)}, by "
            f"{words.count(len(earlier.enabled), 'steps')}.", earlier, partial(_take_recipe, earlier),
        )
        for i, earlier in enumerate(recipes, start=1)
    ]  # fmt: skip


def _of_k(question: FrontierQuestion, data: Dataset, hierarchies: dict[str, Hierarchy], k: int) -> ReleaseOnMap:
    release = ReleaseOnMap(f"k {k}", "k", f"k = {k}, one level a column", f"k = {k}", _OF_K.format(k=k))
    solutions = _full_domain.held(question.plane, hierarchies=hierarchies)
    if solutions is None:
        return release
    if isinstance(solutions, str):
        return replace(release, why_not=solutions)
    solution = next(solution for solution in solutions if solution.k == k)
    if solution.levels is None or solution.placement is None:
        unit = words.count(k, question.unit)
        return replace(release, why_not=f"No combination of levels has {unit} in every class.")
    levels = solution.levels
    named = [f"{name}: {hierarchies[name].describe(level)}" for name, level in levels.items() if level]
    how = "" if solution.proven else " The best found with some work; not proven."
    means = f"{release.means}{how} Here: {'; '.join(named) or 'every column as it is'}."
    steps = steps_of_levels(hierarchies, levels, data.with_counted(), f"k = {k}, the least loss by one level a column")
    now, columns = view.now(), question.space.attributes
    recipe = _with_steps(now.recipe, now.data, added=Recipe.of(steps), columns=columns)
    take = partial(decide.take, steps, columns, Scope.SEARCH, now.data)
    return replace(release, means=means, recipe=recipe, take=take, placement=solution.placement)


@cache.remembered
def _with_steps(recipe: Recipe, data: Dataset | None, *, added: Recipe, columns: tuple[str, ...]) -> Recipe:
    return recipe.take(added.enabled, data, replacing=columns, scope=Scope.SEARCH)


@cache.remembered
def _full_domain(
    plane: Plane, *, hierarchies: dict[str, Hierarchy], progress: Progress = nobody
) -> tuple[FullDomain, ...] | str:
    """The solution of each k; or why there is none, as where a hierarchy does not fit the values."""
    try:
        return full_domain(plane, hierarchies, KS, progress=progress)
    except InputError as error:
        return str(error)


def hierarchies_of(data: Dataset, names: Sequence[str]) -> dict[str, Hierarchy]:
    """How each of some columns can be coarsened: as chosen on the Generalize page, else as suggested."""
    chosen = proposed.hierarchies(data)
    return {name: chosen.get(name) or _suggested(data, name=name) for name in names}


@cache.remembered
def _suggested(data: Dataset, *, name: str) -> Hierarchy:
    counts = data.held.counts_of(name)
    return suggested_hierarchy(counts.values, counts.records, name, dated=numbers_are_dates(data.held, name))


def _placed(question: FrontierQuestion, release: ReleaseOnMap) -> ReleaseOnMap:
    """With its place, where that was counted before or needs no counting."""
    if release.is_counted or release.recipe is None:
        return release
    original = view.now().data
    assert original is not None
    data, why_not = _as_then(release.recipe, original)
    answer = why_not or _place.held(question.plane, data, release.recipe, view.now().recipe)
    if isinstance(answer, str):
        return replace(release, why_not=answer)
    return replace(release, placement=answer)


def _as_then(recipe: Recipe, original: Dataset) -> tuple[Dataset, str]:
    """The original with what was decided on it when a recipe was released, or why that is not known."""
    thens = session().aim.decided_then(recipe.digest, original.digest)
    if recipe == view.now().recipe or not thens:
        return original, ""
    alike = [then for then in thens if then.is_of(original)]
    if not alike:
        return original, "The file was read otherwise then."
    data = alike[-1].on(original)
    return data, "" if data.counted_by == original.counted_by else "Persons were counted otherwise then."


@cache.remembered
def _place(
    plane: Plane, original: Dataset, recipe: Recipe, of: Recipe, *, progress: Progress = nobody
) -> Placement | str:
    try:
        return place_release(plane, view.apply(recipe, original), recipe, of, progress)
    except InputError as error:
        return str(error)


def go_on(
    question: FrontierQuestion, data: Dataset, releases: Sequence[ReleaseOnMap], where: DeltaGenerator, notice: str
) -> None:
    """Count what is not counted yet, with progress and a stop, and show the page with it.

    Called when the rest of the page is there; ``notice`` is what the page says on top, which stays.
    """
    open_ones = [release for release in releases if not release.is_counted]
    if not open_ones:
        return
    now, plane = view.now(), question.plane
    assert now.data is not None
    recipes = [release.recipe for release in open_ones if release.recipe is not None]
    released = [(_as_then(recipe, now.data)[0], recipe, now.recipe) for recipe in recipes]
    hierarchies = hierarchies_of(data, question.space.attributes) if len(recipes) < len(open_ones) else None
    name = f"frontier-releases-{plane.key}-{cache.digest(*(release.key for release in open_ones))}"
    with where:
        places = long_work.stoppable(name, partial(_all_places, plane, released, hierarchies), _DOING, "releases")
    if places is None:
        return
    *of_recipes, of_k = places
    for given, answer in zip(released, of_recipes, strict=True):
        _place.keep(answer, plane, *given)
    if hierarchies is not None:
        _full_domain.keep(of_k, plane, hierarchies=hierarchies)
    session().notice = notice
    st.rerun()


def _all_places(
    plane: Plane,
    released: Sequence[tuple[Dataset, Recipe, Recipe]],
    hierarchies: dict[str, Hierarchy] | None,
    progress: Progress,
) -> list[Any]:
    """As :func:`_place` of each release, then :func:`_full_domain`: one search has all k. None without hierarchies."""
    parts = len(released) + (hierarchies is not None)
    places: list[Any] = []
    for i, given in enumerate(released):
        progress(i / parts)
        places.append(_place(plane, *given, progress=share_of(progress, i / parts, (i + 1) / parts)))
    if hierarchies is None:
        return [*places, None]
    part = share_of(progress, len(released) / parts, 1.0)
    return [*places, _full_domain(plane, hierarchies=hierarchies, progress=part)]


# ---- shown ----


def marks(releases: Sequence[ReleaseOnMap]) -> list[MarkedRelease]:
    """Those with a place, as the plane draws them; their order is that of :func:`at`."""
    return [
        MarkedRelease((release.placement.risk, release.placement.loss), release.short, release.kind)
        for release in releases
        if release.placement is not None
    ]


def at(releases: Sequence[ReleaseOnMap], number: int) -> ReleaseOnMap:
    """The release of a mark."""
    return [release for release in releases if release.placement is not None][number]


def chosen(question: FrontierQuestion, releases: Sequence[ReleaseOnMap]) -> ReleaseOnMap | None:
    """The release that is looked at in the place of a policy; None where a policy is."""
    key = state.part(ReleasesLookedAt).by_plane.get(question.plane.key)
    return next((release for release in releases if release.key == key and release.placement is not None), None)


def choose(question: FrontierQuestion, release: ReleaseOnMap | None) -> None:
    """Look at a release, or at the policies again."""
    others = {plane: key for plane, key in state.part(ReleasesLookedAt).by_plane.items() if plane != question.plane.key}
    state.change_part(
        ReleasesLookedAt, by_plane=others if release is None else {**others, question.plane.key: release.key}
    )


def show(question: FrontierQuestion, releases: Sequence[ReleaseOnMap]) -> DeltaGenerator:
    """The list of all, each with a button that takes it; returns the place for the progress of counting."""
    with st.container(border=True, gap="small"):
        st.markdown("**On the map beside the policies**", help=glossary.linked(MEANS, "policy"))
        where = st.container()
        for release in releases:
            _show_line(question, release)
        if not any(release.kind == "proposal" for release in releases):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f"{SIGNS['proposal']} **The verdict’s proposals**: none was searched in this session yet.")
                st.page_link(page.VERDICT, label="Search them on Verdict", icon=":material/gavel:")
    return where


def _show_line(question: FrontierQuestion, release: ReleaseOnMap) -> None:
    button, text = st.columns([1, 8], gap="small", vertical_alignment="center")
    button.button(
        "Take", key=f"frontier-take-{release.key}", disabled=bool(_why_not_taken(release)),
        on_click=guard.action(_take), args=(release,), help=_why_not_taken(release) or _TAKES,
    )  # fmt: skip
    text.markdown(
        f"{SIGNS[release.kind]} **{plain(release.name)}**: {_where(question, release)}", help=plain(release.means)
    )


_TAKES = "Its steps become the recipe’s. Earlier steps on the same columns give way; “Undo” brings them back."


def _where(question: FrontierQuestion, release: ReleaseOnMap) -> str:
    if release.placement is None:
        return f"not on the map. {plain(release.why_not)}" if release.why_not else "not placed yet."
    of, left_out = release.placement, ""
    if of.left_out:
        left_out = f", {words.share(of.left_out, question.space.n_records, question.unit)} left out"
    return f"risk {words.percent(of.risk)}, loss {words.percent(of.loss)}, k {of.k:,}{left_out}."


def _why_not_taken(release: ReleaseOnMap) -> str:
    if release.recipe is None:
        return "There is nothing to take: no combination of levels does." if release.why_not else "It is not known yet."
    return "It is the recipe already." if release.recipe == view.now().recipe else ""


def _take(release: ReleaseOnMap) -> None:
    if release.take is not None:
        release.take()


def _take_recipe(recipe: Recipe) -> None:
    decide.take_steps([entry.step for entry in recipe.entries], recipe, 0)


def show_chosen(question: FrontierQuestion, release: ReleaseOnMap) -> None:
    """The release in words, in the place of a policy: what it is, and the steps that make it."""
    assert release.placement is not None and release.recipe is not None
    st.markdown(f"{SIGNS[release.kind]} **{plain(release.name)}**")
    of = release.placement
    figures_in_words(question, release.figures)
    if of.left_out:
        st.markdown(f"{words.share(of.left_out, question.space.n_records, question.unit)} are left out.")
    st.button(
        "Take it into the recipe", type="primary", icon=":material/playlist_add:", on_click=guard.action(_take),
        args=(release,), disabled=bool(_why_not_taken(release)), help=_why_not_taken(release) or _TAKES,
    )  # fmt: skip
    st.button(
        "Back to the policies", key="frontier-back", icon=":material/arrow_back:",
        on_click=guard.action(partial(choose, question, None)),
    )  # fmt: skip
    lines = [f"{page.listed([name])}: {words.count(n, 'labels')}" for name, n in of.labels.items()]
    steps = [plain(step.describe(), 200) for step in release.recipe.enabled]
    st.caption(plain(release.means))
    st.markdown("\n".join(f"- {line}" for line in (*lines, *(f"Step: {step}" for step in steps))))
