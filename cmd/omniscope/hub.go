package main

import (
	"omniscope/internal/environ"
	"omniscope/internal/hub"
	"omniscope/model/openai"
	"omniscope/session"
)

// hubFromEnv is the hub that the environment describes. Its token is subject to
// the same rule as other keys; one in a file of the user's is not the .env's.
func hubFromEnv() (client *hub.Client, warning string, err error) {
	if client, err = hub.FromEnv(); err != nil || !client.Token.IsSet() {
		return client, "", err
	}
	token := environ.Source{Name: "the file of the hub's token"}
	if name, _ := environ.First([]string{"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"}); name != "" {
		token = environ.SourceOf(name)
	}
	at, address := session.Address{}, hub.DefaultEndpoint
	if client.Endpoint != "" {
		address = client.Endpoint
		at = session.Address{Source: environ.SourceOf("HF_ENDPOINT"), At: openai.Redacted(address)}
	}
	warning, err = at.MayHave(token)
	if err == nil && warning == "" {
		warning, err = session.ProxyOf(address).MayHave(token)
	}
	return client, warning, err
}
