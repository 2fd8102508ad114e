"""Which encoding a text file has, and its text as UTF-8; undecodable bytes are reported with their line.

First comes how likely a text is in the languages that its encoding is of: by how often their letters are, and how they
stand. The same bytes are other letters in other encodings. What is compared is the likelihood of the characters beyond
ASCII that each makes of them, in the language that fits best, less what no language writes: letters of two alphabets in
one word, a capital behind a small letter, a sign within a word.
"""

from __future__ import annotations

import codecs
import io
import re
import unicodedata
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import log

from anonlib.basics.errors import InputError
from anonlib.basics.words import listed

# The letters beyond ASCII of languages, the most frequent first.
_WESTERN = {
    "French": "éèàêçôîâûùïëœ’",
    "Spanish": "óíáéñúü¿¡º",
    "Portuguese": "ãçáéóíêúâõôàºª",
    "Catalan": "àóéíèçòúïü·",
    "German": "üäöß",
    "Italian": "àèòùìé’",
    "Swedish": "äöåé",
    "Danish": "øåæé",
    "Icelandic": "ðíáþéóöæúý",
    "Dutch": "ëéïóüè",
}
_CENTRAL = {
    "Polish": "łąężśóćńź",
    "Czech": "áíěéýčřžšůúťňóď",
    "Slovak": "áíčéýžšúľťôňďäóĺŕ",
    "Hungarian": "áéöóüőíúű",
    "Romanian": "ăţîşâ",
    "Croatian": "čšžćđ",
}
_TURKISH = {"Turkish": "ıüşçöğâî", **_WESTERN}
_CYRILLIC = {
    "Russian": "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё",
    "Ukrainian": "оаниітверслкмдпуязьбгчхйжшюцєїщфґ’",
    "Bulgarian": "аоиентрсвлкдмпзъяубгчщцжхшюйфь",
    "Serbian": "аиоенрсјтукдвлмпгзбљчшцжћњхђфџ",
}
_GREEK = {"Greek": "αοιετσνρπκμλίςήάγόέδύηυχθωφβώξζψϊϋΐΰ"}
_HEBREW = {"Hebrew": "יוהלמאארתבשמנדקםפעחטגצןסכזףךץ"}
_ARABIC = {"Arabic": "اليمنرتبوسدعحقفهكشجصةخأطىءذزضغئثظإآؤ"}
_BALTIC = {"Lithuanian": "ėįšųžąęčū", "Latvian": "āīēšņūžļķģč", "Estonian": "äõüöšž"}

