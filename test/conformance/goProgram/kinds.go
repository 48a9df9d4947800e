package main

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
)

// typedKind is a kind whose life is tested with each media type.
type typedKind struct {
	name string
	live func(*test, kubernetes.Interface)
}

func kindScenarios() []scenario {
	var all []scenario
	for _, contentType := range []string{runtime.ContentTypeJSON, runtime.ContentTypeProtobuf} {
		for _, kind := range concatKinds(coreKinds(), appsKinds(), otherKinds()) {
			all = append(all, scenario{Name: fmt.Sprintf("typed %s, %s", kind.name, contentType), run: func(t *test) {
				kind.live(t, t.typedAs(contentType))
			}})
		}
	}
	return all
}

func concatKinds(groups ...[]typedKind) []typedKind {
	var all []typedKind
	for _, group := range groups {
		all = append(all, group...)
	}
	return all
}

// life is what a scenario says of its kind; the rest follows from the types.
type life[T object] struct {
	resource string
	object   T
	change   func(T)
	content  func(T) any
}

// liveIn takes an object through its whole life. Both type parameters follow from the client.
func liveIn[T object, L interface {
	runtime.Object
	metav1.ListInterface
}](t *test, client interface {
	objectClient[T]
	lister[L]
}, it life[T]) {
	live(t, kindUnderTest[T]{
		client: client,
		list: func(options metav1.ListOptions) ([]string, string, error) {
			return listed(client.List(t.ctx, options))
		},
		resource: it.resource, object: it.object, change: it.change, content: it.content,
	})
}

func named(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Name: name} }

func to[T any](value T) *T { return &value }

func podTemplate() corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "one"}}, Spec: podSpec()}
}

func podSpec() corev1.PodSpec {
	return corev1.PodSpec{Containers: []corev1.Container{{
		Name: "main", Image: "image.test/main:1",
		Ports:     []corev1.ContainerPort{{ContainerPort: 80}},
		Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("100m")}},
	}}}
}

func selector() *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{"app": "one"}}
}
