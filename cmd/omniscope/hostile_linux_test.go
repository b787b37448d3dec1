package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// A hostile input is a small file that would make a careless reader take all
// memory, all stack or all time.
type hostile struct {
	name string
	file string // its name, which the error must tell
	text func() []byte
	args []string // of omniscope; FILE is the file
	code int      // of the exit; 0 stands for 1, unless it is fine
	says string   // in the error, beside the file's name; "" = anything
	fine bool     // it is read, and the command does its work
	slow bool     // it takes seconds
}

// What a hostile input may cost.
const (
	mostHostileFile = 10 << 20
	mostHostilePeak = 1 << 30
)

// repeatedGzip packs head, many times the same block, and tail, in no time: a
// file may be of several packed pieces.
func repeatedGzip(head, block string, times int, tail string) func() []byte {
	return func() []byte {
		const large = 1 << 20
		per := max(1, large/len(block))
		out := gzipped(head)
		piece := gzipped(strings.Repeat(block, per))
		for range times / per {
			out = append(out, piece...)
		}
		return append(out, gzipped(tail)...)
	}
}

func gzipped(text string) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	w.Write([]byte(text))
	w.Close()
	return b.Bytes()
}

// filled repeats a block up to a size.
func filled(head, block string, size int, tail string) func() []byte {
	return func() []byte {
		return []byte(head + strings.Repeat(block, (size-len(head)-len(tail))/len(block)) + tail)
	}
}

// blockFor is a block for each number.
func blockFor(head, block string, times int, tail string) func() []byte {
	return func() []byte {
		var b bytes.Buffer
		b.WriteString(head)
		for i := range times {
			fmt.Fprintf(&b, block, i)
		}
		b.WriteString(tail)
		return b.Bytes()
	}
}

// noise is text without any pattern, in lines of so many letters.
func noise(size, line int) func() []byte {
	return func() []byte {
		r := rand.New(rand.NewPCG(1, 2))
		text := make([]byte, size)
		for i := range text {
			text[i] = byte('!' + r.IntN(94))
			if i%line == line-1 {
				text[i] = '\n'
			}
		}
		return text
	}
}

const (
	nearly10MB = 9_900_000
	xmlHead    = `<testset name="n"><task track="long" text_lang="en">`
	xmlTail    = `</task></testset>`
	goodRow    = `{"uuid":"u%d","cloze":{"passage":"[BLANK_1]","blanks":[{"options":["x"],"answer_key":"A"}]},"predicted_caption":"x"}` + "\n"
)

