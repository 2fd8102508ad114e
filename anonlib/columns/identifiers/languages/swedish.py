"""Names of columns in Swedish, with the Danish and Norwegian words that are close."""

SWEDISH = """
email: epost, e post, epostadress, mejl, mejladress
phone: mobil, telefonnr, telefonnummer, mobilnummer, mobiltelefon, tlf
ssn: personnr, pnr, persnr, personnummer, samordningsnummer, fodselsnummer, cpr, cprnr, cpr nummer, lopnummer person,
    personbeteckning
health_plan: forsakringsnummer, forsakringsnr
account: kontonr, bankkonto, fakturanummer, bankgiro
passport: passnummer, korkort, korkortsnummer
address: gatuadress, gata, bostadsadress, postadress, adress, folkbokforingsadress, gatunummer
name: namn, fornamn, efternamn, tilltalsnamn, lakare, ansvarig lakare, behandlande lakare, anhorig, patientnamn,
    kontaktperson, mellannamn, lakarens namn, forskrivare
mrn: journalnummer, journalnr, patientid, patient id, patientnr, lopnr, lopnummer, vardtillfalle id, vtfid,
    remissnummer, lpnr, besoksid, bpnr, lopnr mor, lopnrmor, lopnrbarn, lopnr barn, vardkontakt id
person: individ id, deltagar id, respondentnr, intervjupersonens id, individnummer, lopnr far, lopnrfar, deltagarid,
    person nr, idnr, intervjuperson, intervjunummer, ip nummer
household: hushallsnummer, hushallsid, familjeid, famid, familjeidentitet, hushallsnr, hushalls id, hushallets nummer
birth_date: fodelsedatum, fodelsear, fodelsemanad, fodelsedag, fodar, fodd, fodelsemån, fodelsearman, fodelsedatum
    barn, fodarman, fodelseartal, fodman, fodelsetid
age: alder, alder ar, alder vid inskrivning, aldersgrupp, aldersklass, alder diagnos, mors alder, malder, alder mor,
    alder vid diagnos, alder manader, alder vid dod, aldersgr, aldgr, far alder, falder, alder forsta barn, alder
    yngsta barn
event_date: inskrivningsdatum, utskrivningsdatum, indatum, utdatum, indatuma, utdatuma, dodsdatum, dodsar,
    besoksdatum, operationsdatum, opdatum, diagnosdatum, diadat, datum, datum in, datum ut, provdatum,
    provtagningsdatum, ar, manad, vecka, kvartal, inskrivningsar, utskrivningsar, datum besok, datum operation, datum
    diagnos, edatum, expedieringsdatum, fdatum, forskrivningsdatum, startdatum, slutdatum, vaccinationsdatum, datum
    for, undersokningsdatum, remissdatum, invandringsar, senaste invandringsar, invdatum, intervjudatum, skrivdatum,
    datum vardkontakt, utvandringsdatum, dodsdat, dodmanad, forlossningsdatum, bfodat, besoksar, invar, senaste
    invandring, utvandring, sistamens, dodsdatn, diagnosar, intervjumanad, intervjuar, kvartal intervju,
    referensvecka, provtagningstid, datum provtagning
event_time: inskrivningstid, ankomsttid, klockslag, timme, tid, utskrivningstid, fodelsetidpunkt
injury: olycka, olyckstyp, skadeorsak, yttre orsak, orsakskod, ekod, skada, skademekanism, ekod 1
length_stay: vardtid, vardtid dagar, vtid, vardtidsdagar, antal vardtidsdagar, antal varddagar, vistelsetid,
    varddagar, antal dagar, iva dagar, vardlangd, sjukskrivningsdagar, sjukpenningdagar, liggtid
department: klinik, klinikkod, vardavdelning, avdelning, avd, mvo, medicinskt verksamhetsomrade, verksamhetsomrade,
    specialitet, enhet, basenhet, vardenhet, enhetskod, mottagning, sjukhusavdelning, forskrivarens specialitet, yrke
    specialitet
visit_type: inskrivningssatt, insatt, inskrivningsorsak, planerad, pvard, planerad vard, akut, akutbesok, vardform,
    besokstyp, kontaktorsak, vardkontakttyp, remiss, sokorsak, sluten vard, oppen vard, typ av besok,
    forlossningssatt, forlstart, vardniva, vardform psykiatrisk, psykiatrisk vardform, lptlrv, ankomstsatt, kommer
    fran, frivillig
sex: kon, juridiskt kon, koen, kjonn, kon patient, bkon, barnets kon, mors kon, konkod
race: etnisk bakgrund, etnicitet, folkgrupp
birth_place: fodelseort, fodelsekommun, fodelselan, fodelseforsamling, fodelsehemort, fodlan, fodkommun
nationality: medborgarskap, medbland, medborgarskapsland, medgrp, medbgrupp, fodelseland, fodland, fodelselandgrupp,
    fodgrp, utlandsk bakgrund, utlsvbakg, ursprungsland, landkod, land, nationalitet, mfodland, invandrad, hemland,
    migrationsbakgrund, fodelseland mor, mors fodelseland, medbgrp, grund for bosattning, bakgrund, statsborgerskab,
    fodd utomlands, fodd sverige, ar invandring, foraldrars fodelseland
marital: civilstand, civst, civil, civilstatus, gift, sambo, sambostatus, famsit, familjesituation, skild, sivilstand,
    samboende, bor med partner, make maka, gift sambo
education: utbildning, utbildningsniva, hogsta utbildning, sun 2000 niva, sun 2000 inr, sun 2000niva, sun 2020 niva,
    sun, utbniva, mutbniva, skolgang, utbildningslangd, skola, utbildningsinriktning, hutbsun, uddannelse, utdanning,
    studerande, studiedeltagande, betyg, hogsta avslutade utbildning, hogsta examen, faderns utbildning, moderns
    utbildning, ~kurs
occupation: yrke, yrkeskod, ssyk, ssyk 3, ssyk 4, befattning, mors yrke, ssyk 4 2012, yrkesgrupp, faderns yrke,
    moderns yrke, socialgrupp, socioekonomisk grupp, socioekonomisk indelning
workclass: sysselsattning, syssstat, syssstat 11, arbetsgivare, arbetslos, arbetsloshet, anstallning,
    anstallningsform, arbete, sektor, bransch, sni, naringsgren, astsni, astsni 2007, pensionar, arbetstid,
    yrkesstallning, yrkstalln, yrkesverksam, forvarvsarbetande, sysselsattningsstatus, arbetsplats, cfarnr, peorgnr,
    antal anstallda, arbetar, arbetsmarknadsstatus, tillsvidareanstalld, tidsbegransad anstallning, veckoarbetstid,
    arbetade timmar, heltid, deltid, heltid deltid, foretagsstorlek, arbetsstallets storlek, arbetsledare, ~chef,
    skiftarbete, nattarbete, hemarbete, distansarbete, pendling, restid arbete, arbetssokande, soker arbete,
    forvarvsarbetar, egenforetagare, bisyssla
language: sprak, modersmal, tolk, tolkbehov
religion: trossamfund, tro
region: lan, lankod, landsting, region, regionkod, lanstillhorighet, hemlan, bostadslan, sjukvardsregion, hregion,
    vardregion, storstad, glesbygd, kommungrupp, landsdel, regiontyp, h region, lk lan, sjvregion, kommunstorlek,
    ortsstorlek, storlek ort, tatortsgrad, urbaniseringsgrad, typ kommun, landsbygd, stad land, riksomrade, bostadsort
    storlek
facility: sjukhus, sjukhuskod, sjukhusnamn, vardcentral, vardgivare, halso sjukvardsenhet, hsaid, hsa id, inrattning,
    apotek, vardenhet namn, mottagande sjukhus, arbetsplatskod, arbstid, arbetsstalle, boende, mvc, sjukhus kod
relationship: antal barn, barn, hushallsstorlek, hushallstyp, familjetyp, famtyp, famtypf, famstf, familjestallning,
    antal personer, ensamboende, ensamstaende, paritet, tidigare barn, antal hemmavarande barn, hemmavarande, barn 0
    3, barn 18, barn 04 06, sys kon, syskon, tvilling, flerbord, bordf 2, bordnrf 2, borddf, boendeform familj, antal
    foster, bordf, hushall, tidigare forlossningar, graviditetsnummer, antal i hushallet, sammanboende, antal vuxna,
    barn under 18, bforalder, bor med, antal personer hushall, personer hushallet, hushallets sammansattning,
    hemmavarande barn, barn hushallet, barn under, yngsta barnet, relation till referensperson, bor ensam, barnbarn
housing: boende form, bostad, bostadstyp, upplatelseform, hyra, antal rum, boendeform, bostadsratt, boyta, bil, typ av
    bostad, typ bostad, hustyp, agd bostad, hyresratt, aganderatt, hyresgast, ~agare, =rum, sovrum, kok, badrum,
    dusch, uppvarmning, varmvatten, bostadsyta, byggar, byggnadsar, inflyttningsar, flyttat, tradgard, balkong, hiss,
    ~garage, ~bilar, antal bilar, motorcykel, cykel, tvattmaskin, diskmaskin, kylskap, teve, =tv, dator, ~internet,
    bredband, fast telefon, husdjur, ~hund, katt, dricksvatten, toalett, fukt, fuktskador, buller, trangboddhet,
    fritidshus, lagenhet
veteran: varnplikt, militartjanst
body: langd, vikt, langd cm, vikt kg, fodelsevikt, bviktbs, bvikt, blangd, mvikt, mlangd, bmi kategori, midjematt,
    huvudomfang, bhuvud, kroppsvikt, mors vikt, mors langd, midjeomfang, mviktfore, blodgrupp, viktgrupp, kroppslangd,
    hoftomfang, bmi klass
income: inkomst, disponibel inkomst, dispinkke, dispinkfam, dispink, hushallsinkomst, forvarvsinkomst, forvers,
    sammanraknad forvarvsinkomst, csfvi, ekonomisk standard, socialbidrag, socbidrfam, bidrag, pension, inkomstklass,
    arbetsinkomst, kapitalinkomst, forsorjningsstod, kaptink, inkomst av, sjukpenning, fortid, alkas, fattigdom,
    kdispink, sjukpp, studmed, sambidrag, sjukersattning, foraldrapenning, forpeng, ekonomiskt bistand, nettoinkomst,
    inkomstkvintil, bostadsbidrag, barnbidrag, ~sparande, ~semester, rad med semester, =rad, oforutsedd utgift
postcode: postnr, postnummer, postkod, post nr, postnummer bostad
city: kommun, kommunkod, hemkommun, bostadsort, bostadskommun, postort, ort, stad, bostads kommun, folkbokforingsort,
    tatort, hemort, folkbokforingskommun, kommunnamn, forsamling, lk, lkf, lan kommun, lan kommun forsamling
area: forsamlingskod, deso, regso, sams, samsomrade, nyko, forskod, rutid, koordinat, xkoord, ykoord, omradeskod,
    bostadsomrade, statistikomrade, fastighetsbeteckning
note: fritext, anteckning, anteckningar, journaltext, kommentar, kommentarer, ovrigt, noteringar, fritexten,
    omvardnadsanteckning, utlatande, beskrivning text, doskort
insurance: forsakring, forsakringskassa, betalare, frikort, forsakringstyp, betalningsform, betalningsforbindelse,
    formanskod, hogkostnadsskydd, lokedkod, sjukskrivning, sjukskriven
salary: lon, loen, loneinkomst, manadslon, kontant lon, lonfink, kontant bruttolon, lonink, betalningsforseningar,
    obetalda rakningar, hyresskuld, ~skulder, ~skuld, ekonomisk situation, ekonomiska svarigheter, ekonomi hushall,
    svart klara ekonomin, timlon
costs: kostnad, totalkostnad, kostnader, pris, avgift, belopp, vardkostnad, ersattning, aup, patkost, patientkostnad,
    landstingskostnad, egenavgift, lkost, tkost, totkost, drg vikt, formanskostnad, patientavgift
hiv: smitta, provsvar covid, covid 19, hepatit, konssjukdom, smittad, smittland, pcr svar
sexual: graviditet, gravid, graviditetslangd, graviditetsvecka, grlangd, grdbs, grvbs, abort, missfall,
    preventivmedel, sexuell laggning, gestationsalder, ivf behandling, ofrivillig barnloshet, ofriblir, menstruation,
    klimakteriet, amning, tidigare missfall, forlossning, spontanabort, mobark, preventivmetod, ammar
mental: depression skattning, angest, sjalvmordsforsok, suicidforsok, psykisk, psykisk halsa, psykiatri, psykiatriska,
    ensamhet, demens, sjalvmord, oro, vard enligt lag, somn, ~nojd, ~nojdhet, livstillfredsstallelse, nojd med livet,
    lycka, lycklig, valbefinnande, psykiskt valbefinnande, nedstamd, nedstamdhet, ledsen, angslan, nervositet, trott,
    trotthet, timmar somn, somnproblem, ensam, socialt stod, sjalvkansla, personlighet
health: halsotillstand, allmant halsotillstand, sjalvskattad halsa, funktionsnedsattning, funktionshinder, kronisk
    sjukdom, langvarig sjukdom, smarta, vark, begransning, arbetsformaga, funktionsformaga, halsa, asa klass, asa,
    nedsatt, livskvalitet, ecog status, langvariga besvar, halsoproblem, nedsatt horsel, nedsatt syn, svart ga,
    rorelsehinder, sjukdagar, sjukfranvaro, ryggsmarta, huvudvark, migran, feber, hosta, diarre, glasogon, horapparat,
    tander, tandhalsa, vardbehov
lifestyle: rokning, roker, rokvanor, rok 1, rok 0, rok 2, snus, snus 1, alkoholvanor, alkoholkonsumtion, droger,
    drogmissbruk, narkotika, fysisk aktivitet, motion, kost, cigaretter, rokare, rok, snusning, alkohol, cannabisbruk,
    rokstatus, cigaretter per dag, snusar, e cigarett, alkoholhaltiga drycker, ol, starkol, sprit, ~glas, berusad,
    frukt, gronsaker, frukt gronsaker, kott, fisk, frukost, socker, lask, sotade drycker, snabbmat, matvanor,
    vegetarian, kaffe, motionerar, motionsvanor, traning, tranar, promenad, stillasittande, skarmtid, tv tittande,
    ~spel, spelar om pengar, internetanvandning, fritid, bilbalte
beliefs: parti, rostade, fackforening, politisk, fackmedlem, partisympati, fortroende, fortroende for, tillit, lita
    pa, ~politik, intresse politik, politiskt intresse, vanster hoger, rostat, =val, riksdagsval, demokrati, nojd
    demokratin, ~asikt, ~asikter, ~attityd, ~attityder, instammer, haller med, for emot, dodsstraff, abort asikt,
    dodshjalp, homosexualitet, homosexuella, invandrare, invandring, flyktingar, rasism, kvinnor bor, konsroller,
    ~miljo, ~klimat, klimatforandringar, europeiska unionen, stolt, gudstjanst, gudstjanstbesok, =bon, =ber, tror pa
    gud, religiositet, strejk, namninsamling, ideellt arbete, ~forening, ~varderingar, diskriminering, diskriminerad,
    otrygghet
diagnosis: huvuddiagnos, hdia, dia, dia 1, dia 2, bidiagnos, bidiagnoser, diagnos, diagnoskod, diagnoser,
    diagnosgrupp, icd 10 kod, icd kod, sjukdom, sjukdomar, mdia, mdiag, bdia, bdiag, bdiag 1, drg kod, diabetes typ,
    hypertoni, hogt blodtryck, stroke tidigare, hjartinfarkt, astma, kol, cancerdiagnos, tumor typ, stadium, tnm,
    symtom, besvar, allergi, komorbiditet, lage, icdo 3, icdo, icdo 10, pad, morfologi, snomed, snomedo 10, t stadium,
    tstad, nstad, mstad, sida, benign, reumatism, njursjukdom, missbildning, missbildningar, sjukdomshistoria, mors
    diagnos, multip, tumorlokalisation, forlossningsdiagnos, metastas, diagnosgrund, figo, lateralitet, diggr, ann
    arbor
treatment: atgard, atgarder, atgardskod, kva, kva kod, operation kod, op 1, operationer, operationskod, opkod,
    behandlingar, vaccin, vaccinerad, vaccinationsdos, kirurgi, stralbehandling, cellgifter, dialys, narkos,
    kejsarsnitt, sectio, intensivvard, kirurg, respirator, ingrepp, anestesi, epidural, sugklocka, rehabilitering,
    mop, secfore, transplantation, influensavaccin, mammografi, cellprov, koloskopi, respiratortid, ventilator,
    syrgas, blodtransfusion, ~infusion, sjukgymnastik
medication: lakemedel, lakemedelsnamn, lakemedelskod, atc kod, atckod, varunummer, varunr, antal forpackningar,
    antnum, forpddd, fddd, ddd, recept, dos, dosering, doser, lnamn, preparat, ordination, substans, styrka, styrknum,
    antal, antibiotika, insulinbehandling, lakemedelsform, produktnamn, lakemedelsanvandning, receptbelagda,
    mediciner, medicin, dygnsdos, total dos, infusionshastighet, smartstillande, antidepressiva, somnmedel, kortison,
    blodfortunnande, sedering, heparin, noradrenalin, adrenalin, morfin, furosemid, paracetamol
result: provsvar, provresultat, labbsvar, resultat, analysvarde, varde, blodtryck, blodtryck systoliskt, systoliskt,
    diastoliskt, puls, temperatur, kreatinin, blodsocker, kolesterol, hb varde, hemoglobin varde, apgar 5, apgar 10,
    apgar 1, langtidssocker, hba 1 c varde, labvarde, matvarde, provtyp, psa varde, saturation, matning, undersokning,
    screeningresultat, natrium, kalium, kalcium, klorid, magnesium, fosfat, bikarbonat, laktat, urat, glukos,
    fasteglukos, b glukos, p glukos, hematokrit, leukocyter, erytrocyter, trombocyter, lymfocyter, pk inr, fibrinogen,
    asat, alat, gamma gt, alp, lipas, troponin, prokalcitonin, sankan, ferritin, ~jarn, tsh, triglycerider, protein,
    blodgas, artargas, ph arteriellt, urinmangd, diures, vatskebalans, blododling, ~odling, antikroppar,
    hjartfrekvens, andningsfrekvens, systoliskt blodtryck, diastoliskt blodtryck, kroppstemperatur, syremattnad,
    glasgow, smartskala, vas smarta, spirometri, ejektionsfraktion
outcome: komplikation, komplikationer, aterinskrivning, aterinlaggning, utfall, aterfall, frisk, progress,
    reoperation, komplikation efter
death: dod, avliden, dodsorsak, dodsfall, ulorsak, underliggande dodsorsak, dodsorsakskod, morsak, morsak 1, multipla
    dodsorsaker, dodfodd, dodfod, vitalstatus, dodsplats, dodsort, obduktion, obduk, overlevnad, levande, dod efter,
    spadbarnsdod, alkodod, narkdod, dodutl, operationsdod, intrauterin
use: antal besok, antal vardtillfallen, lakarbesok, vardtillfallen, antal inlaggningar, antal vardbesok,
    vardkontakter, tandlakare, tandlakarbesok, besok tandlakare, besok lakare, sjukhusvistelser, natter sjukhus,
    inlaggningar, psykolog, hemtjanst
disposition: utskrivningssatt, utsatt, utskriven till, utskrivning, utskrivs till, utskriven, utskrivningsorsak,
    overflyttad
criminal: lagford, brott, domd, lagforing
survey_weight: kalibreringsvikt, uppraknngsvikt, uppraknad vikt, uppraknngstal, designvikt, viktvariabel, vikt
    individ, individvikt, hushallsvikt, kalibrerad vikt, uppraknare, upprakningsfaktor
count: antal patienter, antal fall, befolkning, antal individer, folkmangd, antal invanare
identifier: lopnummer id, nummer, kod, idnummer
fieldwork: =vag, undersokningsomgang, =omgang, insamlingssatt, insamlingsmetod, intervjumetod, intervjutid, intervjuns
    langd, enkatversion, formularversion, =version, =datakalla, kallsystem, =imputering, proxyintervju, svarssatt
"""
