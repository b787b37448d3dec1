package release

import (
	"context"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"omniscope/internal/ondisk"
)

// TestStatisticsOfKeypoints has rows of the form of CapRiCorn-1K.
func TestStatisticsOfKeypoints(t *testing.T) {
	b := newBed(t)
	b.o.Rows = b.file("rows.jsonl",
		`{"video_id":"c1","duration":600,"events":{"main_sbj_evts":["<sbj_1> picks up a lamp","<sbj_2> runs"],"bg_desc":["a sign"]}}`,
		`{"video_id":"c2","duration":1200,"events":{"main_sbj_evts":["<sbj_1> sits"],"bg_desc":[]}}`,
		`{"video_id":"c3","duration":null,"events":{"bg_desc":["rain on a roof"]}}`)
	b.build()
	card := b.read("README.md")
	for _, want := range []string{
		"| all | 3 | 3 | 0.50 | 600.0 | 750.0 | 900.0 | 1050.0 | 1200.0 | 15 | 5.0 |\n", "| category Life | 1 | 1 | 0.33 | 1200.0 |",
		"| bg\\_desc | 2 | 2 | 40.0 % |\n", "| main\\_sbj\\_evts | 3 | 2 | 60.0 % |\n", "The length of 1 items is not known",
	} {
		if !strings.Contains(card, want) {
			t.Errorf("the card lacks %q:\n%s", want, card)
		}
	}
}

func TestQuantiles(t *testing.T) {
	values := []float64{1, 2, 4, 8}
	var got []float64
	for _, share := range []float64{0, 0.25, 0.5, 0.75, 1} {
		got = append(got, quantile(values, share))
	}
	if want := []float64{1, 1.75, 3, 5, 8}; !reflect.DeepEqual(got, want) {
		t.Errorf("quantiles %v, want %v", got, want)
	}
	if got := quantile([]float64{7}, 0.75); got != 7 {
		t.Errorf("of one value %v", got)
	}
}

func TestSizeCategories(t *testing.T) {
	for n, want := range map[int]string{1: "n<1K", 999: "n<1K", 1000: "1K<n<10K", 10_000: "10K<n<100K", 999_999: "100K<n<1M", 1_000_000: "1M<n<10M"} {
		if got := sizeCategory(n); got != want {
			t.Errorf("%d items are %s, want %s", n, got, want)
		}
	}
}

func TestStoppedRelease(t *testing.T) {
	b := newBed(t)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Build(ctx, b.o); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if names, _ := os.ReadDir(b.dir); len(names) != 3 {
		t.Errorf("left: %v", names)
	}
}

// TestLeftOverRelease has what a killed command left.
func TestLeftOverRelease(t *testing.T) {
	b := newBed(t)
	b.file(".out.unfinished/data/train.jsonl", "half a row")
	b.build()
	if ondisk.Exists(b.path("out/data/train.jsonl")) {
		t.Error("what a killed command left is in the release")
	}
}
