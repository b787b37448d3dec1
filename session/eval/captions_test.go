package eval

import (
	"testing"

	"omniscope"
)

const captionBenchFiles = `
-- captions.jsonl --
{"clip": "1", "caption": "A dog barks, and a man calls it."}
-- vdc.jsonl --
{"1": [{"question": "What barks?", "answer": "a dog", "category": "object"}, {"question": "Where?", "answer": "at home", "category": "location"}]}
-- salmonn.json --
[{"video": "video/1.mp4", "conversations": [], "events": ["A dog barks", "A man calls", "Rain falls", "A car stops"]}]
-- dream.jsonl --
{"messages": [{"role": "assistant", "content": [{"reference": "A dog barks. Rain falls."}]}], "dataset": "DREAM/videvo", "idx": 1, "vid": 1, "extra_info": {"events": ["A dog barks.", "Rain falls."], "n_events": 2, "n_shots": 1, "n_subjects": 1}}
-- ugc.json --
{"question": "Describe it.", "samples": [{"video_id": "1", "answer": "A dog barks."}]}
-- web.json --
{"1": {"qa_list": [{"question": "Who calls?", "answer": "A man", "question_id": "1_Q1", "type": ["Person Understanding"]}, {"question": "Why?", "answer": "Fun", "question_id": "1_Q2", "type": ["Multi-Hop Reasoning"]}]}}
-- vdc.json --
{"1": ["A dog."], "1/judge": ["{'pred': 'yes', 'score': 5}"], "1/q2": ["Not said."], "1/q2/judge": ["{'pred': 'no', 'score': 1}"]}
-- answers.json --
{"1": ["A dog."], "1/q2": ["Not said."]}
-- salmonn-judge.json --
{"video/1.mp4": ["{\"Missed\": 1, \"Incorrect\": 0, \"Hallucination\": 1, \"Missed Event\": [], \"Incorrect Event\": [], \"Hallucination Event\": []}"], "video/1.mp4/round2": ["{\"Missed\": 1, \"Incorrect\": 0, \"Hallucination\": 1, \"Missed Event\": [], \"Incorrect Event\": [], \"Hallucination Event\": []}"], "video/1.mp4/round3": ["{\"Missed\": 1, \"Incorrect\": 0, \"Hallucination\": 1, \"Missed Event\": [], \"Incorrect Event\": [], \"Hallucination Event\": []}"], "video/1.mp4/round4": ["{\"Missed\": 1, \"Incorrect\": 1, \"Hallucination\": 1, \"Missed Event\": [], \"Incorrect Event\": [], \"Hallucination Event\": []}"], "video/1.mp4/round5": ["{\"Missed\": 1, \"Incorrect\": 1, \"Hallucination\": 1, \"Missed Event\": [], \"Incorrect Event\": [], \"Hallucination Event\": []}"], "video/1.mp4/round6": ["{\"Missed\": 1, \"Incorrect\": 1, \"Hallucination\": 1, \"Missed Event\": [], \"Incorrect Event\": [], \"Hallucination Event\": []}"], "video/1.mp4/round7": ["{\"Missed\": 1, \"Incorrect\": 1, \"Hallucination\": 1, \"Missed Event\": [], \"Incorrect Event\": [], \"Hallucination Event\": []}"]}
-- ugc-judge.json --
{"1": ["{'visual': 3, 'audio': 2, 'details': 4}"]}
-- dream.json --
{"1": ["{'events': ['a dog barks']}"], "1/recall": ["{\"events\": [{\"event\": \"a\", \"relationship\": \"entailment\"}, {\"event\": \"b\", \"relationship\": \"neutral\"}]}"], "1/precision": ["{\"events\": [{\"event\": \"a\", \"relationship\": \"entailment\"}]}"]}
-- m3.json --
{"1": ["A man."], "1/judge": ["Yes"], "1/q2": ["It is not said."], "1/q2/judge": ["No"]}
-- empty.json --
{}
`

// Captions of recordings, judged by each benchmark in its own way.
func TestScoresOfCaptions(t *testing.T) {
	f := enter(t, captionBenchFiles)
	for _, c := range []struct {
		benchmark, data, judge, predictions string
		settings                            []setting
		want                                []string
	}{
		{"vdc", "vdc.jsonl", "scripted/vdc.json", "captions.jsonl", nil, []string{`accuracy 50\.0`, `score, 0 to 5 3\.00`, `4 calls`}},
		{"vdc", "vdc.jsonl", "scripted/vdc.json", "captions.jsonl", nil, []string{`0 calls · 4 remembered`, `vdc.jsonl is not a known version of vdc`}},
		{"vdc", "vdc.jsonl", "scripted/vdc.json", "captions.jsonl", []setting{role("answerer", "scripted/answers.json"), work("w2")}, []string{`accuracy 50\.0`, `answerer:scripted/answers.json`}},
		{"video-salmonn2", "salmonn.json", "scripted/salmonn-judge.json", "captions.jsonl", nil, []string{`Total 75\.0`, `Miss 25\.0`, `Hall 50\.0`, `lowest Total of the rounds 50\.0`}},
		{"dream-1k", "dream.jsonl", "scripted/dream.json", "captions.jsonl", nil, []string{`F1 66\.7`, `recall 50\.0`, `precision 100\.0`}},
		{"ugc-videocap", "ugc.json", "scripted/ugc-judge.json", "captions.jsonl", nil, []string{`average 60\.0`, `audio 40\.0`}},
		{"m3-bench-web", "web.json", "scripted/m3.json", "captions.jsonl", nil, []string{`accuracy 50\.0`, `Person Understanding`}},
		{"m3-bench-web", "web.json", "scripted/m3.json", "none", nil, []string{`system +none`}},
	} {
		f.eval(c.benchmark, c.predictions, append(c.settings, data(c.data), judgedBy(c.judge))...).ok().prints(c.want...)
	}
}

