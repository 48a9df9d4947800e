package main

import (
	"bufio"
	"crypto/tls"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

func dial(port string, protocol string) *tls.Conn {
	// The certificate is not what is measured.
	config := &tls.Config{InsecureSkipVerify: true, NextProtos: []string{protocol}}
	conn, err := tls.Dial("tcp", "127.0.0.1:"+port, config)
	must(err)
	return conn
}

// watchHTTP1 opens a connection for each watcher, and comes back when every answer has begun.
func watchHTTP1(port string, request []byte, watchers int, all *tally) (stop func()) {
	conns := make([]*tls.Conn, watchers)
	var begun, ended sync.WaitGroup
	var stopping atomic.Bool
	for at := range conns {
		conns[at] = dial(port, "http/1.1")
		_, err := conns[at].Write(request)
		must(err)
		begun.Add(1)
		ended.Add(1)
		go func(conn *tls.Conn) {
			defer ended.Done()
			readWatch(conn, &begun, all)
			if !stopping.Load() {
				all.closed.Add(1)
			}
		}(conns[at])
	}
	begun.Wait()
	return func() {
		stopping.Store(true)
		for _, conn := range conns {
			_ = conn.NetConn().Close()
		}
		ended.Wait()
	}
}

// readWatch takes the body without its chunks: some servers end one in the middle of an event.
func readWatch(conn *tls.Conn, begun *sync.WaitGroup, all *tally) {
	found := &finder{all: all}
	defer func() { all.keep(found.samples) }()
	answer, err := http.ReadResponse(bufio.NewReaderSize(conn, 16*1024), nil)
	must(err)
	if answer.StatusCode != http.StatusOK {
		must(&http.ProtocolError{ErrorString: "a watch was answered " + answer.Status})
	}
	begun.Done()
	buffer := make([]byte, 16*1024)
	for {
		length, err := answer.Body.Read(buffer)
		found.take(buffer[:length])
		if err != nil {
			return
		}
	}
}

// write sends the writes at their rate over a few connections, and gives how many were not answered as they should.
func write(given arguments, writes int) int64 {
	template, rate := readFile(given["request"]), given.number("rate", 0)
	start, status := int64(given.number("start", 0)), int(given.number("status", 200))
	var next, errors atomic.Int64
	var done sync.WaitGroup
	zero := time.Now()
	for range int(given.number("writers", 1)) {
		done.Add(1)
		go func() {
			defer done.Done()
			conn := dial(given["port"], "http/1.1")
			defer conn.Close()
			answers := bufio.NewReader(conn)
			for at := next.Add(1) - 1; at < int64(writes); at = next.Add(1) - 1 {
				if rate > 0 {
					time.Sleep(time.Until(zero.Add(time.Duration(float64(at) / rate * 1e9))))
				}
				if writeOne(conn, answers, template, start+at) != status {
					errors.Add(1)
				}
			}
		}()
	}
	done.Wait()
	return errors.Load()
}

func writeOne(conn *tls.Conn, answers *bufio.Reader, template []byte, number int64) int {
	request := append([]byte(nil), template...)
	filled(request, 1, number)
	filled(request, 2, int64(time.Since(began)))
	_, err := conn.Write(request)
	must(err)
	answer, err := http.ReadResponse(answers, nil)
	must(err)
	for buffer := make([]byte, 4096); err == nil; {
		_, err = answer.Body.Read(buffer)
	}
	return answer.StatusCode
}