// hostiles returns the list.
func hostiles() []hostile {
	outputs := []string{"eval", "mcif", "-s", "FILE", "-r", "good.xml", "-t", "long", "-l", "en"}
	references := []string{"eval", "mcif", "-s", "good.xml", "-r", "FILE", "-t", "long", "-l", "en"}
	lenient := append(slices.Clone(outputs), "--lenient-xml")
	cloze := []string{"eval", "omni-cloze", "-p", "FILE", "--quiet"}
	captions := []string{"eval", "omni-cloze", "-d", "good.jsonl", "-p", "FILE", "--quiet"}
	annotations := []string{"eval", "capricorn", "-d", "FILE", "-p", "said.jsonl", "--quiet"}
	bleu := []string{"score", "bleu", "--hyp", "FILE", "--ref", "FILE2"}
	chrf := []string{"score", "chrf", "--hyp", "FILE", "--ref", "FILE2"}
	wer := []string{"score", "wer", "--lang", "en", "--hyp", "FILE", "--ref", "FILE2"}
	data := []string{"score", "chrf", "--data", "FILE"}
	script := []string{"eval", "omni-cloze", "-p", "good.jsonl", "--judge", "scripted/FILE", "--quiet"}
	prices := []string{"eval", "omni-cloze", "-p", "good.jsonl", "--judge", "openai/x,base-url=http://127.0.0.1:1", "--prices", "FILE", "--dry-run"}
	deep := func(open, close string, n int) string { return strings.Repeat(open, n) + strings.Repeat(close, n) }
	return append(hostileParquet(captions), []hostile{
		{name: "40 million packed samples", file: "out.xml.gz", text: repeatedGzip(xmlHead, `<sample id="1"/>`, 40_000_000, xmlTail), args: outputs, says: "--max-input-size"},
		{name: "small packed elements", file: "out.xml.gz", text: repeatedGzip(xmlHead, `<a/>`, 7_000_000, xmlTail), args: outputs, says: "--max-input-rows"},
		{name: "the same, as references", file: "ref.xml.gz", text: repeatedGzip(xmlHead, `<a/>`, 7_000_000, xmlTail), args: references, says: "--max-input-rows"},
		{name: "the same, to be mended", file: "out.xml.gz", text: repeatedGzip(xmlHead, `<sample id="1">`, 1_900_000, ""), args: lenient, says: "nests elements"},
		{name: "as many samples as may be", file: "out.xml.gz", text: repeatedGzip(xmlHead, `<sample id="1"/>`, 240_000, xmlTail), args: outputs, fine: true, slow: true},
		{name: "references without anything, as many as may be", file: "ref.xml.gz", text: repeatedGzip(xmlHead, `<sample/>`, 490_000, xmlTail), args: references, slow: true},
		{name: "one packed text", file: "out.xml.gz", text: repeatedGzip(xmlHead+`<sample id="1">`, strings.Repeat("a ", 4096), 3_900, `</sample>`+xmlTail), args: outputs, says: "--max-row-size"},
		{name: "texts as long as may be", file: "out.xml.gz", text: repeatedGzip(xmlHead, `<sample id="1">`+strings.Repeat("a b ", 2_350_000)+`</sample>`, 3, xmlTail), args: outputs, fine: true, slow: true},
		{name: "references to characters", file: "out.xml.gz", text: repeatedGzip(xmlHead+`<sample id="1">`, "&#65;", 6_000_000, `</sample>`+xmlTail), args: outputs, fine: true, slow: true},
		{name: "elements within elements", file: "out.xml", text: filled("", "<a>", nearly10MB, ""), args: outputs, says: "nests elements"},
		{name: "attributes", file: "out.xml", text: blockFor("<a", ` a%d=""`, 900_000, "/>"), args: outputs, says: "more attributes"},
		{name: "entities of entities", file: "out.xml", text: laughs, args: outputs},
		{name: "entities in a row", file: "out.xml", text: chain, args: outputs, says: "nests entities", slow: true},
		{name: "an entity again and again", file: "out.xml", text: again, args: outputs},
		{name: "declared entities", file: "out.xml", text: blockFor("<!DOCTYPE a [", `<!ENTITY e%d "">`, 480_000, "]><a/>"), args: outputs, slow: true},

		{name: "two packed gigabytes on one line", file: "rows.jsonl.gz", text: repeatedGzip("", strings.Repeat(" ", 1<<20), 2048, ""), args: cloze, says: "--max-row-size"},
		{name: "packed rows of nothing", file: "rows.jsonl.gz", text: repeatedGzip("", "{}\n", 200_000_000, ""), args: cloze, says: "--max-input-rows", slow: true},
		{name: "rows of nothing", file: "rows.jsonl", text: filled("", "1\n", nearly10MB, ""), args: cloze, says: "rows.jsonl", slow: true},
		{name: "a list of nothing", file: "rows.json.gz", text: repeatedGzip("[1", ",1", 400_000_000, "]"), args: cloze, says: "--max-input-rows"},
		{name: "one row of numbers", file: "rows.jsonl", text: filled(`{"uuid":1,"cloze":[1`, ",1", nearly10MB, "]}"), args: cloze, says: "--max-row-size"},
		{name: "one row of fields", file: "rows.jsonl", text: blockFor(`{"uuid":1`, `,"%d":1`, 500_000, "}\n"), args: cloze, slow: true},
		{name: "100,000 levels", file: "rows.jsonl", text: filled("", `{"uuid":1,"cloze":`+deep("[", "]", 100_000)+"}\n", 900_000, ""), args: cloze, says: "rows.jsonl:1"},
		{name: "five million levels", file: "rows.jsonl", text: filled("", "[", nearly10MB, ""), args: cloze},
		{name: "five million levels of objects", file: "rows.jsonl", text: filled("", `{"a":`, nearly10MB, ""), args: cloze},
		{name: "a number of ten million digits", file: "rows.jsonl", text: filled(`{"uuid":`, "9", nearly10MB, "}\n"), args: cloze},
		{name: "one blank, many options", file: "rows.jsonl", text: filled(`{"uuid":1,"predicted_caption":"x","cloze":{"passage":"[BLANK_1]","blanks":[{"answer_key":"A","options":[""`, `,""`, 1_500_000, `]}]}}`+"\n"), args: cloze, fine: true, slow: true},
		{name: "rows that are right", file: "rows.jsonl", text: blockFor("", goodRow, 80_000, ""), args: cloze, fine: true, slow: true},
		{name: "a surrogate in UTF-16", file: "rows.jsonl", text: filled("\xff\xfe", "\x00\xd8", nearly10MB, ""), args: cloze},

		{name: "a million columns", file: "captions.csv", text: blockFor("uuid,caption", ",c%d", 1_200_000, "\n1,x\n"), args: captions, says: "--max-row-size", slow: true},
		{name: "columns without a name", file: "captions.csv", text: filled("uuid,caption", ",", nearly10MB, "\n"), args: captions},
		{name: "a quotation mark that is not closed", file: "captions.csv.gz", text: repeatedGzip("uuid,caption\n1,\"", strings.Repeat("a", 1<<20), 2000, ""), args: captions, says: "--max-row-size"},
		{name: "a packed table", file: "captions.csv.gz", text: repeatedGzip("uuid,caption\n", "1,x\n", 300_000_000, ""), args: captions, says: "captions.csv.gz", slow: true},
		{name: "tabs", file: "captions.tsv", text: filled("uuid\tcaption\n", "\t", nearly10MB, "\n"), args: captions},
		{name: "captions of nothing", file: "captions.jsonl", text: blockFor("", `{"uuid":%d}`+"\n", 500_000, ""), args: captions, slow: true},

		{name: "one video of many keypoints", file: "annotations.jsonl", text: filled(`{"video_id":"1","events":{"bg_desc":[""`, `,""`, nearly10MB, `]}}`), args: annotations, says: "--max-row-size"},
		{name: "annotations of nothing", file: "annotations.jsonl", text: blockFor("", `{"video_id":%d,"events":{}}`+"\n", 250_000, ""), args: annotations, slow: true},

		{name: "empty lines", file: "a.txt", text: filled("", "\n", nearly10MB, ""), args: bleu, says: "--max-input-rows"},
		{name: "empty packed lines", file: "a.txt.gz", text: repeatedGzip("", "\n", 200_000_000, ""), args: chrf, says: "--max-input-rows"},
		{name: "as many lines as may be", file: "a.txt", text: filled("", "a b c d\n", 7_990_000, ""), args: bleu, fine: true, slow: true},
		{name: "as many lines as may be, for word errors", file: "a.txt", text: filled("", "a b c d\n", 7_990_000, ""), args: wer, fine: true, slow: true},
		{name: "one long line", file: "a.txt", text: filled("", "a ", nearly10MB, "\n"), args: bleu, says: "--max-row-size"},
		{name: "one endless packed line", file: "a.txt.gz", text: repeatedGzip("", strings.Repeat("a", 1<<20), 4000, ""), args: wer, says: "--max-row-size"},
		{name: "noise", file: "a.txt", text: noise(1_000_000, 1_000_000), args: chrf, fine: true, slow: true},
		{name: "records of texts", file: "a.jsonl", text: filled("", `{"hyp":"","ref":""}`+"\n", nearly10MB/4, ""), args: data, fine: true, slow: true},
		{name: "packed records of texts", file: "a.jsonl.gz", text: repeatedGzip("", `{"hyp":"","ref":""}`+"\n", 990_000, ""), args: data, fine: true, slow: true},
		{name: "a table of tabs", file: "a.tsv", text: filled("hyp\tref", "\t", nearly10MB, "\n"), args: data},

		{name: "a script of nothing", file: "script.json", text: filled(`{"a":[null`, ",null", nearly10MB, "]}"), args: script, fine: true, code: exitFailures, slow: true},
		{name: "a deep script", file: "script.json", text: filled("", "[", nearly10MB, ""), args: script},
		{name: "aliases of aliases", file: "prices.yaml", text: aliases, args: prices, says: "aliases"},
		{name: "lists in lists of YAML", file: "prices.yaml", text: filled("a: ", "[", 1_000_000, ""), args: prices},
		{name: "a deep YAML", file: "prices.yaml", text: ladder, args: prices},
		{name: "many prices", file: "prices.yaml", text: blockFor("", "a%d: {in: 1, out: 2}\n", 9_000, ""), args: prices, fine: true, slow: true},
		{name: "a large YAML", file: "prices.yaml", text: filled("", "a: {in: 1, out: 2}\n", nearly10MB, ""), args: prices},

		{name: "ratings of a million columns", file: "table.csv", text: filled("judge,system,score,value", ",", nearly10MB, "\n"), args: []string{"compare", "--table", "FILE"}},
		{name: "results of a million profiles", file: "results.json", text: filled(`{"schema":"omniscope.results/1","profiles":[{}`, ",{}", nearly10MB, "]}"), args: []string{"compare", "FOLDER", "FOLDER/second"}},
		{name: "values of nothing", file: "values.jsonl", text: blockFor("", `{"scorer":"comet","hypothesis":"%d","value":1}`+"\n", 180_000, `{"scorer":"comet"}`), args: append(slices.Clone(outputs[:3]), "good.xml", "-r", "good.xml", "-t", "long", "-l", "en", "--scored", "FILE"), says: "not filled in", slow: true},
		{name: "a caption that is a book", file: "caption.txt", text: filled("", "a ", nearly10MB, ""), args: []string{"audit", "FILE", "good.mp4"}},
		{name: "a workbook of shared texts", file: "book.xlsx", text: archived("xl/workbook.xml", `<workbook><sheets><sheet r:id="r"/></sheets></workbook>`, 1, "xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r" Target="s.xml"/></Relationships>`, 1, "xl/s.xml", "<row/>", 1, "xl/sharedStrings.xml", "<si><t>a</t></si>", 4_100_000), args: imports("vlmevalkit"), says: "which no real workbook has", slow: true},
		{name: "a workbook of one text", file: "book.xlsx", text: archived("xl/workbook.xml", `<workbook><sheets><sheet r:id="r"/></sheets></workbook>`, 1, "xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r" Target="s.xml"/></Relationships>`, 1, "xl/s.xml", "aaaaaaaa", 12_000_000), args: imports("vlmevalkit"), says: "--max-row-size", slow: true},
		{name: "a log with a sample of gigabytes", file: "log.eval", text: archived("header.json", "{}", 1, "samples/1_epoch_1.json", "[[[[[[[[", 16_000_000), args: imports("inspect"), says: "--max-row-size", slow: true},
		{name: "a log of many samples of nothing", file: "log.eval", text: manySamples, args: imports("inspect"), says: "no field of the log", slow: true},
		{name: "a log of one packed object", file: "log.json.gz", text: repeatedGzip("{\n\"version\": 2, \"status\": \"success\", \"eval\": {}, \"samples\": [1", ",1", 100_000_000, "]}"), args: imports("inspect"), says: "as one object", slow: true},
		{name: "packed rows of a log", file: "log.jsonl.gz", text: repeatedGzip("", `{"doc_id":0,"doc":{"id":"x"},"arguments":{},"resps":[["`+strings.Repeat("a", 1000)+`"]]}`+"\n", 1_500_000, ""), args: imports("lm-eval"), says: "--max-input-size", slow: true},
	}...)
}

