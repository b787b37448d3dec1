// Package ref reads and writes model references, by which every command, file and results document names a model:
//
//	PROVIDER/NAME[,key=value]...    vllm/Qwen/Qwen3-Omni-30B-A3B-Instruct,base-url=http://node7:8000/v1,fps=2
//	NAME[,key=value]...             a model that omniscope.yaml defines
//	@FILE.yaml or file:FILE.yaml    one model in a file of its own
//
// A comma begins a setting only if a key and = follow it, so that names and values may have commas. Only the first slash
// separates the provider from the name. A value that begins with {, [ or " is JSON to its end.
//
// The package knows the form and the keys. It does not know which providers there are: session/catalog does.
package ref

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"omniscope"
)

// A Ref is a model reference as it was written.
type Ref struct {
	Model    string    // PROVIDER/NAME, or a name without a slash; "" with File
	File     string    // a YAML file that describes the model; "" = Model names it
	Settings []Setting // in the order in which they were written
}

// A Setting is one key of a reference with its value.
type Setting struct {
	Key   string // such as temperature, extra.top_k or header.x-route
	Value string // the text; of JSON other than a string, the JSON
	Form  form
	Marks bool // the key of a header or query value ends with !: it chooses which model answers
}

// A form is the way in which a value was written.
type form int

// The forms.
const (
	asIs   form = iota // as it is: JSON may read it as a number or a word
	quoted             // as a JSON string
	asJSON             // as a JSON object or list
)

// start matches the comma, key and = that begin a setting. Names of fields, headers and query values may have capitals and
// underscores.
var start = regexp.MustCompile(`^,[ ]*([a-z][a-z0-9-]*(?:\.[A-Za-z0-9._-]+)?)(!?)=`)

// Parse reads a reference. Errors are of kind Usage.
func Parse(text string) (Ref, error) {
	r, err := parse(strings.TrimSpace(text))
	if err != nil {
		return Ref{}, omniscope.Usagef("%s", HideSecrets(err.Error()))
	}
	return r, nil
}

// userinfo and query match what an address may have before its host and behind its path.
var (
	userinfo = regexp.MustCompile(`://[^/\s]*@`)
	query    = regexp.MustCompile(`\?[^\s]+`)
)

// HideSecrets returns a text without passwords and queries of addresses.
func HideSecrets(text string) string {
	if !strings.Contains(text, "://") {
		return text
	}
	return query.ReplaceAllString(userinfo.ReplaceAllString(text, "://"), "?…")
}

func parse(text string) (Ref, error) {
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return Ref{}, omniscope.Usagef("a model reference is one line without control characters, not %q", text)
	}
	head, rest := nextSetting(text)
	r, err := parseHead(head)
	if err != nil {
		return Ref{}, err
	}
	for rest != "" {
		var s Setting
		if s, rest, err = parseSetting(rest); err != nil {
			return Ref{}, err
		}
		r.Settings = append(r.Settings, s)
	}
	return r, checkTwice(r.Settings)
}

// parseHead reads the part before the settings.
func parseHead(head string) (Ref, error) {
	for _, mark := range []string{"@", "file:"} {
		if file, ok := strings.CutPrefix(head, mark); ok {
			if file == "" {
				return Ref{}, omniscope.Usagef("%s names no file: write %sFILE.yaml", mark, mark)
			}
			return Ref{File: file}, nil
		}
	}
	head = strings.TrimSpace(head)
	switch {
	case start.MatchString("," + head):
		return Ref{}, omniscope.Usagef("%q begins with a setting: write the model first, such as vllm/NAME,%s", head, head)
	case head == "" || head[0] == '/':
		return Ref{}, omniscope.Usagef("%q names no model: write PROVIDER/NAME, such as openai/gpt-4.1, or the name of a model in omniscope.yaml", head)
	case strings.HasSuffix(head, ","):
		return Ref{}, omniscope.Usagef("%q ends with a comma: settings are written as ,key=value", head)
	}
	return Ref{Model: head}, nil
}

// nextSetting splits text before the next setting.
func nextSetting(text string) (before, from string) {
	for at := 0; at < len(text); at++ {
		if text[at] == ',' && start.MatchString(text[at:]) {
			return text[:at], text[at:]
		}
	}
	return text, ""
}

