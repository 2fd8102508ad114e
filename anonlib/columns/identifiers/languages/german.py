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
    aufnahmenr, aktenzeichen, krankenaktennummer, patientenpseudonym, pseudonym patient, patient pseudonym, bewohner
    id
person: probandennr, teilnehmer id, teilnehmernummer, personennummer, personen nr, personennr, mitglieds nr,
    mitgliedsnummer, befragten id, lfd nr, laufende nummer, idnr, interviewnummer, interview nr, befragtennummer,
    befragungsnummer, personenidentifikator, pseudonym person
household: haushaltsnummer, haushaltsnr, haushalts id, haushalt nr, nummer haushalt, identifikator haushalt
birth_date: gebdat, geb dat, geb, geb dt, geb monat, gebj, gebjahr, geb j, geburtsmonat, geburtsjahrgang, jahrgang
age: alt, alter jahre, alter in jahren, alter in tagen, alter in jahren am aufnahmetag, alter in tagen am aufnahmetag,
    alter monate, alters gruppe, altersklasse, alterskategorie, altersgr, alter aufnahme, alter diagnose, altg, agegr,
    alter funfjahresgruppen, alter in gruppen, alter befragten, alter heirat, alter kind, alter jungstes kind
event_date: aufnahme dat, aufn dat, aufnahmedat, aufnahmetag, entl dat, entlassung datum, entl datum, entlassungstag,
    datum aufnahme, datum entlassung, diagnosedatum, datum diagnose, meldedatum, refdatum, erkrankungsbeginn, op
    datum, ops datum, tag opeingriff, behandlungsbeginn, behandlungsende, beginn, ende, beginndatum, endedatum,
    leistungsdatum, verordnungsdatum, abgabedatum, ausstellungsdatum, untersuchungsdatum, besuchsdatum, termin,
    zeitpunkt, zeitstempel, monat, quartal, jahr, berichtsjahr, aufnahmemonat, abrechnungsquartal, wochentag, fab
    aufnahmedatum, fab entlassungsdatum, verlegungsdatum, versichert seit, verdatbeginn, verdatende, todesjahr,
    sterbejahr, sterbemonat, datum verordnung, datum abgabe, datum leistung, interviewdatum, erhebungsdatum,
    befragungsdatum, au beginn, au ende, kalenderwoche, kw, jahr monat, monat jahr, befragungsmonat, interviewmonat,
    befragungsjahr, tag interview, monat interview, quartal interview, zeitpunkt aufnahme, zeitpunkt abnahme,
    abnahmedatum, abnahmezeit, entnahmedatum
event_time: aufnahme uhrzeit, entlassung uhrzeit, zeit, stunde, ankunftszeit
injury: unfallkennzeichen, unfallhergang, verletzungsursache, wegeunfall, arbeitsunfall
length_stay: vwd, vwd tage, verweildauer tage, verweildauer intensiv, intensivtage, pflegetage, fab verweildauer, icu
    tage, au tage, dauer aufenthalt, aufenthaltstage, behandlungstage, berechnungstage, arbeitsunfahigkeitstage,
    krankheitstage
department: fab, fachabt, fachabteilungsschlussel, abt, abteilung name, klinik abteilung, stat, stationsname,
    bettenstation, fachgruppe, arztgruppe, facharztgruppe, fachgebiet arzt, entlassende abteilung, aufnehmende
    abteilung
visit_type: aufnahme art, fall art, aufn grund, aufn anlass, art der aufnahme, art des falls, einweisung, zuweiser,
    zuweisung, verlegt von, notfall, notaufnahme, stationar, ambulant, teilstationar, behandlungsfall art,
    leistungsart, einweisungsgrund, scheinart, inanspruchnahme, aufnahmestatus, pflegeart, geburtsmodus,
    entbindungsart
sex: geschl, gesch, sex code, geschlecht patient, geschlecht code, mw, anrede
race: ethnie, hautfarbe, ethnische herkunft
birth_place: geb ort, geburts ort, geburtsbundesland, geburtskreis
nationality: nationalitat code, staatsang, staatsangeh, staatsangehorigkeit code, migrationshintergrund, migration,
    zuzugsjahr, aufenthaltsstatus, auslander, herkunftsland vater, wohnsitzland, zuzug, deutschland geboren, in
    deutschland geboren, deutsche staatsburgerschaft, staatsburgerschaft, deutsche staatsangehorigkeit, zuwanderung,
    zuwanderungsjahr, zugezogen, geboren ausland, einreisejahr, eltern geboren, vater geboren, mutter geboren
