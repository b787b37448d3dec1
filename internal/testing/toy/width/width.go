// Package width is a tool for tests: it tells how wide the picture is.
package width

import (
	"context"
	"fmt"

	"omniscope"
	"omniscope/perceive"
)

// Tool is the tool.
type Tool struct{}

// Info implements perceive.Tool.
func (Tool) Info() perceive.Info {
	return perceive.Info{Name: "width", Version: "1", About: "how wide the picture is", Modality: omniscope.Visual}
}

// Check implements perceive.Tool.
func (Tool) Check(context.Context) error { return nil }

// Observe implements perceive.Tool.
func (Tool) Observe(_ context.Context, c *perceive.Clip, _ string) (*perceive.Answer, error) {
	text := "There is no picture."
	if v := c.File.Video; v != nil {
		text = fmt.Sprintf("The picture is %d pixels wide.", v.Width)
	}
	return &perceive.Answer{Text: text, Observations: []perceive.Observation{{Kind: perceive.Scene, What: text, Sure: 1}}}, nil
}
