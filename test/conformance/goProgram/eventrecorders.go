package main

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
)

func eventScenarios() []scenario {
	return []scenario{
		{Name: "the recorder of core events writes one event, and counts what repeats", run: coreRecorder},
		{Name: "the recorder of events.k8s.io writes one event, and makes what repeats a series", run: seriesRecorder},
		{Name: "both groups show the same events", run: sameEvents},
	}
}

func coreRecorder(t *test) {
	about := t.newMap("one", nil)
	broadcaster := record.NewBroadcaster()
	defer broadcaster.Shutdown()
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: t.typed().CoreV1().Events(t.namespace)})
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "tester", Host: "here"})
	for range 3 {
		recorder.Eventf(about, corev1.EventTypeNormal, "Made", "made %d of them", 3)
	}
	recorder.AnnotatedEventf(about, map[string]string{"a": "b"}, corev1.EventTypeWarning, "Failed", "it did not go")
	found := t.coreEvents(2)
	made, failed := found["Made"], found["Failed"]
	t.equal("message", made.Message, "made 3 of them")
	t.eventually("it is counted", func() error {
		if made = t.coreEvents(2)["Made"]; made.Count != 3 {
			return fmt.Errorf("%d times", made.Count)
		}
		return nil
	})
	t.equal("source", made.Source, corev1.EventSource{Component: "tester", Host: "here"})
	t.equal("what it is about", made.InvolvedObject, corev1.ObjectReference{
		Kind: "ConfigMap", APIVersion: "v1", Namespace: t.namespace, Name: "one", UID: about.UID, ResourceVersion: about.ResourceVersion,
	})
	t.equal("type", failed.Type, corev1.EventTypeWarning)
	t.equal("annotations", failed.Annotations, map[string]string{"a": "b"})
	t.selects("involvedObject.name=one,reason=Failed", "Failed")
	t.selects("type=Normal", "Made")
	t.selects("involvedObject.kind=Pod")
}

// coreEvents are the events of the namespace by their reason, as soon as there are so many.
func (t *test) coreEvents(count int) map[string]corev1.Event {
	found := map[string]corev1.Event{}
	t.eventually(fmt.Sprintf("%d events", count), func() error {
		list, err := t.typed().CoreV1().Events(t.namespace).List(t.ctx, metav1.ListOptions{})
		t.check("list events", err)
		for _, event := range list.Items {
			found[event.Reason] = event
		}
		if len(list.Items) != count {
			return fmt.Errorf("there are %d", len(list.Items))
		}
		return nil
	})
	return found
}

func (t *test) selects(selector string, want ...string) {
	list, err := t.typed().CoreV1().Events(t.namespace).List(t.ctx, metav1.ListOptions{FieldSelector: selector})
	t.check("list events of "+selector, err)
	var reasons []string
	for _, event := range list.Items {
		reasons = append(reasons, event.Reason)
	}
	t.equal("events of "+selector, reasons, want)
}

func seriesRecorder(t *test) {
	about, related := t.newMap("one", nil), t.newMap("two", nil)
	client := t.typed()
	broadcaster := events.NewBroadcaster(&events.EventSinkImpl{Interface: client.EventsV1()})
	defer broadcaster.Shutdown()
	stop := make(chan struct{})
	defer close(stop)
	broadcaster.StartRecordingToSink(stop)
	recorder := broadcaster.NewRecorder(scheme.Scheme, "tester.example/tester")
	recorder.Eventf(about, related, corev1.EventTypeNormal, "Made", "Making", "made %d of them", 3)
	var event eventsv1.Event
	only := func(isRight func() error) func() error {
		return func() error {
			list, err := client.EventsV1().Events(t.namespace).List(t.ctx, metav1.ListOptions{})
			t.check("list events", err)
			if len(list.Items) != 1 {
				return fmt.Errorf("there are %d", len(list.Items))
			}
			event = list.Items[0]
			return isRight()
		}
	}
	t.eventually("an event", only(func() error { return nil }))
	t.equal("note", event.Note, "made 3 of them")
	t.equal("controller", event.ReportingController, "tester.example/tester")
	t.equal("action", event.Action, "Making")
	t.equal("what it is about", event.Regarding.UID, about.UID)
	t.equal("what it has to do with", event.Related.UID, related.UID)
	t.hold("its time", !event.EventTime.IsZero())
	recorder.Eventf(about, related, corev1.EventTypeNormal, "Made", "Making", "made %d of them", 3)
	t.eventually("a series", only(func() error {
		if event.Series == nil || event.Series.Count != 2 {
			return fmt.Errorf("it is %v", event.Series)
		}
		return nil
	}))
}

func sameEvents(t *test) {
	now := metav1.NowMicro()
	made, err := t.typed().EventsV1().Events(t.namespace).Create(t.ctx, &eventsv1.Event{
		ObjectMeta: metav1.ObjectMeta{Name: "one"}, EventTime: now, Reason: "Made", Action: "Making",
		ReportingController: "tester.example/tester", ReportingInstance: "tester-1", Type: corev1.EventTypeNormal,
		Note: "the text", Regarding: corev1.ObjectReference{Kind: "ConfigMap", Namespace: t.namespace, Name: "one"},
	}, metav1.CreateOptions{})
	t.check("create", err)
	got, err := t.typed().CoreV1().Events(t.namespace).Get(t.ctx, "one", metav1.GetOptions{})
	t.check("get it from the core", err)
	t.equal("uid", got.UID, made.UID)
	t.equal("version", got.ResourceVersion, made.ResourceVersion)
	t.equal("message", got.Message, "the text")
	t.equal("what it is about", got.InvolvedObject, made.Regarding)
	t.equal("time", got.EventTime.UnixMicro(), now.UnixMicro())
}
