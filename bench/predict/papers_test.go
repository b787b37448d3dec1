package predict

import (
	"path"
	"strings"
	"testing"

	"omniscope/internal/testing/fixture"
)

// TestModelsOfThePapersHaveProfiles names every model of the papers' tables as its
// publisher writes it (or the paper, where it is not published), and its profile.
func TestModelsOfThePapersHaveProfiles(t *testing.T) {
	for table, models := range map[string]map[string]string{
		"MCIF, Table 8, and its Gemini baseline": {
			"CohereLabs/aya-expanse-8b":           "text-llm",
			"google/gemma-3-12b-it":               "text-llm",
			"meta-llama/Llama-3.1-8B-Instruct":    "text-llm",
			"openai/gpt-oss-20b":                  "text-llm",
			"microsoft/phi-4":                     "text-llm",
			"Qwen/Qwen3-14B":                      "qwen3-text",
			"Unbabel/Tower-Plus-9B":               "text-llm",
			"DeSTA-ntu/DeSTA2-8B-beta":            "speech-llm",
			"ibm-granite/granite-speech-3.3-8b":   "speech-llm",
			"microsoft/Phi-4-multimodal-instruct": "speech-llm",
			"Qwen/Qwen2-Audio-7B-Instruct":        "audio-llm",
			"fixie-ai/ultravox-v0_5-llama-3_2-1b": "speech-llm",
			"OpenGVLab/InternVL3-14B":             "video-llm-mcif",
			"llava-hf/LLaVA-NeXT-Video-7B-hf":     "video-llm-mcif",
			"Qwen/Qwen2.5-VL-7B-Instruct":         "video-llm",
			"DAMO-NLP-SG/VideoLLaMA3-7B":          "video-llm",
			"BAAI/Video-XL-2":                     "video-llm-mcif",
			"google/gemma-3n-E4B-it":              "omni-llm-mcif",
			"inclusionAI/Ming-Lite-Omni":          "omni-llm-mcif",
			"openbmb/MiniCPM-o-2_6":               "omni-llm-mcif",
			"THUdyh/Ola-7b":                       "omni-llm-mcif",
			"Qwen/Qwen2.5-Omni-7B":                "qwen2.5-omni",
			"gemini/gemini-2.5-flash":             "gemini-2.5",
		},
		"Omni-Captioner, Tables 2 to 4": {
			"openai/gpt-4o-2024-11-20":             "gpt-4o",
			"openai/gpt-4o-audio-preview":          "gpt-4o-audio",
			"gemini/gemini-1.5-pro":                "gemini",
			"gemini/gemini-2.0-flash":              "gemini",
			"gemini/gemini-2.5-pro":                "gemini-2.5",
			"llava-hf/llava-onevision-qwen2-7b-hf": "video-llm",
			"OpenGVLab/InternVideo2_5_Chat_8B":     "video-llm",
			"Qwen/Qwen2.5-VL-7B-Instruct":          "video-llm",
			"DAMO-NLP-SG/VideoLLaMA3-7B":           "video-llm",
			"DAMO-NLP-SG/VideoLLaMA2-7B":           "omni-llm",
			"tsinghua-ee/video-SALMONN-13B":        "omni-llm",
			"tsinghua-ee/video-SALMONN-2":          "video-salmonn-2",
			"video-SALMONN2-7B":                    "video-salmonn-2",
			"tsinghua-ee/SALMONN-13B":              "audio-llm",
			"mispeech/midashenglm-7b":              "audio-llm",
			"Qwen/Qwen2-Audio-7B":                  "audio-llm",
			"Audio-Captioner-7B":                   "audio-captioner",
			"Omni-Captioner-7B":                    "omni-captioner",
			"Qwen/Qwen3-Omni-30B-A3B-Captioner":    "qwen3-omni-captioner",
		},
		"CapRiCorn-1K, Tables 2, 3 and 6": {
			"UGC-VideoCaptioner-3B":               "qwen2.5-omni",
			"ASID-Captioner-7B":                   "qwen2.5-omni",
			"DiaDem-7B":                           "qwen2.5-omni",
			"AVoCaDO-7B":                          "qwen2.5-omni",
			"TencentARC/ARC-Qwen-Video-7B":        "arc-qwen-video",
			"ARC-Qwen-Video-7B-Narrator":          "arc-qwen-video",
			"nvidia/omnivinci":                    "omnivinci",
			"Qwen/Qwen3-Omni-30B-A3B-Instruct":    "qwen3-omni",
			"tsinghua-ee/video-SALMONN-2_plus_7B": "video-salmonn-2+",
			"video-SALMONN-2+72B":                 "video-salmonn-2+",
			"omni-research/Tarsier2-Recap-7b":     "tarsier2",
			"XiaomiMiMo/MiMo-VL-7B-RL":            "mimo-vl",
			"Qwen/Qwen3-VL-8B-Instruct":           "qwen3-vl",
			"Qwen/Qwen3.5-122B-A10B":              "qwen3-vl",
			"Qwen/Qwen3.6-27B":                    "qwen3-vl",
			"OpenGVLab/InternVL3_5-8B":            "internvl3.5",
			"gemini/gemini-3-pro":                 "gemini-2.5",
		},
		"providers' other models": {
			"anthropic/claude-sonnet-4": "claude",
			"openai/gpt-4.1-mini":       "gpt-4o",
			"openai/o3":                 "", // in none of the tables
		},
	} {
		for model, want := range models {
			got, err := ProfileOf(model, "")
			if err != nil || got == nil && want != "" || got != nil && got.Name != want {
				t.Errorf("%s: %s: %+v, %v; want %q", table, model, got, err, want)
			}
		}
	}
}

// TestPatternsOfModels finds patterns that match nothing: misspelt ones, and those
// with capitals, since names are compared in small letters.
func TestPatternsOfModels(t *testing.T) {
	all, err := Profiles()
	fixture.OK(t, err)
	for _, p := range all {
		for _, pattern := range p.Models {
			if _, err := path.Match(pattern, ""); err != nil || pattern != strings.ToLower(pattern) {
				t.Errorf("%s: %q can match no model: %v", p.Name, pattern, err)
			}
		}
	}
}
