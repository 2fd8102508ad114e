"""The Individuals page's settings, results and views."""
