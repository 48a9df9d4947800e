package main

import (
	"fmt"
	"sort"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

func deletionScenarios() []scenario {
	return []scenario{
		{Name: "3.6, 3.7: background: the owner goes first, its dependents follow", run: deleteBackground},
		{Name: "3.6, 3.7: foreground: the owner waits for those that block it", run: deleteForeground},
		{Name: "3.6, 3.7: orphan: dependents stay and lose their owner", run: deleteOrphan},
		{Name: "3.7: a dependent of what is not there is collected; one with another owner loses the reference", run: absentOwner},
		{Name: "3.5: preconditions", run: preconditions},
		{Name: "3.5: finalizers hold an object", run: finalizers},
		{Name: "3.8: deletecollection, typed and dynamic", run: deleteCollection},
		{Name: "deleting a namespace deletes what is in it", run: deleteNamespace},
	}
}

func owner(of *corev1.ConfigMap) metav1.OwnerReference {
	blocks := true
	return metav1.OwnerReference{APIVersion: "v1", Kind: "ConfigMap", Name: of.Name, UID: of.UID, BlockOwnerDeletion: &blocks}
}

// family creates an owner and dependents that a finalizer holds.
func (t *test) family(finalizers ...string) *corev1.ConfigMap {
	parent, err := t.configMaps().Create(t.ctx, configMap("owner", nil), metav1.CreateOptions{})
	t.check("create the owner", err)
	for _, name := range []string{"child-a", "child-b"} {
		child := configMap(name, nil)
		child.OwnerReferences = []metav1.OwnerReference{owner(parent)}
		child.Finalizers = finalizers
		_, err := t.configMaps().Create(t.ctx, child, metav1.CreateOptions{})
		t.check("create a dependent", err)
	}
	return parent
}

func (t *test) release(name string) {
	_, err := t.configMaps().Patch(t.ctx, name, types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
	t.check("release "+name, err)
}

func (t *test) deleteWith(name string, policy metav1.DeletionPropagation) {
	t.check("delete "+name, t.configMaps().Delete(t.ctx, name, metav1.DeleteOptions{PropagationPolicy: &policy}))
}

// ownMaps leaves out the config map that every namespace has.
var ownMaps = metav1.ListOptions{FieldSelector: "metadata.name!=kube-root-ca.crt"}

// left waits until exactly these config maps are left.
func (t *test) left(want ...string) {
	t.eventually(fmt.Sprintf("left are %v", want), func() error {
		names, _, err := listed(t.configMaps().List(t.ctx, ownMaps))
		t.check("list", err)
		sort.Strings(names)
		if fmt.Sprint(names) != fmt.Sprint(want) {
			return fmt.Errorf("%v are", names)
		}
		return nil
	})
}

func deleteBackground(t *test) {
	t.family()
	events, err := t.configMaps().Watch(t.ctx, metav1.ListOptions{ResourceVersion: "0"})
	t.check("watch", err)
	defer events.Stop()
	t.deleteWith("owner", metav1.DeletePropagationBackground)
	_, err = t.configMaps().Get(t.ctx, "owner", metav1.GetOptions{})
	t.hold("the owner is gone at once", apierrors.IsNotFound(err))
	t.left()
	var deleted []string
	for len(deleted) < 3 {
		event := <-events.ResultChan()
		if event.Type == watch.Deleted {
			deleted = append(deleted, event.Object.(*corev1.ConfigMap).Name)
		}
	}
	sort.Strings(deleted[1:])
	t.equal("order of deletions", deleted, []string{"owner", "child-a", "child-b"})
}

func deleteForeground(t *test) {
	t.family(finalizer)
	t.deleteWith("owner", metav1.DeletePropagationForeground)
	waiting, err := t.configMaps().Get(t.ctx, "owner", metav1.GetOptions{})
	t.check("get the owner", err)
	t.hold("it is being deleted", waiting.DeletionTimestamp != nil)
	t.equal("its finalizers", waiting.Finalizers, []string{metav1.FinalizerDeleteDependents})
	for _, name := range []string{"child-a", "child-b"} {
		t.eventually(name+" is being deleted", func() error {
			child, err := t.configMaps().Get(t.ctx, name, metav1.GetOptions{})
			if err != nil || child.DeletionTimestamp == nil {
				return fmt.Errorf("%v, %v", child.DeletionTimestamp, err)
			}
			return nil
		})
	}
	t.release("child-a")
	t.left("child-b", "owner")
	t.release("child-b")
	t.left()
}

func deleteOrphan(t *test) {
	t.family()
	t.deleteWith("owner", metav1.DeletePropagationOrphan)
	t.left("child-a", "child-b")
	list, err := t.configMaps().List(t.ctx, ownMaps)
	t.check("list", err)
	for _, child := range list.Items {
		t.equal("owners of "+child.Name, len(child.OwnerReferences), 0)
		t.hold(child.Name+" stays", child.DeletionTimestamp == nil)
	}
}

func absentOwner(t *test) {
	real, err := t.configMaps().Create(t.ctx, configMap("owner", nil), metav1.CreateOptions{})
	t.check("create the owner", err)
	absent := owner(configMap("absent", nil))
	absent.UID = "00000000-0000-4000-8000-000000000000"
	lost, half := configMap("lost", nil), configMap("half", nil)
	lost.OwnerReferences = []metav1.OwnerReference{absent}
	half.OwnerReferences = []metav1.OwnerReference{absent, owner(real)}
	for _, it := range []*corev1.ConfigMap{half, lost} {
		_, err := t.configMaps().Create(t.ctx, it, metav1.CreateOptions{})
		t.check("create "+it.Name, err)
	}
	t.left("half", "owner")
	t.eventually("the dangling reference goes", func() error {
		got, err := t.configMaps().Get(t.ctx, "half", metav1.GetOptions{})
		if err != nil || len(got.OwnerReferences) != 1 || got.OwnerReferences[0].UID != real.UID {
			return fmt.Errorf("%v, %v", got.OwnerReferences, err)
		}
		return nil
	})
}

func preconditions(t *test) {
	made, err := t.configMaps().Create(t.ctx, configMap("one", nil), metav1.CreateOptions{})
	t.check("create", err)
	wrong := types.UID("wrong")
	err = t.configMaps().Delete(t.ctx, "one", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &wrong}})
	t.refused("wrong uid", err, apierrors.IsConflict, fmt.Sprintf(
		"the UID in the precondition (wrong) does not match the UID in record (%s). The object might have been deleted and then recreated", made.UID))
	old := "1"
	err = t.configMaps().Delete(t.ctx, "one", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{ResourceVersion: &old}})
	t.refused("wrong version", err, apierrors.IsConflict, fmt.Sprintf(
		"the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (%s). The object might have been modified", made.ResourceVersion))
	err = t.configMaps().Delete(t.ctx, "one", metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &made.UID, ResourceVersion: &made.ResourceVersion}})
	t.check("delete with both", err)
	policy := metav1.DeletionPropagation("Sideways")
	err = t.configMaps().Delete(t.ctx, "one", metav1.DeleteOptions{PropagationPolicy: &policy})
	t.refused("wrong policy", err, apierrors.IsInvalid, "propagationPolicy")
}

