package main

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	applyappsv1 "k8s.io/client-go/applyconfigurations/apps/v1"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	applymetav1 "k8s.io/client-go/applyconfigurations/meta/v1"
)

func workloadScenarios() []scenario {
	return []scenario{
		{Name: "the scale of a Deployment, a ReplicaSet, a StatefulSet and a ReplicationController", run: scales},
		{Name: "a Deployment's generation counts changes of its spec, and status is written apart", run: generations},
		{Name: "a Deployment applied twice does not change", run: deploymentTwice},
		{Name: "a Pod is bound once, evicted, and refuses its log", run: podWithoutNode},
		{Name: "an eviction keeps to a PodDisruptionBudget", run: refusedEviction},
	}
}

func (t *test) newDeployment() *appsv1.Deployment {
	made, err := t.typed().AppsV1().Deployments(t.namespace).Create(t.ctx, &appsv1.Deployment{
		ObjectMeta: named("one"),
		Spec:       appsv1.DeploymentSpec{Selector: selector(), Template: podTemplate()},
	}, metav1.CreateOptions{})
	t.check("create a deployment", err)
	return made
}

func scales(t *test) {
	t.newDeployment()
	apps, core := t.typed().AppsV1(), t.typed().CoreV1()
	sets := apps.ReplicaSets(t.namespace)
	_, err := sets.Create(t.ctx, &appsv1.ReplicaSet{ObjectMeta: named("one"), Spec: appsv1.ReplicaSetSpec{Selector: selector(), Template: podTemplate()}}, metav1.CreateOptions{})
	t.check("create a replica set", err)
	stateful := apps.StatefulSets(t.namespace)
	_, err = stateful.Create(t.ctx, &appsv1.StatefulSet{ObjectMeta: named("one"), Spec: appsv1.StatefulSetSpec{Selector: selector(), Template: podTemplate()}}, metav1.CreateOptions{})
	t.check("create a stateful set", err)
	template := podTemplate()
	controllers := core.ReplicationControllers(t.namespace)
	_, err = controllers.Create(t.ctx, &corev1.ReplicationController{ObjectMeta: named("one"), Spec: corev1.ReplicationControllerSpec{Template: &template}}, metav1.CreateOptions{})
	t.check("create a replication controller", err)
	for _, it := range []struct {
		kind   string
		get    func() (*autoscalingv1.Scale, error)
		update func(*autoscalingv1.Scale) (*autoscalingv1.Scale, error)
	}{
		{"deployment", func() (*autoscalingv1.Scale, error) {
			return apps.Deployments(t.namespace).GetScale(t.ctx, "one", metav1.GetOptions{})
		}, func(scale *autoscalingv1.Scale) (*autoscalingv1.Scale, error) {
			return apps.Deployments(t.namespace).UpdateScale(t.ctx, "one", scale, metav1.UpdateOptions{})
		}},
		{"replica set", func() (*autoscalingv1.Scale, error) { return sets.GetScale(t.ctx, "one", metav1.GetOptions{}) },
			func(scale *autoscalingv1.Scale) (*autoscalingv1.Scale, error) {
				return sets.UpdateScale(t.ctx, "one", scale, metav1.UpdateOptions{})
			}},
		{"stateful set", func() (*autoscalingv1.Scale, error) { return stateful.GetScale(t.ctx, "one", metav1.GetOptions{}) },
			func(scale *autoscalingv1.Scale) (*autoscalingv1.Scale, error) {
				return stateful.UpdateScale(t.ctx, "one", scale, metav1.UpdateOptions{})
			}},
		{"replication controller", func() (*autoscalingv1.Scale, error) { return controllers.GetScale(t.ctx, "one", metav1.GetOptions{}) },
			func(scale *autoscalingv1.Scale) (*autoscalingv1.Scale, error) {
				return controllers.UpdateScale(t.ctx, "one", scale, metav1.UpdateOptions{})
			}},
	} {
		scale, err := it.get()
		t.check("get the scale of a "+it.kind, err)
		t.equal("replicas of a "+it.kind, scale.Spec.Replicas, int32(1))
		t.equal("selector of a "+it.kind, scale.Status.Selector, "app=one")
		stale := scale.DeepCopy()
		scale.Spec.Replicas = 7
		scaled, err := it.update(scale)
		t.check("scale a "+it.kind, err)
		t.equal("new replicas of a "+it.kind, scaled.Spec.Replicas, int32(7))
		stale.Spec.Replicas = 8
		_, err = it.update(stale)
		t.refused("stale scale of a "+it.kind, err, apierrors.IsConflict, "the object has been modified")
	}
}

