/* Written by hack/update-kubernetes-proto.sh; not to be edited. */
// prettier-ignore
export const descriptor = {
  imports: ["meta/v1"],
  messages: `
APIGroupDiscovery metadata:1:meta/v1.ObjectMeta versions:2:[]APIVersionDiscovery
APIGroupDiscoveryList metadata:1:meta/v1.ListMeta items:2:[]APIGroupDiscovery!
APIResourceDiscovery resource:1:string! responseKind:2:*meta/v1.GroupVersionKind scope:3:string! singularResource:4:string! verbs:5:[]string! shortNames:6:[]string categories:7:[]string subresources:8:[]APISubresourceDiscovery
APISubresourceDiscovery subresource:1:string! responseKind:2:*meta/v1.GroupVersionKind acceptedTypes:3:[]meta/v1.GroupVersionKind verbs:4:[]string!
APIVersionDiscovery version:1:string! resources:2:[]APIResourceDiscovery freshness:3:string
`,
}
