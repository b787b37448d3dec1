package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"omniscope/internal/testing/fake"
)

func quoteJSON(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// unread is a behaviour whose answers come and cannot be used as a judgement.
func unread(name string, do fake.Effect, outcome string) behaviour {
	return behaviour{name: name, do: do, outcome: outcome, exit: exitFailures, served: 2, paid: 1}
}

func choices() []behaviour {
	return []behaviour{
		unusable("choices-missing", fake.Body("", `{"id":"c1"}`), "no choices"),
		unusable("choices-null", fake.Choices("null"), "no choices"),
		unusable("choices-empty", fake.EmptyChoices(), "no choices"),
		{name: "choices-empty-once", when: fake.FirstTries(1), do: fake.EmptyChoices(), outcome: "ok", paid: 2},
		unusable("choices-string", fake.Choices(`"yes"`), "no choices"),
		unusable("choices-of-strings", fake.Choices(`["yes"]`), "no choices"),
		fine("choices-several", completed(plainMessage+`},{"index":1,"message":{"content":"no"}`, ""), ""),
	}
}

func contents() []behaviour {
	message := func(m string) fake.Effect { return completed(m, "") }
	return []behaviour{
		unread("content-null", fake.NullContent(), "unparsed"),
		unread("content-missing", message(`{"role":"assistant"}`), "unparsed"),
		unread("content-empty", message(`{"content":""}`), "unparsed"),
		unread("content-blank", message(`{"content":" \n\t "}`), "unparsed"),
		unread("content-prose", message(`{"content":"It is a dog."}`), "unparsed"),
		fine("content-parts", message(`{"content":[{"type":"text","text":%s}]}`), ""),
		unusable("content-object", message(`{"content":{"1":"A"}}`), "content is"),
		unusable("content-number", message(`{"content":7}`), "content is 7"),
		unusable("content-true", message(`{"content":true}`), "content is true"),
		unread("content-reasoning-alone", message(`{"content":null,"reasoning_content":%s}`), "unparsed"),
		fine("content-reasoning-beside", message(`{"content":%s,"reasoning_content":"Hm, a dog."}`), ""),
		fine("content-think-tags", completedText(func(text string) string { return "<think>Is it a dog?</think>\n" + text }), ""),
		fine("content-code-fence", completedText(func(text string) string { return "```json\n" + text + "\n```" }), ""),
		unread("content-tool-call", message(`{"content":null,"tool_calls":[{"type":"function","function":{"name":"look","arguments":"{}"}}]}`), "unparsed"),
		unread("content-function-call", message(`{"content":null,"function_call":{"name":"look","arguments":"{}"}}`), "unparsed"),
		unread("content-refusal", fake.Refuse("I would rather not."), "refused"),
	}
}

// completedText answers with a good answer's text after f has changed it.
func completedText(f func(text string) string) fake.Effect {
	return fake.Answer(func(r *fake.Request) fake.Reply { return fake.Reply{Content: f(ordinary(r).Content)} })
}

func finishes() []behaviour {
	finish := func(reason string) fake.Effect {
		return transformed(func(body string) string { return strings.Replace(body, `"stop"`, reason, 1) })
	}
	return []behaviour{
		unread("finish-length", fake.Finish("length"), "truncated"),
		unread("finish-content-filter", fake.Finish("content_filter"), "refused"),
		fine("finish-tool-calls-with-text", finish(`"tool_calls"`), ""),
		unusable("finish-error", finish(`"error"`), `finish_reason "error"`),
		unusable("finish-abort", finish(`"abort"`), `finish_reason "abort"`),
		fine("finish-null", finish("null"), ""),
		fine("finish-number", finish("0"), ""),
		fine("finish-eos", finish(`"eos"`), ""),
		unread("finish-max-tokens", shortened(`"MAX_TOKENS"`), "truncated"),
		unread("finish-model-length", shortened(`"model_length"`), "truncated"),
		unread("finish-repetition", shortened(`"repetition"`), "truncated"),
		unread("finish-safety", shortened(`"SAFETY"`), "refused"),
		unread("finish-sensitive", shortened(`"sensitive"`), "refused"),
		unusable("finish-network-error", finish(`"network_error"`), `finish_reason "network_error"`),
		unusable("finish-other", finish(`"OTHER"`), `finish_reason "OTHER"`),
		fine("finish-unknown", finish(`"weird"`), "the endpoint ended answers with unknown finish reasons, and they count as complete (finish reason and answers: weird (2))"),
	}
}

// shortened gives the ordinary answer half of its text and a finish reason.
func shortened(reason string) fake.Effect {
	return fake.Answer(func(r *fake.Request) fake.Reply {
		text := ordinary(r).Content
		return fake.Reply{NoAnswer: true, Body: fmt.Appendf(nil, `{"model":"mock","choices":[{"index":0,"message":{"content":%s},"finish_reason":%s}],"usage":{"prompt_tokens":900,"completion_tokens":9}}`,
			quoteJSON(text[:len(text)/2]), reason)}
	})
}

// usages are what endpoints say of tokens. Where it cannot be true, the tokens
// are estimated and the user is told.
func usages() []behaviour {
	usage := func(name, usage, says string) behaviour {
		b := fine("usage-"+name, fake.Usage(usage), says)
		b.settings = ",attempts=1,max-tokens=100"
		return b
	}
	const estimated = "2 answers were counted by estimate"
	return []behaviour{
		usage("null", `null`, "it reported none): "+estimated),
		usage("empty", `{}`, "it reported {}): "+estimated),
		usage("list", `[12, 3]`, "it reported [12,3]): "+estimated),
		usage("prompt-alone", `{"prompt_tokens":900}`, `it reported {"prompt_tokens":900}): `+estimated),
		usage("completion-alone", `{"completion_tokens":9}`, estimated),
		usage("total-alone", `{"total_tokens":990}`, estimated),
		usage("negative", `{"prompt_tokens":-900,"completion_tokens":-9}`, estimated),
		usage("huge", `{"prompt_tokens":1e300,"completion_tokens":9}`, estimated),
		usage("large", `{"prompt_tokens":2000000000,"completion_tokens":9}`, "it reported 2000000000 tokens in, 9 out): "+estimated),
		usage("fraction", `{"prompt_tokens":900.5,"completion_tokens":9.5}`, estimated),
		usage("text", `{"prompt_tokens":"900","completion_tokens":"9"}`, estimated),
		usage("zero", `{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}`, "it reported none): "+estimated),
		usage("far-over-the-limit", `{"prompt_tokens":900,"completion_tokens":100000}`, estimated),
		usage("reasoning", `{"prompt_tokens":900,"completion_tokens":100000,"completion_tokens_details":{"reasoning_tokens":99990}}`, ""),
	}
}

func modelNames() []behaviour {
	name := func(name string) fake.Effect {
		return transformed(func(body string) string { return strings.Replace(body, `"model":"mock"`, name, 1) })
	}
	return []behaviour{
		fine("model-other", name(`"model":"mock-2026-01-31"`), ""),
		fine("model-missing", name(`"x":1`), ""),
		fine("model-number", name(`"model":7`), ""),
		fine("model-control-characters", name(`"model":"\u001b[31mmock\u0007\u202e"`), ""),
		fine("model-changing", fake.Answer(func(r *fake.Request) fake.Reply {
			reply := ordinary(r)
			reply.Model = fmt.Sprint("mock-", r.N)
			return reply
		}), "the judge answered under 2 names"),
	}
}

// options are parts of the request that a server does not know.
func options() []behaviour {
	unless := func(option, message string) (fake.When, fake.Effect) {
		return fake.Containing(`"` + option + `":`), fake.Status(400, message, "")
	}
	var list []behaviour
	for _, o := range []struct{ name, option, message, outcome string }{
		{"option-temperature", "temperature", "'temperature' does not support 0, only the default (1) is supported.", "ok"},
		{"option-max-tokens", "max_tokens", "'max_tokens' is not supported, use 'max_completion_tokens' instead.", "ok"},
		{"option-out-of-range", "temperature", "'temperature' must be at most 2.", "failed"},
	} {
		when, do := unless(o.option, o.message)
		b := behaviour{name: o.name, when: when, do: do, outcome: o.outcome, paid: 1, settings: ",attempts=1,max-tokens=100"}
		if o.outcome == "failed" {
			b.exit, b.paid = exitFailures, 0
		}
		list = append(list, b)
	}
	return append(list, behaviour{name: "option-schema", when: fake.WithSchema(), do: fake.SchemaUnsupported(),
		config: func(c *fake.Config) { c.Reply = unclear }, settings: ",attempts=2",
		outcome: "ok", served: 6, paid: 2, says: "the endpoint does not take [response_format]"})
}

// unclear answers in prose until told that prose cannot be used.
func unclear(r *fake.Request) fake.Reply {
	if !r.Contains("cannot be used") {
		return fake.Reply{Content: "A dog, I believe."}
	}
	return ordinary(r)
}
