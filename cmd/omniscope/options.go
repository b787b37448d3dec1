package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"omniscope"
	"omniscope/bench"
	"omniscope/bench/capricorn"
	"omniscope/internal/filename"
	"omniscope/model/wrap"
)

// evalOptions are the flags of eval. Their JSON is the run's manifest, from
// which a run is replayed; it holds nothing secret.
type evalOptions struct {
	Benchmark        string            `json:"benchmark"`
	Predictions      string            `json:"predictions"`
	Data             string            `json:"data,omitempty"`
	CaptionField     string            `json:"caption_field,omitempty"`
	System           string            `json:"system,omitempty"`
	Modality         string            `json:"modality,omitempty"`
	Profile          string            `json:"profile"`
	Judge            string            `json:"judge"`
	JudgeAttempts    int               `json:"judge_attempts"`
	JudgeTemperature float64           `json:"judge_temperature"`
	JudgeMaxTokens   int               `json:"judge_max_tokens,omitempty"`
	JudgeExtra       string            `json:"judge_extra,omitempty"`
	JudgeMode        string            `json:"judge_mode,omitempty"` // of capricorn
	Continue         string            `json:"continue,omitempty"`   // of capricorn
	Prompts          string            `json:"prompts,omitempty"`
	Limit            int               `json:"limit,omitempty"`
	SampleIDs        []string          `json:"sample_ids,omitempty"`
	Seed             uint64            `json:"seed"`
	Inputs           map[string]string `json:"inputs,omitempty"` // path to SHA-256
	PromptDigests    map[string]string `json:"prompt_digests,omitempty"`
	Source           string            `json:"source,omitempty"` // who answers
	Folder           string            `json:"folder,omitempty"` // that relative paths start from

	budget         *wrap.Budget // of the command, which may have several runs; nil = the run's own
	reaches        *reaches     // of the command; nil = the run's own
	addressFlag    string       // gives JudgeBaseURL; "" = judgeAddress
	flags          *pflag.FlagSet
	outNamed       bool          // by the user
	Judges         []string      `json:"-"` // as given; Judge is the one of a run
	Systems        []string      `json:"-"` // files of predictions, as given; Predictions is the one of a run
	Cases          int           `json:"-"` // of capricorn
	JudgeBaseURL   string        `json:"-"`
	WorkDir        string        `json:"-"`
	Out            string        `json:"-"`
	MaxConcurrency int           `json:"-"`
	MaxRetries     int           `json:"-"`
	RetryWait      time.Duration `json:"-"`
	Timeout        time.Duration `json:"-"`
	EndpointWait   time.Duration `json:"-"`
	MaxCost        float64       `json:"-"`
	MaxTokens      int           `json:"-"`
	MaxCalls       int           `json:"-"`
	Prices         string        `json:"-"`
	StopUnusable   int           `json:"-"`
	MaxFailures    float64       `json:"-"`
	AnyEndpoint    bool          `json:"-"`
	Fresh          bool          `json:"-"`
	AskDamaged     bool          `json:"-"`
	Allow          bool          `json:"-"`
	DryRun         bool          `json:"-"`
	Force          bool          `json:"-"`
	JSON           bool          `json:"-"`
	NoProgress     bool          `json:"-"`
}

// fileHelp describes the files of a benchmark that a judge scores.
type fileHelp struct{ predictions, data, field string }

var fileHelps = map[string]fileHelp{
	"omni-cloze": {
		predictions: "file of captions: rows of the released format (cloze and caption together), or\ncaptions by uuid (JSON Lines or CSV) with the benchmark in --data",
		data:        "the benchmark's file, where --predictions holds captions only",
		field:       "field of the caption (default predicted_caption; in a separate file also caption, prediction)",
	},
	"capricorn": {
		predictions: "file of captions: JSON Lines with video_id and caption",
		data:        "the benchmark's annotations, audiovisual or visual-only",
		field:       "field of the caption (default caption, else predicted_caption or prediction)",
	},
}

