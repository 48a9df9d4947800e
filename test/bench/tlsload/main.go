// The load generator of the benchmark for TLS, to 127.0.0.1 alone and without looking at the certificate.
//
//	watch   watchers over a connection each, or over HTTP/2 with few connections. It takes what `load watch` takes, and
//	        connections=, the number of HTTP/2 connections; without it every watcher has a connection of HTTP/1.1. HTTP/2 is
//	        spoken frame by frame, because a whole client would need more of the machine than the server.
//	http    callers that repeat a request, as `load http` does; http2=1: all of them over one connection of HTTP/2.
//	walk    one caller that reads a list page by page, count= times.
//	update  callers that get one of objects= objects, change it and put it back; a conflict is an answer, not a success.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

var began = time.Now()

// arguments are name=value.
type arguments map[string]string

func (given arguments) number(name string, otherwise float64) float64 {
	if found, err := strconv.ParseFloat(given[name], 64); err == nil {
		return found
	}
	return otherwise
}

// tally is what all watchers saw.
type tally struct {
	events, sum, bytes, closed, lastNs atomic.Int64
	mutex                              sync.Mutex
	samples                            []int64
}

// saw counts an event by the time of its write and its number, both in nanoseconds since the start and from zero.
func (all *tally) saw(samples *[]int64, writtenNs, number int64) {
	now := int64(time.Since(began))
	*samples = append(*samples, now-writtenNs)
	all.events.Add(1)
	all.sum.Add(number)
	all.lastNs.Store(now)
}

func (all *tally) keep(samples []int64) {
	all.mutex.Lock()
	all.samples = append(all.samples, samples...)
	all.mutex.Unlock()
}

func main() {
	given := arguments{}
	for _, argument := range os.Args[2:] {
		name, value, _ := strings.Cut(argument, "=")
		given[name] = value
	}
	switch os.Args[1] {
	case "http":
		repeat(given)
	case "walk":
		walk(given)
	case "update":
		update(given)
	default:
		watchAndWrite(given)
	}
}

func watchAndWrite(given arguments) {
	all := &tally{}
	watchers, writes := int(given.number("watchers", 1)), int(given.number("writes", 0))
	stop := watch(given, watchers, all)
	fmt.Println("ready")
	if writes == 0 {
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	}
	firstNs := int64(time.Since(began))
	errors := write(given, writes)
	wanted := int64(watchers) * int64(writes)
	awaitEvents(all, wanted)
	closed := all.closed.Load()
	seconds := float64(all.lastNs.Load()-firstNs) / 1e9
	stop()
	report(all, map[string]any{
		"requests": writes, "answered": writes, "errors": errors, "seconds": seconds, "closed": closed,
		"complete": all.events.Load() == wanted && all.sum.Load() == int64(watchers)*sumOf(given, writes),
	})
}

func watch(given arguments, watchers int, all *tally) (stop func()) {
	request := readFile(given["watch"])
	if connections := int(given.number("connections", 0)); connections > 0 {
		return watchHTTP2(given["port"], request, watchers, connections, all)
	}
	return watchHTTP1(given["port"], request, watchers, all)
}

// awaitEvents gives up when nothing comes for ten seconds.
func awaitEvents(all *tally, wanted int64) {
	last, since := int64(-1), time.Now()
	for all.events.Load() < wanted && time.Since(since) < 10*time.Second {
		if now := all.events.Load(); now != last {
			last, since = now, time.Now()
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// sumOf is what the numbers of all writes come to: a lost event and a repeated one cannot make up for each other.
func sumOf(given arguments, writes int) int64 {
	start := int64(given.number("start", 0))
	return int64(writes)*start + int64(writes)*int64(writes-1)/2
}

func report(all *tally, result map[string]any) {
	sort.Slice(all.samples, func(a, b int) bool { return all.samples[a] < all.samples[b] })
	at := func(part float64) float64 {
		if len(all.samples) == 0 {
			return 0
		}
		return float64(all.samples[int(part*float64(len(all.samples)-1))]) / 1e6
	}
	result["p50Ms"], result["p99Ms"], result["maxMs"] = at(0.5), at(0.99), at(1)
	result["events"], result["bytes"] = all.events.Load(), all.bytes.Load()
	line := bufio.NewWriter(os.Stdout)
	must(json.NewEncoder(line).Encode(result))
	must(line.Flush())
}

func readFile(path string) []byte {
	content, err := os.ReadFile(path)
	must(err)
	return content
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "tlsload:", err)
		os.Exit(1)
	}
}
