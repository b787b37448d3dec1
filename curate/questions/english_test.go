package questions

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"omniscope/bench/mcif/talkqa"
	"omniscope/internal/testing/fixture"
)

// about is a draft with one question that rests on what is heard, and on what is seen where that is not "".
func about(t *testing.T, heard, seen, question, answer string) *Draft {
	t.Helper()
	talk, _ := json.Marshal(object{"id": "x", "video": "x.mp4", "abstract": "We measure 777 things.", "lines": []object{{"source": heard, "start": 0, "end": 9}}})
	files := map[string]string{"talks.jsonl": string(talk)}
	q := draftQuestion{Number: 1, Origin: talkqa.Transcript, Text: question, Answer: answer, Label: "A", From: []string{"T1"}}
	path := ""
	if seen != "" {
		line, _ := json.Marshal(object{"talk": "x", "text": seen, "start": 0, "end": 9})
		files["seen.jsonl"] = string(line)
		q.Label, q.From = "AV", []string{"T1", "S1"}
	}
	dir := written(t, files)
	if seen != "" {
		path = filepath.Join(dir, "seen.jsonl")
	}
	talks, err := ReadTalks(t.Context(), filepath.Join(dir, "talks.jsonl"), path)
	fixture.OK(t, err)
	return &Draft{Talk: talks.All[0], Questions: []draftQuestion{q}}
}

func checksOf(d *Draft) (names []string) {
	for _, f := range Check(d) {
		names = append(names, f.Check)
	}
	return names
}

// TestWordsOfEnglish has questions and answers by what is found in them: what looks like a fault and is none, and faults in other words.
func TestWordsOfEnglish(t *testing.T) {
	const heard = "We work on this, and it was of use to them, as the transcribed and captioned files with one passage each show."
	const text, answer = "What do they do?", "They work on it all the time."
	for _, c := range []struct{ question, answer, want string }{
		{text, answer, ""},
		{"How many passages are retrieved?", answer, ""},
		{"How do captions help?", answer, ""},
		{"What do the captions say?", answer, ""}, // the files are captioned
		{"What do the transcripts hold?", answer, ""},
		{"What is the transcript for?", answer, ""},
		{"How does the abstract meaning representation help?", answer, ""},
		{"How are job descriptions found?", answer, ""},
		{"How many observations are made?", answer, ""},
		{"How does the text encoder work?", answer, ""},
		{"What happens after the second stage?", answer, ""},
		{"What is proposed by the second author?", answer, ""},
		{"What happens to clips of 30 seconds in length?", answer, ""},
		{"What is an 80:20 split good for?", answer, ""},
		{"What happens in the first two minutes after it?", answer, ""},
		{text, "They found that phase 2 after that was of use.", ""},
		{text, "They used type 2 diabetes.", ""},
		{text, "They work at 2 seconds of latency.", ""},
		{text, "The rank of 8 was used.", ""},
		{text, "They use a scale from 1 to 5 for it.", ""},
		{"Who speaks?", "Ada speaks.", ""},
		{text, "They call it “of use”", ""},
		{text, "They work (as they always do)", ""},
		{"Is the gain larger for German or for Chinese?", "The gain is larger for German.", ""},
		{"Where is it read, on phones or on the big screen?", "It is read on phones.", ""},
		{"In which way, if any, is it used?", answer, ""},
		{"What could be said of use?", answer, ""},

		{"Isn't it of use?", answer, "closed"},
		{"Doesn’t it help?", answer, "closed"},
		{"Can't it help?", answer, "closed"},
		{"Must one wait?", answer, "closed"},
		{"Shall we wait?", answer, "closed"},
		{"In the experiments, did it help?", answer, "closed"},
		{"Does it need more than two or three days?", answer, "closed"},
		{"Has it been tested on one corpus or more?", answer, "closed"},
		{"According to the description, what helps?", answer, "source"},
		{"Which problem does line T4 mention?", answer, "source"},
		{"What does the text say of work?", answer, "source"},
		{"What is in the document?", answer, "source"},
		{"What is told in the provided context?", answer, "source"},
		{"What do the subtitles show?", answer, "source"},
		{"What is told in the first minute?", answer, "time"},
		{"What is told two minutes into the talk?", answer, "time"},
		{"What is told at the start of the talk?", answer, "time"},
		{"What is told near the end of the recording?", answer, "time"},
		{"What is told at timestamp 75 seconds?", answer, "time"},
		{"What is told in the 3rd minute?", answer, "time"},
		{"What is told between 3 min 20 s and 4 min?", answer, "time"},
		{text, "The answer is not given in the talk.", "answer"},
		{text, "The speaker does not say it.", "answer"},
		{"How many are there?", "There were 7.", "numeral"},
		{"How many are there?", "There are 3 other groups.", "numeral"},
		{"Which encoder, wav2vec 2.0, is used?", "They use wav2vec as encoder.", "giveaway"},
		{"Why does the segmentation, which is too fine, hurt?", "It hurts because they are segmented too finely.", "giveaway"},
		{"What is the name of the threshold alpha?", "The threshold is called alpha.", "giveaway"},
		{"Explain why they do it?", answer, "form"},
		{"Who did it, and why?", answer, "form"},
		{"?", answer, "form"},
		{" ", answer, "form"},
	} {
		d := about(t, heard, "", c.question, c.answer)
		got := checksOf(d)
		got = slices.DeleteFunc(got, func(name string) bool { return name == "number" })
		if c.want == "" && len(got) > 0 || c.want != "" && !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s %s: %q, want %q", c.question, c.answer, got, c.want)
		}
	}
}

