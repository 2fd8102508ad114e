"""The Leakage page's settings, results and views."""
