package langid

import (
	"math"
	"strings"
	"testing"
)

func TestDetect(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"an English sentence", "The speaker shows how the new method works.", "en"},
		{"English without capitals and marks", "hi i'm going to talk about our work on parsing today", "en"},
		{"three English words", "There are five.", "en"},
		{"a German sentence", "Die Sprecherin zeigt, wie das neue Verfahren funktioniert.", "de"},
		{"three German words", "Es sind fünf.", "de"},
		{"an Italian sentence", "La relatrice mostra come funziona il nuovo metodo.", "it"},
		{"Italian with elisions", "L'autrice dell'articolo parla all'inizio dell'idea.", "it"},
		{"a Chinese sentence", "演讲者介绍了一种新的方法。", "zh"},
		{"two Chinese characters", "五位", "zh"},
		{"Spanish is not Italian", "La ponente muestra cómo funciona el nuevo método y por qué es mejor.", "es"},
		{"Portuguese is not Spanish", "A palestrante mostra como o novo método funciona e não usa dados.", "pt"},
		{"French", "La conférencière montre comment la nouvelle méthode fonctionne dans ce cas.", "fr"},
		{"Dutch is not German", "De spreker laat zien hoe de nieuwe methode werkt en wat het kost.", "nl"},
		{"Japanese is not Chinese", "発表者は新しい方法を紹介しています。", "ja"},
		{"Korean", "발표자는 새로운 방법을 소개합니다", "ko"},
		{"Swedish is not Spanish", "En man går genom parken och en hund springer bredvid honom.", "sv"},
		{"words of Swedish and Norwegian alike", "En kvinna sitter på en bänk i parken.", ""},
		{"Danish is not Spanish", "En mand går gennem parken, og en hund løber ved siden af ham.", "da"},
		{"Norwegian is not Danish", "Kvinnen sier at hun ikke vil hjem.", "no"},
		{"Danish is not Norwegian", "Kvinden siger, at hun ikke vil hjem.", "da"},
		{"what both have", "At hun ikke er der.", ""},
		{"short Danish", "En kvinde sidder på en bænk i parken af træ.", "da"},
		{"Norwegian is not Spanish", "En mann går gjennom parken, og en hund løper ved siden av ham.", "no"},
		{"words of Danish and Norwegian alike", "En kvinne er i den.", ""},
		{"a short Spanish sentence", "En la calle hay un perro y una mujer.", "es"},
		{"a short Dutch sentence", "De man en de hond zijn in het park.", "nl"},
		{"a short Portuguese sentence", "Um homem anda pelo parque e um cão corre.", "pt"},
		{"a short Italian sentence", "Un uomo cammina per il parco e un cane corre.", "it"},
		{"a short German sentence", "Der Hund und der Mann sind im Park.", "de"},
		{"a short French sentence", "Un homme et un chien sont dans le parc.", "fr"},
		{"Russian", "Докладчик показывает новый метод", other},

		{"German full of English terms", "Wir haben das Model mit Pretraining und Fine-Tuning auf dem State-of-the-Art-Benchmark evaluiert.", "de"},
		{"Chinese full of English terms", "我们用BERT和RoBERTa做named entity recognition的实验。", "zh"},
		{"Italian full of English terms", "Il modello di deep learning è stato valutato con il transfer learning e il few-shot prompting.", "it"},
		{"a German answer that names an English paper", `Der Titel lautet "What Does It Take to Be the Best of All the Parsers in the World?"`, ""},
		{"a German sentence that quotes an English one", `Sie sagt in dem Vortrag, dass „this is one of the things that we do not know“ ihr Motto ist.`, "de"},
		{"a Chinese sentence that quotes an English one", "论文的标题是“What is the best way to do this in the future”。", "zh"},
		{"a quotation and nothing else", `"This is what we have shown in the talk."`, "en"},

		{"nothing", "", ""},
		{"numbers", "12.5, 13.7 and 99", ""},
		{"names", "Maria Rossi, Peter Schmidt, Li Wei", ""},
		{"an English title", "Words of the World and How to Find Them", ""},
		{"a title in capitals", "THE COST OF THE NEW METHOD IN THE LAB", ""},
		{"an abbreviation and a title", "ALL (For One And All)", ""},
		{"one word", "Translation", ""},
		{"a formula", "e i · e t / || e i ||, l a = b", ""},
		{"addresses", "www.example.com en.example.org the-site.de la.example.it", ""},
		{"a language without a list", "Puhuja esittelee uuden menetelmän tutkimuksessaan", ""},
		{"broken characters", "\ufffd\ufffd\ufffd \xff\xfe", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Detect(c.text)
			if got.Lang != c.want {
				t.Errorf("Detect(%q) = %+v, want %q", c.text, got, c.want)
			}
			if got.Sure < 0 || got.Sure > 1 || (got.Lang == "") != (got.Sure == 0) {
				t.Errorf("Detect(%q) = %+v", c.text, got)
			}
		})
	}
}

