package environ

import "testing"

func TestVariables(t *testing.T) {
	if got := Variable("judge-base-url"); got != "OMNISCOPE_JUDGE_BASE_URL" {
		t.Errorf("got %s", got)
	}
	for name, want := range map[string]bool{"OMNISCOPE_JSON": true, "OMNISCOPE_FORCE": false, "HF_TOKEN": true, "https_proxy": true, "PATH": false, "OMNISCOPE_TOOL": false, "OMNISCOPE_TOOL_HEADER": false, "OMNISCOPE_TOOL_TIMEOUT": true, "SSL_CERT_FILE": false} {
		if MayBeInFile(name) != want {
			t.Errorf("%s may be in a file: %t, want %t", name, !want, want)
		}
	}
}
