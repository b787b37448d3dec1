package annotate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strconv"

	"omniscope"
	"omniscope/media/proxy"
	"omniscope/people"
	"omniscope/web"
)

// A mediaData is a clip as the scripts of a page need it.
type mediaData struct {
	Title   string `json:"title,omitempty"`
	Address string `json:"address"` // below which the page asks for the clip
	Trouble string `json:"trouble,omitempty"`
}

// mediaData are the clips of a task.
func (s *Site) mediaData(about *people.WorkItem, runs bool) []mediaData {
	files := about.Item.Media
	if about.Stage.Sound == people.NoMedia || s.Media == nil {
		return nil
	}
	out := make([]mediaData, len(files))
	for i, f := range files {
		out[i] = mediaData{Title: f.Title, Address: clipAddress(about.Stage.Name, about.Item.ID, i)}
		if made, err := s.Media.prepared(f.Clip()); err != nil {
			out[i].Trouble = clipTrouble(err, i, about.Item.ID, runs).Error()
		} else if _, err := playerOf(made, about.Stage); err != nil {
			out[i].Trouble = err.Error()
		}
	}
	return out
}

func clipAddress(stage, item string, n int) string {
	return fmt.Sprintf("/clip/%s/%s/%d/", url.PathEscape(stage), url.PathEscape(item), n)
}

// clipTrouble is the reason why a clip is not shown. File names may identify the systems, so only owners
// and leads see them.
func clipTrouble(err error, n int, item string, runs bool) error {
	if runs {
		return err
	}
	return &omniscope.Error{Kind: omniscope.KindOf(err), Err: fmt.Errorf("clip %d of %s cannot be shown: owners and leads see why at the same address", n+1, item)}
}

// A clipRequest is a request for something of a clip.
type clipRequest struct {
	id    people.TaskID
	stage *people.Stage
	n     int // which of the item's clips
	made  *proxy.Prepared
}

// clipRequest reads a request for a clip of the person's item; owners and leads may request any clip.
// Clips have numbers because their names may identify the systems.
func (s *Site) clipRequest(r *http.Request, p *people.Person) (*clipRequest, error) {
	c := &clipRequest{id: taskOf(r, p)}
	if c.stage = s.stage(c.id.Stage); c.stage == nil || s.Media == nil || c.stage.Sound == people.NoMedia {
		return nil, omniscope.NotFoundf("this stage has no clips")
	}
	if _, taken := s.Workplace.Task(c.id); !taken && !mayRun(p) {
		return nil, denied("take the item first")
	}
	files := s.Workplace.MediaOf(c.id.Item)
	var err error
	if c.n, err = strconv.Atoi(r.PathValue("n")); err != nil || c.n < 0 || c.n >= len(files) {
		return nil, omniscope.NotFoundf("%s has no clip %s", c.id.Item, cmp.Or(r.PathValue("n"), "0"))
	}
	if c.made, err = s.Media.prepared(files[c.n].Clip()); err != nil {
		return nil, clipTrouble(err, c.n, c.id.Item, mayRun(p))
	}
	return c, nil
}

func (s *Site) stage(name string) *people.Stage {
	p := s.Workplace.Project()
	return p.Stage(name)
}

// A clipInfo is what a page asks before it shows a clip.
type clipInfo struct {
	Ready   bool         `json:"ready"`
	Address string       `json:"address,omitempty"` // of the files. It names the clip by what it is: a browser never takes the files of another one from its cache
	Film    bool         `json:"film"`
	Player  string       `json:"player,omitempty"` // files, by name
	Times   string       `json:"times,omitempty"`
	Peaks   string       `json:"peaks,omitempty"`
	Shots   []proxy.Shot `json:"shots,omitempty"`
}

// clipReady reports whether a clip can be shown, and the addresses of its files.
func (s *Site) clipReady(w http.ResponseWriter, r *http.Request, p *people.Person) error {
	c, err := s.clipRequest(r, p)
	if err != nil {
		return err
	}
	info := clipInfo{}
	if made := c.made; made != nil {
		player, err := playerOf(made, c.stage)
		if err != nil {
			return err
		}
		shots, err := made.Shots()
		if err != nil {
			return err
		}
		info = clipInfo{Ready: true, Address: clipAddress(c.stage.Name, c.id.Item, c.n) + made.Tag() + "/", Film: made.Film, Player: player,
			Times: named(made, proxy.TimesFile), Peaks: named(made, proxy.PeaksFile), Shots: shots}
		if c.stage.Sound == people.Muted {
			info.Peaks = ""
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	return json.NewEncoder(w).Encode(info)
}

// playerOf is the file that people at a stage play; "" = the clip is being made ready.
func playerOf(made *proxy.Prepared, stage *people.Stage) (string, error) {
	switch {
	case made == nil:
		return "", nil
	case stage.Sound != people.Muted || made.Film && !made.Sound:
		return made.Player(), nil
	case !made.Film:
		return "", omniscope.Invalidf("the clip has no picture, and sound is not played at the stage %q", stage.Title)
	}
	return named(made, proxy.MutedFile), nil
}

// named is the name of a file that is there, "" = it is not.
func named(made *proxy.Prepared, name string) string {
	if made.Path(name) == "" {
		return ""
	}
	return name
}

// clipFile sends a file that was made of a clip, in parts where the player asks for parts. Where a
// stage is muted, nothing with sound is sent. The project notes who was sent the clip itself.
func (s *Site) clipFile(w http.ResponseWriter, r *http.Request, p *people.Person) error {
	c, err := s.clipRequest(r, p)
	if err != nil {
		return err
	}
	if c.made == nil {
		w.Header().Set("Retry-After", "2")
		return errPreparing
	}
	if r.PathValue("clip") != c.made.Tag() {
		return omniscope.NotFoundf("clip %d of %s is another file by now: load the page again", c.n+1, c.id.Item)
	}
	player, err := playerOf(c.made, c.stage)
	if err != nil {
		return err
	}
	name := r.PathValue("file")
	file := c.made.Path(name)
	sound := name == proxy.FilmFile || name == proxy.SoundFile || name == proxy.PeaksFile
	if file == "" || c.stage.Sound == people.Muted && sound && name != player {
		return omniscope.NotFoundf("this clip has no file %s", name)
	}
	w.Header().Set("Content-Type", typeOf(name))
	w.Header().Set("Cache-Control", "private, max-age=86400") // the address is this clip's alone
	if name == player {
		// Browsers ask each time, so that the server knows that this person is shown the clip, also where
		// another person used the browser before.
		w.Header().Set("Cache-Control", "private, no-cache")
		w.Header().Set("ETag", fmt.Sprintf("%q", c.made.Tag()+"/"+name))
		if r.Method == http.MethodGet {
			if err := s.Workplace.NoteShown(r.Context(), c.id, c.n, c.made.Digest); err != nil {
				return err
			}
		}
	}
	return web.SendFile(w, r, file)
}

func typeOf(name string) string {
	switch path.Ext(name) {
	case ".mp4":
		return "video/mp4"
	case ".m4a":
		return "audio/mp4"
	case ".jpg":
		return "image/jpeg"
	case ".json":
		return "application/json"
	}
	return "application/octet-stream"
}
