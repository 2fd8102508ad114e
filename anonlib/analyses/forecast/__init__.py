"""Forecast: what share of a file that comes again is in small classes, before it exists (Brown et al. 2022)."""

from anonlib.analyses.forecast.futures import (
    DRAWS,
    MOST_DRAWN,
    Futures,
    K,
    NewPeople,
    Promise,
    RiskForecast,
    below_after,
    confidence_interval,
    draw_futures,
    forecast,
    kept_after_each,
)
from anonlib.analyses.forecast.policies import (
    FinestPolicy,
    LevelLattice,
    PolicyRange,
    PolicyTable,
    finest_policy,
    policy_table,
    usual_ranges,
)

__all__ = [
    "DRAWS",
    "MOST_DRAWN",
    "FinestPolicy",
    "Futures",
    "K",
    "LevelLattice",
    "NewPeople",
    "PolicyRange",
    "PolicyTable",
    "Promise",
    "RiskForecast",
    "below_after",
    "confidence_interval",
    "draw_futures",
    "finest_policy",
    "forecast",
    "kept_after_each",
    "policy_table",
    "usual_ranges",
]
