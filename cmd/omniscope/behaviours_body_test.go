package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode/utf16"

	"omniscope/internal/testing/fake"
)

// unusable is a behaviour that never brings an answer, though each try may be
// paid for.
func unusable(name string, do fake.Effect, says string, flags ...string) behaviour {
	return behaviour{name: name, do: do, outcome: "failed", exit: exitFailures, paid: 2, says: says, flags: flags}
}

// later is a behaviour of a server that answered once before.
func later(b behaviour) behaviour {
	b.later = true
	return b
}

// fine is a behaviour that does no harm.
func fine(name string, do fake.Effect, says string) behaviour {
	return behaviour{name: name, do: do, outcome: "ok", served: 2, paid: 1, says: says}
}

func bodies() []behaviour {
	endless := func(head, more string) fake.Effect {
		return fake.Wire(func(w io.Writer) error {
			_, err := io.WriteString(w, head)
			for more := strings.Repeat(more, 1000); err == nil; {
				_, err = io.WriteString(w, more)
			}
			return err
		})
	}
	return []behaviour{
		unusable("body-page", fake.HTMLPage(), "text/html; charset=utf-8 instead of JSON"),
		unusable("body-text", fake.Body("text/plain", "upstream connect error"), "upstream connect error"),
		unusable("body-text-as-json", fake.Body("", "upstream connect error"), "not the JSON of the protocol"),
		{name: "body-page-once", when: fake.FirstTries(1), do: fake.HTMLPage(), outcome: "ok", paid: 2},
		unusable("body-empty", fake.Body("", ""), "not the JSON of the protocol"),
		unusable("body-truncated", transformed(func(body string) string { return body[:len(body)/2] }), "not the JSON of the protocol"),
		unusable("body-cut", fake.CutBody(50), "broke off"),
		unusable("body-nested-deeply", fake.Body("", strings.Repeat(`{"a":`, 100_000)), "not the JSON of the protocol"),
		unusable("body-nan", transformed(func(body string) string { return strings.Replace(body, `"index":0`, `"index":NaN`, 1) }), "not the JSON of the protocol"),
		unusable("body-and-garbage", transformed(func(body string) string { return body + "garbage" }), "not the JSON of the protocol"),
		unusable("body-twice", transformed(func(body string) string { return body + body }), "not the JSON of the protocol"),
		unusable("body-list", fake.Body("", "[1, 2]"), "no choices"),
		unusable("body-number", fake.Body("", "42"), "no choices"),
		unusable("body-null", fake.Body("", "null"), "no choices"),
		unusable("body-string", fake.Body("", `"yes"`), "no choices"),
		{name: "body-11-mb", do: fake.Huge(11 << 20), outcome: "unparsed", exit: exitFailures, served: 2, paid: 1, says: "larger than 10 MB"},
		{name: "body-endless", do: endless("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n", "        "), outcome: "unparsed", exit: exitFailures, served: 2, paid: 1, says: "larger than 10 MB"},
		unusable("body-drips-endlessly", fake.Drip(aWhile/3), "no whole answer within 1s", shortTimeout...),
		later(unusable("headers-endless", endless("HTTP/1.1 200 OK\r\n", "X-Again: and again\r\n"), "")),
		fine("body-duplicate-members", transformed(func(body string) string {
			return strings.Replace(body, `"id":"c1"`, `"id":"c0","id":"c1","model":"mock"`, 1)
		}), ""),
		fine("body-blanks-around", transformed(func(body string) string { return "\r\n \t" + body + "\n\n" }), ""),
		fine("body-named-text", raw(func(r *fake.Request) string {
			return response("Content-Type: text/plain\r\n", completionJSON(r, plainMessage, ""))
		}), ""),
		fine("body-not-named", raw(func(r *fake.Request) string {
			return "HTTP/1.1 200 OK\r\n\r\n" + completionJSON(r, plainMessage, "")
		}), ""),
		unusable("error-inside", fake.ErrorInside(), "Provider returned error"),
		{name: "error-inside-429", do: fake.Body("", `{"error":{"message":"slow down","code":429}}`), outcome: "failed", exit: exitFailures, says: "429: slow down"},
		{name: "error-inside-401", do: fake.Body("", `{"error":{"message":"who","code":401}}`), exit: exitFailed, says: "401: who"},
		{name: "error-inside-balance", do: fake.Body("", `{"choices":null,"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}`), exit: exitFailed, says: "insufficient balance"},
		{name: "error-inside-filter", do: fake.Body("", `{"choices":null,"base_resp":{"status_code":1026,"status_msg":"input new_sensitive"}}`), outcome: "refused", exit: exitFailures, served: 2},
		unusable("error-in-a-choice", fake.Choices(`[{"message":{"content":"{"},"finish_reason":"stop","error":{"code":502,"message":"Upstream idle timeout exceeded"}}]`), "Upstream idle timeout exceeded"),
		fine("error-that-is-empty", completed(plainMessage, `,"error":{"message":"","type":"","code":null}`), ""),
		fine("error-beside-an-answer", completed(plainMessage, `,"error":{"message":"late"}`), ""),
	}
}

