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
    rinpersoon, rinpersoons, rin, zorgtrajectnummer, dbc nummer, dbcnr, behandelnummer, pseudo patient, patient
    pseudoniem
person: persoon, persoonsnr, deelnemernummer, deelnemer id, respondentnummer, respnr, respondent nr, volgnummer
    persoon, idcode, clientnummer, clientnr, personeelsnummer, klantnr, nummer lid huishouden, nummer respondent
household: huishoudnummer, rinhuishouden, huishoudensnummer, nummer huishouden, huishouden id, identificatie
    huishouden
birth_date: geb datum, gebdat, gebdatum, geboorte datum, geboortemaand, gbageboortejaar, gbageboortemaand,
    gbageboortedag, geb jaar, gebjaar, geb maand, geboortejaar patient, geboorte jaar, geboortedatum moeder
age: leeftijd jaren, leeftijd in jaren, leeftijd opname, leeftijdsklasse, leeftijd klasse, lft, lftklasse, leeftijd
    moeder, leeftijd bij opname, leeftijdscategorie, lbzleeftijd, leeftijd maanden, leeftijdsgr, leeft, leeftijd
    eerste kind, leeftijd partner, leeftijd jongste kind
event_date: opname datum, ontslag datum, datum opname, datum ontslag, opnamejaar, ontslagjaar, opnamemaand, datum
    overlijden, datumoverlijden, overlijdensjaar, datum ingreep, ingreepdatum, operatiedatum, operatie datum,
    verrichtingsdatum, datum verrichting, behandeldatum, datum behandeling, begindatum, einddatum, openingsdatum,
    sluitingsdatum, datum diagnose, diagnosedatum, datum bezoek, afspraakdatum, datum afname, afnamedatum, jaar,
    maand, kwartaal, weekdag, datum voorschrift, afleverdatum, vaccinatiedatum, datum vaccinatie, lbzopnamedatum,
    lbzontslagdatum, datum onderzoek, datum enquete, aanvangsdatum, ingangsdatum, datum verwijzing, datum eerste,
    inclusiedatum, follow up datum, datum aanvang, datumaanvang, datumeinde, vestigingsdatum, datum geboorte kind,
    verslagjaar, datum interview, maand interview, jaar interview, kwartaal enquete, referentieweek, afnametijd
event_time: opname tijd, tijd, aankomsttijd, uur, tijdstip opname, uur opname, tijdstip ontslag
injury: ongeval, oorzaak ongeval, letseloorzaak, uitwendige oorzaak, ongevalsoorzaak, toedracht
length_stay: ligdagen ic, verpleegduur, aantal ligdagen, opname duur, ic dagen, dagen opname, lbzverpleegduur, aantal
    verpleegdagen, ligduur dagen, aantal dagen opname, verblijfsdagen, ic opname duur
department: afdeling naam, verpleegafdeling, poli, polikliniek, specialisme code, agb specialisme, specialisme
    behandelaar, behandelend specialisme, lbzspecialisme, zorgafdeling, dienst, opnamespecialisme, ontslagspecialisme,
    specialismeontslag
visit_type: opname type, type opname, aard opname, verwijzing, verwijzer type, spoedopname, acuut, zorgtype, soort
    zorg, herkomst, herkomst opname, lbzherkomst, lbzopname, reden opname, type bezoek, opnamereden, opname via,
    dagopname, plaats voor opname, plaats bevalling, wijze van opname, type consult, spoed, electief, soort verblijf,
    klinisch
sex: gesl, sekse, geslacht patient, geslacht code, gbageslacht, m v, geslacht kind, man vrouw, gender code
race: etniciteit code, etnische groep, afkomst, huidskleur, etngrp, etngroep, etnische achtergrond, etniciteit moeder
birth_place: geboorte plaats, gbageboorteplaats, geboortegemeente
nationality: nationaliteit code, gbanationaliteit, gbageboorteland, gbaherkomst, gbaherkomstgroepering, land van
    herkomst, herkomstland, herkomstgroepering, migratieachtergrond, gbageneratie, generatie, geboorteland moeder,
    gbageboortelandmoeder, gbageboortelandvader, herkomstindeling, migrant generatie, verblijfsduur nederland, land,
    geboren nederland, geboren buitenland, jaar aankomst, jaar vestiging, geboorteland ouders, geboorteland vader
