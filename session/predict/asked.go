package predict

import (
	"context"
	"strconv"

	"omniscope"
	"omniscope/bench/predict"
	"omniscope/session"
)

// Asked is how a role's model is asked about a benchmark ("" = clips of the user's own): by the profile that its settings name, else by
// the one made for it, with the settings that say how media are shown. modality is "" where no setting names one. made is false where
// no profile is made for the model, which is then asked by predict.DefaultProfile.
func Asked(ctx context.Context, role *session.Role, benchmark string) (p *predict.Profile, modality omniscope.Modality, made bool, err error) {
	set := predict.Settings{}
	name := ""
	for _, s := range role.Shows {
		switch s.Key {
		case "profile":
			name = s.Value
		case "modality":
			modality = omniscope.Modality(s.Value)
		case "prompt":
			set.Prompt = s.Value
		case "system":
			set.System = &s.Value
		case "longer":
			set.Longer = s.Value
		case "send":
			set.Send = predict.Form(s.Value)
		case "fps":
			set.FPS, _ = strconv.ParseFloat(s.Value, 64) // checked
		case "max-frames":
			set.Frames, _ = strconv.Atoi(s.Value)
		case "max-pixels":
			set.Pixels, _ = strconv.Atoi(s.Value)
		case "visual-tokens":
			set.Tokens, _ = strconv.Atoi(s.Value)
		}
	}
	if made = true; name != "" {
		p, err = predict.LoadProfile(ctx, name)
	} else {
		p, made, err = DefaultProfile(ctx, role.Model, benchmark)
	}
	if err == nil {
		p, err = p.With(set)
	}
	return p, modality, made, err
}