marital: fam stand, famstand, familienstand code, zivilstand, verheiratet, partnerschaft, lebt mit partner, partner
    zusammen, partner haushalt, feste partnerschaft, zusammenlebend, ehepartner, lebenspartner, eheschliessung,
    getrennt lebend
education: bildungsgrad, bildungsstand, schulbildung, hochster schulabschluss, schulabschl, berufsausbildung,
    ausbildungsabschluss, bildungsniveau, schultyp, schulform, studium, ausbildung, allgemeinbildender schulabschluss,
    hochster abschluss, beruflicher abschluss, hochster beruflicher abschluss, berufsabschluss, beruflicher
    ausbildungsabschluss, berufsbildung, schulbesuch, ausbildung vater, schulabschluss vater, schulabschluss mutter,
    bildung vater, bildung mutter, weiterbildung, ~lehre, hochschulabschluss, ~abschluss, schuljahre, bildungsjahre
occupation: tatigkeit, berufsbezeichnung, ausgeubter beruf, tatigkeitsschlussel, berufsschlussel, kldb, berufl
    stellung, beruf vater, beruf mutter, berufsprestige, erster beruf, berufsklasse, soziale schicht,
    schichtzugehorigkeit
workclass: erwerbsstatus, erwerbstatig, erwerbstatigkeit, beschaftigung status, berufstatig, branche,
    wirtschaftszweig, stellung im beruf, arbeitslos, rentner, arbeitszeit, wochenarbeitszeit, erwerbsform, erwerbstyp,
    berufliche stellung, stellung beruf, berufliche position, erwerbsbeteiligung, derzeitige erwerbstatigkeit,
    berufstatigkeit, wochentliche arbeitszeit, arbeitsstunden, uberstunden, arbeitsvertrag, arbeitsvertrag befristet,
    befristet, befristung, befristeter vertrag, vollzeit, teilzeit, vollzeit teilzeit, minijob, geringfugig
    beschaftigt, nebentatigkeit, nebenjob, offentlicher dienst, betriebsgrosse, unternehmensgrosse, grosse betrieb,
    vorgesetzter, fuhrungsposition, leitungsfunktion, schichtarbeit, nachtarbeit, wochenendarbeit, telearbeit,
    arbeitsweg, pendeln, pendler, arbeitsort, arbeitssuchend, arbeitslosigkeit, arbeitslos gemeldet, sucht arbeit,
    selbststandig, wirtschaftsbereich, erwerbsloser, hauptbeschaftigung, hausfrau, arbeitsstelle, ~arbeitsplatz,
    sozialversicherungspflichtig, hauptberuf, beschaftigungsumfang, elternzeit, mutterschutz, arbeitsbedingungen,
    schichtdienst
language: muttersprache code, sprache zuhause
religion: religionszugehorigkeit, religionsgemeinschaft, konf, kirchenzugehorigkeit, glaube
region: bundesland code, bdl, land, wohnregion, raumtyp, siedlungstyp, gemeindegrossenklasse, gemeindegrosse, kv
    region, regierungsbezirk, regionstyp, siedlungsstruktur, stadt land, ost west, politische gemeindegrossenklasse,
    gemeindegrossenklassen, ortsgrosse, wohnortgrosse, grosse wohnort, einwohnerzahl wohnort, kreistyp,
    siedlungsstruktureller kreistyp, gemeindetyp, gebietstyp, verdichtungsraum, grad urbanisierung, stadtregion, alte
    neue bundeslander, erhebungsgebiet, west ost, region wohnort, wohngegend, deprivationsindex, grossstadt, landlich,
    ballungsraum
facility: ik nr, ik nummer, institutionskennzeichen, khname, standort, standortnummer, standort id, khpseudo,
    krankenhaus ik, krankenhausname, praxis, praxis id, bsnr, betriebsstatte, betriebsstattennummer, einrichtung id,
    zentrum, hauskennzeichen, arztpseudo, apotheke, betriebsnummer, pflegeheim, heim
