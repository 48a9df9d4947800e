/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const discoveryV1 = `
=AddressType ["FQDN","IPv4","IPv6"]
Endpoint addresses:[]string!+|l=set conditions:EndpointConditions+ hostname:string targetRef:core/v1.ObjectReference deprecatedTopology:{}string? nodeName:string zone:string hints:EndpointHints
EndpointConditions ready:bool serving:bool terminating:bool
EndpointHints forZones:[]ForZone?|l=atomic forNodes:[]ForNode?|l=atomic
EndpointPort |m=atomic name:string protocol:string|e=core/v1.Protocol port:int32 appProtocol:string
EndpointSlice kind:string? apiVersion:string? metadata:ObjectMeta+ addressType:string!+|e=AddressType endpoints:[]Endpoint+|l=atomic ports:[]EndpointPort+|l=atomic
EndpointSliceList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]EndpointSlice!+
ForNode name:string!+
ForZone name:string!+
`
