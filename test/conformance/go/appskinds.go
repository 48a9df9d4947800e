package main

import (
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
)

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
