package caption

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestResultText(t *testing.T) {
	r := &Result{Clips: 4, Wanted: 8, File: "out/captions.jsonl", NothingSeen: true}
	r.add("A dog barks.")
	r.add("It rains.")
	r.Fail("a.mp4: it is cut off\nand more")
	r.Fail("b.mp4: it is cut off")
	r.Fail("c.mp4: no picture")
	want := `captions  2 of 8, of 4 clips, 5 words, 2 a caption
failed    3, 2 of them: it is cut off
usage     9 calls
written   out/captions.jsonl
no model looked: nothing that was seen is named; add a model that looks with --observer vllm/NAME
next      omniscope people new captions reviews --captions out/captions.jsonl
`
	if diff := cmp.Diff(want, r.Text("9 calls")); diff != "" {
		t.Error(diff)
	}
	if got := (&Result{Clips: 1, Wanted: 1}).Text(""); got != "captions  0 of 1 clip\n" {
		t.Errorf("without captions: %q", got)
	}
}
