package main

import (
	"fmt"
	"net/http"
	"sort"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
)

func applyScenarios() []scenario {
	return []scenario{
		{Name: "3.12: apply creates, again it changes nothing", run: applyCreates},
		{Name: "3.12: apply of a subset removes what is no longer named, and keeps what others set", run: applySubset},
		{Name: "3.12, 3.13: two managers: conflict, force, shared fields", run: applyConflict},
		{Name: "3.13: several conflicts", run: applyConflicts},
		{Name: "3.11: Update after Apply: the updater owns what it changed", run: updateAfterApply},
		{Name: "3.11: Extract gives back what a manager applied", run: extract},
		{Name: "3.11: managedFields: [] resets them", run: resetManagedFields},
		{Name: "3.11: an object that was created before the first apply", run: firstApply},
		{Name: "3.11: create, update and patch are tracked with the manager and its operation", run: trackedManagers},
		{Name: "3.11: eleven updaters: the oldest become ancient-changes", run: ancientChanges},
		{Name: "3.12: a forced dry run of an apply stores nothing", run: applyDryRun},
	}
}

func (t *test) configMaps() typedcorev1.ConfigMapInterface {
	return t.typed().CoreV1().ConfigMaps(t.namespace)
}

// secrets is where only a scenario writes; a namespace has a config map of its own.
func (t *test) secrets() typedcorev1.SecretInterface {
	return t.typed().CoreV1().Secrets(t.namespace)
}

func by(manager string) metav1.ApplyOptions { return metav1.ApplyOptions{FieldManager: manager} }

func forced(manager string) metav1.ApplyOptions {
	return metav1.ApplyOptions{FieldManager: manager, Force: true}
}

func (t *test) mapWith(data map[string]string) *applycorev1.ConfigMapApplyConfiguration {
	return applycorev1.ConfigMap("one", t.namespace).WithData(data)
}

// apply as a manager must succeed.
func (t *test) apply(manager string, data map[string]string) *corev1.ConfigMap {
	applied, err := t.configMaps().Apply(t.ctx, t.mapWith(data), by(manager))
	t.check("apply by "+manager, err)
	return applied
}

// owned tells who owns what: "manager Operation[/subresource]" to fieldsV1, whose keys the server sorts.
func owned(object metav1.Object) map[string]string {
	found := map[string]string{}
	for _, entry := range object.GetManagedFields() {
		key := entry.Manager + " " + string(entry.Operation)
		if entry.Subresource != "" {
			key += "/" + entry.Subresource
		}
		found[key] = string(entry.FieldsV1.Raw)
	}
	return found
}

func applyCreates(t *test) {
	applied := t.apply("alpha", map[string]string{"a": "x"})
	sent := t.requests.answered(func(sent request) bool { return sent.method == http.MethodPatch })
	t.equal("answer", sent[0].status, http.StatusCreated)
	t.equal("media type", sent[0].contentType, string(types.ApplyPatchType))
	t.equal("managers", owned(applied), map[string]string{"alpha Apply": `{"f:data":{"f:a":{}}}`})
	entry := applied.ManagedFields[0]
	t.hold("the entry has its version, type and time", entry.APIVersion == "v1" && entry.FieldsType == "FieldsV1" &&
		time.Since(entry.Time.Time) < time.Minute)
	again := t.apply("alpha", map[string]string{"a": "x"})
	t.equal("the same again", asJSON(t, again), asJSON(t, applied))
}

func applySubset(t *test) {
	t.apply("alpha", map[string]string{"a": "x", "b": "y"})
	t.apply("bravo", map[string]string{"c": "z"})
	applied := t.apply("alpha", map[string]string{"a": "x"})
	t.equal("data", applied.Data, map[string]string{"a": "x", "c": "z"})
	t.equal("managers", owned(applied), map[string]string{
		"alpha Apply": `{"f:data":{"f:a":{}}}`, "bravo Apply": `{"f:data":{"f:c":{}}}`,
	})
	applied, err := t.configMaps().Apply(t.ctx, applycorev1.ConfigMap("one", t.namespace), by("bravo"))
	t.check("apply nothing", err)
	t.equal("data", applied.Data, map[string]string{"a": "x"})
	t.equal("managers", owned(applied), map[string]string{"alpha Apply": `{"f:data":{"f:a":{}}}`})
}