marital: burgerlijke staat code, burgstaat, gbaburgerlijkestaat, huwelijkse staat, getrouwd, partner, samenwonend,
    burg staat, burgerlijkstaat, woont samen, woont samen partner, gehuwd, echtgenoot
education: opleidingsniv, hoogst behaalde opleiding, hoogste opleiding, oplnivsoi, onderwijsniveau, opl, onderwijs,
    opleiding moeder, schooltype, opleiding klasse, opleiding 3, school, opleidingsniveau moeder, hoogst voltooide
    opleiding, hoogst behaalde diploma, voltooide opleiding, schoolbezoek, opleiding vader, opleiding partner,
    =cursus, studierichting
occupation: beroep code, functie, beroepsgroep, isco code, beroep patient, beroep vader, beroep moeder, sociale
    klasse, beroepsklasse
workclass: werkstatus, werk, arbeidssituatie, arbeidsstatus, arbeidsmarktpositie, sociaaleconomische categorie, secm,
    inkomensbron, betaald werk, werkzaam, werkloos, gepensioneerd, arbeidscontract, sector, sbi, werkuren, werkgever
    naam, dienstverband, uren werk, sociaal economische positie, soort baan, arbeidspositie, belangrijkste bezigheid,
    voornaamste bezigheid, heeft werk, werkt, ~baan, soort contract, vast contract, tijdelijk contract, vast
    tijdelijk, arbeidsduur, arbeidsuren, uren per week werk, gewerkte uren, voltijd, deeltijd, fulltime parttime,
    overheid werkzaam, bedrijfstak, bedrijfsgrootte, grootte bedrijf, aantal werknemers, leidinggevend, leidinggeven,
    leidinggevende, ploegendienst, nachtdienst, nachtwerk, avondwerk, thuiswerk, thuiswerken, reistijd werk, woon
    werk, werkloosheid, werkzoekend, zoekt werk, zelfstandige, arbeidsongeschikt, huisvrouw, positie werkkring
language: moedertaal code, taal thuis, gesproken taal, voertaal
religion: geloofsovertuiging, kerk, levensbeschouwing, religieus, gezindte
region: prov, provincie naam, ggd regio, ggdregio, regio, corop, landsdeel, stedelijkheid, stedelijkheidsgraad, sted,
    woonregio, gewest, zorgkantoorregio, ststatus, ses, ses wijk, urbanisatie, ses score, mate van stedelijkheid, mate
    stedelijkheid, gemeentegrootte, grootte gemeente, woonomgeving, verstedelijking, stad platteland, landelijk
    gebied, type gemeente, sociaaleconomische status wijk
facility: ziekenhuis code, instelling code, agb code, agb, agbcode, instellingscode, zorgaanbieder, zorginstelling,
    locatie, ziekenhuislocatie, praktijk, huisartsenpraktijk, apotheek, agb code instelling, centrum, hospitaal,
    riziv, riziv nummer, verpleeghuis, zorgverlener, lbzziekenhuis, school naam
relationship: aantal kinderen thuis, huishoudgrootte, huishoudsamenstelling, gezinssamenstelling, gezin, huishouden,
    type huishouden, typhh, aantalpershh, aantal personen huishouden, plhh, plaats in huishouden, pariteit,
    graviditeit, alleenstaand, alleenwonend, gezinsgrootte, meerling, aantal personen, leefsituatie, woonsituatie
    gezin, broers zussen, aantal broers, kind thuis, samenstelling huishouden, huishoudtype, eenouder, rangnummer
    geboorte, mantelzorger, personen huishouden, leden huishouden, aantal leden huishouden, grootte huishouden, soort
    huishouden, thuiswonende kinderen, aantal thuiswonende kinderen, kinderen huishouden, kinderen onder, jongste
    kind, positie huishouden, positie binnen huishouden, relatie hoofd, hoofd huishouden, woont alleen, kleinkinderen
