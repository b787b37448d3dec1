package questions

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope/bench/mcif/talkqa"
	"omniscope/internal/testing/fixture"
)

// aTalk is an invented talk with an abstract, twelve spoken lines of 20 s and four slides.
const aTalk = `{"id": "sheep", "video": "VIDEO/sheep.mp4", "abstract": "We count sheep in photographs. Three farms took part.", "lines": [
 {"source": "Hello, I am Ada Meadow.", "start": 0, "end": 20},
 {"source": "This is work of four authors at Fold University.", "start": 20, "end": 40},
 {"source": "We counted twenty three thousand sheep on three farms.", "start": 40, "end": 60},
 {"source": "Our model reads the transcript of the shepherd's calls.", "start": 60, "end": 80},
 {"source": "It is trained for two days on a laptop.", "start": 80, "end": 100},
 {"source": "White sheep are found more often than black ones.", "start": 100, "end": 120},
 {"source": "The reason is snow, which hides nothing that is black.", "start": 120, "end": 140},
 {"source": "Goats were left out.", "start": 140, "end": 160},
 {"source": "The error fell to 4.5 percent.", "start": 160, "end": 180},
 {"source": "Table 3 in our paper shows the details.", "start": 180, "end": 200},
 {"source": "We thank the village of Woolham.", "start": 200, "end": 220},
 {"source": "Next we will count cows.", "start": 220, "end": 240}]}`

const aTalksSlides = `{"talk": "sheep", "text": "A title slide: Counting sheep, by Ada Meadow, Fold University; three names more.", "start": 0, "end": 40}
{"talk": "sheep", "text": "A slide reads: 23,000 sheep, 3 farms.", "start": 40, "end": 60}
{"talk": "sheep", "text": "A chart with a red and a blue line; the red line ends at 4.5 %.", "start": 160, "end": 200}
{"talk": "sheep", "text": "The last slide shows a cow in a hat.", "start": 220, "end": 240}
`

