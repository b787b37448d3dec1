package neuralgen

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"time"
)

func (s Shape) checkpointName() string {
	if s.Estimator != nil {
		return "checkpoints/model.ckpt"
	}
	return "pytorch_model.bin"
}

// writeCheckpoint writes what torch.save writes since 1.6: a zip archive,
// nothing in it compressed, with a pickle that names the tensors and a file for
// the numbers of each. COMET's is that of PyTorch Lightning, with
// hyperparameters beside the tensors.
func (s Shape) writeCheckpoint(w io.Writer, tensors []tensor, seed uint64) error {
	z := &archive{zip.NewWriter(w)}
	if err := z.put("data.pkl", s.pickled(tensors)); err != nil {
		return err
	}
	if err := z.put("byteorder", []byte("little")); err != nil {
		return err
	}
	table := deviates()
	for i, t := range tensors {
		entry, err := z.create(fmt.Sprintf("data/%d", i))
		if err != nil {
			return err
		}
		if err := t.fill(entry, seed, table); err != nil {
			return err
		}
	}
	if err := z.put("version", []byte("3\n")); err != nil {
		return err
	}
	return z.Close()
}

// Hostile writes what torch.save writes, but with a pickle that runs a program:
// a reader of weights has to refuse it.
func Hostile(w io.Writer) error {
	z := &archive{zip.NewWriter(w)}
	var p pickle
	p.WriteString("\x80\x02")
	p.global("posix", "system")
	p.WriteByte('(')
	p.text("touch hostile")
	p.WriteString("tR.")
	if err := z.put("data.pkl", p.Bytes()); err != nil {
		return err
	}
	if err := z.put("version", []byte("3\n")); err != nil {
		return err
	}
	return z.Close()
}

// An archive is a zip file as torch makes them.
type archive struct{ *zip.Writer }

func (z *archive) create(name string) (io.Writer, error) {
	return z.CreateHeader(&zip.FileHeader{Name: "archive/" + name, Method: zip.Store, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
}

func (z *archive) put(name string, content []byte) error {
	entry, err := z.create(name)
	if err == nil {
		_, err = entry.Write(content)
	}
	return err
}

// A pickle is written in protocol 2 ("pickletools" in Python's library has the
// opcodes).
type pickle struct{ bytes.Buffer }

// pickled is the archive's data.pkl.
func (s Shape) pickled(tensors []tensor) []byte {
	var p pickle
	p.WriteString("\x80\x02")
	if s.Estimator == nil {
		p.states(tensors)
	} else {
		p.WriteString("}(")
		p.text("epoch")
		p.number(3)
		p.text("global_step")
		p.number(1000)
		p.text("pytorch-lightning_version")
		p.text("1.8.2")
		p.text("state_dict")
		p.states(tensors)
		p.text("hparams_name")
		p.text("kwargs")
		p.text("hyper_parameters")
		p.hyperparameters(s)
		p.WriteByte('u')
	}
	p.WriteByte('.')
	return p.Bytes()
}

func (p *pickle) text(s string) {
	p.WriteByte('X')
	p.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(s))))
	p.WriteString(s)
}

func (p *pickle) number(n int) {
	p.WriteByte('J')
	p.Write(binary.LittleEndian.AppendUint32(nil, uint32(int32(n))))
}

func (p *pickle) numbers(list []int) {
	p.WriteByte('(')
	for _, n := range list {
		p.number(n)
	}
	p.WriteByte('t')
}

func (p *pickle) global(module, name string) { p.WriteString("c" + module + "\n" + name + "\n") }

// ordered is an empty OrderedDict.
func (p *pickle) ordered() {
	p.global("collections", "OrderedDict")
	p.WriteString(")R")
}

func (p *pickle) states(tensors []tensor) {
	p.ordered()
	p.WriteByte('(')
	for i, t := range tensors {
		p.text(t.name)
		p.tensor(i, t)
	}
	p.WriteByte('u')
}

// tensor is a call of torch's _rebuild_tensor_v2 with storage, offset, size,
// stride, requires_grad and hooks.
func (p *pickle) tensor(storage int, t tensor) {
	p.global("torch._utils", "_rebuild_tensor_v2")
	p.WriteString("((")
	p.text("storage")
	p.global("torch", "FloatStorage")
	p.text(fmt.Sprint(storage))
	p.text("cpu")
	p.number(t.count())
	p.WriteString("tQ")
	p.number(0)
	p.numbers(t.shape)
	strides := make([]int, len(t.shape))
	for i, step := len(t.shape)-1, 1; i >= 0; i-- {
		strides[i] = step
		step *= t.shape[i]
	}
	p.numbers(strides)
	p.WriteByte('\x89')
	p.ordered()
	p.WriteString("tR")
}

func (p *pickle) hyperparameters(s Shape) {
	p.WriteString("}(")
	for _, pair := range [][2]string{{"class_identifier", "regression_metric"}, {"encoder_model", "XLM-RoBERTa"}, {"pretrained_model", "xlm-roberta-large"},
		{"pool", "avg"}, {"layer", "mix"}, {"layer_transformation", "sparsemax"}, {"activations", "Tanh"}, {"loss", "mse"}} {
		p.text(pair[0])
		p.text(pair[1])
	}
	p.text("layer_norm")
	p.WriteByte('\x89')
	p.text("final_activation")
	p.WriteByte('N')
	p.text("hidden_sizes")
	p.WriteString("](")
	for _, n := range s.Estimator {
		p.number(n)
	}
	p.WriteString("eu")
}
