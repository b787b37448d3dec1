package harnesstest

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"omniscope/internal/testing/fixture"
)

// Zstandard is the method in ZIP files by which Inspect packs.
const Zstandard = 93

// zipped is a ZIP file of members, name and text in turn.
func zipped(t testing.TB, method uint16, members ...string) string {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	w.RegisterCompressor(Zstandard, zstd.ZipCompressor())
	for i := 0; i < len(members); i += 2 {
		m, err := w.CreateHeader(&zip.FileHeader{Name: members[i], Method: method})
		fixture.OK(t, err)
		if _, err := m.Write([]byte(members[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	fixture.OK(t, w.Close())
	return out.String()
}

// writeWorkbook writes a workbook as xlsxwriter does: texts are shared, numbers are not, and empty
// cells are left out.
func writeWorkbook(t testing.TB, path string, rows [][]string) {
	t.Helper()
	var sheet, shared strings.Builder
	texts := 0
	for r, row := range rows {
		fmt.Fprintf(&sheet, `<row r="%d" spans="1:8">`, r+1)
		for c, cell := range row {
			at := fmt.Sprintf("%c%d", 'A'+c, r+1)
			if _, err := strconv.ParseFloat(cell, 64); err == nil && cell != "nan" {
				fmt.Fprintf(&sheet, `<c r="%s"><v>%s</v></c>`, at, cell)
			} else if cell != "" {
				fmt.Fprintf(&sheet, `<c r="%s" t="s"><v>%d</v></c>`, at, texts)
				texts++
				shared.WriteString(`<si><t xml:space="preserve">`)
				fixture.OK(t, xml.EscapeText(&shared, []byte(cell)))
				shared.WriteString("</t></si>")
			}
		}
		sheet.WriteString("</row>")
	}
	const head = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	File(t, path, zipped(t, zip.Deflate,
		"[Content_Types].xml", head+"<Types/>",
		"xl/workbook.xml", head+`<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", head+`<Relationships><Relationship Id="rId1" Type="worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/worksheets/sheet1.xml", head+`<worksheet><sheetData>`+sheet.String()+`</sheetData></worksheet>`,
		"xl/sharedStrings.xml", head+fmt.Sprintf(`<sst count="%d">%s</sst>`, texts, shared.String())))
}

// inspectSample is an EvalSample.
func inspectSample(p *Planted, epoch int) map[string]any {
	score := map[float64]string{1: "C", 0: "I"}[p.Points]
	choice := map[string]any{"message": map[string]any{"role": "assistant", "content": p.Answer}, "stop_reason": "stop"}
	output := map[string]any{"model": "openai/model", "choices": []any{choice}, "completion": p.Answer}
	s := map[string]any{"id": p.ID, "epoch": epoch, "input": p.Question, "choices": p.Options, "target": string(rune('A' + p.Gold)), "metadata": map[string]any{"video": p.Video},
		"messages": []any{}, "output": output, "scores": map[string]any{"choice": map[string]any{"value": score, "answer": "A"}}, "attachments": map[string]string{}}
	switch p.Kind.Name {
	case "error":
		s["error"] = map[string]any{"message": "ConnectError('All connection attempts failed')", "traceback": "...", "traceback_ansi": "..."}
	case "limit":
		s["limit"] = map[string]any{"type": "token", "limit": 500}
	case "max_tokens", "model_length", "tool_calls", "content_filter":
		choice["stop_reason"] = p.Kind.Name
	case "no output":
		output["choices"] = []any{}
	case "invalidated":
		s["invalidation"] = map[string]any{"author": "a", "reason": "wrong clip"}
	case "":
		if strings.HasPrefix(p.Answer, "The answer") { // a text that was taken out of the sample
			output["completion"], s["attachments"] = "attachment://5f1c", map[string]string{"5f1c": p.Answer}
		}
	}
	return s
}

// Inspect writes a log: .eval, packed by a method, or .json. From the second epoch on answers are
// all A.
func (set *Set) Inspect(t testing.TB, dir, ending string, method uint16, epochs int) string {
	t.Helper()
	path := filepath.Join(dir, "2026-08-01T12-00-00+00-00_"+set.Bench+"_ID"+ending)
	eval := map[string]any{"task": set.Bench, "model": "openai/model", "dataset": map[string]any{"samples": len(set.Planted)}}
	head := map[string]any{"version": 2, "status": "success", "eval": eval}
	members := []string{"_journal/start.json", text(map[string]any{"version": 2, "eval": eval})}
	var all []any
	for epoch := 1; epoch <= epochs; epoch++ {
		for _, p := range set.Planted {
			if epoch > 1 {
				p.Answer, p.Kind = "A", Good
			}
			s := inspectSample(&p, epoch)
			all = append(all, s)
			members = append(members, fmt.Sprintf("samples/%s_epoch_%d.json", p.ID, epoch), text(s))
		}
	}
	if ending == ".json" {
		File(t, path, "{\n  \"version\": 2,\n  \"status\": \"success\",\n  \"eval\": "+text(eval)+",\n  \"samples\": "+text(all)+"\n}")
		return path
	}
	File(t, path, zipped(t, method, append(members, "summaries.json", "[]", "header.json", text(head))...))
	return path
}

// Archive writes a ZIP file of members, name and text in turn, and returns its path.
func Archive(t testing.TB, path string, members ...string) string {
	t.Helper()
	File(t, path, zipped(t, zip.Deflate, members...))
	return path
}
