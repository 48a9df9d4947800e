package main

import (
	"net/http"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
)

func protobufScenarios() []scenario {
	return []scenario{
		{Name: "0.4: what asks for protobuf gets protobuf: objects, lists, Status, watch frames", run: answersProtobuf},
		{Name: "0.4: protobuf and JSON clients see the same objects", run: sameInBothFormats},
	}
}

func answersProtobuf(t *test) {
	secrets := t.typedAs(runtime.ContentTypeProtobuf).CoreV1().Secrets(t.namespace)
	made, err := secrets.Create(t.ctx, coreSecret("one", map[string]string{"a": "x"}), metav1.CreateOptions{})
	t.check("create", err)
	events, err := secrets.Watch(t.ctx, metav1.ListOptions{ResourceVersion: "0"})
	t.check("watch", err)
	defer events.Stop()
	event := <-events.ResultChan()
	t.equal("first event", event.Type, watch.Added)
	t.equal("its object", asJSON(t, event.Object), asJSON(t, made))
	_, err = secrets.List(t.ctx, metav1.ListOptions{})
	t.check("list", err)
	_, err = secrets.Get(t.ctx, "none", metav1.GetOptions{})
	t.refused("get what is not there", err, apierrors.IsNotFound, `secrets "none" not found`)
	t.check("delete", secrets.Delete(t.ctx, "one", metav1.DeleteOptions{}))

	for _, sent := range t.requests.answered(any_) {
		want := runtime.ContentTypeProtobuf
		if isWatch(sent) {
			want += ";stream=watch"
		}
		answered := strings.ReplaceAll(sent.answerType, " ", "")
		t.equal("media type of the answer to "+sent.method+" "+sent.path, answered, want)
		if sent.method == http.MethodPost || sent.method == http.MethodDelete {
			t.equal("media type of the body of "+sent.method, sent.contentType, runtime.ContentTypeProtobuf)
		}
	}
}

func sameInBothFormats(t *test) {
	json := t.typedAs(runtime.ContentTypeJSON).CoreV1()
	protobuf := t.typedAs(runtime.ContentTypeProtobuf).CoreV1()
	made := service("one", servicePort("http", 80), servicePort("https", 443))
	made.Annotations = map[string]string{"a": "ä€🙂"}
	made.OwnerReferences = []metav1.OwnerReference{}
	_, err := protobuf.Services(t.namespace).Create(t.ctx, made, metav1.CreateOptions{FieldManager: "maker"})
	t.check("create", err)
	asked := metav1.GetOptions{}
	one, err := json.Services(t.namespace).Get(t.ctx, "one", asked)
	t.check("get as JSON", err)
	other, err := protobuf.Services(t.namespace).Get(t.ctx, "one", asked)
	t.check("get as protobuf", err)
	t.equal("service", asJSON(t, other), asJSON(t, one))
	first, err := json.Namespaces().List(t.ctx, metav1.ListOptions{})
	t.check("list as JSON", err)
	second, err := protobuf.Namespaces().List(t.ctx, metav1.ListOptions{})
	t.check("list as protobuf", err)
	t.equal("number of namespaces", len(second.Items), len(first.Items))
	for i := range first.Items {
		t.equal("namespace", asJSON(t, &second.Items[i]), asJSON(t, &first.Items[i]))
	}
}