func (o *evalOptions) addFlags(f *pflag.FlagSet, info bench.Info) {
	o.flags = f
	h := fileHelps[info.Name]
	f.StringArrayVarP(&o.Systems, "predictions", "p", nil, h.predictions+"; several times for several systems")
	f.StringVarP(&o.Data, "data", "d", "", h.data)
	f.StringVar(&o.CaptionField, "caption-field", "", h.field)
	f.StringVar(&o.System, "system", "", "name of the captioning system (default: the name of the predictions file)")
	f.StringVar(&o.Modality, "modality", "audio-visual", "what the captions describe, as the judge is told: audio, visual or audio-visual")
	f.StringVar(&o.Profile, "profile", "strict", "scores that the headline shows: strict counts failures and asks again; official is\nthe published scorer, quirks included. Reports show both wherever they differ")
	f.StringArrayVar(&o.Judges, "judge", []string{"offline"}, "who judges: PROVIDER/NAME such as openai/gpt-4o-2024-11-20, scripted/FILE, or offline,\na lexical baseline that needs no model. 'omniscope list' shows the providers.\nSeveral times for several judges, which are compared at the end")
	f.StringVar(&o.JudgeBaseURL, "judge-base-url", "", "the judge's address, such as http://localhost:8000/v1 (default: from the environment)")
	f.IntVar(&o.JudgeAttempts, "judge-attempts", info.Asking.Attempts, fmt.Sprintf("askings of one question in profile strict, the first included; official asks %s", times(info.Asking.OfficialAttempts)))
	f.Float64Var(&o.JudgeTemperature, "judge-temperature", 0, "sampling temperature of the judge; negative = the model's own")
	f.IntVar(&o.JudgeMaxTokens, "judge-max-tokens", info.Asking.MaxTokens, "longest answer of the judge in tokens; 0 = the model's own limit")
	f.StringVar(&o.JudgeExtra, "judge-extra", "", "further fields of the judge's requests, as a JSON object; kept with the results, so no place for secrets")
	f.StringVar(&o.Prompts, "prompts", "", "folder with prompt files that replace the built-in ones of the same name")
	f.IntVar(&o.Limit, "limit", 0, "score the first N samples only; 0 = all")
	f.StringArrayVar(&o.SampleIDs, "sample-id", nil, "score these samples only: uuids with commas between, or the flag several times")
	f.Uint64Var(&o.Seed, "seed", 0, "seed of the bootstrap intervals")
	f.StringVar(&o.WorkDir, "work-dir", "omniscope-work", "folder of the journal and the runs")
	f.StringVarP(&o.Out, "out", "o", "", "folder of the results (default: WORK-DIR/runs/BENCHMARK-SYSTEM-RUN)")
	f.IntVarP(&o.MaxConcurrency, "max-concurrency", "j", 64, "most calls at a time; fewer while the endpoint complains")
	f.IntVar(&o.MaxRetries, "max-retries", 9, "further tries of a call that fails for a passing reason")
	f.DurationVar(&o.RetryWait, "retry-wait", 0, "wait before the second try, doubled for each further; 0 = half a second")
	f.MarkHidden("retry-wait") // for tests, which cannot wait as long as people
	f.DurationVar(&o.Timeout, "timeout", 2*time.Minute, "longest wait for one try")
	f.DurationVar(&o.EndpointWait, endpointWait, 0, endpointWaitHelp)
	f.Float64Var(&o.MaxCost, "max-cost", 0, maxCostHelp)
	f.IntVar(&o.MaxTokens, "max-tokens", 0, maxTokensHelp)
	f.IntVar(&o.MaxCalls, "max-calls", 0, maxCallsHelp)
	f.StringVar(&o.Prices, "prices", "", "YAML file of prices: PROVIDER/NAME: {in: USD, out: USD} per million tokens")
	f.Float64Var(&o.MaxFailures, "max-failures", 0.05, "share of samples whose judging may fail before the exit code is 3")
	addStopAfterUnusable(f, &o.StopUnusable)
	f.BoolVar(&o.AnyEndpoint, "any-endpoint", false, "reuse answers of the same model from any address, such as a cluster that moved")
	addFreshFlags(f, &o.Fresh, &o.AskDamaged)
	f.BoolVar(&o.Allow, "allow-unscorable", false, "score files of which hardly anything can be scored, such as with a misspelt field, which are refused\nbefore anything is asked")
	addForce(f, &o.Force)
	f.BoolVar(&o.DryRun, "dry-run", false, "print how many calls, tokens and dollars it would take, and stop")
	f.BoolVar(&o.JSON, "json", false, "print the results document on standard output instead of the table")
	f.BoolVar(&o.NoProgress, "no-progress", false, "show no progress")
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("up to %d times", n)
}

