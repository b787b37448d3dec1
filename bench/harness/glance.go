package harness

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/input"
	"omniscope/internal/workbook"
)

// A Glance is what shows which program wrote a file.
type Glance struct {
	Path    string
	Members []string     // of an archive
	Header  []string     // of the first sheet of a workbook
	Row     gjson.Result // the first row of JSON Lines, of a list or of a table
	Head    []byte       // the first bytes, of a text
	Keys    []string     // of the one object that a text is, if it is the results of a run
}

// Look looks at a file. Of one that is in no form of rows, Row does not exist.
func Look(ctx context.Context, path string) (*Glance, error) {
	g := &Glance{Path: path}
	var err error
	if g.Head, err = input.Head(ctx, path); err != nil {
		return nil, err
	}
	if bytes.HasPrefix(g.Head, []byte("PK\x03\x04")) {
		return g, g.lookInside(ctx)
	}
	if g.Document() && (bytes.Contains(g.Head, []byte(`"results"`)) || bytes.Contains(g.Head, []byte(`"model_configs"`))) {
		v, _, err := ReadDocument(ctx, path)
		if err != nil {
			return nil, err // it is cut off or too large
		}
		g.Keys = bench.FieldsOf([]byte(v.Raw))
	}
	if g.Pickle() || g.Document() {
		return g, nil
	}
	err = eachRow(ctx, path, func(_ int, row gjson.Result) error {
		g.Row = row
		return errEnough
	})
	if kind := omniscope.KindOf(err); err != nil && !errors.Is(err, errEnough) && kind != omniscope.Invalid {
		return nil, err
	}
	return g, nil // what cannot be read as rows is recognised by nobody
}

// errEnough ends reading.
var errEnough = errors.New("enough was read")

func (g *Glance) lookInside(ctx context.Context) error {
	a, err := input.OpenArchive(ctx, g.Path)
	if err != nil {
		return err
	}
	defer a.Close()
	if g.Members = a.Names(); !workbook.Is(g.Members) {
		return nil
	}
	_, err = workbook.EachRow(ctx, g.Path, func(_ int, cells []string) error {
		g.Header = append(g.Header, cells...)
		return &omniscope.Error{Kind: omniscope.Internal, Err: errEnough} // a kind of its own passes as it is
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// Pickle reports whether the file is one of Python's pickles of protocol 2 or later, by which
// programs of others could be started: they are not read.
func (g *Glance) Pickle() bool {
	return len(g.Head) > 1 && g.Head[0] == 0x80 && g.Head[1] >= 2 && g.Head[1] <= 5 || strings.EqualFold(filepath.Ext(g.Path), ".pkl")
}

// wholeLog matches the beginning of a log that is one object on one line.
var wholeLog = regexp.MustCompile(`^\{\s*"(?:args|model_configs|logs|results|samples)"\s*:(?s:.*)"(?:logs|samples)"\s*:`)

// Document reports whether the file is one JSON object of several lines, or a log that is one object.
func (g *Glance) Document() bool {
	start := bytes.TrimSpace(g.Head)
	if !bytes.HasPrefix(start, []byte("{")) {
		return false
	}
	first, _, several := bytes.Cut(start, []byte("\n"))
	return several && string(bytes.TrimSpace(first)) == "{" || wholeLog.Match(start) || bytes.Contains(start, []byte(`"eval":`)) && bytes.Contains(start, []byte(`"status":`))
}

// Has reports whether the first row, or the header, has all of some fields.
func (g *Glance) Has(fields ...string) bool {
	for _, name := range fields {
		there := g.Row.Get(gjson.Escape(name)).Exists()
		for _, h := range g.Header {
			there = there || h == name
		}
		if !there {
			return false
		}
	}
	return true
}

// Recognise finds the harness that wrote a file among those that there are; nil = none of them.
func Recognise(all []Harness, g *Glance) *Harness {
	for i := range all {
		if all[i].Recognise(g) {
			return &all[i]
		}
	}
	return nil
}

// Check makes sure that files are logs of one harness.
func Check(ctx context.Context, all []Harness, want *Harness, paths []string) error {
	for _, path := range paths {
		g, err := Look(ctx, path)
		if err != nil {
			return err
		}
		switch found := Recognise(all, g); {
		case found != nil && found.Name == want.Name:
		case found != nil:
			return omniscope.Invalidf("%s is a log of %s and not of %s: import it by `omniscope import %s`, apart from logs of others", path, found.Title, want.Title, found.Name)
		case g.Pickle():
			return omniscope.Invalidf("%s is a pickle, which can start programs and is not read here: let %s finish, so that it writes %s, or write the table with pandas: df.to_json(path, orient=\"records\", lines=True)", path, want.Title, want.Files)
		case g.Document() && bytes.Contains(g.Head, []byte(`"results"`)):
			return omniscope.Invalidf("%s has the results of a run and no answers: name %s", path, want.Files)
		default:
			return omniscope.Invalidf("%s is no log of %s: name %s", path, want.Title, want.Files)
		}
	}
	return nil
}
