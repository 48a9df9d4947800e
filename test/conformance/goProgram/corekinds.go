package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// lister is the list method of a typed client.
type lister[L any] interface {
	List(context.Context, metav1.ListOptions) (L, error)
}

func gigabytes(count string) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceStorage: resource.MustParse(count + "Gi")}
}

func coreKinds() []typedKind {
	return []typedKind{
		{"Pods", func(t *test, client kubernetes.Interface) {
			liveIn(t, client.CoreV1().Pods(t.namespace), life[*corev1.Pod]{
				resource: "pods",
				object:   &corev1.Pod{ObjectMeta: named("one"), Spec: podSpec()},
				change:   func(it *corev1.Pod) { it.Spec.Containers[0].Image = "image.test/main:2" },
				content:  func(it *corev1.Pod) any { return it.Spec.Containers[0].Image },
			})
		}},
		{"PodTemplates", func(t *test, client kubernetes.Interface) {
			liveIn(t, client.CoreV1().PodTemplates(t.namespace), life[*corev1.PodTemplate]{
				resource: "podtemplates",
				object:   &corev1.PodTemplate{ObjectMeta: named("one"), Template: podTemplate()},
				change:   func(it *corev1.PodTemplate) { it.Template.Spec.Containers[0].Image = "image.test/main:2" },
				content:  func(it *corev1.PodTemplate) any { return it.Template.Spec.Containers[0].Image },
			})
		}},
		{"ReplicationControllers", func(t *test, client kubernetes.Interface) {
			template := podTemplate()
			liveIn(t, client.CoreV1().ReplicationControllers(t.namespace), life[*corev1.ReplicationController]{
				resource: "replicationcontrollers",
				object:   &corev1.ReplicationController{ObjectMeta: named("one"), Spec: corev1.ReplicationControllerSpec{Selector: template.Labels, Template: &template}},
				change:   func(it *corev1.ReplicationController) { it.Spec.Replicas = to(int32(2)) },
				content:  func(it *corev1.ReplicationController) any { return it.Spec.Selector },
			})
		}},
		{"ServiceAccounts", func(t *test, client kubernetes.Interface) {
			liveIn(t, client.CoreV1().ServiceAccounts(t.namespace), life[*corev1.ServiceAccount]{
				resource: "serviceaccounts",
				object:   &corev1.ServiceAccount{ObjectMeta: named("one"), ImagePullSecrets: []corev1.LocalObjectReference{{Name: "pull"}}},
				change:   func(it *corev1.ServiceAccount) { it.AutomountServiceAccountToken = to(false) },
				content: func(it *corev1.ServiceAccount) any {
					return []any{it.ImagePullSecrets, it.AutomountServiceAccountToken}
				},
			})
		}},
		{"Endpoints", func(t *test, client kubernetes.Interface) {
			liveIn(t, client.CoreV1().Endpoints(t.namespace), life[*corev1.Endpoints]{
				resource: "endpoints",
				object: &corev1.Endpoints{ObjectMeta: named("one"), Subsets: []corev1.EndpointSubset{{
					Addresses: []corev1.EndpointAddress{{IP: "192.0.2.1"}}, Ports: []corev1.EndpointPort{{Port: 80, Protocol: corev1.ProtocolTCP}},
				}}},
				change:  func(it *corev1.Endpoints) { it.Subsets[0].Ports[0].Port = 81 },
				content: func(it *corev1.Endpoints) any { return it.Subsets },
			})
		}},
		{"Nodes", func(t *test, client kubernetes.Interface) {
			liveIn(t, client.CoreV1().Nodes(), life[*corev1.Node]{
				resource: "nodes",
				object:   &corev1.Node{ObjectMeta: named(t.namespace + "-node")},
				change:   func(it *corev1.Node) { it.Spec.Unschedulable = true },
				content:  func(it *corev1.Node) any { return it.Spec.Unschedulable },
			})
		}},
		{"PersistentVolumes", func(t *test, client kubernetes.Interface) {
			liveIn(t, client.CoreV1().PersistentVolumes(), life[*corev1.PersistentVolume]{
				resource: "persistentvolumes",
				object: &corev1.PersistentVolume{ObjectMeta: named(t.namespace + "-volume"), Spec: corev1.PersistentVolumeSpec{
					Capacity: gigabytes("1"), AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
					PersistentVolumeSource: corev1.PersistentVolumeSource{HostPath: &corev1.HostPathVolumeSource{Path: "/data"}},
				}},
				change:  func(it *corev1.PersistentVolume) { it.Spec.Capacity = gigabytes("2") },
				content: func(it *corev1.PersistentVolume) any { return it.Spec.Capacity.Storage().String() },
			})
		}},
		{"PersistentVolumeClaims", func(t *test, client kubernetes.Interface) {
			liveIn(t, client.CoreV1().PersistentVolumeClaims(t.namespace), life[*corev1.PersistentVolumeClaim]{
				resource: "persistentvolumeclaims",
				object: &corev1.PersistentVolumeClaim{ObjectMeta: named("one"), Spec: corev1.PersistentVolumeClaimSpec{
					AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, Resources: corev1.VolumeResourceRequirements{Requests: gigabytes("1")},
				}},
				change:  func(it *corev1.PersistentVolumeClaim) { it.Labels["more"] = "yes" },
				content: func(it *corev1.PersistentVolumeClaim) any { return []any{it.Spec.AccessModes, it.Labels["more"]} },
			})
		}},
		{"ResourceQuotas", func(t *test, client kubernetes.Interface) {
			hard := corev1.ResourceList{corev1.ResourcePods: resource.MustParse("5")}
			liveIn(t, client.CoreV1().ResourceQuotas(t.namespace), life[*corev1.ResourceQuota]{
				resource: "resourcequotas",
				object:   &corev1.ResourceQuota{ObjectMeta: named("one"), Spec: corev1.ResourceQuotaSpec{Hard: hard}},
				change:   func(it *corev1.ResourceQuota) { it.Spec.Hard[corev1.ResourcePods] = resource.MustParse("6") },
				content:  func(it *corev1.ResourceQuota) any { return it.Spec.Hard.Pods().String() },
			})
		}},
		{"LimitRanges", func(t *test, client kubernetes.Interface) {
			limit := corev1.LimitRangeItem{Type: corev1.LimitTypePod, Max: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2")}}
			liveIn(t, client.CoreV1().LimitRanges(t.namespace), life[*corev1.LimitRange]{
				resource: "limitranges",
				object:   &corev1.LimitRange{ObjectMeta: named("one"), Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{limit}}},
				change:   func(it *corev1.LimitRange) { it.Spec.Limits[0].Type = corev1.LimitTypeContainer },
				content:  func(it *corev1.LimitRange) any { return it.Spec.Limits[0].Type },
			})
		}},
		{"Events", func(t *test, client kubernetes.Interface) {
			liveIn(t, client.CoreV1().Events(t.namespace), life[*corev1.Event]{
				resource: "events",
				object: &corev1.Event{ObjectMeta: named("one"), Reason: "Made", Type: corev1.EventTypeNormal, Message: "text",
					InvolvedObject: corev1.ObjectReference{Kind: "ConfigMap", Namespace: t.namespace, Name: "one"}},
				change:  func(it *corev1.Event) { it.Count = 2 },
				content: func(it *corev1.Event) any { return []any{it.Reason, it.Message, it.Count, it.InvolvedObject} },
			})
		}},
	}
}
