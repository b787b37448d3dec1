package workbook

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
)

// readSheet reads the rows of a sheet.
func (b *book) readSheet(name string, do func(number int, cells []string) error) error {
	var cells []string
	rows := 0
	return b.scan(name, func(d *xml.Decoder, e xml.StartElement) error {
		if e.Name.Local != "row" {
			return nil
		}
		if rows++; rows > b.a.Limits().Rows {
			return b.a.Limits().TooManyRows(b.a.Path, "rows")
		}
		number := rows
		if r, err := strconv.Atoi(attribute(e, "r")); err == nil {
			number = r
		}
		var err error
		if cells, err = b.row(d, cells[:0]); err != nil {
			return err
		}
		return do(number, cells)
	})
}

// row reads the cells of a row that was begun.
func (b *book) row(d *xml.Decoder, cells []string) ([]string, error) {
	for {
		t, err := d.RawToken()
		if err != nil {
			return nil, err
		}
		switch t := t.(type) {
		case xml.EndElement:
			if t.Name.Local == "row" {
				return cells, nil
			}
		case xml.StartElement:
			if t.Name.Local != "c" {
				continue
			}
			at, ok := column(attribute(t, "r"))
			if !ok {
				at = len(cells) // the address may be left out
			}
			if at >= mostColumns || at < len(cells) {
				return nil, fmt.Errorf("the cell %.20q is out of order", attribute(t, "r"))
			}
			for len(cells) < at {
				cells = append(cells, "")
			}
			text, err := b.cell(d, attribute(t, "t"))
			if err != nil {
				return nil, err
			}
			cells = append(cells, text)
		}
	}
}

// cell reads to the end of a cell that was begun. kind is its type (ECMA-376 part 1, 18.18.11).
func (b *book) cell(d *xml.Decoder, kind string) (string, error) {
	var value strings.Builder
	inValue, text := false, ""
	for {
		t, err := d.RawToken()
		if err != nil {
			return "", err
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "v":
				inValue = true
			case "is":
				if text, err = plainText(d); err != nil {
					return "", err
				}
			}
		case xml.CharData:
			if inValue {
				value.Write(t)
			}
		case xml.EndElement:
			inValue = false
			if t.Name.Local == "c" {
				return b.value(kind, value.String(), text)
			}
		}
	}
}

// value is what a cell shows of its stored value.
func (b *book) value(kind, v, inPlace string) (string, error) {
	switch kind {
	case "s":
		i, err := strconv.Atoi(strings.TrimSpace(v))
		if err != nil || i < 0 || i >= len(b.shared) {
			return "", fmt.Errorf("a cell names the shared text %.20q, and there are %d", v, len(b.shared))
		}
		return b.shared[i], nil
	case "inlineStr":
		return inPlace, nil
	case "str":
		return unescape(v), nil
	case "b":
		return map[string]string{"1": "TRUE", "0": "FALSE"}[v], nil
	case "e", "n", "d", "":
		return v, nil
	}
	return "", fmt.Errorf("a cell has the unknown type %.20q", kind)
}

// column is the number of the column in an address such as AB12, from 0.
func column(address string) (int, bool) {
	n := 0
	for i, c := range address {
		switch {
		case c >= 'A' && c <= 'Z' && i < 3:
			n = n*26 + int(c-'A') + 1
		case i > 0 && c >= '0' && c <= '9':
			return n - 1, true
		default:
			return 0, false
		}
	}
	return 0, false
}

// unescape puts characters in place of _xHHHH_, as which workbooks hold what XML cannot
// (ECMA-376 part 1, 22.9.2.19). Pairs of surrogates are one character.
func unescape(text string) string {
	if !strings.Contains(text, "_x") {
		return text
	}
	var out strings.Builder
	var units []uint16
	flush := func() {
		out.WriteString(string(utf16.Decode(units)))
		units = units[:0]
	}
	for i := 0; i < len(text); {
		if unit, ok := escapedUnit(text[i:]); ok {
			units = append(units, unit)
			i += len("_x0000_")
			continue
		}
		flush()
		out.WriteByte(text[i])
		i++
	}
	flush()
	return out.String()
}

func escapedUnit(text string) (uint16, bool) {
	if len(text) < 7 || text[:2] != "_x" || text[6] != '_' {
		return 0, false
	}
	unit, err := strconv.ParseUint(text[2:6], 16, 16)
	return uint16(unit), err == nil
}