// addCapricornFlags are those that only CapRiCorn-1K has.
func (o *evalOptions) addCapricornFlags(f *pflag.FlagSet) {
	f.StringVar(&o.JudgeMode, "judge-mode", "single", "single asks one call for each keypoint, as published; batched asks all of a video in one:\nabout 5 calls a video instead of 41. 'omniscope compare' shows how far the two agree")
	f.StringVar(&o.Continue, "continue", "", "folder with the result files of an earlier run, ours or the published scripts':\nwhat is judged there is not asked again")
	f.MarkHidden("modality") // keypoints of what is seen only are another file
	f.IntVar(&o.Cases, "cases", 20, "videos to show in cases.html and cases.md, the least consistent first")
}

// configured is the benchmark with its own flags.
func (o *evalOptions) configured(b bench.Benchmark) bench.Benchmark {
	if _, ok := b.(capricorn.Benchmark); ok {
		return capricorn.Benchmark{Batched: o.JudgeMode == "batched", Continue: o.Continue, Cases: o.Cases}
	}
	return b
}

// runs are the options of each run: every judge judges every system.
func (o *evalOptions) runs() []*evalOptions {
	var out []*evalOptions
	for _, judge := range o.Judges {
		for _, system := range o.Systems {
			one := *o
			one.Judge, one.Predictions = judge, system
			out = append(out, &one)
		}
	}
	if o.Out != "" && len(out) > 1 {
		for _, one := range out {
			one.Out = filepath.Join(o.Out, filename.Safe(bench.SystemName(one.Predictions)+"-"+one.Judge))
		}
	}
	return out
}

func (o *evalOptions) systemNames() []string {
	var names []string
	for _, path := range o.Systems {
		names = append(names, strings.ToLower(filename.Safe(bench.SystemName(path))))
	}
	return names
}

// twice returns what stands twice in a list; "" = nothing.
func twice(list []string) string {
	for i, s := range list {
		if slices.Contains(list[:i], s) {
			return s
		}
	}
	return ""
}

