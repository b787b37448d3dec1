package sentences

import (
	"strings"
	"testing"
)

func TestCut(t *testing.T) {
	for text, want := range map[string]string{
		"A man sings at 3.5 metres. \"Stop!\" cries Dr. Low.\nThen a dog barks… Rain falls.": `A man sings at 3.5 metres.|"Stop!" cries Dr. Low.|Then a dog barks…|Rain falls.`,
		"One? Two! J. S. Bach": "One?|Two!|J. S. Bach",
		"他唱歌。狗叫！":              "他唱歌。|狗叫！",
		" \n ":                 "",
		"no end":               "no end",
	} {
		var texts []string
		whole := ""
		for _, s := range Cut(text) {
			texts = append(texts, s.Text)
			whole += s.Before + s.Text
		}
		if got := strings.Join(texts, "|"); got != want || whole != strings.TrimRight(text, " \n") {
			t.Errorf("%q is cut into %q, and together they are %q", text, got, whole)
		}
	}
}
