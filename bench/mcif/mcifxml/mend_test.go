package mcifxml

import (
	"bytes"
	"context"
	"reflect"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

func TestMendBrokenFiles(t *testing.T) {
	const x = "<sample id='2'>x</sample>"
	for _, c := range []struct {
		name, text string
		want       []string
		kind       problemKind
		what       string
	}{
		{"a control character", task("<sample id='1'>a\x02b</sample>" + x), []string{"1=ab", "2=x"}, mended, "the character U+0002, which XML cannot hold, was dropped"},
		{"a control character by number", task("<sample id='1'>a&#2;b</sample>" + x), []string{"1=ab", "2=x"}, mended, "&#2;, which XML cannot hold, was dropped"},
		{"broken UTF-8", task("<sample id='1'>a\xffb</sample>" + x), []string{"1=a\ufffdb", "2=x"}, mended, "the byte 0xff is not a character"},
		{"an ampersand", task("<sample id='1'>a & b &amp; c &d;</sample>" + x), []string{"1=a & b & c &d;", "2=x"}, mended, `"& b`},
		{"a less-than sign", task("<sample id='1'>a < b <3</sample>" + x), []string{"1=a < b <3", "2=x"}, mended, "was taken as text"},
		{"tags of others", task("<sample id='1'><think>a</b> c</sample>" + x), []string{"1=<think>a</b> c", "2=x"}, mended, `"<think>`},
		{"an end of character data", task("<sample id='1'>a]]>b</sample>" + x), []string{"1=a]]>b", "2=x"}, mended, `"]]>" was taken as text`},
		{"character data, comments and ends of lines", task("<sample id='1'>&<![CDATA[<a>\r\n]]><!-- -- --><?x?>b\rc</sample>" + x), []string{"1=&<a>\nb\nc", "2=x"}, mended, `"&`},
		{"character data without end", task("<sample id='1'><![CDATA[a</sample>" + x), []string{"1=<![CDATA[a", "2=x"}, mended, `"<![CDATA[`},
		{"a sample without end tag", task("<sample id='1'>a" + x), []string{"1=a", "2=x"}, mended, "the sample element before has no end tag"},
		{"a last sample without end tag", task(x + "<sample id='3'>a"), []string{"2=x", "3=a"}, mended, "no end tag"},
		{"an end tag too many", task("</sample>" + x), []string{"2=x"}, mended, `"</sample>", which ends nothing`},
		{"an attribute twice", task("<sample id='1' id='3'>a</sample>" + x), []string{"1=a", "2=x"}, mended, `a second attribute "id"`},
		{"a stray name in an attribute", task("<sample id='&b;'>a</sample>" + x), []string{"&b;=a", "2=x"}, mended, "was taken as text"},
		{"two files in one", task("<sample id='1'>a</sample>") + task(x), []string{"1=a"}, mended, "was passed over"},
		{"a prefix without a namespace", task("<p:a/>" + x), []string{"2=x"}, mended, "was passed over"},
		{"a broken declaration", "<?xml?>" + task(x), []string{"2=x"}, "", ""},
		{"a document type", "<!DOCTYPE a [<!ENTITY b 'c'>]>" + task(x+"&"), []string{"2=x"}, mended, "passed over"},
		{"a file that breaks off in a text", strings.TrimSuffix(task(x+"<sample id='3'>ab"), "</task></testset>"), []string{"2=x"}, cutOff, `the file breaks off in sample "3", which was dropped`},
		{"a file that breaks off in a tag", strings.TrimSuffix(task(x+"<sample id='3"), "</task></testset>"), []string{"2=x"}, mended, "breaks off before its last end tag"},
		{"a file that breaks off after a sample", strings.TrimSuffix(task(x), "</task></testset>"), []string{"2=x"}, mended, "breaks off before its last end tag"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := fixture.File(t, "out.xml", c.text)
			if _, err := ReadOutput(t.Context(), path, "", "", Options{}); err == nil {
				t.Fatal("a strict reader takes it")
			}
			out := output(t, c.text, Options{Lenient: true})
			wantAnswers(t, out, c.want...)
			if c.kind != "" {
				wantProblem(t, out.Problems, c.kind, 1, c.what)
			}
		})
	}
}

func TestMendPosition(t *testing.T) {
	out := output(t, task("\n<sample id='1'>ä\x02</sample>"), Options{Lenient: true})
	if p := out.Problems[0]; p.Line != 2 || p.Column != 17 || !strings.Contains(p.String(), "out.xml:2:17: the character U+0002") {
		t.Errorf("%v", p)
	}
	out = output(t, task("<sample id='1'>"+strings.Repeat("\x02", 100)+"a</sample>"), Options{Lenient: true})
	wantAnswers(t, out, "1=a")
	wantProblem(t, out.Problems, mended, 0, "80 more places were mended")
}

func TestUnmendableFiles(t *testing.T) {
	for _, text := range []string{"", "just words", "<?xml version='1.0' encoding='klingon'?><a/>", "\x00\x01\x02"} {
		if _, err := ReadOutput(t.Context(), fixture.File(t, "out.xml", text), "", "", Options{Lenient: true}); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

// What a strict reader takes, a lenient one reads the same, and it can be
// written and read again.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"", "<a>", task("<sample id='1'>a&amp;<![CDATA[b]]><!-- c --></sample><sample/>"), task("<sample id='1'>a\x01 & < <b></sample>"),
		`<!DOCTYPE a [<!ENTITY x "y&#38;z">%p;<!ENTITY % q SYSTEM 's'>]><a xmlns:p="u" p:b='&x;'>&x;</a>`,
		"<?xml version='1.0' encoding='latin-1'?><task track='' text_lang=''><sample id=''>\xe4\r\n</sample></task>",
		"\xff\xfe<\x00a\x00/\x00>\x00", "\ufeff<task track='a' text_lang='b'><task><sample id='1'/></task></task>", "<a>]]>&#0;</a>", "<a>\xf0\x9f", "'x'<a/>)",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		lenient, lenientErr := readOutput(doc, Options{Lenient: true})
		strict, err := readOutput(doc, Options{})
		if err != nil {
			if text := err.Error(); text == "" {
				t.Error("an error that says nothing")
			}
			return
		}
		if lenientErr != nil || !reflect.DeepEqual(strict, lenient) {
			t.Fatalf("lenient: %v %+v, strict: %+v", lenientErr, lenient, strict)
		}
		var b bytes.Buffer
		fixture.OK(t, WriteOutput(&b, strict))
		again, err := readOutput(b.Bytes(), Options{})
		if err != nil {
			t.Fatalf("%v in %s", err, b.String())
		}
		if again.Digest != strict.Digest && !strings.Contains(strings.Join(answers(strict), ""), "\r") {
			t.Errorf("%q, was %q", answers(again), answers(strict))
		}
	})
}

func readOutput(doc []byte, o Options) (*Output, error) {
	f, err := read(newGuard(context.Background(), "x.xml"), doc, o, nil)
	if err != nil {
		return nil, err
	}
	return f.output("", "")
}
