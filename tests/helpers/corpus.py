"""Odd and hostile files, made here as bytes, each with what must come out of reading it.

``cases()`` gives them all. Secret values (:data:`SECRETS`) stand in cells of many; no message may repeat one.
"""

from __future__ import annotations

import gzip
import io
import json
import pickle
import sqlite3
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from anonlib.reading.sources import AS_FOUND, ReadOptions

SECRETS = ("Quasimodo", "078-05-1120", "Zanzibar Lane")
"""Cell values that no message and no note may hold."""

_S = SECRETS[0]


@dataclass(frozen=True)
class Reads:
    """The file is read.

    Attributes:
        columns: the names; None leaves them unchecked.
        rows: all records, None for a missing cell; None leaves them unchecked.
        n_rows: how many records.
        notes: fragments that must stand in the notes.
        quiet: whether there must be no notes at all.
        reading: attributes of the reading.
    """

    columns: Sequence[str] | None = None
    rows: Sequence[tuple[str | None, ...]] | None = None
    n_rows: int | None = None
    notes: Sequence[str] = ()
    quiet: bool = False
    reading: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Refused:
    """The file is refused with a sentence that holds these fragments."""

    fragments: Sequence[str]


def reads(
    columns: Sequence[str] | None = None,
    rows: Sequence[tuple[str | None, ...]] | None = None,
    *notes: str,
    n_rows: int | None = None,
    quiet: bool = False,
    **reading: object,
) -> Reads:
    return Reads(columns, rows, n_rows, notes, quiet, reading)


def refused(*fragments: str) -> Refused:
    return Refused(fragments)


@dataclass(frozen=True)
class Case:
    """A file: what it is, the name it comes with, how to make its bytes, and what must come out."""

    name: str
    filename: str
    make: Callable[[], bytes]
    outcome: Reads | Refused
    options: ReadOptions = AS_FOUND

    @property
    def data(self) -> bytes:
        """The bytes of the file."""
        return _made(self.make)


@cache
def _made(make: Callable[[], bytes]) -> bytes:
    return make()


def _text(
    name: str, content: str | bytes, outcome: Reads | Refused, filename: str = "a.csv", **options: object
) -> Case:
    data = content.encode() if isinstance(content, str) else content
    return Case(name, filename, lambda: data, outcome, ReadOptions(**options))  # type: ignore[arg-type]


_PLAIN = [("1", "f"), ("2", "m"), ("3", "f")]
_NAMES = ("id", "sex")


def _plain(outcome_notes: Sequence[str] = (), **reading: object) -> Reads:
    return Reads(_NAMES, _PLAIN, notes=outcome_notes, quiet=not outcome_notes, reading=reading)


def delimited() -> list[Case]:
    """Delimiters, quoting, line ends."""
    lines = "id,sex\n1,f\n2,m\n3,f\n"
    return [
        _text("plain", lines, _plain(delimiter=",", encoding="utf-8", header=True, skip_rows=0, skip_footer=0)),
        _text("semicolon", lines.replace(",", ";"), _plain(delimiter=";", delimiter_name="semicolon")),
        _text("tab", lines.replace(",", "\t"), _plain(delimiter="\t", delimiter_name="tab"), "a.tsv"),
        _text("bar", lines.replace(",", "|"), _plain(delimiter="|")),
        _text("caret", lines.replace(",", "^"), _plain(delimiter="^")),
        _text("unit separator", lines.replace(",", "\x1f"), _plain(delimiter="\x1f")),
        _text("carriage return line feed", lines.replace("\n", "\r\n"), _plain()),
        _text("carriage return only", lines.replace("\n", "\r"), _plain()),
        _text("mixed line ends", "id,sex\r\n1,f\n2,m\r3,f", _plain()),
        _text("no last line end", lines.rstrip(), _plain()),
        _text("blank lines", "\n\nid,sex\n\n1,f\n\n2,m\n3,f\n\n\n", reads(_NAMES, _PLAIN)),
        _text("end mark of DOS", lines + "\x1a", _plain()),
        _text("all quoted", 'id,sex\n"1","f"\n"2","m"\n"3","f"\n', _plain(quote='"')),
        _text(
            "single quotes",
            "'id','sex'\n'a1','f'\n'a,2','m'\n",
            reads(_NAMES, [("a1", "f"), ("a,2", "m")], "single quotation"),
        ),
        _text(
            "delimiter and line break inside quotes",
            'id,address\n1,"7, Elm Street\nFlat 2"\n2,"he said ""no"""\n',
            reads(("id", "address"), [("1", "7, Elm Street\nFlat 2"), ("2", 'he said "no"')], quiet=True),
        ),
        _text(
            "inches",
            "id,height\n1,5'10\" tall\n2,6'1\" tall\n",
            reads(("id", "height"), [("1", "5'10\" tall"), ("2", "6'1\" tall")]),
        ),
        _text("unclosed quote", f'id,name,sex\n1,"{_S},f\n2,b,m\n3,c,f\n', refused("line 2", "never closed")),
        _text(
            "two unclosed quotes", f'id,name\n1,"{_S}\n2,b\n3,"c,d\n4,e\n', refused("line 2", "closing quotation mark")
        ),
        _text(
            "quote inside quotes", f'id,name\n1,"{_S} "the bell" x"\n2,b\n', refused("line 2", "closing quotation mark")
        ),
        _text(
            "quotes as text, as chosen",
            'id,name\n1,"ab\n2,b\n',
            reads(("id", "name"), [("1", '"ab'), ("2", "b")]),
            quote="",
        ),
        _text("sep line", "sep=;\nid;sex\n1;f\n2;m\n3;f\n", _plain(["sep="], delimiter=";", skip_rows=1)),
        _text(
            "sep line against appearance", "sep=|\nid|a,b\n1|2,3\n", reads(("id", "a,b"), [("1", "2,3")], delimiter="|")
        ),
        _text(
            "decimal commas",
            "id;weight;height\n1;70,5;1,80\n2;81,25;1,75\n",
            reads(("id", "weight", "height"), [("1", "70,5", "1,80"), ("2", "81,25", "1,75")], delimiter=";"),
        ),
        _text(
            "thousands separators",
            'id,cost\n1,"1,250.00"\n2,"12,000"\n',
            reads(("id", "cost"), [("1", "1,250.00"), ("2", "12,000")], quiet=True),
        ),
        _text("wrong delimiter chosen", "id;sex\n1;f\n2;m\n", reads(("id;sex",), [("1;f",), ("2;m",)]), delimiter=","),
        _text("impossible delimiter", lines, refused("one plain character"), delimiter="ab"),
        _text("delimiter no ASCII", lines, refused("one plain character"), delimiter="§"),
        _text("one column", "zip\n02138\n02139\n", reads(("zip",), [("02138",), ("02139",)], quiet=True)),
        _text(
            "one column with a blank line", "zip\n02138\n\n02139\n", reads(("zip",), [("02138",), (None,), ("02139",)])
        ),
        _text(
            "one column of sentences", "note\nHello, there\nNothing\nFine\nWell\n", refused("Line 2 has", "more cells")
        ),
    ]


