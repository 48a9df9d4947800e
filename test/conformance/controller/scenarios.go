package main

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type scenario struct {
	Name string `json:"name"`
	run  func(context.Context, *test) error
}

func allScenarios() []scenario {
	return []scenario{
		{Name: "a manager brings a custom resource's ConfigMap and Deployment, follows its changes, and writes its status", run: follows},
		{Name: "a finalizer runs before a custom resource goes, and what it owned is collected", run: finalizes},
		{Name: "a manager goes on after the server was killed", run: survives},
	}
}

// test is what a scenario works with: a client without a cache, beside the manager that runs.
type test struct {
	api       client.Client
	namespace string
	finalized chan string
	kill      func() error
}

func (t *test) key() client.ObjectKey { return client.ObjectKey{Namespace: t.namespace, Name: "one"} }

// made creates a widget and returns it once it is reconciled.
func (t *test) made(ctx context.Context, text string) (*Widget, error) {
	widget := &Widget{ObjectMeta: metav1.ObjectMeta{Namespace: t.namespace, Name: "one"}, Spec: WidgetSpec{Text: text}}
	if err := t.api.Create(ctx, widget); err != nil {
		return nil, err
	}
	return widget, t.reconciled(ctx, widget)
}

// reconciled waits until status and dependents are as the spec of the widget says, and reads it again.
func (t *test) reconciled(ctx context.Context, widget *Widget) error {
	return eventually(ctx, "the widget is reconciled", func() error {
		settings, deployment := &corev1.ConfigMap{}, &appsv1.Deployment{}
		for _, it := range []client.Object{widget, settings, deployment} {
			if err := t.api.Get(ctx, t.key(), it); err != nil {
				return err
			}
		}
		text, replicas := settings.Data["text"], *deployment.Spec.Replicas
		if text != widget.Spec.Text || replicas != widget.Spec.Replicas || widget.Status.Text != text ||
			widget.Status.ObservedGeneration != widget.Generation {
			return fmt.Errorf("text %q, %d replicas, %+v", text, replicas, widget)
		}
		for _, it := range []client.Object{settings, deployment} {
			if !metav1.IsControlledBy(it, widget) {
				return fmt.Errorf("owners of %T: %v", it, it.GetOwnerReferences())
			}
		}
		return nil
	})
}

func follows(ctx context.Context, t *test) error {
	widget, err := t.made(ctx, "first")
	if err != nil {
		return err
	}
	if widget.Spec.Replicas != 2 || widget.Generation != 1 {
		return fmt.Errorf("default replicas %d, generation %d", widget.Spec.Replicas, widget.Generation)
	}
	widget.Spec = WidgetSpec{Text: "second", Replicas: 5}
	if err := t.api.Update(ctx, widget); err != nil {
		return err
	}
	if err := t.reconciled(ctx, widget); err != nil {
		return err
	}
	if widget.Generation != 2 {
		return fmt.Errorf("generation %d after one change of the spec", widget.Generation)
	}
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: t.namespace, Name: "one"}}
	if err := t.api.Delete(ctx, deployment); err != nil {
		return err
	}
	return t.reconciled(ctx, widget)
}

func finalizes(ctx context.Context, t *test) error {
	widget, err := t.made(ctx, "first")
	if err != nil {
		return err
	}
	if err := t.api.Delete(ctx, widget); err != nil {
		return err
	}
	select {
	case <-t.finalized:
	case <-ctx.Done():
		return fmt.Errorf("the finalizer did not run: %w", ctx.Err())
	}
	return eventually(ctx, "all of it is gone", func() error {
		for _, it := range []client.Object{&Widget{}, &corev1.ConfigMap{}, &appsv1.Deployment{}} {
			if err := t.api.Get(ctx, t.key(), it); !apierrors.IsNotFound(err) {
				return fmt.Errorf("%T: %v", it, err)
			}
		}
		return nil
	})
}

func survives(ctx context.Context, t *test) error {
	widget, err := t.made(ctx, "first")
	if err != nil {
		return err
	}
	if err := t.kill(); err != nil {
		return err
	}
	widget.Spec.Text = "second"
	if err := t.api.Update(ctx, widget); err != nil {
		return err
	}
	return t.reconciled(ctx, widget)
}
