package main

import (
	"fmt"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"
)

// handled is what an informer's handler was told.
type handled struct {
	mu   sync.Mutex
	seen []string
}

func (h *handled) add(what string, it any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if tombstone, is := it.(cache.DeletedFinalStateUnknown); is {
		it = tombstone.Obj
	}
	h.seen = append(h.seen, what+" "+it.(object).GetName())
}

func (h *handled) count(what string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	found := 0
	for _, line := range h.seen {
		if line == what {
			found++
		}
	}
	return found
}

// started runs an informer until the scenario ends, and returns once it is synced.
func (t *test) started(kind informed, resync time.Duration) (cache.SharedIndexInformer, *handled) {
	informer := kind.open(t, resync)
	told := &handled{}
	handle, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(it any) { told.add("add", it) },
		UpdateFunc: func(_, it any) { told.add("update", it) },
		DeleteFunc: func(it any) { told.add("delete", it) },
	})
	t.check("add a handler", err)
	begun := time.Now()
	go informer.Run(t.ctx.Done())
	t.within(2*time.Second, "it is synced", func() error {
		if !informer.HasSynced() || !handle.HasSynced() {
			return fmt.Errorf("after %s it is not", time.Since(begun))
		}
		return nil
	})
	return informer, told
}

func informerSees(t *test, kind informed, isWatchListOn bool) {
	write := kind.write(t)
	for i := range 30 {
		t.check("create", write.create(fmt.Sprintf("old-%02d", i), "x"))
	}
	t.requests.forget()
	informer, told := t.started(kind, 0)
	t.equal("objects after the sync", len(informer.GetStore().List()), 30)
	t.usesWatchList(isWatchListOn)
	t.check("create", write.create("new", "x"))
	t.check("update", write.update("new", "y"))
	t.check("update", write.update("old-03", "y"))
	t.check("delete", write.remove("old-04"))
	t.eventually("the handler is told", func() error {
		for what, want := range map[string]int{
			"add new": 1, "update new": 1, "update old-03": 1, "delete old-04": 1, "add old-29": 1,
		} {
			if got := told.count(what); got != want {
				return fmt.Errorf("%q: %d times", what, got)
			}
		}
		return nil
	})
	t.endsEqual(informer, kind)
}

// usesWatchList tells how the informer got its first list. With WatchListClient the consistency detector of client-go
// lists again at the version it got, and ends the process where that differs.
func (t *test) usesWatchList(isOn bool) {
	isFirstList := func(sent request) bool {
		return isGet(sent) && sent.query.Get("resourceVersion") == "0" && sent.query.Get("limit") == "500"
	}
	if !isOn {
		t.equal("watches with initial events", len(t.requests.answered(isWatchList)), 0)
		t.hold("it lists from the cache", len(t.requests.answered(isFirstList)) > 0)
		return
	}
	t.equal("watches with initial events", len(t.requests.answered(isWatchList)), 1)
	t.equal("lists from the cache", len(t.requests.answered(isFirstList)), 0)
	t.eventually("the consistency detector compares", func() error {
		if len(t.requests.answered(isExact)) == 0 {
			return fmt.Errorf("no list at an exact version")
		}
		return nil
	})
	// It panics in a goroutine of its own, right after that list.
	time.Sleep(300 * time.Millisecond)
}

// informerSurvives writes on while the server goes down and comes back.
func informerSurvives(t *test, kind informed) {
	write := kind.write(t)
	t.check("create", write.create("first", "x"))
	informer, _ := t.started(kind, 0)
	stop := make(chan struct{})
	var writing sync.WaitGroup
	writing.Add(1)
	go func() {
		defer writing.Done()
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				writeOn(write, i)
			}
		}
	}()
	for _, how := range []string{"stop", "kill", "stop"} {
		time.Sleep(300 * time.Millisecond)
		t.restart(how)
	}
	time.Sleep(300 * time.Millisecond)
	close(stop)
	writing.Wait()
	t.check("create", write.create("last", "x"))
	t.endsEqual(informer, kind)
}

// writeOn ignores what a server that is away or just died says; the list at the end tells what counted.
func writeOn(write writer, i int) {
	name := fmt.Sprintf("map-%02d", i%40)
	if write.create(name, fmt.Sprint(i)) == nil {
		return
	}
	if i%3 == 0 {
		_ = write.remove(name)
		return
	}
	if write.update(name, fmt.Sprint(i)) != nil {
		time.Sleep(10 * time.Millisecond)
	}
}

func informerResyncs(t *test, kind informed) {
	t.check("create", kind.write(t).create("one", "x"))
	informer, told := t.started(kind, time.Second)
	t.eventually("it repeats what it has", func() error {
		if got := told.count("update one"); got < 2 {
			return fmt.Errorf("%d updates", got)
		}
		return nil
	})
	t.equal("adds", told.count("add one"), 1)
	t.endsEqual(informer, kind)
}

// endsEqual waits until the informer's store holds what the server lists, to the last field.
func (t *test) endsEqual(informer cache.SharedIndexInformer, kind informed) {
	list, err := kind.list(t)
	t.check("list", err)
	want := map[string]string{}
	t.check("read the list", meta.EachListItem(list, func(it runtime.Object) error {
		want[it.(object).GetName()] = asJSON(t, it)
		return nil
	}))
	t.eventually("the informer has what the server lists", func() error {
		stored := informer.GetStore().List()
		if len(stored) != len(want) {
			return fmt.Errorf("%d objects instead of %d", len(stored), len(want))
		}
		for _, it := range stored {
			name := it.(object).GetName()
			if got := asJSON(t, it); got != want[name] {
				return fmt.Errorf("%s is\n  %s\ninstead of\n  %s", name, got, want[name])
			}
		}
		return nil
	})
}