relationship: kinder anzahl, anzahl kinder, anz kinder, haushaltsgrosse, haushaltstyp, personen im haushalt, anzahl
    personen haushalt, hh grosse, hhgr, alleinlebend, alleinerziehend, lebensform, paritat, geschwister, mehrling,
    mehrlinge, familientyp, angehorige, lebensgemeinschaft, stellung im haushalt, beziehung haushaltsvorstand, zahl
    personen haushalt, personen haushalt, haushaltsmitglieder, personen unter, unter 14 jahren haushalt, zahl kinder,
    kinder unter, kinder haushalt, eigene kinder, jungstes kind, haushaltszusammensetzung, haushaltsvorstand,
    bezugsperson, verhaltnis bezugsperson, generationen haushalt, lebt allein, allein lebend, zahl geschwister,
    bruder, schwestern, enkel, erwachsene haushalt, pflege angehorigen, angehorige pflegen, eltern, kinderbetreuung,
    ~enkelkinder
housing: wohnform, wohnsituation, wohnflache, miete, eigentum wohnung, anzahl raume, baujahr, wohnung, haustyp, pkw,
    anzahl zimmer, zur miete, miete oder eigentum, mieter, eigentumer, wohneigentum, eigentum, eigenheim, hauptmieter,
    zahl wohnraume, wohnraume, anzahl wohnraume, ~zimmer, zimmerzahl, schlafzimmer, ~kuche, =bad, badezimmer, ~dusche,
    balkon, terrasse, ~garten, ~heizung, heizungsart, beheizung, art beheizung, art heizung, energietrager,
    warmwasser, gebaudetyp, ~gebaude, wohngebaude, art gebaude, wohngebaudetyp, baualter, bauperiode, einzugsjahr,
    eingezogen, wohndauer, quadratmeter, flache wohnung, grosse wohnung, ~autos, anzahl autos, kraftfahrzeug,
    ~motorrad, ~fahrrad, waschmaschine, spulmaschine, geschirrspuler, fernseher, kuhlschrank, computer haushalt,
    internetanschluss, internetzugang, festnetz, handy haushalt, haustiere, haustier, ~hund, ~katze, trinkwasser,
    toilette, feuchte wande, feuchtigkeit wohnung, ~larm, larmbelastigung, strassenlarm, wohnumfeld, aufzug,
    barrierefrei, zustand haus, einzug, besitz auto, ~haus, ~wohnraum, wohnlage, haus garten
veteran: wehrdienst, zivildienst
body: korpergewicht kg, gewicht kg, grosse cm, korpergr, geburtsgewicht, geb gewicht, kopfumfang, gew, bauchumfang,
    hufte, bmi kategorie, korperlange, geburtslange, blutgruppe, handigkeit, gewicht aufnahme, grosse aufnahme,
    gewicht kind, grosse kind, taillenumfang, huftumfang, korperoberflache, gewicht bei geburt
income: haushaltseinkommen, netto einkommen, nettoeinkommen, hh einkommen, bruttoeinkommen, einkommensklasse,
    aquivalenzeinkommen, sozialhilfe, alg ii, transferleistungen, vermogen, armut, soziookonomischer status,
    haushaltsnettoeinkommen, nettoeinkommen haushalts, monatliches nettoeinkommen, personliches einkommen,
    einkommensgruppe, einkommensquintil, nettoaquivalenzeinkommen, rente, rentenbezug, kindergeld, wohngeld,
    arbeitslosengeld, burgergeld, grundsicherung, elterngeld, bafog, ersparnisse, urlaub leisten, ~leisten, kann
    leisten, woche urlaub, kaltmiete, warmmiete, miethohe
postcode: plz wohnort, plz patient, plz 3, plz 2, plz 5, wohnort plz, plzkl
city: wohnort patient, wohn ort, landkreis name, kreis name, wohnkreis, gemeinde name, ortsteil, stadtteil,
    stadtbezirk
area: gem kz, gemeinde nr, gemeindekennziffer, kreisschlussel, kreiskennziffer, kreis nr, ags 5, ags 8, idlandkreis,
    idbundesland, wohnort schlussel, regionalschlussel, kreiskz, kgs, rohdaten kreis, gkz
note: freitext feld, notiz, notizen, arztbrief, epikrise, befundtext, verlauf, bem, hinweis, klartext,
    freitextdiagnose