// parseSetting reads the setting that text begins with.
func parseSetting(text string) (s Setting, rest string, err error) {
	m := start.FindStringSubmatch(text)
	s.Key, s.Marks = m[1], m[2] == "!"
	value := strings.TrimLeft(text[len(m[0]):], " ")
	if value == "" || !strings.ContainsRune(`{["`, rune(value[0])) {
		s.Value, rest = nextSetting(value)
		s.Value = strings.TrimSpace(s.Value)
		if s.Value == "" {
			return s, "", omniscope.Usagef("%s= has no value: leave the key out, or write %s=\"\" for an empty text", s.Key, s.Key)
		}
		return s, rest, nil
	}
	raw, rest, err := cutJSON(value)
	if err != nil {
		return s, "", jsonError(s.Key, value)
	}
	if rest = strings.TrimLeft(rest, " "); rest != "" && !start.MatchString(rest) {
		return s, "", omniscope.Usagef("%s: %q follows the JSON value: settings are written as ,key=value", s.Key, rest)
	}
	s.Form, s.Value = asJSON, string(raw)
	if raw[0] == '"' {
		s.Form = quoted
		err = json.Unmarshal(raw, &s.Value)
	}
	return s, rest, err
}

// cutJSON splits text behind the JSON value that it begins with.
func cutJSON(text string) (raw json.RawMessage, rest string, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	if err := d.Decode(&raw); err != nil {
		return nil, "", err
	}
	return raw, text[d.InputOffset():], nil
}

// jsonError explains why a value is not JSON. PowerShell before 7.3 takes quotation marks out of the arguments of programs.
func jsonError(key, value string) error {
	if !strings.Contains(value, `"`) {
		return omniscope.Usagef(`%s: %s is not JSON: its quotation marks are missing. Shells take them away: write '%s={"a": 1}' in single quotes, in PowerShell before 7.3 as {\"a\": 1}, or put the model into omniscope.yaml`, key, value, key)
	}
	return omniscope.Usagef(`%s: %s begins with %c and is not JSON: check its quotation marks and brackets, or write the value as a JSON string, "..."`, key, value, value[0])
}

// checkTwice refuses a key that is given twice, unless the key may be repeated.
func checkTwice(settings []Setting) error {
	seen := make(map[string]bool)
	for _, s := range settings {
		if k, ok := find(s.Key); seen[s.Key] && !(ok && k.Repeats) {
			return omniscope.Usagef("%s is given twice: keep one", s.Key)
		}
		seen[s.Key] = true
	}
	return nil
}

// Provider splits the model at the first slash. "" = the name has no slash: it is defined elsewhere.
func (r Ref) Provider() (provider, name string) {
	provider, name, slash := strings.Cut(r.Model, "/")
	if !slash {
		return "", r.Model
	}
	return provider, name
}

// Get returns the last value of a key.
func (r Ref) Get(key string) (value string, ok bool) {
	for _, s := range r.Settings {
		if s.Key == key {
			value, ok = s.Value, true
		}
	}
	return value, ok
}

// With returns the reference with further settings. Each replaces the settings with its key.
func (r Ref) With(settings ...Setting) Ref {
	own := Ref{Model: r.Model, File: r.File}
	for _, s := range r.Settings {
		if !has(settings, s.Key) {
			own.Settings = append(own.Settings, s)
		}
	}
	own.Settings = append(own.Settings, settings...)
	return own
}

func has(settings []Setting, key string) bool {
	for _, s := range settings {
		if s.Key == key {
			return true
		}
	}
	return false
}

// String writes the reference so that Parse reads the same.
func (r Ref) String() string {
	var b strings.Builder
	b.WriteString(r.Model)
	if r.File != "" {
		b.WriteString("file:" + r.File)
	}
	for _, s := range r.Settings {
		mark := ""
		if s.Marks {
			mark = "!"
		}
		fmt.Fprintf(&b, ",%s%s=%s", s.Key, mark, s.written())
	}
	return b.String()
}

// written is the value as a reference has it.
func (s Setting) written() string {
	_, another := nextSetting(s.Value)
	plain := s.Form == asIs && s.Value != "" && another == "" && !strings.ContainsRune(`{["`, rune(s.Value[0])) && s.Value == strings.TrimSpace(s.Value)
	if s.Form == asJSON || plain {
		return s.Value
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s.Value) // a string
	return strings.TrimSuffix(b.String(), "\n")
}

// Raw is the value as a field of a request: a number or word of JSON stays one, all other plain text is a string.
func (s Setting) Raw() json.RawMessage {
	if s.Form == asJSON || s.Form == asIs && json.Valid([]byte(s.Value)) {
		return json.RawMessage(s.Value)
	}
	raw, _ := json.Marshal(s.Value) // a string
	return raw
}