def typed() -> list[Case]:
    """Text that type guessing would change."""
    return [
        _text(
            "codes stay text",
            "zip,id,dose,flag,when,exp\n02138,12345678901234567,250.0,TRUE,01/02/2020,1E5\n2138,12345678901234568,250.00,true,2020-01-02,1e5\n",
            reads(
                ("zip", "id", "dose", "flag", "when", "exp"),
                [
                    ("02138", "12345678901234567", "250.0", "TRUE", "01/02/2020", "1E5"),
                    ("2138", "12345678901234568", "250.00", "true", "2020-01-02", "1e5"),
                ],
                quiet=True,
            ),
        ),
        _text(
            "marks stay values",
            'id,lab\n1,NA\n2,?\n3,null\n4,NaN\n5,\n6,""\n7,.\n8,9999\n',
            reads(
                ("id", "lab"),
                [
                    ("1", "NA"),
                    ("2", "?"),
                    ("3", "null"),
                    ("4", "NaN"),
                    ("5", None),
                    ("6", None),
                    ("7", "."),
                    ("8", "9999"),
                ],
            ),
        ),
        _text(
            "blanks around and alone",
            "id,city\n1, Paris\n2,Paris \n3,  \n",
            reads(
                ("id", "city"),
                [("1", " Paris"), ("2", "Paris "), ("3", None)],
                "only blanks are read as missing: column 2",
            ),
        ),
        _text("one value", "id,country\n1,FR\n2,FR\n", reads(("id", "country"), [("1", "FR"), ("2", "FR")])),
        _text(
            "column all missing", "id,x,y\n1,,a\n2,,b\n", reads(("id", "x", "y"), [("1", None, "a"), ("2", None, "b")])
        ),
        _text("all missing", "a,b\n,\n,\n", refused("only blanks")),
        _text(
            "formulas",
            'id,note\n1,=1+1\n2,+49 30\n3,-5\n4,@SUM(A1)\n5,"=HYPERLINK(""http://x"",""y"")"\n',
            reads(
                ("id", "note"),
                [("1", "=1+1"), ("2", "+49 30"), ("3", "-5"), ("4", "@SUM(A1)"), ("5", '=HYPERLINK("http://x","y")')],
            ),
        ),
        _text(
            "markup in names and cells",
            "![a](http://x/y.png),<script>alert(1)</script>\n"
            "<img src=x onerror=alert(1)>,[b](javascript:1)\n**c**,`d`\n",
            reads(
                ("![a](http://x/y.png)", "<script>alert(1)</script>"),
                [("<img src=x onerror=alert(1)>", "[b](javascript:1)"), ("**c**", "`d`")],
                quiet=True,
            ),
            filename="<img src=x onerror=alert(1)>![](http://x).csv",
        ),
        _text(
            "names of ours",
            "index,count,size,level_0,(missing)\n1,2,3,4,(missing)\n5,6,7,8,\n",
            reads(
                ("index", "count", "size", "level_0", "(missing)"),
                [("1", "2", "3", "4", "(missing)"), ("5", "6", "7", "8", None)],
            ),
        ),
        _text(
            "look-alikes are kept",
            "id,city\n1,Köln\n2,Ko\u0308ln\n3,K\u200böln\n4,KÖLN\n",
            reads(("id", "city"), [("1", "Köln"), ("2", "Ko\u0308ln"), ("3", "K\u200böln"), ("4", "KÖLN")]),
        ),
        _text(
            "long cell",
            "id,note\n1," + "x" * 300_000 + "\n2,y\n",
            reads(("id", "note"), [("1", "x" * 300_000), ("2", "y")]),
        ),
    ]


