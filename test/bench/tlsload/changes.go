package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
)

var continues = []byte(`"continue":"`)

// walk reads a list to its end, page by page. The request's path has `limit` and ends where the token is put.
func walk(given arguments) {
	template := readFile(given["request"])
	mark := []byte("CONTINUE")
	callers(given, func(c caller, _ int64, all *counted) (length int64, _ bool) {
		for token := ""; ; {
			status, body := c.call(bytes.Replace(template, mark, []byte(url.QueryEscape(token)), 1))
			if status != 200 {
				all.errors.Add(1)
			}
			length += int64(len(body))
			if token = tokenIn(body); token == "" {
				return length, true
			}
		}
	})
}

func tokenIn(body []byte) string {
	at := bytes.Index(body, continues)
	if at < 0 {
		return ""
	}
	rest := body[at+len(continues):]
	return string(rest[:bytes.IndexByte(rest, '"')])
}

// update gets an object, changes an annotation and puts it back as it came: what another did meanwhile is a conflict.
func update(given arguments) {
	template, objects := readFile(given["request"]), int64(given.number("objects", 1))
	callers(given, func(c caller, number int64, all *counted) (int64, bool) {
		request := append([]byte(nil), template...)
		filled(request, 1, number%objects)
		status, body := c.call(request)
		if status != 200 {
			all.errors.Add(1)
			return 0, false
		}
		status, body = c.call(putRequest(request, changed(body, number)))
		if status != 200 && status != 409 {
			all.errors.Add(1)
		}
		return int64(len(body)), status == 200
	})
}

func changed(body []byte, number int64) []byte {
	var object struct {
		APIVersion string                     `json:"apiVersion"`
		Kind       string                     `json:"kind"`
		Metadata   map[string]json.RawMessage `json:"metadata"`
		Spec       json.RawMessage            `json:"spec"`
	}
	must(json.Unmarshal(body, &object))
	annotations := map[string]string{}
	must(json.Unmarshal(object.Metadata["annotations"], &annotations))
	annotations["bench/u"] = fmt.Sprint(number)
	encoded, err := json.Marshal(annotations)
	must(err)
	object.Metadata["annotations"] = encoded
	result, err := json.Marshal(object)
	must(err)
	return result
}

// putRequest is the get as a put with a body.
func putRequest(get, body []byte) []byte {
	head := bytes.Replace(bytes.TrimSuffix(get, []byte("\r\n")), []byte("GET "), []byte("PUT "), 1)
	head = fmt.Appendf(head, "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n", len(body))
	return append(head, body...)
}
