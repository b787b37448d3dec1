package mcifxml

import (
	"bytes"
	"compress/gzip"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

// output reads an output from text.
func output(t *testing.T, text string, o Options) *Output {
	t.Helper()
	out, err := ReadOutput(t.Context(), fixture.File(t, "out.xml", text), "", "", o)
	fixture.OK(t, err)
	return out
}

func answers(out *Output) (list []string) {
	for _, s := range out.Samples {
		list = append(list, s.ID+"="+s.Text)
	}
	return list
}

func wantAnswers(t *testing.T, out *Output, want ...string) {
	t.Helper()
	if got := answers(out); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func wantProblem(t *testing.T, problems []Problem, kind problemKind, line int, what string) {
	t.Helper()
	for _, p := range problems {
		if p.Kind == kind && p.Line == line && strings.Contains(p.What, what) {
			return
		}
	}
	t.Errorf("no problem %q on line %d with %q among %v", kind, line, what, problems)
}

func TestOutputOrder(t *testing.T) {
	out := output(t, task(`<sample id="2"> b&amp;c
</sample>`+"\n"+`<sample id="1"/><x><sample id="x">`+"\u3000y\x1f"[:3]+`</sample></x>`), Options{})
	wantAnswers(t, out, "2=b&c", "1=", "x=")
	if out.Root != "n" || out.Track != "short" || out.Lang != "en" || out.Samples[1].Line != 3 || out.Refused != nil {
		t.Errorf("%+v", out)
	}
	wantProblem(t, out.Problems, emptySample, 3, "2 samples are empty: ids 1, x")
	wantProblem(t, out.Problems, edgeSpace, 0, "2 samples have blanks")
	wantProblem(t, out.Problems, outOfOrder, 3, `sample "1" comes after "2"`)
}

func TestOddAnswers(t *testing.T) {
	out := output(t, task("<sample id='1'>a\ufffd\ufffd</sample>\n<sample id='1'>b</sample>\n<sample>c</sample>\n<sample id='4'>"+
		strings.Repeat("word ", 500)+"</sample><sample id='5'>d</sample>"), Options{})
	if len(out.Samples) != 4 {
		t.Errorf("%d samples, want 4", len(out.Samples))
	}
	wantProblem(t, out.Problems, DuplicateID, 2, `sample "1" is there already, on line 1`)
	wantProblem(t, out.Problems, MissingID, 3, "has no id")
	wantProblem(t, out.Problems, giantSample, 4, `sample "4" has 2499 characters, where the median has 3`)
	wantProblem(t, out.Problems, undecodable, 1, "is there 2 times, in 1 sample: ids 1")
	if got := message(out.Refused); got != "'id'" {
		t.Errorf("the evaluation would say %q", got)
	}
}

func TestFindTask(t *testing.T) {
	text := `<testset name="n"><task track="long" text_lang="it's"/><x><task track="short" text_lang="en"><sample id="1">a</sample></task></x>
<task track="short" text_lang="en"><sample id="1">b</sample></task></testset>`
	path := fixture.File(t, "hyp.xml", text)
	out, err := ReadOutput(t.Context(), path, "short", "en", Options{})
	fixture.OK(t, err)
	wantAnswers(t, out, "1=a")
	_, err = ReadOutput(t.Context(), path, "short", "de", Options{})
	want := "Task 'short' for language 'de' not available in " + path + `. Available tasks are: [('long', "it's"), ('short', 'en'), ('short', 'en')].`
	if got := message(err); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	_, err = ReadOutput(t.Context(), fixture.File(t, "hyp.xml", "<a/>"), "", "", Options{})
	mentions(t, err, "has no task element")
	_, err = ReadOutput(t.Context(), fixture.File(t, "hyp.xml", "<a>\n<task track='long'/></a>"), "long", "en", Options{})
	mentions(t, err, `hyp.xml:2: the task element has no attribute "text_lang"`)
	if got := message(err); got != "'text_lang'" {
		t.Errorf("the evaluation would say %q", got)
	}
}

func TestJoinParts(t *testing.T) {
	a := fixture.File(t, "a.xml", task("<sample id='1'>x</sample>"))
	b := fixture.File(t, "b.xml", task("\n<sample id='0'>y</sample>"))
	out, err := ReadOutputs(t.Context(), []string{a, b}, "", "", Options{})
	fixture.OK(t, err)
	wantAnswers(t, out, "1=x", "0=y")
	if out.Digest != Digest(out.Samples) || out.Samples[1].File != b {
		t.Errorf("%+v", out)
	}
	_, err = ReadOutputs(t.Context(), []string{a, b, a}, "short", "en", Options{})
	mentions(t, err, a+`:1 answers sample "1", and `+a+":1 does too")
	other := fixture.File(t, "c.xml", strings.Replace(task(""), "short", "long", 1))
	_, err = ReadOutputs(t.Context(), []string{a, other}, "", "", Options{})
	mentions(t, err, "Task 'short' for language 'en' not available in "+other)
	_, err = ReadOutputs(t.Context(), nil, "", "", Options{})
	mentions(t, err, "no file")
}

func TestPackedFiles(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write([]byte(task("<sample id='1'>x</sample>"))); err != nil {
		t.Fatal(err)
	}
	fixture.OK(t, z.Close())
	out := output(t, packed.String(), Options{})
	wantAnswers(t, out, "1=x")
	if out.SHA256 == out.RawSHA256 {
		t.Error("the packed and the unpacked file have the same hash")
	}
	_, err := ReadOutput(t.Context(), fixture.File(t, "out.xml.gz", packed.String()[:30]), "", "", Options{Lenient: true})
	mentions(t, err, "out.xml.gz cannot be unpacked", "get the file again")
}

func TestMissingFile(t *testing.T) {
	_, err := ReadOutput(t.Context(), filepath.Join(t.TempDir(), "none.xml"), "", "", Options{Lenient: true})
	mentions(t, err, "none.xml")
	if omniscope.KindOf(err) != omniscope.NotFound {
		t.Errorf("the kind is %v", omniscope.KindOf(err))
	}
}

func TestReadWrittenOutput(t *testing.T) {
	o := &Output{Root: `a "b"`, Track: "long", Lang: "de", Samples: []Sample{{ID: "0", Text: "x < y\n& z > \"1\""}, {ID: "5"}}}
	var b bytes.Buffer
	fixture.OK(t, WriteOutput(&b, o))
	want := `<?xml version='1.0' encoding='utf-8'?>
<testset name="a &quot;b&quot;" type="output">
  <task track="long" text_lang="de">
    <sample id="0">x &lt; y
&amp; z &gt; "1"</sample>
    <sample id="5" />
  </task>
</testset>`
	if b.String() != want {
		t.Errorf("%s", b.String())
	}
	again := output(t, b.String(), Options{})
	if again.Root != o.Root || again.Digest != Digest(o.Samples) {
		t.Errorf("%+v", again)
	}
	b.Reset()
	if err := WriteOutput(&b, &Output{}); err != nil || !strings.Contains(b.String(), `<task track="" text_lang="" />`) {
		t.Errorf("%v %s", err, b.String())
	}
}

func TestWriteInvalidXMLText(t *testing.T) {
	var b bytes.Buffer
	err := WriteOutput(&b, &Output{Samples: []Sample{{ID: "7", Text: "a\x0bb"}}})
	mentions(t, err, `sample "7" has a control character`)
	if b.Len() > 0 {
		t.Errorf("written: %s", b.String())
	}
	if got, n := Legal("a\x0bb\xff\ufffd\ufffe"); got != "ab\ufffd" || n != 3 {
		t.Errorf("%q, %d dropped", got, n)
	}
	err = WriteOutput(failing{}, &Output{Samples: []Sample{{ID: "7"}}})
	mentions(t, err, "disk is full")
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk is full") }