def tables() -> list[Case]:
    """Where the table is: headers, titles, footers, ragged rows, names."""
    people = "17,Anna,1980-01-02\n23,Bert,1975-05-06\n31,Cleo,1990-07-08\n"
    rows = [("17", "Anna", "1980-01-02"), ("23", "Bert", "1975-05-06"), ("31", "Cleo", "1990-07-08")]
    names = ("age", "name", "born")
    head = "age,name,born\n"
    by_place = ("column 1", "column 2", "column 3")
    wide = ["age", "name", "born"]
    return [
        _text("no header", people, reads(by_place, rows, "looks like a record", header=False)),
        _text("no header, one person", "17,Anna,1980-01-02\n", reads(by_place, rows[:1], "looks like a record")),
        _text("no header, only words", "f,yes\nm,no\nf,no\nm,yes\n", reads(("column 1", "column 2"), n_rows=4)),
        _text("header forced", people, reads(("17", "Anna", "1980-01-02"), rows[1:]), header=True),
        _text("header denied", head + people, reads(by_place, [tuple(wide), *rows]), header=False),
        _text(
            "years as names",
            "region,2019,2020,2021\nN,5,6,7\nS,8,9,1\n",
            reads(("region", "2019", "2020", "2021"), n_rows=2),
        ),
        _text(
            "years as names above large numbers",
            "region,2019,2020,2021\nN,1500,2600,3700\nS,1800,1900,900\n",
            reads(("region", "2019", "2020", "2021"), n_rows=2),
        ),
        _text("positions as names", "0,1,2,3,4\n5,2,7,1,3\n1,6,2,3,2\n", reads(("0", "1", "2", "3", "4"), n_rows=2)),
        _text("numbers that count up in a record", "Bo,1,2\nAn,3,1\nCy,2,2\n", reads(by_place, n_rows=3)),
        _text("years in a record", "Bo,2019,2020,2021\nAn,2018,2020,2021\n", reads(n_rows=2, header=False)),
        _text("title above two columns", "Report,\nid,age\n1,30\n2,40\n", reads(("id", "age"), n_rows=2)),
        _text("header only", head, refused("names and no records")),
        _text("header only, no line end", head.strip(), refused("names and no records")),
        _text(
            "title above", "Admissions 2024\n\n" + head + people, reads(names, rows, "Line 1 stands above", skip_rows=2)
        ),
        _text(
            "title padded with commas", "Admissions 2024,,\n,,\n" + head + people, reads(names, rows, "above the table")
        ),
        _text(
            "comments above",
            "# made by x\n# a, b, c\n" + head + people,
            reads(names, rows, "Lines 1 and 2 stand above"),
        ),
        _text("header after a hash", "#age,name,born\n" + people, reads(("#age", "name", "born"), rows)),
        _text(
            "comment within",
            head + people + "# checked\n18,Dora,2000-01-01\n",
            reads(names, None, "Comments (#)", "line 5", n_rows=4),
        ),
        _text(
            "totals and a note below",
            head + people + "Total,,3\n\nSource: the registry\n",
            reads(names, rows, "last 3 lines", skip_footer=3),
        ),
        _text("total kept, as chosen", head + people + "Total,,3\n", reads(names, n_rows=4), skip_footer=0),
        _text("footer chosen", head + people + "x,y,z\nx,y,z\n", reads(names, rows, skip_footer=2), skip_footer=2),
        _text("footer longer than the file", head + people, refused("Skip fewer"), skip_footer=99),
        _text("skip chosen", "a,b,c\nd,e,f\n" + head + people, reads(names, rows, skip_rows=2), skip_rows=2),
        _text("skip all", head + people, refused("Skip fewer"), skip_rows=99),
        _text("category Total", "group,n\nA,1\nTotal,2\nB,3\nTotal,4\n", reads(("group", "n"), n_rows=4)),
        _text("trailing commas in the body", head + people.replace("\n", ",\n"), reads(names, rows, "nameless column")),
        _text(
            "trailing commas everywhere",
            head.replace("\n", ",\n") + people.replace("\n", ",\n"),
            reads(names, rows, "nameless column"),
        ),
        _text("trailing comma in the header", head.replace("\n", ",\n") + people, reads(names, rows)),
        _text(
            "trailing comma in one row",
            head + people.replace("Bert,1975-05-06", "Bert,1975-05-06,,"),
            reads(names, rows, "beyond the last column", "line 3"),
        ),
        _text("blank rows at the end", head + people + ",,\n,,\n", reads(names, rows, "2 rows of only blanks")),
        _text(
            "blank row within",
            head + people + ",,\n18,Dora,2000-01-01\n",
            reads(names, [*rows, (None, None, None), ("18", "Dora", "2000-01-01")]),
        ),
        _text("short row", head + people + f"18,{_S}\n" + people, refused("Line 5 has", "fewer cells", "3 columns")),
        _text(
            "short row filled, as chosen",
            head + people + "18,Dora\n" + people,
            reads(names, [*rows, ("18", "Dora", None), *rows], "filled", "line 5"),
            fill_short_rows=True,
        ),
        _text("cut off in the last row", head + people + f"18,{_S}", refused("Line 5 has", "fewer cells")),
        _text("cut off in the first cell", head + people + "1", refused("Line 5 has", "fewer cells")),
        _text(
            "long rows",
            head + people + f"18,{_S},x,y\n1,2,3,4\n" + people,
            refused("Lines 5 and 6 have", "more cells", "comma"),
        ),
        _text(
            "long row after a cell of two lines",
            head + '17,"An\nna",x\n' + people + f"1,2,3,{_S}\n",
            refused("Line 7 has", "more cells"),
        ),
        _text("one name too few", "age,name\n" + people, refused("line 1", "names", "3 cells")),
        _text("one name too many", "age,name,born,sex\n" + people, refused("line 1", "names", "3 cells")),
        _text(
            "duplicate names", "a,a,b,a\n1,2,3,4\n", reads(("a", "a (2)", "b", "a (3)"), None, "same name", "2 and 4")
        ),
        _text("duplicate names that collide", "a,a,a (2)\n1,2,3\n", reads(("a", "a (3)", "a (2)"), n_rows=1)),
        _text("missing names", "a,,c\n1,2,3\n", reads(("a", "column 2", "c"), None, "named by position: column 2")),
        _text("index column without name", ",a\n0,x\n1,y\n", reads(("column 1", "a"), [("0", "x"), ("1", "y")])),
        _text(
            "names in blanks",
            " a ,\u200bb\u200b,c\u202ed,e\n1,2,3,4\n",
            reads(("a", "b", "cd", "e"), None, "1, 2 and 3"),
        ),
        _text(
            "names on two lines",
            'id,"age\nin years"\n1,2\n',
            reads(("id", "age in years"), [("1", "2")], "name of column 2"),
        ),
        _text("very long name", "a," + "n" * 10_000 + "\n1,2\n", reads(None, None, "cut to 200 characters", n_rows=1)),
        _text(
            "10,000 columns",
            ",".join(f"c{i}" for i in range(10_000)) + "\n" + ",".join(["1"] * 10_000) + "\n",
            refused("10,000 columns", "2,000"),
        ),
        _text(
            "one line of 100,000 names",
            ",".join(f"name{i}" for i in range(100_000)),
            refused("columns", "at most 2,000"),
        ),
        _text(
            "2,000 columns",
            ",".join(f"c{i}" for i in range(2000)) + "\n" + ",".join(["x"] * 2000) + "\n",
            reads(n_rows=1),
        ),
        _text("empty", b"", refused("empty")),
        _text("blanks only", " \n\n \t \n", refused("empty")),
        _text("byte order mark only", b"\xef\xbb\xbf", refused("empty")),
        _text("commas only", ",,,\n,,,\n", refused("no table")),
    ]


