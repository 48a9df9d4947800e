package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"conformance/driver"
)

// scenario is one thing that the client does, with the answers it should get.
type scenario struct {
	Name string `json:"name"`
	// Env is what this process must be started with.
	Env map[string]string `json:"env,omitempty"`
	run func(*test)
}

func allScenarios() []scenario {
	return concat(
		crudScenarios(),
		dynamicScenarios(),
		protobufScenarios(),
		discoveryScenarios(),
		openAPIScenarios(),
		requestScenarios(),
		patchScenarios(),
		applyScenarios(),
		serviceApplyScenarios(),
		dynamicApplyScenarios(),
		deletionScenarios(),
		pagingScenarios(),
		watchScenarios(),
		informerScenarios(),
		kindScenarios(),
		workloadScenarios(),
		leaderElectionScenarios(),
		eventScenarios(),
	)
}

func concat(groups ...[]scenario) []scenario {
	var all []scenario
	for _, group := range groups {
		all = append(all, group...)
	}
	return all
}

const scenarioTimeout = 90 * time.Second

// failure is what a test panics with in its own goroutine. Any other panic ends the process, as the consistency
// detectors of client-go want it.
type failure struct{ text string }

func runScenario(scenario scenario, place place, driver *driver.Driver) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), scenarioTimeout)
	defer cancel()
	t := &test{ctx: ctx, place: place, driver: driver, requests: &recorder{}}
	defer func() {
		if caught := recover(); caught != nil {
			failed, is := caught.(failure)
			if !is {
				panic(caught)
			}
			err = fmt.Errorf("%s\nrequests:\n%s", failed.text, strings.Join(t.requests.last(12), "\n"))
		}
	}()
	scenario.run(t)
	return nil
}
