"""Interval programs: one attribute at a time cut into its best intervals (beyond the paper)."""

from anonlib.analyses.frontier.interval_programs.search import interval_programs

__all__ = ["interval_programs"]