OLD_ENCODINGS = {
    "cp1252": "id;nombre;ciudad\n1;José Muñoz;Málaga\n2;Íñigo Ibáñez;León\n3;Begoña Núñez;Ávila\n",
    "cp1250": "číslo;jméno;město\n1;Jiří Dvořák;Plzeň\n2;Žofie Čapková;Děčín\n3;Łukasz;Łódź\n4;Šárka;Třebíč\n",
    "cp1251": "номер;имя;город\n1;Анна Иванова;Москва\n2;Пётр Смирнов;Казань\n3;Юрий Жуков;Ярославль\n",
    "cp1253": "αριθμός;όνομα;πόλη\n1;Γιώργος Παππάς;Αθήνα\n2;Ελένη Νικολάου;Πάτρα\n3;Κώστας;Θεσσαλονίκη\n",
    "cp1254": "sıra;ad;şehir\n1;Ayşe Yılmaz;İstanbul\n2;Mehmet Öztürk;İzmir\n3;Gülşah Çelik;Eskişehir\n4;Işıl;Muğla\n",
    "mac-roman": "numéro;prénom;ville\n1;François;Besançon\n2;Hélène;Orléans\n3;Zoë;Nîmes\n4;Jérôme;Évreux\n",
    "koi8-r": "номер;имя;город\n1;Анна Иванова;Москва\n2;Пётр Смирнов;Казань\n3;Юрий Жуков;Ярославль\n",
    "cp949": "번호;이름;지역\n1;김민준;서울특별시\n2;이서연;부산광역시\n3;박도윤;대구광역시\n4;뷁;광주\n",
    "big5": "編號;姓名;地區\n1;陳志明;臺北市\n2;林美惠;高雄市\n3;黃建宏;臺中市\n",
    "euc_jp": "番号;名前;都市\n1;佐藤さくら;東京都\n2;鈴木ハナコ;大阪市\n3;高橋けんじ;横浜市\n",
    "cp850": "numéro;prénom;ville\n1;François;Besançon\n2;Hélène;Orléans\n3;Zoë;Nîmes\n4;Benoît;Côte\n",
}
"""Small files in words of languages that are written so."""


