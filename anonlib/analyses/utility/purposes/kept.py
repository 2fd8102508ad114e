"""How well a release keeps what must survive: for each purpose original against release, and what that means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from anonlib.analyses.utility.alongside import Alongside
from anonlib.analyses.utility.in_words import named
from anonlib.analyses.utility.purposes.kinds import MeanByGroup, Model, Purpose, Together, UsefulColumns
from anonlib.analyses.utility.purposes.models import Learnt, learnt
from anonlib.analyses.utility.purposes.tables import GroupMeans, SharedTables, means_by_group, shared_tables
from anonlib.analyses.utility.sizes import bits_lost
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress, nobody, share_of
from anonlib.basics.words import count, listed
from anonlib.dataset import Dataset

_HALF = 0.5  # of a column's entropy
_OF_MODELS = 20  # the work of a model, where that of another purpose is 1


@dataclass(frozen=True, eq=False)
class Kept:
    """How well a release keeps a purpose.

    Attributes
    ----------
    purpose : Purpose
        What must survive.
    share : float or None
        How much of it is kept, in [0, 1]; None where that cannot be measured.
    measure : str
        What the figures are, as "Cramér's V".
    original, release : float or None
        The figure of the original and of the release; None where there is none.
    sentence : str
        What it means for who uses the release. Plain text; names of columns, and no cell.
    detail : GroupMeans, SharedTables, Learnt or None
        What it was read from; None where a column does not leave or nothing can be measured.
    """

    purpose: Purpose
    share: float | None
    measure: str
    original: float | None
    release: float | None
    sentence: str
    detail: GroupMeans | SharedTables | Learnt | None = None


@dataclass(frozen=True)
class NamedColumns:
    """How much is left of the columns that what must survive is about.

    Attributes
    ----------
    shares : tuple[tuple[str, float], ...]
        Each column with the share of its entropy that its cells keep, in [0, 1].
    """

    shares: tuple[tuple[str, float], ...]

    @property
    def mean(self) -> float:
        """The mean of the shares; 1 where there are none."""
        return float(np.mean([share for _, share in self.shares])) if self.shares else 1.0

    @property
    def says(self) -> str:
        """Of how many at least half of the entropy is kept, and of which less, each by its name."""
        less = [named(name) for name, share in self.shares if share < _HALF]
        of_which = f"; less of {listed(less, most=len(less))}" if less else ""
        n = len(self.shares)
        return f"Columns needed that keep at least half of their entropy: {n - len(less):,} of {n:,}{of_which}."


def named_columns(names: Sequence[str], original: Dataset, released: Dataset) -> NamedColumns:
    """How much is left of some columns: 1 - bits lost / bits of the original (:func:`bits_lost`).

    Parameters
    ----------
    names : Sequence[str]
        Columns of the original; those that it does not have are not looked at.
    original, released : Dataset
        The data set and what steps made of it.

    Returns
    -------
    NamedColumns
    """
    present = [name for name in names if name in original.columns]
    if not released.n_records:
        return NamedColumns(tuple((name, 0.0) for name in present))
    return _named_columns(present, Alongside.of(original, released))


def _named_columns(names: Sequence[str], both: Alongside) -> NamedColumns:
    bits = {name: bits_lost(both, name) for name in names}
    shares = {
        name: 1 - min(1.0, lost / most) if most > 0 else float(name in both.leaving)
        for name, (lost, most) in bits.items()
    }
    return NamedColumns(tuple(shares.items()))


def kept(
    purposes: Sequence[Purpose], original: Dataset, released: Dataset, *, seed: int = 0, progress: Progress = nobody
) -> tuple[Kept, ...]:
    """How well a release keeps each of some purposes.

    Parameters
    ----------
    purposes : Sequence[Purpose]
        What must survive.
    original, released : Dataset
        The data set and what steps made of it. Models learn from records in memory alone.
    seed : int, default 0
        Of the draws for models.
    progress : Progress, default nobody
        Called with the share done, 0 to 1; may raise to stop.

    Returns
    -------
    tuple of Kept
        In the order of the purposes. Nothing is kept where nobody is left.
    """
    if not released.n_records:
        return tuple(_nothing(purpose, "No record is left in the release.") for purpose in purposes)
    both = Alongside.of(original, released)
    work = np.cumsum([0, *(_OF_MODELS if isinstance(purpose, Model) else 1 for purpose in purposes)])
    outcomes = []
    for i, purpose in enumerate(purposes):
        part = share_of(progress, float(work[i] / work[-1]), float(work[i + 1] / work[-1]))
        try:
            outcomes.append(_kept(purpose, both, seed, part))
        except InputError as error:
            outcomes.append(_unknown(purpose, str(error)))
        part(1.0)
    return tuple(outcomes)


def _kept(purpose: Purpose, both: Alongside, seed: int, progress: Progress) -> Kept:
    absent = [name for name in purpose.columns if name not in both.columns]
    if absent:
        return _unknown(purpose, f"There is no column {listed([named(name) for name in absent])} to look at.")
    if isinstance(purpose, UsefulColumns):
        columns = _named_columns(purpose.names, both)
        return Kept(purpose, columns.mean, "non-uniform entropy", None, None, columns.says)
    needed = (purpose.target,) if isinstance(purpose, Model) else purpose.columns
    gone = [name for name in needed if not _leaves(both, name)]
    if isinstance(purpose, Model) and not gone and not any(_leaves(both, name) for name in purpose.predictors):
        gone = list(purpose.predictors)
    if gone:
        is_one = len(gone) == 1
        return _nothing(
            purpose,
            f"Nothing of it is kept: {listed([named(name) for name in gone])} {'is' if is_one else 'are'} not in the "
            f"release, or {'has' if is_one else 'have'} no value left in it.",
        )
    match purpose:
        case Model():
            return _of_model(purpose, both, seed, progress)
        case Together():
            return _of_together(purpose, both)
    return _of_means(purpose, both)


def _leaves(both: Alongside, name: str) -> bool:
    """Whether a column is in the release with a value that says something."""
    return name in both.leaving and not both.column(name).blank[both.column(name).label].all()


def _of_model(purpose: Model, both: Alongside, seed: int, progress: Progress) -> Kept:
    measure = "area under the curve"
    if not both.in_memory:
        return _unknown(purpose, "Models learn from records in memory, and these stay in the database.")
    target = both.column(purpose.target)
    one_label = int((~target.blank[:-1]).sum()) < 2
    if one_label and len(target.values) > 1:
        return _nothing(purpose, f"Nothing of it is kept: {named(purpose.target)} has one label for all.")
    model = learnt(both, purpose.target, purpose.predictors, seed=seed, progress=progress)
    if model.kept is None:
        says = f"Even the original says next to nothing about {named(purpose.target)} in these columns."
    else:
        says = (
            f"A model that learns {named(purpose.target)} from the release puts original records in order as well as "
            f"an area under the curve of {model.after:.3f}; learnt from the original it is {model.before:.3f}, and 0.5 "
            "is chance."
        )
    if model.gone:
        says += f" Not in the release: {listed([named(name) for name in model.gone])}."
    if model.is_recoded:
        says += f" {named(purpose.target)} is predicted as the release has it, in coarser labels."
    return Kept(purpose, model.kept, measure, model.before, model.after, says, model)


def _of_together(purpose: Together, both: Alongside) -> Kept:
    tables = shared_tables(both, purpose.first, purpose.second)
    before, after = tables.strength_before, tables.strength_after
    says = f"{tables.measure} is {before:.2f} in the original and {after:.2f} in the release"
    says += f", of {count(tables.n_released, 'records')} that have both."
    if after > before + 0.005:
        says += " The release shows a closer link than there is."
    return Kept(purpose, tables.kept, tables.measure, before, after, says, tables)


def _of_means(purpose: MeanByGroup, both: Alongside) -> Kept:
    means = means_by_group(both, purpose.value, purpose.group)
    says = (
        f"The release's means are {means.error:.3g} off on average; in the original groups are "
        f"{means.spread_before:.3g} from the overall mean of {means.overall:.4g}."
    )
    without = int(np.isnan(means.after).sum())
    if without:
        says += f" {count(without, 'groups')} of {len(means.groups):,} {'has' if without == 1 else 'have'} no mean."
    measure = "mean distance of groups from the overall mean"
    return Kept(purpose, means.kept, measure, means.spread_before, means.spread_after, says, means)


def _nothing(purpose: Purpose, says: str) -> Kept:
    return Kept(purpose, 0.0, "", None, None, says)


def _unknown(purpose: Purpose, says: str) -> Kept:
    return Kept(purpose, None, "", None, None, says)


def mean_share(of_purposes: Sequence[Kept]) -> float:
    """The mean share kept over some purposes, what cannot be measured counting as 0; 1 where there are none.

    Parameters
    ----------
    of_purposes : Sequence[Kept]
        How well a release keeps each of them.

    Returns
    -------
    float
        In [0, 1].
    """
    return float(np.mean([of_purpose.share or 0.0 for of_purpose in of_purposes])) if of_purposes else 1.0
