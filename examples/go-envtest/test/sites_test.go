// Package test runs the example against the API server of KUBEBUILDER_ASSETS.
package test

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	"example.dev/sites/api"
	"example.dev/sites/controllers"
	"example.dev/sites/webhooks"
)

var cluster client.Client

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (int, error) {
	config := func(folder string) []string { return []string{filepath.Join("..", "config", folder)} }
	environment := &envtest.Environment{
		CRDDirectoryPaths:     config("crd"),
		ErrorIfCRDPathMissing: true,
		WebhookInstallOptions: envtest.WebhookInstallOptions{Paths: config("webhook")},
	}
	started := time.Now()
	rest, err := environment.Start()
	if err != nil {
		return 1, err
	}
	fmt.Printf("environment started in %d ms\n", time.Since(started).Milliseconds())
	defer func() { _ = environment.Stop() }()
	if err := api.AddToScheme(clientscheme.Scheme); err != nil {
		return 1, err
	}
	hooks := environment.WebhookInstallOptions
	manager, err := ctrl.NewManager(rest, ctrl.Options{
		Metrics: server.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{
			Host: hooks.LocalServingHost, Port: hooks.LocalServingPort, CertDir: hooks.LocalServingCertDir,
		}),
	})
	if err != nil {
		return 1, err
	}
	if err := (&controllers.SiteReconciler{Client: manager.GetClient()}).SetupWithManager(manager); err != nil {
		return 1, err
	}
	if err := webhooks.Setup(manager); err != nil {
		return 1, err
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go func() { _ = manager.Start(ctx) }()
	address := net.JoinHostPort(hooks.LocalServingHost, fmt.Sprint(hooks.LocalServingPort))
	if err := eventually(func() error { return dial(address) }); err != nil {
		return 1, err
	}
	if cluster, err = client.New(rest, client.Options{}); err != nil {
		return 1, err
	}
	return m.Run(), nil
}

func dial(address string) error {
	connection, err := tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		return err
	}
	return connection.Close()
}

func eventually(check func() error) error {
	var err error
	for range 200 {
		if err = check(); err == nil {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return err
}

func newSite(name, host string) *api.Site {
	return &api.Site{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name},
		Spec:       api.SiteSpec{Host: host},
	}
}

func TestAReconciledSiteHasItsSettings(t *testing.T) {
	ctx := t.Context()
	site := newSite("shop", "shop.example.dev")
	if err := cluster.Create(ctx, site); err != nil {
		t.Fatal(err)
	}
	if site.Spec.Replicas != 1 {
		t.Errorf("the default was not set: %d", site.Spec.Replicas)
	}
	var settings corev1.ConfigMap
	key := client.ObjectKey{Namespace: "default", Name: "shop-site"}
	if err := eventually(func() error { return cluster.Get(ctx, key, &settings) }); err != nil {
		t.Fatal(err)
	}
	if settings.Data["host"] != "shop.example.dev" || settings.Data["replicas"] != "1" {
		t.Errorf("settings: %v", settings.Data)
	}
	err := eventually(func() error {
		if err := cluster.Get(ctx, client.ObjectKeyFromObject(site), site); err != nil {
			return err
		}
		if site.Status.Settings != "shop-site" {
			return fmt.Errorf("status: %v", site.Status)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestASiteWithoutADomainIsDenied(t *testing.T) {
	err := cluster.Create(t.Context(), newSite("plain", "plain"))
	want := `admission webhook "rules.sites.demo.example.dev" denied the request: host "plain" has no domain`
	if !apierrors.IsForbidden(err) || err.Error() != want {
		t.Errorf("got %v", err)
	}
}

func TestTheSchemaIsCheckedBeforeTheRules(t *testing.T) {
	site := newSite("huge", "plain")
	site.Spec.Replicas = 51
	err := cluster.Create(t.Context(), site)
	if !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), "spec.replicas") {
		t.Errorf("got %v", err)
	}
}

func TestTheHostStays(t *testing.T) {
	ctx := t.Context()
	site := newSite("fixed", "fixed.example.dev")
	if err := cluster.Create(ctx, site); err != nil {
		t.Fatal(err)
	}
	patch := client.RawPatch("application/merge-patch+json", []byte(`{"spec":{"host":"other.example.dev"}}`))
	if err := cluster.Patch(ctx, site, patch); !apierrors.IsForbidden(err) {
		t.Errorf("got %v", err)
	}
}

func TestAKeptSiteIsNotDeleted(t *testing.T) {
	ctx := t.Context()
	site := newSite("kept", "kept.example.dev")
	site.Annotations = map[string]string{"keep": "true"}
	if err := cluster.Create(ctx, site); err != nil {
		t.Fatal(err)
	}
	if err := cluster.Delete(ctx, site); !apierrors.IsForbidden(err) {
		t.Errorf("got %v", err)
	}
}
