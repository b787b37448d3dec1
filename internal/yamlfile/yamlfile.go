// Package yamlfile reads YAML that users write: strictly, in bounded memory, and
// with errors that name the line and what a misspelt field was meant to be.
package yamlfile

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"omniscope/internal/spelling"
)

// Decode reads a document into v. A field that v has no place for is an error.
func Decode(text []byte, v any) error {
	if err := check(text); err != nil {
		return err
	}
	err := yaml.UnmarshalWithOptions(text, v, yaml.Strict())
	var unknown *yaml.UnknownFieldError
	if errors.As(err, &unknown) {
		at, name := unknown.GetToken().Position, unknown.GetToken().Value
		return fmt.Errorf("line %d: there is no field %q%s", at.Line, name, spelling.Hint(name, fieldNames(reflect.TypeOf(v))))
	}
	return brief(err)
}

// brief shortens an error of the parser to its line: what follows shows parts of the file, which may hold secrets.
func brief(err error) error {
	if err == nil {
		return nil
	}
	first, rest, _ := strings.Cut(err.Error(), "\n")
	if rest == "" {
		return err
	}
	if line, reason, ok := strings.Cut(strings.TrimPrefix(first, "["), "] "); ok {
		line, _, _ = strings.Cut(line, ":")
		return fmt.Errorf("line %s: %s", line, reason)
	}
	return errors.New(first)
}

// Parse reads a document of at most so many bytes as nodes with their lines: for
// long lists, and for values whose type is not what YAML takes them for. It resolves no
// alias. A file without a document, or with several, is an error.
func Parse(text []byte, most int) (ast.Node, error) {
	// Brackets within names may count as open to the end of the file.
	const deep = 1000
	switch {
	case len(text) > most || deepest(text) > deep:
		return nil, fmt.Errorf("the file has more than %d bytes or %d open brackets, which none of its kind has", most, deep)
	case nested.Match(text):
		return nil, errNested
	}
	f, err := parser.ParseBytes(text, 0)
	switch {
	case err != nil:
		return nil, brief(err)
	case len(f.Docs) == 0 || f.Docs[0].Body == nil:
		return nil, errors.New("the file is empty")
	case len(f.Docs) > 1:
		return nil, errors.New("the file has several documents, with --- between them: keep one")
	}
	return f.Docs[0].Body, nil
}

// check refuses what no file for us has. Aliases of aliases, and lists in lists,
// take a reader of YAML any amount of memory.
func check(text []byte) error {
	const most, deep = 256 << 10, 10
	switch {
	case len(text) > most:
		return fmt.Errorf("the file has more than %d bytes, which none of its kind has", most)
	case anchors.Match(text):
		return errors.New("anchors (&) and aliases (*) are not read: write the value out, or put it in quotes")
	case deepest(text) > deep || nested.Match(text):
		return errNested
	}
	return nil
}

var errNested = errors.New("it holds lists in lists in lists, which none of its kind does")

// nested matches lists that begin in one line, each in the one before. Such a line takes
// the parser time by the square of its length.
var nested = regexp.MustCompile(`(?m)^[ \t]*([-?:][ \t]+){4}`)

var anchors = regexp.MustCompile(`(?m)(^|[\s,:\[{-])[&*][^\s,*]`)

// deepest is how many brackets are open at a time.
func deepest(text []byte) (most int) {
	depth := 0
	for _, b := range text {
		switch b {
		case '[', '{':
			depth++
			most = max(most, depth)
		case ']', '}':
			depth--
		}
	}
	return most
}

// fieldNames are the names that a type's fields have in YAML, with those of the
// types of its fields.
func fieldNames(t reflect.Type) []string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	var names []string
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if name == "" {
			name = strings.ToLower(f.Name)
		}
		names = append(append(names, name), fieldNames(f.Type)...)
	}
	return names
}
