/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const rbacV1 = `
AggregationRule clusterRoleSelectors:[]meta/v1.LabelSelector?|l=atomic
ClusterRole kind:string? apiVersion:string? metadata:ObjectMeta+ rules:[]PolicyRule+|l=atomic aggregationRule:AggregationRule
ClusterRoleBinding kind:string? apiVersion:string? metadata:ObjectMeta+ subjects:[]Subject?|l=atomic roleRef:RoleRef!+
ClusterRoleBindingList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]ClusterRoleBinding!+
ClusterRoleList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]ClusterRole!+
PolicyRule verbs:[]string!+|l=atomic apiGroups:[]string?|l=atomic resources:[]string?|l=atomic resourceNames:[]string?|l=atomic nonResourceURLs:[]string?|l=atomic
Role kind:string? apiVersion:string? metadata:ObjectMeta+ rules:[]PolicyRule+|l=atomic
RoleBinding kind:string? apiVersion:string? metadata:ObjectMeta+ subjects:[]Subject?|l=atomic roleRef:RoleRef!+
RoleBindingList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]RoleBinding!+
RoleList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]Role!+
RoleRef |m=atomic apiGroup:string+ kind:string!+ name:string!+
Subject |m=atomic kind:string!+ apiGroup:string? name:string!+ namespace:string?
`
