package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// driver is the program that started this one and that owns the server.
type driver struct {
	in  *bufio.Scanner
	out *json.Encoder
}

func newDriver(in io.Reader, out io.Writer) *driver {
	return &driver{in: bufio.NewScanner(in), out: json.NewEncoder(out)}
}

type restartRequest struct {
	// Restart says how the server ends before it starts again: stop (SIGTERM) or kill (SIGKILL).
	Restart string `json:"restart"`
	// Flags are for this start alone.
	Flags []string `json:"flags,omitempty"`
}

type result struct {
	Passed bool   `json:"passed"`
	Error  string `json:"error,omitempty"`
}

// restart returns once the server serves again, on the same port and folder.
func (d *driver) restart(request restartRequest) error {
	if err := d.out.Encode(request); err != nil {
		return err
	}
	if !d.in.Scan() {
		return fmt.Errorf("the driver went away during a restart: %v", d.in.Err())
	}
	if answer := d.in.Text(); answer != "restarted" {
		return fmt.Errorf("the driver answered %q to a restart", answer)
	}
	return nil
}

func (d *driver) report(err error) {
	outcome := result{Passed: err == nil}
	if err != nil {
		outcome.Error = err.Error()
	}
	_ = d.out.Encode(outcome) // Without standard output nobody could be told.
}
