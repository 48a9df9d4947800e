/* Written by hack/update-kubernetes-proto.sh; not to be edited. */
// prettier-ignore
export const descriptor = {
  imports: ["meta/v1"],
  messages: `
AggregationRule clusterRoleSelectors:1:[]meta/v1.LabelSelector
ClusterRole metadata:1:meta/v1.ObjectMeta rules:2:[]PolicyRule! aggregationRule:3:*AggregationRule
ClusterRoleBinding metadata:1:meta/v1.ObjectMeta subjects:2:[]Subject roleRef:3:RoleRef!
ClusterRoleBindingList metadata:1:meta/v1.ListMeta items:2:[]ClusterRoleBinding!
ClusterRoleList metadata:1:meta/v1.ListMeta items:2:[]ClusterRole!
PolicyRule verbs:1:[]string! apiGroups:2:[]string resources:3:[]string resourceNames:4:[]string nonResourceURLs:5:[]string
Role metadata:1:meta/v1.ObjectMeta rules:2:[]PolicyRule!
RoleBinding metadata:1:meta/v1.ObjectMeta subjects:2:[]Subject roleRef:3:RoleRef!
RoleBindingList metadata:1:meta/v1.ListMeta items:2:[]RoleBinding!
RoleList metadata:1:meta/v1.ListMeta items:2:[]Role!
RoleRef apiGroup:1:string! kind:2:string! name:3:string!
Subject kind:1:string! apiGroup:2:string name:3:string! namespace:4:string
`,
}
