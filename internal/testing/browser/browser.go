// Package browser opens pages in a real Chromium, for tests of what people see.
package browser

import (
	"context"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"omniscope/internal/testing/need"
)

// A Page is a page in a browser of its own. What it complains of, and what it asks for,
// is kept.
type Page struct {
	t   testing.TB
	ctx context.Context

	mu       sync.Mutex
	problems []string
	asked    []string // addresses
}

// Open opens an address in a window of so many pixels. Without Chromium the test is
// skipped.
func Open(t testing.TB, address string, width, height int64) *Page {
	t.Helper()
	need.Processes(t)
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "headless-shell"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("no Chromium is installed")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WindowSize(int(width), int(height)))
	allocated, free := chromedp.NewExecAllocator(t.Context(), options...)
	ctx, quit := chromedp.NewContext(allocated)
	limited, cancel := context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(func() { cancel(); quit(); free() })
	p := &Page{t: t, ctx: limited}
	chromedp.ListenTarget(limited, p.listen)
	p.do(network.Enable(), log.Enable(), runtime.Enable(), chromedp.EmulateViewport(width, height), chromedp.Navigate(address))
	return p
}

func (p *Page) listen(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		p.problems = append(p.problems, e.ExceptionDetails.Error())
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
			p.problems = append(p.problems, string(e.Type))
		}
	case *log.EventEntryAdded:
		p.problems = append(p.problems, e.Entry.Text+" "+e.Entry.URL)
	case *page.EventJavascriptDialogOpening:
		go func() { _ = chromedp.Run(p.ctx, page.HandleJavaScriptDialog(true)) }() // not here: events wait for this
	case *network.EventRequestWillBeSent:
		p.asked = append(p.asked, e.Request.URL)
	}
}

func (p *Page) do(actions ...chromedp.Action) {
	p.t.Helper()
	if err := chromedp.Run(p.ctx, actions...); err != nil {
		p.t.Fatal(err)
	}
}

// Value evaluates an expression of JavaScript into out.
func (p *Page) Value(expression string, out any) {
	p.t.Helper()
	p.do(chromedp.Evaluate(expression, out, func(o *runtime.EvaluateParams) *runtime.EvaluateParams { return o.WithAwaitPromise(true) }))
}

// WaitFor waits until an expression is true, on this page or one that a link led to.
func (p *Page) WaitFor(expression string) {
	p.t.Helper()
	var last error
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		is := false
		// The old page may be gone, and the new one not there.
		if last = chromedp.Run(p.ctx, chromedp.Evaluate("Boolean("+expression+")", &is)); is {
			return
		}
	}
	p.t.Fatalf("it is not so: %s (%v)\n%s", expression, last, p.text())
}

// text is what the page says, to see why a test failed.
func (p *Page) text() (said string) {
	if err := chromedp.Run(p.ctx, chromedp.Evaluate(`location.href + "\n" + document.body.innerText`, &said)); err != nil {
		return err.Error()
	}
	return said
}

// Keys presses keys, one after another, as a keyboard does: a key that the page takes for itself
// writes nothing.
func (p *Page) Keys(keys string) {
	p.t.Helper()
	p.WaitFor(`performance.getEntriesByType("paint").length`) // until then a browser drops what is pressed
	for _, key := range keys {
		for _, e := range kb.Encode(key) {
			switch e.Type {
			case input.KeyChar: // it is what the key writes, and comes with the key
				continue
			case input.KeyDown, input.KeyRawDown:
				if e.Type = input.KeyRawDown; e.Text != "" || unicode.IsPrint(key) || key == '\r' {
					e.Type, e.Text, e.UnmodifiedText = input.KeyDown, string(key), string(key)
				}
			}
			p.do(e)
		}
	}
}

// Click clicks the first element that a selector finds. It tries again where a page is just
// changing, and the element that it found is gone.
func (p *Page) Click(selector string) {
	p.t.Helper()
	var err error
	for range 20 {
		if err = chromedp.Run(p.ctx, chromedp.Click(selector, chromedp.ByQuery)); err == nil || !strings.Contains(err.Error(), "Could not find node") {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// Press presses a key until an expression is true. A browser that is busy may drop what is pressed
// while a page opens; so it is for keys that do no harm twice.
func (p *Page) Press(key, until string) {
	p.t.Helper()
	for range 5 {
		p.Keys(key)
		for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			is := false
			if err := chromedp.Run(p.ctx, chromedp.Evaluate("Boolean("+until+")", &is)); err == nil && is {
				return
			}
		}
	}
	p.WaitFor(until)
}

// Fill types into a field.
func (p *Page) Fill(selector, text string) {
	p.t.Helper()
	p.do(chromedp.SendKeys(selector, text, chromedp.ByQuery))
}

// Resize gives the window another size.
func (p *Page) Resize(width, height int64) {
	p.t.Helper()
	p.do(chromedp.EmulateViewport(width, height))
}

// Screenshot is a PNG of the whole page.
func (p *Page) Screenshot() (png []byte) {
	p.t.Helper()
	p.do(chromedp.FullScreenshot(&png, 100))
	return png
}

// Quiet fails the test if the page complained, or asked for anything that does not begin
// with one of these addresses.
func (p *Page) Quiet(allowed ...string) {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, problem := range p.problems {
		p.t.Errorf("the page complains: %s", problem)
	}
next:
	for _, address := range p.asked {
		for _, a := range append(allowed, "data:") { // which asks nobody
			if strings.HasPrefix(address, a) {
				continue next
			}
		}
		p.t.Errorf("the page asked for %s", address)
	}
}

// Go leads the page to another address.
func (p *Page) Go(address string) {
	p.t.Helper()
	p.do(chromedp.Navigate(address))
}

// Reload opens the page anew. What it asks before it is left is answered with yes.
func (p *Page) Reload() {
	p.t.Helper()
	p.do(chromedp.Reload())
}

// Tab opens an address in another tab of the same browser.
func (p *Page) Tab(address string) *Page {
	p.t.Helper()
	ctx, cancel := chromedp.NewContext(p.ctx)
	p.t.Cleanup(cancel)
	tab := &Page{t: p.t, ctx: ctx}
	chromedp.ListenTarget(ctx, tab.listen)
	tab.do(network.Enable(), log.Enable(), runtime.Enable(), chromedp.Navigate(address))
	return tab
}

// CtrlEnter presses Enter with Ctrl held down.
func (p *Page) CtrlEnter() {
	p.t.Helper()
	for _, kind := range []input.KeyType{input.KeyRawDown, input.KeyUp} {
		p.do(input.DispatchKeyEvent(kind).WithKey("Enter").WithCode("Enter").WithWindowsVirtualKeyCode(13).WithModifiers(input.ModifierCtrl))
	}
}

// Cookies are those of the browser.
func (p *Page) Cookies() (kept []*network.CookieParam) {
	p.t.Helper()
	p.do(chromedp.ActionFunc(func(ctx context.Context) error {
		cookies, err := storage.GetCookies().Do(ctx)
		for _, c := range cookies {
			kept = append(kept, &network.CookieParam{Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path, HTTPOnly: c.HTTPOnly})
		}
		return err
	}))
	return kept
}

// SetCookies takes these in place of the browser's.
func (p *Page) SetCookies(cookies []*network.CookieParam) {
	p.t.Helper()
	p.do(network.ClearBrowserCookies())
	if len(cookies) > 0 {
		p.do(network.SetCookies(cookies))
	}
}
