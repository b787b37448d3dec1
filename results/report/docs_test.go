package report

import (
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"omniscope"
	"omniscope/bench/document"
	"omniscope/internal/testing/fixture"
)

func resultsPage(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/results.md")
	fixture.OK(t, err)
	return string(text)
}

// fence returns the page's first block of a language.
func fence(t *testing.T, page, language string) string {
	t.Helper()
	_, rest, ok := strings.Cut(page, "```"+language+"\n")
	block, _, closed := strings.Cut(rest, "```")
	if !ok || !closed {
		t.Fatalf("docs/results.md has no %s block", language)
	}
	return block
}

// Every field of the document is in docs/results.md, with its full path.
func TestResultsDocumented(t *testing.T) {
	page := resultsPage(t)
	for _, path := range jsonPaths(reflect.TypeFor[document.Results](), "") {
		if !strings.Contains(page, "`"+path+"`") {
			t.Errorf("docs/results.md does not mention `%s`", path)
		}
	}
}

// jsonPaths returns the paths of all fields below a type. Scores stand in
// several places and are described once, under "score".
func jsonPaths(typ reflect.Type, path string) []string {
	switch typ.Kind() {
	case reflect.Pointer:
		return jsonPaths(typ.Elem(), path)
	case reflect.Slice:
		return jsonPaths(typ.Elem(), path+"[]")
	case reflect.Map:
		return jsonPaths(typ.Elem(), path+".*")
	}
	if typ.Kind() != reflect.Struct || typ == reflect.TypeFor[time.Time]() {
		return nil
	}
	if typ == reflect.TypeFor[omniscope.Score]() {
		path = "score"
	}
	var paths []string
	for field := range typ.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		inner := strings.TrimPrefix(path+"."+name, ".")
		paths = append(append(paths, inner), jsonPaths(field.Type, inner)...)
	}
	return paths
}

// The example is a whole document and nothing more.
func TestDocumentedExample(t *testing.T) {
	example := fence(t, resultsPage(t), "json")
	decoder := json.NewDecoder(strings.NewReader(example))
	decoder.DisallowUnknownFields()
	var r document.Results
	fixture.OK(t, decoder.Decode(&r))
	if diff := cmp.Diff(example, written(t, JSON, &r)); diff != "" {
		t.Errorf("(-example +as written):\n%s", diff)
	}
	if diff := cmp.Diff(fence(t, resultsPage(t), "csv"), written(t, CSV, &r)); diff != "" {
		t.Errorf("(-example +as written):\n%s", diff)
	}
}

// blankFields are the fields of a line of blanks.jsonl, in order.
const blankFields = "uuid number modality category subcategory answer_key judged judge_text strict official outcome"

func TestBlanksDocumented(t *testing.T) {
	page := resultsPage(t)
	names := strings.Fields(blankFields)
	for _, name := range append(names, csvHeader...) {
		if !strings.Contains(page, "`"+name+"`") {
			t.Errorf("docs/results.md does not mention `%s`", name)
		}
	}
	var keys []string
	for _, key := range regexp.MustCompile(`"(\w+)":`).FindAllStringSubmatch(fence(t, page, "jsonl"), -1) {
		keys = append(keys, key[1])
	}
	if diff := cmp.Diff(names, keys); diff != "" {
		t.Error(diff)
	}
}
