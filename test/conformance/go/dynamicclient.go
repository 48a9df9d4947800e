package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
)

// dynamicClient gives a dynamic client the methods of the typed ones, which have no subresources in their arguments.
type dynamicClient struct{ dynamic.ResourceInterface }

func (c dynamicClient) Create(ctx context.Context, it *unstructured.Unstructured, options metav1.CreateOptions) (*unstructured.Unstructured, error) {
	return c.ResourceInterface.Create(ctx, it, options)
}

func (c dynamicClient) Update(ctx context.Context, it *unstructured.Unstructured, options metav1.UpdateOptions) (*unstructured.Unstructured, error) {
	return c.ResourceInterface.Update(ctx, it, options)
}

func (c dynamicClient) Get(ctx context.Context, name string, options metav1.GetOptions) (*unstructured.Unstructured, error) {
	return c.ResourceInterface.Get(ctx, name, options)
}

func (c dynamicClient) Delete(ctx context.Context, name string, options metav1.DeleteOptions) error {
	return c.ResourceInterface.Delete(ctx, name, options)
}

func (c dynamicClient) Watch(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	return c.ResourceInterface.Watch(ctx, options)
}