// imports are the arguments of an import from a harness.
func imports(harness string) []string {
	return []string{"import", harness, "FILE", "--bench", "omni-cloze", "-d", "good.jsonl", "-o", "x.jsonl"}
}

// archived is a ZIP file of members: the name of each, a text, and how often it stands there.
func archived(members ...any) func() []byte {
	return func() []byte {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for i := 0; i < len(members); i += 3 {
			text, times := members[i+1].(string), members[i+2].(int)
			m, _ := w.Create(members[i].(string))
			piece := []byte(strings.Repeat(text, min(times, 100_000)))
			for ; times > 0; times -= 100_000 {
				m.Write(piece)
			}
		}
		w.Close()
		return b.Bytes()
	}
}

// manySamples is a log of Inspect with as many samples as fit.
func manySamples() []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	m, _ := w.Create("header.json")
	m.Write([]byte("{}"))
	for i := range 70_000 {
		m, _ := w.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("samples/%d_epoch_1.json", i), Method: zip.Store})
		m.Write([]byte("{}"))
	}
	w.Close()
	return b.Bytes()
}

// laughs is a billion laughs.
func laughs() []byte {
	var b bytes.Buffer
	b.WriteString(`<!DOCTYPE a [<!ENTITY e0 "lol">`)
	for i := range 30 {
		fmt.Fprintf(&b, `<!ENTITY e%d "%s">`, i+1, strings.Repeat(fmt.Sprintf("&e%d;", i), 10))
	}
	b.WriteString(`]><a>&e30;</a>`)
	return b.Bytes()
}

