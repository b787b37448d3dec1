// Package plot draws lines and scattered points over numbers as SVG that stands by itself
// in a page: axes with round ticks, points, and the interval of each. Colours follow the
// variables of a page's style where it has them.
package plot

import (
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"omniscope/internal/webpage"
)

// A Chart is lines over one axis.
type Chart struct {
	Title string
	X, Y  string   // what the axes show
	Names []string // of the places 0, 1, 2... of X, where X is no number; nil = it is
	Lines []Line
}

// A Line is the points of one thing, in the order of X.
type Line struct {
	Name   string // for the legend; "" = the line is not in it
	Points []Point
	Loose  bool // the points are not joined
}

// A Point is a value with its interval. Low and High are Y where there is none.
type Point struct {
	X, Y, Low, High float64
	Name            string // is written beside it
}

// The size of a chart and of what surrounds the lines, in pixels.
const (
	width, height            = 560.0, 340.0
	left, right, top, bottom = 62.0, 18.0, 34.0, 48.0
	legendRow                = 18.0
)

// colours are told apart by people who do not see red and green alike (Okabe and
// Ito, 2008).
var colours = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000"}

// SVG draws the chart.
func (c *Chart) SVG() string {
	d := &drawing{}
	d.measure(c)
	full := height + legendRow*float64(c.named())
	d.printf(`<svg xmlns="http://www.w3.org/2000/svg" role="img" width="%g" height="%g" viewBox="0 0 %g %g" font-family="sans-serif" font-size="12">`, width, full, width, full)
	d.printf(`<title>%s</title><rect width="100%%" height="100%%" style="fill:var(--paper,#fff)"/>`, html.EscapeString(c.Title))
	d.text(width/2, 18, "middle", c.Title, ` font-weight="bold"`)
	d.axes(c)
	row := 0
	for i, l := range c.Lines {
		d.line(c, &l, colours[i%len(colours)])
		if l.Name == "" {
			continue
		}
		y := height + legendRow*float64(row)
		row++
		d.printf(`<rect x="%g" y="%.1f" width="12" height="4" fill="%s"/>`, left, y+5, colours[i%len(colours)])
		d.text(left+20, y+11, "start", l.Name, "")
	}
	for _, l := range c.Lines {
		d.names(&l)
	}
	d.printf("</svg>\n")
	return d.out.String()
}

// named is how many lines the legend has.
func (c *Chart) named() (n int) {
	for _, l := range c.Lines {
		if l.Name != "" {
			n++
		}
	}
	return n
}

// A drawing is a chart in the making.
type drawing struct {
	out    strings.Builder
	xs, ys []float64 // ticks
	x, y   scale
	taken  []box // by points and names
}

// A scale places values between two pixels.
type scale struct{ from, to, start, end float64 }

func (s scale) at(v float64) float64 { return s.start + (v-s.from)/(s.to-s.from)*(s.end-s.start) }

// measure finds the ranges of the axes.
func (d *drawing) measure(c *Chart) {
	var xs, ys []float64
	for _, l := range c.Lines {
		for _, p := range l.Points {
			xs, ys = append(xs, p.X), append(ys, p.Low, p.Y, p.High)
		}
	}
	d.xs, d.ys = ticks(xs), ticks(ys)
	if len(c.Names) > 0 {
		d.xs = nil
		for i := range c.Names {
			d.xs = append(d.xs, float64(i))
		}
		const beside = 0.3 // of a place
		d.x = scale{-beside, float64(len(c.Names)-1) + beside, left, width - right}
		d.y = scale{d.ys[0], d.ys[len(d.ys)-1], height - bottom, top}
		return
	}
	d.x = scale{d.xs[0], d.xs[len(d.xs)-1], left, width - right}
	d.y = scale{d.ys[0], d.ys[len(d.ys)-1], height - bottom, top}
}

