"""Names of columns in English, beyond those of the vocabulary."""

ENGLISH = """
mrn: pat id, patid, pat no, pat nr, patno, pat num, ptid, pt id, subject, subj id, record id, recordid, chi number,
    hcn
person: member, pers id, persno, person serial number, sequence number person, respondent number,
    respondent identifier, respondent serial number, eid, participant identifier, pseudo id, linkage id,
    case number person
household: household identifier, household number, household serial number
birth_date: date of birth dd, birth quarter, day birth, dobyr, dobmo, yearofbirth, monthofbirth, dayofbirth,
    year of birth
age: age at, age admission, age interview, age recruitment, age first, age last birthday, agegrp, age grp, agecat,
    age yrs, age months, age days, age 5, age 10, age cat, startage, endage, ageyrs, age death, age diagnosis
event_date: date interview, interview date, year interview, month interview, interview month, interview year,
    start date, end date, from date, thru date, date attending, date assessment, date first, date last, year arrival,
    year entry, year immigration, year came, date specimen, collection date, date onset, date diagnosis, date test,
    epi start, epi end, admidate, disdate, epistart, epiend, start datetime, end datetime, admittime, dischtime,
    observation date, measurement date, condition start date, condition end date, charttime, storetime, ordertime,
    epi week, epidemiological week, mmwr week, calendar week, iso week, week year, epi year, day year, =doy,
    =yday, =jday, week number, week no, =weeknum, julian day, julian date, =season, year month, month year,
    =yyyymm, =yyyymmdd, =mmyyyy, month name, period name
event_time: time hour, start time, end time, time visit, admission time day
length_stay: length episode, duration care, days care, duration hospital stay, number nights, nights hospital,
    covered days
department: clinical specialty, treatment specialty, main specialty, treatment function, first careunit,
    last careunit, provider specialty, clinic type, ward type, service type, treatment setting
visit_type: patient type, care type, class patient, method admission, admission method, source admission,
    type encounter, type care, level care, place service, place delivery, mode delivery, type birth,
    patient classification, visit source, visit concept, episode type, attendance type
sex: female sex, male sex, sex birth, sexvar, birthsex, genderid, gender identification, gndr
race: ethnic background, race ethnicity, ethnic category, ethnicity category, hispanic origin, hisp, minority,
    minority ethnic, indigenous status, skin colour, skin color, belong minority ethnic, recoded race, imputed race
birth_place: born country, born in, place born, region birth, state birth, territory birth
nationality: citizen, citizen country, country residence, country citizenship, foreign born, migrant background,
    place birth country, nativity, world area birth, country code, years in us, years in country, born abroad,
    ancestry recode
marital: cohabiting, currently married, ever married, times married, living spouse, living partner,
    legal marital status, civil state, partner status, widowed divorced
education: highest level education, level education, highest education, qualifications, qualification,
    school enrollment, grade attending, grade level, field degree, field study, isced, years education, educ,
    years full time education, school attendance, college degree, literacy, studying, student
occupation: isco, isco 08, soc code, socp, occp, job code, occupation code, main job, employment title,
    industry occupation
workclass: class worker, industry code, nace, naics, sic code, working, work status, labour status, labor force,
    labour force, hours worked, hours worked per week, usual hours, weeks worked, activity status, main activity,
    job status, self employed, retired, unemployed, economic status, occupational status, number employees,
    establishment size, contract type, employment contract, main status
language: language home, language spoken, language interview, speaks, ability speak english,
    language other than english
religion: religion belong, religious affiliation, religious denomination
region: state fips, region residence, health authority, ics, ccg, stp, ccg residence, government office region,
    degree urbanisation, urbanisation, urban status, type place residence, rural, urban, domicile type, domicile,
    metro, metro status, msa, country region, index multiple deprivation, townsend, townsend deprivation, division
facility: provider code, site treatment, hospital provider, care site, care site name, facility county, facility type,
    hospital county, operating certificate, hospital bed size, teaching status, assessment centre, assessment center,
    sample site, centre id
relationship: relationship head, relationship reference person, relationship householder, family relationship,
    household members, number household members, number persons household, persons household, people household,
    number children home, children home, children ever born, number own children, age youngest child, child home,
    family type, family structure, lone parent, single parent, multigenerational household, parents born,
    number siblings, siblings, brothers, sisters, sons, daughters, grandchildren, grandparents, twin, multiple birth,
    number living children, sons home, daughters home, partner lives, size household, women household,
    adults household, number adults, number men, number women, head household, household composition, marriages
housing: tenure, home ownership, owner occupied, own rent, rent, rooms, number rooms, bedrooms, number bedrooms,
    dwelling, dwelling type, type dwelling, housing, house type, type accommodation, building, units structure,
    year built, vehicles, number vehicles, cars, number cars, car, source drinking water, type toilet,
    toilet facility, electricity, internet access, floor material, main floor material, water source, heating,
    lives in, telephone home, cell phones adults, landline, moved in, mobility status, lived here 1 year ago
veteran: period military service, active duty, armed forces, service disability, vietnam
body: standing height, waist, waist circumference, hip circumference, arm circumference, bmi category, birthweight,
    birth weight grams, weight pounds, height inches, weight kilograms, height centimeters, height meters, obese,
    gestation length weight, weight height, left handed, hair colour, eye colour
income: household income category, family income, personal income, persons earnings, disposable income,
    poverty status, poverty ratio, income poverty, income to poverty, wealth index, wealth, assets, benefits received,
    social benefits, food stamps, pension income, net income, gross income, income source, source income,
    ability make ends meet, feeling household income, at risk poverty, material deprivation,
    average total household income
postcode: zip 3 digits, zipcode 3, zip code 3 digits, postcode sector, postcode area
city: place residence, local authority, local authority district, lad, county residence, county unitary, county name,
    health district, town residence, county code, county of residence, home town
area: puma, lsoa 11, msoa 11, lsoa residence, super output area, block group id, cluster number, cluster
note: comments free, text, note text, value source text, report text, remarks text, string value
insurance: payment typology 1, source payment 1, primary payer, health insurance coverage, insurance coverage,
    coverage type, private insurance, public insurance, health coverage, insured, uninsured, medical coverage,
    medicaid coverage, hicov, prepaid plan, payer name, health care coverage
salary: wages salary, wage salary, annual wage, hourly pay, monthly pay, employee cash
costs: total cost, total charge, cost per, paid by patient, paid by payer, copay, tariff, amount
hiv: hiv test, ever tested hiv, sexually transmitted, hepatitis b, hepatitis c, cov 2, pcr, antigen test, virus
sexual: sexual intercourse age, age first sex, first sexual intercourse, lifetime number sexual partners,
    abortion edit, currently pregnant, pregnancy status, births last, gave birth, gestation, gestational age,
    contraceptive method, current contraceptive method, menopause, menarche, menstruation, ivf, breastfeeding,
    last menstrual period, abortion edit indicator, total children ever born, gravidity, previous pregnancies, fetal
mental: depressive disorder, feel sad, feeling sad, nervous, loneliness, lonely, neuroticism, happiness, happy,
    life satisfaction, satisfaction life, mental distress, poor mental health, memory, eurod, anxious, self harm,
    ever depressed, mood, felt lonely, felt depressed, cognitive, sleep, insomnia, stress
health: general health, self rated health, overall health rating, health status, self perceived health,
    subjective health, long standing illness, longstanding illness, chronic, chronic condition, limiting, limitation,
    limitation activities, hampered, difficulty walking, difficulty hearing, difficulty seeing, difficulty dressing,
    difficulty concentrating, hearing difficulty, vision difficulty, cognitive difficulty, ambulatory difficulty,
    self care difficulty, independent living difficulty, independent living, functional, functioning, adl, iadl,
    mobility limitations, deaf, blind, unmet need, unmet medical, physical health not good, poor physical health,
    days poor health, pain, fatigue, hearing, eyesight, vision, falls, grip strength, maximum grip strength, frailty,
    activities daily living, disabled
lifestyle: ever smoked, smoking now, cigarettes, cigarettes per day, smoked 100 cigarettes, smoked, e cigarettes,
    vaping, alcohol intake, alcohol drinker, alcoholic drinks, drinks per day, binge drinking, drank alcohol,
    marijuana, physical activity, exercise, days vigorous activity, moderate activity, vigorous activity, diet,
    fruit intake, seatbelt, seat belt, drink driving, sport, sedentary
beliefs: trust, trust politicians, trust parliament, trust police, political, politics, political party, party voted,
    voted, vote, left right scale, party, interest politics, how religious, religious services, pray, union member,
    trade union, member trade union, discriminated, discrimination, gays lesbians, immigrants, attitude, opinion,
    closer to party, how interested politics, demonstration, petition
genetic: genetic sex, genetic ethnic, principal components, polygenic, alleles, chromosome, kinship
diagnosis: diagnosis code, primary diagnosis, principal diagnosis, secondary diagnosis, diagnosis version, icd 9,
    icd 10, icd 9 code, icd 10 code, ever diagnosed, doctor diagnosed, condition concept, condition source, problem,
    illness injury, injury code, fractured, fracture, heart attack, angina, coronary, kidney disease, skin cancer,
    prediabetes, high blood pressure, high cholesterol, ccs diagnosis, ccsr, apr drg, apr severity, apr mdc,
    severity illness, risk mortality, charlson, operative, morbid, dementia diagnosis, self reported cancer,
    tumour site, tumor site, histology, stage, grade tumour, pneumonia, asthmatic, epilepsy diagnosed, chest pain
treatment: procedure code, procedure concept, principal procedure, ccs procedure, hcpcs code, cpt code,
    operation code, opcs, opertn 01, implant, anaesthetic, anesthesia, transplant, vaccinated, flu shot, flu vaccine,
    mammogram, pap test, pap smear, colonoscopy, blood test, screening, dental, hearing aid, caesarean, cesarean,
    delivery, checkup, routine checkup, episiotomy, immunization, immunisation
medication: drug code, drug concept, drug source, dose val, dose unit, dose value, route, sig, days supply, refills,
    drug type, gsn, formulary drug, prod strength, pharmacy, insulin treatment, blood pressure medication,
    medication blood pressure, treatment code, quantity dispensed, prescribed
result: value number, valuenum, value numeric, nval num, tval char, valueflag, flag abnormal, abnormal flag, lab flag,
    systolic, diastolic, systolic blood pressure, diastolic blood pressure, pulse, pulse rate, heart rate, sbp, dbp,
    hdl, ldl, triglycerides, hba1c, glycohemoglobin, albumin, platelets, white blood, haemoglobin level,
    hemoglobin level, measurement, measurement concept, value concept, range low, range high, itemid, spirometry,
    fev1, bone density, vital, vitals, temperature, oxygen, saturation, apgar, apgar score, bilirubin, urea, sodium,
    potassium, crp, vitamin d, psa, anemia level, malaria, respiratory rate, score total
outcome: hospital expire flag, hospital death, alive, discharge alive, icu admission, ended in death, cured
death: cause death code, age at death, death cause, died in hospital, child alive, underlying cause, date death,
    autopsy, survival time, deathtime
use: doctor seen, times seen doctor, hospital stays, stayed hospital, overnight hospital, nights in hospital number,
    consulted, contacts doctor, number times received healthcare, hospital visits number, last visit,
    antenatal visits, prenatal visits, previous admissions, discharges number
disposition: discharge destination code, method discharge, discharge method, patient disposition,
    discharged to concept, destination discharge, dischargedisposition, discharge code
criminal: victim burglary, victim crime, burglary assault, assault, crime, violence, physical violence,
    domestic violence
survey_weight: final survey weight, design weights, post stratification weight, cross sectional weight,
    personal weight, calibrated weight, individual weight, women weight, household weight, interview weight,
    exam weight, llcpwt, population weight
"""
