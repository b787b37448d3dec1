package ref

import (
	"math"
	"strconv"
	"strings"
	"time"

	"omniscope"
	"omniscope/internal/spelling"
)

// A use is the purpose of a key.
type use int

// The uses.
const (
	shapes use = iota // answers: it is part of a run's name and of what answers are remembered under
	shows             // how media are shown and questions are put: likewise; only for models that see or hear
	Calls             // how calls are made and paid: no part of either
)

// A key is a setting that a reference may have.
type key struct {
	Name    string // with a dot at its end, the name of a field, header or query value follows
	Use     use
	Value   string // as help shows it, such as NUMBER
	About   string
	Repeats bool // may be given several times

	check func(value string) error
}

// Keys are all keys, in the order in which help shows them.
var Keys = []key{
	{Name: "temperature", Value: "NUMBER", About: "sampling temperature, such as 0 or 0.7; unset = the request has no temperature (default: 0 for judges and detectives, else unset)", check: temperature},
	{Name: "top-p", Value: "NUMBER", About: "share of likely tokens that are sampled from, over 0 and at most 1", check: number(0, 1)},
	{Name: "seed", Value: "NUMBER", About: "seed of the sampling, where the endpoint takes one", check: whole(math.MinInt64)},
	{Name: "max-tokens", Value: "N", About: "longest answer in tokens; 0 = the model's own limit", check: whole(0)},
	{Name: "stop", Value: "TEXT", About: "text that ends an answer", Repeats: true, check: filled},
	{Name: "attempts", Value: "N", About: "how often a question may be asked whose answer cannot be read, the first included", check: whole(1)},
	{Name: "schema", Value: "true|false", About: "send the form of replies, a JSON schema, with the first question, too: small judges keep to it", check: truth},
	{Name: "least-logprob", Value: "NUMBER", About: "mean log-probability under which words of a transcription model are not believed, such as -0.5 (default: -1, as Whisper has it)", check: number(math.Inf(-1), 0)},
	{Name: "extra.", Value: "JSON", About: "further field of requests, such as extra.top_k=1; an object or a list is written as JSON"},

	{Name: "profile", Use: shows, Value: "NAME|FILE", About: "how the model is asked: frames, sound, prompts (docs profile; default: the one made for its name)", check: filled},
	{Name: "prompt", Use: shows, Value: "TEXT", About: "ask this instead of the profile's prompts; a benchmark's own prompts stay", check: filled},
	{Name: "system", Use: shows, Value: "TEXT", About: "system message instead of the profile's"},
	{Name: "modality", Use: shows, Value: "NAME", About: "what the model is given: audio-visual, audio, visual or text", check: filled},
	{Name: "fps", Use: shows, Value: "NUMBER", About: "frames a second", check: number(0, 1000)},
	{Name: "max-frames", Use: shows, Value: "N", About: "most frames of a clip", check: whole(1)},
	{Name: "max-pixels", Use: shows, Value: "N", About: "most pixels of a frame", check: whole(1)},
	{Name: "visual-tokens", Use: shows, Value: "N", About: "most tokens that a clip's frames may be for the model; without max-pixels, frames are as large as that allows", check: whole(1)},
	{Name: "longer", Use: shows, Value: "refuse|cut|parts", About: "what to do with sound that is longer than the model takes", check: oneOf("refuse", "cut", "parts")},
	{Name: "send", Use: shows, Value: "frames|video", About: "chosen frames with separate sound, or the file itself", check: oneOf("frames", "video")},

	{Name: "base-url", Use: Calls, Value: "URL", Repeats: true, About: "address, such as http://localhost:8000/v1 (default: from the environment, else the provider's own)", check: filled},
	{Name: "id", Use: Calls, Value: "NAME", About: "name of the endpoint under which answers are remembered, instead of its address: for servers that move", check: filled},
	{Name: "key-env", Use: Calls, Value: "VARIABLE", About: "environment variable that has the key", check: variable},
	{Name: "header.", Use: Calls, Value: "env:VARIABLE", About: "further header of requests; header.NAME!= marks one that chooses who answers: others are asked again", check: fromEnvironment},
	{Name: "query.", Use: Calls, Value: "env:VARIABLE", About: "further value of the query of requests, likewise", check: fromEnvironment},
	{Name: "timeout", Use: Calls, Value: "TIME", About: "longest wait for one try, such as 90s", check: duration},
	{Name: "concurrency", Use: Calls, Value: "N", About: "most calls at a time", check: whole(1)},
	{Name: "rpm", Use: Calls, Value: "N", About: "most calls and further tries a minute; 0 = no limit", check: whole(0)},
	{Name: "retries", Use: Calls, Value: "N", About: "further tries of a call that fails for a passing reason", check: whole(0)},
	{Name: "price-in", Use: Calls, Value: "USD", About: "price of a million tokens in", check: number(0, 1e9)},
	{Name: "price-out", Use: Calls, Value: "USD", About: "price of a million tokens out", check: number(0, 1e9)},
	{Name: "price-cached", Use: Calls, Value: "USD", About: "price of a million tokens in that the provider has cached", check: number(0, 1e9)},
	{Name: "price-minute", Use: Calls, Value: "USD", About: "price of a minute of sound, for transcription", check: number(0, 1e9)},
}

// find returns the key of a setting.
func find(name string) (key, bool) {
	for _, k := range Keys {
		if k.Name == name || strings.HasSuffix(k.Name, ".") && strings.HasPrefix(name, k.Name) && len(name) > len(k.Name) {
			return k, true
		}
	}
	return key{}, false
}

