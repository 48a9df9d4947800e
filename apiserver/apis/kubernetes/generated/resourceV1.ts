/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const resourceV1 = `
=AllocationConfigSource ["FromClaim","FromClass"]
=DeviceAllocationMode ["All","ExactCount"]
=DeviceTaintEffect ["NoExecute","NoSchedule","None"]
=DeviceTolerationOperator ["Equal","Exists"]
=SkipNodeOperation ["*","NodePrepareResources","NodeUnprepareResources"]
AllocatedDeviceStatus driver:string!+ pool:string!+ device:string!+ shareID:string|g=DRAConsumableCapacity conditions:[]meta/v1.Condition+|l=map:type data:RawExtension networkData:NetworkDeviceData
AllocationResult devices:DeviceAllocationResult+ nodeSelector:core/v1.NodeSelector allocationTimestamp:Time|g=DRADeviceBindingConditions,DRAResourceClaimDeviceStatus
CELDeviceSelector expression:string!+
CapacityRequestPolicy default:Quantity- validValues:[]Quantity?|l=atomic validRange:CapacityRequestPolicyRange
CapacityRequestPolicyRange min:Quantity! max:Quantity step:Quantity
CapacityRequirements requests:{}Quantity?
Counter value:Quantity!+
CounterSet name:string!+ counters:{}Counter!?
Device name:string!+ attributes:{}DeviceAttribute? capacity:{}DeviceCapacity? consumesCounters:[]DeviceCounterConsumption?|l=atomic|g=DRAPartitionableDevices nodeName:string|g=DRAPartitionableDevices nodeSelector:core/v1.NodeSelector|g=DRAPartitionableDevices allNodes:bool|g=DRAPartitionableDevices taints:[]DeviceTaint?|l=atomic|g=DRADeviceTaints bindsToNode:bool|g=DRADeviceBindingConditions,DRAResourceClaimDeviceStatus bindingConditions:[]string?|l=atomic|g=DRADeviceBindingConditions,DRAResourceClaimDeviceStatus bindingFailureConditions:[]string?|l=atomic|g=DRADeviceBindingConditions,DRAResourceClaimDeviceStatus allowMultipleAllocations:bool|g=DRAConsumableCapacity nodeAllocatableResources:{}NodeAllocatableResource?|g=DRANodeAllocatableResources
DeviceAllocationConfiguration source:string!+|e=AllocationConfigSource requests:[]string?|l=atomic opaque:OpaqueDeviceConfiguration
DeviceAllocationResult results:[]DeviceRequestAllocationResult?|l=atomic config:[]DeviceAllocationConfiguration?|l=atomic
DeviceAttribute int:int64 bool:bool string:string version:string ints:[]int64?|l=atomic|g=DRAListTypeAttributes bools:[]bool?|l=atomic|g=DRAListTypeAttributes strings:[]string?|l=atomic|g=DRAListTypeAttributes versions:[]string?|l=atomic|g=DRAListTypeAttributes
DeviceCapacity value:Quantity!+ requestPolicy:CapacityRequestPolicy|g=DRAConsumableCapacity
DeviceClaim requests:[]DeviceRequest+|l=atomic constraints:[]DeviceConstraint?|l=atomic config:[]DeviceClaimConfiguration?|l=atomic
DeviceClaimConfiguration requests:[]string?|l=atomic opaque:OpaqueDeviceConfiguration
DeviceClass kind:string? apiVersion:string? metadata:ObjectMeta+ spec:DeviceClassSpec+
DeviceClassConfiguration opaque:OpaqueDeviceConfiguration
DeviceClassList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]DeviceClass!+
DeviceClassSpec selectors:[]DeviceSelector?|l=atomic config:[]DeviceClassConfiguration?|l=atomic extendedResourceName:string|g=DRAExtendedResource
DeviceConstraint requests:[]string?|l=atomic matchAttribute:string distinctAttribute:string|g=DRAConsumableCapacity
DeviceCounterConsumption counterSet:string!+ counters:{}Counter!? compatibilityGroups:[]string?|l=atomic|g=DRADeviceCompatibilityGroups
DeviceDerivedAttribute name:string!+ expression:string!+
DeviceRequest name:string!+ exactly:ExactDeviceRequest firstAvailable:[]DeviceSubRequest?|l=atomic|g=DRAPrioritizedList
DeviceRequestAllocationResult request:string!+ driver:string!+ pool:string!+ device:string!+ adminAccess:bool|g=DRAAdminAccess tolerations:[]DeviceToleration?|l=atomic|g=DRADeviceTaints bindingConditions:[]string?|l=atomic|g=DRADeviceBindingConditions,DRAResourceClaimDeviceStatus bindingFailureConditions:[]string?|l=atomic|g=DRADeviceBindingConditions,DRAResourceClaimDeviceStatus shareID:string|g=DRAConsumableCapacity consumedCapacity:{}Quantity?|g=DRAConsumableCapacity skipNodeOperations:[]string?|l=set|g=DRAOptionalNodeOperations|e=SkipNodeOperation
DeviceSelector cel:CELDeviceSelector
DeviceSubRequest name:string!+ deviceClassName:string!+ selectors:[]DeviceSelector?|l=atomic allocationMode:string?|e=DeviceAllocationMode count:int64? tolerations:[]DeviceToleration?|l=atomic|g=DRADeviceTaints capacity:CapacityRequirements|g=DRAConsumableCapacity derivedAttributes:[]DeviceDerivedAttribute?|l=atomic|g=DRADerivedAttributes
DeviceTaint key:string!+ value:string? effect:string!+|e=DeviceTaintEffect timeAdded:Time
DeviceTaintRule kind:string? apiVersion:string? metadata:ObjectMeta+ spec:DeviceTaintRuleSpec!+ status:DeviceTaintRuleStatus+
DeviceTaintRuleList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]DeviceTaintRule!+
DeviceTaintRuleSpec deviceSelector:DeviceTaintSelector taint:DeviceTaint!+
DeviceTaintRuleStatus conditions:[]meta/v1.Condition?|l=map:type|p=merge:type
DeviceTaintSelector driver:string pool:string device:string
DeviceToleration key:string? operator:string?|d="Equal"|e=DeviceTolerationOperator value:string? effect:string?|e=DeviceTaintEffect tolerationSeconds:int64
ExactDeviceRequest deviceClassName:string!+ selectors:[]DeviceSelector?|l=atomic allocationMode:string?|e=DeviceAllocationMode count:int64? adminAccess:bool|g=DRAAdminAccess tolerations:[]DeviceToleration?|l=atomic|g=DRADeviceTaints capacity:CapacityRequirements|g=DRAConsumableCapacity derivedAttributes:[]DeviceDerivedAttribute?|l=atomic|g=DRADerivedAttributes
NetworkDeviceData interfaceName:string? ips:[]string?|l=atomic hardwareAddress:string?
NodeAllocatableMapping capacityKey:string capacityMultiplier:Quantity deviceMultiplier:Quantity
NodeAllocatableOverhead perPod:Quantity perContainer:Quantity
NodeAllocatableResource mapping:NodeAllocatableMapping overhead:NodeAllocatableOverhead
OpaqueDeviceConfiguration driver:string!+ parameters:RawExtension!
ResourceClaim kind:string? apiVersion:string? metadata:ObjectMeta+ spec:ResourceClaimSpec+ status:ResourceClaimStatus+
ResourceClaimConsumerReference apiGroup:string? resource:string!+ name:string!+ uid:string!+
ResourceClaimList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]ResourceClaim!+
ResourceClaimSpec devices:DeviceClaim+
ResourceClaimStatus allocation:AllocationResult reservedFor:[]ResourceClaimConsumerReference?|l=map:uid|p=merge:uid devices:[]AllocatedDeviceStatus?|l=map:driver,device,pool,shareID|g=DRAResourceClaimDeviceStatus
ResourceClaimTemplate kind:string? apiVersion:string? metadata:ObjectMeta+ spec:ResourceClaimTemplateSpec+
ResourceClaimTemplateList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]ResourceClaimTemplate!+
ResourceClaimTemplateSpec metadata:ObjectMeta+ spec:ResourceClaimSpec+
ResourcePool name:string!+ generation:int64!+ resourceSliceCount:int64!+
ResourceSlice kind:string? apiVersion:string? metadata:ObjectMeta+ spec:ResourceSliceSpec!+
ResourceSliceList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]ResourceSlice!+
ResourceSliceSpec driver:string!+ pool:ResourcePool!+ nodeName:string nodeSelector:core/v1.NodeSelector allNodes:bool devices:[]Device?|l=atomic perDeviceNodeSelection:bool|g=DRAPartitionableDevices sharedCounters:[]CounterSet?|l=atomic|g=DRAPartitionableDevices partitionTypeAttribute:string|g=DRAPartitionableDevicesType skipNodeOperations:[]string?|l=set|g=DRAOptionalNodeOperations|e=SkipNodeOperation
`
