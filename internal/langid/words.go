package langid

import (
	"slices"
	"strings"
	"sync"
)

// The languages with a word list. Those that are never requested are there as rivals:
// without them Catalan would pass for Spanish, Dutch for German and Slovak for Czech.
const (
	english = iota
	german
	italian
	french
	spanish
	portuguese
	dutch
	swedish
	danish
	norwegian
	catalan
	galician
	occitan
	romanian
	afrikaans
	czech
	slovak
	polish
	slovene
	croatian
	serbian // in Latin letters
	indonesian
	malay
	languages // how many there are
)

var tags = [languages]string{"en", "de", "it", "fr", "es", "pt", "nl", "sv", "da", "no", "ca", "gl", "oc", "ro", "af", "cs", "sk", "pl", "sl", "hr", "sr", "id", "ms"}

// A vocabulary lists words by how common they are in running text: about 15,
// 4 and 1 in a thousand words. Finer numbers would not change a verdict: what
// tells languages apart is which of them has the word at all.
type vocabulary struct{ often, common, known string }

// The logarithms of the shares of the three classes of words, over the share
// taken for a word that the language does not have (5 in 100,000, since talks
// quote each other's languages).
const (
	oftenWeight  = 5.7
	commonWeight = 4.4
	knownWeight  = 3.0
)