// ticks are round numbers that reach around all values, about five.
func ticks(values []float64) []float64 {
	if len(values) == 0 {
		return []float64{0, 1}
	}
	low, high := slices.Min(values), slices.Max(values)
	if low == high {
		margin := math.Max(math.Abs(low)/10, 1e-3)
		low, high = low-margin, high+margin
	}
	step := math.Pow(10, math.Floor(math.Log10((high-low)/5)))
	for _, by := range []float64{2, 2.5, 2} { // 1, 2, 5, 10 times a power of ten
		if (high-low)/step <= 6 {
			break
		}
		step *= by
	}
	var all []float64
	for i := math.Floor(low/step + 1e-9); ; i++ {
		all = append(all, i*step)
		if i*step >= high-step*1e-9 {
			return all
		}
	}
}

func (d *drawing) axes(c *Chart) {
	for _, v := range d.ys {
		y := d.y.at(v)
		d.printf(`<line x1="%g" y1="%.1f" x2="%g" y2="%.1f" stroke="#8885"/>`, left, y, width-right, y)
		d.text(left-6, y+4, "end", number(v), "")
	}
	for _, v := range d.xs {
		x := d.x.at(v)
		d.printf(`<line x1="%.1f" y1="%g" x2="%.1f" y2="%g" stroke="#888"/>`, x, height-bottom, x, height-bottom+5)
		name := number(v)
		if len(c.Names) > 0 {
			name = c.Names[int(v)]
		}
		d.text(x, height-bottom+18, "middle", name, "")
	}
	d.printf(`<path d="M%g %g V%g H%g" fill="none" stroke="#888"/>`, left, top, height-bottom, width-right)
	d.text((left+width-right)/2, height-bottom+36, "middle", c.X, "")
	d.text(14, (top+height-bottom)/2, "middle", c.Y, fmt.Sprintf(` transform="rotate(-90 14 %g)"`, (top+height-bottom)/2))
}

// line draws the points, what joins them, and their intervals.
func (d *drawing) line(c *Chart, l *Line, colour string) {
	var path []string
	for _, p := range l.Points {
		x := d.x.at(p.X)
		path = append(path, fmt.Sprintf("%.1f,%.1f", x, d.y.at(p.Y)))
		if p.Low < p.High {
			d.printf(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" stroke-opacity="0.5"/>`, x, d.y.at(p.Low), x, d.y.at(p.High), colour)
		}
		d.taken = append(d.taken, box{x - 5, d.y.at(p.Y) - 5, x + 5, d.y.at(p.Y) + 5})
		d.printf(`<circle cx="%.1f" cy="%.1f" r="3.5" fill="%s"><title>%s</title></circle>`, x, d.y.at(p.Y), colour,
			html.EscapeString(p.title(l.Name, c.Names)))
	}
	if l.Loose {
		return
	}
	d.printf(`<polyline points="%s" fill="none" stroke="%s" stroke-width="1.5"/>`, strings.Join(path, " "), colour)
}

// title says a point's values.
func (p *Point) title(line string, names []string) string {
	name := p.Name
	if name == "" {
		name = line
	}
	x := number(p.X)
	if len(names) > 0 {
		x = names[min(int(p.X), len(names)-1)]
	}
	text := fmt.Sprintf("%s: %s, %s", name, x, number(p.Y))
	if p.Low < p.High {
		text += fmt.Sprintf(" [%s, %s]", number(p.Low), number(p.High))
	}
	return text
}

func (d *drawing) text(x, y float64, anchor, text, more string) {
	d.printf(`<text x="%.1f" y="%.1f" text-anchor="%s" style="fill:var(--ink,#1d2329)"%s>%s</text>`, x, y, anchor, more, html.EscapeString(text))
}

func (d *drawing) printf(format string, args ...any) { fmt.Fprintf(&d.out, format, args...) }

// number writes a value as people do, without the last digits of sums.
func number(v float64) string { return strconv.FormatFloat(v, 'g', 5, 64) }

// Page writes charts as a page that needs nothing else.
func Page(w io.Writer, title, about string, charts []*Chart) error {
	return webpage.Write(w, chartPage(title, about, charts))
}

// CurvesPage writes charts of scores as a page next to the tables of the same numbers, with their
// notes.
func CurvesPage(w io.Writer, title string, charts []*Chart, notes ...string) error {
	about := append([]string{"Bars are 95 % intervals; the numbers are in tables.md. Hover over a point for its values."}, notes...)
	return Page(w, title, strings.Join(about, " "), charts)
}
