package session

import (
	"encoding/json"
	"fmt"
	"time"

	"omniscope"
	"omniscope/internal/environ"
	"omniscope/model"
	"omniscope/model/ref"
	"omniscope/model/wrap"
	"omniscope/perceive/mllm"
	"omniscope/session/catalog"
)

// Offline is the model of a role that needs none: rules of ours, a baseline.
const Offline = "offline"

// Names of roles.
const (
	Judge     = "judge"
	Detective = "detective"
	Observer  = "observer"
	Splitter  = "splitter"
	ASR       = "asr"
)

// DefaultRole is a role without a model, as it is where no flag changes it.
func DefaultRole(name string) Role {
	r := Role{Name: name}
	switch name {
	case Detective, Splitter:
		r.Attempts, r.Temperature = 3, new(float64)
	case Observer:
		r.MaxTokens = mllm.DefaultTokens
	}
	return r
}

// A Role is a model with a part in a run: judge, observer, detective, splitter,
// asr. What is in its JSON shapes the answers.
type Role struct {
	Name        string   `json:"-"`
	Model       string   `json:"model"`                 // PROVIDER/NAME, or offline
	Temperature *float64 `json:"temperature,omitempty"` // nil = the model's own
	TopP        *float64 `json:"top_p,omitempty"`       // nil = the model's own
	Stop        []string `json:"stop,omitempty"`        // texts that end an answer
	MaxTokens   int      `json:"max_tokens,omitempty"`  // longest answer; 0 = the model's own limit
	Attempts    int      `json:"attempts,omitempty"`    // askings of one question, the first included; 0 = 1
	Extra       string   `json:"extra,omitempty"`       // further fields of requests, a JSON object
	Seed        *int64   `json:"seed,omitempty"`        // of the model's sampling, where its endpoint takes one; nil = none is sent
	Schema      bool     `json:"schema,omitempty"`      // of a judge: the wanted form goes with the first asking, too
	ID          string   `json:"id,omitempty"`          // name of the endpoint, instead of its address; "" = the address
	Source      string   `json:"source,omitempty"`      // who answers: an address, or a script's digest
	Route       string   `json:"route,omitempty"`       // who answers there: a digest of the headers marked with !

	// LeastLogProb is the mean log-probability under which words of a transcription
	// model are not believed; 0 = the engine's own limit.
	LeastLogProb float64 `json:"least_log_prob,omitempty"`

	// Shown is how an observer is shown clips; nil = as mllm does without settings.
	Shown *shown `json:"shown,omitempty"`
	// Shows are the settings of a model under test about showing media: package predict makes its profile of them.
	Shows []ref.Setting `json:"-"`

	BaseURL     string         `json:"-"` // address; "" = from the environment, or the provider's own
	BaseURLFrom environ.Source `json:"-"` // zero = the program
	Replicas    []string       `json:"-"` // addresses of further servers of the same model, which share its calls

	// Headers and Query are sent with every request, as gateways want them:
	// "Name: env:VARIABLE" and "name=env:VARIABLE", with a ! behind a name that chooses who answers, such as
	// "x-route!: env:VARIABLE". The values stand in the environment
	// alone, so that no command line, file of settings or result has them.
	Headers []string `json:"-"`
	Query   []string `json:"-"`

	Transport Transport `json:"-"`
}

// shown is how an observer is shown clips. Zero = as mllm does without settings.
type shown struct {
	FPS       float64 `json:"fps,omitempty"`
	MaxFrames int     `json:"max_frames,omitempty"`
	MaxPixels int     `json:"max_pixels,omitempty"` // of a frame
	System    string  `json:"system,omitempty"`     // message
}

// Transport is how one model is called, where that differs from the Calls of the run. It shapes no answer.
type Transport struct {
	KeyEnv      string        // the environment variable with the key; "" = the variables of the provider
	Timeout     time.Duration // of one try; 0 = that of the Calls
	Concurrency int           // calls at a time; 0 = that of the Calls
	RPM         int           // tries a minute; 0 = that of the Calls
	Retries     *int          // further tries of a call; nil = as in the Calls
	Price       *wrap.Price   // nil = that of the list of prices
}

// Repeat has a role answer as the n-th of several repetitions of a run: its seed is n. 0 leaves it as it is.
func (r *Role) Repeat(n int) {
	if seed := int64(n); n > 0 {
		r.Seed = &seed
	}
}

// Check checks what can be checked without opening anything. A role may have no
// model yet.
func (r *Role) Check() error {
	switch {
	case r.Attempts < 0 || r.MaxTokens < 0:
		return omniscope.Usagef("%s: attempts must be at least 1, and max-tokens at least 0", r.Name)
	case !(r.LeastLogProb <= 0):
		return omniscope.Usagef("%s: least-logprob is a logarithm of a probability, such as -0.5: at most 0", r.Name)
	case r.Extra != "" && !isObject(r.Extra):
		return omniscope.Usagef("%s: extra must be a JSON object, such as {\"top_k\": 1}", r.Name)
	}
	if _, err := r.extras(); err != nil {
		return err
	}
	if r.Model == "" {
		return nil
	}
	_, _, err := catalog.SplitModel(r.Model)
	return err
}

func isObject(text string) bool {
	var v map[string]json.RawMessage
	return json.Unmarshal([]byte(text), &v) == nil && v != nil
}

// params are the settings of the role's requests.
func (r *Role) params() (p model.Params, err error) {
	p.Temperature, p.TopP, p.Stop, p.MaxTokens, p.Route, p.Seed = r.Temperature, r.TopP, r.Stop, r.MaxTokens, r.Route, r.Seed
	if r.Extra != "" {
		err = json.Unmarshal([]byte(r.Extra), &p.Extra)
	}
	if _, given := p.Extra["seed"]; given && r.Seed != nil {
		return p, omniscope.Usagef("%s: extra.seed gives a seed, and --repeat gives each repetition its own: leave one of them out", r.Name)
	}
	return p, err
}

// maxTokensKey is the setting that bounds the role's answers, as it is.
func (r *Role) maxTokensKey() string {
	if r.MaxTokens == 0 {
		return fmt.Sprintf("max-tokens= of the %s (the model's own limit, as it is not set)", r.Name)
	}
	return fmt.Sprintf("max-tokens= of the %s (now %d)", r.Name, r.MaxTokens)
}
