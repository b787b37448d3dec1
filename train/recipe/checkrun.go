package recipe

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"omniscope/train"
)

// checkBatch multiplies GPUs, rows and steps.
func (c *checker) checkBatch() {
	want, _ := strconv.Atoi(c.recipe.value("batch"))
	gpus, where := c.gpus()
	per, ok := c.get("batch_per_gpu")
	rows, err := strconv.Atoi(per.value)
	if !ok || err != nil || rows < 1 {
		c.add("batch", per, "it is not given as a whole number; the recipe has %s", c.recipe.value("batch_per_gpu"))
		return
	}
	if global, ok := c.get("batch"); ok || global.name != "" {
		n, err := strconv.Atoi(global.value)
		switch {
		case !ok || err != nil || n != want:
			c.add("batch", global, "it must be %d in %s", want, c.recipe.Stage)
		case gpus > 0 && n%(gpus*rows) != 0:
			c.add("batch", per, "%d GPUs%s × %d rows do not divide the batch of %d", gpus, where, rows, n)
		}
		return
	}
	accumulation, ok := c.get("accumulation")
	steps, err := strconv.Atoi(accumulation.value)
	switch {
	case !ok || err != nil:
		c.add("batch", accumulation, "it is not given as a whole number, and %s chooses one; the recipe has %s", c.recipe.Trainer, c.recipe.value("accumulation"))
	case gpus > 0 && gpus*rows*steps != want:
		c.add("batch", accumulation, "%d GPUs%s × %d rows × %d steps are %d rows per update; %s has %d", gpus, where, rows, steps, gpus*rows*steps, c.recipe.Stage, want)
	}
}

// gpus is the number of GPUs over all machines, 0 if it cannot be told, and what there is to say of it.
func (c *checker) gpus() (n int, where string) {
	if c.recipe.Trainer != MSSwift {
		return c.recipe.GPUs * c.recipe.Machines, ""
	}
	n, where = 1, ""
	for _, name := range []string{"NPROC_PER_NODE", "NNODES"} {
		f, ok := c.values[name]
		count, err := strconv.Atoi(f.value)
		switch {
		case ok && err == nil && count > 0:
			n *= count
		case ok:
			c.add("batch", f, "it is no number of GPUs or machines")
			return 0, ""
		case name == "NPROC_PER_NODE":
			where = " (NPROC_PER_NODE is not exported, so that one process is started)"
		}
	}
	return n, where
}

// checkMedia looks at sound, frames and tokens.
func (c *checker) checkMedia() {
	if c.recipe.Stage == train.OmniCaptioner {
		sound, ok := c.get("sound_in_video")
		on, known := truth(sound.value)
		switch {
		case !ok && c.recipe.Trainer == MSSwift:
			c.add("sound", sound, "it is not exported, and off by default: videos would be trained without their sound (ms-swift issue 5202)")
		case !ok:
			c.add("sound", sound, "it is missing, and off by default: videos would be trained without their sound")
		case !known || !on:
			c.add("sound", sound, "it is %s: videos would be trained without their sound", sound.value)
		}
		fps, _ := c.get("fps")
		frames, _ := c.get("max_frames")
		if text := framesText(fps.value, frames.value, c.recipe.Longest); text != "" {
			c.add("frames", frames, "%s", text)
		}
	}
	c.checkTokens()
}

// checkTokens compares the most tokens of a row with what the longest clip needs.
func (c *checker) checkTokens() {
	const cut = 2048 // LLaMA-Factory's default, too little for a minute of sound and its caption
	most, ok := c.get("max_tokens")
	if !ok {
		return // checkValues tells of it
	}
	n, err := strconv.Atoi(most.value)
	need := c.tokens()
	switch {
	case err != nil:
		c.add("tokens", most, "it is no whole number")
	case n <= cut:
		c.add("tokens", most, "%d tokens cut captions off: a minute of sound alone has 1,500, a caption as many", n)
	case need > n:
		c.add("tokens", most, "the longest clip, of %g s, needs about %d tokens with a caption of 1,500", c.recipe.Longest, need)
	}
}

// tokens is about what the longest clip needs: sound 25 a second, video frames / 2 × pixels / 28², and a caption of 1,500
// (1,125 words on average in the paper).
func (c *checker) tokens() int {
	if c.recipe.Longest == 0 {
		return 0
	}
	need := 25*c.recipe.Longest + 1500
	if c.recipe.Stage == train.OmniCaptioner {
		read := func(setting string) float64 {
			f, _ := c.get(setting)
			n, _ := strconv.ParseFloat(f.value, 64) // 0 where it is missing: then the sound alone counts
			return n
		}
		frames := read("fps") * c.recipe.Longest
		if most := read("max_frames"); most > 0 {
			frames = min(frames, most)
		}
		need += frames / 2 * read("video_pixels") / (28 * 28)
	}
	return int(need)
}

// checkMemory looks for packing and ZeRO-3.
func (c *checker) checkMemory() {
	for _, name := range []string{"--packing", "packing", "neat_packing", "train.dyn_bsz", "packed_sequence.packed_sequence_size"} {
		f, ok := c.values[name]
		on, known := truth(f.value)
		if off := known && !on || f.value == "null"; ok && !off {
			c.add("packing", f, "rows would be packed together, so that a batch is no number of rows; leave it off for Omni models (LLaMA-Factory refuses it, ms-swift needed pull request 5918)")
		}
	}
	f, ok := c.values["--deepspeed"]
	if !ok {
		f, ok = c.values["deepspeed"]
	}
	if ok && c.isZero3(f.value) {
		c.add("sharding", f, "ZeRO-3 hangs with Omni models, whose rows do not all have the same media (ms-swift issues 6300, 7356): use zero2")
	}
	if f, ok := c.values["train.accelerator.fsdp_config.fsdp_mode"]; ok && f.value != "fsdp2" {
		c.add("sharding", f, "it is %s; the recipe has fsdp2", f.value)
	}
}

// isZero3 reports whether a name or file of a DeepSpeed configuration is ZeRO-3.
func (c *checker) isZero3(value string) bool {
	text, err := os.ReadFile(filepath.Join(c.dir, filepath.Base(value)))
	if err != nil {
		text, err = os.ReadFile(value)
	}
	var config struct {
		Zero struct {
			Stage json.Number `json:"stage"`
		} `json:"zero_optimization"`
	}
	if err == nil && json.Unmarshal(text, &config) == nil {
		return fmt.Sprint(config.Zero.Stage) == "3"
	}
	name := strings.ToLower(filepath.Base(value))
	return strings.Contains(name, "zero3") || strings.Contains(name, "z3")
}
