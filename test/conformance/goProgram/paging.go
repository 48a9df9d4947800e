package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/pager"
)

const manyObjects = 1200

func pagingScenarios() []scenario {
	return []scenario{
		{Name: "4.3: the pager reads 1,200 objects in pages of 500, typed, dynamic and metadata", run: paging},
		{Name: "4.4: all pages are of one revision", run: consistentPages},
		{Name: "4.5: an expired continue token: 410 with a token that goes on, and the pager's full list", run: expiredToken},
	}
}

func (t *test) createMany() {
	items := t.secrets()
	work := make(chan int)
	failed := make(chan error, manyObjects)
	var workers sync.WaitGroup
	for range 16 {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for i := range work {
				_, err := items.Create(t.ctx, coreSecret(fmt.Sprintf("item-%04d", i), map[string]string{"a": "x"}), metav1.CreateOptions{})
				if err != nil {
					failed <- err
				}
			}
		}()
	}
	for i := range manyObjects {
		work <- i
	}
	close(work)
	workers.Wait()
	close(failed)
	t.check("create", <-failed)
}

func paging(t *test) {
	t.createMany()
	lists := map[string]func(metav1.ListOptions) (runtime.Object, error){
		"typed": func(options metav1.ListOptions) (runtime.Object, error) { return t.secrets().List(t.ctx, options) },
		"dynamic": func(options metav1.ListOptions) (runtime.Object, error) {
			return t.dynamic().Resource(secrets).Namespace(t.namespace).List(t.ctx, options)
		},
		"metadata": func(options metav1.ListOptions) (runtime.Object, error) {
			return t.metadata().Resource(secrets).Namespace(t.namespace).List(t.ctx, options)
		},
	}
	for name, list := range lists {
		t.requests.forget()
		pages := pager.New(pager.SimplePageFunc(list))
		t.equal("page size", pages.PageSize, int64(500))
		all, paginated, err := pages.List(t.ctx, metav1.ListOptions{})
		t.check(name+": list", err)
		t.hold(name+": it has pages", paginated)
		t.equal(name+": number of objects", meta.LenList(all), manyObjects)
		t.equal(name+": number of requests", len(t.requests.answered(isGet)), 3)
		next := 0
		err = pages.EachListItem(t.ctx, metav1.ListOptions{}, func(item runtime.Object) error {
			accessor, err := meta.Accessor(item)
			if want := fmt.Sprintf("item-%04d", next); err != nil || accessor.GetName() != want {
				return fmt.Errorf("want %s: %v", want, err)
			}
			next++
			return nil
		})
		t.check(name+": each item in order", err)
		t.equal(name+": number of items", next, manyObjects)
	}
	first, err := t.secrets().List(t.ctx, metav1.ListOptions{Limit: 500})
	t.check("first page", err)
	t.hold("it tells how many remain", first.RemainingItemCount != nil && *first.RemainingItemCount == manyObjects-500)
}

func consistentPages(t *test) {
	t.createMany()
	first, err := t.secrets().List(t.ctx, metav1.ListOptions{Limit: 1000})
	t.check("first page", err)
	t.check("delete one", t.secrets().Delete(t.ctx, "item-1100", metav1.DeleteOptions{}))
	_, err = t.secrets().Create(t.ctx, coreSecret("item-1100a", nil), metav1.CreateOptions{})
	t.check("create one", err)
	second, err := t.secrets().List(t.ctx, metav1.ListOptions{Limit: 1000, Continue: first.Continue})
	t.check("second page", err)
	t.equal("version of the second page", second.ResourceVersion, first.ResourceVersion)
	t.equal("objects of the second page", len(second.Items), manyObjects-1000)
	t.equal("the deleted one is in it", second.Items[100].Name, "item-1100")
	t.equal("there is no third page", second.Continue, "")
}

func expiredToken(t *test) {
	t.restart("stop", "--history-retain-seconds", "1")
	defer t.restart("stop")
	t.createMany()
	first, err := t.secrets().List(t.ctx, metav1.ListOptions{Limit: 500})
	t.check("first page", err)
	var expired error
	t.eventually("the token expires", func() error {
		// What is not written cannot be compacted away.
		changed := coreSecret("item-0000", map[string]string{"a": time.Now().String()})
		_, err := t.secrets().Update(t.ctx, changed, metav1.UpdateOptions{})
		t.check("update", err)
		time.Sleep(200 * time.Millisecond)
		_, expired = t.secrets().List(t.ctx, metav1.ListOptions{Limit: 500, Continue: first.Continue})
		if expired == nil {
			return fmt.Errorf("it goes on")
		}
		return nil
	})
	t.refused("list with an expired token", expired, apierrors.IsResourceExpired,
		"The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results.")
	status := expired.(apierrors.APIStatus).Status()
	t.equal("code", status.Code, int32(http.StatusGone))
	rest, err := t.secrets().List(t.ctx, metav1.ListOptions{Continue: status.ListMeta.Continue})
	t.check("go on with the other token", err)
	t.equal("what remains", len(rest.Items), manyObjects-500)
	t.hold("it is of a newer version", rest.ResourceVersion != first.ResourceVersion)
	t.fullListIfExpired(first)
}

// fullListIfExpired makes the pager's second page the expired one.
func (t *test) fullListIfExpired(first *corev1.SecretList) {
	fallback := pager.New(func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		if options.Limit > 0 && options.Continue == "" {
			return first.DeepCopy(), nil
		}
		return t.secrets().List(ctx, options)
	})
	all, _, err := fallback.List(t.ctx, metav1.ListOptions{})
	t.check("list with a fallback", err)
	t.equal("number of objects", meta.LenList(all), manyObjects)
}