def old_encodings() -> list[Case]:
    """Encodings from before UTF-8, told by the letters alone."""
    found = []
    for encoding, text in OLD_ENCODINGS.items():
        names, *rows = (tuple(line.split(";")) for line in text.splitlines())
        outcome = reads(names, rows, "not UTF-8", encoding=encoding)
        found.append(_text(f"{encoding} by its letters", text.encode(encoding), outcome))
    return found


def encoded() -> list[Case]:
    """Encodings."""
    western = "id,name\n1,Müller\n2,Señora Ñandú\n3,café “x”\n"
    west = [("1", "Müller"), ("2", "Señora Ñandú"), ("3", "café “x”")]
    japanese = "番号,氏名\n1,山田太郎\n2,すずきはなこ\n3,カタカナ表\n"
    chinese = "编号,姓名,城市\n1,张伟,北京\n2,王秀英,上海\n"
    names = ("id", "name")
    return [
        _text("UTF-8 with mark", b"\xef\xbb\xbf" + western.encode(), reads(names, west, quiet=True, encoding="utf-8")),
        _text("UTF-16 with mark", western.encode("utf-16"), reads(names, west, quiet=True, encoding="utf-16-le")),
        _text(
            "UTF-16 big-endian with mark",
            b"\xfe\xff" + western.encode("utf-16-be"),
            reads(names, west, encoding="utf-16-be"),
        ),
        _text("UTF-16 without mark", western.encode("utf-16-le"), reads(names, west, encoding="utf-16-le")),
        _text("UTF-16 big-endian without mark", western.encode("utf-16-be"), reads(names, west, encoding="utf-16-be")),
        _text("UTF-32", western.encode("utf-32"), reads(names, west)),
        _text("cp1252", western.encode("cp1252"), reads(names, west, "not UTF-8", "cp1252", encoding="cp1252")),
        _text("Latin-1", "id,name\n1,José\n2,Ana\n".encode("latin-1"), reads(names, [("1", "José"), ("2", "Ana")])),
        _text(
            "Latin-1 chosen",
            western.replace("“x”", "").encode("latin-1"),
            reads(names, n_rows=3, encoding="latin-1"),
            encoding="latin-1",
        ),
        _text(
            "Shift-JIS",
            japanese.encode("cp932"),
            reads(("番号", "氏名"), [("1", "山田太郎"), ("2", "すずきはなこ"), ("3", "カタカナ表")], encoding="cp932"),
        ),
        _text(
            "GB18030",
            chinese.encode("gb18030"),
            reads(("编号", "姓名", "城市"), [("1", "张伟", "北京"), ("2", "王秀英", "上海")], encoding="gb18030"),
        ),
        _text(
            "cp1251 chosen",
            "id,имя\n1,Анна\n".encode("cp1251"),
            reads(("id", "имя"), [("1", "Анна")]),
            encoding="cp1251",
        ),
        _text(
            "damaged UTF-8",
            "id,name\n1,Zoë\n2,Ümit\n3,Åsa é ü\n".encode() + b"4," + _S.encode() + b"\xff\xfe\n5,x\n6,b\xe9\n",
            refused("lines 5 and 7", "not valid UTF-8"),
        ),
        _text(
            "wrong encoding chosen",
            f"id,name\n1,a\n2,{_S}ü\n".encode("cp1252"),
            refused("line 3", "not valid UTF-8"),
            encoding="utf-8",
        ),
        _text(
            "bytes undefined in cp1252",
            b"id,name\n1,a\n2,b\x81c\n",
            refused("line 3", "not valid Windows"),
            encoding="cp1252",
        ),
        _text(
            "one letter of DOS",
            b"id,name\n1,a\n2,M\x81ller\n",
            reads(names, [("1", "a"), ("2", "Müller")], "not UTF-8", "cp850", encoding="cp850"),
        ),
        _text("UTF-16 cut off", western.encode("utf-16")[:-1], refused("not valid UTF-16")),
        _text("encoding unknown", western, refused("not known"), encoding="klingon"),
        _text("encoding not for text", western, refused("not one for text"), encoding="zip"),
        _text("NUL characters", b"id,name\n1,a\x00b\n2,ab\n", reads(names, [("1", "a\x00b"), ("2", "ab")], "NUL")),
    ]


