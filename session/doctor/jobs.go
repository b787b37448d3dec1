package doctor

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"omniscope"
	"omniscope/internal/environ"
	"omniscope/internal/spelling"
	"omniscope/session/benchdata"
	"omniscope/session/catalog"
)

// Jobs are the jobs that doctor gives a verdict on.
var Jobs = []string{"score", "run", "caption", "people", "train"}

// A verdict reports whether a job works on this machine.
type verdict struct {
	Job   string   `json:"job"`
	Works bool     `json:"works"`
	Why   string   `json:"why"`   // what works, or why the job does not
	Fixes []string `json:"fixes"` // lines that install or set what is missing; also of parts that a working job lacks
}

// A configFile is a file that settings were read from.
type configFile struct {
	Path  string   `json:"path"`
	Names []string `json:"names"` // of variables and flags
}

// configFiles lists the files with settings, and what came from each.
func configFiles() (files []configFile) {
	for _, s := range environ.Loaded() {
		i := slices.IndexFunc(files, func(f configFile) bool { return f.Path == s.File })
		if i < 0 {
			i, files = len(files), append(files, configFile{Path: s.File})
		}
		files[i].Names = append(files[i].Names, s.Name)
	}
	return files
}

// CheckJobs refuses names that are not jobs.
func CheckJobs(names []string) error {
	for _, name := range names {
		if !slices.Contains(Jobs, name) {
			return omniscope.Usagef("no job %q%s: %s", name, spelling.Among(name, Jobs), strings.Join(Jobs, ", "))
		}
	}
	return nil
}

// JudgeJobs gives the verdict on every job. Local servers are contacted at their usual addresses unless offline.
func (e *examination) JudgeJobs(ctx context.Context, offline bool) {
	e.Jobs = nil
	for _, verdict := range []func() verdict{e.scoring, func() verdict { return e.running(ctx, offline) }, e.captioning, e.annotating, e.training} {
		v := verdict()
		if v.Fixes == nil {
			v.Fixes = []string{}
		}
		e.Jobs = append(e.Jobs, v)
	}
}

// Requested is an error if one of the named jobs does not work.
func (e *examination) Requested(names []string) error {
	for _, v := range e.Jobs {
		if slices.Contains(names, v.Job) && !v.Works {
			return &omniscope.Error{Kind: omniscope.NotFound, Err: fmt.Errorf("%s does not work: %s", v.Job, v.Why)}
		}
	}
	return nil
}

// writable is the verdict of a job that needs the work folder alone.
func (e *examination) writable(job, why string) verdict {
	if !e.Journal.Writable || e.Journal.Problem != "" {
		return verdict{Job: job, Why: e.Journal.Folder + " " + e.Journal.Problem, Fixes: []string{"name a folder that you may write to with --work-dir"}}
	}
	return verdict{Job: job, Works: true, Why: why}
}

func (e *examination) scoring() verdict {
	v := e.writable("score", "the offline judge and metrics without networks work")
	if v.Works && len(e.keyed()) == 0 {
		v.Fixes = append(v.Fixes, "for published judges: set OPENAI_API_KEY, in the environment or in a file .env")
	}
	if v.Works && len(e.Models.Missing) > 0 {
		v.Fixes = append(v.Fixes, "for BERTScore and COMET: omniscope data get "+strings.Join(e.Models.Missing, " "))
	}
	return v
}

// keyed are the providers with a key, or with an address that the user named.
func (e *examination) keyed() (names []string) {
	for _, p := range e.Providers {
		if !strings.HasPrefix(p.Problem, "refused") && (p.KeyFrom != "" || p.named) {
			names = append(names, p.Name)
		}
	}
	return names
}

func (e *examination) running(ctx context.Context, offline bool) verdict {
	v := verdict{Job: "run"}
	endpoints := append(e.keyed(), e.Project.addressed()...)
	if !offline {
		endpoints = append(endpoints, e.localServers(ctx, endpoints)...)
	}
	video := e.ffmpegProblem()
	switch {
	case len(endpoints) == 0:
		v.Why = "no model can be asked: no key and no address of a server is set"
		v.Fixes = []string{"set OPENAI_API_KEY or the key of another provider (omniscope docs models), or VLLM_BASE_URL to the address of your server"}
	case video != "":
		v.Why = video
	default:
		v.Works, v.Why = true, "models can be asked at "+strings.Join(endpoints, ", ")
	}
	if video != "" {
		v.Fixes = append(v.Fixes, e.installing("ffmpeg", "ffprobe")...)
	}
	return v
}

// localServers are the providers whose servers answer at their usual addresses on this machine.
func (e *examination) localServers(ctx context.Context, besides []string) (names []string) {
	for _, p := range catalog.Providers {
		u, err := url.Parse(p.BaseURL)
		if p.Local() || err != nil || u.Hostname() != "localhost" || slices.Contains(besides, p.Name) {
			continue
		}
		dialer := net.Dialer{Timeout: 300 * time.Millisecond}
		if conn, err := dialer.DialContext(ctx, "tcp", u.Host); err == nil {
			conn.Close()
			names = append(names, p.Name+" ("+u.Host+")")
		}
	}
	return names
}

func (e *examination) captioning() verdict {
	if problem := e.ffmpegProblem(); problem != "" {
		return verdict{Job: "caption", Why: problem, Fixes: e.installing("ffmpeg", "ffprobe")}
	}
	v := e.writable("caption", "")
	var works, broken []string
	for _, t := range e.Tools {
		if t.Works {
			works = append(works, t.Name)
		} else {
			broken = append(broken, t.Name)
		}
	}
	if !v.Works {
		return v
	}
	v.Works, v.Why = len(works) > 0, "tools that work: "+strings.Join(works, ", ")
	if len(works) == 0 {
		v.Why = "no tool works"
	}
	if slices.Contains(broken, "ocr") {
		v.Fixes = append(v.Fixes, e.installing("tesseract")...)
	}
	if slices.Contains(broken, "asr") {
		v.Fixes = append(v.Fixes, "for speech: name a model with --asr openai/whisper-1, or install the pack: omniscope data get "+benchdata.SpeechPack)
	}
	return v
}

func (e *examination) annotating() verdict {
	return e.writable("people", "projects can be made and served")
}

func (e *examination) training() verdict {
	v := e.writable("train", "data sets can be exported and checked")
	if v.Works && e.ffmpegProblem() != "" {
		v.Why = "data sets can be exported; media cannot be cut or checked without ffmpeg"
		v.Fixes = e.installing("ffmpeg", "ffprobe")
	}
	return v
}

// ffmpegProblem describes what is wrong with ffmpeg and ffprobe; "" = they work.
func (e *examination) ffmpegProblem() string {
	for _, p := range e.Programs {
		if (p.Name == "ffmpeg" || p.Name == "ffprobe") && p.Problem != "" {
			return p.Name + ": " + p.Problem
		}
	}
	return ""
}

// installing is the line that installs programs.
func (e *examination) installing(programs ...string) []string {
	missing := slices.DeleteFunc(programs, func(name string) bool { return !slices.Contains(e.Missing, name) })
	if line := installLine(missing); line != "" {
		return []string{line}
	}
	if len(missing) == 0 {
		return nil
	}
	return []string{"install " + strings.Join(missing, " and ") + " and put it on the PATH"}
}