// Han characters alone may be Japanese: a few of them are no sure Chinese.
func TestFewHanCharacters(t *testing.T) {
	if g := Detect("東京大学。"); g.Sure > 0.5 {
		t.Errorf("%+v", g)
	}
	if g := Detect("演讲者介绍了一种新的方法。"); g.Lang != "zh" || g.Sure < 0.9 {
		t.Errorf("%+v", g)
	}
}

func TestMix(t *testing.T) {
	english := "This is the first part of the talk and it is in English. "
	german := "Das hier ist der zweite Teil und er ist auf Deutsch, wie man sieht. "
	for _, c := range []struct {
		name, text string
		want       map[string]float64
	}{
		{"one language", english + english, map[string]float64{"en": 1}},
		{"half English, half German", english + german, map[string]float64{"en": 0.48, "de": 0.52}},
		{"a sentence and names", english + "Rossi, Schmidt, Wei.", map[string]float64{"en": 0.8, "": 0.2}},
		{"lines", "这是第一部分的内容，说的是中文。\n" + english, map[string]float64{"zh": 0.4, "en": 0.6}},
		{"no words", "1 2 3 …", map[string]float64{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Mix(c.text)
			if len(got) != len(c.want) {
				t.Fatalf("got %v, want about %v", got, c.want)
			}
			for lang, want := range c.want {
				if math.Abs(got[lang]-want) > 0.05 {
					t.Errorf("%q: got %.3f, want about %.2f", lang, got[lang], want)
				}
			}
		})
	}
}

// Repeating a text changes neither its language nor its shares.
func TestMoreOfTheSame(t *testing.T) {
	const text = "Die Arbeit ist neu. The work is not that new. "
	once, often := Mix(text), Mix(strings.Repeat(text, 500))
	for lang, share := range once {
		if math.Abs(share-often[lang]) > 1e-9 {
			t.Errorf("%s: %v, repeated %v", lang, share, often[lang])
		}
	}
	if a, b := Detect("Das ist die neue Arbeit."), Detect(strings.Repeat("Das ist die neue Arbeit. ", 500)); a.Lang != "de" || b.Lang != "de" {
		t.Errorf("%+v, repeated %+v", a, b)
	}
}

func TestUniqueListWords(t *testing.T) {
	for language, v := range vocabularies {
		seen := make(map[string]bool)
		for word := range strings.FieldsSeq(v.often + " " + v.common + " " + v.known) {
			if seen[word] {
				t.Errorf("%s lists %q twice", tags[language], word)
			}
			seen[word] = true
		}
	}
}

func FuzzDetect(f *testing.F) {
	for _, text := range []string{"", "The work of the group", "l'autore dell'", "“ „ « 《", "\xff\xc3", "a.b.c 'x' ’", "中文 and かな 한글", strings.Repeat("ß", 99)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g := Detect(text)
		if again := Detect(text); again != g {
			t.Errorf("%+v, then %+v", g, again)
		}
		if !(g.Sure >= 0 && g.Sure <= 1) {
			t.Errorf("%+v", g)
		}
		sum := 0.0
		for _, share := range Mix(text) {
			sum += share
		}
		if sum != 0 && math.Abs(sum-1) > 1e-9 {
			t.Errorf("shares add up to %v", sum)
		}
	})
}

var benchTexts = map[string]string{
	"english": strings.Repeat("Today I would like to show you what we have found in our work on the parsing of long sentences. ", 200),
	"german":  strings.Repeat("Heute möchte ich zeigen, was wir in unserer Arbeit über das Zerlegen langer Sätze herausgefunden haben. ", 200),
	"chinese": strings.Repeat("今天我想介绍我们在长句子分析方面的研究成果，以及我们使用的BERT模型。", 200),
}

func BenchmarkDetect(b *testing.B) {
	for name, text := range benchTexts {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Detect(text)
			}
		})
	}
}
