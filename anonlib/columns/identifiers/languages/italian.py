"""Names of columns in Italian."""

ITALIAN = """
email: posta elettronica, indirizzo email, e mail paziente
phone: telefono cellulare, cellulare, numero di telefono, num telefono, recapito telefonico, tel casa
fax: numero fax
ssn: codice fiscale, cod fiscale, codfisc, cf, codice stp, stp, eni, codice fiscale paziente, cod fisc
health_plan: tessera sanitaria, numero tessera, tessera, num tessera sanitaria, numero polizza, codice assistito, id
    assistito, cod assistito, team
account: conto corrente, numero conto, numero fattura
certificate: patente, numero patente
passport: passaporto, carta identita, numero documento, documento identita
address: indirizzo, via, indirizzo residenza, indirizzo domicilio, numero civico, civico, via residenza
name: nome paziente, cognome, cognome nome, nome cognome, nominativo, medico, nome medico, medico curante, medico
    base, medico prescrittore, nominativi, medico richiedente
mrn: cartella clinica, numero cartella, num cartella, cod cartella, id paziente, codice paziente, cod paziente, numero
    paziente, id pz, codice sdo, numero scheda, progressivo sdo, progressivo, prog sdo, id episodio, numero
    nosologico, nosologico, n cartella, id univoco, codice identificativo paziente, codice identificativo,
    identificativo assistito, id ricovero, identificativo accesso, prgrecord
person: id persona, id soggetto, codice individuo, numero individuo, proind, progressivo individuo, id rispondente,
    codice soggetto, id utente, id unico, numero ordine componente, numero d ordine componente, identificativo
    individuo
household: id famiglia, profam, progressivo famiglia, numero progressivo famiglia, identificativo famiglia, codice
    famiglia, numero famiglia, questionario famiglia
birth_date: data di nascita, datanascita, data nasc, dt nascita, dtnasc, datanas, anno di nascita, annonascita, anno
    nasc, mese nascita, giorno nascita, dnasc, data nascita madre, anno nascita paziente, mese anno nascita, data
    nascita paziente
age: eta, eta anni, eta paziente, classe eta, classe di eta, fascia eta, fascia di eta, gruppo eta, eta mesi, eta
    giorni, eta madre, eta padre, eta compiuta, eta ricovero, etan, etami, eta gestante, anni compiuti, eta in classi,
    eta figlio, eta primo figlio, eta matrimonio
event_date: data ricovero, data di ricovero, data dimissione, data di dimissione, data ammissione, data ingresso, data
    uscita, data accesso, data decesso, data morte, data intervento, data procedura, data prenotazione, data visita,
    data esame, data prelievo, data diagnosi, data inizio, data fine, data erogazione, data prescrizione, data parto,
    data evento, data ora, anno, mese, anno ricovero, anno dimissione, mese dimissione, mese ricovero, data
    trasferimento, dt ricovero, dt dimissione, data intervista, data sintomi, anno matrimonio, giorno settimana,
    trimestre, data presa carico, data ora ingresso, data ora dimissione, data entrata, data arrivo, data intervento
    principale, data primo trasferimento, data ammissione reparto, anno evento, trimestre intervista, mese intervista,
    settimana riferimento, anno intervista, ora prelievo
event_time: ora ricovero, ora ingresso, ora dimissione, ora arrivo, ora accesso, ora, ora entrata, ora parto, ora
    nascita
injury: causa esterna, traumatismi, traumatismo, causa trauma, infortunio, trauma, tipo trauma, intossicazione,
    infortunio lavoro
length_stay: giornate degenza, giorni degenza, gg degenza, durata degenza, durata ricovero, degenza, giorni ricovero,
    ggdeg, gdeg, ggdegenza, giornate di degenza, giornate, gg ricovero, giorni terapia intensiva, accessi dh, numero
    accessi, giornate presenza
department: reparto, reparto ammissione, reparto dimissione, reparto ricovero, disciplina, disciplina dimissione,
    disciplina ammissione, specialita, specialita dimissione, unita operativa, uo, uo dimissione, divisione, branca,
    specialita medica, reparto di dimissione, reparto trasferimento, area reparto, ambulatorio
visit_type: tipo ricovero, tipo di ricovero, regime ricovero, regime di ricovero, regime, onere degenza, provenienza,
    provenienza paziente, motivo ricovero, motivo accesso, modalita accesso, modalita ammissione, modalita arrivo,
    triage, codice triage, urgenza, pronto soccorso, day hospital, motivo day hospital, classe priorita, priorita,
    tipo visita, tipo accesso, tipo parto, modalita parto, luogo parto, tipologia visita, mezzo arrivo, problema
    principale, invio, responsabile invio, tipo attivita, motivo del ricovero, tipo dh
sex: sesso, genere, sesso paziente, sesso neonato, ses, sesso nato, gen
race: etnia paziente, gruppo etnico, razza
birth_place: comune nascita, comune di nascita, luogo nascita, luogo di nascita, provincia nascita, cod comune
    nascita, com nascita, regione nascita
nationality: cittadinanza, nazionalita, paese nascita, paese di nascita, stato nascita, stato estero, stato di
    nascita, straniero, paese origine, paese cittadinanza, cittadinanza madre, cittadinanza padre, cittad, stato
    estero residenza, immigrato, cittadinanza italiana, anno arrivo, nato estero, nato italia, anni residenza
marital: stato civile, stciv, stato civile paziente, stciv madre, statciv, stato civile madre, coniugato, data
    matrimonio, stato coniugale, convivenza, vive coppia, coppia, coniuge, unione civile, separato
education: titolo di studio, titolo studio, istruzione, livello istruzione, istr, scolarita, grado istruzione, tit
    studio, titstu, titolo studio madre, istrmi, anni studio, titolo di studio madre, diploma, titolo studio piu alto,
    titolo di studio piu elevato, frequenza scuola, studente, iscritto scuola, ~formazione, titolo studio padre,
    istruzione padre, istruzione madre, sa leggere, =corso
occupation: professione, mestiere, professione madre, professione padre, posizione professionale, posizione nella
    professione, qualifica, posizione sociale, classe sociale
workclass: occupazione, condizione professionale, condizione lavorativa, condmi, attivita economica, settore attivita,
    ramo attivita, ateco, occupato, disoccupato, tipo contratto, pensionato, posiz, datore lavoro, ore lavorate, ramo,
    condizione occupazionale, lavoro, posizione professione, settore di attivita, settore economico, ore lavoro, ore
    di lavoro, ore settimanali, ore lavoro settimanali, orario lavoro, tempo pieno, tempo parziale, part time,
    =contratto, tempo determinato, tempo indeterminato, lavoro dipendente, lavoro autonomo, ~dipendente, dimensione
    impresa, numero dipendenti, supervisione, turni, lavoro notturno, telelavoro, smart working, lavora casa, ricerca
    lavoro, cerca lavoro, casalinga, ~lavora, secondo lavoro, settore pubblico, pendolare, tragitto lavoro
language: lingua, lingua madre, lingua parlata
religion: religione, fede, credo religioso
region: regione, regione residenza, reg residenza, provincia residenza, prov residenza, asl, asl residenza, ausl, ats,
    azienda sanitaria, ripartizione, ripmf, regmf, dominio, domm, regione di residenza, ulss, usl residenza, usl,
    provincia di residenza, regione asl, distretto, ripartizione geografica, tipo comune, tipo di comune, ampiezza
    demografica, ampiezza comune, dimensione comune, dimensione comunale, grado urbanizzazione, area metropolitana,
    zona altimetrica, urbano rurale, urbano, rurale, tipologia comunale, area geografica
facility: istituto, codice istituto, cod istituto, struttura, codice struttura, stabilimento, presidio, ospedale,
    codice presidio, struttura erogatrice, istituto ricovero, azienda ospedaliera, casa cura, nome ospedale, struttura
    ricovero, cod struttura, struttura invio, punto nascita, farmacia, ente, istituto di cura, sub codice
relationship: numero figli, figli, n figli, componenti famiglia, numero componenti, ncomp, componenti, relpar,
    relazione parentela, tipo famiglia, nucleo familiare, tipnu, parita, gravidanze precedenti, parti precedenti, nati
    vivi, ordine nascita, genere parto, gemelli, plurimo, numero nati, nati, consanguineita, vive solo, stato
    famiglia, fratelli, capofamiglia, relazione di parentela, parentela, persona riferimento, persona di riferimento,
    numero figli conviventi, figli conviventi, figli minori, componenti nucleo, ampiezza famiglia, tipologia
    familiare, tipologia famiglia, sorelle, nipoti, eta figlio piu piccolo
housing: abitazione, tipo abitazione, titolo godimento, godab, numero stanze, stanze, affitto, casa proprieta, auto,
    automobile, possesso auto, metri quadri, titolo di godimento, godimento abitazione, tipo di abitazione,
    ~proprieta, proprietario, inquilino, numero di stanze, ~camere, ~bagno, ~bagni, ~cucina, riscaldamento, presenza
    riscaldamento, tipo riscaldamento, aria condizionata, acqua calda, ascensore, balcone, terrazzo, giardino,
    ~garage, superficie abitazione, metri quadrati, anno costruzione, epoca costruzione, automobili, numero auto, auto
    famiglia, ~moto, bicicletta, lavatrice, lavastoviglie, frigorifero, televisore, =computer, personal computer,
    internet casa, connessione internet, telefono fisso, animali domestici, ~cane, ~gatto, acqua potabile, umidita,
    ~rumore, inquinamento, sporcizia strade, ~traffico, zona abitazione, sovraffollamento
veteran: servizio militare
body: altezza, statura, peso, peso nascita, peso alla nascita, peso neonato, peso kg, bmi paziente, imc, indice massa
    corporea, lunghezza neonato, circonferenza cranica, circonferenza vita, gruppo sanguigno, altezza cm, peso chili,
    peso chilogrammi, peso corporeo, altezza centimetri, statura centimetri, circonferenza fianchi
income: reddito, reddito familiare, reddito netto, isee, fascia reddito, classe reddito, redditi, ricec, condizione
    economica, risorse economiche, risec, poverta, fonte reddito, patrimonio, reddito mensile, fonte principale
    reddito, quintile reddito, pensione, sussidi, assegni familiari, risparmi, ~vacanza, ~vacanze, permettersi, puo
    permettersi, settimana vacanza, pasto carne, spese impreviste, canone affitto
postcode: cap, codice avviamento postale, cap residenza, codice postale
city: comune, comune residenza, comune di residenza, comune domicilio, citta, citta residenza, cod comune residenza,
    com residenza, residenza, localita, frazione, codcom, quartiere
area: codice comune, cod comune, codice istat, istat comune, sezione censimento, codice catastale, cod istat, comune
    istat, sezione censuaria
note: note cliniche, testo libero, osservazioni, commenti, referto, anamnesi, descrizione libera, annotazioni
insurance: onere, onere della degenza, esenzione, codice esenzione, ticket, assicurazione, assicurazione sanitaria,
    posizione ticket, tipo esenzione, esenzione ticket, posizione assistito, mutua, ssn pagante, convenzione
salary: stipendio, salario, retribuzione, situazione economica, difficolta economiche, arretrati, arretrati pagamento,
    ~debiti, mutuo arretrato, fine mese, arrivare fine mese, soddisfazione economica, ~prestiti
costs: costo, costi, tariffa, importo, importo ticket, valore tariffa, rimborso, spesa, prezzo, importo ricovero,
    valorizzazione, remunerazione, importo totale, costo totale
hiv: epatite, covid 19, tampone, esito tampone, infezione, infezioni, sieropositivo
sexual: gravidanza, settimane gestazione, settimane di gestazione, eta gestazionale, aborto, aborti, ivg,
    contraccezione, contraccettivi, menarca, procreazione assistita, pma, decorso gravidanza, amenorrea, settimane
    amenorrea, aborti spontanei, orientamento sessuale, travaglio, presentazione, vitalita, durata gravidanza,
    menopausa, mestruazioni, allattamento, contraccettivo, rapporti sessuali
mental: depressione, ansia, salute mentale, psichiatrico, suicidio, tentato suicidio, demenza, umore, soddisfazione
    vita, soddisfazione per vita, soddisfazione complesso, soddisfatto, felicita, felice, benessere, benessere
    psicologico, depresso, triste, tristezza, nervosismo, stanchezza, sonno, ore sonno, dormire, insonnia, solitudine,
    supporto sociale, sostegno sociale, autostima, preoccupazione
health: stato salute, stato di salute, salute percepita, malattie croniche, malattia cronica, cronic, invalidita,
    disabilita, limitazioni, limitazione, non autosufficiente, autosufficienza, dolore, handicap, limitazioni gravi,
    soddisfazione, salute generale, ~salute, limitazione attivita, difficolta vista, difficolta udito, difficolta
    camminare, mal schiena, mal di testa, emicrania, febbre, diarrea, giorni malattia, assenze malattia, qualita vita,
    occhiali, denti, non autosufficienza
lifestyle: fumo, fumatore, fumatrice, abitudine fumo, alcol, consumo alcol, droghe, sigarette, attivita fisica, sport,
    tabagismo, tossicodipendenza, vino, birra, abitudine al fumo, numero sigarette, sigaretta elettronica, consumo
    alcolici, alcolici, bevande alcoliche, consumo vino, consumo di vino, consumo birra, consumo di birra,
    superalcolici, ubriacatura, frutta, verdura, frutta verdura, porzioni frutta, ortaggi, carne, pesce, colazione,
    zucchero, bibite, bevande zuccherate, dolci, dieta particolare, alimentazione, abitudini alimentari, vegetariano,
    caffe, pratica sport, sport continuita, esercizio fisico, cammina, camminare, sedentarieta, tempo libero,
    televisione ore, gioco azzardo, uso internet, social network, cintura sicurezza
beliefs: partito, politica, voto, sindacato, messa, culto, fiducia, fiducia gente, fiducia nella gente, fiducia
    partiti, fiducia parlamento, fiducia istituzioni, interesse politica, parla politica, informazione politica,
    partiti politici, sinistra destra, orientamento politico, voto elezioni, elezioni, intenzione voto, democrazia,
    opinione, opinioni, atteggiamento, atteggiamenti, ~accordo, d accordo, pena morte, eutanasia, omosessualita,
    omosessuali, immigrati, immigrazione, stranieri opinione, razzismo, ruoli genere, donne dovrebbero, ~ambiente,
    cambiamento climatico, unione europea, luogo culto, luogo di culto, pratica religiosa, preghiera, credenza,
    religiosita, iscritto sindacato, corteo, manifestazione, sciopero, petizione, volontariato, ~associazione,
    associazioni, ~valori, discriminazione, discriminato, ~sicurezza, rischio criminalita, paura, classe sociale
    soggettiva
diagnosis: diagnosi, diagnosi principale, diagnosi secondaria, diagnosi dimissione, diagnosi di dimissione, diagnosi
    principale dimissione, diag princ, diagp, diagnosi 1, diagn, patologia, patologie, malattia, malattie, icd 9 cm,
    codice diagnosi, cod diagnosi, diagnosi ingresso, diagnosi ammissione, drg finale, codice drg, mdc drg,
    comorbilita, tumore, neoplasia, stadiazione, stadiazione condensata, lateralita, ipertensione, diabete, asma,
    bronchite, allergie paziente, ipotesi diagnostica, sintomi, sintomo, rilevazione diagnosi, diagnosi secondarie,
    malformazioni, malformazione, osteoporosi, cuore, artrosi
treatment: intervento, interventi, intervento principale, intervento chirurgico, procedura, procedure secondarie,
    intervento secondario, intp, codice intervento, codice procedura, prestazione, prestazioni, codice prestazione,
    terapia, trattamento, chirurgia, chemioterapia, radioterapia, dialisi, vaccinazione, vaccino, taglio cesareo,
    cesareo, anestesia, chirurgo, rianimazione, ecografie, amniocentesi, checklist sala operatoria, trapianto,
    vaccinato influenza, vaccino influenza, vaccinazione antinfluenzale, mammografia, colonscopia, screening
    oncologico, ventilazione, ventilazione meccanica, ossigenoterapia, trasfusione, fisioterapia
medication: farmaco, farmaci, principio attivo, aic, codice aic, minsan, dose farmaco, prescrizione, ricetta,
    antibiotico, posologia, farmaco prescritto, numero confezioni, dosaggio, farmaci assunti, consumo farmaci, consumo
    di farmaci, uso farmaci, dose giornaliera, dose totale, velocita infusione, infusione, antibiotici,
    antidolorifici, antidepressivi, corticosteroidi, cortisone, anticoagulanti, vasopressori, sedazione, eparina,
    noradrenalina, adrenalina, morfina, furosemide, paracetamolo, pillola
result: esito esame, esame, esami, risultato, risultato esame, laboratorio, valore, glicemia, colesterolo, creatinina,
    emoglobina, pressione, pressione arteriosa, pressione sistolica, frequenza cardiaca, temperatura, apgar 5 minuti,
    punteggio, saturazione, esito test, sodio, potassio, calcio, cloro, magnesio, bicarbonati, lattati, lattato,
    azotemia, acido urico, emoglobina glicata, ematocrito, leucociti, globuli bianchi, globuli rossi, piastrine,
    linfociti, neutrofili, inr, tempo protrombina, fibrinogeno, bilirubina, transaminasi, fosfatasi alcalina, lipasi,
    troponina, proteina c reattiva, procalcitonina, ves, ferritina, ~ferro, tsh, colesterolo totale, trigliceridi,
    albumina, proteine, emogasanalisi, ph arterioso, diuresi, bilancio idrico, emocoltura, ~coltura, anticorpi,
    frequenza respiratoria, pressione diastolica, sistolica, diastolica, temperatura corporea, saturazione ossigeno,
    glasgow, scala dolore, spirometria, frazione eiezione, creatininemia
outcome: esito, complicanze, riammissione, recidiva, guarito, esito trattamento
death: decesso, deceduto, morte, mortalita, causa morte, causa di morte, stato in vita, riscontro autoptico, nato
    morto, natimortalita, deceduti, autopsia
use: numero visite, numero ricoveri, ricoveri, visite mediche, visite specialistiche, controlli gravidanza, visite
    controllo, accertamenti, numero visite controllo, dentista, visita dentista, visite dentista, visita medica,
    medico famiglia, specialista, notti ricovero, guardia medica, psicologo
disposition: modalita dimissione, modalita di dimissione, tipo dimissione, esito dimissione, dimissione, destinazione,
    mod dimissione, moddim, destinazione dimissione, esito accesso, trasferimento
survey_weight: coefficiente, coefficiente riporto, coefin, peso campionamento, peso finale, coefficiente espansione,
    coefficiente di riporto, coefficiente riporto universo, coefficiente ponderazione, peso individuale, peso famiglia
count: numero pazienti, n pazienti, numero casi, casi, abitanti, popolazione, frequenza, numero soggetti
identifier: codice, numero progressivo, identificativo
fieldwork: tecnica indagine, tecnica di indagine, tecnica intervista, modalita intervista, modalita raccolta, tecnica
    rilevazione, =ondata, durata intervista, versione questionario, =edizione, fonte dati, sistema origine,
    =imputazione, esito intervista, =proxy
"""
