package main

import (
	"bytes"
	"strconv"
)

var mark = []byte(`"bench/t":"`)

const (
	timeDigits   = 19
	numberDigits = 10
	valueLength  = timeDigits + 1 + numberDigits
)

// finder looks for `"bench/t":"<time>.<number>"` in a stream that comes in pieces.
type finder struct {
	all     *tally
	samples []int64
	rest    []byte
}

func (f *finder) take(piece []byte) {
	f.all.bytes.Add(int64(len(piece)))
	text := piece
	if len(f.rest) > 0 {
		text = append(f.rest, piece...)
	}
	for {
		at := bytes.Index(text, mark)
		if at < 0 {
			f.keep(text, len(mark)-1)
			return
		}
		if len(text) < at+len(mark)+valueLength {
			f.keep(text, len(text)-at)
			return
		}
		value := text[at+len(mark):][:valueLength]
		f.all.saw(&f.samples, digits(value[:timeDigits]), digits(value[timeDigits+1:]))
		text = text[at+len(mark)+valueLength:]
	}
}

// keep remembers the end of the text, which may begin what the next piece goes on with.
func (f *finder) keep(text []byte, most int) {
	if len(text) > most {
		text = text[len(text)-most:]
	}
	f.rest = append(f.rest[:0:0], text...)
}

func digits(text []byte) int64 {
	value, err := strconv.ParseInt(string(text), 10, 64)
	must(err)
	return value
}

// filled replaces runs of a mark by the decimal digits of a value.
func filled(text []byte, digitMark byte, value int64) {
	for at := 0; at < len(text); at++ {
		if text[at] != digitMark {
			continue
		}
		end := at
		for end < len(text) && text[end] == digitMark {
			end++
		}
		rest := value
		for digit := end - 1; digit >= at; digit-- {
			text[digit] = byte('0' + rest%10)
			rest /= 10
		}
		at = end
	}
}