insurance: kasse, kassenname, kassenart, krankenkassen, versicherung art, versichertenstatus, versichertenart, vers
    art, versichert, versichertenverhaltnis, ik der krankenkasse, krankenkasse ik, krankenversicherung, kv art, privat
    versichert, gkv pkv, kostentr, kostentrager ik, kassen ik, zuzahlungsbefreiung, betriebsnummer kasse, bnr,
    pflegegrad, pflegestufe, pflegekasse, versgrup, zusatzversicherung, mitgliedschaft
salary: gehalt brutto, bruttolohn, nettolohn, verdienst, zahlungsruckstande, ruckstande, mietruckstande, mietschulden,
    verschuldung, uberschuldung, kredit, finanzielle lage, finanzielle situation, wirtschaftliche lage, geldsorgen,
    zahlungsschwierigkeiten, zufriedenheit einkommen, zufriedenheit haushaltseinkommen, stundenlohn, monatslohn
costs: entgeltbetrag, entgelte, rechnungsbetrag, betrag, fallkosten, gesamtbetrag, erlos drg, summe, kosten gesamt,
    leistungsausgaben, bruttokosten, preis, zuzahlung, punktzahl, entgelt art, entgeltart, effektivgewicht,
    relativgewicht
hiv: covid 19, impfdurchbruch, infektionsstatus, hepatitis status, mrsa, vre, erreger, coronavirus
sexual: schwangerschaft, schwangerschaftswoche, ssw, tragzeit, gestationsalter, geburten, fehlgeburten, verhutung,
    sexuelle orientierung, gravida para, wechseljahre, stillen, gestillt, kinderwunsch, verhutungsmittel, anzahl
    schwangerschaften
mental: psychische, depressiv, angst, suizid, einsamkeit, lebenszufriedenheit, demenz, stimmung, niedergeschlagenheit,
    niedergeschlagen, traurig, traurigkeit, hoffnungslos, wenig interesse, ~freude, nervositat, ~belastung,
    psychisches wohlbefinden, wohlbefinden, ~zufriedenheit, ~zufrieden, zufriedenheit leben, zufriedenheit gesundheit,
    gluck, glucklich, schlaf, schlafdauer, schlafstorungen, schlafqualitat, mude, mudigkeit, sorgen, soziale
    unterstutzung, ~unterstutzung, einsam, isolation, selbstwert, personlichkeit, burnout, essstorung, phq 9, phq 2,
    gad 7, sorgen um, ~angstlich, ~nervos
health: gesundheitszustand, allgemeiner gesundheitszustand, behinderung, grad behinderung, gdb, schwerbehinderung,
    schwerbehindert, einschrankung, beschwerden, schmerz, schmerzen, pflegebedurftig, pflegebedurftigkeit, chronisch
    krank, chronische erkrankung, chronische krankheit, krankheiten, karnofsky, ecog, nyha, gesundheitszustand
    allgemeinen, ~gesundheit, subjektive gesundheit, gesundheitsproblem, krankheit gesundheitsproblem, einschrankung
    krankheit, einschrankung alltag, einschrankungen, lang andauernde krankheit, chronische, beeintrachtigung,
    beeintrachtigungen, ~sehen, ~horen, ~gehen, sehschwierigkeiten, horschwierigkeiten, krank gemeldet, krankentage,
    fehltage, krankmeldung, ruckenschmerzen, kopfschmerzen, migrane, zahne, mundgesundheit, ~fieber, ~husten,
    durchfall, lebensqualitat, korperliche gesundheit, hilfebedarf, pflegebedarf, rollstuhl, brille, horgerat,
    schwierigkeiten, arbeitsunfahigkeit, gesundheitliche
