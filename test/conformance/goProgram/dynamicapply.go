package main

import (
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
)

func dynamicApplyScenarios() []scenario {
	return []scenario{
		{Name: "3.12: unstructured apply of SharedSecrets: conflict, force, subset", run: dynamicApply},
		{Name: "3.12: an atomic list belongs to one manager", run: dynamicAtomicList},
		{Name: "3.13: refused applies", run: refusedApplies},
		{Name: "3.12: a cluster-scoped kind: Users", run: applyUser},
	}
}

func (t *test) sharedSecrets() dynamic.ResourceInterface {
	return t.dynamic().Resource(sharedSecrets).Namespace(t.namespace)
}

func secretSpec(spec map[string]any) *unstructured.Unstructured {
	return managementObject("SharedSecret", "one", spec)
}

func dynamicApply(t *test) {
	secrets := t.sharedSecrets()
	applied, err := secrets.Apply(t.ctx, "one", secretSpec(map[string]any{
		"displayName": "First", "data": map[string]any{"a": "eA==", "b": "eQ=="},
	}), by("alpha"))
	t.check("apply", err)
	t.equal("managers", owned(applied), map[string]string{
		"alpha Apply": `{"f:spec":{"f:data":{"f:a":{},"f:b":{}},"f:displayName":{}}}`,
	})
	t.equal("version of the entry", applied.GetManagedFields()[0].APIVersion, managementVersion.String())
	_, err = secrets.Apply(t.ctx, "one", secretSpec(map[string]any{"displayName": "Second"}), by("bravo"))
	t.refused("conflict", err, apierrors.IsConflict, `Apply failed with 1 conflict: conflict with "alpha": .spec.displayName`)
	applied, err = secrets.Apply(t.ctx, "one", secretSpec(map[string]any{"displayName": "Second"}), forced("bravo"))
	t.check("forced apply", err)
	t.equal("managers", owned(applied), map[string]string{
		"alpha Apply": `{"f:spec":{"f:data":{"f:a":{},"f:b":{}}}}`, "bravo Apply": `{"f:spec":{"f:displayName":{}}}`,
	})
	applied, err = secrets.Apply(t.ctx, "one", secretSpec(map[string]any{"data": map[string]any{"b": "eQ=="}}), by("alpha"))
	t.check("apply of a subset", err)
	t.equal("spec", applied.Object["spec"], map[string]any{
		"displayName": "Second", "data": map[string]any{"b": "eQ=="}, "owner": map[string]any{"user": "admin"},
	})
	_ = unstructured.SetNestedField(applied.Object, "updated", "spec", "description")
	updated, err := secrets.Update(t.ctx, applied, metav1.UpdateOptions{FieldManager: "updater"})
	t.check("update", err)
	t.equal("the updater's fields", owned(updated)["updater Update"], `{"f:spec":{"f:description":{}}}`)
	before := updated.GetResourceVersion()
	again, err := secrets.Apply(t.ctx, "one", secretSpec(map[string]any{"data": map[string]any{"b": "eQ=="}}), by("alpha"))
	t.check("apply again", err)
	t.equal("version after an apply without a change", again.GetResourceVersion(), before)
}

func dynamicAtomicList(t *test) {
	secrets := t.sharedSecrets()
	access := func(user string) *unstructured.Unstructured {
		return secretSpec(map[string]any{"access": []any{map[string]any{"verbs": []any{"get"}, "users": []any{user}}}})
	}
	applied, err := secrets.Apply(t.ctx, "one", access("ann"), by("alpha"))
	t.check("apply", err)
	t.equal("managers", owned(applied), map[string]string{"alpha Apply": `{"f:spec":{"f:access":{}}}`})
	_, err = secrets.Apply(t.ctx, "one", access("bob"), by("bravo"))
	t.refused("conflict", err, apierrors.IsConflict, `conflict with "alpha": .spec.access`)
}

func refusedApplies(t *test) {
	secrets := t.sharedSecrets()
	apply := func(body string) error {
		force := true
		_, err := secrets.Patch(t.ctx, "one", types.ApplyPatchType, []byte(body), metav1.PatchOptions{FieldManager: "alpha", Force: &force})
		return err
	}
	const head = `{"apiVersion":"management.platform/v1","kind":"SharedSecret","metadata":{"name":"one"`
	err := apply(head + `,"managedFields":[{"manager":"x"}]}}`)
	t.refused("managed fields", err, apierrors.IsBadRequest, "metadata.managedFields must be nil")
	err = apply(`{"apiVersion":"management.platform/v1","kind":"SharedSecret","metadata":{"name":"two"}}`)
	t.refused("another name", err, apierrors.IsBadRequest, "the name of the object (two) does not match the name on the URL (one)")
	err = apply(head + `},"spec":{"nonsense":"x"}}`)
	t.refused("unknown field", err, isPlainInternal,
		"failed to create typed patch object (/one; management.platform/v1, Kind=SharedSecret): .spec.nonsense: field not declared in schema")
	_, err = secrets.Patch(t.ctx, "one", types.ApplyPatchType, []byte(head+`}}`), metav1.PatchOptions{})
	t.refused("no field manager", err, apierrors.IsInvalid, "fieldManager: Required value: is required for apply patch")
	_, err = secrets.Patch(t.ctx, "one", types.MergePatchType, []byte(`{}`), metav1.PatchOptions{Force: new(bool)})
	t.refused("force of another patch", err, apierrors.IsInvalid, "force: Forbidden: may not be specified for non-apply patch")
	_, err = secrets.Get(t.ctx, "one", metav1.GetOptions{})
	t.hold("nothing was stored", apierrors.IsNotFound(err))
	// YAML is what the media type says.
	_, err = secrets.Patch(t.ctx, "one", types.ApplyPatchType,
		[]byte("apiVersion: management.platform/v1\nkind: SharedSecret\nmetadata:\n  name: one\nspec:\n  displayName: from YAML\n"),
		metav1.PatchOptions{FieldManager: "alpha"})
	t.check("apply of YAML", err)
}

// isPlainInternal is for errors without a reason, which are answered with 500.
func isPlainInternal(err error) bool {
	status, is := err.(apierrors.APIStatus)
	return is && status.Status().Code == http.StatusInternalServerError
}

func applyUser(t *test) {
	name := t.namespace + "-user"
	clients := t.dynamic().Resource(users)
	spec := func(spec map[string]any) *unstructured.Unstructured { return managementObject("User", name, spec) }
	_, err := clients.Apply(t.ctx, name, spec(map[string]any{"username": name, "groups": []any{"a"}}), by("alpha"))
	t.check("apply", err)
	applied, err := clients.Apply(t.ctx, name, spec(map[string]any{"email": "a@test.example"}), by("bravo"))
	t.check("apply by another", err)
	t.equal("spec", applied.Object["spec"], map[string]any{
		"username": name, "groups": []any{"a"}, "email": "a@test.example",
	})
}
