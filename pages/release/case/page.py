"""Case: who asks for which data, what for and under which terms, as it stands at the front of what is filed."""

from pages.release.case import controls
from ui.kit import page, required

DOES = "Here you say what a release is decided for: it stands at the front of every report, and counts nothing."


def show_page() -> None:
    page.header("Case", "Who asks for which data, what for, and under which terms?")
    required.data(DOES)
    form, beside = page.beside(3, 2)
    with form:
        controls.ask()
    with beside:
        controls.show_orders()


show_page()
