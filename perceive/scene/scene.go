// Package scene measures the picture: where it cuts, fades, flashes and goes
// black, how bright it is and in which colours, whether it moves as a whole,
// and whether bars frame it. It knows nothing of what is shown; persons and
// things are for others to name.
package scene

import (
	"context"
	"fmt"
	"slices"

	"omniscope"
	"omniscope/media"
	"omniscope/perceive"
)

// rules changes when the same pictures would be reported differently.
var rules = fmt.Sprintf("3, cuts %d", media.CutRules)

// A Tool measures pictures. It is safe for concurrent use.
type Tool struct{}

// New makes a tool.
func New() *Tool { return &Tool{} }

// Info describes the tool.
func (*Tool) Info() perceive.Info {
	return perceive.Info{
		Name:     "scene",
		Looks:    true,
		Version:  rules,
		About:    "Measures the picture: cuts and shots, fades, flashes, black and nearly still spans, bars, brightness, dominant colours, motion of the picture as a whole. Does not know what is shown.",
		Modality: omniscope.Visual,
	}
}

// Check finds nothing missing: the clip is already open when the tool looks.
func (*Tool) Check(ctx context.Context) error { return media.CheckPrograms(ctx) }

// Observe measures a clip. The question is without effect.
func (*Tool) Observe(ctx context.Context, c *perceive.Clip, _ string) (*perceive.Answer, error) {
	look, err := c.Look(ctx)
	if err != nil {
		return nil, err
	}
	if look.Video == nil || len(look.Video.Moments) == 0 {
		return perceive.NewAnswer(false, perceive.Observation{Kind: perceive.Absence, What: "The clip has no picture.", Sure: 1}), nil
	}
	pictures, broken, err := thumbnails(ctx, look.Frames)
	if err != nil {
		return nil, err
	}
	list := observe(look.Video, pictures)
	a := perceive.NewAnswer(false, list...)
	a.Frames = look.Plan
	if !slices.ContainsFunc(list, moves) {
		a.Text += "\nWhether the camera moves could not be measured."
	}
	if broken > 0 {
		a.Warnings = append(a.Warnings, "some frames could not be opened: colours, bars and motion rest on the others")
	}
	return a, nil
}

// observe puts together what is measured, the whole clip first.
func observe(s *media.VideoSurvey, pictures []*picture) (list []perceive.Observation) {
	bars := letterbox(pictures)
	for _, p := range pictures {
		p.crop(bars)
	}
	shots := shotsOf(s)
	soft := dissolves(s, pictures)
	list = append(list, counted(s, shots, len(soft), pictures))
	list = append(list, bars.observations()...)
	list = append(list, brightness(s, shots, soft)...)
	list = append(list, colours(s, shots, pictures, bars)...)
	list = append(list, cuts(s)...)
	list = append(list, soft...)
	list = append(list, flashes(s)...)
	list = append(list, blacks(s)...)
	list = append(list, stills(s, pictures)...)
	return append(list, motions(s, shots, pictures)...)
}
