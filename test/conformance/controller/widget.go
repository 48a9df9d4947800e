package main

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

var widgetVersion = schema.GroupVersion{Group: "test.example", Version: "v1"}

// Widget is the custom resource that the manager reconciles.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              WidgetSpec   `json:"spec"`
	Status            WidgetStatus `json:"status,omitempty"`
}

type WidgetSpec struct {
	Text     string `json:"text"`
	Replicas int32  `json:"replicas,omitempty"`
}

type WidgetStatus struct {
	ObservedGeneration int64  `json:"observedGeneration,omitempty"`
	Text               string `json:"text,omitempty"`
}

func (w *Widget) DeepCopyObject() runtime.Object {
	made := *w
	w.ObjectMeta.DeepCopyInto(&made.ObjectMeta)
	return &made
}

// WidgetList is what the manager's cache lists.
type WidgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Widget `json:"items"`
}

func (l *WidgetList) DeepCopyObject() runtime.Object {
	made := &WidgetList{TypeMeta: l.TypeMeta, ListMeta: *l.ListMeta.DeepCopy()}
	for _, item := range l.Items {
		made.Items = append(made.Items, *item.DeepCopyObject().(*Widget))
	}
	return made
}

// definition has a default of its own, which the manager relies on.
func definition() *unstructured.Unstructured {
	field := func(kind string) map[string]any { return map[string]any{"type": kind} }
	object := func(fields map[string]any) map[string]any {
		return map[string]any{"type": "object", "properties": fields}
	}
	schema := object(map[string]any{
		"spec": object(map[string]any{
			"text":     map[string]any{"type": "string", "minLength": int64(1)},
			"replicas": map[string]any{"type": "integer", "format": "int32", "default": int64(2)},
		}),
		"status": object(map[string]any{"observedGeneration": field("integer"), "text": field("string")}),
	})
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1",
		"kind":       "CustomResourceDefinition",
		"metadata":   map[string]any{"name": "widgets." + widgetVersion.Group},
		"spec": map[string]any{
			"group": widgetVersion.Group,
			"scope": "Namespaced",
			"names": map[string]any{"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"},
			"versions": []any{map[string]any{
				"name": widgetVersion.Version, "served": true, "storage": true,
				"subresources": map[string]any{"status": map[string]any{}},
				"schema":       map[string]any{"openAPIV3Schema": schema},
			}},
		},
	}}
}

// install returns once widgets are served; another scenario may have installed them before.
func install(ctx context.Context, api client.Client) error {
	if err := client.IgnoreAlreadyExists(api.Create(ctx, definition())); err != nil {
		return err
	}
	return eventually(ctx, "widgets are established", func() error {
		found := definition()
		if err := api.Get(ctx, client.ObjectKeyFromObject(found), found); err != nil {
			return err
		}
		conditions, _, _ := unstructured.NestedSlice(found.Object, "status", "conditions")
		for _, it := range conditions {
			if condition := it.(map[string]any); condition["type"] == "Established" && condition["status"] == "True" {
				return nil
			}
		}
		return fmt.Errorf("conditions: %v", conditions)
	})
}

// eventually polls until check finds nothing wrong.
func eventually(ctx context.Context, what string, check func() error) error {
	deadline := time.Now().Add(20 * time.Second)
	for {
		err := check()
		if err == nil {
			return nil
		}
		if time.Now().After(deadline) || ctx.Err() != nil {
			return fmt.Errorf("not after 20 s: %s: %w", what, err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
