package benchdata

import (
	"context"

	"omniscope/bench"
	"omniscope/internal/environ"
	"omniscope/internal/hub"
	"omniscope/model/openai"
	"omniscope/session"
)

// hubOfEnvironment is the Hugging Face hub that the environment describes. Its token is subject
// to the same rule as other keys; one in a file of the user's is not the .env's.
func hubOfEnvironment() (client *hub.Client, warning string, err error) {
	if client, err = hub.FromEnv(); err != nil || !client.Token.IsSet() {
		return client, "", err
	}
	token := environ.Source{Name: "the file of the hub's token"}
	if name, _ := environ.First([]string{"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"}); name != "" {
		token = environ.SourceOf(name)
	}
	at, address := session.EndpointAddress{}, hub.DefaultEndpoint
	if client.Endpoint != "" {
		address = client.Endpoint
		at = session.EndpointAddress{Source: environ.SourceOf("HF_ENDPOINT"), At: openai.Redacted(address)}
	}
	warning, err = at.MayHave(token)
	if err == nil && warning == "" {
		warning, err = session.ProxyOf(address).MayHave(token)
	}
	return client, warning, err
}

// Download is a bench.Download.
func Download(ctx context.Context, f bench.DatasetFile) (path string, warnings []string, err error) {
	client, warning, err := hubOfEnvironment()
	if err != nil {
		return "", nil, err
	}
	client.ByHand = f.ByHand
	local, err := client.File(ctx, hub.Repo{Kind: "dataset", Name: f.Dataset, Revision: f.Revision}, f.Name)
	if warning != "" {
		local.Warnings = append(local.Warnings, warning)
	}
	return local.Path, local.Warnings, err
}
