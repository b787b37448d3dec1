package openai

import (
	"testing"

	"omniscope/model"
)

func TestReadTokens(t *testing.T) {
	m := &Model{server: &server{}}
	for usage, want := range map[string]struct {
		usage  model.Usage
		report model.Report
	}{
		`{"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 99}`:                            {usage: model.Usage{TokensIn: 12, TokensOut: 3}},
		`{"prompt_tokens": 12, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 9}}`: {usage: model.Usage{TokensIn: 12, Cached: 9, TokensOut: 3}},
		`{"prompt_tokens": 12, "completion_tokens": 3, "prompt_tokens_details": {"audio_tokens": 9}}`: {
			usage: model.Usage{TokensIn: 12, TokensOut: 3}, report: model.Report{Audio: 9}},
		`{"prompt_tokens": 12.0, "completion_tokens": 3}`: {usage: model.Usage{TokensIn: 12, TokensOut: 3}},
		`{"prompt_tokens":1,"completion_tokens":30,"completion_tokens_details":{"reasoning_tokens":25}}`: {
			usage: model.Usage{TokensIn: 1, TokensOut: 30}, report: model.Report{Reasoning: 25}},
		`null`:                                  {},
		`{"prompt_tokens":-100000000}`:          {report: model.Report{Odd: `{"prompt_tokens":-100000000}`}},
		`{"prompt_tokens":3,"total_tokens":10}`: {usage: model.Usage{TokensIn: 3}, report: model.Report{Odd: `{"prompt_tokens":3,"total_tokens":10}`, Total: 10}},
		`{"prompt_tokens":1e300,"completion_tokens":"7"}`: {report: model.Report{Odd: `{"prompt_tokens":1e300,"completion_tokens":"7"}`}},
		`{"prompt_tokens":1.5,"completion_tokens":true}`:  {report: model.Report{Odd: `{"prompt_tokens":1.5,"completion_tokens":true}`}},
		`"many"`: {report: model.Report{Odd: `"many"`}},
		`[3, 4]`: {report: model.Report{Odd: `[3, 4]`}},
	} {
		resp, err := m.decode([]byte(`{"choices": [{"message": {"content": "x"}}], "usage": ` + usage + `}`))
		if err != nil || resp.Usage != want.usage || resp.Report != want.report {
			t.Errorf("%s: got %+v, %v", usage, resp, err)
		}
	}
}
