package mcif

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"omniscope"
	"omniscope/internal/testing/fixture"
)

// tree makes empty files below a new folder.
func tree(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		fixture.OK(t, os.MkdirAll(filepath.Dir(path), 0o755))
		write(t, path, "")
	}
	return dir
}

// told is an output file in one line, its paths without their folder.
func told(dir string, f outputPath) string {
	var paths []string
	for _, p := range f.Paths {
		rel, _ := filepath.Rel(dir, p)
		paths = append(paths, filepath.ToSlash(rel))
	}
	return strings.Join([]string{f.System, f.Modality, f.Track, f.Lang, f.Prompts, strings.Join(paths, " ")}, " | ")
}

func TestFindOutputs(t *testing.T) {
	dir := tree(t,
		"audio/ola/audio_short_zh_random_ola_output.xml.gz", "audio/ola/audio_short_zh_fixed_ola_output.xml", "audio/ola/audio_long_en_fixed_ola_output.xml", "audio/ola/audio_short_de_fixed_ola_output.xml",
		"video/qwen/video_long_it_fixed_qwen2_5_vl_output.xml",
		"gemini/mllm_long_de_fixed_output.xml.gz",
		"gemini/mllm_short_de_fixed_gemini_1000__output.xml", "gemini/mllm_short_de_fixed_gemini_0_200_output.xml", "gemini/mllm_short_de_fixed_gemini_200_1000_output.xml",
		"gemini/README.md", "gemini/notes.xml", "gemini/mllm_long_fr_fixed_output.xml", "gemini/smell_long_de_fixed_output.xml", "gemini/mllm_tall_de_fixed_output.xml",
		"gemini/mllm_long_de_mixed_output.xml", "gemini/mllm_long_de_output.xml", "gemini/mllm_long_de_fixed_gemini.xml", "gemini/mllm_long_de_fixed_gemini_output.xml.zip")
	found, rest, err := findOutputs(dir)
	fixture.OK(t, err)
	var got []string
	for _, f := range found {
		got = append(got, told(dir, f))
	}
	equal(t, got, []string{
		"gemini | mllm | short | de | fixed | gemini/mllm_short_de_fixed_gemini_0_200_output.xml gemini/mllm_short_de_fixed_gemini_200_1000_output.xml gemini/mllm_short_de_fixed_gemini_1000__output.xml",
		"gemini | mllm | long | de | fixed | gemini/mllm_long_de_fixed_output.xml.gz",
		"ola | audio | short | de | fixed | audio/ola/audio_short_de_fixed_ola_output.xml",
		"ola | audio | short | zh | fixed | audio/ola/audio_short_zh_fixed_ola_output.xml",
		"ola | audio | short | zh | random | audio/ola/audio_short_zh_random_ola_output.xml.gz",
		"ola | audio | long | en | fixed | audio/ola/audio_long_en_fixed_ola_output.xml",
		"qwen2_5_vl | video | long | it | fixed | video/qwen/video_long_it_fixed_qwen2_5_vl_output.xml",
	})
	var others []string
	for _, path := range rest {
		others = append(others, filepath.Base(path))
	}
	slices.Sort(others)
	equal(t, others, []string{"mllm_long_de_fixed_gemini.xml", "mllm_long_de_mixed_output.xml", "mllm_long_de_output.xml", "mllm_long_fr_fixed_output.xml",
		"mllm_tall_de_fixed_output.xml", "notes.xml", "smell_long_de_fixed_output.xml"})
}

func TestMissingOutputFolder(t *testing.T) {
	_, _, err := findOutputs(filepath.Join(t.TempDir(), "none"))
	mentions(t, err, omniscope.NotFound, "look for outputs", "none")
}

func TestInputOfSystem(t *testing.T) {
	for path, want := range map[string]string{
		"x/audio_short_zh_random_ola_output.xml.gz": "audio", "mllm_long_de_fixed_output.xml": "mllm", "text_long_de_fixed_a_output.xml": "text", "out.xml": "", "": "",
	} {
		if got := inputOf(path); got != want {
			t.Errorf("%s is from %q, want %q", path, got, want)
		}
	}
	for modality, want := range map[string]string{"mllm": "video", "video": "video", "audio": "audio", "text": "text"} {
		if got := (outputPath{Modality: modality}).Filter(); got != want {
			t.Errorf("%s is filtered by %s, want %s", modality, got, want)
		}
	}
}

func TestReferenceNames(t *testing.T) {
	names := referenceNames("1.0", "long", "de")
	equal(t, names, []string{
		"MCIF1.0.IF.long.de.ref.xml", "MCIF1.0.long.de.ref.xml", "MCIF.long.de.ref.xml", "MCIF.IF.long.de.ref.xml",
		"MCIF1.0.IF.long.de.ref.xml.gz", "MCIF1.0.long.de.ref.xml.gz", "MCIF.long.de.ref.xml.gz", "MCIF.IF.long.de.ref.xml.gz",
	})
	for version, want := range map[string]string{"1.0": "MCIF1.0.short.zh.ref.xml.gz", "1.1": "MCIF.short.zh.ref.xml.gz"} {
		got := hubFile(version, "short", "zh")
		if got != want || !slices.Contains(referenceNames(version, "short", "zh"), got) {
			t.Errorf("version %s is %s on the hub, want %s, and found in a folder", version, got, want)
		}
	}
}
