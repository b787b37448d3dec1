package main

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"

	"omniscope/internal/testing/fake"
	"omniscope/internal/testing/fixture"
)

// TestGatewayOfEveryRole has each role's model behind a gateway that wants a header and a value
// of the query, of its own for each role.
func TestGatewayOfEveryRole(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "k")
	for role, value := range map[string]string{"splitter": "s3", "observer": "o3", "judge": "s3"} {
		t.Setenv("GATEWAY_"+role, value)
	}
	for name, args := range map[string][]string{
		"audit":           {"audit", "caption.txt", "clips/c0.wav", "--splitter", "openai/mock,query.role=env:GATEWAY_splitter,header.X-Role=env:GATEWAY_splitter"},
		"audit of a file": {"audit", "--captions", "captions.jsonl", "--media", "clips", "--splitter", "openai/mock,header.X-Role=env:GATEWAY_judge,query.role=env:GATEWAY_judge"},
	} {
		t.Run(name, func(t *testing.T) {
			q := newInquest(t)
			claimsFiles(q, 1)
			q.write("caption.txt", "A horn sounds.")
			server := serve(t, fake.Config{Model: "mock", Reply: claimsReply})
			target, err := url.Parse(server.URL())
			fixture.OK(t, err)
			var mu sync.Mutex
			passed := make(map[string]int)
			behind := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: target.Scheme, Host: target.Host})
			gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				role := r.Header.Get("X-Role")
				if role == "" || r.URL.Query().Get("role") != role {
					http.Error(w, `{"error": {"message": "the gateway lets nobody through without X-Role"}}`, http.StatusForbidden)
					return
				}
				mu.Lock()
				passed[role]++
				mu.Unlock()
				behind.ServeHTTP(w, r)
			}))
			defer gateway.Close()
			t.Setenv("OPENAI_BASE_URL", gateway.URL+"/v1")
			t.Chdir(q.dir)
			v := q.command(append(args, "--work-dir", "w", "--tools", "sound", "--observer", "openai/eye,query.role=env:GATEWAY_observer,header.X-Role=env:GATEWAY_observer")...)
			if v.code != exitDone || passed["s3"] != 1 || passed["o3"] == 0 {
				t.Errorf("exit code %d, the gateway let through %v: %s", v.code, passed, v.errOut)
			}
		})
	}
}
