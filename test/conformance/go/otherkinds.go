package main

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	coordinationv1 "k8s.io/api/coordination/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
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
