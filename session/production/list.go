package production

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/detective"
	"omniscope/internal/hubfolder"
	"omniscope/internal/input"
	"omniscope/internal/mediafiles"
	"omniscope/internal/ondisk"
	"omniscope/internal/rows"
)

// A List is the clips to describe, in order, each id once.
type List struct {
	Name string // of its file or folder
	Rows []Row
}

// A Row of a list is one clip.
type Row struct {
	detective.Row
	Line int    // in the list's file; 0 = it was found in a folder
	Path string // of the media file, or its address on the web
	Span omniscope.Span

	fragment string // of the path, such as #t=1,2; the stretch may be in columns instead
}

// Remote reports whether the media has to be fetched.
func (r *Row) Remote() bool { return remote(r.Path) }

func remote(url string) bool {
	return strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://")
}

// locators are the columns that may say where a clip is, the first one that is there does.
var locators = []string{"url", "path", "file_name", "video_path", "audio_path", "video", "audio"}

// worstRows is how many bad rows an error names.
const worstRows = 5

// ReadList reads a list: JSON Lines, CSV with a header, Parquet, or text (.txt) with a path in each line; a folder with
// metadata.jsonl, metadata.csv or metadata.parquet, as Hugging Face's folders of media
// have it; any other folder, whose media files, below it too, are the clips; or a folder
// of files of rows, as the hub's data sets have it, where FOLDER#config/split chooses.
//
// A row says where its clip is in one of the columns url, path, file_name, video_path,
// audio_path, video, audio: a path from media on ("" = from the list's folder), or an http(s)
// address, with a stretch of it behind #t= where only that is meant (Media Fragments,
// W3C 2012), or in the columns start and end, in seconds. Its id is in the column id, and
// without one it is the path without its ending.
//
// Rows that cannot be read are an error of kind Invalid that names file, line and text.
func ReadList(ctx context.Context, name, media, workDir string) (*List, error) {
	folder, choice, ok := input.CutFolder(name)
	switch {
	case ok && choice != "":
		return readDataSet(ctx, name, folder, media)
	case ok:
		return readFolder(ctx, name, media, workDir)
	}
	if _, err := os.Stat(name); err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Invalid, Err: err}
	}
	if media == "" {
		media = filepath.Dir(name)
	}
	r := &reader{list: &List{Name: name}, media: media, lines: make(map[string]int)}
	return r.read(ctx, name)
}

func readFolder(ctx context.Context, name, media, workDir string) (*List, error) {
	for _, file := range []string{"metadata.jsonl", "metadata.csv", "metadata.parquet"} {
		if path := filepath.Join(name, file); ondisk.IsFile(path) {
			return ReadList(ctx, path, media, workDir)
		}
	}
	found, _, err := mediafiles.In(name, workDir)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		if list, err := readDataSet(ctx, name, name, media); err == nil || !errors.Is(err, hubfolder.ErrNoRows) {
			return list, err
		}
		return nil, omniscope.Invalidf("%s: there is no video or sound file in this folder, by their endings, no metadata.jsonl, metadata.csv or metadata.parquet, and no other file of rows", name)
	}
	r := &reader{list: &List{Name: name}, media: name, lines: make(map[string]int)}
	for _, path := range found {
		below, err := filepath.Rel(name, path)
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(map[string]string{"url": filepath.ToSlash(below)})
		if err != nil {
			return nil, err
		}
		if err := r.add(text, 0); err != nil { // two files that differ by their endings have one id
			text, err = json.Marshal(map[string]string{"id": filepath.ToSlash(below), "url": filepath.ToSlash(below)})
			if err = errors.Join(err, r.add(text, 0)); err != nil {
				return nil, err
			}
		}
	}
	return r.list, nil
}

// readDataSet reads the rows of a folder that is laid out as the hub's data sets are.
func readDataSet(ctx context.Context, name, folder, media string) (*List, error) {
	if media == "" {
		media = folder
	}
	lines, err := rows.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer lines.Close()
	r := &reader{list: &List{Name: name}, media: media, lines: make(map[string]int)}
	for i := range lines.Len() {
		text, err := lines.At(i)
		if err != nil {
			return nil, err
		}
		if err = rows.CheckJSON(text); err == nil {
			err = r.add(text, i+1)
		}
		if err != nil {
			r.noteAt(lines.Place(i), err, text)
		}
	}
	return r.done(name)
}

