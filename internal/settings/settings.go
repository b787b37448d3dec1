// Package settings reads flags of commands from YAML: names and values, with the lines where they stand.
package settings

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// A Setting is a flag of a command, by its name without dashes.
type Setting struct {
	Name   string
	Values []string // of a flag that is given several times, each
	Line   int      // of the file; 0 = it stands in none
}

// Settings are the settings of one entry, in the file's order.
type Settings []Setting

// UnmarshalYAML reads a mapping. It keeps the lines, which messages name.
func (s *Settings) UnmarshalYAML(node ast.Node) error {
	if m, ok := node.(*ast.MappingValueNode); ok {
		return s.add(m)
	}
	m, ok := node.(*ast.MappingNode)
	if !ok {
		return fmt.Errorf("line %d: write NAME: VALUE, such as model: openai/gpt-4o", node.GetToken().Position.Line)
	}
	for _, entry := range m.Values {
		if err := s.add(entry); err != nil {
			return err
		}
	}
	return nil
}

func (s *Settings) add(entry *ast.MappingValueNode) error {
	token := entry.Key.GetToken()
	values, err := valuesOf(entry.Value)
	if err != nil {
		return fmt.Errorf("line %d: %s: %w", token.Position.Line, token.Value, err)
	}
	*s = append(*s, Setting{Name: token.Value, Values: values, Line: token.Position.Line})
	return nil
}

// valuesOf are the texts that a flag would be given: of a list each of its values,
// of a mapping its JSON.
func valuesOf(node ast.Node) ([]string, error) {
	var value any
	if err := yaml.NodeToValue(node, &value); err != nil {
		return nil, err
	}
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	var texts []string
	for _, v := range list {
		switch v := v.(type) {
		case nil:
			return nil, fmt.Errorf("it has no value")
		case string:
			texts = append(texts, v)
		case map[string]any, []any:
			text, err := json.Marshal(v)
			if err != nil {
				return nil, err
			}
			texts = append(texts, string(text))
		default:
			texts = append(texts, fmt.Sprint(v))
		}
	}
	return texts, nil
}

// Get returns the last setting of a name.
func (s Settings) Get(name string) (Setting, bool) {
	for _, setting := range slices.Backward(s) {
		if setting.Name == name {
			return setting, true
		}
	}
	return Setting{}, false
}

// Text is the value of a setting that has one; "" where it is not there.
func (s Settings) Text(name string) string {
	setting, _ := s.Get(name)
	return strings.Join(setting.Values, ",")
}

// Without leaves out the settings of a name.
func (s Settings) Without(names ...string) Settings {
	return slices.DeleteFunc(slices.Clone(s), func(setting Setting) bool { return slices.Contains(names, setting.Name) })
}

// CheckTwice refuses a name that stands there twice.
func (s Settings) CheckTwice() error {
	first := make(map[string]int)
	for _, setting := range s {
		if line, twice := first[setting.Name]; twice {
			return fmt.Errorf("line %d: %s is there already, on line %d", setting.Line, setting.Name, line)
		}
		first[setting.Name] = setting.Line
	}
	return nil
}
