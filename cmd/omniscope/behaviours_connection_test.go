package main

import (
	"bufio"
	"encoding/base64"
	"encoding/hex"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"omniscope/internal/testing/fake"
)

// hold keeps a connection open until the client ends it.
func hold(w io.Writer) error {
	_, err := io.Copy(io.Discard, w.(net.Conn))
	return err
}

func connections() []behaviour {
	greeted := func(name string, greet func(net.Conn) bool, says string, flags ...string) behaviour {
		b := later(unusable(name, nil, says, flags...))
		b.config = func(c *fake.Config) { c.Greet = greet }
		return b
	}
	atMost := func(b behaviour) behaviour { // whether the request got through before is chance
		b.atMost = true
		return b
	}
	never := func(name, says string, url func(string) string) behaviour {
		return behaviour{name: name, exit: exitFailed, says: says, url: url}
	}
	wire := func(write func(c *net.TCPConn) error) fake.Effect {
		return fake.Wire(func(w io.Writer) error { return write(w.(*net.TCPConn)) })
	}
	return []behaviour{
		never("connection-refused", "endpoint away: nothing has answered at http://127.0.0.1:1/v1", func(string) string { return "http://127.0.0.1:1/v1" }),
		never("connection-tls-on-plain-port", "endpoint away", func(base string) string { return strings.Replace(base, "http:", "https:", 1) }),
		{name: "request-never-answered-from-the-start", do: fake.Delayed(time.Hour), flags: append([]string{"-j", "1"}, shortTimeout...),
			exit: exitFailed, paid: 2, atMost: true, says: "endpoint away"},
		atMost(greeted("connection-closed-at-once", func(net.Conn) bool { return false }, "")),
		greeted("connection-closed-without-answer", func(c net.Conn) bool {
			if r, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
				io.Copy(io.Discard, r.Body)
			}
			return false
		}, ""),
		atMost(greeted("connection-other-protocol", func(c net.Conn) bool {
			io.WriteString(c, "SSH-2.0-OpenSSH_9.6\r\n")
			return false
		}, "")),
		greeted("connection-never-answered", func(c net.Conn) bool { hold(c); return false }, "no whole answer within 1s", shortTimeout...),
		later(unusable("request-never-answered", fake.Delayed(time.Hour), "no whole answer within 1s", shortTimeout...)),
		later(unusable("reset-before-answer", fake.Reset(0), "")),
		{name: "reset-once", when: fake.FirstTries(1), do: fake.Reset(0), outcome: "ok", paid: 2},
		unusable("reset-after-headers", wire(func(c *net.TCPConn) error {
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{")
			time.Sleep(20 * time.Millisecond) // so that it is read
			return c.SetLinger(0)
		}), ""),
		later(unusable("closed-within-headers", wire(func(c *net.TCPConn) error {
			_, err := io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Ty")
			return err
		}), "")),
		unusable("half-closed", wire(func(c *net.TCPConn) error {
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{")
			c.CloseWrite()
			return hold(c)
		}), "broke off"),
		unusable("silent-after-headers", wire(func(c *net.TCPConn) error {
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{")
			return hold(c)
		}), "no whole answer within 1s", shortTimeout...),
		fine("http-1.0", raw(func(r *fake.Request) string {
			return "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n" + completionJSON(r, plainMessage, "")
		}), ""),
		fine("no-keep-alive", raw(func(r *fake.Request) string { return response("", completionJSON(r, plainMessage, "")) }), ""),
	}
}

// echoesOfKeys repeat a secret, here that of the address. TestSecrets looks for
// what is kept and shown of them.
func echoesOfKeys() (list []behaviour) {
	encoded := base64.StdEncoding.EncodeToString([]byte("user:" + secretQuery))
	for _, e := range []struct{ name, says string }{
		{"whole", secretQuery}, {"part", secretQuery[3:14]}, {"upper-case", strings.ToUpper(secretQuery)}, {"base64", encoded},
		{"base64-without-padding", strings.TrimRight(encoded, "=")}, {"hexadecimal", hex.EncodeToString([]byte(secretQuery))},
	} {
		b := fine("echo-of-key-"+e.name, completed(plainMessage, `,"model":`+quoteJSON("mock "+e.says)), "")
		b.url = func(base string) string { return base + "?api-key=" + secretQuery }
		b.unwanted = e.says
		list = append(list, b)
	}
	return list
}
