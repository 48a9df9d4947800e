// Runs a controller-runtime manager against a server. `controller list` prints every scenario as JSON; `controller run`
// runs one of them and writes lines of JSON: what it asks its driver for, and at the end the result.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const scenarioTimeout = 90 * time.Second

func main() {
	log.SetLogger(logr.Discard())
	out := json.NewEncoder(os.Stdout)
	if len(os.Args) == 2 && os.Args[1] == "list" {
		_ = out.Encode(allScenarios()) // Without standard output nobody could be told.
		return
	}
	flags := flag.NewFlagSet("run", flag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", "", "file that says where the server is")
	namespace := flags.String("namespace", "", "namespace of the scenario, which is there already")
	name := flags.String("scenario", "", "what to run")
	flags.String("folder", "", "empty folder, which is not needed")
	_ = flags.Parse(os.Args[2:]) // ExitOnError: it does not return one.
	result := map[string]any{"passed": true}
	if err := run(*name, *kubeconfig, *namespace, out); err != nil {
		result = map[string]any{"passed": false, "error": err.Error()}
	}
	_ = out.Encode(result)
}

func run(name, kubeconfig, namespace string, out *json.Encoder) error {
	ctx, cancel := context.WithTimeout(context.Background(), scenarioTimeout)
	defer cancel()
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	kinds, err := widgetScheme()
	if err != nil {
		return err
	}
	api, err := client.New(config, client.Options{Scheme: kinds})
	if err != nil {
		return err
	}
	if err := install(ctx, api); err != nil {
		return err
	}
	running, err := manager.New(config, manager.Options{
		Scheme:  kinds,
		Metrics: server.Options{BindAddress: "0"},
		Cache:   cache.Options{DefaultNamespaces: map[string]cache.Config{namespace: {}}},
		// One manager alone, but with the lease that several would share.
		LeaderElection: true, LeaderElectionID: "widgets", LeaderElectionNamespace: namespace,
	})
	if err != nil {
		return err
	}
	t := &test{api: api, namespace: namespace, finalized: make(chan string, 10), kill: func() error { return restart(out) }}
	err = builder.ControllerManagedBy(running).For(&Widget{}).Owns(&corev1.ConfigMap{}).Owns(&appsv1.Deployment{}).
		Complete(&reconciler{api: running.GetClient(), finalized: t.finalized})
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- running.Start(ctx) }()
	for _, it := range allScenarios() {
		if it.Name != name {
			continue
		}
		if err := it.run(ctx, t); err != nil {
			return err
		}
		cancel()
		return <-ended
	}
	return fmt.Errorf("no scenario %q", name)
}

func widgetScheme() (*runtime.Scheme, error) {
	kinds := runtime.NewScheme()
	kinds.AddKnownTypes(widgetVersion, &Widget{}, &WidgetList{})
	metav1.AddToGroupVersion(kinds, widgetVersion)
	return kinds, scheme.AddToScheme(kinds)
}

// restart returns once the killed server serves again.
func restart(out *json.Encoder) error {
	if err := out.Encode(map[string]any{"restart": "kill"}); err != nil {
		return err
	}
	if answer := bufio.NewScanner(os.Stdin); !answer.Scan() || answer.Text() != "restarted" {
		return fmt.Errorf("the driver answered %q to a restart: %v", answer.Text(), answer.Err())
	}
	return nil
}
