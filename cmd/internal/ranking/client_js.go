package ranking

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall/js"
)

// exchange sends a request with the browser's fetch and waits for the head of
// the answer. It is fetch itself and not net/http, which brings TLS along, a
// megabyte of the page for nothing: the browser has its own.
func exchange(ctx context.Context, method, url string, headers [][2]string, body []byte) (*answer, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	abort := js.Global().Get("AbortController").New()
	options := map[string]any{"method": method, "signal": abort.Get("signal")}
	named := js.Global().Get("Headers").New()
	for _, h := range headers {
		named.Call("set", h[0], h[1])
	}
	options["headers"] = named
	if len(body) > 0 {
		a := js.Global().Get("Uint8Array").New(len(body))
		js.CopyBytesToJS(a, body)
		options["body"] = a
	}
	// The end of the context ends the fetch, and later the reading of its body.
	kept := context.AfterFunc(ctx, func() { abort.Call("abort") })
	response, err := settled(js.Global().Call("fetch", url, options))
	if err != nil {
		kept()
		return nil, err
	}
	b := &fetchedBody{ctx: ctx, abort: abort, kept: kept}
	if stream := response.Get("body"); stream.Truthy() {
		b.reader = stream.Call("getReader")
	}
	kind := response.Get("headers").Call("get", "Content-Type")
	a := &answer{status: response.Get("status").Int(), body: b}
	if kind.Type() == js.TypeString {
		a.contentType = kind.String()
	}
	return a, nil
}

// A fetchedBody is the body of a response as it arrives. Bytes go from the
// browser's memory right into the reader's, so that a server which sends more
// than was asked for takes none of ours.
type fetchedBody struct {
	ctx    context.Context
	abort  js.Value
	kept   func() bool
	reader js.Value // zero where there is no body
	chunk  js.Value // what was not read yet of the last piece
	left   int      // its length
	err    error    // sticky
}

var errBodyClosed = errors.New("ranking: the answer was closed")

// Read belongs to one goroutine. Close, from another, ends it.
func (b *fetchedBody) Read(p []byte) (int, error) {
	for b.left == 0 && b.err == nil {
		b.more()
	}
	if b.left == 0 {
		return 0, b.err
	}
	n := js.CopyBytesToGo(p, b.chunk)
	b.chunk, b.left = b.chunk.Call("subarray", n), b.left-n
	return n, nil
}

// more waits for the next piece.
func (b *fetchedBody) more() {
	if !b.reader.Truthy() {
		b.err = io.EOF
		return
	}
	piece, err := settled(b.reader.Call("read"))
	switch {
	case err == nil && piece.Get("done").Bool():
		b.err = io.EOF
	case err == nil:
		b.chunk = piece.Get("value")
		b.left = b.chunk.Get("byteLength").Int()
	case b.ctx.Err() != nil:
		b.err = context.Cause(b.ctx)
	default:
		b.err = err
	}
}

// Close ends the download, if it has not ended.
func (b *fetchedBody) Close() error {
	b.kept()
	b.abort.Call("abort")
	return nil
}

// settled waits for a promise, and returns what it gives. The error is what
// it was refused with, in the browser's own words.
func settled(promise js.Value) (js.Value, error) {
	type result struct {
		value js.Value
		err   error
	}
	got := make(chan result, 1)
	given := js.FuncOf(func(_ js.Value, args []js.Value) any {
		got <- result{value: args[0]}
		return nil
	})
	defer given.Release()
	refused := js.FuncOf(func(_ js.Value, args []js.Value) any {
		text := "refused"
		if args[0].Type() == js.TypeObject {
			text = args[0].Call("toString").String()
			if cause := args[0].Get("cause"); cause.Type() == js.TypeObject {
				text += ": " + cause.Call("toString").String()
			}
		}
		got <- result{err: fmt.Errorf("fetch: %s", text)}
		return nil
	})
	defer refused.Release()
	promise.Call("then", given, refused)
	r := <-got
	return r.value, r.err
}
