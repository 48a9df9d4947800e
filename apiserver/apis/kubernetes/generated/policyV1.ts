/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const policyV1 = `
=UnhealthyPodEvictionPolicyType ["AlwaysAllow","IfHealthyBudget"]
Eviction kind:string? apiVersion:string? metadata:ObjectMeta+ deleteOptions:meta/v1.DeleteOptions
PodDisruptionBudget kind:string? apiVersion:string? metadata:ObjectMeta+ spec:PodDisruptionBudgetSpec+ status:PodDisruptionBudgetStatus+
PodDisruptionBudgetList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]PodDisruptionBudget!+
PodDisruptionBudgetSpec minAvailable:IntOrString selector:meta/v1.LabelSelector|p=replace maxUnavailable:IntOrString unhealthyPodEvictionPolicy:string|e=UnhealthyPodEvictionPolicyType
PodDisruptionBudgetStatus observedGeneration:int64? disruptedPods:{}Time? disruptionsAllowed:int32+ currentHealthy:int32+ desiredHealthy:int32+ expectedPods:int32+ conditions:[]meta/v1.Condition?|l=map:type|p=merge:type
`
