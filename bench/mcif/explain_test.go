package mcif

import (
	"fmt"
	"strings"
	"testing"

	"omniscope/bench"
	"omniscope/bench/mcif/mcifxml"
	"omniscope/internal/testing/fixture"
)

func TestUnitRecords(t *testing.T) {
	refs := changed(german, answerTo("t2_1", "7", "fehlt"), summaryOf("t2", "8", "kurz"))
	in := bench.Inputs{Predictions: outputFile(t, "long", "de", with(but(sagend, "2", ""), "8", "kurz")...), Data: referenceFile(t, "long", "de", refs...)}
	e, _ := scored(t, Benchmark{Track: "long", Lang: "de", Input: "mllm", Scorers: lengths()}, in)
	// Nothing of official: it stops.
	for iid, want := range map[string]string{
		"TRANS_t1": `{"unit":"TRANS_t1","task":"TRANS","name":"AVT","talk":"t1","sample_ids":["3"],"outcome":"ok","official":{},"strict":{"comet_sum":2,"lines":2},"comet":1,"hypothesis":["eins zwei","drei"]}`,
		"QA_t1_1":  `{"unit":"QA_t1_1","task":"QA","name":"AVQA","talk":"t1","sample_ids":["1"],"outcome":"ok","official":{},"strict":{"answer_sum":1,"answers":1},"bertscore":1,"qa_type":"AV","qa_origin":"General"}`,
		"QA_t2_1":  `{"unit":"QA_t2_1","task":"QA","name":"AVQA","talk":"t2","sample_ids":["7"],"outcome":"missing","missing":["7"],"official":{},"strict":{"unscored_answers":1},"qa_type":"AV","qa_origin":"General"}`,
		"SUM_t2":   `{"unit":"SUM_t2","task":"SUM","name":"AVSUM","talk":"t2","sample_ids":["8"],"outcome":"ok","official":{},"strict":{"summaries":1,"summary_sum":1},"bertscore":1}`,
		"SUM_t1":   `{"unit":"SUM_t1","task":"SUM","name":"AVSUM","talk":"t1","sample_ids":["2"],"outcome":"abstained","official":{},"strict":{"unscored_summaries":1},"symptoms":[{"sample":"2","kind":"empty",`,
	} {
		u := e.unitNamed(t, iid)
		line := fixture.JSON(u.record(e, newCounts(), e.strictCounts(u)))
		if !strings.HasPrefix(line, want) {
			t.Errorf("got %s\nwant %s", line, want)
		}
	}
}

func TestTasksAndWorstTalksListed(t *testing.T) {
	refs, out := only(english, qa, sum), but(saying, "1", "")
	for i := range 12 {
		talk, id := fmt.Sprintf("t%02d", i), fmt.Sprint(100+i)
		refs = append(refs, transcriptOf(talk, id, strings.Repeat("a ", 11)+"b"))
		out = with(out, id, strings.Repeat("x ", i)+strings.Repeat("a ", 11-i)+"b b")
	}
	refs = append(refs, transcriptOf("gone", "200", "never written"))
	in := bench.Inputs{Predictions: outputFile(t, "long", "en", out...), Data: referenceFile(t, "long", "en", refs...)}
	_, r := scored(t, Benchmark{Track: "long", Lang: "en", Input: "audio", Scorers: lengths()}, in)
	equal(t, shown(tableNamed(t, r.Tables, "tasks")), `task|score|units|outputs|missing|empty|left unscored
ASR|ASR-WER|13|12|1|0|1
SQA|QA-BERTScore|1|1|0|1|1
SSUM|SUM-BERTScore|1|1|0|0|0`)
	worst := strings.Split(shown(tableNamed(t, r.Tables, "worst-transcripts")), "\n")
	if len(worst) != 11 || worst[1] != "t11|100.0 %|12|11|0|1|13" || worst[10] != "t02|25.0 %|12|2|0|1|13" {
		t.Errorf("the worst transcripts are %q", worst)
	}
}

func TestMisalignedTranslationsListed(t *testing.T) {
	refs := changed(german, translationOf("t2", "5", "one\ntwo", "eins\nzwei"), translationOf("t3", "6", "a", "a\nb"))
	in := bench.Inputs{Predictions: outputFile(t, "long", "de", with(with(sagend, "5", "ganz"), "6", "a b")...), Data: referenceFile(t, "long", "de", refs...)}
	_, r := scored(t, Benchmark{Track: "long", Lang: "de", Scorers: lengths()}, in)
	equal(t, shown(tableNamed(t, r.Tables, "worst-translations")), "talk|AS-WER|lines|empty lines\nt2|100.0 %|2|1\nt1|0.0 %|2|0")
}

// The builder's names are TASK_TALK and QA_TALK_QUESTION; others stand for
// themselves.
func TestTalkFromName(t *testing.T) {
	for _, c := range []struct{ task, iid, want string }{
		{asr, "ASR_7", "7"}, {trans, "TRANS_a_b", "a_b"}, {qa, "QA_7_1", "7"}, {qa, "QA_a_b_12", "a_b"}, {qa, "QA_7", "7"}, {qa, "QA__1", "_1"},
		{sum, "talk", "talk"}, {sum, "SUM_", "SUM_"}, {asr, "SUM_7", "SUM_7"},
	} {
		if got := talkOf(&mcifxml.Reference{Task: c.task, IID: c.iid}); got != c.want {
			t.Errorf("%s is of talk %q, want %q", c.iid, got, c.want)
		}
	}
}

func TestTypesOfQuestionsOnly(t *testing.T) {
	odd := transcriptOf("t1", "0", "the cat sat")
	odd.QAType, odd.HasQAType, odd.QAOrigin, odd.HasQAOrigin = "A", true, "Abstract", true
	in := bench.Inputs{Predictions: outputFile(t, "long", "en", saying...), Data: referenceFile(t, "long", "en", changed(english, odd)...)}
	e, r := scored(t, Benchmark{Track: "long", Lang: "en", Breakdown: true, Scorers: lengths()}, in)
	if slice(r, bench.Official, "qa_type", "A") != nil || slice(r, bench.Official, "qa_origin", "Abstract") != nil || slice(r, bench.Official, "qa_type", "AV") == nil {
		t.Errorf("slices are %+v", r.Scorings[bench.Official].Slices)
	}
	agrees(t, e, r)
}
