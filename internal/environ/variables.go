package environ

import (
	"slices"
	"strings"
)

const ours = "OMNISCOPE_"

// Variable is the variable that sets a flag of every command that has it.
func Variable(flag string) string {
	return ours + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// others are the variables that a .env may set beside ours and those of the
// providers of models.
var others = []string{
	"HF_ENDPOINT", "HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_TOKEN_PATH", "HF_HOME", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE",
	"HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE",
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "NO_COLOR",
}

// MayBeInFile reports whether a .env may set a variable. Any other, such as PATH
// or SSL_CERT_FILE, would let a file in somebody's folder decide which programs
// run and whom to trust. So would --tool, which starts programs, and --tool-header, which sends
// keys to servers; and it must not allow that files are written over.
func MayBeInFile(name string) bool {
	if slices.ContainsFunc([]string{"force", "tool", "tool-header"}, func(flag string) bool { return name == Variable(flag) }) {
		return false
	}
	return strings.HasPrefix(name, ours) || slices.Contains(others, name)
}
