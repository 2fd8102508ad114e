"""Names of columns in German, beyond those of the vocabulary."""

GERMAN = """
email: e mail adresse, mailadr, email adresse
phone: tel nr, telefonnr, tel privat, mobilnummer, telnr
ssn: sv nummer, svnr, sozialversicherungsnr, rentenversicherungsnummer, steuer id, steueridentifikationsnummer,
    personalausweisnummer, ahv nummer, ahv nr
health_plan: versichertennr, versicherten id, versichertenid, versicherten nr, versichertenpseudonym, psid, kv nummer,
    krankenversichertennr, vsid, versicherungsnummer, kvnr nr, egk nummer
account: iban nr, bankverbindung, rechnungsnummer, rechnungsnr, rechnung nr
passport: reisepassnummer, ausweisnummer
address: adr, anschrift patient, wohnadresse, str nr, strasse nr, hausnr, wohnanschrift
name: name patient, nachname patient, vor nachname, rufname, arzt name, behandelnder arzt, hausarzt, einweiser,
    einweisender arzt, ansprechpartner, angehoriger, notfallkontakt, lanr
mrn: patientenid, pat id, patid, patnr, pat nr, patienten nummer, patientennr, patienten identnummer, identnummer,
    khinterneskz, kh internes kennzeichen, kh internes kz, fall nr, fallnr, fall id, fallid, aufnahmenummer,
    aufnahmenr, aktenzeichen, krankenaktennummer, patientenpseudonym, pseudonym patient, patient pseudonym,
    bewohner id
person: probandennr, teilnehmer id, teilnehmernummer, personennummer, personen nr, personennr, mitglieds nr,
    mitgliedsnummer, befragten id, lfd nr, laufende nummer, idnr
household: haushaltsnummer, haushaltsnr, haushalts id
birth_date: gebdat, geb dat, geb, geb dt, geb monat, gebj, gebjahr, geb j, geburtsmonat, geburtsjahrgang, jahrgang
age: alt, alter jahre, alter in jahren, alter in tagen, alter in jahren am aufnahmetag, alter in tagen am aufnahmetag,
    alter monate, alters gruppe, altersklasse, alterskategorie, altersgr, alter aufnahme, alter diagnose, altg, agegr
event_date: aufnahme dat, aufn dat, aufnahmedat, aufnahmetag, entl dat, entlassung datum, entl datum, entlassungstag,
    datum aufnahme, datum entlassung, diagnosedatum, datum diagnose, meldedatum, refdatum, erkrankungsbeginn,
    op datum, ops datum, tag opeingriff, behandlungsbeginn, behandlungsende, beginn, ende, beginndatum, endedatum,
    leistungsdatum, verordnungsdatum, abgabedatum, ausstellungsdatum, untersuchungsdatum, besuchsdatum, termin,
    zeitpunkt, zeitstempel, monat, quartal, jahr, berichtsjahr, aufnahmemonat, abrechnungsquartal, wochentag,
    fab aufnahmedatum, fab entlassungsdatum, verlegungsdatum, versichert seit, verdatbeginn, verdatende, todesjahr,
    sterbejahr, sterbemonat, datum verordnung, datum abgabe, datum leistung, interviewdatum, erhebungsdatum,
    befragungsdatum, au beginn, au ende, kalenderwoche, kw, jahr monat, monat jahr
event_time: aufnahme uhrzeit, entlassung uhrzeit, zeit, stunde, ankunftszeit
injury: unfallkennzeichen, unfallhergang, verletzungsursache, wegeunfall, arbeitsunfall
length_stay: vwd, vwd tage, verweildauer tage, verweildauer intensiv, intensivtage, pflegetage, fab verweildauer,
    icu tage, au tage, dauer aufenthalt, aufenthaltstage, behandlungstage, berechnungstage, arbeitsunfahigkeitstage,
    krankheitstage
department: fab, fachabt, fachabteilungsschlussel, abt, abteilung name, klinik abteilung, stat, stationsname,
    bettenstation, fachgruppe, arztgruppe, facharztgruppe, fachgebiet arzt, entlassende abteilung,
    aufnehmende abteilung
visit_type: aufnahme art, fall art, aufn grund, aufn anlass, art der aufnahme, art des falls, einweisung, zuweiser,
    zuweisung, verlegt von, notfall, notaufnahme, stationar, ambulant, teilstationar, behandlungsfall art,
    leistungsart, einweisungsgrund, scheinart, inanspruchnahme, aufnahmestatus, pflegeart, geburtsmodus,
    entbindungsart
sex: geschl, gesch, sex code, geschlecht patient, geschlecht code, mw, anrede
race: ethnie, hautfarbe, ethnische herkunft
birth_place: geb ort, geburts ort, geburtsbundesland, geburtskreis
nationality: nationalitat code, staatsang, staatsangeh, staatsangehorigkeit code, migrationshintergrund, migration,
    zuzugsjahr, aufenthaltsstatus, auslander, herkunftsland vater, wohnsitzland, zuzug
marital: fam stand, famstand, familienstand code, zivilstand, verheiratet, partnerschaft
education: bildungsgrad, bildungsstand, schulbildung, hochster schulabschluss, schulabschl, berufsausbildung,
    ausbildungsabschluss, bildungsniveau, schultyp, schulform, studium, ausbildung
occupation: tatigkeit, berufsbezeichnung, ausgeubter beruf, tatigkeitsschlussel, berufsschlussel, kldb,
    berufl stellung
workclass: erwerbsstatus, erwerbstatig, erwerbstatigkeit, beschaftigung status, berufstatig, branche,
    wirtschaftszweig, stellung im beruf, arbeitslos, rentner, arbeitszeit, wochenarbeitszeit, erwerbsform, erwerbstyp
language: muttersprache code, sprache zuhause
religion: religionszugehorigkeit, religionsgemeinschaft, konf, kirchenzugehorigkeit, glaube
region: bundesland code, bdl, land, wohnregion, raumtyp, siedlungstyp, gemeindegrossenklasse, gemeindegrosse,
    kv region, regierungsbezirk, regionstyp, siedlungsstruktur, stadt land, ost west
facility: ik nr, ik nummer, institutionskennzeichen, khname, standort, standortnummer, standort id, khpseudo,
    krankenhaus ik, krankenhausname, praxis, praxis id, bsnr, betriebsstatte, betriebsstattennummer, einrichtung id,
    zentrum, hauskennzeichen, arztpseudo, apotheke, betriebsnummer, pflegeheim, heim
relationship: kinder anzahl, anzahl kinder, anz kinder, haushaltsgrosse, haushaltstyp, personen im haushalt,
    anzahl personen haushalt, hh grosse, hhgr, alleinlebend, alleinerziehend, lebensform, paritat, geschwister,
    mehrling, mehrlinge, familientyp, angehorige, lebensgemeinschaft, stellung im haushalt,
    beziehung haushaltsvorstand
housing: wohnform, wohnsituation, wohnflache, miete, eigentum wohnung, anzahl raume, baujahr, wohnung, haustyp, pkw,
    anzahl zimmer
veteran: wehrdienst, zivildienst
body: korpergewicht kg, gewicht kg, grosse cm, korpergr, geburtsgewicht, geb gewicht, kopfumfang, gew, bauchumfang,
    hufte, bmi kategorie, korperlange, geburtslange, blutgruppe, handigkeit
income: haushaltseinkommen, netto einkommen, nettoeinkommen, hh einkommen, bruttoeinkommen, einkommensklasse,
    aquivalenzeinkommen, sozialhilfe, alg ii, transferleistungen, vermogen, armut, soziookonomischer status
postcode: plz wohnort, plz patient, plz 3, plz 2, plz 5, wohnort plz, plzkl
city: wohnort patient, wohn ort, landkreis name, kreis name, wohnkreis, gemeinde name, ortsteil, stadtteil,
    stadtbezirk
area: gem kz, gemeinde nr, gemeindekennziffer, kreisschlussel, kreiskennziffer, kreis nr, ags 5, ags 8, idlandkreis,
    idbundesland, wohnort schlussel, regionalschlussel, kreiskz, kgs, rohdaten kreis, gkz
note: freitext feld, notiz, notizen, arztbrief, epikrise, befundtext, verlauf, bem, hinweis, klartext,
    freitextdiagnose
insurance: kasse, kassenname, kassenart, krankenkassen, versicherung art, versichertenstatus, versichertenart,
    vers art, versichert, versichertenverhaltnis, ik der krankenkasse, krankenkasse ik, krankenversicherung, kv art,
    privat versichert, gkv pkv, kostentr, kostentrager ik, kassen ik, zuzahlungsbefreiung, betriebsnummer kasse, bnr,
    pflegegrad, pflegestufe, pflegekasse, versgrup, zusatzversicherung, mitgliedschaft
salary: gehalt brutto, bruttolohn, nettolohn, verdienst
costs: entgeltbetrag, entgelte, rechnungsbetrag, betrag, fallkosten, gesamtbetrag, erlos drg, summe, kosten gesamt,
    leistungsausgaben, bruttokosten, preis, zuzahlung, punktzahl, entgelt art, entgeltart, effektivgewicht,
    relativgewicht
hiv: covid 19, impfdurchbruch, infektionsstatus, hepatitis status, mrsa, vre, erreger, coronavirus
sexual: schwangerschaft, schwangerschaftswoche, ssw, tragzeit, gestationsalter, geburten, fehlgeburten, verhutung,
    sexuelle orientierung, gravida para
mental: psychische, depressiv, angst, suizid, einsamkeit, lebenszufriedenheit, demenz, stimmung
health: gesundheitszustand, allgemeiner gesundheitszustand, behinderung, grad behinderung, gdb, schwerbehinderung,
    schwerbehindert, einschrankung, beschwerden, schmerz, schmerzen, pflegebedurftig, pflegebedurftigkeit,
    chronisch krank, chronische erkrankung, chronische krankheit, krankheiten, karnofsky, ecog, nyha
lifestyle: rauchstatus, rauchverhalten, raucher status, zigaretten, zigaretten pro tag, alkoholkonsum, drogen,
    drogenkonsum, nikotin, sport, bewegung, ernahrung, packyears, suchtmittel
beliefs: partei, wahlabsicht, wahlbeteiligung, politische einstellung, gewerkschaft, parteineigung
diagnosis: hd, nd, hauptdiag, nebendiag, nebendiagnose, nebendiagnosen, hauptdiagnose, aufnahmediagnose,
    einweisungsdiagnose, entlassungsdiagnose, entlassdiagnose, verlegungsdiagnose, einweisungsdiag, diag art,
    diagnoseart, diagnoseart kode, icd kode, icd code haupt, icd version, diagnosesicherheit, diagnosesich,
    diag sicherheit, hauptdiagnose icd, icdkode, icd schlussel, lokalisation, seite diagnose, sekundardiagnose,
    sekundar kode, tumor, tumordiagnose, primartumor, tnm, tnm t, tnm n, tnm m, stadium, uicc, morphologie,
    histologie, grading, metastasen, metastase, krankheitsbild, vorerkrankung, vorerkrankungen, komorbiditat,
    begleiterkrankung, allergien, au diagnose, symptome, symptomatik, mdc, drg fall, pccl, schweregrad,
    seitenlokalisation
treatment: ops kode, opskode, ops version, prozedur, prozeduren, operationen, op art, op code, op schlussel,
    belegoperateur, beleganasthesist, op, beatmung, beatmungsstunden, intensivmedizin, therapieart, strahlentherapie,
    chemo, gebuhrenordnungsposition, ebm, goae, gop, goanr, gebuhrennummer, leistung, leistungen, reha, heilmittel,
    hilfsmittel, operateur, narkose, impfstatus, geimpft, impfung datum, dialyse, transplantation, ziffer
medication: wirkstoff, pzn, atc code, arzneimittel, praparat, verordnung, dosis, dosierung, medikamente, ddd, rezept,
    packungsgrosse, pzn code, anzahl packungen, antibiotika, schmerzmittel
result: laborwerte, messwert, befunde, laborergebnis, blutdruck, rr syst, rr diast, systolisch, diastolisch, puls,
    temperatur, hb, kreatinin, blutzucker, cholesterin, leukozyten, thrombozyten, ergebnis test, ph wert, apgar 5,
    testergebnis, testresultat, prufwert, wert, einheit wert, referenzbereich, crp wert, sauerstoffsattigung
outcome: genesen, hospitalisiert, verlaufsstatus, progress, rezidiv, komplikation, komplikationen, wiederaufnahme
death: tod, todesursache, gestorben, sterbefall, vitalstatus, tod tumorbedingt, todesfall, neuer todesfall,
    sterblichkeit
use: anzahl fälle, anzahl arztkontakte, arztkontakte, krankenhausaufenthalte, anzahl aufenthalte
disposition: entl grund, entl art, entlassungs grund, entlassungsgrund code, verlegt nach, entlassung nach,
    entlassen nach, entlgr
survey_weight: gewichtung, hochrechnung, hrf, gew faktor, gewicht hochrechnung, standardhochrechnungsfaktor,
    querschnittsgewicht, hochrechnungsgewicht, personengewicht
count: anzahl falle, anzahl fall, fallzahl, einwohner, einwohnerzahl
"""
