package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	watchtools "k8s.io/client-go/tools/watch"
)

func watchScenarios() []scenario {
	return []scenario{
		{Name: "5.7: a bookmark brings the version of what the watch does not show", run: bookmarks},
		{Name: "5.2: sendInitialEvents ends with the bookmark that says so", run: initialEvents},
		{Name: "5.6: a watch from a version that is gone: 410", run: expiredWatch},
		{Name: "5.5: objects enter and leave a selector", run: selectorWatch},
		{Name: "RetryWatcher goes on over restarts, without a gap and without repeating", run: retryWatcher},
		{Name: "Until and UntilWithSync end with the event that is waited for", run: untilWatch},
	}
}

func (t *test) newMap(name string, data map[string]string) *corev1.ConfigMap {
	made, err := t.configMaps().Create(t.ctx, configMap(name, data), metav1.CreateOptions{})
	t.check("create "+name, err)
	return made
}

// next is the next event of a watch.
func (t *test) next(events watch.Interface) watch.Event {
	select {
	case event, open := <-events.ResultChan():
		if !open {
			t.failf("the watch ended")
		}
		return event
	case <-time.After(20 * time.Second):
		t.failf("no event for 20 s")
	}
	return watch.Event{}
}

func bookmarks(t *test) {
	t.rootMapIsThere()
	made := t.newMap("one", nil)
	seconds := int64(6)
	events, err := t.configMaps().Watch(t.ctx, metav1.ListOptions{
		ResourceVersion: made.ResourceVersion, AllowWatchBookmarks: true, TimeoutSeconds: &seconds,
	})
	t.check("watch", err)
	defer events.Stop()
	elsewhere, err := t.typed().CoreV1().ConfigMaps("default").Create(t.ctx, configMap(t.namespace, nil), metav1.CreateOptions{})
	t.check("create elsewhere", err)
	event := t.next(events)
	t.equal("event", event.Type, watch.Bookmark)
	bookmark := event.Object.(*corev1.ConfigMap)
	t.hold("version "+bookmark.ResourceVersion+" of the bookmark", number(bookmark.ResourceVersion) >= number(elsewhere.ResourceVersion))
	t.equal("it holds nothing else", asJSON(t, bookmark), asJSON(t, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{ResourceVersion: bookmark.ResourceVersion}}))
	for event := range events.ResultChan() {
		t.equal("event before the end", event.Type, watch.Bookmark)
	}
}

// rootMapIsThere waits for the config map that every namespace gets soon after it was made.
func (t *test) rootMapIsThere() {
	for begun := time.Now(); time.Since(begun) < 20*time.Second; time.Sleep(20 * time.Millisecond) {
		if _, err := t.configMaps().Get(t.ctx, "kube-root-ca.crt", metav1.GetOptions{}); err == nil {
			return
		}
	}
	t.failf("no kube-root-ca.crt for 20 s")
}

func number(version string) int {
	value, _ := strconv.Atoi(version)
	return value
}

func initialEvents(t *test) {
	for _, name := range []string{"one", "two"} {
		_, err := t.secrets().Create(t.ctx, coreSecret(name, nil), metav1.CreateOptions{})
		t.check("create "+name, err)
	}
	yes := true
	for _, watchIt := range []func(context.Context, metav1.ListOptions) (watch.Interface, error){
		t.secrets().Watch,
		t.dynamic().Resource(secrets).Namespace(t.namespace).Watch,
		t.metadata().Resource(secrets).Namespace(t.namespace).Watch,
	} {
		events, err := watchIt(t.ctx, metav1.ListOptions{
			SendInitialEvents: &yes, AllowWatchBookmarks: true, ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan,
		})
		t.check("watch", err)
		for _, name := range []string{"one", "two"} {
			event := t.next(events)
			t.equal("event", event.Type, watch.Added)
			t.equal("name", event.Object.(object).GetName(), name)
		}
		event := t.next(events)
		t.equal("event", event.Type, watch.Bookmark)
		t.equal("its annotation", event.Object.(object).GetAnnotations(), map[string]string{metav1.InitialEventsAnnotationKey: "true"})
		events.Stop()
	}
	_, err := t.secrets().Watch(t.ctx, metav1.ListOptions{SendInitialEvents: &yes, AllowWatchBookmarks: true})
	// Older clients show no more of a watch's refusal.
	t.refused("without a match", err, apierrors.IsInvalid, "")
}

