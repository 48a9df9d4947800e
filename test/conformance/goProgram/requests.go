package main

import (
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

func requestScenarios() []scenario {
	return []scenario{
		{Name: "7.6: impersonation", run: impersonation},
		{Name: "1.14: dry runs store nothing", run: dryRuns},
		{Name: "1.13: fieldValidation Strict, Warn and Ignore", run: fieldValidation},
		{Name: "a create with generateName", run: generateName},
	}
}

func impersonation(t *test) {
	as := func(who rest.ImpersonationConfig) kubernetes.Interface {
		config := t.config()
		config.Impersonate = who
		client, err := kubernetes.NewForConfig(config)
		t.check("make a client", err)
		return client
	}
	_, err := as(rest.ImpersonationConfig{UserName: "bob"}).CoreV1().ConfigMaps(t.namespace).List(t.ctx, metav1.ListOptions{})
	t.refused("list as bob", err, apierrors.IsForbidden, fmt.Sprintf(
		`configmaps is forbidden: User "bob" cannot list resource "configmaps" in API group "" in the namespace %q`, t.namespace))
	_, err = as(rest.ImpersonationConfig{UserName: "bob"}).CoreV1().Namespaces().Get(t.ctx, "default", metav1.GetOptions{})
	t.refused("get as bob", err, apierrors.IsForbidden,
		`namespaces "default" is forbidden: User "bob" cannot get resource "namespaces" in API group "" in the namespace "default"`)
	_, err = as(rest.ImpersonationConfig{UserName: "bob"}).CoreV1().Namespaces().List(t.ctx, metav1.ListOptions{})
	t.refused("list as bob", err, apierrors.IsForbidden,
		`namespaces is forbidden: User "bob" cannot list resource "namespaces" in API group "" at the cluster scope`)
	_, err = as(rest.ImpersonationConfig{
		UserName: "bob",
		UID:      "1234",
		Groups:   []string{"developers", "system:masters"},
		Extra:    map[string][]string{"scopes": {"a", "b"}, "example.com/ Über": {"c"}},
	}).CoreV1().ConfigMaps(t.namespace).List(t.ctx, metav1.ListOptions{})
	t.check("list as bob of system:masters", err)
}

func dryRuns(t *test) {
	maps := t.typed().CoreV1().ConfigMaps(t.namespace)
	all := []string{metav1.DryRunAll}
	made, err := maps.Create(t.ctx, configMap("one", nil), metav1.CreateOptions{DryRun: all})
	t.check("dry create", err)
	t.hold("it has a uid and no version", made.UID != "" && made.ResourceVersion == "")
	_, err = maps.Get(t.ctx, "one", metav1.GetOptions{})
	t.hold("it is not there", apierrors.IsNotFound(err))
	stored, err := maps.Create(t.ctx, configMap("one", map[string]string{"a": "x"}), metav1.CreateOptions{})
	t.check("create", err)
	changed := stored.DeepCopy()
	changed.Data["a"] = "y"
	updated, err := maps.Update(t.ctx, changed, metav1.UpdateOptions{DryRun: all})
	t.check("dry update", err)
	t.equal("what a dry update answers", updated.Data["a"], "y")
	patched, err := maps.Patch(t.ctx, "one", types.StrategicMergePatchType, []byte(`{"data":{"b":"z"}}`), metav1.PatchOptions{DryRun: all})
	t.check("dry patch", err)
	t.equal("what a dry patch answers", patched.Data, map[string]string{"a": "x", "b": "z"})
	t.check("dry delete", maps.Delete(t.ctx, "one", metav1.DeleteOptions{DryRun: all}))
	t.check("dry delete of all", maps.DeleteCollection(t.ctx, metav1.DeleteOptions{DryRun: all}, metav1.ListOptions{}))
	left, err := maps.Get(t.ctx, "one", metav1.GetOptions{})
	t.check("get", err)
	t.equal("what is stored", asJSON(t, left), asJSON(t, stored))
}

func fieldValidation(t *test) {
	secrets := t.dynamic().Resource(sharedSecrets).Namespace(t.namespace)
	unknown := func(name string) *unstructured.Unstructured {
		it := sharedSecret(name, nil)
		_ = unstructured.SetNestedField(it.Object, "x", "spec", "nonsense")
		return it
	}
	const text = `strict decoding error: unknown field "spec.nonsense"`
	_, err := secrets.Create(t.ctx, unknown("strict"), metav1.CreateOptions{FieldValidation: metav1.FieldValidationStrict})
	t.refused("strict create", err, apierrors.IsBadRequest, text)
	t.equal("warnings so far", len(t.requests.seenWarnings()), 0)
	made, err := secrets.Create(t.ctx, unknown("warn"), metav1.CreateOptions{FieldValidation: metav1.FieldValidationWarn})
	t.check("create with a warning", err)
	t.hold("it was dropped", inText(made, "spec", "nonsense") == "")
	t.hold("it warns", slices.Contains(t.requests.seenWarnings(), `unknown field "spec.nonsense"`))
	t.requests.forget()
	_, err = secrets.Create(t.ctx, unknown("ignore"), metav1.CreateOptions{FieldValidation: metav1.FieldValidationIgnore})
	t.check("create that ignores", err)
	t.equal("warnings when ignored", len(t.requests.seenWarnings()), 0)
	again := unknown("warn")
	again.SetResourceVersion(made.GetResourceVersion())
	_, err = secrets.Update(t.ctx, again, metav1.UpdateOptions{FieldValidation: metav1.FieldValidationStrict})
	t.refused("strict update", err, apierrors.IsBadRequest, text)
	_, err = secrets.Patch(t.ctx, "warn", types.MergePatchType, []byte(`{"spec":{"nonsense":"x"}}`),
		metav1.PatchOptions{FieldValidation: metav1.FieldValidationStrict})
	t.refused("strict patch", err, apierrors.IsInvalid, text)
	_, err = secrets.Create(t.ctx, unknown("never"), metav1.CreateOptions{FieldValidation: "Never"})
	t.refused("wrong validation", err, apierrors.IsInvalid, `fieldValidation: Unsupported value: "Never"`)
}

func generateName(t *test) {
	maps := t.typed().CoreV1().ConfigMaps(t.namespace)
	made := configMap("", nil)
	made.GenerateName = "gen-"
	seen := map[string]bool{}
	for range 20 {
		it, err := maps.Create(t.ctx, made, metav1.CreateOptions{})
		t.check("create", err)
		t.hold("name "+it.Name, len(it.Name) == len("gen-")+5 && it.GenerateName == "gen-")
		seen[it.Name] = true
	}
	t.equal("different names", len(seen), 20)
}
