/* Written by hack/update-kubernetes-proto.sh; not to be edited. */
// prettier-ignore
export const descriptor = {
  imports: ["core/v1","meta/v1"],
  messages: `
CSIDriver metadata:1:meta/v1.ObjectMeta spec:2:CSIDriverSpec!
CSIDriverList metadata:1:meta/v1.ListMeta items:2:[]CSIDriver!
CSIDriverSpec attachRequired:1:*bool podInfoOnMount:2:*bool volumeLifecycleModes:3:[]string storageCapacity:4:*bool fsGroupPolicy:5:*string tokenRequests:6:[]TokenRequest requiresRepublish:7:*bool seLinuxMount:8:*bool nodeAllocatableUpdatePeriodSeconds:9:*int64 serviceAccountTokenInSecrets:10:*bool preventPodSchedulingIfMissing:11:*bool
CSINode metadata:1:meta/v1.ObjectMeta spec:2:CSINodeSpec! status:3:CSINodeStatus
CSINodeDriver name:1:string! nodeID:2:string! topologyKeys:3:[]string! allocatable:4:*VolumeNodeResources
CSINodeList metadata:1:meta/v1.ListMeta items:2:[]CSINode!
CSINodeSpec drivers:1:[]CSINodeDriver!
CSINodeStatus storageHealth:1:[]StorageHealth
CSIStorageCapacity metadata:1:meta/v1.ObjectMeta nodeTopology:2:*meta/v1.LabelSelector storageClassName:3:string! capacity:4:*Quantity maximumVolumeSize:5:*Quantity
CSIStorageCapacityList metadata:1:meta/v1.ListMeta items:2:[]CSIStorageCapacity!
StorageClass metadata:1:meta/v1.ObjectMeta provisioner:2:string! parameters:3:{}string reclaimPolicy:4:*string mountOptions:5:[]string allowVolumeExpansion:6:*bool volumeBindingMode:7:*string allowedTopologies:8:[]core/v1.TopologySelectorTerm
StorageClassList metadata:1:meta/v1.ListMeta items:2:[]StorageClass!
StorageHealth name:1:string! healthConditions:2:[]StorageHealthCondition
StorageHealthCondition status:1:string! reason:2:string! message:3:string accessMode:4:*string volumeMode:5:*string lastTransitionTime:6:Time
TokenRequest audience:1:string! expirationSeconds:2:*int64
VolumeAttachment metadata:1:meta/v1.ObjectMeta spec:2:VolumeAttachmentSpec! status:3:VolumeAttachmentStatus
VolumeAttachmentList metadata:1:meta/v1.ListMeta items:2:[]VolumeAttachment!
VolumeAttachmentSource persistentVolumeName:1:*string inlineVolumeSpec:2:*core/v1.PersistentVolumeSpec
VolumeAttachmentSpec attacher:1:string! source:2:VolumeAttachmentSource! nodeName:3:string!
VolumeAttachmentStatus attached:1:bool! attachmentMetadata:2:{}string attachError:3:*VolumeError detachError:4:*VolumeError
VolumeAttributesClass metadata:1:meta/v1.ObjectMeta driverName:2:string! parameters:3:{}string
VolumeAttributesClassList metadata:1:meta/v1.ListMeta items:2:[]VolumeAttributesClass!
VolumeError time:1:Time message:2:string errorCode:3:*int32
VolumeNodeResources count:1:*int32
`,
}
