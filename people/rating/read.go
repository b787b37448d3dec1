package rating

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/input"
	"omniscope/internal/rows"
	"omniscope/internal/yamlfile"
	"omniscope/people"
)

// readPairs reads a file of pairs.
func readPairs(ctx context.Context, path string) ([]pair, error) {
	t := &table{rows: make(map[[2]string]int), originals: make(map[string]int)}
	err := people.ReadRows(ctx, path, func(lines *rows.File, i int, text []byte) error { return t.add(text, lines.Number(i)) })
	if err != nil {
		return nil, err
	}
	if len(t.pairs) == 0 {
		return nil, omniscope.Invalidf("%s has no pairs: a line names clip, original, reconstruction and system", path)
	}
	return t.pairs, nil
}

// A table is the pairs of a file, and the lines of what must not differ.
type table struct {
	pairs     []pair
	rows      map[[2]string]int // line of a clip's reconstruction by a system
	originals map[string]int    // number of the first pair of a clip
}

func (t *table) add(text []byte, line int) error {
	if err := rows.CheckJSON(text); err != nil {
		return err
	}
	var p pair
	for _, f := range []struct {
		name string
		to   *string
	}{{"clip", &p.Clip}, {"original", &p.Original}, {"reconstruction", &p.Reconstruction}, {"system", &p.System}} {
		v := gjson.GetBytes(text, f.name)
		if !v.Exists() {
			return bench.NoField(f.name, bench.FieldsOf(text))
		}
		if *f.to = strings.TrimSpace(v.String()); *f.to == "" || v.IsObject() || v.IsArray() {
			return fmt.Errorf("%q is not a text, or empty", f.name)
		}
	}
	key := [2]string{p.Clip, p.System}
	if before, ok := t.rows[key]; ok {
		return fmt.Errorf("the reconstruction of %s by %s is there already, on line %d", p.Clip, p.System, before)
	}
	if before, ok := t.originals[p.Clip]; !ok {
		t.originals[p.Clip] = len(t.pairs)
	} else if other := t.pairs[before].Original; other != p.Original {
		return fmt.Errorf("the original of %s is %s here, and %s in a line before", p.Clip, p.Original, other)
	}
	if p.Reconstruction == p.Original {
		return errors.New("original and reconstruction are the same file: hidden originals come with --controls")
	}
	t.rows[key], t.pairs = line, append(t.pairs, p)
	return nil
}

// A scaleInFile is a scale and the line on which it begins.
type scaleInFile struct {
	ratingScale
	line int
}

// UnmarshalYAML keeps the line, which messages name.
func (s *scaleInFile) UnmarshalYAML(node ast.Node) error {
	s.line = node.GetToken().Position.Line
	return yaml.NodeToValue(node, &s.ratingScale, yaml.Strict())
}

// readScales reads a file of scales: YAML, of which JSON is a part.
func readScales(ctx context.Context, path string) ([]ratingScale, error) {
	text, _, err := input.ReadFile(ctx, path, input.Texts)
	if err != nil {
		return nil, err
	}
	var list []scaleInFile
	if err := yamlfile.Decode(text, &list); err != nil {
		return nil, omniscope.Invalidf("%s: %w", path, err)
	}
	var scales []ratingScale
	for _, s := range list {
		if err := s.check(scales); err != nil {
			return nil, omniscope.Invalidf("%s:%d: %w", path, s.line, err)
		}
		scales = append(scales, s.ratingScale)
	}
	if len(scales) == 0 {
		return nil, omniscope.Invalidf("%s has no scales: write a list of them, each with name, label and five anchors", path)
	}
	return scales, nil
}

func (s *ratingScale) check(before []ratingScale) error {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	switch {
	case s.Name == "" || strings.Trim(s.Name, letters) != "":
		return fmt.Errorf("the name of a scale has letters, digits, - and _ only, not %q", s.Name)
	case s.Name == people.ValueStruck || s.Name == people.ValueFrom || s.Name == people.ValueOrder || s.Name == "system":
		return fmt.Errorf("a scale cannot be called %q: choose another name", s.Name)
	case slices.ContainsFunc(before, func(o ratingScale) bool { return o.Name == s.Name }):
		return fmt.Errorf("two scales are called %q", s.Name)
	case strings.TrimSpace(s.Label) == "":
		return fmt.Errorf("the scale %s has no label: say what people are asked", s.Name)
	case len(s.Anchors) != steps || slices.ContainsFunc(s.Anchors, func(a string) bool { return strings.TrimSpace(a) == "" }):
		return fmt.Errorf("the scale %s wants %d anchors, which say in words what each value from 1 means", s.Name, steps)
	}
	return nil
}
