package report

import (
	"strings"
	"testing"

	"omniscope/bench/document"
	"omniscope/model/judge"
)

func TestReadableReplies(t *testing.T) {
	r := &document.Results{System: "s", Judge: document.JudgeInfo{Name: "openai/small", Readable: []judge.Reading{
		{Asking: 1, Replies: 1200, Readable: 900}, {Asking: 2, Schema: true, Replies: 300, Readable: 299}, {Asking: 3, Schema: true, Replies: 1}, {Asking: 4, Replies: 3, Readable: 3},
	}}}
	const want = "first asking 900 of 1,200 (75.0%) · second asking with a schema 299 of 300 (99.7%) · third asking with a schema 0 of 1 (0.0%) · asking 4 3 of 3 (100.0%)"
	var text, page strings.Builder
	if err := Text(&text, r, TextOptions{Width: 400}); err != nil || !strings.Contains(text.String(), "readable   "+want) {
		t.Errorf("%v, %s", err, text.String())
	}
	if err := Markdown(&page, r, nil); err != nil || !strings.Contains(page.String(), "| readable | first asking 900 of 1,200") {
		t.Errorf("%v, %s", err, page.String())
	}
}
