package plot

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

func TestTicksReachAroundTheValues(t *testing.T) {
	for _, c := range []struct{ values, want []float64 }{
		{[]float64{50, 100, 200}, []float64{50, 100, 150, 200}},
		{[]float64{1, 10}, []float64{0, 2, 4, 6, 8, 10}},
		{[]float64{0.5, 0.5}, []float64{0.44, 0.46, 0.48, 0.5, 0.52, 0.54, 0.56}},
		{[]float64{-3, 7}, []float64{-4, -2, 0, 2, 4, 6, 8}},
		{nil, []float64{0, 1}},
	} {
		got := ticks(c.values)
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 }) {
			t.Errorf("ticks(%v) = %v, want %v", c.values, got, c.want)
		}
	}
}

func TestChartIsXMLWithAPointForEachValue(t *testing.T) {
	c := &Chart{Title: "Coverage & <more>", X: "frames", Y: "score", Lines: []Line{
		{Name: "a<b", Points: []Point{{X: 50, Y: 0.4, Low: 0.3, High: 0.5}, {X: 100, Y: 0.5, Low: 0.5, High: 0.5}}},
		{Name: "c", Points: []Point{{X: 50, Y: 0.2, Low: 0.2, High: 0.2}}},
	}}
	elements := make(map[string]int)
	text := ""
	for d := xml.NewDecoder(strings.NewReader(c.SVG())); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		fixture.OK(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			elements[token.Name.Local]++
		case xml.CharData:
			text += string(token) + "\n"
		}
	}
	if elements["circle"] != 3 || elements["polyline"] != 2 {
		t.Errorf("elements %v, want 3 circles and 2 polylines", elements)
	}
	for _, want := range []string{"Coverage & <more>", "a<b", "a<b: 50, 0.4 [0.3, 0.5]"} {
		if !strings.Contains(text, want) {
			t.Errorf("no text %q", want)
		}
	}
}
