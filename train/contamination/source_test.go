package contamination

import (
	"slices"
	"testing"
	"time"

	"omniscope"
)

func TestSourceOfRows(t *testing.T) {
	for name, c := range map[string]struct {
		row, id string
		keys    []string
		span    [2]float64
	}{
		"a column":             {`{"source_id": "finevideo-0123", "url": "a.mp4"}`, "a", []string{"source:finevideo-0123"}, [2]float64{}},
		"an id of YouTube":     {`{"youtube_id": "dQw4w9WgXcQ"}`, "a", []string{"youtube:dQw4w9WgXcQ"}, [2]float64{}},
		"a watch address":      {`{"url": "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=3"}`, "a", []string{"youtube:dQw4w9WgXcQ"}, [2]float64{}},
		"a short address":      {`{"source_url": "https://youtu.be/dQw4w9WgXcQ"}`, "a", []string{"youtube:dQw4w9WgXcQ"}, [2]float64{}},
		"an embedded one":      {`{"source_url": "https://m.youtube.com/embed/dQw4w9WgXcQ"}`, "a", []string{"youtube:dQw4w9WgXcQ"}, [2]float64{}},
		"id and address":       {`{"source_id": "dQw4w9WgXcQ", "source_url": "https://youtu.be/dQw4w9WgXcQ"}`, "a", []string{"youtube:dQw4w9WgXcQ"}, [2]float64{}},
		"another address":      {`{"url": "https://Films.example/a.mp4#t=3,4"}`, "a", []string{"url:films.example/a.mp4"}, [2]float64{}},
		"a name of VGGSound":   {`{}`, "---g-f_I2yQ_000030", []string{"youtube:---g-f_I2yQ"}, [2]float64{30, 40}},
		"a span of collect":    {`{"source_id": "lecture-of-may", "span": [12.5, 40]}`, "a", []string{"source:lecture-of-may"}, [2]float64{12.5, 40}},
		"columns of the start": {`{"source_id": "lecture-of-may", "source_start": 2, "source_end": 9}`, "a", []string{"source:lecture-of-may"}, [2]float64{2, 9}},
		"a number":             {`{"source_id": 17}`, "a", nil, [2]float64{}},
		"a short id":           {`{"source_id": "v12"}`, "a", nil, [2]float64{}},
	} {
		s := sourceOf([]byte(c.row), c.id, "clips/x.mp4", omniscope.Span{})
		if !slices.Equal(s.keys, c.keys) || s.span != seconds(c.span[0], c.span[1]) {
			t.Errorf("%s: %v %v, want %v %v", name, s.keys, s.span, c.keys, c.span)
		}
	}
}

func TestOverlap(t *testing.T) {
	for name, c := range map[string]struct {
		a, b [2]float64
		want bool
	}{
		"apart":                    {[2]float64{0, 10}, [2]float64{20, 30}, false},
		"one after the other":      {[2]float64{0, 10}, [2]float64{10, 20}, false},
		"a second in common":       {[2]float64{0, 10}, [2]float64{9, 20}, true},
		"one in the other":         {[2]float64{0, 60}, [2]float64{20, 30}, true},
		"all of the video":         {[2]float64{}, [2]float64{20, 30}, true},
		"to the end":               {[2]float64{25, 0}, [2]float64{20, 30}, true},
		"to the end, behind":       {[2]float64{35, 0}, [2]float64{20, 30}, false},
		"both all of the video":    {[2]float64{}, [2]float64{}, true},
		"both to the end":          {[2]float64{5, 0}, [2]float64{50, 0}, true},
		"half a second in between": {[2]float64{0, 9.75}, [2]float64{10.25, 20}, false},
	} {
		a, b := seconds(c.a[0], c.a[1]), seconds(c.b[0], c.b[1])
		if overlap(a, b) != c.want || overlap(b, a) != c.want {
			t.Errorf("%s: %t, %t, want %t", name, overlap(a, b), overlap(b, a), c.want)
		}
	}
}

func TestLinesOfSources(t *testing.T) {
	for line, want := range map[string]source{
		"---g-f_I2yQ":                        {keys: []string{"youtube:---g-f_I2yQ"}},
		"---g-f_I2yQ_000001":                 {[]string{"youtube:---g-f_I2yQ"}, omniscope.Span{Start: time.Second, End: 11 * time.Second}},
		"---g-f_I2yQ,1,people marching,test": {[]string{"youtube:---g-f_I2yQ"}, omniscope.Span{Start: time.Second, End: 11 * time.Second}},
		"---g-f_I2yQ 1 4.5":                  {[]string{"youtube:---g-f_I2yQ"}, omniscope.Span{Start: time.Second, End: 4500 * time.Millisecond}},
		"https://youtu.be/---g-f_I2yQ":       {keys: []string{"youtube:---g-f_I2yQ"}},
		"12":                                 {},
	} {
		got, ok := sourceLine(line)
		if !slices.Equal(got.keys, want.keys) || got.span != want.span || ok != (len(want.keys) > 0) {
			t.Errorf("%q: %+v, %t, want %+v", line, got, ok, want)
		}
	}
}
