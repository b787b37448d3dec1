package hub

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"omniscope"
)

// FromEnv returns the Client that the environment describes to huggingface_hub:
// HF_ENDPOINT; HF_TOKEN or HUGGING_FACE_HUB_TOKEN, else the file HF_TOKEN_PATH
// or HF_HOME/token; HF_HUB_CACHE or HUGGINGFACE_HUB_CACHE, else HF_HOME/hub; HF_HOME, else
// XDG_CACHE_HOME/huggingface, else ~/.cache/huggingface; and HF_HUB_OFFLINE or
// TRANSFORMERS_OFFLINE. Errors are of kind Usage.
func FromEnv() (*Client, error) {
	c, err := fromEnv()
	if err != nil {
		return nil, &omniscope.Error{Kind: omniscope.Usage, Op: "environment", Err: err}
	}
	return c, nil
}

func fromEnv() (*Client, error) {
	c := &Client{Endpoint: os.Getenv("HF_ENDPOINT"), Offline: isOn(firstOf("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"))}
	if _, err := parseEndpoint(c.Endpoint); err != nil {
		return nil, err
	}
	home, err := homeFolder()
	if err != nil {
		return nil, err
	}
	if c.Cache = expand(firstOf("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE")); c.Cache == "" {
		c.Cache = filepath.Join(home, "hub")
	}
	c.Token, err = findToken(home)
	return c, err
}

func homeFolder() (string, error) {
	if home := expand(os.Getenv("HF_HOME")); home != "" {
		return home, nil
	}
	if cache := expand(os.Getenv("XDG_CACHE_HOME")); cache != "" {
		return filepath.Join(cache, "huggingface"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("%w: set HF_HOME to the folder for downloads", err)
	}
	return filepath.Join(home, ".cache", "huggingface"), nil
}

func findToken(home string) (omniscope.Secret, error) {
	source, text := "HF_TOKEN", firstOf("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN")
	if text == "" {
		if source = expand(os.Getenv("HF_TOKEN_PATH")); source == "" {
			source = filepath.Join(home, "token")
		}
		file, err := os.ReadFile(source)
		if errors.Is(err, fs.ErrNotExist) {
			return omniscope.Secret{}, nil
		}
		if err != nil {
			return omniscope.Secret{}, fmt.Errorf("%w: make it readable, or set HF_TOKEN", err)
		}
		text = string(file)
	}
	text = strings.TrimSpace(text)
	if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return omniscope.Secret{}, fmt.Errorf("the access token in %s has a blank, a line end or another character inside that no token has", source)
	}
	return omniscope.NewSecret(text), nil
}

func firstOf(names ...string) string {
	for _, name := range names {
		if v := os.Getenv(name); v != "" {
			return v
		}
	}
	return ""
}

func isOn(value string) bool {
	return slices.Contains([]string{"1", "ON", "YES", "TRUE"}, strings.ToUpper(value))
}

// expand replaces variables and a leading ~, as huggingface_hub does: files
// with settings are not read by a shell.
func expand(path string) string {
	if rest, ok := strings.CutPrefix(path, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		if home, err := os.UserHomeDir(); err == nil {
			path = home + rest
		}
	}
	return os.Expand(path, func(name string) string {
		if v, ok := os.LookupEnv(name); ok {
			return v
		}
		return "$" + name
	})
}
