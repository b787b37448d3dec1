package mcifxml

import (
	"strings"
	"testing"
)

func mentions(t *testing.T, err error, wants ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", wants)
	}
	for _, want := range wants {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not mention %q", err, want)
		}
	}
}

// task is an output with the samples in it.
func task(samples string) string {
	return `<testset name="n" type="output"><task track="short" text_lang="en">` + samples + "</task></testset>"
}