func applyConflict(t *test) {
	t.apply("alpha", map[string]string{"a": "x", "b": "y"})
	_, err := t.configMaps().Apply(t.ctx, t.mapWith(map[string]string{"a": "other"}), by("bravo"))
	t.refused("conflicting apply", err, apierrors.IsConflict, `Apply failed with 1 conflict: conflict with "alpha": .data.a`)
	t.equal("causes", causes(err), []metav1.StatusCause{{
		Type: metav1.CauseTypeFieldManagerConflict, Message: `conflict with "alpha"`, Field: ".data.a",
	}})
	applied, err := t.configMaps().Apply(t.ctx, t.mapWith(map[string]string{"a": "other"}), forced("bravo"))
	t.check("forced apply", err)
	t.equal("managers", owned(applied), map[string]string{
		"alpha Apply": `{"f:data":{"f:b":{}}}`, "bravo Apply": `{"f:data":{"f:a":{}}}`,
	})
	applied = t.apply("alpha", map[string]string{"a": "other", "b": "y"})
	t.equal("shared", owned(applied), map[string]string{
		"alpha Apply": `{"f:data":{"f:a":{},"f:b":{}}}`, "bravo Apply": `{"f:data":{"f:a":{}}}`,
	})
	applied = t.apply("alpha", map[string]string{"b": "y"})
	t.equal("what the other still names stays", applied.Data, map[string]string{"a": "other", "b": "y"})
}

func causes(err error) []metav1.StatusCause {
	status, is := err.(apierrors.APIStatus)
	if !is || status.Status().Details == nil {
		return nil
	}
	return status.Status().Details.Causes
}

func applyConflicts(t *test) {
	t.apply("alpha", map[string]string{"a": "x", "b": "y"})
	t.apply("bravo", map[string]string{"c": "z"})
	_, err := t.configMaps().Apply(t.ctx, t.mapWith(map[string]string{"a": "1", "b": "2", "c": "3"}), by("charlie"))
	t.refused("conflicting apply", err, apierrors.IsConflict,
		"Apply failed with 3 conflicts: conflicts with \"alpha\":\n- .data.a\n- .data.b\nconflicts with \"bravo\":\n- .data.c")
	var fields []string
	for _, cause := range causes(err) {
		fields = append(fields, cause.Field+" "+cause.Message)
	}
	sort.Strings(fields)
	t.equal("causes", fields, []string{
		`.data.a conflict with "alpha"`, `.data.b conflict with "alpha"`, `.data.c conflict with "bravo"`,
	})
}

func updateAfterApply(t *test) {
	applied := t.apply("alpha", map[string]string{"a": "x", "b": "y"})
	applied.Data = map[string]string{"a": "changed", "c": "new"}
	updated, err := t.configMaps().Update(t.ctx, applied, metav1.UpdateOptions{FieldManager: "updater"})
	t.check("update", err)
	t.equal("managers", owned(updated), map[string]string{
		"updater Update": `{"f:data":{"f:a":{},"f:c":{}}}`,
	})
	_, err = t.configMaps().Apply(t.ctx, t.mapWith(map[string]string{"a": "x"}), by("alpha"))
	t.refused("apply of what was changed", err, apierrors.IsConflict,
		`Apply failed with 1 conflict: conflict with "updater" using v1: .data.a`)
	back, err := t.configMaps().Apply(t.ctx, t.mapWith(map[string]string{"a": "x"}), forced("alpha"))
	t.check("forced apply", err)
	t.equal("managers after force", owned(back), map[string]string{
		"alpha Apply": `{"f:data":{"f:a":{}}}`, "updater Update": `{"f:data":{"f:c":{}}}`,
	})
}

func extract(t *test) {
	wanted := t.mapWith(map[string]string{"a": "x"}).WithLabels(map[string]string{"l": "m"}).WithFinalizers("test.example/a")
	_, err := t.configMaps().Apply(t.ctx, wanted, by("alpha"))
	t.check("apply", err)
	applied := t.apply("bravo", map[string]string{"b": "y"})
	extracted, err := applycorev1.ExtractConfigMap(applied, "alpha")
	t.check("extract", err)
	t.equal("extracted", asJSON(t, extracted), asJSON(t, wanted))
	// Extract, change and apply is how controllers work.
	changed, err := t.configMaps().Apply(t.ctx, extracted.WithData(map[string]string{"a": "y"}), by("alpha"))
	t.check("apply what was extracted", err)
	t.equal("data", changed.Data, map[string]string{"a": "y", "b": "y"})
	nothing, err := applycorev1.ExtractConfigMap(applied, "nobody")
	t.check("extract of nobody", err)
	t.equal("extracted of nobody", asJSON(t, nothing), asJSON(t, applycorev1.ConfigMap("one", t.namespace)))
	_, err = t.configMaps().Apply(t.ctx, applycorev1.ConfigMap("one", t.namespace), by("alpha"))
	t.check("apply without finalizers", err)
}

