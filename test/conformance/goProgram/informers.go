package main

import (
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/tools/cache"
)

// informed is one kind of informer, with how to write and list what it shows.
type informed struct {
	name string
	open func(*test, time.Duration) cache.SharedIndexInformer
	list func(*test) (runtime.Object, error)
	// write creates, changes or deletes an object; it may be called while the server is away.
	write func(*test) writer
}

func informerKinds() []informed {
	return []informed{
		{name: "typed Secrets", open: typedInformer, write: coreWriter, list: func(t *test) (runtime.Object, error) {
			return t.secrets().List(t.ctx, metav1.ListOptions{})
		}},
		{name: "dynamic SharedSecrets", open: dynamicInformer, write: secretWriter, list: func(t *test) (runtime.Object, error) {
			return t.sharedSecrets().List(t.ctx, metav1.ListOptions{})
		}},
		{name: "metadata of Secrets", open: metadataInformer, write: coreWriter, list: func(t *test) (runtime.Object, error) {
			return t.metadata().Resource(secrets).Namespace(t.namespace).List(t.ctx, metav1.ListOptions{})
		}},
		{name: "metadata of SharedSecrets", open: metadataSecretInformer, write: secretWriter, list: func(t *test) (runtime.Object, error) {
			return t.metadata().Resource(sharedSecrets).Namespace(t.namespace).List(t.ctx, metav1.ListOptions{})
		}},
	}
}

func informerScenarios() []scenario {
	var all []scenario
	for _, kind := range informerKinds() {
		for _, gate := range []string{"true", "false"} {
			env := map[string]string{
				"KUBE_FEATURE_WatchListClient":                gate,
				"KUBE_WATCHLIST_INCONSISTENCY_DETECTOR":       "true",
				"KUBE_LIST_FROM_CACHE_INCONSISTENCY_DETECTOR": "true",
				"KUBE_CACHE_MUTATION_DETECTOR":                "true",
			}
			isWatchList := gate == "true"
			name := fmt.Sprintf("%s, WatchListClient %s", kind.name, map[bool]string{true: "on", false: "off"}[isWatchList])
			all = append(all,
				scenario{Name: "informer of " + name + ": syncs within 2 s, sees adds, updates and deletes", Env: env,
					run: func(t *test) { informerSees(t, kind, isWatchList) }},
				scenario{Name: "informer of " + name + ": survives restarts and ends equal to the server's list", Env: env,
					run: func(t *test) { informerSurvives(t, kind) }},
			)
		}
		all = append(all, scenario{Name: "informer of " + kind.name + ": resync repeats what is stored",
			run: func(t *test) { informerResyncs(t, kind) }})
	}
	return all
}

func typedInformer(t *test, resync time.Duration) cache.SharedIndexInformer {
	factory := informers.NewSharedInformerFactoryWithOptions(t.typed(), resync, informers.WithNamespace(t.namespace))
	return factory.Core().V1().Secrets().Informer()
}

func dynamicInformer(t *test, resync time.Duration) cache.SharedIndexInformer {
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(t.dynamic(), resync, t.namespace, nil)
	return factory.ForResource(sharedSecrets).Informer()
}

func metadataInformer(t *test, resync time.Duration) cache.SharedIndexInformer {
	factory := metadatainformer.NewFilteredSharedInformerFactory(t.metadata(), resync, t.namespace, nil)
	return factory.ForResource(secrets).Informer()
}

func metadataSecretInformer(t *test, resync time.Duration) cache.SharedIndexInformer {
	factory := metadatainformer.NewFilteredSharedInformerFactory(t.metadata(), resync, t.namespace, nil)
	return factory.ForResource(sharedSecrets).Informer()
}

// writer writes objects of one kind; value is what they hold.
type writer struct {
	create func(name, value string) error
	update func(name, value string) error
	remove func(name string) error
}

func coreWriter(t *test) writer {
	items := t.secrets()
	return writer{
		create: func(name, value string) error {
			_, err := items.Create(t.ctx, coreSecret(name, map[string]string{"a": value}), metav1.CreateOptions{})
			return err
		},
		update: func(name, value string) error {
			_, err := items.Update(t.ctx, coreSecret(name, map[string]string{"a": value}), metav1.UpdateOptions{})
			return err
		},
		remove: func(name string) error { return items.Delete(t.ctx, name, metav1.DeleteOptions{}) },
	}
}

func secretWriter(t *test) writer {
	secrets := t.sharedSecrets()
	made := func(name, value string) *unstructured.Unstructured {
		return sharedSecret(name, map[string]string{"a": value})
	}
	return writer{
		create: func(name, value string) error {
			_, err := secrets.Create(t.ctx, made(name, value), metav1.CreateOptions{})
			return err
		},
		update: func(name, value string) error {
			_, err := secrets.Update(t.ctx, made(name, value), metav1.UpdateOptions{})
			return err
		},
		remove: func(name string) error { return secrets.Delete(t.ctx, name, metav1.DeleteOptions{}) },
	}
}