_HAN_SIMPLIFIED = (
    "的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主"
    "行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电"
    "四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市眼体别处总才场师书比住员九笑性通目华报立马命张活难神数件安表原车白应路期叫死常提感金何"
    "更反合放做系计或司利受光王果亲界及今京务制解各任至清物台象记边共风战干接它许八特觉望直服毛林题建南度统色字请交爱让认算论百吃义科怎元社术结六功指思非流每青管夫连远"
    "资队跟带花快条院变联言权往展该领传近留红治决周保达办运武半候七必城父强步完革深区即求品士转量空甚众技轻程告江语英基派满式李息写呢识极令黄德收脸钱党倒未持取设始版双"
    "编号姓名医病症诊断科室患者男女岁龄住址电话赵钱孙李周吴郑王冯陈卫蒋沈韩杨朱秦许何吕施张孔曹严华金魏陶姜谢邹苏潘葛范彭鲁马方俞任袁柳唐罗薛伟芳娜秀敏静丽强磊军洋勇艳杰娟涛明超霞平刚桂英"
    "州广深圳成都汉庆津沙阳肝肺炎胃溃疡支管血压糖尿折骨头痛烧伤过敏健康感冒臂右左"
)
_HAN_TRADITIONAL = (
    "的一是不了在人有我他這中大來上國個到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可她裡後小麼心多天而能好都然沒日於起還發成事只作當想看文無開手十用主"
    "行方又如前所本見經頭面公同三已老從動兩長知民樣現分將外但身些與高意進把法此實回二理美點月明其種聲全工己話兒者向情部正名定女問力機給等幾很業最間新什打便位因重被走電"
    "四第門相次東政海口使教西再平真聽世氣信北少關並內加化由卻代軍產入先山五太水萬市眼體別處總才場師書比住員九笑性通目華報立馬命張活難神數件安表原車白應路期叫死常提感金何"
    "編號姓名醫病症診斷科室患者男女歲齡住址電話地區縣臺灣北高雄中南新竹桃園嘉義屏東花蓮基隆宜蘭彰化投雲林陳林黃張李王吳劉蔡楊許鄭謝郭洪邱曾廖賴周徐蘇葉莊呂江何蕭羅"
    "志明美惠建宏淑芬俊傑雅婷怡君家豪佩珊宗翰文雄欣國華肝肺炎胃潰瘍支管血壓糖尿折骨頭痛燒傷過敏健康感冒臂右左"
)
_KANJI = (
    "日一国人年大十二本中長出三時行見月後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百書先名川千水半男西電校語土木聞食車何南万毎白天母火右読友左休父雨"
    "田会自事者社発地業方新場員立開手力問代明動京目通言理体主題意不作用度強公持野以思家世多正安院心界教文元重近考画海売知道集別物使品計死特私始朝運終台広住真有口少"
    "町料工建空急止送切転研足究楽起着店病質待試族銀早映親験英医仕去味写字答夜音注帰古歌買悪図週室歩風紙黒花春赤青館屋色走秋夏習駅洋旅服夕借曜飲肉貸堂鳥飯勉冬昼茶弟牛魚兄犬妹姉漢"
    "番号氏名都市県区府道診断患者科性別齢住所佐藤鈴木高橋田中伊渡辺山本村林加吉松井斎清池森阿部石原岡前岩坂橋太郎恵美子健優誠翔咲樹阪浜戸横神奈古屋札幌福岡広島仙台沢崎血圧糖尿肺炎頭痛胃潰瘍気管支骨折腕喘息疑康"
)
_OF_PERSONS = "男女"  # male and female: files of persons may have no other character
_COMMON_HAN = {"simplified": _HAN_SIMPLIFIED, "traditional": _HAN_TRADITIONAL, "kanji": _KANJI}
_PUNCTUATION = "“”‘’–—…«»„•€£°§·²½º®©´、。，：；？！（）「」・ー　" + "\u00a0"

_BLOCKS = (
    (0x370, "l"),
    (0x400, "g"),
    (0x530, "c"),
    (0x590, "x"),
    (0x600, "b"),
    (0x780, "r"),
    (0x1E00, "x"),
    (0x1F00, "l"),
)
"""Where blocks of Unicode end, and the script of their letters."""
_FOREIGN, _SELDOM_FOREIGN = -7.0, -7.5  # a letter of a name from elsewhere
_OF_NAMES = "áéíóúàèòäöüåøæçñãâêôšžčćłş"  # letters of many names that are written elsewhere too
_COMMON_SIGN, _SIGN, _CONTROL = -4.0, -9.0, -14.0
_KANA, _HALF_WIDTH, _HANGUL = -4.2, -5.5, -6.2
_COMMON_SHARE = 0.8  # of the characters of Chinese and Japanese texts that are common ones
_RARE_HAN = -11.5
_HAN_OF_PERSONS = -3.5
_TWO_SCRIPTS, _CAPITAL_WITHIN, _SIGN_WITHIN = -5.0, -4.0, -2.0
_TWO_VOWELS = -4.0  # with two different accents side by side, as hardly any word has them

# Where no letters tell them apart, the encoding of more files is taken: those of DOS and old Macs last.
_RARER = {"cp1252": 0.0, "cp850": 6.0, "cp852": 8.0, "cp866": 5.0, "mac-roman": 7.0, "cp1257": 4.5}
_ELSE_RARER = 3.5


