package main

import (
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes"
)

func otherKinds() []typedKind {
	return []typedKind{
		{"Ingresses", func(t *test, client kubernetes.Interface) {
			backend := networkingv1.IngressBackend{Service: &networkingv1.IngressServiceBackend{
				Name: "one", Port: networkingv1.ServiceBackendPort{Number: 80},
			}}
			liveIn(t, client.NetworkingV1().Ingresses(t.namespace), life[*networkingv1.Ingress]{
				resource: "ingresses.networking.k8s.io",
				object:   &networkingv1.Ingress{ObjectMeta: named("one"), Spec: networkingv1.IngressSpec{DefaultBackend: &backend}},
				change:   func(it *networkingv1.Ingress) { it.Spec.DefaultBackend.Service.Port.Number = 81 },
				content:  func(it *networkingv1.Ingress) any { return it.Spec.DefaultBackend },
			})
		}},
		{"NetworkPolicies", func(t *test, client kubernetes.Interface) {
			liveIn(t, client.NetworkingV1().NetworkPolicies(t.namespace), life[*networkingv1.NetworkPolicy]{
				resource: "networkpolicies.networking.k8s.io",
				object: &networkingv1.NetworkPolicy{ObjectMeta: named("one"), Spec: networkingv1.NetworkPolicySpec{
					PodSelector: *selector(), PolicyTypes: []networkingv1.PolicyType{networkingv1.PolicyTypeIngress},
				}},
				change: func(it *networkingv1.NetworkPolicy) {
					it.Spec.PodSelector.MatchLabels["app"] = "other"
				},
				content: func(it *networkingv1.NetworkPolicy) any { return it.Spec.PodSelector },
			})
		}},
		{"StorageClasses", func(t *test, client kubernetes.Interface) {
			liveIn(t, client.StorageV1().StorageClasses(), life[*storagev1.StorageClass]{
				resource: "storageclasses.storage.k8s.io",
				object:   &storagev1.StorageClass{ObjectMeta: named(t.namespace + "-class"), Provisioner: "test.example/disk", Parameters: map[string]string{"a": "b"}},
				change:   func(it *storagev1.StorageClass) { it.AllowVolumeExpansion = to(true) },
				content: func(it *storagev1.StorageClass) any {
					return []any{it.Provisioner, it.Parameters, it.AllowVolumeExpansion}
				},
			})
		}},
		{"PriorityClasses", func(t *test, client kubernetes.Interface) {
			liveIn(t, client.SchedulingV1().PriorityClasses(), life[*schedulingv1.PriorityClass]{
				resource: "priorityclasses.scheduling.k8s.io",
				object:   &schedulingv1.PriorityClass{ObjectMeta: named(t.namespace + "-class"), Value: 1000},
				change:   func(it *schedulingv1.PriorityClass) { it.Description = "changed" },
				content:  func(it *schedulingv1.PriorityClass) any { return []any{it.Value, it.Description} },
			})
		}},
		{"HorizontalPodAutoscalers", func(t *test, client kubernetes.Interface) {
			liveIn(t, client.AutoscalingV2().HorizontalPodAutoscalers(t.namespace), life[*autoscalingv2.HorizontalPodAutoscaler]{
				resource: "horizontalpodautoscalers.autoscaling",
				object: &autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: named("one"), Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
					ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "one"}, MaxReplicas: 3,
				}},
				change: func(it *autoscalingv2.HorizontalPodAutoscaler) { it.Spec.MaxReplicas = 5 },
				content: func(it *autoscalingv2.HorizontalPodAutoscaler) any {
					return []any{it.Spec.ScaleTargetRef, it.Spec.MaxReplicas}
				},
			})
		}},
		{"PodDisruptionBudgets", func(t *test, client kubernetes.Interface) {
			liveIn(t, client.PolicyV1().PodDisruptionBudgets(t.namespace), life[*policyv1.PodDisruptionBudget]{
				resource: "poddisruptionbudgets.policy",
				object:   &policyv1.PodDisruptionBudget{ObjectMeta: named("one"), Spec: policyv1.PodDisruptionBudgetSpec{Selector: selector(), MinAvailable: to(intstr.FromInt32(1))}},
				change:   func(it *policyv1.PodDisruptionBudget) { it.Spec.MinAvailable = to(intstr.FromString("50%")) },
				content:  func(it *policyv1.PodDisruptionBudget) any { return []any{it.Spec.Selector, it.Spec.MinAvailable} },
			})
		}},
		{"EndpointSlices", func(t *test, client kubernetes.Interface) {
			liveIn(t, client.DiscoveryV1().EndpointSlices(t.namespace), life[*discoveryv1.EndpointSlice]{
				resource: "endpointslices.discovery.k8s.io",
				object: &discoveryv1.EndpointSlice{ObjectMeta: named("one"), AddressType: discoveryv1.AddressTypeIPv4,
					Endpoints: []discoveryv1.Endpoint{{Addresses: []string{"192.0.2.1"}}}},
				change:  func(it *discoveryv1.EndpointSlice) { it.Endpoints[0].Addresses = []string{"192.0.2.2"} },
				content: func(it *discoveryv1.EndpointSlice) any { return []any{it.AddressType, it.Endpoints} },
			})
		}},
		{"Leases", func(t *test, client kubernetes.Interface) {
			liveIn(t, client.CoordinationV1().Leases(t.namespace), life[*coordinationv1.Lease]{
				resource: "leases.coordination.k8s.io",
				object:   &coordinationv1.Lease{ObjectMeta: named("one"), Spec: coordinationv1.LeaseSpec{HolderIdentity: to("me"), LeaseDurationSeconds: to(int32(15))}},
				change:   func(it *coordinationv1.Lease) { it.Spec.HolderIdentity = to("you") },
				content:  func(it *coordinationv1.Lease) any { return it.Spec },
			})
		}},
	}
}