func (o *evalOptions) check() error {
	values := errors.Join(
		checkChoice("modality", o.Modality, []string{"audio", "visual", "audio-visual"}, modalityNames),
		checkChoice("profile", o.Profile, profiles))
	if o.JudgeMode != "" {
		values = errors.Join(values, checkChoice("judge-mode", o.JudgeMode, []string{"single", "batched"}))
	}
	switch {
	case values != nil:
		return values
	case len(o.Systems) == 0 || slices.Contains(o.Systems, ""):
		return usagef("give the captions with --predictions FILE")
	case len(o.Systems) > 1 && o.System != "":
		return usagef("--system names one system: leave it out, the systems are called by their files")
	case len(o.runs()) > 1 && o.JSON:
		return usagef("--json is for one judge and one file of predictions")
	case len(o.runs()) > 1 && o.Continue != "":
		return usagef("--continue is for one judge and one file of predictions: the files hold one judge's verdicts on one system")
	case twice(o.Judges) != "":
		return usagef("the judge %s is named twice", twice(o.Judges))
	case twice(o.systemNames()) != "":
		return usagef("systems are told apart by the names of their files, and two are called %s: rename one", twice(o.systemNames()))
	case o.Cases < 0:
		return usagef("--cases must not be negative")
	case o.MaxConcurrency < 1:
		return usagef("--max-concurrency must be at least 1")
	case o.JudgeAttempts < 1:
		return usagef("--judge-attempts must be at least 1")
	case o.MaxRetries < 0 || o.Limit < 0 || o.MaxCalls < 0 || o.MaxTokens < 0 || o.MaxCost < 0:
		return usagef("--max-retries, --limit, --max-calls, --max-tokens and --max-cost must not be negative")
	case !(o.MaxCost <= 1e9):
		return usagef("--max-cost must be a number of US dollars up to a billion")
	case !(o.MaxFailures >= 0 && o.MaxFailures <= 1):
		return usagef("--max-failures is a share from 0 to 1, such as 0.05")
	case !(o.JudgeTemperature <= 100 && o.JudgeTemperature >= -100):
		return usagef("--judge-temperature must be a number, such as 0 or 0.7")
	case o.JudgeMaxTokens < 0:
		return usagef("--judge-max-tokens must not be negative")
	case o.Timeout <= 0 || o.RetryWait < 0:
		return usagef("--timeout must be more than 0, such as 90s")
	case o.EndpointWait < 0 || o.StopUnusable < 0:
		return usagef("--endpoint-wait and --stop-after-unusable must not be negative")
	case o.Prompts != "" && slices.Equal(o.Judges, []string{"offline"}):
		return usagef("--prompts has no use here: the offline judge reads none")
	case o.JudgeExtra != "" && !isObject(o.JudgeExtra):
		return usagef("--judge-extra must be a JSON object, such as {\"top_k\": 1}")
	}
	return nil
}

var profiles = []string{bench.Official.String(), bench.Strict.String()}

// modalityNames are what other commands call the modalities.
var modalityNames = map[string]string{"av": "audio-visual", "a": "audio", "v": "visual", "video": "visual"}

func isObject(text string) bool {
	var v map[string]json.RawMessage
	return json.Unmarshal([]byte(text), &v) == nil && v != nil
}

// inputs are the options as a benchmark takes them.
func (o *evalOptions) inputs() (bench.Inputs, error) {
	profile, _ := bench.ParseProfile(o.Profile)
	in := bench.Inputs{
		Predictions: o.Predictions, Data: o.Data, CaptionField: o.CaptionField, System: o.System,
		Modality: o.Modality, Profile: profile, Limit: o.Limit, Allow: o.Allow,
	}
	for _, list := range o.SampleIDs {
		for id := range strings.SplitSeq(list, ",") {
			in.Samples = append(in.Samples, omniscope.SampleID(id))
		}
	}
	if o.Prompts != "" {
		if info, err := os.Stat(o.Prompts); err != nil || !info.IsDir() {
			return in, notAFolder("prompts", o.Prompts)
		}
		in.Prompts, in.PromptsName = os.DirFS(o.Prompts), o.Prompts
	}
	return in, nil
}

func notAFolder(flag, path string) error {
	return usagef("--%s %s is not a folder%s", flag, path, nearFile(path))
}

// manifest describes the run for the journal and for its name.
func (o *evalOptions) manifest(plan *bench.Plan) (string, error) {
	m := *o
	m.Inputs, m.PromptDigests = plan.Inputs, make(map[string]string)
	for _, p := range plan.Prompts {
		m.PromptDigests[p.Name] = p.Digest
	}
	if dir, err := os.Getwd(); err == nil {
		m.Folder = dir
	}
	text, err := json.Marshal(m)
	if err != nil {
		return "", fmt.Errorf("write manifest: %w", err)
	}
	return string(text), nil
}