func expiredWatch(t *test) {
	t.restart("stop", "--history-retain-seconds", "1")
	defer t.restart("stop")
	made := t.newMap("one", nil)
	exact := metav1.ListOptions{ResourceVersion: made.ResourceVersion, ResourceVersionMatch: metav1.ResourceVersionMatchExact}
	t.eventually("the version is gone", func() error {
		_, err := t.configMaps().Update(t.ctx, configMap("one", map[string]string{"a": time.Now().String()}), metav1.UpdateOptions{})
		t.check("update", err)
		time.Sleep(200 * time.Millisecond)
		if _, err = t.configMaps().List(t.ctx, exact); !apierrors.IsResourceExpired(err) {
			return fmt.Errorf("list: %v", err)
		}
		return nil
	})
	// A server that watched all the time may still know what came after that version.
	t.restart("stop")
	events, err := t.configMaps().Watch(t.ctx, metav1.ListOptions{ResourceVersion: made.ResourceVersion})
	t.check("watch", err)
	defer events.Stop()
	event := t.next(events)
	t.equal("event", event.Type, watch.Error)
	t.refused("event", apierrors.FromObject(event.Object), apierrors.IsResourceExpired, "too old resource version: "+made.ResourceVersion)
}

func selectorWatch(t *test) {
	events, err := t.configMaps().Watch(t.ctx, metav1.ListOptions{LabelSelector: "in=yes"})
	t.check("watch", err)
	defer events.Stop()
	made := t.newMap("one", nil)
	var last string
	for _, step := range []struct {
		label string
		want  watch.EventType
	}{{"yes", watch.Added}, {"no", watch.Deleted}, {"yes", watch.Added}} {
		made.Labels = map[string]string{"in": step.label}
		made, err = t.configMaps().Update(t.ctx, made, metav1.UpdateOptions{})
		t.check("update", err)
		event := t.next(events)
		t.equal("event of "+step.label, event.Type, step.want)
		shown := event.Object.(*corev1.ConfigMap)
		t.equal("its version", shown.ResourceVersion, made.ResourceVersion)
		if step.want == watch.Deleted {
			t.equal("what was deleted is what it was", shown.Labels["in"], last)
		}
		last = step.label
	}
}

func (t *test) lister() *cache.ListWatch {
	maps := t.configMaps()
	return &cache.ListWatch{
		ListFunc:  func(options metav1.ListOptions) (runtime.Object, error) { return maps.List(t.ctx, options) },
		WatchFunc: func(options metav1.ListOptions) (watch.Interface, error) { return maps.Watch(t.ctx, options) },
	}
}

func retryWatcher(t *test) {
	made := t.newMap("start", nil)
	watcher, err := watchtools.NewRetryWatcher(made.ResourceVersion, t.lister())
	t.check("make a retry watcher", err)
	defer watcher.Stop()
	next := 0
	write := func(count int) {
		for i := range count {
			t.newMap(fmt.Sprintf("map-%03d", next+i), nil)
		}
		for range count {
			event := t.next(watcher)
			t.equal("event", event.Type, watch.Added)
			t.equal("name", event.Object.(*corev1.ConfigMap).Name, fmt.Sprintf("map-%03d", next))
			next++
		}
	}
	write(20)
	t.restart("stop")
	write(20)
	t.restart("kill")
	write(20)
}

func untilWatch(t *test) {
	made := t.newMap("start", nil)
	ctx, cancel := context.WithTimeout(t.ctx, 20*time.Second)
	defer cancel()
	isWanted := func(event watch.Event) (bool, error) {
		it, is := event.Object.(*corev1.ConfigMap)
		return is && it.Name == "wanted" && event.Type == watch.Added, nil
	}
	maps := t.configMaps()
	created := make(chan error, 1)
	go func() {
		time.Sleep(100 * time.Millisecond)
		_, err := maps.Create(ctx, configMap("wanted", nil), metav1.CreateOptions{})
		created <- err
	}()
	event, err := watchtools.Until(ctx, made.ResourceVersion, t.lister(), isWanted)
	t.check("Until", err)
	t.check("create", <-created)
	t.equal("name", event.Object.(*corev1.ConfigMap).Name, "wanted")
	event, err = watchtools.UntilWithSync(ctx, t.lister(), &corev1.ConfigMap{}, nil, isWanted)
	t.check("UntilWithSync", err)
	t.equal("name", event.Object.(*corev1.ConfigMap).Name, "wanted")
}
