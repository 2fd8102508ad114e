"""Report: what is filed about the release, and what makes it again."""

from functools import partial

from pages.release.report import controls, downloads, results, summary, tabs
from ui.kit import explain, page, required

DOES = (
    "Here you make the report that is filed with a release, its evidence as a file, and a script that makes it again."
)


def show_page() -> None:
    page.header("Report", "What do you file about this release, and how can somebody make it again?")
    required.roles(DOES)
    question = controls.ask()
    evidence = results.gathered(question)
    if evidence is None:
        return
    question = controls.ask_what_is_added(evidence, question)
    summary.show_submission(evidence)
    downloads.show_downloads(evidence, question)
    page.tabs(
        "report-tabs",
        {
            "Report": partial(tabs.show_report, evidence, question),
            "Script": partial(tabs.show_script, evidence),
            "A file that came back": partial(tabs.show_returned, evidence),
            "How it works": partial(explain.show, "evidence"),
        },
    )


show_page()
