package bench

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// An Option is a setting of one benchmark's own: a flag on the command line, an
// entry in a run's Spec.
type Option struct {
	Name    string // of the flag, such as judge-mode
	Help    string
	Value   Setting  // where it goes; holds the default
	Choices []string // what it may be; nil = anything that Value takes

	Path    bool // it names a file or folder
	Display bool // it shapes what is shown, and no score
}

// A Setting is the value of an option.
type Setting interface {
	Set(text string) error
	String() string
	Type() string // in one word, for help
}

// An Optioned benchmark has options of its own. They set fields of the benchmark,
// which is then opened with them.
type Optioned interface {
	Benchmark
	Options() []Option
}

// OptionsOf are a benchmark's own options, nil if it has none.
func OptionsOf(b Benchmark) []Option {
	if o, ok := b.(Optioned); ok {
		return o.Options()
	}
	return nil
}

// Text is a setting that may be any text.
func Text(to *string) Setting { return text{to} }

// Number is a setting that is a number from 0.
func Number(to *int) Setting { return number{to} }

// Either is a setting with two values that have names.
func Either(to *bool, no, yes string) Setting { return either{to, no, yes} }

type text struct{ to *string }

func (t text) Set(s string) error { *t.to = s; return nil }
func (t text) String() string     { return *t.to }
func (text) Type() string         { return "string" }

type number struct{ to *int }

func (n number) Set(s string) error {
	v, err := strconv.Atoi(s)
	if err != nil || v < 0 {
		return fmt.Errorf("%q is no number from 0", s)
	}
	*n.to = v
	return nil
}
func (n number) String() string { return strconv.Itoa(*n.to) }
func (number) Type() string     { return "int" }

type either struct {
	to      *bool
	no, yes string
}

func (e either) Set(s string) error {
	if !slices.Contains([]string{e.no, e.yes}, s) {
		return fmt.Errorf("want %s", strings.Join([]string{e.no, e.yes}, " or "))
	}
	*e.to = s == e.yes
	return nil
}

func (e either) String() string {
	if *e.to {
		return e.yes
	}
	return e.no
}
func (either) Type() string { return "string" }
