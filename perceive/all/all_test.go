package all_test

import (
	"testing"

	"omniscope/perceive/all"
	"omniscope/perceive/asr"
)

func TestListedNamesAreToolNames(t *testing.T) {
	for i, tool := range all.Open(asr.Options{}) {
		if got := tool.Info().Name; got != all.Tools[i].Name {
			t.Errorf("the list calls tool %q %q", got, all.Tools[i].Name)
		}
	}
}
