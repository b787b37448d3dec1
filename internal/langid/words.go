package langid

import (
	"strings"
	"sync"
)

// The languages with a word list. Those that are never requested are there as rivals:
// without them Spanish would pass for Italian, Dutch for German and Swedish for Spanish.
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
	languages // how many there are
)

var tags = [languages]string{"en", "de", "it", "fr", "es", "pt", "nl", "sv", "da", "no"}

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
			"finnes hadde vært bare foran bak mens siden går står sitter takk hei dag disse noen noe ingen hennes deres vår våre sine sitt sier vil",
	},
}

// A row is what a word says for each language.
type row [languages]float32

// rows is built when the first text is looked at: most commands look at none.
var rows = sync.OnceValue(func() map[string]*row {
	table := make(map[string]*row, 1500)
	for language, v := range vocabularies {
		for words, weight := range map[string]float32{v.often: oftenWeight, v.common: commonWeight, v.known: knownWeight} {
			for _, word := range strings.Fields(words) {
				if table[word] == nil {
					table[word] = new(row)
				}
				table[word][language] = max(table[word][language], weight)
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
