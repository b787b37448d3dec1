package caption

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"omniscope/session"
	"omniscope/session/production"
	"omniscope/session/tools"
)

// A listForecast says what a list would take at most, without asking anything.
type listForecast struct {
	Rows     int      `json:"rows"`
	Passes   []string `json:"passes"`
	Remote   int      `json:"remote"`  // rows that have to be fetched
	Missing  int      `json:"missing"` // files that are not there
	Captions int      `json:"captions"`
	Done     int      `json:"done"` // of those captions

	// Calls of models at most, with every asking again: each inquiry asks the detective and
	// one observer, a claim to confirm another one, and each caption is asked for once.
	Calls int `json:"calls_at_most"`
	// Transcribes says that transcriptions come besides: a call for each stretch of speech.
	Transcribes bool `json:"transcribes,omitempty"`
}

// ForecastList reads what is there of a list's captions and counts.
func ForecastList(s *Spec, o *ListOptions) (*listForecast, error) {
	o.Ready(session.ClipCalls())
	s.complete()
	flags, err := s.flags()
	if err != nil {
		return nil, err
	}
	o.Out = cmp.Or(o.Out, s.listOut(o.Calls, o.List, flags))
	folders := 1 + len(s.ConcludeAt) // of captions, for each pass
	f := &listForecast{Rows: len(o.List.Rows), Passes: s.Passes, Captions: len(o.List.Rows) * len(s.Passes) * folders}
	f.Missing, _ = o.List.Missing()
	for i := range o.List.Rows {
		if o.List.Rows[i].Remote() {
			f.Remote++
		}
	}
	left := len(o.List.Rows) * len(s.Passes) // investigations
	if _, err := os.Stat(o.Out); err == nil {
		if f.Done, left, err = captionsThere(o, s, flags); err != nil {
			return nil, err
		}
	}
	role := (&tools.Roles{Roles: s.Roles}).Role(session.Detective, s.Detective, nil)
	perClip := 0
	if s.Detective != session.Offline {
		perClip = (s.Inquiries + 1 + len(s.ConcludeAt)) * max(role.Attempts, 1)
	}
	if len(s.Observers) > 0 {
		perClip += s.Inquiries + 2*s.Confirm*folders
	}
	f.Calls, f.Transcribes = left*perClip, s.ASR != "" && left > 0
	return f, nil
}

// captionsThere counts the captions that are there, and the investigations of which some are not.
func captionsThere(o *ListOptions, s *Spec, flags string) (there, left int, err error) {
	passes := passesOf(s)
	var folders []string
	for i := range passes {
		folders = append(folders, passes[i].folders()...)
	}
	out, err := production.ReadOutput(o.Out, o.List, folders, flags, o.Force)
	if err != nil {
		return 0, 0, err
	}
	for _, folder := range folders {
		there += out.Count(folder)
	}
	for row := range o.List.Rows {
		for i := range passes {
			if slices.ContainsFunc(passes[i].folders(), func(folder string) bool { return !out.Done(row, folder) }) {
				left++
			}
		}
	}
	return there, left, nil
}

// Text is the forecast in words.
func (f *listForecast) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d clips, passes %s: %d captions, %d of them there already\n", f.Rows, strings.Join(f.Passes, ", "), f.Captions, f.Done)
	if f.Remote > 0 {
		fmt.Fprintf(&b, "%d files have to be fetched\n", f.Remote)
	}
	if f.Missing > 0 {
		fmt.Fprintf(&b, "%d files are not there\n", f.Missing)
	}
	fmt.Fprintf(&b, "calls of models: at most %d\n", f.Calls)
	if f.Transcribes {
		b.WriteString("besides, a transcription of each stretch of speech\n")
	}
	if f.Calls > 0 || f.Transcribes {
		b.WriteString("--pilot 20 investigates 20 of the clips and forecasts calls, tokens, dollars and hours of the rest\n")
	}
	return b.String()
}