func resetManagedFields(t *test) {
	t.apply("alpha", map[string]string{"a": "x"})
	for _, reset := range []string{`[{"op":"replace","path":"/metadata/managedFields","value":[{}]}]`, `[{"op":"replace","path":"/metadata/managedFields","value":[]}]`} {
		got, err := t.configMaps().Patch(t.ctx, "one", types.JSONPatchType, []byte(reset), metav1.PatchOptions{})
		t.check("reset", err)
		t.equal("managers", owned(got), map[string]string{})
		t.apply("alpha", map[string]string{"a": "x"})
	}
	got, err := t.configMaps().Get(t.ctx, "one", metav1.GetOptions{})
	t.check("get", err)
	got.ManagedFields = nil
	got, err = t.configMaps().Update(t.ctx, got, metav1.UpdateOptions{})
	t.check("update without managed fields", err)
	t.hold("absent is not empty", len(got.ManagedFields) > 0)
}

func firstApply(t *test) {
	made := configMap("one", map[string]string{"a": "x"})
	_, err := t.configMaps().Create(t.ctx, made, metav1.CreateOptions{FieldManager: "maker"})
	t.check("create", err)
	_, err = t.configMaps().Patch(t.ctx, "one", types.MergePatchType, []byte(`{"metadata":{"managedFields":[]}}`), metav1.PatchOptions{})
	t.check("reset", err)
	_, err = t.configMaps().Apply(t.ctx, t.mapWith(map[string]string{"a": "y"}), by("alpha"))
	t.refused("apply", err, apierrors.IsConflict, `conflict with "before-first-apply" using v1: .data.a`)
	applied := t.apply("alpha", map[string]string{"b": "y"})
	t.equal("managers", owned(applied), map[string]string{
		"alpha Apply": `{"f:data":{"f:b":{}}}`, "before-first-apply Update": `{"f:data":{".":{},"f:a":{}}}`,
	})
}

func trackedManagers(t *test) {
	made, err := t.configMaps().Create(t.ctx, configMap("one", map[string]string{"a": "x"}), metav1.CreateOptions{FieldManager: "maker"})
	t.check("create", err)
	t.equal("after create", owned(made), map[string]string{"maker Update": `{"f:data":{".":{},"f:a":{}}}`})
	patched, err := t.configMaps().Patch(t.ctx, "one", types.MergePatchType, []byte(`{"metadata":{"labels":{"l":"m"}},"data":{"a":"y"}}`), metav1.PatchOptions{FieldManager: "patcher"})
	t.check("patch", err)
	t.equal("after patch", owned(patched), map[string]string{
		"maker Update": `{"f:data":{}}`, "patcher Update": `{"f:data":{"f:a":{}},"f:metadata":{"f:labels":{".":{},"f:l":{}}}}`,
	})
	config := t.config()
	config.UserAgent = "my-controller/v1 (linux)"
	client, err := typedcorev1.NewForConfig(config)
	t.check("make a client", err)
	patched.Data["b"] = "z"
	updated, err := client.ConfigMaps(t.namespace).Update(t.ctx, patched, metav1.UpdateOptions{})
	t.check("update", err)
	t.equal("the manager comes from the user agent", owned(updated)["my-controller Update"], `{"f:data":{"f:b":{}}}`)
	_, err = t.configMaps().Update(t.ctx, updated, metav1.UpdateOptions{FieldManager: "a\nb"})
	t.refused("bad manager", err, apierrors.IsInvalid, "fieldManager")
}

func ancientChanges(t *test) {
	// An object that nobody owns anything of is not tracked, so there is something to own.
	_, err := t.configMaps().Create(t.ctx, configMap("one", map[string]string{"a": "x"}), metav1.CreateOptions{FieldManager: "maker"})
	t.check("create", err)
	var got *corev1.ConfigMap
	for i := range 12 {
		got, err = t.configMaps().Patch(t.ctx, "one", types.MergePatchType, fmt.Appendf(nil, `{"data":{"k%d":"x"}}`, i),
			metav1.PatchOptions{FieldManager: fmt.Sprintf("manager-%02d", i)})
		t.check("patch", err)
	}
	t.hold("they are not more than ten and the merged", len(got.ManagedFields) <= 11)
	t.hold("the oldest are merged", owned(got)["ancient-changes Update"] != "")
}

func applyDryRun(t *test) {
	applied := t.apply("alpha", map[string]string{"a": "x"})
	options := forced("bravo")
	options.DryRun = []string{metav1.DryRunAll}
	dry, err := t.configMaps().Apply(t.ctx, t.mapWith(map[string]string{"a": "y"}), options)
	t.check("dry apply", err)
	t.equal("what it answers", dry.Data, map[string]string{"a": "y"})
	stored, err := t.configMaps().Get(t.ctx, "one", metav1.GetOptions{})
	t.check("get", err)
	t.equal("what is stored", asJSON(t, stored), asJSON(t, applied))
}
