package main

import (
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	applymetav1 "k8s.io/client-go/applyconfigurations/meta/v1"
)

func serviceApplyScenarios() []scenario {
	return []scenario{
		{Name: "3.12: managers of a Service's ports, which are a map by port and protocol", run: applyPorts},
		{Name: "3.12: an atomic map belongs to one manager", run: applySelector},
		{Name: "3.11: managers of status are apart from those of the rest", run: applyStatus},
		{Name: "3.12: conditions are a map by type: each manager has its own", run: applyConditions},
		{Name: "3.11: Extract of a Service and of its status", run: extractService},
	}
}

func (t *test) serviceWith(ports ...*applycorev1.ServicePortApplyConfiguration) *applycorev1.ServiceApplyConfiguration {
	return applycorev1.Service("one", t.namespace).WithSpec(applycorev1.ServiceSpec().WithPorts(ports...))
}

func portConfig(name string, port int32) *applycorev1.ServicePortApplyConfiguration {
	return applycorev1.ServicePort().WithName(name).WithPort(port).WithProtocol(corev1.ProtocolTCP)
}

func (t *test) applyService(manager string, wanted *applycorev1.ServiceApplyConfiguration) *corev1.Service {
	applied, err := t.typed().CoreV1().Services(t.namespace).Apply(t.ctx, wanted, by(manager))
	t.check("apply by "+manager, err)
	return applied
}

func applyPorts(t *test) {
	t.applyService("alpha", t.serviceWith(portConfig("http", 80)))
	applied := t.applyService("bravo", t.serviceWith(portConfig("https", 443)))
	t.equal("ports", portNames(applied), []string{"http", "https"})
	t.equal("managers", owned(applied), map[string]string{
		"alpha Apply": `{"f:spec":{"f:ports":{"k:{\"port\":80,\"protocol\":\"TCP\"}":{".":{},"f:name":{},"f:port":{},"f:protocol":{}}}}}`,
		"bravo Apply": `{"f:spec":{"f:ports":{"k:{\"port\":443,\"protocol\":\"TCP\"}":{".":{},"f:name":{},"f:port":{},"f:protocol":{}}}}}`,
	})
	_, err := t.typed().CoreV1().Services(t.namespace).Apply(t.ctx, t.serviceWith(portConfig("other", 80)), by("bravo"))
	t.refused("conflict about a port", err, apierrors.IsConflict,
		`Apply failed with 1 conflict: conflict with "alpha": .spec.ports[port=80,protocol="TCP"].name`)
	applied = t.applyService("bravo", t.serviceWith(portConfig("metrics", 9090)))
	t.equal("ports", portNames(applied), []string{"http", "metrics"})
	// A port is another one with another protocol; the default of the key counts too.
	without := applycorev1.ServicePort().WithName("http").WithPort(80)
	applied = t.applyService("alpha", t.serviceWith(without, portConfig("dns", 53).WithProtocol(corev1.ProtocolUDP)))
	t.equal("number of ports", len(applied.Spec.Ports), 3)
}

func applySelector(t *test) {
	services := t.typed().CoreV1().Services(t.namespace)
	spec := func(selector map[string]string) *applycorev1.ServiceApplyConfiguration {
		it := t.serviceWith(portConfig("http", 80))
		it.Spec.WithSelector(selector)
		return it
	}
	t.applyService("alpha", spec(map[string]string{"app": "one"}))
	_, err := services.Apply(t.ctx, spec(map[string]string{"tier": "web"}), by("bravo"))
	t.refused("apply to an atomic map", err, apierrors.IsConflict, `conflict with "alpha": .spec.selector`)
	applied, err := services.Apply(t.ctx, spec(map[string]string{"tier": "web"}), forced("bravo"))
	t.check("forced apply", err)
	t.equal("selector", applied.Spec.Selector, map[string]string{"tier": "web"})
}

func applyStatus(t *test) {
	balanced := func(port *applycorev1.ServicePortApplyConfiguration) *applycorev1.ServiceApplyConfiguration {
		it := t.serviceWith(port)
		it.Spec.WithType(corev1.ServiceTypeLoadBalancer)
		return it
	}
	t.applyService("alpha", balanced(portConfig("http", 80)))
	status := applycorev1.Service("one", t.namespace).WithStatus(applycorev1.ServiceStatus().WithLoadBalancer(
		applycorev1.LoadBalancerStatus().WithIngress(applycorev1.LoadBalancerIngress().WithIP("192.0.2.1"))))
	applied, err := t.typed().CoreV1().Services(t.namespace).ApplyStatus(t.ctx, status, by("alpha"))
	t.check("apply the status", err)
	mode := corev1.LoadBalancerIPModeVIP
	t.equal("ingress", applied.Status.LoadBalancer.Ingress, []corev1.LoadBalancerIngress{{IP: "192.0.2.1", IPMode: &mode}})
	managers := owned(applied)
	t.equal("of the status", managers["alpha Apply/status"], `{"f:status":{"f:loadBalancer":{"f:ingress":{}}}}`)
	t.hold("of the rest", managers["alpha Apply"] != "")
	_, err = t.typed().CoreV1().Services(t.namespace).ApplyStatus(t.ctx,
		applycorev1.Service("one", t.namespace).WithStatus(applycorev1.ServiceStatus().WithLoadBalancer(
			applycorev1.LoadBalancerStatus().WithIngress(applycorev1.LoadBalancerIngress().WithIP("192.0.2.2")))), by("bravo"))
	t.refused("conflict about the status", err, apierrors.IsConflict,
		`conflict with "alpha" with subresource "status": .status.loadBalancer.ingress`)
	// Applying the rest anew does not take the status away.
	applied = t.applyService("alpha", balanced(portConfig("https", 443)))
	t.equal("ingress", len(applied.Status.LoadBalancer.Ingress), 1)
}

func applyConditions(t *test) {
	t.applyService("alpha", t.serviceWith(portConfig("http", 80)))
	condition := func(kind string) *applycorev1.ServiceApplyConfiguration {
		return applycorev1.Service("one", t.namespace).WithStatus(applycorev1.ServiceStatus().WithConditions(
			applymetav1.Condition().WithType(kind).WithStatus(metav1.ConditionTrue).WithReason("Test").WithMessage("").
				WithLastTransitionTime(metav1.Unix(1_700_000_000, 0))))
	}
	services := t.typed().CoreV1().Services(t.namespace)
	_, err := services.ApplyStatus(t.ctx, condition("First"), by("bravo"))
	t.check("apply a condition", err)
	applied, err := services.ApplyStatus(t.ctx, condition("Second"), by("charlie"))
	t.check("apply another condition", err)
	var kinds []string
	for _, condition := range applied.Status.Conditions {
		kinds = append(kinds, condition.Type)
	}
	t.equal("conditions", kinds, []string{"First", "Second"})
}

func extractService(t *test) {
	wanted := t.serviceWith(portConfig("http", 80)).WithAnnotations(map[string]string{"a": "b"})
	applied := t.applyService("alpha", wanted)
	extracted, err := applycorev1.ExtractService(applied, "alpha")
	t.check("extract", err)
	t.equal("extracted", asJSON(t, extracted), asJSON(t, wanted))
	status, err := applycorev1.ExtractServiceStatus(applied, "alpha")
	t.check("extract the status", err)
	t.equal("extracted status", asJSON(t, status), asJSON(t, applycorev1.Service("one", t.namespace)))
}
