package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
)

type object interface {
	runtime.Object
	metav1.Object
}

// objectClient is what the typed and the dynamic clients of every kind have in common.
type objectClient[T object] interface {
	Create(context.Context, T, metav1.CreateOptions) (T, error)
	Update(context.Context, T, metav1.UpdateOptions) (T, error)
	Get(context.Context, string, metav1.GetOptions) (T, error)
	Delete(context.Context, string, metav1.DeleteOptions) error
	Watch(context.Context, metav1.ListOptions) (watch.Interface, error)
	Patch(context.Context, string, types.PatchType, []byte, metav1.PatchOptions, ...string) (T, error)
}

// kindUnderTest says what the generic life of an object needs to know of its kind.
type kindUnderTest[T object] struct {
	client objectClient[T]
	list   func(metav1.ListOptions) (names []string, version string, err error)
	// resource is how messages name it: plural and group.
	resource string
	object   T
	change   func(T)
	// content is what must come back unchanged.
	content func(T) any
}

func crudScenarios() []scenario {
	var all []scenario
	for _, contentType := range []string{"", "application/json", runtime.ContentTypeProtobuf} {
		how := "the client's own media type"
		if contentType != "" {
			how = contentType
		}
		all = append(all,
			scenario{Name: "typed ConfigMaps, " + how, run: func(t *test) { live(t, configMapKind(t, t.typedAs(contentType))) }},
			scenario{Name: "typed Secrets, " + how, run: func(t *test) { live(t, secretKind(t, t.typedAs(contentType))) }},
			scenario{Name: "typed Services, " + how, run: func(t *test) { live(t, serviceKind(t, t.typedAs(contentType))) }},
			scenario{Name: "typed Namespaces, " + how, run: func(t *test) { live(t, namespaceKind(t, t.typedAs(contentType))) }},
		)
	}
	return all
}

// live takes an object through its whole life.
func live[T object](t *test, kind kindUnderTest[T]) {
	name := kind.object.GetName()
	kind.object.SetLabels(map[string]string{"scenario": t.namespace})
	created, err := kind.client.Create(t.ctx, kind.object, metav1.CreateOptions{FieldManager: "maker"})
	t.check("create", err)
	t.equal("content after create", kind.content(created), kind.content(kind.object))
	made := created.GetCreationTimestamp()
	t.hold("the server fills in metadata", created.GetUID() != "" && created.GetResourceVersion() != "" && !made.IsZero())
	_, err = kind.client.Create(t.ctx, kind.object, metav1.CreateOptions{})
	t.refused("create again", err, apierrors.IsAlreadyExists, fmt.Sprintf("%s %q already exists", kind.resource, name))
	events := watchOne(t, kind, created)
	defer events.Stop()

	got, err := kind.client.Get(t.ctx, name, metav1.GetOptions{})
	t.check("get", err)
	t.equal("what get gives", asJSON(t, got), asJSON(t, created))
	selected := metav1.ListOptions{LabelSelector: "scenario=" + t.namespace}
	names, version, err := kind.list(selected)
	t.check("list", err)
	t.equal("names in the list", names, []string{name})
	t.hold("the list has a version", version != "")

	kind.change(got)
	updated, err := kind.client.Update(t.ctx, got, metav1.UpdateOptions{})
	t.check("update", err)
	t.equal("content after update", kind.content(updated), kind.content(got))
	_, err = kind.client.Update(t.ctx, got, metav1.UpdateOptions{})
	t.refused("stale update", err, apierrors.IsConflict, "the object has been modified")
	again, err := kind.client.Update(t.ctx, updated, metav1.UpdateOptions{})
	t.check("update without a change", err)
	t.equal("version after an update without a change", again.GetResourceVersion(), updated.GetResourceVersion())
	patched, err := kind.client.Patch(t.ctx, name, types.MergePatchType, []byte(`{"metadata":{"annotations":{"a":"b"}}}`), metav1.PatchOptions{})
	t.check("patch", err)
	// Some kinds are given annotations by the server.
	annotations := map[string]string{"a": "b"}
	maps.Copy(annotations, updated.GetAnnotations())
	t.equal("annotations", patched.GetAnnotations(), annotations)

	t.check("delete", kind.client.Delete(t.ctx, name, metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions(string(created.GetUID()))}))
	expectEvents(t, events, patched)
	t.eventually("it is gone", func() error {
		if _, err := kind.client.Get(t.ctx, name, metav1.GetOptions{}); !apierrors.IsNotFound(err) {
			return fmt.Errorf("get: %v", err)
		}
		return nil
	})
	err = kind.client.Delete(t.ctx, name, metav1.DeleteOptions{})
	t.refused("delete again", err, apierrors.IsNotFound, fmt.Sprintf("%s %q not found", kind.resource, name))
}

