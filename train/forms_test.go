package train

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

// TestRowsOfEachTrainer writes captions in each form, and compares with the forms that the trainers document.
func TestRowsOfEachTrainer(t *testing.T) {
	heard := Caption("1", "Rain drums on <tin>.", nil, []string{"a/1.wav"})
	both := Caption("2", "A kettle starts to whistle.", []string{"v/2.mp4"}, nil)
	apart := Caption("2", "A kettle starts to whistle.", []string{"v/2.mp4"}, []string{"v/2.wav"})
	for _, c := range []struct {
		form string
		e    *Example
		want string
	}{
		{"ms-swift", heard, `{"id":"1","messages":[{"role":"user","content":"<audio>"},{"role":"assistant","content":"Rain drums on <tin>."}],"audios":["a/1.wav"]}`},
		{"ms-swift", both, `{"id":"2","messages":[{"role":"user","content":"<video>"},{"role":"assistant","content":"A kettle starts to whistle."}],"videos":["v/2.mp4"]}`},
		{"llama-factory", apart, `{"id":"2","messages":[{"role":"user","content":"<video><audio>"},{"role":"assistant","content":"A kettle starts to whistle."}],"videos":["v/2.mp4"],"audios":["v/2.wav"]}`},
		{"veomni", both, `{"id":"2","conversations":[{"from":"human","value":"<video>"},{"from":"gpt","value":"A kettle starts to whistle."}],"videos":["v/2.mp4"]}`},
		{"automodel", heard, `{"id":"1","audio":"a/1.wav","text":"Rain drums on <tin>."}`},
	} {
		form, err := FormOf(c.form)
		fixture.OK(t, err)
		got, err := form.Write(c.e)
		if err != nil || string(got) != c.want+"\n" {
			t.Errorf("%s: %s, %v; want %s", c.form, got, err, c.want)
		}
		back, err := form.Read(got)
		if err != nil || fmt.Sprintf("%+v", back) != fmt.Sprintf("%+v", c.e) {
			t.Errorf("%s, read again: %+v, %v; want %+v", c.form, back, err, c.e)
		}
	}
}

func TestRoundsAreKept(t *testing.T) {
	line := `{"messages":[{"role":"system","content":"S"},{"role":"user","content":"<video>"},{"role":"assistant","content":"A hallway.","loss":false},{"role":"user","content":"What rings?"},{"role":"assistant","content":"A bell."}],"videos":["3.mp4"]}`
	form, _ := FormOf("ms-swift")
	e, err := form.Read([]byte(line))
	if err != nil || !e.Messages[2].NoLoss || e.Messages[4].NoLoss {
		t.Fatalf("%+v, %v", e, err)
	}
	if again, err := form.Write(e); err != nil || string(again) != line+"\n" {
		t.Errorf("%s, %v", again, err)
	}
	if videos, audios := e.Marks(); videos != 1 || audios != 0 {
		t.Errorf("%d marks of videos, %d of sounds", videos, audios)
	}
	for name, want := range map[string]string{"veomni": `no role "system"`, "automodel": "one sound and its text"} {
		form, _ := FormOf(name)
		if _, err := form.Write(e); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

func TestRowsThatAreNone(t *testing.T) {
	for form, lines := range map[string][]string{
		"ms-swift": {`{}`, `[]`, `{"messages": "x"}`, `{"messages": []}`}, "veomni": {`{}`, `{"conversations": {}}`}, "automodel": {`{"text": "x"}`, `{"audio": 1}`}, "llama-factory": {`{"conversations": []}`},
	} {
		f, err := FormOf(form)
		fixture.OK(t, err)
		for _, line := range lines {
			if e, err := f.Read([]byte(line)); err == nil {
				t.Errorf("%s: %s is read as %+v", form, line, e)
			}
		}
	}
	if _, err := FormOf("ms-swfit"); err == nil || !strings.Contains(err.Error(), "ms-swift") {
		t.Errorf("a misspelt trainer: %v", err)
	}
}

func TestDatasetInfo(t *testing.T) {
	text, err := DatasetInfo(map[string]string{"omni_av": "av.jsonl"})
	fixture.OK(t, err)
	var got, want any
	json.Unmarshal(text, &got)
	json.Unmarshal([]byte(`{"omni_av":{"file_name":"av.jsonl","formatting":"sharegpt","columns":{"messages":"messages","videos":"videos","audios":"audios"},"tags":{"role_tag":"role","content_tag":"content","user_tag":"user","assistant_tag":"assistant","system_tag":"system"}}}`), &want)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s", text)
	}
}
