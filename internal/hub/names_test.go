package hub

import (
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
)

func TestURL(t *testing.T) {
	for _, c := range []struct {
		endpoint string
		repo     Repo
		path     string
		want     string
	}{
		{"", Repo{"dataset", "FBK-MT/MCIF", "1.0"}, "MCIF.long.en.ref.xml", "https://huggingface.co/datasets/FBK-MT/MCIF/resolve/1.0/MCIF.long.en.ref.xml"},
		{"", Repo{"model", "gpt2", ""}, "config.json", "https://huggingface.co/gpt2/resolve/main/config.json"},
		{"http://mirror.test/hf/", Repo{"model", "a/b", "refs/pr/1"}, "x y/ü%?#.bin", "http://mirror.test/hf/a/b/resolve/refs%2Fpr%2F1/x%20y/%C3%BC%25%3F%23.bin"},
		{"", Repo{"model", "a/b", ""}, "../x", ""},
	} {
		if got := (&Client{Endpoint: c.endpoint, Cache: "c"}).URL(c.repo, c.path); got != c.want {
			t.Errorf("%v %s: %s, want %s", c.repo, c.path, got, c.want)
		}
	}
}

func TestInvalidNames(t *testing.T) {
	client := &Client{Endpoint: "http://nobody.invalid", Cache: t.TempDir()}
	refused := func(r Repo, path, tells string) {
		t.Helper()
		_, err := client.File(t.Context(), r, path)
		mustFail(t, err, omniscope.Invalid, tells)
	}
	for _, path := range []string{"", ".", "..", "../x", "a/../../x", "a/./b", "/etc/passwd", "a//b", "a/", `a\b`, `..\x`, "a\x00b", "a\nb", "\xff"} {
		refused(talks, path, "is no path in a repository")
		if path != "" { // which is "main"
			refused(Repo{"dataset", "a/b", path}, "x", "is no revision")
		}
	}
	for _, name := range []string{"", "/", "a/", "/a", "a/b/c", "a--b/c", "a/..", "../a", "a..b", "-a", "a-", ".a/b", "a/b.git", "a b", "ä/b", "a/b\n", `a\b`, strings.Repeat("a", 97)} {
		refused(Repo{"dataset", name, ""}, "x", "is no name of a repository")
	}
	for _, kind := range []string{"", "space", "datasets", "../x"} {
		refused(Repo{kind, "a/b", ""}, "x", "neither dataset nor model")
	}
	if left := list(t, client.Cache); left != nil {
		t.Errorf("left behind: %q", left)
	}
}

func FuzzNamesStayInTheCache(f *testing.F) {
	f.Add("FBK-MT/MCIF", "refs/pr/1", "a/b.xml")
	f.Add("..", "..", `..\..`)
	f.Fuzz(func(t *testing.T, name, revision, path string) {
		task, err := (&Client{Cache: "cache"}).task(Repo{"model", name, revision}, path)
		if err != nil {
			return
		}
		for _, file := range []string{task.pointer(firstCommit), task.ref()} {
			if in, err := filepath.Rel("cache", file); err != nil || !filepath.IsLocal(in) || !strings.HasPrefix(in, "models--") {
				t.Errorf("%q %q %q leads to %s", name, revision, path, file)
			}
		}
		if u := task.address(task.repo.Revision); u.Host != "huggingface.co" || u.Query().Encode() != "" || strings.Contains(u.Path, "/../") {
			t.Errorf("%q %q %q leads to %s", name, revision, path, u)
		}
	})
}

func TestInvalidEndpoints(t *testing.T) {
	for _, endpoint := range []string{"huggingface.co", "ftp://a.test", "https://", "https://a.test?token=hunter2", "https://me:hunter2@", "https://me:hunter2@a b"} {
		_, err := (&Client{Endpoint: endpoint, Cache: "c"}).File(t.Context(), talks, "x")
		mustFail(t, err, omniscope.Usage, "HF_ENDPOINT is not an address")
	}
	_, err := (&Client{}).File(t.Context(), talks, "x")
	mustFail(t, err, omniscope.Usage, "no cache folder")
}