// chain is entities of which each is the next.
func chain() []byte {
	var b bytes.Buffer
	b.WriteString(`<!DOCTYPE a [`)
	const n = 300_000
	for i := range n {
		fmt.Fprintf(&b, `<!ENTITY e%d "&e%d;">`, i, i+1)
	}
	fmt.Fprintf(&b, `<!ENTITY e%d "x">]><a>&e0;</a>`, n)
	return b.Bytes()
}

// again is a long entity that stands for itself a hundred times, which expat
// allows.
func again() []byte {
	long := strings.Repeat("a", 4_900_000)
	return []byte(`<!DOCTYPE a [<!ENTITY e "` + long + `">]><testset>` + strings.Repeat("&e;", 99) + strings.Repeat(" ", 4_900_000) + `</testset>`)
}

func aliases() []byte {
	var b bytes.Buffer
	b.WriteString("a0: &a0 {in: 1, out: 2}\n")
	for i := range 30 {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 10), ", "))
	}
	return b.Bytes()
}

// ladder is YAML that is deep by its indentation.
func ladder() []byte {
	var b bytes.Buffer
	for i := range 1_400 {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.Bytes()
}

func TestHostileInputsTakeLittleMemory(t *testing.T) { runHostiles(t, false) }

func TestLongHostileInputsTakeLittleMemory(t *testing.T) { runHostiles(t, true) }

func runHostiles(t *testing.T, slow bool) {
	need.Processes(t)
	t.Parallel() // each is a program of its own, and measured apart
	for _, h := range hostiles() {
		if h.slow != slow {
			continue
		}
		t.Run(h.name, func(t *testing.T) { h.run(t) })
	}
}

func (h hostile) run(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, text []byte) string {
		path := filepath.Join(dir, name)
		fixture.OK(t, os.WriteFile(path, text, 0o600))
		return path
	}
	text := h.text()
	if len(text) > mostHostileFile {
		t.Fatalf("the file has %d bytes, more than %d", len(text), mostHostileFile)
	}
	path := write(h.file, text)
	second := write("second-"+h.file, text)
	write("good.xml", []byte(xmlHead+`<sample id="1" iid="ASR_1" task="ASR"><reference>a</reference></sample>`+xmlTail))
	fixture.OK(t, os.Mkdir(filepath.Join(dir, "second"), 0o700))
	write("said.jsonl", []byte(`{"video_id":"1","caption":"x"}`))
	write("good.jsonl", fmt.Appendf(nil, goodRow, 1))
	args := make([]string, len(h.args))
	for i, a := range h.args {
		args[i] = strings.NewReplacer("FILE2", second, "FILE", path, "FOLDER", dir).Replace(a)
	}

	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "peak-of", append([]string{"omniscope"}, args...)...)
	cmd.Dir = dir
	peakFile := filepath.Join(t.TempDir(), "peak")
	cmd.Env = append(os.Environ(), peakFileEnv+"="+peakFile)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	counted, err := os.ReadFile(peakFile)
	if err != nil {
		t.Fatal(err, said.String())
	}
	peak, err := strconv.ParseInt(string(counted), 10, 64)
	fixture.OK(t, err)
	took := cmd.ProcessState.SystemTime() + cmd.ProcessState.UserTime()
	t.Logf("peak %4d MiB, %5.1f s of processor, file %8d bytes, exit %d", peak>>20, took.Seconds(), len(text), cmd.ProcessState.ExitCode())
	h.check(t, cmd.ProcessState.ExitCode(), peak, said.String())
}

func (h hostile) check(t *testing.T, code int, peak int64, said string) {
	t.Helper()
	shown := said[:min(len(said), 2000)]
	if peak >= mostHostilePeak {
		t.Errorf("it took %d MiB at its peak", peak>>20)
	}
	for _, crash := range []string{"panic:", "fatal error:", "goroutine 1 ["} {
		if strings.Contains(said, crash) {
			t.Fatalf("it crashed: %s", shown)
		}
	}
	if h.fine {
		if code != h.code {
			t.Errorf("exit code %d: %s", code, shown)
		}
		return
	}
	if want := max(h.code, exitFailed); code != want {
		t.Errorf("exit code %d, want %d: %s", code, want, shown)
	}
	if !strings.Contains(said, h.file) || !strings.Contains(said, h.says) {
		t.Errorf("it does not name %q and say %q: %s", h.file, h.says, shown)
	}
	if len(said) > 10_000 {
		t.Errorf("it says %d bytes", len(said))
	}
}
