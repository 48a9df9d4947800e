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
(
  cd "$work"
  export GOFLAGS=-mod=mod GOWORK=off
  printf 'module kubernetestypes\ngo 1.25.0\n' > go.mod
  modules=()
  for module in api apimachinery apiextensions-apiserver kube-aggregator; do
    modules+=("k8s.io/$module=$(go mod download -json "k8s.io/$module@$version" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')")
  done
  go run main.go "${modules[@]}" < kinds > structure.json
)
mkdir -p "$directory"
rm -f "$directory"/*.ts
node --import tsx hack/kubernetesTypes.ts "$directory" < "$work/structure.json"
