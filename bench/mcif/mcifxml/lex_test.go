package mcifxml

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

// readText reads a document of one sample, or says as Python would why not.
func readText(doc string) (text, refusal string) {
	f, err := read(newGuard(context.Background(), "x.xml"), []byte(doc), Options{}, nil)
	if err != nil {
		return "", message(err)
	}
	return f.root.text, ""
}

func TestTextMatchesPython(t *testing.T) {
	for _, c := range []struct{ name, doc, want string }{
		{"plain", "<a>b</a>", "b"},
		{"nothing", "<a></a>", ""},
		{"an empty element", "<a/>", ""},
		{"only what is before the first child", "<a>b<c>d</c>e</a>", "b"},
		{"nothing before the first child", "<a><c/>e</a>", ""},
		{"a comment is not there", "<a>b<!-- c -->d</a>", "bd"},
		{"a processing instruction is not there", "<a>b<?c d?>e</a>", "be"},
		{"character data", "<a>b<![CDATA[<c>&amp;]] ]]>d</a>", "b<c>&amp;]] d"},
		{"predefined names", "<a>&lt;&gt;&amp;&quot;&apos;</a>", `<>&"'`},
		{"numbers", "<a>&#228;&#x4e2D;&#x1F600;</a>", "ä中😀"},
		{"ends of lines", "<a>b\r\nc\rd\ne</a>", "b\nc\nd\ne"},
		{"ends of lines in character data", "<a><![CDATA[b\r\nc\rd]]></a>", "b\nc\nd"},
		{"a carriage return by number", "<a>b&#13;</a>", "b\r"},
		{"brackets", "<a>]] ]> ]</a>", "]] ]> ]"},
		{"no-break space and next line", "<a>\u00a0\u0085</a>", "\u00a0\u0085"},
		{"byte order mark", "\ufeff<a>ä</a>", "ä"},
		{"declaration", "<?xml version='1.0' encoding='utf-8' standalone='yes' ?>\n<a>ä</a>", "ä"},
		{"Latin-1", "<?xml version='1.0' encoding='iso-8859-1'?><a>\xe4</a>", "ä"},
		{"Windows", "<?xml version='1.0' encoding='cp1252'?><a>\x80</a>", "€"},
		{"UTF-16, little", utf16Of(true, "\ufeff<a>ä😀</a>"), "ä😀"},
		{"UTF-16, big, without mark", utf16Of(false, "<?xml version='1.0' encoding='UTF-16'?><a>中</a>"), "中"},
		{"declared names", `<!DOCTYPE a [<!ENTITY x "y&#38;lt;"><!ENTITY z '&x;<b/>'>]><a>&x;&z;w</a>`, "y<y<"},
		{"names of others", "<!DOCTYPE a PUBLIC 'p' 's' [<!ELEMENT a ANY><!-- > -->]><a>b</a>", "b"},
		{"namespaces", `<a xmlns="u" xmlns:p="v" p:x="1" xml:lang="de"><p:b/></a>`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, refusal := readText(c.doc); got != c.want || refusal != "" {
				t.Errorf("%q %s, want %q", got, refusal, c.want)
			}
		})
	}
}

func utf16Of(little bool, s string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(s)) {
		pair := [2]byte{byte(u >> 8), byte(u)}
		if little {
			pair[0], pair[1] = pair[1], pair[0]
		}
		b.Write(pair[:])
	}
	return b.String()
}