// encodings are those of HTTP and of texts.
func encodings() []behaviour {
	zipped := func(r *fake.Request) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		io.WriteString(z, completionJSON(r, plainMessage, ""))
		z.Close()
		return b.String()
	}
	const isZipped = "Content-Encoding: gzip\r\n"
	chunk := func(text string) string { return fmt.Sprintf("%x\r\n%s\r\n", len(text), text) }
	return []behaviour{
		fine("gzip", raw(func(r *fake.Request) string { return response(isZipped, zipped(r)) }), ""),
		unusable("gzip-that-is-none", raw(func(r *fake.Request) string { return response(isZipped, completionJSON(r, plainMessage, "")) }), "gzip"),
		unusable("gzip-truncated", raw(func(r *fake.Request) string { z := zipped(r); return response(isZipped, z[:len(z)/2]) }), "broke off"),
		unusable("gzip-not-named", raw(func(r *fake.Request) string { return response("", zipped(r)) }), "not the JSON of the protocol"),
		unusable("length-too-long", raw(func(r *fake.Request) string {
			return response("Content-Length: 5000\r\n", completionJSON(r, plainMessage, ""))
		}), "broke off"),
		unusable("length-too-short", raw(func(r *fake.Request) string {
			return response("Content-Length: 20\r\n", completionJSON(r, plainMessage, ""))
		}), "not the JSON of the protocol"),
		later(unusable("length-absurd", raw(func(r *fake.Request) string {
			return response("Content-Length: minus one\r\n", completionJSON(r, plainMessage, ""))
		}), "Content-Length")),
		fine("chunks", raw(func(r *fake.Request) string {
			return response("Transfer-Encoding: chunked\r\n", chunk(completionJSON(r, plainMessage, ""))+"0\r\n\r\n")
		}), ""),
		unusable("chunks-broken", raw(func(r *fake.Request) string {
			return response("Transfer-Encoding: chunked\r\n", "zz\r\n"+completionJSON(r, plainMessage, ""))
		}), "broke off"),
		unusable("chunks-unended", raw(func(r *fake.Request) string {
			return response("Transfer-Encoding: chunked\r\n", chunk(completionJSON(r, plainMessage, "")))
		}), "broke off"),
		fine("byte-order-mark", transformed(func(body string) string { return "\ufeff" + body }), ""),
		unusable("utf-16", transformed(func(body string) string {
			b := []byte{0xff, 0xfe}
			for _, c := range utf16.Encode([]rune(body)) {
				b = append(b, byte(c), byte(c>>8))
			}
			return string(b)
		}), "not the JSON of the protocol"),
		fine("invalid-utf-8", transformed(func(body string) string { return strings.Replace(body, `: b`, ": \xff\xfe b", 1) }), ""),
		fine("lone-surrogate", transformed(func(body string) string { return strings.Replace(body, `: b`, `: \ud83d b`, 1) }), ""),
	}
}

// streams come though none was asked for.
func streams() []behaviour {
	// stream answers with events; %s is the first half of the text, %r the rest.
	stream := func(contentType string, change func(string) string, events ...string) fake.Effect {
		return fake.Answer(func(r *fake.Request) fake.Reply {
			text := ordinary(r).Content
			first, rest := quoteJSON(text[:len(text)/2]), quoteJSON(text[len(text)/2:])
			var b strings.Builder
			for _, e := range events {
				b.WriteString("data: " + strings.NewReplacer("%s", first, "%r", rest).Replace(e) + "\n\n")
			}
			body := b.String()
			if change != nil {
				body = change(body)
			}
			return fake.Reply{Body: body, Header: http.Header{"Content-Type": {contentType}}}
		})
	}
	const (
		sse    = "text/event-stream; charset=utf-8"
		first  = `{"id":"c1","model":"mock","choices":[{"index":0,"delta":{"role":"assistant","content":%s},"finish_reason":null}]}`
		second = `{"id":"c1","model":"mock","choices":[{"index":0,"delta":{"content":%r},"finish_reason":null}]}`
		finish = `{"id":"c1","model":"mock","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
		used   = `{"id":"c1","model":"mock","choices":[],"usage":{"prompt_tokens":40,"completion_tokens":9}}`
		done   = "[DONE]"
		told   = "streams of events (text/event-stream), which were not asked for: 2 answers were read"
		broken = "a stream of events (text/event-stream), which was not asked for"
	)
	open := fake.Answer(func(r *fake.Request) fake.Reply {
		text := quoteJSON(ordinary(r).Content)
		return fake.Written(func(w io.Writer) error {
			io.WriteString(w, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: "+strings.Replace(first, "%s", text, 1)+"\n\ndata: [DONE]\n\n")
			return hold(w)
		})
	})
	return []behaviour{
		fine("stream", stream(sse, nil, first, second, finish, used, done), told),
		fine("stream-windows-line-ends", stream(sse, func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }, first, second, finish, used, done), told),
		fine("stream-with-comments", stream(sse, func(s string) string { return ": hello\n\n" + strings.ReplaceAll(s, "\n\n", "\n\n: ping\n\n") }, first, second, finish, used, done), told),
		fine("stream-without-end-mark", stream(sse, nil, first, second, finish, used), told),
		fine("stream-stays-open", open, told),
		fine("stream-named-json", stream("application/json", nil, first, second, finish, used, done), told),
		fine("stream-in-one-event", stream(sse, nil, strings.Replace(strings.Replace(first, "delta", "message", 1), `"content":%s`, `"content":%s`, 1), strings.Replace(second, "null", `"stop"`, 1), done), told),
		fine("stream-without-usage", stream(sse, nil, first, second, finish, done), "counted by estimate"),
		unusable("stream-cut", stream(sse, nil, first), broken),
		unusable("stream-cut-in-an-event", stream(sse, func(s string) string { return s[:len(s)-20] }, first), broken),
		unusable("stream-with-error", stream(sse, nil, first, `{"error":{"message":"overloaded"}}`, done), "overloaded"),
		unusable("stream-empty", stream(sse, nil, done), "no choices"),
		unusable("stream-of-nonsense", stream(sse, nil, "hello"), broken),
		{name: "stream-11-mb", do: stream(sse, nil, strings.Repeat(" ", 11<<20)), outcome: "unparsed", exit: exitFailures, served: 2, paid: 1, says: "larger than 10 MB"},
	}
}
