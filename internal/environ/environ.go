// Package environ reads settings from the environment and from the nearest .env
// file, and remembers which of the two a setting came from: a key may only be sent
// to an address that comes from as trusted a place.
package environ

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"omniscope/internal/dotenv"
)

// A Source says where a setting comes from.
type Source struct {
	Name  string // the variable, or the flag with its dashes; "" = a default
	File  string // the .env that set the variable; "" = the environment or the command line
	Above bool   // the file is in a folder above the working folder
}

func (s Source) String() string {
	if s.File == "" {
		return s.Name
	}
	return s.Name + " in " + nearPath(s.File)
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

// loaded are the variables of this process that a .env has set.
var loaded = struct {
	sync.Mutex
	settings map[string]setting
}{settings: make(map[string]setting)}

type setting struct {
	source Source
	value  string
	line   int
}

// SourceOf says where the value of a variable comes from.
func SourceOf(name string) Source {
	source, _ := Line(name)
	return source
}

// Line is SourceOf with the line of the .env; 0 = it comes from elsewhere.
func Line(name string) (source Source, line int) {
	loaded.Lock()
	defer loaded.Unlock()
	if s, ok := loaded.settings[name]; ok && s.value == os.Getenv(name) {
		return s.source, s.line
	}
	return Source{Name: name}, 0
}

// Loaded lists the variables that a .env has set, by name.
func Loaded() (all []Source) {
	loaded.Lock()
	defer loaded.Unlock()
	for _, name := range slices.Sorted(maps.Keys(loaded.settings)) {
		if s := loaded.settings[name]; s.value == os.Getenv(name) {
			all = append(all, s.source)
		}
	}
	return all
}

// First returns the first of the variables that has a value, and its value.
func First(names []string) (name, value string) {
	for _, name := range names {
		if value := os.Getenv(name); value != "" {
			return name, value
		}
	}
	return "", ""
}

// Load sets variables by the nearest .env from the working folder upwards: those
// that the environment leaves alone, and that may be set by a file. It warns of
// lines that cannot be read.
func Load(warnings io.Writer, may func(name string) bool) {
	folder, err := os.Getwd()
	if err != nil {
		return // no working folder, no .env
	}
	f := dotenv.Nearest(folder, ".env")
	if f == nil {
		return
	}
	warn(warnings, f)
	found := make(map[string]setting)
	for _, s := range f.Settings {
		if _, set := os.LookupEnv(s.Name); !set && may(s.Name) {
			found[s.Name] = setting{Source{s.Name, f.Path, filepath.Dir(f.Path) != folder}, s.Value, s.Line}
		}
	}
	loaded.Lock()
	defer loaded.Unlock()
	for name, s := range found {
		if err := os.Setenv(name, s.value); err == nil {
			loaded.settings[name] = s
		}
	}
	proxies.Store(nil)
}

// warn names the lines that cannot be read, without quoting them: they may hold
// keys.
func warn(w io.Writer, f *dotenv.File) {
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
