package detective

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"omniscope/internal/webpage"
)

// jump sets the player to the time of a button that is pressed.
const jump = `
			const player = document.getElementById('player');
			document.querySelectorAll('button[data-at]').forEach(b => b.addEventListener('click', () => { player.currentTime = Number(b.dataset.at); player.play(); }));
		`

// page shows the report. media is the address of the file for the player, relative
// to the page.
func (r *Report) page(title, media string, pictures *Pictures) g.Node {
	return webpage.Document(title, webpage.Style+Style,
		h.H1(g.Text(title)),
		r.Body((&url.URL{Path: media}).String(), pictures),
		h.Script(g.Raw(jump)))
}

// Body shows a report on another page, which has Style. media is the address of the file for the player; a button
// with the attribute data-at is to set it to that time, in seconds. pictures may be nil.
func (r *Report) Body(media string, pictures *Pictures) g.Node {
	return g.Group{
		h.P(g.Textf("%s, by %s, %d of at most %d inquiries.", r.Modality, r.Planner, len(r.Turns), r.Budget)),
		g.Map(r.Warnings, func(warning string) g.Node { return h.P(h.Small(g.Text(warning))) }),
		h.Video(h.ID("player"), h.Controls(), h.Preload("metadata"), h.Src(media)),
		g.Iff(pictures != nil, func() g.Node { return r.picturesHTML(pictures) }),
		r.captionHTML(),
		r.timelineHTML(),
		r.observationsHTML(),
		g.If(len(r.Contradictions) > 0, r.contradictionsHTML()),
		g.If(len(r.Confirmations) > 0, r.confirmationsHTML()),
		h.H2(g.Text("Inquiries")),
		g.Map(r.Turns, turnHTML),
	}
}

// confirmationsHTML shows the answers of other observers to claims of one observer.
func (r *Report) confirmationsHTML() g.Node {
	return g.Group{
		h.H2(g.Text("Confirmations")),
		webpage.Wide("Confirmations", h.Table(
			webpage.Headings("claim of one observer", "id", "put to", "says"),
			g.Map(r.Confirmations, func(c Confirmation) g.Node {
				return h.Tr(h.Td(g.Text(c.Claim)), h.Td(evidenceLinks([]string{c.Evidence})), h.Td(g.Text(c.Tool)), h.Td(g.Text(c.result())))
			}))),
	}
}

// picturesHTML shows the sound under the player, and a picture of each shot.
func (r *Report) picturesHTML(pictures *Pictures) g.Node {
	return g.Group{
		g.If(pictures.Wave != "", h.Img(h.Class("wave"), h.Src(pictures.Wave), h.Alt("waveform of the sound"))),
		h.Div(h.Class("shots"), g.Map(r.PictureTimes(), func(at float64) g.Node {
			return h.Button(startsAt(at), h.Title("go to "+clock(at)),
				h.Img(h.Src(pictures.Shot(at)), h.Loading("lazy"), h.Alt("the picture at "+clock(at))), h.Br(), g.Text(clock(at)))
		})),
	}
}

// startsAt makes a button set the player to a time in seconds.
func startsAt(s float64) g.Node { return h.Data("at", fmt.Sprintf("%.3f", s)) }

func (r *Report) captionHTML() g.Node {
	if r.Caption == nil || len(r.Caption.Sentences) == 0 {
		return g.Group{h.H2(g.Text("Caption")), h.P(g.Textf("There is none: %s %s", r.Outcome, r.Why))}
	}
	underlined := func(n int, why string) g.Node {
		return g.If(n > 0, h.P(h.Small(g.Textf("Sentences that are underlined rest on %s: %d.", why, n))))
	}
	return g.Group{
		h.H2(g.Text("Caption")),
		g.Map(paragraphs(r.Caption.Sentences), func(sentences []Sentence) g.Node {
			return h.P(h.Class("caption"), g.Map(sentences, sentenceHTML))
		}),
		underlined(r.Caption.Unfounded(), unfounded),
		underlined(r.Caption.Disputed(), disputed),
	}
}

// What the underlined sentences of a caption rest on.
const (
	unfounded = "no observation"
	disputed  = "what another observer contradicts"
)

