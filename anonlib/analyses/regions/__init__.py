"""Regions: how coarse places must be, by aggregating areas (Croft et al. 2015, VBAS)."""

from anonlib.analyses.regions.aggregation import (
    Aggregation,
    Construction,
    areas_as_they_are,
    nearest_site,
    voronoi_regions,
)
from anonlib.analyses.regions.areas import AreaClasses, Areas
from anonlib.analyses.regions.balanced import balanced_cells, balanced_density_sites
from anonlib.analyses.regions.choices import (
    PLACEMENTS,
    Placement,
    Refinement,
    aggregate,
    balanced,
    clustering,
    number_by_gaps,
)
from anonlib.analyses.regions.clustering import Clustering, anonymity_driven_clustering
from anonlib.analyses.regions.geometry import outlines
from anonlib.analyses.regions.given import (
    CUTOFFS,
    Grouping,
    as_they_are,
    given_regions,
    grouped_by,
    grouped_by_records,
    joined_above,
)
from anonlib.analyses.regions.measures import Measures
from anonlib.analyses.regions.nested import nested_regions, region_hierarchy
from anonlib.analyses.regions.numbers import GAPS, Gaps, class_entropy, gaps_cutoff, max_combinations, number_of_sites
from anonlib.analyses.regions.reading import (
    AreaColumns,
    AreaFile,
    areas_from_geodataframe,
    areas_of,
    open_areas,
    suggest_area_column,
    suggest_columns,
)
from anonlib.analyses.regions.spatial import SpatialAnonymity
from anonlib.analyses.regions.target import Points, Target, curve_numbers, left_out_curve, regions_for_target

__all__ = [
    "CUTOFFS",
    "GAPS",
    "PLACEMENTS",
    "Aggregation",
    "AreaClasses",
    "AreaColumns",
    "AreaFile",
    "Areas",
    "Clustering",
    "Construction",
    "Gaps",
    "Grouping",
    "Measures",
    "Placement",
    "Points",
    "Refinement",
    "SpatialAnonymity",
    "Target",
    "aggregate",
    "anonymity_driven_clustering",
    "areas_as_they_are",
    "areas_from_geodataframe",
    "areas_of",
    "as_they_are",
    "balanced",
    "balanced_cells",
    "balanced_density_sites",
    "class_entropy",
    "clustering",
    "curve_numbers",
    "gaps_cutoff",
    "given_regions",
    "grouped_by",
    "grouped_by_records",
    "joined_above",
    "left_out_curve",
    "max_combinations",
    "nearest_site",
    "nested_regions",
    "number_by_gaps",
    "number_of_sites",
    "open_areas",
    "outlines",
    "region_hierarchy",
    "regions_for_target",
    "suggest_area_column",
    "suggest_columns",
    "voronoi_regions",
]