func watchOne[T object](t *test, kind kindUnderTest[T], from T) watch.Interface {
	events, err := kind.client.Watch(t.ctx, metav1.ListOptions{
		FieldSelector:   "metadata.name=" + from.GetName(),
		ResourceVersion: from.GetResourceVersion(),
	})
	t.check("watch", err)
	return events
}

// expectEvents reads the update, the patch and what deletes the object.
func expectEvents(t *test, events watch.Interface, patched object) {
	var seen []watch.EventType
	for event := range events.ResultChan() {
		shown, is := event.Object.(object)
		if !is {
			t.failf("event %s: %#v", event.Type, event.Object)
		}
		seen = append(seen, event.Type)
		if len(seen) == 2 {
			t.equal("the patched object in the watch", asJSON(t, shown), asJSON(t, patched))
		}
		// A namespace is marked and emptied before it is deleted.
		if event.Type == watch.Deleted {
			t.equal("first events", seen[:2], []watch.EventType{watch.Modified, watch.Modified})
			return
		}
	}
	t.failf("the watch ended after %v", seen)
}

// asJSON is an object without its kind, which only some decoders keep.
func asJSON(t *test, shown any) string {
	text, err := json.Marshal(shown)
	t.check("write an object as JSON", err)
	var fields map[string]any
	t.check("read it back", json.Unmarshal(text, &fields))
	delete(fields, "kind")
	delete(fields, "apiVersion")
	text, err = json.Marshal(fields)
	t.check("write it again", err)
	return string(text)
}

func configMapKind(t *test, client kubernetes.Interface) kindUnderTest[*corev1.ConfigMap] {
	maps := client.CoreV1().ConfigMaps(t.namespace)
	made := configMap("one", map[string]string{"a": "x", "unicode": "ä€🙂\u2028", "empty": ""})
	made.BinaryData = map[string][]byte{"bytes": {0, 1, 0xff}, "none": {}}
	return kindUnderTest[*corev1.ConfigMap]{
		client: maps,
		list: func(options metav1.ListOptions) ([]string, string, error) {
			return listed(maps.List(t.ctx, options))
		},
		resource: "configmaps",
		object:   made,
		change:   func(it *corev1.ConfigMap) { it.Data["b"] = "y"; delete(it.Data, "a") },
		content:  func(it *corev1.ConfigMap) any { return []any{it.Data, it.BinaryData} },
	}
}

func secretKind(t *test, client kubernetes.Interface) kindUnderTest[*corev1.Secret] {
	secrets := client.CoreV1().Secrets(t.namespace)
	return kindUnderTest[*corev1.Secret]{
		client: secrets,
		list: func(options metav1.ListOptions) ([]string, string, error) {
			return listed(secrets.List(t.ctx, options))
		},
		resource: "secrets",
		object: &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Name: "one"},
			Type:       corev1.SecretTypeBasicAuth,
			Data:       map[string][]byte{"username": []byte("u"), "password": {0xfe, 0xff}},
		},
		change:  func(it *corev1.Secret) { it.Data["password"] = []byte("changed") },
		content: func(it *corev1.Secret) any { return []any{it.Type, it.Data} },
	}
}

func serviceKind(t *test, client kubernetes.Interface) kindUnderTest[*corev1.Service] {
	services := client.CoreV1().Services(t.namespace)
	return kindUnderTest[*corev1.Service]{
		client: services,
		list: func(options metav1.ListOptions) ([]string, string, error) {
			return listed(services.List(t.ctx, options))
		},
		resource: "services",
		object:   service("one", servicePort("http", 80), servicePort("https", 443)),
		change: func(it *corev1.Service) {
			it.Spec.Ports[1].Port = 8443
			it.Spec.Ports[1].TargetPort.Type, it.Spec.Ports[1].TargetPort.StrVal = 1, "named"
			it.Spec.Ports[1].TargetPort.IntVal = 0
		},
		content: func(it *corev1.Service) any { return []any{it.Spec.Selector, it.Spec.Ports} },
	}
}

func namespaceKind(t *test, client kubernetes.Interface) kindUnderTest[*corev1.Namespace] {
	namespaces := client.CoreV1().Namespaces()
	return kindUnderTest[*corev1.Namespace]{
		client: namespaces,
		list: func(options metav1.ListOptions) ([]string, string, error) {
			return listed(namespaces.List(t.ctx, options))
		},
		resource: "namespaces",
		object:   &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: t.namespace + "-made"}},
		change:   func(it *corev1.Namespace) { it.Labels["more"] = "yes" },
		content:  func(it *corev1.Namespace) any { return it.Labels["more"] },
	}
}