housing: woonsituatie, woning, woningtype, type woning, koopwoning, huurwoning, aantal kamers, huur, woonvorm, auto
    bezit, eigendom woning, eigenwoning, woz, woz waarde, bouwjaar, woonsituatie patient, aantal autos, soort woning,
    koop huur, huur koop, eigen woning, ~eigenaar, huurder, ~kamers, slaapkamers, aantal slaapkamers, badkamer,
    ~keuken, douche, verwarming, centrale verwarming, isolatie, woonoppervlak, oppervlakte woning, bouwperiode, jaar
    verhuizing, verhuisd, ~tuin, balkon, ~garage, ~lift, ~flat, appartement, auto huishouden, aantal auto, ~autos,
    ~fiets, ~motor, wasmachine, vaatwasser, televisie, koelkast, =computer, ~internet, internetverbinding, telefoon
    huishouden, huisdieren, ~hond, =kat, drinkwater, toilet, vocht, vochtproblemen, geluidsoverlast, overlast,
    woonlasten
veteran: militaire dienst
body: lengte, lengte patient, gewicht kg, lichaamsgewicht, lichaamslengte, geboortegewicht, geb gewicht, quetelet,
    buikomvang, hoofdomtrek, middelomtrek, lengte in cm, gewicht in kg, bloedgroep, bmi klasse, lengte centimeter,
    gewicht kilo, heupomtrek
income: huishoudinkomen, besteedbaar inkomen, gestandaardiseerd inkomen, inkomensklasse, inkomen huishouden, netto
    inkomen, bruto inkomen, inpgestand, inhgestinkh, inpbelih, vermogen, vehw, uitkering, bijstand, schulden, inkomen
    klasse, inhbestinkh, laaginkomen, armoede, persoonlijk inkomen, vermogensklasse, inkomenspercentiel, percentiel
    inkomen, inkomensgroep, inkomenskwintiel, netto maandinkomen, netto huishoudinkomen, pensioen, aow, toeslag,
    huurtoeslag, zorgtoeslag, spaargeld, vakantie veroorloven, veroorloven, week vakantie
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
salary: salaris bruto, uurloon, maandloon, basisloon, betalingsachterstand, betalingsachterstanden, achterstand huur,
    huurachterstand, ~schuld, ~lening, financiele situatie, financiele problemen, moeite rondkomen, rondkomen, kan
    rondkomen
costs: kostenbedrag, bedrag, tarief, declaratie, vergoeding, zorgkosten, zvwktotaal, nopzvwk, zvwk, zvwkhuisarts,
    zvwkziekenhuis, zvwkfarmacie, totaal bedrag, prijs, factuurbedrag, zvwkggz, kosten totaal, remgeld, zvwkosten,
    verkoopprijs, gedeclareerd bedrag
hiv: covid 19, besmetting, soa, hepatitis status, pcr test, infectie, coronabesmetting, antistoffen, seropositief
sexual: zwangerschap, zwangerschapsduur, amenorroeduur, anticonceptie, abortus, seksuele geaardheid, seksuele
    voorkeur, aantal zwangerschappen, menarche leeftijd, seksueel, bevalling, partus, sekspartners, miskraam,
    menopauze, borstvoeding, overgang, menstruatie, kinderwens
mental: depressie, angst, psychisch klachten, suicide poging, eenzaamheid, eenzaam, dementie, psychische gezondheid,
    ggz, psychische problemen, stemming, ~tevreden, ~tevredenheid, tevredenheid leven, tevreden met leven, geluk,
    gelukkig, welzijn, welbevinden, somber, neerslachtig, depressief, angstig, zenuwachtig, nerveus, vermoeid, moe,
    slaap, slapen, uren slaap, slaapproblemen, sociale steun, zelfvertrouwen, persoonlijkheid, burn out
