package main

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Kinds of jobs are targets of the Makefile.
const (
	long  = "long"
	race  = "race"
	cross = "cross"
)

var kinds = []string{long, race, cross}

// A job is one call of make.
type job struct {
	kind string
	pkg  string // "" for cross builds
	cost time.Duration
}

func (j job) String() string {
	return fmt.Sprintf("%s %s, about %.0f s of a processor", j.kind, cmp.Or(j.pkg, "builds"), j.cost.Seconds())
}

//go:embed costs.tsv
var costsFile string

const costsHead = "# Processor seconds of slow tests: `go run ./internal/tools/ci -record internal/tools/ci/costs.tsv` writes this file.\n"

// unknown is the cost of a job that costs.tsv does not list.
const unknown = time.Minute

// costs are processor seconds by kind and package.
type costs map[[2]string]time.Duration

func (c costs) job(kind, pkg string) job {
	cost, ok := c[[2]string{kind, pkg}]
	if !ok {
		cost = unknown
	}
	return job{kind, pkg, cost}
}

// parseCosts reads lines of a kind, a package and seconds.
func parseCosts(text string) (costs, error) {
	costs := make(costs)
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) != 3 {
			return nil, fmt.Errorf("costs.tsv: %q has %d cells, want a kind, a package and seconds", line, len(cells))
		}
		seconds, err := strconv.Atoi(cells[2])
		if err != nil || seconds < 0 {
			return nil, fmt.Errorf("costs.tsv: %q: %q is not a number of seconds", line, cells[2])
		}
		costs[[2]string{cells[0], cells[1]}] = time.Duration(seconds) * time.Second
	}
	return costs, nil
}

// round is how long a batch may take: after it, the time is looked at again.
const round = 4 * time.Minute

// work runs jobs in batches until the deadline and returns those for which there was no
// time. Jobs are sorted by their cost; processors is the number of processors of the machine.
func work(jobs []job, deadline time.Time, processors int, now func() time.Time, run func([]job) error) (left []job, failed error) {
	for len(jobs) > 0 {
		n := fitting(jobs, deadline.Sub(now()), processors)
		if n == 0 {
			break
		}
		failed = errors.Join(failed, run(jobs[:n]))
		jobs = jobs[n:]
	}
	return jobs, failed
}

// fitting returns how many of the first jobs make the next batch: as many as take one
// round, or one larger job that fits into the time left. One job has one processor.
func fitting(jobs []job, left time.Duration, processors int) (n int) {
	if left <= 0 || jobs[0].cost > left {
		return 0
	}
	most, sum := min(left, round)*time.Duration(processors), time.Duration(0)
	for _, j := range jobs {
		if sum += j.cost; sum > most || j.cost > left {
			break
		}
		n++
	}
	return max(n, 1)
}

// sortJobs puts the cheapest first.
func sortJobs(jobs []job) {
	slices.SortFunc(jobs, func(a, b job) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.kind, b.kind), cmp.Compare(a.pkg, b.pkg))
	})
}
