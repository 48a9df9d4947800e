/* Written by hack/update-kubernetes-proto.sh; not to be edited. */
// prettier-ignore
export const descriptor = {
  imports: ["core/v1","meta/v1"],
  messages: `
Endpoint addresses:1:[]string! conditions:2:EndpointConditions hostname:3:*string targetRef:4:*core/v1.ObjectReference deprecatedTopology:5:{}string nodeName:6:*string zone:7:*string hints:8:*EndpointHints
EndpointConditions ready:1:*bool serving:2:*bool terminating:3:*bool
EndpointHints forZones:1:[]ForZone forNodes:2:[]ForNode
EndpointPort name:1:*string protocol:2:*string port:3:*int32 appProtocol:4:*string
EndpointSlice metadata:1:meta/v1.ObjectMeta addressType:4:string! endpoints:2:[]Endpoint! ports:3:[]EndpointPort!
EndpointSliceList metadata:1:meta/v1.ListMeta items:2:[]EndpointSlice!
ForNode name:1:string!
ForZone name:1:string!
`,
}
