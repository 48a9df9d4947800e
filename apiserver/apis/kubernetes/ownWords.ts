/** The words of a definition and of its fields, as `kubectl explain` prints them. */
export interface DefinitionWords {
  description?: string
  fields: Readonly<Record<string, string>>
}

const fileOwner =
  'User ID that owns the file. Takes precedence over `defaultUser` of the volume. Alpha.'
const filesOwner = 'User ID that owns files whose own `user` is unset. Alpha.'
const conditionGeneration =
  'Value of `metadata.generation` that the condition was computed from. A lower value than the current one means that the condition is outdated.'
const core = 'io.k8s.api.core.v1'
const scheduling = 'io.k8s.api.scheduling.v1alpha3'
const extensions = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1'
const metaV1 = 'io.k8s.apimachinery.pkg.apis.meta.v1'
const groupPart = (fields: Record<string, string>, description: string): DefinitionWords => ({
  description,
  fields,
})
const only = (fields: Record<string, string>): DefinitionWords => ({ fields })

/** Descriptions of the fields and definitions that are newer than the packages which descriptions are taken from. */
export const ownWords: Readonly<Record<string, DefinitionWords>> = {
  'io.k8s.api.authentication.v1.TokenRequestSpec': only({
    attestations:
      'Claims that the server is asked to attest to, by well-known keys. The server may authorize each key separately.',
  }),
  'io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerCondition': only({
    observedGeneration: conditionGeneration,
  }),
  'io.k8s.api.batch.v1.JobSpec': only({
    scheduling:
      'Scheduling of the pods of the job as a group: policy, topology, disruption and shared resource claims. Pods are scheduled one by one if it is unset. Alpha.',
  }),
  'io.k8s.api.batch.v1.JobSchedulingConfiguration': groupPart(
    {
      disruptionMode:
        'Unit in which pods of the job are disrupted: `single` or `all`. It cannot be changed.',
      resourceClaims: 'Resource claims that the pods of the job may share.',
      schedulingConstraints: 'Topology that the pods of the job need. It cannot be changed.',
      schedulingPolicy:
        'Scheduling policy of the job: `basic` or `gang`. Only the minimum count of a gang can be changed.',
    },
    'JobSchedulingConfiguration describes how the pods of a job are scheduled as a group.',
  ),
  [`${core}.ClusterTrustBundleProjection`]: only({ user: fileOwner }),
  [`${core}.ConfigMapVolumeSource`]: only({ defaultUser: filesOwner }),
  [`${core}.ContainerRestartRule`]: only({
    exitCodes: 'Exit codes of the container that the rule applies to.',
  }),
  [`${core}.DownwardAPIVolumeFile`]: only({ user: fileOwner }),
  [`${core}.DownwardAPIVolumeSource`]: only({ defaultUser: filesOwner }),
  [`${core}.EmptyDirVolumeSource`]: only({
    mode: 'Permission bits of the directory, 0000 to 01777 in octal notation. Default: 0777. `fsGroup` may change them.',
  }),
  [`${core}.EnvVarSource`]: only({ fileKeyRef: 'Key of a file of variables in a volume.' }),
  [`${core}.EvictionResponder`]: groupPart(
    {
      name: 'Name of the responder, a key with a domain prefix, unique in the pod. Domains below k8s.io and kubernetes.io are reserved.',
      priority:
        'Order in which responders are asked: higher values first, equal ones by domain name.',
    },
    'EvictionResponder names a program that takes part in the eviction of the pod.',
  ),
  [`${core}.GRPCAction`]: only({
    mode: 'Connection mode of the probe: `Plaintext`, or `TLS` without verification of the certificate. Default: Plaintext.',
  }),
  [`${core}.HTTPGetAction`]: only({
    protocol:
      'Protocol of the probe: `HTTP1`, or `HTTP2` in clear text with prior knowledge. Default: HTTP/1.1.',
  }),
  [`${core}.ImageVolumeStatus`]: groupPart(
    { imageRef: 'Digest of the mounted image, at most 256 characters.' },
    'ImageVolumeStatus is the status of a volume that is an image.',
  ),
  [`${core}.KeyToPath`]: only({ user: fileOwner }),
  [`${core}.NodeAllocatableMappedResources`]: groupPart(
    {
      name: 'Name of the resource, such as cpu or memory.',
      quantity: 'Quantity allocated for the claim, shared by all containers that refer to it.',
    },
    'NodeAllocatableMappedResources is a node resource allocated through the devices of a claim.',
  ),
  [`${core}.NodeAllocatableOverheadResources`]: groupPart(
    {
      name: 'Name of the resource, such as cpu or memory.',
      perContainer: 'Overhead for each container that refers to the claim.',
      perPod: 'Overhead for the pod as a whole.',
    },
    'NodeAllocatableOverheadResources is the additional quantity of a node resource that the devices of a claim need.',
  ),
  [`${core}.NodeAllocatableResourceClaimStatus`]: groupPart(
    {
      containers: 'Names of the containers that refer to the claim.',
      mapping: 'Resources allocated through the devices of the claim.',
      overhead: 'Additional resources that the devices of the claim need.',
      resourceClaimName: 'Resource claim that the allocation results from.',
    },
    'NodeAllocatableResourceClaimStatus is the status of node resources allocated through a resource claim.',
  ),
  [`${core}.NodePodPreemptionPolicy`]: groupPart(
    {
      disableResizePreemption:
        'Owners that disabled preemption for resizing pods in place. Preemption stays disabled until the list is empty.',
    },
    'NodePodPreemptionPolicy is the policy of a node for preempting its pods.',
  ),
  [`${core}.NodeSpec`]: only({ podPreemptionPolicy: 'Preemption of pods on the node. Alpha.' }),
  [`${core}.NodeStatus`]: only({ declaredFeatures: 'Gated features that the node declares.' }),
  [`${core}.NodeSystemInfo`]: only({
    runningInUserNamespace: 'True if the node runs in a user namespace.',
  }),
  [`${core}.PersistentVolumeClaimStatus`]: only({
    healthStatus: 'Health of the bound volume, as its controller last reported it. Alpha.',
  }),
  [`${core}.PodCertificateProjection`]: only({
    user: fileOwner,
    userAnnotations:
      'Additional information for the signer. It is copied to the request of a certificate without validation.',
  }),
  [`${core}.PodSchedulingGroup`]: groupPart(
    { podGroupName: 'Name of the PodGroup, a DNS subdomain.' },
    'PodSchedulingGroup names the group that the pod is scheduled with.',
  ),
  [`${core}.PodSpec`]: only({
    evictionResponders: 'Programs that take part in evictions of the pod, by priority. Alpha.',
    schedulingGroup: 'Group that the pod is scheduled with. It cannot be changed. Alpha.',
  }),
  [`${core}.PodStatus`]: only({
    allocatedResources: 'Total of the requests that the node allocated for the pod.',
    extendedResourceClaimStatus: 'Status of the claim that provides extended resources.',
    nodeAllocatableResourceClaimStatuses:
      'Node resources allocated for the pod through resource claims. Alpha.',
    resources: 'Requests and limits applied at the level of the pod.',
    volumeHealth: 'Health of the volumes of the pod, as the node reports it. Alpha.',
  }),
  [`${core}.PodVolumeHealth`]: groupPart(
    {
      healthConditions: 'Adverse conditions of the volume on the node, at most 16.',
      lastTransitionTime: 'Time when the current conditions first appeared.',
      name: 'Name of the volume in the spec of the pod.',
    },
    'PodVolumeHealth is the health of a volume of a pod.',
  ),
  [`${core}.ProjectedVolumeSource`]: only({ defaultUser: filesOwner }),
  [`${core}.ResourceHealth`]: only({ message: 'Explanation of the health for people.' }),
  [`${core}.SecretVolumeSource`]: only({ defaultUser: filesOwner }),
  [`${core}.ServiceAccountTokenProjection`]: only({ user: fileOwner }),
  [`${core}.VolumeHealthCondition`]: groupPart(
    {
      message: 'Explanation for people, at most 1024 bytes.',
      reason: 'Reason in CamelCase, at most 256 bytes. Unique together with the status.',
      status: 'Category of the condition: `Inaccessible`, `DataLoss` or `Degraded`.',
    },
    'VolumeHealthCondition is an adverse condition of a volume.',
  ),
  [`${core}.VolumeHealthStatus`]: groupPart(
    {
      healthConditions: 'Adverse conditions of the volume, at most 16.',
      lastTransitionTime: 'Time when the current conditions first appeared.',
    },
    'VolumeHealthStatus is the health of a volume, as its controller reports it.',
  ),
  [`${core}.VolumeMount`]: only({
    bindMountOptions:
      'Additional mount options: `noexec`, `nodev` or `nosuid`. No effect on Windows. Alpha.',
  }),
  [`${core}.VolumeMountStatus`]: only({
    volumeStatus: 'Status of the mounted volume that its type has.',
  }),
  [`${core}.VolumeProjection`]: only({
    podCertificate:
      'Private key and certificate chain of the pod, renewed by the node before they expire.',
  }),
  [`${core}.VolumeStatus`]: groupPart(
    { image: 'Status of a volume that is an image.' },
    'VolumeStatus is the status of a mounted volume. At most one field is set.',
  ),
  'io.k8s.api.networking.v1.IngressRule': only({ http: 'HTTP paths and their backends.' }),
  [`${scheduling}.TopologyConstraint`]: groupPart(
    { key: 'Node label whose value is the same for all pods of the group.' },
    'TopologyConstraint keeps the pods of a group in one domain of a topology.',
  ),
  [`${scheduling}.WorkloadPodGroupAllDisruptionMode`]: groupPart(
    {},
    'WorkloadPodGroupAllDisruptionMode disrupts all pods of the group together.',
  ),
  [`${scheduling}.WorkloadPodGroupBasicSchedulingPolicy`]: groupPart(
    {},
    'WorkloadPodGroupBasicSchedulingPolicy schedules pods one by one.',
  ),
  [`${scheduling}.WorkloadPodGroupDisruptionMode`]: groupPart(
    {
      all: 'All pods of the group are disrupted together.',
      single: 'Pods are disrupted independently of each other.',
    },
    'WorkloadPodGroupDisruptionMode is the unit in which pods of a group are disrupted. Exactly one field is set.',
  ),
  [`${scheduling}.WorkloadPodGroupGangSchedulingPolicy`]: groupPart(
    {
      minCount:
        'Number of pods that must be schedulable at the same time, at least 1. The controller chooses it if it is unset.',
    },
    'WorkloadPodGroupGangSchedulingPolicy schedules all pods of a group or none.',
  ),
  [`${scheduling}.WorkloadPodGroupResourceClaim`]: groupPart(
    {
      name: 'Name of the claim in the group, a DNS label.',
      resourceClaimName: 'Name of a ResourceClaim in the namespace.',
      resourceClaimTemplateName: 'Name of a ResourceClaimTemplate in the namespace.',
    },
    'WorkloadPodGroupResourceClaim names a resource claim that the pods of a group share.',
  ),
  [`${scheduling}.WorkloadPodGroupSchedulingConstraints`]: groupPart(
    { topology: 'Topology that the pods of the group need.' },
    'WorkloadPodGroupSchedulingConstraints limits where the pods of a group are placed.',
  ),
  [`${scheduling}.WorkloadPodGroupSchedulingPolicy`]: groupPart(
    { basic: 'Pods are scheduled one by one.', gang: 'All pods are scheduled, or none.' },
    'WorkloadPodGroupSchedulingPolicy is the scheduling policy of a group of pods. Exactly one field is set.',
  ),
  [`${scheduling}.WorkloadPodGroupSingleDisruptionMode`]: groupPart(
    {},
    'WorkloadPodGroupSingleDisruptionMode disrupts pods independently of each other.',
  ),
  [`${extensions}.CustomResourceDefinitionCondition`]: only({
    observedGeneration: conditionGeneration,
  }),
  [`${extensions}.CustomResourceDefinitionStatus`]: only({
    observedGeneration: 'Generation of the definition that the status was computed from.',
  }),
  'io.k8s.apimachinery.pkg.api.resource.Quantity': groupPart(
    {},
    'Quantity is a number with a suffix: decimal (m, k, M, G, T, P, E), binary (Ki, Mi, Gi, Ti, Pi, Ei) or an exponent (1e3). It is written in canonical form: no more than three digits after the point, and the largest suffix that leaves no fraction.',
  ),
  [`${metaV1}.ListMeta`]: only({
    shardInfo: 'Selector of the shard, in a list of the objects of one shard. Alpha.',
  }),
  [`${metaV1}.ShardInfo`]: groupPart(
    { selector: 'Shard selector of the request.' },
    'ShardInfo says which shard of a collection a list contains.',
  ),
}