health: ervaren gezondheid, gezondheid, gezondheidstoestand, chronische ziekte, chronische aandoening, beperking,
    beperkingen, lichamelijke beperking, invaliditeit, pijn, klachten, functionele status, kwaliteit van leven,
    karnofsky score, adl score, handicap, zelfredzaamheid, barthel, functiestoornis, algemene gezondheid, langdurige
    ziekte, langdurige aandoening, gezondheidsprobleem, belemmerd, belemmering, moeite zien, moeite horen, moeite
    lopen, gehandicapt, ziekteverzuim, ziektedagen, verzuim, rugpijn, hoofdpijn, migraine, koorts, hoest, diarree,
    bril, gehoorapparaat, gebit, tanden, hulpbehoevend, ~moeite
lifestyle: roken status, rookt, rookstatus, rookgedrag, alcoholgebruik, alcohol gebruik, drugsgebruik, drugs,
    sigaretten, sporten, beweging, lichaamsbeweging, dieet, pakjaren, tabakgebruik, drinkt, sigaretten per dag, e
    sigaret, alcoholconsumptie, alcoholische dranken, glazen, glazen alcohol, bier, wijn, sterke drank, dronken,
    fruit, groente, groenten, groente fruit, vlees, vis, ontbijt, suiker, frisdrank, fastfood, voeding, eetgewoonten,
    vegetarisch, koffie, thee, sportdeelname, bewegen, lichamelijke activiteit, wandelen, fietsen, lopen, zitten,
    zituren, beeldscherm, televisie kijken, gokken, internetgebruik, vrije tijd, sociale media
beliefs: partij, stemgedrag, politieke voorkeur, vakbond, politiek, kerkgang, vaccinatiebereidheid, ~vertrouwen,
    vertrouwen in, vertrouwen mensen, vertrouwen regering, interesse politiek, politieke interesse, links rechts,
    links rechts schaal, politieke partij, ~stem, gestemd, verkiezingen, tweede kamer, democratie, tevreden
    democratie, tevreden regering, ~mening, ~houding, eens oneens, mee eens, voor of tegen, doodstraf, euthanasie,
    abortus mening, homoseksualiteit, homoseksuelen, immigranten, immigratie, buitenlanders, vluchtelingen, racisme,
    vrouwen moeten, rolverdeling, ~milieu, klimaatverandering, europese unie, ~europa, ~trots, kerkbezoek, gebed,
    bidden, gelooft, religiositeit, lid vakbond, vakbondslid, demonstratie, staking, petitie, vrijwilligerswerk,
    ~vereniging, ~waarden, discriminatie, gediscrimineerd, onveilig, onveiligheid
diagnosis: diagnosecode, hoofddiagnose, nevendiagnose, diagnose code, icd 10 code, dbc diagnose, dbcdiagnose, diagnose
    opname, diagnose ontslag, lbzhoofddiagnose, lbzicd 10, nevendiagnoses, ontslagdiagnose, opnamediagnose,
    aandoeningen, comorbiditeit, comorbiditeiten, kanker, tumorsoort, stadium, tnm stadium, hoge bloeddruk, hartfalen,
    hartinfarct, hartziekte, beroerte, diabetes mellitus, astma, icpc, icpc code, allergieen, ziekten,
    voorgeschiedenis, symptomen, diagnosebehandelcombinatie, ernst, medische voorgeschiedenis, nierfalen, longziekte,
    complicaties bij opname, indicatie, differentiatiegraad, morfologie, reuma, probleem, lbzdiagnose
treatment: verrichting, verrichtingen, verrichtingcode, verrichting code, zorgactiviteit, zorgactiviteitcode, ingreep,
    ingrepen, operatie, operaties, operatie code, therapieen, behandelingen, declaratiecode, zorgproduct,
    zorgproductcode, chemotherapie, bestraling, radiotherapie, dialyse, inenting, gevaccineerd, vaccinatie status,
    vaccinatie, vaccin, keizersnede, bevallingswijze, ic opname, narcose, beademing, lbzverrichting, verrichtingscode,
    nomenclatuur, cbv code, implantaat, stent, type ingreep, nomenclatuurnummer, operateur, griepprik,
    griepvaccinatie, bevolkingsonderzoek, uitstrijkje, mammografie, beademingsduur, zuurstof, zuurstoftherapie,
    bloedtransfusie, infuus, fysiotherapie
