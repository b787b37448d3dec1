package detective

import (
	"context"
	"fmt"

	"omniscope"
	"omniscope/perceive"
	"omniscope/run"
)

// Observe puts one inquiry to a tool, outside of any investigation; its answer is remembered as that of an investigation's
// is. A tool that fails is an error, which names the outcome.
func Observe(ctx context.Context, once *run.Once, clip *perceive.Clip, tool perceive.Tool, q Inquiry) (*perceive.Answer, error) {
	q = q.fit(tool.Info())
	if err := clip.Has(q.Focus); err != nil {
		return nil, err
	}
	info, err := clipInfo(ctx, clip)
	if err != nil {
		return nil, err
	}
	said, err := callTool(ctx, once, clip, info, tool, q, fmt.Sprintf("%s/asked/%s", clipName(clip), q.Tool))
	if err != nil {
		return nil, err
	}
	if said.Outcome != omniscope.OK {
		return nil, &omniscope.Error{Kind: omniscope.Exhausted, Op: q.Tool, Err: fmt.Errorf("no answer (%s): %s", said.Outcome, said.Why)}
	}
	return &perceive.Answer{Text: said.Text, Observations: said.Observations, Warnings: said.Warnings, Frames: said.Frames, Closer: said.Closer}, nil
}