lifestyle: rauchstatus, rauchverhalten, raucher status, zigaretten, zigaretten pro tag, alkoholkonsum, drogen,
    drogenkonsum, nikotin, sport, bewegung, ernahrung, packyears, suchtmittel, rauchen sie, raucht, tabak, e
    zigarette, e zigaretten, nikotinkonsum, haufigkeit alkoholkonsums, alkoholkonsums, alkoholische getranke, bier,
    wein, schnaps, spirituosen, glaser, rauschtrinken, trinkmenge, obst, gemuse, obst gemuse, obst und gemuseverzehr,
    gemuseverzehr, obstverzehr, fleisch, fleischkonsum, fisch, fruhstuck, zucker, limonade, suessgetranke, fast food,
    vegetarisch, vegan, ernahrungsverhalten, essverhalten, diat, kaffee, tee, sportliche, stunden sport, sport woche,
    korperliche aktivitat, aktivitat, spaziergang, zu fuss, radfahren, sitzen, sitzzeit, bildschirmzeit, fernsehen,
    drogenerfahrung, glucksspiel, medikamentenmissbrauch, hygiene, handewaschen, zahneputzen, freizeit,
    internetnutzung, treffen freunden, freunde treffen, freizeitaktivitaten, fleisch essen
beliefs: partei, wahlabsicht, wahlbeteiligung, politische einstellung, gewerkschaft, parteineigung, vertrauen,
    vertrauen in, vertrauen menschen, vertrauen bundestag, demokratie, zufriedenheit demokratie,
    demokratiezufriedenheit, zufriedenheit regierung, interesse politik, politisches interesse, ~politik, ~politisch,
    links rechts, links rechts selbsteinstufung, sonntagsfrage, welche partei, ~wahl, ~wahlen, bundestagswahl,
    gewahlte partei, zweitstimme, erststimme, einstellung, einstellungen, ~meinung, ~ansicht, ~zustimmung, stimme zu,
    befurwortung, ~ablehnung, todesstrafe, schwangerschaftsabbruch erlaubt, homosexualitat, homosexuelle, zuwanderer,
    fluchtlinge, einwanderung, ~integration, muslime, juden, frauen sollten, geschlechterrollen, rollenbilder,
    ~umweltschutz, klimawandel, europaische union, nationalstolz, gottesdienst, kirchgang, kirchgangshaufigkeit,
    gottesdienstbesuch, religiositat, gebet, beten, glaube gott, gewerkschaftsmitglied, gewerkschaftsmitgliedschaft,
    demonstrationsteilnahme, burgerinitiative, ehrenamt, vereinsmitglied, ~werte, wichtigkeit, diskriminiert,
    diskriminierung, diskriminierungserfahrung, kriminalitatsfurcht, sicherheitsgefuhl, subjektive schicht, rassismus,
    gerechtigkeit, ungleichheit, ~wichtig, ~gerecht
diagnosis: hd, nd, hauptdiag, nebendiag, nebendiagnose, nebendiagnosen, hauptdiagnose, aufnahmediagnose,
    einweisungsdiagnose, entlassungsdiagnose, entlassdiagnose, verlegungsdiagnose, einweisungsdiag, diag art,
    diagnoseart, diagnoseart kode, icd kode, icd code haupt, icd version, diagnosesicherheit, diagnosesich, diag
    sicherheit, hauptdiagnose icd, icdkode, icd schlussel, lokalisation, seite diagnose, sekundardiagnose, sekundar
    kode, tumor, tumordiagnose, primartumor, tnm, tnm t, tnm n, tnm m, stadium, uicc, morphologie, histologie,
    grading, metastasen, metastase, krankheitsbild, vorerkrankung, vorerkrankungen, komorbiditat, begleiterkrankung,
    allergien, au diagnose, symptome, symptomatik, mdc, drg fall, pccl, schweregrad, seitenlokalisation
treatment: ops kode, opskode, ops version, prozedur, prozeduren, operationen, op art, op code, op schlussel,
    belegoperateur, beleganasthesist, op, beatmung, beatmungsstunden, intensivmedizin, therapieart, strahlentherapie,
    chemo, gebuhrenordnungsposition, ebm, goae, gop, goanr, gebuhrennummer, leistung, leistungen, reha, heilmittel,
    hilfsmittel, operateur, narkose, impfstatus, geimpft, impfung datum, dialyse, transplantation, ziffer, grippe
    geimpft, gegen grippe, grippeimpfung, impfungen, krebsfruherkennung, vorsorgeuntersuchung, fruherkennung,
    darmspiegelung, mammographie, gesundheitsuntersuchung, physiotherapie, dauer beatmung, beatmungsdauer,
    beatmungsform, sauerstoffgabe, bluttransfusion, transfusion, ~infusion
