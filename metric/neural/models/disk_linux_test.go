package models_test

import (
	"testing"

	"omniscope"
	"omniscope/internal/testing/smalldisk"
	"omniscope/metric/neural/models"
)

func TestFullDisk(t *testing.T) {
	for _, c := range []struct {
		what       string
		checkpoint bool
	}{{"while it converts", true}, {"while it copies", false}} {
		t.Run(c.what, func(t *testing.T) {
			dir := made(t, "tiny-comet", c.checkpoint)
			root := smalldisk.Mount(t, "256k").Dir
			_, err := models.Import(t.Context(), root, dir, "comet/wmt22-comet-da", models.Options{})
			mustFail(t, err, omniscope.Internal, "disk", "make room", models.RootEnv)
			if left := below(t, root); len(left) > 0 {
				t.Errorf("%q is left", left)
			}
		})
	}
}

// On another disk there can be no second name for the same bytes.
func TestLinksAcrossDisks(t *testing.T) {
	dir, root := made(t, "tiny-bert_score/en", false), smalldisk.Mount(t, "256k").Dir
	if _, err := models.Import(t.Context(), root, dir, "bert_score/en", models.Options{Link: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := models.Verify(t.Context(), root, "bert_score/en", models.Options{}); err != nil {
		t.Error(err)
	}
}
