package capricorn

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"omniscope/internal/quantity"
	"omniscope/internal/visible"
)

// mostWritten is how many characters of a text are shown, captions apart.
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

// casesIntro returns the first sentence of the pages: what they show.
func (e *evaluation) casesIntro() string {
	judge := "the offline reader, a baseline that compares words"
	if e.judge != nil {
		judge = e.judge.Name
	}
	n := len(e.cases.list)
	if n == 0 {
		return fmt.Sprintf("CapRiCorn-1K, judged by %s. No video was judged.", oneLine(judge))
	}
	return fmt.Sprintf("CapRiCorn-1K, judged by %s. The %d least consistent of %d videos, by Ref and then Acc in profile strict.", oneLine(judge), n, len(e.data.units))
}

// casesHelp returns the sentences on how to read the pages.
func casesHelp() []string {
	return []string{
		"Verdicts on keypoints: ✓ correct, ± with errors, ✗ not mentioned, ? unjudged.",
		"What is marked in a caption is how it refers to a subject. [1a] names subject 1 and its group a: a group holds the descriptions that a reader would take for the same subject. A subject has one group if the caption is consistent.",
		"[1] is the only mention of a subject. [1?] is a description in no group.",
		"Several names at one mark, such as [1a 2b], mean that the same words stand for several subjects or are in several groups.",
		"A description is marked wherever its words stand, which may be at more places than the judge took it from.",
		"Ref of a subject is the share of the pairs of its keypoints whose descriptions are in one group.",
	}
}

// colourHelp is the help for pages with colours.
const colourHelp = "Each group has its own colour, at a mark with several names that of the first. Where there are many groups, colours come close to each other; names never do."

// notVerbatim is the heading of the descriptions that were not found in the caption.
const notVerbatim = "Descriptions that do not stand in the caption word for word:"

// shortened says that n characters of a caption are left out.
func shortened(n int) string {
	return fmt.Sprintf("The caption is long, and %s characters of it are left out where […] stands. What is shown are its beginning and end, and every description at least where it stands first.", quantity.Grouped(n))
}

// times says how often a description was given.
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
