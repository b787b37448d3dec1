package production

import (
	"context"
	"strings"

	"github.com/tidwall/gjson"

	"omniscope"
	"omniscope/media"
)

// Check makes sure that the stretch of a row lies within its file.
func (r *Row) Check(f *media.File) error {
	end := f.End()
	if end == 0 {
		return nil // how long it is nobody knows
	}
	// A list's times are often rounded up.
	const slack = 0.5
	switch {
	case r.Span.Start >= end:
		return omniscope.Invalidf("its stretch begins at %.2f s, and the file ends at %.2f s", r.Span.Start.Seconds(), end.Seconds())
	case r.Span.End.Seconds() > end.Seconds()+slack:
		return omniscope.Invalidf("its stretch ends at %.2f s, and the file at %.2f s", r.Span.End.Seconds(), end.Seconds())
	}
	return nil
}

// CheckDigest compares the file with the row's column sha256, if it has one.
func (r *Row) CheckDigest(ctx context.Context, f *media.File) error {
	text, err := r.Row.MarshalJSON()
	if err != nil {
		return err
	}
	want := gjson.GetBytes(text, "sha256").String()
	if want == "" {
		return nil
	}
	is, err := f.Digest(ctx)
	if err != nil {
		return err
	}
	if !strings.EqualFold(want, is) {
		return omniscope.Invalidf("the list says that the file's SHA-256 is %s, and it is %s: it is another file", want, is)
	}
	return nil
}
