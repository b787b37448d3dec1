package release

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope/internal/jsonfast"
	"omniscope/internal/outfile"
	"omniscope/internal/spreadsheet"
)

// writeLicences writes a line for each source: its licence, and whom to name.
func (s *set) writeLicences(w io.Writer) error {
	items := make(map[string]int)
	sources := make(map[string]*source)
	for _, it := range s.items {
		items[it.source.id]++
		sources[it.source.id] = it.source
	}
	out := csv.NewWriter(w)
	out.Write([]string{"source", "licence", "known_as", "licence_url", "url", "origin", "attribution", "items"}) // errors stay in the writer
	for _, id := range sortedKeys(sources) {
		src := sources[id]
		l := licenceOf(src.licence)
		out.Write(spreadsheet.Cells([]string{id, src.licence, l.name, l.link, src.url, src.origin, src.attribution, strconv.Itoa(items[id])}))
	}
	out.Flush()
	return out.Error()
}

// writeProvenance writes a line for each item: its source, its digest, and what is known of how it was made.
func (s *set) writeProvenance(w io.Writer) error {
	type line struct {
		ID         string          `json:"id"`
		Split      string          `json:"split"`
		Digest     string          `json:"digest"`
		Media      string          `json:"media,omitempty"`
		SHA256     string          `json:"media_sha256,omitempty"`
		Source     map[string]any  `json:"source"`
		Provenance json.RawMessage `json:"provenance,omitempty"`
	}
	digests := make(map[string]string)
	for _, e := range s.version.Items {
		digests[e.ID] = e.Digest
	}
	for _, it := range s.items {
		if err := outfile.Lines(w, line{it.id, it.split, digests[it.id], it.mediaFile, it.parts.Media, it.source.public(), json.RawMessage(withoutFolders(string(it.provenance)))}); err != nil {
			return err
		}
	}
	return nil
}

// public is a source as it is published: all its fields, but of its file only the name. The folders of the machine
// where it lay stay private.
func (src *source) public() map[string]any {
	fields := make(map[string]any)
	gjson.Parse(src.fields).ForEach(func(key, value gjson.Result) bool {
		fields[key.Str] = json.RawMessage(withoutFolders(value.Raw))
		return true
	})
	fields["id"] = src.id
	for name, value := range map[string]string{"licence": src.licence, "url": src.url, "origin": src.origin, "attribution": src.attribution, "sha256": src.digest} {
		if value != "" {
			fields[name] = value
		}
	}
	for _, name := range []string{"source_file", "path"} {
		if value, ok := fields[name].(json.RawMessage); ok {
			fields[name] = path.Base(strings.ReplaceAll(gjson.ParseBytes(value).String(), `\`, "/"))
		}
	}
	if src.file != "" {
		fields["file"] = path.Base(strings.ReplaceAll(src.file, `\`, "/"))
	}
	return fields
}

// wholePath finds fields that name a file by a whole path, in JSON.
var wholePath = regexp.MustCompile(`("(?:source_file|file|path|video_path)"\s*:\s*")/(?:[^"\\]|\\.)*/((?:[^"\\/]|\\.)*")`)

// withoutFolders leaves of whole paths in JSON the name of the file.
func withoutFolders(text string) string { return wholePath.ReplaceAllString(text, "$1$2") }

// writeMetadata writes what loaders of folders of media read: a line for each item with file_name, its split, and the
// fields of its row. Loaders need columns of one kind, so that fields of several kinds are JSON, as in the tables.
func (s *set) writeMetadata(w io.Writer) (err error) {
	var line []byte
	for _, it := range s.items {
		if line, err = s.rows.AppendTo(line[:0], it.row); err != nil {
			return err
		}
		if _, err := w.Write(s.metadataLine(it, gjson.ParseBytes(line))); err != nil {
			return err
		}
	}
	return nil
}

func (s *set) metadataLine(it *item, row gjson.Result) []byte {
	out := append([]byte(`{"file_name":`), jsonfast.AppendRaw(nil, it.mediaFile)...)
	out = append(append(out, `,"split":`...), jsonfast.AppendRaw(nil, it.split)...)
	row.ForEach(func(key, value gjson.Result) bool {
		if key.Str == "file_name" || key.Str == "split" {
			return true
		}
		out = append(jsonfast.AppendRaw(append(out, ','), key.Str), ':')
		if s.shape.fields[key.Str].holdsJSON() {
			out = jsonfast.AppendRaw(out, value.Raw)
		} else {
			out = append(out, value.Raw...)
		}
		return true
	})
	return append(out, "}\n"...)
}

// byLicence are the items of each licence, the most used first.
func (s *set) byLicence() (words []string, items map[string][]*item) {
	items = make(map[string][]*item)
	for _, it := range s.items {
		items[it.source.licence] = append(items[it.source.licence], it)
	}
	words = sortedKeys(items)
	slices.SortStableFunc(words, func(a, b string) int { return len(items[b]) - len(items[a]) })
	return words, items
}
