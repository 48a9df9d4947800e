/* Written by hack/update-kubernetes-proto.sh; not to be edited. */
// prettier-ignore
export const descriptor = {
  imports: [],
  messages: `
APIGroup name:1:string! versions:2:[]GroupVersionForDiscovery! preferredVersion:3:GroupVersionForDiscovery serverAddressByClientCIDRs:4:[]ServerAddressByClientCIDR
APIGroupList groups:1:[]APIGroup!
APIResource name:1:string! singularName:6:string! namespaced:2:bool! group:8:string version:9:string kind:3:string! verbs:4:StringList! shortNames:5:[]string categories:7:[]string storageVersionHash:10:string
APIResourceList groupVersion:1:string! resources:2:[]APIResource!
APIVersions versions:1:[]string! serverAddressByClientCIDRs:2:[]ServerAddressByClientCIDR!
Condition type:1:string! status:2:string! observedGeneration:3:int64 lastTransitionTime:4:Time! reason:5:string! message:6:string!
CreateOptions dryRun:1:[]string fieldManager:3:string fieldValidation:4:string
DeleteOptions gracePeriodSeconds:1:*int64 preconditions:2:*Preconditions orphanDependents:3:*bool propagationPolicy:4:*string dryRun:5:[]string ignoreStoreReadErrorWithClusterBreakingPotential:6:*bool
FieldSelectorRequirement key:1:string! operator:2:string! values:3:[]string
GetOptions resourceVersion:1:string
GroupResource group:1:string! resource:2:string!
GroupVersionForDiscovery groupVersion:1:string! version:2:string!
GroupVersionKind group:1:string! version:2:string! kind:3:string!
LabelSelector matchLabels:1:{}string matchExpressions:2:[]LabelSelectorRequirement
LabelSelectorRequirement key:1:string! operator:2:string! values:3:[]string
ListMeta selfLink:1:string resourceVersion:2:string continue:3:string remainingItemCount:4:*int64 shardInfo:5:*ShardInfo
ListOptions labelSelector:1:string fieldSelector:2:string watch:3:bool allowWatchBookmarks:9:bool resourceVersion:4:string resourceVersionMatch:10:string timeoutSeconds:5:*int64 limit:7:int64 continue:8:string sendInitialEvents:11:*bool shardSelector:15:string
ManagedFieldsEntry manager:1:string operation:2:string apiVersion:3:string time:4:*Time fieldsType:6:string fieldsV1:7:*FieldsV1 subresource:8:string
ObjectMeta name:1:string generateName:2:string namespace:3:string selfLink:4:string uid:5:string resourceVersion:6:string generation:7:int64 creationTimestamp:8:Time~ deletionTimestamp:9:*Time deletionGracePeriodSeconds:10:*int64 labels:11:{}string annotations:12:{}string ownerReferences:13:[]OwnerReference finalizers:14:[]string managedFields:17:[]ManagedFieldsEntry
OwnerReference apiVersion:5:string! kind:1:string! name:3:string! uid:4:string! controller:6:*bool blockOwnerDeletion:7:*bool
PartialObjectMetadata metadata:1:ObjectMeta
PartialObjectMetadataList metadata:1:ListMeta items:2:[]PartialObjectMetadata!
PatchOptions dryRun:1:[]string force:2:*bool fieldManager:3:string fieldValidation:4:string
Preconditions uid:1:*string resourceVersion:2:*string
ServerAddressByClientCIDR clientCIDR:1:string! serverAddress:2:string!
ShardInfo selector:1:string!
Status metadata:1:ListMeta status:2:string message:3:string reason:4:string details:5:*StatusDetails code:6:int32
StatusCause reason:1:string message:2:string field:3:string
StatusDetails name:1:string group:2:string kind:3:string uid:6:string causes:4:[]StatusCause retryAfterSeconds:5:int32
TableOptions includeObject:1:string
UpdateOptions dryRun:1:[]string fieldManager:2:string fieldValidation:3:string
WatchEvent type:1:string! object:2:RawExtension!
`,
}