func appsKinds() []typedKind {
	return []typedKind{
		{"Deployments", func(t *test, client kubernetes.Interface) {
			liveIn(t, client.AppsV1().Deployments(t.namespace), life[*appsv1.Deployment]{
				resource: "deployments.apps",
				object:   &appsv1.Deployment{ObjectMeta: named("one"), Spec: appsv1.DeploymentSpec{Replicas: to(int32(2)), Selector: selector(), Template: podTemplate()}},
				change:   func(it *appsv1.Deployment) { it.Spec.Replicas = to(int32(0)) },
				content:  func(it *appsv1.Deployment) any { return []any{it.Spec.Replicas, it.Spec.Selector} },
			})
		}},
		{"ReplicaSets", func(t *test, client kubernetes.Interface) {
			liveIn(t, client.AppsV1().ReplicaSets(t.namespace), life[*appsv1.ReplicaSet]{
				resource: "replicasets.apps",
				object:   &appsv1.ReplicaSet{ObjectMeta: named("one"), Spec: appsv1.ReplicaSetSpec{Replicas: to(int32(2)), Selector: selector(), Template: podTemplate()}},
				change:   func(it *appsv1.ReplicaSet) { it.Spec.MinReadySeconds = 5 },
				content:  func(it *appsv1.ReplicaSet) any { return []any{it.Spec.Replicas, it.Spec.MinReadySeconds} },
			})
		}},
		{"StatefulSets", func(t *test, client kubernetes.Interface) {
			liveIn(t, client.AppsV1().StatefulSets(t.namespace), life[*appsv1.StatefulSet]{
				resource: "statefulsets.apps",
				object:   &appsv1.StatefulSet{ObjectMeta: named("one"), Spec: appsv1.StatefulSetSpec{ServiceName: "one", Selector: selector(), Template: podTemplate()}},
				change:   func(it *appsv1.StatefulSet) { it.Spec.Template.Spec.Containers[0].Image = "image.test/main:2" },
				content: func(it *appsv1.StatefulSet) any {
					return []any{it.Spec.ServiceName, it.Spec.Template.Spec.Containers[0].Image}
				},
			})
		}},
		{"DaemonSets", func(t *test, client kubernetes.Interface) {
			liveIn(t, client.AppsV1().DaemonSets(t.namespace), life[*appsv1.DaemonSet]{
				resource: "daemonsets.apps",
				object:   &appsv1.DaemonSet{ObjectMeta: named("one"), Spec: appsv1.DaemonSetSpec{Selector: selector(), Template: podTemplate()}},
				change:   func(it *appsv1.DaemonSet) { it.Spec.MinReadySeconds = 5 },
				content:  func(it *appsv1.DaemonSet) any { return []any{it.Spec.Selector, it.Spec.MinReadySeconds} },
			})
		}},
		{"ControllerRevisions", func(t *test, client kubernetes.Interface) {
			liveIn(t, client.AppsV1().ControllerRevisions(t.namespace), life[*appsv1.ControllerRevision]{
				resource: "controllerrevisions.apps",
				object:   &appsv1.ControllerRevision{ObjectMeta: named("one"), Data: runtime.RawExtension{Raw: []byte(`{"a":1}`)}, Revision: 1},
				change:   func(it *appsv1.ControllerRevision) { it.Revision = 2 },
				content:  func(it *appsv1.ControllerRevision) any { return []any{string(it.Data.Raw), it.Revision} },
			})
		}},
		{"Jobs", func(t *test, client kubernetes.Interface) {
			template := podTemplate()
			template.Spec.RestartPolicy = corev1.RestartPolicyNever
			liveIn(t, client.BatchV1().Jobs(t.namespace), life[*batchv1.Job]{
				resource: "jobs.batch",
				object:   &batchv1.Job{ObjectMeta: named("one"), Spec: batchv1.JobSpec{Template: template}},
				change:   func(it *batchv1.Job) { it.Spec.Parallelism = to(int32(3)) },
				content:  func(it *batchv1.Job) any { return it.Spec.Template.Spec.Containers[0].Image },
			})
		}},
		{"CronJobs", func(t *test, client kubernetes.Interface) {
			template := podTemplate()
			template.Spec.RestartPolicy = corev1.RestartPolicyOnFailure
			liveIn(t, client.BatchV1().CronJobs(t.namespace), life[*batchv1.CronJob]{
				resource: "cronjobs.batch",
				object: &batchv1.CronJob{ObjectMeta: named("one"), Spec: batchv1.CronJobSpec{
					Schedule: "*/5 * * * *", JobTemplate: batchv1.JobTemplateSpec{Spec: batchv1.JobSpec{Template: template}},
				}},
				change:  func(it *batchv1.CronJob) { it.Spec.Schedule = "@hourly" },
				content: func(it *batchv1.CronJob) any { return it.Spec.Schedule },
			})
		}},
	}
}