// A reader reads rows into a list.
type reader struct {
	list  *List
	media string         // folder that relative paths start from
	lines map[string]int // by id

	fields []string                 // that may say where a clip is; nil = locators
	find   func(path string) string // finds the media file; nil = below media
	bad    []error
	more   int // bad rows beyond those
}

func (r *reader) read(ctx context.Context, name string) (*List, error) {
	var err error
	switch strings.ToLower(filepath.Ext(input.WithoutPacking(name))) {
	case ".csv":
		err = r.readCSV(ctx, name)
	case ".jsonl", ".ndjson":
		err = r.readLines(ctx, name)
	case ".txt":
		err = r.readPaths(ctx, name)
	default:
		_, err = rows.Read(ctx, name, rows.Layout{}, func(row []byte, _ string, line int) error {
			r.note(name, line, r.add(row, line), row)
			return nil
		})
	}
	if err != nil {
		return nil, err
	}
	return r.done(name)
}

// done returns the list, or what is wrong with its rows.
func (r *reader) done(name string) (*List, error) {
	switch {
	case len(r.bad) > 0 && r.more > 0:
		return nil, omniscope.Invalidf("%w\nand %d more rows", errors.Join(r.bad...), r.more)
	case len(r.bad) > 0:
		return nil, &omniscope.Error{Kind: omniscope.Invalid, Err: errors.Join(r.bad...)}
	case len(r.list.Rows) == 0:
		return nil, omniscope.Invalidf("%s: there is no row in it", name)
	}
	return r.list, nil
}

// note notes what is wrong with a row; nil = nothing is.
func (r *reader) note(name string, line int, err error, text []byte) {
	if err != nil {
		r.noteAt(fmt.Sprintf("%s:%d", name, line), err, text)
	}
}

func (r *reader) noteAt(place string, err error, text []byte) {
	if len(r.bad) == worstRows {
		r.more++
		return
	}
	r.bad = append(r.bad, fmt.Errorf("%s: %w: %s", place, err, rows.Quote(text)))
}

func (r *reader) readLines(ctx context.Context, name string) error {
	text, _, err := input.ReadFile(ctx, name, input.Texts)
	if err != nil {
		return err
	}
	number := 0
	for line := range bytes.Lines(bytes.TrimPrefix(text, []byte("\ufeff"))) {
		number++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		err := rows.CheckJSON(line)
		if err == nil {
			err = r.add(line, number)
		}
		r.note(name, number, err, line)
	}
	return nil
}

// readPaths reads a path or an address of each line of text.
func (r *reader) readPaths(ctx context.Context, name string) error {
	text, _, err := input.ReadFile(ctx, name, input.Texts)
	if err != nil {
		return err
	}
	number := 0
	for line := range bytes.Lines(bytes.TrimPrefix(text, []byte("\ufeff"))) {
		number++
		path := string(bytes.TrimSpace(line))
		if path == "" {
			continue
		}
		row, err := json.Marshal(map[string]string{"url": path})
		if err != nil {
			return err
		}
		r.note(name, number, r.add(row, number), line)
	}
	return nil
}

// readCSV reads rows under a header. All values are text.
func (r *reader) readCSV(ctx context.Context, name string) error {
	text, _, err := input.ReadFile(ctx, name, input.Texts)
	if err != nil {
		return err
	}
	rows := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))
	rows.ReuseRecord = true
	header, err := rows.Read()
	if err != nil {
		return omniscope.Invalidf("%s: no header line: %w", name, err)
	}
	header = slices.Clone(header)
	for {
		values, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		line := 0
		if len(values) > 0 {
			line, _ = rows.FieldPos(0)
		}
		if err == nil {
			err = r.add(object(header, values), line)
		}
		if err != nil {
			var parse *csv.ParseError
			if errors.As(err, &parse) && !errors.Is(err, csv.ErrFieldCount) {
				return omniscope.Invalidf("%s:%d: %w", name, parse.Line, parse.Err) // nothing behind it can be told apart
			}
			r.note(name, line, err, []byte(strings.Join(values, ",")))
		}
	}
}

