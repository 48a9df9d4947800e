package main

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const finalizer = "test.example/cleanup"

// reconciler makes a ConfigMap and a Deployment of a Widget, which own nothing themselves and go with it.
type reconciler struct {
	api client.Client
	// finalized are the names of widgets whose finalizer ran.
	finalized chan string
}

func (r *reconciler) Reconcile(ctx context.Context, asked reconcile.Request) (reconcile.Result, error) {
	widget := &Widget{}
	if err := r.api.Get(ctx, asked.NamespacedName, widget); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if !widget.DeletionTimestamp.IsZero() {
		return reconcile.Result{}, r.finalize(ctx, widget)
	}
	if controllerutil.AddFinalizer(widget, finalizer) {
		// The update brings the widget here again.
		return reconcile.Result{}, r.api.Update(ctx, widget)
	}
	if err := r.bring(ctx, widget); err != nil {
		return reconcile.Result{}, err
	}
	before := widget.DeepCopyObject().(*Widget)
	widget.Status = WidgetStatus{ObservedGeneration: widget.Generation, Text: widget.Spec.Text}
	return reconcile.Result{}, r.api.Status().Patch(ctx, widget, client.MergeFrom(before))
}

func (r *reconciler) finalize(ctx context.Context, widget *Widget) error {
	if !controllerutil.RemoveFinalizer(widget, finalizer) {
		return nil
	}
	if err := r.api.Update(ctx, widget); err != nil {
		return err
	}
	r.finalized <- widget.Name
	return nil
}

// bring makes what the widget owns as its spec says.
func (r *reconciler) bring(ctx context.Context, widget *Widget) error {
	here := metav1.ObjectMeta{Namespace: widget.Namespace, Name: widget.Name}
	settings := &corev1.ConfigMap{ObjectMeta: here}
	_, err := controllerutil.CreateOrUpdate(ctx, r.api, settings, func() error {
		settings.Data = map[string]string{"text": widget.Spec.Text}
		return controllerutil.SetControllerReference(widget, settings, r.api.Scheme())
	})
	if err != nil {
		return err
	}
	deployment := &appsv1.Deployment{ObjectMeta: here}
	_, err = controllerutil.CreateOrUpdate(ctx, r.api, deployment, func() error {
		labels := map[string]string{"widget": widget.Name}
		deployment.Spec.Replicas = &widget.Spec.Replicas
		deployment.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
		deployment.Spec.Template.Labels = labels
		deployment.Spec.Template.Spec.Containers = []corev1.Container{{Name: "main", Image: "image.test/main:1"}}
		return controllerutil.SetControllerReference(widget, deployment, r.api.Scheme())
	})
	return err
}
