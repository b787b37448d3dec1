package openai

import "github.com/openai/openai-go/v3/option"

// headerOptions are the SDK's options for the key and the further headers, which
// win over the key's.
func (o *Options) headerOptions(key string, user bool) (options []option.RequestOption) {
	switch {
	case o.KeyHeader == "" && key == "" && !user:
		options = append(options, option.WithAPIKey("none")) // the protocol wants a bearer token; local servers ignore it
	case o.KeyHeader == "":
		options = append(options, option.WithAPIKey(key))
	case key != "":
		options = append(options, option.WithHeader(o.KeyHeader, key))
	}
	for name, value := range o.Headers {
		options = append(options, option.WithHeader(name, value.Reveal()))
	}
	return options
}
