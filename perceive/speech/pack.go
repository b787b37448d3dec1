// Package speech is an engine of perceive/asr that works here, without a
// server: the English speech recogniser Moonshine tiny and the voice detector
// Silero VAD 5, run by perceive/speech/onnx. Their files are an optional pack that
// Install downloads; they are no part of omniscope.
//
// It understands English only. On crowds, singing and other languages it
// invents sentences, with low probabilities by which perceive/asr knows them.
//
// Moonshine: Jeffries et al., "Moonshine: Speech Recognition for Live
// Transcription and Voice Commands", 2024.
package speech

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"omniscope"
	"omniscope/internal/ondisk"
	"omniscope/perceive/speech/onnx"
)

// folderVariable is the environment variable that names the folder of the pack.
const folderVariable = "OMNISCOPE_SPEECH_PACK"

// Folder is where the pack lies: where folderVariable says, else in the user's
// folder for caches; "" where there is none.
func Folder() string {
	if folder := os.Getenv(folderVariable); folder != "" {
		return folder
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(cache, "omniscope", "speech")
}

// The files of the pack. Others by these names are refused: what the engine
// has been measured to be worth holds for these.
const (
	encoderFile = "encoder_model.onnx"
	decoderFile = "decoder_model_merged.onnx"
	voiceFile   = "silero_vad_v5.onnx"
	tokenFile   = "tokens.txt"
)

// Files is the number of the pack's files.
const Files = 4

var digests = map[string]string{
	encoderFile: "c6fc4b7bc5af75c0591fd157a1f3829b533d18e9769a888fd95a62e470dd4f4a",
	decoderFile: "eed87831c3a6103534aae7d47a5d485025c659a1323901513961c39fe8a1a367",
	voiceFile:   "2623a2953f6ff3d2c1e61740c6cdb7168133479b267dfef114a4a3cc5bdd788f",
	tokenFile:   "0f97b4337921e6e7e9b4620fc73338ee570aecd3c16038bc23870a887e995045",
}

// A Pack is the models in memory. With what they need for 20 s of speech they
// take up to half a gigabyte. It is safe for concurrent use.
type Pack struct {
	encoder, decoder, voice *onnx.Model
	tokens                  []string
}

// Open reads and verifies the pack, in about half a second. A folder without
// it is an error of kind NotFound, files that are not those of the pack one of
// kind Invalid.
func Open(folder string) (*Pack, error) {
	p := &Pack{}
	for name, model := range map[string]**onnx.Model{encoderFile: &p.encoder, decoderFile: &p.decoder, voiceFile: &p.voice} {
		data, err := read(folder, name)
		if err != nil {
			return nil, err
		}
		if *model, err = onnx.Load(data); err != nil {
			return nil, &omniscope.Error{Kind: omniscope.Invalid, Op: filepath.Join(folder, name), Err: err}
		}
	}
	tokens, err := read(folder, tokenFile)
	p.tokens = strings.Split(string(tokens), "\n")
	return p, err
}

const again = "run `omniscope data get speech` to replace it"

func read(folder, name string) ([]byte, error) {
	path := filepath.Join(folder, name)
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, &omniscope.Error{Kind: omniscope.NotFound, Op: "speech pack", Err: errors.New(missing(folder))}
	}
	if err != nil {
		return nil, fmt.Errorf("read the speech pack: %w", err)
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != digests[name] {
		return nil, &omniscope.Error{Kind: omniscope.Invalid, Op: path, Err: errors.New("it is not the file of the speech pack, or is damaged: " + again)}
	}
	return data, nil
}

// missing says what a folder lacks, without reading the files; "" = nothing.
func missing(folder string) string {
	if folder == "" {
		return "there is no folder for the speech pack: name one in " + folderVariable + " and run `omniscope data get speech`"
	}
	for _, name := range []string{encoderFile, decoderFile, voiceFile, tokenFile} {
		if !ondisk.IsFile(filepath.Join(folder, name)) {
			return fmt.Sprintf("the speech pack is not in %s: run `omniscope data get speech`", folder)
		}
	}
	return ""
}

// Remove deletes the files of the pack, and returns how many bytes are free again.
func Remove(folder string) (bytes int64, err error) {
	for name := range digests {
		path := filepath.Join(folder, name)
		info, err := os.Stat(path)
		if err == nil {
			err = os.Remove(path)
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return bytes, err
		}
		if err == nil {
			bytes += info.Size()
		}
	}
	return bytes, nil
}
