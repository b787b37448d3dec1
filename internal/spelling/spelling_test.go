package spelling

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	fields := strings.Fields("answer_key options required_modality number caption predicted_caption uuid id")
	for written, want := range map[string]string{
		"answerkey": "answer_key", "answerKey": "answer_key", "anwser_key": "answer_key", "Answer-Key": "answer_key", "answer_keys": "answer_key",
		"option": "options", "optoins": "options", "captoin": "caption", "predicted_captions": "predicted_caption",
		"uid": "uuid", "ID": "id", "text": "", "x": "", "": "", "key": "", "video": "",
	} {
		got, ok := Nearest(written, fields)
		if got != want || ok != (want != "") {
			t.Errorf("%q: got %q, want %q", written, got, want)
		}
	}
}

func TestNearestTakesTheFirstOfEquals(t *testing.T) {
	if got, _ := Nearest("hypp", []string{"hypa", "hypb"}); got != "hypa" {
		t.Errorf("got %q", got)
	}
}
