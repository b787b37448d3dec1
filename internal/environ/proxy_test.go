package environ

import (
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"omniscope/internal/testing/fixture"
)

// TestProxyOfDotEnv shows that a .env's proxy counts although the environment was asked before.
func TestProxyOfDotEnv(t *testing.T) {
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"} {
		if v, set := os.LookupEnv(name); set {
			os.Unsetenv(name)
			t.Cleanup(func() { os.Setenv(name, v) })
		}
	}
	t.Cleanup(func() { os.Unsetenv("HTTP_PROXY"); proxies.Store(nil) })
	proxies.Store(nil)
	UseProxies()
	asked := &http.Request{URL: &url.URL{Scheme: "http", Host: "models.invalid"}}
	client := http.DefaultTransport.(*http.Transport).Clone()
	if p, err := client.Proxy(asked); p != nil || err != nil {
		t.Fatalf("%v, %v", p, err)
	}
	folder := t.TempDir()
	fixture.OK(t, os.WriteFile(filepath.Join(folder, ".env"), []byte("HTTP_PROXY=http://127.0.0.1:9\n"), 0o600))
	t.Chdir(folder)
	Load(io.Discard, func(string) bool { return true })
	if p, err := client.Proxy(asked); p == nil || p.Host != "127.0.0.1:9" || err != nil {
		t.Errorf("%v, %v", p, err)
	}
	if p, err := client.Proxy(&http.Request{URL: &url.URL{Scheme: "http", Host: "localhost:8000"}}); p != nil || err != nil {
		t.Errorf("this machine by a proxy: %v, %v", p, err)
	}
}
