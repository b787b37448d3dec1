package benchgen

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
)

// CaptionOptions are the options of the benchmark to make. A zero field takes its default.
type CaptionOptions struct {
	Videos    int // default 100
	Keypoints int // of each video, over the five classes as in the released file; default 36
	Subjects  int // of each video; default 4
	Words     int // of each caption; default 300
	Seed      uint64
}

var captionWords = strings.Fields(`anvil birch canyon door easel fern garden hammer island jug kite ladder mirror needle
	oven parcel quarry rope sail table urn valley wagon yard zinc bright calm damp early fragile green high
	icy jolly kind light modest narrow open plain quick round slow tall uneven vivid warm`)

// shares are how many of 36 keypoints are in each class. Those of subjects are
// three in five, as in the released file.
var shares = struct{ events, interactions, background, transitions, minor int }{12, 9, 7, 3, 5}

// durations are one range for each published bucket, in seconds.
var durations = [][2]float64{{15, 120}, {121, 300}, {301, 480}, {481, 600}}

type captionRow struct {
	ID       string  `json:"video_id"`
	Duration float64 `json:"duration"`
	Events   events  `json:"events"`
}

type events struct {
	Interactions []string `json:"main_sbj_ints"`
	Events       []string `json:"main_sbj_evts"`
	Background   []string `json:"bg_desc"`
	Transitions  []string `json:"trans_desc"`
	Minor        []string `json:"minor_evts"`
}

type caption struct {
	ID   string `json:"video_id"`
	Text string `json:"caption"`
}

// Captions writes annotations and captions in the formats of CapRiCorn-1K as JSON Lines.
func Captions(annotations, captions io.Writer, o CaptionOptions) error {
	set(&o.Videos, 100)
	set(&o.Keypoints, 36)
	set(&o.Subjects, 4)
	set(&o.Words, 300)
	r := rand.New(rand.NewPCG(o.Seed, 2))
	rowsTo, captionsTo := bufio.NewWriterSize(annotations, 1<<20), bufio.NewWriterSize(captions, 1<<20)
	rows, texts := encoder(rowsTo), encoder(captionsTo)
	for i := range o.Videos {
		out := makeCaptionRow(r, o, i)
		if err := rows.Encode(out); err != nil {
			return err
		}
		if err := texts.Encode(caption{ID: out.ID, Text: phrase(r, captionWords, o.Words)}); err != nil {
			return err
		}
	}
	if err := rowsTo.Flush(); err != nil {
		return err
	}
	return captionsTo.Flush()
}

// encoder leaves the subjects' angle brackets as they are.
func encoder(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc
}

func makeCaptionRow(r *rand.Rand, o CaptionOptions, n int) captionRow {
	length := durations[n%len(durations)]
	out := captionRow{ID: fmt.Sprintf("video%05d", n+1), Duration: float64(int(length[0] + r.Float64()*(length[1]-length[0])))}
	subjects := make([]string, o.Subjects)
	for i := range subjects {
		subjects[i] = fmt.Sprintf("<%s %d>", phrase(r, captionWords, 1), i+1)
	}
	e := &out.Events
	for k := range o.Keypoints {
		text := fmt.Sprintf("%s, keypoint %d", phrase(r, captionWords, 8), k+1) // the number makes it differ from all others
		one, other := subjects[k%o.Subjects], subjects[(k+1)%o.Subjects]
		switch s, at := shares, k%36; {
		case at < s.events:
			e.Events = append(e.Events, one+" "+text)
		case at < s.events+s.interactions:
			e.Interactions = append(e.Interactions, one+" "+text+", with "+other)
		case at < s.events+s.interactions+s.background:
			e.Background = append(e.Background, text)
		case at < s.events+s.interactions+s.background+s.transitions:
			e.Transitions = append(e.Transitions, text)
		default:
			e.Minor = append(e.Minor, text)
		}
	}
	return out
}
