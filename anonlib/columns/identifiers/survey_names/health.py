"""Names of columns in surveys, registers and data models of health, and in extracts of hospitals."""

HEALTH = """
NHANES
    person: SEQN
    age: RIDAGEYR, RIDAGEMN, RIDEXAGM, RIDEXAGY, DMDHRAGZ, DMDHRAGE
    sex: RIAGENDR, DMDHRGND
    race: RIDRETH1, RIDRETH3
    nationality: DMDBORN4, DMDBORN2, DMDCITZN, DMDYRUSZ, DMDYRUSR, DMDYRSUS
    marital: DMDMARTZ, DMDMARTL, DMDHRMAZ
    education: DMDEDUC2, DMDEDUC3, DMDHREDZ, DMDHREDU, DMDHSEDZ
    language: SIALANG, FIALANG, MIALANG, SIAPROXY, AIALANGA
    relationship: DMDHHSIZ, DMDFMSIZ, DMDHHSZA, DMDHHSZB, DMDHHSZE
    event_date: RIDEXMON
    veteran: DMQMILIZ, DMQADFC, DMQMILIT
    income: INDHHIN2, INDFMIN2, INDFMPIR, INDHHINC, INDFMMPI, INDFMMPC, INQ*
    sexual: RIDEXPRG, RHQ*, RHD*, SXQ*, SXD*
    body: BMXWT, BMXHT, BMXBMI, BMXWAIST, BMXARMC, BMXLEG, BMXHIP, BMX*, BPXHT, WHD010, WHD020, WHD*, WHQ*, OHX*
    result: BPX*, BPXO*, BPXSY*, BPXDI*, LBX*, LBD*, URX*, LUX*, PHA*, SPX*, DXX*
    lifestyle: SMQ*, SMD*, ALQ*, DUQ*, PAQ*, PAD*, DBQ*, DR1*, DR2*
    diagnosis: MCQ*, DIQ*, DID*, BPQ*, KIQ*, CDQ*, RXDRSC*
    medication: RXD*, RXQ*
    insurance: HIQ*
    mental: DPQ*, SLQ*, SLD*, CFD*, CIQ*
    health: HSD010, HSQ*, HUQ010, HUQ020, PFQ*, DLQ*, HUQ030
    use: HUQ*, HUD*
    occupation: OCQ*, OCD*
    housing: HOD*, HOQ*
    survey_weight: WTINT2YR, WTMEC2YR, WTINTPRP, WTMECPRP, WT*
UK Biobank
    person: eid, n_eid
    sex: p31, p22001, 31-0.0
    birth_date: p34, p52, p33, 34-0.0, 52-0.0
    age: p21022, p21003*, p40007*, p40008*, 21003-*, p84*, p87*
    race: p21000*, 21000-*, p22006
    nationality: p1647*, p20115*, p3659*
    birth_place: p129*, p130*
    facility: p54*, 54-*
    region: p20118*, p189, p22189, p26410
    coordinates: p20074*, p20075*, p22701*, p22702*, p22703*, p22704*
    event_date: p53*, p200, p40005*, p191, p40000*, p42*, p41260*, p41280*, p41262*, p41281*, 53-*
    education: p6138*, p845*
    occupation: p132*, p20277*, p22617*, p22601*
    workclass: p6142*, p767*, p796*, p826*, p3426*, p806*, p816*, p777*
    relationship: p709*, p6141*, p2405*, p2734*, p1873*, p1883*, p2946*, p1807*, p1835*, p1845*, p5057*
    housing: p670*, p680*, p699*, p728*
    body: p50*, p48*, p49*, p21001*, p21002*, p12144*, p23104*, p20022*, p1697*, p1707*, p1747*, p1737*, p23098*,
        p1717*
    income: p738*, p6146*
    health: p2178*, p2188*, p2247*, p46*, p47*, p6159*, p4526*, p3404*
    diagnosis: p20002*, p20001*, p41270*, p41271*, p41202*, p41204*, p2443*, p2453*, p6150*, p6152*, p40006*, p40013*,
        p130000*, p131*, p42000*, p20107*, p20110*, p20111*, p40011*, p40012*
    treatment: p20004*, p41272*, p41273*, p41200*, p2415*
    medication: p20003*, p6153*, p6177*, p6154*
    result: p4080*, p4079*, p93*, p94*, p102*, p307*, p30690*, p30740*, p30750*, p30760*, p30780*, p30870*, p300*,
        p301*, p3062*, p3063*, p306*, p308*, p3064*, p3065*, p3066*, p3067*, p3070*, p3071*, p3078*, p3077*, p3083*,
        p3085*, p20015*
    lifestyle: p1239*, p1249*, p20116*, p20117*, p1558*, p1568*, p3456*, p20160*, p22032*, p22040*, p874*, p884*,
        p894*, p904*, p914*, p1070*, p1289*, p1299*, p1309*, p20161*, p1259*, p1329*, p1349*, p1498*, p20453*
    mental: p2050*, p2090*, p2100*, p20126*, p20127*, p4598*, p1920*, p1930*, p1940*, p1950*, p1960*, p1970*, p1980*,
        p2000*, p2010*, p2020*, p2030*, p2040*, p2060*, p2070*, p2080*, p20018*, p20016*, p20023*, p1160*, p1200*,
        p20483*, p20446*, p20485*
    sexual: p2139*, p2149*, p2159*, p3140*, p2724*, p2714*, p2784*, p3700*, p2774*, p2814*
    genetic: p22009*, p22000, p22020, p22021, p22018, p22027, p26*, p22418*, p22438*
    death: p40001*, p40002*, p40010*, p40018*, p40020*
    religion: p6160*
BRFSS
    person: SEQNO, _PSU
    event_date: IDATE, IMONTH, IDAY, IYEAR, FMONTH
    region: _STATE, _METSTAT, _URBSTAT, MSCODE, _REGION, _IMPCTY
    city: CTYCODE2, CTYCODE1
    age: _AGE80, _AGEG5YR, _AGE_G, _AGE65YR, AGE, CADULT*, RCSRLTN2, RCHISLA1, RCSGEND1, RCSGENDR, RCSBIRTH
    sex: SEXVAR, _SEX, SEX, SEX1, SEX2, LANDSEX*, CELLSEX*, BIRTHSEX, COLGSEX*, SEX3, CELLSEX
    race: _RACE, _RACEGR3, _RACEGR4, _RACE_G1, _IMPRACE, _MRACE1, _MRACE2, _HISPANC, RCSRACE1, _PRACE1, _PRACE2,
        _RACEPR1, _RACEPRV
    marital: MARITAL
    education: EDUCA, _EDUCAG, _IMPEDUC
    workclass: EMPLOY1, EMPLOY
    relationship: CHILDREN, _CHLDCNT, NUMADULT, NUMMEN, NUMWOMEN, HHADULT, ADULT, NUMHHOL*
    housing: RENTHOM1, CPDEMO1*, CPDEMO1C, LANDLINE, CELLFON*, PVTRESD*, CTELENM1, CTELNUM1, LADULT1, CSTATE1,
        STATERE1, COLGHOUS, CCLGHOUS, HHOLD*, NUMPHON*
    veteran: VETERAN3
    income: INCOME2, INCOME3, _INCOMG, _INCOMG1
    body: WEIGHT2, HEIGHT3, WTKG3, HTM4, HTIN4, _BMI5, _BMI5CAT, _RFBMI5
    insurance: HLTHPLN1, PRIMINSR, _HCVU65*, _HLTHPL*, HLTHPLN
    health: GENHLTH, PHYSHLTH, POORHLTH, _RFHLTH, _PHYS14D, DEAF, BLIND, DIFFWALK, DIFFDRES, DIFFALON, DECIDE,
        JOINPAI2, LMTJOIN3, ARTHDIS2, FALL12MN, FALLINJ*, _LMTACT*, QLACTLM2, USEEQUIP
    mental: MENTHLTH, _MENT14D, ADDEPEV*, ACEDEPRS, LSATISFY, EMTSUPRT, SDLONELY, CIMEMLOS, SLEPTIM1, SDHSTRE1
    use: CHECKUP1, PERSDOC2, PERSDOC3, MEDCOST, MEDCOST1, LASTDEN4, DOCTDIAB, _DENVST3
    diagnosis: CVDINFR4, CVDCRHD4, CVDSTRK3, ASTHMA3, ASTHNOW, CHCSCNCR, CHCSCNC1, CHCOCNCR, CHCOCNC1, CHCCOPD*,
        HAVARTH*, CHCKDNY*, DIABETE*, DIABAGE*, PREDIAB*, BPHIGH*, TOLDHI*, _MICHD, _CASTHM1, _LTASTH1, _ASTHMS1,
        _DRDXAR*, _RFHYPE*, _RFCHOL*, COVIDPOS, COVIDPO1, CNCR*, FEETSORE, EYEEXAM*, DIABEYE*
    medication: BPMEDS*, CHOLMED*, INSULIN*, CHKHEMO3
    treatment: FLUSHOT*, FLSHTMY*, PNEUVAC*, TETANUS*, SHINGLE*, HADMAM, HOWLONG, HADPAP2, HADHYST2, HIVTST*,
        HIVTSTD*, PSATEST*, COLNSCPY, BLDSTOL*, CHOLCHK*, CERVSCRN, COVIDVA1, LCSCTSC1, RMVTETH*, _FLSHOT*, _PNEUMO*,
        CRVCLHPV
    lifestyle: SMOKE100, SMOKDAY2, SMOKDAY*, USENOW3, ECIGNOW*, ECIGARET, _SMOKER3, _RFSMOK3, ALCDAY*, AVEDRNK*,
        DRNK3GE5, MAXDRNKS, DRNKANY*, DROCDY*, _RFBING*, _RFDRHV*, _DRNKWK*, EXERANY2, EXRACT*, EXEROFT*, EXERHMM*,
        _TOTINDA, _PACAT*, FRUIT*, FVGREEN*, SEATBELT, DRNKDRI2, MARIJAN*, USEMRJN*, LASTSMK2, LCSNUMCG, LCSFIRST,
        PDIABTS1
    sexual: PREGNANT, SOMALE, SOFEMALE, TRNSGNDR, TYPCNTR*, PFPPRVN*, HIVRISK5
    criminal: ACEPUNCH, ACEHURT*, ACETOUCH, ACETTHEM, ACEHVSEX, ACESWEAR, ACEPRISN, ACEDIVRC, ACEDRINK, ACEDRUGS
    survey_weight: _LLCPWT, _LLCPWT2, _WT2RAKE, _STRWT, _RAWRAKE, _DUALCOR, _FINALWT, _CLLCPWT
MIMIC
    mrn: subject_id
    person: stay_id
    age: anchor_age
    event_date: anchor_year, anchor_year_group, dod, admittime, dischtime, deathtime, edregtime, edouttime, intime,
        outtime, charttime, storetime, starttime, stoptime, chartdate, ordertime, transfertime, endtime, verifiedtime
    length_stay: los
    visit_type: admission_type, admission_location
    facility: careunit
    disposition: discharge_location
    treatment: icd_code, procedureevents, hcpcs_cd, eventtype
    result: valuenum, valueuom, ref_range_lower, ref_range_upper, labevents
    identifier: hadm_id, labevent_id, specimen_id, pharmacy_id, poe_id, transfer_id, order_provider_id,
        admit_provider_id, caregiver_id, orderid, linkorderid, emar_id
OMOP
    person: person_id, person_source_value
    sex: gender_concept_id, gender_source_value, gender_source_concept_id
    race: race_concept_id, race_source_value, race_source_concept_id, ethnicity_concept_id, ethnicity_source_value,
        ethnicity_source_concept_id
    birth_date: birth_datetime, year_of_birth, month_of_birth, day_of_birth
    area: location_id
    name: provider_id
    facility: care_site_id, care_site_source_value
    visit_type: visit_concept_id, visit_source_value, visit_source_concept_id, admitted_from_concept_id,
        admitted_from_source_value, admitting_source_concept_id, admitting_source_value
    disposition: discharged_to_concept_id, discharged_to_source_value, discharge_to_concept_id,
        discharge_to_source_value
    diagnosis: condition_concept_id, condition_source_value, condition_source_concept_id, condition_status_concept_id,
        condition_status_source_value, stop_reason
    treatment: procedure_concept_id, procedure_source_value, procedure_source_concept_id, modifier_concept_id,
        device_concept_id, device_source_value
    medication: drug_concept_id, drug_source_value, drug_source_concept_id, days_supply, refills, sig,
        route_concept_id, route_source_value, dose_unit_source_value, quantity
    result: measurement_concept_id, measurement_source_value, value_as_number, value_as_concept_id,
        value_source_value, unit_concept_id, unit_source_value, range_low, range_high, observation_concept_id,
        value_as_string, observation_source_value, operator_concept_id, qualifier_concept_id
    death: cause_concept_id, cause_source_value, cause_source_concept_id
    event_date: observation_period_start_date, observation_period_end_date
    device: unique_device_id
    insurance: payer_concept_id, payer_source_value, plan_concept_id, plan_source_value, sponsor_concept_id
    costs: total_charge, total_cost, total_paid, paid_by_payer, paid_by_patient
    identifier: visit_occurrence_id, visit_detail_id, condition_occurrence_id, drug_exposure_id, measurement_id,
        procedure_occurrence_id, observation_id, lot_number, preceding_visit_occurrence_id
    note: note_text, note_title
i2b2
    mrn: patient_num, patient_ide
    identifier: encounter_num, encounter_ide, instance_num
    name: provider_id, name_char
    age: age_in_years_num
    sex: sex_cd
    race: race_cd
    birth_date: birth_date
    death: vital_status_cd
    language: language_cd
    marital: marital_status_cd
    religion: religion_cd
    postcode: zip_cd
    city: statecityzip_path
    income: income_cd
    diagnosis: concept_cd
    visit_type: inout_cd
    facility: location_cd, location_path
    length_stay: length_of_stay
    result: tval_char, nval_num, valtype_cd, valueflag_cd, units_cd, quantity_num, confidence_num
    note: observation_blob, patient_blob, visit_blob
    event_date: start_date, end_date, death_date
Krankenhaus nach §21
    mrn: KH-internes-Kennzeichen, Patientennummer, Fallnummer
    facility: IK, Entlassender-Standort, Standort
    insurance: IK-der-Krankenkasse
    region: Wohnort-Bundesland
    department: FAB, Fachabteilung, Entlassende-Fachabteilung, Aufnehmende-Fachabteilung
    result: Aufnahmegewicht-Wert
    treatment: Beatmungsstunden, OPS-Kode, Intensiv-*
    diagnosis: ICD-Kode, Diagnoseart, Sekundär-Kode, Lokalisation, Diagnosensicherheit
    use: Fallzusammenführung, Fallzusammenführungsgrund
    length_stay: Verweildauer-intensiv
GKV-Abrechnungsdaten
    person: PSID, VSID, psid2, arbnr
    birth_date: gebjahr, v_gebjahr, GEBJAHR
    sex: geschlecht, GESCHLECHT
    postcode: plz
    death: versterbedatum, sterbedatum, verst
    insurance: bnr, BNR, versgrp, erwerbsminderungs_vt, vtkh, ktart, verstage, versicherungstage, vsbeginn, vsende,
        dmp*
    diagnosis: icdamb*, icd*, hauptdiagnose, diagsich, au_icd, entlgrund
    treatment: ops*, gop*, ebm*, prozdat*, goanr
    medication: pzn*, atc*, wirkstoff
    costs: entgelt*, kosten*, brutto*, betrag*, leistausg
    department: fg, fachgr*, bsnr*
    name: lanr*, arztnr*, verordner*
    event_date: beginndat*, endedat*, leistdat*, verorddat*, abgabedat*, aufndat*, entldat*, ausstelldat*
Health Survey for England
    person: SERIALA, PSERIALA, HSERIAL
    household: HHLDID, HSERIALA
    area: PSU, PSU_SCR, CLUSTER1
    event_date: QRTINT, MINTB, DINTB
    age: AG16G10, AG015G4, AGE35G, AGE16G5, AGE16G7, AGE90
    race: ORIGIN2
    marital: MARSTATD, MARSTATA, MARITALG
    education: TOPQUAL2, TOPQUAL3, TOPQUAL4, EDUCEND
    workclass: ECONACT, ECONACT12, ACTIVB
    occupation: NSSEC3, NSSEC5, NSSEC8, SCLASS, HRPNSSEC3
    region: GOR1, GOR06, QIMD, QIMD19, QIMD15, URBAN14B, SHA
    relationship: HHSIZE, HHDTYPB, HRPID, NOFAD, NOFCH
    housing: TENUREB, NUMCARS, BEDROOMS
    income: EQVINC, EQV5, EQV3, TOTINC
    health: GENHELF, GENHELF2, LONGILL, LIMLAST, ILLSTAT, LIMITILL, ACUTILL, CONDCNT*
    diagnosis: BP1, DIABETE2, DIABETE2R, CARDTAKG, HYPER140, DOCDIAB*
    medication: BPMEDC, BPMEDD, LIPID, MEDCINJD, MEDTYP*
    lifestyle: CIGSTA3, CIGST1, CIGST2, CIGDYAL, CIGEVR, SMKEVR, ECIGNW, ECIGEV, NDPNOW*, DNNOW, DNOFT, DNOFT3,
        TOTALWU, TOTALWG, D7UNIT, D7UNITWG, DRATING, ALCBASE*, PORFV, PORFRT, PORVEG, ADT30GP, WLK5IT, STARTSMK
    mental: GHQ12SCR, GHQG2, LIFESAT, WEMWBS, EQ5DNV
    treatment: FLUJAB, CERVSCR
    body: HTVAL, WTVAL, BMIVAL, BMIVG3, BMIVG5, WSTVAL, WHVAL, WAISTVAL, HTOK, WTOK
    result: OMSYSVAL, OMDIAVAL, SYS1OM, DIAS1OM, MAP1OM, OMPULVAL, CHOLVAL1, CHOLVAL12, HDLVAL1, GLYHBVAL, COTVAL,
        FERRVAL, VITDVAL, HBVAL, NTURNA*
    survey_weight: WT_INT, WT_NURSE, WT_BLOOD, WT_HHLD, WT_CHILD
GEDA
    age: AGE5B, AGE10B
    nationality: SDMIG*, MIGHGR*
    education: ISCED11_3, SDISCED*, SDCASMIN*
    health: GZMEHM1, GZMEHM2, GZMEHM3, MEHM1, MEHM2, MEHM3
    diagnosis: KHAB12, KHCB12, KHDGE12, KHBBMYO12, KHBBSA12, KHDIAB*, KHAA12, KHASTHMA*
    lifestyle: RCSTAT, RCSTATE, ACDRINK*, ACBINGE*, ENOBST*, ENGEM*, KAEHPA*, KAGFKA*
    mental: PKPHQ*, PHQ8*, PKDEP*
    body: ADBMI*, SDBMI*
Hospital laboratory and monitoring
    result: NA, K, CL, CA, MG, PHOS, HCO3, CO2, BUN, UREA, CREA, CREAT, SCR, GLU, GLUC, GLUK, LAC, LACT, LAKT, HB,
        HGB, HCT, HKT, WBC, RBC, PLT, LEUKO, THROMBO, THROM, ERY, NEUT, NEUTRO, LYMPH, LYM, MONO, EOS, BASO, MCV,
        MCH, MCHC, RDW, MPV, INR, PT, PTT, APTT, QUICK, FIB, FIBRI, DDIM, DDIMER, ALT, AST, GOT, GPT, ASAT, ALAT,
        ALP, AP, GGT, TBIL, DBIL, BILI, ALB, TP, LDH, CK, CKMB, TROP, TROPT, TROPI, HSTNT, BNP, NTBNP, NTPROBNP,
        CRP, PCT, ESR, BSG, IL6, FERR, TSH, FT3, FT4, HBA1C, CHOL, TC, LDL, HDL, TG, TRIG, UA, LIP, LIPA, AMY, NH3,
        PH, PH_ART, PCO2, PO2, PACO2, PAO2, BE, SAO2, SPO2, FIO2, HR, HF, PULS, RR, RESP, SBP, DBP, MAP, MBP, NIBP,
        NISYSABP, NIDIASABP, SYSABP, DIASABP, ABPS, ABPD, TEMP, ETCO2, GCS, RASS, NRS, NRS_PAIN, SOFA, SAPS, SAPS2,
        APACHE, APACHE2, EGFR, GFR, VAS, CVP, ICP, UO, URINE
    medication: NOREPI, NORAD, EPI, DOBU, DOPA, VASO, VASOPR, HEP, UFH, LMWH, FURO, INS, PROPO, FENTA, MIDA, MORPH,
        KETA, ABX, VANCO, MERO, PIPTAZ, ASA, ASS, PRED, DEXA, HYDROCORT
"""
