"""Made-up registers in many languages, and the encodings from before UTF-8 that each was written in."""

from __future__ import annotations

import random

WORDS = {
    "French": (
        "numéro;prénom;ville;diagnostic",
        "Hélène Zoë Jérôme François Benoît Aurélie Gaëlle Noémie Cédric Loïc Éric Anaïs Marie Pierre Sophie",
        "Besançon Nîmes Orléans Évreux Mâcon Béziers Châlons Saint-Étienne Lyon Paris Angoulême Sète Alès Compiègne",
        "fièvre|asthme sévère|fracture du fémur|migraine|diabète de type 2|hépatite|sœur opérée|œdème|brûlure à la "
        "main|côlon irritable|épaule gauche|reçu à l’hôpital où il fut traité",
    ),
    "Spanish": (
        "número;nombre;ciudad;diagnóstico",
        "José Íñigo Begoña Andrés Sofía Mónica Raúl Iñaki María Ramón Lucía Jesús Carmen Núria Óscar Belén Ana Juan",
        "Málaga León Ávila Cáceres Jaén Logroño A_Coruña Córdoba Madrid Castellón Mérida Sevilla Cádiz Alcalá",
        "fractura de cráneo|migraña|hipertensión|diabetes|riñón derecho|corazón|lesión del oído|náuseas|niño sano|"
        "¿alergia?|asma crónica|pulmón izquierdo|cirugía de muñeca",
    ),
    "Portuguese": (
        "número;nome;cidade;diagnóstico",
        "João Conceição Inês António Luís Fátima Sebastião Mónica Gonçalo Júlia Rúben Simão Ana Pedro Mário Érica",
        "Évora Bragança Guimarães São_Paulo Brasília Vitória Belém Setúbal Lisboa Portimão Beja Maceió Florianópolis",
        "hipertensão|coração|infecção|diabetes|pulmão esquerdo|lesão|dor de cabeça|reação alérgica|úlcera|mão direita|"
        "pneumonia aguda|não há|avó doente|três vezes",
    ),
    "German": (
        "Nummer;Vorname;Ort;Diagnose",
        "Jürgen Jörg Käthe Günter Björn Änne Sören Ursula Thomas Anna Bärbel Göran Rüdiger Grete Özlem Lars",
        "München Köln Düsseldorf Nürnberg Gießen Lübeck Würzburg Österreich Saarbrücken Mainz Görlitz Weißenburg",
        "Grippe|Rückenschmerzen|Übelkeit|Herzschwäche|Entzündung|Fußverletzung|Bluthochdruck|Schädelbruch|"
        "Diabetes|Blinddarm|Müdigkeit|Nierenversagen|Ärztin verständigt",
    ),
    "Italian": (
        "numero;nome;città;diagnosi",
        "Nicolò Cosimo Niccolò Giosuè Desirée Noemi Josè Mosè Marco Giulia Luca Dalì Èlia Zoè Andrea Calò",
        "Forlì Cefalù Cantù Mondovì Patti Roma Agliè Aci Cesarò Torino Leinì Fossò Viggiù Nardò",
        "tosse già curata|più forte|perché svenuta|ansietà|infermità|attività ridotta|caffè vietato|così così|"
        "metà dose|virtù|giù|sanità",
    ),
    "Swedish": (
        "nummer;förnamn;ort;diagnos",
        "Åsa Björn Märta Sören Göran Åke Källa Örjan Lars Anna Jöns Håkan Pär Ängla Eva Stina",
        "Malmö Göteborg Örebro Västerås Umeå Luleå Jönköping Skellefteå Stockholm Växjö Gävle Södertälje Åre Kalmar",
        "högt blodtryck|hjärtsvikt|ögoninfektion|förkylning|bråck|njursten|feber|yrsel|värk i ländryggen|sår på låret|"
        "ångest|blödning|öroninflammation",
    ),
    "Danish": (
        "nummer;fornavn;by;diagnose",
        "Søren Jørgen Åge Mette Bjørn Kåre Ærø Lærke Henning Signe Øystein Pål Håkon Anne Gøran Mø",
        "København Århus Ålborg Tromsø Helsingør Bodø Ålesund Næstved Køge Odense Ærøskøbing Hønefoss Oslo Tønder",
        "forhøjet blodtryk|blødning|brækket ben|hjertesvigt|øjenbetændelse|åndenød|træthed|sår på hånden|feber|"
        "lungebetændelse|kræft|nyresten|gør ondt",
    ),
    "Icelandic": (
        "númer;nafn;staður;greining",
        "Þóra Guðrún Jón Sigríður Björk Hörður Árni Ýr Ólafur Þórður Æsa Védís Dagný Eyþór Íris Garðar",
        "Reykjavík Akureyri Ísafjörður Höfn Þórshöfn Selfoss Vík Borgarnes Húsavík Neskaupstaður Öræfi Keflavík",
        "hár blóðþrýstingur|lungnabólga|brotið bein|sýking|þreyta|ofnæmi|hjartaáfall|ógleði|höfuðverkur|kvíði|það er í",
    ),
    "Polish": (
        "numer;imię;miasto;rozpoznanie",
        "Łukasz Michał Żaneta Grażyna Wojciech Świętosław Paweł Józef Zofia Bożena Agnieszka Rafał Łucja Stanisław",
        "Łódź Kraków Gdańsk Poznań Białystok Częstochowa Toruń Rzeszów Warszawa Bełchatów Świdnica Żywiec Zamość",
        "złamanie nogi|ból głowy|nadciśnienie|gorączka|zapalenie płuc|cukrzyca|grypa żołądkowa|skręcenie stawu|wątroba|"
        "ciąża|alergia na mięso|łuszczyca|ślepota|źle się czuje",
    ),
    "Czech": (
        "číslo;jméno;město;diagnóza",
        "Jiří Žofie Šárka Tomáš Lukáš Růžena Matěj Květa Ondřej Zdeněk Božena Jaromír Kateřina Petr Vojtěch Eliška",
        "Plzeň Děčín Třebíč Praha České_Budějovice Brno Zlín Ústí Přerov Kladno Jičín Šumperk Žďár Písek",
        "zlomenina ruky|chřipka|bolest břicha|vysoký tlak|zánět plic|cukrovka|úraz hlavy|těhotenství|žloutenka|"
        "něco jiného|střevní potíže|kašel|únava|srdeční příhoda",
    ),
    "Hungarian": (
        "szám;név;város;kórisme",
        "László Győző Zsófia Ödön István Árpád Lőrinc Eszter Gergő Ágnes Tünde Zoltán Csongor Ibolya Béla Fülöp",
        "Győr Debrecen Pécs Szekszárd Kőszeg Nyíregyháza Budapest Gödöllő Hódmezővásárhely Tiszaújváros Szűcsi Érd",
        "magas vérnyomás|tüdőgyulladás|törött kar|influenza|szívelégtelenség|cukorbetegség|fülfájás|égési sérülés|"
        "szédülés|műtét utáni állapot|vesekő",
    ),
    "Turkish": (
        "sıra;ad;şehir;tanı",
        "Ayşe Mehmet Gülşah Işıl İbrahim Çağla Oğuz Şükrü Özge Yiğit Hüseyin Fatma Tuğba Ümit Doğan Nazlı",
        "İstanbul İzmir Eskişehir Muğla Diyarbakır Şanlıurfa Ağrı Çanakkale Kırşehir Niğde Iğdır Ankara Balıkesir Uşak",
        "yüksek tansiyon|baş ağrısı|kırık kol|şeker hastalığı|göğüs ağrısı|ateş|öksürük|böbrek taşı|gripal enfeksiyon|"
        "kalp krizi|çocuk sağlığı|yanık|iğne alerjisi",
    ),
    "Russian": (
        "номер;имя;город;диагноз",
        "Анна Юрий Пётр Ольга Дмитрий Елена Сергей Наталья Фёдор Мария Иван Екатерина Алексей Людмила Жанна Эдуард",
        "Москва Казань Ярославль Санкт-Петербург Новосибирск Екатеринбург Пермь Уфа Воронеж Тюмень Хабаровск Щёлково",
        "грипп|перелом руки|гипертония|сахарный диабет|воспаление лёгких|головная боль|ожог|язва желудка|бронхит|"
        "сердечная недостаточность|здоров|аллергия|ушиб",
    ),
    "Ukrainian": (
        "номер;ім’я;місто;діагноз",
        "Оксана Юрій Петро Ольга Дмитро Олена Сергій Наталія Євген Марія Іван Катерина Олексій Їжак Ганна Андрій",
        "Київ Львів Харків Одеса Чернівці Запоріжжя Вінниця Полтава Луцьк Рівне Ужгород Житомир Тернопіль",
        "грип|перелом руки|гіпертонія|цукровий діабет|запалення легень|головний біль|опік|виразка шлунка|бронхіт|"
        "серцева недостатність|здоровий|алергія|є ускладнення",
    ),
    "Greek": (
        "αριθμός;όνομα;πόλη;διάγνωση",
        "Γιώργος Ελένη Κώστας Μαρία Νίκος Άννα Δημήτρης Σοφία Παναγιώτης Αικατερίνη Ιωάννης Βασιλική Θανάσης Χριστίνα",
        "Αθήνα Πάτρα Θεσσαλονίκη Ηράκλειο Λάρισα Βόλος Ιωάννινα Χανιά Καβάλα Ρόδος Αλεξανδρούπολη Ξάνθη Τρίκαλα",
        "γρίπη|κάταγμα χεριού|υπέρταση|σακχαρώδης διαβήτης|πνευμονία|πονοκέφαλος|έγκαυμα|έλκος στομάχου|βρογχίτιδα|"
        "καρδιακή ανεπάρκεια|υγιής|αλλεργία",
    ),
    "Hebrew": (
        "מספר;שם;עיר;אבחנה",
        "דוד שרה משה רחל יוסף מרים אברהם לאה יצחק רבקה יעקב חנה שלמה אסתר נועם תמר",
        "ירושלים חיפה נתניה אשדוד באר_שבע צפת טבריה עכו רחובות הרצליה אילת נצרת",
        "שפעת|שבר ביד|לחץ דם גבוה|סוכרת|דלקת ריאות|כאב ראש|כוויה|כיב קיבה|אלרגיה|בריא",
    ),
    "Arabic": (
        "رقم;اسم;مدينة;تشخيص",
        "محمد فاطمة أحمد عائشة علي خديجة عمر مريم يوسف زينب خالد سارة حسن ليلى إبراهيم نور",
        "القاهرة دمشق بغداد الرياض عمان بيروت طرابلس الخرطوم صنعاء الدوحة مكة جدة",
        "إنفلونزا|كسر في الذراع|ضغط الدم|داء السكري|التهاب رئوي|صداع|حروق|قرحة المعدة|حساسية|سليم",
    ),
    "Japanese": (
        "番号;氏名;都市;診断",
        "佐藤さくら 鈴木ハナコ 高橋けんじ 田中一郎 伊藤美咲 渡辺健太 山本直樹 中村優子 小林誠 加藤ゆうた 吉田恵子",
        "東京都 大阪市 横浜市 名古屋市 札幌市 福岡市 神戸市 京都市 仙台市 広島市 さいたま市 千葉市",
        "インフルエンザ|右腕の骨折|高血圧|糖尿病|肺炎|頭痛|やけど|胃潰瘍|気管支炎|アレルギー|健康|喘息の疑い",
    ),
    "Chinese": (
        "编号;姓名;城市;诊断",
        "王秀英 李伟 张敏 刘洋 陈静 杨磊 赵军 黄丽 周杰 吴霞 徐勇 孙艳 马超 朱涛 胡明 郭平",
        "北京 上海 广州 深圳 成都 武汉 西安 南京 杭州 重庆 天津 沈阳 苏州 长沙",
        "流行性感冒|右臂骨折|高血压|糖尿病|肺炎|头痛|烧伤|胃溃疡|支气管炎|过敏|健康|心脏病|肝炎患者",
    ),
    "Taiwanese": (
        "編號;姓名;地區;診斷",
        "陳志明 林美惠 黃建宏 張淑芬 李俊傑 王雅婷 吳怡君 劉家豪 蔡佩珊 楊宗翰 許惠雯 鄭文雄 謝欣怡 郭國華",
        "臺北市 高雄市 臺中市 臺南市 新竹縣 桃園市 嘉義市 屏東縣 花蓮縣 基隆市 宜蘭縣 彰化縣",
        "流行性感冒|右臂骨折|高血壓|糖尿病|肺炎|頭痛|燒傷|胃潰瘍|支氣管炎|過敏|健康|心臟病|肝炎患者",
    ),
    "Korean": (
        "번호;이름;지역;진단",
        "김민준 이서연 박도윤 최지우 정하은 강시우 조수아 윤예준 장지호 임서준 한유진 오현우 신채원 권나윤 황은비",
        "서울특별시 부산광역시 대구광역시 인천광역시 광주 대전 울산 세종 수원시 성남시 청주시 전주시 제주도",
        "독감|오른팔 골절|고혈압|당뇨병|폐렴|두통|화상|위궤양|기관지염|알레르기|건강함|심부전 의심",
    ),
}
"""By language the header of a register, and names, places (a blank is ``_``) and findings (parted by ``|``)."""

