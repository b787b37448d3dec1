package recipe

import (
	"embed"
	"slices"
	"strings"

	"omniscope/internal/spelling"
)

// names are the arguments and environment variables of each trainer that are known here: those of the table, and common ones.
// The trainers have more.
//
//go:embed names/*.txt
var names embed.FS

// known are the names of a trainer.
func known(t Trainer) []string {
	text, err := names.ReadFile("names/" + string(t) + ".txt")
	if err != nil {
		panic(err) // a trainer has a list
	}
	return strings.Fields(string(text))
}

// renamed are names of earlier versions, which those that were read refuse.
var renamed = map[string]string{"--train_type": "--tuner_type", "--sft_type": "--tuner_type"}

// foreign are beginnings of environment variables that belong to other programs.
var foreign = []string{"NCCL_", "CUDA_", "TORCH_", "PYTORCH_", "HF_", "MODELSCOPE_", "WANDB_", "SWANLAB_", "OMP_", "GLOO_", "UCX_", "PYTHON", "DS_", "TRITON_", "XDG_", "SLURM_", "CONDA_"}

// isForeign reports whether an environment variable belongs to another program.
func isForeign(name string) bool {
	return slices.ContainsFunc(foreign, func(p string) bool { return strings.HasPrefix(name, p) })
}

// meant is the known name that a written one was probably meant for, "" if there is none. Of names with points between, the last
// word counts, too: lr for train.optimizer.lr.
func meant(written string, list []string) string {
	if name := renamed[written]; name != "" {
		return name
	}
	if at := strings.LastIndex(written, "."); at >= 0 {
		for _, name := range list {
			if strings.HasSuffix(name, written[at:]) {
				return name
			}
		}
	}
	if name, ok := spelling.Nearest(written, list); ok {
		return name
	}
	if near := spelling.Near(written, list); len(near) > 0 && !strings.ContainsAny(written, ".-") {
		return near[0]
	}
	return ""
}
