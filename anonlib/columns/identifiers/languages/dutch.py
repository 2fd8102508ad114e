"""Names of columns in Dutch, beyond those of the vocabulary."""

DUTCH = """
email: e mailadres, mail adres
phone: tel nr, telnr, mobiel nummer, telefoon mobiel, gsm, telefoon thuis
ssn: rijksregisternummer, insz, rrn, sofinummer, sofi nummer, burgerservicenr
health_plan: verzekerdennummer, verzekerdenr, polisnr, relatienummer, verzekerde nummer, uzovi polis
account: rekeningnr, factuurnummer, rekening
passport: paspoortnummer, identiteitskaart, id kaart
address: woonadres, adresregel, huisnr, straatnaam, adres patient, huisnummertoevoeging
name: naam patient, achternaam patient, roepnaam, geslachtsnaam, huisarts, arts, behandelaar, specialist,
    contactpersoon, voorletters, naam arts, verwijzer, tussenvoegsel
mrn: patientnr, patient nr, patientid, pat nr, patnr, dossiernummer, opnamenummer, opnamenr, ziekenhuisnummer,
    rinpersoon, rinpersoons, rin, zorgtrajectnummer, dbc nummer, dbcnr, behandelnummer, pseudo patient,
    patient pseudoniem
person: persoon, persoonsnr, deelnemernummer, deelnemer id, respondentnummer, respnr, respondent nr,
    volgnummer persoon, idcode, clientnummer, clientnr, personeelsnummer, klantnr
household: huishoudnummer, rinhuishouden, huishoudensnummer
birth_date: geb datum, gebdat, gebdatum, geboorte datum, geboortemaand, gbageboortejaar, gbageboortemaand,
    gbageboortedag, geb jaar, gebjaar, geb maand, geboortejaar patient, geboorte jaar, geboortedatum moeder
age: leeftijd jaren, leeftijd in jaren, leeftijd opname, leeftijdsklasse, leeftijd klasse, lft, lftklasse,
    leeftijd moeder, leeftijd bij opname, leeftijdscategorie, lbzleeftijd, leeftijd maanden, leeftijdsgr, leeft
event_date: opname datum, ontslag datum, datum opname, datum ontslag, opnamejaar, ontslagjaar, opnamemaand,
    datum overlijden, datumoverlijden, overlijdensjaar, datum ingreep, ingreepdatum, operatiedatum, operatie datum,
    verrichtingsdatum, datum verrichting, behandeldatum, datum behandeling, begindatum, einddatum, openingsdatum,
    sluitingsdatum, datum diagnose, diagnosedatum, datum bezoek, afspraakdatum, datum afname, afnamedatum, jaar,
    maand, kwartaal, weekdag, datum voorschrift, afleverdatum, vaccinatiedatum, datum vaccinatie, lbzopnamedatum,
    lbzontslagdatum, datum onderzoek, datum enquete, aanvangsdatum, ingangsdatum, datum verwijzing, datum eerste,
    inclusiedatum, follow up datum, datum aanvang, datumaanvang, datumeinde, vestigingsdatum, datum geboorte kind,
    verslagjaar, datum interview
event_time: opname tijd, tijd, aankomsttijd, uur, tijdstip opname, uur opname, tijdstip ontslag
injury: ongeval, oorzaak ongeval, letseloorzaak, uitwendige oorzaak, ongevalsoorzaak, toedracht
length_stay: ligdagen ic, verpleegduur, aantal ligdagen, opname duur, ic dagen, dagen opname, lbzverpleegduur,
    aantal verpleegdagen, ligduur dagen, aantal dagen opname, verblijfsdagen, ic opname duur
department: afdeling naam, verpleegafdeling, poli, polikliniek, specialisme code, agb specialisme,
    specialisme behandelaar, behandelend specialisme, lbzspecialisme, zorgafdeling, dienst, opnamespecialisme,
    ontslagspecialisme, specialismeontslag
visit_type: opname type, type opname, aard opname, verwijzing, verwijzer type, spoedopname, acuut, zorgtype,
    soort zorg, herkomst, herkomst opname, lbzherkomst, lbzopname, reden opname, type bezoek, opnamereden, opname via,
    dagopname, plaats voor opname, plaats bevalling, wijze van opname, type consult, spoed, electief, soort verblijf,
    klinisch
sex: gesl, sekse, geslacht patient, geslacht code, gbageslacht, m v, geslacht kind, man vrouw, gender code
race: etniciteit code, etnische groep, afkomst, huidskleur, etngrp, etngroep, etnische achtergrond, etniciteit moeder
birth_place: geboorte plaats, gbageboorteplaats, geboortegemeente
nationality: nationaliteit code, gbanationaliteit, gbageboorteland, gbaherkomst, gbaherkomstgroepering,
    land van herkomst, herkomstland, herkomstgroepering, migratieachtergrond, gbageneratie, generatie,
    geboorteland moeder, gbageboortelandmoeder, gbageboortelandvader, herkomstindeling, migrant generatie,
    verblijfsduur nederland, land
marital: burgerlijke staat code, burgstaat, gbaburgerlijkestaat, huwelijkse staat, getrouwd, partner, samenwonend,
    burg staat, burgerlijkstaat
education: opleidingsniv, hoogst behaalde opleiding, hoogste opleiding, oplnivsoi, onderwijsniveau, opl, onderwijs,
    opleiding moeder, schooltype, opleiding klasse, opleiding 3, school, opleidingsniveau moeder,
    hoogst voltooide opleiding
occupation: beroep code, functie, beroepsgroep, isco code, beroep patient
workclass: werkstatus, werk, arbeidssituatie, arbeidsstatus, arbeidsmarktpositie, sociaaleconomische categorie, secm,
    inkomensbron, betaald werk, werkzaam, werkloos, gepensioneerd, arbeidscontract, sector, sbi, werkuren,
    werkgever naam, dienstverband, uren werk, sociaal economische positie, soort baan
language: moedertaal code, taal thuis, gesproken taal, voertaal
religion: geloofsovertuiging, kerk, levensbeschouwing, religieus, gezindte
region: prov, provincie naam, ggd regio, ggdregio, regio, corop, landsdeel, stedelijkheid, stedelijkheidsgraad, sted,
    woonregio, gewest, zorgkantoorregio, ststatus, ses, ses wijk, urbanisatie, ses score
facility: ziekenhuis code, instelling code, agb code, agb, agbcode, instellingscode, zorgaanbieder, zorginstelling,
    locatie, ziekenhuislocatie, praktijk, huisartsenpraktijk, apotheek, agb code instelling, centrum, hospitaal,
    riziv, riziv nummer, verpleeghuis, zorgverlener, lbzziekenhuis, school naam
relationship: aantal kinderen thuis, huishoudgrootte, huishoudsamenstelling, gezinssamenstelling, gezin, huishouden,
    type huishouden, typhh, aantalpershh, aantal personen huishouden, plhh, plaats in huishouden, pariteit,
    graviditeit, alleenstaand, alleenwonend, gezinsgrootte, meerling, aantal personen, leefsituatie,
    woonsituatie gezin, broers zussen, aantal broers, kind thuis, samenstelling huishouden, huishoudtype, eenouder,
    rangnummer geboorte, mantelzorger
housing: woonsituatie, woning, woningtype, type woning, koopwoning, huurwoning, aantal kamers, huur, woonvorm,
    auto bezit, eigendom woning, eigenwoning, woz, woz waarde, bouwjaar, woonsituatie patient, aantal autos
veteran: militaire dienst
body: lengte, lengte patient, gewicht kg, lichaamsgewicht, lichaamslengte, geboortegewicht, geb gewicht, quetelet,
    buikomvang, hoofdomtrek, middelomtrek, lengte in cm, gewicht in kg, bloedgroep, bmi klasse
income: huishoudinkomen, besteedbaar inkomen, gestandaardiseerd inkomen, inkomensklasse, inkomen huishouden,
    netto inkomen, bruto inkomen, inpgestand, inhgestinkh, inpbelih, vermogen, vehw, uitkering, bijstand, schulden,
    inkomen klasse, inhbestinkh, laaginkomen, armoede, persoonlijk inkomen, vermogensklasse, inkomenspercentiel,
    percentiel inkomen
postcode: pc 4, pc 6, pc, pc 4 woonadres, postcode 4, postcode 6, postcode patient, postcode woonadres, postc,
    viercijferige postcode
city: woonplaats patient, woonadres plaats, gem, gemeente code, gemeentecode, gemeentenaam, woongemeente,
    woonplaatscode, stadsdeel, gemeente woon, gwb gemeente, gemeente van inschrijving, gem 2020
area: wijk code, buurt code, wc, bc, wijk en buurt, nis code, niscode, statistische sector, gwb code, x coordinaat,
    rinobjectnummer, vierkant
note: vrije tekst, notitie, notities, verslag, brief, commentaar, opm, beloop, ontslagbrief, tekst, toelichting tekst
insurance: verzekering type, zorgverzekeraar, uzovi, zorgverzekering, polis, aanvullende verzekering,
    verzekeringsvorm, eigen risico, mutualiteit, ziekenfonds, wlz, wmo, soort verzekering, financier, verzekerd,
    zorgverzekeraar naam, verzekeringswijze, wlz indicatie, ciz indicatie, zzp
salary: salaris bruto, uurloon, maandloon, basisloon
costs: kostenbedrag, bedrag, tarief, declaratie, vergoeding, zorgkosten, zvwktotaal, nopzvwk, zvwk, zvwkhuisarts,
    zvwkziekenhuis, zvwkfarmacie, totaal bedrag, prijs, factuurbedrag, zvwkggz, kosten totaal, remgeld, zvwkosten,
    verkoopprijs, gedeclareerd bedrag
hiv: covid 19, besmetting, soa, hepatitis status, pcr test, infectie, coronabesmetting, antistoffen, seropositief
sexual: zwangerschap, zwangerschapsduur, amenorroeduur, anticonceptie, abortus, seksuele geaardheid,
    seksuele voorkeur, aantal zwangerschappen, menarche leeftijd, seksueel, bevalling, partus, sekspartners, miskraam,
    menopauze, borstvoeding
mental: depressie, angst, psychisch klachten, suicide poging, eenzaamheid, eenzaam, dementie, psychische gezondheid,
    ggz, psychische problemen, stemming
health: ervaren gezondheid, gezondheid, gezondheidstoestand, chronische ziekte, chronische aandoening, beperking,
    beperkingen, lichamelijke beperking, invaliditeit, pijn, klachten, functionele status, kwaliteit van leven,
    karnofsky score, adl score, handicap, zelfredzaamheid, barthel, functiestoornis
lifestyle: roken status, rookt, rookstatus, rookgedrag, alcoholgebruik, alcohol gebruik, drugsgebruik, drugs,
    sigaretten, sporten, beweging, lichaamsbeweging, dieet, pakjaren, tabakgebruik, drinkt
beliefs: partij, stemgedrag, politieke voorkeur, vakbond, politiek, kerkgang, vaccinatiebereidheid
diagnosis: diagnosecode, hoofddiagnose, nevendiagnose, diagnose code, icd 10 code, dbc diagnose, dbcdiagnose,
    diagnose opname, diagnose ontslag, lbzhoofddiagnose, lbzicd 10, nevendiagnoses, ontslagdiagnose, opnamediagnose,
    aandoeningen, comorbiditeit, comorbiditeiten, kanker, tumorsoort, stadium, tnm stadium, hoge bloeddruk, hartfalen,
    hartinfarct, hartziekte, beroerte, diabetes mellitus, astma, icpc, icpc code, allergieen, ziekten,
    voorgeschiedenis, symptomen, diagnosebehandelcombinatie, ernst, medische voorgeschiedenis, nierfalen, longziekte,
    complicaties bij opname, indicatie, differentiatiegraad, morfologie, reuma, probleem, lbzdiagnose
treatment: verrichting, verrichtingen, verrichtingcode, verrichting code, zorgactiviteit, zorgactiviteitcode, ingreep,
    ingrepen, operatie, operaties, operatie code, therapieen, behandelingen, declaratiecode, zorgproduct,
    zorgproductcode, chemotherapie, bestraling, radiotherapie, dialyse, inenting, gevaccineerd, vaccinatie status,
    vaccinatie, vaccin, keizersnede, bevallingswijze, ic opname, narcose, beademing, lbzverrichting, verrichtingscode,
    nomenclatuur, cbv code, implantaat, stent, type ingreep, nomenclatuurnummer, operateur
medication: medicijnen, geneesmiddel, geneesmiddelen, atc code, atccode, atc 4, zindex, zi nummer, recept,
    voorschrift, dosering, medicatie bij opname, hpk, gpk, prk, aantal ddd, ddd, werkzame stof, dosis, antistolling,
    antibiotica, pijnstillers, cnk, medicatiegebruik, atc groep
result: lab uitslag, meetwaarde, testuitslag, laboratoriumuitslag, bloeddruk, systolisch, diastolisch, hartslag,
    polsslag, temperatuur, hemoglobine, kreatinine, glucose waarde, hba 1 c waarde, cholesterol waarde, uitslag test,
    waarde, saturatie, resultaat, bovendruk, onderdruk, bepaling, apgarscore, nierfunctie, egfr, titer, igg,
    uitslagwaarde
outcome: complicatie, complicaties, heropname, genezen, herstel, uitkomst, recidief, status bij ontslag,
    ontslagstatus, reinterventie
death: overlijden, overlijdensstatus, doodsoorzaak, sterfte, gestorven, vitale status, primaire doodsoorzaak,
    overleden patient, doodsoorz, uccode, sterftedatum, mortaliteit
use: aantal bezoeken, aantal opnames, huisartsbezoek, contact huisarts, ziekenhuisopname, ziekenhuisopnames,
    aantal opnamen, seh bezoek, bezoek specialist, polikliniekbezoek, aantal consulten
disposition: ontslag bestemming, bestemming, bestemming na ontslag, ontslagwijze, ontslag naar, reden ontslag,
    lbzontslagbestemming, wijze ontslag, lbzbestemming, reden einde zorg, ontslagreden code
survey_weight: weging, gewicht steekproef, weegfactor persoon, steekproefgewicht, weeg, ophooggewicht, ophoogfactor,
    wegingsfactor
count: aantal patienten, aantal personen totaal, aantal gevallen, inwoners, aantal inwoners, frequentie,
    aantal meldingen
"""
