package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"io"
	"strings"
	"sync"
	"sync/atomic"
)

// Frames and settings of HTTP/2. Source: RFC 9113 sections 6 and 6.5.2.
const (
	dataFrame         = 0
	headersFrame      = 1
	resetFrame        = 3
	settingsFrame     = 4
	pingFrame         = 6
	goawayFrame       = 7
	windowUpdateFrame = 8
	initialWindow     = 4
	largestWindow     = 1<<31 - 1
	ack               = 1
	endsStream        = 1
	endsHeaders       = 4
)

// session is one connection with the watches on it.
type session struct {
	conn    *tls.Conn
	writing sync.Mutex
	streams []*finder
}

func (s *session) send(kind, flags byte, stream uint32, payload []byte) {
	head := make([]byte, 9, 9+len(payload))
	binary.BigEndian.PutUint32(head, uint32(len(payload))<<8|uint32(kind))
	head[4] = flags
	binary.BigEndian.PutUint32(head[5:], stream)
	s.writing.Lock()
	defer s.writing.Unlock()
	// A connection that the server ended shows where it is read.
	_, _ = s.conn.Write(append(head, payload...))
}

// watchHTTP2 spreads the watchers over the connections, and comes back when every answer has begun.
func watchHTTP2(port string, request []byte, watchers, connections int, all *tally) (stop func()) {
	block := headerBlock(request)
	var begun, ended sync.WaitGroup
	var stopping atomic.Bool
	sessions := make([]*session, connections)
	begun.Add(watchers)
	for at := range sessions {
		s := &session{conn: dial(port, "h2")}
		sessions[at] = s
		s.open(block, watchers/connections+min(1, max(0, watchers%connections-at)), all)
		ended.Add(1)
		go func() {
			defer ended.Done()
			s.read(&begun)
			if !stopping.Load() {
				all.closed.Add(int64(len(s.streams)))
			}
			for _, found := range s.streams {
				all.keep(found.samples)
			}
		}()
	}
	begun.Wait()
	return func() {
		stopping.Store(true)
		for _, s := range sessions {
			_ = s.conn.NetConn().Close()
		}
		ended.Wait()
	}
}

// open asks for the watches; what comes may be as much as the protocol lets be on its way.
func (s *session) open(block []byte, watches int, all *tally) {
	_, err := s.conn.Write([]byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))
	must(err)
	window := binary.BigEndian.AppendUint16(nil, initialWindow)
	s.send(settingsFrame, 0, 0, binary.BigEndian.AppendUint32(window, largestWindow))
	s.send(windowUpdateFrame, 0, 0, binary.BigEndian.AppendUint32(nil, largestWindow-65_535))
	for at := range watches {
		s.streams = append(s.streams, &finder{all: all})
		s.send(headersFrame, endsStream|endsHeaders, uint32(2*at+1), block)
	}
}

func (s *session) read(begun *sync.WaitGroup) {
	frames := bufio.NewReaderSize(s.conn, 256*1024)
	head, payload := make([]byte, 9), make([]byte, 1<<20)
	taken := 0
	for {
		if _, err := io.ReadFull(frames, head); err != nil {
			return
		}
		length := int(binary.BigEndian.Uint32(head) >> 8)
		if _, err := io.ReadFull(frames, payload[:length]); err != nil {
			return
		}
		stream := binary.BigEndian.Uint32(head[5:])
		switch head[3] {
		case headersFrame:
			begun.Done()
		case dataFrame:
			s.streams[stream/2].take(payload[:length])
			if taken += length; taken > largestWindow/2 {
				s.send(windowUpdateFrame, 0, 0, binary.BigEndian.AppendUint32(nil, uint32(taken)))
				taken = 0
			}
		case settingsFrame, pingFrame:
			if head[4]&ack == 0 {
				s.acknowledge(head[3], payload[:length])
			}
		case resetFrame, goawayFrame:
			return
		}
	}
}

func (s *session) acknowledge(kind byte, payload []byte) {
	if kind == settingsFrame {
		payload = nil
	}
	s.send(kind, ack, 0, bytes.Clone(payload))
}

// headerBlock is a request of HTTP/1.1 as literal fields that are not indexed. Source: RFC 7541 section 6.2.2.
func headerBlock(request []byte) []byte {
	lines := strings.Split(strings.TrimSpace(string(request)), "\r\n")
	words := strings.Split(lines[0], " ")
	fields := [][2]string{{":method", words[0]}, {":scheme", "https"}, {":authority", "127.0.0.1"}, {":path", words[1]}}
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ": ")
		if name != "Host" {
			fields = append(fields, [2]string{strings.ToLower(name), value})
		}
	}
	var block []byte
	for _, field := range fields {
		block = append(block, 0)
		block = appendText(appendText(block, field[0]), field[1])
	}
	return block
}

// appendText writes the length as an integer with a prefix of seven bits.
func appendText(block []byte, text string) []byte {
	rest := len(text)
	if rest < 127 {
		return append(append(block, byte(rest)), text...)
	}
	block = append(block, 127)
	for rest -= 127; rest >= 128; rest /= 128 {
		block = append(block, byte(rest%128+128))
	}
	return append(append(block, byte(rest)), text...)
}
