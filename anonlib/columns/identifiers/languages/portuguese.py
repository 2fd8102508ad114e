"""Names of columns in Portuguese."""

PORTUGUESE = """
email: correio eletronico, e mail paciente
phone: telefone, celular, telemovel, numero telefone, num telefone, fone, ddd telefone, contato telefone
ssn: cpf paciente, rg, numero rg, niss, numero identificacao fiscal, pis, bilhete identidade, cartao cidadao, num cpf,
    nis, num doc
health_plan: cns, cartao sus, cartao nacional saude, num cns, numero cns, carteirinha, numero utente, num utente, sns
    numero, numero beneficiario, num benef, cartao sns, nu cns
account: conta bancaria, num conta
certificate: cnh, crm, numero crm, num crm, numerodo, numerodn, declaracao obito numero, numero do
passport: passaporte
address: endereco, logradouro, rua, morada, endereco residencial, nm logradou, num resid, bairro endereco, complemento
    endereco, nm logradouro
name: =nome, nome paciente, nome completo, nome mae, nome social, sobrenome, apelido, nm pacient, nm pac, nm paciente,
    nome do paciente, nm mae pac, nome medico, medico, nm mae, nome pai, responsavel, medico responsavel
mrn: prontuario, num prontuario, numero prontuario, n aih, num aih, aih, numero aih, id paciente, cod paciente, codigo
    paciente, numero processo, num processo, processo clinico, nu notific, numero notificacao, num notif, registro
    paciente, seq aih, id pac, num reg, atendimento, num atendimento
person: id pessoa, cod pessoa, id individuo, num ordem, v 1008, v 2003, numero ordem, upa, id entrevistado, id
    participante, contador, numero ordem pessoa, identificador pessoa
household: id domicilio, numero selecao domicilio, id agregado, id familia, identificador domicilio, numero domicilio,
    codigo domicilio
birth_date: data de nascimento, dt nasc, dtnasc, dat nasc, nasc, data nasc, dt nascimento, ano nasc, ano de
    nascimento, mes nascimento, dia nascimento, ano nascimento, dtnascmae, datanasc, data nascimento mae, mes de
    nascimento, v 20081, v 20082
age: idade, idade anos, idade paciente, faixa etaria, fx etaria, cod idade, nu idade n, nu idade, idademae, idade mae,
    idadepai, idade pai, grupo etario, grupo idade, idade meses, idade materna, tp idade, unidade idade, idade
    morador, idade gestante, idade primeiro filho, idade primeira uniao, classe etaria
event_date: data internacao, dt inter, dt internacao, data de internacao, dt saida, data saida, data alta, dt alta,
    data de alta, data obito, dtobito, dt obito, data do obito, data admissao, data entrada, data atendimento, dt
    atend, dt notific, data notificacao, dt sin pri, data primeiros sintomas, data sintomas, dt digita, dt encerra,
    data consulta, data exame, data coleta, dt coleta, data procedimento, data cirurgia, data diagnostico, dt diag,
    ano cmpt, mes cmpt, ano internacao, mes internacao, ano, mes, dtcadastro, data cadastro, data parto, dtultmenst,
    ano competencia, mes competencia, data inicio, data fim, dt invest, sem not, sem pri, semana epidemiologica, nu
    ano, trimestre, data vacinacao, dt interna, dt evoluca, data evolucao, competencia, data entrevista, dia semana,
    dt entuti, dt saiduti, data resultado, trimestre entrevista, mes entrevista, semana referencia, data colheita,
    hora colheita
event_time: hora internacao, hora nascimento, horanasc, hora obito, horaobito, hora atendimento, hora entrada
injury: causa externa, acidtrab, acidente trabalho, tipo acidente, local acidente, circobito, circunstancia obito,
    violencia tipo
length_stay: dias perm, dias permanencia, permanencia, tempo permanencia, dias internacao, dias de internacao, uti mes
    to, dias uti, marca uti, qt diarias, diarias, quantidade diarias, tempo internacao, dias internamento, duracao
    internamento, val uti dias
department: especialidade, espec, enfermaria, setor, unidade internacao, clinica, servico, especialidade leito,
    complex, complexidade, leito, tipo leito, especialidade medica, ala, cbo, gestor cod
visit_type: carater internacao, car int, carater atendimento, carater, tipo internacao, tipo atendimento, tipo
    admissao, procedencia, origem paciente, motivo internacao, motivo atendimento, parto, tipo parto, locnasc, local
    nascimento, tipo de parto, urgencia, eletivo, tipo alta admissao, regime internacao, hospitaliz, hospital
    internacao, stcesparto, tpnascassi, classificacao risco, local ocorrencia, lococor, atendimento tipo
sex: sexo paciente, cs sexo, sexo codigo, sexo do recem nascido, genero, identidade de genero
race: raca, raca cor, racacor, cor raca, cor, cs raca, raca/cor, etnia, racacormae, racacorn, raca cor mae, povo
    indigena, cor ou raca
birth_place: naturalidade, natural, local de nascimento, codmunnatu, municipio nascimento, municipio naturalidade, uf
    nascimento, codnatural, naturalmae, codufnatu, codmunnasc
nationality: nacionalidade, nacional, pais nascimento, pais de nascimento, pais residencia, id pais, pais origem,
    estrangeiro, imigrante, ano chegada, nascido estrangeiro, cidadania, anos residencia
marital: estado civil, estciv, est civ, estcivmae, estado conjugal, situacao conjugal, estado civil mae, casado, vive
    com conjuge, vive companheiro, conjuge, companheiro, uniao, vive casal, separado
education: escolaridade, instru, cs escol n, escmae, esc, esc 2010, escolaridade mae, escmae 2010, nivel instrucao,
    grau instrucao, anos estudo, anos de estudo, nivel escolaridade, escolaridade paciente, escmaeagr, vd 3004, vd
    3005, curso, frequenta escola, alfabetizado, sabe ler, grau escolaridade, curso mais elevado, curso elevado
    frequentou, sabe ler escrever, escolaridade pai, instrucao pai, instrucao mae, ~formacao, estudante, ~ensino
occupation: ocupacao, ocup, profissao, cbo ocupacao, codocupmae, ocupacao mae, id ocupa n, cbor, cod cbo, v 4010,
    cargo, ocupacao principal, profissao pai, profissao mae, grupo ocupacional
workclass: situacao trabalho, condicao ocupacao, vinculo empregaticio, vincprev, trabalho, empregado, desempregado,
    cnaer, cnae, setor atividade, posicao ocupacao, aposentado, condicao atividade, horas trabalhadas, vd 4001, vd
    4002, vd 4009, atividade economica, situacao profissional, atividade, cnpj trabalho, condicao trabalho, condicao
    perante trabalho, situacao profissao, posicao na ocupacao, situacao ocupacional, ramo atividade, horas trabalho,
    horas trabalhadas semana, jornada trabalho, horario trabalho, tempo completo, tempo parcial, =contrato, carteira
    assinada, carteira trabalho, tamanho empresa, dimensao empresa, numero trabalhadores, numero empregados,
    supervisiona, trabalho noturno, ~turno, teletrabalho, trabalha casa, procura emprego, procura trabalho,
    desemprego, reformado, ~trabalha, setor publico, conta propria, deslocamento trabalho, tempo deslocamento,
    ~emprego, segundo emprego
language: lingua, lingua materna
religion: religiao
region: uf, uf residencia, uf resid, estado residencia, sg uf, sg uf not, unidade federacao, regiao, regiao
    residencia, concelho residencia regiao, distrito residencia, zona, cs zona, regiao saude, id rg resi, uf zi,
    estado, uf nasc, provincia, tipo area, situacao domicilio, v 1022, v 1023, zona residencia, area rural, tamanho
    municipio, dimensao localidade, situacao censitaria, area urbana, zona urbana, zona rural, urbano, grau
    urbanizacao, grau de urbanizacao, regiao metropolitana, grande regiao, unidade da federacao, nuts ii, tipologia
    areas
facility: hospital, cnes, cod cnes, codestab, estabelecimento, estabelecimento saude, cnes hospital, unidade saude, id
    unidade, unidade notificadora, cgc hosp, nome hospital, centro saude, usf, aces, hospital codigo,
    codestabelecimento, nome unidade, natureza juridica, nat jur, maternidade
relationship: num filhos, numero filhos, filhos, filhos vivos, qtdfilvivo, qtdfilmort, filhos mortos, numero de
    filhos, parentesco, condicao domicilio, tamanho familia, moradores, numero moradores, num moradores, agregado
    familiar, composicao familiar, gestacoes, qtdgestant, qtdpartnor, qtdpartces, partos, gravidez, tipo gravidez,
    paridade, gemelar, chefe familia, vd 2002, vd 2003, v 2001, v 2005, especie unidade domestica, numero pessoas
    domicilio, irmaos, nascidos vivos, responsavel domicilio, pessoas domicilio, moradores domicilio, total moradores,
    numero pessoas agregado, dimensao agregado, dimensao familia, composicao agregado, filhos nascidos, filhos
    nascidos vivos, criancas, condicao no domicilio, relacao parentesco, pessoa referencia, pessoa responsavel, vive
    so, mora sozinho, netos
housing: tipo domicilio, domicilio, condicao moradia, comodos, numero comodos, aluguel, moradia, habitacao,
    propriedade, automovel, agua encanada, tipo moradia, situacao rua, posse domicilio, tipo alojamento, tipo
    edificio, tipo casa, alojamento, domicilio proprio, casa propria, condicao ocupacao domicilio, regime ocupacao,
    regime propriedade, proprietario, inquilino, alugado, arrendamento, dormitorios, numero dormitorios, ~quartos,
    numero quartos, ~divisoes, banheiros, banheiro, casa banho, ~cozinha, aquecimento, ar condicionado, agua quente,
    abastecimento agua, ~agua, esgoto, esgotamento sanitario, saneamento, ~sanitario, material paredes, material
    telhado, material cobertura, ~piso, ~telhado, ~paredes, energia eletrica, eletricidade, iluminacao, combustivel
    cozinhar, =gas, ~lixo, destino lixo, geladeira, frigorifico, maquina lavar, televisao, televisor, computador,
    ~internet, acesso internet, telefone fixo domicilio, celular domicilio, automoveis, ~carro, ~carros, motocicleta,
    ~moto, bicicleta, area habitavel, area alojamento, metros quadrados, ano construcao, elevador, jardim, garagem,
    animais, cachorro, =cao, ~gato, =terra, gado, humidade, ~ruido, poluicao, ~bens, bens duraveis
veteran: servico militar, militar
body: altura, estatura, peso, peso nascer, peso ao nascer, peso nascimento, imc, indice massa corporal, perimetro
    cefalico, circunferencia, peso kg, altura cm, tipo sanguineo, grupo sanguineo, obesidade grau, altura centimetros,
    peso quilos, peso corporal, circunferencia cintura, perimetro cintura, peso crianca, altura crianca
income: renda, renda familiar, renda mensal, rendimento, rendimento mensal, renda per capita, rendimento domiciliar,
    rendimento habitual, vd 4019, vd 4020, vd 5001, vd 5008, faixa renda, salario minimo, bolsa familia, beneficio
    social, classe social, nivel socioeconomico, fonte renda, rendimentos, rendimento agregado, rendimento domiciliar
    per capita, rendimento liquido, beneficio, beneficios sociais, pensao, aposentadoria, quintil rendimento,
    ~poupanca, ~ferias, pagar semana ferias, capacidade pagar, despesas inesperadas, refeicao carne
postcode: cep, codigo postal, cod postal, cep residencia, cep paciente
city: municipio, municipio residencia, munic res, munic mov, municipio de residencia, mun res, codmunres, cod
    municipio residencia, cidade, cidade residencia, concelho, freguesia, bairro, nm bairro, id mn resi, id municip,
    localidade, munres, codmunocor, municipio ocorrencia, local residencia, residencia, id municipio, distrito
area: cod municipio, codigo municipio, codmun, cod ibge, codigo ibge, ibge, setor censitario, cod setor, codbaiocor,
    codbairro, cod bairro, id bairro, cod freguesia, area ponderacao, codbaires
note: observacoes, observacao, obs, comentario, comentarios, texto livre, historia clinica texto, evolucao clinica, ds
    obs, anotacoes, relatorio
insurance: convenio, plano saude, plano de saude, seguro saude, seguradora, financ, fonte pagadora, tipo convenio,
    subsistema saude, taxa moderadora, isencao, regime pagamento, operadora, cobertura, financiamento
salary: salario, vencimento, remuneracao, ordenado, dificuldade financeira, dificuldades financeiras, situacao
    financeira, atrasos pagamento, atraso pagamento, ~dividas, ~divida, emprestimos, fim mes, inseguranca alimentar,
    salario hora, fome
costs: val tot, valor total, val sh, val sp, valor, valor internacao, val sadt, val uti, custo, custos, custo total,
    us tot, preco, gasto, despesa, despesas, valor pago, valor procedimento, faturamento, qtd valor, val acomp, val
    rn, val ortp, val sangue, val transp, val obsang
hiv: hiv resultado, aids hiv, hepatite, tuberculose, covid 19, sorologia, resultado pcr, infec hosp, infeccao
    hospitalar, agravaids, sifilis, teste rapido, cultura es, pcr resultado, coinfeccao
sexual: gestante, cs gestant, gestacao, semagestac, semanas gestacao, semanas gestacional, idade gestacional,
    gestrisco, contracep 1, contracep, anticoncepcional, aborto, abortos, orientacao sexual, puerpera, obitograv,
    obitopuerp, duracao gestacao, gestacao semanas, gravidez atual, consprenat, mesprenat, kotelchuck, tpapresent,
    sttrabpart, laqueadura, parceiros sexuais, menopausa, menstruacao, amamentacao, amamentou, metodo contraceptivo,
    relacao sexual, preservativo, camisinha
mental: depressao, ansiedade, saude mental, suicidio, tentativa suicidio, transtorno mental, agravdoenc mental,
    ~satisfacao, satisfacao vida, satisfacao com vida, satisfeito, bem estar, felicidade, feliz, deprimido, triste,
    tristeza, pouco interesse, interesse prazer, estresse, nervoso, cansaco, cansado, sono, horas sono, dormir,
    insonia, solidao, apoio social, autoestima, preocupacao
health: estado saude, estado de saude, saude percebida, autoavaliacao saude, deficiencia, doenca cronica, dor,
    limitacao, limitacoes, incapacidade, dependencia funcional, invalidez, deficiencia fisica, saude geral, percepcao
    saude, percecao saude, ~saude, problema saude, doenca prolongada, limitacao atividades, dificuldade ver,
    dificuldade enxergar, dificuldade ouvir, dificuldade andar, dor costas, dor coluna, dor cabeca, enxaqueca,
    diarreia, dias falta, baixa medica, afastamento, oculos, dentes, saude bucal, saude oral, qualidade vida
lifestyle: tabagismo, fumante, fuma, agravtabac, agravalcoo, alcoolismo, alcool, consumo alcool, agravdroga, drogas,
    uso drogas, cigarros, atividade fisica, exercicio, uso alcool, sedentarismo, fuma atualmente, cigarro eletronico,
    bebida alcoolica, bebidas alcoolicas, bebe, cerveja, vinho, ~doses, dose bebida, embriaguez, frutas, fruta, come
    frutas, verduras, verdura, ~legumes, hortalicas, feijao, carne, carne vermelha, peixe, pequeno almoco, acucar,
    refrigerante, refrigerantes, doces, sal, alimentacao, habitos alimentares, vegetariano, cafe, exercicio fisico,
    esporte, desporto, caminhada, anda a pe, horas sentado, televisao horas, assistir televisao, maconha, canabis,
    jogo, cinto seguranca, escova dentes, uso internet, tempo livre, redes sociais
beliefs: partido, voto, sindicato, opiniao, confianca, confianca em, confianca pessoas, confianca governo, confianca
    instituicoes, interesse politica, interesse pela politica, ideologia, esquerda direita, posicionamento politico,
    votou, eleicoes, intencao voto, democracia, satisfacao democracia, opinioes, atitude, atitudes, concorda,
    concordancia, favor contra, a favor, pena morte, eutanasia, homossexualidade, homossexuais, imigrantes, imigracao,
    racismo, mulheres devem, papeis genero, meio ambiente, alteracoes climaticas, uniao europeia, ~orgulho, pratica
    religiosa, frequencia culto, missa, oracao, crenca, religiosidade, manifestacao, greve, peticao, voluntariado,
    ~associacao, ~valores, discriminacao, inseguranca, medo crime, classe social subjetiva
diagnosis: diag princ, diag secun, diagnostico principal, diagnostico secundario, diagnostico, diagsec, diagsec 1,
    cid, cid 10, cid principal, cid secundario, cid notif, id agravo, cid morte, causabas, causa basica, linhaa,
    linhab, linhac, linhad, linhaii, doenca, doencas, agravdiabe, agravdoenc, agravoutra, comorbidade, comorbidades,
    diabetes mellitus, hipertensao, asma, patologia, gdh, codigo gdh, cid asso, sintomas, sintoma, cancer tipo,
    estadiamento, agravo, forma, forma clinica, anomalia, idanomal, codanomal, anomalia congenita, cardiopatia, febre,
    dispneia, tosse, diagnostico admissao, alergia paciente, cardiopati, pneumopati, neoplasia, class fin, classi fin,
    criterio, morbidade
treatment: procedimento, proc rea, proc solic, procedimento realizado, procedimento solicitado, proc princ,
    procedimentos, cirurgia, cirurgia realizada, tratamento, tratamentos, terapia, vacina, vacinacao, quimioterapia,
    radioterapia, dialise, intervencao, uti, suport ven, ventilacao, cesarea, tratsup at, trat superv, codigo
    procedimento, internacao uti, vacinado, transplante, anestesia, assistmed, exame, cirurgiao, vacina gripe,
    vacinas, mamografia, citologia, papanicolau, preventivo, colonoscopia, rastreio, ventilacao mecanica, horas
    ventilacao, oxigenio, transfusao, fisioterapia, pre natal
medication: medicamento, medicamentos, farmaco, principio ativo, dose medicamento, receita, prescricao, antibiotico,
    antiviral, posologia, rifampicin, isoniazida, etambutol, medicacao, toma medicamentos, uso medicamentos, remedios,
    dose diaria, dose total, velocidade infusao, infusao, antibioticos, analgesicos, antidepressivos, corticoides,
    anticoagulante, vasopressores, sedacao, heparina, noradrenalina, adrenalina, morfina, furosemida, paracetamol,
    pilula
result: resultado exame, resultado, exame laboratorial, laboratorio, glicemia, colesterol, creatinina, hemoglobina,
    pressao, pressao arterial, pa sistolica, frequencia cardiaca, temperatura, valor exame, apgar 1, apgar 5, apgar
    minuto, bacilosc e, raiox tora, baciloscopia, raio x, histopatol, saturacao, score, sodio, potassio, calcio,
    cloro, magnesio, bicarbonato, lactato, ureia, acido urico, glicemia jejum, glicose, hemoglobina glicada,
    hematocrito, leucocitos, hemacias, plaquetas, linfocitos, neutrofilos, inr, tempo protrombina, fibrinogenio,
    bilirrubina, transaminases, tgo, tgp, fosfatase alcalina, lipase, troponina, proteina c reativa, procalcitonina,
    ferritina, ~ferro, tsh, colesterol total, triglicerideos, triglicerides, albumina, proteinas, gasometria, ph
    arterial, diurese, debito urinario, balanco hidrico, hemocultura, ~cultura, anticorpos, frequencia respiratoria,
    pressao sistolica, pressao diastolica, tensao arterial, sistolica, diastolica, saturacao oxigenio, glasgow, escala
    dor, espirometria, fracao ejecao
outcome: evolucao, situa ence, situacao encerramento, cura, complicacoes, reinternacao, recidiva, desfecho
death: obito, morte, mortalidade, falecido, causa morte, causa obito, tipobito, tipo obito, necropsia, status vital,
    obito materno, tpobitocor
use: num consultas, numero consultas, consultas, consultas prenatal, consultas pre natal, internacoes, numero
    internacoes, num internacoes, visitas, dentista, consulta dentista, consulta medica, consultou medico, ultima
    consulta, medico familia, numero internamentos, noites internado, urgencia visitas, psicologo
disposition: cobranca, motivo saida, motivo de saida, motivo alta, tipo alta, destino, destino alta, destino saida,
    motivo cobranca, saida permanencia, transf, condicao alta, destino apos alta
survey_weight: peso amostral, fator expansao, v 1028, v 1027, peso pos estratificacao, fator de expansao, peso
    domicilio, ponderador, ponderacao, peso pessoa, coeficiente ponderacao
count: numero casos, num casos, casos, populacao, habitantes, numero pacientes, num pacientes, quantidade, pacientes
identifier: codigo, num, identificador unico
fieldwork: =vaga, =onda, =ronda, modo recolha, modo entrevista, modo de recolha, duracao entrevista, versao
    questionario, =edicao, fonte dados, sistema origem, =imputacao, resultado entrevista, =proxy
"""
