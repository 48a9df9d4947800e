/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const metaV1 = `
APIGroup kind:string? apiVersion:string? name:string!+ versions:[]GroupVersionForDiscovery!+|l=atomic preferredVersion:GroupVersionForDiscovery+ serverAddressByClientCIDRs:[]ServerAddressByClientCIDR?|l=atomic
APIGroupList kind:string? apiVersion:string? groups:[]APIGroup!+|l=atomic
APIResource name:string!+ singularName:string!+ namespaced:bool!+ group:string? version:string? kind:string!+ verbs:[]string!+ shortNames:[]string?|l=atomic categories:[]string?|l=atomic storageVersionHash:string?
APIResourceList kind:string? apiVersion:string? groupVersion:string!+ resources:[]APIResource!+|l=atomic
APIVersions kind:string? apiVersion:string? versions:[]string!+|l=atomic serverAddressByClientCIDRs:[]ServerAddressByClientCIDR!+|l=atomic
Condition type:string!+ status:string!+ observedGeneration:int64? lastTransitionTime:Time!+ reason:string!+ message:string!+
DeleteOptions kind:string? apiVersion:string? gracePeriodSeconds:int64 preconditions:Preconditions orphanDependents:bool propagationPolicy:string dryRun:[]string?|l=atomic ignoreStoreReadErrorWithClusterBreakingPotential:bool
FieldSelectorRequirement key:string!+ operator:string!+ values:[]string?|l=atomic
GroupResource group:string!+ resource:string!+
GroupVersionForDiscovery groupVersion:string!+ version:string!+
LabelSelector |m=atomic matchLabels:{}string? matchExpressions:[]LabelSelectorRequirement?|l=atomic
LabelSelectorRequirement key:string!+ operator:string!+ values:[]string?|l=atomic
ListMeta selfLink:string? resourceVersion:string? continue:string? remainingItemCount:int64 shardInfo:ShardInfo|g=ShardedListAndWatch
ManagedFieldsEntry manager:string? operation:string? apiVersion:string? time:Time fieldsType:string? fieldsV1:FieldsV1 subresource:string?
ObjectMeta name:string? generateName:string? namespace:string? selfLink:string? uid:string? resourceVersion:string? generation:int64? creationTimestamp:Time? deletionTimestamp:Time deletionGracePeriodSeconds:int64 labels:{}string? annotations:{}string? ownerReferences:[]OwnerReference?|l=map:uid|p=merge:uid finalizers:[]string?|l=set|p=merge managedFields:[]ManagedFieldsEntry?|l=atomic
OwnerReference |m=atomic apiVersion:string!+ kind:string!+ name:string!+ uid:string!+ controller:bool blockOwnerDeletion:bool
Preconditions uid:string resourceVersion:string
ServerAddressByClientCIDR clientCIDR:string!+ serverAddress:string!+
ShardInfo selector:string!+
Status kind:string? apiVersion:string? metadata:ListMeta+ status:string? message:string? reason:string? details:StatusDetails code:int32?
StatusCause reason:string? message:string? field:string?
StatusDetails name:string? group:string? kind:string? uid:string? causes:[]StatusCause?|l=atomic retryAfterSeconds:int32?
WatchEvent type:string!+ object:RawExtension!
`
