"""Names of columns in English, beyond those of the vocabulary."""

ENGLISH = """
mrn: pat id, patid, pat no, pat nr, patno, pat num, ptid, pt id, subject, subj id, record id, recordid, chi number,
    hcn
person: member, pers id, persno, person serial number, sequence number person, respondent number, respondent
    identifier, respondent serial number, eid, participant identifier, pseudo id, linkage id, case number person,
    cross wave person identifier, person identifier, respondent code, interview number, respondent serial
household: household identifier, household number, household serial number, serial number household, serial number
    dwelling, household serial, dwelling number, hh serial, hhnum, household code
birth_date: date of birth dd, birth quarter, day birth, dobyr, dobmo, yearofbirth, monthofbirth, dayofbirth, year of
    birth
age: age at, age admission, age interview, age recruitment, age first, age last birthday, agegrp, age grp, agecat, age
    yrs, age months, age days, age 5, age 10, age cat, startage, endage, ageyrs, age death, age diagnosis, age
    categories, age grouped, age bands, age man, age woman, age child, age respondent, age head, age household head,
    age left school, age left education, age first marriage, age first birth, age first union
event_date: date interview, interview date, year interview, month interview, interview month, interview year, start
    date, end date, from date, thru date, date attending, date assessment, date first, date last, year arrival, year
    entry, year immigration, year came, date specimen, collection date, date onset, date diagnosis, date test, epi
    start, epi end, admidate, disdate, epistart, epiend, start datetime, end datetime, admittime, dischtime,
    observation date, measurement date, condition start date, condition end date, charttime, storetime, ordertime, epi
    week, epidemiological week, mmwr week, calendar week, iso week, week year, epi year, day year, =doy, =yday, =jday,
    week number, week no, =weeknum, julian day, julian date, =season, year month, month year, =yyyymm, =yyyymmdd,
    =mmyyyy, month name, period name, day interview, reference week, quarter interview, quarter fieldwork, fieldwork
    date, date fieldwork, interviewed on, specimen collected, collected at, sample taken
event_time: time hour, start time, end time, time visit, admission time day
length_stay: length episode, duration care, days care, duration hospital stay, number nights, nights hospital, covered
    days
department: clinical specialty, treatment specialty, main specialty, treatment function, first careunit, last
    careunit, provider specialty, clinic type, ward type, service type, treatment setting
visit_type: patient type, care type, class patient, method admission, admission method, source admission, type
    encounter, type care, level care, place service, place delivery, mode delivery, type birth, patient
    classification, visit source, visit concept, episode type, attendance type
sex: female sex, male sex, sex birth, sexvar, birthsex, genderid, gender identification, gndr, respondents sex,
    administrative sex, sex respondent, gender respondent, boy girl
race: ethnic background, race ethnicity, ethnic category, ethnicity category, hispanic origin, hisp, minority,
    minority ethnic, indigenous status, skin colour, skin color, belong minority ethnic, recoded race, imputed race
birth_place: born country, born in, place born, region birth, state birth, territory birth
nationality: citizen, citizen country, country residence, country citizenship, foreign born, migrant background, place
    birth country, nativity, world area birth, country code, years in us, years in country, born abroad, ancestry
    recode, years residence, years lived in country, year immigrated, born outside country, mother born, father born,
    country born, reason migration, main citizenship, length residence, years in united states, in country since,
    years since immigration, residence permit, ~refugee
marital: cohabiting, currently married, ever married, times married, living spouse, living partner, legal marital
    status, civil state, partner status, widowed divorced, living man, living with man, living with partner, living as
    couple, lives with partner, lives with spouse, partner living same household, married or living, married living
    man, legal partnership, ever in union, current union, spouse lives, number wives, separated, widowed, ~spouse,
    spouse partner
education: highest level education, level education, highest education, qualifications, qualification, school
    enrollment, grade attending, grade level, field degree, field study, isced, years education, educ, years full time
    education, school attendance, college degree, literacy, studying, student, highest school, highest grade, school
    attended, level school attended, highest year school, year school completed, highest grade completed, left school,
    school leaving age, years schooling completed, still school, currently attending school, attends school, ever
    attended school, school leaving certificate, vocational training, vocational qualification, apprenticeship,
    education father, education mother, highest degree father, highest degree mother, can read, reads, reading, field
    education, education status, student apprentice, ~training, ~courses, university degree
occupation: isco, isco 08, soc code, socp, occp, job code, occupation code, main job, employment title, industry
    occupation, occupational classification, standard occupational classification, current job, job held, occupational
    group, occupational class, social class, ns sec, nssec, socio economic classification, socioeconomic
    classification, socio economic group, socioeconomic group, occupation spouse, occupation father, occupation
    mother, prestige, isei, siops, egp, first job, last job
workclass: class worker, industry code, nace, naics, sic code, working, work status, labour status, labor force,
    labour force, hours worked, hours worked per week, usual hours, weeks worked, activity status, main activity, job
    status, self employed, retired, unemployed, economic status, occupational status, number employees, establishment
    size, contract type, employment contract, main status, labour force status, labor force status, employed not,
    being employed, employment type, type employment, type contract, permanent temporary contract, temporary contract,
    permanent job, full time, part time, full time part time, second job, more than one job, public sector, private
    sector, sector employment, economic activity, economic sector, branch activity, kind business, number employed
    workplace, employed workplace, size workplace, size firm, firm size, company size, size establishment, supervises,
    supervises others, supervisory, supervisory responsibilities, supervision, ~manager, shift work, shift working,
    night work, weekend work, works home, work home, working home, home office, telework, homeworking, commuting,
    commute, travel work, time travel work, started working, year started job, tenure job, job tenure, looking work,
    looking another job, seeking work, search employment, registered unemployed, employment office, hours work,
    working hours, work hours, weekly hours, hours normally worked, overtime, works government, professional status,
    professional position, position job, status employment, apprentices, labour status spouse, unpaid family worker,
    employer name, worked last week, worked past week, paid work, currently working, not working, why not working,
    reason not working, working time, job seeker, labour market status, sick leave, paid leave, maternity leave,
    parental leave, maternity paternity leave, type main job, work schedule, schedule, hours job, 35 hours week,
    ~supervise, government work, job loss, job security, ~workplace, ~colleagues, unpaid work
language: language home, language spoken, language interview, speaks, ability speak english, language other than
    english
religion: religion belong, religious affiliation, religious denomination
region: state fips, region residence, health authority, ics, ccg, stp, ccg residence, government office region, degree
    urbanisation, urbanisation, urban status, type place residence, rural, urban, domicile type, domicile, metro,
    metro status, msa, country region, index multiple deprivation, townsend, townsend deprivation, division, size
    place, size town, town size, size community, community size, size municipality, municipality size, population
    place, size locality, locality size, city size, place size, size class municipality, settlement type, type
    settlement, settlement, type community, type area, rural area, urban area, urban rural area, rural urban area,
    rurality, urbanization, degree urbanization, metropolitan belt, metropolitan area, metro area, survey region, old
    new states, east west, federal state, geographic region, macro region, quintile deprivation, area deprivation,
    decile deprivation, deprivation decile, deprivation quintile, population density, coastal, belt code,
    agglomeration, type region
facility: provider code, site treatment, hospital provider, care site, care site name, facility county, facility type,
    hospital county, operating certificate, hospital bed size, teaching status, assessment centre, assessment center,
    sample site, centre id
relationship: relationship head, relationship reference person, relationship householder, family relationship,
    household members, number household members, number persons household, persons household, people household, number
    children home, children home, children ever born, number own children, age youngest child, child home, family
    type, family structure, lone parent, single parent, multigenerational household, parents born, number siblings,
    siblings, brothers, sisters, sons, daughters, grandchildren, grandparents, twin, multiple birth, number living
    children, sons home, daughters home, partner lives, size household, women household, adults household, number
    adults, number men, number women, head household, household composition, marriages, members household, persons
    live household, people live household, composition household, generations household, number generations, one
    parent family, child living, children living, children ever, daughters living, sons daughters living, own
    children, children under, children born, number births, youngest child, oldest child, dependent children, brothers
    sisters, number brothers sisters, step children, adopted, lives alone, living alone, living arrangements, living
    arrangement, household head, relation head, relation reference person, relation person, relation household head,
    family members, twins, number wives husbands, orphan, mother alive, father alive, parents alive, child lives with,
    household position, parental status, ~parents, child care, childcare, care relatives, lives parents, foster
housing: tenure, home ownership, owner occupied, own rent, rent, rooms, number rooms, bedrooms, number bedrooms,
    dwelling, dwelling type, type dwelling, housing, house type, type accommodation, building, units structure, year
    built, vehicles, number vehicles, cars, number cars, car, source drinking water, type toilet, toilet facility,
    electricity, internet access, floor material, main floor material, water source, heating, lives in, telephone
    home, cell phones adults, landline, moved in, mobility status, lived here 1 year ago, kind dwelling, dwelling
    size, dwelling owned, owns dwelling, owns house, owns home, own house, home owner, owner renter, tenant, tenants,
    landlord, rented, renting, number other rooms, living rooms, rooms sleeping, sleeping rooms, ~sleeping, ~kitchen,
    ~bathroom, ~bath, ~shower, balcony, ~garden, floor area, floor space, square metres, living space, living area,
    size dwelling, size home, central heating, heating fuel, air conditioning, main material, material floor, material
    roof, material walls, main material roof, main material walls, ~roof, ~floor, ~walls, exterior walls, roof
    material, wall material, fixed telephone, telephone line, mobile phone household, household has, household owns,
    household goods, ~television, =tv, ~radio, ~refrigerator, fridge, freezer, washing machine, dishwasher, computer
    home, personal computer, internet home, ~bicycle, motorcycle, scooter, ~cart, ~boat, ~truck, car truck, vans, cars
    vans, owns car, car available, has car, drinking water, water supply, source water, piped water, treat water,
    toilet, ~flush, sanitation, sewage, latrine, cooking fuel, cookstove, ~stove, ~cooking, type fuel, ~fuel,
    ~lighting, livestock, cattle, cows, goats, sheep, chickens, poultry, agricultural land, owns land, hectares,
    bednet, mosquito net, mosquito nets, wash hands, handwashing, place wash hands, ~damp, damp walls, leaking roof,
    noise neighbours, ~noise, ~pollution, year moved, years address, years current address, lived address, length
    residence address, type house, ~house, ~apartment, ~flat, ~storeys, floor building, ~lift, ~construction,
    construction period, year construction, condition dwelling, overcrowded, overcrowding, ~crowding, ~garage, second
    home, ~pets, dog, cat, ownership dwelling, ownership home, accommodation type, ~accommodation, outdoor space,
    residence owned, residence rented, smart phones, smartphone, household assets, wood cooking, ~household owned,
    ~neighbourhood condition, time in house, length time house, ~animal, ~ger, ~tent, ~firewood
veteran: period military service, active duty, armed forces, service disability, vietnam, military status, served
    military, served armed forces, national guard, ~reserves, armed conflict
body: standing height, waist, waist circumference, hip circumference, arm circumference, bmi category, birthweight,
    birth weight grams, weight pounds, height inches, weight kilograms, height centimeters, height meters, obese,
    gestation length weight, weight height, left handed, hair colour, eye colour, weight child, height child, length
    height, length child, recumbent length, height metres, height centimetres, weight kilos, weight kilogrammes, valid
    height, valid weight, wt kg, ht cm, weight admission, height admission, body mass, bmi group, shoulder, calf, neck
    circumference, weight birth, size birth, length birth, head circumference, waist hip ratio, skinfold, ideal body
    weight, body surface area, bsa
income: household income category, family income, personal income, persons earnings, disposable income, poverty
    status, poverty ratio, income poverty, income to poverty, wealth index, wealth, assets, benefits received, social
    benefits, food stamps, pension income, net income, gross income, income source, source income, ability make ends
    meet, feeling household income, at risk poverty, material deprivation, average total household income, equivalised
    income, income quintile, income decile, income group, income bracket, gross household income, monthly income,
    income month, weekly income, household net income, wealth quintile, wealth score, afford, can afford, afford
    replace, afford holiday, ~holiday, worn out furniture, unexpected expenses, meal meat, keep home warm, warm home,
    ~benefits, social assistance, welfare, child benefit, unemployment benefit, housing benefit, allowances, ~savings,
    interest dividends, property value, rent amount, rent paid, mortgage, capital income, income capital, standard
    living, living standard, social security income, ~allowance, inheritance, ~investments, poverty line, consumption
    expenditure
postcode: zip 3 digits, zipcode 3, zip code 3 digits, postcode sector, postcode area
city: place residence, local authority, local authority district, lad, county residence, county unitary, county name,
    health district, town residence, county code, county of residence, home town
area: puma, lsoa 11, msoa 11, lsoa residence, super output area, block group id, cluster number, cluster
note: comments free, text, note text, value source text, report text, remarks text, string value
insurance: payment typology 1, source payment 1, primary payer, health insurance coverage, insurance coverage,
    coverage type, private insurance, public insurance, health coverage, insured, uninsured, medical coverage,
    medicaid coverage, hicov, prepaid plan, payer name, health care coverage
salary: wages salary, wage salary, annual wage, hourly pay, monthly pay, employee cash, arrears, behind with, behind
    rent, behind with rent, rent arrears, payment arrears, utility bills arrears, overdue, mortgage payments, behind
    payments, financial situation, financial difficulties, financial strain, subjective financial situation,
    satisfaction financial situation, satisfaction income, financial satisfaction, ability pay, going hungry, food
    insecurity, ~hunger, ran out food, money worries, bankruptcy, loans, decile pay, monthly pay main job, take home
    pay, net pay, gross pay, ~bonus, food would run out, run out food, ~hungry, food security, food insecure, ~bills,
    ~owe, able to pay
costs: total cost, total charge, cost per, paid by patient, paid by payer, copay, tariff, amount, money spent, out
    pocket, household expenditure, food expenditure
hiv: hiv test, ever tested hiv, sexually transmitted, hepatitis b, hepatitis c, cov 2, pcr, antigen test, virus, heard
    aids, heard of aids, aids knowledge, tested hiv, stigma, malaria test, parasite
sexual: sexual intercourse age, age first sex, first sexual intercourse, lifetime number sexual partners, abortion
    edit, currently pregnant, pregnancy status, births last, gave birth, gestation, gestational age, contraceptive
    method, current contraceptive method, menopause, menarche, menstruation, ivf, breastfeeding, last menstrual
    period, abortion edit indicator, total children ever born, gravidity, previous pregnancies, fetal, contraception
    method, method contraception, currently using method, unmet need contraception, desire children, wants children,
    ideal number children, fertility preference, last birth wanted, breastfed, ever breastfed, child who later died,
    age first intercourse, condom, extramarital, infertility, hormone replacement, hrt
mental: depressive disorder, feel sad, feeling sad, nervous, loneliness, lonely, neuroticism, happiness, happy, life
    satisfaction, satisfaction life, mental distress, poor mental health, memory, eurod, anxious, self harm, ever
    depressed, mood, felt lonely, felt depressed, cognitive, sleep, insomnia, stress, ghq, ghq score, ghq 12,
    wellbeing, well being, subjective wellbeing, who 5, wemwbs, happiness general, general happiness, satisfaction
    with life, satisfied life, satisfied with life, ~satisfaction, satisfied, life worthwhile, felt sad, felt tired,
    felt calm, =sad, worried, ~worry, worthless, hopeless, down depressed, little interest, interest pleasure, trouble
    sleeping, sleeping problems, hours sleep, sleep hours, sleep duration, sleep quality, ~tired, tiredness, social
    support, support perceived, someone talk, isolation, isolated, self esteem, optimism, personality, extraversion,
    big five, self efficacy, resilience, ~anger, ~panic, ptsd, eating disorder, burnout, coping, life events,
    psychological distress, psychological problems, emotional support, ~restless, ~hopeful, confident future, felt
    effort
health: general health, self rated health, overall health rating, health status, self perceived health, subjective
    health, long standing illness, longstanding illness, chronic, chronic condition, limiting, limitation, limitation
    activities, hampered, difficulty walking, difficulty hearing, difficulty seeing, difficulty dressing, difficulty
    concentrating, hearing difficulty, vision difficulty, cognitive difficulty, ambulatory difficulty, self care
    difficulty, independent living difficulty, independent living, functional, functioning, adl, iadl, mobility
    limitations, deaf, blind, unmet need, unmet medical, physical health not good, poor physical health, days poor
    health, pain, fatigue, hearing, eyesight, vision, falls, grip strength, maximum grip strength, frailty, activities
    daily living, disabled, self assessed health, self assessed general health, general health status, state health,
    health general, health perception, long standing impairment, long term illness, illness impairment, impairment,
    activity limitation, limits activities, daily activities, restricted, health problem, health problems, health
    limits, sick days, days sick, absence work, sickness absence, walking difficulty, uses wheelchair, wears glasses,
    glasses, ~teeth, oral health, dental health, care needs, care level, needs help, physical health, quality life, eq
    5 d, eq vas, sf 12, sf 36, sf 1, diarrhoea, diarrhea, ~fever, ~cough, child ill, ill last two weeks, backache,
    back pain, headache, migraine, incontinence, ~burden, infirmity, ~difficulty, ~difficulties, missed work, days
    missed, workdays missed, fall risk, braden score
lifestyle: ever smoked, smoking now, cigarettes, cigarettes per day, smoked 100 cigarettes, smoked, e cigarettes,
    vaping, alcohol intake, alcohol drinker, alcoholic drinks, drinks per day, binge drinking, drank alcohol,
    marijuana, physical activity, exercise, days vigorous activity, moderate activity, vigorous activity, diet, fruit
    intake, seatbelt, seat belt, drink driving, sport, sedentary, cigarette, cigarette smoking, cigarette smoking
    status, number cigarettes, smoked day, tobacco use, electronic cigarette, electronic cigarettes, ecig, vapes,
    vape, chewing tobacco, pipe, cigars, alcoholic drink, alcoholic beverage, alcoholic beverages, alcohol
    consumption, alcohol use, alcohol units, units alcohol, units drunk, drunk, drinks, beer, wine, spirits, glasses
    wine, audit c, heaviest day, drank, fruit, vegetables, fruit vegetables, portions fruit, vegetable, meat
    consumption, eats meat, fish consumption, eats, eaten, eating, eating habits, breakfast, soft drinks, sugary
    drinks, sweetened, ~sugar, ~salt, fast food, vegetarian, vegan, calories, energy intake, fibre, ~coffee, =tea,
    dietary, nutrition, food frequency, walked, walking, minutes walked, walks, ~cycling, ~running, swimming,
    physically active, met minutes, sitting, hours sitting, spent sitting, screen time, tv watching, hours tv,
    watching television, moderate physical activity, ~sports, sport hours, leisure time, fitness, gym, gambling,
    gambled, lottery, betting, illegal drug, illegal drugs, illicit drugs, cocaine, ecstasy, heroin, injected drugs,
    sunbed, ~helmet, hand washing, toothbrushing, brushes teeth, internet use, social media use, gaming, ~cigs, has
    drink, had drink, have drink, drink containing alcohol, drink alcohol, meet friends, free time, ~hobbies
beliefs: trust, trust politicians, trust parliament, trust police, political, politics, political party, party voted,
    voted, vote, left right scale, party, interest politics, how religious, religious services, pray, union member,
    trade union, member trade union, discriminated, discrimination, gays lesbians, immigrants, attitude, opinion,
    closer to party, how interested politics, demonstration, petition, ~confidence, confidence press, confidence
    government, trust people, people trusted, can people be trusted, can be trusted, trust others, trust government,
    trusted, political views, political interest, interested politics, left right, left right placement, left right
    self placement, liberal conservative, liberal, conservative, self placement, party affiliation, political
    affiliation, political party affiliation, party preference, party identification, voting, vote last election,
    voted last election, vote intention, ~election, ~elections, democracy, satisfaction democracy, satisfaction
    government, government should, ~spending, too little too much, favours opposes, favour oppose, favor oppose,
    favors opposes, ~opposes, =agree, =agrees, agree disagree, =disagree, ~opinions, ~attitudes, attitude toward,
    should be allowed, allowed if, increased reduced, justified, justifiable, beating justified, wife beating, death
    penalty, capital punishment, abortion allowed, abortion attitude, euthanasia, suicide right, homosexual,
    homosexuality, same sex, gay, lesbian, gun law, permits guns, gun control, gun in home, has gun, owns gun,
    firearms, racial, racism, differences due, prejudice, immigration attitude, number immigrants, foreigners,
    refugees, muslims, jews, gender roles, women should, men better, mother works, working mother, climate change,
    =environment, improving environment, nuclear power, european union, national pride, patriotism, attends religious
    services, attendance religious services, religiosity, religious person, prays, prayer, believe in god, believes,
    ~belief, =god, life after death, ~bible, church attendance, churchgoing, union membership, petitions, boycott,
    ~protest, protested, took part demonstration, demonstrations, ~strike, volunteering, voluntary work, member
    association, club member, donated, =values, important to him, important to be, postmaterialism, free speech, allow
    speech, communist, atheist allowed, corruption, justice system, ~courts, police trust, fear crime, feels safe,
    ~safety, victim discrimination, treated unfairly, subjective social class, class identification, social status,
    confidence church, confidence parliament, confidence police, confidence courts, confidence army, confidence banks,
    confidence companies, confidence science, confidence congress, confidence president, confidence institutions,
    confidence media, confidence unions, law order, politically active, ~democratic, ~constitution, ~citizens duty,
    emotionally attached, attachment country, income differences, reduce differences
genetic: genetic sex, genetic ethnic, principal components, polygenic, alleles, chromosome, kinship
diagnosis: diagnosis code, primary diagnosis, principal diagnosis, secondary diagnosis, diagnosis version, icd 9, icd
    10, icd 9 code, icd 10 code, ever diagnosed, doctor diagnosed, condition concept, condition source, problem,
    illness injury, injury code, fractured, fracture, heart attack, angina, coronary, kidney disease, skin cancer,
    prediabetes, high blood pressure, high cholesterol, ccs diagnosis, ccsr, apr drg, apr severity, apr mdc, severity
    illness, risk mortality, charlson, operative, morbid, dementia diagnosis, self reported cancer, tumour site, tumor
    site, histology, stage, grade tumour, pneumonia, asthmatic, epilepsy diagnosed, chest pain, immunosuppressed,
    immunocompromised, immune, ever diagnosed with, diagnosed by doctor
treatment: procedure code, procedure concept, principal procedure, ccs procedure, hcpcs code, cpt code, operation
    code, opcs, opertn 01, implant, anaesthetic, anesthesia, transplant, vaccinated, flu shot, flu vaccine, mammogram,
    pap test, pap smear, colonoscopy, blood test, screening, dental, hearing aid, caesarean, cesarean, delivery,
    checkup, routine checkup, episiotomy, immunization, immunisation, vaccines, influenza vaccination, polio vaccine,
    measles vaccine, bcg, dpt, immunised, cervical screening, breast screening, cancer screening, smear test, blood
    pressure checked, cholesterol checked, ventilation, mechanical ventilation, ventilation hours, ventilator,
    intubation, oxygen therapy, ~infusion, transfusion, dialysis sessions, physiotherapy, rehabilitation, antenatal
    care, circumcision, circumcised, assisted delivery, vitamin a dose, orthodontic
medication: drug code, drug concept, drug source, dose val, dose unit, dose value, route, sig, days supply, refills,
    drug type, gsn, formulary drug, prod strength, pharmacy, insulin treatment, blood pressure medication, medication
    blood pressure, treatment code, quantity dispensed, prescribed, medicines, medicines taken, prescribed medicines,
    painkiller, painkillers, antibiotics, antibiotic given, antidepressant, antidepressants, antihypertensive,
    steroid, steroids, corticosteroid, vasopressor, vasopressors, sedation, sedative, opioids, anticoagulant,
    anticoagulation, anticoagulants, infusion rate, dose mg, dose given, total dose, daily dose, ~drip, units given,
    mg day, mg kg, mcg, ug kg min, mcg kg min, mg, ml h, ~injection, chemotherapy dose, oral contraceptive, folic
    acid, iron tablets, vitamin supplements, supplements, heparin, insulin total, furosemide, frusemide,
    norepinephrine, noradrenaline, epinephrine, adrenaline, dopamine, dobutamine, vasopressin, morphine, fentanyl,
    propofol, paracetamol, ibuprofen, aspirin, warfarin, digoxin, vancomycin, prednisolone, prednisone, dexamethasone,
    hydrocortisone, trough, dose rate, takes medication, taking medication, taking medicine, takes medicine
result: value number, valuenum, value numeric, nval num, tval char, valueflag, flag abnormal, abnormal flag, lab flag,
    systolic, diastolic, systolic blood pressure, diastolic blood pressure, pulse, pulse rate, heart rate, sbp, dbp,
    hdl, ldl, triglycerides, hba1c, glycohemoglobin, albumin, platelets, white blood, haemoglobin level, hemoglobin
    level, measurement, measurement concept, value concept, range low, range high, itemid, spirometry, fev1, bone
    density, vital, vitals, temperature, oxygen, saturation, apgar, apgar score, bilirubin, urea, sodium, potassium,
    crp, vitamin d, psa, anemia level, malaria, respiratory rate, score total, mmol l, mmol L, mg dl, mg dL, g dl, g
    dL, umol l, umol L, ug l, ug L, ng ml, ng mL, ng l, ng L, pg ml, pg mL, pmol l, nmol l, nmol L, meq l, mEq L, iu
    l, IU L, u l, u L, g l, mg l, mg L, ug ml, ug mL, cells ul, 10 u L, k u L, mmol mol, mm hg, mm Hg, mmhg, kpa, bpm,
    beats minute, breaths minute, ser pl, SerPl, m Cnc, s Cnc, c Cnc, mcnc, scnc, bld, PPP, ~blood, blood count, cbc,
    ~arterial, ~venous, ~capillary, blood gas, abg, base excess, bicarbonate, chloride, calcium, magnesium, phosphate,
    phosphorus, lactate, lactic acid, glucose fasting, fasting glucose, hemoglobin a 1 c, glycated, glycated
    haemoglobin, glycated hemoglobin, hematocrit, haematocrit, wbc, rbc, leukocytes, leucocytes, white cell count,
    white blood cells, red blood cells, erythrocytes, neutrophils, lymphocytes, monocytes, eosinophils, basophils,
    platelet, platelet count, reticulocytes, mcv, mch, mchc, rdw, inr, prothrombin, prothrombin time, aptt,
    thromboplastin, d dimer, fibrinogen, creat, crea, gfr, urea nitrogen, bun, cystatin, uric acid, urate, alt sgpt,
    ast sgot, sgot, sgpt, ggt, gamma gt, alkaline phosphatase, alanine, aspartate, transaminase, bilirub, total
    bilirubin, direct bilirubin, lipase, amylase, ldh, lactate dehydrogenase, creatine kinase, ck mb, troponin, bnp,
    nt probnp, natriuretic, procalcitonin, c reactive protein, reactive protein, esr, sedimentation, interleukin,
    ferritin, ~iron, transferrin, vitamin b 12, folate, tsh, thyrotropin, free t 4, thyroxine, cortisol, testosterone,
    estradiol, hcg, prolactin, cea, afp, total protein, total cholesterol, cholesterol result, triglyceride,
    lipoprotein, ~lipids, urinalysis, proteinuria, albuminuria, albumin creatinine ratio, ketones, urine output, urine
    volume, fluid balance, drainage, =culture, blood culture, microbiology, bp, bp sys, bp dias, bp systolic, bp
    diastolic, sysbp, diabp, mean arterial pressure, nibp, heart rhythm, resp rate, respiration rate, breathing rate,
    body temperature, =temp, spo 2, spo2, sao 2, fio 2, fio2, pco 2, po 2, pao 2, pco2, po2, pao2, etco 2, oxygen
    saturation, pulse oximetry, oximetry, gcs, glasgow, glasgow coma, coma score, coma scale, pain score, pain
    severity, pain scale, nrs, vas pain, sofa, apache, saps, news score, early warning score, qrs, qt interval, qtc,
    ejection fraction, lvef, ~echo, peak flow, fvc, fev, bmd, tumour marker, tumor marker, viral load copies, ~titre,
    antibody, antibodies, igm, screening result, hearing test, visual acuity, intraocular pressure, head ct, ~imaging,
    radiology, gamma glutamyl, transferase, red cell, distribution width, anion gap, base deficit, venous pressure,
    tidal volume, peep, minute volume, blood velocity, point care, pupils, fluid input, fluid intake, fluids, intake
    output, oxygen flow, breathing
outcome: hospital expire flag, hospital death, alive, discharge alive, icu admission, ended in death, cured
death: cause death code, age at death, death cause, died in hospital, child alive, underlying cause, date death,
    autopsy, survival time, deathtime, ever had child died, child died, children died, sons died, daughters died,
    infant death, parent died, stillbirth, hospital mortality
use: doctor seen, times seen doctor, hospital stays, stayed hospital, overnight hospital, nights in hospital number,
    consulted, contacts doctor, number times received healthcare, hospital visits number, last visit, antenatal
    visits, prenatal visits, previous admissions, discharges number, dentist, last visited dentist, visit dentist,
    dental visit, visited doctor, visit doctor, consulted doctor, consulted gp, gp visits, gp consultations,
    specialist visits, times hospital, hospital admissions, inpatient nights, emergency room visits, ambulance,
    psychologist visit, counselling, home care, health check
disposition: discharge destination code, method discharge, discharge method, patient disposition, discharged to
    concept, destination discharge, dischargedisposition, discharge code
criminal: victim burglary, victim crime, burglary assault, assault, crime, violence, physical violence, domestic
    violence, gang, victim violence, been attacked, stolen, burgled, theft, mugging, offended, police stop, child
    discipline, physical punishment, spanked
survey_weight: final survey weight, design weights, post stratification weight, cross sectional weight, personal
    weight, calibrated weight, individual weight, women weight, household weight, interview weight, exam weight,
    llcpwt, population weight, weight analysis, analysis weight, weight interview, weight variable, sample weight
    women, cross sectional individual weight, longitudinal weight, yearly weighting factor, weighting factor,
    weighting variable, grossing weight, household weight factor, womens sample weight, children sample weight
fieldwork: =wave, survey wave, wave panel, =sweep, survey round, =round, essround, =edition, release version,
    questionnaire version, version questionnaire, =version, form version, =ballot, split ballot, split sample, mode
    interview, interview mode, mode data collection, data collection mode, collection mode, survey mode, interview
    carried out, capi, cati, cawi, length interview, interview length, duration interview, interview duration,
    interview status, interview result, result interview, outcome code, response status, =proxy, proxy interview,
    participation survey, imputation flag, imputed, edit flag, quality flag, data source, source system, source data,
    file version, extract version, production date, study number, dataset name, cohort wave, =batch, batch number,
    interview outcome, nature participation, sample origin, sample type, subsample, consent version
"""
