package session

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"omniscope"
	"omniscope/internal/environ"
	"omniscope/model/ref"
	"omniscope/model/wrap"
	"omniscope/session/catalog"
)

// Use gives the role the model and the settings of a reference, which must name no file and no model of omniscope.yaml any more. from
// is who gave the reference. Errors are of kind Usage.
func (r *Role) Use(m ref.Ref, from environ.Source) error {
	if _, _, err := catalog.SplitModel(m.Model); err != nil {
		return omniscope.Usagef("%s", ref.HideSecrets(err.Error()))
	}
	if err := m.Check("the "+r.Name, r.seesOrHears()); err != nil {
		return err
	}
	r.Model = m.Model
	var extra map[string]json.RawMessage
	for _, s := range m.Settings {
		if field, ok := strings.CutPrefix(s.Key, "extra."); ok {
			if extra == nil {
				extra = make(map[string]json.RawMessage)
			}
			extra[field] = s.Raw()
			continue
		}
		r.set(s, from)
	}
	if extra != nil {
		text, err := json.Marshal(extra)
		if err != nil {
			return omniscope.Usagef("extra: %v", err)
		}
		r.Extra = string(text)
	}
	r.setShown()
	r.SetRoute()
	return nil
}

// seesOrHears reports whether models of the role are shown media.
func (r *Role) seesOrHears() bool { return r.Name == Observer || r.Name == "model" }

// set sets a field to a checked setting.
func (r *Role) set(s ref.Setting, from environ.Source) {
	switch s.Key {
	case "temperature":
		if r.Temperature = nil; s.Value != ref.Unset {
			r.Temperature = decimal(s.Value)
		}
	case "top-p":
		r.TopP = decimal(s.Value)
	case "seed":
		seed, _ := strconv.ParseInt(s.Value, 10, 64)
		r.Seed = &seed
	case "max-tokens":
		r.MaxTokens = count(s.Value)
	case "stop":
		r.Stop = append(r.Stop, s.Value)
	case "attempts":
		r.Attempts = count(s.Value)
	case "schema":
		r.Schema = s.Value == "true"
	case "least-logprob":
		r.LeastLogProb = *decimal(s.Value)
	case "id":
		r.ID = s.Value
	case "base-url":
		if r.BaseURL == "" {
			r.BaseURL, r.BaseURLFrom = s.Value, from
			return
		}
		r.Replicas = append(r.Replicas, s.Value)
	default:
		r.setTransport(s)
	}
}

func (r *Role) setTransport(s ref.Setting) {
	t := &r.Transport
	name, isHeader := strings.CutPrefix(s.Key, "header.")
	value, isQuery := strings.CutPrefix(s.Key, "query.")
	mark := map[bool]string{true: "!"}[s.Marks]
	switch {
	case isHeader:
		r.Headers = append(r.Headers, name+mark+": "+s.Value)
	case isQuery:
		r.Query = append(r.Query, value+mark+"="+s.Value)
	case strings.HasPrefix(s.Key, "price-"):
		t.setPrice(strings.TrimPrefix(s.Key, "price-"), *decimal(s.Value))
	case s.Key == "key-env":
		t.KeyEnv = strings.TrimPrefix(s.Value, "env:")
	case s.Key == "timeout":
		t.Timeout, _ = time.ParseDuration(s.Value)
	case s.Key == "concurrency":
		t.Concurrency = count(s.Value)
	case s.Key == "rpm":
		t.RPM = count(s.Value)
	case s.Key == "retries":
		n := count(s.Value)
		t.Retries = &n
	default:
		r.Shows = append(r.Shows, s)
	}
}

func (t *Transport) setPrice(of string, usd float64) {
	if t.Price == nil {
		t.Price = &wrap.Price{}
	}
	switch of {
	case "in":
		t.Price.In = usd
	case "out":
		t.Price.Out = usd
	case "cached":
		t.Price.Cached = &usd
	case "minute":
		t.Price.Minute = usd
	}
}

// setShown sets how an observer is shown clips.
func (r *Role) setShown() {
	if r.Name != Observer || len(r.Shows) == 0 {
		return
	}
	r.Shown = &shown{}
	for _, s := range r.Shows {
		switch s.Key {
		case "fps":
			r.Shown.FPS = *decimal(s.Value)
		case "max-frames":
			r.Shown.MaxFrames = count(s.Value)
		case "max-pixels":
			r.Shown.MaxPixels = count(s.Value)
		case "system":
			r.Shown.System = s.Value
		}
	}
}

func decimal(text string) *float64 {
	v, _ := strconv.ParseFloat(text, 64) // checked
	return &v
}

func count(text string) int {
	v, _ := strconv.Atoi(text) // checked
	return v
}