func finalizers(t *test) {
	made := configMap("one", nil)
	made.Finalizers = []string{finalizer}
	_, err := t.configMaps().Create(t.ctx, made, metav1.CreateOptions{})
	t.check("create", err)
	t.check("delete", t.configMaps().Delete(t.ctx, "one", metav1.DeleteOptions{}))
	marked, err := t.configMaps().Get(t.ctx, "one", metav1.GetOptions{})
	t.check("get", err)
	t.hold("it is marked", marked.DeletionTimestamp != nil && marked.DeletionGracePeriodSeconds != nil)
	_, err = t.configMaps().Patch(t.ctx, "one", types.StrategicMergePatchType, []byte(`{"metadata":{"finalizers":["test.example/more"]}}`), metav1.PatchOptions{})
	t.refused("another finalizer", err, apierrors.IsInvalid, "no new finalizers can be added if the object is being deleted")
	marked.Finalizers = nil
	_, err = t.configMaps().Update(t.ctx, marked, metav1.UpdateOptions{})
	t.check("remove the finalizer", err)
	t.left()
}

func deleteCollection(t *test) {
	for i := range 6 {
		it := configMap(fmt.Sprintf("map-%d", i), nil)
		it.Labels = map[string]string{"odd": fmt.Sprint(i%2 == 1)}
		_, err := t.configMaps().Create(t.ctx, it, metav1.CreateOptions{})
		t.check("create", err)
		_, err = t.sharedSecrets().Create(t.ctx, sharedSecret(fmt.Sprintf("secret-%d", i), nil), metav1.CreateOptions{})
		t.check("create", err)
	}
	t.check("delete the odd ones", t.configMaps().DeleteCollection(t.ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "odd=true"}))
	t.left("map-0", "map-2", "map-4")
	err := t.sharedSecrets().DeleteCollection(t.ctx, metav1.DeleteOptions{}, metav1.ListOptions{FieldSelector: "metadata.name=secret-3"})
	t.check("delete one secret", err)
	names, _, err := listed(t.sharedSecrets().List(t.ctx, metav1.ListOptions{}))
	t.check("list", err)
	t.equal("number of secrets", len(names), 5)
	t.check("delete the secrets", t.sharedSecrets().DeleteCollection(t.ctx, metav1.DeleteOptions{}, metav1.ListOptions{}))
	names, _, err = listed(t.sharedSecrets().List(t.ctx, metav1.ListOptions{}))
	t.check("list", err)
	t.equal("secrets left", len(names), 0)
}

func deleteNamespace(t *test) {
	namespaces := t.typed().CoreV1().Namespaces()
	_, err := t.configMaps().Create(t.ctx, configMap("one", nil), metav1.CreateOptions{})
	t.check("create", err)
	_, err = t.sharedSecrets().Create(t.ctx, sharedSecret("one", nil), metav1.CreateOptions{})
	t.check("create", err)
	t.check("delete", namespaces.Delete(t.ctx, t.namespace, metav1.DeleteOptions{}))
	t.eventually("it is gone", func() error {
		_, err := namespaces.Get(t.ctx, t.namespace, metav1.GetOptions{})
		if !apierrors.IsNotFound(err) {
			return fmt.Errorf("get: %v", err)
		}
		return nil
	})
	t.left()
}
