package openai

import (
	"net/url"
	"strings"
)

// Azure has the OpenAI protocol under two addresses. The newer one,
// RESOURCE/openai/v1, takes the deployment's name as the model's and needs no
// version. The older one, RESOURCE/openai/deployments/NAME, has the deployment in
// its path and wants a dated version in its query (openai-node, docs/azure.md;
// openai-python, src/openai/lib/azure.py).

// AzureKeyHeader holds the key at Azure.
const AzureKeyHeader = "api-key"

// AzureVersion names the version in the query of Azure's addresses.
const AzureVersion = "api-version"

// NormalizeAzure returns an address of a resource at Azure without a trailing
// slash, and adds nothing to it.
func NormalizeAzure(raw string) (string, error) {
	u, err := parseAzure(raw)
	if err != nil {
		return "", err
	}
	return u.String(), nil
}

// AzureBaseURL returns the base URL of a deployment: the older one for a dated
// version, from version or from the address's own query, else the newer one. An
// address that goes down to /v1 or to a deployment is taken by its word.
func AzureBaseURL(raw, version, deployment string) (string, error) {
	u, err := parseAzure(raw)
	if err != nil {
		return "", err
	}
	query := u.Query()
	if own := query.Get(AzureVersion); own != "" {
		version = own
	}
	dated := version != "" && '0' <= version[0] && version[0] <= '9'
	path := strings.TrimSuffix(u.Path, "/openai")
	switch {
	case strings.HasSuffix(path, "/openai/v1"):
		if dated {
			version = "" // of the older address
		}
	case strings.Contains(path, azureDeployments):
	case dated:
		u.Path, u.RawPath = path+azureDeployments+deployment, path+azureDeployments+url.PathEscape(deployment)
	default:
		u.Path = path + "/openai/v1"
	}
	query.Del(AzureVersion)
	if version != "" {
		query.Set(AzureVersion, version)
	}
	u.RawQuery = query.Encode()
	return u.String(), nil
}

const azureDeployments = "/openai/deployments/"

// parseAzure reads an address as address does, without the path that it adds
// to one that has none.
func parseAzure(raw string) (*url.URL, error) {
	base, err := address.Parse(raw)
	if err != nil {
		return nil, err
	}
	if given, err := url.Parse(strings.TrimSpace(raw)); err == nil && strings.Trim(given.Path, "/") == "" {
		base.Path = ""
	}
	return base, nil
}

// modelsPath is where the models are listed, as seen from the base URL. A
// deployment has no list of its own.
func modelsPath(base *url.URL) string {
	if strings.Contains(base.Path, azureDeployments) {
		return "../../models"
	}
	return "models"
}
