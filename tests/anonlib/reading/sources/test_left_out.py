"""What is left out as a title, a note or a total, and what is kept because it may be a person."""

from __future__ import annotations

import io

import openpyxl
import pytest

from anonlib.basics.errors import InputError
from anonlib.reading.sources import ReadOptions, Source, open_source
from tests.helpers.errors import refused

PERSONS = [f"Person {'xyz'[i % 3]}{chr(97 + i % 26)},{20 + i % 70},d{i % 4}\n" for i in range(20_000)]
NAMES = "name,age,diagnosis\n" + "".join(PERSONS[:30])
SURGERY = ("Knee arthroscopy", "Appendectomy", "Cataract surgery")
PROCEDURES = "procedure,year,age\n" + "".join(f"{SURGERY[i % 3]},{2015 + i % 5},{30 + i}\n" for i in range(30))
IDS = "id,year,age\n" + "".join(f"{100 + i},{2015 + i % 5},{30 + i}\n" for i in range(30))
HASHES = "id,year,age\n" + "".join(f"#{100 + i},{2015 + i % 5},{30 + i}\n" for i in range(30))
COSTS = "ward,cost\nNorth,500\nSouth,700\nWest,100\n"


def read(text: str, **options: object) -> Source:
    return open_source(text.encode(), "a.csv", ReadOptions(**options))  # type: ignore[arg-type]


PEOPLE = {
    "a name, the rest blank": NAMES + "John Smith,,",
    "a name after a blank line": NAMES + "\nJohn Smith,,",
    "a name of many words": NAMES + "Maria del Carmen Lopez Garcia,,",
    "a name where ids stand above": IDS + "John Smith,,",
    "a name of many words where ids stand above": IDS + "Maria del Carmen Lopez Garcia,,",
    "a procedure that begins with total": PROCEDURES + "Total hip replacement,2019,54",
    "a procedure, the rest blank": PROCEDURES + "Total hip replacement,,",
    "a procedure after a blank line": PROCEDURES + "\nTotal hip replacement,2019,54",
    "an average one": PROCEDURES + "Average risk delivery,2019,31",
    "a value Total among words": PROCEDURES + "Total,2019,54",
    "a note among names": NAMES + "Note: did not want to be named,,",
    "an id with a hash": IDS + "#1031,,",
    "an id with a hash among such": HASHES + "#130,,",
    "a date": IDS + "2024-01-01,,",
    "a name after a blank line where names stand above": NAMES + "\nTotal Smith,,",
    "a second part of the table after a blank line": IDS + "\n" + IDS.split("\n", 1)[1].strip(),
    "a person named Max": NAMES + "Max,50,",
    "a total in a column of totals": COSTS.replace("South", "Total") + "Total,1300",
}
FOOTERS = {
    "a sum below ids": (IDS + "Total,,1335", 1),
    "a mean below ids": (IDS + "Mean,,44.5", 1),
    "a labelled sum": (IDS + "Grand total (n = 30):,,1335", 1),
    "a sum below words": (COSTS + "Total,1300", 1),
    "a count below words": (COSTS + "Total,3", 1),
    "a sum after a blank line below words": (NAMES + "\nTotal,1335,", 2),
    "a source": (IDS + "Source: the registry,,", 1),
    "a source after a blank line below names": (NAMES + "\nSource: the registry", 2),
    "a sentence": (IDS + "Ages above 89 were grouped by the registry.,,", 1),
    "a comment": (IDS + "# made by the registry", 1),
    "the end mark of a database client": (IDS + "\n(30 rows affected)", 2),
    "the end mark of a listing": (NAMES + "\n*** END OF REPORT ***", 2),
    "who made it": (IDS + "Exported by the registry,,", 1),
    "a mean in French": (IDS + "Moyenne,,44.5", 1),
    "a mean and its deviation in German": (IDS + "Mittelwert,,44.5\nStandardabweichung,,8.66", 2),
    "a sum in Polish": (IDS + "Razem,,1335", 1),
    "a mean in Spanish below words": (NAMES + "Media,34.5,", 1),
    "a legend after a blank line": (IDS + "\nyear,year of the visit,\nage,age in years,", 3),
    "a legend with a title": (IDS + "\nVariable,Meaning,\nyear,of the visit,\nage,in years,", 4),
    "a legend of codes": (IDS + "\nLegende:\n1 = männlich\n2 = weiblich", 4),
    "a legend without a blank line": (IDS + "year,year of the visit,\nage,age in years,", 2),
    "a signature": (IDS + "\nDr. Ann Lee, Data Manager\nLeeds, 12 May 2024", 3),
    "a signature in German": (IDS + "\ngez. Dr. Ann Lee\nerstellt am 12.05.2024 von der Klinik", 3),
    "a total, then notes": (IDS + "Total,,1335\n\nSource: the registry\nNote: provisional", 4),
}


