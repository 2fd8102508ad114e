"""Names of columns in a figure replaced by what the columns are called in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from plotly.graph_objects import Figure

from anonlib.plots.theme import escape, label

_LONGEST = 34  # characters of a title beside a picture


def with_titles(figure: Figure, titles: Mapping[str, str]) -> Figure:
    """A figure in which columns are called by their titles, where a whole text of it is the name of one.

    Parameters
    ----------
    figure : Figure
        Changed in place: names along axes, of axes, and beside marks; what is selected keeps its name.
    titles : Mapping[str, str]
        By name of a column, its title with its name, such as ``Age, years (AGEP)``.

    Returns
    -------
    Figure
        The same.
    """
    if not titles:
        return figure
    shown: dict[str, str] = {}
    for name, title in titles.items():
        text = title if len(title) <= _LONGEST else f"{title[: _LONGEST - len(name) - 4]}… ({name})"
        for written in (name, escape(name), label(name)):
            shown |= {written: escape(text), f"<b>{written}</b>": f"<b>{escape(text)}</b>"}
    for axis in _axes(figure):
        if axis.title.text in shown:
            axis.title.text = shown[axis.title.text]
        if axis.ticktext is not None:
            axis.ticktext = [shown.get(text, text) for text in axis.ticktext]
        else:
            categories = list(dict.fromkeys(_categories(figure, axis.plotly_name)))
            if any(name in shown for name in categories):
                axis.tickmode, axis.tickvals = "array", categories
                axis.ticktext = [shown.get(name, name) for name in categories]
    for note in figure.layout.annotations:
        note.text = shown.get(note.text, note.text)
    return figure


def _axes(figure: Figure) -> Iterator[Any]:
    yield from figure.select_xaxes()
    yield from figure.select_yaxes()


def _categories(figure: Figure, axis: str) -> Iterator[str]:
    """The texts that stand along an axis."""
    which, number = axis[0], axis[5:]
    for trace in figure.data:
        of = getattr(trace, f"{which}axis", None) or which
        if of != f"{which}{number}":
            continue
        values = getattr(trace, which, None)
        yield from (value for value in (values if values is not None else ()) if isinstance(value, str))
