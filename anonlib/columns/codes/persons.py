"""Words by which persons are described: marital status, education, employment and kinds of occupations.

What belongs together is taken from the classifications that statistical offices use; `docs/codes.md` names them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from anonlib.columns.codes.system import CodeSystem
from anonlib.values.naming import fold

_FEWEST = 3  # different words, for a column to be recognised without its name

# United Nations, Principles and Recommendations for Population and Housing Censuses, marital status.
_MARITAL = {
    ("married or in partnership", "married or in partnership"): (
        "married; married civ spouse; married af spouse; married spouse absent; civil partnership; "
        "in civil partnership; registered partnership; partnered; life partner; cohabiting; living together; "
        "common law; domestic partnership; verheiratet; eingetragene lebenspartnerschaft; lebenspartnerschaft; marie; "
        "mariee; pacse; pacsee; en couple; casado; casada; union libre; gehuwd; geregistreerd partnerschap; samenwonend"
    ),
    ("widowed, divorced or separated", "not married"): (
        "widowed; widow; widower; divorced; separated; legally separated; verwitwet; geschieden; getrennt; "
        "getrennt lebend; veuf; veuve; divorce; divorcee; separe; separee; viudo; viuda; divorciado; divorciada; "
        "separado; separada; weduwe; weduwnaar; verweduwd; gescheiden"
    ),
    ("never married", "not married"): (
        "never married; single; single never married; unmarried; ledig; celibataire; soltero; soltera; ongehuwd; "
        "alleenstaand"
    ),
}  # fmt: skip
# UNESCO, International Standard Classification of Education 2011; three groups as Eurostat publishes them.
_LOW, _MEDIUM, _HIGH = "low (ISCED 0-2)", "medium (ISCED 3-4)", "high (ISCED 5-8)"
_EDUCATION = {
    ("primary or less (ISCED 0-1)", _LOW): (
        "none; no schooling; no formal education; illiterate; preschool; kindergarten; nursery school; primary; "
        "primary school; primary education; elementary; elementary school; 1st 4th; 5th 6th; 7th 8th; 1st grade; "
        "2nd grade; 3rd grade; 4th grade; 5th grade; 6th grade; 7th grade; 8th grade; less than 9th grade; "
        "grundschule; ecole primaire; primaire; primaria; basisonderwijs; lagere school"
    ),
    ("lower secondary (ISCED 2)", _LOW): (
        "9th; 10th; 11th; 12th; 9th grade; 10th grade; 11th grade; 12th grade; 9 11th grade; 9th 12th grade; "
        "some high school; less than high school; lower secondary; middle school; junior high school; secondary; "
        "hauptschule; hauptschulabschluss; realschule; realschulabschluss; mittlere reife; college brevet; brevet; "
        "secundaria; eso; vmbo; mavo"
    ),
    ("upper secondary or further (ISCED 3-4)", _MEDIUM): (
        "hs grad; high school; high school graduate; high school diploma; ged; high school graduate or ged; "
        "high school ged; upper secondary; secondary education; some college; some college no degree; "
        "post secondary; vocational; vocational training; trade school; a levels; abitur; fachabitur; "
        "berufsausbildung; lehre; baccalaureat; bac; cap bep; bachillerato; formacion profesional; havo; vwo; mbo"
    ),
    ("short tertiary (ISCED 5)", _HIGH): (
        "assoc voc; assoc acdm; associate; associates; associate degree; associates degree; aa degree; "
        "associate degree occupational; associate degree academic; short cycle tertiary; bts; dut; meister"
    ),
    ("bachelor (ISCED 6)", _HIGH): (
        "bachelor; bachelors; bachelors degree; bachelor degree; college graduate; college degree; "
        "undergraduate degree; fachhochschule; licence; grado; licenciatura; hbo; hbo bachelor"
    ),
    ("master or doctor (ISCED 7-8)", _HIGH): (
        "master; masters; masters degree; master degree; prof school; professional degree; doctorate; phd; doctoral; "
        "doctoral degree; graduate degree; postgraduate; advanced degree; universitat; hochschulabschluss; diplom; "
        "promotion; doctorat; doctorado; wo master; gepromoveerd"
    ),
}  # fmt: skip
# International Labour Organization, status in employment (ICSE-93), and labour force status.
_EMPLOYMENT = {
    ("private employee", "working"): "private; private sector; private for profit; privatwirtschaft",
    ("public employee", "working"): (
        "federal gov; local gov; state gov; government; public sector; civil servant; beamter; beamtin; "
        "offentlicher dienst; fonctionnaire; funcionario; ambtenaar"
    ),
    ("employee", "working"): (
        "employed; employee; full time; part time; employed full time; employed part time; working; angestellt; "
        "angestellter; angestellte; vollzeit; teilzeit; salarie; salariee; employe; employee temps plein; empleado; "
        "empleada; in loondienst"
    ),
    ("self-employed", "working"): (
        "self employed; self emp inc; self emp not inc; own business; freelance; selbstandig; selbststandig; "
        "independant; independante; autonomo; autonoma; zelfstandig; zzp"
    ),
    ("unemployed", "not working"): (
        "unemployed; out of work; looking for work; never worked; arbeitslos; chomeur; chomeuse; desempleado; "
        "desempleada; werkloos"
    ),
    ("not in the labour force", "not working"): (
        "without pay; not in labor force; not in labour force; retired; student; homemaker; housewife; disabled; "
        "unable to work; pensioner; rentner; rentnerin; schuler; hausfrau; retraite; retraitee; etudiant; etudiante; "
        "jubilado; jubilada; estudiante; gepensioneerd; scholier; huisvrouw"
    ),
}  # fmt: skip
# United States Census Bureau, summary groups of the occupations of 1980 and 1990.
_OCCUPATIONS = {
    ("managerial and professional", "white collar"): "exec managerial; prof specialty; managerial; professional",
    ("technical, sales and administrative", "white collar"): (
        "tech support; sales; adm clerical; technical; clerical; administrative; administrative support"
    ),
    ("service", "service"): "other service; protective serv; priv house serv; service; protective service",
    ("farming, forestry and fishing", "blue collar"): "farming fishing; farming; farming forestry fishing",
    ("craft and repair", "blue collar"): "craft repair; craft; precision production",
    ("operators, movers and laborers", "blue collar"): (
        "machine op inspct; transport moving; handlers cleaners; operators; laborers; machine operators; transport"
    ),
    ("armed forces", "armed forces"): "armed forces; military",
}  # fmt: skip


def _plain(text: str) -> str:
    """A text in lower case without accents and marks: ``Married-civ-spouse`` -> ``married civ spouse``."""
    return " ".join(re.findall(r"[a-z0-9]+", fold(text).lower().replace("'", "").replace("’", "")))


def _system(
    key: str, label: str, levels: tuple[str, str], kind: str, groups: Mapping[tuple[str, str], str], *names: str
) -> CodeSystem:
    groups_of = {word.strip(): group for group, words in groups.items() for word in words.split(";")}
    for finer, coarser in groups:  # a label is a word of its group too
        groups_of.setdefault(_plain(finer), (finer, coarser))
        groups_of.setdefault(_plain(coarser), (coarser, coarser))
    return CodeSystem(
        key,
        label,
        levels,
        lambda text: groups_of.get(_plain(text)),
        names,
        lambda values: len({_plain(value) for value in values}) >= _FEWEST,
        kind=kind,
        named=levels,
        of=label.removeprefix("words for ").removeprefix("groups of "),
    )


PERSONS = (
    _system(
        "marital", "words for marital status", ("kinds", "two kinds"), "marital", _MARITAL,
        "marital", "marital status", "civil status", "familienstand", "etat civil", "estado civil", "burgerlijke staat",
    ),
    _system(
        "education", "words for education", ("levels", "broad levels"), "education", _EDUCATION,
        "education", "schooling", "degree", "bildung", "schulabschluss", "niveau etudes", "educacion", "opleiding",
    ),
    _system(
        "employment", "words for employment", ("kinds", "two kinds"), "workclass", _EMPLOYMENT,
        "workclass", "work class", "employment", "employment status", "occupation", "berufstatigkeit", "emploi",
        "empleo",
    ),
    _system(
        "occupation-groups", "groups of occupations", ("summary groups", "broad groups"), "occupation", _OCCUPATIONS,
        "occupation", "profession", "job",
    ),
)  # fmt: skip