func sentenceHTML(s Sentence) g.Node {
	text := func(why string) g.Node {
		return h.Span(h.Class("unfounded"), h.Title("rests on "+why), g.Text(s.Text))
	}
	switch {
	case s.Unfounded:
		return g.Group{text(unfounded), g.Text(" ")}
	case s.Disputed:
		return g.Group{text(disputed), evidenceLinks(s.Evidence), g.Text(" ")}
	}
	return g.Group{g.Text(s.Text), evidenceLinks(s.Evidence), g.Text(" ")}
}

func evidenceLink(id string) g.Node { return webpage.Link("#"+id, g.Text(id)) }

func evidenceLinks(ids []string) g.Node { return g.Map(ids, evidenceLink) }

// timelineHTML draws a lane for each tool, with its observations where they are. Observations of the entire clip
// have no place there.
func (r *Report) timelineHTML() g.Node {
	t := r.timeline()
	if len(t.lanes) == 0 || t.length <= 0 {
		return nil
	}
	svg := g.Group{g.Attr("viewBox", fmt.Sprintf("0 0 %d %d", timelineWidth, laneHeight*(len(t.lanes)+1))), h.Class("timeline"), h.Role("img"), h.Aria("label", "observations over time")}
	for i, lane := range t.lanes {
		top := i * laneHeight
		svg = append(svg, svgText(0, top+15, lane.tool),
			g.El("rect", h.Class("lane"), g.Attr("x", strconv.Itoa(laneStart)), g.Attr("y", strconv.Itoa(top+2)),
				h.Width(strconv.Itoa(timelineWidth-laneStart)), h.Height(strconv.Itoa(laneHeight-4))))
		for _, e := range lane.observations {
			svg = append(svg, webpage.Link("#"+e.ID, g.El("title", g.Text(e.When()+": "+e.What)),
				g.El("rect", g.Attr("x", t.place(e)), g.Attr("y", strconv.Itoa(top+4)), h.Width(t.width(e)), h.Height(strconv.Itoa(laneHeight-8)))))
		}
	}
	bottom := laneHeight*len(t.lanes) + 15
	svg = append(svg, svgText(laneStart, bottom, clock(t.start)), svgText(timelineWidth, bottom, clock(t.start+t.length), g.Attr("text-anchor", "end")))
	return g.Group{h.H2(g.Text("Timeline")), h.SVG(svg)}
}

func svgText(x, y int, text string, more ...g.Node) g.Node {
	return g.El("text", g.Attr("x", strconv.Itoa(x)), g.Attr("y", strconv.Itoa(y)), g.Group(more), g.Text(text))
}

func (r *Report) observationsHTML() g.Node {
	rows := g.Group{webpage.Headings("id", "when", "tool", "what", "how sure")}
	for i := range r.Ledger {
		rows = append(rows, evidenceRow(&r.Ledger[i]))
	}
	return g.Group{h.H2(g.Text("Observations")), webpage.Wide("Observations", h.Table(rows))}
}

func evidenceRow(e *Evidence) g.Node {
	when := g.Text(e.When())
	if !e.Whole() {
		when = h.Button(startsAt(e.StartS), when)
	}
	return h.Tr(h.ID(e.ID),
		h.Td(g.Text(e.ID)),
		h.Td(when),
		h.Td(g.Text(e.Tool)),
		h.Td(g.Text(e.What+" "), g.If(e.Quote != "", h.Q(g.Text(e.Quote)))),
		h.Td(g.Textf("%.2f", e.Sure)))
}

func (r *Report) contradictionsHTML() g.Node {
	return g.Group{
		h.H2(g.Text("Contradictions")),
		h.Ul(g.Map(r.Contradictions, func(c Contradiction) g.Node {
			parts := append(g.Group{g.Text(c.What)}, g.Map(c.Evidence, evidenceLink)...)
			return h.Li(webpage.Spaced(append(parts, h.Small(g.Text("noticed by "+c.By)))...))
		})),
	}
}

func turnHTML(t Turn) g.Node {
	var answer g.Group
	for i, line := range strings.Split(t.Answer, "\n") {
		answer = append(answer, g.If(i > 0, h.Br()), g.Text(line))
	}
	return h.Details(
		h.Summary(g.Textf("%d. %s: %s ", t.Number, t.Inquiry.Tool, t.Inquiry.Question), h.Small(g.Textf("%s %s", t.Inquiry.Words(), t.Outcome))),
		h.P(answer))
}
