/* Written by hack/update-kubernetes-proto.sh; not to be edited. */
// prettier-ignore
export const descriptor = {
  imports: ["core/v1","meta/v1"],
  messages: `
AllocatedDeviceStatus driver:1:string! pool:2:string! device:3:string! shareID:7:*string conditions:4:[]meta/v1.Condition! data:5:*RawExtension networkData:6:*NetworkDeviceData
AllocationResult devices:1:DeviceAllocationResult nodeSelector:3:*core/v1.NodeSelector allocationTimestamp:5:*Time
CELDeviceSelector expression:1:string!
CapacityRequestPolicy default:1:*Quantity! validValues:3:[]Quantity validRange:4:*CapacityRequestPolicyRange
CapacityRequestPolicyRange min:1:*Quantity max:2:*Quantity step:3:*Quantity
CapacityRequirements requests:1:{}Quantity
Counter value:1:Quantity!
CounterSet name:1:string! counters:2:{}Counter
Device name:1:string! attributes:2:{}DeviceAttribute capacity:3:{}DeviceCapacity consumesCounters:4:[]DeviceCounterConsumption nodeName:5:*string nodeSelector:6:*core/v1.NodeSelector allNodes:7:*bool taints:8:[]DeviceTaint bindsToNode:9:*bool bindingConditions:10:[]string bindingFailureConditions:11:[]string allowMultipleAllocations:12:*bool nodeAllocatableResources:14:{}NodeAllocatableResource
DeviceAllocationConfiguration source:1:string! requests:2:[]string :3:DeviceConfiguration
DeviceAllocationResult results:1:[]DeviceRequestAllocationResult config:2:[]DeviceAllocationConfiguration
DeviceAttribute int:2:*int64 bool:3:*bool string:4:*string version:5:*string ints:6:[]int64 bools:7:[]bool strings:8:[]string versions:9:[]string
DeviceCapacity value:1:Quantity! requestPolicy:2:*CapacityRequestPolicy
DeviceClaim requests:1:[]DeviceRequest! constraints:2:[]DeviceConstraint config:3:[]DeviceClaimConfiguration
DeviceClaimConfiguration requests:1:[]string :2:DeviceConfiguration
DeviceClass metadata:1:meta/v1.ObjectMeta spec:2:DeviceClassSpec!
DeviceClassConfiguration :1:DeviceConfiguration
DeviceClassList metadata:1:meta/v1.ListMeta items:2:[]DeviceClass!
DeviceClassSpec selectors:1:[]DeviceSelector config:2:[]DeviceClassConfiguration extendedResourceName:4:*string
DeviceConfiguration opaque:1:*OpaqueDeviceConfiguration
DeviceConstraint requests:1:[]string matchAttribute:2:*string distinctAttribute:3:*string
DeviceCounterConsumption counterSet:1:string! counters:2:{}Counter compatibilityGroups:3:[]string
DeviceDerivedAttribute name:1:string! expression:2:string!
DeviceRequest name:1:string! exactly:2:*ExactDeviceRequest firstAvailable:3:[]DeviceSubRequest
DeviceRequestAllocationResult request:1:string! driver:2:string! pool:3:string! device:4:string! adminAccess:5:*bool tolerations:6:[]DeviceToleration bindingConditions:7:[]string bindingFailureConditions:8:[]string shareID:9:*string consumedCapacity:10:{}Quantity skipNodeOperations:11:[]string
DeviceSelector cel:1:*CELDeviceSelector
DeviceSubRequest name:1:string! deviceClassName:2:string! selectors:3:[]DeviceSelector allocationMode:4:string count:5:int64 tolerations:6:[]DeviceToleration capacity:7:*CapacityRequirements derivedAttributes:8:[]DeviceDerivedAttribute
DeviceTaint key:1:string! value:2:string effect:3:string! timeAdded:4:*Time
DeviceTaintRule metadata:1:meta/v1.ObjectMeta spec:2:DeviceTaintRuleSpec! status:3:DeviceTaintRuleStatus
DeviceTaintRuleList metadata:1:meta/v1.ListMeta items:2:[]DeviceTaintRule!
DeviceTaintRuleSpec deviceSelector:1:*DeviceTaintSelector taint:2:DeviceTaint
DeviceTaintRuleStatus conditions:1:[]meta/v1.Condition
DeviceTaintSelector driver:2:*string pool:3:*string device:4:*string
DeviceToleration key:1:string operator:2:string value:3:string effect:4:string tolerationSeconds:5:*int64
ExactDeviceRequest deviceClassName:1:string! selectors:2:[]DeviceSelector allocationMode:3:string count:4:int64 adminAccess:5:*bool tolerations:6:[]DeviceToleration capacity:7:*CapacityRequirements derivedAttributes:8:[]DeviceDerivedAttribute
NetworkDeviceData interfaceName:1:string ips:2:[]string hardwareAddress:3:string
NodeAllocatableMapping capacityKey:1:*string capacityMultiplier:2:*Quantity deviceMultiplier:3:*Quantity
NodeAllocatableOverhead perPod:1:*Quantity perContainer:2:*Quantity
NodeAllocatableResource mapping:3:*NodeAllocatableMapping overhead:4:*NodeAllocatableOverhead
OpaqueDeviceConfiguration driver:1:string! parameters:2:RawExtension!
ResourceClaim metadata:1:meta/v1.ObjectMeta spec:2:ResourceClaimSpec! status:3:ResourceClaimStatus
ResourceClaimConsumerReference apiGroup:1:string resource:3:string! name:4:string! uid:5:string!
ResourceClaimList metadata:1:meta/v1.ListMeta items:2:[]ResourceClaim!
ResourceClaimSpec devices:1:DeviceClaim!
ResourceClaimStatus allocation:1:*AllocationResult reservedFor:2:[]ResourceClaimConsumerReference devices:4:[]AllocatedDeviceStatus
ResourceClaimTemplate metadata:1:meta/v1.ObjectMeta spec:2:ResourceClaimTemplateSpec!
ResourceClaimTemplateList metadata:1:meta/v1.ListMeta items:2:[]ResourceClaimTemplate!
ResourceClaimTemplateSpec metadata:1:meta/v1.ObjectMeta spec:2:ResourceClaimSpec!
ResourcePool name:1:string! generation:2:int64! resourceSliceCount:3:int64!
ResourceSlice metadata:1:meta/v1.ObjectMeta spec:2:ResourceSliceSpec!
ResourceSliceList metadata:1:meta/v1.ListMeta items:2:[]ResourceSlice!
ResourceSliceSpec driver:1:string! pool:2:ResourcePool! nodeName:3:*string nodeSelector:4:*core/v1.NodeSelector allNodes:5:*bool devices:6:[]Device perDeviceNodeSelection:7:*bool sharedCounters:8:[]CounterSet partitionTypeAttribute:9:*string skipNodeOperations:10:[]string
`,
}