// written writes files to a new folder, each in one line or as it is.
func written(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		fixture.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
		fixture.OK(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return dir
}

// theTalk is aTalk, with its slides or without.
func theTalk(t *testing.T, slides bool) *Talk {
	t.Helper()
	dir := written(t, map[string]string{"talks.jsonl": oneLine(aTalk) + "\n", "seen.jsonl": aTalksSlides})
	seen := ""
	if slides {
		seen = filepath.Join(dir, "seen.jsonl")
	}
	talks, err := ReadTalks(t.Context(), filepath.Join(dir, "talks.jsonl"), seen)
	fixture.OK(t, err)
	return talks.All[0]
}

// sound is a draft about aTalk in which nothing is wrong.
func sound(t *testing.T) *Draft {
	t.Helper()
	d := &Draft{Talk: theTalk(t, true)}
	for _, q := range []draftQuestion{
		{Origin: talkqa.General, Text: talkqa.GeneralQuestions[0], Answer: "The speaker's name is Ada Meadow.", Label: "AV", From: []string{"T1", "S1"}},
		{Origin: talkqa.General, Text: talkqa.GeneralQuestions[1], Answer: "The paper has four authors.", Label: "AV", From: []string{"T2", "S1"}},
		{Origin: talkqa.General, Text: talkqa.GeneralQuestions[2], Answer: "They are all at Fold University.", Label: "AV", From: []string{"T2", "S1"}},
		{Origin: talkqa.Abstract, Text: "How many sheep were counted?", Answer: "They counted 23,000 sheep.", Label: "AV", From: []string{"T3", "S2"}},
		{Origin: talkqa.Abstract, Text: "How many farms took part?", Answer: "There were three of them.", Label: "AV", From: []string{"T3", "S2"}},
		{Origin: talkqa.Abstract, Text: "What do the photographs cost?", Label: "NA", From: []string{}},
		{Origin: talkqa.Transcript, Text: "How long does the training take?", Answer: "It needs two days on a laptop.", Label: "A", From: []string{"T5"}},
		{Origin: talkqa.Transcript, Text: "Which animals were left out?", Answer: "Goats were left out.", Label: "A", From: []string{"T8"}},
		{Origin: talkqa.Transcript, Text: "What does the cow on the last slide wear?", Answer: "It wears a hat.", Label: "V", From: []string{"S4"}},
		{Origin: talkqa.Transcript, Text: "Which colours do the lines of the chart have?", Answer: "One is red and the other is blue.", Label: "V", From: []string{"S3"}},
	} {
		q.Number = len(d.Questions) + 1
		d.Questions = append(d.Questions, q)
	}
	return d
}

// change changes the question with a number.
func change(d *Draft, number int, how func(q *draftQuestion)) *Draft {
	how(d.find(number))
	return d
}

func TestSoundQuestionsHaveNoFindings(t *testing.T) {
	d := sound(t)
	if found := Check(d); len(found) > 0 {
		t.Errorf("found: %v", found)
	}
	if short, _ := d.Short(); len(short) > 0 {
		t.Errorf("too few: %v", short)
	}
	if again := Check(change(sound(t), 7, func(q *draftQuestion) { q.From = nil })); len(again) > 0 { // as people write them
		t.Errorf("without passages: %v", again)
	}
	// What looks like a fault and is none.
	for name, how := range map[string]func(q *draftQuestion){
		"the talk is about a transcript": func(q *draftQuestion) {
			q.Text, q.Answer, q.From = "What does the model read?", "It reads a transcript of the calls.", []string{"T4"}
		},
		"a table has a number":       func(q *draftQuestion) { q.Answer, q.From = "The details are in Table 3 of the paper.", []string{"T10"} },
		"a measure has a number":     func(q *draftQuestion) { q.Answer, q.From = "The error fell to 4.5 percent.", []string{"T9"} },
		"a number is spelled out":    func(q *draftQuestion) { q.Answer, q.From = "They saw 23 thousand sheep in all.", []string{"T3"} },
		"a choice is no yes or no":   func(q *draftQuestion) { q.Text = "Is a laptop or a cluster used?" },
		"a general word of time":     func(q *draftQuestion) { q.Text = "What is used at the same time for training?" },
		"a number that counts names": func(q *draftQuestion) { q.Answer = "It needs two days and three people." },
		"a proper name with numbers": func(q *draftQuestion) { q.Answer = "It needs Windows 3 only." },
	} {
		if found := Check(change(sound(t), 7, how)); len(found) > 0 {
			t.Errorf("%s: %v", name, found)
		}
	}
}

// TestEachCheckFindsItsFaults plants one fault in one question, in several ways for each check. It has to be found there, and
// nothing else.
func TestEachCheckFindsItsFaults(t *testing.T) {
	faults := map[string][]func(q *draftQuestion){
		"form": {
			func(q *draftQuestion) { q.Text = "How long does the training take." },
			func(q *draftQuestion) { q.Text = "Tell how long the training takes" },
			func(q *draftQuestion) { q.Text = "?" },
		},
		"twice": {
			func(q *draftQuestion) { q.Text = "How many sheep were counted?" },
			func(q *draftQuestion) { q.Text = "how many SHEEP were counted ?" },
		},
		"closed": {
			func(q *draftQuestion) { q.Text = "Is the model slow in training?" },
			func(q *draftQuestion) { q.Text = "Does it need a cluster?" },
			func(q *draftQuestion) { q.Text = "Can one train it at home?" },
		},
		"source": {
			func(q *draftQuestion) { q.Text = "How long does training take, says the abstract?" },
			func(q *draftQuestion) { q.Answer = "The transcript says that it needs two days." },
			func(q *draftQuestion) { q.Answer = "It needs two days in these passages." },
		},
		"time": {
			func(q *draftQuestion) { q.Text = "What is trained at 1:20?" },
			func(q *draftQuestion) { q.Text = "What is trained at minute 2?" },
			func(q *draftQuestion) { q.Text = "What does she say in the first thirty seconds?" },
		},
		"answer": {
			func(q *draftQuestion) { q.Answer = "" },
			func(q *draftQuestion) { q.Answer = "Two days" },
			func(q *draftQuestion) { q.Answer = "It needs two days on a laptop" },
			func(q *draftQuestion) { q.Label, q.From = "NA", []string{} },
		},
		"numeral": {
			func(q *draftQuestion) { q.Answer = "It needs 2 days on a laptop." },
			func(q *draftQuestion) { q.Answer = "Training took them 12 hours." },
		},
		"giveaway": {
			func(q *draftQuestion) {
				q.Text = "Which laptop needs two days of training?"
				q.Answer = "A laptop needs two days."
			},
			func(q *draftQuestion) {
				q.Text = "What is a laptop used for in training, two days long?"
				q.Answer = "It is used for training."
			},
		},
		"label": {
			func(q *draftQuestion) { q.From = []string{} },
			func(q *draftQuestion) { q.From = []string{"P1"} },
			func(q *draftQuestion) { q.From = []string{"T5", "S2"} },
			func(q *draftQuestion) { q.Label = "V" },
			func(q *draftQuestion) { q.Label = "AV" },
			func(q *draftQuestion) { q.Label, q.Answer = "NA", "" },
		},
		"number": {
			func(q *draftQuestion) { q.Answer = "It needs 48 hours on a laptop." },
			func(q *draftQuestion) { q.Answer = "It needs two days and forty laptops." },
		},
		"span": {
			func(q *draftQuestion) { q.From = []string{"T1", "T12"} },
			func(q *draftQuestion) { q.From = []string{"T5", "T10"} },
		},
	}
	planted := 0
	for check, ways := range faults {
		for i, how := range ways {
			planted++
			found := Check(change(sound(t), 7, how))
			if len(found) != 1 || found[0].Check != check || found[0].Number != 7 {
				t.Errorf("%s, way %d: found %v", check, i+1, found)
			}
		}
	}
	for _, c := range checks {
		if c.find != nil && len(faults[c.Name]) < 2 {
			t.Errorf("%s is not tested in several ways", c.Name)
		}
	}
	t.Logf("%d faults planted", planted)
}

func TestShortNamesWhatIsMissing(t *testing.T) {
	d := sound(t)
	d.Questions = d.Questions[:8]
	if got, want := fmt.Sprint(d.Short()), "[2 from the transcript, not 4 0 V, not 2] 4"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	blind := sound(t)
	blind.Talk = theTalk(t, false)
	for i := range blind.Questions {
		if blind.Questions[i].Label == talkqa.Either {
			blind.Questions[i].Label = talkqa.Heard
		}
	}
	blind.Questions = slices.DeleteFunc(blind.Questions, func(q draftQuestion) bool { return q.Label == talkqa.Seen })
	if got, want := fmt.Sprint(blind.Short()), "[2 from the transcript, not 4] 2"; got != want {
		t.Errorf("without pictures: %s, want %s", got, want)
	}
}

// TestGeneralQuestionsGiveNothingAway: they are asked of each talk, whatever its answer.
func TestGeneralQuestionsGiveNothingAway(t *testing.T) {
	d := sound(t)
	change(d, 2, func(q *draftQuestion) { q.Answer = "The paper has many authors." })
	if found := Check(d); len(found) > 0 {
		t.Errorf("found %v", found)
	}
	if change(d, 2, func(q *draftQuestion) { q.Origin = talkqa.Transcript }); len(Check(d)) != 1 {
		t.Errorf("of another origin: found %v", Check(d))
	}
}

// TestAbstractIsNoEvidence: a number that the abstract alone has stands in none of the passages, even where a question names it.
func TestAbstractIsNoEvidence(t *testing.T) {
	d := about(t, "We measure many of them.", "", "What came of it?", "They measure 777 of them.")
	d.Questions[0].From = []string{"P1", "T1"}
	if got := checksOf(d); !slices.Equal(got, []string{"number"}) {
		t.Errorf("found %q", got)
	}
}

// TestLinesComeBeforeTheTranscript: a talk with lines has its text there; a transcript beside them says it again.
func TestLinesComeBeforeTheTranscript(t *testing.T) {
	const lines = `"lines": [{"source": "One line."}], `
	const talk = `{"id": "x", "video": "x.mp4", "abstract": "y", ` + lines + `"transcript": "One sentence. And another."}`
	for text, want := range map[string]string{talk: "T1: One line.", strings.Replace(talk, lines, "", 1): "T1: One sentence.\nT2: And another."} {
		read, err := readTalk([]byte(text))
		if err != nil || read.text(speech) != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
