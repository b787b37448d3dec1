package ref_test

import (
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
	"omniscope/model/ref"
)

// read are references with what they hold: the model, then each setting as KEY=VALUE, as FORM says.
var read = map[string][]string{
	"openai/gpt-4o-2024-11-20":                      {"openai/gpt-4o-2024-11-20"},
	" openai/gpt-4o ":                               {"openai/gpt-4o"},
	"vllm/Qwen/Qwen3-Omni-30B-A3B-Instruct":         {"vllm/Qwen/Qwen3-Omni-30B-A3B-Instruct"},
	"ollama/qwen3:30b":                              {"ollama/qwen3:30b"},
	"openrouter/google/gemini-2.5-pro:free":         {"openrouter/google/gemini-2.5-pro:free"},
	"vllm/org/model@rev-1":                          {"vllm/org/model@rev-1"},
	"vllm/a,b":                                      {"vllm/a,b"},
	"vllm/a,b,c=d":                                  {"vllm/a,b", "c=d"},
	"vllm/a,B=c":                                    {"vllm/a,B=c"},
	"vllm/a,b c=d":                                  {"vllm/a,b c=d"},
	"vllm/a,9=c":                                    {"vllm/a,9=c"},
	"vllm/a=b":                                      {"vllm/a=b"},
	"scripted/judge.json":                           {"scripted/judge.json"},
	"scripted//tmp/a b.json":                        {"scripted//tmp/a b.json"},
	`scripted/C:\judges\a.json`:                     {`scripted/C:\judges\a.json`},
	"people/rating":                                 {"people/rating"},
	"offline":                                       {"offline"},
	"judge":                                         {"judge"},
	"judge,temperature=0":                           {"judge", "temperature=0"},
	"qwen-3.5_omni":                                 {"qwen-3.5_omni"},
	"vllm/m,temperature=0.7":                        {"vllm/m", "temperature=0.7"},
	"vllm/m, temperature=0.7":                       {"vllm/m", "temperature=0.7"},
	"vllm/m,temperature= 0.7 ":                      {"vllm/m", "temperature=0.7"},
	"vllm/m,top-p=0.9,seed=7":                       {"vllm/m", "top-p=0.9", "seed=7"},
	"vllm/m,seed=-1":                                {"vllm/m", "seed=-1"},
	"vllm/m,base-url=http://node7:8000/v1":          {"vllm/m", "base-url=http://node7:8000/v1"},
	"vllm/m,base-url=http://[::1]:8000/v1":          {"vllm/m", "base-url=http://[::1]:8000/v1"},
	"vllm/m,base-url=http://h/v1?a=1&b=2":           {"vllm/m", "base-url=http://h/v1?a=1&b=2"},
	"vllm/m,base-url=http://h/v1?x=1,2,fps=2":       {"vllm/m", "base-url=http://h/v1?x=1,2", "fps=2"},
	`vllm/m,base-url="http://h/v1?x=1,y=2",fps=2`:   {"vllm/m", `base-url="http://h/v1?x=1,y=2`, "fps=2"},
	"vllm/m,base-url=http://user:p,w@h/v1":          {"vllm/m", "base-url=http://user:p,w@h/v1"},
	"vllm/m,base-url=http://a/v1,base-url=http://b": {"vllm/m", "base-url=http://a/v1", "base-url=http://b"},
	"vllm/m,id=cluster,base-url=http://a":           {"vllm/m", "id=cluster", "base-url=http://a"},
	"vllm/m,fps=2,max-frames=64":                    {"vllm/m", "fps=2", "max-frames=64"},
	"vllm/m,prompt=Describe, then count.":           {"vllm/m", "prompt=Describe, then count."},
	"vllm/m,prompt=Say x=1,y":                       {"vllm/m", "prompt=Say x=1,y"},
	`vllm/m,prompt="a,fps=2"`:                       {"vllm/m", `prompt="a,fps=2`},
	`vllm/m,prompt="say \"hello\""`:                 {"vllm/m", `prompt="say "hello"`},
	`vllm/m,prompt=say "hello"`:                     {"vllm/m", `prompt=say "hello"`},
	`vllm/m,stop="\n",stop=END`:                     {"vllm/m", "stop=\"\n", "stop=END"},
	`vllm/m,system=""`:                              {"vllm/m", `system="`},
	"vllm/m,extra.top_k=1":                          {"vllm/m", "extra.top_k=1"},
	"vllm/m,extra.topK=1":                           {"vllm/m", "extra.topK=1"},
	"vllm/m,extra.mode=fast":                        {"vllm/m", "extra.mode=fast"},
	`vllm/m,extra.user="7"`:                         {"vllm/m", `extra.user="7`},
	`vllm/m,extra.k={"a": [1, {"b": "},fps=9"}]}`:   {"vllm/m", `extra.k:{"a": [1, {"b": "},fps=9"}]}`},
	`vllm/m,extra.k={"a":1},fps=2`:                  {"vllm/m", `extra.k:{"a":1}`, "fps=2"},
	`vllm/m,extra.k={"a":1} ,fps=2`:                 {"vllm/m", `extra.k:{"a":1}`, "fps=2"},
	`vllm/m,extra.k=[1,2,3],fps=2`:                  {"vllm/m", `extra.k:[1,2,3]`, "fps=2"},
	"vllm/m,extra.a.b=1":                            {"vllm/m", "extra.a.b=1"},
	"openai/m,header.X-Team=env:TEAM":               {"openai/m", "header.X-Team=env:TEAM"},
	"openai/m,header.x-route!=env:ROUTE,fps=1":      {"openai/m", "header.x-route!=env:ROUTE", "fps=1"},
	"openai/m,query.api-version=env:V":              {"openai/m", "query.api-version=env:V"},
	"openai/m,key-env=NODE7_KEY":                    {"openai/m", "key-env=NODE7_KEY"},
	"openai/m,timeout=90s,concurrency=4,rpm=60":     {"openai/m", "timeout=90s", "concurrency=4", "rpm=60"},
	"azure/deploy-ment,price-in=2.5,price-out=10":   {"azure/deploy-ment", "price-in=2.5", "price-out=10"},
	"@judge.yaml":                                   {"file:judge.yaml"},
	"file:judge.yaml":                               {"file:judge.yaml"},
	`file:C:\a,b\judge.yaml`:                        {`file:C:\a,b\judge.yaml`},
	"@judge.yaml,temperature=0":                     {"file:judge.yaml", "temperature=0"},
	"vllm/Modell-für-Ton,profile=own/qwen.yaml":     {"vllm/Modell-für-Ton", "profile=own/qwen.yaml"},
	"vllm/m,longer=parts,send=video,modality=audio": {"vllm/m", "longer=parts", "send=video", "modality=audio"},
}

