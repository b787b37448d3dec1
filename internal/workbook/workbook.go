// Package workbook reads the first sheet of an Excel workbook (.xlsx), as pandas writes tables:
// texts, shared or in place, numbers, truth values and errors. Formulas have the value that was
// stored with them; dates are the numbers that they are stored as. It writes none: CSV files for
// spreadsheets are internal/spreadsheet's.
package workbook

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"omniscope"
	"omniscope/internal/input"
)

// LongestCell is how many UTF-16 units Excel lets a cell have. Writers cut longer texts off, or
// leave the cell empty.
const LongestCell = 32767

// mostColumns is Excel's limit.
const mostColumns = 16384

// mostShared bounds the texts that cells share, in bytes: they are held in memory.
const mostShared = 256 << 20

// Is reports whether an archive's members are those of a workbook.
func Is(names []string) bool { return slices.Contains(names, bookName) }

const bookName = "xl/workbook.xml"

// A book is a workbook that is being read.
type book struct {
	a      *input.Archive
	shared []string
}

// EachRow calls do for each row of the first sheet: its number, from 1, and its cells, which are
// valid until do returns. Empty cells are "". A broken workbook is an Invalid error.
func EachRow(ctx context.Context, path string, do func(number int, cells []string) error) (digest string, err error) {
	a, err := input.OpenArchive(ctx, path)
	if err != nil {
		return "", err
	}
	defer a.Close()
	if !Is(a.Names()) {
		return "", omniscope.Invalidf("%s is a ZIP file, but no Excel workbook", a.Path)
	}
	b := &book{a: a}
	sheet, err := b.firstSheet()
	if err != nil {
		return "", err
	}
	if a.Has(sharedName) {
		if err := b.readShared(); err != nil {
			return "", err
		}
	}
	if err := b.readSheet(sheet, do); err != nil {
		return "", err
	}
	return a.Digest()
}

// firstSheet finds the member that is the first sheet: the workbook names a relation, and the
// relations name members (ECMA-376 part 1, 18.2.19; part 2, 9.3).
func (b *book) firstSheet() (string, error) {
	var relation, target string
	err := b.scan(bookName, func(d *xml.Decoder, e xml.StartElement) error {
		if e.Name.Local == "sheet" && relation == "" {
			relation = attribute(e, "id")
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	err = b.scan("xl/_rels/workbook.xml.rels", func(d *xml.Decoder, e xml.StartElement) error {
		if e.Name.Local == "Relationship" && attribute(e, "Id") == relation {
			target = attribute(e, "Target")
		}
		return nil
	})
	switch {
	case err != nil:
		return "", err
	case relation == "" || target == "":
		return "", omniscope.Invalidf("%s has no sheet", b.a.Path)
	case strings.HasPrefix(target, "/"):
		return target[1:], nil
	}
	return path.Join("xl", target), nil
}

const sharedName = "xl/sharedStrings.xml"

// readShared reads the texts that cells name by number.
func (b *book) readShared() error {
	size := 0
	return b.scan(sharedName, func(d *xml.Decoder, e xml.StartElement) error {
		if e.Name.Local != "si" {
			return nil
		}
		text, err := plainText(d)
		if err != nil {
			return err
		}
		if size += len(text); size > mostShared || len(b.shared) >= b.a.Limits().Rows {
			return omniscope.Invalidf("%s has more than %d MiB or %d of texts, which no real workbook has: write it as .tsv or .json", b.a.Path, mostShared>>20, b.a.Limits().Rows)
		}
		b.shared = append(b.shared, text)
		return nil
	})
}

// plainText reads to the end of an element that was begun, <si> or <is>: the texts of its <t>,
// without those of <rPh>, which say how others are pronounced.
func plainText(d *xml.Decoder) (string, error) {
	var text strings.Builder
	inText, spoken := false, 0 // the depth of an open <rPh>; 0 = there is none
	for depth := 1; depth > 0; {
		t, err := d.RawToken() // which keeps no stack of open elements
		if err != nil {
			return "", err
		}
		switch t := t.(type) {
		case xml.StartElement:
			depth++
			if t.Name.Local == "rPh" && spoken == 0 {
				spoken = depth
			}
			inText = t.Name.Local == "t" && spoken == 0
		case xml.EndElement:
			if depth == spoken {
				spoken = 0
			}
			depth--
			inText = false
		case xml.CharData:
			if inText {
				text.Write(t)
			}
		}
	}
	return unescape(text.String()), nil
}

// scan calls do for each element that begins in a member. do may read on.
func (b *book) scan(name string, do func(d *xml.Decoder, e xml.StartElement) error) error {
	from, err := b.a.Open(name)
	if err != nil {
		return err
	}
	defer from.Close()
	d := xml.NewDecoder(&shortPieces{from: from, most: int(b.a.Limits().Row), why: func() error {
		return omniscope.Invalidf("%s: a text or tag in %s is longer than %s: if that is right, raise %s", b.a.Path, name, b.a.Limits().Row, input.RowFlag)
	}})
	for {
		t, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if e, ok := t.(xml.StartElement); ok && err == nil {
			err = do(d, e.Copy())
		}
		if err != nil {
			return b.broken(name, d, err)
		}
	}
}

// broken says which line of which member is broken, unless the error is ours.
func (b *book) broken(name string, d *xml.Decoder, err error) error {
	if _, ours := errors.AsType[*omniscope.Error](err); ours {
		return err
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return omniscope.Invalidf("%s: %s is broken: %w", b.a.Path, name, err)
}

// attribute is the value of an attribute, whatever its prefix.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// A shortPieces reader stops where more than so many bytes come without a "<": the decoder holds
// each text and each tag in memory.
type shortPieces struct {
	from io.Reader
	most int
	why  func() error
	long int
}

func (r *shortPieces) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if i := bytes.LastIndexByte(p[:n], '<'); i >= 0 {
		r.long = n - i
	} else {
		r.long += n
	}
	if r.long > r.most {
		return 0, r.why()
	}
	return n, err
}
