/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const storageV1 = `
=StorageHealthStatusType ["StorageDegraded","StorageUnreachable"]
=VolumeBindingMode ["Immediate","WaitForFirstConsumer"]
CSIDriver kind:string? apiVersion:string? metadata:ObjectMeta+ spec:CSIDriverSpec!+
CSIDriverList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]CSIDriver!+
CSIDriverSpec attachRequired:bool podInfoOnMount:bool volumeLifecycleModes:[]string?|l=set storageCapacity:bool|g=CSIStorageCapacity fsGroupPolicy:string tokenRequests:[]TokenRequest?|l=atomic requiresRepublish:bool seLinuxMount:bool|g=SELinuxMountReadWriteOncePod nodeAllocatableUpdatePeriodSeconds:int64|g=MutableCSINodeAllocatableCount serviceAccountTokenInSecrets:bool|g=CSIServiceAccountTokenSecrets preventPodSchedulingIfMissing:bool|g=VolumeLimitScaling
CSINode kind:string? apiVersion:string? metadata:ObjectMeta+ spec:CSINodeSpec!+ status:CSINodeStatus+
CSINodeDriver name:string!+ nodeID:string!+ topologyKeys:[]string+|l=atomic allocatable:VolumeNodeResources
CSINodeList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]CSINode!+
CSINodeSpec drivers:[]CSINodeDriver!+|l=map:name|p=merge:name
CSINodeStatus storageHealth:[]StorageHealth?|l=map:name|p=merge:name|g=CSIVolumeHealth
CSIStorageCapacity kind:string? apiVersion:string? metadata:ObjectMeta+ nodeTopology:meta/v1.LabelSelector storageClassName:string!+ capacity:Quantity maximumVolumeSize:Quantity
CSIStorageCapacityList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]CSIStorageCapacity!+
StorageClass kind:string? apiVersion:string? metadata:ObjectMeta+ provisioner:string!+ parameters:{}string? reclaimPolicy:string|e=core/v1.PersistentVolumeReclaimPolicy mountOptions:[]string?|l=atomic allowVolumeExpansion:bool volumeBindingMode:string|e=VolumeBindingMode allowedTopologies:[]core/v1.TopologySelectorTerm?|l=atomic
StorageClassList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]StorageClass!+
StorageHealth name:string!+ healthConditions:[]StorageHealthCondition?|l=atomic
StorageHealthCondition status:string!+|e=StorageHealthStatusType reason:string!+ message:string? accessMode:string|e=core/v1.PersistentVolumeAccessMode volumeMode:string|e=core/v1.PersistentVolumeMode lastTransitionTime:Time+
TokenRequest audience:string!+ expirationSeconds:int64
VolumeAttachment kind:string? apiVersion:string? metadata:ObjectMeta+ spec:VolumeAttachmentSpec!+ status:VolumeAttachmentStatus+
VolumeAttachmentList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]VolumeAttachment!+
VolumeAttachmentSource persistentVolumeName:string inlineVolumeSpec:core/v1.PersistentVolumeSpec
VolumeAttachmentSpec attacher:string!+ source:VolumeAttachmentSource!+ nodeName:string!+
VolumeAttachmentStatus attached:bool!+ attachmentMetadata:{}string? attachError:VolumeError detachError:VolumeError
VolumeAttributesClass kind:string? apiVersion:string? metadata:ObjectMeta+ driverName:string!+ parameters:{}string?
VolumeAttributesClassList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]VolumeAttributesClass!+
VolumeError time:Time+ message:string? errorCode:int32|g=MutableCSINodeAllocatableCount
VolumeNodeResources count:int32
`