def zipped(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def unzipped(data: bytes) -> dict[str, bytes]:
    """The members of an archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _png() -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)) + chunk(b"IEND", b"")


def _sqlite() -> bytes:
    connection = sqlite3.connect(":memory:")
    connection.execute("create table people (name text)")
    connection.execute("insert into people values (?)", (_S,))
    return connection.serialize()


def disguised() -> list[Case]:
    """Files that are not what their name says."""
    ole2 = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600)
    plain = _NAMES, _PLAIN
    return [
        Case("PNG named csv", "a.csv", _png, refused("PNG picture")),
        _text("JPEG named csv", b"\xff\xd8\xff\xe0\x00\x10JFIF" + bytes(50), refused("JPEG")),
        _text("PDF named csv", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n", refused("PDF document", "Export the table")),
        Case("gzip named csv", "a.csv", lambda: gzip.compress(b"id,sex\n1,f\n"), refused("gzip", "Unpack")),
        Case("zip named csv", "a.csv", lambda: zipped({"a.csv": b"id,sex\n1,f\n"}), refused("zip archive", "Unpack")),
        Case(
            "zip within zip",
            "a.xlsx",
            lambda: zipped({"b.zip": zipped({"c.zip": b"x" * 1000})}),
            refused("zip archive"),
        ),
        Case("SQLite named csv", "a.csv", _sqlite, refused("SQLite")),
        _text("HTML named xls", f"<!DOCTYPE html>\n<table><tr><td>{_S}</td></tr></table>", refused("HTML"), "a.xls"),
        _text("HTML after blanks", "\ufeff \n<html><body>x</body></html>", refused("HTML")),
        _text(
            "column named like HTML",
            "<script>x</script>,<div>\n1,f\n",
            reads(("<script>x</script>", "<div>"), n_rows=1),
        ),
        _text("XML named csv", "<?xml version='1.0'?><a/>", refused("XML")),
        Case("JSON records named csv", "a.csv", lambda: json.dumps([{"id": 1, "name": _S}]).encode(), refused("JSON")),
        _text("JSON lines named csv", f'{{"id": 1, "name": "{_S}"}}\n{{"id": 2}}\n', refused("JSON")),
        Case(
            "pickle named csv",
            "a.csv",
            lambda: pickle.dumps({"name": _S, "b": list(range(9))}),
            refused("pickle", "never opened"),
        ),
        _text("old Excel", ole2, refused(".xls", "Save it as .xlsx"), "a.xls"),
        _text("encrypted Excel", ole2 + "EncryptedPackage".encode("utf-16-le"), refused("password"), "a.xlsx"),
        Case(
            "Word document",
            "a.docx",
            lambda: zipped({"[Content_Types].xml": b"<a/>", "word/document.xml": b"<a/>"}),
            refused("Word"),
        ),
        Case(
            "OpenDocument", "a.ods", lambda: zipped({"mimetype": b"x", "content.xml": b"<a/>"}), refused("OpenDocument")
        ),
        Case("binary Excel", "a.xlsb", lambda: zipped({"xl/workbook.bin": b"x"}), refused(".xlsb")),
        _text("random bytes", bytes((i * 7919 + i * i * 31) % 256 for i in range(5000)), refused("not a text file")),
        _text("zeros", bytes(5000), refused("empty")),
        _text("zip cut off", b"PK\x03\x04" + bytes(40), refused("cut off or damaged"), "a.xlsx"),
        Case("Excel named csv", "a.csv", lambda: _book([_NAMES, *_PLAIN]), reads(*plain, "name ends in .csv", "Excel")),
        Case(
            "Parquet named csv",
            "a.csv",
            lambda: _parquet({"id": ["1", "2", "3"], "sex": ["f", "m", "f"]}),
            reads(*plain, "Parquet"),
        ),
        _text("CSV named xlsx", "id,sex\n1,f\n2,m\n3,f\n", reads(*plain, "name ends in .xlsx"), "a.xlsx"),
        _text("begins like a program", "MZ,sex\n1,f\n2,m\n", reads(("MZ", "sex"), n_rows=2)),
        _text("begins like BZh", "BZh,sex\n1,f\n2,m\n", reads(("BZh", "sex"), n_rows=2)),
        _text("begins with a bracket", "[id],sex\n1,f\n2,m\n", reads(("[id]", "sex"), n_rows=2)),
    ]


def _book(rows: Sequence[Sequence[object]], change: Callable[[openpyxl.Workbook], None] | None = None) -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(list(row))
    if change is not None:
        change(book)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _put(**cells: object) -> Callable[[openpyxl.Workbook], None]:
    def change(book: openpyxl.Workbook) -> None:
        for place, value in cells.items():
            book.worksheets[0][place] = value

    return change


def _formats(**formats: str) -> Callable[[openpyxl.Workbook], None]:
    def change(book: openpyxl.Workbook) -> None:
        for place, number_format in formats.items():
            book.worksheets[0][place].number_format = number_format

    return change


def _more_sheets(book: openpyxl.Workbook) -> None:
    first = book.worksheets[0]
    book.create_sheet("Empty", 0)
    hidden = book.create_sheet("Hidden", 0)
    hidden.append(["secret"])
    hidden.append([_S])
    hidden.sheet_state = "hidden"
    second = book.create_sheet("Second")
    second.append(["x"])
    second.append(["y"])
    first.title = "First"


def _member_changed(book: bytes, member: str, change: Callable[[bytes], bytes]) -> bytes:
    members = unzipped(book)
    members[member] = change(members[member])
    return zipped(members)


_SHEET = "xl/worksheets/sheet1.xml"


def _entities() -> bytes:
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    return _member_changed(_book([_NAMES, *_PLAIN]), _SHEET, lambda xml: bomb + xml)


def _huge_member() -> bytes:
    return _member_changed(_book([_NAMES, *_PLAIN]), _SHEET, lambda xml: xml + b" " * 60_000_000)


def _row_two_billion() -> bytes:
    return _member_changed(
        _book([_NAMES, *_PLAIN]),
        _SHEET,
        lambda xml: xml.replace(b'r="4"', b'r="2000000000"').replace(b'"A4"', b'"A2000000000"'),
    )


def workbooks() -> list[Case]:
    """Excel workbooks."""
    plain = [_NAMES, *_PLAIN]
    read = reads(_NAMES, _PLAIN, quiet=True, format="Excel workbook", sheet="Sheet")
    title: list[list[object]] = [
        ["Admissions 2024"],
        [],
        ["id", "sex", "age"],
        [1, "f", 30],
        [2, "m", 40],
        ["Total", None, 70],
        [],
        ["Source: the registry"],
    ]

    def xlsx(name: str, make: Callable[[], bytes], outcome: Reads | Refused, **options: object) -> Case:
        return Case(name, "a.xlsx", make, outcome, ReadOptions(**options))  # type: ignore[arg-type]

    return [
        xlsx("workbook", lambda: _book(plain), read),
        xlsx(
            "workbook cells",
            lambda: _book(
                [
                    ["zip", "number", "whole", "day", "moment", "yes", "share"],
                    ["02138", 0.1, 250.0, date(2020, 1, 2), datetime(2020, 1, 2, 3, 4, 5), True, 0.5],
                    ["2138", 2.5, 7, date(1999, 12, 31), datetime(2021, 1, 1), False, 1e22],
                ]
            ),
            reads(
                ("zip", "number", "whole", "day", "moment", "yes", "share"),
                [
                    ("02138", "0.1", "250", "2020-01-02", "2020-01-02 03:04:05", "TRUE", "0.5"),
                    ("2138", "2.5", "7", "1999-12-31", "2021-01-01", "FALSE", "1e+22"),
                ],
            ),
        ),
        xlsx(
            "workbook zero formats",
            lambda: _book(
                [["zip", "ssn"], [2138, 78051120], [10001, 123456789]],
                _formats(A2="00000", A3="00000", B2="000-00-0000", B3="000\\-00\\-0000"),
            ),
            reads(("zip", "ssn"), [("02138", SECRETS[1]), ("10001", "123-45-6789")]),
        ),
        xlsx(
            "workbook with title and total",
            lambda: _book(title),
            reads(("id", "sex", "age"), [("1", "f", "30"), ("2", "m", "40")], "above the table", "last 3 rows"),
        ),
        xlsx("far-off cell", lambda: _book(plain, _put(XFD1048576="x")), reads(_NAMES, _PLAIN, "XFD1048576")),
        xlsx("far-off cell to the right", lambda: _book(plain, _put(ZZ2="x")), reads(_NAMES, _PLAIN, "ZZ2")),
        xlsx(
            "second table far below",
            lambda: _book(plain, _put(**{f"A{i}": _S for i in range(900, 920)})),
            refused("20 filled cells far", "A900"),
        ),
        xlsx("row two billion", _row_two_billion, refused("damaged")),
        xlsx(
            "formula without result",
            lambda: _book([["a", "b"], [1, "=A2+1"], [2, 3]]),
            reads(("a", "b"), [("1", None), ("2", "3")], "1 formula cell without"),
        ),
        xlsx(
            "sheets",
            lambda: _book(plain, _more_sheets),
            reads(
                _NAMES,
                _PLAIN,
                "4 sheets",
                "1 of them hidden",
                sheet="First",
                sheets=("Hidden", "Empty", "First", "Second"),
            ),
        ),
        xlsx(
            "sheet chosen", lambda: _book(plain, _more_sheets), reads(("x",), [("y",)], sheet="Second"), sheet="Second"
        ),
        xlsx("sheet unknown", lambda: _book(plain), refused("no sheet of that name"), sheet="Nope"),
        xlsx("sheet chosen is empty", lambda: _book(plain, _more_sheets), refused("sheet is empty"), sheet="Empty"),
        xlsx("empty workbook", lambda: _book([]), refused("empty")),
        xlsx("workbook of names", lambda: _book([_NAMES]), refused("names and no records")),
        xlsx(
            "workbook without header",
            lambda: _book([[30, "f"], [40, "m"], [50, "f"]]),
            reads(("column 1", "column 2"), None, "looks like a record", n_rows=3),
        ),
        xlsx(
            "wide workbook",
            lambda: _book([[f"c{i}" for i in range(3000)], list(range(3000))]),
            refused("3,000 columns"),
        ),
        xlsx("entities", _entities, refused("entities")),
        xlsx("huge when unpacked", _huge_member, refused("unpacks to")),
        xlsx(
            "workbook damaged",
            lambda: _member_changed(_book(plain), _SHEET, lambda xml: xml[: len(xml) // 2]),
            refused("damaged"),
        ),
        Case(
            "macro workbook",
            "a.xlsm",
            lambda: zipped({**unzipped(_book(plain)), "xl/vbaProject.bin": b"x"}),
            reads(_NAMES, _PLAIN, "macros; they were not run"),
        ),
        xlsx(
            "ids too long for a spreadsheet",
            lambda: _book([["id"], [12345678901234560], [98765432109876540]]),
            reads(("id",), None, "more than 15 digits"),
        ),
    ]


def _parquet(columns: dict[str, object], schema: pa.Schema | None = None) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(columns, schema=schema), out)
    return out.getvalue()


def _statistical(ending: str, **settings: object) -> bytes:
    import pyreadstat

    frame = pd.DataFrame({"id": [1.0, 2.0, 3.0], "sex": ["f", "m", ""], "dose": [0.1, 2.5, None]})
    frame["born"] = [date(1980, 1, 2), None, date(1999, 12, 31)]
    writers: dict[str, Any] = {"dta": pyreadstat.write_dta, "sav": pyreadstat.write_sav, "xpt": pyreadstat.write_xport}
    with tempfile.TemporaryDirectory() as folder:  # made-up records; the library under test never writes
        path = Path(folder) / f"a.{ending}"
        writers[ending](frame, str(path), **settings)
        return path.read_bytes()


def stored() -> list[Case]:
    """Parquet and the files of statistical programs."""
    records = reads(
        ("id", "sex", "dose", "born"),
        [("1", "f", "0.1", "1980-01-02"), ("2", "m", "2.5", None), ("3", None, None, "1999-12-31")],
    )
    kinds = {
        "text": pa.array(["02138", "", None]),
        "whole": pa.array([12345678901234567, 2, None], pa.int64()),
        "float": pa.array([250.0, 0.1, float("nan")]),
        "single": pa.array([0.1, 2.0, None], pa.float32()),
        "money": pa.array([Decimal("250.00"), Decimal("1.50"), None]),
        "day": pa.array([date(2020, 1, 2), None, date(1850, 1, 1)]),
        "moment": pa.array([datetime(2020, 1, 2, 3, 4, 5), datetime(2020, 1, 2), None]),
        "yes": pa.array([True, False, None]),
        "kind": pa.array(["a", "b", "a"]).dictionary_encode(),
        "nothing": pa.nulls(3),
    }
    rows = [
        (
            "02138",
            "12345678901234567",
            "250.0",
            "0.1",
            "250.00",
            "2020-01-02",
            "2020-01-02 03:04:05",
            "true",
            "a",
            None,
        ),
        (None, "2", "0.1", "2.0", "1.50", None, "2020-01-02 00:00:00", "false", "b", None),
        (None, None, None, None, None, "1850-01-01", None, None, "a", None),
    ]
    return [
        Case("Parquet", "a.parquet", lambda: _parquet(kinds), reads(tuple(kinds), rows, quiet=True, format="Parquet")),
        Case(
            "Parquet nested",
            "a.parquet",
            lambda: _parquet({"id": [1], "visits": [[1, 2]], "who": [{"name": _S}]}),
            refused("visits", "who"),
        ),
        Case("Parquet binary", "a.parquet", lambda: _parquet({"id": [1], "blob": [b"\x00\xff"]}), refused("blob")),
        Case(
            "Parquet without records",
            "a.parquet",
            lambda: _parquet({"id": pa.array([], pa.int64())}),
            refused("no records"),
        ),
        Case("Parquet cut off", "a.parquet", lambda: _parquet({"id": [1, 2, 3]})[:-20], refused("damaged")),
        Case("Stata", "a.dta", lambda: _statistical("dta"), reads(records.columns, records.rows, format="Stata")),
        Case("Stata cut off", "a.dta", lambda: _statistical("dta")[:900], refused("Stata file is damaged")),
        Case("SPSS", "a.sav", lambda: _statistical("sav"), reads(records.columns, records.rows, format="SPSS")),
        Case("SPSS compressed", "a.zsav", lambda: _statistical("sav", compress=True), records),
        Case(
            "SPSS labels and missing values",
            "a.sav",
            lambda: _statistical("sav", variable_value_labels={"id": {1: "one", 2: "two"}}, missing_ranges={"id": [3]}),
            reads(
                records.columns, records.rows, "labels are shown, codes are kept", "id", "declares some values missing"
            ),
        ),
        Case(
            "SAS transport", "a.xpt", lambda: _statistical("xpt"), reads(rows=records.rows, format="SAS transport file")
        ),
        _text(
            "SAS cut off",
            bytes.fromhex("000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011") + bytes(200),
            refused("SAS data set file is damaged"),
            "a.sas7bdat",
        ),
    ]


def cases() -> list[Case]:
    """All files."""
    return [*delimited(), *typed(), *tables(), *encoded(), *old_encodings(), *disguised(), *workbooks(), *stored()]
