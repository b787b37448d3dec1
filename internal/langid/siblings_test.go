package langid

import "testing"

// Sentences about what is seen and heard, short and long, with names and without.
var written = map[string][]string{
	"ca": {
		"Una dona seu en un banc del parc amb el seu gos.",
		"L'home camina pel carrer i parla per telèfon.",
		"Hi ha dos nens que juguen amb una pilota vermella.",
		"La Marta i en Jordi no volen anar a casa.",
		"Avui plou molt a Barcelona i els carrers són buits.",
		"Plou molt.",
		"El noi diu que té gana, però no hi ha res per menjar.",
		"Una veu de dona explica com es fa el pa amb farina, aigua i sal, mentre se sent música de fons.",
		"En aquesta sala hi ha més de vint persones que esperen el tren cap a Girona.",
		"El cotxe vermell s'atura davant de la casa i en baixa un home amb un barret negre.",
		"Bon dia a tothom, avui parlarem del nostre treball.",
		"Les dues noies canten una cançó i després riuen.",
		"El cotxe és vermell.",
	},
	"gl": {
		"Unha muller está sentada nun banco do parque co seu can.",
		"O home camiña pola rúa e fala por teléfono.",
		"Hai dous nenos que xogan cunha pelota vermella.",
		"Xoán e Uxía non queren ir á casa.",
		"Hoxe chove moito en Santiago e as rúas están baleiras.",
		"Chove moito.",
		"O rapaz di que ten fame, pero non hai nada para comer.",
		"Unha voz de muller explica como se fai o pan con fariña, auga e sal, mentres soa música de fondo.",
		"Nesta sala hai máis de vinte persoas que agardan o tren para Vigo.",
		"O coche vermello detense diante da casa e baixa un home cun sombreiro negro.",
		"Bos días a todos, hoxe imos falar do noso traballo.",
		"As dúas mozas cantan unha canción e despois rin.",
		"O coche é vermello.",
	},
	"oc": {
		"Una femna es assetada sus un banc del pargue amb son can.",
		"L'òme camina per la carrièra e parla al telefòn.",
		"I a dos dròlles que jògan amb una bala roja.",
		"Joan e Maria vòlon pas anar a l'ostal.",
		"Uèi plòu fòrça a Tolosa e las carrièras son voidas.",
		"Plòu fòrça.",
		"Lo dròlle ditz qu'a fam, mas i a pas res per manjar.",
		"Una votz de femna explica cossí se fa lo pan amb de farina, d'aiga e de sal.",
		"Dins aquesta sala i a mai de vint personas qu'espèran lo tren.",
		"La veitura roja s'arrèsta davant l'ostal e un òme ne davala.",
		"Bonjorn a totes, uèi parlarem de nòstre trabalh.",
		"Las doas dròllas cantan una cançon e puèi rison.",
	},
	"ro": {
		"O femeie stă pe o bancă în parc cu câinele ei.",
		"Bărbatul merge pe stradă și vorbește la telefon.",
		"Doi copii se joacă cu o minge roșie.",
		"Ion și Maria nu vor să meargă acasă.",
		"Astăzi plouă tare la București și străzile sunt goale.",
		"Plouă tare.",
		"Băiatul spune că îi este foame, dar nu este nimic de mâncare.",
		"O voce de femeie explică cum se face pâinea din făină, apă și sare, în timp ce se aude muzică.",
		"În această sală sunt peste douăzeci de persoane care așteaptă trenul.",
		"Mașina roșie se oprește în fața casei și din ea coboară un bărbat cu o pălărie neagră.",
		"Bună ziua tuturor, astăzi vom vorbi despre lucrarea noastră.",
		"Cele două fete cântă un cântec și apoi râd.",
	},
	"af": {
		"'n Vrou sit op 'n bank in die park met haar hond.",
		"Die man loop in die straat en praat oor die telefoon.",
		"Daar is twee kinders wat met 'n rooi bal speel.",
		"Pieter en Anna wil nie huis toe gaan nie.",
		"Vandag reën dit baie in Kaapstad en die strate is leeg.",
		"Dit reën baie.",
		"Die seun sê dat hy honger is, maar daar is niks om te eet nie.",
		"'n Vrouestem verduidelik hoe brood van meel, water en sout gemaak word terwyl musiek speel.",
		"In hierdie saal wag meer as twintig mense vir die trein na Pretoria.",
		"Die rooi motor stop voor die huis en 'n man met 'n swart hoed klim uit.",
		"Goeie dag almal, vandag praat ons oor ons werk.",
		"Die twee meisies sing 'n lied en lag daarna.",
	},
	"nl": {
		"Een vrouw zit op een bank in het park met haar hond.",
		"De man loopt op straat en praat aan de telefoon.",
		"Er zijn twee kinderen die met een rode bal spelen.",
		"Pieter en Anna willen niet naar huis gaan.",
		"Vandaag regent het hard in Amsterdam en de straten zijn leeg.",
		"Het regent hard.",
		"De jongen zegt dat hij honger heeft, maar er is niets te eten.",
		"Een vrouwenstem legt uit hoe je brood maakt van meel, water en zout, terwijl er muziek klinkt.",
		"In deze zaal wachten meer dan twintig mensen op de trein naar Utrecht.",
		"De rode auto stopt voor het huis en een man met een zwarte hoed stapt uit.",
		"Goedendag allemaal, vandaag praten we over ons werk.",
		"De twee meisjes zingen een lied en lachen daarna.",
	},
	"cs": {
		"Žena sedí na lavičce v parku se svým psem.",
		"Muž jde po ulici a mluví do telefonu.",
		"Dvě děti si hrají s červeným míčem.",
		"Jan a Marie nechtějí jít domů.",
		"Dnes v Praze hodně prší a ulice jsou prázdné.",
		"Hodně prší.",
		"Chlapec říká, že má hlad, ale není nic k jídlu.",
		"Ženský hlas vysvětluje, jak se dělá chléb z mouky, vody a soli, zatímco hraje hudba.",
		"V tomto sále čeká na vlak do Brna více než dvacet lidí.",
		"Červené auto zastaví před domem a vystoupí z něj muž s černým kloboukem.",
		"Dobrý den všem, dnes budeme mluvit o naší práci.",
		"Obě dívky zpívají píseň a potom se smějí.",
	},
	"sk": {
		"Žena sedí na lavičke v parku so svojím psom.",
		"Muž ide po ulici a hovorí do telefónu.",
		"Dve deti sa hrajú s červenou loptou.",
		"Ján a Mária nechcú ísť domov.",
		"Dnes v Bratislave veľmi prší a ulice sú prázdne.",
		"Veľmi prší.",
		"Chlapec hovorí, že je hladný, ale nie je nič na jedenie.",
		"Ženský hlas vysvetľuje, ako sa robí chlieb z múky, vody a soli, zatiaľ čo hrá hudba.",
		"V tejto sále čaká na vlak do Košíc viac ako dvadsať ľudí.",
		"Červené auto zastane pred domom a vystúpi z neho muž s čiernym klobúkom.",
		"Dobrý deň všetkým, dnes budeme hovoriť o našej práci.",
		"Obe dievčatá spievajú pieseň a potom sa smejú.",
	},
	"pl": {
		"Kobieta siedzi na ławce w parku ze swoim psem.",
		"Mężczyzna idzie ulicą i rozmawia przez telefon.",
		"Dwoje dzieci bawi się czerwoną piłką.",
		"Jan i Maria nie chcą iść do domu.",
		"Dziś w Warszawie mocno pada i ulice są puste.",
		"Mocno pada.",
		"Chłopiec mówi, że jest głodny, ale nie ma nic do jedzenia.",
		"Kobiecy głos wyjaśnia, jak robi się chleb z mąki, wody i soli, a w tle gra muzyka.",
		"W tej sali na pociąg do Krakowa czeka ponad dwadzieścia osób.",
		"Czerwony samochód zatrzymuje się przed domem i wysiada z niego mężczyzna w czarnym kapeluszu.",
		"Dzień dobry wszystkim, dziś będziemy mówić o naszej pracy.",
		"Dwie dziewczyny śpiewają piosenkę, a potem się śmieją.",
	},
	"sl": {
		"Ženska sedi na klopi v parku s svojim psom.",
		"Moški hodi po ulici in govori po telefonu.",
		"Dva otroka se igrata z rdečo žogo.",
		"Janez in Marija nočeta iti domov.",
		"Danes v Ljubljani močno dežuje in ulice so prazne.",
		"Močno dežuje.",
		"Fant pravi, da je lačen, ampak ni ničesar za jesti.",
		"Ženski glas razlaga, kako se naredi kruh iz moke, vode in soli, medtem ko igra glasba.",
		"V tej dvorani na vlak za Maribor čaka več kot dvajset ljudi.",
		"Rdeč avto se ustavi pred hišo in iz njega stopi moški s črnim klobukom.",
		"Dober dan vsem, danes bomo govorili o našem delu.",
		"Dekleti pojeta pesem in se potem smejita.",
	},
	"hr": {
		"Žena sjedi na klupi u parku sa svojim psom.",
		"Muškarac hoda ulicom i razgovara na telefon.",
		"Dvoje djece igra se s crvenom loptom.",
		"Ivan i Marija ne žele ići kući.",
		"Danas u Zagrebu jako pada kiša i ulice su prazne.",
		"Jako pada kiša.",
		"Dječak kaže da je gladan, ali nema ništa za jelo.",
		"Ženski glas objašnjava kako se radi kruh od brašna, vode i soli, dok svira glazba.",
		"U ovoj dvorani više od dvadeset ljudi čeka vlak za Split.",
		"Crveni automobil staje ispred kuće i iz njega izlazi čovjek s crnim šeširom.",
		"Dobar dan svima, danas ćemo govoriti o našem radu.",
		"Dvije djevojke pjevaju pjesmu, a onda se smiju.",
	},
	"sr": {
		"Žena sedi na klupi u parku sa svojim psom.",
		"Čovek hoda ulicom i razgovara telefonom.",
		"Dvoje dece se igra crvenom loptom.",
		"Jovan i Marija ne žele da idu kući.",
		"Danas u Beogradu jako pada kiša i ulice su prazne.",
		"Jako pada kiša.",
		"Dečak kaže da je gladan, ali nema ništa za jelo.",
		"Ženski glas objašnjava kako se pravi hleb od brašna, vode i soli, dok svira muzika.",
		"U ovoj sali više od dvadeset ljudi čeka voz za Niš.",
		"Crveni automobil staje ispred kuće i iz njega izlazi čovek sa crnim šeširom.",
		"Dobar dan svima, danas ćemo govoriti o našem radu.",
		"Dve devojke pevaju pesmu, a onda se smeju.",
	},
	"no": {
		"En kvinne sitter på en benk i parken med hunden sin.",
		"Mannen går på gata og snakker i telefonen.",
		"Det er to barn som leker med en rød ball.",
		"Ola og Kari vil ikke gå hjem.",
		"I dag regner det mye i Oslo, og gatene er tomme.",
		"Det regner mye.",
		"Gutten sier at han er sulten, men det finnes ikke noe å spise.",
		"En kvinnestemme forklarer hvordan man lager brød av mel, vann og salt, mens musikken spiller.",
		"I denne salen venter mer enn tjue mennesker på toget til Bergen.",
		"Den røde bilen stopper foran huset, og en mann med svart hatt går ut.",
		"God dag alle sammen, i dag skal vi snakke om arbeidet vårt.",
		"Ein mann går gjennom parken, og ho veit ikkje kva han vil.",
	},
	"da": {
		"En kvinde sidder på en bænk i parken med sin hund.",
		"Manden går på gaden og taler i telefon.",
		"Der er to børn, som leger med en rød bold.",
		"Ole og Karen vil ikke gå hjem.",
		"I dag regner det meget i København, og gaderne er tomme.",
		"Det regner meget.",
		"Drengen siger, at han er sulten, men der er ikke noget at spise.",
		"En kvindestemme forklarer, hvordan man laver brød af mel, vand og salt, mens musikken spiller.",
		"I denne sal venter mere end tyve mennesker på toget til Aarhus.",
		"Den røde bil standser foran huset, og en mand med sort hat stiger ud.",
		"God dag alle sammen, i dag skal vi tale om vores arbejde.",
		"De to piger synger en sang og ler bagefter.",
	},
	"sv": {
		"En kvinna sitter på en bänk i parken med sin hund.",
		"Mannen går på gatan och pratar i telefon.",
		"Det är två barn som leker med en röd boll.",
		"Erik och Anna vill inte gå hem.",
		"I dag regnar det mycket i Stockholm och gatorna är tomma.",
		"Det regnar mycket.",
		"Pojken säger att han är hungrig, men det finns inget att äta.",
		"En kvinnoröst förklarar hur man bakar bröd av mjöl, vatten och salt, medan musiken spelar.",
		"I den här salen väntar mer än tjugo människor på tåget till Malmö.",
		"Den röda bilen stannar framför huset och en man med svart hatt kliver ur.",
		"God dag allihop, i dag ska vi prata om vårt arbete.",
		"De två flickorna sjunger en sång och skrattar sedan.",
	},
	"id": {
		"Seorang wanita duduk di bangku taman dengan anjingnya.",
		"Pria itu berjalan di jalan dan berbicara di telepon.",
		"Ada dua anak yang bermain dengan bola merah.",
		"Budi dan Siti tidak mau pulang ke rumah karena hujan.",
		"Hari ini hujan deras di Jakarta dan jalanan kosong.",
		"Hujan deras.",
		"Anak itu mengatakan bahwa dia lapar, tetapi tidak ada makanan.",
		"Suara seorang wanita menjelaskan bagaimana roti bisa dibuat dari tepung, air, dan garam.",
		"Di ruangan ini lebih dari dua puluh orang sedang menunggu kereta ke Bandung.",
		"Mobil merah itu berhenti di depan rumah dan seorang pria keluar.",
		"Selamat pagi semua, hari ini kami akan berbicara tentang pekerjaan kami.",
		"Kedua gadis itu menyanyikan sebuah lagu lalu tertawa.",
	},
	"ms": {
		"Seorang wanita duduk di bangku taman dengan anjingnya.",
		"Lelaki itu berjalan di jalan dan bercakap di telefon.",
		"Ada dua kanak-kanak yang bermain dengan bola merah.",
		"Ahmad dan Siti tidak mahu pulang ke rumah kerana hujan.",
		"Hari ini hujan lebat di Kuala Lumpur dan jalan raya kosong.",
		"Hujan lebat.",
		"Budak itu berkata bahawa dia lapar, tetapi tidak ada makanan.",
		"Suara seorang wanita menerangkan bagaimana roti boleh dibuat daripada tepung, air dan garam.",
		"Di dewan ini lebih daripada dua puluh orang sedang menunggu kereta api ke Ipoh.",
		"Kereta merah itu berhenti di depan rumah dan seorang lelaki keluar.",
		"Selamat pagi semua, hari ini kami akan bercakap tentang kerja kami.",
		"Kedua-dua gadis itu menyanyikan sebuah lagu lalu ketawa.",
	},
	"pt": {
		"Uma mulher está sentada num banco do parque com o seu cão.",
		"O homem caminha pela rua e fala ao telefone.",
		"Há duas crianças que brincam com uma bola vermelha.",
		"João e Maria não querem ir para casa.",
		"Hoje chove muito em Lisboa e as ruas estão vazias.",
		"Chove muito.",
		"O rapaz diz que tem fome, mas não há nada para comer.",
		"Uma voz de mulher explica como se faz o pão com farinha, água e sal, enquanto toca música.",
		"Nesta sala há mais de vinte pessoas que esperam o trem para São Paulo.",
		"O carro vermelho para em frente da casa e sai um homem com um chapéu preto.",
		"Bom dia a todos, hoje vamos falar do nosso trabalho.",
		"As duas moças cantam uma canção e depois riem.",
	},
	"es": {
		"Una mujer está sentada en un banco del parque con su perro.",
		"El hombre camina por la calle y habla por teléfono.",
		"Hay dos niños que juegan con una pelota roja.",
		"Juan y María no quieren ir a casa.",
		"Hoy llueve mucho en Madrid y las calles están vacías.",
		"Llueve mucho.",
		"El chico dice que tiene hambre, pero no hay nada para comer.",
		"Una voz de mujer explica cómo se hace el pan con harina, agua y sal, mientras suena música.",
		"En esta sala hay más de veinte personas que esperan el tren a Sevilla.",
		"El coche rojo se detiene delante de la casa y baja un hombre con un sombrero negro.",
		"Buenos días a todos, hoy vamos a hablar de nuestro trabajo.",
		"Las dos chicas cantan una canción y después ríen.",
	},
	"it": {
		"Una donna è seduta su una panchina del parco con il suo cane.",
		"L'uomo cammina per la strada e parla al telefono.",
		"Ci sono due bambini che giocano con una palla rossa.",
		"Giovanni e Maria non vogliono andare a casa.",
		"Oggi piove molto a Milano e le strade sono vuote.",
		"Piove molto.",
		"Il ragazzo dice che ha fame, ma non c'è niente da mangiare.",
		"Una voce di donna spiega come si fa il pane con farina, acqua e sale, mentre suona la musica.",
		"In questa sala ci sono più di venti persone che aspettano il treno per Bologna.",
		"L'auto rossa si ferma davanti alla casa e scende un uomo con un cappello nero.",
		"Buongiorno a tutti, oggi parleremo del nostro lavoro.",
		"Le due ragazze cantano una canzone e poi ridono.",
	},
	"fr": {
		"Une femme est assise sur un banc du parc avec son chien.",
		"L'homme marche dans la rue et parle au téléphone.",
		"Il y a deux enfants qui jouent avec une balle rouge.",
		"Jean et Marie ne veulent pas rentrer à la maison.",
		"Aujourd'hui, il pleut beaucoup à Paris et les rues sont vides.",
		"Il pleut beaucoup.",
		"Le garçon dit qu'il a faim, mais il n'y a rien à manger.",
		"Une voix de femme explique comment on fait le pain avec de la farine, de l'eau et du sel.",
		"Dans cette salle, plus de vingt personnes attendent le train pour Lyon.",
		"La voiture rouge s'arrête devant la maison et un homme au chapeau noir en descend.",
		"Bonjour à tous, aujourd'hui nous allons parler de notre travail.",
		"Les deux filles chantent une chanson et rient ensuite.",
	},
	other: {
		"Жінка сидить на лавці в парку зі своєю собакою.", "Женщина сидит на скамейке в парке со своей собакой.",
		"Жената седи на пейка в парка с кучето си.", "Жанчына сядзіць на лаўцы ў парку са сваім сабакам.",
		"Жена седи на клупи у парку са својим псом.", "Іван і Марія не хочуть іти додому.", "Иван и Мария не хотят идти домой.",
		"Иван и Мария не искат да се приберат.", "Іван і Марыя не хочуць ісці дадому.", "Сильний дощ.", "Сильный дождь.",
		"Η γυναίκα κάθεται σε ένα παγκάκι.", "المرأة تجلس على مقعد في الحديقة.",
	},
	"": { // languages without a list
		"Kona situr á bekk í garðinum með hundinn sinn.", "Maðurinn gengur á götunni og talar í símann.",
		"Nainen istuu penkillä puistossa koiransa kanssa.", "Egy nő ül egy padon a parkban a kutyájával.",
		"Bir kadın parkta köpeğiyle bir bankta oturuyor.", "Naine istub pargis pingil oma koeraga.",
		"Sieviete sēž parkā uz soliņa ar savu suni.", "Moteris sėdi parke ant suoliuko su savo šunimi.",
		"Emakume bat parkeko banku batean eserita dago bere txakurrarekin.", "Một người phụ nữ ngồi trên ghế trong công viên với con chó của mình.",
		"Një grua është ulur në një stol në park me qenin e saj.", "Mae menyw yn eistedd ar fainc yn y parc gyda'i chi.",
		"Femina in hortis sedet cum cane suo et cum amicis de bello loquitur.", "Isang babae ang nakaupo sa bangko sa parke kasama ang kanyang aso.", "Mwanamke ameketi kwenye benchi katika bustani na mbwa wake.",
	},
}

