// Command ci runs those slow tests that a change may break: the TestLong tests of the
// packages that it touches and of their direct importers, the same packages under the race
// detector, and the cross builds. The cheapest come first, until the time is up; the rest
// is printed. `make slow` calls it after `make test`; `make check` runs everything.
//
// The change is what differs from OMNISCOPE_BASE, a commit; if that is not set, from the
// merge base with the upstream branch, or from HEAD~1 on that branch itself. Files that
// are not committed belong to the change. Where git knows no such commit, as in a shallow
// clone, everything counts as changed.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

func main() {
	limit := flag.Duration("limit", 40*time.Minute, "start nothing that would end later")
	racy := flag.String("race", "", "packages to test under the race detector")
	dry := flag.Bool("n", false, "print what would run")
	record := flag.String("record", "", "run everything, one job at a time, and write what it takes to `FILE`")
	flag.Parse()
	if err := run(*limit, strings.Fields(*racy), *dry, *record); err != nil {
		fmt.Fprintln(os.Stderr, "ci:", err)
		os.Exit(1)
	}
}

func run(limit time.Duration, racy []string, dry bool, record string) error {
	deadline := time.Now().Add(limit)
	g, err := readGraph(racy)
	if err != nil {
		return err
	}
	costs, err := parseCosts(costsFile)
	if err != nil {
		return err
	}
	if record != "" {
		return measure(g.jobs(g.everything(), costs), record)
	}
	c := theChange()
	jobs := g.jobs(g.touched(c), costs)
	all := g.jobs(g.everything(), costs)
	fmt.Printf("slow tests: %s; %d of %d jobs, %s left\n", c, len(jobs), len(all), limit.Round(time.Second))
	if dry {
		for _, j := range jobs {
			fmt.Println(j)
		}
		return nil
	}
	left, failed := work(jobs, deadline, runtime.NumCPU(), time.Now, runBatch)
	fmt.Printf("left out: %d jobs on packages that the change does not touch\n", len(all)-len(jobs))
	for _, j := range left {
		fmt.Printf("left out for want of time: %s\n", j)
	}
	if len(all) > len(jobs)-len(left) {
		fmt.Println("OMNISCOPE_FULL=1 .ci/run runs everything")
	}
	return failed
}

// runBatch runs jobs; jobs of one kind share one call of make.
func runBatch(batch []job) error {
	var failed error
	for _, kind := range kinds {
		var packages []string
		for _, j := range batch {
			if j.kind == kind {
				packages = append(packages, j.pkg)
			}
		}
		if len(packages) > 0 {
			failed = errors.Join(failed, runMake(kind, packages).Run())
		}
	}
	return failed
}

// runMake returns the command for jobs of a kind.
func runMake(kind string, packages []string) *exec.Cmd {
	args := []string{"--no-print-directory", kind}
	if kind != cross {
		args = append(args, strings.ToUpper(kind)+"="+strings.Join(packages, " "))
	}
	cmd := exec.Command("make", args...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd
}

// measure writes the processor seconds of jobs.
func measure(jobs []job, path string) error {
	var lines strings.Builder
	lines.WriteString(costsHead)
	var failed error
	for _, j := range jobs {
		cmd := runMake(j.kind, []string{j.pkg})
		cmd.Env = append(os.Environ(), "GOFLAGS=-count=1 "+os.Getenv("GOFLAGS")) // a kept result costs nothing
		if err := cmd.Run(); err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", j, err))
			continue
		}
		used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		fmt.Fprintf(&lines, "%s\t%s\t%.0f\n", j.kind, j.pkg, used.Seconds())
		if err := os.WriteFile(path, []byte(lines.String()), 0o644); err != nil { // it takes hours: what is known is kept
			return err
		}
	}
	return failed
}