// The reasons and places are those of Python 3.11 with expat 2.5.
func TestErrorsMatchExpat(t *testing.T) {
	for _, c := range []struct{ doc, want string }{
		{"", "no element found: line 1, column 0"},
		{" \n", "no element found: line 2, column 0"},
		{"<a>b", "no element found: line 1, column 4"},
		{"<a>\r", "no element found: line 1, column 3"},
		{"<a><b></b>\n", "no element found: line 2, column 0"},
		{"abc", "syntax error: line 1, column 0"},
		{"a&", "not well-formed (invalid token): line 1, column 1"},
		{"'", "unclosed token: line 1, column 0"},
		{"<", "unclosed token: line 1, column 0"},
		{"<a>\n<b", "unclosed token: line 2, column 0"},
		{"<a>&am", "unclosed token: line 1, column 3"},
		{"<a><!-- b", "unclosed token: line 1, column 3"},
		{"<a b='c'", "unclosed token: line 1, column 0"},
		{"<a>\xe2\x82", "partial character: line 1, column 3"},
		{"<a>ä\x01</a>", "not well-formed (invalid token): line 1, column 4"},
		{"<a>\x00</a>", "not well-formed (invalid token): line 1, column 3"},
		{"<a>\xff</a>", "not well-formed (invalid token): line 1, column 3"},
		{"<a>\ufffe</a>", "not well-formed (invalid token): line 1, column 3"},
		{"<a>\xed\xa0\x80</a>", "not well-formed (invalid token): line 1, column 3"},
		{"<a>b ]]></a>", "not well-formed (invalid token): line 1, column 7"},
		{"<a>b & c</a>", "not well-formed (invalid token): line 1, column 6"},
		{"<a>b < c</a>", "not well-formed (invalid token): line 1, column 6"},
		{"<a>b <3</a>", "not well-formed (invalid token): line 1, column 6"},
		{"<a b=c>", "not well-formed (invalid token): line 1, column 5"},
		{"<a b='<'>", "not well-formed (invalid token): line 1, column 6"},
		{"<a b='c'd='e'>", "not well-formed (invalid token): line 1, column 8"},
		{"<a><!-- b -- c --></a>", "not well-formed (invalid token): line 1, column 12"},
		{"<a>\r\nb</c>", "mismatched tag: line 2, column 3"},
		{"<a b='' c='' b=''/>", "duplicate attribute: line 1, column 13"},
		{"<a xmlns:p='u' xmlns:q='u' p:b='' q:b=''/>", "duplicate attribute: line 1, column 0"},
		{"<a/>\n<b/>", "junk after document element: line 2, column 0"},
		{"<a/>b", "junk after document element: line 1, column 4"},
		{"<a/>&", "not well-formed (invalid token): line 1, column 4"},
		{"<a>&b;</a>", "undefined entity: line 1, column 3"},
		{"<a><c b=' &b;'/></a>", "undefined entity: line 1, column 3"},
		{"<!DOCTYPE a SYSTEM 's'><a>&b;</a>", "undefined entity &b;: line 1, column 26"},
		{"<!DOCTYPE a [<!ENTITY b SYSTEM 's'>]><a>&b;</a>", "undefined entity &b;: line 1, column 40"},
		{"<!DOCTYPE a [<!ENTITY b '&b;'>]><a>&b;</a>", "recursive entity reference: line 1, column 35"},
		{"<!DOCTYPE a [<!ENTITY b '<c>'>]><a>&b;</a>", "asynchronous entity: line 1, column 35"},
		{"<a>&#0;</a>", "reference to invalid character number: line 1, column 3"},
		{"<a>&#xD800;</a>", "reference to invalid character number: line 1, column 3"},
		{"<a>&#99999999999;</a>", "reference to invalid character number: line 1, column 3"},
		{"<a><![CDATA[b]]", "unclosed CDATA section: line 1, column 15"},
		{"<a><?xml version='1.0'?></a>", "XML or text declaration not at start of entity: line 1, column 3"},
		{"\n<?xml version='1.0'?><a/>", "XML or text declaration not at start of entity: line 2, column 0"},
		{"<?xml encoding='utf-8'?><a/>", "XML declaration not well-formed: line 1, column 6"},
		{"<?xml version='1.0' encoding='utf-16'?><a/>", "encoding specified in XML declaration is incorrect: line 1, column 30"},
		{"<?xml version='1.0' encoding='klingon'?><a/>", "unknown encoding: klingon"},
		{"<?xml version='1.0' encoding='shift_jis'?><a/>", "multi-byte encodings are not supported"},
		{"<p:a/>", "unbound prefix: line 1, column 0"},
		{"<a><b p:c=''/></a>", "unbound prefix: line 1, column 3"},
		{"<a xmlns:p=''/>", "must not undeclare prefix: line 1, column 0"},
	} {
		if _, got := readText(c.doc); got != c.want {
			t.Errorf("%q: %q, want %q", c.doc, got, c.want)
		}
	}
}

func TestEntityExpansionLimit(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE a [<!ENTITY x0 "ha ha ha ha ha">`)
	for i := byte('1'); i <= '9'; i++ {
		b.WriteString(`<!ENTITY x` + string(i) + ` "` + strings.Repeat("&x"+string(i-1)+";", 10) + `">`)
	}
	_, refusal := readText(b.String() + "]><a>&x9;</a>")
	if !strings.HasPrefix(refusal, tooMuchExpanded) {
		t.Errorf("refused with %q", refusal)
	}
	if _, refusal = readText(b.String() + "]><a b='&x9;'/>"); !strings.HasPrefix(refusal, tooMuchExpanded) {
		t.Errorf("refused with %q", refusal)
	}
}

func TestErrorMessages(t *testing.T) {
	path := fixture.File(t, "hyp.xml", "<a>\nbä\x01 and a long text that is not shown\n</a>")
	_, err := ReadOutput(t.Context(), path, "", "", Options{})
	mentions(t, err, path+":2:3: not well-formed (invalid token)", `at "\x01 and a long text that`, `..."`, "--lenient-xml")
	if omniscope.KindOf(err) != omniscope.Invalid {
		t.Errorf("the kind is %v", omniscope.KindOf(err))
	}
	var s *SyntaxError
	if !errors.As(err, &s) || s.Line != 2 || s.Column != 3 || s.Message != "not well-formed (invalid token): line 2, column 2" {
		t.Errorf("%+v", s)
	}
}

func TestManyAttributes(t *testing.T) {
	attrs := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, " a%d=''", i)
		}
		return "<a" + b.String() + "/>"
	}
	if _, refusal := readText(attrs(manyAttrs)); refusal != "" {
		t.Errorf("refused with %q", refusal)
	}
	if _, refusal := readText(attrs(manyAttrs + 1)); !strings.HasPrefix(refusal, tooManyAttrs) {
		t.Errorf("refused with %q", refusal)
	}
}
