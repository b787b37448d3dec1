package inspect

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/harness"
	"omniscope/model"
)

// sample reads an EvalSample.
func sample(v gjson.Result, at harness.Place) harness.Sample {
	s := harness.Sample{Fields: make(map[string]string), Scores: make(map[string]float64), Epoch: max(1, int(v.Get("epoch").Int())), Place: at}
	if id := v.Get("id"); id.Type == gjson.String {
		s.Fields["id"] = id.Str
	} else {
		s.Fields["number"] = id.Raw // Inspect numbers samples that have no id: that is no name of theirs
	}
	harness.Fields(s.Fields, "metadata.", v.Get("metadata"))
	s.Asked = asked(v)
	v.Get("scores").ForEach(func(name, score gjson.Result) bool {
		addScores(s.Scores, name.Str, score.Get("value"))
		return true
	})
	s.Judge(completion(v), nil)
	outcome(&s, v)
	return s
}

// asked is what a sample asks: choices are in the order in which the model saw them, which
// shuffle_choices changes together with the target (src/inspect_ai/dataset/_dataset.py).
func asked(v gjson.Result) bench.Asked {
	a := bench.AskedIn(v, "output")
	if a.Question == "" {
		a.Question = inputOf(v.Get("input"))
	}
	target := v.Get("target")
	if target.IsArray() && len(target.Array()) == 1 {
		target = target.Array()[0]
	}
	a.Key = target.Str
	if len(a.Options) == 0 {
		if shown := bench.AskedByPrompt(a.Question); len(shown.Options) > 0 {
			a.Options = shown.Options
		} else {
			a.Question = "" // the task's own prompt may lack the question
		}
	}
	of := bench.AskedIn(v.Get("metadata"), "")
	if a.Question == "" {
		a.Question = of.Question
	}
	if len(a.Options) == 0 && len(of.Options) > 0 {
		a.Options, a.Key = of.Options, of.Key
	}
	a.Media = append(a.Media, of.Media...)
	return a
}

// inputOf is the text of a sample's input: itself, or that of its messages.
func inputOf(input gjson.Result) string {
	if !input.IsArray() {
		return input.String()
	}
	var texts []string
	for _, m := range input.Array() {
		texts = append(texts, contentOf(m.Get("content")))
	}
	return strings.Join(texts, "\n")
}

// words are the points of scores in words: C, I, P and N are correct, incorrect, partial and no
// answer (src/inspect_ai/scorer/_metric.py, value_to_float).
var words = map[string]float64{"C": 1, "P": 0.5, "I": 0, "N": 0, "yes": 1, "true": 1, "correct": 1, "no": 0, "false": 0, "incorrect": 0}

// addScores adds what a scorer gave: a value, or several by name or place.
func addScores(to map[string]float64, name string, value gjson.Result) {
	switch {
	case value.IsObject():
		value.ForEach(func(key, one gjson.Result) bool {
			addScores(to, name+"."+key.Str, one)
			return true
		})
	case value.IsArray():
		for i, one := range value.Array() {
			addScores(to, fmt.Sprintf("%s.%d", name, i), one)
		}
	case value.Type == gjson.Number:
		to[name] = value.Num
	case value.Type == gjson.True || value.Type == gjson.False:
		to[name] = map[bool]float64{true: 1}[value.Bool()]
	case value.Type == gjson.String:
		points, ok := words[value.Str]
		if !ok {
			points, ok = words[strings.ToLower(value.Str)]
		}
		if number, err := strconv.ParseFloat(value.Str, 64); err == nil {
			points, ok = number, true
		}
		if ok {
			to[name] = points
		}
	}
}

// completion is the text of the output. A long one may stand among the attachments.
func completion(v gjson.Result) string {
	text := v.Get("output.completion").String()
	if text == "" {
		text = contentOf(v.Get("output.choices.0.message.content"))
	}
	if name, ok := strings.CutPrefix(text, "attachment://"); ok {
		if there := v.Get("attachments." + gjson.Escape(name)); there.Exists() {
			return there.String()
		}
	}
	return text
}

// contentOf is the text of a message: itself, or the texts among its parts, without reasoning.
func contentOf(content gjson.Result) string {
	if !content.IsArray() {
		return content.String()
	}
	var text strings.Builder
	for _, part := range content.Array() {
		if part.Get("type").Str == "text" {
			text.WriteString(part.Get("text").Str)
		}
	}
	return text.String()
}

// outcome says what kept a sample from an answer of its own. The first reason counts.
func outcome(s *harness.Sample, v gjson.Result) {
	detail := v.Get("output.error").String()
	reason := v.Get("output.choices.0.stop_reason").Str
	stopped := (&model.Response{Finish: model.FinishOf(reason)}).Outcome()
	switch limit := v.Get("limit"); {
	case v.Get("error").IsObject():
		s.Fail(omniscope.Failed, "sample ended with an error", v.Get("error.message").String())
	case v.Get("invalidation").IsObject():
		s.Fail(omniscope.Failed, "sample was declared invalid", v.Get("invalidation.reason").String())
	case limit.IsObject():
		s.Fail(omniscope.Truncated, "sample was stopped by a limit", limit.Get("type").String())
	case stopped != omniscope.OK:
		s.Fail(stopped, "stop_reason "+reason, detail)
	case reason == "tool_calls":
		s.Fail(omniscope.Unparsed, "stop_reason tool_calls: the output is a call of a tool", detail)
	case detail != "":
		s.Fail(omniscope.Failed, "output has an error", detail)
	case len(v.Get("output.choices").Array()) == 0:
		s.Fail(omniscope.Failed, "sample has no output", "")
	case strings.HasPrefix(s.Answer, "attachment://"):
		s.Fail(omniscope.Failed, "output names an attachment that the log does not have", s.Answer)
	}
}
