package environ

import (
	"net/http"
	"net/url"
	"sync/atomic"

	"golang.org/x/net/http/httpproxy"
)

// proxies is what the environment says of proxies; nil = it was not read since a .env was loaded.
var proxies atomic.Pointer[func(*url.URL) (*url.URL, error)]

// UseProxies has the clients of net/http ask Proxy. They read the proxies of the environment once, the first time that
// anybody asks, and a library asks before main begins, when no .env is loaded. main calls it before anything else.
func UseProxies() { http.DefaultTransport.(*http.Transport).Proxy = Proxy }

// Proxy returns the proxy that the environment, .env included, names for a request; nil = none. It goes by the rules of
// http.ProxyFromEnvironment.
func Proxy(r *http.Request) (*url.URL, error) {
	f := proxies.Load()
	if f == nil {
		read := httpproxy.FromEnvironment().ProxyFunc()
		f = &read
		proxies.Store(f)
	}
	return (*f)(r.URL)
}
