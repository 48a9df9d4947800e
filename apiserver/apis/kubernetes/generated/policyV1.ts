/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const policyV1 = `
Eviction kind:string? apiVersion:string? metadata:ObjectMeta+ deleteOptions:meta/v1.DeleteOptions
PodDisruptionBudget kind:string? apiVersion:string? metadata:ObjectMeta+ spec:PodDisruptionBudgetSpec+ status:PodDisruptionBudgetStatus+
PodDisruptionBudgetSpec minAvailable:IntOrString selector:meta/v1.LabelSelector|p=replace maxUnavailable:IntOrString unhealthyPodEvictionPolicy:string
PodDisruptionBudgetStatus observedGeneration:int64? disruptedPods:{}Time? disruptionsAllowed:int32+ currentHealthy:int32+ desiredHealthy:int32+ expectedPods:int32+ conditions:[]meta/v1.Condition?|l=map:type|p=merge:type
`
