package ref

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"omniscope"
	"omniscope/internal/yamlfile"
)

// ParseYAML reads the YAML of a file with one model: model: PROVIDER/NAME, and settings as further fields. Errors are of kind Usage
// and name no file.
func ParseYAML(text []byte) (Ref, error) {
	var fields yaml.MapSlice
	if err := yamlfile.Decode(text, &fields); err != nil {
		return Ref{}, omniscope.Usagef("%v", err)
	}
	return FromFields(fields)
}

// FromFields is the reference of a mapping: model: PROVIDER/NAME, with or without settings, and settings as further fields. extra,
// header and query may be mappings of their own; base-url and stop may be lists.
func FromFields(fields yaml.MapSlice) (r Ref, err error) {
	var settings []Setting
	for _, f := range fields {
		key, ok := f.Key.(string)
		if !ok {
			return r, omniscope.Usagef("%v is not a setting of a model", f.Key)
		}
		if key == "model" {
			text, ok := f.Value.(string)
			if !ok {
				return r, omniscope.Usagef("model is PROVIDER/NAME, not %v", f.Value)
			}
			if r, err = Parse(text); err != nil {
				return r, err
			}
			continue
		}
		more, err := settingsOf(key, f.Value)
		if err != nil {
			return r, err
		}
		settings = append(settings, more...)
	}
	if r.Model == "" && r.File == "" {
		return r, omniscope.Usagef("model is missing: write model: PROVIDER/NAME, such as model: vllm/Qwen/Qwen3-Omni-30B-A3B-Instruct")
	}
	r = r.With(settings...)
	return r, checkTwice(r.Settings)
}

// settingsOf are the settings of a field of a mapping.
func settingsOf(key string, value any) (all []Setting, err error) {
	switch v := value.(type) {
	case yaml.MapSlice, map[string]any:
		return fieldsOf(key, v)
	case []any:
		if k, ok := find(key); !ok || !k.Repeats && k.Name != "extra." {
			return nil, omniscope.Usagef("%s is one value, not a list", key)
		}
		if strings.HasPrefix(key, "extra.") {
			s, err := jsonSetting(key, v)
			return []Setting{s}, err
		}
		for _, one := range v {
			more, err := settingsOf(key, one)
			if err != nil {
				return nil, err
			}
			all = append(all, more...)
		}
		return all, nil
	}
	name, marks := strings.CutSuffix(key, "!")
	s := Setting{Key: name, Marks: marks, Value: fmt.Sprint(value)}
	if text, ok := value.(string); ok && strings.HasPrefix(name, "extra.") {
		s.Form, s.Value = quoted, text
	}
	if value == nil {
		return nil, omniscope.Usagef("%s has no value", key)
	}
	return []Setting{s}, nil
}

// fieldsOf are the settings of a mapping under extra, header or query, or of one field of extra with a mapping as its value.
func fieldsOf(key string, value any) (all []Setting, err error) {
	if strings.HasPrefix(key, "extra.") {
		s, err := jsonSetting(key, value)
		return []Setting{s}, err
	}
	if k, ok := find(key + ".x"); !ok || k.Name != key+"." {
		return nil, omniscope.Usagef("%s is one value, not a mapping", key)
	}
	fields, _ := value.(yaml.MapSlice)
	if unordered, ok := value.(map[string]any); ok {
		for _, name := range slices.Sorted(maps.Keys(unordered)) {
			fields = append(fields, yaml.MapItem{Key: name, Value: unordered[name]})
		}
	}
	for _, f := range fields {
		more, err := settingsOf(key+"."+fmt.Sprint(f.Key), f.Value)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, nil
}

// jsonSetting is a setting with an object or a list as its value.
func jsonSetting(key string, value any) (Setting, error) {
	raw, err := json.Marshal(plain(value))
	if err != nil {
		return Setting{}, omniscope.Usagef("%s: %v", key, err)
	}
	return Setting{Key: key, Value: string(raw), Form: asJSON}, nil
}

// plain turns mappings of YAML into mappings that JSON can write.
func plain(value any) any {
	switch v := value.(type) {
	case yaml.MapSlice:
		m := make(map[string]any, len(v))
		for _, f := range v {
			m[fmt.Sprint(f.Key)] = plain(f.Value)
		}
		return m
	case map[string]any:
		for name, one := range v {
			v[name] = plain(one)
		}
	case []any:
		for i, one := range v {
			v[i] = plain(one)
		}
	}
	return value
}
