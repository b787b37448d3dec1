package capricorn

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/bench"
	"omniscope/internal/jsonfast"
	"omniscope/internal/mediafiles"
	"omniscope/internal/ondisk"
	"omniscope/internal/rows"
	"omniscope/people"
)

// readClips reads the videos of --clips.
func (p *making) readClips(ctx context.Context, m *maker) error {
	if m.Clips == "" {
		return nil
	}
	if ondisk.IsFolder(m.Clips) {
		return p.readFolder(ctx, m)
	}
	n := 0
	err := people.ReadRows(ctx, m.Clips, func(lines *rows.File, i int, text []byte) error {
		n++
		f, err := p.clipOf(text)
		if err != nil {
			return err
		}
		f.place = lines.Place(i)
		if before := p.films[f.id]; before != nil {
			return fmt.Errorf("video %s is there already, at %s", f.id, before.place)
		}
		p.add(f)
		return nil
	})
	if err == nil && n == 0 {
		err = omniscope.Invalidf("%s: it names no videos: write a line for each, such as %s", m.Clips, clipLine)
	}
	return err
}

// clipLine is a line of a list of videos.
const clipLine = `{"video_id": "0001", "duration": 63.2, "media": "0001.mp4"}`

// first is the first field that is there. The second names are those of `omniscope curate collect`.
func first(row gjson.Result, names ...string) (v gjson.Result) {
	for _, name := range names {
		if v = row.Get(name); v.Exists() {
			return v
		}
	}
	return v
}

// clipOf reads a line of the list.
func (p *making) clipOf(text []byte) (*film, error) {
	if err := rows.CheckJSON(text); err != nil {
		return nil, err
	}
	row := gjson.ParseBytes(text)
	if !row.IsObject() {
		return nil, fmt.Errorf("is no object: write %s", clipLine)
	}
	f := &film{media: first(row, "media", "path").String()}
	if f.media == "" {
		return nil, fmt.Errorf("names no file: add the field media, as in %s", clipLine)
	}
	id := first(row, "video_id", "id")
	if !id.Exists() {
		id = gjson.ParseBytes(jsonfast.AppendRaw(nil, bench.Stem(f.media)))
	}
	if f.id = id.String(); f.id == "" || id.Type != gjson.String && id.Type != gjson.Number {
		return nil, fmt.Errorf("video_id is %s, which names no video", id.Raw)
	}
	seconds := first(row, "duration", "seconds")
	length := json.RawMessage(seconds.Raw)
	switch {
	case seconds.Type == gjson.Number && seconds.Num > 0:
	case seconds.Exists():
		return nil, fmt.Errorf("duration is %s, which is no number of seconds", seconds.Raw)
	case p.reports[f.id] != nil && p.reports[f.id].seconds > 0:
		length = number(p.reports[f.id].seconds)
	default:
		return nil, fmt.Errorf("says no duration, which the released files have: add it in seconds, as in %s", clipLine)
	}
	f.fields = []field{{"video_id", json.RawMessage(id.Raw)}, {"duration", length}}
	return f, nil
}

// readFolder takes each media file of a folder for a video.
func (p *making) readFolder(ctx context.Context, m *maker) error {
	files, _, err := mediafiles.In(m.Clips, "")
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return omniscope.NotFoundf("%s: there are no media files in this folder or below", m.Clips)
	}
	for _, file := range files {
		if err := p.addFile(ctx, m, file); err != nil {
			return err
		}
	}
	return nil
}

func (p *making) addFile(ctx context.Context, m *maker, file string) error {
	id := bench.Stem(file)
	if before := p.films[id]; before != nil {
		return omniscope.Invalidf("%s and %s are both called %s: rename one, or write a list with a video_id for each, such as %s", before.place, file, id, clipLine)
	}
	name, err := filepath.Rel(m.Clips, file)
	if err != nil {
		return err
	}
	var seconds float64
	switch {
	case m.Seconds != nil:
		if seconds, err = m.Seconds(ctx, file); err != nil {
			return err
		}
	case p.reports[id] != nil:
		seconds = p.reports[id].seconds
	}
	if seconds <= 0 {
		return omniscope.Usagef("%s: how long it is, is not known, and the released files say it: give a list in place of the folder, a line for each video, such as %s", file, clipLine)
	}
	quoted, err := json.Marshal(id)
	p.add(&film{id: id, place: file, media: filepath.ToSlash(name), fields: []field{{"video_id", quoted}, {"duration", number(seconds)}}})
	return err
}

// number writes seconds as JSON, to the millisecond.
func number(seconds float64) json.RawMessage {
	short, _ := strconv.ParseFloat(strconv.FormatFloat(seconds, 'f', 3, 64), 64) // it was written as a number
	return strconv.AppendFloat(nil, short, 'f', -1, 64)
}
