"""Exchange of areas between regions: better in all four measures at the same number of regions (beyond the paper)."""

from anonlib.analyses.regions.exchange.search import BALANCE, COMPACTNESS, exchange

__all__ = ["BALANCE", "COMPACTNESS", "exchange"]
