package capricorn

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"omniscope"
	"omniscope/internal/quantity"
	"omniscope/people"
)

// writeAnnotations writes the videos that the lead has finished, in the order of the project.
func writeAnnotations(ctx context.Context, w *people.Workplace, to io.Writer) error {
	return eachFinal(ctx, w, func(f *final) error {
		return f.write(to, func(*point) bool { return true })
	})
}

// writeVision writes the videos of which it is settled what can be seen.
func writeVision(ctx context.Context, w *people.Workplace, to io.Writer) error {
	return eachFinal(ctx, w, func(f *final) error {
		if !f.visionDone() {
			return nil
		}
		return f.write(to, func(p *point) bool { return seen(p.key, f.votes, f.settled) })
	})
}

// unfinishedVideos reports the number of videos that the lead has not finished.
func unfinishedVideos(ctx context.Context, w *people.Workplace) (string, error) {
	n := 0
	err := eachFinal(ctx, w, func(*final) error { n++; return nil })
	return lacks(w, n, "the lead has not finished them"), err
}

// unseenVideos says of how many it is not settled what can be seen.
func unseenVideos(ctx context.Context, w *people.Workplace) (string, error) {
	n := 0
	err := eachFinal(ctx, w, func(f *final) error { n += quantity.If(f.visionDone()); return nil })
	return lacks(w, n, "it is not settled what can be seen in them"), err
}

func lacks(w *people.Workplace, there int, why string) string {
	all := len(w.Items())
	if there == all {
		return ""
	}
	return fmt.Sprintf("%d of %s left out, since %s", all-there, quantity.Of(all, "video is", "videos are"), why)
}

// A final is a video whose keypoints are final.
type final struct {
	item           *people.Item
	video          *video
	task           people.TaskID // the lead's
	points         []point
	votes, settled []people.Done // on what can be seen
	wanted         int           // votes
}

// visionDone reports whether nothing is open: enough people said what can be seen, and somebody
// settled what they differ on.
func (f *final) visionDone() bool {
	return len(f.votes) > 0 && len(f.votes) >= f.wanted && (len(f.settled) > 0 || len(disputedVision(f.votes)) == 0)
}

// eachFinal reads the videos that the lead has finished. The others are left out; if there is
// none, that is an error, as a file without videos would be of no use.
func eachFinal(ctx context.Context, w *people.Workplace, do func(f *final) error) error {
	project, n := w.Project(), 0
	err := people.EachDone(ctx, w, videoOf, func(item *people.Item, v *video, done map[string][]people.Done) error {
		n++
		lead := done[consolidateStage]
		f := &final{item: item, video: v, task: lead[0].TaskID, points: finalPoints(lead), votes: done[visionStage], settled: done[visionSettle], wanted: project.Stage(visionStage).People}
		if n, ok := item.People[visionStage]; ok {
			f.wanted = n
		}
		return do(f)
	}, consolidateStage, visionStage, visionSettle)
	if err == nil && n == 0 {
		err = omniscope.Usagef("no video is finished yet: a lead has to do the stage %q first", project.Stage(consolidateStage).Title)
	}
	return err
}

// write writes a line of an official file, with those keypoints that are wanted.
func (f *final) write(to io.Writer, wanted func(*point) bool) error {
	line := object{}
	for _, field := range f.video.Fields {
		if err := line.add(field.Name, field.Value); err != nil {
			return err
		}
	}
	events := object{}
	for _, class := range classes {
		texts := []string{}
		for i := range f.points {
			if p := &f.points[i]; p.class == class.Value && wanted(p) {
				texts = append(texts, p.text)
			}
		}
		if err := events.add(class.Value, texts); err != nil {
			return err
		}
	}
	line.addText("events", events.close())
	_, err := to.Write(append(line.close(), '\n'))
	return err
}

// An object is JSON that is being written, with its fields in the order in which they come.
type object struct{ text []byte }

func (o *object) add(name string, value any) error {
	text, err := plainJSON(value)
	o.addText(name, text)
	return err
}

func (o *object) addText(name string, text []byte) {
	key, _ := plainJSON(name) // a text always has a JSON
	if len(o.text) > 0 {
		o.text = append(o.text, ',')
	}
	o.text = append(append(append(o.text, key...), ':'), text...)
}

func (o *object) close() []byte { return append(append([]byte{'{'}, o.text...), '}') }

// plainJSON writes a value with < and > as they are: subjects stand between them. JSON that was
// read is written anew in the same way, with its numbers digit by digit.
func plainJSON(value any) ([]byte, error) {
	if raw, ok := value.(json.RawMessage); ok {
		in := json.NewDecoder(bytes.NewReader(raw))
		in.UseNumber()
		value = nil
		if err := in.Decode(&value); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	out := people.Lines(&b)
	err := out.Encode(value)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
