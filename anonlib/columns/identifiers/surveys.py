"""Names that single surveys, registers and data models give their columns: codes that say nothing by themselves.

A survey begins a line; then, indented, kinds with their names. A name ends with ``*`` where any ending may follow.
A code is believed where a file has several of one survey, or where no other file would have it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from anonlib.columns.identifiers.kinds import KINDS, Kind
from anonlib.columns.identifiers.names import kind_of_name

_SURVEYS = """
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
"""

_SEVERAL = 3  # names of one survey in a file, for all of its names to be believed
_LONG = 5  # letters and digits of a name that no other file would have by chance


@cache
def _surveys() -> tuple[tuple[dict[str, Kind], tuple[tuple[str, Kind], ...]], ...]:
    """By survey, its whole names in lower case, and its beginnings of names, the longest first."""
    surveys: list[tuple[dict[str, Kind], list[tuple[str, Kind]]]] = []
    for line in re.sub(r"\n {8}", " ", _SURVEYS.strip()).split("\n"):
        if not line.startswith(" "):
            surveys.append(({}, []))
            continue
        key, _, names = line.strip().partition(":")
        for name in names.split(","):
            written = name.strip().casefold()
            if written.endswith("*"):
                surveys[-1][1].append((written[:-1], KINDS[key]))
            else:
                surveys[-1][0].setdefault(written, KINDS[key])
    return tuple((names, tuple(sorted(begins, key=lambda pair: -len(pair[0])))) for names, begins in surveys)


def kinds_of_survey(columns: Iterable[str]) -> dict[str, Kind]:
    """By column of a file whose name is a code of a survey, register or data model, the kind that it is.

    Parameters
    ----------
    columns : Iterable[str]
        All names of the file: a short code is believed where the file has several codes of one survey that are no
        usual names, as ``STATE`` and ``SEX`` are.

    Returns
    -------
    dict of Kind by column
    """
    found: dict[str, Kind] = {}
    names = {column: column.strip().casefold() for column in columns}
    counted = []
    for whole, begins in _surveys():
        of_survey = {column: kind for column, name in names.items() if (kind := _kind(name, whole, begins))}
        codes = [column for column in of_survey if names[column] in whole and kind_of_name(column) is None]
        counted.append((len(codes), of_survey))
    for several, of_survey in sorted(counted, key=lambda pair: -pair[0]):
        for column, kind in of_survey.items():
            if several >= _SEVERAL or _is_code(names[column]):
                found.setdefault(column, kind)
    return found


def _kind(name: str, whole: dict[str, Kind], begins: tuple[tuple[str, Kind], ...]) -> Kind | None:
    return whole.get(name) or next((kind for begin, kind in begins if name.startswith(begin)), None)


def _is_code(name: str) -> bool:
    """Whether a name is so long and odd a code that one of them says from where it is."""
    return len(name) >= _LONG and any(char.isdigit() for char in name) and any(char.isalpha() for char in name[:3])