var vocabularies = [languages]vocabulary{
	english: {
		often: "the of and to a in is that for it we with this on are as be i",
		common: "you our do can by from at have which not or was an so they but their these will also then more has how what " +
			"'s 't 're 've 'm 'll its there one all if about when were been your my",
		known: "he she his her them us who where why while than such some only into over between both each other very " +
			"yes me come due plus because does did had would could should may might must just here now first second two three four five six " +
			"seven eight nine ten eleven twelve no any many most much using used use show shows paper papers authors author " +
			"work thank thanks hello hi everyone today being those however through during before after without within same " +
			"different called since whether out up",
	},
	german: {
		often: "die der und in den das wir ist zu von mit ein eine für dass",
		common: "auf im dem des nicht sich auch sie ich es als an werden aus bei wie sind oder einen einer einem eines hat " +
			"kann wird haben diese dieser dieses durch können nach um so wurde über zum zur unser unsere",
		known: "er ihr ihre ihren ihrer uns du dich mich mir wurden war waren sein seine nur noch mehr aber wenn dann vom " +
			"unter zwischen ohne gegen bis vor hier gibt sehr alle alles man mein meine was wer welche welcher wo warum " +
			"worden diesem diesen beim ob da weil damit sowie daher jedoch zwei drei vier fünf sechs sieben acht neun zehn " +
			"elf zwölf kein keine heute hallo danke vielen dank autoren arbeit verwendet anderen andere unseren unserem " +
			"unserer müssen möchte hatte hatten könnte könnten sollte lassen während einige bereits nun also etwa ihnen sei will am",
	},
	italian: {
		often: "di e che il la un per in a è i le con una del non della",
		common: "si da come sono gli dei nel più al lo delle questo questa abbiamo anche alla nella su dal ma o ha l' dell' " +
			"all' un' d' nell' dall' sull' c' se ci",
		known: "io noi voi loro mi ho hanno siamo essere stato stata stati state degli agli alle dalla dalle dai nei negli " +
			"nelle sul sulla sulle tra fra cui quindi perché quando dove cosa chi molto ogni tutti tutte tutto nostro nostra " +
			"nostri nostre questi queste quello quella può possono viene vengono solo così poi dopo prima senza due tre " +
			"quattro cinque sei sette otto nove dieci undici dodici autori lavoro ciao grazie oggi inoltre mentre invece " +
			"quest' quell' dello sua suo suoi ai qui ecco ad ed era fatto modello modelli",
	},
	french: {
		often: "de la le les et des en un une est que l' d' à du pour dans",
		common: "nous qui sur par pas avec ce cette ces sont au plus il elle ils ne qu' n' s' c' j' on a aux se ou comme mais " +
			"être vous je notre",
		known: "nos leur leurs avons ont peut peuvent aussi très fait été était si bien donc où entre sans sous après avant " +
			"même tout tous toutes chaque deux trois quatre cinq sept huit neuf dix merci bonjour aujourd'hui auteurs " +
			"travail m' t' lorsque dont ainsi cela ceci car moins son sa ses mon ma mes",
	},
	spanish: {
		often: "de la que el en y a los un las una se para con por del es",
		common: "no lo como más al su sus este esta son o pero también ha nos hemos entre sobre estos estas nuestro nuestra " +
			"esto está",
		known: "yo nosotros ustedes ellos muy ser fue han tiene tienen puede pueden cuando donde porque sin hasta desde hay " +
			"cada todo todos todas uno dos tres cuatro cinco seis siete ocho nueve diez gracias hola hoy autores trabajo " +
			"así si ya mi me le les qué cómo cuál mientras además después antes otro otra otros era están",
	},
	portuguese: {
		often:  "de a o que e do da em um para os uma com é as não",
		common: "no na por mais dos das se como ao ou também são foi este esta nós nosso nossa pelo pela à isso",
		known: "eu você eles muito ser ter tem têm pode podem quando onde porque sem até desde cada todo todos todas dois " +
			"três quatro cinco seis sete oito nove dez obrigado olá hoje autores trabalho entre sobre já está estão seu sua " +
			"seus suas num numa mas nos nas foram era há",
	},
	dutch: {
		often: "de het een en van in is dat te op die we voor met zijn",
		common: "niet aan er om ook als maar bij dit deze wordt of door hebben uit kunnen naar ze ik onze over worden kan " +
			"heeft wij",
		known: "zij hij je u hun haar meer dan wat wie waar hoe veel alle elke twee drie vier vijf zes zeven acht negen " +
			"tien bedankt hallo vandaag auteurs werk wel nog geen tussen zonder onder tegen na tot omdat wanneer welke " +
			"zoals zeer moet moeten was waren ons mijn",
	},
	swedish: {
		often: "och att i en det som är på av för med den ett till inte",
		common: "de han hon jag vi om har var så från eller men kan när sig ut också vid upp man under över hans nu sin efter genom " +
			"denna detta mellan blir ska",
		known: "du ni mig dig oss dem där här hur vad vem alla allt mycket mer mot utan innan två tre fyra fem sex sju åtta nio tio " +
			"skulle måste får finns hade varit bara bredvid framför bakom medan sedan går står sitter tack hej idag dessa någon något " +
			"några inga ingen hennes deras vår våra sina sitt säger vill",
	},
	danish: {
		often: "og i at en det er af på til som med for den et ikke",
		common: "de han hun jeg vi om har var så fra eller men kan når sig ud også ved op man under over hans nu sin efter gennem " +
			"denne dette mellem bliver skal",
		known: "du mig dig os dem der hvor hvad hvem alle alt meget mere mod uden før to tre fire fem seks syv otte ni ti skulle må " +
			"får findes havde været bare foran bag mens siden går står sidder tak hej dag disse nogen noget nogle ingen hendes deres " +
			"vores sine sit imens siger vil",
	},
	norwegian: {
		often: "og i å at en det er av på til som med for den et ikke",
		common: "de han hun jeg vi om har var så fra eller men kan når seg ut også ved opp man under over hans nå sin etter gjennom " +
			"denne dette mellom blir skal",
		known: "du meg deg oss dem der hvor hva hvem alle alt mye mer mot uten før to tre fire fem seks sju åtte ni ti skulle må får " +
			"finnes hadde vært bare foran bak mens siden går står sitter takk hei dag disse noen noe ingen hennes deres vår våre sine sitt sier vil " +
			"eg ikkje ein ei eit dei ho frå kva kven korleis meir noko saman vere",
	},
	catalan: {
		often:  "de la el i que a en un una els les per amb és del no",
		common: "al es d' l' s' n' dels als se ha com més però o on si pel pels hi està són aquest aquesta seu seva molt",
		known: "jo tu ell ella nosaltres vosaltres ells elles em et ens us li què qui quan perquè també ja fins des sense sobre entre " +
			"cap tot tota tots totes dos dues tres quatre cinc sis set vuit nou deu avui gràcies hola bon aquests aquestes seus " +
			"seves meu meva meus nostre nostra mentre després abans altre altra altres ser estan fa té tenen pot poden hem han " +
			"aquí allà res algú dona home gos nen nena carrer unes uns diu",
	},
	galician: {
		often:  "de a o que e do da en un unha para os as con é non",
		common: "no na por máis dos das se como ao ou tamén son foi este esta está nos nas ó pola polo seu súa",
		known: "eu ti el ela nós vós eles elas me che lle lles moi ser ter ten teñen pode poden cando onde porque sen ata desde cada " +
			"todo toda todos todas dous dúas tres catro cinco seis sete oito nove dez grazas ola hoxe traballo entre sobre xa están " +
			"seus súas numha nunha nun era había hai isto iso estas estes pero mentres despois antes outro outra outros outras home " +
			"muller nena neno rúa xente di fala ninguén nada algo fai unhas uns cunha cun",
	},
	occitan: {
		often:  "de la lo e que a un una los las per dins amb es en del",
		common: "al se ne pas d' l' s' n' m' dels als o coma mai mas sus son aqueste aquesta qu' pel sa",
		known: "ieu tu el ela nosautres vosautres eles elas quand ont perqué tanben ja fins sens entre tot tota totes totas dos doas tres " +
			"quatre cinc sièis sèt uèch nòu dètz uèi mercé adieu bonjorn aquestes aquestas fòrça après abans autre autra autres fa " +
			"an pòt pòdon avèm òme femna can dròlle carrièra monde res pauc cada ostal ditz davant darrièr i",
	},
	romanian: {
		often:  "și de a în la cu un o pe care nu este că din pentru să",
		common: "şi se mai sunt ca lui ei al ale au era după dar le prin sau fi el ea fost acest această",
		known: "eu tu noi voi ele îi îl mă te ne vă ce cine unde când cum dacă foarte tot toți toate doi două trei patru cinci șase șapte opt " +
			"nouă zece astăzi mulțumesc bună poate pot are avem aceste acești lângă peste până fără între spre sub asupra însă deci " +
			"deoarece apoi înainte alt altă alte lor său sa săi iar unui unei unor bărbat femeie copil câine stradă într-un într-o " +
			"dintr-un merge stă vorbește",
	},
	afrikaans: {
		often:  "die van en in is 'n n het dat nie te op vir met wat hy",
		common: "sy hulle ons jy ek aan om ook as by dit hierdie word was of deur uit kan na sal moet maar daar",
		known: "julle haar hom hul meer dan wie waar hoe baie al elke twee drie vier vyf ses sewe agt nege tien dankie hallo vandag werk nog " +
			"geen tussen sonder onder teen tot omdat wanneer watter so sien praat gaan kom langs voor agter tydens terwyl nou toe dié " +
			"jou my kyk loop sit staan vrou hond kind straat oor",
	},
	czech: {
		often:  "a v se na je to že s z do i o k by si",
		common: "jako ale za pro po od jsou který která které ve ze byl byla bylo jeho jejich u nebo tak",
		known: "já ty on ona my vy oni mě mi ho ji jí nás vás jim co kdo kde kdy jak proč protože když až už jen ještě také velmi všechny " +
			"všichni všechno dva dvě tři čtyři pět šest sedm osm devět deset dnes děkuji ahoj dobrý den může mohou má mají jsme jste být " +
			"před mezi bez pod nad při přes podle jejichž tento tato toto tyto této muž žena pes dítě ulice ulici jde sedí stojí " +
			"mluví jsem bude budou není vedle",
	},
	slovak: {
		often:  "a v sa na je to že s z do i o k by si",
		common: "ako ale za pre po od sú ktorý ktorá ktoré vo zo bol bola bolo jeho ich u alebo tak",
		known: "ja ty on ona my vy oni ma mi ho ju jej nás vás im čo kto kde kedy prečo pretože keď až už len ešte tiež veľmi všetky všetci " +
			"všetko dva dve tri štyri päť šesť sedem osem deväť desať dnes ďakujem ahoj dobrý deň môže môžu má majú sme ste byť pred " +
			"medzi bez pod nad pri cez podľa tento táto toto tieto tejto muž žena pes dieťa ulica ulici ide sedí stojí hovorí som bude " +
			"budú nie vedľa",
	},
	polish: {
		often:  "i w na się z do nie to że jest o a jak po od",
		common: "za ale przez dla są który która które był była było jego ich jej oraz lub przy pod",
		known: "ja ty on ona my wy oni mnie mi go ją nas was im co kto gdzie kiedy dlaczego ponieważ gdy aż już tylko jeszcze także też bardzo " +
			"wszystkie wszyscy wszystko dwa dwie trzy cztery pięć sześć siedem osiem dziewięć dziesięć dziś dziękuję cześć może mogą ma " +
			"mają jesteśmy być przed między bez nad obok ten ta te tego tej tych mężczyzna kobieta pies dziecko ulicy idzie siedzi stoi " +
			"mówi będzie czy we ze",
	},
	slovene: {
		often:  "je in v na da se z za so pa ki ne po s to",
		common: "tudi kot ali bi od do pri ta bil bila bilo njegov njihov iz pod lahko",
		known: "jaz ti on ona mi vi oni me ga jo nas vas jim kaj kdo kje kdaj kako zakaj ker ko že samo še zelo vse vsi dva dve tri štiri pet " +
			"šest sedem osem devet deset danes hvala zdravo dober dan ima imajo smo ste biti pred med brez nad ob čez tega te tej ženska " +
			"moški pes otrok ulici hodi sedi stoji govori sem bo bodo kateri katera ampak toda tem ni niso",
	},
	croatian: {
		often:  "je i u na da se za su od s a ne koji iz to",
		common: "kao ali ili bi do po sa koja koje bio bila bilo njegov njihov kod pod može što",
		known: "ja ti on ona mi vi oni me ga ju nas vas im tko gdje kada kako zašto jer kad već samo još također vrlo sve svi dva dvije tri " +
			"četiri pet šest sedam osam devet deset danas hvala bok dobar dan ima imaju smo ste biti prije između bez nad pored ovaj ova " +
			"ovo ove toga te tome žena muškarac čovjek pas dijete ulici hoda sjedi stoji govori sam će bit tijekom nije nisu nego lijepo " +
			"djeca djece dječak dječaka djevojka djevojke bijeli bijela uvijek ovdje negdje cijeli svijet mjesto vrijeme vlak kruh glazba tjedan stoje sjede",
	},
	serbian: {
		often:  "je i u na da se za su od s a ne koji iz to",
		common: "kao ali ili bi do po sa koja koje bio bila bilo njegov njihov kod pod može šta",
		known: "ja ti on ona mi vi oni me ga ju nas vas im ko gde kada kako zašto jer kad već samo još takođe veoma sve svi dva dve tri " +
			"četiri pet šest sedam osam devet deset danas hvala zdravo dobar dan ima imaju smo ste biti pre između bez nad pored ovaj ova " +
			"ovo ove toga te tome žena muškarac čovek pas dete ulici hoda sedi stoji govori sam će tokom nije nisu nego lepo " +
			"deca dece dečak dečaka devojka devojke beli bela uvek ovde negde ceo svet mesto vreme voz hleb muzika nedelja stoje sede",
	},
	indonesian: {
		often:  "yang dan di ini itu dengan untuk dari ke tidak dalam pada adalah akan ada seorang",
		common: "sebuah juga oleh mereka dia saya kami kita anda atau karena lebih telah bisa sudah bahwa sedang seperti para sebagai",
		known: "apa siapa mana kapan bagaimana mengapa ketika jika maka hanya masih sangat semua satu dua tiga empat lima enam tujuh delapan " +
			"sembilan sepuluh terima kasih halo selamat hari dapat harus antara tanpa bawah atas depan belakang samping dekat pria wanita " +
			"perempuan laki-laki anjing anak jalan duduk berdiri berjalan berbicara mobil tetapi namun lalu kemudian saat tersebut uang " +
			"melihat rumah orang boleh lelaki manakala apabila ialah bila kereta",
	},
	malay: {
		often:  "yang dan di ini itu dengan untuk dari ke tidak dalam pada adalah akan ada seorang",
		common: "sebuah juga oleh mereka dia saya kami kita awak anda atau kerana lebih telah boleh sudah bahawa sedang seperti para sebagai",
		known: "apa siapa mana bila bagaimana mengapa apabila jika maka hanya masih sangat semua satu dua tiga empat lima enam tujuh lapan " +
			"sembilan sepuluh terima kasih helo selamat hari dapat harus antara tanpa bawah atas depan belakang samping dekat lelaki laki-laki wanita " +
			"perempuan anjing anak jalan duduk berdiri berjalan bercakap kereta tetapi namun lalu kemudian semasa tersebut wang ialah " +
			"melihat rumah orang manakala",
	},
}

