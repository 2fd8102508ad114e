"""Names of columns in French, beyond those of the vocabulary."""

FRENCH = """
email: adresse electronique, adresse email, courriel patient, mel
phone: tel portable, tel domicile, telephone portable, telephone fixe, num tel, numero portable
ssn: numero securite, numero immatriculation, num secu, nss, num ss, numero inscription repertoire, nir patient, ben
    nir psa
health_plan: numero adherent, numero assure social, numero beneficiaire, num adherent, ben nir ano, nir ano 17, num
    enq
account: rib, numero facture, num facture
address: adresse postale, adresse domicile, num voie, voie, libelle voie, adresse patient
name: nom patient, nom usage, nom naissance, nom jeune fille, prenoms, nomprenom, nom prenom, medecin, medecin
    traitant, medecin prescripteur, nom medecin, personne confiance
mrn: ipp, num patient, numero patient, no patient, id pat, num sejour, numero sejour, no sejour, nda, num dossier,
    iep, numero administratif, dossier, id sejour, rsa num, rss num, identifiant permanent patient, num anonyme,
    numero rss
person: identifiant individu, id individu, id ind, ident individu, numero individu, num ind, noind, id sujet, numero
    sujet, id participant, numero ordre individu, numero d ordre individu, numero questionnaire
household: identifiant menage, ident menage, numero menage, id menage, num logement, identifiant logement, num menage,
    id logement
birth_date: dat nais, date nais, datenaiss, annee nais, an nais, anai, anais, mnais, mois naissance, jour naissance,
    dnais, date naissance patient, annee de naissance, ben nai ann, ben nai moi
age: age ans, age jours, agea, age annees, age revolu, age revolus, age jour, age an, aged, age entree, age atteint,
    agegest, ager, classe age, groupe age, tranche d age, age quinquennal, agepr, age detaille, age mere, age pere,
    age premier enfant, age fin etudes, classe d age, age en classes
event_date: date entree sejour, date sortie sejour, dat ent, dat sor, dat entree, dat sortie, mois sortie, mois
    entree, annee sortie, annee entree, mois, annee, anseqta, exe soi dtd, exe soi dtf, date soins, date examen, date
    acte, date diagnostic, date prelevement, date consultation, date visite, date intervention, date prescription,
    ddc, pre pre dtd, date de deces, jour deces, mois deces, annee deces, ben dcd dte, jour, trimestre, semaine, date
    debut, date fin, date enquete, mois enquete, date debut soins, date hospitalisation, delai date entree, flx dis
    dtd, annee arrivee, mois annee, annee mois, trimestre enquete, semaine reference, jour enquete, mois collecte,
    heure prelevement
event_time: heure arrivee urgences, heure naissance, heure deces
injury: accident travail, cause accident, circonstances accident, mecanisme, lieu accident
length_stay: duree de sejour, duree sej, nbjour, nb jours, nbj, nb jours hospit, jours reanimation, duree hospit, dms,
    ds, duree totale sejour, nombre jours, nbpresta, duree rum, nb nuits
department: um, unite medicale, type um, service, autorisation um, pole, specialite medecin, specialite executant, pse
    spe cod, specialite prescripteur, service entree, service sortie, uf, unite fonctionnelle, discipline, champ
    activite
visit_type: mode entree sejour, modeent, ment, ent mod, provenance, ent prv, prov, mode d entree, type
    hospitalisation, motif admission, motif hospitalisation, motif entree, passage urgences, urgence, type passage,
    hospitalisation, mode prise charge, type accouchement, type rsa, entree, lieu accouchement, secteur, nature
    sejour, mode transport
sex: cod sexe, code sexe, sexe patient, sx, sexe enfant, ben sex cod, genre, civilite, titre civilite, sexe repondant,
    sexe individu
race: origine ethnique, groupe ethnique
birth_place: lieu de naissance, commune naissance, dep naissance, departement naissance, depnais, lnais, code lieu
    naissance, communenaissance, dnai, lieunaiss, paysnaiss
nationality: nationalite detaillee, nat, natio, inat, inatc, pays de naissance, pays residence, immigre, immi,
    immigration, pays origine, indnat, titre sejour, indicateur nationalite, nationalite pere, nationalite mere,
    etranger, ne etranger, ne en france, ne france, date arrivee france, annee arrivee france, nationalite francaise,
    lien migration, immigre descendant, motif migration, pays naissance pere, pays naissance mere
marital: statut marital legal, etat matrimonial, statmatr, matri, matrim, etamat, etatmat, mariage, pacs, en couple,
    couple, stat conj, statut conjugal, situation matrimoniale, vie couple, marie, date mariage, vit en couple, vie en
    couple, vivre couple, conjoint, concubinage, situation matrimoniale legale, etat matrimonial legal, separe
education: niveau d etudes, diplome, dipl, diplome obtenu, dip, niveau diplome, niveau etude, niv etudes, scolarite,
    etudes, niveau scolaire, scolarisation, ilettres, diplome plus eleve, diplome le plus eleve, plus haut diplome,
    niveau de formation, diplome pere, diplome mere, apprentissage, etudiant, eleve, en cours etudes, formation
    continue, lecture, illettrisme, lire ecrire, alpha lire
occupation: profession detaillee, csp, pcs, cs, csoc, categorie socioprofessionnelle, categorie sociale, cs 1, cs 2,
    cs 3, cs 8, p, pcs ese, prof mere, prof pere, profession mere, profession pere, metier actuel, categorie socio
    professionnelle, groupe socioprofessionnel, classe sociale, milieu social, =fonction, csp individu, csp menage
workclass: activite, activite professionnelle, type activite, tact, tactd, stat, statut emploi, statut professionnel,
    empl, naf, na 5, na 17, na 88, situation professionnelle, condition emploi, type contrat, contrat, temps travail,
    temps partiel, tp, chomage, chomeur, retraite, salarie, employeur, acteu, actop, hh heures, secteur activite,
    nombre heures, duree travail, statut activite, statut d activite, situation emploi, situation vis a vis travail,
    emploi principal, temps travail emploi principal, duree hebdomadaire travail, heures travaillees, heures de
    travail, secteur public, secteur public prive, travaille secteur public, ~travaille, en emploi, contrat travail,
    cdi, cdd, interim, temps complet, temps plein, taille entreprise, taille etablissement, nombre salaries,
    encadrement, encadre, superviseur, travail nuit, travail de nuit, horaires decales, teletravail, domicile travail,
    trajet domicile travail, temps trajet, activite economique, fonctionnaire, inscrit pole emploi, recherche emploi,
    anciennete emploi, activite etablissement, independant, second emploi, heures supplementaires
language: langue parlee, langue maternelle patient
religion: confession, religion pratiquee
region: dep, dept, depart, departement residence, region residence, reg, regres, departement domicile, dep res, ben
    res dpt, zone residence, tranche unite urbaine, taille unite urbaine, tuu, tau, aire urbaine, catpr, type commune,
    ruralite, defavorisation, fdep, academie, tranche d unite urbaine, unite urbaine, taille commune, taille d
    agglomeration, taille agglomeration, categorie commune, densite commune, degre urbanisation, milieu urbain rural,
    urbain rural, urbain, nuts 2, zone urbaine, zone rurale, quartier prioritaire, zus, residence zone, taille ville,
    region habitation, region domicile, type de territoire, zone agroecologique, milieu residence
facility: finess, finess geographique, finess juridique, num finess, eta num, numero finess, etab, nom etablissement,
    code etablissement, centre hospitalier, hopital code, cabinet, etablissement sante, pfs exe num, prs exe
relationship: nombre d enfants, nb enfants, nbenf, nenfr, composition menage, type menage, typmr, taille menage, nb
    personnes, npers, inper, lien personne reference, lienpref, lpr, lprm, lprf, structure familiale, situation
    famille, mode cohabitation, moco, sfm, parite, gestite, rang naissance, rangn, jumeau, nombre freres, freres
    soeurs, vit seul, famille monoparentale, type famille, nbenfcouple, naissance multiple, nombre enfants nes, nb
    personnes menage, nombre habitants logement, habitants logement, nombre de personnes menage, personnes menage,
    personnes vivant logement, enfants charge, enfants a charge, nombre enfants charge, enfants moins, lien personne,
    personne reference, frere soeur, petits enfants, garde enfants, composition familiale, age dernier enfant
housing: statut occupation, stocd, typl, type logement, nombre pieces, nbpi, logement, surface, surf, proprietaire,
    locataire, hlml, voit, voiture, nombre voitures, achl, periode construction, superficie, loyer, typc, cmbl, chfl,
    garl, sanit, iranm, anem, anemmenagement, statut occupation logement, statut d occupation, ~pieces, nombre pieces
    habitation, chambres, nombre chambres, surface habitable, surface logement, chauffage, mode chauffage, mode de
    chauffage, mode chauffage principal, eau chaude, salle bain, salle de bains, douche, cuisine, toilettes, balcon,
    ~jardin, ~garage, ~ascenseur, ~immeuble, ~maison, appartement, annee construction, epoque achevement, annee
    emmenagement, anciennete emmenagement, voitures, voitures menage, nombre voitures menage, ~moto, velo, lave linge,
    lave vaisselle, televiseur, ~television, refrigerateur, ordinateur, connexion internet, acces internet, telephone
    fixe menage, eau potable, source eau, =sol, ~toit, ~murs, materiau sol, ~electricite, ~combustible, cuisson,
    betail, ~terres, animaux domestiques, animal, chien, =chat, logement humide, humide, humidite, moisissures, bruit,
    nuisances, surpeuplement, hlm, locataire proprietaire, residence secondaire, etat logement
veteran: service militaire, service national
body: poids naissance, poids kg, taille cm, imc, indice masse corporelle, pds, pnais, poids entree, perimetre cranien,
    tour taille, poidsent, groupe sanguin, taille centimetres, poids kilos, poids kilogrammes, taille enfant, poids
    enfant, tour hanches, perimetre brachial, surface corporelle
income: revenus, revenu menage, revenu mensuel, revenu fiscal, niveau de vie, niveau vie, salaire menage, revenu
    disponible, rsa revenu, aah, minima sociaux, allocations, revdecm, tranche revenu, patrimoine, revenu disponible
    menage, revenus menage, revenu mensuel menage, niveau revenu, quintile revenu, decile revenu, prestations
    sociales, prestations familiales, pension retraite, allocation logement, allocation, rsa, ~epargne, semaine
    vacances, ~vacances, peut se payer, se payer, partir vacances, peut manger viande, viande tous deux jours, manger
    viande, repas viande, meubles usages, chauffage correct, restriction, loyer mensuel, montant loyer, seuil
    pauvrete, consommation annuelle, conso annuelle
postcode: cod postal, cp residence, codepostal, code postal residence, cp patient, codpost
city: commune residence, commune domicile, ville residence, nom commune, libelle commune, code commune, codgeo
    residence, villes, depcom residence
area: iris, code iris, codgeo, depcom, code geographique, code geo, canton ville, code commune insee, cod geo, zone
    emploi, triris, com, ben res com, commune code, quartier code, cantville, code geographique residence
note: texte libre, observation, observations, compte rendu, cr, libelle libre, anamnese texte, conclusion
insurance: regime, regime assurance maladie, code regime, regime sociale, org aff ben, rgm cod, grand regime, ald,
    css, cmu, cmuc, acs, ame, couverture sociale, caisse, caisse affiliation, assurance maladie, complementaire,
    mutuelle patient, organisme, exoneration, ben cmu top, ticket moderateur, couverture maladie, prise en charge,
    naturassurance
salary: salaire mensuel, salaire net, remuneration, salaire brut, salmee, salred, impayes, impayes loyer, impayes de
    loyer, impayes factures, retard paiement, ~retards, ~dettes, ~dette, endettement, emprunt, situation financiere,
    difficultes financieres, fin mois, fins mois, fins de mois, decouvert, salaire horaire
costs: montant, montants, cout, tarif, mnt, mt, prs pai mnt, prs rem mnt, montant rembourse, montant paye, depense,
    depenses, remboursement, bse rem mnt, cout sejour, reste charge, valorisation, ghs
hiv: statut vih, covid 19, depistage, hepatite, test pcr, serologie
sexual: grossesse, ivg, contraception, date dernieres regles, age gestationnel, agegestationnel, duree gestation,
    semaines amenorrhee, terme, accouchement, orientation sexuelle, vie sexuelle, nb grossesses, enceinte actuelle,
    fausse couche, regles, allaitement, allaite, desir enfant, methode contraceptive, partenaires sexuels
mental: depression score, anxiete, tentative suicide, sante mentale, moral, psychiatrique, solitude, satisfaction vie,
    satisfaction dans la vie, ~satisfaction, satisfait, bien etre, bonheur, heureux, deprime, triste, tristesse,
    desespoir, peu interet, nerveux, nervosite, anxieux, inquietude, sommeil, heures sommeil, duree sommeil, troubles
    sommeil, isolement, soutien social, estime de soi, personnalite, burn out, pensees suicidaires
health: etat de sante, etat sante, sante percue, maladie chronique, handicap, limitation, limitations, invalidite,
    douleur, dependance, autonomie, avq physique, autonomie locomotion, gir, incapacite, fragilite, etat de sante
    general, etat sante general, sante generale, ~sante, sante physique, maladie chronique durable, probleme sante,
    limitation activite, limitations activites, difficultes voir, difficultes entendre, difficultes marcher, arret
    maladie, jours arret, jours maladie, mal dos, mal de dos, lombalgie, maux tete, migraine, ~fievre, ~toux,
    diarrhee, qualite vie, qualite de vie, ~lunettes, appareil auditif, sante bucco dentaire, ~dents, aide
    quotidienne, ~malade, ~difficulte, ~difficultes
lifestyle: tabagisme, statut tabagique, tabac, fume, cigarettes jour, consommation alcool, drogue, drogues, cannabis
    consommation, addiction, activite physique, sport, alcool semaine, nb cigarettes, fume actuellement, cigarettes
    par jour, cigarette electronique, vapotage, vapoteur, boissons alcoolisees, consommation boissons alcoolisees,
    verres, verres alcool, biere, spiritueux, ivresse, ~fruits, fruits legumes, ~legumes, portions fruits, portions de
    fruits, ~viande, consommation viande, ~poisson, petit dejeuner, sucre, boissons sucrees, sodas, =sel, restauration
    rapide, vegetarien, regime alimentaire, alimentation, habitudes alimentaires, cafe, the, heures activite physique,
    exercice physique, sportive, pratique sportive, ~marche, marche pied, velo semaine, sedentarite, temps ecran,
    temps assis, television heures, jeux argent, stupefiants, cocaine, preservatif, ceinture securite, loisirs, usage
    internet, reseaux sociaux
beliefs: parti politique, vote, syndicat, adherent syndicat, opinion politique, confiance, confiance envers, confiance
    autres, confiance envers les autres, confiance gouvernement, confiance institutions, interet politique, interet
    pour politique, interet pour la politique, politique, gauche droite, echelle gauche droite, positionnement
    politique, proximite parti, vote election, a vote, ~elections, election presidentielle, participation electorale,
    democratie, satisfaction democratie, satisfaction gouvernement, ~opinions, ~attitudes, ~accord, d accord, pour ou
    contre, favorable, peine mort, peine de mort, avortement, euthanasie, homosexualite, homosexuels, immigres,
    etrangers, immigration opinion, refugies, racisme, role femmes, place femmes, ~egalite, ~environnement, changement
    climatique, ~europe, union europeenne, fierte, pratique religieuse, assistance offices, offices religieux, messe,
    priere, croyance, croit dieu, religiosite, syndicalisation, syndique, manifestation, manifester, greve, benevolat,
    ~association, associations membre, ~valeurs, discrimine, discriminations, sentiment insecurite, ~securite, classe
    sociale subjective, ~justice
diagnosis: dp, dr, das, diagnostic principal, diagnostic relie, diagnostic associe, diagnostics associes, dgn pal, dgn
    rel, ass dgn, diag principal, cim, cim 10, code cim, code cim 10, ghm, rghm, grg ghm, severite, niveau severite,
    cmd, motif consultation, pathologie, pathologies, antecedents, antecedent, comorbidites, ald code, imb mtf cod,
    cancer type, stade tumeur, allergies patient, symptomes, motif ald, igs 2, igs, blessure
treatment: acte, actes, acte ccam, ccam, code acte, cdc act, ccam code, nb actes, acte classant, intervention
    chirurgicale, chirurgie, soins, ngap, prestation, nature prestation, prs nat ref, prs nat, radiotherapie, chimio,
    chimiotherapie, dialyse, cesarienne, vaccin, vaccination, rea, reanimation, kinesitherapie, cam prs ide, lpp, tip
    prs ide, prothese, anesthesie, modalite acte, activite acte, vaccine grippe, vaccination grippe, frottis,
    mammographie, depistage cancer, coloscopie, ventilation, ventilation mecanique, duree ventilation, oxygene,
    transfusion, perfusion, kine
medication: cip, code cip, cip 13, pha prs c 13, pha prs, pha atc, code atc, ucd, medicament code, dosage, posologie,
    ordonnance, molecule, prescription med, pha act qsn, quantite, antibiotique, nb boites, medicaments pris, prise
    medicaments, consommation medicaments, traitement medicamenteux, dose journaliere, dose totale, ~debit, debit
    perfusion, antibiotiques, antalgiques, antidepresseur, antidepresseurs, anxiolytiques, somniferes, corticoides,
    anticoagulant, anticoagulants, catecholamines, sedation, insuline, heparine, noradrenaline, adrenaline, morphine,
    furosemide, paracetamol, pilule
result: resultat examen, resultat biologique, biologie, analyse, glycemie, creatinine, tension, tension arterielle,
    pression arterielle, ta, pas, pad, pouls, temperature corps, hemoglobine, cholesterol total, apgar 5 min, valeur,
    dosage sanguin, ferritine, saturation, score, natremie, kaliemie, calcium, calcemie, chlore, magnesium,
    bicarbonates, lactates, lactate, creatininemie, uree, acide urique, glycemie jeun, hemoglobine glyquee,
    hematocrite, leucocytes, globules blancs, globules rouges, plaquettes, lymphocytes, neutrophiles, inr, tca,
    fibrinogene, bilirubine, asat, alat, asat alat, gamma gt, phosphatases, lipase, troponine, proteine c reactive,
    procalcitonine, vitesse sedimentation, =fer, transferrine, tsh, cortisol, albumine, proteines, gaz sang, gaz du
    sang, ph arteriel, diurese, bilan hydrique, hemoculture, =culture, serologies, anticorps, frequence cardiaque,
    frequence respiratoire, pression systolique, pression diastolique, systolique, diastolique, pression arterielle
    systolique, temperature corporelle, saturation oxygene, spo 2, glasgow, score glasgow, echelle douleur, echelle de
    douleur, acuite visuelle, audition, spirometrie, fraction ejection
outcome: evolution, complication, complications, guerison, recidive, rehospitalisation, readmission sejour
death: dcd, deces hospitalier, statut vital, cause deces, causes deces, date deces connue, mort, mortalite, mort ne,
    decede, acte deces, actedeces, lieu deces
use: nb consultations, nombre consultations, nombre hospitalisations, nb visites, recours soins, nb sejours, nombre
    sejours, consultations prenatales, renoncement soins, renoncement a des soins, renonce soins, dentiste, visite
    dentiste, consultation dentiste, derniere consultation, medecin generaliste, visite medecin, consultation
    generaliste, specialiste, nombre hospitalisation, nuits hopital, urgences visites, psychologue, aide domicile
disposition: mode sortie sejour, modesor, msor, sor mod, dest, sor des, destination apres sortie, destination, mode de
    sortie, orientation sortie
survey_weight: poids, ponderation, pond, extri, ipondi, ipond, coefficient ponderation, coef, poids individu, poids
    menage, extriar, coeff, poids final, ponderation individuelle, ponderation menage, poids individuel, poids
    echantillon
count: nb patients, nombre patients, nb cas, nombre cas, nb individus, nombre individus, population totale
fieldwork: =vague, vague enquete, vague d enquete, mode collecte, mode de collecte, mode passation, mode enquete,
    duree entretien, duree interview, duree questionnaire, version questionnaire, version du questionnaire, version
    fichier, =edition, source donnees, =source, systeme source, indicateur imputation, =imputation, =proxy, statut
    questionnaire, resultat entretien, rang interrogation
"""
