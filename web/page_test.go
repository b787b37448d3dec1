package web

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

func TestPageThatFailsIsNotSentInPart(t *testing.T) {
	w := httptest.NewRecorder()
	Write(w, http.StatusOK, h.P(g.Text("half"), g.NodeFunc(func(io.Writer) error { return errors.New("no file") })))
	if w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "half") || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
}

func TestErrorsArePagesWithAStatus(t *testing.T) {
	w := httptest.NewRecorder()
	Write(w, http.StatusNotFound, failure(errors.New("<b>")))
	if w.Code != http.StatusNotFound || w.Header().Get("Content-Type") != "text/html; charset=utf-8" || !strings.Contains(w.Body.String(), `<p role="alert">&lt;b&gt;</p>`) {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
}