// Two calls a question, of one model or of two.
func TestForecastOfCaptions(t *testing.T) {
	f := enter(t, captionBenchFiles)
	t.Setenv("OPENAI_API_KEY", "sk-test-0123456789")
	for _, c := range []struct {
		benchmark, data string
		settings        []setting
		want            string
	}{
		{"vdc", "vdc.jsonl", nil, `calls to make  4 `},
		{"m3-bench-web", "web.json", []setting{role("answerer", "openai/gpt-4.1")}, `calls to make  4 `},
		{"m3-bench-web", "web.json", []setting{role("embedder", "openai/e")}, `calls to make  4 `}, // the caption fits
		{"m3-bench-web", "web.json", []setting{role("embedder", "openai/e"), option("memory-limit", "5")}, `calls to make  7 \(0 more are remembered\); at most 210`},
		{"dream-1k", "dream.jsonl", nil, `calls to make  3 `},
		{"video-salmonn2", "salmonn.json", nil, `calls to make  7 `},
	} {
		f.eval(c.benchmark, "captions.jsonl", append(c.settings, data(c.data), judgedBy("openai/gpt-4o"), dryRun)...).ok().prints(c.want).lacks(`those of the `)
	}
}

// When every call fails, or without a judge, there is no score.
func TestCaptionsWithoutScore(t *testing.T) {
	f := enter(t, captionBenchFiles)
	empty := judgedBy("scripted/empty.json")
	f.eval("vdc", "captions.jsonl", data("vdc.jsonl"), empty).failsToJudge(`no score, none of 1 samples could be judged`)
	f.eval("m3-bench-web", "captions.jsonl", data("web.json"), empty, official).failsToJudge(`no usable reply to any of 1 samples`)
	f.eval("vdc", "captions.jsonl", data("vdc.jsonl")).fails(omniscope.Usage, `scored by a judge: name one with --judge`)
}

const choiceFiles = `
-- data.json --
[{"id": "a", "audio_id": "./x/a.wav", "question": "Who?", "choices": ["Man", "Woman"], "answer": "Man", "task": "speech", "difficulty": "easy"},
{"id": "b", "audio_id": "./x/b.wav", "question": "Who?", "choices": ["Man", "Woman"], "answer": "Woman", "task": "sound", "difficulty": "hard"}]
-- answers.jsonl --
{"id": "a", "model_output": "Man"}
{"id": "b", "model_output": "Man"}
-- captions.jsonl --
{"audio_id": "a.wav", "caption": "A man speaks."}
{"audio_id": "b.wav", "caption": "Somebody speaks."}
-- script.json --
{"a": ["A"], "b": ["N/A"]}
-- empty.json --
{}
`

// Answers are scored as they are; captions are given to a model that answers.
func TestScoresOfAnswers(t *testing.T) {
	f := enter(t, choiceFiles)
	mmau := func(predictions string, more ...setting) *evalFolder {
		t.Helper()
		return f.eval("mmau", predictions, append([]setting{data("data.json")}, more...)...)
	}
	answerer := judgedBy("scripted/script.json")
	mmau("answers.jsonl").ok().prints(`accuracy 50\.0`, `not a known version of mmau`).lacks(`judge `)
	mmau("captions.jsonl", answerer).ok().prints(`accuracy 50\.0`, `abstained 50\.0`, `judge +scripted/script.json`)
	mmau("captions.jsonl", answerer).ok().prints(`0 calls · 2 remembered`)
	mmau("none", answerer).ok().prints(`system +none`) // what guessing comes to
	mmau("captions.jsonl", judgedBy("scripted/empty.json")).failsToJudge(`no score, none of 2 samples could be judged`)
	f.lacks(`accuracy [0-9]`)

	// Captions and answers are not mistaken for each other.
	mmau("captions.jsonl").fails(omniscope.Invalid, `name the model that answers from captions with --answerer`)
	mmau("answers.jsonl", answerer).fails(omniscope.Invalid, `the row has no text, looked for as caption`)

	t.Setenv("OPENAI_API_KEY", "sk-test-0123456789")
	mmau("captions.jsonl", judgedBy("openai/gpt-4o"), dryRun).ok().prints(`calls to make  2 `)
}

