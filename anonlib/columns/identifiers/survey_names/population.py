"""Names of columns in surveys of households, persons, work, living conditions and attitudes."""

POPULATION = """
ACS PUMS
    household: SERIALNO
    identifier: SPORDER
    age: AGEP
    sex: SEX
    race: RAC1P, RAC2P, RAC3P, RACAIAN, RACASN, RACBLK, RACNH, RACNHPI, RACNUM, RACPI, RACSOR, RACWHT, HISP
    nationality: CIT, CITWP, NATIVITY, POBP, YOEP, ANC, ANC1P, ANC2P, WAOB, DECADE
    marital: MAR, MARHD, MARHM, MARHT, MARHW, MARHYP, MSP
    education: SCHL, SCH, SCHG, FOD1P, FOD2P, SCIENGP, SCIENGRLP
    occupation: OCCP, SOCP
    workclass: COW, ESR, INDP, NAICSP, WKHP, WKW, WKL, WKWN, NWAB, NWAV, NWLA, NWLK, NWRE, WRK, POWPUMA, POWSP, JWMNP,
        JWTR, JWTRNS, JWRIP, JWAP, JWDP, DRIVESP, JWDPEAK
    language: LANX, LANP, ENG, HHL, LNGI, HHLANP
    region: ST, STATE, REGION, DIVISION, MIGSP
    area: PUMA, MIGPUMA
    relationship: RELP, RELSHIPP, OC, RC, SFN, SFR, PAOC, NOC, NP, NPF, NRC, NR, HHT, HHT2, FPARC, FES, PARTNER,
        MULTG, HUPAC, HUPAOC, HUPARC, GCL, GCM, GCR, FER, PSF, SSMC, R18, R60, R65, QTRBIR, MV, ESP, HUGCL, CPLT,
        WKEXREL, WORKSTAT
    housing: TEN, BLD, RMSP, BDSP, YBL, YRBLT, VEH, TYPE, TYPEHUGQ, HFL, ACCESS, ACCESSINET, INTERNET, TEL, KIT, PLM,
        ACR, AGS, RNTP, GRNTP, GRPIP, VALP, TAXP, TAXAMT, BATH, MIG, VACS, SMARTPHONE, LAPTOP, BROADBND
    veteran: MIL, VPS, MLPA, MLPB, MLPCD, MLPE, MLPFG, MLPH, MLPI, MLPJ, MLPK, DRAT, DRATX, MLPIK
    income: HINCP, FINCP, PINCP, POVPIP, INTP, OIP, PAP, RETP, SEMP, SSIP, SSP, FS
    salary: PERNP, WAGP
    insurance: HICOV, HINS1, HINS2, HINS3, HINS4, HINS5, HINS6, HINS7, PRIVCOV, PUBCOV
    health: DIS, DDRS, DEAR, DEYE, DOUT, DPHY, DREM
    survey_weight: PWGTP*, WGTP*
EU-SILC
    household: HB030, DB030, PX030, RX030, HX030, RB040
    person: PB030, RB030, PB160, PB170, PB180, RB220, RB230, RB240, HB070, HB080, HB090, PX020I, RB040
    birth_date: PB140, PB130, RB080, RB070
    age: PX020, RX010, RX020, RB081, RB082, PX010A, HX_AGE
    sex: PB150, RB090
    event_date: PB100, PB110, HB050, HB060, PB010
    nationality: PB210, PB220A, PB220B, RB280, RB290, PB230, PB240
    marital: PB190, PB200
    education: PE010, PE020, PE021, PE030, PE040, PE041
    occupation: PL050, PL051, PL051A, PL051B
    workclass: PL020, PL025, PL030, PL031, PL032, PL035, PL040, PL040A, PL060, PL080, PL073, PL074, PL075, PL076,
        PL085, PL086, PL087, PL090, PL100, PL110, PL110A, PL111, PL111A, PL120, PL130, PL140, PL141, PL145, PL150,
        PL190, PL200, PL230, PL016, PL015, PL160, PL170, PL180, PL210*, PL211*, RB210, RB211, PL271, PX050
    region: DB040, DB100, DB020, PB020, RB020, HB020, RB200
    relationship: HX040, HX050, HX060, HX070, HX080I, DB075R, RL010, RL020, RL030, RL040, RL050, RL060, RL070, RB245,
        HB100, PW200
    housing: HH010, HH020, HH021, HH030, HH040, HH050, HH060, HH061, HH070, HH071, HH080, HH081, HH090, HH091, HS080,
        HS090, HS110, HS160, HS170, HS180, HS190, HD080, HY030*, HH031
    income: HY010, HY020, HY022, HY023, HY025, HY040*, HY050*, HY060*, HY070*, HY080*, HY081*, HY090*, HY100*, HY110*,
        HY120*, HY130*, HY140*, HY145*, HY170*, HX080, HX090, HX100, HX010, HS010, HS011, HS020, HS021, HS030, HS031,
        HS040, HS050, HS060, HS070, HS100, HS120, HS130, HS140, HS150, PY030*, PY031*, PY035*, PY050*, PY080*, PY090*,
        PY100*, PY110*, PY120*, PY130*, PY140*, PD020, PD030, PD050, PD060, PD070, PD080, HI010, HI020, RX060, RX070,
        RX050
    salary: PY010*, PY020*, PY021*, PY200*
    health: PH010, PH020, PH030, PH040, PH050, PH060, PH070, PH071
    body: PH110, PH110A, PH110B
    lifestyle: PH120, PH121, PH122, PH130, PH131, PH132, PH140, PH142
    mental: PW010, PW010T, PW020, PW030, PW050, PW060, PW070, PW080, PW090, PW100, PW110, PW120, PW130, PW160, PW170,
        PW180, PW190, PW230
    beliefs: PW140, PW150, PW191
    survey_weight: PB040, PB050, PB060, PB070, RB050, RB060, RB062, RB063, RB064, DB080, DB090, DB095, RL070
SHARE
    household: hhid*, coupleid*
    person: mergeid, mergeidp*
    birth_date: dn003_, dn002_, yrbirth, mobirth, yrbirthp, mobirthp
    age: age_int, age2004, age2006, age2007, age2011, age2013, age2015, age2017, age_p, age*
    sex: dn042_, gender, gender_partner
    nationality: dn004_, dn005c, dn006_, dn007_, dn008c, dn503_, dn504c, dn505c, citizenship, country, cntry*
    marital: dn014_, dn044_, mstat, partnerinhh, dn015_, dn016_, dn017_, dn018_, dn019_
    education: dn010_, dn012d*, dn041_, yedu, isced1997_r, isced*, eduyears_mod, dn021_, dn051_*, dn052_*
    relationship: ch001_, nchild, ch021_, ch_count, hhsize, dn026_*, dn027_*, dn028_*, dn034_, dn036_, dn037_,
        famrespid, siblings*, gali_p, ngrchild
    occupation: ep016_, ep018_, ep616_*, isco*
    workclass: ep005_, ep002_, ep009_*, ep013_, cjs, ep019_, empstat, ep001_, ep329_
    event_date: int_year, int_month, int_year_*
    housing: ho002_, ho001_, ho032_, ho036_, ho034_, ho024_, ho067_, type_acc, otrf, home
    region: iv009_, areabldgi, nuts*, area
    body: ph012_, ph013_, bmi, bmi2, height, weight
    health: ph003_, ph004_, ph005_, ph061_, ph048d*, ph049d*, sphus, sphus2, gali, adl, adl2, adla, iadl, iadl2,
        iadla, mobility, mobilit2, mobilit3, maxgrip, ph041_, ph043_, ph044_, ph045_, ph046_, ph084_, ph085_, gs*,
        ph054_
    diagnosis: ph006d*, ph009_*, ph008d*, ph080*, chronic_mod, chronic, chronic2, chronicw*, ph072_*, eyesight*,
        hearing
    medication: ph011d*
    mental: mh002_, mh003_, mh004_, mh007_, mh*, eurod, eurodcat, euro*, casp, ac012_, ac014_, loneliness, cf001_,
        cf003_, cf008tot, cf016tot, cf*, numeracy*, memory, recall_*, orienti
    lifestyle: br001_, br002_, br003_, br006_*, br010_, br015_, br016_, br*, ever_smoked, smoking, phactiv
    use: hc002_, hc012_, hc013_, hc014_, hc602_, hc*
    income: thinc, thinc2, hnetw, yaohm, fdistress, co007_, ydip, yind*, ypen*, as*, hh017e, fohinc, thinc_m, hnfass,
        home, liab, vbus, ft*
    salary: ep205e, ep207e
    sexual: ph_menop*
    religion: ex527_, religion
    beliefs: ex029_, ex026_, ex028_, ex00*
    survey_weight: cciw_*, cchw_*, dw_w*, pweight*
    death: xt*, deceased*, deadoralive
DHS
    household: HHID, V002, HV002, MV002
    area: V001, HV001, MV001
    identifier: V003, HV003, MV003
    person: CASEID, MCASEID
    age: V012, V013, MV012, MV013, HV105, V447A, B8, HW1, V152, HV220, V730
    sex: B4, HV104, MV104, V151, HV219
    birth_date: V009, V010, V011, MV010, MV011, B1, B2, B3
    event_date: V006, V007, V008, V016, V508, V507, V509, HV006, HV007, V018
    region: V024, V025, V101, V102, V103, HV024, HV025, MV024, MV025, V140, V023, V026, V139, V141
    education: V106, V107, V133, V149, V155, V701, V702, V715, HV106, MV106, MV133, MV149, V729
    religion: V130, MV130
    race: V131, MV131
    marital: V501, V502, V503, V505, MV501, V511, V512, V513, V525
    relationship: V136, V137, V138, V150, V201, V202, V203, V204, V205, V206, V207, V208, V218, V219, V220, V224,
        BORD, B0, B9, B11, B12, V238, HV009, HV101, HV014, HV012, V135, V212, V504, M19A, V209, V210
    occupation: V716, V717, V704, V705, MV716, MV717
    workclass: V714, V731, V732, V741, V719
    housing: V113, V115, V116, V119, V120, V121, V122, V123, V124, V125, V127, V128, V129, V153, V160, V161, HV201,
        HV205, HV206, HV207, HV208, HV209, HV210, HV211, HV212, HV213, HV214, HV215, HV216, HV226, V104, V105
    language: V045A, V045B, V045C
    income: V190, V190A, V191, V191A, HV270, HV271, MV190
    body: V437, V438, V440, V445, V446, HA2, HA3, HA40, HW2, HW3, HW70, HW71, HW72, HW73, M18, M19, HC2, HC3
    sexual: V213, V214, V228, V302A, V312, V313, V361, V364, V404, V525, V527, V531, V536, V602, V605, V613, V626A,
        V627, V628, V766A, V766B, V767A, M10, M4, V215, V405, V406, V321, V384A, V623, V624, V625
    treatment: M14, M15, M17, H0, H1, H2, H3, H4, H5, H7, H9, M1, M2A, M3A, M13, V394, M43, M65A, M70
    diagnosis: H11, H22, H31, H31B, H31C, V456, V457, HW57, HA57, S108, V763A, V763B, V763C
    result: V453, HW53, HA56, HC56, HC57
    hiv: HIV03, V781, V783, V785, V775, V774A, V826A
    lifestyle: V463A, V463B, V463Z, V464, V463*, MV464
    death: B5, B6, B7, MM*
    insurance: V481, V481A, V481B, V481C, V481D, MV481
    health: V467B, V467D, V393, V395
    criminal: D105A, D105B, D106, D107, D108, D103A, D110B, D115*, V744A, V744B, V744C, V744D, V744E
    survey_weight: V005, HV005, MV005, D005, HIV05
ESS
    person: idno
    age: agea, agegrp*
    birth_date: yrbrn, mnbrn
    sex: gndr, gndr2, icgndra, rshpsgb
    event_date: inwyys, inwmms, inwdds, inwyye, livecnta, yrlvdae, inwds
    region: cntry, region, domicil, regunit
    nationality: brncntr, cntbrthd, cntbrthc, ctzcntr, ctzshipd, ctzshipc, facntr, mocntr, fbrncntc, mbrncntc,
        livecntr, anctry1, anctry2, anctrya1, facntn
    race: blgetmg, feethngr
    language: lnghom1, lnghom2, intlnga
    religion: rlgblg, rlgdnm, rlgblge, rlgdnbat, rlgdnme, rlgdn*
    marital: marsts, maritalb, rshpsts, rshipa2, lvgptnea, dvrcdeva, marital, icpart1, icpart2, maritala
    education: eisced, edulvlb, eduyrs, edlv*, eiscedp, eiscedf, eiscedm, edlvpda, edlvfda, edctn, edulvla
    occupation: isco08, isco08p, isco88, occf14b, occm14b, iscoco
    workclass: mnactic, pdwrk, pdwrkp, emplrel, wkhct, wkhtot, nacer2, uempla, uempli, uemp3m, uemp12m, uemp5yr, rtrd,
        hswrk, edctn, dngna, dsbld, wrkctra, estsz, jbspv, njbspv, tporgwk, cmsrv, crpdwk, wkdcorga, iorgact, mbtru2,
        emprelp, wkhtotp, mnactp, pdjobev, emplno, wrkac6m
    relationship: hhmmb, chldhm, chldhhe, nbthcld, rshipa*, yrbrn2, yrbrn3, crpdwkp, bthcld, ggpmnbh
    income: hinctnta, hincfel, hincsrca, hinctnt
    health: health, hlthhmp
    mental: happy, stflife, fltdpr, flteeff, slprl, wrhpp, fltlnl, enjlf, fltsd, cldgng, fltanx, sclmeet, inprdsc,
        sclact, aesfdrk
    beliefs: trst*, ppltrst, pplfair, pplhlp, polintr, vote, prtv*, clsprty, prtcl*, lrscale, rlgdgr, rlgatnd, pray,
        stf*, gincdif, freehms, hmsfmlsh, hmsacld, euftf, imsmetn, imdfetn, impcntr, imbgeco, imueclt, imwbcnt,
        imbleco, dscrgrp, dscr*, contplt, wrkprty, badge, sgnptit, pbldmn, pbldmna, bctprd, pstplonl, psppsgva,
        actrolga, mbtru, atchctr, atcherp, netusoft, netustm, nwspol, ipcrtiv, imp*, ip*, wkvlorg
    criminal: crmvct
    survey_weight: dweight, pspwght, pweight, anweight
MICS
    area: HH1
    household: HH2
    event_date: HH5D, HH5M, HH5Y, WM6D, WM6M, WM6Y, UF7D, UF7M, UF7Y, MWM6D, MWM6M, MWM6Y, AN2D, AN2M, AN2Y
    region: HH6, HH6A, HH7, HH7A
    language: HC1B, HC1C, HH14, HH15, HH16, WM14, WM15
    religion: HC1A
    race: HC2
    sex: HL4, HHSEX, UB1S
    age: HL6, WB2, WB4, MWB2, MWB4, UB2, CB3, AG2, CAGE, WAGE, CAGED, HH26C, HHAGE
    birth_date: HL5D, HL5M, HL5Y, WB1M, WB1Y, WB3M, WB3Y, UB1D, UB1M, UB1Y, AG1D, AG1M, AG1Y, WDOB, CDOB
    relationship: HL3, HH48, HH49, HH50, HH51, HH52, CM1, CM2, CM3, CM4, CM5A, CM5B, CM11, CM12, CM17, HL12, HL13,
        HL14, HL16, HL18, BH2, BH3, CEB, CSURV
    marital: MA1, MA2, MA3, MA5, MA6, MA7, MA8M, MA8Y, MA9, MA11, MSTATUS, MMSTATUS
    education: WB5, WB6A, WB6B, WB7, WB9, WB14, ED4, ED4A, ED5A, ED5B, ED6, ED9, ED10A, ED10B, HELEVEL, WELEVEL,
        MELEVEL, SCHAGE
    housing: HC3, HC4, HC5, HC6, HC7A, HC7B, HC8, HC9A, HC9B, HC9C, HC10A, HC10B, HC10C, HC10D, HC10E, HC10F, HC10G,
        HC11, HC12, HC13, HC14, HC15, HC16, HC17, HC18A, HC18B, HC18C, HC18D, HC19, WS1, WS2, WS3, WS4, WS5, WS7,
        WS8, WS9, WS11, WS12, WS13, WS14, WS15, WS16, WS17, EU1, EU2, EU3, EU4, EU5, EU6, EU7, EU9, HW1, HW2, HW3,
        HW5, HW7A, TN1, TN2, TN3
    income: WINDEX5, WINDEX10, WINDEX5U, WINDEX5R, WSCORE, WLTHSCOR
    sexual: CP1, CP2, CP4, CP4A, CP4B, UN1, UN2, UN4, UN5, UN7, UN14, UN16, SB1, SB2, SB2U, SB3, SB4, SB7, MN2, MN4,
        MN19, MN20, DB2, DB4, MN36, MN37
    treatment: IM2, IM5, IM6, IM11, MN5, MN6, PN3, PN4, FG1, FG3
    hiv: HA1, HA2, HA3, HA6, HA24, HA27
    beliefs: DV1A, DV1B, DV1C, DV1D, DV1E, VT20, VT21
    lifestyle: TA1, TA2, TA3, TA6, TA14, TA15, TA16
    mental: LS1, LS2, LS3, LS4
    health: AF2, AF6, AF8, AF9, AF10, AF11, UCF2, UCF4, UCF7, FCF1, FCF6
    diagnosis: CA1, CA5, CA14, CA16, CA17
    death: CM8, CM9, CM10, CM15, BH5, BH9N
    criminal: VT1, VT2, VT9, VT22A, UCD2A, UCD2B
    body: AN8, AN11, HAZ, HAZ2, WAZ, WAZ2, WHZ, WHZ2, ZBMI
    survey_weight: HHWEIGHT, WMWEIGHT, MNWEIGHT, CHWEIGHT, FSWEIGHT
EU-LFS
    household: HHNUM, QHHNUM
    event_date: REFWEEK, REFYEAR, REFMONTH, INTWEEK, QUARTER
    region: REGION_2D, DEGURBA, DEGURB, REGIONW, COUNTR1Y, REGION1Y
    age: AGE_GRP, HATAGE
    nationality: NATIONAL, CITIZENSHIP, COUNTRYB, YEARESID, MIGREAS, COUNTRYW, COBFATH, COBMOTH
    marital: MARSTAT, MARSTATLEGAL, HHSPOU, HHPARTNR
    relationship: HHTYPE, HHPRIV, HHLINK, HHFATH, HHMOTH, HHNBPERS, HHNBCHLD, HHNBCH_2, HHNBCH_5, HHNBCH_6, HHNBOLD,
        HHCOMP, HHCHILDR, HHAGEYG, HHNB0014
    education: HATLEVEL, HATLEV1D, HAT11LEV, HATFIELD, HATFIEL1D, HATYEAR, EDUCSTAT, EDUCLEVL, EDUC4WN, EDUCNFE4,
        COURATT, COURLEN, COURPURP, HATVOC, HATWORK
    occupation: ISCO1D, ISCO3D, ISCO4D, ISCO88, ISCO08, ISCOPR1D, ISCOPR3D, IS881D, IS883D, ISCO2J1D
    workclass: ILOSTAT, EMPSTAT, WSTATOR, NOWKREAS, STAPRO, STAPROPR, STAPRO2J, NACE1D, NACE2J1D, NACEPR1D, NA111D,
        SIZEFIRM, SUPVISOR, YSTARTWK, MSTARTWK, STARTIME, FTPT, FTPTREAS, TEMPREAS, TEMPDUR, TEMPAGCY, HWUSUAL,
        HWACTUAL, HWUSU2J, HWOVERP, HWOVERPU, HWWISH, WISHMORE, SHIFTWK, EVENWK, NIGHTWK, SATWK, SUNWK, HOMEWK,
        EXIST2J, NUMJOB, LOOKOJ, LOOKREAS, SEEKWORK, SEEKTYPE, SEEKDUR, SEEKFTPT, AVAILBLE, AVAIREAS, METHODA,
        METHODB, METHODC, MAINSTAT, EXISTPR, YEARPR, LEAVREAS, NEEDCARE, WSTAT1Y, STAPRO1Y, NACE1Y1D, COMMUTIM,
        LEAVEREA, HWPOSS
    salary: INCDECIL, INCGROSS
    health: GENHEALTH, GALI
    fieldwork: INTWAVE, INTQUEST, PROXY, INTPROX, HHINTMODE
    survey_weight: COEFF, COEFFY, COEFFQ, COEFFH, COEFFMOD
Understanding Society
    person: PIDP
    household: HIDP
    event_date: ISTRTDATM, ISTRTDATY, ISTRTDATD, INTDATM_DV, INTDATY_DV, INTDATD_DV
    sex: SEX_DV
    age: AGE_DV, DVAGE, AGECHY, AGECHY_DV, SCEND
    birth_date: DOBY_DV, DOBM_DV, BIRTHY, BIRTHM
    race: RACEL_DV, ETHN_DV, RACEL, EMBOOST
    nationality: PLBORNC, UKBORN, CITZN1, YR2UK4, BORNUK_DV, GENERATION
    marital: MARSTAT_DV, MASTAT_DV, LEGMAR
    region: GOR_DV, URBAN_DV, COUNTRY_DV
    relationship: HHSIZE, NKIDS_DV, NCHILD_DV, HHTYPE_DV, DEPCHL_DV, NCHUNDER16, SIBDEF
    education: HIQUAL_DV, QFHIGH_DV, NHIQUAL_DV, FENOW, PAEDQF, MAEDQF
    occupation: JBSOC00, JBSOC10, JBSOC20, JBNSSEC8_DV, JBNSSEC5_DV, JBNSSEC3_DV, JBRGSC_DV, PASOC00, MASOC00
    workclass: JBSTAT, JBHAS, JBSEMP, JBHRS, JBOT, JBSIC07, JBSECT, JBSIZE, JBMNGR, JBFT_DV, JBTERM1, J2HAS, JBTTWT,
        JULK4WK, WORKTRAVEL
    housing: TENURE_DV, HSBEDS, HSROOMS, HSOWND, HEATCH, NCARS, CARUSE, PCNET, CDUSE*, LVAGECH, ADDRMOV_DV, PLNOWY4
    income: FIHHMNGRS_DV, FIHHMNNET1_DV, FIMNGRS_DV, FIMNNET_DV, MATDEP*, IEQMOECD_DV, BENBASE*
    salary: PAYGU_DV, PAYNU_DV, FIMNLABGRS_DV, FINNOW, FINFUT, XPHSDB, XPHSDBA, XPHSDF
    health: SF1, SCSF1, DISDIF*, SF12PCS_DV, LIMILL, AIDHH
    diagnosis: HCOND*, HCONDN*
    mental: SCGHQ1_DV, SCGHQ2_DV, SCGHQA, SCGHQB, SCGHQC, SF12MCS_DV, SCLFSATO, SCLFSAT1, SCLFSAT2, SCLFSAT7,
        SCLONELY
    lifestyle: NCIGS, SMEVER, NDRINK, SCALCL*, WKFRUIT, WKVEGE, SPORTACT, ECIGS, GYMFREQ
    beliefs: VOTE1, VOTE2, VOTE3, VOTE4, VOTE6, VOTE7, VOTE8, OPRLG0, OPRLG1, OPRLG2, SCTRUST, EUREF*
    fieldwork: IVMODE, IVFIO, IVFHO, SAMPST, HHORIG, MEMORIG
    survey_weight: INDINUS_XW, INDINUI_XW, INDPXUB_XW, HHDENUB_XW, INDSCUS_XW, INDINUS_LW
General Social Survey
    person: RESPNUM
    age: AGEKDBRN, AGEWED
    birth_date: COHORT, ZODIAC
    sex: SEXNOW1, SEXBIRTH1
    race: RACECEN1, HISPANIC
    nationality: UN16, PARBORN, GRANBORN, USCITZN, RES16, REG16, FAMILY16
    marital: DIVORCE, WIDOWED, MARCOHAB, POSSLQ
    education: EDUC, DEGREE, PAEDUC, MAEDUC, SPEDUC, PADEG, MADEG, SPDEG, COLDEG1
    occupation: OCC10, PRESTG10, PAOCC10, MAOCC10, SPOCC10, SEI10, INDUS10
    workclass: WRKSTAT, WRKSLF, WRKGOVT, HRS1, HRS2, EVWORK, SPWRKSTA, SPHRS1, COMMUTE, SUPERV, UNEMP, WEEKSWRK,
        WKSUB, PARTFULL
    region: XNORCSIZ, SRCBELT
    relationship: SIBS, CHILDS, FAMGEN, HOMPOP, BABIES, PRETEEN, HHTYPE, HHTYPE1, RELHHD1
    housing: DWELLING, DWELOWN
    income: INCOME16, INCOME06, CONINC, REALINC, RINCOM16, RINCOM06
    salary: RINCOME, CONRINC, REALRINC, SATFIN, FINRELA, FINALTER
    religion: RELIG, RELIG16, DENOM, FUND16, SPREL
    beliefs: ATTEND, PRAY, RELITEN, POSTLIFE, BIBLE, REBORN, POLVIEWS, PARTYID, VOTE12, VOTE16, VOTE20, PRES12,
        PRES16, PRES20, NATSPAC, NATENVIR, NATHEAL, NATCITY, NATCRIME, NATDRUG, NATEDUC, NATRACE, NATARMS, NATAID,
        NATFARE, EQWLTH, SPKATH, SPKRAC, SPKCOM, SPKMIL, SPKHOMO, SPKMSLM, COLATH, COLRAC, COLCOM, LIBATH, LIBRAC,
        CAPPUN, GUNLAW, OWNGUN, RACDIF1, RACDIF2, RACDIF3, RACDIF4, AFFRMACT, WRKWAYUP, DISCAFF, CONFINAN, CONBUS,
        CONCLERG, CONEDUC, CONFED, CONLABOR, CONPRESS, CONMEDIC, CONTV, CONJUDGE, CONSCI, CONLEGIS, CONARMY,
        HELPPOOR, HELPNOT, HELPSICK, HELPBLK, ABDEFECT, ABNOMORE, ABHLTH, ABPOOR, ABRAPE, ABSINGLE, ABANY, LETDIE1,
        SUICIDE1, SUICIDE2, PORNLAW, PREMARSX, XMARSEX, HOMOSEX, SEXEDUC, DIVLAW, SPANKING, PILLOK, FECHLD,
        FEPRESCH, FEFAM, FEPOL, LETIN1, LETIN1A, MARHOMO, UNION1, GETAHEAD
    mental: HAPPY, HAPMAR, HAPCOHAB, SATJOB, STRESS12
    health: DISABLED0
    lifestyle: TVHOURS, WWWHR
    sexual: PARTNERS, PARTNRS5, SEXFREQ, SEXORNT, SEXSEX, SEXSEX5, CONDOM, EVSTRAY, NUMWOMEN, NUMMEN
    fieldwork: BALLOT, FORMWT, INTLEN, LNGTHINV, VERS
    survey_weight: WTSSALL, WTSSNR, WTSS, WTSSPS, WTSSNRPS
ALLBUS
    person: RESPID
    region: EASTWEST, GKPOL, BIK, XR20, GS01, XR01
    age: AGEC
    birth_date: YBORN, MBORN
    nationality: DN01A, DN02A, DN05, DN07
    marital: MSTAT, SCMSTAT
    education: ISCED97, ISCD11, IEDUCV*, EDUC, DE18, FEDUC, MEDUC, PEDUC, SCEDUC
    occupation: ISCO08, SIOPS08, ISEI08, KLDB*, FDM01, FISCO08
    workclass: DW01, DW02, DW03, DW07, DW15, DW18, DW27, DW37
    relationship: DH01, DH03, DH04, DH08, HS16, DK01, DK06, DG03
    housing: DH09, XH01
    income: DI01A, DI02A, DI05, DI06, DI08, HHINC, INCC, DI07, EP01, EP03
    religion: RD01, RD02, RD03
    beliefs: RP01, RB07, PA01, PA02A, PA09, PV01, PV02, PV03, PV04, PE01, PK01, PT01, PT02, PT03, PT04, PT08, PT11,
        PT12, PT14, PT15, PT20, PS03, PD11, PN11, VA01, VI*, MA01B, MA02, MA03, MA04, MA09, MI01, MI02, MP01, FR01,
        FR02, FR03A, FR04A, FR05A, FR07, ID01, ID02, IM01, IM02, ST01, J006, MJ01, MD01, CF03, CS01, CA01
    health: HS01, HS02, HS03
    mental: LS01
    lifestyle: LM01, LM02, LM14, LM19, HS10, HS11, HS12, HS13
    fieldwork: SPLT21, SPLT18, XT10, XS11
    survey_weight: WGHTPEW, WGHTHT001, WGHTPT001
SOEP
    person: PERSNR
    household: HHNR, HHNRAKT
    event_date: SYEAR, PMONIN, PTAGIN
    birth_date: GEBJAHR, GEBMONAT, GEBURT
    nationality: MIGBACK, GERMBORN, IMMIYEAR, CORIGIN, PGNATION, ARR_YEAR
    sex: D11102LL
    age: D11101
    marital: PGFAMSTD, D11104, PGPARTZ
    education: PGISCED97, PGISCED11, PGPSBIL, PGPBBIL01, PGPBBIL02, PGPBBIL03, PGBILZEIT, PGCASMIN, D11108, D11109
    occupation: PGISCO88, PGISCO08, PGKLAS, PGSIOPS08, PGISEI88, PGEGP88, PGMPS92
    workclass: PGEMPLST, PGSTIB, PGLFS, PGNACE, PGNACE2, PGVEBZEIT, PGTATZEIT, PGUEBSTD, PGALLBET, PGERWZEIT,
        PGJOBCH, PGOEFFD, PGERLJOB, PGEXPFT, PGEXPPT, PGEXPUE, E11101, E11102, E11103
    region: BULA, BULA_H, L11101, L11102, SAMPREG, REGTYP
    relationship: HGTYP1HH, HGTYP2HH, D11105, D11106, D11107, H11101, HHSIZE, SUMKIDS
    housing: HGOWNER, HGSIZE, HGROOM, HGSEVAL, HGCNSTYRMIN, HGCNSTYRMAX, HGMOVEYR, HGHEAT, HGEQPKIT, HGEQPSHW,
        HGEQPBAS, HGEQPLIF, HGEQPTER, HLF0001_H, HGACQUIS, HGCONDIT
    income: HGHINC, I11101, I11102, I11103, HLC0005, HLC0005_H, HGRENT, HGUTIL, HGHEATINFO
    salary: PGLABGRO, PGLABNET, I11110, PGIMPGRO, PGSNDJOB
    health: PLE0008, PLE0040, PLE0041, M11126, M11124, PLB0024_H, PCS
    body: PLE0006, PLE0007, M11122, M11123
    diagnosis: PLE0011, PLE0012, PLE0013, PLE0014, PLE0015, PLE0016, PLE0018, PLE0021
    use: PLE0072, PLE0053, PLE0055, PLE0056
    insurance: PLE0097, PLE0099_H, PLE0104_H
    mental: PLH0171, PLH0172, PLH0173, PLH0175, PLH0182, PLH0184, PLH0185, PLH0186, PLH0187, MCS, P11101
    lifestyle: PLE0081_H, PLE0086_V4, PLE0090, PLE0091, PLI0092_H
    beliefs: PLH0004, PLH0007, PLH0011_H, PLH0012_H, PLH0032, PLH0033, PLH0192, PLH0193, PLH0258_H, PLI0098_H,
        PLH0263_H
    survey_weight: PHRF, HHRF, PHRF1, PBLEIB, W11101, W11105
"""
