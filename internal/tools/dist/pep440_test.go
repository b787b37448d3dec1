package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// versionsInOrder are versions of releases and what Python calls them, the earliest first.
var versionsInOrder = [][2]string{
	{"a074f09fac2c", "0.0.0.dev0+ga074f09fac2c"},
	{"a074f09fac2c-dirty", "0.0.0.dev0+ga074f09fac2c.dirty"},
	{"v0.9", "0.9"},
	{"v1", "1"},
	{"v1.2.0-alpha.1", "1.2.0a1"},
	{"v1.2.0-beta.2", "1.2.0b2"},
	{"v1.2.0-rc.1", "1.2.0rc1"},
	{"v1.2.0-rc.1-7-gbe21757ab8c4", "1.2.0rc1.post7+gbe21757ab8c4"},
	{"v1.2.0-rc2", "1.2.0rc2"},
	{"v1.2.0-rc.10", "1.2.0rc10"},
	{"v1.2.0", "1.2.0"},
	{"v1.2.0-dirty", "1.2.0+dirty"},
	{"v1.2.0-0-gbe21757ab8c4", "1.2.0+gbe21757ab8c4"},
	{"v1.2.0-3-gbe21757ab8c4", "1.2.0.post3+gbe21757ab8c4"},
	{"v1.2.0-3-gbe21757ab8c4-dirty", "1.2.0.post3+gbe21757ab8c4.dirty"},
	{"v1.2.0-10-g0123456", "1.2.0.post10+g0123456"},
	{"v1.2.1-alpha.0", "1.2.1a0"},
	{"v1.2.1", "1.2.1"},
	{"v1.10.0", "1.10.0"},
}

func TestVersionsOfPython(t *testing.T) {
	for _, v := range versionsInOrder {
		if got, err := pep440(v[0]); got != v[1] || err != nil {
			t.Errorf("%s: %q, %v, want %q", v[0], got, err, v[1])
		}
	}
}

func TestVersionsThatPythonCannotHave(t *testing.T) {
	for _, version := range []string{"nightly", "1.2.0", "v1.02.0", "v1.2.3.4", "v1.2.0-", "v1.2.0-test.1", "v1.2.0-rc", "v1.2.0-rc.1.2", "v1.2.0-3", "v1.2.0-3-gxyz", "v1.2.0+linux", "v1.2.0 ", "abc", "v1.2.0-rc.01"} {
		if got, err := pep440(version); err == nil || !strings.Contains(err.Error(), "such as v1.2.0") {
			t.Errorf("%q: %q, %v", version, got, err)
		}
	}
}

// TestVersionsAreInOrder asks pip's own reader of versions, which also says which are normal.
func TestVersionsAreInOrder(t *testing.T) {
	python := pythonOrSkip(t)
	const script = `
import sys
from pip._vendor.packaging.version import Version
given = sys.argv[1:]
print(*(str(Version(v)) for v in sorted(given, key=Version)))
`
	var given []string
	for _, v := range slices.Backward(versionsInOrder) {
		given = append(given, v[1])
	}
	out, err := exec.Command(python, append([]string{"-c", script}, given...)...).Output()
	if err != nil {
		t.Skipf("this Python has no pip with packaging: %v", err)
	}
	slices.Reverse(given)
	if got := strings.TrimSpace(string(out)); got != strings.Join(given, " ") {
		t.Errorf("pip has them as\n%s\nwant\n%s", got, strings.Join(given, " "))
	}
}
