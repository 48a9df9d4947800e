#!/usr/bin/env bash
# Writes data about the Kubernetes version in hack/kubernetes-version: its number, the structure of the built-in kinds, their
# protobuf messages and the names of their Go types; no descriptions. Usage: update-kubernetes.sh
# [directory], the root of the written files. Needs Go, whose module proxy the types come from.
set -euo pipefail
cd "$(dirname "$0")/.."

root=$(realpath "${1:-.}")
version=$(sed s/^v1/v0/ hack/kubernetes-version)
hack=$PWD/hack
mkdir -p "$root"/apiserver/{apis/kubernetes,discovery,encoding/protobuf,endpoints/body}

cat > "$root/apiserver/discovery/kubernetesVersion.ts" << MODULE
/* Written by hack/update-kubernetes.sh; not to be edited. */

/** The Kubernetes version whose API is served: clients compute their version skew from it. */
export const kubernetesVersion = '$(cat hack/kubernetes-version)'
MODULE

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GOFLAGS=-mod=mod GOWORK=off
cd "$work"
{
  printf 'module kubernetes\ngo 1.25.0\n'
  for module in api apiextensions-apiserver apimachinery client-go kube-aggregator; do
    echo "require k8s.io/$module $version"
  done
} > go.mod
cp "$hack/kubernetes/kubernetesProto.go" main.go
go run main.go "$root/apiserver/encoding/protobuf"

declare -A directories
for module in api apimachinery apiextensions-apiserver kube-aggregator; do
  directories[$module]=$(go mod download -json "k8s.io/$module@$version" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
done
modules=()
for module in "${!directories[@]}"; do modules+=("k8s.io/$module=${directories[$module]}"); done
cat > kinds << 'KINDS'
meta/v1 ObjectMeta ListMeta Status DeleteOptions WatchEvent APIVersions APIGroupList APIGroup APIResourceList
pkg/version Info
core/v1 Namespace ConfigMap Secret ComponentStatus
core/v1 ServiceAccount Endpoints Event Pod PodTemplate Node ReplicationController Binding
core/v1 PersistentVolume PersistentVolumeClaim ResourceQuota LimitRange Service
apps/v1 ReplicaSet Deployment StatefulSet DaemonSet ControllerRevision
batch/v1 Job CronJob
networking/v1 Ingress IngressClass NetworkPolicy IPAddress ServiceCIDR
policy/v1 PodDisruptionBudget Eviction
autoscaling/v1 Scale HorizontalPodAutoscaler
autoscaling/v2 HorizontalPodAutoscaler
coordination/v1 Lease
discovery/v1 EndpointSlice
events/v1 Event
scheduling/v1 PriorityClass
node/v1 RuntimeClass
flowcontrol/v1 FlowSchema PriorityLevelConfiguration
certificates/v1 CertificateSigningRequest ClusterTrustBundle PodCertificateRequest
resource/v1 ResourceClaim ResourceClaimTemplate DeviceClass ResourceSlice DeviceTaintRule
storagemigration/v1 StorageVersionMigration
storage/v1 StorageClass CSIDriver CSINode CSIStorageCapacity VolumeAttachment VolumeAttributesClass
admissionregistration/v1 ValidatingWebhookConfiguration MutatingWebhookConfiguration
admissionregistration/v1 ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding
admissionregistration/v1 MutatingAdmissionPolicy MutatingAdmissionPolicyBinding
rbac/v1 Role RoleBinding ClusterRole ClusterRoleBinding
authentication/v1 TokenReview TokenRequest SelfSubjectReview
authorization/v1 SubjectAccessReview LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview
apiextensions/v1 CustomResourceDefinition
apiregistration/v1 APIService
KINDS
go run "$hack/kubernetes/kubernetesTypes.go" "${modules[@]}" < kinds > "$root/apiserver/apis/kubernetes/builtInTypes.json"

packages=("${directories[apimachinery]}/pkg/apis/meta/v1=meta.v1"
  "${directories[apiextensions-apiserver]}/pkg/apis/apiextensions/v1=apiextensions.v1"
  "${directories[kube-aggregator]}/pkg/apis/apiregistration/v1=apiregistration.v1")
for name in admissionregistration/v1 apps/v1 authentication/v1 authorization/v1 autoscaling/v1 autoscaling/v2 batch/v1 \
  certificates/v1 coordination/v1 core/v1 discovery/v1 events/v1 flowcontrol/v1 networking/v1 node/v1 policy/v1 rbac/v1 resource/v1 \
  scheduling/v1 storage/v1; do
  packages+=("${directories[api]}/$name=${name//\//.}")
done
go run "$hack/kubernetes/goFieldTypes.go" "${packages[@]}" > "$root/apiserver/endpoints/body/goFieldTypes.json"