@pytest.mark.parametrize("text", PEOPLE.values(), ids=PEOPLE.keys())
@pytest.mark.parametrize("end", ["", "\n", "\n\n"])
def test_what_may_be_a_person_is_kept(text: str, end: str):
    n_lines = sum(1 for line in text.splitlines() if line)
    source = read(text + end)
    assert len(source.frame) == n_lines - 1
    assert source.reading.left_out == () and source.reading.skip_footer == 0


@pytest.mark.parametrize(("text", "length"), FOOTERS.values(), ids=FOOTERS.keys())
def test_what_is_plainly_a_total_or_a_note_is_left_out(text: str, length: int):
    source = read(text)
    assert len(source.frame) == (3 if text.startswith("ward") else 30) and source.reading.skip_footer == length
    left_out = source.reading.left_out
    lines = text.splitlines()
    assert [line.line for line in left_out] == [i + 1 for i in range(len(lines) - length, len(lines)) if lines[i]]
    assert all(line.place == "below the table" for line in left_out)
    assert str(left_out[-1].line) in " ".join(source.reading.notes)
    last = lines[-1].split(",")[0]
    assert left_out[-1].text.split(" · ")[0] == last
    kept = read(text, keep_lines=True)
    assert len(kept.frame) == sum(1 for line in lines if line) - 1, "it is taken back"
    assert kept.frame.iloc[-1, 0] == last and kept.reading.left_out == ()


@pytest.mark.parametrize("short", ["John Smith", "\nJohn Smith", "\nTotal hip replacement"])
def test_a_line_cut_short_is_refused_with_the_way_out(short: str):
    with refused("rows-uneven"):
        read(NAMES + short)


def test_a_long_file_is_no_different():
    text = "name,age,diagnosis\n" + "".join(PERSONS)
    assert len(read(text + "John Smith,,\n").frame) == 20_001
    noted = read(text + "\nSource: the registry\n")
    assert len(noted.frame) == 20_000 and noted.reading.left_out[0].line == 20_003


def test_a_kept_line_that_may_be_a_note_is_named():
    assert "Line 32 may be a total or a note" in " ".join(read(NAMES + "John Smith,,\n").reading.notes)
    assert read(NAMES + "John Smith,50,d1\n").reading.notes == ()


def test_the_last_row_of_a_sheet():
    def saved(book: openpyxl.Workbook) -> bytes:
        out = io.BytesIO()
        book.save(out)
        return out.getvalue()

    book = openpyxl.Workbook()
    for row in [("name", "age", "sex"), ("Anna Moore", 40, "f"), ("Bo Young", 50, "m"), ("John Smith", None, None)]:
        book.active.append(row)
    source = open_source(saved(book), "a.xlsx")
    assert len(source.frame) == 3 and "Row 4 may be" in " ".join(source.reading.notes)
    book.active.cell(6, 1, "Source: the registry")
    source = open_source(saved(book), "a.xlsx")
    assert len(source.frame) == 3 and [line.line for line in source.reading.left_out] == [6]
    assert len(open_source(saved(book), "a.xlsx", ReadOptions(keep_lines=True)).frame) == 4


def test_a_person_above_a_table_without_names_is_kept():
    source = read("John Smith,,\n" + NAMES.split("\n", 1)[1])
    assert len(source.frame) == 31 and source.reading.header is False


def test_titles_and_comments_are_named_with_their_text():
    source = read("Admissions 2024\n\nid,age\n1,30\n# checked\n2,40\n")
    assert [(line.line, line.place, line.text) for line in source.reading.left_out] == [
        (1, "above the table", "Admissions 2024"),
        (5, "comment", "# checked"),
    ]
    assert "checked" not in repr(source.reading)


def test_a_short_record_whose_id_begins_with_a_hash_is_no_comment():
    for line, text in ((4, "id,age\n#a,30\n#b,40\n#c\n"), (3, "id,age\n17,30\n#1002\n18,40\n")):
        with pytest.raises(InputError, match=f"Line {line} has fewer cells"):
            read(text)
