package main

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"time"

	"conformance/driver"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// place is where a scenario works.
type place struct {
	kubeconfig string
	namespace  string
	folder     string
}

// test is what a scenario works with. Its methods end the scenario when something is wrong.
type test struct {
	place
	ctx      context.Context
	driver   *driver.Driver
	requests *recorder
}

// config returns a new configuration whose requests are recorded and not throttled.
func (t *test) config() *rest.Config {
	config, err := clientcmd.BuildConfigFromFlags("", t.kubeconfig)
	t.check("read the kubeconfig", err)
	config.QPS = -1
	config.Wrap(t.requests.wrap)
	config.WarningHandler = t.requests
	return config
}

func (t *test) typed() kubernetes.Interface {
	return t.typedAs("")
}

// typedAs returns a typed client that sends the media type; empty: the one of its own choice.
func (t *test) typedAs(contentType string) kubernetes.Interface {
	config := t.config()
	config.ContentType = contentType
	client, err := kubernetes.NewForConfig(config)
	t.check("make a typed client", err)
	return client
}

func (t *test) dynamic() dynamic.Interface {
	client, err := dynamic.NewForConfig(t.config())
	t.check("make a dynamic client", err)
	return client
}

func (t *test) metadata() metadata.Interface {
	client, err := metadata.NewForConfig(t.config())
	t.check("make a metadata client", err)
	return client
}

func (t *test) restart(how string, flags ...string) {
	t.check("restart the server", t.driver.Restart(driver.RestartRequest{Restart: how, Flags: flags}))
}

func (t *test) failf(format string, args ...any) {
	panic(failure{fmt.Sprintf(format, args...)})
}

func (t *test) check(doing string, err error) {
	if err != nil {
		t.failf("%s: %v", doing, err)
	}
}

func (t *test) equal(what string, got, want any) {
	if !reflect.DeepEqual(got, want) {
		t.failf("%s:\n  got  %#v\n  want %#v", what, got, want)
	}
}

func (t *test) hold(what string, holds bool) {
	if !holds {
		t.failf("does not hold: %s", what)
	}
}

// refused is for an error of one kind, with the text that people see.
func (t *test) refused(doing string, err error, is func(error) bool, text string) {
	if err == nil {
		t.failf("%s: no error", doing)
	}
	if !is(err) || !strings.Contains(err.Error(), text) {
		t.failf("%s:\n  got  %T %#v\n  want %s", doing, err, err.Error(), text)
	}
}

// eventually polls until check finds nothing wrong.
func (t *test) eventually(what string, check func() error) {
	t.within(20*time.Second, what, check)
}

func (t *test) within(limit time.Duration, what string, check func() error) {
	deadline := time.Now().Add(limit)
	for {
		err := check()
		if err == nil {
			return
		}
		if time.Now().After(deadline) || t.ctx.Err() != nil {
			t.failf("not after %s: %s: %v", limit, what, err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
