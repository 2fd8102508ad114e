"""What is counted of a release in which labels of several levels stand side by side, in words under a page's title."""

from __future__ import annotations

import streamlit as st

from anonlib.dataset import Dataset
from anonlib.release.covering import by_labels_in_words, in_words, recoded_by_cell
from ui.session import view
from ui.text import plain


def say_how_counted(release: Dataset | None, columns: tuple[str, ...]) -> None:
    """That a release is counted by what its labels cover, where that is not the same as by equal labels."""
    if release is None:
        return
    if says := in_words(view.covered(release, tuple(name for name in columns if name in release.columns))):
        st.caption(plain(says))


def say_by_labels(release: Dataset | None, columns: tuple[str, ...]) -> None:
    """That a page, or a part of it, counts equal labels of such a release."""
    if release is not None and (mixed := [name for name in columns if name in recoded_by_cell(view.now().recipe)]):
        st.caption(plain(by_labels_in_words([name for name in mixed if name in release.columns])))
