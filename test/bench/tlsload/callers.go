package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"io"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"
)

// caller sends a request of HTTP/1.1 text and gives the answer's status and body.
type caller interface {
	call(request []byte) (status int, body []byte)
}

// connection is a caller with a connection of HTTP/1.1 of its own.
type connection struct {
	conn    *tls.Conn
	answers *bufio.Reader
	body    bytes.Buffer
}

func newConnection(port string) *connection {
	conn := dial(port, "http/1.1")
	return &connection{conn: conn, answers: bufio.NewReaderSize(conn, 64*1024)}
}

// The body is good until the next call.
func (c *connection) call(request []byte) (int, []byte) {
	_, err := c.conn.Write(request)
	must(err)
	answer, err := http.ReadResponse(c.answers, nil)
	must(err)
	c.body.Reset()
	_, err = c.body.ReadFrom(answer.Body)
	must(err)
	return answer.StatusCode, c.body.Bytes()
}

// stream is a caller of a client that all callers share, with one connection of HTTP/2.
type stream struct {
	client *http.Client
	port   string
}

func newStream(port string) *stream {
	config := &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2"}}
	transport := &http.Transport{TLSClientConfig: config, ForceAttemptHTTP2: true, DisableCompression: true}
	return &stream{client: &http.Client{Transport: transport}, port: port}
}

func (s *stream) call(text []byte) (int, []byte) {
	request, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(text)))
	must(err)
	target, err := url.Parse("https://127.0.0.1:" + s.port + request.RequestURI)
	must(err)
	request.URL, request.RequestURI = target, ""
	answer, err := s.client.Do(request)
	must(err)
	body, err := io.ReadAll(answer.Body)
	must(err)
	_ = answer.Body.Close()
	return answer.StatusCode, body
}

// counted is what all callers did in the time that is measured.
type counted struct {
	mutex           sync.Mutex
	samples         []int64
	answered, bytes int64
	errors          atomic.Int64
}

// took takes what one caller did; samples are of those requests that began behind the warm time.
func (all *counted) took(samples []int64, answered, bytes int64) {
	all.mutex.Lock()
	defer all.mutex.Unlock()
	all.samples = append(all.samples, samples...)
	all.answered += answered
	all.bytes += bytes
}

func (all *counted) report(from time.Time) {
	seconds := time.Since(from).Seconds()
	kept := &tally{samples: all.samples}
	kept.bytes.Store(all.bytes)
	report(kept, map[string]any{
		"requests": len(all.samples), "answered": all.answered, "errors": all.errors.Load(), "seconds": seconds,
		"closed": 0, "complete": true,
	})
}

// callers makes each caller do `turn` until the time or the number of turns is over. A turn gives whether it counts.
func callers(given arguments, turn func(c caller, number int64, all *counted) (bytes int64, counts bool)) {
	all := &counted{}
	count := int64(given.number("count", 1<<40))
	start := int64(given.number("start", 0))
	var next atomic.Int64
	var done sync.WaitGroup
	made := make([]caller, int(given.number("connections", 1)))
	shared := newStream(given["port"])
	for at := range made {
		if made[at] = shared; given["http2"] == "" {
			made[at] = newConnection(given["port"])
		}
	}
	from := time.Now().Add(seconds(given.number("warm", 0)))
	until := from.Add(seconds(given.number("seconds", 600)))
	for _, c := range made {
		done.Add(1)
		go func() {
			defer done.Done()
			var samples []int64
			var answered, bytes int64
			for at := next.Add(1) - 1; at < count && time.Now().Before(until); at = next.Add(1) - 1 {
				sent := time.Now()
				length, counts := turn(c, start+at, all)
				answered++
				bytes += length
				if counts && !sent.Before(from) {
					samples = append(samples, int64(time.Since(sent)))
				}
			}
			all.took(samples, answered, bytes)
		}()
	}
	done.Wait()
	all.report(from)
}

func seconds(value float64) time.Duration {
	return time.Duration(value * float64(time.Second))
}

func repeat(given arguments) {
	template, status := readFile(given["request"]), int(given.number("status", 200))
	callers(given, func(c caller, number int64, all *counted) (int64, bool) {
		request := append([]byte(nil), template...)
		filled(request, 1, number)
		filled(request, 2, int64(time.Since(began)))
		got, body := c.call(request)
		if got != status {
			all.errors.Add(1)
		}
		return int64(len(body)), true
	})
}