@dataclass(frozen=True)
class _Family:
    """The languages that an encoding is of: letters by language; or characters of eastern Asia, by how common."""

    languages: dict[str, str]
    scripts: str = "l"
    common: str = ""


_FAMILIES = {
    **dict.fromkeys(("cp1252", "iso8859-15", "cp850", "mac-roman"), _Family(_WESTERN)),
    **dict.fromkeys(("cp1250", "iso8859-2", "cp852"), _Family(_CENTRAL | {"German": _WESTERN["German"]})),
    "cp1254": _Family(_TURKISH),
    "cp1257": _Family(_BALTIC),
    **dict.fromkeys(("cp1251", "koi8-r", "cp866"), _Family(_CYRILLIC, "c")),
    "cp1253": _Family(_GREEK, "g"),
    "cp1255": _Family(_HEBREW, "b"),
    "cp1256": _Family(_ARABIC | {"French": _WESTERN["French"]}, "r"),
    "cp932": _Family({}, "kjw", "kanji"),
    "euc_jp": _Family({}, "kjw", "kanji"),
    "gb18030": _Family({}, "k", "simplified"),
    "big5": _Family({}, "k", "traditional"),
    "cp949": _Family({}, "h"),
}
CANDIDATES = tuple(_FAMILIES)
"""The encodings that are recognised by their letters."""


def likelihood(text: str, encoding: str) -> float:
    """The logarithm of how likely the characters beyond ASCII of a text are, in the language that fits best.

    Parameters
    ----------
    text : str
        What an encoding makes of some bytes.
    encoding : str
        One of :data:`CANDIDATES`.

    Returns
    -------
    float
        Comparable among encodings of the same bytes, and among these alone.
    """
    family = _FAMILIES[encoding]
    characters = Counter(text)
    kinds = {character: _kind(character) for character in characters}
    beyond = {character: n for character, n in characters.items() if character > "\x7f"}
    fits = max(
        sum(n * _of_letter(character, kinds[character], table, family) for character, n in beyond.items())
        for table in _tables(encoding)
    )
    neighbours = Counter(pairwise(text))
    stands = sum(n * _of_neighbours(kinds[a], kinds[b]) for (a, b), n in neighbours.items() if a > "\x7f" or b > "\x7f")
    vowels = sum(n for (a, b), n in neighbours.items() if a != b and _is_accented_vowel(a) and _is_accented_vowel(b))
    return fits + stands + _TWO_VOWELS * vowels - _RARER.get(encoding, _ELSE_RARER)


@cache
def _tables(encoding: str) -> tuple[dict[str, float], ...]:
    """By language, or of all the common characters, the logarithms of shares."""
    family = _FAMILIES[encoding]
    if not family.languages:
        common = set(_COMMON_HAN.get(family.common, ""))
        shares = {character: log(_COMMON_SHARE / len(common)) for character in common}
        return (shares | dict.fromkeys(_OF_PERSONS if common else "", _HAN_OF_PERSONS),)
    tables = []
    for letters in family.languages.values():
        weights = {letter: 1 / (place + 2) for place, letter in enumerate(letters)}
        total = sum(weights.values()) * 1.05
        tables.append({letter: log(weight / total) for letter, weight in weights.items()})
    return tuple(tables)


def _of_letter(character: str, kind: str, table: dict[str, float], family: _Family) -> float:
    log_share = table.get(character) or table.get(character.lower()[:1])
    if log_share is not None:
        return log_share
    match kind:
        case "k":
            return _RARE_HAN
        case "j" if "j" in family.scripts:
            return _KANA
        case "w" if "w" in family.scripts:
            return _HALF_WIDTH
        case "h" if "h" in family.scripts:
            return _HANGUL
        case "l" | "L":
            return _FOREIGN if character.lower() in _OF_NAMES else _SELDOM_FOREIGN
        case "." | "s" if character in _PUNCTUATION:
            return _COMMON_SIGN
        case "!":
            return _CONTROL
    return _SIGN


