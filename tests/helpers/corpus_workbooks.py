"""Workbooks other than .xlsx, made here as bytes, each with what must come out of reading it."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from anonlib.reading.sources import ReadOptions
from tests.helpers.corpus import SECRETS, Case, Reads, Refused, unzipped, zipped

Cells = Sequence[object] | Mapping[int, object]
"""The cells of a row in order, or by column from 0."""

_S = SECRETS[0]
_PEOPLE = ("id", "zip", "dose", "born", "seen", "at", "stay", "old", "note")
_RECORDS = [
    ("1", "02138", "0.1", "1980-01-02", "2024-03-17 09:30:00", "09:30:00", "30:00:00", "TRUE", "Łódź"),
    ("2", "10001", "250", None, "2024-03-18", None, None, "FALSE", " two\nlines "),
]

# .xls: sheets "Empty", "People" and "Hidden" (with a secret), written by xlwt 1.3 with formats "00000",
# "YYYY-MM-DD", "hh:mm:ss" and "[h]:mm:ss"; a title above the table and a total below it.
_XLS = """
c-rk)Ux<`d6#w1t-~8E~-Emzb4TeeZPr8a(4<YEN=o-
SxDrFi$&H8=e<m`OI%onlyV3uw45(qviz6e&dg4IiZ(4e3P!9dXmF$i`Ge8?xMs0Vk)-#y<q)BYL31vA#>4BxruoO|xM=bn4+x!-(OE-
x56{l$`T%z#ZWF<DE%nIcns5_KjG_Sb5fthaGKwHC}PNW{63j*auFA7gqC^?r}Tz~|QY#K13nUO^eV{F0Y_h_F?B$Sdu`M&&T~3})mh;tnhp&$
<L35WG<EXQF*U@Me*GD0m}v$JEQXoZGePxhRwO8B3+FgIM7!8S|4!p2i|v)S3MDF%|0C*itFvi~rw_jMa`aV1DfIN?t|tNqodktkaOOI`J`*z<
$D-zP>fvwq>joKGF5y;K2=pgBz;VF?2Jv&fw2l7WkuHL%z$l<PTS_K>6R(<*|Fn<J{wB@&tFgnLNoYZzgZU+FA1Bh6Nl!?KP#3-
w0CJY3m*v+Xu_R&<M}vVJECd{hnVgdRkIW=$v%$e8F|S(j9z&PHJ?@DaPJHwGdRZ{_ENG>()QZgIsV;V7O4`M6O@;*bMlU5}T^$mDryTG#%uJs
OA@4G9^Etn%bg%hl^p=24sV`{A96E@~T<7_kthfi;gyMpyCB|X7`)<YGKfK{iMDbrIMznRnnAHmv&;8erkGw)R;7bd*{>JSNjI~bFYfzh}@nbE
Yrb34e#g?9NaPEZeArLRttVttUe+162aXJBHQKtiz1@;sOY>Wy~{bzGXmFgE2hvZNsrvx{dH#K*W6R2&+Ql=?ml-tcN$B%;V#GP-
%<3a9(D4BhHrB9Rz<b=XTghS)#Xh_7rxX4tMWha;9{ok8ME;1B{2_U7B|w-
+G^3uS0^SUW?(!JX&AD)=^BP;=$M3DJ$@l)kTV;cNzQ6;7CF1Y+2ouC=a7pvxEQ&3gNu_(L>`$lJo*+Hk%hLp@WzvxUM=f9c~P;?<X)Madm+w_
j*hmkxVbr$*xZ#D1#aXH8%atW-cNsVVYU$`7n4<L4@~hO8F^sM^5Aiig&JMxJ*Da2=#&9%*OIw!{$Pk*OYDX#v&3#&WLHPVoDpkV?6wnYOSVM!
()%jRc>EU`Z#4QJt&C4a8mftg5{-
^}rD+=X7PO!REoi}XP|=;C?`TV2z{5K!7Jb*5;4|6!O!COW9{BtP{Cl<?CAJj|%_)B#gRSbe)P0Vre=pSV5@)aA5C+7LLvzkwzEh~F>$&fN=?8
a&<~sl6T>Si(=f4YkNQP7
"""


def xls() -> bytes:
    """A workbook of Excel 97."""
    return zlib.decompress(base64.b85decode("".join(_XLS.split())))


def _record(kind: int, content: bytes = b"") -> bytes:
    """A record of a .xlsb part: kind and length with seven bits a byte."""

    def number(value: int) -> bytes:
        low, rest = value & 0x7F, value >> 7
        return bytes([low | 0x80]) + number(rest) if rest else bytes([low])

    return number(kind) + number(len(content)) + content


def _wide(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def _cell(column: int, value: object) -> bytes:
    place = struct.pack("<II", column, 0)
    if isinstance(value, bool):
        return _record(4, place + bytes([value]))
    if isinstance(value, (int, float)):
        return _record(5, place + struct.pack("<d", value))
    return _record(6, place + _wide(str(value)))


def xlsb(sheets: Mapping[str, Mapping[int, Cells]], hidden: Sequence[str] = ()) -> bytes:
    """A binary workbook: name -> row from 0 -> cells."""
    parts = {}
    book = _record(131) + _record(143)
    links = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    for i, (name, rows) in enumerate(sheets.items(), start=1):
        links += f'<Relationship Id="rId{i}" Type="{kind}/worksheet" Target="worksheets/sheet{i}.bin"/>'
        book += _record(156, struct.pack("<II", name in hidden, i) + _wide(f"rId{i}") + _wide(name))
        part = _record(129) + _record(148, struct.pack("<IIII", 0, max(rows, default=0), 0, 0)) + _record(145)
        for number, cells in rows.items():
            part += _record(0, struct.pack("<IIHBBI", number, 0, 0, 0, 0, 0))
            places = cells.items() if isinstance(cells, Mapping) else enumerate(cells)
            part += b"".join(_cell(column, value) for column, value in places if value is not None)
        parts[f"xl/worksheets/sheet{i}.bin"] = part + _record(146) + _record(130)
    parts["xl/workbook.bin"] = book + _record(144) + _record(157, bytes(26)) + _record(132)
    parts["xl/_rels/workbook.bin.rels"] = (links + "</Relationships>").encode()
    parts["_rels/.rels"] = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" '
        f'Type="{kind}/officeDocument" Target="xl/workbook.bin"/></Relationships>'
    ).encode()
    return zipped(parts)


def ods(*tables: str, styles: str = "", kind: str = "spreadsheet") -> bytes:
    """An OpenDocument file of these tables (:func:`table`)."""
    spaces = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "style", "table", "text")
    )
    body = f"<office:body><office:spreadsheet>{''.join(tables)}</office:spreadsheet></office:body>"
    content = f"<office:document-content{spaces}>{styles}{body}</office:document-content>"
    return zipped({"mimetype": f"application/vnd.oasis.opendocument.{kind}".encode(), "content.xml": content.encode()})


def table(name: str, *rows: str, style: str = "") -> str:
    """A sheet of rows (:func:`row`)."""
    return (
        f"<table:table table:name={quoteattr(name)} table:style-name={quoteattr(style)}>{''.join(rows)}</table:table>"
    )


def row(*cells: object, repeated: int = 1) -> str:
    """A row of cells: texts, or XML that begins with ``<``."""
    inner = "".join(cell if str(cell).startswith("<") else text_cell(str(cell)) for cell in cells)
    return f'<table:table-row table:number-rows-repeated="{repeated}">{inner}</table:table-row>'


def text_cell(text: str, repeated: int = 1) -> str:
    """A cell of text."""
    repeat = f'table:number-columns-repeated="{repeated}"'
    return f'<table:table-cell {repeat} office:value-type="string"><text:p>{escape(text)}</text:p></table:table-cell>'


def value(kind: str, value: object, shown: str = "") -> str:
    """A cell of a number, date, time or truth value."""
    attribute = {"date": "date-value", "time": "time-value", "boolean": "boolean-value"}.get(kind, "value")
    stored = f'office:value-type="{kind}" office:{attribute}="{value}"'
    return f"<table:table-cell {stored}><text:p>{shown or value}</text:p></table:table-cell>"


def blank(repeated: int = 1) -> str:
    """Blank cells."""
    return f'<table:table-cell table:number-columns-repeated="{repeated}"/>'


def _people_ods() -> bytes:
    hidden = '<style:style style:name="h"><style:table-properties table:display="false"/></style:style>'
    two_lines = (
        '<table:table-cell office:value-type="string">'
        '<text:p><text:s/>two</text:p><text:p>li<text:span>nes</text:span><text:s text:c="1"/></text:p>'
        f"<office:annotation><text:p>{_S}</text:p></office:annotation></table:table-cell>"
    )
    first = (
        value("float", 1),
        value("float", 2138, "02138"),
        value("float", 0.1, "0,10"),
        value("date", "1980-01-02", "2 Jan 80"),
        value("date", "2024-03-17T09:30:00"),
        value("time", "PT09H30M00S", "9:30"),
        value("time", "PT30H00M00S", "30:00"),
        value("boolean", "true", "WAHR"),
        "Łódź",
    )
    second = (
        value("float", 2),
        value("float", 10001, "10001"),
        value("currency", 250, "250,00 €"),
        blank(),
        value("date", "2024-03-18T00:00:00"),
        blank(2),
        value("boolean", "false", "FALSCH"),
        two_lines,
    )
    return ods(
        table("Empty", row(blank(16384), repeated=1_048_576)),
        table("Hidden", row("secret"), row(_S), style="h"),
        table(
            "People",
            row("Visits of 2024", blank(16383)),
            row(blank(16384)),
            row(*_PEOPLE),
            row(*first),
            row(*second, blank(16375)),
            row("Total", blank(), value("float", 250.1)),
            row(blank(16384), repeated=1_048_570),
        ),
        styles=f"<office:automatic-styles>{hidden}</office:automatic-styles>",
    )


def cases() -> list[Case]:
    """.xls, .xlsb and .ods workbooks."""
    plain: dict[int, Cells] = {0: ["id", "sex", "share"], 1: ["a", "f", 0.5], 2: ["b", None, 7], 3: ["c", "m", True]}
    read = [("a", "f", "0.5"), ("b", None, "7"), ("c", "m", "TRUE")]
    names = ("id", "sex", "share")

    def case(name: str, kind: str, data: bytes, outcome: Reads | Refused, **options: object) -> Case:
        return Case(f"{kind}: {name}", f"a.{kind}", lambda: data, outcome, ReadOptions(**options))  # type: ignore[arg-type]

    def people(form: str) -> Reads:
        whole = {"format": form, "skip_rows": 2, "skip_footer": 1, "sheet": "People"}
        return Reads(_PEOPLE, _RECORDS, notes=["3 sheets", "1 of them hidden", "above the table"], reading=whole)

    def spreadsheet(*rows: str) -> bytes:
        return ods(table("T", row("id", "sex"), row("a", "f"), row("b", "m"), *rows))

    two = [("a", "f"), ("b", "m")]
    broken = zipped({**unzipped(spreadsheet()), "content.xml": b"<a><b></a>"})
    return [
        case("cells", "xls", xls(), people("Excel workbook (.xls)")),
        case("sheet chosen", "xls", xls(), Reads(n_rows=1, reading={"sheet": "Hidden"}), sheet="Hidden"),
        case("cut off", "xls", xls()[:3000], Refused([".xls", "damaged"])),
        case("damaged", "xls", xls()[:512] + b"\xff" * 100 + xls()[612:], Refused([".xls", "damaged"])),
        case("cells", "xlsb", xlsb({"A": plain}), Reads(names, read, notes=["Zeros in front"], reading={"sheet": "A"})),
        case(
            "sheets",
            "xlsb",
            xlsb({"Empty": {}, "H": {0: ["secret"], 1: [_S]}, "A": plain}, hidden=["H"]),
            Reads(names, read, notes=["3 sheets", "1 of them hidden"], reading={"format": "Excel workbook (.xlsb)"}),
        ),
        case("begins below", "xlsb", xlsb({"A": {4: {2: "id", 3: "x"}, 5: {2: "a", 3: "y"}}}), Reads(n_rows=1)),
        case("far cell", "xlsb", xlsb({"A": {**plain, 900: {2: "x"}}}), Reads(names, read, notes=["C901"])),
        case(
            "cell at the far end",
            "xlsb",
            xlsb({"A": {**plain, 1_048_575: {16_383: _S}}}),
            Refused(["row 1,048,576", "column 16,384", ".xlsx"]),
        ),
        case("row beyond all", "xlsb", xlsb({"A": {**plain, 4_000_000_000: {1: _S}}}), Refused(["4,000,000,001"])),
        case("cut off", "xlsb", xlsb({"A": plain})[:-200], Refused(["damaged"])),
        case("without parts", "xlsb", zipped({"xl/workbook.bin": b"x"}), Refused([".xlsb", "damaged"])),
        case("cells", "ods", _people_ods(), people("OpenDocument spreadsheet")),
        case("repeated", "ods", spreadsheet(row(text_cell("z", 2), repeated=3)), Reads(rows=[*two, *[("z", "z")] * 3])),
        case("far cell", "ods", spreadsheet(row(blank(), repeated=900), row("x")), Reads(rows=two, notes=["A904"])),
        case("too many rows", "ods", spreadsheet(row("x", repeated=2_000_000)), Refused(["damaged"])),
        case("too many columns", "ods", spreadsheet(row(text_cell(_S, 100_000))), Refused(["damaged"])),
        case("too many cells", "ods", spreadsheet(row(text_cell(_S, 99), repeated=999_999)), Refused(["damaged"])),
        case("beyond all numbers", "ods", spreadsheet(row(blank(2**64), repeated=2**63)), Refused(["damaged"])),
        case("not well-formed", "ods", broken, Refused(["damaged"])),
        case("a letter", "ods", ods(kind="text"), Refused(["OpenDocument", "no spreadsheet"])),
        case("empty", "ods", ods(table("T")), Refused(["empty"])),
        case("no tables", "ods", ods(), Refused(["no worksheet"])),
    ]  # fmt: skip
