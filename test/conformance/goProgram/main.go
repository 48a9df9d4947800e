// Drives a server with client-go. `conformance list` prints every scenario as JSON; `conformance run` runs one of them
// and writes lines of JSON: what it asks its driver for, and at the end the result.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"conformance/driver"

	"k8s.io/klog/v2"
)

func main() {
	if len(os.Args) < 2 {
		fail("usage: conformance list | run FLAGS")
	}
	switch os.Args[1] {
	case "list":
		if err := json.NewEncoder(os.Stdout).Encode(allScenarios()); err != nil {
			fail(err.Error())
		}
	case "run":
		run(os.Args[2:])
	default:
		fail("unknown command " + os.Args[1])
	}
}

func run(args []string) {
	flags := flag.NewFlagSet("run", flag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", "", "file that says where the server is")
	namespace := flags.String("namespace", "", "namespace of the scenario, which is there already")
	name := flags.String("scenario", "", "what to run")
	folder := flags.String("folder", "", "empty folder for caches")
	klog.InitFlags(flags)
	_ = flags.Parse(args) // ExitOnError: it does not return one.
	for _, scenario := range allScenarios() {
		if scenario.Name == *name {
			driver := driver.New(os.Stdin, os.Stdout)
			place := place{kubeconfig: *kubeconfig, namespace: *namespace, folder: *folder}
			driver.Report(runScenario(scenario, place, driver))
			return
		}
	}
	fail(fmt.Sprintf("no scenario %q", *name))
}

func fail(why string) {
	fmt.Fprintln(os.Stderr, why)
	os.Exit(2)
}
