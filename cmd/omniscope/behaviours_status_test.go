package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"omniscope/internal/testing/fake"
)

func refusals() []behaviour {
	return []behaviour{
		{name: "status-400", do: fake.Status(400, "bad", ""), outcome: "failed", exit: exitFailures, served: 2, says: "400 (invalid_request_error): bad"},
		{name: "status-400-page", do: page(400), outcome: "failed", exit: exitFailures, served: 2},
		{name: "status-400-context-length", do: fake.ContextExceeded(100), outcome: "failed", exit: exitFailures, served: 2, says: "context_length_exceeded"},
		{name: "status-400-filter", do: fake.Status(400, "flagged", "content_filter"), outcome: "refused", exit: exitFailures, served: 2},
		{name: "status-401", do: fake.Status(401, "who", "invalid_api_key"), exit: exitFailed, says: "401 (invalid_api_key)"},
		{name: "status-402", do: fake.Status(402, "pay", ""), exit: exitFailed, says: "402"},
		{name: "status-403", do: fake.Status(403, "no", ""), exit: exitFailed, says: "403"},
		{name: "status-403-moderation", do: fake.Status(403, "your input was flagged", ""), outcome: "refused", exit: exitFailures, served: 2},
		{name: "status-403-guidelines", do: fake.Status(403, "Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO", ""), outcome: "refused", exit: exitFailures, served: 2},
		{name: "status-400-risk", do: fake.Status(400, "Content Exists Risk", "invalid_request_error"), outcome: "refused", exit: exitFailures, served: 2},
		{name: "status-400-no-model", do: fake.Status(400, "Invalid model name passed in model=nosuch", ""), exit: exitFailed, says: "Invalid model name"},
		{name: "status-404", do: fake.Status(404, "no such model", "model_not_found"), exit: exitFailed, says: "404 (model_not_found)"},
		{name: "status-405", do: fake.Status(405, "no", ""), exit: exitFailed, says: "405"},
		{name: "status-408", do: fake.Status(408, "timed out", ""), outcome: "failed", exit: exitFailures, paid: 2},
		{name: "status-409", do: fake.Status(409, "conflict", ""), outcome: "failed", exit: exitFailures},
		{name: "status-410", do: fake.Status(410, "gone", ""), outcome: "failed", exit: exitFailures, served: 2},
		{name: "status-413", do: fake.BodyTooLarge(), outcome: "failed", exit: exitFailures, served: 2},
		{name: "status-415", do: fake.Status(415, "not JSON?", ""), outcome: "failed", exit: exitFailures, served: 2},
		{name: "status-418", do: fake.Status(418, "teapot", ""), outcome: "failed", exit: exitFailures, served: 2},
		{name: "status-422", do: fake.Status(422, "no", ""), outcome: "failed", exit: exitFailures, served: 2},
		{name: "status-425", do: fake.Status(425, "too early", ""), outcome: "failed", exit: exitFailures},
		{name: "status-451", do: fake.Status(451, "law", ""), outcome: "failed", exit: exitFailures, served: 2},
	}
}

func page(status int) fake.Effect {
	return fake.Answer(func(*fake.Request) fake.Reply {
		return fake.Reply{Status: status, Body: "<html><h1>gateway</h1></html>", Header: http.Header{"Content-Type": {"text/html"}}}
	})
}

// rateLimits are refused once, and asked again after the wait that the server
// names, where that can be meant.
func rateLimits() []behaviour {
	once := func(name, retryAfter string) behaviour {
		return behaviour{name: "status-429-" + name, when: fake.FirstTries(1), do: fake.RateLimited(retryAfter), outcome: "ok", paid: 1}
	}
	endless := func(name, retryAfter, says string) behaviour {
		return behaviour{name: "status-429-" + name, do: fake.RateLimited(retryAfter), outcome: "failed", exit: exitFailures, served: 2, says: says}
	}
	return []behaviour{
		once("without-wait", ""),
		once("seconds", "1"),
		once("fraction", "0.05"),
		once("milliseconds", "0\r\nRetry-After-Ms: 20"),
		once("zero", "0"),
		once("negative", "-30"),
		once("words", "in a moment"),
		once("not-a-number", "NaN"),
		once("past-date", "Wed, 21 Oct 2015 07:28:00 GMT"),
		{name: "status-429-date", when: fake.FirstTries(1), do: fake.RateLimitedUntil(2 * time.Second), outcome: "ok", paid: 1},
		endless("very-long", "86400", "asks to wait 24h0m0s"),
		endless("absurd", "1e300", "asks to wait"),
		endless("far-date", "Fri, 31 Dec 9999 23:59:59 GMT", "asks to wait"),
		{name: "status-429-always", do: fake.RateLimited(""), outcome: "failed", exit: exitFailures},
		{name: "status-429-quota", do: noMoney, exit: exitFailed, says: "insufficient_quota"},
		{name: "status-429-balance", do: fake.Status(429, "余额不足或无可用资源包,请充值。", "1113"), exit: exitFailed, says: "429 (1113)"},
		{name: "status-429-day", do: fake.Status(429, "Rate limit exceeded: free-models-per-day", ""), exit: exitFailed, says: "free-models-per-day"},
	}
}

