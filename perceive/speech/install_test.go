package speech

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/internal/sha256hex"
	"omniscope/internal/testing/fixture"
)

func packageOf(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for name, text := range files {
		fixture.OK(t, w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text))}))
		_, err := w.Write([]byte(text))
		fixture.OK(t, err)
	}
	fixture.OK(t, w.Close())
	fixture.OK(t, z.Close())
	return b.Bytes()
}

func TestInstallPack(t *testing.T) {
	models := packageOf(t, map[string]string{"package/a.onnx": "weights", "package/other": "unused"})
	script := packageOf(t, map[string]string{"package/" + tokenScript: "x\nllama_vocab_base64 = \"" + base64.StdEncoding.EncodeToString([]byte("one\ntwo")) + "\";"})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/@org/models/-/models-1.0.tgz":
			_, _ = w.Write(models)
		case "/script/-/script-2.0.tgz":
			_, _ = w.Write(script)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	from := []source{
		{"@org/models", "1.0", sha256hex.Of(models), map[string]string{"package/a.onnx": "a.onnx"}},
		{"script", "2.0", sha256hex.Of(script), map[string]string{"package/" + tokenScript: tokenScript}},
	}
	want := map[string]string{"a.onnx": sha256hex.Of([]byte("weights")), tokenFile: sha256hex.Of([]byte("one\ntwo"))}
	folder := filepath.Join(t.TempDir(), "pack")
	fixture.OK(t, install(t.Context(), server.URL, folder, from, want, nil))
	if text, err := os.ReadFile(filepath.Join(folder, tokenFile)); err != nil || string(text) != "one\ntwo" {
		t.Errorf("tokens: %q, %v", text, err)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 2 {
		t.Errorf("the folder has %v, %v", entries, err)
	}

	for what, spoil := range map[string]func(){
		"does not have the expected digest": func() { from[0].sha256 = sha256hex.Of([]byte("other")) },
		"404 Not Found":                     func() { from[0].version = "3.0" },
	} {
		before := from[0]
		spoil()
		elsewhere := filepath.Join(t.TempDir(), "pack")
		err := install(t.Context(), server.URL, elsewhere, from, want, nil)
		if err == nil || !strings.Contains(err.Error(), what) || ondisk.Exists(elsewhere) {
			t.Errorf("%s: %v", what, err)
		}
		from[0] = before
	}
	want["a.onnx"] = sha256hex.Of([]byte("others"))
	if err := install(t.Context(), server.URL, folder, from, want, nil); omniscope.KindOf(err) != omniscope.Malformed {
		t.Errorf("another file: %v", err)
	}
}
