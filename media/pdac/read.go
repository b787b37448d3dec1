package pdac

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"omniscope"
	"omniscope/internal/input"
	"omniscope/internal/yamlfile"
)

// mostYAML is the longest file of segments, in bytes: some 100,000 segments.
const mostYAML = 16 << 20

// Read reads a file of segments, in the order of the file. Of each entry it reads
// wav, offset and duration. A file that is not such a list is an error of kind Invalid
// that names the line.
func Read(ctx context.Context, path string) ([]Entry, error) {
	text, _, err := input.ReadFile(ctx, path, input.Texts)
	if err != nil {
		return nil, err
	}
	list, err := yamlfile.Parse(joinNames(text), mostYAML)
	if err != nil {
		return nil, omniscope.Invalidf("%s: %w", path, err)
	}
	items, ok := list.(*ast.SequenceNode)
	if !ok {
		return nil, badLine(path, list, "the file is not a list of segments, each with wav, offset and duration")
	}
	entries := make([]Entry, len(items.Values))
	for i, item := range items.Values {
		if entries[i], err = readEntry(path, item); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

// badLine is an error about a node of a file.
func badLine(path string, n ast.Node, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return omniscope.Invalidf("%s:%d: %w", path, n.GetToken().Position.Line, err)
}

func readEntry(path string, item ast.Node) (e Entry, err error) {
	var fields []*ast.MappingValueNode
	switch m := item.(type) {
	case *ast.MappingNode:
		fields = m.Values
	case *ast.MappingValueNode:
		fields = []*ast.MappingValueNode{m}
	default:
		return e, badLine(path, item, "the entry %s is not a segment with wav, offset and duration", item)
	}
	there := map[string]bool{}
	for _, f := range fields {
		key := f.Key.GetToken().Value
		if there[key] {
			return e, badLine(path, f, "the segment has %s twice", key)
		}
		there[key] = true
		switch key {
		case "wav":
			e.Wav, err = readName(path, f.Value)
		case "offset":
			e.Offset, err = readSeconds(path, f)
		case "duration":
			e.Duration, err = readSeconds(path, f)
		}
		if err != nil {
			return e, err
		}
	}
	for _, key := range []string{"wav", "offset", "duration"} {
		if !there[key] {
			return e, badLine(path, item, "the segment has no %s", key)
		}
	}
	return e, nil
}

// readName reads the name of a file. It must have no folder: names of other
// files are made of it.
func readName(path string, n ast.Node) (string, error) {
	name, ok := scalarText(n)
	switch {
	case !ok:
		return "", badLine(path, n, "wav is not a name")
	case name == "" || name == "." || name == ".." || filepath.Base(name) != name || strings.ContainsAny(name, "\\\x00"):
		return "", badLine(path, n, "wav is %q, not the name of a file without a folder", name)
	}
	return name, nil
}

func readSeconds(path string, f *ast.MappingValueNode) (float64, error) {
	key := f.Key.GetToken().Value
	text, ok := scalarText(f.Value)
	v, err := strconv.ParseFloat(text, 64)
	if !ok || err != nil || !(v >= 0) || math.IsInf(v, 0) {
		return 0, badLine(path, f.Value, "%s is %s, not a number of seconds", key, f.Value)
	}
	return v, nil
}

// scalarText is a value as text, whatever type YAML takes it for.
func scalarText(n ast.Node) (string, bool) {
	switch s := n.(type) {
	case *ast.StringNode:
		return s.Value, true
	case *ast.LiteralNode:
		return s.Value.Value, true
	case *ast.FloatNode, *ast.IntegerNode, *ast.BoolNode, *ast.NullNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, true
	}
	return "", false
}

// joinNames joins names without quotes that PyYAML broke at a space because the line
// was too long: the parser does not read them between brackets. The line
// break moves behind the next comma, so that errors name the right line.
func joinNames(text []byte) []byte {
	if !bytes.HasPrefix(bytes.TrimLeft(text, " \n"), []byte("[")) {
		return text
	}
	out := make([]byte, 0, len(text))
	moved := 0           // line breaks that are to be written
	before := byte('\n') // the last character that is no blank
	for i := 0; i < len(text); i++ {
		c := text[i]
		begins := strings.IndexByte("[{,:\n", before) >= 0 // c would begin a value
		switch {
		case begins && (c == '"' || c == '\''):
			quoted := quotedText(text[i:])
			out = append(out, quoted...)
			i += len(quoted) - 1
			before = c
			continue
		case c == '\n' && !begins:
			rest := bytes.TrimLeft(text[i:], " \n")
			if len(rest) > 0 && strings.IndexByte(",]}#", rest[0]) < 0 {
				moved++
				out = append(out, ' ')
				i = len(text) - len(rest) - 1
				continue
			}
		}
		out = append(out, c)
		if c == ',' && moved > 0 {
			out = append(out, strings.Repeat("\n", moved)...)
			moved = 0
		}
		if c != ' ' && c != '\n' {
			before = c
		}
	}
	return out
}

// quotedText is the quoted text that text starts with.
func quotedText(text []byte) []byte {
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] == quote && quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		case text[i] == quote:
			return text[:i+1]
		}
	}
	return text
}