medication: wirkstoff, pzn, atc code, arzneimittel, praparat, verordnung, dosis, dosierung, medikamente, ddd, rezept,
    packungsgrosse, pzn code, anzahl packungen, antibiotika, schmerzmittel, medikamenteneinnahme,
    arzneimitteleinnahme, blutdrucksenker, tagesdosis, laufrate, einzeldosis, gesamtdosis, dosis mg, antibiotikum,
    antibiotikagabe, katecholamine, vasopressoren, sedierung, sedativum, opioide, opiat, kortison, blutverdunner,
    antikoagulation, insulin gesamt, infusionsrate, heparin, noradrenalin, adrenalin, dobutamin, morphin, furosemid,
    paracetamol, prednisolon, marcumar, pille
result: laborwerte, messwert, befunde, laborergebnis, blutdruck, rr syst, rr diast, systolisch, diastolisch, puls,
    temperatur, hb, kreatinin, blutzucker, cholesterin, leukozyten, thrombozyten, ergebnis test, ph wert, apgar 5,
    testergebnis, testresultat, prufwert, wert, einheit wert, referenzbereich, crp wert, sauerstoffsattigung,
    laborparameter, ~messung, natrium, kalium, calcium, kalzium, magnesium, chlorid, phosphat, kreatinin serum,
    harnstoff, harnsaure, glukose, nuchternblutzucker, hamoglobin, hamatokrit, erythrozyten, lymphozyten, neutrophile,
    thrombo, leuko, quick, gerinnung, ptt, fibrinogen, d dimere, bilirubin gesamt, got, gpt, gamma gt, alkalische
    phosphatase, lipase, amylase, ldh, kreatinkinase, troponin, c reaktives protein, procalcitonin, blutsenkung,
    ferritin, ~eisen, transferrin, tsh, schilddrusenwerte, cortisol, gesamtcholesterin, triglyzeride, triglyceride,
    gesamteiweiss, laktat, bikarbonat, basenuberschuss, blutgase, blutgasanalyse, ph wert arteriell, urinmenge,
    urinausscheidung, flussigkeitsbilanz, ~bilanz, ein ausfuhr, urinstatus, blutdruck systolisch, blutdruck
    diastolisch, mitteldruck, herzfrequenz, herzrhythmus, atemfrequenz, korpertemperatur, sattigung, pulsoximetrie,
    glasgow, glasgow koma, koma skala, schmerzskala, schmerzscore, schmerzintensitat, lungenfunktion,
    ejektionsfraktion, sehscharfe, hortest, blutkultur, ~kultur, antikorper, mmol l, mg dl, g dl, ng ml, mmhg
outcome: genesen, hospitalisiert, verlaufsstatus, progress, rezidiv, komplikation, komplikationen, wiederaufnahme
death: tod, todesursache, gestorben, sterbefall, vitalstatus, tod tumorbedingt, todesfall, neuer todesfall,
    sterblichkeit
use: anzahl fälle, anzahl arztkontakte, arztkontakte, krankenhausaufenthalte, anzahl aufenthalte, besuch zahnarzt,
    zahnarzt, zahnarztbesuch, letzter besuch zahnarzt, arztbesuch, hausarztbesuch, facharzt, krankenhausaufenthalt,
    krankenhausnachte, notaufnahmebesuche, rettungsdienst, psychotherapeut
disposition: entl grund, entl art, entlassungs grund, entlassungsgrund code, verlegt nach, entlassung nach, entlassen
    nach, entlgr
survey_weight: gewichtung, hochrechnung, hrf, gew faktor, gewicht hochrechnung, standardhochrechnungsfaktor,
    querschnittsgewicht, hochrechnungsgewicht, personengewicht, designgewicht, anpassungsgewicht, gewichtungsvariable,
    fallgewicht, haushaltsgewicht
count: anzahl falle, anzahl fall, fallzahl, einwohner, einwohnerzahl
fieldwork: erhebungswelle, =welle, befragungswelle, erhebungsart, erhebungsmodus, erhebungsmethode, befragungsmodus,
    befragungsart, interviewart, interviewdauer, dauer interview, dauer des interviews, befragungsdauer,
    fragebogenversion, fragebogen version, =split, splitversion, datenquelle, =quellsystem, =quelle, =datenstand,
    =version, studiennummer, imputationskennzeichen, proxy interview, datensatzversion, erhebungsteil
"""
