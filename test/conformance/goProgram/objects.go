package main

import (
	"encoding/base64"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var (
	managementVersion = schema.GroupVersion{Group: "management.platform", Version: "v1"}
	sharedSecrets     = managementVersion.WithResource("sharedsecrets")
	users             = managementVersion.WithResource("users")
	configMaps        = corev1.SchemeGroupVersion.WithResource("configmaps")
	secrets           = corev1.SchemeGroupVersion.WithResource("secrets")
)

const finalizer = "test.example/hold"

func configMap(name string, data map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: data}
}

func coreSecret(name string, data map[string]string) *corev1.Secret {
	made := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: name}, Data: map[string][]byte{}}
	for key, value := range data {
		made.Data[key] = []byte(value)
	}
	return made
}

func service(name string, ports ...corev1.ServicePort) *corev1.Service {
	return &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       corev1.ServiceSpec{Selector: map[string]string{"app": name}, Ports: ports},
	}
}

func servicePort(name string, port int32) corev1.ServicePort {
	return corev1.ServicePort{Name: name, Port: port, TargetPort: intstr.FromInt32(port), Protocol: corev1.ProtocolTCP}
}

func sharedSecret(name string, data map[string]string) *unstructured.Unstructured {
	encoded := map[string]any{}
	for key, value := range data {
		encoded[key] = base64.StdEncoding.EncodeToString([]byte(value))
	}
	return managementObject("SharedSecret", name, map[string]any{"displayName": "First", "data": encoded})
}

func user(name string) *unstructured.Unstructured {
	return managementObject("User", name, map[string]any{"username": name, "email": name + "@test.example"})
}

func managementObject(kind, name string, spec map[string]any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": managementVersion.String(),
		"kind":       kind,
		"metadata":   map[string]any{"name": name},
		"spec":       spec,
	}}
}

func inText(object *unstructured.Unstructured, fields ...string) string {
	text, _, _ := unstructured.NestedString(object.Object, fields...)
	return text
}
