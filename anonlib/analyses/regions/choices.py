"""The components of an aggregation, each replaceable by a function of your own (Croft et al. 2015, section 3.5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from anonlib.analyses.regions.aggregation import Aggregation, Construction, nearest_site, voronoi_regions
from anonlib.analyses.regions.areas import AreaClasses
from anonlib.analyses.regions.balanced import balanced_density_sites
from anonlib.analyses.regions.clustering import anonymity_driven_clustering
from anonlib.analyses.regions.numbers import GAPS, Gaps, Model, gaps_cutoff, number_of_sites
from anonlib.basics import checks
from anonlib.basics.budget import Stopwatch
from anonlib.basics.errors import InputError
from anonlib.basics.progress import Progress

Placement = Callable[[AreaClasses, int, int], np.ndarray]
"""From the areas, the number of sites and k to the sites: float, sites x 2, in the areas' metric units."""

Refinement = Callable[[Aggregation], Aggregation]
"""From an aggregation to a better one of the same areas."""


def number_by_gaps(area_classes: AreaClasses, model: Model = "entropy", gaps: Gaps = GAPS["Western Canada"]) -> int:
    """How many sites the GAPS models ask for.

    Parameters
    ----------
    area_classes : AreaClasses
        The records by area, and the population.
    model : Model, default "entropy"
        ``"entropy"`` or ``"max_combinations"``.
    gaps : Gaps, default GAPS["Western Canada"]
        Factors and exponents of a part of Canada.

    Returns
    -------
    int

    Raises
    ------
    InputError
        As :func:`anonlib.analyses.regions.numbers.gaps_cutoff`.

    References
    ----------
    Croft et al. 2015, Equations 1 to 6.
    """
    cutoff = gaps_cutoff(area_classes.classes, model, gaps)
    return number_of_sites(int(area_classes.population.sum()), cutoff, area_classes.n_areas)


def balanced(area_classes: AreaClasses, n_sites: int, k: int) -> np.ndarray:
    """Sites by balanced density: by the population alone, whatever the records and k.

    Parameters
    ----------
    area_classes : AreaClasses
        The records by area, and the population.
    n_sites : int
        From 1 to the number of areas.
    k : int
        Not looked at.

    Returns
    -------
    float array, ``n_sites`` x 2

    References
    ----------
    Croft et al. 2015, section 3.2.1.
    """
    return balanced_density_sites(area_classes.areas.points, area_classes.population, n_sites)


def clustering(area_classes: AreaClasses, n_sites: int, k: int, *, progress: Progress | None = None) -> np.ndarray:
    """Sites by anonymity-driven clustering, begun at those of balanced density.

    Parameters
    ----------
    area_classes : AreaClasses
        The records by area, and the population.
    n_sites : int
        From 1 to the number of areas.
    k : int
        Smallest class size wanted.
    progress : Progress, optional
        As for :func:`anonlib.analyses.regions.clustering.anonymity_driven_clustering`.

    Returns
    -------
    float array, sites x 2

    References
    ----------
    Croft et al. 2015, section 3.2.2.
    """
    start = balanced(area_classes, n_sites, k)
    return anonymity_driven_clustering(area_classes, start, k, progress=progress).sites


PLACEMENTS: dict[str, Placement] = {"balanced": balanced, "clustering": clustering}
"""The placements of the paper, by name."""


def aggregate(
    area_classes: AreaClasses,
    k: int,
    *,
    number: int,
    placement: Placement = balanced,
    construction: Construction = nearest_site,
    refinement: Refinement | None = None,
    name: str = "",
) -> Aggregation:
    """Aggregate areas with a choice for each component: how many sites, where, whose areas, and what after.

    Parameters
    ----------
    area_classes : AreaClasses
        The records by area, and the population.
    k : int
        Smallest class size wanted, 1 or more.
    number : int
        Sites to place, from 1 to the number of areas.
    placement : Placement, default balanced
        From the areas, the number and k to the sites.
    construction : Construction, default nearest_site
        From points and sites to the site of each point.
    refinement : Refinement, optional
        From an aggregation to a better one of the same areas.
    name : str, default ""
        The result's ``method``; left out, what the refinement calls it, else the placement's name.

    Returns
    -------
    Aggregation
        Its ``seconds`` are those of all steps.

    Raises
    ------
    InputError
        For another number, k below 1, or components whose result is of no use.

    Examples
    --------
    Components to compare are functions of your own or of this package:

    >>> def at_random(area_classes, n_sites, k):
    ...     points = area_classes.areas.points
    ...     return points[np.random.default_rng(0).choice(len(points), n_sites, replace=False)]
    >>> number = number_by_gaps(area_classes, "max_combinations")                                      # doctest: +SKIP
    >>> for placement in (balanced, clustering, at_random):                                            # doctest: +SKIP
    ...     print(aggregate(area_classes, 5, number=number, placement=placement).measures)
    """
    k = checks.whole(k, "k", 1)
    if not 1 <= checks.whole(number, "The number of regions", 1) <= area_classes.n_areas:
        raise InputError(
            f"The number of regions must be from 1 to the number of areas ({area_classes.n_areas:,}); "
            f"{number:,} are asked for.",
            code="number-out-of-range",
        )
    stopwatch = Stopwatch()
    sites = _checked_sites(placement(area_classes, number, k))
    aggregation = voronoi_regions(
        area_classes, sites, k, method=getattr(placement, "__name__", ""), construction=_checked(construction)
    )
    aggregation = replace(aggregation, asked=number)
    if refinement is not None:
        aggregation = refinement(aggregation)
    return replace(aggregation, method=name or aggregation.method, seconds=stopwatch.seconds)


def _checked_sites(sites: np.ndarray) -> np.ndarray:
    sites = np.asarray(sites)
    if sites.ndim != 2 or sites.shape[1] != 2 or not len(sites):
        raise InputError("A placement must give one or more sites, each with an x and a y.", code="sites-wrong")
    if sites.dtype.kind not in "iuf" or not np.isfinite(sites).all():
        raise InputError("A placement must give finite numbers as the coordinates of its sites.", code="sites-wrong")
    return sites.astype(float)


def _checked(construction: Construction) -> Construction:
    """The construction, held to giving each area one of the sites."""

    def construct(points: np.ndarray, sites: np.ndarray) -> np.ndarray:
        site_of_area = np.asarray(construction(points, sites))
        whole = site_of_area.shape == (len(points),) and site_of_area.dtype.kind in "iu"
        if not whole or (site_of_area < 0).any() or (site_of_area >= len(sites)).any():
            raise InputError(
                "A construction must give each area the position of its site, from 0 on.", code="sites-wrong"
            )
        return site_of_area

    return construct
