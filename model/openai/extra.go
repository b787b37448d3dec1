package openai

import "net/http"

// header has what every request is sent with: the key, and the further headers, which win
// over the key's. user says that the address has a user of its own.
func (o *Options) header(key string, user bool) http.Header {
	h := http.Header{"Accept": {"application/json"}}
	switch {
	case o.KeyHeader == "" && key == "" && user:
	case o.KeyHeader == "" && key == "":
		h.Set("Authorization", "Bearer none") // the protocol wants a bearer token; local servers ignore it
	case o.KeyHeader == "":
		h.Set("Authorization", "Bearer "+key)
	case key != "":
		h.Set(o.KeyHeader, key)
	}
	return h
}
