"""Names of columns in French, beyond those of the vocabulary."""

FRENCH = """
email: adresse electronique, adresse email, courriel patient, mel
phone: tel portable, tel domicile, telephone portable, telephone fixe, num tel, numero portable
ssn: numero securite, numero immatriculation, num secu, nss, num ss, numero inscription repertoire, nir patient,
    ben nir psa
health_plan: numero adherent, numero assure social, numero beneficiaire, num adherent, ben nir ano, nir ano 17,
    num enq
account: rib, numero facture, num facture
address: adresse postale, adresse domicile, num voie, voie, libelle voie, adresse patient
name: nom patient, nom usage, nom naissance, nom jeune fille, prenoms, nomprenom, nom prenom, medecin,
    medecin traitant, medecin prescripteur, nom medecin, personne confiance
mrn: ipp, num patient, numero patient, no patient, id pat, num sejour, numero sejour, no sejour, nda, num dossier,
    iep, numero administratif, dossier, id sejour, rsa num, rss num, identifiant permanent patient, num anonyme,
    numero rss
person: identifiant individu, id individu, id ind, ident individu, numero individu, num ind, noind, id sujet,
    numero sujet, id participant
household: identifiant menage, ident menage, numero menage, id menage, num logement, identifiant logement
birth_date: dat nais, date nais, datenaiss, annee nais, an nais, anai, anais, mnais, mois naissance, jour naissance,
    dnais, date naissance patient, annee de naissance, ben nai ann, ben nai moi
age: age ans, age jours, agea, age annees, age revolu, age revolus, age jour, age an, aged, age entree, age atteint,
    agegest, ager, classe age, groupe age, tranche d age, age quinquennal, agepr, age detaille, age mere, age pere
event_date: date entree sejour, date sortie sejour, dat ent, dat sor, dat entree, dat sortie, mois sortie,
    mois entree, annee sortie, annee entree, mois, annee, anseqta, exe soi dtd, exe soi dtf, date soins, date examen,
    date acte, date diagnostic, date prelevement, date consultation, date visite, date intervention,
    date prescription, ddc, pre pre dtd, date de deces, jour deces, mois deces, annee deces, ben dcd dte, jour,
    trimestre, semaine, date debut, date fin, date enquete, mois enquete, date debut soins, date hospitalisation,
    delai date entree, flx dis dtd, annee arrivee, mois annee, annee mois
event_time: heure arrivee urgences, heure naissance, heure deces
injury: accident travail, cause accident, circonstances accident, mecanisme, lieu accident
length_stay: duree de sejour, duree sej, nbjour, nb jours, nbj, nb jours hospit, jours reanimation, duree hospit, dms,
    ds, duree totale sejour, nombre jours, nbpresta, duree rum, nb nuits
department: um, unite medicale, type um, service, autorisation um, pole, specialite medecin, specialite executant,
    pse spe cod, specialite prescripteur, service entree, service sortie, uf, unite fonctionnelle, discipline,
    champ activite
visit_type: mode entree sejour, modeent, ment, ent mod, provenance, ent prv, prov, mode d entree,
    type hospitalisation, motif admission, motif hospitalisation, motif entree, passage urgences, urgence,
    type passage, hospitalisation, mode prise charge, type accouchement, type rsa, entree, lieu accouchement, secteur,
    nature sejour, mode transport
sex: cod sexe, code sexe, sexe patient, sx, sexe enfant, ben sex cod, genre, civilite, titre civilite
race: origine ethnique, groupe ethnique
birth_place: lieu de naissance, commune naissance, dep naissance, departement naissance, depnais, lnais,
    code lieu naissance, communenaissance, dnai, lieunaiss, paysnaiss
nationality: nationalite detaillee, nat, natio, inat, inatc, pays de naissance, pays residence, immigre, immi,
    immigration, pays origine, indnat, titre sejour, indicateur nationalite, nationalite pere, nationalite mere,
    etranger
marital: statut marital legal, etat matrimonial, statmatr, matri, matrim, etamat, etatmat, mariage, pacs, en couple,
    couple, stat conj, statut conjugal, situation matrimoniale, vie couple, marie, date mariage
education: niveau d etudes, diplome, dipl, diplome obtenu, dip, niveau diplome, niveau etude, niv etudes, scolarite,
    etudes, niveau scolaire, scolarisation, ilettres
occupation: profession detaillee, csp, pcs, cs, csoc, categorie socioprofessionnelle, categorie sociale, cs 1, cs 2,
    cs 3, cs 8, p, pcs ese, prof mere, prof pere, profession mere, profession pere, metier actuel
workclass: activite, activite professionnelle, type activite, tact, tactd, stat, statut emploi, statut professionnel,
    empl, naf, na 5, na 17, na 88, situation professionnelle, condition emploi, type contrat, contrat, temps travail,
    temps partiel, tp, chomage, chomeur, retraite, salarie, employeur, acteu, actop, hh heures, secteur activite,
    nombre heures, duree travail
language: langue parlee, langue maternelle patient
religion: confession, religion pratiquee
region: dep, dept, depart, departement residence, region residence, reg, regres, departement domicile, dep res,
    ben res dpt, zone residence, tranche unite urbaine, taille unite urbaine, tuu, tau, aire urbaine, catpr,
    type commune, ruralite, defavorisation, fdep, academie
facility: finess, finess geographique, finess juridique, num finess, eta num, numero finess, etab, nom etablissement,
    code etablissement, centre hospitalier, hopital code, cabinet, etablissement sante, pfs exe num, prs exe
relationship: nombre d enfants, nb enfants, nbenf, nenfr, composition menage, type menage, typmr, taille menage,
    nb personnes, npers, inper, lien personne reference, lienpref, lpr, lprm, lprf, structure familiale,
    situation famille, mode cohabitation, moco, sfm, parite, gestite, rang naissance, rangn, jumeau, nombre freres,
    freres soeurs, vit seul, famille monoparentale, type famille, nbenfcouple, naissance multiple, nombre enfants nes,
    nb personnes menage
housing: statut occupation, stocd, typl, type logement, nombre pieces, nbpi, logement, surface, surf, proprietaire,
    locataire, hlml, voit, voiture, nombre voitures, achl, periode construction, superficie, loyer, typc, cmbl, chfl,
    garl, sanit, iranm, anem, anemmenagement
veteran: service militaire, service national
body: poids naissance, poids kg, taille cm, imc, indice masse corporelle, pds, pnais, poids entree, perimetre cranien,
    tour taille, poidsent, groupe sanguin
income: revenus, revenu menage, revenu mensuel, revenu fiscal, niveau de vie, niveau vie, salaire menage,
    revenu disponible, rsa revenu, aah, minima sociaux, allocations, revdecm, tranche revenu, patrimoine
postcode: cod postal, cp residence, codepostal, code postal residence, cp patient, codpost
city: commune residence, commune domicile, ville residence, nom commune, libelle commune, code commune,
    codgeo residence, villes, depcom residence
area: iris, code iris, codgeo, depcom, code geographique, code geo, canton ville, code commune insee, cod geo,
    zone emploi, triris, com, ben res com, commune code, quartier code, cantville, code geographique residence
note: texte libre, observation, observations, compte rendu, cr, libelle libre, anamnese texte, conclusion
insurance: regime, regime assurance maladie, code regime, regime sociale, org aff ben, rgm cod, grand regime, ald,
    css, cmu, cmuc, acs, ame, couverture sociale, caisse, caisse affiliation, assurance maladie, complementaire,
    mutuelle patient, organisme, exoneration, ben cmu top, ticket moderateur, couverture maladie, prise en charge,
    naturassurance
salary: salaire mensuel, salaire net, remuneration, salaire brut, salmee, salred
costs: montant, montants, cout, tarif, mnt, mt, prs pai mnt, prs rem mnt, montant rembourse, montant paye, depense,
    depenses, remboursement, bse rem mnt, cout sejour, reste charge, valorisation, ghs
hiv: statut vih, covid 19, depistage, hepatite, test pcr, serologie
sexual: grossesse, ivg, contraception, date dernieres regles, age gestationnel, agegestationnel, duree gestation,
    semaines amenorrhee, terme, accouchement, orientation sexuelle, vie sexuelle, nb grossesses, enceinte actuelle,
    fausse couche
mental: depression score, anxiete, tentative suicide, sante mentale, moral, psychiatrique, solitude
health: etat de sante, etat sante, sante percue, maladie chronique, handicap, limitation, limitations, invalidite,
    douleur, dependance, autonomie, avq physique, autonomie locomotion, gir, incapacite, fragilite
lifestyle: tabagisme, statut tabagique, tabac, fume, cigarettes jour, consommation alcool, drogue, drogues,
    cannabis consommation, addiction, activite physique, sport, alcool semaine, nb cigarettes
beliefs: parti politique, vote, syndicat, adherent syndicat, opinion politique
diagnosis: dp, dr, das, diagnostic principal, diagnostic relie, diagnostic associe, diagnostics associes, dgn pal,
    dgn rel, ass dgn, diag principal, cim, cim 10, code cim, code cim 10, ghm, rghm, grg ghm, severite,
    niveau severite, cmd, motif consultation, pathologie, pathologies, antecedents, antecedent, comorbidites,
    ald code, imb mtf cod, cancer type, stade tumeur, allergies patient, symptomes, motif ald, igs 2, igs, blessure
treatment: acte, actes, acte ccam, ccam, code acte, cdc act, ccam code, nb actes, acte classant,
    intervention chirurgicale, chirurgie, soins, ngap, prestation, nature prestation, prs nat ref, prs nat,
    radiotherapie, chimio, chimiotherapie, dialyse, cesarienne, vaccin, vaccination, rea, reanimation, kinesitherapie,
    cam prs ide, lpp, tip prs ide, prothese, anesthesie, modalite acte, activite acte
medication: cip, code cip, cip 13, pha prs c 13, pha prs, pha atc, code atc, ucd, medicament code, dosage, posologie,
    ordonnance, molecule, prescription med, pha act qsn, quantite, antibiotique, nb boites
result: resultat examen, resultat biologique, biologie, analyse, glycemie, creatinine, tension, tension arterielle,
    pression arterielle, ta, pas, pad, pouls, temperature corps, hemoglobine, cholesterol total, apgar 5 min, valeur,
    dosage sanguin, ferritine, saturation, score
outcome: evolution, complication, complications, guerison, recidive, rehospitalisation, readmission sejour
death: dcd, deces hospitalier, statut vital, cause deces, causes deces, date deces connue, mort, mortalite, mort ne,
    decede, acte deces, actedeces, lieu deces
use: nb consultations, nombre consultations, nombre hospitalisations, nb visites, recours soins, nb sejours,
    nombre sejours, consultations prenatales
disposition: mode sortie sejour, modesor, msor, sor mod, dest, sor des, destination apres sortie, destination,
    mode de sortie, orientation sortie
survey_weight: poids, ponderation, pond, extri, ipondi, ipond, coefficient ponderation, coef, poids individu,
    poids menage, extriar, coeff, poids final
count: nb patients, nombre patients, nb cas, nombre cas, nb individus, nombre individus, population totale
"""
