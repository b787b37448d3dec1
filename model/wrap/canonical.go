package wrap

import (
	"crypto/sha256"
	"strconv"

	"omniscope"
	"omniscope/internal/jsonfast"
	"omniscope/internal/sha256hex"
	"omniscope/model"
	"omniscope/run"
)

// Canonical returns the request as the journal keeps it and the key it is
// found under: provider and model, attempt, parameters, schema and messages,
// media by the digest of its bytes and sampling policy. The step's name is not
// part of it, nor is the endpoint, which the journal keeps beside it. An error
// means that the parameters or the schema are not JSON.
//
// The text is what encoding/json would write, without escaping < and >, but
// made in one pass: prompts are long, and this runs for each remembered call,
// too. Order and spelling of the fields are part of the key, so that a new
// field goes to the end and is left out when empty.
func Canonical(name string, req *model.Request) ([]byte, run.Key, error) {
	params, err := marshal(req.Params)
	if err != nil {
		return nil, run.Key{}, unusable(req, "parameters", err)
	}
	b := make([]byte, 0, size(name, req)+len(params))
	b = append(b, `{"model":`...)
	b = jsonfast.Append(b, name)
	b = append(b, `,"attempt":`...)
	b = strconv.AppendInt(b, int64(req.Attempt), 10)
	b = append(b, `,"params":`...)
	b = append(b, params...)
	if req.Schema != nil {
		schema, err := marshal(req.Schema)
		if err != nil {
			return nil, run.Key{}, unusable(req, "schema", err)
		}
		b = append(b, `,"schema":`...)
		b = append(b, schema...)
	}
	if req.Embed {
		b = append(b, `,"embed":true`...)
	}
	b = append(b, `,"messages":[`...)
	for i := range req.Messages {
		b = appendComma(b, i)
		b = appendMessage(b, &req.Messages[i])
	}
	b = append(b, `]}`...)
	sum := sha256.Sum256(b)
	return b, run.Key(sum[:len(run.Key{})]), nil
}

func unusable(req *model.Request, what string, err error) error {
	return &omniscope.Error{Kind: omniscope.Invalid, Op: "call " + req.Step + ": " + what, Err: err}
}

// size is about the length of the canonical form, a little room for escapes
// included.
func size(name string, req *model.Request) int {
	const perField, perMessage, perPart = 100, 40, 120
	n := perField + len(name)
	if req.Schema != nil {
		n += len(req.Schema.Name) + len(req.Schema.JSON)
	}
	for _, msg := range req.Messages {
		n += perMessage
		for _, p := range msg.Parts {
			n += perPart + len(p.Text) + len(p.Text)/16 + len(p.URL)
		}
	}
	return n
}

func appendMessage(b []byte, msg *model.Message) []byte {
	b = append(b, `{"role":`...)
	b = jsonfast.Append(b, string(msg.Role))
	b = append(b, `,"parts":[`...)
	for i := range msg.Parts {
		b = appendComma(b, i)
		p := &msg.Parts[i]
		b = append(b, `{"kind":`...)
		b = jsonfast.Append(b, string(p.Kind))
		b = appendField(b, `,"text":`, p.Text)
		b = appendField(b, `,"mime":`, p.MIME)
		b = appendField(b, `,"url":`, p.URL)
		b = appendField(b, `,"digest":`, digest(p))
		b = append(b, '}')
	}
	return append(b, `]}`...)
}

// digest returns the part's given digest, else the digest of its bytes.
func digest(p *model.Part) string {
	if p.Digest != "" || p.Data == nil {
		return p.Digest
	}
	return "sha256:" + sha256hex.Of(p.Data)
}

func appendComma(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}

func appendField(b []byte, name, value string) []byte {
	if value == "" {
		return b
	}
	return jsonfast.Append(append(b, name...), value)
}
