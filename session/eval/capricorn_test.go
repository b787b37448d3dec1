package eval

import (
	"os"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

const capricornFiles = `
-- annotations.jsonl --
{"video_id": "hall", "duration": 60.5, "events": {"main_sbj_evts": ["<guard> opens the door", "<girl> sits down"], "main_sbj_ints": ["<guard> scolds <girl>"], "bg_desc": ["Rain falls on the roof"], "trans_desc": ["The view moves outside"], "minor_evts": []}}
{"video_path": "videos/roof.mp4", "duration": 301, "events": {"main_sbj_evts": [], "main_sbj_ints": [], "bg_desc": [], "trans_desc": [], "minor_evts": ["A dog barks"]}}
-- captions.jsonl --
{"video_id": "roof", "caption": "A dog barks."}
{"video_id": "hall", "caption": "A tall guard opens the door. The man in uniform scolds a girl, who sits down on a chair. Then we are outside."}
-- unknown.jsonl --
{"video_id": "hall", "caption": "A tall guard opens the door. The man in uniform scolds a girl, who sits down on a chair. Then we are outside."}
{"video_id": "attic", "caption": "Dust."}
-- one.jsonl --
{"video_id": "hall", "caption": "A tall guard opens the door. The man in uniform scolds a girl, who sits down on a chair. Then we are outside."}
-- broken.jsonl --
{"video_id": "hall", "duration": 60.5, "events": {}}
{"video_id": "roof", "duration": 60.5}
-- nothing.json --
{}
-- replies.json --
{
  "hall/subject|<guard> opens the door": ["no", null, "{\"event_type\": \"correctly mentioned\", \"reason\": \"It says so.\", \"subject_description_in_caption\": {\"guard\": \"a tall guard\"}}"],
  "hall/subject|<girl> sits down": ["{\"event_type\": \"mentioned but with errors\", \"reason\": \"It was a bench.\", \"subject_description_in_caption\": {\"<girl>\": \"a girl\"}}"],
  "hall/subject|<guard> scolds <girl>": ["{\"event_type\": \"correctly mentioned\", \"reason\": \"It says so.\", \"subject_description_in_caption\": {\"<guard>\": \"the man in uniform\", \"<girl>\": \"a girl\"}}"],
  "hall/other|Rain falls on the roof": ["{\"event_type\": \"not mentioned\", \"reason\": \"No rain.\"}"],
  "hall/other|The view moves outside": ["{\"event_type\": \"not mentioned\", \"reason\": \"No move.\"}"],
  "hall/cluster|<guard>": ["{\"category_1\": [\"a tall guard\"], \"category_2\": [\"the man in uniform\"]}"],
  "hall/cluster|<girl>": ["{\"category_1\": [\"a girl\", \"a girl\"]}"],
  "roof/other|A dog barks": ["{\"event_type\": \"correctly mentioned\", \"reason\": \"It does.\"}"]
}
-- batched.json --
{
  "hall/batch": ["{\"1\": {\"event_type\": \"correctly mentioned\", \"reason\": \"It says so.\", \"subject_description_in_caption\": {\"guard\": \"a tall guard\"}}, \"2\": {\"event_type\": \"mentioned but with errors\", \"reason\": \"It was a bench.\", \"subject_description_in_caption\": {\"<girl>\": \"a girl\"}}, \"3\": {\"event_type\": \"correctly mentioned\", \"reason\": \"It says so.\", \"subject_description_in_caption\": {\"<guard>\": \"the man in uniform\", \"<girl>\": \"a girl\"}}, \"4\": {\"event_type\": \"not mentioned\", \"reason\": \"No rain.\"}, \"5\": {\"event_type\": \"not mentioned\", \"reason\": \"No move.\"}}"],
  "roof/batch": ["{\"1\": {\"event_type\": \"correctly mentioned\", \"reason\": \"It does.\"}}"],
  "hall/cluster|<guard>": ["{\"category_1\": [\"a tall guard\"], \"category_2\": [\"the man in uniform\"]}"],
  "hall/cluster|<girl>": ["{\"category_1\": [\"a girl\", \"a girl\"]}"]
}
-- half.jsonl --
{"video_id":"roof","duration":301,"main_sbj_info":{},"other_event_judge":[{"event":"A dog barks","judgement":"correctly mentioned","reason":"It does."}]}
{"video_id":"hall","duration":60.5,"main_sbj_info":{"<guard>":[{"event":"<guard> opens the door","ju
-- half/empty --
-- elsewhere/empty --
-- strange/empty --
-- stage1.jsonl --
{"video_id":"hall","duration":60.5,"main_sbj_info":{"<guard>":[{"event":"<guard> opens the door","judgement":"correctly mentioned","reason":"It says so.","subject_description_in_caption":"a tall guard"},{"event":"<guard> scolds <girl>","judgement":"correctly mentioned","reason":"It says so.","subject_description_in_caption":"the man in uniform"}],"<girl>":[{"event":"<girl> sits down","judgement":"mentioned but with errors","reason":"It was a bench.","subject_description_in_caption":"a girl"},{"event":"<guard> scolds <girl>","judgement":"correctly mentioned","reason":"It says so.","subject_description_in_caption":"a girl"}]},"other_event_judge":[{"event":"Rain falls on the roof","judgement":"not mentioned","reason":"No rain."},{"event":"The view moves outside","judgement":"not mentioned","reason":"No move."}]}
{"video_id":"roof","duration":301,"main_sbj_info":{},"other_event_judge":[{"event":"A dog barks","judgement":"correctly mentioned","reason":"It does."}]}
-- stage2.jsonl --
{"video_id":"hall","categorization_info":{"<guard>":{"sbj_captions":["a tall guard","the man in uniform"],"gpt_categorization":{"category_1":["a tall guard"],"category_2":["the man in uniform"]}},"<girl>":{"sbj_captions":["a girl","a girl"],"gpt_categorization":{"category_1":["a girl","a girl"]}}}}
{"video_id":"roof","categorization_info":{}}
`

const headline = `headline +Acc 70\.0 .* Cov 80\.0 .* Ref 50\.0`

// capricorn scores captions of long videos, judged keypoint by keypoint.
func (f *evalFolder) capricorn(settings ...setting) *evalFolder {
	f.t.Helper()
	return f.eval("capricorn", "captions.jsonl", append([]setting{data("annotations.jsonl")}, settings...)...)
}

// sameFiles checks that files of this name are equal in two folders.
func sameFiles(t *testing.T, a, b string, names ...string) {
	t.Helper()
	for _, name := range names {
		sameFile(t, a+"/"+name, b+"/"+name)
	}
}

// Scoring official writes the files of the published scripts next to ours. Nothing is corrected
// here, so that strict has the same scores; its answers are remembered, and the call that failed
// is made again.
func TestScoresOfCapricorn(t *testing.T) {
	f := enter(t, capricornFiles)
	replies := judgedBy("scripted/replies.json")
	f.capricorn(replies, official, out("official")).ok().prints(`scoring +official`, `samples +2: 2 ok`, headline)
	sameFile(t, "official/1_judge_accuracy_coverage.jsonl", "stage1.jsonl")
	sameFile(t, "official/2_judge_referential_consistency.jsonl", "stage2.jsonl")
	holds(t, "official/1_accuracy_coverage_metrics.json", `"accuracy": 0\.7`, `"coverage": 0\.8`)
	holds(t, "official/2_referential_consistency_metrics.json", `"referential_consistency": 0\.5`)
	holds(t, "official/keypoints.jsonl", `"video_id":"hall","class":"bg_desc","event":"Rain falls on the roof","verdict":"not_given"`)
	holds(t, "official/subjects.jsonl", `"video_id":"hall","subject":"<guard>","keypoints":2`)
	for _, name := range []string{"results.json", "results.csv", "report.md", "counts.jsonl", "cases.jsonl"} {
		exist(t, "official/"+name)
	}
	f.capricorn(replies, out("strict")).ok().prints(headline, `usage +1 call . 9 remembered . 1 failed`).lacks(`profiles differ`)
	sameFiles(t, "official", "strict", "1_judge_accuracy_coverage.jsonl")

	// One call for all keypoints of a video. The published scorer does not ask so.
	batched := []setting{judgedBy("scripted/batched.json"), option("judge-mode", "batched")}
	f.capricorn(append(batched, out("batched"))...).ok().prints(headline, `usage +4 calls`)
	f.capricorn(append(batched, official)...).fails(omniscope.Usage, `scoring official asks one call for each keypoint: leave out --judge-mode batched, or score with --scoring strict`)

	// The calls about keypoints are forecast. Those about subjects depend on the answers.
	f.capricorn(replies, dryRun, work("other")).ok().prints(`calls to make +6 `, `one for each subject that is mentioned more than once`)
	f.capricorn(append(batched, dryRun, work("other"))...).ok().prints(`calls to make +2 `)
	gone(t, "other")
}

// From the result files of an earlier run only what is missing there is asked.
func TestContinueCapricorn(t *testing.T) {
	f := enter(t, capricornFiles)
	f.capricorn(judgedBy("scripted/replies.json"), official, out("official")).ok()
	f.capricorn(judgedBy("scripted/nothing.json"), official, option("continue", "official"), work("other"), out("again")).ok()
	f.prints(headline, `usage +no calls`, `2 of 2 videos have judgements in official: they are those of the judge and the prompts of that run`, `signature .*continued:`)
	sameFiles(t, "official", "again", "1_judge_accuracy_coverage.jsonl", "2_judge_referential_consistency.jsonl",
		"1_accuracy_coverage_metrics.json", "2_referential_consistency_metrics.json")

	fixture.FileIn(t, "", "half/1_judge_accuracy_coverage.jsonl", fixture.Read(t, "half.jsonl"))
	f.capricorn(judgedBy("scripted/replies.json"), official, option("continue", "half"), work("other"), out("again"), force).ok().prints(`usage +9 calls . 0 remembered`)
	sameFiles(t, "official", "again", "1_judge_accuracy_coverage.jsonl")

	// It is replayed from any folder, with what it went on from.
	id := f.results.Run.ID
	t.Chdir("elsewhere")
	f.replay("../other", id).ok().prints(`usage +9 calls`, `videos have judgements in .*half`).lacks(`no remembered answer`)
}

// Keypoints without a judgement are counted, and not scored. Official counts them as not
// mentioned. A video without a caption vanishes from official; strict counts it.
func TestUnjudgedCapricorn(t *testing.T) {
	f := enter(t, capricornFiles)
	nothing, replies := judgedBy("scripted/nothing.json"), judgedBy("scripted/replies.json")
	f.capricorn(nothing).failsToJudge(`no score, none of 2 samples could be judged`)
	f.prints(`samples +2: 2 failed`, `no score`, `video hall: 5 of 5 keypoints have no usable judgement`)
	f.capricorn(nothing, official).failsToJudge()
	f.prints(`overall .* 0\.0 .* 0\.0`)

	f.eval("capricorn", "one.jsonl", data("annotations.jsonl"), replies, failures(1)).ok()
	f.prints(`samples +2: 1 ok, 1 missing`, `video roof: missing`, `videos without a caption \(1 sample, 1 item\)`, `official: vanish from the means`)
	f.eval("capricorn", "unknown.jsonl", data("annotations.jsonl"), replies, limit(1)).ok()
	f.prints(`1 captions are of videos that are not annotated and are left out`)

	// A baseline goes by words, without a model.
	f.capricorn().ok().prints(`overall`)
	f.capricorn(limit(1)).ok().prints(`samples +1: 1 ok`)
	f.capricorn(samples("roof")).ok().prints(`samples +1: 1 ok`)
}

func TestInvalidCapricorn(t *testing.T) {
	f := enter(t, capricornFiles)
	fixture.OK(t, os.WriteFile("strange/1_judge_accuracy_coverage.jsonl", []byte(fixture.Read(t, "annotations.jsonl")), 0o644))
	annotated := data("annotations.jsonl")
	refuse(t, f, "capricorn", []invalidInput{
		{"captions.jsonl", []setting{annotated, option("continue", "elsewhere")}, omniscope.NotFound, `elsewhere holds no 1_judge_accuracy_coverage.jsonl to continue from`},
		{"captions.jsonl", []setting{annotated, option("continue", "strange")}, omniscope.Invalid, `1_judge_accuracy_coverage.jsonl:1: has no object main_sbj_info: `},
		{"unknown.jsonl", []setting{annotated, judgedBy("scripted/replies.json"), official}, omniscope.Invalid, `unknown.jsonl:2: video attic is not annotated, and the published scorer stops there: leave its caption out, or score with --scoring strict`},
		{"captions.jsonl", []setting{data("broken.jsonl")}, omniscope.Invalid, `broken.jsonl:2: has no object of events: `},
		{"captions.jsonl", []setting{data("absent.jsonl")}, omniscope.NotFound, `absent.jsonl: no such file`},
		{"annotations.jsonl", []setting{annotated}, omniscope.Invalid, `annotations.jsonl:1: has no caption, looked for as caption, predicted_caption, prediction, response, omni_detective_trajectory: no field "caption" .*; name the caption's field with --caption-field`},
	})
}
