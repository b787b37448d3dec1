package baseline

import (
	"strings"
	"testing"
)

// clozeCase is one invented passage with a caption about the same
// clip in other words. blanks lists the options of each blank, A to D, and
// want has one letter for each blank.
type clozeCase struct {
	name    string
	passage string
	blanks  []string
	caption string
	want    string // the letters of a careful person
	got     string // the letters of Read, where they differ
}

const colors = "red / blue / green / black"

// letters reads the case and returns one letter for each blank.
func (c *clozeCase) letters() string {
	blanks := make([]Blank, len(c.blanks))
	for i, options := range c.blanks {
		blanks[i] = Blank{Number: i + 1, Options: strings.Split(options, " / ")}
	}
	var letters strings.Builder
	for _, choice := range Read(c.passage, blanks, c.caption) {
		letters.WriteString(choice.Letter)
	}
	return letters.String()
}

func TestCases(t *testing.T) {
	for _, list := range [][]clozeCase{wordingCases, contextCases, longCases} {
		for _, c := range list {
			t.Run(c.name, func(t *testing.T) {
				want := c.want
				if c.got != "" {
					want = c.got
				}
				if got := c.letters(); got != want || c.got == c.want {
					t.Errorf("got %s, listed %s, a person says %s", got, want, c.want)
				}
			})
		}
	}
}