@cache
def _is_accented_vowel(character: str) -> bool:
    return "\x7f" < character < "\u0250" and unicodedata.normalize("NFD", character)[0].lower() in "aeiouy"


_SCRIPTS = {**{kind: kind for kind in "lcgbrkwhx"}, "L": "l", "C": "c", "G": "g", "j": "k"}
"""By kind of letter what it may stand beside in a word: Chinese characters of Japanese beside kana."""


def _of_neighbours(one: str, other: str) -> float:
    """What is taken off where two characters do not stand beside one another in a word."""
    first, second = _SCRIPTS.get(one), _SCRIPTS.get(other)
    if first and second:
        if first != second:
            return _TWO_SCRIPTS
        return _CAPITAL_WITHIN if one in "lcg" and other in "LCG" else 0.0
    return _SIGN_WITHIN if "s" in (one, other) and (first or second) else 0.0


@cache
def _kind(character: str) -> str:
    """The script of a letter, in capitals of capitals; ``s`` of a sign, ``!`` of no text's, ``.`` of the rest."""
    point = ord(character)
    if point < 128:
        return ("L" if character.isupper() else "l") if character.isalpha() else "."
    category = unicodedata.category(character)
    if category in ("Cc", "Co", "Cn", "Cs"):
        return "!"
    if 0xFF61 <= point <= 0xFF9F:
        return "w"
    if 0x3040 <= point <= 0x30FF and category[0] == "L":
        return "j"
    if 0x3400 <= point <= 0x9FFF or 0xF900 <= point <= 0xFAFF or point >= 0x20000 or character == "々":
        return "k"
    if 0xAC00 <= point <= 0xD7A3:
        return "h"
    if category[0] not in "LM":
        return "." if character in _PUNCTUATION else "s"
    if character in "ºª":
        return "."
    script = next((script for end, script in _BLOCKS if point < end), "x")
    return script.upper() if script in "lgc" and character.isupper() else script


ENCODINGS = {
    "utf-8": "UTF-8",
    "cp1252": "Windows Western European (cp1252)",
    "latin-1": "Latin-1 (ISO 8859-1)",
    "iso8859-15": "Latin-9 (ISO 8859-15)",
    "utf-16-le": "UTF-16 little-endian",
    "utf-16-be": "UTF-16 big-endian",
    "utf-32": "UTF-32",
    "cp1250": "Windows Central European (cp1250)",
    "cp1251": "Windows Cyrillic (cp1251)",
    "cp1253": "Windows Greek (cp1253)",
    "cp1254": "Windows Turkish (cp1254)",
    "cp1255": "Windows Hebrew (cp1255)",
    "cp1256": "Windows Arabic (cp1256)",
    "cp1257": "Windows Baltic (cp1257)",
    "iso8859-2": "Latin-2 Central European (ISO 8859-2)",
    "koi8-r": "Cyrillic KOI8-R",
    "cp850": "DOS Western European (cp850)",
    "cp852": "DOS Central European (cp852)",
    "cp866": "DOS Cyrillic (cp866)",
    "mac-roman": "Mac Western European",
    "cp932": "Japanese Shift-JIS (cp932)",
    "euc_jp": "Japanese EUC-JP",
    "gb18030": "Chinese GB18030",
    "big5": "Chinese Big5",
    "cp949": "Korean (cp949, EUC-KR)",
}
"""Encodings to offer, with their names on screen, the likelier ones first among those of a script."""

_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CHUNK = 1 << 23
_WINDOW = 1 << 19
_SAMPLE = 1 << 14


def encoding_name(encoding: str) -> str:
    """An encoding's name on screen: its own where :data:`ENCODINGS` does not know it.

    Parameters
    ----------
    encoding : str
        As Python calls it.

    Returns
    -------
    str
    """
    return ENCODINGS.get(encoding, encoding)


