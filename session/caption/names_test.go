package caption

import (
	"testing"

	"omniscope/session"
	"omniscope/session/tools"
)

// Runs keep the names and the manifests that earlier versions gave them: the same
// command finds what it has paid for.
func TestRunsOnClipsKeepTheirNames(t *testing.T) {
	for _, c := range []struct {
		kind     string
		prefix   string
		spec     any
		manifest string
		name     string
	}{
		{captionKind, captionKind, &Spec{Modality: "av", Detective: "offline", Inquiries: 10, Clips: []string{"/clips/a.mp4"}},
			`{"modality":"av","detective":"offline","max_inquiries":10,"clips":["/clips/a.mp4"]}`, "caption-4fc979c6dcdd"},
	} {
		d, err := session.Describe(c.kind, c.prefix, c.spec)
		if err != nil || d.Manifest != c.manifest || d.Name != c.name || d.Kind != c.kind {
			t.Errorf("%v: run %s is described by\n%s\nwant %s\n%s", err, d.Name, d.Manifest, c.name, c.manifest)
		}
	}
}

func TestRolesOfClips(t *testing.T) {
	own := &session.Role{Name: session.Observer, MaxTokens: 7}
	who := &tools.Roles{Observers: []string{"a/1", "a/2"}, ASR: "b/3", Roles: map[string]*session.Role{session.Observer: own}}
	look := who.Look(func(r *session.Role) { r.BaseURL = "http://" + r.Name })
	if len(look.Observers) != 2 || look.Observers[1].Model != "a/2" || look.Observers[1].MaxTokens != 7 || look.ASR.BaseURL != "http://asr" {
		t.Errorf("observers %+v, asr %+v", look.Observers, look.ASR)
	}
	if own.Model != "" || own.BaseURL != "" {
		t.Errorf("the Spec's role was changed to %+v", own)
	}
	if d := who.Role(session.Detective, "c/4", nil); d.Attempts != 3 || d.Temperature == nil || *d.Temperature != 0 || d.Model != "c/4" {
		t.Errorf("the detective is %+v", d)
	}
}
