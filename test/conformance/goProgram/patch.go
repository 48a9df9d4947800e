package main

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

func patchScenarios() []scenario {
	return []scenario{
		{Name: "3.9: strategic merge patch of a ConfigMap", run: strategicConfigMap},
		{Name: "3.9: strategic merge patches that the library computes, of a Service's ports", run: strategicService},
		{Name: "3.9: the order of lists after a strategic merge patch is the library's", run: strategicOrder},
		{Name: "3.9: strategic merge patch directives", run: strategicDirectives},
		{Name: "3.9: a strategic merge patch of a management kind is refused", run: strategicRefused},
		{Name: "3.9: JSON patch, and its failures", run: jsonPatch},
		{Name: "3.9: merge patch", run: mergePatch},
		{Name: "patches of status change the status alone", run: statusPatch},
	}
}

func strategicConfigMap(t *test) {
	maps := t.typed().CoreV1().ConfigMaps(t.namespace)
	_, err := maps.Create(t.ctx, configMap("one", map[string]string{"a": "x", "b": "y"}), metav1.CreateOptions{})
	t.check("create", err)
	patched, err := maps.Patch(t.ctx, "one", types.StrategicMergePatchType,
		[]byte(`{"metadata":{"finalizers":["test.example/a"]},"data":{"a":null,"c":"z"}}`), metav1.PatchOptions{})
	t.check("patch", err)
	t.equal("data", patched.Data, map[string]string{"b": "y", "c": "z"})
	patched, err = maps.Patch(t.ctx, "one", types.StrategicMergePatchType,
		[]byte(`{"metadata":{"finalizers":["test.example/b"]}}`), metav1.PatchOptions{})
	t.check("patch finalizers", err)
	// The library says in which order.
	t.equal("finalizers are merged", patched.Finalizers, mergedFinalizers(t, []string{"test.example/a"}, []string{"test.example/b"}))
	patched, err = maps.Patch(t.ctx, "one", types.StrategicMergePatchType,
		[]byte(`{"metadata":{"$deleteFromPrimitiveList/finalizers":["test.example/a","test.example/b"]},"data":{"$patch":"replace","d":"w"}}`), metav1.PatchOptions{})
	t.check("patch with directives", err)
	t.equal("finalizers", len(patched.Finalizers), 0)
	t.equal("data", patched.Data, map[string]string{"d": "w"})
}

func mergedFinalizers(t *test, stored, patch []string) []string {
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Finalizers: stored}}
	before, err := json.Marshal(object)
	t.check("write", err)
	change, err := json.Marshal(map[string]any{"metadata": map[string]any{"finalizers": patch}})
	t.check("write", err)
	after, err := strategicpatch.StrategicMergePatch(before, change, corev1.ConfigMap{})
	t.check("merge", err)
	var merged corev1.ConfigMap
	t.check("read", json.Unmarshal(after, &merged))
	return merged.Finalizers
}

func strategicService(t *test) {
	services := t.typed().CoreV1().Services(t.namespace)
	made, err := services.Create(t.ctx, service("one", servicePort("http", 80), servicePort("https", 443)), metav1.CreateOptions{})
	t.check("create", err)
	steps := []struct {
		name   string
		change func(*corev1.ServiceSpec)
	}{
		{"add a port in front", func(it *corev1.ServiceSpec) {
			it.Ports = append([]corev1.ServicePort{servicePort("metrics", 9090)}, it.Ports...)
		}},
		{"change a port", func(it *corev1.ServiceSpec) { it.Ports[1].TargetPort = servicePort("", 8080).TargetPort }},
		{"reorder", func(it *corev1.ServiceSpec) { it.Ports[0], it.Ports[2] = it.Ports[2], it.Ports[0] }},
		{"remove a port", func(it *corev1.ServiceSpec) { it.Ports = it.Ports[1:] }},
		{"change the selector", func(it *corev1.ServiceSpec) { it.Selector = map[string]string{"other": "yes"} }},
	}
	for _, step := range steps {
		want := made.DeepCopy()
		step.change(&want.Spec)
		before, err := json.Marshal(made)
		t.check("write", err)
		after, err := json.Marshal(want)
		t.check("write", err)
		patch, err := strategicpatch.CreateTwoWayMergePatch(before, after, corev1.Service{})
		t.check("compute", err)
		made, err = services.Patch(t.ctx, "one", types.StrategicMergePatchType, patch, metav1.PatchOptions{})
		t.check(step.name+": "+string(patch), err)
		t.equal(step.name, made.Spec, want.Spec)
	}
}

