// Package catalog is the explicit list of what this binary holds: benchmarks,
// providers, prices. One more of a kind is one more line here.
package catalog

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"strings"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/capricorn"
	"omniscope/bench/captions/dream"
	"omniscope/bench/captions/m3bench"
	"omniscope/bench/captions/salmonn"
	"omniscope/bench/captions/ugc"
	"omniscope/bench/captions/vdc"
	"omniscope/bench/choice"
	"omniscope/bench/claims"
	"omniscope/bench/mcif"
	"omniscope/bench/omnicloze"
	"omniscope/internal/input"
	"omniscope/internal/spelling"
	"omniscope/internal/yamlfile"
	"omniscope/model/wrap"
)

// Benchmarks lists the benchmarks. Each entry makes one with its default options.
var Benchmarks = []func() bench.Benchmark{
	func() bench.Benchmark { return omnicloze.Benchmark{} },
	func() bench.Benchmark { return capricorn.New() },
	func() bench.Benchmark { return mcif.New() },
	choice.MMAU,
	choice.MMAR,
	choice.VideoMME,
	choice.VideoHolmes,
	choice.WorldSense,
	choice.DailyOmni,
	vdc.New,
	salmonn.New,
	m3bench.New,
	dream.New,
	ugc.New,
	claims.New,
}

// Benchmark returns the benchmark called name.
func Benchmark(name string) (bench.Benchmark, error) {
	for _, open := range Benchmarks {
		if b := open(); b.Info().Name == name {
			return b, nil
		}
	}
	names := BenchmarkNames()
	return nil, omniscope.Usagef("no benchmark %q%s: %s", name, spelling.Among(name, names), strings.Join(names, ", "))
}

// BenchmarkNames are the names of all benchmarks, in their order.
func BenchmarkNames() (names []string) {
	for _, open := range Benchmarks {
		names = append(names, open().Info().Name)
	}
	return names
}

//go:embed prices.yaml
var builtinPrices []byte

// Prices reads a price list, the built-in one when path is "".
func Prices(ctx context.Context, path string) (map[string]wrap.Price, error) {
	text := builtinPrices
	if path != "" {
		var err error
		if text, _, err = input.ReadFile(ctx, path, input.Texts); err != nil {
			return nil, err
		}
	}
	var listed map[string]struct{ In, Out, Cached, Audio, Minute *float64 }
	if err := yamlfile.Decode(text, &listed); err != nil {
		return nil, badPrices(path, err)
	}
	prices := make(map[string]wrap.Price)
	for name, p := range listed {
		switch {
		case isPrice(p.In) && isPrice(p.Out) && mayBePrice(p.Cached) && mayBePrice(p.Audio) && p.Minute == nil:
			prices[name] = wrap.Price{In: *p.In, Out: *p.Out, Cached: p.Cached, Audio: p.Audio}
		case p.In == nil && p.Out == nil && p.Cached == nil && p.Audio == nil && isPrice(p.Minute):
			prices[name] = wrap.Price{Minute: *p.Minute}
		default:
			return nil, badPrices(path, fmt.Errorf("%s: wants {in: DOLLARS, out: DOLLARS} per million tokens, also cached: DOLLARS of tokens in that the provider has cached and audio: DOLLARS of tokens in that are sound, or, for a transcription model, {minute: DOLLARS} of sound, none of them negative", name))
		}
	}
	return prices, nil
}

// isPrice reports whether a price is there and can be one: a negative one would
// fill the budget, and one left out is not known rather than nothing.
func isPrice(usd *float64) bool {
	return usd != nil && *usd >= 0 && !math.IsInf(*usd, 0)
}

// mayBePrice is isPrice of a price that may be left out.
func mayBePrice(usd *float64) bool { return usd == nil || isPrice(usd) }

func badPrices(path string, err error) error {
	return &omniscope.Error{Kind: omniscope.Invalid, Op: "read prices " + path, Err: err}
}