def utf8_text(data: bytes, encoding: str | None = None) -> tuple[bytes, str, list[str]]:
    """The text of a file as UTF-8 without byte order mark.

    Parameters
    ----------
    data : bytes
        The bytes of the file.
    encoding : str, optional
        Its encoding; found out when None, by its byte order mark, UTF-8 that is valid throughout, or the likeliest of
        :data:`ENCODINGS`.

    Returns
    -------
    The text, the encoding it had, and notes on what was assumed.

    Raises
    ------
    InputError
        When bytes are not valid in the encoding, with the line of the first of them.
    """
    notes: list[str] = []
    marked, marked_encoding = _byte_order_mark(data)
    if encoding is None:
        encoding = marked_encoding or zero_pattern(data)
    else:
        encoding = _known(encoding)
        if marked_encoding is not None and not _same_family(encoding, marked_encoding):
            marked = 0
    if encoding is None:
        bad = _first_undecodable(data, "utf-8")
        if bad is None:
            return data, "utf-8", notes
        encoding = _legacy_encoding(data, bad)
        notes.append(
            f"The bytes are not UTF-8, so the text was read as {encoding_name(encoding)}, as its letters suggest: "
            "check accented or non-Latin letters in the preview."
        )
    return _transcoded(data, marked, encoding), encoding, notes


def _byte_order_mark(data: bytes) -> tuple[int, str | None]:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return len(mark), encoding
    return 0, None


def _same_family(encoding: str, marked: str) -> bool:
    return (
        encoding.replace("_", "-")
        .lower()
        .startswith(marked.rsplit("-", 1)[0] if "16" in marked or "32" in marked else marked)
    )


def _known(encoding: str) -> str:
    try:
        codec = codecs.lookup(encoding)
    except (LookupError, ValueError):
        raise InputError(
            "That encoding is not known. Choose one from the list, such as UTF-8 or cp1252.", code="encoding-unknown"
        ) from None
    # Codecs such as zip, idna or unicode_escape are not text encodings of files.
    if not getattr(codec, "_is_text_encoding", True) or codec.name in {
        "idna",
        "punycode",
        "unicode_escape",
        "raw_unicode_escape",
        "undefined",
    }:
        raise InputError(
            "That encoding is not one for text files. Choose one from the list, such as UTF-8 or cp1252.",
            code="encoding-not-of-texts",
        )
    plain = {
        "iso8859-1": "latin-1",
        "utf-8-sig": "utf-8",
        "utf-16": "utf-16-le",
        "shift_jis": "cp932",
        "gb2312": "gb18030",
        "gbk": "gb18030",
        "euc_kr": "cp949",
    }
    return plain.get(codec.name, codec.name)


