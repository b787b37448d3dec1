package session

import (
	"errors"
	"testing"

	"omniscope/metric/remember"
	"omniscope/run"
	"omniscope/run/journal"
)

func TestRequestText(t *testing.T) {
	got := requestText([]byte(`{"messages":[{"role":"user","parts":[{"kind":"text","text":"What is it?"},{"kind":"image","digest":"sha256:00"}]}]}`))
	if want := "-- user\nWhat is it?\n[image sha256:00]\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := requestText(nil); got != "-- the text of the request was lost\n" {
		t.Errorf("got %q", got)
	}
}

func TestAnswerOfACall(t *testing.T) {
	for _, c := range []struct {
		call        journal.Call
		text, error string
	}{
		{journal.Call{Entry: run.Entry{Kind: "model", Result: []byte(`{"text":"a dog"}`)}}, "a dog", ""},
		{journal.Call{Entry: run.Entry{Kind: remember.Kind, Result: []byte(`0.5`)}}, "0.5", ""},
		{journal.Call{Entry: run.Entry{Kind: "model"}, Damaged: errors.New("its checksum differs")}, "", "DAMAGED: its checksum differs"},
	} {
		if r := answerOf(&c.call); r.Text != c.text || r.Error != c.error {
			t.Errorf("got %+v, want %+v", r, c)
		}
	}
}