// A guess is right, or there is no guess: it is never another language, however near.
func TestLanguagesThatAreNear(t *testing.T) {
	for lang, texts := range written {
		named := 0
		for _, text := range texts {
			switch got := Detect(text); got.Lang {
			case lang:
				named++
			case "":
			default:
				t.Errorf("%q is %s, not %s (sure %.2f)", text, got.Lang, lang, got.Sure)
			}
		}
		least := 6
		switch lang {
		case "hr", "sr", "id", "ms": // few sentences have words by which the two of a pair differ
			least = 2
		case "":
			least = 0
		}
		if named < least {
			t.Errorf("%s: only %d of %d sentences are recognised", lang, named, len(texts))
		}
	}
}

// In longer texts each language is recognised.
func TestLongerTextsOfNearLanguages(t *testing.T) {
	for lang, texts := range written {
		if lang == "" {
			continue
		}
		text := ""
		for _, s := range texts {
			text += s + " "
		}
		if got := Detect(text); got.Lang != lang {
			t.Errorf("%s: %+v", lang, got)
		}
	}
}

func TestGuessFitsRequestedLanguage(t *testing.T) {
	for _, c := range []struct {
		text, tag string
		want      bool
	}{
		{"Женщина сидит на скамейке в парке.", "ru", true},
		{"Женщина сидит на скамейке в парке.", "uk-UA", true}, // which of them is not known
		{"Женщина сидит на скамейке в парке.", "en", false},
		{"Жена седи на клупи у парку.", "sr", true},
		{"The man sits in the park and reads.", "en-GB", true},
		{"The man sits in the park and reads.", "fi", false},
		{"Nainen istuu puistossa.", "fi", true},
		{"Kvinnen sier at hun ikke vil hjem.", "nb", true},
		{"Dječak kaže da je gladan, ali nema ništa za jelo u kući gdje sjedi.", "bs", true},
		{"演讲者介绍了一种新的方法。", "zh-TW", true},
		{"演讲者介绍了一种新的方法。", "ru", false},
	} {
		if g := Detect(c.text); g.Fits(c.tag) != c.want {
			t.Errorf("%q as %s: %+v", c.text, c.tag, g)
		}
	}
}
