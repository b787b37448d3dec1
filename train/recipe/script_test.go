package recipe

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/internal/testing/fixture"
	"omniscope/internal/testing/need"
)

// hostile are texts that a shell or YAML would take for something else.
var hostile = []string{"Qwen/Qwen2.5-Omni-7B", "it's", `$(touch owned)`, "`touch owned`", `a"b\c`, "a b;touch owned", "&*!|>%@", "#x", "${HOME}", "ä/視", "yes", "1e5", "null", "~", "*", "a: b", "'", `\`, "{x}", "!tag", "é #x"}

// fakeSwift is a program that writes its arguments and environment to files, each value ended by a zero byte.
const fakeSwift = `#!/bin/bash
printf '%s\0' "$@" > argv
for name in ${!PROBE*} FPS FPS_MAX_FRAMES VIDEO_MAX_PIXELS USE_AUDIO_IN_VIDEO ENABLE_AUDIO_OUTPUT NPROC_PER_NODE NNODES NODE_RANK; do
  if [ -n "${!name+set}" ]; then printf '%s=%s\0' "$name" "${!name}"; fi
done > environment
`

// start runs a script under bash with fakeSwift in the place of ms-swift.
func start(t *testing.T, script string, env ...string) (args []string, environment map[string]string, err error) {
	t.Helper()
	dir := t.TempDir()
	fixture.OK(t, os.WriteFile(filepath.Join(dir, "swift"), []byte(fakeSwift), 0o755))
	cmd := exec.Command(need.Program(t, "bash"), script)
	cmd.Dir, cmd.Env = dir, append([]string{"PATH=" + dir + ":/usr/bin:/bin", "HOME=" + dir}, env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return []string{string(out)}, nil, err
	}
	if ondisk.Exists(filepath.Join(dir, "owned")) {
		t.Error("the shell ran a text of the user's")
	}
	environment = make(map[string]string)
	for line := range strings.SplitSeq(strings.TrimSuffix(read(t, dir, "environment"), "\x00"), "\x00") {
		name, value, _ := strings.Cut(line, "=")
		environment[name] = value
	}
	return strings.Split(strings.TrimSuffix(read(t, dir, "argv"), "\x00"), "\x00"), environment, nil
}

// What bash gives ms-swift is what the recipe says, and what our reader reads.
func TestScriptUnderBash(t *testing.T) {
	for _, k := range []kind{{MSSwift, 1}, {MSSwift, 2}} {
		for _, model := range hostile {
			o := options(t, k)
			o.Model = model
			written(t, o)
			script := filepath.Join(o.Out, scriptFile)
			if out, err := exec.Command(need.Program(t, "bash"), "-n", script).CombinedOutput(); err != nil {
				t.Fatalf("bash -n: %v: %s", err, out)
			}
			args, environment, err := start(t, script)
			if err != nil || args[0] != "sft" || len(args)%2 != 1 {
				t.Fatalf("%q: %v, %v", model, args, err)
			}
			got := maps.Clone(environment)
			for i := 1; i < len(args); i += 2 {
				got[args[i]] = args[i+1]
			}
			if got["--model"] != model || !maps.Equal(got, settingsIn(t, k, o.Out)) {
				t.Errorf("%q: bash has\n%q\nwe read\n%q", model, got, settingsIn(t, k, o.Out))
			}
		}
	}
}

func TestYAMLKeepsTexts(t *testing.T) {
	for _, k := range possible {
		for _, model := range hostile {
			o := options(t, k)
			o.Model = model
			written(t, o)
			values := settingsIn(t, k, o.Out)
			if got := values["model_name_or_path"] + values["model.model_path"] + values["model.pretrained_model_name_or_path"] + values["--model"]; got != model {
				t.Errorf("%s: %q was read as %q", k, model, got)
			}
			if findings, err := Check(t.Context(), o.Out, 0); err != nil || len(findings) > 0 {
				t.Errorf("%s, %q: %v, %v", k, model, findings, err)
			}
		}
	}
}

func TestScriptForManyMachines(t *testing.T) {
	o := options(t, kind{MSSwift, 1})
	o.Machines = 2
	written(t, o)
	script := filepath.Join(o.Out, scriptFile)
	if out, _, err := start(t, script); err == nil || !strings.Contains(out[0], "set it to the number of this machine") {
		t.Errorf("without NODE_RANK: %q, %v", out, err)
	}
	_, environment, err := start(t, script, "NODE_RANK=1", "MASTER_ADDR=10.0.0.1")
	if err != nil || environment["NNODES"] != "2" || environment["NODE_RANK"] != "1" {
		t.Errorf("%q, %v", environment, err)
	}
}

// Scripts that people write are read as bash reads them.
func TestHandWrittenScripts(t *testing.T) {
	for _, text := range []string{
		"swift sft --model a --fp16 true\n",
		"#!/bin/bash\nFPS=2 USE_AUDIO_IN_VIDEO=true \\\n  swift sft \\\n  --model 'a b' \\\n  --seed 1\n",
		"export FPS=2 NPROC_PER_NODE=8\nMODEL=/data/model\nswift sft --model $MODEL --output_dir \"${MODEL}/out\" > log 2>&1\n",
		"set -e\nmkdir -p out; cd . && NNODES=2 exec swift sft --model=a --seed=3 2>&1 | cat\n",
		"ARGS=(--model a)\nARGS+=(--seed 4 # why\n  --strict true)\nFPS=3\nexport FPS\nnohup env NNODES=1 swift sft ${ARGS[@]} --packing false\n",
		"D=\"a\\\"b\"\nswift sft --model \"$D\" --system 'x y'\"z\"\n",
		"ROOT=/x; MODEL=$ROOT/m\nswift sft --model $MODEL # end\n",
		"FPS=9\nswift sft --model a\n", // not exported
		"time swift sft --model \"a\\b\" --system a\\b\n",
		"A=(x 'y z')\nB=\"${A[@]}\"\nC=\nswift sft --model \"$B\" --system \"$C\"\n",
		"export FPS=1\nexport FPS+=2\ntrue || cd / ; swift sft --model a &> log\n",
	} {
		script := filepath.Join(t.TempDir(), "x.sh")
		fixture.OK(t, os.WriteFile(script, []byte(text), 0o644))
		args, environment, err := start(t, script)
		if err != nil {
			t.Fatalf("%s: %v %v", text, args, err)
		}
		s, err := readScript("x.sh", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got := []string{"sft"}
		for _, f := range s.args {
			if strings.Contains(text, f.name+"=") {
				got = append(got, f.name+"="+f.value)
			} else {
				got = append(got, f.name, f.value)
			}
		}
		ours := make(map[string]string)
		for _, f := range s.environment {
			ours[f.name] = f.value
		}
		delete(environment, "")
		if strings.Join(got, "|") != strings.Join(args, "|") || !maps.Equal(ours, environment) {
			t.Errorf("%s\nbash has %q %q\nwe read  %q %q", text, args, environment, got, ours)
		}
	}
}

func TestUnreadableScripts(t *testing.T) {
	for _, c := range []struct{ text, says string }{
		{"", "starts `swift sft` 0 times"},
		{"swift sft --model a\nswift sft --model b\n", "2 times"},
		{"swift infer --model a\n", `x.sh:1: "swift infer --model a" cannot be read`},
		{"\nM=$(cat model)\nswift sft --model $M\n", `x.sh:2: "$(cat model)" cannot be read: write the value itself`},
		{"swift sft --model `cat model`\n", "x.sh:1: \"`cat model`\" cannot be read"},
		{"source env.sh\nswift sft --model a\n", `x.sh:1: "source" cannot be read`},
		{"if true; then\nswift sft --model a\nfi\n", `x.sh:1: "if" cannot be read`},
		{"(cd x; swift sft --model a)\n", "subshell"},
		{"swift sft --model 'a\n", `x.sh:1: "swift sft --model 'a" cannot be read: reached EOF without closing quote`},
		{"swift sft --model \"a\n\n", `x.sh:1: "swift sft --model \"a" cannot be read: reached EOF without closing quote`},
		{"swift sft --model ${a\n", "x.sh:1: \"swift sft --model ${a\" cannot be read: not a valid parameter expansion"},
		{"swift sft a --model b\n", `x.sh:1: "a" cannot be read: it belongs to no argument`},
		{"swift sft --model a \"$@\"\n", "is put in from outside"},
		{"args=(--model a\nswift sft \"${args[@]}\"\n", "x.sh:1: \"args=(--model a\" cannot be read: reached EOF without matching `(`"},
		{"swift sft \\\r\n --model a\r\n", "line ends of Windows"},
		{"A=x\n" + strings.Repeat("A=$A$A\n", 64) + "swift sft --model $A\n", "more text than settings have"},
		{"A=(x x)\n" + strings.Repeat("A=(${A[@]} ${A[@]})\n", 64) + "swift sft --model $A\n", "more text than settings have"},
		{"cat <<< x\n", "write the settings as plain lines"},
		{"swift sft --model a > $(date).log\n", `"$(date)" cannot be read`},
		{"{ swift sft --model a; }\n", `x.sh:1: "{" cannot be read`},
		{"f() { swift sft --model a; }\n", `x.sh:1: "f()" cannot be read`},
		{"[[ -e x ]] && swift sft --model a\n", `x.sh:1: "[[" cannot be read`},
		{"a[1]=x\nswift sft --model a\n", "write arrays as NAME=(...)"},
		{"export A=(x)\nswift sft --model a\n", "only NAME=VALUE can be exported"},
		{"cat <<EOF\nswift sft --model a\nEOF\n", "cannot be read"},
	} {
		_, err := readScript("x.sh", []byte(c.text))
		if omniscope.KindOf(err) != omniscope.Invalid || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, want %q", c.text, err, c.says)
		}
	}
}

func FuzzReadScript(f *testing.F) {
	f.Add([]byte("export A='x' B=\"$C\"\nargs=(--model a # b\n)\nexec swift sft \"${args[@]}\" > log 2>&1 | cat\n"))
	f.Add([]byte("a+=(b\\\nc) ${d[@]} ${e:?f} $g `h` $(i) & ; || <<j"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := readScript("x", text); err != nil && omniscope.KindOf(err) != omniscope.Invalid {
			t.Errorf("%v", err)
		}
	})
}
