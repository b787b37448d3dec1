package symptoms

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

const (
	talk = "Good morning, and welcome to my talk about trees. We looked at how they grow in the north, " +
		"and found that they need more light than people have thought so far."
	vortrag = "Guten Morgen und willkommen zu meinem Vortrag über Bäume. Wir haben untersucht, wie sie im Norden wachsen, " +
		"und festgestellt, dass sie mehr Licht brauchen, als man bisher gedacht hat."
	discorso = "Buongiorno e benvenuti alla mia presentazione sugli alberi. Abbiamo studiato come crescono nel nord " +
		"e abbiamo scoperto che hanno bisogno di più luce di quanto si pensava finora."
	yanjiang = "早上好，欢迎来听我关于树木的演讲。我们研究了它们在北方的生长情况，发现它们需要的光比人们以前认为的要多。"
)

// kinds returns what Find finds, in a form that is easy to compare.
func kinds(g Given) string {
	var names []string
	for _, s := range Find(g) {
		names = append(names, string(s.Kind))
	}
	return strings.Join(names, " ")
}

func TestFind(t *testing.T) {
	for _, c := range []struct {
		name  string
		given Given
		want  string
	}{
		{"a transcript", Given{Text: talk, Lang: "en", Task: asr, Reference: talk}, ""},
		{"a German translation", Given{Text: vortrag, Lang: "de", Task: trans, Reference: vortrag}, ""},
		{"an Italian translation", Given{Text: discorso, Lang: "it", Task: trans, Reference: discorso}, ""},
		{"a Chinese translation", Given{Text: yanjiang, Lang: "zh", Task: trans, Reference: yanjiang}, ""},
		{"nothing but the text is known", Given{Text: talk}, ""},

		{"nothing", Given{Lang: "en", Task: asr, Reference: talk}, "empty"},
		{"punctuation only", Given{Text: " … \n", Lang: "de", Task: QA}, "empty"},
		{"broken characters only", Given{Text: "\ufffd\ufffd", Lang: "zh", Task: QA}, "empty"},

		{"English for German", Given{Text: talk, Lang: "de", Task: trans, Reference: vortrag}, "wrong-language"},
		{"English for Italian", Given{Text: talk, Lang: "it", Task: trans, Reference: discorso}, "wrong-language"},
		{"English for Chinese, compared in length", Given{Text: talk, Lang: "zh", Task: trans, Reference: yanjiang}, "wrong-language"},
		{"Chinese for English", Given{Text: yanjiang, Lang: "en", Task: asr, Reference: talk}, "wrong-language"},
		{"Spanish for Italian", Given{Text: "Los árboles necesitan más luz de lo que se pensaba hasta ahora.", Lang: "it", Task: QA}, "wrong-language"},
		{"mostly English", Given{Text: vortrag + " " + talk + " " + talk, Lang: "de", Task: QA}, "wrong-language"},
		{"mostly German", Given{Text: vortrag + " " + vortrag + " " + talk, Lang: "de", Task: QA}, ""},
		{"a name", Given{Text: "Stanford University", Lang: "de", Task: QA}, ""},
		{"the fixed answer of another language", Given{Text: "Not answerable.", Lang: "de", Task: QA}, "wrong-language"},

		{"a third of the talk", Given{Text: "Good morning, and welcome to my talk about trees.", Lang: "en", Task: asr, Reference: talk}, "under-generation"},
		{"a third of the translation", Given{Text: "早上好，欢迎来听我的演讲。", Lang: "zh", Task: trans, Reference: yanjiang}, "under-generation"},
		{"a short answer", Given{Text: "Bäume.", Lang: "de", Task: QA, Reference: vortrag}, ""},
		{"a summary of half the length", Given{Text: "Trees need more light than people have thought, as this talk shows.", Lang: "en", Task: sum, Reference: talk}, ""},
		{"a line for a summary", Given{Text: "It is about trees.", Lang: "en", Task: sum, Reference: talk}, "under-generation"},
		{"a short reference", Given{Text: "Good.", Lang: "en", Task: asr, Reference: "Good morning to all of you."}, ""},
		{"three times the talk", Given{Text: talk + discorso + vortrag, Task: asr, Reference: talk}, "over-generation"},
		{"a transcript for an answer", Given{Text: strings.Repeat(talk+vortrag, 3), Task: QA, Reference: "On trees."}, "over-generation"},
		{"a sentence for a word", Given{Text: "The talk is about trees in the north and how they grow.", Lang: "en", Task: QA, Reference: "Trees."}, ""},

		{"a word over and over", Given{Text: "and then the tree" + strings.Repeat(" grows", 40), Lang: "en", Task: QA}, "repetition"},
		{"a sentence over and over", Given{Text: strings.Repeat(vortrag+" ", 5), Lang: "de", Task: sum}, "repetition"},
		{"a numbered list over and over", Given{Text: "1. Licht\n2. Licht\n3. Licht\n4. Licht\n5. Licht\n6. Licht\n7. Licht\n8. Licht\n9. Licht\n10. Licht\n11. Licht\n12. Licht\n13. Licht", Lang: "de", Task: QA}, "repetition"},
		{"a character over and over", Given{Text: strings.Repeat("树", 100), Lang: "zh", Task: QA}, "repetition"},
		{"a phrase over and over", Given{Text: "树木" + strings.Repeat("需要光，", 30), Lang: "zh", Task: QA}, "repetition"},
		{"a table that never ends", Given{Text: "| Licht |" + strings.Repeat(" ", 5000), Lang: "de", Task: trans}, "repetition"},
		{"a rule across the page", Given{Text: talk + strings.Repeat("-", 120), Lang: "en", Task: asr}, ""},
		{"a stutter", Given{Text: "No no no no, the the the the tree is is is is tall. " + talk, Lang: "en", Task: asr}, ""},
		{"a table of numbers", Given{Text: strings.Repeat("12.5 13.75 9 18 44 17.1 3 ", 3) + "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18", Lang: "en", Task: asr}, ""},
		{"a list of labels", Given{Text: "T1, T2, T3, T4, T5, T6, T7, T8, T9, T10, T11, T12, T13, T14, T15, T16, T17, T18, T19, T20, T21, T22, T23, T24, T25", Lang: "en", Task: QA}, ""},

		{"an answer for a question without one", Given{Text: "Nicht zu beantworten.", Lang: "de", Task: QA, Reference: "Nicht zu beantworten."}, ""},
		{"no answer for a question with one", Given{Text: "Nicht zu beantworten", Lang: "de", Task: QA, Reference: "Licht."}, "fixed-answer"},

		{"an announcement", Given{Text: "Hier ist die Übersetzung ins Deutsche:\n\n" + vortrag, Lang: "de", Task: trans}, "chatter"},
		{"a willing announcement", Given{Text: "Certo! Ecco la traduzione in italiano: " + discorso, Lang: "it", Task: trans}, "chatter"},
		{"a Chinese announcement", Given{Text: "好的，以下是中文翻译：" + yanjiang, Lang: "zh", Task: trans}, "chatter"},
		{"a label", Given{Text: "The English content is: " + talk, Lang: "en", Task: asr}, "chatter"},
		{"an offer", Given{Text: "Licht. Wenn du noch weitere Fragen hast, lass es mich wissen.", Lang: "de", Task: QA}, "chatter"},
		{"a Chinese offer", Given{Text: "光。如果还有其他问题，欢迎随时问我。", Lang: "zh", Task: QA}, "chatter"},
		{"a speaker who invites questions", Given{Text: talk + " If you have any questions, feel free to ask me at the poster.", Lang: "en", Task: asr}, ""},
		{"an assistant who invites interest", Given{Text: "More light. If you want to know more about trees, feel free to ask.", Lang: "en", Task: QA}, "chatter"},
		{"a speaker who invites interest", Given{Text: vortrag + " Wenn Sie noch Fragen haben, fragen Sie mich.", Lang: "de", Task: trans}, ""},
		{"an Italian label", Given{Text: "La traduzione dell'audio è: " + discorso, Lang: "it", Task: trans}, "chatter"},
		{"a speaker who shows a translation", Given{Text: "Here is an example of a translation: the tree. " + talk, Lang: "en", Task: asr}, ""},
		{"a speaker who announces", Given{Text: "Here is the answer: more light. " + talk, Lang: "en", Task: asr}, ""},

		{"thinking aloud", Given{Text: "THINK:\nThe user wants me to translate. " + vortrag, Lang: "de", Task: trans}, "thinking"},
		{"thinking in tags", Given{Text: "<think>Trees, so light.</think> Light.", Lang: "en", Task: QA}, "thinking"},
		{"a speaker who thinks", Given{Text: "I think the user wants more light, so I think step by step. " + talk, Lang: "en", Task: asr}, ""},
		{"the prompt and an answer", Given{Text: "“Übersetze den Text ins Deutsche.” " + vortrag, Lang: "de", Task: trans, Prompt: "Übersetze den Text ins Deutsche."}, "prompt-echo"},
		{"times", Given{Text: "00:00\nGuten Morgen.\n[0:14] Bäume\n1:02:33 - Licht", Lang: "de", Task: trans}, "timestamps"},
		{"numbers with colons", Given{Text: "12:5\n12:300\n3:2:1:45", Lang: "de", Task: trans}, ""},
		{"times in an answer", Given{Text: "10:15", Lang: "de", Task: QA}, ""},
		{"broken characters", Given{Text: yanjiang + "\ufffd\ufffd", Lang: "zh", Task: trans}, "replacement-characters"},
		{"broken bytes", Given{Text: "Licht \xff und B\xe4ume", Lang: "de", Task: QA}, "replacement-characters"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := kinds(c.given); got != c.want {
				t.Errorf("got %q, want %q: %+v", got, c.want, Find(c.given))
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		text, lang, task string
		want             bool
	}{
		{"I'm sorry, but I can't assist with that.", "en", QA, true},
		{"I’m sorry, but I cannot provide a transcription of the audio.", "en", asr, true},
		{"As an AI language model, I am unable to listen to recordings.", "en", asr, true},
		{"I cannot access the video.", "en", sum, true},
		{"Es tut mir leid, aber ich kann das Video nicht ansehen.", "de", sum, true},
		{"Ich kann leider keine Übersetzung anfertigen, weil ich den Ton nicht verarbeiten kann.", "de", trans, true},
		{"Als KI-Modell habe ich keinen Zugriff auf Dateien.", "de", QA, true},
		{"I'm sorry, I don't have access to your paper.", "en", asr, true},
		{"Mi dispiace, ma non posso aiutarti con questa richiesta.", "it", QA, true},
		{"Non sono in grado di ascoltare l'audio.", "it", trans, true},
		{"抱歉，我无法翻译这段内容。", "zh", trans, true},
		{"作为一个AI语言模型，我无法观看视频。", "zh", sum, true},

		{"Not answerable.", "en", QA, false},
		{"Nicht zu beantworten.", "de", QA, false},
		{"Non è possibile rispondere.", "it", QA, false},
		{"无法回答。", "zh", QA, false},
		{"I'm sorry, the text does not mention the authors.", "en", QA, false},
		{"抱歉，我无法从内容中找到作者的信息。", "zh", QA, false},
		{"Leider steht im Text nichts über die Sprachen.", "de", QA, false},
		{"Sorry, the slide is a bit dark. " + talk, "en", asr, false},
		{"I'm sorry I can't be there. " + talk, "en", asr, false},
		{"I don't have access to light, said the tree.", "en", asr, false},
		{"I cannot stress this enough, light helps trees.", "en", asr, false},
		{"Als Kinder sagten wir: Ich kann dir nicht helfen.", "de", trans, false},
		{"Ich kann Ihnen zeigen, wie man Texte übersetzt.", "de", trans, false},
		{"我们无法处理所有的树。", "zh", trans, false},
		{"Sorry, I can't help it. " + strings.Repeat(talk+" ", 4), "en", asr, false},
	} {
		got := slices.Contains(strings.Fields(kinds(Given{Text: c.text, Lang: c.lang, Task: c.task})), string(Refusal))
		if got != c.want {
			t.Errorf("%q (%s): refusal is %t", c.text, c.task, got)
		}
	}
}

func TestSymptomAmount(t *testing.T) {
	got := Find(Given{Text: "Good morning, and welcome.", Lang: "en", Task: asr, Reference: talk})
	want := []Symptom{{UnderGeneration, 4. / 31, 0.5, "4 words, 31 in the reference"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	got = Find(Given{Text: "Tall " + strings.Repeat("trees grow, ", 20), Lang: "en"})
	want = []Symptom{{Repetition, 40. / 41, 0.2, `20 times "trees grow,"`}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestLength(t *testing.T) {
	for text, want := range map[string]float64{
		"":                            0,
		"It's a well-known tree.":     4,
		"Bäume – 2,5 Meter":           3,
		"树木需要光":                       5 / charactersPerWord,
		"用BERT，做学":                    1 + 3/charactersPerWord,
		"“Licht”，und Luft … \ufffd !": 3,
	} {
		if got := length(text); got != want {
			t.Errorf("%q has %v, want %v", text, got, want)
		}
	}
}

func TestKindsListed(t *testing.T) {
	seen := make(map[Kind]bool)
	for _, k := range Kinds {
		if seen[k.Kind] || k.Kind == "" || k.Meaning == "" || k.Rule == "" || strings.Contains(k.Rule, "%!") {
			t.Errorf("%+v", k)
		}
		seen[k.Kind] = true
	}
}

func ExampleFind() {
	for _, s := range Find(Given{
		Text: "The speaker's name is Myra. If you have any other questions, feel free to ask.",
		Lang: "de",
		Task: QA,
	}) {
		fmt.Printf("%s %.1f: %s\n", s.Kind, s.Value, s.Evidence)
	}
	// Output:
	// wrong-language 1.0: en: "The speaker's name is Myra. If you have any other questions, feel free to…"
	// chatter 1.0: "any other questions, feel free to ask."
}

func FuzzFind(f *testing.F) {
	for _, text := range []string{"", talk, yanjiang, "“ \xff\xc3", "00:00", "抱歉，我无法", "<think>", strings.Repeat("a1 ", 60), "I'm sorry, i can't"} {
		f.Add(text, "de", QA, vortrag, "Übersetze den Text")
		f.Add(text, "zh", asr, "", "")
	}
	f.Fuzz(func(t *testing.T, text, lang, task, reference, prompt string) {
		g := Given{Text: text, Lang: lang, Task: task, Reference: reference, Prompt: prompt}
		found := Find(g)
		if again := Find(g); !reflect.DeepEqual(found, again) {
			t.Errorf("%+v, then %+v", found, again)
		}
		for _, s := range found {
			if s.Value != s.Value || s.Value < 0 || len(s.Evidence) > 1000 || strings.ContainsAny(s.Evidence, "\n\r") {
				t.Errorf("%+v", s)
			}
		}
	})
}
