package mcif

import (
	"path/filepath"
	"testing"

	"omniscope/internal/testing/fixture"
)

// files finds all outputs below a new folder with these files.
func filesOfTree(t *testing.T, names ...string) (dir string, files []outputPath) {
	t.Helper()
	dir = tree(t, names...)
	files, _, err := findOutputs(dir)
	fixture.OK(t, err)
	return dir, files
}

func toldAll(dir string, files []outputPath) []string {
	var out []string
	for _, f := range files {
		out = append(out, told(dir, f))
	}
	return out
}

func TestSystemsOfOneName(t *testing.T) {
	dir, files := filesOfTree(t, "a/audio_long_en_fixed_me_output.xml", "b/audio_long_en_fixed_me_output.xml", "b/audio_long_de_fixed_me_output.xml", "c/audio_long_en_fixed_me-2_output.xml")
	apart, notes := tellApart(files)
	equal(t, toldAll(dir, apart), []string{
		"me | audio | long | en | fixed | a/audio_long_en_fixed_me_output.xml",
		"me-3 | audio | long | en | fixed | b/audio_long_en_fixed_me_output.xml",
		"me-3 | audio | long | de | fixed | b/audio_long_de_fixed_me_output.xml",
		"me-2 | audio | long | en | fixed | c/audio_long_en_fixed_me-2_output.xml",
	})
	equal(t, notes, []string{"me is of " + filepath.Join(dir, "a") + ", me-3 of " + filepath.Join(dir, "b")})
}

func TestSystemInSeveralFolders(t *testing.T) {
	dir, files := filesOfTree(t, "en/audio_long_en_fixed_me_output.xml", "de/audio_long_de_fixed_me_output.xml")
	apart, notes := tellApart(append(files, files...)) // the same files twice are one
	equal(t, toldAll(dir, apart), []string{
		"me | audio | long | en | fixed | en/audio_long_en_fixed_me_output.xml", "me | audio | long | de | fixed | de/audio_long_de_fixed_me_output.xml",
	})
	equal(t, notes, []string{"me is made of 2 folders: " + filepath.Join(dir, "en") + ", " + filepath.Join(dir, "de")})
}

func TestMissingShards(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []string
		want  []string
	}{
		{"a whole file", []string{"mllm_short_de_fixed_g_output.xml"}, nil},
		{"a whole file without a model", []string{"mllm_short_de_fixed_output.xml"}, nil},
		{"all", []string{"mllm_short_de_fixed_g_0_200_output.xml", "mllm_short_de_fixed_g_200_400_output.xml", "mllm_short_de_fixed_g_400__output.xml"}, nil},
		{"the first", []string{"mllm_short_de_fixed_g_200_400_output.xml", "mllm_short_de_fixed_g_400__output.xml"}, []string{"0 to 200"}},
		{"one between", []string{"mllm_short_de_fixed_g_0_200_output.xml", "mllm_short_de_fixed_g_400__output.xml"}, []string{"200 to 400"}},
		{"the last", []string{"mllm_short_de_fixed_g_0_200_output.xml"}, []string{"200 and what follows"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, files := filesOfTree(t, c.files...)
			if len(files) != 1 {
				t.Fatalf("%d systems", len(files))
			}
			equal(t, files[0].MissingShards(), c.want)
		})
	}
}
