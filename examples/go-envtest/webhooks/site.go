// Package webhooks has the admission webhooks of sites.
package webhooks

import (
	"context"
	"fmt"
	"strings"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"example.dev/sites/api"
)

// Setup registers the webhooks at the paths of config/webhook.
func Setup(manager ctrl.Manager) error {
	return ctrl.NewWebhookManagedBy(manager, &api.Site{}).WithDefaulter(defaults{}).WithValidator(rules{}).Complete()
}

type defaults struct{}

// Default sets one replica.
func (defaults) Default(_ context.Context, site *api.Site) error {
	if site.Spec.Replicas == 0 {
		site.Spec.Replicas = 1
	}
	return nil
}

type rules struct{}

// ValidateCreate wants a host with a domain, and warns of many replicas.
func (rules) ValidateCreate(_ context.Context, site *api.Site) (admission.Warnings, error) {
	if !strings.Contains(site.Spec.Host, ".") {
		return nil, fmt.Errorf("host %q has no domain", site.Spec.Host)
	}
	if site.Spec.Replicas > 10 {
		return admission.Warnings{"more than ten replicas"}, nil
	}
	return nil, nil
}

// ValidateUpdate keeps the host as it is.
func (r rules) ValidateUpdate(ctx context.Context, old, site *api.Site) (admission.Warnings, error) {
	if old.Spec.Host != site.Spec.Host {
		return nil, fmt.Errorf("the host cannot be changed")
	}
	return r.ValidateCreate(ctx, site)
}

// ValidateDelete keeps sites with the annotation keep.
func (rules) ValidateDelete(_ context.Context, site *api.Site) (admission.Warnings, error) {
	if site.Annotations["keep"] == "true" {
		return nil, fmt.Errorf("the site is kept")
	}
	return nil, nil
}
