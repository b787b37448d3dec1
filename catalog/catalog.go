// Package catalog is the explicit list of what this binary holds: benchmarks,
// providers, prices. One more of a kind is one more line here.
package catalog

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/goccy/go-yaml"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/capricorn"
	"omniscope/bench/mcif"
	"omniscope/bench/omnicloze"
	"omniscope/internal/input"
	"omniscope/internal/spelling"
	"omniscope/model/wrap"
)

// Benchmarks lists the benchmarks. Each entry makes one with its default options.
var Benchmarks = []func() bench.Benchmark{
	func() bench.Benchmark { return omnicloze.Benchmark{} },
	func() bench.Benchmark { return capricorn.New() },
	func() bench.Benchmark { return mcif.New() },
}

// Benchmark returns the benchmark called name.
func Benchmark(name string) (bench.Benchmark, error) {
	var names []string
	for _, open := range Benchmarks {
		b := open()
		if b.Info().Name == name {
			return b, nil
		}
		names = append(names, b.Info().Name)
	}
	return nil, usage("no benchmark %q%s: %s", name, spelling.Among(name, names), strings.Join(names, ", "))
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
		if err := checkYAML(text); err != nil {
			return nil, badPrices(path, err)
		}
	}
	var listed map[string]struct{ In, Out *float64 }
	if err := yaml.UnmarshalWithOptions(text, &listed, yaml.Strict()); err != nil {
		return nil, badPrices(path, err)
	}
	prices := make(map[string]wrap.Price)
	for name, p := range listed {
		if !isPrice(p.In) || !isPrice(p.Out) {
			return nil, badPrices(path, fmt.Errorf("%s: wants {in: DOLLARS, out: DOLLARS} per million tokens, neither of them negative", name))
		}
		prices[name] = wrap.Price{In: *p.In, Out: *p.Out}
	}
	return prices, nil
}

// checkYAML refuses what no list of prices has. Aliases of aliases, and lists in
// lists, take a reader of YAML any amount of memory.
func checkYAML(text []byte) error {
	const most, deep = 256 << 10, 10
	switch {
	case len(text) > most:
		return fmt.Errorf("the file has more than %d bytes, which no list of prices has", most)
	case anchors.Match(text):
		return errors.New("anchors (&) and aliases (*) are not read: write each price out")
	case deepest(text) > deep:
		return errors.New("it holds lists in lists: a price is {in: DOLLARS, out: DOLLARS}")
	}
	return nil
}

var anchors = regexp.MustCompile(`(?m)(^|[\s,:\[{-])[&*][^\s,]`)

// deepest is how many brackets are open at a time.
func deepest(text []byte) (most int) {
	depth := 0
	for _, b := range text {
		switch b {
		case '[', '{':
			depth++
			most = max(most, depth)
		case ']', '}':
			depth--
		}
	}
	return most
}

// isPrice reports whether a price is there and can be one: a negative one would
// fill the budget, and one left out is not known rather than nothing.
func isPrice(usd *float64) bool {
	return usd != nil && *usd >= 0 && !math.IsInf(*usd, 0)
}

func badPrices(path string, err error) error {
	return &omniscope.Error{Kind: omniscope.Invalid, Op: "read prices " + path, Err: err}
}
