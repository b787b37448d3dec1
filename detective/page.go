package detective

import (
	_ "embed"
	"fmt"
	"html"
	"io"
	"net/url"
	"strings"
)

//go:embed style.css
var style string

// Page writes the report as one page of HTML to look at: the player, a timeline
// of what was observed, and the caption, whose sentences lead to the
// observations they rest on and those to their moment. media is the address of
// the file for the player, relative to the page. The page is written out
// because html/template makes the linker keep every method of every library.
func (r *Report) Page(w io.Writer, media string) error {
	p := &page{r: r, media: media}
	p.head()
	p.player()
	p.caption()
	p.timeline()
	p.observations()
	p.contradictions()
	p.turns()
	p.printf("<script>\nconst player = document.getElementById('player');\n" +
		"document.querySelectorAll('button[data-at]').forEach(b => b.addEventListener('click', () => { player.currentTime = Number(b.dataset.at); player.play(); }));\n</script>\n</body>\n</html>\n")
	_, err := io.WriteString(w, p.out.String())
	return err
}

// A page is a page on its way.
type page struct {
	r     *Report
	media string
	out   strings.Builder
}

func (p *page) printf(format string, args ...any) { fmt.Fprintf(&p.out, format, args...) }

func escape(s string) string { return html.EscapeString(s) }

func (p *page) head() {
	title := escape("Investigation of " + string(p.r.Clip.ID))
	p.printf("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"+
		"<title>%s</title>\n<style>\n%s</style>\n</head>\n<body>\n<h1>%s</h1>\n", title, style, title)
	p.printf("<p>%s, by %s, %d of at most %d inquiries.</p>\n", escape(string(p.r.Modality)), escape(p.r.Planner), len(p.r.Turns), p.r.Budget)
	for _, warning := range p.r.Warnings {
		p.printf("<p><small>%s</small></p>\n", escape(warning))
	}
}

// player shows the file. A browser that cannot play it says so.
func (p *page) player() {
	p.printf("<video id=\"player\" controls preload=\"metadata\" src=\"%s\"></video>\n", escape((&url.URL{Path: p.media}).String()))
}

func (p *page) caption() {
	p.printf("<h2>Caption</h2>\n")
	if p.r.Caption == nil || len(p.r.Caption.Sentences) == 0 {
		p.printf("<p>There is none: %s %s</p>\n", p.r.Outcome, escape(p.r.Why))
		return
	}
	p.printf("<p class=\"caption\">")
	for i, s := range p.r.Caption.Sentences {
		if beginsParagraph(p.r.Caption.Sentences, i) {
			p.printf("</p>\n<p class=\"caption\">")
		}
		if s.Unfounded {
			p.printf("<span class=\"unfounded\" title=\"rests on no observation\">%s</span> ", escape(s.Text))
			continue
		}
		p.printf("%s", escape(s.Text))
		for _, id := range s.Evidence {
			p.printf("<a href=\"#%s\">%[1]s</a>", escape(id))
		}
		p.printf(" ")
	}
	p.printf("</p>\n")
	if n := p.r.Caption.Unfounded(); n > 0 {
		p.printf("<p><small>Sentences that are underlined rest on no observation: %d.</small></p>\n", n)
	}
}

// Measures of the timeline, in units of its view box.
const (
	timelineWidth = 1000
	laneHeight    = 22
	laneStart     = 110 // left of it stand the tools' names
)

// timeline draws a lane for each tool, with its observations where they are.
// Those of the whole clip have no place there.
func (p *page) timeline() {
	lanes, length := p.lanes()
	if len(lanes) == 0 || length <= 0 {
		return
	}
	place := func(s float64) float64 {
		return laneStart + (timelineWidth-laneStart)*min(1, max(0, s-p.r.Clip.StartS)/length)
	}
	p.printf("<h2>Timeline</h2>\n<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"observations over time\">\n", timelineWidth, laneHeight*(len(lanes)+1))
	for i, tool := range lanes {
		y := i * laneHeight
		p.printf("<text x=\"0\" y=\"%d\">%s</text>\n<rect class=\"lane\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
			y+15, escape(tool), laneStart, y+2, timelineWidth-laneStart, laneHeight-4)
		for k := range p.r.Ledger {
			e := &p.r.Ledger[k]
			if e.Tool != tool || e.whole() {
				continue
			}
			from := place(e.StartS)
			p.printf("<a href=\"#%s\"><title>%s</title><rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/></a>\n",
				escape(e.ID), escape(e.when()+": "+e.What), from, y+4, max(2, place(e.end())-from), laneHeight-8)
		}
	}
	p.printf("<text x=\"%d\" y=\"%d\">%s</text>\n<text x=\"%d\" y=\"%[2]d\" text-anchor=\"end\">%[5]s</text>\n</svg>\n",
		laneStart, laneHeight*len(lanes)+15, clock(p.r.Clip.StartS), timelineWidth, clock(p.r.Clip.StartS+length))
}

// lanes are the tools that have something to draw, and the clip's length in
// seconds.
func (p *page) lanes() (tools []string, length float64) {
	length = p.r.Clip.LengthS
	seen := make(map[string]bool)
	for i := range p.r.Ledger {
		e := &p.r.Ledger[i]
		if e.whole() {
			continue
		}
		length = max(length, e.EndS-p.r.Clip.StartS)
		if !seen[e.Tool] {
			seen[e.Tool] = true
			tools = append(tools, e.Tool)
		}
	}
	return tools, length
}

// clock writes a time in seconds as minutes and seconds.
func clock(s float64) string {
	return fmt.Sprintf("%d:%04.1f", int(s)/60, s-float64(int(s)/60*60))
}

func (p *page) observations() {
	p.printf("<h2>Observations</h2>\n<table>\n<tr><th>id</th><th>when</th><th>tool</th><th>what</th><th>how sure</th></tr>\n")
	for i := range p.r.Ledger {
		e := &p.r.Ledger[i]
		when := escape(e.when())
		if !e.whole() {
			when = fmt.Sprintf("<button data-at=\"%.3f\">%s</button>", e.StartS, when)
		}
		what := escape(e.What)
		if e.Quote != "" {
			what += " <q>" + escape(e.Quote) + "</q>"
		}
		p.printf("<tr id=\"%s\"><td>%[1]s</td><td>%s</td><td>%s</td><td>%s</td><td>%.2f</td></tr>\n", escape(e.ID), when, escape(e.Tool), what, e.Sure)
	}
	p.printf("</table>\n")
}

func (p *page) contradictions() {
	if len(p.r.Contradictions) == 0 {
		return
	}
	p.printf("<h2>Contradictions</h2>\n<ul>\n")
	for _, c := range p.r.Contradictions {
		p.printf("<li>%s", escape(c.What))
		for _, id := range c.Evidence {
			p.printf(" <a href=\"#%s\">%[1]s</a>", escape(id))
		}
		p.printf(" <small>noticed by %s</small></li>\n", escape(c.By))
	}
	p.printf("</ul>\n")
}

func (p *page) turns() {
	p.printf("<h2>Inquiries</h2>\n")
	for _, t := range p.r.Turns {
		p.printf("<details>\n<summary>%d. %s: %s <small>%s</small></summary>\n<p>%s</p>\n</details>\n",
			t.Number, escape(t.Inquiry.Tool), escape(t.Inquiry.Question), t.Outcome, strings.ReplaceAll(escape(t.Answer), "\n", "<br>\n"))
	}
}
