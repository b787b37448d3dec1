package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"omniscope/catalog"
	"omniscope/internal/dotenv"
	"omniscope/metric/neural/ort"
)

// A source says where a setting comes from.
type source struct {
	name  string // the variable, or the flag with its dashes; "" = a default
	file  string // the .env that set the variable; "" = the environment or the command line
	above bool   // the file is in a folder above the working folder
}

func (s source) String() string {
	if s.file == "" {
		return s.name
	}
	return s.name + " in " + nearPath(s.file)
}

// nearPath is a path as seen from the working folder, where that is possible.
func nearPath(path string) string {
	folder, err := os.Getwd()
	if err != nil {
		return path
	}
	near, err := filepath.Rel(folder, path)
	if err != nil {
		return path
	}
	return near
}

// fromDotEnv remembers which variables of the process a .env has set.
var fromDotEnv = struct {
	sync.Mutex
	settings map[string]dotEnvSetting
}{settings: make(map[string]dotEnvSetting)}

type dotEnvSetting struct {
	source
	value string
	line  int
}

// sourceOf says where the value of a variable comes from.
func sourceOf(name string) source { return dotEnvOrigin(name).source }

func dotEnvOrigin(name string) dotEnvSetting {
	fromDotEnv.Lock()
	defer fromDotEnv.Unlock()
	if s, ok := fromDotEnv.settings[name]; ok && s.value == os.Getenv(name) {
		return s
	}
	return dotEnvSetting{source: source{name: name}}
}

// flagSource says who set a flag: the command line or a variable.
func flagSource(f *pflag.FlagSet, name string) source {
	if flag := f.Lookup(name); flag != nil && len(flag.Annotations[setByVariable]) > 0 {
		return sourceOf(flag.Annotations[setByVariable][0])
	}
	return source{name: "--" + name}
}

const setByVariable = "omniscope_set_by_variable"

// otherVariables are those that a .env may set beside the flags and what the
// providers have. Anything else, such as PATH or SSL_CERT_FILE, would let a file
// in somebody's folder decide which programs run and whom to trust.
var otherVariables = []string{
	"HF_ENDPOINT", "HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_TOKEN_PATH", "HF_HOME", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE",
	"HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE",
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "NO_COLOR",
}

// notFromFiles are our own variables that a .env must not set: which library is
// loaded, and that files may be written over.
var notFromFiles = []string{ort.LibraryEnv, ort.ProviderEnv, envName("force")}

// mayBeInDotEnv reports whether a .env may set a variable.
func mayBeInDotEnv(name string) bool {
	if slices.Contains(notFromFiles, name) {
		return false
	}
	if strings.HasPrefix(name, "OMNISCOPE_") || slices.Contains(otherVariables, name) {
		return true
	}
	return slices.ContainsFunc(catalog.Providers, func(p catalog.Provider) bool {
		return slices.Contains(p.URLEnv, name) || slices.Contains(p.KeyEnv, name)
	})
}

// loadDotEnv sets variables by the nearest .env from the working folder upwards.
// Lines that cannot be read are warned about.
func loadDotEnv(warnings io.Writer) {
	folder, err := os.Getwd()
	if err != nil {
		return // no working folder, no .env
	}
	f := dotenv.Nearest(folder, ".env")
	if f == nil {
		return
	}
	warnOfDotEnv(warnings, f)
	settings := make(map[string]dotEnvSetting)
	for _, s := range f.Settings {
		if _, set := os.LookupEnv(s.Name); !set && mayBeInDotEnv(s.Name) {
			settings[s.Name] = dotEnvSetting{source: source{s.Name, f.Path, filepath.Dir(f.Path) != folder}, value: s.Value, line: s.Line}
		}
	}
	fromDotEnv.Lock()
	defer fromDotEnv.Unlock()
	for name, s := range settings {
		if err := os.Setenv(name, s.value); err == nil {
			fromDotEnv.settings[name] = s
		}
	}
}

// warnOfDotEnv names the lines that cannot be read, without quoting them: they
// may hold keys.
func warnOfDotEnv(w io.Writer, f *dotenv.File) {
	const most = 3
	for i, p := range f.Problems {
		switch {
		case p.Line == 0:
			fmt.Fprintf(w, "warning: %s cannot be read: %s; nothing in it counts\n", f.Path, p.What)
		case i < most:
			fmt.Fprintf(w, "warning: %s:%d: %s; the line does not count\n", f.Path, p.Line, p.What)
		case i == most:
			fmt.Fprintf(w, "warning: %s: %d more lines cannot be read\n", f.Path, len(f.Problems)-most)
		}
	}
}

// settingsMatter is false for commands that only tell about the program: no
// setting keeps them from doing so.
func settingsMatter(cmd *cobra.Command) bool {
	for cmd.HasParent() && cmd.Parent().HasParent() {
		cmd = cmd.Parent()
	}
	return !slices.Contains([]string{"docs", "list", "help", "version", "completion", cobra.ShellCompRequestCmd, cobra.ShellCompNoDescRequestCmd}, cmd.Name())
}

// readEnvironment reads the nearest .env and sets the flags that the command
// line leaves alone.
func readEnvironment(cmd *cobra.Command) error {
	if !settingsMatter(cmd) {
		unknownVariables(cmd.Root(), cmd.ErrOrStderr()) // of the environment alone
		loadDotEnv(io.Discard)
		return flagsFromEnv(cmd, func(name string) bool { return sourceOf(name).file == "" })
	}
	loadDotEnv(cmd.ErrOrStderr())
	unknownVariables(cmd.Root(), cmd.ErrOrStderr())
	return flagsFromEnv(cmd, func(string) bool { return true })
}

// flagsFromEnv sets the flags that the command line leaves alone from
// OMNISCOPE_<FLAG>. A value that cannot be used is an error if strict says so of
// the variable.
func flagsFromEnv(cmd *cobra.Command, strict func(name string) bool) error {
	var bad error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		name := envName(f.Name)
		value, ok := os.LookupEnv(name)
		if !ok || value == "" || f.Changed || bad != nil {
			return
		}
		err := cmd.Flags().Set(f.Name, value)
		if err == nil {
			err = cmd.Flags().SetAnnotation(f.Name, setByVariable, []string{name})
		}
		if err != nil && strict(name) {
			where := ""
			if s := dotEnvOrigin(name); s.file != "" {
				where = fmt.Sprintf("%s:%d: ", s.file, s.line)
			}
			bad = usagef("%s%s=%q: %s", where, name, value, valueError(err))
		}
	})
	return bad
}

func envName(flag string) string {
	return "OMNISCOPE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}
