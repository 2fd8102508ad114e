"""Release: drop, recode and leave out until k holds, see what it costs, and take the file home."""

from functools import partial

from pages.release.release.controls.steps import show_builder, show_recipe
from pages.release.release.downloads import show_downloads
from pages.release.release.summary import show_distribution, show_empty, show_metrics
from pages.release.release.tabs.comparison import show_comparison, show_levels
from pages.release.release.tabs.utility import show_utility
from ui.kit import explain, page, required
from ui.session import view

DOES = "Here you protect it step by step, see at once what each step does to risk and data, and download the result."


def show_page() -> None:
    page.header("Release", "What must change before this file may leave, what does that cost, and where is the result?")
    data = required.quasi_identifiers(DOES)
    applied, comparison = view.now().applied, view.now().asked.comparison
    assert applied is not None and comparison is not None
    if comparison.records_after:
        show_metrics(comparison, data)
    else:
        show_empty(comparison, applied)
    left, right = page.beside(1, 1)
    with left:
        show_recipe(data, applied)
        show_builder(data)
    with right:
        show_distribution(comparison, data.unit)
        show_downloads(data, applied, comparison)

    page.tabs(
        "release-tabs",
        {
            "Original and release": partial(show_comparison, comparison, data),
            "Column by column": partial(show_levels, data, applied),
            "What it is still good for": partial(show_utility, data, applied),
            "How it works": partial(explain.show, "release"),
        },
    )


show_page()