// object is a row of a table as a JSON object, its columns in their order.
func object(header, values []string) []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	text := func(s string) {
		_ = enc.Encode(s) // text always encodes
		b.Truncate(b.Len() - 1)
	}
	for i, name := range header {
		if i > 0 {
			b.WriteString(", ")
		}
		text(name)
		b.WriteString(": ")
		text(values[i])
	}
	b.WriteByte('}')
	return b.Bytes()
}

// add adds a row, which is a JSON object.
func (r *reader) add(text []byte, line int) error {
	if !gjson.ParseBytes(text).IsObject() {
		return errors.New("a row is a JSON object")
	}
	where := locator(text, r.fields)
	if where == "" {
		return fmt.Errorf("it does not say where its clip is: one of %s", strings.Join(locators, ", "))
	}
	path, span, err := splitSpan(where)
	if err != nil {
		return err
	}
	if span, err = columnsOf(text, span); err != nil {
		return err
	}
	if !gjson.GetBytes(text, "id").Exists() {
		text = withID(text, idOf(where))
	}
	if twice := fieldTwice(text); twice != "" {
		return fmt.Errorf("the field %q is in it twice", twice)
	}
	if bytes.ContainsAny(text, "\r\n") { // a row of the output is one line
		var flat bytes.Buffer
		if err := json.Compact(&flat, text); err != nil {
			return err
		}
		text = flat.Bytes()
	}
	row, err := detective.ReadRow(text)
	if err != nil {
		return err
	}
	if earlier, there := r.lines[row.ID]; there {
		return fmt.Errorf("the id %s is there already, on line %d", row.ID, earlier)
	}
	if strings.ContainsRune(row.ID, 0) || strings.ContainsAny(row.ID, "\r\n") {
		return fmt.Errorf("the id %q has characters that are none of a name", row.ID)
	}
	_, fragment, cut := cutLast(where, "#t=")
	if cut {
		fragment = "#t=" + fragment
	}
	r.lines[row.ID] = line
	r.list.Rows = append(r.list.Rows, Row{Row: row, Line: line, Path: r.place(path), Span: span, fragment: fragment})
	return nil
}

// place is where the media file of a path is.
func (r *reader) place(path string) string {
	if r.find != nil {
		return r.find(path)
	}
	if remote(path) || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(r.media, filepath.FromSlash(path))
}

// fieldTwice is a field that an object has twice; "" = none.
func fieldTwice(text []byte) (name string) {
	seen := make(map[string]bool)
	gjson.ParseBytes(text).ForEach(func(key, _ gjson.Result) bool {
		if seen[key.String()] {
			name = key.String()
		}
		seen[key.String()] = true
		return name == ""
	})
	return name
}

func locator(text []byte, fields []string) string {
	if fields == nil {
		fields = locators
	}
	for _, name := range fields {
		if v := gjson.GetBytes(text, name); v.Type == gjson.String && v.String() != "" {
			return v.String()
		}
	}
	return ""
}

// idOf is the id of a clip that has none of its own.
func idOf(where string) string {
	path, span, _ := strings.Cut(where, "#")
	if remote(path) {
		if shown := redacted(path); shown != path { // what was left out may be all that tells two addresses apart
			path = fmt.Sprintf("%s-%.8x", shown, sha256.Sum256([]byte(path)))
		}
	} else if ext := filepath.Ext(path); len(ext) > 1 {
		path = strings.TrimSuffix(path, ext)
	}
	if span != "" {
		path += "#" + span
	}
	return path
}

// withID puts an id in front of a row's own columns.
func withID(text []byte, id string) []byte {
	name, _ := json.Marshal(id) // text always encodes
	return append(append(append([]byte(`{"id": `), name...), ", "...), bytes.TrimLeft(bytes.TrimSpace(text), "{")...)
}

// Digest tells the list's first n rows from others.
func (l *List) Digest(n int) string {
	h := sha256.New()
	for i := range l.Rows[:n] {
		text, err := l.Rows[i].MarshalJSON()
		if err != nil {
			panic(err) // a row that was read is written
		}
		fmt.Fprintf(h, "%s\n", text)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// Missing counts the files that are not there, and names the first.
func (l *List) Missing() (n int, first *Row) {
	for i := range l.Rows {
		r := &l.Rows[i]
		if r.Remote() || ondisk.IsFile(r.Path) {
			continue
		}
		if n++; first == nil {
			first = r
		}
	}
	return n, first
}
