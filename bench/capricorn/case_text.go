package capricorn

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"omniscope/internal/quantity"
	"omniscope/internal/visible"
)

// mostWritten is how many characters of a text other than a caption are shown.
const mostWritten = 2_000

// shorten leaves out the middle of a text that is too long to be read.
func shorten(s string) string {
	if utf8.RuneCountInString(s) <= mostWritten {
		return s
	}
	return s[:ahead(s, 0, mostWritten/2)] + " […] " + s[back(s, len(s), mostWritten/2):]
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n", "\t", " ")

// readable replaces invisible characters of a text from data. Line breaks stay, as \n.
func readable(s string) string { return visible.Text(lineEnds.Replace(s)) }

// oneLine makes a text from data readable, short, and one line.
func oneLine(s string) string { return strings.Join(strings.Fields(readable(shorten(s))), " ") }

// durationText is the video's length as it is annotated, and in minutes.
func (v *video) durationText() string {
	if v.duration == nil {
		return "of unknown length"
	}
	text := oneLine(v.rawTime) + " s"
	if s := *v.duration; s >= 60 && s < 360_000 {
		text += fmt.Sprintf(" (%d:%02d min)", int(s)/60, int(s)%60)
	}
	return text
}

// shares returns the video's Acc, Cov and Ref, "–" for a missing score.
func (u *unit) shares(m mends) [3]string {
	counts, _ := u.counts(m)
	share := func(sum, videos int) string {
		if counts[videos] == 0 {
			return "–"
		}
		return quantity.Percent(counts[sum])
	}
	return [3]string{share(keyAccSum, keyVideos), share(keyCovSum, keyVideos), share(keyRefSum, keyRefVideos)}
}

// How to read the marks of a case.
const (
	marksHelp = "[1a] names subject 1 and its group a: a group holds the descriptions that a reader would take for the same subject, so a consistent caption has one for each subject. " +
		"[1] is the only mention of a subject, [1?] is in no group. Several names at one mark, such as [1a 2b]: the words name several subjects or are in several groups. " +
		"A description is marked wherever its words are, which may be at more places than the judge took it from."
	refHelp = "Ref of a subject is the share of the pairs of its keypoints with descriptions in one group."
)

// shownText describes the part of a caption that is shown, in characters.
func shownText(length, hidden int) string {
	text := quantity.Grouped(length) + " characters"
	if hidden > 0 {
		text += fmt.Sprintf(", %s of them left out where […] is: shown are its beginning, its end, and each description at least at its first place", quantity.Grouped(hidden))
	}
	return text
}

// times counts how often a description was given.
func times(n int) string {
	if n < 2 {
		return ""
	}
	return fmt.Sprintf(" ×%d", n)
}

// A scoringRow is a video's scores in one scoring.
type scoringRow struct {
	name   string
	shares [3]string // Acc, Cov, Ref
}

func (c *caseView) scorings() []scoringRow {
	return []scoringRow{{"strict", c.u.shares(mended)}, {"official", c.u.shares(published)}}
}