// parts lists the parts of a reference.
func parts(r ref.Ref) (all []string) {
	all = append(all, r.Model)
	if r.File != "" {
		all[0] = "file:" + r.File
	}
	for _, s := range r.Settings {
		mark := map[bool]string{true: "!"}[s.Marks]
		all = append(all, s.Key+mark+map[ref.Form]string{ref.Plain: "=", ref.Quoted: `="`, ref.JSON: ":"}[s.Form]+s.Value)
	}
	return all
}

func TestParse(t *testing.T) {
	if len(read) < 60 {
		t.Errorf("%d references, want at least 60", len(read))
	}
	for text, want := range read {
		r, err := ref.Parse(text)
		if err != nil || !slices.Equal(parts(r), want) {
			t.Errorf("%s: %q, %v, want %q", text, parts(r), err, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, why := range map[string]string{
		"":                            "names no model",
		"/m":                          "names no model",
		"fps=2":                       "begins with a setting",
		"vllm/m,":                     "ends with a comma",
		"vllm/m,fps=":                 "fps= has no value",
		"vllm/m,fps=2,fps=3":          "fps is given twice",
		"vllm/m,extra.k={a:1}":        "PowerShell",
		`vllm/m,extra.k={"a":1`:       "is not JSON",
		`vllm/m,prompt="a`:            "is not JSON",
		`vllm/m,extra.k={"a":1}x`:     "follows the JSON value",
		`vllm/m,extra.k=[1],Fps=2`:    "follows the JSON value",
		"@":                           "names no file",
		"file:":                       "names no file",
		"vllm/m\nfps=2":               "control characters",
		"vllm/m,base-url=a,id=1,id=2": "id is given twice",
	} {
		if r, err := ref.Parse(text); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v, %v, want %q", text, r, err, why)
		}
	}
}

func TestParseHidesSecrets(t *testing.T) {
	for _, text := range []string{`vllm/m,base-url="http://user:hunter2@h/v1?key=hunter2`, "vllm/m,base-url=http://user:hunter2@h/v1?key=hunter2,id=1,id=2", "fps=http://user:hunter2@h", "http://user:hunter2@h/v1?key=hunter2,"} {
		if _, err := ref.Parse(text); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestCheckSettings(t *testing.T) {
	for text, why := range map[string]string{
		"vllm/m,temprature=1":                "did you mean temperature",
		"vllm/m,api-base=http://h":           "write base-url=",
		"vllm/m,max_new_tokens=7":            "",
		"vllm/m,max-new-tokens=7":            "write max-tokens=",
		"vllm/m,temperature=hot":             "temperature is a number from 0 to 100, not",
		"vllm/m,temperature=NaN":             "temperature is a number",
		"vllm/m,top-p=2":                     "top-p is a number from 0 to 1",
		"vllm/m,max-tokens=-1":               "max-tokens is a whole number",
		"vllm/m,max-frames=0":                "max-frames is a whole number from 1",
		"vllm/m,seed=1.5":                    "seed is a whole number",
		"vllm/m,timeout=90":                  "a time with its unit",
		"vllm/m,send=pictures":               "send is frames or video",
		"vllm/m,schema=yes":                  "schema is true or false",
		`vllm/m,fps={"a":1}`:                 "fps is NUMBER, not JSON",
		"vllm/m,fps!=2":                      "only headers and query values",
		"vllm/m,key-env=sk-abc123":           "key-env is the name of an environment variable",
		"vllm/m,header.x-a=secret-value-7":   "header.x-a is env:VARIABLE",
		"vllm/m,fps=2,extra.k=1,header.a=7x": "header.a is env:VARIABLE",
	} {
		r, err := ref.Parse(text)
		fixture.OK(t, err)
		err = r.Check("--model", true)
		if why == "" {
			continue // an underscore begins no setting: it is part of the name
		}
		if omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, want %q", text, err, why)
		}
		if strings.Contains(err.Error(), "abc123") || strings.Contains(err.Error(), "secret-value") {
			t.Errorf("%s: a secret is in %v", text, err)
		}
	}
	r, err := ref.Parse("openai/m,fps=2")
	fixture.OK(t, err)
	if err := r.Check("--judge", false); err == nil || !strings.Contains(err.Error(), "reads text only") {
		t.Errorf("a judge with frames: %v", err)
	}
}

func TestStringParsesBack(t *testing.T) {
	for text := range read {
		r, err := ref.Parse(text)
		fixture.OK(t, err)
		again, err := ref.Parse(r.String())
		if err != nil || !slices.Equal(parts(again), parts(r)) {
			t.Errorf("%s is written %s: %q, %v", text, r, parts(again), err)
		}
	}
}

func TestRawValues(t *testing.T) {
	for text, want := range map[string]string{
		"vllm/m,extra.k=1": "1", "vllm/m,extra.k=true": "true", "vllm/m,extra.k=null": "null", "vllm/m,extra.k=fast": `"fast"`,
		`vllm/m,extra.k="1"`: `"1"`, `vllm/m,extra.k={"a":1}`: `{"a":1}`, "vllm/m,extra.k=1e400x": `"1e400x"`,
	} {
		r, err := ref.Parse(text)
		fixture.OK(t, err)
		if got := string(r.Settings[0].Raw()); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestWithReplacesSettings(t *testing.T) {
	r, err := ref.Parse("vllm/m,fps=1,seed=2")
	fixture.OK(t, err)
	if got := r.With(ref.Setting{Key: "fps", Value: "4"}).String(); got != "vllm/m,seed=2,fps=4" {
		t.Error(got)
	}
}

func TestParseYAML(t *testing.T) {
	r, err := ref.ParseYAML([]byte(`model: vllm/Qwen/Qwen3-Omni,temperature=1
base-url: [http://a:8000/v1, http://b:8000/v1]
fps: 2
temperature: 0.5
extra: {top_k: 1, user: "7", chat_template_kwargs: {enable_thinking: false}}
header: {x-route!: env:ROUTE}
`))
	fixture.OK(t, err)
	want := `vllm/Qwen/Qwen3-Omni,base-url=http://a:8000/v1,base-url=http://b:8000/v1,fps=2,temperature=0.5,extra.chat_template_kwargs={"enable_thinking":false},extra.top_k=1,extra.user="7",header.x-route!=env:ROUTE`
	if got := r.String(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for text, why := range map[string]string{
		"fps: 2":                     "model is missing",
		"model: 7":                   "model is PROVIDER/NAME",
		"model: vllm/m\nfps: [1, 2]": "fps is one value, not a list",
		"model: vllm/m\nfps: {a: 1}": "fps is one value, not a mapping",
		"model: vllm/m\nfps:":        "fps has no value",
		"model: /m":                  "names no model",
		"model: [":                   "",
	} {
		if r, err := ref.ParseYAML([]byte(text)); omniscope.KindOf(err) != omniscope.Usage || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v, %v, want %q", text, r, err, why)
		}
	}
}

// FuzzParse: nothing panics, and what is read is written so that the same is read again.
func FuzzParse(f *testing.F) {
	for text := range read {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ref.Parse(text)
		if err != nil {
			return
		}
		_ = r.Check("--model", true)
		again, err := ref.Parse(r.String())
		if err != nil || !slices.Equal(parts(again), parts(r)) {
			t.Errorf("%q is written %q: %q, %v, want %q", text, r.String(), parts(again), err, parts(r))
		}
	})
}
