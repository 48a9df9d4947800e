/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const discoveryV1 = `
Endpoint addresses:[]string!+|l=set conditions:EndpointConditions+ hostname:string targetRef:core/v1.ObjectReference deprecatedTopology:{}string? nodeName:string zone:string hints:EndpointHints
EndpointConditions ready:bool serving:bool terminating:bool
EndpointHints forZones:[]ForZone?|l=atomic forNodes:[]ForNode?|l=atomic
EndpointPort |m=atomic name:string protocol:string port:int32 appProtocol:string
EndpointSlice kind:string? apiVersion:string? metadata:ObjectMeta+ addressType:string!+ endpoints:[]Endpoint+|l=atomic ports:[]EndpointPort+|l=atomic
ForNode name:string!+
ForZone name:string!+
`
