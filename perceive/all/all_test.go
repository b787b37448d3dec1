package all_test

import (
	"testing"

	"omniscope/internal/testing/need"
	"omniscope/perceive/all"
	"omniscope/perceive/asr"
)

func TestListedNamesAreToolNames(t *testing.T) {
	need.Processes(t)
	for i, tool := range all.Open(asr.Options{}) {
		if got := tool.Info().Name; got != all.Tools[i].Name {
			t.Errorf("the list calls tool %q %q", got, all.Tools[i].Name)
		}
	}
}
