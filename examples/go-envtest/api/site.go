// Package api has the kind of the example: a Site is a host name that some replicas serve.
package api

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/scheme"
)

// GroupVersion of the kind.
var GroupVersion = schema.GroupVersion{Group: "demo.example.dev", Version: "v1"}

var builder = &scheme.Builder{GroupVersion: GroupVersion}

// AddToScheme registers the kind.
var AddToScheme = builder.Register(&Site{}, &SiteList{}).AddToScheme

// SiteSpec is the desired state.
type SiteSpec struct {
	Host     string `json:"host"`
	Replicas int32  `json:"replicas,omitempty"`
}

// SiteStatus is the observed state.
type SiteStatus struct {
	// Settings is the name of the config map made for the site.
	Settings string `json:"settings,omitempty"`
}

// Site is served below a host name.
type Site struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              SiteSpec   `json:"spec"`
	Status            SiteStatus `json:"status,omitempty"`
}

// SiteList is a list of sites.
type SiteList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Site `json:"items"`
}

// DeepCopyObject copies the site: none of its own fields is a reference.
func (s *Site) DeepCopyObject() runtime.Object {
	copied := *s
	s.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
	return &copied
}

// DeepCopyObject copies the list with its items.
func (l *SiteList) DeepCopyObject() runtime.Object {
	copied := *l
	l.ListMeta.DeepCopyInto(&copied.ListMeta)
	copied.Items = make([]Site, len(l.Items))
	for i := range l.Items {
		copied.Items[i] = *l.Items[i].DeepCopyObject().(*Site)
	}
	return &copied
}
