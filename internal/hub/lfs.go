package hub

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"omniscope"
)

// lfsForm is the form of requests of Git LFS (git-lfs/docs/api/batch.md). The hub adds a
// way to send an object in parts (huggingface_hub, lfs.py): the header of the upload
// action has chunk_size and an address for each part, by its number; each part answers
// an ETag, and a last request to the action's own address names them all.
const lfsForm = "application/vnd.git-lfs+json"

type lfsObject struct {
	OID     string      `json:"oid"`
	Size    int64       `json:"size"`
	Actions *lfsActions `json:"actions"` // nil = the hub has it already
	Error   *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

type lfsActions struct {
	Upload *lfsAction `json:"upload"`
	Verify *lfsAction `json:"verify"`
}

type lfsAction struct {
	Href   string            `json:"href"`
	Header map[string]string `json:"header"`
}

// uploadObjects uploads those objects that the hub does not have.
func (t *task) uploadObjects(ctx context.Context, files []Addition) error {
	type object struct {
		OID  string `json:"oid"`
		Size int64  `json:"size"`
	}
	body := struct {
		Operation string            `json:"operation"`
		Transfers []string          `json:"transfers"`
		Algo      string            `json:"hash_algo"`
		Ref       map[string]string `json:"ref"`
		Objects   []object          `json:"objects"`
	}{Operation: "upload", Transfers: []string{"basic", "multipart"}, Algo: "sha256", Ref: map[string]string{"name": t.repo.Revision}}
	for _, f := range files {
		body.Objects = append(body.Objects, object{f.SHA256, f.Size})
	}
	var answer struct {
		Objects []lfsObject `json:"objects"`
	}
	batch := t.at(".git/info/lfs/objects/batch")
	if err := t.post(ctx, batch, lfsForm, body, &answer); err != nil {
		return err
	}
	for _, f := range files {
		i := slices.IndexFunc(answer.Objects, func(o lfsObject) bool { return o.OID == f.SHA256 })
		if i < 0 {
			return t.unlikeHub("does not say how to upload " + f.Path)
		}
		if err := t.uploadObject(ctx, f, answer.Objects[i]); err != nil {
			return err
		}
	}
	return nil
}

func (t *task) uploadObject(ctx context.Context, f Addition, o lfsObject) error {
	if o.Error != nil {
		return &failure{kind: omniscope.Invalid, what: fmt.Sprintf("the hub refuses %s: %d %s", f.Path, o.Error.Code, o.Error.Message), mend: "mend that, or leave the file out"}
	}
	if o.Actions == nil || o.Actions.Upload == nil {
		return nil // it is there
	}
	var err error
	if chunk, parts := o.Actions.Upload.Header["chunk_size"], o.Actions.Upload.parts(); chunk != "" {
		err = t.uploadParts(ctx, f, *o.Actions.Upload, chunk, parts)
	} else {
		_, err = t.put(ctx, f, o.Actions.Upload.Href, 0, f.Size)
	}
	if err == nil && o.Actions.Verify != nil {
		err = t.verifyObject(ctx, f, *o.Actions.Verify)
	}
	return err
}

// verifyObject asks the hub whether it got an object as it is.
func (t *task) verifyObject(ctx context.Context, f Addition, verify lfsAction) error {
	at, err := t.action(verify.Href)
	if err != nil {
		return err
	}
	err = t.post(ctx, at, lfsForm, map[string]any{"oid": f.SHA256, "size": f.Size}, nil)
	if refused, ok := errors.AsType[*failure](err); ok && !refused.again {
		refused.what = "the hub did not get " + f.Path + " as it is: " + refused.what
	}
	return err
}

// parts are the addresses of the parts, in order.
func (a *lfsAction) parts() (addresses []string) {
	for n := 1; ; n++ {
		address, ok := a.Header[strconv.Itoa(n)]
		for width := 2; !ok && width <= 5; width++ { // the hub writes 01, 00001 and the like
			address, ok = a.Header[fmt.Sprintf("%0*d", width, n)]
		}
		if !ok {
			return addresses
		}
		addresses = append(addresses, address)
	}
}

func (t *task) uploadParts(ctx context.Context, f Addition, upload lfsAction, chunk string, parts []string) error {
	size, err := strconv.ParseInt(chunk, 10, 64)
	if err != nil || size <= 0 || int64(len(parts)) != (f.Size+size-1)/size {
		return t.unlikeHub("does not say how to upload the parts of " + f.Path)
	}
	type part struct {
		Number int    `json:"partNumber"`
		ETag   string `json:"etag"`
	}
	var sent []part
	for i, address := range parts {
		from := int64(i) * size
		etag, err := t.put(ctx, f, address, from, min(size, f.Size-from))
		if err != nil {
			return err
		}
		if etag == "" {
			return t.unlikeHub(fmt.Sprintf("does not confirm part %d of %s", i+1, f.Path))
		}
		sent = append(sent, part{i + 1, etag})
	}
	at, err := t.action(upload.Href)
	if err != nil {
		return err
	}
	return t.post(ctx, at, lfsForm, map[string]any{"oid": f.SHA256, "parts": sent}, nil)
}

// put sends a stretch of a file to where objects are kept, as often as it takes. Its
// address is signed: neither it nor the token is in an error.
func (t *task) put(ctx context.Context, f Addition, address string, from, size int64) (etag string, err error) {
	at, err := t.action(address)
	if err != nil {
		return "", err
	}
	err = t.insist(ctx, tries, func() (progress bool, err error) {
		file, err := f.Open()
		if err != nil {
			return false, t.unreadable(err)
		}
		defer file.Close()
		if _, err := io.CopyN(io.Discard, file, from); err != nil {
			return false, t.unreadable(err)
		}
		var body io.Reader = io.LimitReader(file, size)
		if size == f.Size {
			body = t.checked(f, file)
		}
		resp, stop, err := t.sendFor(ctx, http.MethodPut, at, "", body, size)
		if err != nil {
			return false, err
		}
		defer stop()
		if resp.StatusCode >= 300 {
			return false, t.refusal(resp)
		}
		etag = resp.Header.Get("ETag")
		if t.Progress != nil {
			t.Progress(f.Path, from+size, f.Size)
		}
		return false, nil
	})
	return etag, err
}

// action is an address that the hub names.
func (t *task) action(href string) (*url.URL, error) {
	at, err := t.home.Parse(href)
	if err != nil || at.Host == "" || at.Scheme != "https" && at.Scheme != t.home.Scheme {
		return nil, t.unlikeHub("names an address to upload to that is none, or is not encrypted")
	}
	return at, nil
}
