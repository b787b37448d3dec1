package labels

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"omniscope"
)

// A config is what counts here of a labelling configuration.
type config struct {
	controls []controlTag
	media    []string // fields of a task's data with its media
	rate     string   // frames of a second, or $ and the field of a task's data that has it; "" = not said
}

// tags are the controls that are known, by their names in a configuration.
var tags = map[string]controlType{"Labels": spans, "TimelineLabels": timeline, "Choices": choices, "Rating": ratingTag, "TextArea": textArea}

// usualStars is the most of a rating that does not say.
const usualStars = 5

// readConfig reads a labelling configuration. Controls that are not known are left out.
func readConfig(path string) (c *config, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, omniscope.Usagef("--config: %v", err)
	}
	defer f.Close()
	c = &config{}
	d := xml.NewDecoder(f)
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			if start, ok := token.(xml.StartElement); ok {
				err = c.tag(start.Name.Local, attributes(start))
			}
		}
		if err != nil {
			line, _ := d.InputPos()
			return nil, omniscope.Invalidf("%s:%d: %w", path, line, err)
		}
	}
	if len(c.controls) == 0 {
		return nil, omniscope.Invalidf("%s has none of Labels, TimelineLabels, Choices, Rating and TextArea: nothing would be asked", path)
	}
	return c, nil
}

// attributes are those of a tag, by their names in small letters, as Label Studio reads them.
func attributes(start xml.StartElement) map[string]string {
	out := make(map[string]string)
	for _, a := range start.Attr {
		out[strings.ToLower(a.Name.Local)] = a.Value
	}
	return out
}

func (c *config) tag(name string, a map[string]string) error {
	switch name {
	case "Video", "Audio", "AudioPlus":
		if field, ok := strings.CutPrefix(a["value"], "$"); ok {
			c.media = append(c.media, field)
		}
		if a["framerate"] != "" {
			c.rate = a["framerate"]
		}
	case "Label", "Choice":
		if len(c.controls) > 0 && c.controls[len(c.controls)-1].Type != ratingTag {
			last := &c.controls[len(c.controls)-1]
			last.Options = append(last.Options, a["value"])
		}
	}
	kind, ok := tags[name]
	if !ok {
		return nil
	}
	control := controlTag{Name: a["name"], To: a["toname"], Type: kind, Many: a["choice"] == "multiple", PerRegion: a["perregion"] == "true"}
	if control.Name == "" || control.To == "" {
		return fmt.Errorf("<%s> has no name or no toName", name)
	}
	if kind == ratingTag {
		control.Most = usualStars
		if n, err := strconv.Atoi(a["maxrating"]); err == nil && n > 0 {
			control.Most = n
		}
	}
	c.controls = append(c.controls, control)
	return nil
}
