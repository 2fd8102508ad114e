"""Names of columns in Spanish, beyond those of the vocabulary."""

SPANISH = """
email: email paciente, correo e, direccion correo, e mail paciente
phone: tel, tel movil, telefono contacto, celular, numero celular, telefono movil, tlf, telf
ssn: rut, run, numero seguridad social, nss, cedula, cedula identidad, numero identificacion, documento, num
    documento, numero documento, rfc, documento identidad, tipo documento, nuhsa, cip autonomico, cip sns, numero
    cedula, ci
health_plan: numero afiliado, num afiliado, afiliacion, numero afiliacion, numero poliza salud, tarjeta sanitaria,
    tsi, cip, id beneficiario, numero tarjeta
account: numero cuenta bancaria, tarjeta credito
address: dir, domicilio paciente, calle numero, direccion residencia, direccion paciente
name: nombres, nombre paciente, nombre apellidos, apellido paterno, apellido materno, primer nombre, primer apellido,
    segundo apellido, medico, nombre medico, medico tratante, madre nombre
mrn: nhc, num historia, nro historia, historia, id pac, numero registro, id registro, num registro, codigo paciente,
    identificador paciente, episodio, num episodio, numero episodio, num exp, expediente, numero expediente, cip
    recodificado, folio, numero ficha, ficha, id caso
person: id individuo, numero individuo, numren, numero renglon, identificador persona, id encuestado, numero orden,
    directorio, secuencia p, id sujeto, id participante, nro persona, numero persona, numero orden persona, num orden
household: folio vivienda, foliohog, folioviv, id hogar, id vivienda, identificador hogar, identificador del hogar,
    num hogar, numero hogar, numero vivienda
birth_date: fecha de nacimiento, fechanac, fecnac, fec nacim, f nacimiento, fechanacimiento, ano nac, mes nacimiento,
    mes nac, dia nacimiento, anio nac, anio nacimiento, anac, fnac, ano de nacimiento, mes y ano nacimiento
age: edad anos, edad en anos, edad cant, edad tipo, edad paciente, edad madre, edad padre, edad meses, edad dias,
    grupo edad, grupo edades, grupo etareo, grupo etario, rango edad, edad quinquenal, tramo edad, edad ingreso, edad
    m, edad p, unidad edad, edad primer hijo, edad primera union, edad primer matrimonio, edad persona, edad cumplida,
    edad hijo, edad menor
event_date: fecha de ingreso, fecha egreso, fecha de alta, fecing, fecha ing, fec ingreso, fec egreso, fec alta, f
    ingreso, f alta, fecalt, ano egreso, ano ingreso, anio egreso, mes egreso, fecha defuncion, fecha def, fecha
    fallecimiento, fecha sintomas, fecha inicio, fecha fin, fecha diagnostico, fecha dx, fecha consulta, fecha
    intervencion, fecha procedimiento, fecha atencion, fecha muestra, fecha toma, fecha resultado, fecha
    actualizacion, ano, mes, anio, trimestre, fecha inicio sintomas, ano alta, mes alta, dia, dia def, mes def, ano
    def, fecha parto, fecha vacunacion, fecha encuesta, fecha cirugia, fecha hora ingreso, ano nacido, fecha inicio
    contacto, fecha entrevista, dia semana, semana epidemiologica, trimestre entrevista, semana referencia, dia
    entrevista, mes entrevista, ano entrevista, fecha recogida muestra, hora extraccion, fecha extraccion
event_time: hora atencion, hora entrada, hora defuncion, hora llegada
injury: causa externa, lugar accidente, tipo accidente, mecanismo lesion, accidente laboral
length_stay: dias estada, dias estad, estancia, dias de estancia, dias de estada, dias hospital, dias uci, estancia
    dias, dias hosp, dias en uci, duracion estancia hospital, estancia media, dias hospitalizado
department: servicio ingreso, servicio alta, servicio egreso, serv, unidad, area funcional, area clinica, servicio
    salud, servclinico, servicio clinico, unidad clinica, seccion, serving, serval, servalta, especialidad medica,
    area funcional ingreso
visit_type: tipo de ingreso, tiping, tipo ing, circunstancia ingreso, circunstancias ingreso, circunstancia contacto,
    procedencia, proceden, origen ingreso, urgencia, urgencias, motivo ingreso, motivo consulta, tipo paciente, tipo
    atencion, tipo de atencion, tipo parto, lugar parto, tipo contacto, regimen atencion, triage, nivel triage,
    programado, hospitalizacion a domicilio, tipo visita medica, modalidad, regimen, regimen financiacion atencion
sex: sexo paciente, sexo codigo, sexo biologico, identidad genero, genero paciente, sexo rn, hombre mujer
race: pueblo originario, pueblos originarios, pertenencia etnica, grupo etnico, indigena, etnia codigo, habla lengua
    indig, habla lengua indigena, autoreconocimiento, afromexicano, afrodescendiente
birth_place: lugar de nacimiento, municipio nacimiento, provincia nacimiento, entidad nac, ciudad nacimiento, estado
    nacimiento
nationality: nacionalidad paciente, pais de nacimiento, pais residencia, pais origen, pais nacionalidad, migrante,
    extranjero, paisnac, pais nac, inmigrante, glosa pais origen, nacionalidad espanola, nacido extranjero, nacido
    espana, ano llegada, anos residencia, pais nacimiento padre, pais nacimiento madre, ciudadania, lugar nacimiento
    pais
marital: estado civil paciente, est civil, ecivil, edo conyugal, estado conyugal, situacion conyugal, vive pareja, est
    civ m, casado, convivencia pareja, convivencia con pareja, convive pareja, convive con pareja, convivencia, estado
    civil legal, conyuge, pareja, union libre, unido
education: nivel educativo, nivel de estudios, escolaridad anos, nivel educacion, educ, estudios, nivel instruccion,
    grado escolar, educa jefe, nivelaprob, gradoaprob, nivel escolaridad, nivel m, curso m, alfabetismo, asis esc,
    titulo, anos estudio, nivel p, estudios finalizado, nivel estudios finalizado, nivel de estudios terminado, maximo
    nivel, nivel educacional, ultimo grado, ultimo curso, asistencia escolar, asiste escuela, sabe leer, leer
    escribir, alfabeta, estudios padre, estudios madre, educacion padre, educacion madre, ~formacion, formacion
    profesional, estudiante
occupation: ocupacion paciente, profesion paciente, cno, sinco, oficio, ocup, cat ocupac, ocup m, ocup p, clase
    social, clase social persona referencia, ocupacion principal, categoria ocupacional, ocupacion padre, ocupacion
    madre, grupo ocupacional
workclass: situacion laboral, actividad laboral, relacion laboral, trabaja, condicion actividad, activ, activ m,
    sector actividad, cnae, scian, tipo contrato, jornada, horas trabajadas, desempleado, jubilado, ocupado, trabajo
    mp, tam emp, horas trabajo, cate, cate m, situacion relacion actividad, relacion con actividad, situacion
    actividad, situacion profesional, condicion laboral, tipo jornada, jornada laboral, tipo de jornada, jornada
    completa, jornada parcial, =contrato, contrato temporal, contrato indefinido, horas semanales, horas trabajo
    semana, horas semanales trabajadas, sector publico, sector privado, actividad economica, rama actividad, tamano
    empresa, numero empleados, supervisa, supervisor, supervision, ~turno, turno noche, trabajo nocturno, teletrabajo,
    trabaja casa, tiempo trabajo, busca trabajo, busca empleo, busqueda empleo, desempleo, ~paro, parado, autonomo,
    asalariado, ~empresa, antiguedad, antiguedad trabajo, segundo empleo, trabajo actual, trabajo principal, ~puesto
language: lengua indigena, idioma materno, lengua materna
religion: creencia religiosa
region: ccaa, comunidad autonoma, comunidad, ca, autonomia, region residencia, provincia residencia, prov residencia,
    estado residencia, entidad, entidad res, entidad um, entidad federativa, ent, glosa region residencia,
    departamento residencia, tam loc, tamano localidad, tmuni, area residencia, urbano rural, zona residencia,
    comautonoma, region sanitaria, urbano rural def, ubica geo, tamano municipio, tamano del municipio, tamano de
    municipio, tamano habitat, tamano poblacion, tipo municipio, tipo localidad, area urbana, zona urbana, zona rural,
    urbano, ambito, grado urbanizacion, estrato municipio, capital provincia, region natural
facility: centro hospitalario, hospital codigo, codigo hospital, establecimiento, establecimiento salud, cod
    establecimiento, codcentro, clues, nombre centro, cod hospital, centro recodificado, centro salud, pertenencia
    establecimiento salud, pertenencia, hospital nombre, institucion, ips, sector salud, seremi
relationship: numero de hijos, num hijos, n hijos, hijos vivos, hijos fallecidos, hijos total, hij vivos, hij fallec,
    hij total, tamano hogar, tot integ, clase hog, parentesco, tipo hogar, jefe hogar, personas hogar, miembros hogar,
    tipo familia, gesta, paridad, partos, sexo jefe, edad jefe, multiplicidad, parto multiple, gemelar, orden
    nacimiento, hogar, convive, hermanos, num miembros, hombres mujeres hogar, menores, integrantes hogar, numero
    personas hogar, personas viven hogar, personas que viven hogar, personas viven, numero de personas que viven,
    numero miembros, menores edad, menores hogar, hijos menores, hijos nacidos, hijos nacidos vivos, numero hijos
    nacidos, relacion jefe, relacion persona referencia, relacion parentesco, persona referencia, composicion hogar,
    estructura hogar, vive sola, nietos, edad hijo menor, numero hermanos
housing: tipo vivienda, vivienda, tenencia, tenencia vivienda, num cuartos, cuartos, numero habitaciones, alquiler,
    material piso, agua potable, automovil, vehiculos, mat pisos, mat pared, coche, regimen tenencia, regimen de
    tenencia, regimen tenencia vivienda, tipo edificio, tipo de edificio, ~edificio, ~casa, piso vivienda,
    departamento tipo, dormitorios, numero dormitorios, habitaciones, numero cuartos, banos, bano, ducha, cocina,
    calefaccion, dispone calefaccion, aire acondicionado, agua caliente, ascensor, ~terraza, balcon, ~jardin, garaje,
    superficie vivienda, superficie util, metros cuadrados, ano construccion, antiguedad vivienda, ano mudanza,
    residencia anterior, material techo, material paredes, material de paredes, ~techo, ~paredes, ~piso, ~agua, fuente
    agua, abastecimiento agua, servicio sanitario, ~sanitario, inodoro, letrina, desague, drenaje, electricidad, luz
    electrica, alumbrado, ~combustible, combustible cocinar, cocinar, telefono fijo hogar, computadora, ordenador,
    ~internet, internet hogar, televisor, ~television, ~radio, refrigerador, nevera, lavadora, lavavajillas,
    bicicleta, motocicleta, ~moto, ~carro, coches, tractor, ~tierra, ~tierras, ganado, ~animales, mascotas, ~perro,
    ~gato, ~ruido, ~ruidos, ruidos fuera, humedad, humedades, goteras, contaminacion, hacinamiento, =propia, vivienda
    propia, propietario, inquilino, ~bienes, bienes hogar
veteran: servicio militar
body: talla, talla cm, peso kg, peso nacimiento, peso al nacer, peso nacer, imc, indice masa, perimetro, cintura, peso
    rn, talla rn, pesonac, talla nac, obesidad grado, grupo sanguineo, pesorn, altura centimetros, peso kilos, peso
    kilogramos, talla nino, peso nino, indice de masa corporal, perimetro cintura, circunferencia cintura,
    circunferencia cadera
income: ingreso, ingresos hogar, ing cor, ingreso corriente, ingreso mensual, ingreso total, renta, renta hogar, nivel
    renta, quintil ingreso, est socio, estrato, estrato socioeconomico, nivel socioeconomico, est dis, pobreza, tramo
    renta, bene gob, decil, ingresos mensuales, ingresos mensuales netos, ingresos netos hogar, ingreso hogar,
    ingresos personales, quintil, quintil riqueza, indice riqueza, pensiones, subsidio, prestaciones, ~ayudas,
    remesas, programa social, ahorros, vacaciones, puede permitirse, permitirse, semana vacaciones, comida carne,
    gastos imprevistos, temperatura adecuada, alquiler mensual
postcode: cod postal, codigo postal residencia, cp residencia, codpostal, c postal
city: comuna, comuna residencia, comuna resid, municipio residencia, municipio res, mun res, ciudad residencia,
    localidad residencia, municipio domicilio, codmun, cod municipio, glosa comuna residencia, distrito, canton
    residencia, poblacion residencia, barrio residencia, comuna def, comuna m, mpio
area: codigo comuna, codigo municipio, cod mun, cod comuna, ageb, seccion, area salud, zona basica salud, zbs, sector
    censal, cve mun, divipola, codigo ine
note: observacion, notas, texto libre, informe, evolucion texto, anamnesis texto, descripcion libre
insurance: prevision, previ, prevision salud, beneficiario, modalidad fonasa, mod, fonasa, isapre, aseguramiento, tipo
    seguro, regimen afiliacion, tipo afiliacion, regimen salud, eps, seguro medico, seguro salud, derechohabiencia,
    obra social, regimen financiacion, financiacion, regfin, cobertura, mutua, ley previsional, glosa prevision,
    afiliado
salary: salario mensual, sueldo neto, remuneracion, retribucion, dificultad llegar fin mes, llegar fin mes, llegar a
    fin mes, fin mes, fin de mes, retrasos pago, atrasos, retraso pago, ~deudas, ~deuda, ~prestamos, ~prestamo,
    situacion economica, dificultades economicas, dificultad economica, hipoteca impagada, satisfaccion economica,
    inseguridad alimentaria, falta alimentos
costs: coste, costo, costo total, coste apr, importe, gasto, gastos, gasto mon, monto, valor factura, tarifa, precio,
    coste proceso, pago
hiv: vih positivo, covid, resultado covid, clasificacion final, hepatitis b, tuberculosis caso, resultado pcr,
    resultado lab, resultado antigeno, tomo muestra, infeccion
sexual: embarazada, embarazo actual, semanas gestacion, semanas gestacional, semanas, edad gestacional, metodo
    anticonceptivo, anticoncepcion, aborto, abortos, fum, orientacion sexual, parejas sexuales, tiempo gestacion, rn
    condicion, menopausia, menstruacion, lactancia, lactancia materna, desea hijos, metodo contraceptivo, primera
    relacion sexual, condon, preservativo
mental: depresion, ansiedad, salud mental, intento suicidio, suicidio, poco interes, poco interes alegria, alegria,
    bienestar, bienestar emocional, felicidad, feliz, ~satisfaccion, satisfaccion vida, satisfaccion con vida,
    satisfecho, deprimido, decaido, triste, tristeza, desesperanza, estres, nervioso, preocupacion, cansancio,
    cansado, sueno, horas sueno, horas de sueno, dormir, horas duerme, insomnio, apoyo social, apoyo social percibido,
    ~apoyo, soledad, ~solo, autoestima, personalidad
health: estado de salud, estado salud, salud percibida, discapacidad, discapacitado, enfermedad cronica, dolor,
    dependencia, limitacion, invalidez, disc, grado discapacidad, otra com, estado de salud percibido, estado salud
    percibido, salud general, =salud, problema salud, enfermedad larga evolucion, enfermedad cronica larga, limitacion
    actividades, limitaciones, dificultad ver, dificultad oir, dificultad caminar, dolor espalda, dolor cabeza,
    migrana, fiebre, tos, diarrea, baja laboral, dias baja, dias enfermo, gafas, audifono, salud bucodental, dientes,
    calidad vida, calidad de vida, cuidados, enfermo, ~dificultad, ~dificultades
lifestyle: fuma, tabaquismo, habito tabaquico, alcoholismo, consumo alcohol, cigarrillos, drogas, consumo drogas,
    actividad fisica, ejercicio, alcohol consumo, fuma actualmente, fumar, empezo fumar, edad empezo fumar, fumador
    pasivo, cigarrillo, cigarrillo electronico, vapeo, bebidas alcoholicas, bebida, frecuencia consumo alcohol,
    cerveza, licor, vasos, vasos cerveza, borrachera, fruta, frutas, come fruta, fruta fresca, verdura, verduras, come
    verduras, hortalizas, carne, consumo carne, pescado, desayuno, azucar, refrescos, bebidas azucaradas, dulces,
    comida rapida, vegetariano, alimentacion, habitos alimentarios, cafe, ejercicio fisico, ejercicio tiempo libre,
    tiempo libre, deporte, deportes, camina, caminar, minutos camina, sentado, horas sentado, pantallas, horas
    television, cocaina, marihuana, =juego, apuestas, cinturon seguridad, cepillado dientes, uso internet, redes
    sociales
beliefs: partido, partido politico, voto, sindicato, confianza, confianza en, confianza personas, confianza gobierno,
    confianza instituciones, interes politica, interes por politica, ideologia, ideologia politica, izquierda derecha,
    escala izquierda derecha, autoubicacion, partido votado, recuerdo voto, intencion voto, voto elecciones,
    elecciones, participacion electoral, simpatia partido, democracia, satisfaccion democracia, satisfaccion gobierno,
    ~opiniones, actitud, actitudes, ~acuerdo, de acuerdo, grado acuerdo, a favor, favor contra, pena muerte, pena de
    muerte, aborto opinion, eutanasia, homosexualidad, homosexuales, inmigrantes, inmigracion, refugiados, racismo,
    mujeres deberian, roles genero, ~igualdad, medio ambiente, cambio climatico, ~europa, union europea, ~orgullo,
    practica religiosa, asistencia religiosa, asistencia misa, misa, oracion, rezar, creencias, cree dios,
    religiosidad, afiliado sindicato, manifestacion, manifestaciones, huelga, firma peticion, voluntariado,
    ~asociacion, ~valores, discriminacion, discriminado, inseguridad ciudadana, miedo, clase social subjetiva,
    justifica, justificado golpear, golpear mujer, corrupcion, portacion armas, armas
diagnosis: diag 1, diag p, diag principal, diagnostico principal, diagnostico 1, diagnosticos, dx principal, dx 1, cie
    10, cie, codigo cie, codigo diagnostico, diagnostico secundario, diagnostico ingreso, diagnostico egreso, diag 2,
    d 1, grd, ir grd, tipo grd, nivel severidad, severidad, severidad apr, riesgo mortalidad apr, comorbilidad,
    comorbilidades, antecedentes, patologia, neumonia, hipertension, epoc, asma, obesidad, cardiovascular, renal
    cronica, inmusupr, cdm, morbilidad, poad, enfermedad actual, sintomas, alergias paciente, capitulo diagnostico,
    cancer tipo, tumor, c 1, nombre enfermedad, afeccion
treatment: procedimiento, procedimientos, procedimiento 1, proc 1, procedimiento principal, intervencion,
    intervenciones, interv q, interv q ppal, proced, proced ppal, codigo procedimiento, cirugia realizada, operacion,
    tratamientos, vacuna, vacunado, vacunacion, intubado, quirurgico, cesarea, dialisis, anestesia, intervencion
    quirurgica, p 1, uci ingreso, uci, ventilacion, vacunado gripe, vacuna gripe, mamografia, citologia, colonoscopia,
    cribado, sangre oculta, ventilacion mecanica, horas ventilacion, oxigeno, oxigenoterapia, transfusion,
    fisioterapia, control prenatal
medication: farmaco, farmacos, principio activo, dosis, receta, recetas, prescripcion, codigo atc, medicacion,
    antibiotico, posologia, nombre medicamento, consumo medicamentos, consumo de medicamentos, medicamentos
    consumidos, toma medicamentos, medicamentos recetados, dosis diaria, dosis total, dosis mg, velocidad infusion,
    ~infusion, antibioticos, analgesicos, antidepresivos, tranquilizantes, corticoides, anticoagulante,
    anticoagulantes, vasopresores, sedacion, heparina, noradrenalina, adrenalina, morfina, furosemida, paracetamol,
    pildora
result: resultado prueba, laboratorio, analitica, glucosa, colesterol, creatinina, hemoglobina, presion arterial,
    tension arterial, tas, tad, frecuencia cardiaca, temperatura corporal, valor, valor resultado, apgar minuto,
    prueba, examen, saturacion oxigeno, sodio, potasio, calcio, cloro, magnesio, fosforo, bicarbonato, lactato, acido
    urico, glucemia, glucemia ayunas, hemoglobina glicosilada, hematocrito, leucocitos, globulos blancos, globulos
    rojos, plaquetas, linfocitos, neutrofilos, tiempo protrombina, inr, fibrinogeno, dimero d, bilirrubina, got, gpt,
    transaminasas, fosfatasa alcalina, lipasa, troponina, pcr proteina, proteina c reactiva, procalcitonina,
    ferritina, ~hierro, tsh, cortisol, colesterol total, trigliceridos, albumina, proteinas, gasometria, ph arterial,
    diuresis, balance hidrico, hemocultivo, ~cultivo, anticuerpos, frecuencia respiratoria, presion sistolica, presion
    diastolica, sistolica, diastolica, saturacion, saturacion o 2, spo 2, glasgow, escala glasgow, escala dolor, dolor
    eva, agudeza visual, espirometria, fraccion eyeccion, anemia
outcome: evolucion, complicaciones, reingreso, condicion egreso, condicion al egreso, cond egr, recuperado, desenlace,
    curado
death: defuncion, muerte, mortalidad, exitus, causa muerte, causa defuncion, causa basica, fallecio, estado vital,
    diag 1 defuncion, lugar defuncion, local def, at medic, calidad, necropsia
use: numero consultas, num consultas, visitas urgencias, hospitalizaciones, num hospitalizaciones, numero ingresos,
    consultas prenatales, controles prenatales, dentista, visita dentista, ultima visita dentista, visita medico,
    consulta medico, ultima visita, ultima consulta, medico familia, medico especialista, numero hospitalizaciones,
    noches hospital, veces urgencias, psicologo, revision medica
disposition: tipo de alta, tipalt, tip alta, tipo de egreso, tipo egreso, motivo de alta, motivo egreso, destino,
    destino al alta, destino egreso, continuidad asistencial, dispositivo continuidad, devolucion
survey_weight: factor, factor de expansion, fac exp, factorel, peso muestral, ponderador, ponderacion, factor
    ponderacion, facper, factor hogar, fex, fe, peso poblacional, fexp, factor elevacion adulto, factor expansion
    hogar, peso individual, factor persona
count: casos, num casos, numero casos, habitantes, num pacientes, numero pacientes, n pacientes, pacientes
fieldwork: =ola, =oleada, =ronda, modo recogida, modo entrevista, modo de recogida, duracion entrevista, duracion de
    entrevista, version cuestionario, version del cuestionario, cuestionario version, =edicion, fuente datos, sistema
    origen, =fuente, =proxy, resultado entrevista, =imputacion, indicador imputacion, submuestra, tipo cuestionario
"""
