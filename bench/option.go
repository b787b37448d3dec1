package bench

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// An Option is a setting of one benchmark's own: a flag on the command line, an
// entry in a run's Spec.
type Option struct {
	Name    string // of the flag, such as judge-mode
	Short   string // its letter; "" = none
	Help    string
	Value   Setting  // where it goes; holds the default
	Choices []string // what it may be; nil = anything that Value takes

	OneRun  string // why it is for one judge and one file of predictions; "" = for any number
	Path    bool   // it names a file or folder
	Display bool   // it shapes what is shown, and no score
	InPlan  bool   // the Plan's Protocol or Inputs say it, too, so that a run's name needs it no more
}

// A Setting is the value of an option.
type Setting interface {
	Set(text string) error
	String() string
	Type() string // in one word, for help
}

// A List is a Setting of several values: each Set adds one. Its String is a JSON
// list, "" if there are none.
type List interface {
	Setting
	Values() []string
}

// ValuesOf are the values in what a setting's String returned.
func ValuesOf(s Setting, text string) (values []string, err error) {
	if _, ok := s.(List); !ok || text == "" {
		return []string{text}, nil
	}
	err = json.Unmarshal([]byte(text), &values)
	return values, err
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

// Given are the values of a benchmark's options, by name, that are not empty.
func Given(b Benchmark) map[string]string {
	values := make(map[string]string)
	for _, o := range OptionsOf(b) {
		if text := o.Value.String(); text != "" {
			values[o.Name] = text
		}
	}
	return values
}

// Text is a setting that may be any text.
func Text(to *string) Setting { return text{to} }

// Number is a setting that is a number from 0.
func Number(to *int) Setting { return number{to} }

// Either is a setting with two values that have names.
func Either(to *bool, no, yes string) Setting { return either{to, no, yes} }

// Switch is a setting that is on or off.
func Switch(to *bool) Setting { return onOff{to} }

// Texts is a setting of any number of texts.
func Texts(to *[]string) Setting { return texts{to} }

type onOff struct{ to *bool }

func (o onOff) Set(s string) error {
	v, err := strconv.ParseBool(s)
	if err != nil {
		return fmt.Errorf("%q is neither true nor false", s)
	}
	*o.to = v
	return nil
}
func (o onOff) String() string { return strconv.FormatBool(*o.to) }
func (onOff) Type() string     { return "bool" }

type texts struct{ to *[]string }

func (t texts) Set(s string) error { *t.to = append(*t.to, s); return nil }
func (t texts) String() string {
	if len(*t.to) == 0 {
		return ""
	}
	list, _ := json.Marshal(*t.to) // texts always have a JSON
	return string(list)
}
func (texts) Type() string       { return "stringArray" }
func (t texts) Values() []string { return *t.to }

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
