package session

import (
	"slices"
	"testing"
)

func TestCommandLineWithoutSecrets(t *testing.T) {
	got := CommandLine([]string{"/opt/bin/omniscope", "eval", "omni-cloze", "--judge=openai/m,base-url=http://me:secret@host/v1?key=secret,fps=2", "--judge", "openai/m,base-url=http://me:secret@host/v1", "--out", "http://me:secret@host/v1", "-p", "a=b.jsonl"})
	want := []string{"omniscope", "eval", "omni-cloze", "--judge=openai/m,base-url=http://host/v1,fps=2", "--judge", "openai/m,base-url=http://host/v1", "--out", "http://host/v1", "-p", "a=b.jsonl"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