// TestOtherLanguages: checks that know the words of English leave other languages alone, and the others know their marks.
func TestOtherLanguages(t *testing.T) {
	const german = "Wir haben das Modell auf zwei Grafikkarten trainiert, und es hat nicht lange gedauert, weil die Daten sehr klein sind."
	const chinese = "我们在两个数据集上训练了这个模型，结果表明它比以前的方法好得多，而且训练时间也不长。"
	for _, c := range []struct{ heard, question, answer, want string }{
		{german, "Hat das Modell 2 Grafikkarten oder mehr?", "Es hat 2 Grafikkarten.", ""},
		{german, "Was ist das Modell?", "Es ist „sehr klein“", ""},
		{german, "Was ist das Modell.", "Es ist sehr klein.", "form"},
		{german, "Was ist das Modell?", "Es ist sehr klein", "answer"},
		{chinese, "这个模型在几个数据集上训练？", "在两个数据集上。", ""},
		{chinese, "这个模型在几个数据集上训练", "在两个数据集上。", "form"},
		{chinese, "这个模型在几个数据集上训练？", "在两个数据集上", "answer"},
	} {
		got := checksOf(about(t, c.heard, "", c.question, c.answer))
		if c.want == "" && len(got) > 0 || c.want != "" && !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s %s: %q, want %q", c.question, c.answer, got, c.want)
		}
	}
}

// TestNumbers: a number is the same however it is spelled.
func TestNumbers(t *testing.T) {
	for _, c := range []struct{ heard, seen, answer, want string }{
		{"It has seventy billion of them.", "", "It has 70B of them.", ""},
		{"It has 70B of them.", "", "It has seventy billion of them.", ""},
		{"We saw twenty three thousand of them.", "", "They saw 23K of them.", ""},
		{"We saw 23k of them.", "", "They saw 23,000 of them.", ""},
		{"We saw one point two million of them.", "", "They saw 1.2M of them.", ""},
		{"We saw 1 024 of them.", "", "They saw 1,024 of them.", ""},
		{"We saw 1024 of them.", "", "They saw 1\u202f024 of them.", ""},
		{"The value is p <0.05 for all.", "", "The value of p is below 0.05 there.", ""},
		{"It fell to 41.7 there.", "", "It fell to 41.7 percent there.", ""},
		{"It costs 50 dollars.", "", "It costs $50 there.", ""},
		{"It reached 71.2 percent.", "", "It reached 71 percent there.", ""},
		{"We had twenty five, thirty and thirty five of them.", "", "They had 25, 30 and 35 of them.", ""},
		{"A fifth of them did.", "", "About 20% of them did.", ""},
		{"It was in the nineteenth year.", "", "It was in the 19th year.", ""},
		{"We asked Ada, Ben and Cas.", "", "They asked three people.", ""},
		{"Four models ran.", "", "Two models ran well.", ""},
		{"It is 1.8 points more.", "A plot; at 2 s it is at 25.3.", "It is 1.8 points more.", ""},
		{"It reached sixty two percent.", "62 % A, 27 % B.", "It reached 62 percent.", ""},

		{"It reached 58 percent.", "", "It reached 71 percent there.", "number"},
		{"It reached 71 percent.", "", "It reached 71.2 percent there.", "number"},
		{"It has 480 hours.", "", "It has (as they say) 408 hours.", "number"},
		{"It has 480 hours.", "", "It has much (408) of it.", "number"},
		{"It has some hours.", "", "It has 777 of them.", "number"}, // the abstract alone has it
		{"We asked seven interpreters.", "", "They asked nine interpreters.", "number"},
		{"It ran on four GPUs for about three days.", "", "It ran for five days.", "number"},
		{"It reached sixty two percent.", "62 % A, 27 % B.", "It reached 27 percent.", "number"},
	} {
		got := checksOf(about(t, c.heard, c.seen, "What came of it?", c.answer))
		if c.want == "" && len(got) > 0 || c.want != "" && !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s %s %s: %q, want %q", c.heard, c.seen, c.answer, got, c.want)
		}
	}
}
