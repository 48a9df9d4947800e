package main

import (
	"fmt"
	"net/http"
	"net/url"
	"sync"
)

// recorder remembers the requests that clients made, and the warnings that they got.
type recorder struct {
	mu       sync.Mutex
	requests []request
	warnings []string
}

type request struct {
	method      string
	path        string
	query       url.Values
	contentType string
	accept      string
	// status is 0 while there is no answer.
	status     int
	answerType string
}

func (r *recorder) wrap(next http.RoundTripper) http.RoundTripper {
	return recordingTripper{next: next, recorder: r}
}

type recordingTripper struct {
	next     http.RoundTripper
	recorder *recorder
}

func (t recordingTripper) RoundTrip(sent *http.Request) (*http.Response, error) {
	entry := request{
		method:      sent.Method,
		path:        sent.URL.Path,
		query:       sent.URL.Query(),
		contentType: sent.Header.Get("Content-Type"),
		accept:      sent.Header.Get("Accept"),
	}
	answer, err := t.next.RoundTrip(sent)
	if err == nil {
		entry.status = answer.StatusCode
		entry.answerType = answer.Header.Get("Content-Type")
	}
	t.recorder.mu.Lock()
	defer t.recorder.mu.Unlock()
	t.recorder.requests = append(t.recorder.requests, entry)
	return answer, err
}

// HandleWarningHeader makes the recorder a warning handler.
func (r *recorder) HandleWarningHeader(_ int, _ string, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.warnings = append(r.warnings, text)
}

func (r *recorder) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests, r.warnings = nil, nil
}

func (r *recorder) seenWarnings() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.warnings...)
}

// answered are the requests so far that match and got an answer, oldest first.
func (r *recorder) answered(match func(request) bool) []request {
	r.mu.Lock()
	defer r.mu.Unlock()
	var found []request
	for _, request := range r.requests {
		if request.status != 0 && match(request) {
			found = append(found, request)
		}
	}
	return found
}

// last shows the newest requests.
func (r *recorder) last(count int) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var lines []string
	for _, sent := range r.requests[max(0, len(r.requests)-count):] {
		lines = append(lines, fmt.Sprintf("  %s %s?%s (%s; %s) %d %s", sent.method, sent.path,
			sent.query.Encode(), sent.contentType, sent.accept, sent.status, sent.answerType))
	}
	return lines
}

func isWatch(r request) bool     { return r.query.Get("watch") == "true" || r.query.Get("watch") == "1" }
func isWatchList(r request) bool { return isWatch(r) && r.query.Get("sendInitialEvents") == "true" }
func isGet(r request) bool       { return r.method == http.MethodGet && !isWatch(r) }
func isExact(r request) bool     { return isGet(r) && r.query.Get("resourceVersionMatch") == "Exact" }
func any_(request) bool          { return true }
