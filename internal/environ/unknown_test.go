package environ

import (
	"bytes"
	"strings"
	"testing"
)

func TestWarnUnknown(t *testing.T) {
	flags := func() []string { return []string{"work-dir", "judge"} }
	t.Setenv("OMNISCOPE_WORK_DIR", "x")
	t.Setenv("OMNISCOPE_ASR_API_KEY", "x")
	t.Setenv("OMNISCOPE_EMPTY", "")
	t.Setenv("OMNISCOPE_WROK_DIR", "x")
	var out bytes.Buffer
	WarnUnknown(&out, flags)
	if want := "warning: OMNISCOPE_WROK_DIR sets no flag of any command; did you mean OMNISCOPE_WORK_DIR?\n"; out.String() != want {
		t.Errorf("got %q, want %q", &out, want)
	}
	if strings.Contains(out.String(), "ASR") {
		t.Error("it warns of the program's own")
	}
}
