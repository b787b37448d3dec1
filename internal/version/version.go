// Package version says which version this program is.
package version

import (
	"cmp"
	"runtime/debug"
	"strings"
)

// Stamped is what `git describe` said when `make` built the program, such as
// v0.1.0-3-gbe21757ab8c4, or be21757ab8c4 before the first tag.
var Stamped string

// Program is the version and commit of this program. Every signature holds
// it. No run is named by it: a newer program resumes the runs of an older one.
func Program() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return cmp.Or(Stamped, "unknown")
	}
	return cmp.Or(Stamped, versionOf(info))
}

// versionOf is the version and commit that the go command recorded, or
// "unknown": it records none in tests and outside of git.
func versionOf(info *debug.BuildInfo) string {
	var commit, modified string
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = "-dirty"
		}
	}
	v := info.Main.Version
	switch {
	case v == "" || v == "(devel)":
		if commit == "" {
			return "unknown"
		}
		return commit + modified
	case commit == "" || strings.Contains(v, commit): // of a module proxy, or a version made of the commit
		return v
	}
	return v + "-g" + commit
}
