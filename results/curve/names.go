package curve

import (
	"regexp"
	"strings"

	"omniscope"
)

// A pattern says what the parts of systems' names mean, such as
// "{system}_{modality}_{lang}". The part called system may hold anything, the others
// anything but an underscore.
type pattern struct {
	re    *regexp.Regexp
	parts []string // in their order
}

var field = regexp.MustCompile(`\{([a-z]+)\}`)

// newPattern reads a pattern; nil for "".
func newPattern(text string) (*pattern, error) {
	if text == "" {
		return nil, nil
	}
	p := &pattern{}
	expression, rest := "^", text
	for {
		at := field.FindStringSubmatchIndex(rest)
		if at == nil {
			break
		}
		name := rest[at[2]:at[3]]
		p.parts = append(p.parts, name)
		part := "([^_]+)"
		if name == "system" {
			part = "(.+)"
		}
		expression += regexp.QuoteMeta(rest[:at[0]]) + part
		rest = rest[at[1]:]
	}
	if len(p.parts) < 2 || strings.ContainsAny(rest, "{}") {
		return nil, omniscope.Usagef("--names wants the parts of names in braces, such as {system}_{modality}_{lang}, not %q", text)
	}
	p.re = regexp.MustCompile(expression + regexp.QuoteMeta(rest) + "$") // every part of it is quoted
	return p, nil
}

// of splits a name into the value of one part, and the others joined; ok is false where
// the name is not of the pattern, or has no such part.
func (p *pattern) of(name, part string) (value, others string, ok bool) {
	if p == nil {
		return "", name, false
	}
	found := p.re.FindStringSubmatch(name)
	if found == nil {
		return "", name, false
	}
	var rest []string
	for i, one := range p.parts {
		if one == part {
			value, ok = found[i+1], true
		} else {
			rest = append(rest, found[i+1])
		}
	}
	return value, strings.Join(rest, " "), ok
}
