"""Names of columns of dates and of their parts: what happened beside the part of a date, such as “year of surgery”.

Each line of a table has the parts of dates of one language, a colon, and the events beside which they stand; either may
come first. A part beside an event that only some studies count from their own first day, such as “visit month”, is not
among them.
"""

from __future__ import annotations

from collections.abc import Iterator

_BIRTHS = """
year yr y month mo mth m day d week wk quarter qtr decade cohort season: birth born dob
jahr monat tag woche quartal dekade jahrzehnt jahrgang kohorte: geburts geburt
annee mois jour semaine trimestre decennie cohorte: naissance naiss
ano anio mes dia semana trimestre decada cohorte: nacimiento
ano mes dia semana trimestre decada coorte: nascimento
anno mese giorno settimana trimestre decennio coorte: nascita
jaar maand dag week kwartaal cohort: geboorte
rok miesiac dzien tydzien kwartal dekada: urodzenia
ar manad dag vecka kvartal: fodelse
"""
_EVENTS = """
date year yr month mo mth ym yymm quarter qtr week wk season: admission admit adm discharge disch death surgery
    operation procedure diagnosis diagnosed dx diag hospitalization hospitalisation transplant transplantation
    enrollment enrolment infection vaccination delivery onset encounter registration referral
date year yr: interview accident injury arrival specimen sample collection test event report notification
    inclusion index exam examination treatment therapy relapse recurrence biopsy scan screening consent
    randomization randomisation
day: admission discharge death
datum dat jahr monat tag woche quartal saison: aufnahme entlassung entlassungs diagnose operations op todes tod sterbe
    erkrankungs impf melde befund unfall leistungs behandlungs eingriffs einschluss
date annee mois jour semaine trimestre saison: entree sortie deces diagnostic operation intervention hospitalisation
    accident inclusion consultation acte chirurgie
fecha ano anio mes dia semana trimestre: ingreso alta egreso defuncion fallecimiento muerte diagnostico dx cirugia
    intervencion operacion hospitalizacion consulta parto vacunacion
data dt ano mes dia semana trimestre: internamento internacao alta saida obito diagnostico cirurgia admissao entrada
    consulta parto notificacao episodio
data anno mese giorno settimana trimestre: ricovero dimissione decesso morte diagnosi intervento ingresso uscita accesso
    parto
datum jaar maand dag week kwartaal: opname ontslag overlijden overlijdens diagnose operatie ingreep bezoek
data rok miesiac dzien tydzien kwartal: przyjecia wypisu zgonu rozpoznania zabiegu operacji wizyty
datum ar manad dag vecka kvartal: inskrivnings utskrivnings dods diagnos operations besoks
"""


def names_of_births() -> Iterator[str]:
    """Names such as “birth decade” and “mes nacimiento”."""
    return _pairs(_BIRTHS)


def names_of_events() -> Iterator[str]:
    """Names such as “year surgery” and “surgery year”, without linking words."""
    return _pairs(_EVENTS)


def _pairs(table: str) -> Iterator[str]:
    for line in table.strip().replace("\n    ", " ").split("\n"):
        parts, _, events = line.partition(":")
        for part in parts.split():
            for event in events.split():
                yield f"{part} {event}"
                yield f"{event} {part}"
