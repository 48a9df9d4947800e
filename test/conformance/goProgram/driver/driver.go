// Package driver talks to the program that started this one.
package driver

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// Driver is the program that started this one and that owns the server.
type Driver struct {
	in  *bufio.Scanner
	out *json.Encoder
}

// New returns the driver at the other end of two pipes.
func New(in io.Reader, out io.Writer) *Driver {
	return &Driver{in: bufio.NewScanner(in), out: json.NewEncoder(out)}
}

// RestartRequest asks for a restart of the server.
type RestartRequest struct {
	// Restart says how the server ends before it starts again: stop (SIGTERM) or kill (SIGKILL).
	Restart string `json:"restart"`
	// Flags are for this start alone.
	Flags []string `json:"flags,omitempty"`
}

type result struct {
	Passed bool   `json:"passed"`
	Error  string `json:"error,omitempty"`
}

// Restart returns once the server serves again, on the same port and folder.
func (d *Driver) Restart(request RestartRequest) error {
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

// Report tells the driver how the scenario ended.
func (d *Driver) Report(err error) {
	outcome := result{Passed: err == nil}
	if err != nil {
		outcome.Error = err.Error()
	}
	_ = d.out.Encode(outcome) // Without standard output nobody could be told.
}
