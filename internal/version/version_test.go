package version

import (
	"runtime/debug"
	"testing"
)

func TestVersionOfBuildInfo(t *testing.T) {
	const commit = "be21757ab8c4d1e2f3a4b5c6d7e8f90123456789"
	revision := debug.BuildSetting{Key: "vcs.revision", Value: commit}
	clean, modified := debug.BuildSetting{Key: "vcs.modified", Value: "false"}, debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	for _, c := range []struct {
		name, module string
		settings     []debug.BuildSetting
		want         string
	}{
		{"a folder without git", "(devel)", nil, "unknown"},
		{"a test", "", nil, "unknown"},
		{"a commit", "(devel)", []debug.BuildSetting{revision, clean}, "be21757ab8c4"},
		{"changed files", "(devel)", []debug.BuildSetting{revision, modified}, "be21757ab8c4-dirty"},
		{"a commit without a tag", "v0.0.0-20261122234700-be21757ab8c4", []debug.BuildSetting{revision, clean}, "v0.0.0-20261122234700-be21757ab8c4"},
		{"changed files without a tag", "v0.0.0-20261122234700-be21757ab8c4+dirty", []debug.BuildSetting{revision, modified}, "v0.0.0-20261122234700-be21757ab8c4+dirty"},
		{"a tag", "v0.1.0", []debug.BuildSetting{revision, clean}, "v0.1.0-gbe21757ab8c4"},
		{"changed files after a tag", "v0.1.0+dirty", []debug.BuildSetting{revision, modified}, "v0.1.0+dirty-gbe21757ab8c4"},
		{"go install of a module", "v0.1.0", nil, "v0.1.0"},
	} {
		if got := versionOf(&debug.BuildInfo{Main: debug.Module{Version: c.module}, Settings: c.settings}); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