func generations(t *test) {
	deployments := t.typed().AppsV1().Deployments(t.namespace)
	made := t.newDeployment()
	t.equal("generation of a new one", made.Generation, int64(1))
	made.Spec.Paused = true
	made.Status.Replicas = 4
	updated, err := deployments.Update(t.ctx, made, metav1.UpdateOptions{})
	t.check("update", err)
	t.equal("generation after a change of the spec", updated.Generation, int64(2))
	t.equal("replicas in status", updated.Status.Replicas, int32(0))
	updated.Labels = map[string]string{"a": "b"}
	updated, err = deployments.Update(t.ctx, updated, metav1.UpdateOptions{})
	t.check("update a label", err)
	t.equal("generation after a new label", updated.Generation, int64(2))
	updated.Spec.Paused = false
	updated.Status = appsv1.DeploymentStatus{ObservedGeneration: 2, Replicas: 4, Conditions: []appsv1.DeploymentCondition{
		{Type: appsv1.DeploymentAvailable, Status: corev1.ConditionTrue, Reason: "Tested"},
	}}
	written, err := deployments.UpdateStatus(t.ctx, updated, metav1.UpdateOptions{})
	t.check("update the status", err)
	t.equal("generation after a new status", written.Generation, int64(2))
	t.equal("replicas in status", written.Status.Replicas, int32(4))
	t.hold("the spec is as it was", written.Spec.Paused)
}

func deploymentTwice(t *test) {
	wanted := func() *applyappsv1.DeploymentApplyConfiguration {
		container := applycorev1.Container().WithName("main").WithImage("image.test/main:1").
			WithPorts(applycorev1.ContainerPort().WithContainerPort(80)).
			WithEnv(applycorev1.EnvVar().WithName("A").WithValue("b"))
		return applyappsv1.Deployment("one", t.namespace).WithSpec(applyappsv1.DeploymentSpec().
			WithSelector(applymetav1.LabelSelector().WithMatchLabels(map[string]string{"app": "one"})).
			WithTemplate(applycorev1.PodTemplateSpec().WithLabels(map[string]string{"app": "one"}).
				WithSpec(applycorev1.PodSpec().WithContainers(container))))
	}
	deployments := t.typed().AppsV1().Deployments(t.namespace)
	first, err := deployments.Apply(t.ctx, wanted(), by("alpha"))
	t.check("apply", err)
	t.equal("default replicas", first.Spec.Replicas, to(int32(1)))
	t.equal("default strategy", first.Spec.Strategy.Type, appsv1.RollingUpdateDeploymentStrategyType)
	second, err := deployments.Apply(t.ctx, wanted(), by("alpha"))
	t.check("apply again", err)
	t.equal("what the second apply changed", asJSON(t, second), asJSON(t, first))
}

func podWithoutNode(t *test) {
	pods := t.typed().CoreV1().Pods(t.namespace)
	made, err := pods.Create(t.ctx, &corev1.Pod{ObjectMeta: named("one"), Spec: podSpec()}, metav1.CreateOptions{})
	t.check("create", err)
	t.equal("phase", made.Status.Phase, corev1.PodPending)
	bind := func() error {
		return pods.Bind(t.ctx, &corev1.Binding{ObjectMeta: named("one"), Target: corev1.ObjectReference{Kind: "Node", Name: "nowhere"}}, metav1.CreateOptions{})
	}
	t.check("bind", bind())
	bound, err := pods.Get(t.ctx, "one", metav1.GetOptions{})
	t.check("get", err)
	t.equal("its node", bound.Spec.NodeName, "nowhere")
	t.refused("bind again", bind(), apierrors.IsConflict, "")
	_, err = pods.GetLogs("one", &corev1.PodLogOptions{}).DoRaw(t.ctx)
	t.hold("its log is refused", err != nil && !apierrors.IsUnauthorized(err))
	t.check("evict", pods.EvictV1(t.ctx, &policyv1.Eviction{ObjectMeta: named("one")}))
	t.eventually("it is gone, or its node is to end it", func() error {
		left, err := pods.Get(t.ctx, "one", metav1.GetOptions{})
		if apierrors.IsNotFound(err) || err == nil && left.DeletionTimestamp != nil {
			return nil
		}
		return fmt.Errorf("it is not: %v", err)
	})
}

func refusedEviction(t *test) {
	budgets := t.typed().PolicyV1().PodDisruptionBudgets(t.namespace)
	budget, err := budgets.Create(t.ctx, &policyv1.PodDisruptionBudget{
		ObjectMeta: named("one"), Spec: policyv1.PodDisruptionBudgetSpec{Selector: selector()},
	}, metav1.CreateOptions{})
	t.check("create a budget", err)
	// Until somebody does its arithmetic the answer would say to try again, which the client does.
	budget.Status = policyv1.PodDisruptionBudgetStatus{ObservedGeneration: budget.Generation, ExpectedPods: 1, DesiredHealthy: 1}
	_, err = budgets.UpdateStatus(t.ctx, budget, metav1.UpdateOptions{})
	t.check("update its status", err)
	pods := t.typed().CoreV1().Pods(t.namespace)
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "one", Labels: map[string]string{"app": "one"}}, Spec: podSpec()}
	pod, err = pods.Create(t.ctx, pod, metav1.CreateOptions{})
	t.check("create a pod", err)
	pod.Status.Phase = corev1.PodRunning
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
	_, err = pods.UpdateStatus(t.ctx, pod, metav1.UpdateOptions{})
	t.check("make it run", err)
	err = pods.EvictV1(t.ctx, &policyv1.Eviction{ObjectMeta: named("one")})
	t.refused("evict", err, apierrors.IsTooManyRequests, "Cannot evict pod as it would violate the pod's disruption budget.")
}
