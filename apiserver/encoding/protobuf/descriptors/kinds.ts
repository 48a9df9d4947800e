/* Written by hack/update-kubernetes-proto.sh; not to be edited. */

/** The messages of each package. */
// prettier-ignore
export const packages = {
  'admissionregistration/v1': () => import('./admissionregistrationV1.ts'),
  'apidiscovery/v2': () => import('./apidiscoveryV2.ts'),
  'apiextensions/v1': () => import('./apiextensionsV1.ts'),
  'apiregistration/v1': () => import('./apiregistrationV1.ts'),
  'apps/v1': () => import('./appsV1.ts'),
  'authentication/v1': () => import('./authenticationV1.ts'),
  'authorization/v1': () => import('./authorizationV1.ts'),
  'autoscaling/v1': () => import('./autoscalingV1.ts'),
  'autoscaling/v2': () => import('./autoscalingV2.ts'),
  'batch/v1': () => import('./batchV1.ts'),
  'certificates/v1': () => import('./certificatesV1.ts'),
  'coordination/v1': () => import('./coordinationV1.ts'),
  'core/v1': () => import('./coreV1.ts'),
  'discovery/v1': () => import('./discoveryV1.ts'),
  'events/v1': () => import('./eventsV1.ts'),
  'flowcontrol/v1': () => import('./flowcontrolV1.ts'),
  'meta/v1': () => import('./metaV1.ts'),
  'meta/v1beta1': () => import('./metaV1beta1.ts'),
  'networking/v1': () => import('./networkingV1.ts'),
  'node/v1': () => import('./nodeV1.ts'),
  'policy/v1': () => import('./policyV1.ts'),
  'rbac/v1': () => import('./rbacV1.ts'),
  'resource/v1': () => import('./resourceV1.ts'),
  'scheduling/v1': () => import('./schedulingV1.ts'),
  'scheduling/v1alpha3': () => import('./schedulingV1alpha3.ts'),
  'storage/v1': () => import('./storageV1.ts'),
  'storagemigration/v1': () => import('./storagemigrationV1.ts'),
}

export type PackageName = keyof typeof packages

/** The kinds that each group version has in a package, under `*` those of all. */
// prettier-ignore
export const kinds: Readonly<Record<string, Partial<Record<PackageName, string>>>> = {
  '*': {
    'meta/v1': 'CreateOptions DeleteOptions GetOptions ListOptions PatchOptions UpdateOptions WatchEvent',
  },
  'admissionregistration.k8s.io/v1': {
    'admissionregistration/v1': 'MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingAdmissionPolicyBindingList MutatingAdmissionPolicyList MutatingWebhookConfiguration MutatingWebhookConfigurationList ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingAdmissionPolicyBindingList ValidatingAdmissionPolicyList ValidatingWebhookConfiguration ValidatingWebhookConfigurationList',
  },
  'apidiscovery.k8s.io/v2': {
    'apidiscovery/v2': 'APIGroupDiscovery APIGroupDiscoveryList',
  },
  'apiextensions.k8s.io/v1': {
    'apiextensions/v1': 'ConversionReview CustomResourceDefinition CustomResourceDefinitionList',
  },
  'apiregistration.k8s.io/v1': {
    'apiregistration/v1': 'APIService APIServiceList',
  },
  'apps/v1': {
    'apps/v1': 'ControllerRevision ControllerRevisionList DaemonSet DaemonSetList Deployment DeploymentList ReplicaSet ReplicaSetList StatefulSet StatefulSetList',
  },
  'authentication.k8s.io/v1': {
    'authentication/v1': 'SelfSubjectReview TokenRequest TokenReview',
  },
  'authorization.k8s.io/v1': {
    'authorization/v1': 'LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview',
  },
  'autoscaling/v1': {
    'autoscaling/v1': 'HorizontalPodAutoscaler HorizontalPodAutoscalerList Scale',
  },
  'autoscaling/v2': {
    'autoscaling/v2': 'HorizontalPodAutoscaler HorizontalPodAutoscalerList',
  },
  'batch/v1': {
    'batch/v1': 'CronJob CronJobList Job JobList',
  },
  'certificates.k8s.io/v1': {
    'certificates/v1': 'CertificateSigningRequest CertificateSigningRequestList ClusterTrustBundle ClusterTrustBundleList PodCertificateRequest PodCertificateRequestList',
  },
  'coordination.k8s.io/v1': {
    'coordination/v1': 'Lease LeaseList',
  },
  'discovery.k8s.io/v1': {
    'discovery/v1': 'EndpointSlice EndpointSliceList',
  },
  'events.k8s.io/v1': {
    'events/v1': 'Event EventList',
  },
  'flowcontrol.apiserver.k8s.io/v1': {
    'flowcontrol/v1': 'FlowSchema FlowSchemaList PriorityLevelConfiguration PriorityLevelConfigurationList',
  },
  'meta.k8s.io/v1': {
    'meta/v1': 'PartialObjectMetadata PartialObjectMetadataList TableOptions',
  },
  'meta.k8s.io/v1beta1': {
    'meta/v1': 'PartialObjectMetadata TableOptions',
    'meta/v1beta1': 'PartialObjectMetadataList',
  },
  'networking.k8s.io/v1': {
    'networking/v1': 'IPAddress IPAddressList Ingress IngressClass IngressClassList IngressList NetworkPolicy NetworkPolicyList ServiceCIDR ServiceCIDRList',
  },
  'node.k8s.io/v1': {
    'node/v1': 'RuntimeClass RuntimeClassList',
  },
  'policy/v1': {
    'policy/v1': 'Eviction PodDisruptionBudget PodDisruptionBudgetList',
  },
  'rbac.authorization.k8s.io/v1': {
    'rbac/v1': 'ClusterRole ClusterRoleBinding ClusterRoleBindingList ClusterRoleList Role RoleBinding RoleBindingList RoleList',
  },
  'resource.k8s.io/v1': {
    'resource/v1': 'DeviceClass DeviceClassList DeviceTaintRule DeviceTaintRuleList ResourceClaim ResourceClaimList ResourceClaimTemplate ResourceClaimTemplateList ResourceSlice ResourceSliceList',
  },
  'scheduling.k8s.io/v1': {
    'scheduling/v1': 'PriorityClass PriorityClassList',
  },
  'storage.k8s.io/v1': {
    'storage/v1': 'CSIDriver CSIDriverList CSINode CSINodeList CSIStorageCapacity CSIStorageCapacityList StorageClass StorageClassList VolumeAttachment VolumeAttachmentList VolumeAttributesClass VolumeAttributesClassList',
  },
  'storagemigration.k8s.io/v1': {
    'storagemigration/v1': 'StorageVersionMigration StorageVersionMigrationList',
  },
  'v1': {
    'core/v1': 'Binding ComponentStatus ComponentStatusList ConfigMap ConfigMapList Endpoints EndpointsList Event EventList LimitRange LimitRangeList List Namespace NamespaceList Node NodeList NodeProxyOptions PersistentVolume PersistentVolumeClaim PersistentVolumeClaimList PersistentVolumeList Pod PodAttachOptions PodExecOptions PodList PodLogOptions PodPortForwardOptions PodProxyOptions PodTemplate PodTemplateList RangeAllocation ReplicationController ReplicationControllerList ResourceQuota ResourceQuotaList Secret SecretList SerializedReference Service ServiceAccount ServiceAccountList ServiceList ServiceProxyOptions',
    'meta/v1': 'APIGroup APIGroupList APIResourceList APIVersions Status',
  },
}
