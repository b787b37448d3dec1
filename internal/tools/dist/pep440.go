package main

import (
	"fmt"
	"regexp"
)

// describes is a release's version: a tag of semantic versioning, and after it what `git describe` adds: how many commits came
// since, which commit it is, and whether files were changed. untagged is a commit before the first tag.
var (
	describes = regexp.MustCompile(`^v((?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){0,2})(?:-(alpha|beta|rc)\.?(0|[1-9]\d*))?(?:-(0|[1-9]\d*)-(g[0-9a-f]+))?(-dirty)?$`)
	untagged  = regexp.MustCompile(`^([0-9a-f]{7,40})(-dirty)?$`)
)

// preReleases are the letters that Python has for what comes before a release.
var preReleases = map[string]string{"alpha": "a", "beta": "b", "rc": "rc"}

// pep440 is a release's version as Python writes it (packaging.python.org, "Version specifiers"). Commits after a tag are post
// releases of it: they come after the tag and before every later one, and nothing is guessed about the next. What is only
// known before the first tag comes before all releases. A version without such a form is an error.
func pep440(version string) (string, error) {
	if m := untagged.FindStringSubmatch(version); m != nil {
		return "0.0.0.dev0" + local("g"+m[1], m[2]), nil
	}
	m := describes.FindStringSubmatch(version)
	if m == nil {
		return "", fmt.Errorf("-version %q has no form as a version of a Python package: give one such as v1.2.0, v1.2.0-rc.1 (also alpha, beta), or what `git describe` says, such as v1.2.0-3-gbe21757ab8c4", version)
	}
	out := m[1]
	if m[2] != "" {
		out += preReleases[m[2]] + m[3]
	}
	if m[4] != "" && m[4] != "0" {
		out += ".post" + m[4]
	}
	return out + local(m[5], m[6]), nil
}

// local is the part of a version that says which build it is.
func local(commit, dirty string) string {
	switch {
	case commit == "" && dirty == "":
		return ""
	case dirty == "":
		return "+" + commit
	case commit == "":
		return "+dirty"
	}
	return "+" + commit + ".dirty"
}
