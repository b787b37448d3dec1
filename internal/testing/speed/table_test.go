package speed

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// units are the columns of the table.
var units = []struct{ unit, title string }{{"calls-s", "calls, s"}, {"wall-s", "process, s"}, {"cpu-s", "CPU, s"}, {"peak-MB", "peak, MB"}, {"inflight", "in flight"}}

// results are the values of one benchmark by program and unit.
type results struct {
	name     string
	programs []string
	values   map[[2]string][]float64
}

var resultLine = regexp.MustCompile(`^Benchmark(\S+)/by=([a-z]+)(?:-\d+)?\s+\d+\s+(.*)`)

// table prints the medians of a file of benchmarks, and the ratios of each peer's times to omniscope's.
func table(args []string) error {
	file, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer file.Close()
	var all []*results
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if m := resultLine.FindStringSubmatch(lines.Text()); m != nil {
			i := slices.IndexFunc(all, func(r *results) bool { return r.name == m[1] })
			if i < 0 {
				i = len(all)
				all = append(all, &results{name: m[1], values: make(map[[2]string][]float64)})
			}
			all[i].add(m[2], strings.Fields(m[3]))
		}
	}
	fmt.Print("| benchmark | program |")
	for _, u := range units {
		fmt.Printf(" %s |", u.title)
	}
	fmt.Println(" peer's time by omniscope's |\n|---|---|---|---|---|---|---|---|")
	for _, r := range all {
		for _, program := range r.programs {
			r.print(program)
		}
	}
	return nil
}

func (r *results) add(program string, fields []string) {
	if !slices.Contains(r.programs, program) {
		r.programs = append(r.programs, program)
	}
	for pair := range slices.Chunk(fields, 2) {
		if v, err := strconv.ParseFloat(pair[0], 64); err == nil && len(pair) == 2 {
			key := [2]string{program, pair[1]}
			r.values[key] = append(r.values[key], v)
		}
	}
}

func (r *results) print(program string) {
	fmt.Printf("| %s | %s |", r.name, program)
	for _, u := range units {
		if v, ok := r.median(program, u.unit); ok {
			fmt.Printf(" %s |", shown(v))
		} else {
			fmt.Print(" |")
		}
	}
	var ratios []string
	if program == "omniscope" {
		for _, peer := range r.programs {
			if text := r.ratios(peer); peer != program && text != "" {
				ratios = append(ratios, peer+" "+text)
			}
		}
	}
	fmt.Printf(" %s |\n", strings.Join(ratios, "; "))
}

// ratios are a peer's times divided by omniscope's.
func (r *results) ratios(peer string) string {
	var list []string
	for _, u := range units {
		v, ok1 := r.median("omniscope", u.unit)
		if p, ok2 := r.median(peer, u.unit); ok1 && ok2 && strings.HasSuffix(u.unit, "-s") {
			list = append(list, fmt.Sprintf("%.2f", p/v))
		}
	}
	return strings.Join(list, ", ")
}

// shown writes three digits, or all of a large number.
func shown(v float64) string {
	if v >= 100 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

func (r *results) median(program, unit string) (float64, bool) {
	v := slices.Sorted(slices.Values(r.values[[2]string{program, unit}]))
	if len(v) == 0 {
		return 0, false
	}
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2, true
}