WESTERN = ("cp1252", "iso8859-15", "cp850", "mac-roman")
CENTRAL = ("cp1250", "iso8859-2", "cp852")
ENCODINGS_OF = {
    **dict.fromkeys(("French", "Spanish", "Portuguese", "German", "Italian", "Swedish", "Danish"), WESTERN),
    "Icelandic": ("cp1252", "iso8859-15", "cp850"),
    **dict.fromkeys(("Polish", "Czech", "Hungarian"), CENTRAL),
    "Turkish": ("cp1254",),
    "Russian": ("cp1251", "koi8-r", "cp866"),
    "Ukrainian": ("cp1251",),
    "Greek": ("cp1253",),
    "Hebrew": ("cp1255",),
    "Arabic": ("cp1256",),
    "Japanese": ("cp932", "euc_jp"),
    "Chinese": ("gb18030",),
    "Taiwanese": ("big5",),
    "Korean": ("cp949",),
}


def register(language: str, n_bytes: int, seed: int, delimiter: str = ";") -> str:
    """A register of about so many bytes in UTF-8, alike for the same seed."""
    header, names, places, findings = WORDS[language]
    chosen = random.Random(f"{language} {seed}")
    lines, size, row = [header.replace(";", delimiter)], 0, 0
    while size < n_bytes:
        row += 1
        place = chosen.choice(places.split()).replace("_", " ")
        cells = (str(row), chosen.choice(names.split()), place, chosen.choice(findings.split("|")))
        lines.append(delimiter.join(cells))
        size += len(lines[-1].encode()) + 1
    return "\n".join(lines) + "\n"


def written(text: str, encoding: str) -> tuple[bytes, str] | None:
    """The text in an encoding, without what it has no bytes for; None where that is much."""
    data = text.encode(encoding, errors="ignore")
    kept = data.decode(encoding)
    return (data, kept) if len(kept) > 0.97 * len(text) else None
