package workbook

import (
	"archive/zip"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

const head = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"

// book writes a workbook with the members that xlsxwriter writes, and those that are given.
func bookFile(t *testing.T, sheet, shared string, other map[string]string) string {
	t.Helper()
	members := map[string]string{
		"xl/workbook.xml":            head + `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId7"/><sheet name="Other" sheetId="2" r:id="rId2"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": head + `<Relationships><Relationship Id="rId2" Target="worksheets/sheet2.xml"/><Relationship Id="rId7" Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/worksheets/sheet1.xml":   head + `<worksheet><sheetData>` + sheet + `</sheetData></worksheet>`,
	}
	if shared != "" {
		members["xl/sharedStrings.xml"] = head + `<sst>` + shared + `</sst>`
	}
	for name, text := range other {
		members[name] = text
	}
	path := filepath.Join(t.TempDir(), "book.xlsx")
	f, err := os.Create(path)
	fixture.OK(t, err)
	defer f.Close()
	w := zip.NewWriter(f)
	for name, text := range members {
		m, err := w.Create(name)
		fixture.OK(t, err)
		if _, err := m.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	fixture.OK(t, w.Close())
	return path
}

func rowsOf(t *testing.T, path string) (rows [][]string, err error) {
	_, err = EachRow(t.Context(), path, func(number int, cells []string) error {
		rows = append(rows, slices.Concat([]string{fmt.Sprint(number)}, cells))
		return nil
	})
	return rows, err
}

func TestCells(t *testing.T) {
	path := bookFile(t, `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>
<row r="3"><c r="A3"><v>12</v></c><c r="B3" t="inlineStr"><is><t xml:space="preserve"> in place </t></is></c><c r="C3" t="b"><v>1</v></c></row>
<row><c t="str"><f>A1</f><v>of a formula &amp; more</v></c><c t="e"><v>#N/A</v></c><c/><c t="n"><v>-0.5</v></c></row>`,
		`<si><t>index</t></si><si><r><t>two </t></r><r><rPr><b/></rPr><t>runs_x000D_</t></r><rPh sb="0" eb="1"><t>spoken</t></rPh></si>`, nil)
	got, err := rowsOf(t, path)
	want := [][]string{{"1", "index", "", "two runs\r"}, {"3", "12", " in place ", "TRUE"}, {"3", "of a formula & more", "#N/A", "", "-0.5"}}
	if err != nil || fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("got  %q, %v\nwant %q", got, err, want)
	}
}

func TestUnescape(t *testing.T) {
	for text, want := range map[string]string{"a_x0041_b": "aAb", "_xD83D__xDE00_": "😀", "_x005F_x0041_": "_x0041_", "_x00": "_x00", "_xZZZZ_": "_xZZZZ_"} {
		if got := unescape(text); got != want {
			t.Errorf("unescape(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestBrokenWorkbooks(t *testing.T) {
	for name, c := range map[string]struct {
		sheet, shared string
		other         map[string]string
		want          string
	}{
		"shared text that is not there": {`<row><c t="s"><v>3</v></c></row>`, `<si><t>a</t></si>`, nil, "there are 1"},
		"row without an end":            {`<row><c t="s"><v>0</v>`, `<si><t>a</t></si>`, nil, "sheet1.xml is broken"},
		"cell out of order":             {`<row><c r="B1"><v>0</v></c><c r="A1"><v>0</v></c></row>`, "", nil, "out of order"},
		"column beyond Excel's":         {`<row><c r="XFE1"><v>0</v></c></row>`, "", nil, "out of order"},
		"unknown type":                  {`<row><c t="z"><v>0</v></c></row>`, "", nil, `unknown type "z"`},
		"no sheet":                      {"", "", map[string]string{"xl/workbook.xml": "<workbook/>"}, "has no sheet"},
		"not XML":                       {"", "", map[string]string{"xl/worksheets/sheet1.xml": "<row"}, "sheet1.xml is broken"},
		"a text that is too long":       {`<row><c t="str"><v>` + strings.Repeat("a", 17<<20) + `</v></c></row>`, "", nil, "--max-row-size"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := rowsOf(t, bookFile(t, c.sheet, c.shared, c.other))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want one with %q", err, c.want)
			}
		})
	}
}

// TestCutWorkbook: what is left of a workbook is refused.
func TestCutWorkbook(t *testing.T) {
	path := bookFile(t, `<row><c><v>1</v></c></row>`, "", nil)
	text, err := os.ReadFile(path)
	fixture.OK(t, err)
	fixture.OK(t, os.WriteFile(path, text[:len(text)/2], 0o600))
	if _, err := rowsOf(t, path); err == nil || !strings.Contains(err.Error(), "cut off or damaged") {
		t.Errorf("the error is %v", err)
	}
}

// TestPandasWorkbooks reads what pandas 1.5.3 wrote by XlsxWriter 3.0.2, with strings_to_formulas off
// as VLMEvalKit has it, and by openpyxl 3.0.9, which cannot write the control characters.
func TestPandasWorkbooks(t *testing.T) {
	for _, writer := range []string{"xlsxwriter", "openpyxl"} {
		got, err := rowsOf(t, filepath.Join("testdata", writer+".xlsx"))
		fixture.OK(t, err)
		texts := []string{"A", "=SUM(A1)", "lines\nand\ttabs & <tags>", "\v\x01 你好 😀 _x0041_", "007", "  B  ", "", "", "http://example.com/ B", strings.Repeat("x", 100)}
		scores := []string{"0.5", "1", "0", "-1", "", "1e-07", "2", "3", "4", "5"}
		if writer == "openpyxl" {
			texts[1] = ""        // a formula without a value
			texts[3] = " 你好 😀 A" // it does not escape what looks like an escape, which Excel then reads as one
		}
		if len(got) != len(texts)+1 || strings.Join(got[0][1:], " ") != "index score ok prediction" {
			t.Fatalf("%s: %q", writer, got)
		}
		for i, row := range got[1:] {
			row = append(row, "", "")[:5] // empty cells at the end are left out
			want := []string{fmt.Sprint(i + 2), fmt.Sprint(i), scores[i], []string{"TRUE", "FALSE"}[i%2], texts[i]}
			if row[2] == "9.9999999999999995E-8" || row[2] == "1E-07" {
				row[2] = "1e-07" // the same number
			}
			if !slices.Equal(row, want) {
				t.Errorf("%s: row %q, want %q", writer, row, want)
			}
		}
	}
}