// Find returns the key of a setting, or an error of kind Usage that names the near one.
func Find(name string) (key, error) {
	if k, ok := find(name); ok {
		return k, nil
	}
	if meant := synonyms[strings.ReplaceAll(strings.ToLower(name), "_", "-")]; meant != "" {
		return key{}, omniscope.Usagef("a model has no setting %q: write %s=", name, meant)
	}
	var names []string
	for _, k := range Keys {
		names = append(names, k.Name)
	}
	return key{}, omniscope.Usagef("a model has no setting %q%s (`omniscope docs models` lists them). If the comma before it belongs to a value, write the value as a JSON string, \"...\"", name, spelling.Hint(name, names))
}

// synonyms are what other programs call the keys.
var synonyms = map[string]string{
	"api-base": "base-url", "baseurl": "base-url", "url": "base-url", "endpoint": "base-url",
	"api-key": "key-env", "key": "key-env", "api-key-env": "key-env", "max-new-tokens": "max-tokens", "max-completion-tokens": "max-tokens", "max-gen-toks": "max-tokens",
	"system-prompt": "system", "num-frames": "max-frames", "max-num-frames": "max-frames", "nframes": "max-frames", "frames": "max-frames", "pixels": "max-pixels",
	"top-k": "extra.top_k", "batch-size": "concurrency", "num-concurrent": "concurrency", "max-connections": "concurrency", "max-retries": "retries", "stop-sequences": "stop", "until": "stop",
	"temp": "temperature", "headers": "header.NAME", "extra": "extra.FIELD",
}

// Check checks keys and values. who is the flag or the field with the reference. seesOrHears allows the keys about showing media.
func (r Ref) Check(who string, seesOrHears bool) error {
	for _, s := range r.Settings {
		if err := s.check(seesOrHears); err != nil {
			return omniscope.Usagef("%s %s: %v", who, HideSecrets(r.Shown()), err)
		}
	}
	return nil
}

func (s Setting) check(seesOrHears bool) error {
	k, err := Find(s.Key)
	switch {
	case err != nil:
		return err
	case k.Use == shows && !seesOrHears:
		return omniscope.Usagef("%s is about showing media, and this model reads text only: leave it out", s.Key)
	case s.Marks && k.Name != "header." && k.Name != "query.":
		return omniscope.Usagef("%s!: only headers and query values are marked with !", s.Key)
	case s.Form == asJSON && k.Name != "extra.":
		return omniscope.Usagef("%s is %s, not JSON", s.Key, k.Value)
	case k.check == nil:
		return nil
	}
	return k.checked(s)
}

func (k key) checked(s Setting) error {
	if err := k.check(s.Value); err != nil {
		shown := strconv.Quote(HideSecrets(s.Value))
		if k.Use == Calls && (k.Name == "header." || k.Name == "query." || k.Name == "key-env") {
			shown = "the given value" // which may be a secret
		}
		return omniscope.Usagef("%s is %v, not %s", s.Key, err, shown)
	}
	return nil
}

// Shown is the reference as messages show it: by its model, since settings may be long.
func (r Ref) Shown() string {
	if r.File != "" {
		return "file:" + r.File
	}
	return r.Model
}

// wants is what a value should have been.
type wants string

func (w wants) Error() string { return string(w) }

func number(least, most float64) func(string) error {
	return func(text string) error {
		v, err := strconv.ParseFloat(text, 64)
		if err == nil && v >= least && v <= most {
			return nil
		}
		switch {
		case math.IsInf(least, -1):
			return wants("a number that is at most " + strconv.FormatFloat(most, 'g', -1, 64))
		case most >= 1e9:
			return wants("a number that is not negative")
		}
		return wants("a number from " + strconv.FormatFloat(least, 'g', -1, 64) + " to " + strconv.FormatFloat(most, 'g', -1, 64))
	}
}

func temperature(text string) error {
	if text == Unset {
		return nil
	}
	return number(0, 100)(text)
}

// Unset is the temperature of requests without one.
const Unset = "unset"

func whole(least int64) func(string) error {
	return func(text string) error {
		const most = 1 << 31
		v, err := strconv.ParseInt(text, 10, 64)
		switch {
		case err == nil && v >= least && (v <= most || least < 0):
			return nil
		case least < 0:
			return wants("a whole number")
		}
		return wants("a whole number from " + strconv.FormatInt(least, 10) + " to " + strconv.Itoa(most))
	}
}

func truth(text string) error {
	if text == "true" || text == "false" {
		return nil
	}
	return wants("true or false")
}

func oneOf(choices ...string) func(string) error {
	return func(text string) error {
		for _, c := range choices {
			if c == text {
				return nil
			}
		}
		return wants(strings.Join(choices[:len(choices)-1], ", ") + " or " + choices[len(choices)-1])
	}
}

func filled(text string) error {
	if text == "" {
		return wants("a text")
	}
	return nil
}

func duration(text string) error {
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return nil
	}
	return wants("a time with its unit, such as 90s")
}

func variable(text string) error {
	text = strings.TrimPrefix(text, "env:")
	if text == "" || strings.ContainsFunc(text, func(r rune) bool {
		return r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}) || len(text) > 64 {
		return wants("the name of an environment variable, such as NODE7_KEY (a key itself would be seen by others)")
	}
	return nil
}

func fromEnvironment(text string) error {
	if name, ok := strings.CutPrefix(text, "env:"); ok && variable(name) == nil {
		return nil
	}
	return wants("env:VARIABLE, with the value in that environment variable (on the command line others could read it)")
}
