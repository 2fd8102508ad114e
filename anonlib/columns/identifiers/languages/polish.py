"""Names of columns in Polish."""

POLISH = """
email: adres email, poczta elektroniczna, e mail pacjenta
phone: telefon, nr telefonu, numer telefonu, tel komorkowy, komorka, telefon komorkowy, nr tel
ssn: pesel, nr pesel, numer pesel, nip, nr dowodu, numer dowodu, seria dowodu, dowod osobisty, dokument tozsamosci,
    numer dokumentu
health_plan: nr ubezpieczenia, numer ubezpieczenia, nr polisy, numer polisy, ekuz, karta ekuz
account: nr konta, numer konta, rachunek bankowy, nr rachunku, numer faktury
certificate: prawo jazdy, nr prawa jazdy, nr pwz, pwz, numer pwz, nr karty zgonu
passport: paszport, nr paszportu, numer paszportu
address: adres, ulica, nr domu, numer domu, nr mieszkania, adres zamieszkania, adres zameldowania, adres pacjenta, nr
    lokalu
name: nazwisko, imie, imiona, imie nazwisko, nazwisko imie, nazwisko rodowe, pierwsze imie, drugie imie, imie ojca,
    imie matki, lekarz, lekarz prowadzacy, lekarz kierujacy, imie i nazwisko, nazwisko pacjenta, nazwisko panienskie,
    opiekun, imie drugie
mrn: nr pacjenta, id pacjenta, numer pacjenta, nr historii choroby, historia choroby, nr ksiegi glownej, ksiega
    glowna, nr kartoteki, numer kartoteki, id pobytu, nr pobytu, identyfikator pacjenta, id swiadczenia, id
    hospitalizacji, kod pacjenta, nr hospitalizacji, pacjent, nr karty, id hosp, nr ksiegi
person: id osoby, identyfikator osoby, numer osoby, nr osoby, id respondenta, numer respondenta, nr ankiety, id
    uczestnika, kod uczestnika, id badanego, lp osoby, identyfikator respondenta
household: numer gospodarstwa, nr gospodarstwa, id gospodarstwa, identyfikator gospodarstwa, numer gospodarstwa
    domowego
birth_date: data urodzenia, data ur, dataur, rok ur, rok urodzenia, dzien urodzenia, miesiac urodzenia, ur, urodzony,
    data urodzenia dziecka, data urodzenia matki, dt ur
age: wiek, wiek pacjenta, wiek lata, grupa wiekowa, grupa wieku, kategoria wiekowa, przedzial wiekowy, wiek w latach,
    wiek matki, wiek ojca, wiek miesiace, grupy wieku, wiek w dniu przyjecia, kod grupy wiekowej, wiek zmarlego,
    ukonczone lata, wiek latach, przedzial wieku, kategoria wieku, wiek dziecka
event_date: data przyjecia, data wypisu, data zgonu, data wizyty, data zabiegu, data operacji, data badania, data
    rozpoznania, data pobrania, data poczatkowa, data koncowa, data od, data do, data rozpoczecia, data zakonczenia,
    data swiadczenia, data procedury, data szczepienia, rok, miesiac, kwartal, rok przyjecia, rok wypisu, miesiac
    wypisu, miesiac przyjecia, rok zgonu, data zachorowania, data wystawienia, data realizacji, data raportu, data
    porodu, data hospitalizacji, dt przyj, dt wyp, dzien tygodnia, data wywiadu, data malzenstwa, data skierowania,
    data porady, data recepty, data wykonania, data wyniku, data zdarzenia, data wprowadzenia, data zapisu, data
    slubu, miesiac wywiadu, rok wywiadu, kwartal badania, tydzien badania, godzina pobrania
event_time: godzina przyjecia, godzina, czas przyjecia, godzina wypisu, godzina zgonu, godz, godzina urodzenia
injury: przyczyna urazu, uraz, wypadek, rodzaj wypadku, przyczyna zewnetrzna, okolicznosci, miejsce wypadku
length_stay: czas pobytu, dlugosc pobytu, liczba dni pobytu, liczba osobodni, osobodni, dni pobytu, czas
    hospitalizacji, dlugosc hospitalizacji, liczba dni, dni hospitalizacji, osobodni pobytu, srednia dlugosc pobytu,
    dni oiom, czas trwania hospitalizacji, mediana czasu pobytu
department: oddzial, kod oddzialu, nazwa oddzialu, klinika, komorka organizacyjna, kod komorki, specjalnosc, poradnia,
    specjalizacja, oddzial przyjecia, oddzial wypisu, kod specjalnosci, nazwa komorki, oddzial szpitalny, nazwa
    poradni
visit_type: tryb przyjecia, kod trybu przyjecia, nazwa trybu przyjecia, rodzaj przyjecia, tryb, powod przyjecia,
    rodzaj swiadczenia, kod swiadczenia, rodzaj wizyty, typ wizyty, typ hospitalizacji, rodzaj hospitalizacji,
    skierowanie, tryb przyjecia pacjenta, pilnosc, sor, izba przyjec, hospitalizacja, rodzaj porodu, miejsce porodu,
    sposob porodu, typ porady, przyczyna przyjecia, charakter hospitalizacji, ciaza rodzaj, przyjety z, nazwa produktu
    kontraktowego, kod produktu kontraktowego
sex: plec, plec pacjenta, kod plci, plec dziecka, plec noworodka, nazwa plci, plec zmarlego
race: rasa, pochodzenie etniczne, grupa etniczna, narodowosc
birth_place: miejsce urodzenia, miejscowosc urodzenia, wojewodztwo urodzenia
nationality: obywatelstwo, kraj urodzenia, kraj pochodzenia, kod kraju, panstwo urodzenia, kraj, cudzoziemiec, kraj
    zamieszkania, panstwo, obywatelstwo matki, kraj obywatelstwa, imigrant, kraj poprzedniego zamieszkania, rok
    przyjazdu, urodzony granica
marital: stan cywilny, stan cyw, stan cywilny matki, stan cywilny prawny, zonaty, malzenstwo, stan cywilny zmarlego,
    ~malzonek, ~zwiazek, konkubinat, mieszka partnerem, zyje zwiazku
education: wyksztalcenie, poziom wyksztalcenia, wyksztalcenie matki, wyksztalcenie ojca, lata nauki, szkola,
    wyksztalcenie zmarlego, poziom edukacji, nauka, najwyzsze wyksztalcenie, ukonczona szkola, uczy sie, uczen,
    kierunek ksztalcenia, ~szkolenie, ~kurs
occupation: zawod, zawod wykonywany, kod zawodu, stanowisko, zawod pacjenta, zajecie, wykonywany zawod, zawod ojca,
    zawod matki, grupa zawodowa, grupa spoleczno zawodowa, klasa spoleczna
workclass: zatrudnienie, status zatrudnienia, status na rynku pracy, aktywnosc zawodowa, pracuje, bezrobotny, emeryt,
    rencista, miejsce pracy, pracodawca, pkd, branza, status zawodowy, zrodlo utrzymania, zrodlo utrzymania matki,
    liczba godzin pracy, rodzaj umowy, praca, status rynku pracy, sytuacja zawodowa, aktywnosc ekonomiczna, forma
    zatrudnienia, umowa o prace, ~umowa, godziny pracy, czas pracy, pelny etat, niepelny etat, wymiar etatu, etat,
    sektor wlasnosci, sektor publiczny, rodzaj dzialalnosci, wielkosc firmy, wielkosc zakladu, liczba pracownikow,
    kierownicze, podwladni, praca zmianowa, praca nocna, praca zdalna, praca w domu, dojazd pracy, poszukuje pracy,
    poszukiwanie pracy, bezrobocie, samozatrudnienie
language: jezyk, jezyk ojczysty
religion: wyznanie, religia
region: wojewodztwo, woj, kod wojewodztwa, wojewodztwo zamieszkania, nazwa wojewodztwa, oddzial nfz, kod ow nfz, ow
    nfz, region, miasto wies, obszar miejski wiejski, klasa miejscowosci, makroregion, typ miejscowosci, kod oddzialu
    nfz, oddzial wojewodzki nfz, oddzial wojewodzki, subregion, klasa miejscowosci zamieszkania, wielkosc
    miejscowosci, wielkosc miasta, wies miasto, stopien urbanizacji, typ gminy, podregion, miasto wies zamieszkania
facility: szpital, kod szpitala, nazwa szpitala, swiadczeniodawca, kod swiadczeniodawcy, nazwa swiadczeniodawcy,
    placowka, przychodnia, podmiot leczniczy, kod podmiotu, regon, zaklad leczniczy, apteka, jednostka, id
    swiadczeniodawcy, kod placowki, uzdrowisko, nazwa jednostki, osrodek
relationship: liczba dzieci, liczba osob w gospodarstwie, liczba osob, wielkosc gospodarstwa, sklad gospodarstwa,
    dzieci, stan rodzinny, ciaza ktora, porod ktory, kolejnosc urodzenia, liczba porodow, liczba ciaz, bliznieta,
    rodzaj ciazy, blizniak, mieszka sam, rodzenstwo, typ gospodarstwa, rodzina, krotnosc porodu, liczba urodzen,
    liczba urodzonych dzieci, ktore dziecko, pokrewienstwo, liczba zywo urodzonych, liczba osob gospodarstwie, osoby
    gospodarstwie, liczba osob gospodarstwie domowym, wielkosc gospodarstwa domowego, dzieci do lat, dzieci
    utrzymaniu, wiek najmlodszego dziecka, glowa gospodarstwa, stosunek do glowy, stopien pokrewienstwa, bracia,
    siostry, wnuki, typ rodziny
housing: mieszkanie, typ mieszkania, liczba pokoi, wlasnosc mieszkania, rodzaj mieszkania, samochod, warunki
    mieszkaniowe, czynsz, tytul prawny, rodzaj budynku, typ budynku, ~budynek, tytul prawny mieszkania, wlasciciel,
    najemca, najem, wynajem, ~pokoje, izby, liczba izb, lazienka, kuchnia, ogrzewanie, rodzaj ogrzewania, centralne
    ogrzewanie, ciepla woda, powierzchnia mieszkania, powierzchnia uzytkowa, metry kwadratowe, metraz, rok budowy, rok
    wprowadzenia, balkon, ogrod, garaz, winda, liczba samochodow, samochody, motocykl, rower, pralka, zmywarka,
    lodowka, telewizor, komputer, ~internet, dostep internetu, telefon stacjonarny, zwierzeta, pies, kot, woda
    biezaca, wodociag, kanalizacja, wilgoc, przeciekajacy dach, halas, zanieczyszczenie, =dom
veteran: sluzba wojskowa
body: wzrost, waga, masa ciala, waga kg, wzrost cm, waga urodzeniowa, masa urodzeniowa, bmi pacjenta, obwod glowy,
    obwod pasa, dlugosc ciala, masa ciala noworodka, ciezar urodzeniowy, grupa krwi, dlugosc noworodka, waga ciala,
    masa ciala kg, wskaznik masy ciala, obwod talii, obwod bioder
income: dochod, dochody, dochod gospodarstwa, dochod netto, dochod na osobe, przychod, zasilek, ubostwo, dochod
    miesieczny, sytuacja materialna, swiadczenia spoleczne, swiadczenia socjalne, grupa dochodowa, kwintyl dochodu,
    zasilki, emerytura, swiadczenia, oszczednosci, wakacje, tydzien wypoczynku, wypoczynek, moze sobie pozwolic,
    pozwolic, nieoczekiwane wydatki
postcode: kod pocztowy, kod poczt, kodpocztowy, kod pocztowy zamieszkania
city: miejscowosc, miasto, gmina, powiat, nazwa powiatu, powiat zamieszkania, gmina zamieszkania, miejsce
    zamieszkania, dzielnica, miejscowosc zamieszkania, nazwa gminy, miasto zamieszkania, poczta
area: teryt, kod teryt, kod gminy, kod powiatu, teryt gminy, teryt powiatu, teryt pacjenta, obwod spisowy, kod
    terytorialny, simc, teryt pow, teryt woj
note: uwagi, notatki, opis, komentarz, epikryza, wywiad, opis badania, tresc, opis tekstowy, adnotacje
insurance: ubezpieczenie, ubezpieczenie zdrowotne, platnik, kod platnika, status ubezpieczenia, nfz, uprawnienia,
    tytul ubezpieczenia, rodzaj ubezpieczenia, prawo do swiadczen, uprawnienia dodatkowe, ubezpieczony, poziom
    odplatnosci, ulgi, kod uprawnien
salary: wynagrodzenie, placa, zarobki, pensja, zaleglosci, zaleglosci oplatach, zaleglosci czynszu, dlugi, zadluzenie,
    ~kredyt, ~kredyty, ~pozyczka, sytuacja finansowa, trudnosci finansowe, zwiazac koniec koncem, stawka godzinowa
costs: koszt, koszty, cena, wartosc, wartosc swiadczenia, kwota, kwota refundacji, refundacja, koszt hospitalizacji,
    oplata, taryfa, punkty, liczba punktow, srednia wartosc, wartosc refundacji, doplata, kwota zaplacona, srednia
    wartosc grupy
hiv: zakazenie, covid, wynik covid, wynik testu, zapalenie watroby, gruzlica, wirus, test pcr, producent szczepionki,
    zakazenia, wynik pcr
sexual: ciaza, tydzien ciazy, wiek ciazowy, tyg ciazy, poronienia, poronienie, antykoncepcja, okres trwania ciazy,
    karmienie piersia, orientacja seksualna, porod, ciaze przebyte, liczba poronien, dlugosc ciazy, wiek plodowy, in
    vitro, miesiaczka, menopauza
mental: depresja, lek, zdrowie psychiczne, proba samobojcza, samobojstwo, zaburzenia psychiczne, otepienie, samotnosc,
    ~zadowolenie, zadowolenie z zycia, zadowolony, satysfakcja, satysfakcja zycia, szczescie, szczesliwy, dobrostan,
    smutek, smutny, przygnebienie, leki niepokoj, niepokoj, stres, nerwowosc, zmeczenie, sen, godziny snu, bezsennosc,
    wsparcie spoleczne, samoocena, osobowosc
health: stan zdrowia, samoocena zdrowia, niepelnosprawnosc, stopien niepelnosprawnosci, choroba przewlekla, choroby
    przewlekle, bol, ograniczenia, sprawnosc, orzeczenie, ograniczenie sprawnosci, samodzielnosc, ocena zdrowia,
    ~zdrowie, problem zdrowotny, problemy zdrowotne, ograniczenie, ograniczenie aktywnosci, trudnosci widzeniem,
    trudnosci slyszeniem, trudnosci chodzeniem, zwolnienie lekarskie, dni zwolnienia, bol plecow, bol glowy, migrena,
    goraczka, kaszel, biegunka, okulary, zeby, jakosc zycia, opieka
lifestyle: palenie, pali, palacy, palenie tytoniu, papierosy, alkohol spozycie, spozycie alkoholu, narkotyki,
    aktywnosc fizyczna, dieta, pije, tyton, sport, uzywki, liczba papierosow, e papieros, picie alkoholu, napoje
    alkoholowe, piwo, wino, wodka, upicie, owoce, warzywa, owoce warzywa, spozycie owocow, spozycie warzyw, mieso,
    ryby, sniadanie, cukier, slodycze, napoje slodzone, fast food, odzywianie, nawyki zywieniowe, wegetarianin, kawa,
    herbata, uprawianie sportu, cwiczenia, chodzenie, spacer, jazda rowerem, siedzenie, ogladanie telewizji,
    marihuana, ~hazard, korzystanie internetu, czas wolny, pasy bezpieczenstwa
beliefs: partia, glosowanie, zwiazek zawodowy, poglady, zaufanie, zaufanie do, zaufanie ludzi, zaufanie rzadu,
    ~polityka, zainteresowanie polityka, poglady polityczne, lewica prawica, partia polityczna, glosowal, wybory,
    ~glos, demokracja, zadowolenie demokracji, ~opinia, opinie, postawa, postawy, zgadza sie, za przeciw, kara
    smierci, aborcja, eutanazja, homoseksualizm, homoseksualisci, imigranci, uchodzcy, cudzoziemcy opinia, rasizm,
    kobiety powinny, role plciowe, ~srodowisko, zmiany klimatu, unia europejska, duma, praktyki religijne, udzial
    praktykach religijnych, msza, modlitwa, ~wiara, wierzacy, religijnosc, zwiazki zawodowe, demonstracja, strajk,
    petycja, wolontariat, stowarzyszenie, ~wartosci, dyskryminacja, poczucie bezpieczenstwa
diagnosis: rozpoznanie, rozpoznanie glowne, rozpoznanie zasadnicze, rozpoznanie wspolistniejace, choroba, choroby,
    choroba zasadnicza, kod icd, kod icd 10, icd 10 glowne, kod jgp, jgp, nazwa jgp, kod grupy jgp, grupa jgp, kod
    rozpoznania, nazwa rozpoznania, choroby wspolistniejace, rozpoznanie wstepne, rozpoznanie koncowe, nowotwor,
    stopien zaawansowania, cukrzyca, nadcisnienie, objawy, alergie, rak, diagnoza, schorzenie, kod choroby, powiklania
    choroby, rozpoznanie przy przyjeciu, wada wrodzona, wady rozwojowe, wady wrodzone, jednostka chorobowa, kod
    produktu jednostkowego, klasyfikacja tnm, udar, zawal, astma, rozpoznanie wspolistniejace 1
treatment: procedura, procedury, kod procedury, procedura glowna, nazwa procedury, zabieg, zabiegi, operacja,
    operacje, leczenie, terapia, icd 9 procedura, szczepienie, szczepionka, dawka szczepionki, chemioterapia,
    radioterapia, dializa, rehabilitacja, znieczulenie, ciecie cesarskie, cesarskie ciecie, swiadczenie, kod zabiegu,
    przeszczep, dawka numer, szczepienia, numer dawki, znieczulenie porodu, lekarz operujacy, hospitalizacja oit,
    szczepienie grypie, zaszczepiony, mammografia, cytologia, kolonoskopia, badania przesiewowe, wentylacja,
    wentylacja mechaniczna, czas wentylacji, tlen, tlenoterapia, transfuzja, wlew, fizjoterapia
medication: lek nazwa, leki, nazwa leku, substancja czynna, kod ean, ean, recepta, dawka, dawka leku, antybiotyk,
    dawkowanie, opakowania, liczba opakowan, postac leku, kod atc leku, przyjmowane leki, nazwa produktu leczniczego,
    insulina, zazywanie lekow, leki przepisane, dawka dobowa, dawka dzienna, dawka calkowita, predkosc wlewu,
    antybiotyki, leki przeciwbolowe, antydepresanty, sterydy, antykoagulanty, sedacja, heparyna, noradrenalina,
    adrenalina, morfina, furosemid, paracetamol
result: wynik, wyniki, wynik badania, badanie, badania, laboratorium, glukoza, cholesterol calkowity, kreatynina,
    hemoglobina, cisnienie, cisnienie krwi, cisnienie skurczowe, cisnienie rozkurczowe, tetno, temperatura, apgar 1
    min, punkty apgar, wartosc wyniku, parametr, saturacja, skala apgar, ocena apgar, jednostka wyniku, zakres norm,
    =sod, ~potas, ~wapn, chlorki, magnez, fosforany, wodoroweglany, mleczany, mocznik, kwas moczowy, glukoza czczo,
    hemoglobina glikowana, hematokryt, leukocyty, erytrocyty, plytki, plytki krwi, limfocyty, neutrofile, inr, aptt,
    fibrynogen, d dimery, bilirubina, aspat, alat, ggtp, fosfataza alkaliczna, lipaza, amylaza, ldh, troponina, bialko
    c reaktywne, prokalcytonina, ob, ferrytyna, ~zelazo, tsh, trojglicerydy, albumina, bialko, gazometria, ph krwi,
    diureza, bilans plynow, ~posiew, posiew krwi, przeciwciala, czestosc akcji serca, czestosc oddechow, liczba
    oddechow, cisnienie tetnicze, skurczowe, rozkurczowe, temperatura ciala, glasgow, skala bolu, spirometria, frakcja
    wyrzutowa
outcome: powiklania, rehospitalizacja, wyleczony, przebieg, nawrot, ozdrowieniec
death: zgon, przyczyna zgonu, zmarl, zgony, smierc, przyczyna wyjsciowa, przyczyna wtorna, przyczyna bezposrednia,
    miejsce zgonu, sekcja zwlok, martwe urodzenie, zywotnosc, smiertelnosc, czy zgon, stwierdzenie zgonu
use: liczba wizyt, liczba hospitalizacji, wizyty, porady, liczba porad, liczba pobytow, liczba wizyt prenatalnych,
    dentysta, wizyta dentysty, wizyta stomatologa, stomatolog, lekarz rodzinny, wizyta lekarza, wizyty lekarskie,
    porady lekarskie, specjalista, pobyty szpitalu, psycholog
disposition: tryb wypisu, kod trybu wypisu, nazwa trybu wypisu, sposob wypisu, wypis, wypisany do, powod wypisu, tryb
    zakonczenia, przyczyna wypisu, zakonczenie leczenia
survey_weight: waga analityczna, waga probkowa, waga statystyczna, waga koncowa, waga osoby, waga osobowa, waga
    gospodarstwa, wagi, mnoznik
count: liczba przypadkow, liczba pacjentow, liczba, liczba hospitalizacji ogolem, liczba mieszkancow, ludnosc, liczba
    zgonow, liczba zaszczepionych, liczba przypadkow ogolem
identifier: numer, nr, identyfikator, kod, lp
fieldwork: =fala, =runda, tryb wywiadu, metoda badania, metoda wywiadu, technika wywiadu, czas trwania wywiadu,
    dlugosc wywiadu, wersja kwestionariusza, =wersja, zrodlo danych, system zrodlowy, =imputacja, wynik wywiadu,
    =proxy
"""