const logFiles = `
-- data.json --
{"id": "q1", "audio_id": "1.wav", "question": "?", "choices": ["a dog", "a cat"], "answer": "a dog"}
{"id": "q2", "audio_id": "2.wav", "question": "?", "choices": ["a dog", "a cat"], "answer": "a dog"}
{"id": "q3", "audio_id": "3.wav", "question": "?", "choices": ["a dog", "a cat"], "answer": "a cat"}
{"id": "q4", "audio_id": "4.wav", "question": "?", "choices": ["a dog", "a cat"], "answer": "a cat"}
{"id": "q5", "audio_id": "5.wav", "question": "?", "choices": ["a dog", "a cat"], "answer": "a cat"}
{"id": "q6", "audio_id": "6.wav", "question": "?", "choices": ["a dog", "a cat"], "answer": "a cat"}
-- answers.jsonl --
{"id":"q1","model_output":"A. a dog"}
{"id":"q3","model_output":""}
{"id":"q4","model_output":"It could be anything, really."}
{"id":"q5","model_output":"A. a dog"}
-- world.json --
{"v": {"task0": {"question": "?", "candidates": ["A. one", "B. two"], "answer": "B"}, "task1": {"question": "?", "candidates": ["A. one", "B. two"], "answer": "A"}}}
-- kit.tsv --
id	video	question	answer	prediction
v/task0	v	?	B	A
v/task1	v	?	A	B
-- world.csv --
id,question,answer
v/task0,?,B
v/task1,?,A
-- qwen/20260801_samples_mmau.jsonl --
{"doc_id": 0, "input": "?", "target": "a dog", "filtered_resps": ["A. a dog"], "doc_hash": "h", "accuracy": {"overall": 1.0, "task": "sound"}, "submission": {"id": "q1", "model_prediction": "a dog"}}
{"doc_id": 1, "input": "?", "target": "a dog", "filtered_resps": ["[LMMS_EVAL_REQUEST_FAILED after 5 retries] timed out"], "doc_hash": "h", "accuracy": {"overall": 1.0, "task": "sound"}, "submission": {"id": "q2", "model_prediction": "a dog"}}
{"doc_id": 2, "input": "?", "target": "a cat", "filtered_resps": [""], "doc_hash": "h", "accuracy": {"overall": 0.0, "task": "sound"}, "submission": {"id": "q3", "model_prediction": "a dog"}}
{"doc_id": 3, "input": "?", "target": "a cat", "filtered_resps": ["It could be anything, really."], "doc_hash": "h", "accuracy": {"overall": 1.0, "task": "sound"}, "submission": {"id": "q4", "model_prediction": "a cat"}}
{"doc_id": 4, "input": "?", "target": "a cat", "filtered_resps": ["A. a dog"], "doc_hash": "h", "accuracy": {"overall": 0.0, "task": "sound"}, "submission": {"id": "q5", "model_prediction": "a dog"}}
-- replies.json --
{"q1": ["A"]}
`

const lmmsLog = "qwen/20260801_samples_mmau.jsonl"

// A log of lmms-eval is scored as the answers in it are; a field with right answers is never
// read as a prediction.
func TestScoresOfHarnessLog(t *testing.T) {
	f := enter(t, logFiles)
	f.eval("mmau", "answers.jsonl", data("data.json")).ok().quiet().prints(`accuracy 25\.0`)
	f.eval("mmau", lmmsLog, data("data.json")).ok().prints(`accuracy 25\.0`, `system +qwen`).warns(`20260801_samples_mmau.jsonl is a log of lmms-eval`)
	f.eval("worldsense", "kit.tsv", data("world.json"), field("prediction")).ok().prints(`accuracy 0\.0`)
	for _, c := range []struct {
		benchmark, predictions string
		settings               []setting
		kind                   omniscope.Kind
		want                   string
	}{
		{"mmau", lmmsLog, []setting{data("data.json"), judgedBy("scripted/replies.json")}, omniscope.Invalid, `a model is named that answers from captions`},
		{"worldsense", lmmsLog, []setting{data("world.json")}, omniscope.Invalid, "no field of the log has the ids.*`omniscope import lmms-eval"},
		{"worldsense", "kit.tsv", []setting{data("world.json")}, omniscope.Invalid, `kit.tsv:2: the row has "prediction" beside "answer", which may hold what is right.*--caption-field`},
		{"worldsense", "world.csv", []setting{data("world.json")}, omniscope.Invalid, `world.csv:2: the row has "question" beside "answer"`},
		{"mmau", lmmsLog, []setting{data("data.json"), field("submission")}, omniscope.Invalid, `whose answers are read from where it keeps them and not from the field "submission": leave --caption-field out`},
		{"mmau", lmmsLog, nil, omniscope.Invalid, "is a log of lmms-eval, in which texts may stand that no model wrote: write its answers with `omniscope import lmms-eval"},
	} {
		f.eval(c.benchmark, c.predictions, c.settings...).fails(c.kind, c.want)
	}
}
