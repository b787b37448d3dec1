package release

import (
	"bytes"
	"encoding/json"
)

// dtypes are the words of the library datasets for values.
var dtypes = map[kind]string{whole: "int64", number: "float64", truth: "bool", textual: "string", mixed: "string"}

// features are a row's columns as datasets.Features.from_dict reads them: {"_type": "Value"}, an object for named fields,
// and a list of one for lists, which all versions of the library take.
func (s *shape) features() json.RawMessage {
	var b bytes.Buffer
	switch s.kind {
	case group:
		b.WriteByte('{')
		for i, name := range s.names {
			if i > 0 {
				b.WriteByte(',')
			}
			key, _ := json.Marshal(name) // a string always can be
			b.Write(key)
			b.WriteByte(':')
			b.Write(s.fields[name].features())
		}
		b.WriteByte('}')
	case listing:
		b.WriteByte('[')
		b.Write(s.of.features())
		b.WriteByte(']')
	default:
		b.WriteString(`{"dtype":"` + dtypes[s.kind] + `","_type":"Value"}`)
	}
	return b.Bytes()
}

// schemaKey is where Parquet files keep the features, and what stands there.
const schemaKey = "huggingface"

func (s *shape) schemaValue() string {
	return `{"info":{"features":` + string(s.features()) + `}}`
}

// cardFeatures are the same in the form of a card's dataset_info.
func (s *shape) cardFeatures() []mapping {
	all := make([]mapping, 0, len(s.names))
	for _, name := range s.names {
		all = append(all, mapping{{"name", name}, s.fields[name].cardFeature()})
	}
	return all
}

func (s *shape) cardFeature() pair {
	switch s.kind {
	case group:
		return pair{"struct", s.cardFeatures()}
	case listing:
		return pair{"list", s.of.cardElement()}
	}
	return pair{"dtype", dtypes[s.kind]}
}

// cardElement is what a list is of: a word for values, the fields of groups.
func (s *shape) cardElement() any {
	switch s.kind {
	case group:
		return s.cardFeatures()
	case listing:
		return mapping{s.cardFeature()}
	}
	return dtypes[s.kind]
}