// The letters of each language other than a to z. A word with a letter that its language lacks is
// foreign, or a name.
var letters = [languages]string{
	english: "éèêëïçñöü", german: "äöüßéàè", italian: "àèéìíòóùúî", french: "àâçéèêëîïôùûüÿœæ", spanish: "áéíñóúü",
	portuguese: "áâãàçéêíóôõúü", dutch: "éèëïöüêáóíú", swedish: "åäöéà", danish: "æøåé", norwegian: "æøåéòôè",
	catalan: "àçèéíïòóúü·", galician: "áéíñóúüï", occitan: "àáçèéíïòóúü", romanian: "ăâîșțşţ", afrikaans: "êëéôûïáöüèîóŉ",
	czech: "áčďéěíňóřšťúůýž", slovak: "áäčďéíĺľňóôŕšťúýž", polish: "ąćęłńóśźż", slovene: "čšž", croatian: "čćđšž", serbian: "čćđšž",
	indonesian: "é", malay: "",
}

// Pairs of languages that share most of their words: one word alone decides nothing.
var pairs = [][2]int{
	{catalan, occitan}, {portuguese, galician}, {spanish, galician}, {dutch, afrikaans}, {czech, slovak},
	{croatian, serbian}, {slovene, croatian}, {slovene, serbian}, {indonesian, malay},
}

