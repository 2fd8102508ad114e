"""Releases that can be held beside the one that the recipe makes: versions, proposals, earlier ones, another file."""

from __future__ import annotations

from dataclasses import dataclass

from anonlib.basics import words
from anonlib.dataset import Dataset
from anonlib.filing.project.opened import case_of
from anonlib.release.recipe import Recipe
from anonlib.release.safe_harbor import with_safe_harbor
from ui.session import cache, proposed, state, view
from ui.session.state import session

SAFE_HARBOR = "safe harbor"


@dataclass(frozen=True)
class FilesBeside:
    """Files that are loaded beside the original; they go with the session and are in no project.

    Attributes
    ----------
    control : people whom the original does not hold.
    another : a file made elsewhere of the original.
    """

    control: Dataset | None = None
    another: Dataset | None = None


@dataclass(frozen=True)
class OtherRelease:
    """A release that can be held beside the present one.

    Attributes
    ----------
    key : names it in a control.
    title : what it is called on screen.
    data : what it is made of; the file itself where nobody knows its steps.
    recipe : the steps that make it; None of a file made elsewhere, and of Safe Harbor until it is looked at.
    """

    key: str
    title: str
    data: Dataset
    recipe: Recipe | None

    @property
    def is_file(self) -> bool:
        """Whether it was made elsewhere, so that nobody knows whose its records are."""
        return self.recipe is None and self.key != SAFE_HARBOR

    @property
    def steps(self) -> Recipe:
        """The steps that make it; not of a file made elsewhere."""
        if self.key == SAFE_HARBOR:
            return safe_harbor(self.data, view.now().people, year=session().aim.year)
        assert self.recipe is not None
        return self.recipe


def others(data: Dataset) -> list[OtherRelease]:
    """Every release that is at hand beside the present one, each once.

    An earlier one of this file is made of the data as they were decided on then.
    """
    now = view.now()
    seen = {now.recipe.digest}
    releases = list[OtherRelease]()

    def add(key: str, title: str, recipe: Recipe, of: Dataset = data) -> None:
        if of is not data or recipe.digest not in seen:
            releases.append(OtherRelease(key, title, of, recipe))
        seen.update([recipe.digest] if of is data else [])

    for variant in session().variants:
        add(f"version {variant.name}", variant.name, variant.recipe)
    for offer in proposed.made(data).offers:
        add(f"proposal {offer.title}", f"Proposal: {offer.title}", proposed.recipe_with(offer.proposal, data))
    case = case_of(view.apply(now.recipe, data), now.recipe, None, now.aim)
    for number, recipe in enumerate(case.earlier, start=1):
        title = f"Earlier release {number} ({words.count(len(recipe), 'steps')})"
        add(f"earlier {recipe.digest}", title, recipe, case.earlier_data.get(recipe.digest, (data,))[-1])
    for opened in now.beside.opened:
        add(f"beside {opened.key}", f"Earlier release of {opened.data.name}", opened.project.recipe, opened.data)
    if data.tables is None:
        releases.append(OtherRelease(SAFE_HARBOR, "Safe Harbor", data, None))
    another = state.part(FilesBeside).another
    if another is not None:
        releases.append(OtherRelease(f"file {another.key}", f"File {another.name}", another, None))
    return releases


@cache.remembered
def safe_harbor(data: Dataset, people: Dataset | None, *, year: int) -> Recipe:
    """What the Safe Harbor of HIPAA makes of the data."""
    return with_safe_harbor(Recipe(), data, people, year)
