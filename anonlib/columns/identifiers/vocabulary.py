"""The kinds of content, and the words by which columns are named; more of these are in :mod:`.languages`.

A kind on one line: its key; what a sentence calls its contents; its group; its HIPAA class, if any. Then, indented,
the names. A name is a run of whole words without accents and linking words ("date of birth" is "date birth"); "="
before it asks that the column's name hold nothing else; "~" asks that of a name, and not of what a dictionary calls the
column. On equally long matches the earlier kind wins, so that "age at diagnosis" is an age. Demographic kinds stand in
the order in which they are suggested.
"""

VOCABULARY = """
email; e-mail addresses; identifier; F
    email, e mail, email address, mail address, =mail, courriel, adresse mail, correo, correo electronico, emailadres,
    mailadresse
phone; telephone numbers; identifier; D
    phone, telephone, tel, mobile, mobile number, cell phone, cellphone, phone number, phone no, telefon,
    telefonnummer, telefon nr, handy, handynummer, rufnummer, numero telephone, portable, telefono, numero telefono,
    movil, telefoon, telefoonnummer, mobiel, contact number, whatsapp
fax; fax numbers; identifier; E
    fax, telefax, faxnummer, telecopie, fax number
ip; IP addresses; identifier; O
    ip, ipv, ip address, ip addr, ip adresse, adresse ip, direccion ip, ip adres
url; web addresses; identifier; N
    url, uri, website, web site, webseite, homepage, web address, web page, site web, pagina web, facebook, twitter,
    linkedin
device; device or serial numbers; identifier; M
    device id, device number, device serial, device identifier, serial number, serial no, serial, seriennummer,
    numero serie, serienummer, imei, imsi, udi, mac address, mac addr, implant serial, device uid, gerate nummer
vehicle; vehicle or plate numbers; identifier; L
    vin, vehicle id, vehicle identification, vehicle number, vehicle serial, license plate, licence plate,
    number plate, plate number, =plate, kennzeichen, immatriculation, plaque immatriculation, matricula, kenteken,
    fahrgestellnummer, fin nummer
certificate; certificate or license numbers; identifier; K
    certificate number, certificate no, certificate id, license number, licence number, license no, licence no,
    license id, =license, =licence, driver license, drivers license, driver licence, driving licence, driving license,
    fuhrerschein, fuehrerschein, fuhrerscheinnummer, numero permis, permis conduire, licencia conducir, rijbewijs,
    npi, dea number
ssn; social security or national identification numbers; identifier; G
    ssn, social security, social security number, social security no, social insurance number, =sin, nino,
    national id, national identity, national insurance number, national identification number, tax id, itin,
    sozialversicherungsnummer, steuernummer, nir, numero securite sociale, securite sociale, dni, nie, nif, curp, cpf,
    bsn, burgerservicenummer, personnummer
health_plan; health plan numbers; identifier; I
    health plan id, health plan number, health plan beneficiary, health plan no, plan id, plan number, member id,
    member number, member no, subscriber id, subscriber number, beneficiary id, beneficiary number, =beneficiary,
    insurance number, insurance id, insurance no, insurance policy number, policy number, policy no, policy id,
    medicare number, medicare id, medicaid number, medicaid id, versichertennummer, krankenversichertennummer, kvnr,
    numero assure, numero poliza, numero seguro, polisnummer, hicn, mbi
account; account numbers; identifier; J
    account number, account no, account id, acct, acct number, acct no, account, bank account, iban, credit card,
    card number, kontonummer, =konto, numero compte, numero cuenta, rekeningnummer, billing number
biometric; biometric identifiers; identifier; P
    biometric, biometrics, fingerprint, finger print, voice print, voiceprint, iris scan, iris code, retina scan,
    face id, face embedding, fingerabdruck, empreinte digitale, huella, huella dactilar, vingerafdruk, dna profile,
    genome
photo; photographs; identifier; Q
    photo, photos, photograph, portrait, face image, picture, =image, selfie, foto, lichtbild, fotografia, pasfoto,
    profile picture, photo url, image url
passport; passport or other unique numbers; identifier; R
    passport, passport number, reisepass, passeport, pasaporte, paspoort, visa number
address; street addresses; identifier; B
    address, addr, street, street address, street name, house number, home address, adresse, anschrift, strasse, str,
    hausnummer, rue, direccion, calle, domicilio, adres, straat, huisnummer, address line
name; names of persons; identifier; A
    =name, =names, full name, fullname, first name, last name, middle name, given name, family name, maiden name,
    surname, forename, fname, lname, firstname, lastname, nickname, initials, patient name, contact name, doctor name,
    physician name, provider name, nurse name, vorname, nachname, familienname, geburtsname, =nom, nom famille,
    prenom, =nombre, nombre completo, apellido, apellidos, voornaam, achternaam, =naam, username, user name, login,
    next kin, emergency contact
mrn; medical record or patient numbers; person; H
    newnhsno, hesid, uniquepid, mrn, medical record, medical record number, medical record no, medical record id,
    record number, chart number, chart no, chart id, hospital number, nhs number, nhs no, ehr id, emr id, patient id,
    patient no, patient nr, patient nbr, patient number, patient num, patient key, patient identifier, patientid,
    =patient, patienten id, patientennummer, patienten nr, pid, fallnummer, numero dossier, identifiant patient,
    id patient, numero paciente, id paciente, numero historia, historia clinica, patientnummer, subject mrn,
    patient uuid, patient guid, patient hash, patient pseudonym, patient reference
person; subject, client or user numbers; person; R
    person id, person no, person number, person key, personid, =person, subject id, subject no, subject number,
    subject key, subjectid, =subject, usubjid, subjid, participant id, participant number, participant no,
    =participant, respondent id, client id, client number, customer id, customer number, user id, individual id,
    case id, study id, enrollee id, employee id, student id, personen id, personalnummer,
    probanden id, id persona, id personne, persoon id, persoonsnummer, klantnummer, beneficiary key,
    person uuid, person guid, person hash, subject uuid, subject hash, participant uuid
household; household numbers; identifier; R
    household id, family id, household no, household key, hhid, hh id, hhnr, household identifier, household number
birth_date; birth dates; date; C
    mydob, geburtsmonat, month year birth, birth date, birthdate, date birth, birthday, birth day, dob, =birth,
    year birth, birth year, yob, month birth, birth month, geburtsdatum, geburtstag, geburtsjahr, geboren,
    date naissance, naissance, annee naissance, fecha nacimiento, nacimiento, ano nacimiento, geboortedatum,
    geboortejaar, birth dt, birth dat, birth datetime, birth dttm, birth timestamp, birth ts, bdate, b date, dob dt,
    geb datum, gebdatum, geb dat, gebdat, geb jahr, geb tag, date naiss, dat naiss, dt naiss, ddn, fecha nac, fec nac,
    f nac, fec nacimiento, geb date, geboortedag, data nascita, data nasc, nascita, anno nascita, data nascimento,
    nascimento, ano nascimento, dt nascimento, dt nasc, fodelsedatum, fodelsedag, fodelsear, fodselsdato,
    fodselsdag, fodselsar, fodt, syntymaaika, syntymapaiva, syntymavuosi, data urodzenia, rok urodzenia, urodzenia,
    datum narozeni, narozeni, rok narozeni, dogum tarihi, dogum yili, datum rojstva, data nasterii, szuletesi datum
age; ages; demographic; C
    admiage, startage, age, ages, age years, ridageyr, ridagemn, age group, age band, age range, age category,
    agegroup, alter, altersgruppe, lebensalter, edad, leeftijd, leeftijdsgroep, tranche age
event_date; dates of events; date; C
    discharge year, surg proc day, date, dates, dt, datetime, timestamp, date time, admission date, admit date,
    discharge date, death date, date death, dod, visit date, service date, onset date, admission time, discharge time,
    admit time, aufnahmedatum, entlassungsdatum, entlassdatum, sterbedatum, todesdatum, datum, fecha, fecha ingreso,
    fecha alta, date entree, date sortie, date deces, opnamedatum, ontslagdatum, overlijdensdatum, admitted on,
    case month, case date, case year, admission weekday, admit weekday, admission weekend, admit weekend, weekday,
    day week, weekend, admission quarter, discharge quarter, =month, =quarter, =year, anchor year, procedure day,
    amonth, aweekend, dqtr, prday, ridexmon, discharged on, admission year, death year, year death, admission month,
    discharge month, visit year, visit month, admission day, discharge day, adm date, disch date, svc date,
    service from, arrival date, encounter date, appointment date, procedure date, date hospitalisation,
    aufnahmezeitpunkt, entlassungszeitpunkt, behandlungsdatum, fecha visita, fecha hospitalizacion, bezoekdatum
event_time; times of day; stay
    arrival time, arrival hour, admission hour, discharge hour, visit time, visit hour, appointment time,
    time arrival, hour arrival, hour admission, hour day, =hour, check in time, uhrzeit, aufnahmezeit,
    entlassungszeit, heure, heure entree, heure sortie, heure arrivee, hora, hora ingreso, hora alta, opnametijd,
    ontslagtijd, tijdstip
injury; causes of injuries; stay
    =cause, injury cause, cause injury, external cause, cause accident, accident, accident type, mechanism injury,
    injury mechanism, place injury, injury place, ecode, unfall, unfallart, unfallursache, accidente
length_stay; lengths of a stay; stay
    epidur, speldur, elecdur, length stay, =los, los days, utilization days, utlztn day cnt, days in hospital,
    los hours, icu los, hospital los, days hospital, time hospital, hospital days, hospital stay, duration stay,
    duration admission, days stay, days icu, icu days, icu stay, inpatient days, bed days, =nights, verweildauer,
    aufenthaltsdauer, liegedauer, liegetage, belegungstage, krankenhaustage, duree sejour, duree hospitalisation,
    jours hospitalisation, duracion estancia, dias estancia, dias hospitalizacion, dias ingreso,
    estancia hospitalaria, ligduur, verblijfsduur, opnameduur, ligdagen, verpleegdagen, opnamedagen
department; departments or specialties; stay
    mainspef, tretspef, spec unit, unit type, department, departments, dept, ward, ward name, specialty, speciality,
    medical specialty, care unit, careunit, clinical unit, hospital service, admitting service, medical service,
    service line, =service, abteilung, fachabteilung, fachrichtung, fachgebiet, =station, specialite,
    service hospitalier, unite soins, departamento, servicio, especialidad, afdeling, specialisme
visit_type; kinds of visits or admissions; stay
    admimeth, admisorc, unit admit source, admission location, admit location, tran in, transfer in, transferred in,
    hcup ed, emergency department, admission type, admit type, type admission, visit type, type visit, encounter type,
    encounter class, patient class, admission source, admit source, source admission, referral source,
    admission reason, admission kind, arrival mode, mode arrival, urgency, elective, aufnahmeart, aufnahmeanlass,
    aufnahmegrund, fallart, behandlungsart, einweisungsart, mode entree, type sejour, type entree, tipo ingreso,
    tipo admision, tipo visita, opnametype, soort opname, opnamesoort, urgentie
sex; sex or gender; demographic
    sex, gender, riagendr, =female, =male, geschlecht, sexe, sexo, genero, geslacht, gender identity
race; race or ethnicity; demographic
    ethnos, race, races, ridreth, ethnicity, ethnic, ethnic group, ethnic origin, ethnie, etnia, raza, etniciteit,
    hispanic, latino, indigenous, aboriginal, tribe, ancestry, visible minority, ethnizitat, =rasse
birth_place; places of birth; demographic; B
    birth place, birthplace, place birth, birth city, geburtsort, lieu naissance, lugar nacimiento, geboorteplaats
nationality; nationalities or countries; demographic
    nationality, citizenship, dmdborn, dmdcitzn, dmdyrsus, native country, country birth, birth country, country,
    country origin, home country, migrant, migration, immigration, staatsangehorigkeit, staatsangehoerigkeit,
    nationalitat, herkunftsland, herkunft, =land, geburtsland, nationalite, =pays, pays naissance, nacionalidad,
    =pais, pais nacimiento, nationaliteit, geboorteland
marital; marital status; demographic
    marstat, marital, marital status, dmdmartl, dmdmartz, civil status, marriage status, =married, familienstand,
    etat civil, situation familiale, statut marital, estado civil, burgerlijke staat, burgerlijke stand
education; education; demographic
    education, education level, dmdeduc, educational level, educational attainment, schooling, years schooling,
    school years, degree, highest degree, bildung, schulabschluss, bildungsabschluss, niveau etudes, formation,
    educacion, escolaridad, nivel estudios, opleiding, opleidingsniveau
occupation; occupations; demographic
    occupation, profession, job, job title, employment title, beruf, berufsgruppe, metier, emploi, ocupacion,
    profesion, beroep
workclass; employment; demographic
    workclass, work class, employment, employment status, employed, employer, company, industry, arbeitgeber,
    beschaftigung, employeur, empleador, empleo, werkgever
language; languages; demographic
    language, languages, sialang, mother tongue, native language, preferred language, sprache, muttersprache, langue,
    langue maternelle, idioma, lengua, taal, moedertaal
religion; religion; demographic
    religion, religious, faith, denomination, konfession, godsdienst, geloof
region; states, provinces or regions; demographic
    public health region, health region, =state, birth state, us state, home state, state code, state name,
    state residence, residence state, province, census division, census region, hospital division, hosp division,
    hospital region, hosp region, urban rural, rural urban, urbanicity, metropolitan, pl nchs, ruca, deprivation,
    deprivation index, imd, =prov, bundesland, =region, region name, provincia, =provincie, =departement, canton,
    kanton
facility; facilities; demographic
    procode, sitetret, gpprac, gp practice, =ik, hosp id, hosp nis, provider num, prvdr num, hospital, hospital name,
    hospital id, hospital code, medical center, medical centre, health center, health centre, =center, =centre,
    institution, =provider, care provider, einrichtung, etablissement, =centro, instelling, facility, facility name,
    facility id, clinic, clinic name, =site, site id, practice id, provider id, krankenhaus, klinik, hopital,
    clinique, clinica, ziekenhuis, school, school name
relationship; family situation; demographic
    relationship, household, dmdhhsiz, dmdfmsiz, household size, household type, family size, number children,
    children, kinder, kinderzahl, nombre enfants, enfants, hijos, numero hijos, aantal kinderen, pregnancies, parity,
    gravida, live births, dependents, plurality, birth order
housing; housing; demographic
    housing, tenure, dwelling
veteran; military service; demographic
    veteran, veteran status, dmqmiliz, dmqadfc, military, military service
body; body measures; demographic
    birweit, aufnahmegewicht, admission height, admission weight, discharge weight, height, body height, height cm,
    weight kg, weight lb, weight lbs, body weight, bodyweight, birth weight, bmi, body mass index, grosse, groesse,
    korpergrosse, koerpergroesse, gewicht, korpergewicht, taille, poids, estatura, peso, lengte cm, eye color,
    hair color, blood type, blood group, shoe size, handedness
income; income; demographic
    income quartile, zipinc, zipinc qrtl, poverty, indhhin, indfmin, indfmpir, income, household income,
    annual income, total income, einkommen, revenu, ingresos, inkomen
postcode; postcodes or ZIP codes; place; B
    postdist, post district, zip, zip code, zipcode, zip5, zip 3, postcode, post code, postal, postal code, plz,
    postleitzahl, code postal, codigo postal, zcta, zcta5, =cp, postcode cijfers, forward sortation area, fsa
city; cities, counties or districts; place; B
    city, town, village, municipality, county, district, borough, precinct, suburb, neighborhood, neighbourhood,
    parish, =ort, wohnort, stadt, gemeinde, landkreis, =kreis, ville, commune, quartier, arrondissement, ciudad,
    municipio, barrio, localidad, plaats, woonplaats, =stad, gemeente, wijk, buurt, residence, place residence
latitude; latitudes; place; B
    =lat, latitude, breitengrad, geogr breite, latitud, lat deg, breedtegraad, northing, y coord
longitude; longitudes; place; B
    =lon, =lng, =long, longitude, langengrad, laengengrad, longitud, lengtegraad, easting, x coord, lon deg
coordinates; coordinates; place; B
    coordinates, coordinate, coords, geo location, geolocation, geocode, gps, lat lon, lat long, latlon, latlng, geom,
    geometry, koordinaten, coordonnees, coordenadas, geohash
area; small-area codes; place; B
    =area, area id, area code, area key, small area, dissemination area, dauid, census tract, tract, census block,
    block group, fips, fips code, county fips, geoid, lsoa, msoa, output area, oa code, nuts, ward code,
    statistical area, enumeration area, mesh block, ags, gemeindeschlussel, insee, code insee, seccion censal,
    buurtcode, wijkcode, =place, place id, location id, =location
note; free text; text
    note, notes, comment, comments, remark, remarks, free text, freetext, narrative, clinical note, clinical notes,
    bemerkung, bemerkungen, kommentar, freitext, anmerkung, remarque, remarques, commentaire, comentario, comentarios,
    observaciones, opmerking, opmerkingen, toelichting, anamnesis, anamnese
insurance; insurance; sensitive
    payment src, payment typology, payment source, source payment, payment type, pay 1, pay 2, cvrage tot mons,
    insurance, insurance type, insurer, payer, payer type, payor, payer code, coverage, health plan, plan type, =plan,
    medicaid, medicare, versicherung, versicherungsart, krankenkasse, kostentrager, assurance, mutuelle, seguro,
    aseguradora, verzekering, verzekeraar
salary; salary, wealth or debts; sensitive
    salary, wage, wages, earnings, pay, debt, credit score, gehalt, lohn, salaire, salario, sueldo, salaris, loon
costs; costs or charges; sensitive
    cost, costs, charge, charges, total charges, total costs, expense, expenses, expenditure, expenditures,
    reimbursement, reimbursements, amount paid, amount due, payment amount, pmt amt, paid amount, =price, =bill,
    totchg, medreimb, benres, pppymt, kosten, gesamtkosten, entgelt, erlos, erloes, couts, couts totaux, costes,
    coste total, kostprijs
hiv; infections; sensitive
    hiv, aids, hiv status, std, stds, sti, hepatitis, hpv, syphilis, chlamydia, tuberculosis, covid, infection, vih,
    sida, infektion
sexual; sexual or reproductive health; sensitive
    sexual, sexual partners, ridexprg, sex partners, sexual orientation, sexual intercourse, orientation, abortion,
    contraceptive, contraceptives, contraception, iud, pregnant, pregnancy, schwanger, enceinte, embarazo, zwanger
mental; mental health; sensitive
    depression, depressed, anxiety, suicide, suicidal, psychiatric, psychiatry, mental, mental health, schizophrenia,
    bipolar, phq, gad, dementia, autism, adhd, psychisch
lifestyle; health habits; sensitive
    smoker, smoking, smokes, smoke, smoking status, tobacco, alcohol, drinking, drinker, drug use, drug abuse,
    substance, opioid, cannabis, raucher, rauchen, alkohol, fumeur, alcool, fumador, tabaco, roker, roken
health; health and ability; sensitive
    general health, self rated health
beliefs; opinions, beliefs and votes; sensitive
    political opinion, vote
genetic; genetic facts; sensitive
    gene, genetic, genotype, mutation, variant, brca, snp, carrier status, allele
diagnosis; diagnoses; sensitive
    admission dx, admissiondx, diagnosis, diagnoses, diag, dx, icd, icd code, disease, diseases, disorder, condition,
    conditions, illness, morbidity, comorbidity, comorbidities, cancer, tumor, tumour, diabetes, diabetic, stroke,
    heart disease, asthma, hypertension, hypertensive, copd, obesity, epilepsy, arthritis, symptom, symptoms,
    complaint, chief complaint, disability, allergy, allergies, diagnose, diagnosen, krankheit, erkrankung, befund,
    hauptdiagnose, diagnostic, maladie, diagnostico, enfermedad, ziekte, aandoening, drg, injury, cause death, biopsy,
    esrd, chf, ckd, cad, heart failure, stroke tia, strketia, alzheimer, alzhdmta, depressn, drg code, mdc,
    major diagnostic category, medical surgical
treatment; treatments or procedures; sensitive
    opertn, proc code, surg proc, ops code, =ops, beatmungsstunden, treatment, treatments, therapy, procedure,
    procedures, cpt, hcpcs, pr 1, pr 2, surgery, operation, intervention, chemotherapy, dialysis, behandlung,
    therapie, eingriff, traitement, tratamiento, cirugia, behandeling
medication; medications; sensitive
    medication, medications, medicine, drug, drugs, drug name, prescription, prescriptions, ndc, atc, insulin,
    metformin, statin, antibiotic, vaccine, vaccination, dose, medikament, medikamente, medikation, medicament,
    medicaments, medicamento, medicamentos, medicijn, medicatie, impfung
result; test or laboratory results; sensitive
    test result, result, results, lab, labs, lab result, lab value, laboratory, hba 1 c, a 1 c, a 1 cresult, chol,
    cholesterol, glucose, blood pressure, blood sugar, hemoglobin, haemoglobin, creatinine, viral load, cd 4, serum,
    plasma, urine, labor, laborwert, ergebnis, resultat, resultado, uitslag, test, cytology, ecg, ekg
outcome; outcomes; sensitive
    outcome, outcomes, readmitted, readmission, relapse, recurrence, severity, prognosis, ausgang, resultat clinique,
    hospitalized, hospitalised, hosp yn, icu yn, ventilated, intubated
death; deaths; sensitive
    mortality, died, death, deceased, dead, expired, expire, survival, survived, vital status, verstorben, deces,
    fallecido, overleden
use; numbers of visits or stays; sensitive
    number inpatient, number outpatient, number emergency, number visits, n visits, visits, doctor visits,
    hospital visits, emergency visits, outpatient visits, office visits, number admissions, number stays, arztbesuche,
    consultations, visitas, bezoeken
disposition; where somebody went after a stay; sensitive
    disdest, dismeth, pat status, unit discharge status, discharge disposition, disposition, discharge destination,
    discharge location, discharge status, discharge type, discharged to, discharge reason, dispuniform, tran out,
    transfer out, transferred out, entlassungsart, entlassungsgrund, entlassgrund, entlassungsziel, entlassart,
    mode sortie, destination sortie, destino alta, tipo alta, motivo alta, ontslagbestemming, ontslagreden
criminal; criminal records; sensitive
    criminal, conviction, convictions, arrest, offense, offence, prison
survey_weight; sampling weights; weight
    fnlwgt, sampling weight, sample weight, survey weight, person weight, final weight, weighting, perwt, pweight,
    hhwt, wtmec, wtint, expansion factor, design weight, grossing factor, pwgtp, llcpwt, wtfinl, asecwt, pspwght,
    hochrechnungsfaktor, gewichtungsfaktor, poids sondage, coefficient extrapolation, factor expansion,
    factor elevacion, peso campionario, weegfactor
weight; weights; weight
    =weight, =weights, =wt, =wgt
fieldwork; how the data were collected; fieldwork
    questionnaire version, interview mode, mode interview, survey wave, survey round
count; counts of persons; count
    =count, =counts, =cnt, =freq, =frequency, =n, =people, =persons, =population, =pop, =n persons, =n people,
    =number persons, =number people, =number patients, =n patients, person count, people count, patient count,
    =anzahl, anzahl personen, =haufigkeit, bevolkerung, effectif, nombre personnes, poblacion, frecuencia,
    numero personas, aantal, aantal personen, total population
identifier; ids or numbers; code; R
    id, identifier, uid, uuid, guid, key, number, no, nr, nbr, num, index, rowid, barcode, reference number,
    case number, encounter, encounter id, visit id, admission id, accession, accession number, sample id, specimen id,
    order id, claim id, nummer, kennung, identifiant, numero, matricule, identificador, sequence, hash, token,
    pseudonym
"""
