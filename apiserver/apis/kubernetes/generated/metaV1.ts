/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const metaV1 = `
Condition type:string!+ status:string!+ observedGeneration:int64? lastTransitionTime:Time!+ reason:string!+ message:string!+
DeleteOptions kind:string? apiVersion:string? gracePeriodSeconds:int64 preconditions:Preconditions orphanDependents:bool propagationPolicy:string dryRun:[]string?|l=atomic ignoreStoreReadErrorWithClusterBreakingPotential:bool
LabelSelector |m=atomic matchLabels:{}string? matchExpressions:[]LabelSelectorRequirement?|l=atomic
LabelSelectorRequirement key:string!+ operator:string!+ values:[]string?|l=atomic
Preconditions uid:string resourceVersion:string
`