func serverErrors() (list []behaviour) {
	for _, status := range []int{500, 501, 502, 503, 504, 507, 520, 521, 522, 523, 524, 525, 526, 527, 529} {
		b := behaviour{name: fmt.Sprintf("status-%d", status), do: fake.ServerError(status), outcome: "failed", exit: exitFailures, says: fmt.Sprint(status)}
		b.later = status == 502 || status == 503 || status == 504
		if status == 504 || status == 520 || status == 524 {
			b.paid = 2
		}
		list = append(list, b)
	}
	return append(list,
		behaviour{name: "status-500-balance", do: fake.Status(500, "insufficient balance (1008)", ""), exit: exitFailed, says: "insufficient balance"},
		behaviour{name: "status-500-setting", do: fake.Status(500, "Please install vllm[audio] for audio support", ""), outcome: "failed", exit: exitFailures, served: 2, says: "vllm[audio]"},
		behaviour{name: "status-500-once", when: fake.FirstTries(1), do: fake.ServerError(500), outcome: "ok", paid: 1},
		behaviour{name: "status-504-once", when: fake.FirstTries(1), do: fake.ServerError(504), outcome: "ok", paid: 2},
		behaviour{name: "status-502-page", later: true, do: page(502), outcome: "failed", exit: exitFailures, says: "502"},
		behaviour{name: "status-103-first", do: raw(func(r *fake.Request) string {
			return "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + response("", completionJSON(r, plainMessage, ""))
		}), outcome: "ok", served: 2, paid: 1},
		behaviour{name: "status-204", do: fake.Wire(func(w io.Writer) error {
			_, err := io.WriteString(w, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
			return err
		}), outcome: "failed", exit: exitFailures, paid: 2},
	)
}

func redirects() []behaviour {
	to := func(status int, location string) fake.Effect {
		return fake.Answer(func(*fake.Request) fake.Reply {
			return fake.Reply{Status: status, Body: "", Header: http.Header{"Content-Type": {"text/html"}, "Location": {location}}}
		})
	}
	var list []behaviour
	for _, status := range []int{301, 302, 303, 307, 308} {
		list = append(list, behaviour{name: fmt.Sprintf("redirect-%d-elsewhere", status), do: to(status, "http://127.0.0.1:1/v1/chat/completions"),
			exit: exitFailed, says: "it has moved to http://127.0.0.1:1/v1/chat/completions"})
	}
	return append(list,
		behaviour{name: "redirect-308-same-server", when: fake.FirstTries(1), do: to(308, "/v1/chat/completions"), outcome: "ok", served: 4, paid: 1},
		behaviour{name: "redirect-302-same-server", do: to(302, "/v1/chat/completions"), exit: exitFailed, says: "it has moved"},
		behaviour{name: "redirect-in-circles", do: to(307, "/v1/chat/completions"), exit: exitFailed, served: 16, says: "307"},
		behaviour{name: "redirect-nowhere", do: fake.Answer(func(*fake.Request) fake.Reply {
			return fake.Reply{Status: http.StatusTemporaryRedirect, Body: ""}
		}), exit: exitFailed, says: "307"},
	)
}

// raw sends a response as it is and closes the connection.
func raw(make func(*fake.Request) string) fake.Effect {
	return fake.Answer(func(r *fake.Request) fake.Reply {
		text := make(r)
		return fake.Written(func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return err
		})
	})
}

// response is one of status 200 with further header lines.
func response(header, body string) string {
	if !strings.Contains(header, "Content-Length") && !strings.Contains(header, "Transfer-Encoding") {
		header += fmt.Sprintf("Content-Length: %d\r\n", len(body))
	}
	if !strings.Contains(header, "Content-Type") {
		header += "Content-Type: application/json\r\n"
	}
	return "HTTP/1.1 200 OK\r\n" + header + "Connection: close\r\n\r\n" + body
}
