package main

import (
	"context"
	"fmt"
	"maps"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
)

func dynamicScenarios() []scenario {
	return []scenario{
		{Name: "dynamic SharedSecrets", run: func(t *test) {
			live(t, dynamicKind(t, sharedSecrets, t.dynamic().Resource(sharedSecrets).Namespace(t.namespace),
				sharedSecret("one", map[string]string{"a": "x"})))
		}},
		{Name: "dynamic Users", run: func(t *test) {
			live(t, dynamicKind(t, users, t.dynamic().Resource(users), user(t.namespace+"-user")))
		}},
		{Name: "dynamic ConfigMaps are the typed ones", run: dynamicConfigMaps},
		{Name: "items of a dynamic list have their kind, those of a metadata list do not", run: kindsInLists},
	}
}

func dynamicKind(t *test, gvr schema.GroupVersionResource, client dynamic.ResourceInterface, made *unstructured.Unstructured) kindUnderTest[*unstructured.Unstructured] {
	return kindUnderTest[*unstructured.Unstructured]{
		client: dynamicClient{client},
		list: func(options metav1.ListOptions) ([]string, string, error) {
			return listed(client.List(t.ctx, options))
		},
		resource: gvr.GroupResource().String(),
		object:   made,
		change: func(it *unstructured.Unstructured) {
			_ = unstructured.SetNestedField(it.Object, "Second", "spec", "displayName")
		},
		content: func(it *unstructured.Unstructured) any {
			spec := maps.Clone(it.Object["spec"].(map[string]any))
			// The server makes who creates an object its owner.
			delete(spec, "owner")
			return spec
		},
	}
}

func dynamicConfigMaps(t *test) {
	typed := t.typed().CoreV1().ConfigMaps(t.namespace)
	made, err := typed.Create(t.ctx, configMap("one", map[string]string{"a": "x"}), metav1.CreateOptions{})
	t.check("create", err)
	got, err := t.dynamic().Resource(configMaps).Namespace(t.namespace).Get(t.ctx, "one", metav1.GetOptions{})
	t.check("get", err)
	t.equal("kind", got.GroupVersionKind().String(), "/v1, Kind=ConfigMap")
	t.equal("object", asJSON(t, got), asJSON(t, made))
}

func kindsInLists(t *test) {
	client := t.dynamic().Resource(sharedSecrets).Namespace(t.namespace)
	_, err := client.Create(t.ctx, sharedSecret("one", nil), metav1.CreateOptions{})
	t.check("create", err)
	list, err := client.List(t.ctx, metav1.ListOptions{})
	t.check("list", err)
	t.equal("kind of the list", list.GetKind(), "SharedSecretList")
	t.equal("kind of an item", list.Items[0].GetKind(), "SharedSecret")
	partial, err := t.metadata().Resource(sharedSecrets).Namespace(t.namespace).List(t.ctx, metav1.ListOptions{})
	t.check("list metadata", err)
	t.equal("kind of an item of metadata", partial.Items[0].Kind, "")
	t.equal("its name", partial.Items[0].Name, "one")
	got, err := t.metadata().Resource(sharedSecrets).Namespace(t.namespace).Get(t.ctx, "one", metav1.GetOptions{})
	t.check("get metadata", err)
	t.equal("its version", got.ResourceVersion, list.Items[0].GetResourceVersion())
}

// listed are the names of a list's items, in its order, and its version.
func listed[L interface {
	runtime.Object
	metav1.ListInterface
}](list L, err error) ([]string, string, error) {
	if err != nil {
		return nil, "", err
	}
	var names []string
	err = meta.EachListItem(list, func(item runtime.Object) error {
		accessor, err := meta.Accessor(item)
		if err != nil {
			return fmt.Errorf("an item without metadata: %w", err)
		}
		// Every namespace has this one.
		if accessor.GetName() != "kube-root-ca.crt" {
			names = append(names, accessor.GetName())
		}
		return nil
	})
	return names, list.GetResourceVersion(), err
}

// dynamicClient gives a dynamic client the methods of the typed ones, which have no subresources in their arguments.
type dynamicClient struct{ dynamic.ResourceInterface }

func (c dynamicClient) Create(ctx context.Context, it *unstructured.Unstructured, options metav1.CreateOptions) (*unstructured.Unstructured, error) {
	return c.ResourceInterface.Create(ctx, it, options)
}

func (c dynamicClient) Update(ctx context.Context, it *unstructured.Unstructured, options metav1.UpdateOptions) (*unstructured.Unstructured, error) {
	return c.ResourceInterface.Update(ctx, it, options)
}

func (c dynamicClient) Get(ctx context.Context, name string, options metav1.GetOptions) (*unstructured.Unstructured, error) {
	return c.ResourceInterface.Get(ctx, name, options)
}

func (c dynamicClient) Delete(ctx context.Context, name string, options metav1.DeleteOptions) error {
	return c.ResourceInterface.Delete(ctx, name, options)
}

func (c dynamicClient) Watch(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	return c.ResourceInterface.Watch(ctx, options)
}
