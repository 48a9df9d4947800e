/* Written by hack/update-kubernetes-proto.sh; not to be edited. */
// prettier-ignore
export const descriptor = {
  imports: ["meta/v1"],
  messages: `
Eviction metadata:1:meta/v1.ObjectMeta deleteOptions:2:*meta/v1.DeleteOptions
PodDisruptionBudget metadata:1:meta/v1.ObjectMeta spec:2:PodDisruptionBudgetSpec status:3:PodDisruptionBudgetStatus
PodDisruptionBudgetList metadata:1:meta/v1.ListMeta items:2:[]PodDisruptionBudget!
PodDisruptionBudgetSpec minAvailable:1:*IntOrString selector:2:*meta/v1.LabelSelector maxUnavailable:3:*IntOrString unhealthyPodEvictionPolicy:4:*string
PodDisruptionBudgetStatus observedGeneration:1:int64 disruptedPods:2:{}Time disruptionsAllowed:3:int32! currentHealthy:4:int32! desiredHealthy:5:int32! expectedPods:6:int32! conditions:7:[]meta/v1.Condition
`,
}
