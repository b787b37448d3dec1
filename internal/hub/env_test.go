package hub

import (
	"os"
	"path/filepath"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

// setEnv sets the variables of the hub and unsets those not given.
func setEnv(t *testing.T, env map[string]string) (home string) {
	home = t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	for _, name := range []string{"HF_ENDPOINT", "HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_TOKEN_PATH", "HF_HOME", "XDG_CACHE_HOME",
		"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"} {
		t.Setenv(name, env[name])
	}
	return home
}

func TestEnvironmentVariables(t *testing.T) {
	t.Setenv("SCRATCH", "/scratch")
	for name, c := range map[string]struct {
		env   map[string]string
		cache string // ~ = the home folder
		off   bool
		token string
	}{
		"nothing set":                {nil, "~/.cache/huggingface/hub", false, ""},
		"XDG_CACHE_HOME":             {map[string]string{"XDG_CACHE_HOME": "/x"}, "/x/huggingface/hub", false, ""},
		"HF_HOME before it":          {map[string]string{"XDG_CACHE_HOME": "/x", "HF_HOME": "~/hf"}, "~/hf/hub", false, ""},
		"variables in it":            {map[string]string{"HF_HOME": "$SCRATCH/${NO_SUCH}hf"}, "/scratch/$NO_SUCHhf/hub", false, ""},
		"the old name of the cache":  {map[string]string{"HUGGINGFACE_HUB_CACHE": "/old", "HF_HOME": "/h"}, "/old", false, ""},
		"HF_HUB_CACHE before all":    {map[string]string{"HF_HUB_CACHE": "/new", "HUGGINGFACE_HUB_CACHE": "/old"}, "/new", false, ""},
		"offline":                    {map[string]string{"HF_HUB_OFFLINE": "1"}, "~/.cache/huggingface/hub", true, ""},
		"offline, said otherwise":    {map[string]string{"TRANSFORMERS_OFFLINE": "yes"}, "~/.cache/huggingface/hub", true, ""},
		"not offline":                {map[string]string{"HF_HUB_OFFLINE": "0"}, "~/.cache/huggingface/hub", false, ""},
		"a token":                    {map[string]string{"HF_TOKEN": secret, "HUGGING_FACE_HUB_TOKEN": "other"}, "~/.cache/huggingface/hub", false, secret},
		"a token under its old name": {map[string]string{"HUGGING_FACE_HUB_TOKEN": secret + "\n"}, "~/.cache/huggingface/hub", false, secret},
	} {
		t.Run(name, func(t *testing.T) {
			home := setEnv(t, c.env)
			got, err := FromEnv()
			fixture.OK(t, err)
			if c.cache[0] == '~' {
				c.cache = home + c.cache[1:]
			}
			if filepath.ToSlash(got.Cache) != filepath.ToSlash(c.cache) || got.Offline != c.off || got.Token.Reveal() != c.token {
				t.Errorf("cache %s, offline %v, token %q; want %+v", got.Cache, got.Offline, got.Token.Reveal(), c)
			}
		})
	}
}

func TestTokensInFiles(t *testing.T) {
	home := setEnv(t, nil)
	write := func(path, text string) {
		t.Helper()
		fixture.OK(t, os.MkdirAll(filepath.Dir(path), 0o700))
		fixture.OK(t, os.WriteFile(path, []byte(text), 0o600))
	}
	token := func(want string) {
		t.Helper()
		if c, err := FromEnv(); err != nil || c.Token.Reveal() != want {
			t.Errorf("%v, %v, want %q", c, err, want)
		}
	}
	write(filepath.Join(home, ".cache", "huggingface", "token"), secret+"\n")
	token(secret)
	write(filepath.Join(home, "elsewhere"), secret+"2")
	t.Setenv("HF_TOKEN_PATH", "~/elsewhere")
	token(secret + "2")
	t.Setenv("HF_TOKEN_PATH", "~/nowhere")
	token("")
	t.Setenv("HF_TOKEN_PATH", home) // a folder
	_, err := FromEnv()
	mustFail(t, err, omniscope.Usage, "set HF_TOKEN")
	t.Setenv("HF_TOKEN", secret+"\n"+secret)
	_, err = FromEnv()
	mustFail(t, err, omniscope.Usage, "the access token in HF_TOKEN")
}

func TestInvalidEnvironment(t *testing.T) {
	setEnv(t, map[string]string{"HF_ENDPOINT": "me:hunter2@mirror"})
	_, err := FromEnv()
	mustFail(t, err, omniscope.Usage, "HF_ENDPOINT is not an address")
	setEnv(t, nil)
	t.Setenv("HOME", "")
	t.Setenv("USERPROFILE", "")
	_, err = FromEnv()
	mustFail(t, err, omniscope.Usage, "set HF_HOME")
}