func areNear(a, b int) bool {
	return slices.Contains(pairs, [2]int{a, b}) || slices.Contains(pairs, [2]int{b, a})
}

// foreignLetter is what a word with such a letter takes from the score of a language.
const foreignLetter = 2.0

// A vote is the weight of a word for a language.
type vote struct {
	language int
	weight   float64
}

// votes is built when the first text is looked at: most commands read no text.
var votes = sync.OnceValue(func() map[string][]vote {
	table := make(map[string][]vote, 3000)
	for language, v := range vocabularies {
		for words, weight := range map[string]float64{v.often: oftenWeight, v.common: commonWeight, v.known: knownWeight} {
			for _, word := range strings.Fields(words) {
				table[word] = append(table[word], vote{language, weight})
			}
		}
	}
	return table
})

// An ending is the end of words of one language, or of a few. It helps where
// there are few function words, and so has less weight than they have.
type ending struct {
	text    string
	sources []int
}

const endingWeight = 1.5

// English endings are missing on purpose: talks in every language are full of
// English terms.
var endings = []ending{
	{"ung", []int{german}}, {"ungen", []int{german}}, {"keit", []int{german}}, {"heit", []int{german}},
	{"lich", []int{german}}, {"liche", []int{german}}, {"lichen", []int{german}}, {"ische", []int{german}},
	{"ischen", []int{german}}, {"ieren", []int{german}}, {"iert", []int{german}},
	{"zione", []int{italian}}, {"zioni", []int{italian}}, {"mente", []int{italian, spanish, portuguese}},
	{"ità", []int{italian}}, {"aggio", []int{italian}}, {"aggi", []int{italian}},
	{"ción", []int{spanish}}, {"ciones", []int{spanish}}, {"idad", []int{spanish}},
	{"ção", []int{portuguese}}, {"ções", []int{portuguese}}, {"idade", []int{portuguese}},
	{"ement", []int{french}}, {"eux", []int{french}}, {"heid", []int{dutch}}, {"lijk", []int{dutch}}, {"lijke", []int{dutch}},
}
