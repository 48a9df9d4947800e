import type { ResourceDefinition } from '../../registry/resource.ts'
import { customResourceDefinitionResource } from './apiextensions/customResourceDefinition.ts'
import {
  mutatingBindingResource,
  mutatingPolicyResource,
} from './admissionregistration/mutatingPolicies.ts'
import {
  validatingBindingResource,
  validatingPolicyResource,
} from './admissionregistration/policies.ts'
import {
  mutatingWebhooksResource,
  validatingWebhooksResource,
} from './admissionregistration/webhookConfigurations.ts'
import { apiServiceResource } from './apiregistration/apiService.ts'
import { controllerRevisionResource } from './apps/controllerRevision.ts'
import { daemonSetResource } from './apps/daemonSet.ts'
import { deploymentResource } from './apps/deployment.ts'
import { replicaSetResource } from './apps/replicaSet.ts'
import { statefulSetResource } from './apps/statefulSet.ts'
import { horizontalPodAutoscalerResource } from './autoscaling/horizontalPodAutoscaler.ts'
import { horizontalPodAutoscalerV1Resource } from './autoscaling/horizontalPodAutoscalerV1.ts'
import { cronJobResource } from './batch/cronJob.ts'
import { jobResource } from './batch/job.ts'
import { certificateSigningRequestResource } from './certificates/certificateSigningRequest.ts'
import { podCertificateRequestResource } from './certificates/podCertificateRequest.ts'
import { clusterTrustBundleResource } from './certificates/clusterTrustBundle.ts'
import type { KindContext } from './builtInKind.ts'
import { leaseResource } from './coordination/lease.ts'
import { endpointsResource } from './core/service/endpoints.ts'
import { eventResource as coreEventResource } from './core/event/event.ts'
import { limitRangeResource } from './core/quota/limitRange.ts'
import { nodeResource } from './core/node/node.ts'
import { persistentVolumeResource } from './core/volume/persistentVolume.ts'
import { persistentVolumeClaimResource } from './core/volume/persistentVolumeClaim.ts'
import { componentStatusResource } from './core/componentStatus.ts'
import { bindingResource } from './core/pod/podBinding.ts'
import { podResource } from './core/pod/pod.ts'
import { podTemplateResource } from './core/pod/podTemplate.ts'
import { replicationControllerResource } from './core/replicationController.ts'
import { resourceQuotaResource } from './core/quota/resourceQuota.ts'
import { serviceResource } from './core/service/service.ts'
import { serviceAccountResource } from './core/serviceAccount.ts'
import { endpointSliceResource } from './discovery/endpointSlice.ts'
import { eventResource } from './events/event.ts'
import { flowSchemaResource } from './flowcontrol/flowSchema.ts'
import { priorityLevelResource } from './flowcontrol/priorityLevel.ts'
import { runtimeClassResource } from './node/runtimeClass.ts'
import { ingressResource } from './networking/ingress.ts'
import { ingressClassResource } from './networking/ingressClass.ts'
import { ipAddressResource } from './networking/ipAddress.ts'
import { serviceCidrResource } from './networking/serviceCidr.ts'
import { networkPolicyResource } from './networking/networkPolicy.ts'
import { podDisruptionBudgetResource } from './policy/podDisruptionBudget.ts'
import { deviceClassResource } from './resource/deviceClass.ts'
import { deviceTaintRuleResource } from './resource/deviceTaintRule.ts'
import { resourceClaimResource, resourceClaimTemplateResource } from './resource/resourceClaim.ts'
import { resourceSliceResource } from './resource/resourceSlice.ts'
import { priorityClassResource } from './scheduling/priorityClass.ts'
import { storageVersionMigrationResource } from './storagemigration/storageVersionMigration.ts'
import { csiDriverResource } from './storage/csiDriver.ts'
import { csiNodeResource } from './storage/csiNode.ts'
import { csiStorageCapacityResource } from './storage/csiStorageCapacity.ts'
import { volumeAttachmentResource } from './storage/volumeAttachment.ts'
import { volumeAttributesClassResource } from './storage/volumeAttributesClass.ts'
import { storageClassResource } from './storage/storageClass.ts'

const kinds: readonly ((context: KindContext) => ResourceDefinition)[] = [
  bindingResource,
  componentStatusResource,
  endpointsResource,
  coreEventResource,
  limitRangeResource,
  nodeResource,
  persistentVolumeClaimResource,
  persistentVolumeResource,
  podResource,
  podTemplateResource,
  replicationControllerResource,
  resourceQuotaResource,
  serviceAccountResource,
  serviceResource,
  controllerRevisionResource,
  daemonSetResource,
  deploymentResource,
  replicaSetResource,
  statefulSetResource,
  // The stored version comes first, since it is the default of clients that name no version.
  horizontalPodAutoscalerResource,
  horizontalPodAutoscalerV1Resource,
  cronJobResource,
  jobResource,
  ingressResource,
  ingressClassResource,
  networkPolicyResource,
  podDisruptionBudgetResource,
  leaseResource,
  eventResource,
  endpointSliceResource,
  priorityClassResource,
  storageClassResource,
  mutatingPolicyResource,
  mutatingBindingResource,
  mutatingWebhooksResource,
  validatingPolicyResource,
  validatingBindingResource,
  validatingWebhooksResource,
  customResourceDefinitionResource,
  apiServiceResource,
  certificateSigningRequestResource,
  clusterTrustBundleResource,
  podCertificateRequestResource,
  ipAddressResource,
  serviceCidrResource,
  runtimeClassResource,
  csiDriverResource,
  csiNodeResource,
  csiStorageCapacityResource,
  volumeAttachmentResource,
  volumeAttributesClassResource,
  flowSchemaResource,
  priorityLevelResource,
  deviceClassResource,
  deviceTaintRuleResource,
  resourceClaimResource,
  resourceClaimTemplateResource,
  resourceSliceResource,
  storageVersionMigrationResource,
]

/**
 * Kubernetes kinds that planes serve besides their own, in the order of discovery. Clients and
 * tools expect them on any server; they are stored and validated, but have no controllers.
 */
export function builtInResources(context: KindContext): ResourceDefinition[] {
  return kinds.map((kind) => kind(context))
}
