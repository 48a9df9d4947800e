#!/usr/bin/env bash
# Writes apiserver/apis/kubernetes/generated/ from the published Go types of the built-in kinds: structure only, no texts.
# Usage: update-kubernetes-types.sh [directory]. Needs Go, whose module proxy the types come from.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(sed "s/^v1/v0/" hack/kubernetes-version)
directory=${1:-apiserver/apis/kubernetes/generated}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp hack/kubernetesTypes.go "$work/main.go"
cat > "$work/kinds" << 'KINDS'
core/v1 ServiceAccount Endpoints Event Pod PodTemplate Node ReplicationController Binding
core/v1 PersistentVolume PersistentVolumeClaim ResourceQuota LimitRange Service
apps/v1 ReplicaSet Deployment StatefulSet DaemonSet ControllerRevision
batch/v1 Job CronJob
networking/v1 Ingress IngressClass NetworkPolicy
policy/v1 PodDisruptionBudget Eviction
autoscaling/v1 Scale HorizontalPodAutoscaler
autoscaling/v2 HorizontalPodAutoscaler
coordination/v1 Lease
discovery/v1 EndpointSlice
events/v1 Event
scheduling/v1 PriorityClass
storage/v1 StorageClass
admissionregistration/v1 ValidatingWebhookConfiguration MutatingWebhookConfiguration
admissionregistration/v1 ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding
apiregistration/v1 APIService
KINDS
(
  cd "$work"
  export GOFLAGS=-mod=mod GOWORK=off
  printf 'module kubernetestypes\ngo 1.25.0\n' > go.mod
  directory_of() { go mod download -json "$1@$version" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p'; }
  go run main.go "$(directory_of k8s.io/api)" "$(directory_of k8s.io/apimachinery)" \
    "$(directory_of k8s.io/kube-aggregator)" < kinds > structure.json
)
mkdir -p "$directory"
rm -f "$directory"/*.ts
node --import tsx hack/kubernetesTypes.ts "$directory" < "$work/structure.json"
