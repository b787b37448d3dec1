package release

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A mapping is one of YAML, in order. Values are string, int, []string, mapping or []mapping.
type mapping []pair

type pair struct {
	key   string
	value any
}

// plainText is what every reader of YAML takes for text without quotes, but the words below.
var plainText = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_./ -]*[A-Za-z0-9]$`)

// notText are words that readers of YAML 1.1, such as the hub's, take for truth values or nothing.
var notText = strings.Fields("yes no on off true false null y n")

// yamlText quotes where a reader could see something else. Go's escapes are all YAML's, too.
func yamlText(s string) string {
	if plainText.MatchString(s) && !slices.Contains(notText, strings.ToLower(s)) {
		return s
	}
	return strconv.Quote(s)
}

// writeYAML writes a mapping whose lines start with indent, but for the first one.
func (m mapping) writeYAML(b *bytes.Buffer, indent string) {
	for i, e := range m {
		if i > 0 {
			b.WriteString(indent)
		}
		b.WriteString(yamlText(e.key) + ":")
		switch v := e.value.(type) {
		case []string:
			b.WriteByte('\n')
			for _, s := range v {
				b.WriteString(indent + "- " + yamlText(s) + "\n")
			}
		case mapping:
			b.WriteString("\n" + indent + "  ")
			v.writeYAML(b, indent+"  ")
		case []mapping:
			b.WriteByte('\n')
			for _, one := range v {
				b.WriteString(indent + "- ")
				one.writeYAML(b, indent+"  ")
			}
		case string:
			b.WriteString(" " + yamlText(v) + "\n")
		default:
			fmt.Fprintf(b, " %v\n", v)
		}
	}
}

// header is the metadata of the hub's cards, see huggingface.co/docs/hub/datasets-cards.
func (s *set) header() mapping {
	o := s.o.Settings
	f := mapping{{"license", "other"}}
	if l := licenceOf(o.License); l.name != "" {
		f[0].value = l.name
	} else {
		f = append(f, pair{"license_name", strings.ToLower(strings.Join(strings.Fields(o.License), "-"))})
		if o.LicenseLink != "" {
			f = append(f, pair{"license_link", o.LicenseLink})
		}
	}
	f = append(f, mapping{{"language", o.Languages}, {"pretty_name", o.PrettyName}, {"size_categories", []string{sizeCategory(len(s.items))}},
		{"task_categories", o.TaskCategories}, {"annotations_creators", o.AnnotationsCreators}}...)
	if sources := s.sourceDatasets(); len(sources) > 0 {
		f = append(f, pair{"source_datasets", sources})
	}
	if o.GatedPrompt != "" {
		f = append(f, pair{"extra_gated_prompt", o.GatedPrompt})
	}
	var files, counts []mapping
	for _, name := range s.usedSplits() {
		files = append(files, mapping{{"split", name}, {"path", "data/" + name + ".parquet"}})
		counts = append(counts, mapping{{"name", name}, {"num_examples", len(s.ofSplit(name))}})
	}
	return append(f, mapping{{"configs", []mapping{{{"config_name", "default"}, {"data_files", files}}}},
		{"dataset_info", mapping{{"config_name", "default"}, {"features", s.shape.cardFeatures()}, {"splits", counts}}}}...)
}

// sourceDatasets are those that the settings name, else the origins of the sources.
func (s *set) sourceDatasets() []string {
	if len(s.o.Settings.SourceDatasets) > 0 {
		return s.o.Settings.SourceDatasets
	}
	origins := make(map[string]bool)
	for _, it := range s.items {
		if it.source.origin != "" {
			origins[it.source.origin] = true
		}
	}
	return sortedKeys(origins)
}
