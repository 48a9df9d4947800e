// Package controllers has the controller of sites.
package controllers

import (
	"context"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	"example.dev/sites/api"
)

// SiteReconciler keeps a config map for each site, and names it in the status.
type SiteReconciler struct {
	client.Client
}

// SetupWithManager registers the controller.
func (r *SiteReconciler) SetupWithManager(manager ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(manager).For(&api.Site{}).Owns(&corev1.ConfigMap{}).Complete(r)
}

// Reconcile brings the config map of a site up to date.
func (r *SiteReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var site api.Site
	if err := r.Get(ctx, request.NamespacedName, &site); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	settings := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: site.Namespace, Name: site.Name + "-site"}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, settings, func() error {
		settings.Data = map[string]string{"host": site.Spec.Host, "replicas": strconv.Itoa(int(site.Spec.Replicas))}
		return controllerutil.SetControllerReference(&site, settings, r.Scheme())
	})
	if err != nil || site.Status.Settings == settings.Name {
		return ctrl.Result{}, err
	}
	site.Status.Settings = settings.Name
	return ctrl.Result{}, r.Status().Update(ctx, &site)
}
