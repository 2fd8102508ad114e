"""Names of columns in figures, replaced by titles."""

from __future__ import annotations

import plotly.graph_objects as go

from anonlib.plots.titles import with_titles

TITLES = {"AGEP": "Age, years (AGEP)", "a<b": "Less (a<b)", "LONG": "A title that is much longer than a figure (LONG)"}


def test_axes_ticks_and_notes_are_called_by_titles_and_data_keep_their_names():
    figure = go.Figure(
        [go.Bar(x=[1, 2, 3], y=["AGEP", "SEX", "a&lt;b"], orientation="h")],
        layout={"xaxis": {"title": "LONG"}, "annotations": [{"text": "AGEP"}, {"text": "AGEP is known"}]},
    )
    drawn = with_titles(figure, TITLES)
    assert list(drawn.data[0].y) == ["AGEP", "SEX", "a&lt;b"] == list(drawn.layout.yaxis.tickvals)
    assert list(drawn.layout.yaxis.ticktext) == ["Age, years (AGEP)", "SEX", "Less (a&lt;b)"]
    assert drawn.layout.xaxis.title.text.endswith("… (LONG)") and len(drawn.layout.xaxis.title.text) <= 36
    assert [note.text for note in drawn.layout.annotations] == ["Age, years (AGEP)", "AGEP is known"]


def test_texts_along_an_axis_that_are_set_are_replaced_and_others_stay():
    figure = go.Figure([go.Scatter(x=[0, 1], y=[2, 3])])
    figure.update_layout(xaxis={"tickvals": [0, 1], "ticktext": ["<b>AGEP</b>", "x"]}, yaxis={"title": "records"})
    drawn = with_titles(figure, TITLES)
    assert list(drawn.layout.xaxis.ticktext) == ["<b>Age, years (AGEP)</b>", "x"]
    assert drawn.layout.yaxis.title.text == "records" and drawn.layout.yaxis.tickvals is None


def test_without_titles_a_figure_is_as_it_was():
    figure = go.Figure([go.Bar(x=["AGEP"], y=[1])])
    before = figure.to_json()
    assert with_titles(figure, {}).to_json() == before