func strategicOrder(t *test) {
	services := t.typed().CoreV1().Services(t.namespace)
	stored, err := services.Create(t.ctx, service("one", servicePort("http", 80), servicePort("https", 443)), metav1.CreateOptions{})
	t.check("create", err)
	for _, patch := range []string{
		`{"spec":{"ports":[{"name":"metrics","port":9090}]}}`,
		`{"spec":{"ports":[{"name":"web","port":80}]}}`,
		`{"spec":{"ports":[{"name":"first","port":1},{"name":"https","port":443},{"name":"second","port":2}]}}`,
		`{"spec":{"ports":[{"$patch":"delete","port":443},{"name":"third","port":3}]}}`,
		`{"spec":{"$setElementOrder/ports":[{"port":3},{"port":80},{"port":1}],"ports":[{"name":"one","port":1}]}}`,
	} {
		before, err := json.Marshal(stored)
		t.check("write", err)
		after, err := strategicpatch.StrategicMergePatch(before, []byte(patch), corev1.Service{})
		t.check("merge", err)
		var want corev1.Service
		t.check("read", json.Unmarshal(after, &want))
		stored, err = services.Patch(t.ctx, "one", types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{})
		t.check("patch", err)
		t.equal("ports after "+patch, portNames(stored), portNames(&want))
	}
}

func strategicDirectives(t *test) {
	services := t.typed().CoreV1().Services(t.namespace)
	_, err := services.Create(t.ctx, service("one", servicePort("http", 80), servicePort("https", 443)), metav1.CreateOptions{})
	t.check("create", err)
	patch := func(text string) (*corev1.Service, error) {
		return services.Patch(t.ctx, "one", types.StrategicMergePatchType, []byte(text), metav1.PatchOptions{})
	}
	got, err := patch(`{"spec":{"ports":[{"$patch":"delete","port":80}]}}`)
	t.check("delete a port", err)
	t.equal("ports", portNames(got), []string{"https"})
	got, err = patch(`{"spec":{"ports":[{"$patch":"replace"},{"name":"a","port":1},{"name":"b","port":2}]}}`)
	t.check("replace the ports", err)
	t.equal("ports", portNames(got), []string{"a", "b"})
	got, err = patch(`{"spec":{"$setElementOrder/ports":[{"port":2},{"port":1}]}}`)
	t.check("order the ports", err)
	t.equal("ports", portNames(got), []string{"b", "a"})
	_, err = patch(`{"spec":{"ports":[{"name":"no merge key"}]}}`)
	t.refused("patch without a merge key", err, apierrors.IsInternalError, "does not contain declared merge key: port")
}

func portNames(it *corev1.Service) []string {
	var names []string
	for _, port := range it.Spec.Ports {
		names = append(names, port.Name)
	}
	return names
}

func strategicRefused(t *test) {
	secrets := t.dynamic().Resource(sharedSecrets).Namespace(t.namespace)
	_, err := secrets.Create(t.ctx, sharedSecret("one", nil), metav1.CreateOptions{})
	t.check("create", err)
	_, err = secrets.Patch(t.ctx, "one", types.StrategicMergePatchType, []byte(`{"spec":{}}`), metav1.PatchOptions{})
	t.refused("strategic patch", err, apierrors.IsUnsupportedMediaType,
		"the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml")
}

