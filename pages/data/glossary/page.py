"""Glossary: what the app's words mean, and what the field calls the same."""

from ui.kit import glossary, page


def show_page() -> None:
    page.header("Glossary", "What do the words mean here, and what does the field call the same?")
    glossary.show()


show_page()