def zero_pattern(data: bytes) -> str | None:
    """UTF-16 without a byte order mark: zero bytes at many second places, of alphabets up to the Cyrillic one."""
    head = data[:4096]
    if len(head) < 4 or b"\0" not in head:
        return None
    half = len(head) // 2
    even, odd = head[0::2].count(0) / half, head[1::2].count(0) / half
    if odd > 0.4 and even < 0.05:
        return "utf-16-le"
    if even > 0.4 and odd < 0.05:
        return "utf-16-be"
    for encoding, here, elsewhere in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if here > 0.05 and elsewhere == 0 and _is_of_an_alphabet(head[: len(head) // 2 * 2], encoding):
            return encoding
    return None


def _is_of_an_alphabet(data: bytes, encoding: str) -> bool:
    """Whether nearly all characters are of the alphabets that stand first in Unicode, and none is of no text."""
    text = data.decode(encoding, errors="replace")
    plain = sum(character < "\u0600" and (character.isprintable() or character in "\t\r\n") for character in text)
    return plain > 0.95 * len(text)


def _first_undecodable(data: bytes, encoding: str) -> int | None:
    """Position of the first byte that is not valid, None when all are."""
    if encoding == "utf-8" and data.isascii():
        return None
    decoder = codecs.getincrementaldecoder(encoding)()
    done = 0
    view = memoryview(data)
    while done < len(data):
        pending = len(decoder.getstate()[0])
        chunk = view[done : done + _CHUNK]
        try:
            decoder.decode(bytes(chunk), final=done + len(chunk) >= len(data))
        except UnicodeDecodeError as error:
            return done - pending + error.start
        done += len(chunk)
    return None


def _transcoded(data: bytes, start: int, encoding: str) -> bytes:
    if encoding == "utf-8":
        bad = _first_undecodable(data, encoding)
        if bad is not None:
            raise _undecodable(data, bad, encoding)
        return data[start:] if start else data
    out = io.BytesIO()
    decoder = codecs.getincrementaldecoder(encoding)()
    view = memoryview(data)[start:]
    for done in range(0, max(len(view), 1), _CHUNK):
        chunk = view[done : done + _CHUNK]
        pending = len(decoder.getstate()[0])
        try:
            out.write(decoder.decode(bytes(chunk), final=done + len(chunk) >= len(view)).encode("utf-8"))
        except UnicodeDecodeError as error:
            raise _undecodable(data, start + done - pending + error.start, encoding) from None
        except UnicodeEncodeError:
            raise InputError(
                f"The text is not valid {encoding_name(encoding)}. Choose another encoding.", code="encoding-wrong"
            ) from None
    return out.getvalue()


def _undecodable(data: bytes, position: int, encoding: str) -> InputError:
    lines = [line_of(data, position)]
    if encoding == "utf-8":
        lines = _undecodable_lines(data, position)
    where = f"line {lines[0]:,}" if len(lines) == 1 else f"lines {listed(lines)}"
    return InputError(
        f"Bytes in {where} are not valid {encoding_name(encoding)} (the first at byte {position + 1:,}). "
        "Choose another encoding, or have the file exported again as UTF-8.",
        code="encoding-wrong",
    )


def _undecodable_lines(data: bytes, position: int, most: int = 20) -> list[int]:
    """Lines with invalid UTF-8, from the one at position on; at most so many, from the next half megabyte."""
    line = line_of(data, position)
    begin = max(data.rfind(b"\n", 0, position) + 1, position - _WINDOW)
    lines = []
    for offset, text in enumerate(data[begin : position + _WINDOW].split(b"\n")[:-1] or [data[begin:]]):
        try:
            text.decode("utf-8")
        except UnicodeDecodeError:
            lines.append(line + offset)
    return lines[:most] or [line]


def line_of(data: bytes, position: int) -> int:
    """The line of a byte, counted from 1."""
    ends = data.count(b"\n", 0, position)
    return (ends or data.count(b"\r", 0, position)) + 1


def _legacy_encoding(data: bytes, bad: int) -> str:
    """The likeliest encoding of text that is not UTF-8, from its lines with letters beyond ASCII."""
    window = data[max(0, bad - _WINDOW) : bad + _WINDOW]
    text = window.decode("utf-8", errors="replace")
    broken = text.count("\ufffd")
    sound = len(text) - len(text.encode("ascii", errors="ignore")) - broken
    if sound > broken:  # letters of another encoding hardly ever form valid UTF-8
        raise _undecodable(data, bad, "utf-8")
    sample = _telling_lines(window)
    likelihoods = {}
    for encoding in CANDIDATES:
        with suppress(UnicodeDecodeError):
            likelihoods[encoding] = likelihood(sample.decode(encoding), encoding)
    return max(likelihoods, key=likelihoods.__getitem__, default="cp1252")


def _telling_lines(window: bytes) -> bytes:
    """The first lines with bytes beyond ASCII, cut where no character of several bytes can be."""
    lines = re.split(rb"[\r\n]+", window)
    whole = lines if len(window) <= _WINDOW else lines[1:-1] or lines
    sample = b"\n".join(line for line in whole if not line.isascii())
    if len(sample) <= _SAMPLE:
        return sample
    sample = sample[:_SAMPLE]
    return sample[: max(sample.rfind(mark) for mark in (b"\n", b"\t", b",", b";"))]
