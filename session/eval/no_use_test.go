package eval

import (
	"fmt"
	"strings"
	"testing"
)

// repliesOfNoUse are replies in words or to a question with options, as a script has them.
var repliesOfNoUse = map[string]string{
	"empty":                `""`,
	"blank":                `" \n"`,
	"thought alone":        `"<think>It is option A: a man.</think>"`,
	"thought without end":  `"<think>It is option A: a man."`,
	"token alone":          `"<|im_end|>"`,
	"refused":              `{"refusal": "I cannot help with that."}`,
	"withheld by a filter": `{"text": "A", "finish": "content_filter"}`,
	"refused in words":     `"I'm sorry, but I can't assist with that."`,
	"cut letter":           `{"text": "A", "finish": "length"}`,
	"cut answer":           `{"text": "A. Man, as the voice", "finish": "length"}`,
	"cut JSON":             `{"text": "{\"answer\": \"A\"}", "finish": "length"}`,
	"cut yes":              `{"text": "Yes", "finish": "length"}`,
	"cut verdict":          `{"text": "{'pred': 'yes', 'score': 4}", "finish": "length"}`,
}

// script has a reply of no use for each of these steps, as often as asked, and other for the rest.
func script(reply, other string, useless, rest []string) string {
	var lines []string
	for _, step := range useless {
		lines = append(lines, fmt.Sprintf("%q: [%s]", step, strings.Repeat(reply+", ", 19)+reply))
	}
	for _, step := range rest {
		lines = append(lines, fmt.Sprintf("%q: [%q]", step, other))
	}
	return "{" + strings.Join(lines, ", ") + "}"
}

// spokenFiles are choiceFiles without the names that captionBenchFiles has too.
var spokenFiles = strings.NewReplacer("-- captions.jsonl --", "-- spoken.jsonl --", "-- empty.json --", "-- empty2.json --", "-- answers.jsonl --", "-- mmau-answers.jsonl --").Replace(choiceFiles)

// An empty, cut or refused reply is not an answer: a run of such replies fails in every benchmark and scoring.
func TestAnswerersAndJudgesOfNoUse(t *testing.T) {
	steps, verdicts := []string{"1", "1/q2"}, []string{"1/judge", "1/q2/judge", "1/judge2", "1/q2/judge2"}
	for name, reply := range repliesOfNoUse {
		t.Run(name, func(t *testing.T) {
			f := enter(t, captionBenchFiles+spokenFiles+
				"-- useless-choice.json --\n"+script(reply, "", []string{"a", "b"}, nil)+
				"\n-- useless-answers.json --\n"+script(reply, "", steps, nil)+
				"\n-- useless-verdicts.json --\n"+script(reply, "A dog.", verdicts, steps)+
				"\n-- useless-judge.json --\n"+script(reply, "", []string{"1", "1/recall", "1/precision", "video/1.mp4", "video/1.mp4/round2"}, nil)+
				"\n-- no.json --\n"+script(`""`, "No", nil, append(steps, verdicts...))+
				"\n-- pred-no.json --\n"+script(`""`, "{'pred': 'no', 'score': 1}", nil, append(steps, verdicts...))+"\n")
			for i, profile := range [][]setting{nil, {official}} {
				folder := work(fmt.Sprint("w", i))
				check := func(benchmark, captions string, more ...setting) {
					t.Helper()
					f.eval(benchmark, captions, append(append(more, folder, failures(1)), profile...)...)
					f.failsToJudge(`no usable reply|no score`)
				}
				check("mmau", "spoken.jsonl", data("data.json"), judgedBy("scripted/useless-choice.json"))
				check("mmau", "none", data("data.json"), judgedBy("scripted/useless-choice.json"))
				check("vdc", "captions.jsonl", data("vdc.jsonl"), judgedBy("scripted/pred-no.json"), role("answerer", "scripted/useless-answers.json"))
				check("m3-bench-web", "captions.jsonl", data("web.json"), judgedBy("scripted/no.json"), role("answerer", "scripted/useless-answers.json"))
				check("m3-bench-web", "none", data("web.json"), judgedBy("scripted/no.json"), role("answerer", "scripted/useless-answers.json"))
				check("vdc", "captions.jsonl", data("vdc.jsonl"), judgedBy("scripted/useless-verdicts.json"))
				check("dream-1k", "captions.jsonl", data("dream.jsonl"), judgedBy("scripted/useless-judge.json"))
				check("video-salmonn2", "captions.jsonl", data("salmonn.json"), judgedBy("scripted/useless-judge.json"))
				check("ugc-videocap", "captions.jsonl", data("ugc.json"), judgedBy("scripted/useless-judge.json"))
				check("m3-bench-web", "captions.jsonl", data("web.json"), judgedBy("scripted/useless-verdicts.json"))
			}
		})
	}
}

// A reply of no use is asked for again in strict; official counts the first one as the published scorer does.
func TestSecondRepliesCountInStrict(t *testing.T) {
	f := enter(t, captionBenchFiles+spokenFiles+`
-- second.json --
{"a": [{"text": "B", "finish": "length"}, "A"], "b": ["", "B"]}
-- m3-second.json --
{"1": ["", "A man."], "1/judge2": ["Yes"], "1/q2": [{"text": "It is fun and", "finish": "length"}, "Fun."], "1/q2/judge": ["No"], "1/q2/judge2": ["Yes"]}
-- vdc-second.json --
{"1": [{"text": "A dog and", "finish": "length"}, "A dog."], "1/judge": ["{'pred': 'no', 'score': 1}"], "1/judge2": ["{'pred': 'yes', 'score': 5}"], "1/q2": ["At home."], "1/q2/judge": ["{'pred': 'yes', 'score': 3}"]}
`)
	f.eval("mmau", "spoken.jsonl", data("data.json"), judgedBy("scripted/second.json")).ok().prints(`official +2 +0\.0`, `strict +2 +100\.0`)
	f.eval("m3-bench-web", "captions.jsonl", data("web.json"), judgedBy("scripted/m3-second.json")).ok().prints(`official +2 +0\.0`, `strict +2 +100\.0`)
	f.eval("vdc", "captions.jsonl", data("vdc.jsonl"), judgedBy("scripted/vdc-second.json")).ok().prints(`official +.* 50\.0`, `strict +.* 100\.0`)
}

// A run of Omni-Cloze or CapRiCorn-1K fails as well if its judge gives only such replies.
func TestJudgesOfNoUse(t *testing.T) {
	for _, c := range []struct {
		benchmark, captions, files string
		settings                   []setting
		steps                      []string
	}{
		{"omni-cloze", "clips.jsonl", judgeFiles, nil, []string{"0001", "0002", "0003"}},
		{"capricorn", "captions.jsonl", capricornFiles, []setting{data("annotations.jsonl")}, []string{"hall/subject|<guard> opens the door", "hall/subject|<girl> sits down",
			"hall/subject|<guard> scolds <girl>", "hall/other|Rain falls on the roof", "hall/other|The view moves outside", "roof/other|A dog barks"}},
	} {
		for name, reply := range repliesOfNoUse {
			t.Run(c.benchmark+" "+name, func(t *testing.T) {
				f := enter(t, c.files+"-- useless.json --\n"+script(reply, "", c.steps, nil)+"\n")
				for i, profile := range [][]setting{nil, {official}} {
					more := append([]setting{judgedBy("scripted/useless.json"), work(fmt.Sprint("w", i)), failures(1)}, profile...)
					f.eval(c.benchmark, c.captions, append(more, c.settings...)...).failsToJudge(`no usable reply|no score`)
				}
			})
		}
	}
}