medication: medicijnen, geneesmiddel, geneesmiddelen, atc code, atccode, atc 4, zindex, zi nummer, recept,
    voorschrift, dosering, medicatie bij opname, hpk, gpk, prk, aantal ddd, ddd, werkzame stof, dosis, antistolling,
    antibiotica, pijnstillers, cnk, medicatiegebruik, atc groep, medicijngebruik, voorgeschreven medicijnen, dagdosis,
    infuussnelheid, pompsnelheid, antibioticum, antidepressiva, slaapmiddelen, corticosteroiden, sedatie, insuline,
    heparine, noradrenaline, adrenaline, morfine, furosemide, paracetamol, pil
result: lab uitslag, meetwaarde, testuitslag, laboratoriumuitslag, bloeddruk, systolisch, diastolisch, hartslag,
    polsslag, temperatuur, hemoglobine, kreatinine, glucose waarde, hba 1 c waarde, cholesterol waarde, uitslag test,
    waarde, saturatie, resultaat, bovendruk, onderdruk, bepaling, apgarscore, nierfunctie, egfr, titer, igg,
    uitslagwaarde, natrium, kalium, calcium, chloride, magnesium, fosfaat, bicarbonaat, lactaat, ureum, urinezuur,
    nuchter glucose, hematocriet, leukocyten, erytrocyten, trombocyten, lymfocyten, inr, stolling, fibrinogeen,
    bilirubine, asat, alat, gamma gt, alkalische fosfatase, lipase, ldh, troponine, procalcitonine, bezinking, ~ijzer,
    tsh, triglyceriden, albumine, eiwit, bloedgas, ph arterieel, urineproductie, diurese, vochtbalans, bloedkweek,
    ~kweek, hartfrequentie, pols, ademhaling, ademfrequentie, systolische bloeddruk, diastolische bloeddruk,
    lichaamstemperatuur, zuurstofsaturatie, glasgow, pijnscore, spirometrie, ejectiefractie
outcome: complicatie, complicaties, heropname, genezen, herstel, uitkomst, recidief, status bij ontslag,
    ontslagstatus, reinterventie
death: overlijden, overlijdensstatus, doodsoorzaak, sterfte, gestorven, vitale status, primaire doodsoorzaak,
    overleden patient, doodsoorz, uccode, sterftedatum, mortaliteit
use: aantal bezoeken, aantal opnames, huisartsbezoek, contact huisarts, ziekenhuisopname, ziekenhuisopnames, aantal
    opnamen, seh bezoek, bezoek specialist, polikliniekbezoek, aantal consulten, tandarts, tandartsbezoek, bezoek
    tandarts, bezoek huisarts, nachten ziekenhuis, psycholoog, thuiszorg
disposition: ontslag bestemming, bestemming, bestemming na ontslag, ontslagwijze, ontslag naar, reden ontslag,
    lbzontslagbestemming, wijze ontslag, lbzbestemming, reden einde zorg, ontslagreden code
survey_weight: weging, gewicht steekproef, weegfactor persoon, steekproefgewicht, weeg, ophooggewicht, ophoogfactor,
    wegingsfactor, weegfactoren, persoonsgewicht, huishoudgewicht
count: aantal patienten, aantal personen totaal, aantal gevallen, inwoners, aantal inwoners, frequentie, aantal
    meldingen
fieldwork: =golf, =meting, =ronde, wijze afname, afnamewijze, interviewmodus, enquetemodus, interviewduur, duur
    interview, duur vragenlijst, vragenlijstversie, versie vragenlijst, =versie, gegevensbron, =databron, bronsysteem,
    =imputatie, =proxy
"""