func jsonPatch(t *test) {
	maps := t.typed().CoreV1().ConfigMaps(t.namespace)
	made, err := maps.Create(t.ctx, configMap("one", map[string]string{"a": "x"}), metav1.CreateOptions{})
	t.check("create", err)
	patch := func(text string) (*corev1.ConfigMap, error) {
		return maps.Patch(t.ctx, "one", types.JSONPatchType, []byte(text), metav1.PatchOptions{})
	}
	got, err := patch(`[{"op":"test","path":"/data/a","value":"x"},{"op":"move","from":"/data/a","path":"/data/b"},{"op":"add","path":"/data/c~1","value":"y"},{"op":"remove","path":"/data/c~1"},{"op":"copy","from":"/data/b","path":"/data/d"}]`)
	t.check("patch", err)
	t.equal("data", got.Data, map[string]string{"b": "x", "d": "x"})
	_, err = patch(`[{"op":"test","path":"/data/b","value":"other"}]`)
	t.refused("failing test", err, apierrors.IsInvalid, "the server rejected our request due to an error in our request")
	_, err = patch(`[{"op":"remove","path":"/data/nothing"}]`)
	t.refused("missing path", err, apierrors.IsInvalid, "the server rejected our request due to an error in our request")
	_, err = patch(`[{"op":"replace","path":"/metadata/resourceVersion","value":"` + made.ResourceVersion + `"}]`)
	t.refused("stale version", err, apierrors.IsConflict, "the object has been modified")
	_, err = patch(`{"not":"a list"}`)
	t.refused("no list", err, apierrors.IsBadRequest, "")
}

func mergePatch(t *test) {
	maps := t.typed().CoreV1().ConfigMaps(t.namespace)
	_, err := maps.Create(t.ctx, configMap("one", map[string]string{"a": "x", "b": "y"}), metav1.CreateOptions{})
	t.check("create", err)
	got, err := maps.Patch(t.ctx, "one", types.MergePatchType, []byte(`{"data":{"a":null,"c":"z"},"immutable":true}`), metav1.PatchOptions{FieldManager: "patcher"})
	t.check("patch", err)
	t.equal("data", got.Data, map[string]string{"b": "y", "c": "z"})
	t.hold("immutable", got.Immutable != nil && *got.Immutable)
	_, err = maps.Patch(t.ctx, "one", types.MergePatchType, []byte(`{"data":{"b":"other"}}`), metav1.PatchOptions{})
	t.refused("patch of what is immutable", err, apierrors.IsInvalid, "data: Forbidden: field is immutable when `immutable` is set")
	_, err = maps.Patch(t.ctx, "none", types.MergePatchType, []byte(`{}`), metav1.PatchOptions{})
	t.refused("patch of what is not there", err, apierrors.IsNotFound, `configmaps "none" not found`)
}

func statusPatch(t *test) {
	services := t.typed().CoreV1().Services(t.namespace)
	balanced := service("one", servicePort("http", 80))
	balanced.Spec.Type = corev1.ServiceTypeLoadBalancer
	_, err := services.Create(t.ctx, balanced, metav1.CreateOptions{})
	t.check("create", err)
	const patch = `{"metadata":{"labels":{"a":"b"}},"spec":{"selector":{"other":"yes"}},"status":{"loadBalancer":{"ingress":[{"ip":"192.0.2.1"}]}}}`
	got, err := services.Patch(t.ctx, "one", types.StrategicMergePatchType, []byte(patch), metav1.PatchOptions{}, "status")
	t.check("patch the status", err)
	mode := corev1.LoadBalancerIPModeVIP
	t.equal("ingress", got.Status.LoadBalancer.Ingress, []corev1.LoadBalancerIngress{{IP: "192.0.2.1", IPMode: &mode}})
	t.equal("selector", got.Spec.Selector, map[string]string{"app": "one"})
	got.Spec.Selector = map[string]string{"other": "yes"}
	got.Status.LoadBalancer.Ingress[0].Hostname = "lb.test.example"
	updated, err := services.UpdateStatus(t.ctx, got, metav1.UpdateOptions{})
	t.check("update the status", err)
	t.equal("hostname", updated.Status.LoadBalancer.Ingress[0].Hostname, "lb.test.example")
	t.equal("selector", updated.Spec.Selector, map[string]string{"app": "one"})
}
