"""Small example tables printed in the papers whose methods Anonscope implements.

Facts only, retyped cell by cell; data/samples/README.md cites each paper and says what was corrected.
"""

from __future__ import annotations

import pandas as pd

_SCREENING_PEOPLE = """\
Roderick Alleyne|14 Brooks Rd.|88888|male|50-54
Martin Beck|21 Elm St.|11111|male|55-59
Nora Charles|5 Norgren St.|11111|female|55-59
Cordelia Gray|23B Martin St.|88888|female|55-59
Adam Dalglish|1 Linges St.|88888|male|50-54
Madelyn Hayes|811 Francis Ave.|11111|female|55-59
Jane Marple|12 Granite Lane|11111|female|55-59
Henry Merrivale|65 Baker St.|11111|male|55-59
Laura Monagan|9 Norgren St.|11111|female|55-59
Emma Page|221 Ohio St.|88888|female|55-59
Thomas Pitt|43 Creek Rd.|11111|male|55-59
Claire Rodgers|89 Lloyd Court|11111|female|55-59
Philip Trent|9 Bell St.|88888|male|50-54
Peter Wimsey|2C Ryan Ave.|88888|male|50-54
Charles Wycliffe|47 Hummel St.|11111|male|55-59"""

# Centre and hour of the persons 1..15, and the Test column: + for its check mark, - for its cross.
_SCREENING_PLACES = "A9 A9 A9 A9 A13 A13 B9 B9 B9 B9 B13 B13 C13 C13 B13"
_SCREENING_MARKS = "+++-++++++-++-+"

_SCREENING_SLOTS = """\
A|9|4
A|13|2
B|9|4
B|13|3
C|13|2"""

_WEIGHT_LOSS = """\
F|Med|35|52000|143|Black|No|1
F|Low|35|52000|143|Black|No|3
M|Med|50|53000|166|White|No|4
M|Low|35|52003|143|White|No|1
M|Med|68|52000|190|Hispanic|No|3
M|High|68|52000|190|Hispanic|No|4
M|Med|44|52003|166|Asian|Hereditary Thrombophilia|3
F|Low|75|52002|122|Native Hawaiian|No|4
F|Med|35|52003|143|Black|No|2
F|High|75|52002|143|White|Hereditary Thrombophilia|1
M|High|44|52003|166|Asian|Hereditary Thrombophilia|3
F|Med|38|52000|166|White|No|4
F|High|35|52000|122|American Indian|Hereditary Thrombophilia|1
F|Low|35|52000|122|American Indian|Hereditary Thrombophilia|2
M|Med|38|52003|122|White|No|3
F|Med|22|54004|180|Native Hawaiian|No|3
M|High|20|54000|180|American Indian|L.O. Alzheimer's|3
M|Low|21|54001|180|Black|Parkinson's|3
F|High|24|54003|180|Asian|Hereditary Thrombophilia|3
M|No|25|54000|122|American Indian|Celiac|3
M|No|26|54001|166|Asian|L.O. Alzheimer's|3
F|High|23|54003|180|Asian|Parkinson's|3"""

_FIVE_PEOPLE = """\
1|Cancer|Female|50
2|Cancer|Male|40
3|Cancer|Female|35
4|Arthrosis|Male|64
5|Diabetes|Female|49"""


def _table(text: str, columns: str) -> pd.DataFrame:
    return pd.DataFrame([line.split("|") for line in text.splitlines()], columns=columns.split(), dtype=object)


def screening_people() -> pd.DataFrame:
    """The 15 invited people of Caballero et al. (2017), Table 1: name, address, ZIP code, gender, age range."""
    return _table(_SCREENING_PEOPLE, "full_name address zip gender age")


def screening_slots() -> pd.DataFrame:
    """The five slots of Caballero et al. (2017), Table 7(b): centre, hour, capacity in people."""
    return _table(_SCREENING_SLOTS, "centre hour capacity")


def screening_schedule() -> pd.DataFrame:
    """The appointments of Caballero et al. (2017), Table 3: the people by number, with centre, hour, test."""
    people = screening_people()
    return pd.DataFrame(
        {
            "person": [str(number) for number in range(1, len(people) + 1)],
            "zip": people["zip"],
            "gender": people["gender"],
            "age": people["age"],
            "centre": [place[0] for place in _SCREENING_PLACES.split()],
            "hour": [place[1:] for place in _SCREENING_PLACES.split()],
            "test": ["positive" if mark == "+" else "negative" for mark in _SCREENING_MARKS],
        },
        dtype=object,
    )


def weight_loss() -> pd.DataFrame:
    """The 60 profiles of Arca and Hewett (2021), Table 1: its 22 rows, each repeated by its number of records."""
    table = _table(_WEIGHT_LOSS, "sex alcohol_consumption age zip weight race genetic_risk records")
    repeated = table.loc[table.index.repeat(table["records"].astype(int))]
    return repeated.drop(columns="records").reset_index(drop=True)


def five_people() -> pd.DataFrame:
    """The five people of Kroes et al. (2021), Table 1, original data: id, diagnosis, gender, age in years."""
    return _table(_FIVE_PEOPLE, "id diagnosis gender age")
